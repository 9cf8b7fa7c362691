"""A veil dims what is under it, whatever size that gets, and lets the mouse through."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.veil import Veil
from tests.ui.driving import picture, shown


def test_what_is_under_a_veil_is_dimmed_at_any_size(qtbot: QtBot) -> None:
    widget = QFrame()
    colours = widget.palette()
    colours.setColor(QPalette.ColorRole.Window, QColor("white"))
    colours.setColor(QPalette.ColorRole.Base, QColor("black"))
    widget.setPalette(colours)
    widget.setAutoFillBackground(True)
    shown(qtbot, widget, 60, 40)
    veil = Veil(widget)
    assert picture(widget).pixelColor(30, 20).lightness() == 255
    veil.lay(True)
    dimmed = picture(widget).pixelColor(30, 20).lightness()
    assert 0 < dimmed < 200
    widget.resize(200, 100)
    assert picture(widget).pixelColor(190, 90).lightness() == dimmed
    assert widget.childAt(QPoint(30, 20)) is None
    veil.lay(False)
    assert picture(widget).pixelColor(30, 20).lightness() == 255
