"""Histories for the panels to draw: small true ones, and large ones without a training."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import TOP, BaseVocabulary, History
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts

_LETTERS = (64, 90)
_SPACE = 220
"""Ids in the byte-level vocabulary without special tokens."""

FOUR_WORDS = (("low", 5), ("lower", 2), ("newest", 6), ("widest", 3))


def trained(pairs: list[tuple[str, int]], recipe: Recipe, merges: int = 1000) -> History:
    """A history of the real trainer, in its uncompiled form, for a handful of words."""
    trainer = Trainer(WordCounts.from_pairs(pairs, recipe), recipe, compiled=False)
    trainer.advance(merges)
    return trainer.history


def four_words(merges: int = 1000) -> History:
    """The classic four words: e·s 9, es·t 9, est·</w> 9, ..."""
    return trained(list(FOUR_WORDS), preset("whitespace"), merges)


def byte_level(text: str, merges: int = 1000) -> History:
    """A byte-level run over the words of a text, each with the space before it."""
    words = [(f" {word}", text.split().count(word)) for word in dict.fromkeys(text.split())]
    return trained(words, preset("gpt2"), merges)


def invented(merges: int) -> History:
    """A byte-level history of any length: plausible numbers, tokens of up to 16 bytes."""
    history = History(
        preset("gpt2"), BaseVocabulary.of(preset("gpt2"), CHARACTER_OF_BYTE), 20_000_000, 20_000_000
    )
    grow(history, merges)
    return history


def grow(history: History, merges: int) -> None:
    """Append invented merges to an invented history."""
    start, stop = len(history), len(history) + merges
    steps = np.arange(start, stop)
    random = np.random.default_rng(start)
    columns = history.reserve(merges)
    # Pairs of single bytes first, later pairs of those: no token grows beyond 16 bytes.
    newest = np.select([steps < 1000, steps < 5000, steps < 10000], [0, 1000, 5000], 10000)
    for column in (columns.left, columns.right):
        made = 256 + (random.random(merges) * newest).astype(np.int32)
        # One byte in fifty is any byte, the others are letters and spaces.
        letter = np.where(random.random(merges) < 0.2, _SPACE, random.integers(*_LETTERS, merges))
        byte = np.where(random.random(merges) < 0.02, random.integers(0, 256, merges), letter)
        column[start:stop] = np.where(newest == 0, byte, made)
    columns.new_id[start:stop] = 256 + steps
    columns.count[start:stop] = np.maximum(1, 800_000 / (steps + 1) ** 0.95)
    first = int(columns.tokens[start])
    columns.tokens[start + 1 : stop + 1] = first - np.cumsum(columns.count[start:stop])
    columns.distinct[start : stop + 1] = 1000
    ahead = np.minimum(np.arange(start, stop + 1)[:, np.newaxis] + np.arange(TOP), stop - 1)
    columns.top_left[start : stop + 1] = columns.left[ahead]
    columns.top_right[start : stop + 1] = columns.right[ahead]
    columns.top_count[start : stop + 1] = columns.count[ahead]
    history.commit(merges)
