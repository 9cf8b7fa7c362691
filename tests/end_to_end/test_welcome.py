"""Whoever has never begun anything is told in the first window what to begin with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QMainWindow,
    QPushButton,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    KEY,
    LEFT,
    Start,
    action,
    choose,
    end,
    is_trained,
    position,
    rows,
    said,
    timeline,
    write,
    written,
)
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn

SHIFT = Qt.KeyboardModifier.ShiftModifier
SIZE = 1366, 900


def is_welcomed(window: QMainWindow) -> bool:
    """Whether the card is in view."""
    return child(window, QWidget, "welcome").isVisible()


@pytest.fixture
def window(start: Start, qtbot: QtBot) -> QMainWindow:
    """The first window of all, with its welcome."""
    window = start()
    window.resize(*SIZE)
    qtbot.waitUntil(lambda: len(rows(window, "wordsTable")) == 4)
    qtbot.waitUntil(lambda: is_welcomed(window))
    return window


def place_of(widget: QWidget) -> QRect:
    """Where a widget is in its window."""
    return widget.rect().translated(widget.mapTo(widget.window(), widget.rect().topLeft()))


def press(qtbot: QtBot, window: QMainWindow, line: str) -> None:
    qtbot.mouseClick(child(window, QPushButton, line), LEFT)


def next_without_welcome(window: QMainWindow, start: Start, qtbot: QtBot) -> QMainWindow:
    """Close a window whose welcome is gone; the next one has none either."""
    assert not is_welcomed(window)
    window.close()
    following = start()
    following.resize(*SIZE)
    qtbot.waitUntil(lambda: rows(following, "wordsTable") != [])
    child(following, QWidget, "compareView")  # All is made now.
    assert not is_welcomed(following)
    return following


def check_it_lies_beside_the_words_and_covers_none(window: QMainWindow, qtbot: QtBot) -> None:
    card = child(window, QWidget, "welcome")
    table = child(window, QTableView, "wordsTable")
    for width, height in (SIZE, (1920, 1080), (1024, 700), SIZE):
        window.resize(width, height)
        qtbot.waitUntil(lambda: place_of(table).contains(card.geometry()))
        assert card.isVisible()
        assert card.x() > place_of(table).center().x()
    assert "A language model reads tokens. At first each is a letter, or </w>" in said(
        window, "welcomeSentence"
    )
    # What a window of 700 pixels has within its frame; the lines are there without the sentence.
    window.resize(1022, 660)
    qtbot.waitUntil(lambda: not child(window, QWidget, "welcomeSentence").isVisible())
    qtbot.waitUntil(lambda: place_of(table).contains(card.geometry()))
    assert card.isVisible()
    window.resize(*SIZE)
    qtbot.waitUntil(child(window, QWidget, "welcomeSentence").isVisible)
    assert said(window, "welcome").strip().startswith("Welcome")
    lines = [line for line in card.findChildren(QPushButton) if line.isVisible()]
    lines.sort(key=lambda line: line.mapTo(card, line.rect().topLeft()).toTuple()[::-1])
    assert [line.text() for line in lines] == [
        "Watch the four words", "Open a text…", "Take the tour", "Compare encodings",
    ]  # fmt: skip


def check_the_keyboard_reaches_it(window: QMainWindow, qtbot: QtBot) -> None:
    timeline(window).setFocus()
    wanted, reached = {"welcomeWatch", "welcomeClose", "welcomeOpen", "welcomeTour"}, set()
    for _ in range(60):
        qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Backtab, SHIFT)
        reached.add(QApplication.focusWidget().objectName())
    assert wanted <= reached
    child(window, QPushButton, "welcomeCompare").setFocus()
    qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Space)
    qtbot.waitUntil(child(window, QWidget, "compareView").isVisible)


def test_it_is_seen_and_reached(window: QMainWindow, qtbot: QtBot, in_turn: InTurn) -> None:
    def again() -> None:
        act(window, "resetSettingsAction")
        window.resize(*SIZE)
        qtbot.waitUntil(lambda: is_welcomed(window))

    in_turn(
        again,
        check_it_lies_beside_the_words_and_covers_none,
        check_the_keyboard_reaches_it,
    )


@pytest.mark.qt_log_ignore("This plugin does not support ")
def test_it_goes_when_anything_begins(window: QMainWindow, qtbot: QtBot, start: Start) -> None:
    """What its lines offer, or anything else; and the next window has none."""
    for what in (
        *("watch", "open", "compare", "tour"),
        *("train", "step", "type", "present", "close", "escape"),
    ):
        begin_something(window, what, qtbot)
        qtbot.waitUntil(lambda: not is_welcomed(window))  # noqa: B023
        if what == "present":
            act(window, "presentAction")
        window = next_without_welcome(window, start, qtbot)
        act(window, "resetSettingsAction")
        window.resize(*SIZE)
        qtbot.waitUntil(lambda: is_welcomed(window))  # noqa: B023


def begin_something(window: QMainWindow, what: str, qtbot: QtBot) -> None:
    if what == "watch":
        press(qtbot, window, "welcomeWatch")
        qtbot.waitUntil(lambda: is_trained(window))
        qtbot.waitUntil(lambda: 0 < position(window) < end(window))
        choose(child(window, QComboBox, "speedBox"), "20 a second")
        qtbot.waitUntil(lambda: is_welcomed(window))
        assert position(window) == end(window)
        qtbot.mouseClick(child(window, QToolButton, "welcomeClose"), LEFT)
    elif what == "open":
        box = child(window, QComboBox, "corpusBox")
        press(qtbot, window, "welcomeOpen")
        qtbot.waitUntil(box.view().isVisible)
        box.hidePopup()
        assert is_welcomed(window), "nothing has begun yet"
        choose(box, "A story in English")
    elif what == "compare":
        press(qtbot, window, "welcomeCompare")
        check_lanes_differ(window, qtbot)
        assert not is_welcomed(window)
        act(window, "exploreAction")
    elif what == "tour":
        press(qtbot, window, "welcomeTour")
        tour = child(window, QWidget, "tourPanel")
        qtbot.waitUntil(tour.isVisible)
        texts = [button.text() for button in tour.findChildren(QPushButton)]
        assert "Take the full tour" in texts, "the one that begins is short"
        assert not is_welcomed(window)
        qtbot.waitUntil(lambda: "different pairs" in said(window, "statusText"))
        assert "Train" not in said(window, "statusText"), "the page says what comes next"
        act(window, "leaveTourAction")
        qtbot.waitUntil(lambda: "Press Train (F5)." in said(window, "statusText"))
    elif what == "train":
        act(window, "trainAction")
        qtbot.waitUntil(lambda: not is_welcomed(window))
        qtbot.waitUntil(lambda: is_trained(window) and position(window) < end(window))
        act(window, "endAction")
        qtbot.waitUntil(lambda: is_welcomed(window))
        qtbot.mouseClick(child(window, QToolButton, "welcomeClose"), LEFT)
    elif what == "present":
        act(window, "presentAction")
    elif what == "step":
        qtbot.keyClick(timeline(window), KEY.Key_Right)
    elif what == "type":
        write(qtbot, window, "sampleText", "mine")
    elif what == "close":
        qtbot.mouseClick(child(window, QToolButton, "welcomeClose"), LEFT)
    else:
        child(window, QPushButton, "welcomeTour").setFocus()
        qtbot.keyClick(QApplication.focusWidget(), KEY.Key_Escape)
        assert timeline(window).hasFocus()


def check_lanes_differ(window: QMainWindow, qtbot: QtBot) -> None:
    """The four words are trained for Compare: without merges its two lanes would be alike."""
    assert child(window, QWidget, "compareView").isVisible()
    qtbot.waitUntil(lambda: is_trained(window))
    qtbot.waitUntil(lambda: [row[1] for row in rows(window, "metricsTable")] == ["4", "22"])
    assert position(window) == end(window) == 15


def check_what_else_there_is_stays_in_sight(
    window: QMainWindow, qtbot: QtBot, docks: list[QDockWidget]
) -> None:
    """Until it leads elsewhere."""
    bar = child(window, QWidget, "messageBar")
    assert choices(window) == ["Open a text…", "Take the tour", "Compare encodings"]
    seen = [dock for dock in docks if not dock.visibleRegion().isEmpty()]
    assert len(seen) >= 4
    tabs = [one for one in window.findChildren(QTabBar) if one.isVisible()]
    assert len(tabs) >= 3
    covered = [one for one in (*seen, *tabs) if place_of(bar).intersects(place_of(one))]
    assert not covered, "it covers a panel, or the line below the chosen tab"
    press_choice(qtbot, window, "Open a text…")
    box = child(window, QComboBox, "corpusBox")
    qtbot.waitUntil(box.view().isVisible)
    box.hidePopup()
    write(qtbot, window, "sampleText", "")
    write(qtbot, window, "sampleText", "lower")
    assert choices(window) == [], "one has been chosen"


@pytest.mark.qt_log_ignore("This plugin does not support ")
def test_it_says_what_to_do_after_the_four_words_were_watched(
    window: QMainWindow, qtbot: QtBot
) -> None:
    """As long as the cursor is at the end, until something else begins."""
    # Those behind other tabs are somewhere beside the window.
    docks = [
        dock for dock in window.findChildren(QDockWidget) if not dock.visibleRegion().isEmpty()
    ]
    assert len(docks) >= 5
    places = {dock: dock.geometry() for dock in docks}
    # The card says what to begin with.
    assert "different pairs" in said(window, "statusText")
    assert "Train" not in said(window, "statusText")
    qtbot.keyClick(timeline(window), KEY.Key_Space)
    qtbot.waitUntil(lambda: is_trained(window))
    qtbot.waitUntil(lambda: 0 < position(window) < end(window))
    assert not is_welcomed(window)
    # Pairs are left where they look.
    replays = (
        r"Training found 15 merges( in .*)?\. Replaying them ever faster, about 20 s in all\. "
        r"Space pauses, End goes to the last\."
    )
    assert re.search(replays, said(window, "statusText"))
    act(window, "endAction")
    qtbot.waitUntil(lambda: is_welcomed(window))
    assert {dock: dock.geometry() for dock in places} == places, "a panel has moved"
    card = said(window, "welcomeSentence")
    assert "the tokens that a language model reads" in card
    # At first each letter and each end is a token, as often as its word; 10 letters differ.
    before, after = 5 * 4 + 2 * 6 + (6 + 3) * 7, 5 + 2 + 6 + 3
    entries = 10 + 1
    assert f"{before} → {after}" in card
    larger = f"{entries} → {entries + end(window)} entries"
    assert f"The price is a larger vocabulary: {larger}." in card
    assert f"corpus {before} → {after} tokens" in said(window, "statusText")
    assert f"vocabulary {larger}" in said(window, "statusText")
    limit, size = "; training stops at 2,000 at the latest", entries + end(window)
    qtbot.waitUntil(lambda: f"{size} entries" in said(window, "vocabularyCount"))
    assert limit not in said(window, "vocabularyCount"), "it has stopped before"
    qtbot.keyClick(timeline(window), KEY.Key_Left)
    qtbot.waitUntil(lambda: f"{size - 1} entries{limit}" in said(window, "vocabularyCount"))
    qtbot.waitUntil(lambda: not is_welcomed(window))
    qtbot.keyClick(timeline(window), KEY.Key_Right)
    qtbot.waitUntil(lambda: is_welcomed(window))
    press(qtbot, window, "welcomeTokenize")
    assert not is_welcomed(window)
    qtbot.waitUntil(child(window, QWidget, "derivationTable").isVisible)
    qtbot.waitUntil(lambda: "lowest" in said(window, "derivationTitle"))
    assert [row[1] for row in rows(window, "derivationTable")][-2] == "lo + w"
    for key, place in ((KEY.Key_Home, 0), (KEY.Key_Right, 1), (KEY.Key_End, end(window))):
        qtbot.keyClick(QApplication.focusWidget(), key)
        qtbot.waitUntil(lambda place=place: position(window) == place)
    assert written(window, "sampleText") == "lowest"
    write(qtbot, window, "sampleText", "newer")
    qtbot.waitUntil(lambda: "4 tokens" in said(window, "textCounts"))
    act(window, "homeAction")
    act(window, "endAction")
    assert not is_welcomed(window)
    check_what_else_there_is_stays_in_sight(window, qtbot, docks)


def choices(window: QMainWindow) -> list[str]:
    """The buttons of what is offered at the lower edge of the window, in their order."""
    bar = child(window, QWidget, "messageBar")
    buttons = [button for button in bar.findChildren(QToolButton) if button.isVisible()]
    return [button.text() for button in buttons if button.text() != "Dismiss"]


def press_choice(qtbot: QtBot, window: QMainWindow, text: str) -> None:
    bar = child(window, QWidget, "messageBar")
    (button,) = (one for one in bar.findChildren(QToolButton) if one.text() == text)
    qtbot.mouseClick(button, LEFT)


def watch_and_write_a_new_word(window: QMainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: is_welcomed(window))
    press(qtbot, window, "welcomeWatch")
    qtbot.waitUntil(lambda: 0 < position(window) < end(window))
    act(window, "endAction")
    qtbot.waitUntil(lambda: is_welcomed(window))
    write(qtbot, window, "sampleText", "slow")
    qtbot.waitUntil(lambda: choices(window) != [])


@pytest.mark.qt_log_ignore("This plugin does not support ")
@pytest.mark.parametrize(
    ("way", "view"),
    [
        ("Tokenize a word", "derivationTable"),
        ("Take the tour", "tourPanel"),
        ("Compare encodings", "compareView"),
    ],
)
def test_what_is_left_to_begin_with_is_a_click_away(
    window: QMainWindow, qtbot: QtBot, way: str, view: str
) -> None:
    watch_and_write_a_new_word(window, qtbot)
    press_choice(qtbot, window, way)
    qtbot.waitUntil(child(window, QWidget, view).isVisible)
    assert choices(window) == []


def train_to_the_end(window: QMainWindow, corpus: str, qtbot: QtBot) -> None:
    choose(child(window, QComboBox, "corpusBox"), corpus)
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window) and position(window) < end(window))
    assert choices(window) == []
    act(window, "endAction")


@pytest.mark.qt_log_ignore("This plugin does not support ")
def test_at_the_end_of_a_first_run_it_is_said_once_what_there_is_to_do(
    window: QMainWindow, qtbot: QtBot
) -> None:
    train_to_the_end(window, "A story in English", qtbot)
    qtbot.waitUntil(lambda: choices(window) == [
        "Tokenize a word", "Open a text…", "Take the tour", "Compare encodings"
    ])  # fmt: skip
    train_to_the_end(window, "The same story in Russian", qtbot)
    qtbot.waitUntil(lambda: position(window) == end(window))
    qtbot.waitUntil(lambda: "Done" in said(window, "statusText"))
    assert choices(window) == []


@pytest.mark.parametrize("by", ["corpus", "compareAction", "presentAction"])
def test_what_is_left_to_begin_with_goes_when_something_else_begins(
    window: QMainWindow, qtbot: QtBot, by: str
) -> None:
    watch_and_write_a_new_word(window, qtbot)
    if by == "corpus":
        choose(child(window, QComboBox, "corpusBox"), "A story in English")
    else:
        act(window, by)
    qtbot.waitUntil(lambda: choices(window) == [])
    if by == "presentAction":
        act(window, by)


def test_a_reset_brings_it_back(window: QMainWindow, qtbot: QtBot, start: Start) -> None:
    qtbot.mouseClick(child(window, QToolButton, "welcomeClose"), LEFT)
    assert not is_welcomed(window)
    assert "Press Train" in said(window, "statusText")
    act(window, "resetSettingsAction")
    window.resize(*SIZE)
    qtbot.waitUntil(lambda: is_welcomed(window))
    act(window, "undoResetAction")
    qtbot.waitUntil(lambda: not is_welcomed(window))
    # Where there is a run, which it would lie over, it waits for the next window.
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window))
    act(window, "resetSettingsAction")
    assert not is_welcomed(window)
    action(window, "stepBackAction").trigger()
    window.close()
    following = start()
    following.resize(*SIZE)
    qtbot.waitUntil(lambda: is_welcomed(following))


def test_it_is_not_there_for_who_comes_with_a_text(
    start: Start, words: Path, qtbot: QtBot
) -> None:
    window = start("open", str(words), "--start")
    qtbot.waitUntil(lambda: is_trained(window))
    next_without_welcome(window, start, qtbot)


def test_no_word_of_the_card_at_the_end_is_cut(start: Start, qtbot: QtBot) -> None:
    window = start()
    window.resize(1366, 660)
    qtbot.waitUntil(lambda: is_welcomed(window))
    press(qtbot, window, "welcomeWatch")
    qtbot.waitUntil(lambda: is_trained(window) and not is_welcomed(window))
    act(window, "endAction")
    qtbot.waitUntil(lambda: is_welcomed(window))
    sentence, tokenize = (
        child(window, QLabel, "welcomeSentence"), child(window, QPushButton, "welcomeTokenize")
    )  # fmt: skip
    assert not sentence.isVisible(), "it would need more height"
    assert tokenize.width() >= tokenize.sizeHint().width()
    window.resize(1366, 768)
    qtbot.waitUntil(sentence.isVisible)
