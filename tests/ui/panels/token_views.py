"""Showing texts in a token view, looking at it, and using it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.tokens.edited_text import EditedText
from bpe_gui.ui.widgets.motion import MergeMotion
from tests.ui.driving import colours, picture, shown

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot: QtBot) -> TokenView:
    """A view in a window of its own."""
    return shown(qtbot, TokenView(MergeMotion(None)), 420, 260)


_edited: WeakKeyDictionary[TokenView, dict[History, EditedText]] = WeakKeyDictionary()


def show(view: TokenView, text: str, history: History, position: int) -> None:
    """Show a text as it is cut at a position."""
    of_view = _edited.setdefault(view, {})
    edited = of_view.setdefault(history, EditedText(history))
    edited.edit(text)
    view.set_cut(edited.cut(position), history, position, edited.merging(position))


def has_colour(view: TokenView, name: str) -> bool:
    """Whether any pixel has exactly that colour."""
    return QColor(name).name() in colours(picture(view))


def click(view: TokenView, token: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Click in the middle of a token."""
    QTest.mouseClick(view.viewport(), LEFT, modifiers, view.token_center(token))


def press(view: TokenView, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Press a key in the view."""
    QTest.keyClick(view, key, modifiers)


def copied(view: TokenView) -> str:
    """What Ctrl+C copies now."""
    QGuiApplication.clipboard().clear()
    press(view, Qt.Key.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()
