"""Where keys lead in a slope chart."""

from __future__ import annotations

from PySide6.QtCore import Qt

from bpe_gui.analysis.compare_runs import MISSING, Lockstep

Place = tuple[int, int]
"""A run and one of its merges."""

MOVES = frozenset(
    {
        *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down),
        *(Qt.Key.Key_Home, Qt.Key.Key_End),
    }
)
"""Keys that move, and that the window has another use for."""

TYPED_MOVES = frozenset("pnN")
"""Letters that move."""


def followed(lockstep: Lockstep, run: int, step: int) -> list[int]:
    """The rows of a merge's token in all columns, FROM_START or MISSING where it has none.

    What the run has had before is looked at by itself.
    """
    steps: list[int] = lockstep.steps[:, lockstep.contents[run][step]].tolist()
    if steps[run] != step:
        steps = [MISSING] * len(steps)
        steps[run] = step
    return steps


def moved(lockstep: Lockstep, place: Place, key: int, text: str, page: int) -> Place | None:
    """Where a key leads, or the letter that it types; None if it does not move.

    `page` is how many rows are in view.
    """
    run, step = place
    last = lockstep.lengths[run] - 1
    rows = {
        Qt.Key.Key_Up: step - 1,
        Qt.Key.Key_Down: step + 1,
        Qt.Key.Key_PageUp: step - max(1, page),
        Qt.Key.Key_PageDown: step + max(1, page),
        Qt.Key.Key_Home: 0,
        Qt.Key.Key_End: last,
    }
    if key in rows:
        return run, max(0, min(rows[Qt.Key(key)], last))
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        return _beside(lockstep, place, run + (1 if key == Qt.Key.Key_Right else -1))
    if text == "p" and lockstep.parts_at is not None:
        return run, min(lockstep.parts_at, last)
    if text in ("n", "N"):
        return run, _next_alone(lockstep, place, forwards=text == "n")
    return None


def _beside(lockstep: Lockstep, place: Place, other: int) -> Place:
    """The equal token of another column, or else what stands in the same row there."""
    run, step = place
    if not 0 <= other < len(lockstep.lengths) or not lockstep.lengths[other]:
        return place
    found = followed(lockstep, run, step)[other]
    return other, found if found >= 0 else min(step, lockstep.lengths[other] - 1)


def _next_alone(lockstep: Lockstep, place: Place, *, forwards: bool) -> int:
    """The next merge whose token no other run has; this one if there is none."""
    run, step = place
    only = lockstep.only(run)
    later = only[only > step] if forwards else only[only < step][::-1]
    return int(later[0]) if len(later) else step
