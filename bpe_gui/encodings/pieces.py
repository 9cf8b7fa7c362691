"""A text that streams by, in pieces whose tokens one after another are those of the whole.

A piece ends where the encoding itself says that no token changes. Where it cannot say so, the
text is held, up to a bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.measuring import KnowsSafeCuts

PIECE = 1 << 18
"""Bytes that are gathered before a place to cut at is looked for; a library may take a hundred
times as much memory while it cuts them into tokens."""

LONGEST_HELD = 32 << 20
"""Bytes that are held where there is no such place."""


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
