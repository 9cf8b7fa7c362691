"""What is told of the lanes of a comparison: their numbers, or why there are none."""

from __future__ import annotations

from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.metrics_model import MetricsRow
from bpe_gui.ui.compare.waiting_lanes import WaitingLane

_LOSSLESS, _LOSSY = "yes", "lossy"
"""Whether decoding gives the text back. What is lost is told when one points at it."""


def rows_of(comparison: Comparison) -> list[MetricsRow]:
    """A row for each lane, in their order, those without numbers yet included."""
    result = comparison.result
    found = {lane.key: lane for lane in result.lanes} if result is not None else {}
    rows = []
    for lane in comparison.lanes:
        cut = found.get(lane.key)
        run = lane.encoding.history if isinstance(lane.encoding, TrainedEncoding) else None
        if cut is None or cut.metrics is None or cut.check is None:
            status = lane.status or (cut.problem if cut is not None else "")
            rows.append(MetricsRow(lane.key, lane.name, None, status=status, run=run))
            continue
        checked = _LOSSLESS if cut.check.is_lossless else _LOSSY
        rows.append(
            MetricsRow(
                lane.key,
                lane.name,
                cut.metrics,
                checked=checked,
                explanation=cut.check.label,
                lossy=not cut.check.is_lossless,
                run=run,
            )
        )
    return rows


def waiting_of(comparison: Comparison) -> list[WaitingLane]:
    """The lanes of encodings that are still to come, could not be had, or cannot cut the text."""
    result = comparison.result
    problems = {lane.key: lane.problem for lane in result.lanes} if result is not None else {}
    waiting = []
    for lane in comparison.lanes:
        problem = problems.get(lane.key, "")
        if lane.encoding is None and lane.status:
            found = WaitingLane(
                lane.key, lane.name, lane.status, failed=lane.failed, retries=lane.failed
            )
            waiting.append(found)
        elif lane.encoding is not None and problem:
            waiting.append(WaitingLane(lane.key, lane.name, problem, failed=True))
    return waiting


def said_of(comparison: Comparison) -> str:
    """What the numbers are of."""
    text = comparison.text
    size = len(text.encode("utf-8"))
    characters = "1 character" if len(text) == 1 else f"{len(text):,} characters"
    return f"{characters}, {'1 byte' if size == 1 else f'{size:,} bytes'}"
