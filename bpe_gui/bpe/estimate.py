"""How long a training run will take, and how much memory, from measuring a slice of its corpus.

The slice is counted, twice over: the first part of it and all of it, which tells how the bytes
of distinct words grow with the text (by a power of its length; Heaps' law). Then it is trained
as the recipe says, as far as that goes in a second; for a recipe that sets no bound only the
first part, if it takes longer. What takes time or memory for each byte of text is scaled by the
length of the corpus, and what does so for each symbol of a distinct word by the growth of these.
Merges for which there was no time are taken to need less and less, as one over their rank.

Training is measured in the time that its thread was on a processor: what else the machine does
at the moment is over when the run is long. Where it was made to wait much, that is said, for
counting was slowed down too, and caches are shared.

It is an estimate: the rest of a corpus may be unlike its beginning.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, thread_time

from bpe_gui.bpe.corpus_slice import CorpusSlice
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.bpe.recipe_error import PatternTimeoutError
from bpe_gui.bpe.symbols import symbolize
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import CountingCancelled, WordCounts

_PART = 1 << 18
"""Bytes of text that are counted first."""
_LONGEST_COUNT = 1.5
"""Seconds that counting the slice may take; it is made smaller for a recipe that is slow."""
_LONGEST_TRAINING = 1.0
"""Seconds that training on the slice may take."""
_LONGEST_SLICE = 10.0
"""Seconds that counting may take at the very most."""
_LEAST_WAITED, _MUCH_WAITED = 0.05, 0.25
"""Seconds, and share of its own, for which training may wait without being disturbed."""
_PATIENCE = 3.0
"""Seconds after which training on the slice ends even if it mostly waited."""
_PORTION = 256
"""Merges between two looks at whether all is cancelled."""


@dataclass(frozen=True)
class Trained:
    """What training on a slice has told.

    slice: what was trained on.
    possible: whether it can be trained; not if the vocabulary is too small.
    base: entries of the vocabulary before the first merge, as far as the slice tells.
    seconds: how long it took, all in all, on a processor.
    waited: seconds for which others had the processor meanwhile.
    merges: how many were done.
    merges_left: how many the recipe asks for yet that there was no time for; 0 if it stopped.
    bound: merges after which the recipe stops at the latest, None if it sets no bound.
    last_merge: seconds that one of the last merges took.
    memory: bytes that grow with the distinct words.
    memory_of_merge: bytes that each merge takes beside.
    """

    slice: CorpusSlice
    base: int
    possible: bool = True
    seconds: float = 0.0
    waited: float = 0.0
    merges: int = 0
    merges_left: int = 0
    bound: int | None = None
    last_merge: float = 0.0
    memory: int = 0
    memory_of_merge: float = 0.0


@dataclass(frozen=True)
class Measured:
    """What measuring a slice has told.

    slice: what was counted, which may be the first part of what was given.
    words: its words.
    growth: the bytes of distinct words grow with this power of the length of the text.
    counting: seconds that counting took.
    trained: what training has told.
    """

    slice: CorpusSlice
    words: WordCounts
    growth: float
    counting: float
    trained: Trained


@dataclass(frozen=True)
class Estimate:
    """Seconds and bytes that a run is likely to take, and how they were found.

    disturbed: whether other work went on meanwhile, so that measuring again may tell better.
    """

    seconds: float
    memory: int
    how: str
    disturbed: bool = False


def measure(
    corpus_slice: CorpusSlice,
    recipe: Recipe,
    cancelled: Callable[[], bool],
    *,
    threads: int | None = None,
) -> Measured:
    """Count and train on a slice.

    `threads` are those that will count. Raises PatternError if a regular expression takes too
    long, CountingCancelled, and RecipeError as counting does; a vocabulary that is too small
    is not an error here.
    """
    check = _check(cancelled, perf_counter() + _LONGEST_SLICE)
    part = first = corpus_slice.first(_PART)
    words, counting = _count(part, recipe, check, threads)
    first_words, growth = words, 1.0
    wanted = round(_PART * min(_LONGEST_COUNT / max(counting, 1e-6), 1e3))
    if part is not corpus_slice and wanted > 2 * _PART:
        part = corpus_slice.first(wanted)
        words, counting = _count(part, recipe, check, threads)
        growth = _power(first, first_words, part, words)
    trained = _train(part, words, recipe, cancelled)
    if trained.merges_left and trained.bound is None and part is not first:
        trained = _train(first, first_words, recipe, cancelled)
    return Measured(part, words, growth, counting, trained)


def estimate(measured: Measured) -> Estimate | None:
    """What the whole run takes, if the rest of the corpus is like the slice.

    None if the slice tells that the recipe cannot be trained.
    """
    trained = measured.trained
    if not trained.possible:
        return None
    distinct = trained.slice.times**measured.growth
    training = trained.seconds + _left(trained)
    # One thread reads while others count what was read.
    counting = max(measured.counting, measured.slice.reading)
    seconds = counting * measured.slice.times + training * distinct
    merges = trained.merges + trained.merges_left
    if not trained.merges_left:
        # More text has more pairs to merge before none is left, or none is frequent enough.
        merges = round(min(merges * distinct, trained.bound or math.inf))
    memory = round(trained.memory * distinct + trained.memory_of_merge * merges)
    disturbed = trained.waited > max(_LEAST_WAITED, _MUCH_WAITED * trained.seconds)
    how = _how(measured)
    if disturbed:
        how += " It was measured while other work went on, and is measured again when that ended."
    return Estimate(seconds, memory, how, disturbed)


def _left(trained: Trained) -> float:
    """Seconds that the merges take for which there was no time.

    A merge takes as long as its pair is frequent, and frequencies fall about as one over the
    rank (Zipf's law).
    """
    if not trained.merges_left:
        return 0.0
    done = max(1, trained.merges)
    return trained.last_merge * done * math.log((done + trained.merges_left) / done)


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
            raise CountingCancelled
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
    part: CorpusSlice, words: WordCounts, recipe: Recipe, cancelled: Callable[[], bool]
) -> Trained:
    base = len(symbolize(words, recipe).base)
    begin, began = thread_time(), perf_counter()
    try:
        trainer = Trainer(words, recipe)
    except RecipeError:
        # The vocabulary is too small: there is nothing to train.
        return Trained(part, base, possible=False)
    elapsed = last = 0.0
    while not trainer.finished and elapsed < _LONGEST_TRAINING:
        if perf_counter() - began > _PATIENCE and len(trainer.history):
            break
        if cancelled():
            raise CountingCancelled
        before = thread_time()
        done = trainer.advance(_PORTION)
        now = thread_time()
        elapsed, last = now - begin, (now - before) / max(done, 1)
    merges, bound = len(trainer.history), _bound(recipe, base)
    left = 0
    if not trainer.finished:
        # Each merge takes two symbols for one; more than these there cannot be.
        symbols = int(words.starts[-1])
        left = max(0, min(bound if bound is not None else symbols, symbols) - merges)
    held = trainer.memory + words.text.nbytes + words.starts.nbytes
    per_merge = trainer.history.memory / max(merges, 1024)
    seconds = thread_time() - begin
    waited = max(0.0, perf_counter() - began - seconds)
    return Trained(part, base, True, seconds, waited, merges, left, bound, last, held, per_merge)


def _bound(recipe: Recipe, base: int) -> int | None:
    """Merges after which a recipe stops at the latest."""
    bounds = []
    if recipe.vocabulary_size is not None:
        bounds.append(recipe.vocabulary_size - base)
    if recipe.merges is not None:
        bounds.append(recipe.merges)
    return min(bounds, default=None)


def _how(measured: Measured) -> str:
    """How the numbers were found, in a sentence."""
    part, trained = measured.slice, measured.trained
    seconds = measured.counting + trained.seconds
    if part.whole and trained.slice is part and not trained.merges_left:
        return f"All {about_size(part.size)} were counted and trained here in {seconds:.2g} s."
    on = "trained" if trained.slice is part else f"{about_size(trained.slice.stored)} trained"
    if trained.merges_left:
        on += f" for {trained.merges:,} merges"
    return (
        f"The first {about_size(part.stored)} of {about_size(part.size)} were counted and {on} "
        f"here in {seconds:.2g} s; distinct words grow with the length of the text to the power "
        f"of {measured.growth:.2f}."
    )


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
