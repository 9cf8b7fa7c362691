"""What is chosen within the panels: tabs, searches, order of rows, room, scrolling, zoom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLineEdit,
    QSpinBox,
    QSplitter,
    QTabBar,
    QTableView,
    QTabWidget,
    QWidget,
)

from bpe_gui.ui.laboratory.row_area import RowArea
from bpe_gui.ui.settings.widget_values import set_value, value_of
from bpe_gui.ui.theme.text_size import Zoom

if TYPE_CHECKING:
    from bpe_gui.ui.shell.main_window import MainWindow

_Kinds = Mapping[str, type[QObject]]

_OF_WORDS: _Kinds = {
    "wordsSearch": QLineEdit, "wordsOrder": QComboBox,
}  # fmt: skip
_OF_VOCABULARY: _Kinds = {
    "vocabularySearch": QLineEdit, "vocabularyTable": QTableView,
    "followNewest": QAbstractButton,
}  # fmt: skip
_OF_NUMBERS: _Kinds = {
    "numbersTabs": QTabWidget, "barsNumber": QComboBox, "barsBestFirst": QAbstractButton,
    "languageNumber": QComboBox, "parityReference": QComboBox, "curvesNumber": QComboBox,
    "curvesLogarithmic": QAbstractButton, "metricsTable": QTableView,
    "languageTable": QTableView,
}  # fmt: skip
_OF_LABORATORY: _Kinds = {
    "laboratoryTabs": QTabWidget, "laboratorySplitter": QSplitter,
    "laboratoryTextSplitter": QSplitter, "wallSplitter": QSplitter,
    "lockstepSplitter": QSplitter, "wallDraftButton": QAbstractButton,
    "firstRecipe": QComboBox, "secondRecipe": QComboBox, "thirdRecipe": QComboBox,
    "lockstepSizeBox": QSpinBox, "laboratoryText": QAbstractScrollArea,
    "pipelineView": QAbstractScrollArea, "slopeChart": RowArea, "pipelineZoom": Zoom,
}  # fmt: skip
_OF_COMPARING: _Kinds = {
    "compareSplitter": QSplitter, "differenceSplitter": QSplitter,
    "compareText": QAbstractScrollArea, "laneView": QAbstractScrollArea, "laneZoom": Zoom,
}  # fmt: skip
_OF_TEXT: _Kinds = {
    "textSplitter": QSplitter, "sampleText": QAbstractScrollArea,
    "tokenView": QAbstractScrollArea, "tokenIds": QAbstractScrollArea, "textZoom": Zoom,
}  # fmt: skip
_ALONE = ("lanes_alone", "numbers_alone")
"""Actions that say which part of the compare view is alone."""


class ViewState(QObject):
    """Tells what is chosen in a window, and chooses it again.

    What is made only when it is first seen has its choices kept for it until then.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._waiting: dict[str, Any] = {}
        self._first = self._first_of_others({})
        window.laboratory.made.connect(self._on_made)

    def taken(self) -> dict[str, Any]:
        """What is chosen now, by the object names of the widgets; for `choose`."""
        alone = {name: getattr(self._window.actions_, name).isChecked() for name in _ALONE}
        found = {name: value_of(widget) for name, widget in _widgets(self._window)}
        told = {name: value for name, value in found.items() if value is not None}
        return {**self._waiting, **told, **alone}

    def choose_first(self) -> None:
        """Choose what a new window begins with; the handles are for others."""
        self.choose(self._first)

    def _first_of_others(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """What has been chosen by nobody yet, besides what is known of before."""
        handles = {n for n, widget in _widgets(self._window) if isinstance(widget, QSplitter)}
        return {n: value for n, value in {**self.taken(), **known}.items() if n not in handles}

    def choose(self, choices: object) -> None:
        """Choose again what was taken; what does not fit is passed over."""
        self._waiting = {}
        if not isinstance(choices, Mapping):
            return
        # The curves are made when they are first seen; here they have to be there before.
        if choices.get("curveTabs"):
            self._window.curves.show_curve(0)
        for name in _ALONE:
            action = getattr(self._window.actions_, name)
            if choices.get(name, False) is (not action.isChecked()):
                action.trigger()
        self._waiting = {name: choices[name] for name in _OF_LABORATORY if name in choices}
        self._choose(choices)

    @Slot()
    def _on_made(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self._first = self._first_of_others(self._first)
        self._waiting = waiting
        self._choose(dict(waiting))

    def _choose(self, choices: Mapping[str, Any]) -> None:
        for name, widget in _widgets(self._window):
            self._waiting.pop(name, None)
            if name in choices and choices[name] != value_of(widget):
                set_value(widget, choices[name])


def _widgets(window: MainWindow) -> Iterator[tuple[str, QObject]]:
    """The widgets that choose something, by name; only those that have been made."""
    panels = window.workspace
    places: tuple[tuple[QWidget, _Kinds], ...] = (
        (panels.words, _OF_WORDS),
        (panels.vocabulary, _OF_VOCABULARY),
        (panels.branches, {"comparedBranch": QComboBox}),
        (panels.token_tree, {"treeCanvas": QAbstractScrollArea}),
        (window.curves, {"curveTabs": QTabBar}),
        (window.compare.numbers, _OF_NUMBERS),
        (window.compare, _OF_COMPARING),
        (window.text_panel, _OF_TEXT),
        (window.laboratory, _OF_LABORATORY),
    )
    for parent, kinds in places:
        for name, kind in kinds.items():
            widget = parent.findChild(kind, name)
            if isinstance(widget, QObject):
                yield name, widget
