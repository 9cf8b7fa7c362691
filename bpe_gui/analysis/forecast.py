"""How long a training run will take, and how much memory, from measuring a slice of its corpus.

The beginning of the slice is counted, and then as much of it as there is time for: from the
two follows how the bytes of distinct words grow with the text (by a power of its length;
Heaps' law). Then it is trained as the recipe says, for a second at most. What takes time or
memory for each byte of text is scaled by the length of the corpus, and what does so for each
symbol of a distinct word by the growth of these. Merges for which there was no time are taken
to need less and less, as one over their rank (Zipf's law).

It is an estimate: the rest of a corpus may be unlike its beginning, and other work slows down
what is measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from bpe_gui.analysis.corpus_slice import CorpusSlice
from bpe_gui.bpe.errors import Cancelled, PatternTimeoutError
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import InitialIds, WordCounts, to_initial_ids

_PART = 1 << 18
"""Bytes of text that are counted first."""
_LONGEST_COUNT = 1.5
"""Seconds that counting the slice may take; it is made smaller for a recipe that is slow."""
_LONGEST_TRAINING = 1.0
"""Seconds that training on the slice may take."""
_LONGEST_SLICE = 10.0
"""Seconds that counting may take at the very most."""
_PORTION = 256
"""Merges between two looks at the time, and at whether all is cancelled."""


@dataclass(frozen=True)
class Training:
    """What training on a slice has told.

    seconds: how long it took. merges: how many were done; merges_left: how many the recipe
    asks for yet. last_merge: seconds that one of the last merges took.
    memory: bytes that grow with the distinct words; memory_of_merge: bytes that each merge
        takes beside.
    """

    seconds: float
    merges: int
    merges_left: int
    last_merge: float
    memory: int
    memory_of_merge: float


@dataclass(frozen=True)
class Measured:
    """What measuring a slice has told.

    slice: what was counted, which may be the first part of what was given; words: its words.
    symbols: the words as symbols, and the vocabulary before the first merge, as far as the
        slice tells.
    growth: the bytes of distinct words grow with this power of the length of the text.
    counting: seconds that counting took.
    training: what training has told; None if the vocabulary is too small for it.
    """

    slice: CorpusSlice
    words: WordCounts
    symbols: InitialIds
    growth: float
    counting: float
    training: Training | None


@dataclass(frozen=True)
class Estimate:
    """Seconds and bytes that a run is likely to take, and how they were found."""

    seconds: float
    memory: int
    how: str


def measure(
    corpus_slice: CorpusSlice,
    recipe: Recipe,
    cancelled: Callable[[], bool],
    *,
    threads: int | None = None,
) -> Measured:
    """Count and train on a slice.

    `threads` are those that will count. Raises PatternError if a regular expression takes too
    long, Cancelled, and RecipeError as counting does; a vocabulary that is too small
    is not an error here.
    """
    check = _check(cancelled, perf_counter() + _LONGEST_SLICE)
    part = first = corpus_slice.first(_PART)
    words, counting = _count(part, recipe, check, threads)
    growth = 1.0
    wanted = round(_PART * min(_LONGEST_COUNT / max(counting, 1e-6), 1e3))
    if part is not corpus_slice and wanted > 2 * _PART:
        fewer = words
        part = corpus_slice.first(wanted)
        words, counting = _count(part, recipe, check, threads)
        growth = _power(first, fewer, part, words)
    symbols = to_initial_ids(words, recipe)
    training = _train(words, recipe, len(symbols.base), cancelled)
    return Measured(part, words, symbols, growth, counting, training)


def estimate(measured: Measured) -> Estimate | None:
    """Estimate what the whole run takes, if the rest of the corpus is like the slice.

    None if the slice tells that the recipe cannot be trained.
    """
    part, training = measured.slice, measured.training
    if training is None:
        return None
    done, left = max(1, training.merges), training.merges_left
    seconds = training.seconds + training.last_merge * done * math.log((done + left) / done)
    distinct = part.times**measured.growth
    # One thread reads while others count what was read.
    counting = max(measured.counting, part.reading)
    memory = training.memory * distinct + training.memory_of_merge * (training.merges + left)
    return Estimate(counting * part.times + seconds * distinct, round(memory), _how(part, training))


def _count(
    part: CorpusSlice, recipe: Recipe, check: Callable[[], None], threads: int | None
) -> tuple[WordCounts, float]:
    """The words of a slice, and the seconds that counting them took."""
    begin = perf_counter()
    words = part.count(recipe, check=check, threads=threads)
    return words, perf_counter() - begin


def _check(cancelled: Callable[[], bool], until: float) -> Callable[[], None]:
    """What gives counting up when nobody wants it any more, or it takes too long."""

    def check() -> None:
        if cancelled():
            raise Cancelled
        if perf_counter() > until:
            raise PatternTimeoutError(
                f"this recipe takes more than {_LONGEST_SLICE:.0f} s for the first "
                f"{about_size(_PART)} of the corpus; choose simpler patterns"
            )

    return check


def _power(first: CorpusSlice, fewer: WordCounts, part: CorpusSlice, more: WordCounts) -> float:
    """By which power of the length of the text the bytes of distinct words grow."""
    longer = part.stored / first.stored
    before, after = int(fewer.starts[-1]), int(more.starts[-1])
    if longer <= 1 or not 0 < before <= after:
        return 1.0
    return min(1.0, math.log(after / before) / math.log(longer))


def _train(
    words: WordCounts, recipe: Recipe, base: int, cancelled: Callable[[], bool]
) -> Training | None:
    begin = perf_counter()
    try:
        trainer = Trainer(words, recipe)
    except RecipeError:
        # The vocabulary is too small: there is nothing to train.
        return None
    elapsed = last = 0.0
    while not trainer.finished and elapsed < _LONGEST_TRAINING:
        if cancelled():
            raise Cancelled
        done = trainer.advance(_PORTION)
        before, elapsed = elapsed, perf_counter() - begin
        last = (elapsed - before) / max(done, 1)
    merges = len(trainer.history)
    left = 0 if trainer.finished else max(0, _most_merges(words, recipe, base) - merges)
    held = trainer.memory + words.text.nbytes + words.starts.nbytes
    per_merge = trainer.history.memory / max(merges, 1024)
    return Training(perf_counter() - begin, merges, left, last, held, per_merge)


def _most_merges(words: WordCounts, recipe: Recipe, base: int) -> int:
    """Tell after how many merges a recipe stops at the latest."""
    # Each merge takes two symbols for one; more than these there cannot be.
    bounds = [int(words.starts[-1])]
    if recipe.vocabulary_size is not None:
        bounds.append(recipe.vocabulary_size - base)
    if recipe.merges is not None:
        bounds.append(recipe.merges)
    return min(bounds)


def _how(part: CorpusSlice, training: Training) -> str:
    """Tell how the numbers were found, in a sentence."""
    which = f"All {about_size(part.size)}"
    if not part.whole:
        which = f"The first {about_size(part.stored)} of {about_size(part.size)}"
    merges = f" for {training.merges:,} merges" if training.merges_left else ""
    return f"{which} were counted and trained here{merges}."


def about_time(seconds: float) -> str:
    """A time in words, no more exact than an estimate is.

    >>> about_time(0.3), about_time(47), about_time(400), about_time(9000)
    ('less than a second', '47 s', '6.7 min', '2.5 h')
    """
    if seconds < 1:
        return "less than a second"
    for unit, name in ((1, "s"), (60, "min"), (3600, "h")):
        # From here on two digits would be rounded up to three.
        if seconds < 99.5 * unit:
            return f"{seconds / unit:.2g} {name}"
    return f"{seconds / 86400:,.0f} days"


def about_size(size: float) -> str:
    """A number of bytes in words, to two digits.

    >>> about_size(999), about_size(2_096_152), about_size(31_400_000_000)
    ('999 bytes', '2.1 MB', '31 GB')
    """
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        # Just below, three digits of the smaller unit would be rounded up to four.
        if size >= 0.9995 * unit:
            number = size / unit
            return f"{number:,.0f} {name}" if number >= 9.95 else f"{number:.1f} {name}"
    return f"{size:.0f} bytes"
