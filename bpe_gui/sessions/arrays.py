"""The arrays of a session: words and runs as columns of numbers, and back.

A run's `symbols` are its initial symbols as numbers: the byte for byte-level recipes, else the code
point, plus 2**21 if the end-of-word marker is joined to it; 2**22 is a separate marker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER
from bpe_gui.bpe.history import TOP, Columns, History
from bpe_gui.bpe.inherited import Inherited
from bpe_gui.bpe.recipe import Alphabet, EndOfWord, Recipe
from bpe_gui.bpe.vocabulary import BaseVocabulary
from bpe_gui.bpe.words import (
    END_OF_WORD_KEY,
    END_OF_WORD_SUFFIX_KEY,
    FALLBACK_KEY,
    WordCounts,
    all_byte_keys,
    byte_symbol_text,
    symbol_key,
    symbol_text,
)
from bpe_gui.sessions.recognition import SessionError
from bpe_gui.sessions.schema import (
    InheritedHeader,
    RunHeader,
    SessionHeader,
    inherited_text,
    recipe_of,
)

Shape = tuple[int, ...]
Arrays = Callable[[str], NDArray[Any]]
"""Returns an array by its name."""

_WORDS: Mapping[str, type[np.generic]] = MappingProxyType(
    {"text": np.uint8, "starts": np.int64, "counts": np.int64}
)
TEXT_OF_WORDS = "words/text"
"""The name of the array with the bytes of all words."""
OBSOLETE = "files/"
"""How the names of arrays begin that earlier versions wrote, and that are ignored."""

_WIDE = ("count", "tokens", "distinct", "top_count")
_COLUMNS: Mapping[str, type[np.generic]] = MappingProxyType(
    {name: np.int64 if name in _WIDE else np.int32 for name in Columns.__struct_fields__}
)
_MERGE_COLUMNS = ("left", "right", "new_id", "count")


def array_types(header: SessionHeader) -> dict[str, tuple[np.dtype[Any], Shape]]:
    """List the types and shapes of the arrays that a header asks for, by name."""
    found: dict[str, tuple[type[np.generic], Shape]] = {}
    for name, kind in _WORDS.items():
        length = {"text": header.bytes_of_words, "starts": header.words + 1}
        found[f"words/{name}"] = (kind, (length.get(name, header.words),))
    for number, encoding in enumerate(header.inherited):
        found[f"inherited/{number}/merges"] = (np.int32, (encoding.merges, 3))
        found[f"inherited/{number}/ids"] = (np.int32, (encoding.tokens,))
        found[f"inherited/{number}/text"] = (np.uint8, (encoding.text,))
    for number, run in enumerate(header.runs):
        found[f"run/{number}/symbols"] = (np.int32, (run.symbols,))
        for name, kind in _COLUMNS.items():
            rows = run.merges if name in _MERGE_COLUMNS else run.merges + 1
            shape = (rows, TOP) if name.startswith("top_") else (rows,)
            found[f"run/{number}/{name}"] = (kind, shape)
    return {name: (np.dtype(kind), shape) for name, (kind, shape) in found.items()}


def arrays_of(
    words: WordCounts, runs: Iterable[History], inherited: Iterable[Inherited] = ()
) -> dict[str, NDArray[Any]]:
    """Collect the arrays of words, runs and the encodings that these go on from, by name, without
    copying. The runs must not grow.
    """
    found = {f"words/{name}": getattr(words, name) for name in _WORDS}
    for number, encoding in enumerate(inherited):
        text = np.frombuffer(inherited_text(encoding), np.uint8)
        arrays = {"merges": encoding.merges, "ids": encoding.ids, "text": text}
        found |= {f"inherited/{number}/{name}": array for name, array in arrays.items()}
    for number, history in enumerate(runs):
        merges = len(history)
        columns = history.columns(merges + 1)
        found[f"run/{number}/symbols"] = symbols_of(history)
        for name in _COLUMNS:
            rows = merges if name in _MERGE_COLUMNS else merges + 1
            found[f"run/{number}/{name}"] = getattr(columns, name)[:rows]
    return found


def words_from(arrays: Arrays) -> WordCounts:
    """Build the words."""
    return WordCounts(arrays(TEXT_OF_WORDS), arrays("words/starts"), arrays("words/counts"))


def inherited_from(arrays: Arrays, number: int, header: InheritedHeader) -> Inherited:
    """Build an encoding from which runs go on. Raises SessionError for texts that are none."""
    try:
        symbols, preparation, notation = msgspec.json.decode(
            arrays(f"inherited/{number}/text").tobytes(), type=tuple[tuple[str, ...], str, str]
        )
        vocabulary = msgspec.json.decode(notation, type=dict[str, Any])["model"]["vocab"]
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError):
        vocabulary = None
    if not isinstance(vocabulary, dict):
        raise SessionError("an encoding from which a run goes on is damaged")
    merges, ids = (arrays(f"inherited/{number}/{name}") for name in ("merges", "ids"))
    return Inherited(
        header.name, symbols, preparation, merges, ids, header.first_new_id, notation,
        header.keeps_fallback, header.least_uses,
    )  # fmt: skip


def history_from(
    arrays: Arrays, number: int, header: RunHeader, inherited: Sequence[Inherited] = ()
) -> History:
    """Build a run of the session. Raises SessionError for an invalid recipe or symbols."""
    recipe = recipe_of(header.recipe, inherited)
    if recipe.inherited is not None:
        check_inherited(recipe, recipe.inherited)
    base = _base_of(recipe, arrays(f"run/{number}/symbols"))
    columns = {name: arrays(f"run/{number}/{name}") for name in _COLUMNS}
    for name in _MERGE_COLUMNS:
        columns[name] = np.pad(columns[name], (0, 1))
    return History.of_columns(
        *(recipe, base, header.corpus_bytes, Columns(**columns)),
        *(header.stop_reason, header.interventions),
    )


def check_inherited(recipe: Recipe, inherited: Inherited) -> None:
    """Check that an encoding could come from a file. Raises SessionError."""
    symbols, merges, ids = inherited.symbols, inherited.merges, inherited.ids
    if recipe.symbols_may_be_words:
        sound = all(symbol and BYTE_OF_CHARACTER.keys() >= set(symbol) for symbol in symbols)
    elif recipe.byte_level:
        sound = set(symbols).issubset(map(byte_symbol_text, all_byte_keys(recipe)))
    else:
        sound = all(symbol and symbol_text(symbol_key(symbol, recipe)) == symbol
                    for symbol in symbols)  # fmt: skip
    if not sound or len(set(symbols)) < len(symbols):
        raise SessionError("the symbols of an encoding are not symbols of its recipe")
    size, numbers = len(BaseVocabulary.of(recipe, symbols)), np.arange(len(merges))
    if not ((merges >= 0) & (merges < len(ids))).all():
        raise SessionError("the merges of an encoding use tokens that it does not have")
    made = merges[np.sort(np.unique(merges[:, 2], return_index=True)[1]), 2]
    made = made[made >= size]
    steps = np.full(max(len(ids), size), len(merges), np.int64)
    np.minimum.at(steps, merges[:, 2], numbers)
    steps[:size] = -1
    used_too_early = (steps[merges[:, :2]] >= numbers[:, np.newaxis]).any()
    in_order = len(ids) >= size and np.array_equal(made, np.arange(size, len(ids)))
    if used_too_early or not in_order:
        raise SessionError("the merges of an encoding use tokens before they are made")
    if len(np.unique(ids)) < len(ids) or (ids < 0).any() or (ids >= inherited.first_new_id).any():
        raise SessionError("two tokens of an encoding have the same id")


def _base_of(recipe: Recipe, symbols: NDArray[np.int32]) -> BaseVocabulary:
    """Build the vocabulary that a run begins with. Raises SessionError for invalid symbols."""
    numbers = symbols.tolist()
    if len(set(numbers)) < len(numbers) or not all(_is_symbol(n, recipe) for n in numbers):
        raise SessionError("its single symbols are not symbols of its recipe")
    if recipe.alphabet is Alphabet.BYTES and len(numbers) != recipe.number_of_all_symbols:
        raise SessionError("its single symbols are not all 256 bytes")
    if recipe.byte_fallback and sum(number >= FALLBACK_KEY for number in numbers) < 256:
        raise SessionError("its single symbols are not all 256 bytes to fall back to")
    text_of = byte_symbol_text if recipe.byte_level else symbol_text
    return BaseVocabulary.of(recipe, [*map(text_of, numbers), *recipe.inherited_whole_words])


def symbols_of(history: History) -> NDArray[np.int32]:
    """Encode the initial symbols of a history as numbers, in the order of their texts.

    Whole words are not among them: the encoding from which a run goes on has these.
    """
    recipe, base = history.recipe, history.base
    texts = [base.texts[token] for token in base.symbol_ids]
    if recipe.symbols_may_be_words:
        texts = [text for text in texts if len(text) == 1]
    return np.array([symbol_key(text, recipe) for text in texts], np.int32)


def _is_symbol(number: int, recipe: Recipe) -> bool:
    if recipe.byte_level:
        return number in all_byte_keys(recipe)
    if number == END_OF_WORD_KEY:
        return recipe.end_of_word is EndOfWord.OWN
    if number >= FALLBACK_KEY:
        return recipe.byte_fallback and number < END_OF_WORD_KEY
    if number >= END_OF_WORD_SUFFIX_KEY:
        if recipe.end_of_word is not EndOfWord.JOINED:
            return False
        number -= END_OF_WORD_SUFFIX_KEY
    return 0 <= number < 0xD800 or 0xE000 <= number <= 0x10FFFF
