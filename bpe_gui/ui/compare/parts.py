"""The parts of Compare: their names, and why one has nothing to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_gui.ui.workspaces.panel_spec import Lines, PartSpec, Tables
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

if TYPE_CHECKING:
    # Its modules are loaded when it is shown, not with the window.
    from bpe_gui.ui.compare.view import CompareView

_NO_LANES = "no encoding is compared"


def _lanes(view: CompareView) -> str:
    if not view.lanes.is_empty:
        return ""
    return "there is no text" if view.numbers.table.metrics.rows else _NO_LANES


def _numbers(view: CompareView) -> str:
    return "" if view.numbers.table.metrics.rows else _NO_LANES


def _languages(view: CompareView) -> str:
    if view.numbers.texts.model.numbers.encodings:
        return ""
    return _numbers(view) or "the text that is compared is not the story in twenty languages"


def _curves(view: CompareView) -> str:
    if not view.numbers.curves.is_empty:
        return ""
    return _numbers(view) or "nothing has been measured that grows by merges"


def _number_lines(view: CompareView) -> Lines | None:
    model = view.numbers.table.metrics
    return model.lines() if model.rows else None


def _language_lines(view: CompareView) -> Lines | None:
    model = view.numbers.texts.model
    return model.lines() if model.numbers.encodings else None


def _vocabularies(view: CompareView) -> str:
    return "" if view.comparison.ready() else _NO_LANES


def _token_lines(view: CompareView) -> Lines | None:
    model = view.numbers.vocabularies.model
    return None if model.answer is None else model.lines()


_NUMBERS: Tables = {"The numbers": _number_lines}
_LANGUAGES: Tables = {"The languages": _language_lines}
_COMPARE = WorkspaceId.COMPARE
PARTS = (
    PartSpec(
        "compared-text", "The text that is compared", _COMPARE, "compareText",
        help_page="lanes", keywords="type input sample", exported=False,
    ),
    PartSpec(
        "lanes", "Lanes of tokens", _COMPARE, "laneView", "lanes",
        help_page="lanes", keywords="tokens rows coloured text",
        tour_places={"lanes": ""}, stage="lanes", emptiness=_lanes,
    ),
    PartSpec(
        "numbers", "Numbers", _COMPARE, "", "numbers",
        stage="numbers", emptiness=_numbers, tables=_NUMBERS,
    ),
    PartSpec(
        "metrics", "Numbers of each encoding, in a table", _COMPARE, "metricsTable",
        "numbers.table", help_page="numbers",
        keywords="statistics metrics fertility parity entropy count",
        tour_places={"numbers": ""}, stage="numbers", emptiness=_numbers, tables=_NUMBERS,
    ),
    PartSpec(
        "bars", "Numbers of each encoding, as bars", _COMPARE, "metricBars", "numbers.bars",
        help_page="bars", keywords="statistics metrics chart", emptiness=_numbers,
    ),
    PartSpec(
        "languages", "Languages and other texts", _COMPARE, "languageBars", "numbers.texts",
        help_page="languages",
        keywords="language cost parity tax multilingual scripts probes files heat map",
        tour_places={"languages": ""}, stage="numbers", emptiness=_languages, tables=_LANGUAGES,
    ),
    PartSpec(
        "merge-curves", "Numbers over the merges", _COMPARE, "mergeCurves", "numbers.curves",
        help_page="merge-curves", keywords="graph plot chart compression", emptiness=_curves,
    ),
    PartSpec(
        "vocabularies", "Vocabularies side by side", _COMPARE, "vocabularies",
        "numbers.vocabularies", help_page="vocabularies",
        keywords="tokens overlap jaccard suspicious unreachable glitch scripts shared",
        emptiness=_vocabularies, tables={"The vocabulary in view": _token_lines},
    ),
    PartSpec(
        "difference-list", "Differences by kind", _COMPARE, "differenceList", "list.table",
        help_page="differences", keywords="causes reasons cost count list filter disagree",
        exported=False,
    ),
    PartSpec(
        "difference", "Why the encodings differ", _COMPARE, "differenceCard", "differences.card",
        help_page="differences", keywords="explain reason disagree",
        tour_places={"difference": ""}, stage="difference", exported=False,
    ),
)  # fmt: skip
