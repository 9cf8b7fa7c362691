"""What of a window has nothing to show yet, or must not be shown now, and why.

A picture of a panel that only invites to do something, or a table that tells what an audience
is guessing, is of no use to anybody: it is not made, and one sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bpe_gui.ui.explore import registry

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow

_NO_RUN = "there is no run yet"
_NO_TEXT = "there is no text"
_NO_LANES = "no encoding is compared"
_TELLING = frozenset(("boundaries", "lockstep"))
"""The panels of the laboratory with tables that go on behind the cursor."""


def nothing_in(window: MainWindow, panel: str) -> str:
    """Why a panel has nothing to show, as the end of a sentence; empty if it has something.

    A panel that has not been in view may have something only when it is looked at.
    """
    spec = registry.named(panel)
    if (spec is not None or panel == "timeline") and window.player.history is None:
        return _NO_RUN
    if spec is not None:
        return spec.emptiness(window.workspace.by_name[panel])
    find = _REASONS.get(panel)
    return find(window) if find is not None else ""


def why_not_told(window: MainWindow, panel: str = "") -> str:
    """Why the tables of a panel, or by default the run behind the cursor, are not to be told.

    One sentence; empty if nobody is guessing, or they give nothing away.
    """
    if not window.actions_.guess.isChecked() or (panel and not _tells_next(panel)):
        return ""
    return "The next merge is being guessed, and this would tell it; end the guessing first."


def _tells_next(panel: str) -> bool:
    """Whether tables go on behind the cursor; that of a word ends there while it is covered."""
    spec = registry.named(panel)
    return spec.tells_next if spec is not None else panel in _TELLING


def _lanes(window: MainWindow) -> str:
    if not window.compare.lanes.is_empty:
        return ""
    return _NO_TEXT if window.compare.numbers.table.model.rows else _NO_LANES


def _numbers(window: MainWindow) -> str:
    return "" if window.compare.numbers.table.model.rows else _NO_LANES


def _languages(window: MainWindow) -> str:
    if window.compare.numbers.languages.model.columns:
        return ""
    return _numbers(window) or "the text that is compared is not the story in twenty languages"


def _merge_curves(window: MainWindow) -> str:
    if not window.compare.numbers.curves.is_empty:
        return ""
    return _numbers(window) or "nothing has been measured that grows by merges"


def _pipeline(window: MainWindow) -> str:
    return _NO_TEXT if window.laboratory.view.pipeline.is_empty else ""


def _boundaries(window: MainWindow) -> str:
    panel = window.laboratory.view.boundaries
    if panel.pair_lines() is not None:
        return ""
    said = panel.sentence.rstrip(".")
    return said[:1].lower() + said[1:] or _NO_RUN


def _lockstep(window: MainWindow) -> str:
    trained = window.laboratory.view.lockstep.chart.lockstep is not None
    return "" if trained else "no recipes have been trained in lockstep"


_REASONS: Mapping[str, Callable[[MainWindow], str]] = {
    "lanes": _lanes,
    "numbers": _numbers,
    "metrics": _numbers,
    "bars": _numbers,
    "languages": _languages,
    "merge-curves": _merge_curves,
    "pipeline": _pipeline,
    "boundaries": _boundaries,
    "lockstep": _lockstep,
}
