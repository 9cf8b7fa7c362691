"""What the pipeline view has in view."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    """A trace with its tokens at a position.

    Without `merging` nothing is trained with the trace's recipe: there are no tokens to show,
    and the ids are those of the symbols, if they are known.
    """

    trace: PipelineTrace
    merged: MergedSymbols
    merging: Merging | None
    position: int

    @staticmethod
    def of(trace: PipelineTrace, merging: Merging | None, position: int) -> Shown:
        """A trace at a position, or as far as the history has come."""
        return Shown(trace, unmerged(trace), merging, 0).at(position)

    def at(self, position: int) -> Shown:
        """The same at another position, or as far as the history has come."""
        if self.merging is None:
            return self
        if position > self.merging.length:
            self.merging.extend()
        position = min(position, self.merging.length)
        return replace(self, merged=self.merging.at(position), position=position)

    def items(self, stage: Stage) -> Items:
        """The items of a stage; none where they are not known."""
        if stage <= Stage.SYMBOLS:
            return self.trace.stage(stage)
        known = self.is_trained if stage is Stage.TOKENS else self.has_ids
        return self.merged.items if known else _NO_ITEMS

    @property
    def is_trained(self) -> bool:
        """Whether there are merges to show, or at least a run to come by them."""
        return self.merging is not None

    @property
    def has_ids(self) -> bool:
        """Whether it is known which symbol has which id."""
        return self.trace.base is not None

    def looks_like(self, other: Shown) -> bool:
        """Whether both have the same trace, split into the same tokens."""
        mine, theirs = self.merged, other.merged
        return (
            self.trace is other.trace
            and mine.ids.tobytes() == theirs.ids.tobytes()
            and mine.symbols.tobytes() == theirs.symbols.tobytes()
        )
