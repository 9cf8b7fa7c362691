"""The base of all painted views."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPicture
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


class _TooLow(Canvas[int]):
    def draw(self, painter: QPainter, area: QRect) -> None:
        painter.fillRect(0, 0, 10, self.height() + 10, Qt.GlobalColor.red)


def test_nothing_is_drawn_beyond_a_viewport_where_a_picture_has_no_bounds_of_its_own(
    qtbot: QtBot,
) -> None:
    """As on pages of PDF: half a row of the pipeline was there below its last system."""
    canvas = _TooLow("tooLow", "Too low")
    qtbot.addWidget(canvas)
    canvas.resize(100, 100)
    canvas.fit_viewport(60)
    recorded, image = QPicture(), QImage(100, 110, QImage.Format.Format_RGB32)
    canvas.grab()  # it has its size by then
    canvas.viewport().render(recorded, QPoint())
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        painter.drawPicture(0, 0, recorded)
    bottom = canvas.viewport().height()
    assert 50 < bottom < 100
    assert image.pixelColor(5, bottom - 2) == Qt.GlobalColor.red
    assert image.pixelColor(5, bottom + 2) == Qt.GlobalColor.white
