"""The words that a recipe cuts a text into, to be looked at while the recipe is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from bpe_gui.bpe.kernels.scanning import DROPPED, UNMATCHED, WORD
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.pre_tokenize import split_words
from bpe_gui.bpe.recipe import Normalizer
from bpe_gui.bpe.regexes import timeout

MAX_TEXT = 20_000
"""Characters of a text that are looked at."""

_MAX_WORDS = 500
"""Words that are kept to be shown."""

_SECONDS = 2.0
"""How long the regular expressions may match: somebody waits for it."""


class PieceKind(Enum):
    """What a piece of the text is."""

    WORD = "word"
    SKIPPED = "skipped"
    """Kept as single symbols that never merge."""
    DROPPED = "dropped"
    """In no token at all."""
    SPECIAL = "special token"


_KINDS = {WORD: PieceKind.WORD, UNMATCHED: PieceKind.SKIPPED, DROPPED: PieceKind.DROPPED}


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, or what is between two words."""

    text: str
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class WordPreview:
    """What a text is cut into: the first pieces, and how many words there are in all.

    shortened: whether only the first `MAX_TEXT` characters of the text were looked at.
    """

    pieces: tuple[Piece, ...]
    words: int
    shortened: bool


def preview_words(
    text: str,
    normalizers: tuple[Normalizer, ...],
    split: str,
    special_tokens: Sequence[str] = (),
    *,
    seconds: float = _SECONDS,
) -> WordPreview:
    """Cut a text into words.

    Special tokens are found first; what is between them is normalized and split on its
    own. Raises PatternError if the regular expressions take longer than this number of seconds.

    >>> made = preview_words("a b2", (), "digits")
    >>> [piece.text for piece in made.pieces]
    ['a b', '2']
    """
    pieces: list[Piece] = []
    words = 0
    with timeout(seconds):
        for piece in _pieces(text[:MAX_TEXT], normalizers, split, special_tokens):
            words += piece.kind is PieceKind.WORD
            if len(pieces) < _MAX_WORDS:
                pieces.append(piece)
    return WordPreview(tuple(pieces), words, len(text) > MAX_TEXT)


def _pieces(
    text: str, normalizers: tuple[Normalizer, ...], split: str, special_tokens: Sequence[str]
) -> Iterator[Piece]:
    for number, (between, special) in enumerate(_at_specials(text, special_tokens)):
        data = normalize(between, normalizers, is_first=not number).encode("utf-8")
        ends, kinds = split_words(np.frombuffer(data, np.uint8), split)
        begin = 0
        for end, kind in zip(ends.tolist(), kinds.tolist(), strict=True):
            yield Piece(data[begin:end].decode("utf-8"), _KINDS[kind])
            begin = end
        if special:
            yield Piece(special, PieceKind.SPECIAL)


def _at_specials(text: str, special_tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the text in parts, each with the special token after it; the last has none."""
    wanted = sorted(filter(None, special_tokens), key=len, reverse=True)
    begin = 0
    if wanted:
        for found in re.finditer("|".join(map(re.escape, wanted)), text):
            yield text[begin : found.start()], found[0]
            begin = found.end()
    yield text[begin:], ""
