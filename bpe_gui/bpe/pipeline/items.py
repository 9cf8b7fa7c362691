"""What a stage of the pipeline consists of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


class Stage(IntEnum):
    """The stages, in their order."""

    RAW = 0
    NORMALIZED = 1
    PRETOKENS = 2
    SYMBOLS = 3
    TOKENS = 4
    IDS = 5


class Fate(IntEnum):
    """What a stage did with something."""

    KEPT = 0
    CHANGED = 1
    """Made from something else."""
    PUT_IN = 2
    """Made where nothing was, or beside what stayed as it is."""
    DROPPED = 3
    """Taken away here: later stages know nothing of it."""
    SPECIAL = 4
    """A special token, which is cut out before all else."""
    ALONE = 5
    """Skipped by the split pattern: symbols that never merge."""
    UNKNOWN = 6
    """Not in the alphabet."""


@dataclass(frozen=True, eq=False, slots=True)
class Items:
    """The parts of one stage, in its order.

    Item i has the bytes `data[edges[i]:edges[i + 1]]`. The other columns have one entry an
    item: `starts` and `stops` are the bytes of the raw text's UTF-8 that it came from (an
    empty span is a place), `firsts` and `lasts` the columns of the sheet that it stands in,
    `fates` what became of it (see `Fate`).

    What came from the same character has that character's span, and items may come from
    spans that overlap: only in columns does each have a place of its own. Both ascend.
    """

    data: bytes
    edges: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    fates: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts)

    @staticmethod
    def none() -> Items:
        """No items."""
        empty = np.empty(0, np.int64)
        fates = np.empty(0, np.uint8)
        return Items(b"", np.zeros(1, np.int64), empty, empty, empty, empty, fates)

    def content(self, item: int) -> bytes:
        """The bytes of an item."""
        return self.data[int(self.edges[item]) : int(self.edges[item + 1])]

    def contents(self) -> list[bytes]:
        """The bytes of all items."""
        return [self.data[a:b] for a, b in pairwise(self.edges.tolist())]

    def count(self, fate: Fate) -> int:
        """How many items have that fate."""
        return int(np.count_nonzero(self.fates == fate))

    def within(self, first: int, last: int) -> range:
        """The items that share a column with those from `first` to `last`."""
        begin = int(np.searchsorted(self.lasts, first, "right"))
        return range(begin, max(begin, int(np.searchsorted(self.firsts, last))))

    def at(self, column: int) -> int:
        """The item in a column; -1 for none."""
        found = self.within(column, column + 1)
        return found[0] if found else -1
