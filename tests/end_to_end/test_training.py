"""A corpus is trained: to the end, in steps, with a pause, and until the window closes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from string import ascii_lowercase

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractSlider,
    QComboBox,
    QMainWindow,
    QSpinBox,
    QTextBrowser,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.shell.main_window import MainWindow
from tests.end_to_end.window import (
    MERGES,
    SYMBOLS,
    Start,
    choose,
    end,
    focus,
    is_enabled,
    is_trained,
    position,
    said,
    set_number,
    tokens,
)
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn


@pytest.fixture(scope="module")
def much(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that takes seconds: hardly a word occurs twice."""
    chance = random.Random(1)
    words = ("".join(chance.choices(ascii_lowercase, k=10)) for _ in range(250_000))
    path = tmp_path_factory.mktemp("corpus") / "much.txt"
    path.write_text(" ".join(words))
    return path


@pytest.fixture
def untrained(start: Start, words: Path, qtbot: QtBot) -> QMainWindow:
    """A window with the five words, and no merge yet."""
    window = start("open", str(words), "--preset", "whitespace")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction") and len(tokens(window)) == SYMBOLS)
    return window


def training_learns_all_that_there_is(untrained: QMainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(focus(qtbot, untrained, "timeline"), Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: is_trained(untrained))
    qtbot.waitUntil(lambda: tokens(untrained)[SYMBOLS:] == MERGES)
    assert position(untrained) == end(untrained) == len(MERGES)


def training_ends_at_the_size_of_the_vocabulary(untrained: QMainWindow, qtbot: QtBot) -> None:
    set_number(qtbot, untrained, "vocabSizeBox", SYMBOLS + 5)
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained))
    act(untrained, "endAction")
    qtbot.waitUntil(lambda: tokens(untrained)[SYMBOLS:] == MERGES[:5])
    assert re.search(r"Done.*: vocabulary size reached\.", said(untrained, "statusText"))
    assert child(untrained, QToolButton, "watchButton").isVisible()


def test_a_run_without_frequent_pairs_is_done(start: Start, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "rare.txt"
    path.write_text("abc abd")
    window = start("open", str(path), "--preset", "char-bpe")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window))
    act(window, "endAction")
    qtbot.waitUntil(lambda: "Done" in said(window, "statusText"))
    assert ": no pair is frequent enough." in said(window, "statusText")
    assert child(window, QToolButton, "watchButton").isVisible()


def a_larger_vocabulary_goes_on_from_where_the_run_stands(
    untrained: QMainWindow, qtbot: QtBot
) -> None:
    set_number(qtbot, untrained, "vocabSizeBox", SYMBOLS + 5)
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained) and end(untrained) == 5)
    act(untrained, "endAction")
    timeline = focus(qtbot, untrained, "timeline")
    qtbot.keyClick(timeline, Qt.Key.Key_Home)
    for _ in range(2):
        qtbot.keyClick(timeline, Qt.Key.Key_Right)
    ends: list[int] = []
    slider = child(untrained, QAbstractSlider, "timeline")
    slider.rangeChanged.connect(lambda _, last: ends.append(last))
    set_number(qtbot, untrained, "vocabSizeBox", SYMBOLS + 9)
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained) and end(untrained) == 9)
    assert all(5 < last <= 9 for last in ends), "no merge was done once more"
    assert position(untrained) == 2
    qtbot.keyClick(timeline, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: tokens(untrained)[SYMBOLS:] == MERGES[:9])


def size_of(history: History | None) -> int | None:
    """The size to which a run is to be trained."""
    return history.recipe.vocabulary_size if history is not None else None


