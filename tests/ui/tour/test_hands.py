"""Hands are counted for each answer of a question: typed, drawn as bars, and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QProgressBar, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.tour.short_tour import begin, go_back, go_on, go_to

KEY = Qt.Key


def fields(panel: QWidget) -> list[QLineEdit]:
    """The fields for hands that are in view."""
    found = [child(panel, QLineEdit, f"tourHands{number}") for number in range(1, 5)]
    return [field for field in found if field.isVisible()]


def bars(panel: QWidget) -> list[tuple[int, int]]:
    """The value and the end of each bar in view."""
    found = [child(panel, QProgressBar, f"tourHandsBar{number}") for number in range(1, 5)]
    return [(bar.value(), bar.maximum()) for bar in found if bar.isVisible()]


def count(*numbers: str) -> None:
    """Type numbers, each followed by Enter, where the keyboard is."""
    for number in numbers:
        QTest.keyClicks(QApplication.focusWidget(), number)
        QTest.keyClick(QApplication.focusWidget(), KEY.Key_Return)


@pytest.mark.parametrize("on_stage", [False, True])
def test_hands_are_typed_and_drawn_until_the_question_goes(
    window: MainWindow, qtbot: QtBot, short: Path, on_stage: bool
) -> None:
    begin(qtbot, window, short)
    touring = window.touring
    panel: QWidget = touring.panel
    if on_stage:
        window.stage.enter()
        qtbot.waitUntil(window.stage.show_window.isActiveWindow)
    keys = window.stage.show_window if on_stage else panel
    QTest.keyClick(keys, KEY.Key_H)
    assert not fields(panel), "the page asks nothing"
    go_to(qtbot, window, 2)
    QTest.keyClick(keys, KEY.Key_H)
    assert len(fields(panel)) == 3
    count("4", "x12", "")
    assert [field.text() for field in fields(panel)] == ["4", "12", ""]
    assert bars(panel) == [(4, 12), (12, 12), (0, 12)]
    assert touring.asks, "Enter in a field turns no page"
    assert not any(field.hasFocus() for field in fields(panel))
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(keys, KEY.Key_2)
    assert bars(panel) == [(4, 12), (12, 12), (0, 12)], "they are there with the answer"
    go_on(qtbot, window)
    assert not fields(panel)
    go_to(qtbot, window, 2)
    assert not fields(panel)
    QTest.keyClick(keys, KEY.Key_H)
    assert [field.text() for field in fields(panel)] == ["", "", ""], "nothing is stored"
    # Digits are numbers, and no answers, also after Tab.
    moves = KEY.Key_Tab, KEY.Key_Tab, KEY.Key_Backtab, None
    for number, move in zip("7132", moves, strict=True):
        QTest.keyClicks(QApplication.focusWidget(), number)
        if move is not None:
            QTest.keyClick(QApplication.focusWidget(), move)
    assert [field.text() for field in fields(panel)] == ["7", "2", "3"]
    assert touring.asks
    QTest.keyClick(QApplication.focusWidget(), KEY.Key_H)
    assert not fields(panel)
    go_back(qtbot, window)
    window.touring.leave()


def test_escape_ends_the_counting_before_it_leaves_the_stage(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    stage, panel = window.stage, window.touring.panel
    stage.enter()
    qtbot.waitUntil(stage.show_window.isActiveWindow)
    go_to(qtbot, window, 2)
    QTest.keyClick(stage.show_window, KEY.Key_H)
    count("4")
    QTest.keyClick(QApplication.focusWidget(), KEY.Key_Escape)
    assert stage.on
    assert window.touring.asks
    assert not fields(panel)
    QTest.keyClick(stage.show_window, KEY.Key_H)
    count("4", "12", "")
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(stage.show_window, KEY.Key_2)
    assert fields(panel), "the counts are there with the answer"
    QTest.keyClick(stage.show_window, KEY.Key_Escape)
    qtbot.waitUntil(lambda: not stage.on)
    window.touring.leave()


def test_bars_of_hands_keep_their_height_in_another_theme(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.stage.enter()
    stage = window.stage.show_window
    qtbot.waitUntil(stage.isActiveWindow)
    go_to(qtbot, window, 2)
    QTest.keyClick(stage, KEY.Key_H)
    count("4", "12", "")
    bar = child(window.touring.panel, QProgressBar, "tourHandsBar1")
    height, dark = bar.height(), bar.palette().window().color()
    QTest.keyClick(stage, KEY.Key_D)
    qtbot.waitUntil(lambda: bar.palette().window().color() != dark)
    stage.grab()
    assert bar.height() == height
    window.touring.leave()
