"""The columns of numbers of a session: words, files and runs as arrays, and back.

A run's `symbols` are what it begins with, as numbers: the byte for byte-level recipes, else the
code point, plus 2**21 if the end-of-word marker is joined to it; 2**22 is a marker that is a
symbol of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER, CHARACTER_OF_BYTE
from bpe_gui.bpe.history import TOP, Columns, History
from bpe_gui.bpe.recipe import END_OF_WORD, Alphabet, EndOfWord, Recipe
from bpe_gui.bpe.text_files import FileStamps
from bpe_gui.bpe.vocabulary import BaseVocabulary
from bpe_gui.bpe.words import END_OF_WORD_KEY, END_OF_WORD_SUFFIX_KEY, WordCounts, symbol_text
from bpe_gui.sessions.schema import RunHeader, SessionHeader, recipe_of
from bpe_gui.sessions.session import SessionError

Shape = tuple[int, ...]
Arrays = Callable[[str], NDArray[Any]]
"""Gives an array by its name."""

_WORDS: Mapping[str, type[np.generic]] = MappingProxyType(
    {"text": np.uint8, "starts": np.int64, "counts": np.int64}
)
_FILES: Mapping[str, type[np.generic]] = MappingProxyType(
    {"names": np.uint8, "sizes": np.int64, "modified": np.int64}
)
FORMER = "files/checksums"
"""An array of version 3, which is not read any more."""

_WIDE = ("count", "tokens", "distinct", "top_count")
_COLUMNS: Mapping[str, type[np.generic]] = MappingProxyType(
    {name: np.int64 if name in _WIDE else np.int32 for name in Columns.__slots__}
)
_OF_MERGES = ("left", "right", "new_id", "count")


def array_types(header: SessionHeader) -> dict[str, tuple[np.dtype[Any], Shape]]:
    """The arrays of a session by their names, with their types and shapes."""
    found: dict[str, tuple[type[np.generic], Shape]] = {}
    for name, kind in _WORDS.items():
        length = {"text": header.bytes_of_words, "starts": header.words + 1}
        found[f"words/{name}"] = (kind, (length.get(name, header.words),))
    if header.files is not None:
        for name, kind in _FILES.items():
            is_names = name == "names"
            size = header.files.bytes_of_names if is_names else header.files.number
            found[f"files/{name}"] = (kind, (size,))
        if header.session == 3:
            found[FORMER] = (np.uint32, (header.files.number,))
    for number, run in enumerate(header.runs):
        found[f"run/{number}/symbols"] = (np.int32, (run.symbols,))
        for name, kind in _COLUMNS.items():
            rows = run.merges if name in _OF_MERGES else run.merges + 1
            shape = (rows, TOP) if name.startswith("top_") else (rows,)
            found[f"run/{number}/{name}"] = (kind, shape)
    return {name: (np.dtype(kind), shape) for name, (kind, shape) in found.items()}


def arrays_of(words: WordCounts, runs: Iterable[History]) -> dict[str, NDArray[Any]]:
    """The arrays of words and of runs that do not grow, by their names. Copies nothing large."""
    found = {f"words/{name}": getattr(words, name) for name in _WORDS}
    if words.files is not None:
        found |= {f"files/{name}": getattr(words.files, name) for name in _FILES}
    for number, history in enumerate(runs):
        merges = len(history)
        columns = history.columns(merges + 1)
        found[f"run/{number}/symbols"] = symbols_of(history)
        for name in _COLUMNS:
            rows = merges if name in _OF_MERGES else merges + 1
            found[f"run/{number}/{name}"] = getattr(columns, name)[:rows]
    return found


def words_from(arrays: Arrays, header: SessionHeader) -> WordCounts:
    """The words, with what is known of the files that they were counted from."""
    words = WordCounts(arrays("words/text"), arrays("words/starts"), arrays("words/counts"))
    if header.files is not None:
        words.files = FileStamps(**{name: arrays(f"files/{name}") for name in _FILES})
    return words


def history_from(arrays: Arrays, number: int, header: RunHeader) -> History:
    """A run of the session. Raises SessionError for a recipe or symbols that cannot be."""
    recipe = recipe_of(header.recipe)
    base = _base_of(recipe, arrays(f"run/{number}/symbols"))
    columns = {name: arrays(f"run/{number}/{name}") for name in _COLUMNS}
    for name in _OF_MERGES:
        columns[name] = np.pad(columns[name], (0, 1))
    return History.of_columns(
        *(recipe, base, header.corpus_bytes, Columns(**columns)),
        *(header.stop_reason, header.interventions),
    )


def _base_of(recipe: Recipe, symbols: NDArray[np.int32]) -> BaseVocabulary:
    """The vocabulary that a run begins with. Raises SessionError for what are no symbols."""
    numbers = symbols.tolist()
    if len(set(numbers)) < len(numbers) or not all(_is_symbol(n, recipe) for n in numbers):
        raise SessionError("its single symbols are none that the recipe has")
    if recipe.alphabet is Alphabet.BYTES and len(numbers) != len(CHARACTER_OF_BYTE):
        raise SessionError("its single symbols are not all 256 bytes")
    text_of = CHARACTER_OF_BYTE.__getitem__ if recipe.byte_level else symbol_text
    return BaseVocabulary.of(recipe, [text_of(number) for number in numbers])


def symbols_of(history: History) -> NDArray[np.int32]:
    """The symbols of a history as numbers, in the order of their texts."""
    recipe, base = history.recipe, history.base
    texts = [base.texts[token] for token in base.symbol_ids]
    if recipe.byte_level:
        return np.array([BYTE_OF_CHARACTER[text] for text in texts], np.int32)
    return np.array([_number(text, recipe) for text in texts], np.int32)


def _number(text: str, recipe: Recipe) -> int:
    if recipe.end_of_word is EndOfWord.OWN and text == END_OF_WORD:
        return END_OF_WORD_KEY
    joined = recipe.end_of_word is EndOfWord.JOINED and len(text) > 1
    return ord(text[0]) + END_OF_WORD_SUFFIX_KEY if joined else ord(text)


def _is_symbol(number: int, recipe: Recipe) -> bool:
    if recipe.byte_level:
        return 0 <= number < len(CHARACTER_OF_BYTE)
    if number == END_OF_WORD_KEY:
        return recipe.end_of_word is EndOfWord.OWN
    if number >= END_OF_WORD_SUFFIX_KEY:
        if recipe.end_of_word is not EndOfWord.JOINED:
            return False
        number -= END_OF_WORD_SUFFIX_KEY
    return 0 <= number < 0xD800 or 0xE000 <= number <= 0x10FFFF
