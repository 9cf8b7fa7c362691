"""The stage: entered and left by F11, with the panels of one's choice, and keys of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    KEY,
    LEFT,
    PLAIN,
    SHIFT,
    Start,
    description,
    digits,
    end,
    go_to,
    position,
    said,
    write,
)
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn

TALK = """bpe-gui tour 1
title: A short talk

# The only chapter

## Words
corpus: four-words
preset: whitespace
note: Wait for all {words}.

There are {words} words.

## A question
go to: 1

One merge is done.

predict: How many tokens is “newest” at the start?
choice: {tokens in "newest" at 0} tokens
choice: 1 token
right: {tokens in "newest" at 0} tokens

then:
go to: 2

Merge 2 was {last pair}.
"""
PANELS = ("pairChart", "sampleText", "whyPanel", "vocabularyTable", "wordsTable", "laneView")


@pytest.fixture
def window(qtbot: QtBot, gpt2_run: QMainWindow) -> QMainWindow:
    """A finished run, the cursor at merge 3."""
    go_to(qtbot, gpt2_run, 3)
    return gpt2_run


@pytest.fixture
def talk(qtbot: QtBot, start: Start, tmp_path: Path) -> QWidget:
    """The first page of a tour, on the stage."""
    path = tmp_path / "short.tour"
    path.write_text(TALK)
    window = start("open", str(path))
    qtbot.waitUntil(lambda: said_to(window, "tourWords") == "There are 4 words.")
    return entered(qtbot, window)


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


def said_to(window: QWidget, name: str) -> str:
    """What a label says; empty if it is not shown."""
    label = window.findChild(QLabel, name)
    return label.text() if label is not None and label.isVisible() else ""


def is_inked(stage: QWidget) -> bool:
    """Whether there is red ink in the middle of the stage."""
    image = stage.grab().toImage()
    middle = image.rect().center()
    column = (image.pixelColor(middle.x(), middle.y() + y) for y in range(-12, 13))
    return any(colour.red() > 190 and colour.green() < 70 > colour.blue() for colour in column)


def told_position(stage: QWidget) -> int:
    """Where the cursor is, as the line at the bottom tells it."""
    line = QAccessible.queryAccessibleInterface(child(stage, QWidget, "stageLine"))
    return digits(line.text(QAccessible.Text.Name))[0]


def check_f11_shows_panels_alone_and_gives_the_window_back(
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


def check_the_line_at_the_bottom_names_the_merge_that_the_panels_show(
    qtbot: QtBot, window: QMainWindow, stage: QWidget
) -> None:
    def line() -> str:
        return said(stage, "stageLine")

    qtbot.waitUntil(lambda: "3 / " in line() and "Next: merge 4: " in line())
    act(window, "tellLastAction")
    qtbot.waitUntil(lambda: "3 / " in line() and "Last: merge 3: " in line())
    qtbot.keyClick(stage, KEY.Key_Right)
    qtbot.waitUntil(lambda: "4 / " in line() and "Last: merge 4: " in line())
    act(window, "tellLastAction")
    qtbot.waitUntil(lambda: "Next: merge 5: " in line())
    act(window, "guessAction")
    qtbot.waitUntil(lambda: "Last: merge 4: " in line() and "merge 5" not in line())
    act(window, "guessAction")
    qtbot.waitUntil(lambda: "Next: merge 5: " in line())


def check_escape_leaves_it_too(qtbot: QtBot, stage: QWidget) -> None:
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


def check_the_keys_of_a_clicker_and_of_the_window_move_the_cursor(
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


def check_the_colours_of_the_stage_are_its_own(
    qtbot: QtBot, window: QMainWindow, stage: QWidget
) -> None:
    ground = stage.grab().toImage().pixelColor(2, 2).lightness()
    qtbot.keyClick(stage, KEY.Key_D)
    qtbot.waitUntil(lambda: abs(stage.grab().toImage().pixelColor(2, 2).lightness() - ground) > 90)


def check_a_line_of_the_pen_goes_with_its_page(qtbot: QtBot, stage: QWidget) -> None:
    pen = child(stage, QWidget, "stagePen")
    assert not is_inked(stage)
    qtbot.keyClick(stage, KEY.Key_I)
    middle = QPoint(stage.width() // 2, stage.height() // 2)
    QTest.mousePress(pen, LEFT, pos=middle - QPoint(60, 0))
    QTest.mouseMove(pen, middle + QPoint(60, 0))
    QTest.mouseRelease(pen, LEFT, pos=middle + QPoint(60, 0))
    assert is_inked(stage)
    for key, inked in ((KEY.Key_PageDown, False), (KEY.Key_PageUp, True), (KEY.Key_E, False)):
        qtbot.keyClick(stage, key)
        qtbot.waitUntil(lambda inked=inked: is_inked(stage) == inked)
    qtbot.keyClick(stage, KEY.Key_Escape)
    assert stage.isVisible(), "the first one only puts the pen away"


def test_a_run_is_shown_on_the_stage(
    qtbot: QtBot, stage: QWidget, window: QMainWindow, in_turn: InTurn
) -> None:
    def again() -> None:
        if stage.isVisible():
            qtbot.keyClick(stage, KEY.Key_F11)
        qtbot.waitUntil(window.isActiveWindow)
        go_to(qtbot, window, 3)
        assert entered(qtbot, window) is stage

    in_turn(
        again,
        check_f11_shows_panels_alone_and_gives_the_window_back,
        check_the_line_at_the_bottom_names_the_merge_that_the_panels_show,
        check_escape_leaves_it_too,
        check_the_keys_of_a_clicker_and_of_the_window_move_the_cursor,
        check_a_line_of_the_pen_goes_with_its_page,
        check_numbers_say_how_many_panels_are_shown,
        check_the_stage_is_blanked_and_shown_again,
        check_a_text_is_typed_on_stage_and_stays,
        check_the_colours_of_the_stage_are_its_own,
    )


def test_at_the_end_a_clicker_neither_trains_nor_leaves(
    qtbot: QtBot, start: Start, words: Path
) -> None:
    window = start("open", str(words), "--preset", "whitespace")
    act(window, "stepAction")
    qtbot.waitUntil(lambda: (position(window), end(window)) == (1, 1))
    stage = entered(qtbot, window)
    for key in (KEY.Key_PageDown, KEY.Key_PageDown, KEY.Key_Right, KEY.Key_Space, KEY.Key_Return):
        qtbot.keyClick(stage, key)
        assert said_to(stage, "stageEndTitle") == "The end"
    for key in (KEY.Key_Period, KEY.Key_B):
        qtbot.keyClick(stage, key)
        assert said_to(stage, "stageEndTitle") == ""
        assert seen(stage) == []
        qtbot.keyClick(stage, key)
        assert said_to(stage, "stageEndTitle") == "The end"
    qtbot.keyClick(stage, KEY.Key_F5)
    qtbot.waitUntil(lambda: seen(stage) == ["pairChart", "sampleText"])
    assert (position(window), end(window)) == (1, 1)
    qtbot.keyClick(stage, KEY.Key_PageDown)
    qtbot.keyClick(stage, KEY.Key_Escape)
    qtbot.waitUntil(window.isActiveWindow)
    assert (position(window), end(window)) == (1, 1)


def test_a_speaker_has_notes_a_clock_and_what_is_next(qtbot: QtBot, talk: QWidget) -> None:
    qtbot.keyClick(talk, KEY.Key_N)
    presenter = child(talk, QWidget, "presenter")
    qtbot.waitUntil(lambda: said_to(presenter, "presenterNote") == "Wait for all 4.")
    assert re.fullmatch(r"\d\d:\d\d", said_to(presenter, "presenterClock"))
    assert re.fullmatch(r"\d+:\d\d of about \d+ min", said_to(presenter, "presenterTime"))
    assert said_to(presenter, "presenterNext") == "Next: A question\nOne merge is done."
    qtbot.keyClick(presenter, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: said_to(talk, "tourWords") == "One merge is done.")
    qtbot.waitUntil(lambda: said_to(presenter, "presenterNext") == "Next: the answer")
    assert said_to(presenter, "presenterNote") == "No note for this page."
    qtbot.keyClick(talk, KEY.Key_N)
    qtbot.waitUntil(lambda: not presenter.isVisible())


def test_the_line_names_the_merge_that_a_page_plays(
    qtbot: QtBot, start: Start, tmp_path: Path
) -> None:
    path = tmp_path / "playing.tour"
    path.write_text(TALK.replace("go to: 2", "play to: 4"))
    window = start("open", str(path))
    qtbot.waitUntil(lambda: said_to(window, "tourWords") == "There are 4 words.")
    stage = entered(qtbot, window)
    qtbot.keyClick(stage, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: said_to(stage, "tourWords") == "One merge is done.")
    qtbot.keyClick(stage, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: "Now: merge" in said(stage, "stageLine"))
    qtbot.waitUntil(lambda: "Last: merge 4" in said(stage, "stageLine"))


def test_hands_are_counted_for_each_answer(qtbot: QtBot, talk: QWidget) -> None:
    qtbot.keyClick(talk, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: said_to(talk, "tourWords") == "One merge is done.")
    qtbot.keyClick(talk, KEY.Key_H)
    for hands in ("12", "3"):
        qtbot.keyClicks(QApplication.focusWidget(), hands)
        qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Return)
    counted = [child(talk, QLineEdit, f"tourHands{number}") for number in (1, 2)]
    bars = [child(talk, QProgressBar, f"tourHandsBar{number}") for number in (1, 2)]
    assert [field.text() for field in counted] == ["12", "3"]
    assert [(bar.value(), bar.maximum()) for bar in bars] == [(12, 12), (3, 12)]
    assert said_to(talk, "tourVerdict") == "", "Enter in a field reveals nothing"
    qtbot.keyClick(talk, KEY.Key_2)
    qtbot.waitUntil(lambda: said_to(talk, "tourVerdict").startswith("Not 1 token"))
    assert [field.text() for field in counted] == ["12", "3"]
