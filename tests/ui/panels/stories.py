"""Runs whose words are known, for the views that explain."""

from __future__ import annotations

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from tests.ui.histories import FOUR_WORDS

NEIGHBOURS = "abcdefghijklmnopqrstuvwxyz"


def train_words(
    pairs: list[tuple[str, int]], recipe: Recipe, merges: int = 1000
) -> tuple[WordCounts, Trainer]:
    """Words and the trainer that has done so many merges of them."""
    words = WordCounts.from_pairs(pairs, recipe, compiled=False)
    trainer = Trainer(words, recipe, compiled=False)
    trainer.advance(merges)
    return words, trainer


def four_words_run(merges: int = 1000) -> tuple[WordCounts, History]:
    """The classic four words."""
    words, trainer = train_words(list(FOUR_WORDS), preset("whitespace"), merges)
    return words, trainer.history


def many_ties_run(merges: int = 1000) -> tuple[WordCounts, History]:
    """More pairs with the same count than a history ranks: ab, bc, ... each once."""
    words, trainer = train_words([(NEIGHBOURS, 1)], preset("whitespace"), merges)
    return words, trainer.history
