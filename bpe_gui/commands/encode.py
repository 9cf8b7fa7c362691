"""`bpe-gui encode`: turn text into ids with any encoding."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.visible import visible_text
from bpe_gui.arguments import PROGRAM
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.commands.streams import named, text_blocks, visible, write
from bpe_gui.commands.tokenizers import open_encodings
from bpe_gui.encodings.base import Encoding, continued
from bpe_gui.encodings.measuring.measure import pieces

_BUFFER = 1 << 20
"""Bytes that are held in memory rather than in a temporary file."""


def encode(tokenizer: str, specials: Sequence[str], file: str, output_format: str) -> None:
    """Write the tokens of a text to standard output, as the text is read.

    Characters without a token are dropped, with a warning.
    """
    [encoding] = open_encodings([tokenizer], specials)
    missing = _Missing()
    cut = _cut(encoding, file, missing)
    writers = {"ids": _as_ids, "tokens": _as_tokens, "json": _as_json}
    write("-", writers[output_format](cut, encoding))
    if missing.count:
        print(f"{PROGRAM}: warning: {missing.sentence}", file=sys.stderr)


class _Missing(Struct):
    """Count the characters without a token, and remember the first of them and its index."""

    count: int = 0
    character: str = ""
    place: int = 0

    def add(self, text: str, begin: int, tokens: Tokens) -> None:
        """Count those of a part of the text that begins at the character `begin`."""
        unknown = tokens.ids == NO_TOKEN
        starts, ends = tokens.char_starts[unknown].tolist(), tokens.char_ends[unknown].tolist()
        places = {place for span in zip(starts, ends, strict=True) for place in range(*span)}
        if places and not self.count:
            self.place = begin + min(places)
            self.character = text[min(places)]
        self.count += len(places)

    @property
    def sentence(self) -> str:
        """Put the warning into a sentence; characters are counted from 1.

        >>> _Missing(2, "日", 3).sentence
        '2 characters are not in the vocabulary and were dropped, the first "日" at character 4'
        """
        first = f'"{visible_text(self.character)}" at character {self.place + 1:,}'
        if self.count == 1:
            return f"1 character is not in the vocabulary and was dropped, {first}"
        return (
            f"{self.count:,} characters are not in the vocabulary and were dropped, the first "
            f"{first}"
        )


class _Cut(NamedTuple):
    """Hold tokens of a text and the characters that they cover."""

    ids: list[int]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]


def _cut(encoding: Encoding, file: str, missing: _Missing) -> Iterator[_Cut]:
    """Yield the tokens of a text, part by part; every part has at least one."""
    done = 0
    rest = continued(encoding)
    for text in pieces(encoding, text_blocks(file), named(file)):
        tokens = (rest if done else encoding).encode(text)
        missing.add(text, done, tokens)
        known = tokens.ids != NO_TOKEN
        if known.any():
            begins, ends = tokens.char_starts[known] + done, tokens.char_ends[known] + done
            yield _Cut(tokens.ids[known].tolist(), begins, ends)
        done += len(text)


def _as_ids(cut: Iterable[_Cut], encoding: Encoding) -> Iterator[str]:
    yield from _joined(" ", (" ".join(map(str, part.ids)) for part in cut))
    yield "\n"


def _as_tokens(cut: Iterable[_Cut], encoding: Encoding) -> Iterator[str]:
    shown = cache(lambda token: visible(encoding.id_to_token(token)))
    yield from _joined(" ", (" ".join(map(shown, part.ids)) for part in cut))
    yield "\n"


def _as_json(cut: Iterable[_Cut], encoding: Encoding) -> Iterator[str]:
    """Format as a JSON object of three lists; two of them wait in files until the first ends."""
    text_of = cache(encoding.id_to_token)
    with _waiting() as tokens, _waiting() as offsets:
        yield '{"ids": ['
        for index, part in enumerate(cut):
            comma = ", " if index else ""
            tokens.write(comma + _inside([text_of(token) for token in part.ids]))
            offsets.write(comma + _inside(np.column_stack((part.begins, part.ends)).tolist()))
            yield comma + _inside(part.ids)
        for name, file in (("tokens", tokens), ("offsets", offsets)):
            yield f'], "{name}": ['
            file.seek(0)
            while waited := file.read(_BUFFER):
                yield waited
        yield "]}\n"


def _waiting() -> SpooledTemporaryFile[str]:
    return SpooledTemporaryFile(_BUFFER, "w+", encoding="utf-8", newline="")


def _inside(values: list[Any]) -> str:
    """Format a list as JSON without its brackets.

    >>> _inside([1, "é"])
    '1, "é"'
    """
    return json.dumps(values, ensure_ascii=False)[1:-1]


def _joined(separator: str, parts: Iterable[str]) -> Iterator[str]:
    """Separate parts.

    >>> list(_joined(" ", ["1 2", "3"]))
    ['1 2', ' 3']
    """
    for index, part in enumerate(parts):
        yield f"{separator}{part}" if index else part
