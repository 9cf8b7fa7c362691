"""What-if: steps of a run at which somebody decides otherwise than the counts do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Decision(StrEnum):
    """What is decided about a pair."""

    FORBID = "forbid"
    """It is not merged, at this step or any later one."""
    FORCE = "force"
    """It is merged at this step, though another may be more frequent."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """A decision about a pair of token ids at a step, counted from 0.

    The pair must be among the most frequent ones that the history keeps for the step.
    """

    step: int
    decision: Decision
    left: int
    right: int


class InterventionError(ValueError):
    """A decision that cannot be followed; the message is one sentence for the user."""
