"""Widgets in tests: shown at a size, found by name, told to act, and photographed."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QImage
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


def active(qtbot: QtBot, widget: Widget) -> Widget:
    """The widget, once its window has the keyboard: shortcuts need it."""
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    return widget
