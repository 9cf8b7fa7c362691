"""What is chosen in a widget, as JSON, and how it is chosen again."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QScrollBar,
    QSpinBox,
    QSplitter,
    QTabBar,
    QTableView,
    QTabWidget,
)

from bpe_gui.ui.laboratory.recipe_choice import RecipeChoice
from bpe_gui.ui.laboratory.row_area import RowArea
from bpe_gui.ui.settings.choices import whole
from bpe_gui.ui.theme.text_size import Zoom

_LONGEST = 1_000
"""Characters of a search; what goes beyond is left out."""

_MOST_PIXELS = 100_000

_FURTHEST = 10**9
"""Of a scroll bar."""

_LARGEST = 1_000
"""Times as large as usual is more than anything is drawn."""

_PATIENCE = 2_000
"""Milliseconds without anything new, after which all that there was to see is there."""


def value_of(widget: QObject) -> object:
    """What is chosen in a widget, or for several; None if there is nothing to tell.

    Of a table that is sorted by its headings it is the order, of others how far they are
    scrolled, as a number and how far that could be; of what zooms the proportion as well.
    """
    match widget:
        case Zoom():
            return widget.factor
        case RowArea():
            bar = widget.verticalScrollBar()
            return [widget.zoomed, bar.value(), bar.maximum()]
        case QLineEdit():
            return widget.text()
        case RecipeChoice():
            return widget.key
        case QComboBox() | QTabBar() | QTabWidget():
            return widget.currentIndex()
        case QSpinBox():
            return widget.value()
        case QAbstractButton():
            return widget.isChecked()
        case QSplitter():
            return sizes_of(widget)
        case QTableView():
            return _order(widget.horizontalHeader())
        case QAbstractScrollArea():
            bar = widget.verticalScrollBar()
            return [bar.value(), bar.maximum()] if bar.value() else None
    return None


def set_value(widget: QObject, value: object) -> None:
    """Choose again what `value_of` has told; what makes no sense is passed over."""
    match widget, value:
        case Zoom(), int() | float() if 0 < value <= _LARGEST:
            widget.set_factor(value)
        case RowArea(), [int() | float() as zoom, int(place), int(end)] if (
            0 < zoom <= _LARGEST and 0 <= place <= end <= _FURTHEST
        ):
            widget.zoom_to(zoom)
            _Scroll(widget.verticalScrollBar(), place / max(end, 1))
        case QLineEdit(), str():
            widget.setText(value[:_LONGEST])
        case RecipeChoice(), str():
            widget.refresh()
            if widget.findData(value) >= 0:
                widget.choose(value)
        case QComboBox() | QTabBar() | QTabWidget(), int() if 0 <= value < widget.count():
            widget.setCurrentIndex(value)
        case QSpinBox(), int() if widget.minimum() <= value <= widget.maximum():
            widget.setValue(value)
        case QAbstractButton(), bool():
            # With all that a click brings about.
            if widget.isEnabled() and widget.isChecked() is not value:
                widget.click()
        case QSplitter(), _:
            with suppress(ValueError):
                set_sizes(widget, value)
        case QTableView(), [int(column), bool(down)]:
            _sort(widget.horizontalHeader(), column, down=down)
        case QAbstractScrollArea(), [int(place), int(end)] if 0 < place <= end <= _FURTHEST:
            _Scroll(widget.verticalScrollBar(), place / end)


def sizes_of(splitter: QSplitter) -> list[int] | None:
    """The sizes of its parts; None while some are hidden or it was never in view."""
    sizes = splitter.sizes()
    return sizes if all(sizes) else None


def set_sizes(splitter: QSplitter, sizes: object) -> None:
    """Give its parts what `sizes_of` has told. Raises ValueError for what makes no sense."""
    if not isinstance(sizes, list) or len(sizes) != splitter.count():
        raise ValueError("not as many sizes as parts")
    splitter.setSizes([whole(size, 1, _MOST_PIXELS) for size in sizes])


def _order(header: QHeaderView) -> object:
    column = header.sortIndicatorSection()
    if not header.isSortIndicatorShown() or not 0 <= column < header.count():
        return None
    return [column, header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder]


def _sort(header: QHeaderView, column: int, *, down: bool) -> None:
    if 0 <= column < header.count():
        order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        header.setSortIndicator(column, order)


class _Scroll(QObject):
    """Scrolls to a place as soon as there is so much to be seen, unless the user has scrolled.

    What is shown is cut and laid out bit by bit, after the session is open.
    """

    def __init__(self, bar: QScrollBar, share: float) -> None:
        super().__init__(bar)
        self._bar, self._share = bar, share
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE)
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
