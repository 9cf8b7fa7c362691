"""Showing texts in a token view, looking at it, and using it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest

from bpe_gui.bpe.history import History
from bpe_gui.bpe.tokenizer import Trace
from bpe_gui.bpe.visible import visible
from bpe_gui.ui.panels.token_view import TokenView
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.cut import Cut
from bpe_gui.ui.tokens.word_ends import WordEnds
from tests.ui.widgets import picture

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


def show(view: TokenView, text: str, history: History, position: int) -> None:
    """Show a text as it is cut at a position."""
    tokens = Trace(history, text, compiled=False).tokens(position)
    closes = WordEnds(history).of(tokens.ids)
    cut = Cut(Characters(text), tokens, closes, lambda token: visible(history.content(token)))
    view.set_cut(cut, history, position)


def has_colour(view: TokenView, name: str) -> bool:
    """Whether any pixel has exactly that colour."""
    image = picture(view)
    wanted = QColor(name).rgb()
    return any(
        image.pixel(x, y) == wanted for y in range(image.height()) for x in range(image.width())
    )


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
