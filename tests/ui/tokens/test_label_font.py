"""The mark of the end of a word, as it is written in all labels of tokens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QImage, QPainter, QPen
from pytestqt.qtbot import QtBot

from bpe_gui.ui.tokens.fonts import LabelFont, mark_font


@pytest.fixture
def labels(qtbot: QtBot) -> LabelFont:
    font = QFont()
    font.setPixelSize(40)
    return LabelFont(font)


def columns_with(image: QImage, colour: QColor) -> list[int]:
    return [
        x
        for x in range(image.width())
        if any(image.pixelColor(x, y) == colour for y in range(image.height()))
    ]


def test_the_mark_is_smaller_than_the_letters_but_can_be_read(labels: LabelFont) -> None:
    assert QFontInfo(mark_font(labels.font)).pixelSize() == 24
    assert labels.width("est") == labels.metrics.horizontalAdvance("est")
    whole = labels.metrics.horizontalAdvance("est</w>")
    assert labels.width("est") < labels.width("est</w>") < 0.9 * whole
    small = QFont(labels.font)
    small.setPixelSize(13)
    assert QFontInfo(mark_font(small)).pixelSize() == 10


def test_the_mark_is_no_smaller_than_that_of_the_text_around(labels: LabelFont) -> None:
    around = QFont(labels.font)
    around.setPixelSize(50)
    mark, larger = (labels.width("</w>"), LabelFont(labels.font, around).width("</w>"))
    assert mark < larger < labels.metrics.horizontalAdvance("</w>")
    around.setPixelSize(400)
    assert LabelFont(labels.font, around).width("</w>") < labels.metrics.horizontalAdvance("</w>")


def test_a_label_without_room_keeps_its_mark_unless_the_end_is_left_out(labels: LabelFont) -> None:
    text, room = "incomprehensibilities</w>", 300
    assert labels.elided(text, Qt.TextElideMode.ElideMiddle, 10_000) == text
    for mode in (Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideLeft):
        cut = labels.elided(text, mode, room)
        assert "…" in cut
        assert cut.endswith("</w>")
        assert labels.width(cut) <= room
    assert labels.elided(text, Qt.TextElideMode.ElideRight, room).endswith("…")


def test_the_mark_is_drawn_after_the_letters_in_its_own_colour(labels: LabelFont) -> None:
    image = QImage(labels.width("est</w>"), 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    ink, quiet = QColor("#ff0000"), QColor("#0000ff")
    with QPainter(image) as painter:
        painter.setPen(QPen(ink))
        labels.draw(painter, 0, 45, "est</w>", QPen(quiet))
        assert painter.font() == labels.font
        assert painter.pen().color() == ink
    letters, mark = columns_with(image, ink), columns_with(image, quiet)
    assert letters
    assert mark
    assert max(letters) <= labels.width("est") <= min(mark) + 1
