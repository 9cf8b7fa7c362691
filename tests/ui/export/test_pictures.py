"""Widgets as pictures of any scale, and as drawings in which texts are texts."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.export.figure import as_figure
from bpe_gui.ui.export.picture import PictureError, picture_of
from bpe_gui.ui.export.schemes import temporary_theme
from bpe_gui.ui.export.svg_page import drawing_of
from bpe_gui.ui.panels.curves.panel import CurvesPanel
from bpe_gui.ui.panels.curves.plot import PlotCanvas
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.theme.theme import DARK, LIGHT, apply, palette
from bpe_gui.ui.widgets.motion import MergeMotion
from tests.exporting.cut_texts import odd_texts
from tests.ui.driving import shown
from tests.ui.histories import byte_level, four_words
from tests.ui.panels.parts import parts
from tests.ui.panels.token_views import show

SVG = "{http://www.w3.org/2000/svg}"


class Painted(QWidget):
    """Paints what it is told."""

    def __init__(self, paint: object, size: QSize = QSize(120, 80)) -> None:  # noqa: B008
        super().__init__()
        self._paint = paint
        self.resize(size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("#ffffff"))
        self._paint(painter)  # type: ignore[operator]
        painter.end()


def pixels(image: QImage) -> NDArray[np.int64]:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return rows[:, :, :3].astype(np.int64)


def rendered(drawing: str, size: QSize) -> QImage:
    """What Qt's own reader makes of a drawing."""
    reader = QSvgRenderer(drawing.encode())
    assert reader.isValid()
    assert reader.defaultSize() == size
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    reader.render(painter)
    painter.end()
    return image


