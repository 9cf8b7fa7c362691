"""Texts and ids that stream by, in pieces that are encoded and decoded as the whole is.

A piece of a text ends where the encoding itself says that no token changes. Where it cannot say
so, the text is held, up to a bound. Likewise for ids that are not decoded one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.measuring import KnowsSafeCuts

PIECE = 1 << 18
"""Bytes that are gathered before a place to cut at is looked for; a library may take a hundred
times as much memory while it cuts them into tokens."""

LONGEST_HELD = 32 << 20
"""Bytes that are held where there is no such place."""

MOST_IDS_HELD = 10_000_000
"""How many ids are held that are decoded together."""


@runtime_checkable
class DecodesApart(Protocol):
    """An encoding that can tell whether it decodes token by token."""

    @property
    def decodes_apart(self) -> bool:
        """Whether the bytes of ids are those of each id, one after another."""


def pieces(encoding: Encoding, blocks: Iterable[bytes], name: str) -> Iterator[str]:
    """The text in pieces, none of them empty, to be encoded one by one.

    `blocks` are the UTF-8 of the text, each of whole characters, `name` is what to call it.
    Raises EncodingError if there is no place to cut it at in more than LONGEST_HELD bytes.
    """
    waiting: list[bytes] = []
    size, enough = 0, PIECE
    for block in blocks:
        waiting.append(block)
        size += len(block)
        if size < enough:
            continue
        held = b"".join(waiting)
        place = encoding.safe_cut(held) if isinstance(encoding, KnowsSafeCuts) else 0
        if place:
            yield held[:place].decode("utf-8")
        elif size > LONGEST_HELD:
            raise EncodingError(
                f"{name} has more than {LONGEST_HELD >> 20} MB without a place where "
                f"{encoding.name} is known to begin a token in any case, and no more is held at "
                "once; cut it into several texts"
            )
        waiting = [held[place:]]
        size = len(held) - place
        # To look again and again at what has no such place would take the square of the time.
        enough = max(PIECE, min(2 * size, LONGEST_HELD + 1))
    if size:
        yield b"".join(waiting).decode("utf-8")


def decoded(encoding: Encoding, parts: Iterable[Sequence[int]], name: str) -> Iterator[bytes]:
    """The bytes of ids that come in parts, as soon as they are certain.

    `name` is what to call where they come from. Raises EncodingError for an unknown id, and for
    more than MOST_IDS_HELD that have to be decoded together.
    """
    if isinstance(encoding, DecodesApart) and encoding.decodes_apart:
        yield from map(encoding.decode_bytes, parts)
        return
    held = array("q")
    for part in parts:
        held.extend(part)
        if len(held) > MOST_IDS_HELD:
            raise EncodingError(
                f"{name} has more than {MOST_IDS_HELD:,} ids, and {encoding.name} has to see all "
                "of them at once to decode them; decode them in several parts"
            )
    if held:
        yield encoding.decode_bytes(held.tolist())
