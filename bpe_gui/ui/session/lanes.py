"""The lanes of the compare view as references, and as lanes again."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.sessions import FollowingLane, LaneReference, NamedLane, RunLane
from bpe_gui.ui.compare.comparison import Lane
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.settings.names import valid_text

_AT_FIRST = (FollowingLane(1), FollowingLane(10))
"""What a window begins with when there is a run."""


def references_of(lanes: Sequence[Lane]) -> tuple[LaneReference, ...] | None:
    """How each of some lanes came to be there; None for those that a window begins with."""
    references = (_reference(lane) for lane in lanes)
    found = tuple(reference for reference in references if reference is not None)
    return found if found and found != _AT_FIRST else None


def _reference(lane: Lane) -> LaneReference | None:
    if lane.follows:
        return FollowingLane(lane.part)
    name = valid_text(lane.name)
    if isinstance(lane.encoding, TrainedEncoding):
        run = lane.encoding
        return RunLane(name, run.history, run.position, lane.step)
    return NamedLane(name, lane.spec, lane.special_tokens) if lane.spec else None


def restore_lanes(view: CompareView, lanes: Sequence[LaneReference] | None) -> None:
    """Compare these lanes, and no others; None for those that a window begins with.

    Encodings are read in the background; those that the hub would have to send say so.
    """
    view.begin_without_lanes()
    for lane in lanes or _AT_FIRST:
        if isinstance(lane, NamedLane):
            view.loader.load(lane.spec, lane.name, lane.special_tokens, fetches=False)
        elif isinstance(lane, RunLane):
            view.comparison.add_run(lane.name, lane.history, lane.position, step=lane.step)
        elif lane.part == 1:
            view.comparison.add_following()
        else:
            view.comparison.add_behind()
