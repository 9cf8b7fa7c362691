"""The stage: entered and left by F11, with the panels of one's choice, and keys of its own."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    KEY,
    LEFT,
    PLAIN,
    SHIFT,
    description,
    digits,
    go_to,
    position,
    write,
)
from tests.ui.driving import child

PANELS = ("pairChart", "sampleText", "whyPanel", "vocabularyTable", "wordsTable", "laneView")


@pytest.fixture
def window(qtbot: QtBot, gpt2_run: QMainWindow) -> QMainWindow:
    """A finished run, the cursor at merge 3."""
    go_to(qtbot, gpt2_run, 3)
    return gpt2_run


@pytest.fixture
def stage(qtbot: QtBot, window: QMainWindow) -> QWidget:
    """The stage, entered by its key."""
    return entered(qtbot, window)


def entered(qtbot: QtBot, window: QMainWindow, modifier: Qt.KeyboardModifier = PLAIN) -> QWidget:
    """Enter the stage, or the page where its panels are chosen."""
    qtbot.keyClick(window, KEY.Key_F11, modifier)
    qtbot.waitUntil(lambda: window.findChild(QWidget, "stage") is not None)
    stage = child(window, QWidget, "stage")
    qtbot.waitUntil(stage.isActiveWindow)
    return stage


def seen(stage: QWidget) -> list[str]:
    """Which of these panels are on the stage."""
    found = {name: stage.findChild(QWidget, name) for name in PANELS}
    return [name for name, panel in found.items() if panel is not None and panel.isVisible()]


def told_position(stage: QWidget) -> int:
    """Where the cursor is, as the line at the bottom tells it."""
    line = QAccessible.queryAccessibleInterface(child(stage, QWidget, "stageLine"))
    return digits(line.text(QAccessible.Text.Name))[0]


def test_f11_shows_panels_alone_and_gives_the_window_back(
    qtbot: QtBot, window: QMainWindow, stage: QWidget
) -> None:
    assert stage.isFullScreen()
    assert seen(stage) == ["pairChart", "sampleText"]
    assert told_position(stage) == 3
    qtbot.keyClick(stage, KEY.Key_F11)
    qtbot.waitUntil(lambda: not stage.isVisible())
    qtbot.waitUntil(window.isActiveWindow)
    for name in ("pairChart", "sampleText", "vocabularyTable"):
        panel = child(window, QWidget, name)
        assert panel.window() is window
        assert panel.isVisible()


def test_escape_leaves_it_too(qtbot: QtBot, stage: QWidget) -> None:
    qtbot.keyClick(stage, KEY.Key_Escape)
    qtbot.waitUntil(lambda: not stage.isVisible())


def check_numbers_say_how_many_panels_are_shown(qtbot: QtBot, stage: QWidget) -> None:
    chosen = ["pairChart", "sampleText", "whyPanel", "vocabularyTable"]
    for key, count in ((KEY.Key_1, 1), (KEY.Key_4, 4), (KEY.Key_3, 3), (KEY.Key_2, 2)):
        qtbot.keyClick(stage, key)
        qtbot.waitUntil(lambda count=count: seen(stage) == chosen[:count])


def test_panels_are_chosen_by_mouse_and_keys_and_remembered(
    qtbot: QtBot, window: QMainWindow
) -> None:
    stage = entered(qtbot, window, SHIFT)
    for name in ("pairs", "text", "words", "lanes"):
        qtbot.mouseClick(child(stage, QPushButton, f"stagePanel_{name}"), LEFT)
    child(stage, QPushButton, "stagePanel_lanes").setFocus()
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_1)
    qtbot.keyClick(stage, KEY.Key_C)
    qtbot.keyClick(stage, KEY.Key_4)
    shown = {"laneView", "whyPanel", "vocabularyTable", "wordsTable"}
    qtbot.waitUntil(lambda: set(seen(stage)) == shown)
    lanes, why = (child(stage, QWidget, name) for name in ("laneView", "whyPanel"))
    assert lanes.mapTo(stage, lanes.pos()).y() <= why.mapTo(stage, why.pos()).y()
    qtbot.keyClick(stage, KEY.Key_F11)
    qtbot.waitUntil(window.isActiveWindow)
    assert set(seen(entered(qtbot, window))) == shown


def test_the_keys_of_a_clicker_and_of_the_window_move_the_cursor(
    qtbot: QtBot, window: QMainWindow, stage: QWidget
) -> None:
    for key, expected in (
        (KEY.Key_PageDown, 4),
        (KEY.Key_PageUp, 3),
        (KEY.Key_Right, 4),
        (KEY.Key_Left, 3),
        (KEY.Key_Home, 0),
    ):
        qtbot.keyClick(stage, key)
        qtbot.waitUntil(lambda expected=expected: told_position(stage) == expected)
    qtbot.keyClick(stage, KEY.Key_F11)
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: position(window) == 0)


def check_the_stage_is_blanked_and_shown_again(qtbot: QtBot, stage: QWidget) -> None:
    for key in (KEY.Key_B, KEY.Key_Period):
        qtbot.keyClick(stage, key)
        qtbot.waitUntil(lambda: seen(stage) == [])
        qtbot.keyClick(stage, key)
        qtbot.waitUntil(lambda: seen(stage) == ["pairChart", "sampleText"])


def check_a_text_is_typed_on_stage_and_stays(
    qtbot: QtBot, window: QMainWindow, stage: QWidget
) -> None:
    write(qtbot, stage, "sampleText", "cab 12")
    tokens = child(stage, QWidget, "tokenView")
    qtbot.waitUntil(lambda: "cab 12" in description(tokens))
    assert seen(stage) == ["pairChart", "sampleText"], "letters and numbers are typed"
    qtbot.keyClick(stage, KEY.Key_F11)
    qtbot.waitUntil(window.isActiveWindow)
    assert "cab 12" in description(child(window, QWidget, "tokenView"))


def test_panels_of_the_stage_are_counted_blanked_and_typed_into(
    qtbot: QtBot, stage: QWidget, window: QMainWindow
) -> None:
    check_numbers_say_how_many_panels_are_shown(qtbot, stage)
    check_the_stage_is_blanked_and_shown_again(qtbot, stage)
    check_a_text_is_typed_on_stage_and_stays(qtbot, window, stage)


def test_the_colours_of_the_stage_are_its_own(
    qtbot: QtBot, window: QMainWindow, stage: QWidget
) -> None:
    ground = stage.grab().toImage().pixelColor(2, 2).lightness()
    qtbot.keyClick(stage, KEY.Key_D)
    qtbot.waitUntil(lambda: abs(stage.grab().toImage().pixelColor(2, 2).lightness() - ground) > 90)
