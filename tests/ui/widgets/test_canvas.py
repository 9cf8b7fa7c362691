"""The base of all painted views."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from pytestqt.qtbot import QtBot

from bpe_gui.ui.widgets.canvas import Canvas
from tests.ui.driving import picture


class _Failing(Canvas[int]):
    fails = True

    def draw(self, painter: QPainter, area: QRect) -> None:
        if self.fails:
            raise ValueError("it cannot be drawn")


def test_what_cannot_be_drawn_is_an_error_and_ends_no_program(qtbot: QtBot) -> None:
    """Qt ends the program where a painter outlives the event, as the traceback would have it."""
    canvas = _Failing("failing", "Failing")
    qtbot.addWidget(canvas)
    with pytest.raises(ValueError, match="it cannot be drawn"):
        picture(canvas)
    canvas.fails = False
    assert not picture(canvas).isNull()
