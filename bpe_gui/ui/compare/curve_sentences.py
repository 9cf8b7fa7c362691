"""What is said of curves over the merges: values, where axes begin, and who overtakes whom."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column
from bpe_gui.progress import counted
from bpe_gui.ui.compare.curve_measuring import CurveResult

NO_RUN = "Curves follow merges, and none of the encodings has merges that can be followed."
NO_TEXT = "Type or choose a text, and the curves of its numbers stand here."
MEASURING = "measuring…"
NOT_FROM_ZERO = (
    "All values lie close together, so the axis of values does not begin at 0; a zigzag at its "
    "foot says so too. Differences look larger than they are as parts of the whole."
)
_ONE_RUN = (
    "With a lane of another run, a branch, or a tokenizer that was saved, it is told here where "
    "one overtakes the other."
)
_NO_CROSSING = "No run overtakes another on this text."
_NO_FAIR_CROSSING = (
    "No run overtakes another that keeps as much of this text; those that keep less are not "
    "compared with others."
)


def overtaking_sentence(result: CurveResult, names: Sequence[str], alone: str = "") -> str:
    """Who overtakes whom, and at how many merges, in one sentence; the last times of many.

    `alone` is what to say of a single run; if empty, how there will be others.
    """
    if len(names) < 2:
        return alone or _ONE_RUN
    if not result.overtakings:
        return _NO_FAIR_CROSSING if result.unfair else _NO_CROSSING
    verb = "overtakes"
    if COLUMNS[result.request.column].better is Better.NEITHER:
        verb = "passes"
    parts = [
        f"{names[one.winner]} {verb} {names[one.loser]} at {counted(one.position, 'merge')}"
        for one in result.overtakings
    ]
    earlier = ""
    if result.earlier:
        times = "once" if result.earlier == 1 else f"{result.earlier:,} times"
        earlier = f"; before that the lead changes {times} at least"
    return f"{', '.join(parts)}{earlier}."


def rounded(value: float) -> str:
    """A number where an axis begins."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.6g}"


def value_text(result: CurveResult, number: int, place: int | None, column: Column) -> str:
    """What a curve has at a place; at its end if there is none."""
    curve = result.curves[number]
    if place is None:
        place = len(curve) - 1
    if place >= len(curve) or not np.isfinite(curve[place]):
        return column.written(None)
    return column.written(curve[place].item())


def without_sentence(without: Sequence[str], otherwise: Sequence[str]) -> str:
    """Which lanes have no curve, and why; empty if all have one.

    The first merge nothing, or not in the way of our runs; a run with the merges of the others
    would come to other numbers.
    """
    parts = []
    if without:
        parts.append(f"{_listed(without)}, which cannot be followed merge by merge")
    if otherwise:
        parts.append(f"{_listed(otherwise)}, for a run of those merges counts this text otherwise")
    return f"No curve for {', nor for '.join(parts)}." if parts else ""


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