def test_a_larger_vocabulary_before_the_first_merge_begins_nothing_anew(
    untrained: QMainWindow, qtbot: QtBot
) -> None:
    assert isinstance(untrained, MainWindow)
    player = untrained.player
    set_number(qtbot, untrained, "vocabSizeBox", SYMBOLS + 5)
    qtbot.waitUntil(lambda: size_of(player.history) == SYMBOLS + 5)
    begun = player.history
    set_number(qtbot, untrained, "vocabSizeBox", SYMBOLS + 9)
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained) and end(untrained) == 9)
    act(untrained, "endAction")
    assert player.history is begun
    qtbot.waitUntil(lambda: tokens(untrained)[SYMBOLS:] == MERGES[:9])


def a_step_at_the_end_trains_one_merge(untrained: QMainWindow, qtbot: QtBot) -> None:
    timeline = focus(qtbot, untrained, "timeline")
    for number in range(1, 4):
        qtbot.keyClick(timeline, Qt.Key.Key_Right)
        qtbot.waitUntil(lambda: (end(untrained), position(untrained)) == (number, number))  # noqa: B023
        qtbot.waitUntil(lambda: is_enabled(untrained, "stepAction"))
    qtbot.waitUntil(lambda: tokens(untrained)[SYMBOLS:] == MERGES[:3])
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained) and position(untrained) == len(MERGES))


def test_training_is_paused_and_continued(start: Start, much: Path, qtbot: QtBot) -> None:
    window = start("open", str(much), "--preset", "whitespace", "--vocab-size", "999999")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    act(window, "trainAction")
    qtbot.waitUntil(lambda: end(window) > 0)
    assert is_enabled(window, "pauseAction")
    act(window, "pauseAction")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    assert not is_enabled(window, "pauseAction")
    # While it rests one looks around, and then it goes on from where it was.
    act(window, "homeAction")
    qtbot.waitUntil(lambda: position(window) == 0)
    act(window, "liveAction")
    qtbot.waitUntil(lambda: position(window) == end(window))
    assert is_enabled(window, "trainAction")
    paused = end(window)
    act(window, "trainAction")
    qtbot.waitUntil(lambda: position(window) == end(window) > paused + 1000)
    assert child(window, QAction, "liveAction").isChecked()


def test_who_goes_back_while_it_trains_stays_there(start: Start, much: Path, qtbot: QtBot) -> None:
    window = start("open", str(much), "--preset", "whitespace", "--vocab-size", "999999", "--start")
    qtbot.waitUntil(lambda: end(window) > 0)
    act(window, "homeAction")
    qtbot.waitUntil(lambda: position(window) == 0)
    assert not child(window, QAction, "liveAction").isChecked()
    before = end(window)
    qtbot.waitUntil(lambda: end(window) > before)
    assert position(window) == 0
    act(window, "liveAction")
    qtbot.waitUntil(lambda: position(window) == end(window) > before)


def test_a_window_that_closes_while_it_trains_leaves_nothing(
    start: Start, much: Path, qtbot: QtBot
) -> None:
    window = start("open", str(much), "--preset", "whitespace", "--vocab-size", "999999", "--start")
    qtbot.waitUntil(lambda: end(window) > 0)
    assert is_enabled(window, "pauseAction")
    # The test fails if a thread, a timer or a process is left.
    act(window, "quitAction")
    assert not window.isVisible()


def what_was_trained_is_watched_from_the_start(untrained: QMainWindow, qtbot: QtBot) -> None:
    train = child(untrained, QToolButton, "trainButton")
    watch = child(untrained, QToolButton, "watchButton")
    speeds = child(untrained, QComboBox, "speedBox")
    assert train.isVisible()
    assert not watch.isVisible()
    place = train.mapTo(untrained, train.rect().center())
    qtbot.mouseClick(train, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: is_trained(untrained) and watch.isVisible())
    assert not train.isVisible()
    assert not child(untrained, QToolButton, "pauseButton").isVisible(), "that of the replay is one"
    assert watch.geometry().contains(watch.parentWidget().mapFrom(untrained, place))
    assert position(untrained) < len(MERGES), "it begins by itself"
    assert re.search(r"Training found 16 merges.* End goes to the last", status(untrained))
    qtbot.waitUntil(lambda: 0 < position(untrained) < len(MERGES))
    choose(speeds, "20 a second")
    qtbot.waitUntil(lambda: position(untrained) == len(MERGES))
    qtbot.waitUntil(lambda: "The price is" in said_at_the_end(untrained))
    assert "Done" in status(untrained)
    assert "Watch it" not in said_at_the_end(untrained), "one offer is enough"
    qtbot.mouseClick(watch, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: 0 < position(untrained) < len(MERGES))
    assert watch.isVisible(), "from here it begins anew"
    act(untrained, "endAction")
    qtbot.waitUntil(lambda: child(untrained, QAction, "playAction").text() == "&Play")
    assert watch.isVisible(), "it can be watched again"


