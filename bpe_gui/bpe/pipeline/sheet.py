"""All stages of one text, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import BaseVocabulary
from bpe_gui.bpe.pipeline.items import Items, Stage
from bpe_gui.bpe.pipeline.normalizing import StepChange
from bpe_gui.bpe.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a stage, and so all that come after it, cannot be shown: one sentence."""

    stage: Stage
    sentence: str


@dataclass(frozen=True, eq=False, slots=True)
class Sheet:
    """A text as a recipe takes it apart, up to the symbols that encoding begins with.

    raw: the characters of the text, but each special token as one item.
    normalized: the normalized text's characters, and at their places those that a step has
        dropped. `steps` tells of each step alone, `dropped_by` which one dropped an item (-1
        for those that are there).
    pretokens: words; single symbols that never merge (ALONE); what is dropped.
    symbols: with `ids` (NO_TOKEN for one that is not in the alphabet). `word_starts` are
        those that begin a word, ascending.
    base: the vocabulary without merges; None where it is the corpus that will tell. Then
        `ids` mean nothing.
    columns: how many there are, see `Items.firsts`.
    problem: what went wrong; the stages from there on have no items.

    A special token is an item of every stage.
    """

    recipe: Recipe
    text: str
    base: BaseVocabulary | None
    raw: Items
    normalized: Items
    pretokens: Items
    symbols: Items
    ids: NDArray[np.int32]
    word_starts: NDArray[np.int64]
    steps: tuple[StepChange, ...]
    dropped_by: NDArray[np.int64]
    columns: int
    problem: Problem | None

    def stage(self, stage: Stage) -> Items:
        """The items of a stage up to the symbols. Raises KeyError for a later one."""
        return {
            Stage.RAW: self.raw,
            Stage.NORMALIZED: self.normalized,
            Stage.PRETOKENS: self.pretokens,
            Stage.SYMBOLS: self.symbols,
        }[stage]

    def reaches(self, stage: Stage) -> bool:
        """Whether nothing went wrong up to a stage."""
        return self.problem is None or stage < self.problem.stage