def texts(drawing: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def draws(painter: QPainter) -> None:
    painter.fillRect(10, 5, 30, 20, QColor("#a1ccf6"))
    painter.setPen(QPen(QColor("#b3261e"), 1))
    painter.drawLine(5, 40, 100, 40)
    painter.drawRect(50, 5, 30, 20)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor("#1757b8"), 2, Qt.PenStyle.DashLine))
    painter.drawPolyline(QPolygonF([QPointF(5, 70), QPointF(40, 45), QPointF(90, 75)]))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(QColor(20, 90, 20, 128)))
    painter.drawEllipse(85, 45, 30, 30)
    painter.setBrush(QColor("#565e6c"))
    painter.drawPolygon(QPolygonF([QPointF(90, 5), QPointF(115, 5), QPointF(100, 30)]))
    tile = QPixmap(4, 4)
    tile.fill(QColor("#8a2be2"))
    painter.drawTiledPixmap(5, 28, 20, 8, tile)
    painter.drawPixmap(30, 28, tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(QColor("#008000"), 4))
    painter.drawPoint(50, 32)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.translate(20, 50)
    painter.rotate(30)
    painter.scale(2, 1)
    painter.setPen(QPen(QColor("#000000"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(0, 0, 15, 12, 3, 3)


def test_shapes_look_as_on_the_screen(qtbot: QtBot) -> None:
    widget = shown(qtbot, Painted(draws), 120, 80)
    seen = pixels(picture_of(widget, 1))
    drawn = pixels(rendered(drawing_of(widget, "Shapes"), widget.size()))
    different = np.abs(seen - drawn).max(axis=2) > 96
    assert different.mean() < 0.01, "but for single pixels along smooth edges"


def test_lines_of_a_pixel_fill_one_pixel(qtbot: QtBot) -> None:
    def line(painter: QPainter) -> None:
        painter.setPen(QColor("#000000"))
        painter.drawLine(10, 20, 50, 20)

    widget = shown(qtbot, Painted(line), 120, 80)
    column = pixels(rendered(drawing_of(widget, "A line"), widget.size()))[18:24, 30, 0]
    assert column.tolist() == [255, 255, 0, 255, 255, 255]


def test_what_is_out_of_sight_is_left_out(qtbot: QtBot) -> None:
    def clipped(painter: QPainter) -> None:
        painter.setClipRect(0, 0, 60, 40)
        painter.drawText(5, 20, "inside")
        painter.drawText(5, 70, "below")
        painter.drawText(40, 30, "across")

    outer = shown(qtbot, QWidget(), 120, 80)
    inner = QLabel("hangs over the edge", outer)
    inner.setGeometry(100, 60, 400, 40)
    inner.show()
    below = QLabel("outside", outer)
    below.setGeometry(0, 90, 100, 20)
    below.show()
    assert texts(drawing_of(outer, "Labels")) == ["hangs over the edge"]
    widget = shown(qtbot, Painted(clipped), 120, 80)
    drawing = drawing_of(widget, "Clipped")
    assert texts(drawing) == ["inside", "across"]
    root = ElementTree.fromstring(drawing)
    [across] = [g for g in root.iter(f"{SVG}g") if "across" in "".join(g.itertext())]
    assert (across.get("clip-path") or "").startswith("url(#c")


@pytest.mark.parametrize(
    "text", ["a\x00b\x1bc", "<&>\"'", "\ufffe", "tab\tend", "שלום", "مرحبا", "👩‍👧 漢"]
)
def test_every_text_makes_a_drawing_that_can_be_read(qtbot: QtBot, text: str) -> None:
    def write(painter: QPainter) -> None:
        painter.drawText(5, 40, text)

    widget = shown(qtbot, Painted(write), 120, 80)
    written = "".join(texts(drawing_of(widget, f"Title {text}")))
    plain = [character for character in text if character.isalnum()]
    assert [character for character in written if character in plain] == plain


def test_letters_that_run_to_the_left_say_so(qtbot: QtBot) -> None:
    def write(painter: QPainter) -> None:
        painter.drawText(5, 40, "שלום")

    widget = shown(qtbot, Painted(write), 120, 80)
    root = ElementTree.fromstring(drawing_of(widget, "Hebrew"))
    [text] = root.iter(f"{SVG}text")
    assert (text.get("direction"), text.get("text-anchor")) == ("rtl", "middle")


def test_letters_that_run_to_the_left_leave_the_other_lines_in_order(qtbot: QtBot) -> None:
    def write(painter: QPainter) -> None:
        painter.drawText(5, 70, "שלום")
        painter.drawText(90, 30, "word")
        painter.drawText(5, 30, "first")

    widget = shown(qtbot, Painted(write), 160, 90)
    written = [text for text in texts(drawing_of(widget, "Lines")) if text.strip()]
    assert written[-3:] == ["first", "word", "שלום"]


def test_fonts_have_others_that_may_stand_in(qtbot: QtBot) -> None:
    def write(painter: QPainter) -> None:
        font = QFont(painter.font())
        font.setPixelSize(20)
        font.setBold(True)
        painter.setFont(font)
        painter.drawText(5, 40, "two words")

    widget = shown(qtbot, Painted(write), 220, 80)
    drawing = drawing_of(widget, "Letters")
    assert texts(drawing) == ["two words"]
    text = next(ElementTree.fromstring(drawing).iter(f"{SVG}text"))
    assert (text.get("font-size"), text.get("font-weight")) == ("20", "700")
    assert text.get("textLength"), "in another font it is as wide"
    assert ",sans-serif" in drawing


# -- pictures ----------------------------------------------------------------------------------


def test_a_picture_is_painted_at_its_scale(qtbot: QtBot) -> None:
    view = shown(qtbot, TokenView(MergeMotion(None)), 240, 120)
    show(view, "low newest", four_words(), 15)
    small, large = picture_of(view, 1), picture_of(view, 4)
    assert large.size() == small.size() * 4
    assert pixels(small).shape == (120, 240, 3)
    blocks = pixels(large).reshape(120, 4, 240, 4, 3)
    torn = (blocks.max(axis=(1, 3)) != blocks.min(axis=(1, 3))).any(axis=2)
    marks = (pixels(small) != pixels(small)[0, 0]).any(axis=2)
    assert (torn & marks).sum() > 300, "there is more to be seen than in larger pixels"
    again = picture_of(view, 1)
    assert np.array_equal(pixels(again), pixels(small)), "the screen has its own scale again"


def test_another_size_is_for_the_picture_alone(qtbot: QtBot) -> None:
    outer = shown(qtbot, QWidget(), 300, 200)
    layout = QVBoxLayout(outer)
    view = TokenView(MergeMotion(None))
    layout.addWidget(view)
    qtbot.waitUntil(lambda: view.width() > 100)
    before = view.geometry()
    with as_figure(view, QSize(500, 150)):
        assert picture_of(view, 2).size() == QSize(1000, 300)
    assert view.geometry() == before
    with as_figure(view, QSize(1, 1)):
        assert picture_of(view, 1).size() == view.minimumSizeHint()


class Telling(QWidget):
    """Says more where it has more room."""

    def __init__(self) -> None:
        super().__init__()
        self._told = QLabel("axis")
        inner = QWidget()
        row = QHBoxLayout(inner)
        row.addStretch(1)
        row.addWidget(self._told)
        QVBoxLayout(self).addWidget(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._told.setText("axis from 500, not from 0" if self.width() > 250 else "axis")


def test_what_is_said_in_another_size_has_its_room(qtbot: QtBot) -> None:
    view = shown(qtbot, Telling(), 200, 100)
    with as_figure(view, QSize(500, 150)):
        drawing, picture = drawing_of(view, ""), pixels(picture_of(view, 1))
    assert texts(drawing) == ["axis from 500, not from 0"]
    assert "clip-path" not in drawing
    assert np.array_equal(picture, pixels(picture_of(shown(qtbot, Telling(), 500, 150), 1)))


def test_a_picture_too_large_is_refused(qtbot: QtBot) -> None:
    widget = shown(qtbot, QWidget(), 200, 100)
    with pytest.raises(PictureError, match="20,000 by 10,000 pixels is too large"):
        picture_of(widget, 100)


def test_lines_of_plots_grow_with_the_picture(qtbot: QtBot) -> None:
    curves = shown(qtbot, CurvesPanel(parts()), 400, 260)
    curves.setPalette(palette(DARK))
    history = byte_level("the cat sat on the mat and the hat " * 3)
    curves.set_history(history)
    curves.show_position(len(history) // 2, False)
    accent = np.array([QColor(DARK.accent).blue(), QColor(DARK.accent).green(),
                       QColor(DARK.accent).red()])  # fmt: skip

    def share(scale: int) -> float:
        seen = pixels(picture_of(curves, scale))
        return float((np.abs(seen - accent).max(axis=2) < 60).mean())

    before = share(1)
    # Smoothed, a line of one pixel has less of its own colour than one of four.
    assert 0.6 * before < share(4) < 3 * before
    assert share(1) == before, "lines on the screen are as they were"


def test_a_label_without_room_stays_out_of_sight(qtbot: QtBot) -> None:
    curves = shown(qtbot, CurvesPanel(parts()), 400, 130)
    history = byte_level("the cat sat on the mat and the hat " * 3)
    curves.set_history(history)
    curves.show_position(len(history), False)
    before = picture_of(curves, 1)
    picture_of(curves, 3)
    assert picture_of(curves, 1) == before
    labels = [plot.getPlotItem().getAxis("left").label for plot in curves.findChildren(PlotCanvas)]
    assert not all(label.isVisible() for label in labels)


def test_a_panel_can_be_painted_in_other_colours(qtbot: QtBot) -> None:
    view = shown(qtbot, TokenView(MergeMotion(None)), 240, 120)
    apply(view, DARK)
    # What is shown already has new colours only with the next events.
    qtbot.waitUntil(lambda: view.palette().base().color() == QColor(DARK.panel))
    show(view, "low newest", four_words(), 15)
    dark = pixels(picture_of(view, 1))
    with temporary_theme(view, LIGHT):
        light = picture_of(view, 1)
    assert light.pixelColor(QPoint(1, 1)) == QColor(LIGHT.panel)
    assert np.array_equal(pixels(picture_of(view, 1)), dark)


# -- coloured text -------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_every_token_in_view_is_a_text(qtbot: QtBot, theme: object) -> None:
    view = shown(qtbot, TokenView(MergeMotion(None)), 480, 160)
    view.setPalette(palette(theme))  # type: ignore[arg-type]
    history = byte_level("the cat sat on the mat – the hat " * 3)
    show(view, "the cat on\tthe – mat\nhat", history, len(history))
    drawing = drawing_of(view, "Tokens")
    written = texts(drawing)
    cut, _ = view.shown_cut() or (None, None)
    assert cut is not None
    for first, last, inside in zip(cut.firsts, cut.lasts, cut.begins_inside, strict=True):
        token = cut.characters.text[first:last].strip()
        if token and not inside and not cut.is_split[first:last].any():
            assert any(token in text for text in written), token
    assert "<image" not in drawing
    seen = pixels(rendered(drawing, view.size()))
    on_screen = pixels(picture_of(view, 1))
    assert np.abs(seen - on_screen).mean() < 6, "Qt's reader does not space letters"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(text=odd_texts)
def test_whatever_the_text_its_drawing_can_be_read(qtbot: QtBot, text: str) -> None:
    view = TokenView(MergeMotion(None))
    qtbot.addWidget(view)
    view.resize(400, 300)
    history = byte_level("the cat sat on the mat – the hat " * 3)
    show(view, text, history, len(history))
    drawing = drawing_of(view, text)
    assert ElementTree.fromstring(drawing).tag == f"{SVG}svg"
    assert QSvgRenderer(drawing.encode()).isValid()
    if text and text.isascii() and text.isprintable() and len(text) < 15:
        assert sorted("".join(texts(drawing)).replace(" ", "")) == sorted(text.replace(" ", ""))


def test_a_ring_and_a_token_over_two_rows_are_drawn(qtbot: QtBot) -> None:
    view = shown(qtbot, TokenView(MergeMotion(None)), 120, 160)
    history = byte_level("incomprehensibilities " * 6)
    show(view, " incomprehensibilities" * 2, history, len(history))
    view.select_token(int(history.new_id[-1]))
    drawing = drawing_of(view, "Tokens")
    boxes = [path.get("d") or "" for path in ElementTree.fromstring(drawing).iter(f"{SVG}path")]
    closed = [box for box in boxes if box.endswith("Z")]
    assert len(closed) < len(boxes), "where a token goes on its box is open"
    image = rendered(drawing, view.size())
    assert image.rect() == QRect(0, 0, 120, 160)
