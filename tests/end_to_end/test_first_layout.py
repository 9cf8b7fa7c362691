"""In the first layout every panel is seen whole, and the text is as large as its panel allows."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction, QFontInfo
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDockWidget,
    QMainWindow,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import ALT, KEY, said, write
from tests.ui.driving import act, child

SIZES = ((1024, 700), (1366, 768), (1920, 1080))


def scrolled(area: QAbstractScrollArea) -> bool:
    """Whether part of what it shows is out of view."""
    bars = area.verticalScrollBar(), area.horizontalScrollBar()
    return any(bar.maximum() > bar.minimum() for bar in bars)


def resize(qtbot: QtBot, window: QMainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    act(window, "resetLayoutAction")
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)


@pytest.mark.parametrize("size", SIZES)
def test_the_first_layout_cuts_nothing_off(
    trained: QMainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    resize(qtbot, trained, size)
    for dock in trained.findChildren(QDockWidget):
        around = dock.widget()
        if not around.visibleRegion().isEmpty() and isinstance(around, QScrollArea):
            qtbot.waitUntil(lambda: not scrolled(around))  # noqa: B023
    # The merge tree of the newest token, of five merges, is seen from its root to its leaves.
    act(trained, "showTreeDockAction")
    tree = child(trained, QAbstractScrollArea, "treeCanvas")
    qtbot.waitUntil(lambda: tree.isVisible() and not scrolled(tree))


def test_a_short_text_is_the_larger_the_larger_its_panel(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    write(qtbot, trained, "sampleText", "low lower newest widest")
    qtbot.waitUntil(lambda: said(trained, "textCounts").find("4 tokens") >= 0)
    view = child(trained, QAbstractScrollArea, "tokenView")
    heights = []
    for size in SIZES:
        resize(qtbot, trained, size)
        qtbot.waitUntil(lambda: not scrolled(view))
        heights.append(QFontInfo(view.font()).pixelSize())
    assert heights == sorted(set(heights)), heights
    assert heights[0] > 2 * QFontInfo(trained.font()).pixelSize()


def test_a_panel_has_a_key(trained: QMainWindow, qtbot: QtBot) -> None:
    tree = child(trained, QDockWidget, "treeDock")
    qtbot.keyClick(trained, KEY.Key_5, ALT)
    qtbot.waitUntil(lambda: tree.isAncestorOf(QApplication.focusWidget()))
    qtbot.keyClick(trained, KEY.Key_3, ALT)
    qtbot.waitUntil(child(trained, QWidget, "sampleText").hasFocus)
    assert "Alt+3" in child(trained, QAction, "showTextDockAction").shortcut().toString()
