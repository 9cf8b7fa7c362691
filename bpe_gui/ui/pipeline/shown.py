"""The trace that the pipeline view shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.pipeline.stages import (
    Items,
    MergedSymbols,
    Merging,
    PipelineTrace,
    Stage,
    unmerged,
)

_NO_ITEMS = Items.none()


@dataclass(frozen=True, eq=False, slots=True)
class Shown:
    """Hold a trace with its tokens at a position.

    Without `merging` no run has the tokens of the trace's recipe: there are no tokens to show,
    and the ids are those of the symbols, if they are known.
    """

    trace: PipelineTrace
    merged: MergedSymbols
    merging: Merging | None
    position: int

    @staticmethod
    def of(trace: PipelineTrace, merging: Merging | None, position: int) -> Shown:
        """Return a trace at a position, or at the end of the history before it."""
        return Shown(trace, unmerged(trace), merging, 0).at(position)

    def at(self, position: int) -> Shown:
        """Return the same at another position, or at the end of the history before it."""
        if self.merging is None:
            return self
        if position > self.merging.length:
            self.merging.extend()
        position = min(position, self.merging.length)
        return replace(self, merged=self.merging.at(position), position=position)

    def items(self, stage: Stage) -> Items:
        """Return the items of a stage; none if they are not known."""
        if stage <= Stage.SYMBOLS:
            return self.trace.stage(stage)
        known = self.is_trained if stage is Stage.TOKENS else self.has_ids
        return self.merged.items if known else _NO_ITEMS

    @property
    def is_trained(self) -> bool:
        """Whether a run has the tokens of the recipe."""
        return self.merging is not None

    @property
    def has_ids(self) -> bool:
        """Whether the ids of the symbols are known."""
        return self.trace.base is not None

    @property
    def own_ids(self) -> NDArray[np.int32]:
        """The ids that the vocabulary has for the tokens; see `History.own_ids`."""
        ids = self.merged.ids
        return ids if self.merging is None else self.merging.history.own_ids(ids)

    def looks_like(self, other: Shown) -> bool:
        """Tell whether both have the same trace, and the same tokens of it."""
        mine, theirs = self.merged, other.merged
        return (
            self.trace is other.trace
            and mine.ids.tobytes() == theirs.ids.tobytes()
            and mine.symbols.tobytes() == theirs.symbols.tobytes()
        )
