"""The last stages: which merges are applied to the symbols, and which tokens that leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.bpe.pipeline.items import Fate, Items
from bpe_gui.bpe.pipeline.sheet import Sheet
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.segmentation import Segmentation


def same_tokens(one: Recipe, other: Recipe) -> bool:
    """Whether two recipes learn the same merges, as far as they go, and cut texts alike.

    They may have other names and stop elsewhere.
    """
    plain = {"name": "", "vocabulary_size": None, "merges": None, "min_frequency": 1}
    return one.with_changes(**plain) == other.with_changes(**plain)


@dataclass(frozen=True, eq=False, slots=True)
class MergedSymbols:
    """The tokens at one position: `items`, whose `fates` are KEPT for a symbol that is left
    alone and CHANGED for what merges made, else those of the symbol; their `ids`; and the
    symbols that each begins with, and where the last ends.

    applied: how many merges were done, each place counted; rules: how many that differ.
    """

    items: Items
    ids: NDArray[np.int32]
    symbols: NDArray[np.int64]
    applied: int
    rules: int


class Merging:
    """What merges make of the symbols of a sheet, at every position of a history.

    The history is of a recipe that learns the same tokens (see `same_tokens`), and the sheet
    of its base vocabulary. `extend` takes in merges that came since.
    """

    def __init__(self, sheet: Sheet, history: History, *, compiled: bool | None = None) -> None:
        self.sheet = sheet
        self.history = history
        self._segmentation = Segmentation(history, sheet.ids, sheet.word_starts, compiled=compiled)

    def extend(self) -> None:
        """Take in the merges that the history has had since."""
        self._segmentation.extend()

    @property
    def length(self) -> int:
        """How many merges have been taken in."""
        return self._segmentation.length

    def at(self, position: int) -> MergedSymbols:
        """The tokens with the merges before a position. Raises IndexError beyond `length`."""
        first, ids = self._segmentation.tokens(position)
        steps = self._applied(0, len(self.sheet.ids), position)
        return merged(self.sheet, first, ids, len(steps), len(np.unique(steps)))

    def merges(self, first: int, last: int, position: int) -> list[int]:
        """The merges that made a token of those symbols, in the order of their ranks.

        One that was done at several places comes as often.
        """
        return sorted(self._applied(first + 1, last, position).tolist())

    def _applied(self, first: int, last: int, position: int) -> NDArray[np.int32]:
        removed = self._segmentation.removed[first:last]
        done: NDArray[np.int32] = removed[(removed < position) & (removed != NEVER)]
        return done


def unmerged(sheet: Sheet) -> MergedSymbols:
    """The symbols as tokens, where nothing is trained yet."""
    return merged(sheet, np.arange(len(sheet.ids)), sheet.ids, 0, 0)


def merged(
    sheet: Sheet,
    first: NDArray[np.int64],
    ids: NDArray[np.int32],
    applied: int,
    rules: int,
) -> MergedSymbols:
    """Tokens that begin with these symbols, as the items of a stage."""
    symbols = sheet.symbols
    last = np.append(first[1:], len(symbols)) - 1 if len(first) else first
    fates = symbols.fates[first].copy()
    fates[last > first] = Fate.CHANGED
    items = Items(
        symbols.data,
        symbols.edges[np.append(first, len(symbols))],
        symbols.starts[first],
        symbols.stops[last],
        symbols.firsts[first],
        symbols.lasts[last],
        fates,
    )
    return MergedSymbols(items, ids, np.append(first, len(symbols)), applied, rules)
