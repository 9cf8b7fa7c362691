"""Guided tours: walked through, answered, left again, and written by somebody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QMainWindow, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import bpe_gui
from tests.end_to_end.window import (
    ALT,
    KEY,
    LEFT,
    Start,
    action,
    answered,
    cells,
    column,
    description,
    go_to,
    messages,
    named,
    position,
    write,
)
from tests.ui.driving import act, child

FOUR_WORDS = ["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3
"""The corpus of the program's own tour."""

TOUR = """bpe-gui tour 1
title: A short tour

# First

## Words
corpus: four-words
preset: whitespace
text: newest

There are {words} words.

## A question
go to: 1

One merge is done.

predict: How many tokens is “newest” at the start?
choice: {tokens in "newest" at 0} tokens
choice: 1 tokens
right: {tokens in "newest" at 0} tokens

then:
go to: 2

Merge 2 was {last pair}.

# Second

## Side by side
workspace: compare
text: newest low
lane: the run after 3 merges
lane: whitespace

{tokens in lane 1} against {tokens in lane 2}.
"""


@pytest.fixture
def window(qtbot: QtBot, gpt2_run: QMainWindow) -> QMainWindow:
    """A run of the user's own, the cursor at merge 3, and a text."""
    write(qtbot, gpt2_run, "sampleText", "to be")
    go_to(qtbot, gpt2_run, 3)
    timeline = child(gpt2_run, QWidget, "timeline")
    qtbot.waitUntil(lambda: description(timeline).startswith("merge 3:"))
    return gpt2_run


def told(window: QMainWindow, name: str) -> str:
    """What a label of the tour says; empty if it is not shown."""
    label = window.findChild(QLabel, name)
    return label.text() if label is not None and label.isVisible() else ""


def own(window: QMainWindow) -> dict[str, object]:
    """What the user has before a tour, and shall have after it."""
    boxes = ("corpusBox", "presetBox")
    return {
        **{name: child(window, QComboBox, name).currentText() for name in boxes},
        "text": child(window, QPlainTextEdit, "sampleText").toPlainText(),
        "cursor": description(child(window, QWidget, "timeline")),
        "workspace": child(window, QWidget, "compareView").isVisible(),
    }


def lanes(qtbot: QtBot, window: QMainWindow) -> list[str]:
    """What is compared, looked up where it is."""
    act(window, "compareAction")
    table = child(window, QWidget, "metricsTable")
    qtbot.waitUntil(lambda: cells(table) != [] and "" not in column(table, "tokens"))
    act(window, "exploreAction")
    return column(table, "encoding")


def begun(qtbot: QtBot, window: QMainWindow) -> None:
    """Wait for the first page of a tour."""
    qtbot.waitUntil(lambda: told(window, "tourTitle") != "")
    qtbot.waitUntil(child(window, QPushButton, "tourNext").isEnabled)


def choices(window: QMainWindow) -> list[QPushButton]:
    """The answers that one can choose."""
    found = (window.findChild(QPushButton, f"tourChoice{number}") for number in range(1, 5))
    return [button for button in found if button is not None and button.isVisible()]


def go_on(qtbot: QtBot, window: QMainWindow) -> None:
    """Go to the next page from one that asks nothing, or is answered."""
    before = told(window, "tourTitle")
    on = child(window, QPushButton, "tourNext")
    qtbot.waitUntil(on.isEnabled)
    qtbot.mouseClick(on, LEFT)
    qtbot.waitUntil(lambda: told(window, "tourTitle") != before)


def test_the_own_tour_is_walked_answered_and_left_and_all_is_as_before(
    qtbot: QtBot, window: QMainWindow
) -> None:
    before = own(window)
    qtbot.keyClick(window, KEY.Key_F12)
    begun(qtbot, window)
    first = told(window, "tourTitle")
    assert not action(window, "previousPageAction").isEnabled()
    qtbot.mouseClick(child(window, QPushButton, "tourNext"), LEFT)
    qtbot.waitUntil(lambda: len(choices(window)) == 4)
    [merge] = bpe_gui.train(FOUR_WORDS, preset="whitespace", merges=1).history
    pair = f"{merge.left} + {merge.right}"
    [right] = [button for button in choices(window) if pair in button.text()]
    qtbot.mouseClick(right, LEFT)
    qtbot.waitUntil(lambda: pair in told(window, "tourVerdict"))
    assert str(merge.count) in told(window, "tourAfter")
    qtbot.keyClick(window, KEY.Key_Left, ALT)
    qtbot.waitUntil(lambda: told(window, "tourVerdict") == "")
    qtbot.keyClick(window, KEY.Key_Left, ALT)
    qtbot.waitUntil(lambda: told(window, "tourTitle") == first)
    qtbot.mouseClick(child(window, QWidget, "tourLeave"), LEFT)
    qtbot.waitUntil(lambda: not child(window, QWidget, "tourPanel").isVisible())
    qtbot.waitUntil(lambda: own(window) == before)


