"""The words that a recipe cuts a text into, to be looked at while the recipe is written."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import numpy as np
from msgspec import Struct

from bpe_gui.bpe.kernels.scanning import DROPPED, UNMATCHED, WORD
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import Normalizer
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.special_tokens import NO_SPECIAL_TOKENS, SPECIAL, SpecialTokens

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


_KINDS = {
    WORD: PieceKind.WORD,
    UNMATCHED: PieceKind.SKIPPED,
    DROPPED: PieceKind.DROPPED,
    SPECIAL: PieceKind.SPECIAL,
}


class Piece(Struct, frozen=True):
    """A word, or what is between two words."""

    text: str
    kind: PieceKind


class WordPreview(Struct, frozen=True):
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
    special_tokens: SpecialTokens = NO_SPECIAL_TOKENS,
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
    text: str, normalizers: tuple[Normalizer, ...], split: str, special_tokens: SpecialTokens
) -> Iterator[Piece]:
    source = text.encode("utf-8")
    done = 0
    for first, last, _ in (*special_tokens.in_text.find(source), (len(source), len(source), 0)):
        between, special = source[done:first].decode("utf-8"), source[first:last].decode("utf-8")
        data = normalize(between, normalizers, is_first=not done).encode("utf-8")
        done = last
        ends, kinds = special_tokens.split_normalized(np.frombuffer(data, np.uint8), split)
        begin = 0
        for end, kind in zip(ends.tolist(), kinds.tolist(), strict=True):
            yield Piece(data[begin:end].decode("utf-8"), _KINDS[kind])
            begin = end
        if special:
            yield Piece(special, PieceKind.SPECIAL)
