"""How long a training run will take, and how much memory, from training on its beginning.

The beginning of the corpus is counted, and then trained as the recipe says, for a second at most.
What takes time or memory for each byte of text is scaled by the length of the corpus, and what
does so for each distinct word by how these grow. Merges for which there was no time are taken to
need less and less, as one over their rank (Zipf's law).

The beginning is counted also where a run has counted all of the corpus: how long that takes is a
part of the estimate, and most recipes that are measured here split texts otherwise.

It is an estimate: the rest of a corpus may be unlike its beginning, and other work slows down
what is measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter

import numpy as np
from msgspec import Struct

from bpe_gui.analysis.corpus_beginning import SIZE, Beginning
from bpe_gui.bpe.errors import Cancelled, PatternTimeoutError
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.training import max_merges
from bpe_gui.bpe.words import InitialIds, WordCounts, to_initial_ids

COUNTING_LIMIT = 10.0
"""Seconds that counting the beginning may take."""

_TRAINING_LIMIT = 1.0
"""Seconds that training on the beginning may take."""

_MERGES_AT_ONCE = 256
"""Merges between two looks at the time, and at whether all is cancelled."""


class Estimate(Struct, frozen=True):
    """Seconds and bytes of memory that a run is likely to take, and how they were found."""

    seconds: float
    memory: int
    how: str


class Measured(Struct, frozen=True):
    """What a recipe makes of the beginning of a corpus.

    words: its words; symbols: these as symbols, and the vocabulary before the first merge.
    estimate: for the whole corpus; None if the vocabulary is too small for any merge.
    """

    beginning: Beginning
    words: WordCounts
    symbols: InitialIds
    estimate: Estimate | None


def measure(
    beginning: Beginning,
    recipe: Recipe,
    cancelled: Callable[[], bool],
    *,
    threads: int | None = None,
) -> Measured:
    """Count and train on the beginning of a corpus, and estimate what the whole of it takes.

    `threads` are those that will count. Raises PatternError if a regular expression takes too
    long, Cancelled, and RecipeError as counting does; a vocabulary that is too small
    is not an error here.
    """
    began = perf_counter()

    def stopped() -> bool:
        return cancelled() or perf_counter() - began > COUNTING_LIMIT

    try:
        words = beginning.count(recipe, cancelled=stopped, threads=threads)
    except Cancelled:
        if cancelled():
            raise
        raise PatternTimeoutError(
            f"this recipe takes more than {COUNTING_LIMIT:.0f} s for the first "
            f"{about_size(min(SIZE, beginning.stored))} of the corpus; choose simpler patterns"
        ) from None
    # One thread reads while others count what was read.
    counting = max(perf_counter() - began, beginning.seconds)
    symbols = to_initial_ids(words, recipe)
    base = len(symbols.base)
    return Measured(
        beginning, words, symbols, _estimate(beginning, recipe, words, base, counting, cancelled)
    )


def _estimate(
    beginning: Beginning,
    recipe: Recipe,
    words: WordCounts,
    base: int,
    counting: float,
    cancelled: Callable[[], bool],
) -> Estimate | None:
    """Train for a while and scale the time and the memory; None if nothing can be trained."""
    began = perf_counter()
    try:
        trainer = Trainer(words, recipe)
    except RecipeError:  # the vocabulary is too small
        return None
    training = last = 0.0
    while not trainer.finished and training < _TRAINING_LIMIT:
        if cancelled():
            raise Cancelled
        done = trainer.advance(_MERGES_AT_ONCE)
        before, training = training, perf_counter() - began
        last = (training - before) / max(done, 1)
    merges = wanted = len(trainer.history)
    if not trainer.finished:
        # Each merge makes one symbol of two, so that there cannot be more than symbols.
        wanted = max(merges, min(len(words.text), max_merges(recipe, base) or len(words.text)))
        training += last * merges * math.log(wanted / merges)
    distinct = beginning.scale ** _growth(beginning, words)
    held = trainer.memory + words.text.nbytes + words.starts.nbytes
    memory = held * distinct + trainer.history.memory / max(merges, 1024) * wanted
    which = f"All {about_size(beginning.corpus_size)}"
    if not beginning.is_whole:
        which = f"The first {about_size(beginning.stored)} of {about_size(beginning.corpus_size)}"
    part = f" for {merges:,} merges" if wanted > merges else ""
    return Estimate(
        counting * beginning.scale + training * distinct,
        round(memory),
        f"{which} were counted and trained here{part}.",
    )


def _growth(beginning: Beginning, words: WordCounts) -> float:
    """Tell with which power of the length of the text the bytes of distinct words grow.

    By Heaps' law it is the share of words that occur only once, for so often is the next word a
    new one (Good-Turing). The rows of a table are all distinct.
    """
    lengths = np.diff(words.starts)
    if beginning.is_table or not len(lengths):
        return 1.0
    return float(lengths[words.counts == 1].sum() / lengths.sum())


def about_time(seconds: float) -> str:
    """Write a time in words, no more exactly than an estimate is.

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
    """Write a number of bytes in words, to two digits.

    >>> about_size(999), about_size(2_096_152), about_size(31_400_000_000)
    ('999 bytes', '2.1 MB', '31 GB')
    """
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        # Just below, three digits of the smaller unit would be rounded up to four.
        if size >= 0.9995 * unit:
            number = size / unit
            return f"{number:,.0f} {name}" if number >= 9.95 else f"{number:.1f} {name}"
    return f"{size:.0f} bytes"