def test_beside_the_short_tour_a_small_window_has_room_for_what_the_signs_of_the_text_mean(
    qtbot: QtBot, window: QMainWindow
) -> None:
    window.resize(1024, 700)
    act(window, "shortTourAction")
    begun(qtbot, window)
    counts = child(window, QLabel, "textCounts")
    qtbot.waitUntil(lambda: counts.text().endswith("w>\u00a0=\u00a0word\u00a0end"))
    assert window.width() == 1024
    qtbot.waitUntil(lambda: 0 < counts.heightForWidth(counts.width()) <= counts.height())


def test_chapters_are_gone_to_by_keys(qtbot: QtBot, window: QMainWindow) -> None:
    act(window, "tourAction")
    begun(qtbot, window)
    first = told(window, "tourChapter")
    qtbot.keyClick(window, KEY.Key_PageDown, ALT)
    qtbot.waitUntil(lambda: told(window, "tourChapter") not in ("", first))
    qtbot.keyClick(window, KEY.Key_PageUp, ALT)
    qtbot.waitUntil(lambda: told(window, "tourChapter") == first)


def test_a_tour_from_a_file_is_opened_answered_and_left(
    qtbot: QtBot, window: QMainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "short.tour"
    path.write_text(TOUR)
    compared, before = lanes(qtbot, window), own(window)
    answered(qtbot, action(window, "openTourAction").trigger, [named(qtbot, path)])
    qtbot.waitUntil(lambda: told(window, "tourWords") == "There are 4 words.")
    assert child(window, QPlainTextEdit, "sampleText").toPlainText() == "newest"
    go_on(qtbot, window)
    qtbot.waitUntil(lambda: len(choices(window)) == 2)
    qtbot.waitUntil(lambda: position(window) == 1)
    qtbot.keyClick(child(window, QWidget, "tourPanel"), KEY.Key_2)
    qtbot.waitUntil(lambda: "7 tokens" in told(window, "tourVerdict"))
    qtbot.waitUntil(lambda: told(window, "tourAfter").startswith("Merge 2 was es + t"))
    qtbot.waitUntil(lambda: position(window) == 2)
    go_on(qtbot, window)
    qtbot.waitUntil(lambda: told(window, "tourTitle") == "Side by side")
    assert child(window, QWidget, "compareView").isVisible()
    counts = [
        len(bpe_gui.train(FOUR_WORDS, preset="whitespace").at(merges).encode("newest low").ids)
        for merges in (3, len(bpe_gui.train(FOUR_WORDS, preset="whitespace").history))
    ]
    qtbot.waitUntil(lambda: told(window, "tourWords") == f"{counts[0]} against {counts[1]}.")
    act(window, "leaveTourAction")
    qtbot.waitUntil(lambda: own(window) == before)
    assert lanes(qtbot, window) == compared


def test_a_tour_is_begun_with_from_the_command_line(
    qtbot: QtBot, start: Start, tmp_path: Path
) -> None:
    path = tmp_path / "short.tour"
    path.write_text(TOUR)
    window = start("open", str(path))
    qtbot.waitUntil(lambda: told(window, "tourWords") == "There are 4 words.")


def test_a_tour_with_a_mistake_says_where_and_the_run_stays(
    qtbot: QtBot, window: QMainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.tour"
    path.write_text(TOUR.replace("workspace: compare", "workspace: kitchen"))
    before = own(window)
    line = 1 + path.read_text().split("\n").index("workspace: kitchen")
    answered(qtbot, action(window, "openTourAction").trigger, [named(qtbot, path)])
    qtbot.waitUntil(lambda: f"line {line}," in "\n".join(messages(window)))
    assert "kitchen" in "\n".join(messages(window))
    assert own(window) == before
