"""From words to the symbols that training begins with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import BaseVocabulary
from bpe_gui.bpe.kernels.characters import decode_kernel
from bpe_gui.bpe.recipe import END_OF_WORD, Alphabet, EndOfWord, Recipe
from bpe_gui.bpe.words import WordCounts

MARKED = 1 << 21
"""Added to a code point whose character ends a word, where the marker is joined."""
MARKER = 1 << 22
"""Stands for an end-of-word marker that is a symbol of its own."""


@dataclass(frozen=True, slots=True)
class SymbolizedWords:
    """Words as sequences of ids: word w is `symbols[starts[w]:starts[w + 1]]`."""

    base: BaseVocabulary
    symbols: NDArray[np.int32]
    starts: NDArray[np.int64]


def symbolize(
    words: WordCounts, recipe: Recipe, *, compiled: bool | None = None
) -> SymbolizedWords:
    """Number the alphabet and spell every unique word with it."""
    if recipe.byte_level:
        return _bytes(words, recipe)
    return _characters(words, recipe, compiled)


def _bytes(words: WordCounts, recipe: Recipe) -> SymbolizedWords:
    if recipe.alphabet is Alphabet.BYTES:
        observed = list(range(256))
    else:
        observed = np.flatnonzero(np.bincount(words.text, minlength=256)).tolist()
    base = BaseVocabulary.of(recipe, [CHARACTER_OF_BYTE[byte] for byte in observed])
    ids = np.full(256, -1, np.int32)
    by_character = sorted(observed, key=CHARACTER_OF_BYTE.__getitem__)
    ids[by_character] = base.symbol_ids
    return SymbolizedWords(base, ids[words.text], words.starts)


def _characters(words: WordCounts, recipe: Recipe, compiled: bool | None) -> SymbolizedWords:
    keys = np.empty(len(words.text), np.int32)
    found = decode_kernel.form(compiled)(words.text, keys)
    keys = keys[:found]
    begins = np.cumsum(words.text & 0xC0 != 0x80, dtype=np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), begins[words.starts[1:] - 1]))
    if recipe.end_of_word is EndOfWord.JOINED:
        keys[starts[1:] - 1] += MARKED
    elif recipe.end_of_word is EndOfWord.OWN:
        keys = np.insert(keys, starts[1:], MARKER).astype(np.int32)
        starts = starts + np.arange(len(starts))
    # Keys are few millions at most: tables are faster than sorting them, and the memory of
    # what is never used in them is never taken.
    occurs = np.zeros(MARKER + 1, np.bool_)
    occurs[keys] = True
    used = np.flatnonzero(occurs).tolist()
    base = BaseVocabulary.of(recipe, [symbol_text(key) for key in used])
    ids = np.empty(MARKER + 1, np.int32)
    ids[sorted(used, key=symbol_text)] = base.symbol_ids
    return SymbolizedWords(base, ids[keys], starts)


def symbol_text(key: int) -> str:
    """How the vocabulary writes a symbol: a character, a character with the marker, or it."""
    if key == MARKER:
        return END_OF_WORD
    if key >= MARKED:
        return chr(key - MARKED) + END_OF_WORD
    return chr(key)
