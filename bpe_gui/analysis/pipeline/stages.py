"""The stages of a pipeline: what each of them consists of, with and without merges."""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import BaseVocabulary, History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.bpe.recipe import Normalizer, Recipe
from bpe_gui.bpe.segmentation import Segmentation

# -- Items --------------------------------------------------------------------------------------


class Stage(IntEnum):
    """The stages, in their order."""

    RAW = 0
    NORMALIZED = 1
    PRETOKENS = 2
    SYMBOLS = 3
    TOKENS = 4
    IDS = 5


class Status(IntEnum):
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
    UNMATCHED = 5
    """Skipped by the split pattern: symbols that never merge."""
    UNKNOWN = 6
    """Not in the alphabet."""


class Items(Struct, frozen=True, eq=False):
    """The parts of one stage, in its order.

    Item i has the bytes `data[edges[i]:edges[i + 1]]`. The other columns have one entry an
    item: `starts` and `stops` are the bytes of the raw text's UTF-8 that it came from (an
    empty span is a place), `firsts` and `lasts` the columns of the trace that it is in,
    `statuses` what became of it (see `Status`).

    Items that came from the same character share its span, and spans may overlap. Columns do not:
    every item has its own. Spans and columns ascend.
    """

    data: bytes
    edges: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    statuses: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts)

    @staticmethod
    def none() -> Items:
        """Return no items."""
        empty = np.empty(0, np.int64)
        statuses = np.empty(0, np.uint8)
        return Items(b"", np.zeros(1, np.int64), empty, empty, empty, empty, statuses)

    def content(self, item: int) -> bytes:
        """Return the bytes of an item."""
        return self.data[int(self.edges[item]) : int(self.edges[item + 1])]

    def contents(self) -> list[bytes]:
        """Return the bytes of all items."""
        return [self.data[a:b] for a, b in pairwise(self.edges.tolist())]

    def count(self, status: Status) -> int:
        """Tell how many items have that status."""
        return int(np.count_nonzero(self.statuses == status))

    def within(self, first: int, last: int) -> range:
        """Return the items that share a column with those from `first` to `last`."""
        begin = int(np.searchsorted(self.lasts, first, "right"))
        return range(begin, max(begin, int(np.searchsorted(self.firsts, last))))

    def at(self, column: int) -> int:
        """Return the item in a column; -1 for none."""
        found = self.within(column, column + 1)
        return found[0] if found else -1


class StepChange(Struct, frozen=True, eq=False):
    """What one step did.

    text: what it made; starts and stops: which characters of the raw text each of its
        characters came from.
    changed, dropped: how many characters it was given that it made into others, or took
        away. put_in: how many of the text are new, beside what was there.
    places: where it did any of this, as spans of characters of the raw text, shape (n, 2),
        sorted; a span of no length is a place between characters.

    A trace has the same of the whole text, with bytes of it in place of characters.
    """

    step: Normalizer
    text: str
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    changed: int
    dropped: int
    put_in: int
    places: NDArray[np.int64]

    def within(self, start: int, stop: int) -> str:
        """Tell what became of a stretch of the raw text up to here; of a place, what was put in."""
        if start == stop:
            found = (self.starts == start) & (self.stops == stop)
        else:
            found = (self.starts < stop) & (self.stops > start)
        return "".join([self.text[place] for place in np.flatnonzero(found).tolist()])


# -- All stages of one text ---------------------------------------------------------------------


class Problem(Struct, frozen=True):
    """Why a stage, and so all that come after it, cannot be shown: one sentence."""

    stage: Stage
    sentence: str


class PipelineTrace(Struct, frozen=True, eq=False):
    """A text as a recipe takes it apart, up to the symbols that encoding begins with.

    raw: the characters of the text, but each special token as one item.
    normalized: the normalized text's characters, and at their places those that a step has
        dropped. `steps` tells of each step alone, `dropped_by` which one dropped an item (-1
        for those that are there).
    pretokens: words; single symbols that never merge (UNMATCHED); what is dropped.
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
        """Return the items of a stage up to the symbols. Raises KeyError for a later one."""
        return {
            Stage.RAW: self.raw,
            Stage.NORMALIZED: self.normalized,
            Stage.PRETOKENS: self.pretokens,
            Stage.SYMBOLS: self.symbols,
        }[stage]

    def reaches(self, stage: Stage) -> bool:
        """Tell whether nothing went wrong up to a stage."""
        return self.problem is None or stage < self.problem.stage


# -- Merged symbols -----------------------------------------------------------------------------


def same_tokens(one: Recipe, other: Recipe) -> bool:
    """Tell whether two recipes learn the same merges, as far as they go, and cut texts alike.

    They may have other names and stop elsewhere.
    """
    return one.same_but(other, "name", "vocabulary_size", "merges", "min_frequency")


class MergedSymbols(Struct, frozen=True, eq=False):
    """The tokens at one position: `items`, whose `statuses` are KEPT for a symbol that is left
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
    """What merges make of the symbols of a trace, at every position of a history.

    The history is of a recipe that learns the same tokens (see `same_tokens`), and the trace
    of its base vocabulary. `extend` takes in merges that came since.
    """

    def __init__(
        self, trace: PipelineTrace, history: History, *, compiled: bool | None = None
    ) -> None:
        self.trace = trace
        self.history = history
        self._segmentation = Segmentation(history, trace.ids, trace.word_starts, compiled=compiled)

    def extend(self) -> None:
        """Take in the merges that the history has had since."""
        self._segmentation.extend()

    @property
    def length(self) -> int:
        """Tell how many merges have been taken in."""
        return self._segmentation.length

    def at(self, position: int) -> MergedSymbols:
        """Return the tokens at a position. Raises IndexError beyond `length`."""
        first, ids = self._segmentation.tokens(position)
        steps = self._applied(0, len(self.trace.ids), position)
        return merged(self.trace, first, ids, len(steps), len(np.unique(steps)))

    def merges(self, first: int, last: int, position: int) -> list[int]:
        """Return the merges that made a token of those symbols, in the order of their ranks.

        One that was done at several places comes as often.
        """
        return sorted(self._applied(first + 1, last, position).tolist())

    def _applied(self, first: int, last: int, position: int) -> NDArray[np.int32]:
        removed = self._segmentation.merge_step[first:last]
        done: NDArray[np.int32] = removed[(removed < position) & (removed != NEVER)]
        return done


def unmerged(trace: PipelineTrace) -> MergedSymbols:
    """Return the symbols as tokens, where nothing is trained yet."""
    return merged(trace, np.arange(len(trace.ids)), trace.ids, 0, 0)


def merged(
    trace: PipelineTrace,
    first: NDArray[np.int64],
    ids: NDArray[np.int32],
    applied: int,
    rules: int,
) -> MergedSymbols:
    """Return tokens that begin with these symbols, as the items of a stage."""
    symbols = trace.symbols
    last = np.append(first[1:], len(symbols)) - 1 if len(first) else first
    statuses = symbols.statuses[first].copy()
    statuses[last > first] = Status.CHANGED
    items = Items(
        symbols.data,
        symbols.edges[np.append(first, len(symbols))],
        symbols.starts[first],
        symbols.stops[last],
        symbols.firsts[first],
        symbols.lasts[last],
        statuses,
    )
    return MergedSymbols(items, ids, np.append(first, len(symbols)), applied, rules)
