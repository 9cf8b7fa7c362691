"""From a corpus to a history: by which kernels, in which slices, and what is told meanwhile."""

from __future__ import annotations

import time
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus
from bpe_gui.progress import Progress

_SMALL = 100_000
"""Bytes up to which interpreted kernels are done sooner than others are compiled."""

_SLICE_SECONDS = 0.05
"""How long the trainer runs between two calls of `progress`, and two looks at Ctrl+C."""


class Phase(StrEnum):
    """What a training is doing, and in which unit its progress is counted."""

    COMPILING = "compiling"
    """Half a minute, once on each machine; there is nothing to count."""
    READING = "reading"
    """Bytes of the corpus."""
    MERGING = "merging"
    """Merges."""


def recipe_with(recipe: Recipe, changes: Mapping[str, Any]) -> Recipe:
    """Change a recipe as somebody asks for who trains with it. Raises RecipeError.

    The recipe's own bound on the vocabulary gives way to a number of merges: who asks for
    40,000 merges is not stopped by the default vocabulary.

    >>> from bpe_gui.bpe.recipe import preset
    >>> recipe_with(preset("gpt2"), {"merges": 40_000}).vocabulary_size
    """
    if changes.get("merges") is not None:
        changes = {"vocabulary_size": None, **changes}
    return recipe.with_changes(**changes)


def is_compiling_worthwhile(size: int | None) -> bool:
    """Tell whether compiled kernels are done sooner with that many bytes, also if they are yet to
    be compiled; yes for a size that is not known.
    """
    return size is None or size > _SMALL or kernel_cache.is_ready(kernel_cache.Kernels.ENGINE)


def compile_kernels(progress: Progress) -> None:
    """Compile all kernels, unless that has been done on this machine."""
    if not kernel_cache.is_ready(kernel_cache.Kernels.ENGINE):
        # A training that compiles nothing has no need of it.
        from bpe_gui.bpe.warm_up import warm_up

        progress(0, None, Phase.COMPILING)
        warm_up()
        kernel_cache.mark_ready(kernel_cache.Kernels.ENGINE)
        progress(1, 1, Phase.COMPILING)


def train_corpus(corpus: Corpus | Texts, recipe: Recipe, progress: Progress) -> History:
    """Train a recipe on a corpus until it stops.

    Raises CorpusError for what cannot be read, RecipeError for a recipe that this corpus
    cannot be trained with. `progress` may raise to give it up; no thread is left.
    """
    compiled = is_compiling_worthwhile(corpus.size)
    words = count_words(corpus, recipe, progress, compiled=compiled)
    return train_words(words, recipe, progress, compiled=compiled)


def count_words(
    corpus: Corpus | Texts, recipe: Recipe, progress: Progress, *, compiled: bool
) -> WordCounts:
    """Count the words of a corpus, with kernels that are compiled before if need be.

    Raises CorpusError, and what `progress` raises.
    """
    size = corpus.size
    if compiled:
        compile_kernels(progress)
    done = 0

    def read(so_far: int) -> None:
        nonlocal done
        done = so_far
        progress(done, size, Phase.READING)

    read(0)
    words = count_corpus(corpus, recipe, progress=read, compiled=compiled)
    progress(done, done, Phase.READING)
    return words


def train_words(
    words: WordCounts, recipe: Recipe, progress: Progress, *, compiled: bool
) -> History:
    """Train a recipe on words that are counted, in slices of about `_SLICE_SECONDS`.

    Raises RecipeError for a recipe that these words cannot be trained with, and what `progress`
    raises.
    """
    trainer = Trainer(words, recipe, compiled=compiled)
    history = trainer.history
    wanted = max_merges(recipe, len(history.base))
    portion = 16
    progress(0, wanted, Phase.MERGING)
    while not trainer.finished:
        began = time.monotonic()
        trainer.advance(portion)
        progress(len(history), wanted, Phase.MERGING)
        if time.monotonic() - began < _SLICE_SECONDS / 2:
            portion *= 2
        elif portion > 1:
            portion //= 2
    progress(len(history), len(history), Phase.MERGING)
    return history


def max_merges(recipe: Recipe, base: int) -> int | None:
    """Tell how many merges there will be at most, if the recipe has a bound."""
    bounds = []
    if recipe.merges is not None:
        bounds.append(recipe.merges)
    if recipe.vocabulary_size is not None:
        remade = 0 if recipe.inherited is None else recipe.inherited.remade
        bounds.append(recipe.vocabulary_size - base + remade)
    return min(bounds, default=None)
