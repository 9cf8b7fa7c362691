"""What a recipe will do to a corpus that its author may not want, told before it costs an hour.

All of it is found in a slice of the corpus: what is warned of is there, and there may be more.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.corpus_slice import CorpusSlice
from bpe_gui.analysis.forecast import Measured, about_size
from bpe_gui.analysis.pipeline.normalizing import compare
from bpe_gui.analysis.visible import visible_beginning, visible_character
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.normalize import normalize_aligned, points_of
from bpe_gui.bpe.recipe import Normalizer, Recipe, own_pattern, vocabulary_too_small
from bpe_gui.progress import counted

LARGE = 5_000_000
"""Bytes of text from which on a corpus should be split."""

GIANT = 10_000
"""Bytes of a word that is taken to be none."""

_MOST_NAMED = 4
"""Characters and special tokens that a sentence names."""

_DROPS_SPACE = ("whitespace", "bert")
"""Splits that keep no white space, whatever it was."""

_MOST_LISTED = 12
"""Characters that a sentence lists without naming them."""

_NORMALIZED = 1 << 20
"""Characters of the slice that are looked at for what normalization drops."""


class Kind(StrEnum):
    """What is warned of."""

    NO_SPLIT = "no split"
    GIANT_WORD = "giant word"
    SMALL_VOCABULARY = "small vocabulary"
    SPECIAL_TOKENS = "special tokens"
    LOST_CHARACTERS = "lost characters"
    CHANGED_CHARACTERS = "changed characters"
    NO_MERGES = "no merges"
    SKIPPED_TEXT = "skipped text"
    NOT_SAVED = "no tokenizer.json"


@dataclass(frozen=True)
class RecipeWarning:
    """One thing to know before training.

    `field` is the part of the recipe that it is about, empty if it is about several.
    """

    kind: Kind
    field: str
    sentence: str


def recipe_warnings(
    recipe: Recipe, measured: Measured, cancelled: Callable[[], bool]
) -> tuple[RecipeWarning, ...]:
    """All that is to be warned of. Raises PatternError, and Cancelled."""
    lost, changed = lost_and_changed(measured.slice, recipe.normalizers, cancelled)
    found = [
        _no_split(recipe, measured.slice),
        _giant_word(recipe, measured),
        _small_vocabulary(recipe, measured),
        _special_tokens(recipe, measured.slice, cancelled),
        _lost_characters(measured.slice, lost),
        _changed_characters(recipe, measured.slice, changed),
        _single_symbols(recipe, measured),
    ]
    return tuple(warning for warning in found if warning is not None)


def _no_split(recipe: Recipe, part: CorpusSlice) -> RecipeWarning | None:
    if recipe.split != "none" or part.rows or part.whole_text < LARGE:
        return None
    return RecipeWarning(
        Kind.NO_SPLIT,
        "split",
        f"Nothing splits a corpus of about {about_size(part.whole_text)}: each document is one "
        "word, so all of the text is held in memory and looked through for each merge; choose a "
        "split, or a smaller corpus",
    )


def _giant_word(recipe: Recipe, measured: Measured) -> RecipeWarning | None:
    words = measured.words
    lengths = np.diff(words.starts)
    if recipe.split == "none" or not len(lengths) or lengths.max() < GIANT:
        return None
    longest = int(lengths.argmax())
    shown = visible_beginning(words.word(longest))
    return RecipeWarning(
        Kind.GIANT_WORD,
        "split",
        f"One word of {_first(measured.slice)} has {int(lengths[longest]):,} bytes; it begins "
        f"{shown!r}. Merges may run all through it: let the split cut there",
    )


def _small_vocabulary(recipe: Recipe, measured: Measured) -> RecipeWarning | None:
    size, base = recipe.vocabulary_size, len(measured.symbols.base)
    if size is None or size > base:
        return None
    if size == base:
        sentence = (
            f"a vocabulary of {size:,} is full with the special tokens and single symbols of "
            f"{_first(measured.slice)} alone; no merge has room"
        )
    else:
        sentence = f"in {_first(measured.slice)} alone, {vocabulary_too_small(recipe, base)}"
    return RecipeWarning(Kind.SMALL_VOCABULARY, "vocabulary_size", sentence)


def _special_tokens(
    recipe: Recipe, part: CorpusSlice, cancelled: Callable[[], bool]
) -> RecipeWarning | None:
    counts: Counter[str] = Counter()
    for text, count in _texts(part) if recipe.matched_special_tokens else ():
        for token in recipe.matched_special_tokens:
            _check(cancelled)
            counts[token] += count * text.count(token)
    found = [(token, count) for token, count in counts.most_common() if count]
    if not found:
        return None
    named = ", ".join(f"{token!r} {_times(count)}" for token, count in found[:_MOST_NAMED])
    more = f" and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
    return RecipeWarning(
        Kind.SPECIAL_TOKENS,
        "special_tokens",
        f"{_first(part, capital=True)} contains special tokens: {named}{more}. Training cuts "
        "them like any other text, encoding takes them for the tokens",
    )


def _lost_characters(part: CorpusSlice, lost: Counter[str]) -> RecipeWarning | None:
    if not lost:
        return None
    total = sum(lost.values())
    named = ", ".join(
        f"{_named(character)} {_times(count)}"
        for character, count in lost.most_common(_MOST_NAMED)
    )
    more = f" and {len(lost) - _MOST_NAMED:,} others" if len(lost) > _MOST_NAMED else ""
    characters = counted(total, "character")
    return RecipeWarning(
        Kind.LOST_CHARACTERS,
        "normalizers",
        f"Normalization drops {characters} of {_first(part)}, which no decoding brings back: "
        f"{named}{more}",
    )


def _changed_characters(
    recipe: Recipe, part: CorpusSlice, changed: Counter[str]
) -> RecipeWarning | None:
    if recipe.split in _DROPS_SPACE:
        # Which white space it was is lost with the white space.
        changed = Counter({one: n for one, n in changed.items() if not one.isspace()})
    if not changed:
        return None
    named = " ".join(
        visible_character(character) or f"◌{character}"
        for character, _ in changed.most_common(_MOST_LISTED)
    )
    different = counted(len(changed), "character", "different characters")
    more = " and others" if len(changed) > _MOST_LISTED else ""
    return RecipeWarning(
        Kind.CHANGED_CHARACTERS,
        "normalizers",
        f"Normalization makes others of what cannot come back: {different} of {_first(part)}, "
        f"{_times(sum(changed.values()))}: {named}{more}",
    )


def _single_symbols(recipe: Recipe, measured: Measured) -> RecipeWarning | None:
    """Words of one symbol never merge: those that the pattern makes, and what it skips."""
    words = measured.words
    symbols = np.diff(measured.symbols.starts)
    total = words.total_bytes
    if not total:
        return None
    if symbols.max() < 2:
        return RecipeWarning(
            Kind.NO_MERGES,
            "split",
            f"No word of {_first(measured.slice)} has two symbols, so nothing can ever merge: "
            "let the split make longer words",
        )
    if own_pattern(recipe.split) is None:
        return None
    alone = int(np.dot(np.diff(words.starts), words.counts * (symbols < 2)))
    if 2 * alone <= total:
        return None
    return RecipeWarning(
        Kind.SKIPPED_TEXT,
        "split",
        f"{100 * alone / total:.0f}% of {_first(measured.slice)} stays in single symbols that "
        "never merge, for the pattern skips them or makes a word of each",
    )


def lost_and_changed(
    part: CorpusSlice, steps: tuple[Normalizer, ...], cancelled: Callable[[], bool]
) -> tuple[Counter[str], Counter[str]]:
    """Count the characters that normalization drops, and those that it makes into others.

    They are those that the text has when a step comes to it: after `nfd`, an accent is a
    character. One is changed if what a step puts in its place does not tell it: a capital
    letter made small, or a look-alike made plain. Canonically equal forms (`nfc`, `nfd`) tell
    each other. Of a match that a regex replaced by itself, only a single character is known
    to be left alone. Looks at the beginning of a slice, if it is long.

    >>> text = "Naïve".encode()
    >>> part = CorpusSlice(text, np.array([len(text)]), len(text), len(text), True)
    >>> lost_and_changed(part, ("nfd", "remove-mn", "lowercase"), lambda: False)
    (Counter({'\u0308': 1}), Counter({'N': 1}))
    """
    lost: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    looked_at = 0
    for text, count in _texts(part) if steps else ():
        if looked_at >= _NORMALIZED:
            break
        text = text[: _NORMALIZED - looked_at]
        looked_at += len(text)
        for step in steps:
            _check(cancelled)
            made = normalize_aligned(text, (step,))
            comparison = compare(text, made)
            _add(lost, text, comparison.dropped, count)
            if step in ("nfkc", "nfkd"):
                _add(changed, text, _look_alikes(text), count)
            elif step not in ("nfc", "nfd"):
                _add(changed, text, comparison.changed, count)
            text = made.text
    return lost, changed


def _add(counts: Counter[str], text: str, chosen: NDArray[np.bool_], count: int) -> None:
    """Add some characters of a text, each of them `count` times."""
    points, times = np.unique(points_of(text)[chosen], return_counts=True)
    for point, number in zip(points.tolist(), times.tolist(), strict=True):
        counts[chr(point)] += number * count


def _look_alikes(text: str) -> NDArray[np.bool_]:
    """Which characters have a plainer form that they are not canonically equal to."""
    found = [
        ord(one)
        for one in set(text)
        if unicodedata.normalize("NFKD", one) != unicodedata.normalize("NFD", one)
    ]
    alike: NDArray[np.bool_] = np.isin(points_of(text), found)
    return alike


def _texts(part: CorpusSlice) -> list[tuple[str, int]]:
    """The documents, or the words of a table with their counts."""
    return list(part.rows) or [(document, 1) for document in part.documents()]


def _check(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled


def _first(part: CorpusSlice, *, capital: bool = False) -> str:
    """What the slice is called."""
    if part.whole:
        return "The corpus" if capital else "the corpus"
    the = "The" if capital else "the"
    return f"{the} first {about_size(part.stored)}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _named(character: str) -> str:
    """A character by its look, its number and its name."""
    shown = visible_character(character) or f"◌{character}"
    name = unicodedata.name(character, "").lower()
    return f"{shown} (U+{ord(character):04X}{f' {name}' if name else ''})"
