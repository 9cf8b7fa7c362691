"""What a recipe will do to a corpus that its author may not want, told before it costs an hour.

All of it is found in the beginning of the corpus: what is warned of is there, and there may be
more.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.corpus_beginning import Beginning
from bpe_gui.analysis.forecast import Measured, about_size
from bpe_gui.analysis.pipeline.normalizing import compare
from bpe_gui.analysis.visible import visible_beginning, visible_character
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.kernels.scanning import DROPPED
from bpe_gui.bpe.normalize import normalize, normalize_aligned
from bpe_gui.bpe.pre_tokenize import split_words
from bpe_gui.bpe.recipe import (
    MATCHES,
    Normalizer,
    Recipe,
    own_pattern,
    vocabulary_too_small,
    writes_space_marks,
)
from bpe_gui.bpe.regexes import timeout
from bpe_gui.progress import counted

LARGE = 5_000_000
"""Bytes of text from which on a corpus should be split."""

GIANT = 10_000
"""Bytes of a word that is taken to be none."""

_MAX_NAMED = 4
"""Characters and special tokens that a sentence names."""

_MAX_LISTED = 12
"""Characters that a sentence lists without naming them."""

_MAX_NORMALIZED = 1 << 20
"""Characters of the beginning that are looked at for what normalization drops."""

_DROPS_SPACE = ("whitespace", "bert")
"""Splits that keep no white space, whatever it was."""


class WarningKind(StrEnum):
    """What is warned of."""

    NO_SPLIT = "no split"
    GIANT_WORD = "giant word"
    SMALL_VOCABULARY = "small vocabulary"
    SPECIAL_TOKENS = "special tokens"
    LOST_CHARACTERS = "lost characters"
    CHANGED_CHARACTERS = "changed characters"
    NO_MERGES = "no merges"
    SKIPPED_TEXT = "skipped text"
    DROPPED_TEXT = "dropped text"
    NOT_SAVED = "no tokenizer.json"


class RecipeWarning(Struct, frozen=True):
    """One thing to know before training.

    `field` is the part of the recipe that it is about, empty if it is about several.
    """

    kind: WarningKind
    field: str
    sentence: str


def recipe_warnings(
    recipe: Recipe, measured: Measured, cancelled: Callable[[], bool]
) -> tuple[RecipeWarning, ...]:
    """List all that is to be warned of. Raises PatternError, and Cancelled."""
    beginning = measured.beginning
    lost, changed = lost_and_changed(beginning, recipe.normalizers, cancelled)
    if recipe.split in _DROPS_SPACE:
        # Which white space it was is lost with the white space.
        changed = Counter({one: n for one, n in changed.items() if not one.isspace()})
    found = [
        _no_split(recipe, beginning),
        _giant_word(recipe, measured),
        _small_vocabulary(recipe, measured),
        _special_tokens(recipe, beginning, cancelled),
        _lost_characters(beginning, lost),
        _changed_characters(beginning, changed),
        _single_symbols(recipe, measured),
        _dropped_text(recipe, beginning, cancelled),
    ]
    return tuple(warning for warning in found if warning is not None)


def _no_split(recipe: Recipe, beginning: Beginning) -> RecipeWarning | None:
    size = round(beginning.text_size * beginning.scale)
    if recipe.split != "none" or beginning.is_table or size < LARGE:
        return None
    return RecipeWarning(
        WarningKind.NO_SPLIT,
        "split",
        f"Nothing splits a corpus of about {about_size(size)}: every document is "
        "one word, so the whole text is kept in memory and searched for every merge; choose a "
        "split, or a smaller corpus",
    )


def _giant_word(recipe: Recipe, measured: Measured) -> RecipeWarning | None:
    words = measured.words
    lengths = np.diff(words.starts)
    if recipe.split == "none" or not len(lengths) or lengths.max() < GIANT:
        return None
    longest = int(lengths.argmax())
    return RecipeWarning(
        WarningKind.GIANT_WORD,
        "split",
        f"One word of {_name(measured.beginning)} has {int(lengths[longest]):,} bytes; it begins "
        f"{visible_beginning(words.word(longest))!r}. Merges may cross all of it: choose "
        "a split that divides it",
    )


def _small_vocabulary(recipe: Recipe, measured: Measured) -> RecipeWarning | None:
    size, base = recipe.vocabulary_size, len(measured.symbols.base)
    name = _name(measured.beginning)
    if size is None or size > base:
        return None
    if size == base:
        sentence = (
            f"the special tokens and single symbols of {name} alone fill a vocabulary of {size:,}; "
            "there is no room for a merge"
        )
    else:
        sentence = f"in {name} alone, {vocabulary_too_small(recipe, base)}"
    return RecipeWarning(WarningKind.SMALL_VOCABULARY, "vocabulary_size", sentence)


def _special_tokens(
    recipe: Recipe, beginning: Beginning, cancelled: Callable[[], bool]
) -> RecipeWarning | None:
    counts: Counter[str] = Counter()
    for text, count in beginning.texts if recipe.matched_special_tokens else ():
        if cancelled():
            raise Cancelled
        for token in recipe.matched_special_tokens:
            counts[token] += count * text.count(token)
    found = +counts
    if not found:
        return None
    named = _listed(found, repr, "more")
    return RecipeWarning(
        WarningKind.SPECIAL_TOKENS,
        "special_tokens",
        f"{_name(beginning).replace('the', 'The', 1)} contains special tokens: {named}. Training "
        "splits them like any other text, but encoding reads them as special tokens",
    )


def _lost_characters(beginning: Beginning, lost: Counter[str]) -> RecipeWarning | None:
    if not lost:
        return None
    named = _listed(lost, _named, "others")
    return RecipeWarning(
        WarningKind.LOST_CHARACTERS,
        "normalizers",
        f"Normalization drops {counted(lost.total(), 'character')} of "
        f"{_name(beginning)}, which decoding cannot restore: {named}",
    )


def _changed_characters(beginning: Beginning, changed: Counter[str]) -> RecipeWarning | None:
    if not changed:
        return None
    listed = " ".join(_seen(character) for character, _ in changed.most_common(_MAX_LISTED))
    different = counted(len(changed), "character", "different characters")
    more = " and others" if len(changed) > _MAX_LISTED else ""
    return RecipeWarning(
        WarningKind.CHANGED_CHARACTERS,
        "normalizers",
        f"Normalization changes characters that decoding cannot restore: {different} of "
        f"{_name(beginning)}, {_times(changed.total())}: {listed}{more}",
    )


def _single_symbols(recipe: Recipe, measured: Measured) -> RecipeWarning | None:
    """Warn of words of one symbol, which never merge: the pattern makes them, or skips text."""
    words, name = measured.words, _name(measured.beginning)
    symbols = np.diff(measured.symbols.starts)
    if not len(words):
        return None
    if symbols.max() < 2:
        return RecipeWarning(
            WarningKind.NO_MERGES,
            "split",
            f"No word of {name} has two symbols, so nothing can be merged: "
            "choose a split that makes longer words",
        )
    alone = np.dot(np.diff(words.starts), words.counts * (symbols < 2)) / words.total_bytes
    if own_pattern(recipe.split) is None or alone <= 0.5:
        return None
    return RecipeWarning(
        WarningKind.SKIPPED_TEXT,
        "split",
        f"{100 * alone:.0f}% of {name} stays in single symbols that "
        "never merge, because the pattern skips them or makes each a word",
    )


def _dropped_text(
    recipe: Recipe, beginning: Beginning, cancelled: Callable[[], bool]
) -> RecipeWarning | None:
    """Warn of a pattern between whose matches there is more than white space, which is dropped."""
    if not recipe.split.startswith(MATCHES) or beginning.is_table:
        return None

    def check() -> None:
        if cancelled():
            raise Cancelled

    dropped: Counter[str] = Counter()
    looked_at = 0
    with timeout(check=check):
        for text, count in beginning.texts:
            check()
            text = text[: _MAX_NORMALIZED - looked_at]
            looked_at += len(text)
            data = normalize(text, recipe.normalizers).encode("utf-8")
            ends, kinds = split_words(np.frombuffer(data, np.uint8), recipe.split)
            begins = np.append(0, ends)[:-1]
            for place in np.flatnonzero(kinds == DROPPED).tolist():
                for one in data[begins[place] : ends[place]].decode("utf-8"):
                    dropped[one] += 0 if one.isspace() else count
    dropped = +dropped
    if not dropped:
        return None
    return RecipeWarning(
        WarningKind.DROPPED_TEXT,
        "split",
        f"The split drops {counted(dropped.total(), 'character')} of {_name(beginning)} besides "
        f"white space, which are in no token: {_listed(dropped, _named, 'others')}",
    )

def lost_and_changed(
    beginning: Beginning, steps: tuple[Normalizer, ...], cancelled: Callable[[], bool]
) -> tuple[Counter[str], Counter[str]]:
    """Count the characters that normalization drops, and those that it makes into others.

    They are those that the text has when a step comes to it: after `nfd`, an accent is a
    character. One is changed if what a step puts in its place does not tell it: a capital
    letter made small, or a look-alike made plain. Canonically equal forms (`nfc`, `nfd`) tell
    each other, and a mark tells that it was a space. Of a match that a regex replaced by itself,
    only a single character is known to be left alone. Looks at the first million characters.

    >>> lost_and_changed(
    ...     Beginning((("Naïve", 1),), 6, 6, True), ("nfd", "remove-mn", "lowercase"), lambda: False
    ... )
    (Counter({'\u0308': 1}), Counter({'N': 1}))
    """
    lost: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    looked_at = 0
    for text, count in beginning.texts if steps else ():
        text = text[: _MAX_NORMALIZED - looked_at]
        looked_at += len(text)
        for step in steps if text else ():
            if cancelled():
                raise Cancelled
            made = normalize_aligned(text, (step,))
            comparison = compare(text, made)
            _add(lost, text, comparison.dropped, count)
            if step in ("nfkc", "nfkd"):
                _add(changed, text, _look_alikes(text), count)
            elif step not in ("nfc", "nfd") and not writes_space_marks(step):
                _add(changed, text, comparison.changed, count)
            text = made.text
    return lost, changed


def _add(counts: Counter[str], text: str, chosen: NDArray[np.bool_], count: int) -> None:
    """Add some characters of a text, each of them `count` times."""
    for character, times in Counter(text[i] for i in np.flatnonzero(chosen).tolist()).items():
        counts[character] += times * count


def _look_alikes(text: str) -> NDArray[np.bool_]:
    """Tell which characters have a plainer form that they are not canonically equal to."""
    found = {
        one
        for one in set(text)
        if unicodedata.normalize("NFKD", one) != unicodedata.normalize("NFD", one)
    }
    return np.array([one in found for one in text], np.bool_)


def _name(beginning: Beginning) -> str:
    """Name what was looked at."""
    return "the corpus" if beginning.is_whole else f"the first {about_size(beginning.stored)}"


def _listed(counts: Counter[str], write: Callable[[str], str], others: str) -> str:
    """Name the most frequent with their counts, and how many others there are."""
    named = ", ".join(f"{write(one)} {_times(n)}" for one, n in counts.most_common(_MAX_NAMED))
    more = len(counts) - _MAX_NAMED
    return f"{named} and {more:,} {others}" if more > 0 else named


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _seen(character: str) -> str:
    return visible_character(character) or f"◌{character}"


def _named(character: str) -> str:
    """Write a character's look, its number and its name."""
    name = unicodedata.name(character, "").lower()
    return f"{_seen(character)} (U+{ord(character):04X}{f' {name}' if name else ''})"
