"""From a text to the symbols that encoding begins with, and back to places in the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary
from bpe_gui.bpe.kernels.scanning import DROPPED, GAP, WORD
from bpe_gui.bpe.normalize import normalize_aligned
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord, Recipe
from bpe_gui.bpe.split import split_words
from bpe_gui.bpe.symbols import MARKED, MARKER


@dataclass(frozen=True, slots=True)
class SpelledText:
    """A text as symbols. Columns of equal length, in text order, but `word_starts`.

    `ids` are the symbols (NO_TOKEN for one outside the alphabet), `starts` and `ends`
    the bytes of the text's UTF-8 that each stands for. `word_starts` are the indexes of
    the symbols that begin a word, ascending, the first of them 0.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    word_starts: NDArray[np.int64]


class Speller:
    """Spells texts with a recipe's alphabet.

    Special tokens are found first, on the text as it is, the leftmost and among those the
    longest; what stands between two of them is normalized and split on its own. Raises
    UnicodeEncodeError for a text with lone surrogates, which no encoding can hold.
    """

    def __init__(self, recipe: Recipe, base: BaseVocabulary) -> None:
        self._recipe = recipe
        self._specials = {token: index for index, token in enumerate(recipe.special_tokens)}
        longest_first = sorted(recipe.special_tokens, key=len, reverse=True)
        self._special_pattern = (
            regex.compile("|".join(map(regex.escape, longest_first))) if longest_first else None
        )
        self._keys, self._ids = _alphabet(recipe, base)

    def spell(
        self, text: str, *, specials_as_text: bool = False, compiled: bool | None = None
    ) -> SpelledText:
        """Spell a text; empty columns for an empty one.

        With `specials_as_text` the special tokens in it are spelled like any other text.
        """
        pieces: list[SpelledText] = []
        characters = 0
        size = 0
        for begin, end, special in self._pieces(text, specials_as_text):
            if begin > characters:
                plain = text[characters:begin]
                pieces.append(self._plain(plain, size, compiled))
                size += len(plain.encode("utf-8"))
            if end > begin:
                length = len(text[begin:end].encode("utf-8"))
                pieces.append(_single(special, size, size + length))
                size += length
            characters = end
        return _joined(pieces)

    def _pieces(self, text: str, specials_as_text: bool) -> list[tuple[int, int, int]]:
        """Where special tokens are, as (begin, end, id), and an empty one at the end."""
        found = []
        if self._special_pattern is not None and not specials_as_text:
            for match in self._special_pattern.finditer(text):
                found.append((match.start(), match.end(), self._specials[match.group()]))
        return [*found, (len(text), len(text), NO_TOKEN)]

    def _plain(self, text: str, offset: int, compiled: bool | None) -> SpelledText:
        normalized = normalize_aligned(text, self._recipe.normalizers)
        data = np.frombuffer(normalized.text.encode("utf-8"), np.uint8)
        if not len(data):
            return _joined([])
        ends, kinds = split_words(data, self._recipe.split, compiled=compiled)
        leads = np.flatnonzero(data & 0xC0 != 0x80)
        if self._recipe.byte_level:
            begins = np.arange(len(data))
            keys = data.astype(np.int64)
            characters = np.cumsum(data & 0xC0 != 0x80) - 1
        else:
            begins = leads
            keys = np.frombuffer(normalized.text.encode("utf-32-le"), "<u4").astype(np.int64)
            characters = np.arange(len(leads))
        spans = np.searchsorted(ends, begins, side="right")
        stops = np.append(begins[1:], len(data))
        first = (begins == np.append(0, ends[:-1])[spans]) | (kinds[spans] == GAP)
        last = (stops == ends[spans]) & (kinds[spans] == WORD)
        if normalized.origins is None:
            starts, source_ends = begins, stops
        else:
            places = np.append(_character_starts(text), len(text.encode("utf-8")))
            starts = places[normalized.origins[characters]]
            source_ends = places[normalized.origins[characters] + 1]
        kept = kinds[spans] != DROPPED
        columns = [column[kept] for column in (keys, starts, source_ends, first, last)]
        return self._marked(*columns, offset=offset)

    def _marked(
        self,
        keys: NDArray[np.int64],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        first: NDArray[np.bool_],
        last: NDArray[np.bool_],
        *,
        offset: int,
    ) -> SpelledText:
        """Add the end-of-word markers and look the symbols up."""
        if self._recipe.end_of_word is EndOfWord.JOINED:
            keys = keys + MARKED * last
        elif self._recipe.end_of_word is EndOfWord.OWN:
            places = np.flatnonzero(last) + 1
            keys = np.insert(keys, places, MARKER)
            starts = np.insert(starts, places, ends[places - 1])
            ends = np.insert(ends, places, ends[places - 1])
            first = np.insert(first, places, False)
        places = np.searchsorted(self._keys, keys)
        places[places == len(self._keys)] = 0
        known = self._keys[places] == keys if len(self._keys) else np.zeros(len(keys), np.bool_)
        ids = np.where(known, self._ids[places] if len(self._ids) else 0, NO_TOKEN)
        if self._recipe.unknown_token is not None:
            ids[~known] = self._specials[self._recipe.unknown_token]
        return SpelledText(
            ids.astype(np.int32), starts + offset, ends + offset, np.flatnonzero(first)
        )


@lru_cache(maxsize=16)
def _alphabet(recipe: Recipe, base: BaseVocabulary) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The symbols' keys, sorted, and their ids. Kept, for each edit of a text spells anew."""
    byte_of = {character: byte for byte, character in enumerate(CHARACTER_OF_BYTE)}
    keys = {}
    for token in base.symbol_ids:
        text = base.texts[token]
        if recipe.byte_level:
            keys[byte_of[text]] = token
        elif recipe.end_of_word is EndOfWord.OWN and text == END_OF_WORD:
            keys[MARKER] = token
        elif recipe.end_of_word is EndOfWord.JOINED and len(text) > 1:
            keys[ord(text[0]) + MARKED] = token
        else:
            keys[ord(text)] = token
    ordered = sorted(keys)
    return (
        np.array(ordered, np.int64),
        np.array([keys[key] for key in ordered], np.int32),
    )


def _character_starts(text: str) -> NDArray[np.int64]:
    """The byte at which each character of a text begins in its UTF-8."""
    data = np.frombuffer(text.encode("utf-8"), np.uint8)
    return np.flatnonzero(data & 0xC0 != 0x80)


def _single(token: int, start: int, end: int) -> SpelledText:
    """One special token as a text of its own."""
    return SpelledText(
        np.array([token], np.int32),
        np.array([start], np.int64),
        np.array([end], np.int64),
        np.zeros(1, np.int64),
    )


def _joined(pieces: list[SpelledText]) -> SpelledText:
    """Pieces one after another."""
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        empty = np.empty(0, np.int64)
        return SpelledText(np.empty(0, np.int32), empty, empty, empty)
    offsets = np.cumsum([0, *(len(piece.ids) for piece in pieces)])
    return SpelledText(
        np.concatenate([piece.ids for piece in pieces]),
        np.concatenate([piece.starts for piece in pieces]),
        np.concatenate([piece.ends for piece in pieces]),
        np.concatenate([piece.word_starts + offsets[index] for index, piece in enumerate(pieces)]),
    )
