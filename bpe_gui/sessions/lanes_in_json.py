"""What a session's JSON says of the encodings that are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import MAX_NUMBER
from bpe_gui.sessions.json_values import Values, checked_text
from bpe_gui.sessions.limits import LONGEST_NAME, LONGEST_SPEC
from bpe_gui.sessions.session import (
    FollowingLane,
    LaneReference,
    NamedLane,
    RunLane,
    SessionError,
)

_MOST_TOKENS = 10_000
"""Special tokens that may be named beside a file."""


def lane_to_json(lane: LaneReference, run_of: Callable[[History], int]) -> dict[str, object]:
    """What `lane_from_json` reads; `run_of` gives the number of a run in the session."""
    if isinstance(lane, FollowingLane):
        return {"follows": lane.part}
    if isinstance(lane, RunLane):
        return {
            "name": lane.name,
            "run": run_of(lane.history),
            "position": lane.position,
            "step": lane.step,
        }
    tokens = lane.special_tokens
    written = dict(tokens) if isinstance(tokens, Mapping) else tokens
    return {"name": lane.name, "encoding": lane.spec, "special_tokens": written}


def lane_from_json(found: Any, runs: Sequence[History]) -> LaneReference:
    """A lane, of the runs of the session in the order of their numbers. Raises SessionError."""
    values = Values(found, "a lane")
    lane = _lane(values, runs)
    values.end()
    return lane


def _lane(values: Values, runs: Sequence[History]) -> LaneReference:
    if "follows" in values:
        return FollowingLane(_part(values.integer("follows", 1, 10)))
    name = values.text("name", LONGEST_NAME)
    if "run" in values:
        history = runs[values.integer("run", 0, len(runs) - 1)]
        position = values.integer("position", 0, len(history))
        return RunLane(name, history, position, values.truth("step"))
    spec = values.text("encoding", LONGEST_SPEC)
    return NamedLane(name, spec, _special_tokens(values.take("special_tokens")))


def _part(part: int) -> int:
    if part not in (1, 10):
        raise SessionError("a lane follows the cursor with all of its merges, or with a tenth")
    return part


def _special_tokens(found: Any) -> Mapping[str, int] | str | None:
    if found is None:
        return None
    if not isinstance(found, dict):
        return checked_text(found, "what names the special tokens of a lane", LONGEST_NAME)
    if len(found) > _MOST_TOKENS:
        raise SessionError(f"a lane may have {_MOST_TOKENS:,} special tokens")
    for text, token in found.items():
        checked_text(text, "a special token of a lane", LONGEST_NAME)
        if type(token) is not int or not 0 <= token <= MAX_NUMBER:
            raise SessionError("a special token of a lane has an id that is none")
    return found
