"""The order in which Tab goes through the window: the order of reading, part by part."""

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

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def set_tab_order(parts: Sequence[QWidget]) -> None:
    """Let Tab go through these parts in their order, and through each as it is laid out.

    Tab does not leave a window: a floating dock has an order of its own.
    """
    stops: dict[QWidget, list[QWidget]] = {}
    for part in parts:
        stops.setdefault(part.window(), []).extend(filter(_takes_tab, in_order(part)))
    for together in stops.values():
        for before, after in pairwise(together):
            QWidget.setTabOrder(before, after)


def go_by_tab(window: QWidget, parts: Sequence[QWidget], *, forward: bool) -> bool:
    """Focus the next widget in a window, or the one before; return whether there is one.

    Tab goes through `parts` in their order, then through the rest of the window. Qt's own order
    would miss widgets where it begins again, and docks that are behind others, which are
    visible beside the window. Asking Qt for its order invalidates wrappers: each widget it
    returns becomes owned by the one before, and is deleted with it.
    """
    order = [widget for part in _parts_in_view(window, parts) for widget in in_order(part)]
    places = {widget: place for place, widget in enumerate(order)}
    start = QApplication.focusWidget()
    while start is not None and start not in places:
        start = start.parentWidget()
    place = places[start] if start is not None else -1 if forward else len(order)
    after, before = order[place + 1 :], order[: max(place, 0)]
    for widget in after + before if forward else reversed(after + before):
        if _takes_tab(widget) and widget.isVisible() and widget.isEnabled():
            reason = Qt.FocusReason
            widget.setFocus(reason.TabFocusReason if forward else reason.BacktabFocusReason)
            return True
    return False


def in_order(widget: QWidget) -> Iterator[QWidget]:
    """Return a widget and those within it, in the order in which Tab goes through them."""
    yield widget
    if _takes_tab(widget) and (isinstance(widget, QAbstractScrollArea) or widget.layout() is None):
        return
    for inner in _inner(widget):
        if inner is not None:
            yield from in_order(inner)


def _parts_in_view(window: QWidget, parts: Sequence[QWidget]) -> list[QWidget]:
    """Return the parts of a window and its other direct children, without docks behind others."""
    rest = [widget for widget in _directly_in(window) if widget not in parts]
    return [part for part in (*parts, *rest) if not part.isWindow() and not _is_behind(part)]


def _is_behind(part: QWidget) -> bool:
    """Return whether a part is a dock that is behind another one: Qt keeps it off the window."""
    return isinstance(part, QDockWidget) and not part.window().rect().intersects(part.geometry())


def _takes_tab(widget: QWidget) -> bool:
    """Return whether Tab may give the keyboard to a widget while it can be used."""
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None


def _inner(widget: QWidget) -> Iterator[QWidget | None]:
    """Return the widgets directly within one, in the order of its layout."""
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
        yield from _laid_out(layout, _directly_in(widget))


def _laid_out(layout: QLayout, widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """Return those of some widgets that a layout holds, in its order.

    Not by the items of the layout: Qt deletes them without PySide's knowledge, which then takes
    other objects in the same memory for them.
    """
    inner = [each for each in layout.children() if isinstance(each, QLayout)]
    places: dict[int, QWidget | QLayout] = {
        **{layout.indexOf(widget): widget for widget in widgets},
        **{layout.indexOf(each): each for each in inner},
    }
    for place in sorted(places.keys() - {-1}):
        part = places[place]
        if isinstance(part, QLayout):
            yield from _laid_out(part, widgets)
        else:
            yield part


def _directly_in(widget: QWidget) -> list[QWidget]:
    return widget.findChildren(QWidget, options=_DIRECT)
