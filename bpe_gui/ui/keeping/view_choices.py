"""What is chosen within the panels: tabs, searches, the order of rows, shares of room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QLineEdit,
    QSplitter,
    QTabBar,
    QTableView,
    QTabWidget,
    QWidget,
)

if TYPE_CHECKING:
    from bpe_gui.ui.main_window import MainWindow

_LONGEST = 1_000
"""Characters of a search; what goes beyond is left out."""

_MOST_PIXELS = 100_000


def choices_of(window: MainWindow) -> dict[str, Any]:
    """What is chosen now, by the object names of the widgets; for `choose`."""
    found = {name: _value(widget) for name, widget in _widgets(window, window.curves)}
    return {name: value for name, value in found.items() if value is not None}


def choose(window: MainWindow, choices: object) -> None:
    """Choose again what `choices_of` has given; what does not fit is passed over."""
    if not isinstance(choices, Mapping):
        return
    # The curves are made when they are first seen; here they have to be there before.
    curves = window.curves.board if choices.get("curveTabs") else window.curves
    for name, widget in _widgets(window, curves):
        if name in choices and choices[name] != _value(widget):
            _set(widget, choices[name])


def _widgets(window: MainWindow, curves: QWidget) -> Iterator[tuple[str, QWidget]]:
    """The widgets that choose something, by name; only those that have been made."""
    panels = window.workspace
    places: tuple[tuple[QWidget, str, type[QWidget]], ...] = (
        (panels.words, "wordsSearch", QLineEdit),
        (panels.words, "wordsOrder", QComboBox),
        (panels.vocabulary, "vocabularySearch", QLineEdit),
        (panels.vocabulary, "vocabularyTable", QTableView),
        (panels.branches, "comparedBranch", QComboBox),
        (curves, "curveTabs", QTabBar),
        (window.compare.numbers, "numbersTabs", QTabWidget),
        (window.compare.numbers, "barsNumber", QComboBox),
        (window.laboratory, "laboratoryTabs", QTabWidget),
        (window.laboratory, "laboratorySplitter", QSplitter),
        (window.text_panel, "textSplitter", QSplitter),
    )
    for parent, name, kind in places:
        widget = parent.findChild(kind, name)
        if isinstance(widget, QTableView):
            yield name, widget.horizontalHeader()
        elif isinstance(widget, QWidget):
            yield name, widget
    yield "compareSplitter", window.compare.splitter


def _value(widget: QWidget) -> object:
    match widget:
        case QLineEdit():
            return widget.text()
        case QComboBox() | QTabBar() | QTabWidget():
            return widget.currentIndex()
        case QHeaderView():
            down = widget.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
            return [widget.sortIndicatorSection(), down]
        case QSplitter() if widget.isVisibleTo(widget.window()):
            return widget.sizes()
    # What was never in view has no sizes yet.
    return None


def _set(widget: QWidget, value: object) -> None:
    match widget, value:
        case QLineEdit(), str():
            widget.setText(value[:_LONGEST])
        case QComboBox() | QTabBar() | QTabWidget(), int() if 0 <= value < widget.count():
            widget.setCurrentIndex(value)
        case QHeaderView(), [int(column), bool(down)] if 0 <= column < widget.count():
            order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
            widget.setSortIndicator(column, order)
        case QSplitter(), [*shares]:
            sizes = [size for size in shares if type(size) is int and 0 <= size <= _MOST_PIXELS]
            if len(sizes) == len(shares) == widget.count() and any(sizes):
                widget.setSizes(sizes)
