"""A history as arrays, and back: every column as it is, and the symbols that it begins with.

A symbol is a number: the byte for byte-level recipes, else the code point, plus 2**21 if the
end-of-word marker is joined to it; 2**22 is a marker that is a symbol of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.base_vocabulary import BaseVocabulary
from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER, CHARACTER_OF_BYTE
from bpe_gui.bpe.history import TOP, Columns, History
from bpe_gui.bpe.recipe import END_OF_WORD, Alphabet, EndOfWord, Recipe
from bpe_gui.bpe.symbols import MARKED, MARKER, symbol_text
from bpe_gui.sessions.arrays import Arrays
from bpe_gui.sessions.session import SessionError

SYMBOLS = "symbols"
"""The name of the array of symbols; the others are called as the fields of `Columns`."""

_OF_MERGES = ("left", "right", "new_id", "count")
_TOP_COLUMNS = ("top_left", "top_right", "top_count")
_WIDE = ("count", "tokens", "distinct", "top_count")

KINDS: Mapping[str, type[np.generic]] = MappingProxyType(
    {
        SYMBOLS: np.int32,
        **{name: np.int64 if name in _WIDE else np.int32 for name in Columns.__slots__},
    }
)
"""The arrays of a history by their names, and what their numbers are."""


def shape_of(name: str, merges: int, symbols: int) -> tuple[int, ...]:
    """The shape of one of the arrays of a history with so many merges and symbols."""
    if name == SYMBOLS:
        return (symbols,)
    if name in _OF_MERGES:
        return (merges,)
    return (merges + 1, TOP) if name in _TOP_COLUMNS else (merges + 1,)


def arrays_of(history: History) -> dict[str, NDArray[Any]]:
    """The arrays of a history that does not grow."""
    rows = len(history) + 1
    columns = history.columns(rows)
    found = {
        name: getattr(columns, name)[: rows - 1 if name in _OF_MERGES else rows]
        for name in Columns.__slots__
    }
    return {SYMBOLS: _symbols(history), **found}


def columns_of(arrays: Arrays, merges: int) -> Columns:
    """The columns in arrays that `arrays_of` has made."""
    columns = Columns.empty(merges + 1)
    for name in Columns.__slots__:
        array = arrays[name]
        getattr(columns, name)[: len(array)] = array
    return columns


def base_of(recipe: Recipe, symbols: NDArray[np.int32]) -> BaseVocabulary:
    """The vocabulary that a run begins with. Raises SessionError for what are no symbols."""
    numbers = symbols.tolist()
    if len(set(numbers)) < len(numbers) or not all(_is_symbol(n, recipe) for n in numbers):
        raise SessionError("its single symbols are none that the recipe has")
    if recipe.alphabet is Alphabet.BYTES and len(numbers) != len(CHARACTER_OF_BYTE):
        raise SessionError("its single symbols are not all 256 bytes")
    if recipe.byte_level:
        texts = [CHARACTER_OF_BYTE[number] for number in numbers]
    else:
        texts = [symbol_text(number) for number in numbers]
    return BaseVocabulary.of(recipe, texts)


def _symbols(history: History) -> NDArray[np.int32]:
    """The symbols of a history as numbers, in the order of their texts."""
    recipe, base = history.recipe, history.base
    texts = [base.texts[token] for token in base.symbol_ids]
    if recipe.byte_level:
        return np.array([BYTE_OF_CHARACTER[text] for text in texts], np.int32)
    return np.array([_number(text, recipe) for text in texts], np.int32)


def _number(text: str, recipe: Recipe) -> int:
    if recipe.end_of_word is EndOfWord.OWN and text == END_OF_WORD:
        return MARKER
    joined = recipe.end_of_word is EndOfWord.JOINED and len(text) > 1
    return ord(text[0]) + MARKED if joined else ord(text)


def _is_symbol(number: int, recipe: Recipe) -> bool:
    if recipe.byte_level:
        return 0 <= number < len(CHARACTER_OF_BYTE)
    if number == MARKER:
        return recipe.end_of_word is EndOfWord.OWN
    if number >= MARKED:
        if recipe.end_of_word is not EndOfWord.JOINED:
            return False
        number -= MARKED
    return 0 <= number < 0xD800 or 0xE000 <= number <= 0x10FFFF
