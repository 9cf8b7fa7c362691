"""What is chosen within the panels: tabs, searches, sorting, sizes, scrolling, zoom.

As JSON by the object names of the widgets, for sessions, tours and the reset of all settings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLineEdit,
    QScrollBar,
    QSpinBox,
    QSplitter,
    QTabBar,
    QTableView,
    QTabWidget,
    QWidget,
)

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.compare.controller import CompareController
from bpe_gui.ui.explore import registry
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.laboratory.laboratory import Laboratory
from bpe_gui.ui.settings.settings import whole
from bpe_gui.ui.theme.text_size import Zoom
from bpe_gui.ui.widgets.search_tools import ChoiceMenu

_LONGEST = 1_000
"""Characters of a search; what goes beyond is left out."""
_MOST_PIXELS = 100_000
_FURTHEST = 10**9
"""Of a scroll bar."""
_LARGEST = 1_000
"""Times as large as usual is more than anything is drawn."""
_PATIENCE = 2_000
"""Milliseconds without anything new, after which all that there was to see is there."""

_OF_COMPARE = (
    "numbersTabs", "barsNumber", "barsBestFirst", "languageNumber", "parityReference",
    "curvesNumber", "curvesLogarithmic", "metricsTable", "languageTable", "compareSplitter",
    "differenceSplitter", "compareText", "laneView", "laneZoom",
)  # fmt: skip
_OF_LABORATORY = (
    "laboratoryTabs", "laboratorySplitter", "laboratoryTextSplitter", "boundarySplitter",
    "lockstepSplitter", "boundaryDraftButton", "firstRecipe", "secondRecipe", "thirdRecipe",
    "lockstepSizeBox", "laboratoryText", "pipelineView", "slopeChart", "pipelineZoom",
)  # fmt: skip
_BY_DATA = ("firstRecipe", "secondRecipe", "thirdRecipe")
"""Boxes whose entries come and go: what is chosen is known by its data."""
_MAXIMIZED = ("lanes_alone", "numbers_alone")
"""Actions that maximize a part of the compare view."""


class ViewState(QObject):
    """Reads what is chosen in a window, and sets it again.

    Compare, the laboratory and some panels are made when they are needed; their values wait for
    that.
    """

    def __init__(
        self,
        explore: ExploreView,
        compare: CompareController,
        laboratory: Laboratory,
        actions: Actions,
    ) -> None:
        super().__init__(explore)
        self._explore = explore
        self._compare = compare
        self._laboratory = laboratory
        self._actions = actions
        self._waiting: dict[str, Any] = {}
        self._defaults = self._with_others_of({})
        """The values of a new window, without those of splitters, which are settings."""
        for workspace in (explore, compare, laboratory):
            workspace.made.connect(self._on_made)

    def values(self) -> dict[str, Any]:
        """Return what is chosen now, by object names; what was never made says nothing."""
        found = {name: value_of(widget) for name, widget in self._widgets()}
        chosen = {name: value for name, value in found.items() if value is not None}
        maximized = {name: getattr(self._actions, name).isChecked() for name in _MAXIMIZED}
        return {**self._waiting, **chosen, **maximized}

    def set_values(self, values: object) -> None:
        """Set what `values` returned, and what that does not tell as in a new window.

        A value that does not fit is ignored.
        """
        self._waiting = {}
        if not isinstance(values, Mapping):
            return
        values = {**self._defaults, **values}
        for name in _MAXIMIZED:
            action = getattr(self._actions, name)
            if values.get(name, False) is (not action.isChecked()):
                action.trigger()
        of_panels = (name for spec in registry.PANELS for name in spec.choices)
        late = (*_OF_COMPARE, *_OF_LABORATORY, *of_panels)
        self._waiting = {name: values[name] for name in late if name in values}
        self._set(values)

    @Slot()
    def _on_made(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self._defaults = self._with_others_of(self._defaults)
        self._waiting = waiting
        self._set(dict(waiting))

    def _with_others_of(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Add the values of widgets that are not known yet, which nobody has changed so far."""
        values = {**self.values(), **known}
        splitters = {name for name, widget in self._widgets() if isinstance(widget, QSplitter)}
        return {name: value for name, value in values.items() if name not in splitters}

    def _set(self, values: Mapping[str, Any]) -> None:
        for name, widget in self._widgets():
            self._waiting.pop(name, None)
            if name in values and values[name] != value_of(widget):
                set_value(widget, values[name])

    def _widgets(self) -> Iterator[tuple[str, QObject]]:
        yield from _chosen_in(self._explore)
        yield from _found(self._compare, _OF_COMPARE)
        yield from _found(self._laboratory, _OF_LABORATORY)


def shown_in(explore: ExploreView) -> dict[str, object]:
    """Return which of several things panels show, by object names, for their pictures."""
    boxes = (one for one in _chosen_in(explore) if isinstance(one[1], QComboBox | QTabBar))
    values = {name: value_of(widget) for name, widget in boxes}
    return {name: value for name, value in values.items() if value is not None}


