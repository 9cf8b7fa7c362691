"""Widgets in tests: shown at a size, found by name, told to act, and photographed."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

Widget = TypeVar("Widget", bound=QWidget)
Child = TypeVar("Child", bound=QObject)


def shown(qtbot: QtBot, widget: Widget, width: int, height: int) -> Widget:
    """The widget in a window of its own, which is closed after the test."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def child(parent: QWidget, kind: type[Child], name: str) -> Child:
    """The child of that kind and object name, which must be there."""
    found = parent.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def act(window: QWidget, name: str) -> None:
    """Trigger an action of the window by its object name, as a menu does."""
    child(window, QAction, name).trigger()


def picture(widget: QWidget) -> QImage:
    """What the widget looks like now."""
    return widget.grab().toImage()


def pixels(image: QImage) -> NDArray[np.uint32]:
    """The colours of a picture as `QColor.rgb()` gives them, rows by columns.

    To ask an image for each of a million pixels takes a second.
    """
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    return np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width()).copy()


def colours(image: QImage) -> set[str]:
    """The colours that a picture has, as #rrggbb."""
    return {QColor(int(colour)).name() for colour in np.unique(pixels(image))}


def active(qtbot: QtBot, widget: Widget) -> Widget:
    """The widget, once its window has the keyboard: shortcuts need it."""
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    return widget
