"""The parts of Compare that can be exported: what they are called, and why one is empty."""

from __future__ import annotations

from operator import attrgetter

from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.workspaces.panel_spec import Lines, PartSpec, Tables

_NO_LANES = "no encoding is compared"


def _lanes(view: CompareView) -> str:
    if not view.lanes.is_empty:
        return ""
    return "there is no text" if view.numbers.table.model.rows else _NO_LANES


def _numbers(view: CompareView) -> str:
    return "" if view.numbers.table.model.rows else _NO_LANES


def _languages(view: CompareView) -> str:
    if view.numbers.languages.model.columns:
        return ""
    return _numbers(view) or "the text that is compared is not the story in twenty languages"


def _curves(view: CompareView) -> str:
    if not view.numbers.curves.is_empty:
        return ""
    return _numbers(view) or "nothing has been measured that grows by merges"


def _number_lines(view: CompareView) -> Lines | None:
    model = view.numbers.table.model
    return model.lines() if model.rows else None


def _language_lines(view: CompareView) -> Lines | None:
    model = view.numbers.languages.model
    return model.lines() if model.columns else None


_NUMBERS: Tables = {"The numbers": _number_lines}
_LANGUAGES: Tables = {"The languages": _language_lines}
_find = attrgetter
PARTS = (
    PartSpec("lanes", "Lanes", _find("lanes"), _lanes),
    PartSpec("numbers", "Numbers", _find("numbers"), _numbers, _NUMBERS),
    PartSpec("metrics", "The table of numbers", _find("numbers.table"), _numbers, _NUMBERS),
    PartSpec("bars", "The numbers as bars", _find("numbers.bars"), _numbers),
    PartSpec("languages", "Languages", _find("numbers.languages"), _languages, _LANGUAGES),
    PartSpec("merge-curves", "Numbers over the merges", _find("numbers.curves"), _curves),
)