def show_in(explore: ExploreView, shown: Mapping[str, object]) -> None:
    """Show in other panels what `shown_in` returned."""
    for name, widget in _chosen_in(explore):
        if name in shown:
            set_value(widget, shown[name])


def _chosen_in(explore: ExploreView) -> Iterator[tuple[str, QObject]]:
    for spec in registry.PANELS:
        if explore.has_panel(spec.name):
            yield from _found(explore.panel(spec.name), spec.choices)


def _found(parent: QWidget, names: Iterable[str]) -> Iterator[tuple[str, QObject]]:
    for name in names:
        widget = parent.findChild(QObject, name)
        if isinstance(widget, QObject):
            yield name, widget


def value_of(widget: QObject) -> object:
    """Return what is chosen in a widget; None if there is nothing to tell.

    Of a sortable table that is the order; of other scroll areas how far they are scrolled and
    how far they could be.
    """
    match widget:
        case Zoom():
            return widget.factor
        case QLineEdit():
            return widget.text()
        case QComboBox() if widget.objectName() in _BY_DATA:
            return widget.currentData()
        case QComboBox() | QTabBar() | QTabWidget():
            return widget.currentIndex() if widget.currentIndex() >= 0 else None
        case QSpinBox():
            return widget.value()
        case ChoiceMenu():
            return list(widget.chosen)
        case QAbstractButton():
            return widget.isChecked()
        case QSplitter():
            return sizes_of(widget)
        case QTableView():
            header = widget.horizontalHeader()
            column, order = header.sortIndicatorSection(), header.sortIndicatorOrder()
            is_sorted = header.isSortIndicatorShown() and 0 <= column < header.count()
            return [column, order is Qt.SortOrder.DescendingOrder] if is_sorted else None
        case QAbstractScrollArea():
            bar = widget.verticalScrollBar()
            return [bar.value(), bar.maximum()] if bar.value() else None
    return None


def set_value(widget: QObject, value: object) -> None:
    """Set what `value_of` returned; a value that does not fit is ignored."""
    match widget, value:
        case Zoom(), int() | float() if 0 < value <= _LARGEST:
            widget.set_factor(value)
        case QLineEdit(), str():
            widget.setText(value[:_LONGEST])
        case QComboBox(), str() if widget.findData(value) >= 0:
            widget.setCurrentIndex(widget.findData(value))
        case QComboBox() | QTabBar() | QTabWidget(), int() if 0 <= value < widget.count():
            widget.setCurrentIndex(value)
        case QSpinBox(), int() if widget.minimum() <= value <= widget.maximum():
            widget.setValue(value)
        case ChoiceMenu(), _:
            names = value if isinstance(value, list) else []
            widget.set_chosen([name for name in names if isinstance(name, str)])
        case QAbstractButton(), bool():
            # With all that a click brings about.
            if widget.isEnabled() and widget.isChecked() is not value:
                widget.click()
        case QSplitter(), _:
            with suppress(ValueError):
                set_sizes(widget, value)
        case QTableView(), [int(column), bool(down)]:
            if 0 <= column < (header := widget.horizontalHeader()).count():
                order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
                header.setSortIndicator(column, order)
        case QAbstractScrollArea(), [int(place), int(end)] if 0 < place <= end <= _FURTHEST:
            _Scroll(widget.verticalScrollBar(), place / end)


def sizes_of(splitter: QSplitter) -> list[int] | None:
    """Return the sizes of its parts; None while some are hidden or it was never in view."""
    sizes = splitter.sizes()
    return sizes if all(sizes) else None


def set_sizes(splitter: QSplitter, sizes: object) -> None:
    """Set what `sizes_of` returned. Raises ValueError for a value that does not fit."""
    if not isinstance(sizes, list) or len(sizes) != splitter.count():
        raise ValueError("not as many sizes as parts")
    splitter.setSizes([whole(size, 1, _MOST_PIXELS) for size in sizes])


class _Scroll(QObject):
    """Scrolls to a place as soon as there is so much to be seen, unless the user has scrolled.

    What is shown is tokenized and laid out bit by bit, after the session is open.
    """

    def __init__(self, bar: QScrollBar, share: float) -> None:
        super().__init__(bar)
        self._bar, self._share = bar, share
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._end)
        bar.rangeChanged.connect(self._go)
        bar.actionTriggered.connect(self._end)
        self._go()

    @Slot()
    def _go(self) -> None:
        self._bar.setValue(round(self._share * self._bar.maximum()))
        self._patience.start()

    @Slot()
    def _end(self) -> None:
        self._patience.stop()
        self._bar.rangeChanged.disconnect(self._go)
        self._bar.actionTriggered.disconnect(self._end)
        self.deleteLater()
