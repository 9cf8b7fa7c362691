"""Where a window and its docks are, as text that Qt can read again.

Qt reads the state of docks without a check, and a few changed bits end the program. So a checksum
is stored with it.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from bpe_gui.ui.settings.settings import whole


def encoded(state: QByteArray) -> str:
    """Return the bytes of Qt as text with their checksum."""
    data = bytes(state.data())
    return f"{zlib.crc32(data):08x} {base64.b64encode(data).decode()}"


def decoded(text: str) -> QByteArray:
    """Return the bytes that `encoded` was given. Raises ValueError if they are others."""
    checksum, _, written = text.partition(" ")
    data = base64.b64decode(written, validate=True)
    if checksum != f"{zlib.crc32(data):08x}":
        raise ValueError("the state is damaged")
    return QByteArray(data)


def bring_onto_screen(window: QMainWindow) -> None:
    """Move and shrink a window that reaches beyond its screen, as Qt does with a stored one."""
    window.restoreGeometry(window.saveGeometry())


_FURTHEST = 100_000
_AREAS = (
    Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.TopDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea,
)  # fmt: skip


def put_window(window: QMainWindow, place: Mapping[str, Any]) -> None:
    """Give a window its size, place and state. Raises ValueError or KeyError for nonsense."""
    width, height = (whole(place[side], 1, _FURTHEST) for side in ("width", "height"))
    x, y = (whole(place.get(axis, 0), -_FURTHEST, _FURTHEST) for axis in ("x", "y"))
    window.setGeometry(x, y, width, height)
    bring_onto_screen(window)
    if place.get("maximized") is True:
        window.setWindowState(Qt.WindowState.WindowMaximized)


def arrange_docks(window: QMainWindow, areas: list[dict[str, Any]]) -> None:
    """Arrange the docks of a window. Raises ValueError, KeyError or TypeError for nonsense.

    An area is `{"area": 0 to 3, "group": GROUP}`. The items of a group are below each other
    (`{"down": true, "tab": null, "items": [...]}`), beside each other, or tabs, of which the
    one with the number `tab` is in front. An item is a dock, `{"dock": NAME, "visible": true,
    "at": [place, size]}` or `{..., "floating": [x, y, width, height]}`, or again a group,
    `{"at": [place, size], "group": GROUP}`.
    """
    docks = {dock.objectName(): dock for dock in window.findChildren(QDockWidget)}
    for area in areas:
        place = _AREAS[whole(area["area"], 0, len(_AREAS) - 1)]
        items = [item for item in area["group"]["items"] if _first(item, docks)]
        if items and (first := _first(items[0], docks)):
            window.addDockWidget(place, first)
            _arrange(window, area["group"], docks)
    for item in (item for area in areas for item in _leaves(area)):
        if dock := docks.get(item["dock"]):
            dock.setFloating("floating" in item)
            if "floating" in item:
                numbers = (whole(number, -_FURTHEST, _FURTHEST) for number in item["floating"])
                dock.setGeometry(*numbers)
            dock.setVisible(item["visible"] is True)


def _arrange(window: QMainWindow, group: dict[str, Any], docks: dict[str, QDockWidget]) -> None:
    """Put the docks of a group around its first, which has its place."""
    items = [(item, dock) for item in group["items"] if (dock := _first(item, docks))]
    direction = Qt.Orientation.Vertical if group["down"] else Qt.Orientation.Horizontal
    for (_, before), (_, dock) in pairwise(items):
        if group["tab"] is None:
            window.splitDockWidget(before, dock, direction)
        else:
            window.tabifyDockWidget(before, dock)
    for item, _ in items:
        if "group" in item:
            _arrange(window, item["group"], docks)
    if group["tab"] is not None:
        docks[group["items"][group["tab"]]["dock"]].raise_()
        return
    seen = [(item, dock) for item, dock in items if any(i["visible"] for i in _leaves(item))]
    sizes = [whole(item["at"][1], 0, _FURTHEST) for item, _ in seen]
    window.resizeDocks([dock for _, dock in seen], sizes, direction)


def _leaves(item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "group" not in item:
        yield item
    else:
        for inner in item["group"]["items"]:
            yield from _leaves(inner)


def _first(item: dict[str, Any], docks: dict[str, QDockWidget]) -> QDockWidget | None:
    """Return the first dock of an item that the window has and that does not float."""
    return next(
        (docks[i["dock"]] for i in _leaves(item) if i["dock"] in docks and "floating" not in i),
        None,
    )
