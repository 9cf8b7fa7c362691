"""The order in which Tab goes through the window: as one reads it, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDockWidget,
    QLayout,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QWidget,
)


def set_tab_order(parts: Sequence[QWidget]) -> None:
    """Let Tab go through these parts in their order, and through each as it is laid out."""
    stops = [stop for part in parts for stop in _stops(part)]
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def go_by_tab(window: QWidget, *, forward: bool) -> bool:
    """Give the keyboard to the next stop in a window, or to the one before; whether there is one.

    Where the order begins anew Qt takes what follows the window itself, be it a stop or only
    led from there to one, and misses all that comes before that. And it leaves docks that are
    behind others visible, beside the window.
    """
    focus = QApplication.focusWidget()
    start = focus if focus is not None and window.isAncestorOf(focus) else window
    widget: QWidget | None = start
    while widget is not None:
        widget = widget.nextInFocusChain() if forward else widget.previousInFocusChain()
        if widget is None or widget is start:
            break
        if _is_stop(widget) and widget.isVisible() and not _is_behind(widget):
            reason = Qt.FocusReason
            widget.setFocus(reason.TabFocusReason if forward else reason.BacktabFocusReason)
            return True
    return False


def _is_stop(widget: QWidget) -> bool:
    """Whether Tab may give the keyboard to a widget that is in view."""
    return _wants_tab(widget) and widget.isEnabled() and widget.focusProxy() is None


def _is_behind(widget: QWidget) -> bool:
    """Whether a widget stands in a dock that is behind another one: Qt keeps it off the window."""
    dock: QWidget | None = widget
    while dock is not None and not isinstance(dock, QDockWidget):
        dock = dock.parentWidget()
    if dock is None or dock.isWindow():
        return False
    return not dock.window().rect().intersects(dock.geometry())


def _stops(widget: QWidget) -> Iterator[QWidget]:
    """What takes the keyboard by Tab, itself or within it."""
    takes = _wants_tab(widget) and widget.focusProxy() is None
    if takes:
        yield widget
    if takes and (isinstance(widget, QAbstractScrollArea) or widget.layout() is None):
        return
    for inner in _inner(widget):
        if inner is not None:
            yield from _stops(inner)


def _inner(widget: QWidget) -> Iterator[QWidget | None]:
    """The widgets directly within one, in the order of its layout."""
    layout = widget.layout()
    if isinstance(widget, QDockWidget | QScrollArea):
        yield widget.widget()
    elif isinstance(widget, QTabWidget):
        yield widget.tabBar()
        yield widget.cornerWidget()
        yield from map(widget.widget, range(widget.count()))
    elif isinstance(widget, QSplitter | QStackedWidget):
        yield from map(widget.widget, range(widget.count()))
    elif layout is not None:
        yield from _laid_out(layout)


def _laid_out(layout: QLayout) -> Iterator[QWidget | None]:
    for item in map(layout.itemAt, range(layout.count())):
        inner = item.layout() if item is not None else None
        if inner is not None:
            yield from _laid_out(inner)
        elif item is not None:
            yield item.widget()


def _wants_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
