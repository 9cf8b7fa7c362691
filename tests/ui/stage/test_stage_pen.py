"""The pen of the stage: lines over the panels, which go with their page."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.stage.pen import INK
from bpe_gui.ui.stage.show import Show
from tests.ui.driving import child
from tests.ui.stage.stages import at_rest

KEY, LEFT = Qt.Key, Qt.MouseButton.LeftButton


def draw(show: Show) -> None:
    """Draw a line across the middle of the board."""
    pen = child(show, QWidget, "stagePen")
    middle = pen.rect().center()
    QTest.mousePress(pen, LEFT, pos=middle - QPoint(50, 0))
    QTest.mouseMove(pen, middle)
    QTest.mouseRelease(pen, LEFT, pos=middle)


def is_drawn(show: Show) -> bool:
    """Tell whether there is ink in the middle of the board."""
    image: QImage = show.board.grab().toImage()
    middle = image.rect().center()
    return any(
        QColor(image.pixelColor(middle.x() - 25, middle.y() + y)) == INK for y in range(-2, 3)
    )


def test_lines_go_with_their_page(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    draw(show)
    assert not is_drawn(show), "the mouse does as usual"
    QTest.keyClick(show, KEY.Key_I)
    draw(show)
    assert is_drawn(show)
    QTest.keyClick(show, KEY.Key_PageDown)
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: not is_drawn(show))
    QTest.keyClick(show, KEY.Key_PageUp)
    qtbot.waitUntil(lambda: is_drawn(show))
    QTest.keyClick(show, KEY.Key_I)
    assert is_drawn(show), "without the pen they stay"
    size = show.size()
    show.resize(size * 0.7)
    qtbot.waitUntil(lambda: show.size() != size and is_drawn(show))
    show.resize(size)
    qtbot.waitUntil(lambda: show.size() == size and is_drawn(show))
    QTest.keyClick(show, KEY.Key_E)
    assert not is_drawn(show)


def test_escape_first_lays_the_pen_down_and_leaving_forgets_the_lines(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    QTest.keyClick(show, KEY.Key_I)
    draw(show)
    QTest.keyClick(show, KEY.Key_Escape)
    assert window.stage.on
    assert is_drawn(show)
    QTest.keyClick(show, KEY.Key_Escape)
    assert not window.stage.on
    window.stage.enter()
    at_rest(qtbot, window)
    assert not is_drawn(show)
