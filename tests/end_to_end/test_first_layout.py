"""In the first layout every panel is seen whole, and the text is as large as its panel allows."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QFontInfo
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QDockWidget,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QTableView,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import ALT, KEY, LEFT, Start, said, write
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


@pytest.mark.parametrize(
    ("size", "last"), [((1024, 700), "new pairs"), ((1366, 768), "so a model can read more")]
)
def test_the_first_window_shows_what_a_merge_changes(
    start: Start, qtbot: QtBot, size: tuple[int, int], last: str
) -> None:
    window = start()
    resize(qtbot, window, size)
    why = child(window, QTextBrowser, "whyText")

    def is_in_view(words: str) -> bool:
        found = why.document().find(words)
        return not found.isNull() and why.viewport().rect().contains(why.cursorRect(found))

    qtbot.waitUntil(lambda: is_in_view(last))
    assert is_in_view("saved"), "what the merge is good for"
    text = why.toPlainText()
    assert text.index("so they become") < text.index("Tie with") < text.index("source words")
    tie = re.sub(r"\s+", " ", text)
    assert "first is e + s in newest , word 3 source words" in tie, "why the tie is decided so"
    vocabulary = child(window, QTableView, "vocabularyTable")
    assert vocabulary.rowAt(0) == 0, "the list of the first tokens begins with the first"
    chart = child(window, QWidget, "pairChart")
    qtbot.keyClick(chart, KEY.Key_PageDown)
    rank = re.search(r"Rank (\d+)", said(window, "pairChart"))
    assert rank is not None
    assert int(rank[1]) >= 5, "the leaders are in sight, too"
    act(window, "guessAction")
    question = child(window, QDockWidget, "pairDock").widget()
    assert isinstance(question, QScrollArea)
    qtbot.waitUntil(child(window, QWidget, "guessBoard").isVisible)
    qtbot.waitUntil(lambda: not scrolled(question))


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


def heights(window: QMainWindow) -> tuple[int, int]:
    """The heights of Text and of Words."""
    text, words = (child(window, QDockWidget, name) for name in ("textDock", "wordsDock"))
    return text.height(), words.height()


def share_of_text(window: QMainWindow) -> float:
    """The part that Text has of the height that it shares with Words."""
    text, words = heights(window)
    return text / (text + words)


def test_the_text_has_most_room_in_a_small_window_with_many_words_or_ids(
    start: Start, trained: QMainWindow, qtbot: QtBot
) -> None:
    trained.resize(1024, 700)
    qtbot.waitUntil(lambda: share_of_text(trained) == pytest.approx(0.55, abs=0.01))
    window = start()
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: share_of_text(window) < 0.45)
    ids = child(window, QPushButton, "idsButton")
    view = child(window, QAbstractScrollArea, "tokenView")
    before = QFontInfo(view.font()).pixelSize()
    ids.click()
    qtbot.waitUntil(lambda: share_of_text(window) == pytest.approx(0.55, abs=0.01))
    qtbot.waitUntil(lambda: not scrolled(view))
    assert QFontInfo(view.font()).pixelSize() >= before
    ids.click()
    qtbot.waitUntil(lambda: share_of_text(window) < 0.45)


def test_the_text_has_most_room_until_the_handle_below_it_is_moved(
    start: Start, qtbot: QtBot
) -> None:
    window = start()
    for width, height in ((1024, 700), (3840, 2160), (1366, 768), (1920, 1080)):
        window.resize(width, height)
        # Four words and the welcome beside them need some 290 pixels.
        least = 0.54 if height > 1000 else 0.42 if height == 700 else 0.49
        qtbot.waitUntil(lambda least=least: share_of_text(window) > least)
        qtbot.waitUntil(lambda: heights(window)[1] >= 290)
        qtbot.waitUntil(child(window, QWidget, "welcomeSentence").isVisible)
    act(window, "compareAction")
    window.resize(1366, 1000)
    act(window, "exploreAction")
    qtbot.waitUntil(lambda: share_of_text(window) == pytest.approx(0.55, abs=0.01))
    text = child(window, QDockWidget, "textDock")
    handle = text.geometry().bottomLeft() + QPoint(200, 3)
    # A click on it moves nothing.
    qtbot.mouseClick(window, LEFT, pos=handle)
    window.resize(1366, 1010)
    qtbot.waitUntil(lambda: share_of_text(window) == pytest.approx(0.55, abs=0.01))
    handle = text.geometry().bottomLeft() + QPoint(200, 3)
    qtbot.mousePress(window, LEFT, pos=handle)
    qtbot.mouseMove(window, handle - QPoint(0, 250))
    qtbot.waitUntil(lambda: share_of_text(window) < 0.4)
    qtbot.mouseRelease(window, LEFT, pos=handle - QPoint(0, 250))
    window.resize(1366, 1100)
    qtbot.waitUntil(lambda: sum(heights(window)) > 800)
    chosen = share_of_text(window)
    assert chosen < 0.45
    window.close()
    other = start()
    # It fits on its screen, which is smaller.
    qtbot.waitUntil(lambda: share_of_text(other) == pytest.approx(chosen, abs=0.02))
    other.resize(1366, 1000)
    act(other, "resetLayoutAction")
    qtbot.waitUntil(lambda: share_of_text(other) == pytest.approx(0.55, abs=0.01))
    other.resize(1366, 1100)
    qtbot.waitUntil(lambda: share_of_text(other) == pytest.approx(0.55, abs=0.01))