def who_wants_no_replay_is_at_the_end(untrained: QMainWindow, qtbot: QtBot) -> None:
    act(untrained, "replayAction")
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained))
    assert position(untrained) == len(MERGES)
    act(untrained, "replayAction")


def what_is_trained_out_of_view_is_not_replayed(untrained: QMainWindow, qtbot: QtBot) -> None:
    act(untrained, "compareAction")
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained))
    act(untrained, "exploreAction")
    assert position(untrained) == len(MERGES)


def what_replays_makes_way_for_another_recipe(untrained: QMainWindow, qtbot: QtBot) -> None:
    preset = child(untrained, QComboBox, "presetBox")
    choose(preset, "lines")
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: "Replaying them" in status(untrained))
    assert child(untrained, QAction, "playAction").text() == "&Hold"
    choose(preset, "whitespace")
    qtbot.waitUntil(lambda: end(untrained) == 0)
    assert child(untrained, QAction, "playAction").text() == "&Play"


def status(window: QMainWindow) -> str:
    return said(window, "statusText")


def said_at_the_end(window: QMainWindow) -> str:
    text = child(window, QTextBrowser, "whyText").toPlainText()
    return text.replace("\N{NO-BREAK SPACE}", " ")


def at_the_end_nothing_is_offered_that_does_nothing(untrained: QMainWindow, qtbot: QtBot) -> None:
    train = child(untrained, QToolButton, "trainButton")
    act(untrained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(untrained) and not train.isEnabled())
    act(untrained, "endAction")
    assert "trained to its end" in train.toolTip()
    assert not is_enabled(untrained, "endAction")
    act(untrained, "stepBackAction")
    qtbot.waitUntil(lambda: position(untrained) == end(untrained) - 1)
    assert is_enabled(untrained, "endAction")
    act(untrained, "endAction")
    qtbot.waitUntil(lambda: position(untrained) == end(untrained))
    assert not is_enabled(untrained, "endAction")


def test_few_words_are_trained(untrained: QMainWindow, qtbot: QtBot, in_turn: InTurn) -> None:
    size = child(untrained, QSpinBox, "vocabSizeBox").value()
    preset = child(untrained, QComboBox, "presetBox")

    def again() -> None:
        for name in ("lines", "whitespace"):
            choose(preset, name)
            qtbot.waitUntil(lambda: end(untrained) == 0 and is_enabled(untrained, "trainAction"))
        child(untrained, QSpinBox, "vocabSizeBox").setValue(size)
        qtbot.waitUntil(lambda: len(tokens(untrained)) == SYMBOLS)

    in_turn(
        again,
        training_learns_all_that_there_is,
        training_ends_at_the_size_of_the_vocabulary,
        a_larger_vocabulary_goes_on_from_where_the_run_stands,
        a_step_at_the_end_trains_one_merge,
        what_was_trained_is_watched_from_the_start,
        who_wants_no_replay_is_at_the_end,
        what_is_trained_out_of_view_is_not_replayed,
        what_replays_makes_way_for_another_recipe,
        at_the_end_nothing_is_offered_that_does_nothing,
    )
