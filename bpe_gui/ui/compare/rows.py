"""What the table of numbers says of the lanes of a comparison."""

from __future__ import annotations

from bpe_gui.ui.compare.comparison import Comparison
from bpe_gui.ui.compare.metrics_model import MetricsRow

_LOSSLESS = "yes"


def rows_of(comparison: Comparison) -> list[MetricsRow]:
    """A row for each lane, in their order, those without numbers yet included."""
    result = comparison.result
    found = {lane.key: lane for lane in result.lanes} if result is not None else {}
    rows = []
    for lane in comparison.lanes:
        cut = found.get(lane.key)
        if cut is None or cut.metrics is None or cut.check is None:
            status = lane.status or (cut.problem if cut is not None else "")
            rows.append(MetricsRow(lane.key, lane.name, None, status=status))
            continue
        checked = _LOSSLESS if cut.check.is_lossless else cut.check.label
        rows.append(
            MetricsRow(
                lane.key,
                lane.name,
                cut.metrics,
                checked=checked,
                explanation=cut.check.label,
                lossy=not cut.check.is_lossless,
            )
        )
    return rows


def said_of(comparison: Comparison) -> str:
    """What the numbers are of."""
    size = len(comparison.text.encode("utf-8"))
    return f"{len(comparison.text):,} characters, {size:,} bytes"
