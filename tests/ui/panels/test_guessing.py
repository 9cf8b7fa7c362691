"""The guessing mode through the window."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QPushButton,
    QTableView,
    QTextBrowser,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.word_list import Marked
from bpe_gui.ui.explore.coverable_panel import COVERED as COVERED_TEXT
from bpe_gui.ui.panels.guess.board import GuessBoard
from bpe_gui.ui.panels.guess.panel import GuessPanel
from bpe_gui.ui.run.player import SPEEDS
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import child
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.stage.entered_stage import window
from tests.ui.stage.stages import CORPUS, at_rest

__all__ = ["window"]

CONTROL = Qt.KeyboardModifier.ControlModifier
KEY = Qt.Key
ROLE = Qt.ItemDataRole


def check_the_question_follows_the_cursor_without_the_foot(
    window: MainWindow, qtbot: QtBot
) -> None:
    """The board has all the panel then: that is still in sight."""
    guess = window.explore.guess
    board = child(guess, GuessBoard, "guessBoard")
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    guess.set_asks(False)
    for position in (7, 3):
        window.player.scrub(position)
        at_rest(qtbot, window)
        assert not child(guess, QPushButton, "guessReveal").isVisible()
        assert board.question is not None
        assert board.question.position == position


def check_the_chart_gives_way_to_the_question(window: MainWindow, qtbot: QtBot) -> None:
    guess, chart = window.explore.guess, window.explore.pair_chart
    words = window.explore.words
    qtbot.waitUntil(lambda: words.model.words is not None and words.model.words.touched == 2)
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    assert guess.isVisible()
    assert not chart.isVisible()
    at_rest(qtbot, window)
    assert guess.covers
    assert words.model.words is not None
    assert words.model.words.touched == 0
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    assert chart.isVisible()
    assert not guess.isVisible()
    qtbot.waitUntil(lambda: words.model.words is not None and words.model.words.touched == 2)


@pytest.mark.parametrize("name", ["compareAction", "laboratoryAction"])
def test_from_elsewhere_the_question_is_gone_to(window: MainWindow, name: str) -> None:
    child(window, QAction, name).trigger()
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    assert window.workspaces.shown is WorkspaceId.EXPLORE
    assert window.explore.guess.isVisible()
    child(window, QAction, name).trigger()
    assert not window.explore.docks["pairDock"].isVisible()
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    assert not window.explore.docks["pairDock"].isVisible(), "it stands in no other workspace"


def check_a_guess_reveals_and_enter_goes_on(window: MainWindow, qtbot: QtBot) -> None:
    guess = window.explore.guess
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    with qtbot.waitSignal(guess.answered) as answered:
        QTest.keyClick(guess, KEY.Key_1)
    assert answered.args[0] == 2
    assert not guess.covers
    QTest.keyClick(guess, KEY.Key_Return)
    assert window.player.position == 3
    at_rest(qtbot, window)
    assert guess.covers


def check_the_question_follows_the_cursor(window: MainWindow, qtbot: QtBot) -> None:
    action = window.findChild(QAction, "guessAction")
    assert isinstance(action, QAction)
    action.trigger()
    at_rest(qtbot, window)
    before = window.explore.guess.accessibleDescription()
    QTest.keyClick(window, KEY.Key_Left)
    at_rest(qtbot, window)
    assert window.explore.guess.accessibleDescription() != before
    assert window.explore.guess.covers


def guess(window: MainWindow, qtbot: QtBot) -> GuessPanel:
    """Begin to guess at the cursor."""
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    at_rest(qtbot, window)
    return window.explore.guess


def test_playing_halts_at_each_open_question(window: MainWindow, qtbot: QtBot) -> None:
    panel, player = guess(window, qtbot), window.player
    player.set_speed(SPEEDS[-1])
    QTest.keyClick(window, KEY.Key_Space)
    assert (player.position, player.playing) == (2, False)
    QTest.keyClick(panel, KEY.Key_R)
    QTest.keyClick(window, KEY.Key_Space)
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == 3
    at_rest(qtbot, window)
    assert panel.covers
    # What was answered before is played through.
    QTest.keyClick(panel, KEY.Key_1)
    player.scrub(2)
    QTest.keyClick(window, KEY.Key_Space)
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == 4
    # By hand a question can be left open.
    QTest.keyClick(window, KEY.Key_Right)
    assert player.position == 5
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    QTest.keyClick(window, KEY.Key_Space)
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == player.end


def check_the_game_can_be_started_over(window: MainWindow, qtbot: QtBot) -> None:
    panel = guess(window, qtbot)
    anew = child(panel, QPushButton, "guessReset")
    assert not anew.isVisible()
    QTest.keyClick(panel, KEY.Key_1)
    score = child(panel, QLabel, "guessScore")
    assert "of 1 right" in score.text()
    anew.setFocus()
    QTest.keyClick(anew, KEY.Key_Space)
    assert panel.isAncestorOf(window.focusWidget()), "the keys go on playing"
    assert "right" not in score.text()
    assert panel.covers
    assert not anew.isVisible()
    QTest.keyClick(panel, KEY.Key_2)
    assert "of 1 right" in score.text()


def covers(window: MainWindow) -> list[QLabel]:
    """What stands in the place of panels."""
    labels = window.findChildren(QLabel)
    return [label for label in labels if label.text() == COVERED_TEXT]


COVERED = ("why", "spacetime", "concordance", "curves", "derivation", "branches", "tree")


def test_panels_are_covered_before_anything_is_drawn(window: MainWindow, qtbot: QtBot) -> None:
    explore = window.explore
    window.explore.docks["whyDock"].raise_()
    panel = guess(window, qtbot)
    for name in COVERED:  # some of which are made only now
        assert not explore.panel(name).isVisibleTo(window), name
    assert len(covers(window)) == len(COVERED)
    QTest.keyClick(panel, KEY.Key_R)
    assert explore.why.isVisible()
    QTest.keyClick(window, KEY.Key_Right)
    assert not explore.why.isVisible()
    QTest.keyClick(window, KEY.Key_Left)
    assert explore.why.isVisible(), "it was revealed"
    QTest.keyClick(window, KEY.Key_Right)
    QTest.keyClick(window, KEY.Key_G, CONTROL)
    assert explore.why.isVisible()


def check_a_covered_panel_keeps_no_focus(window: MainWindow, qtbot: QtBot) -> None:
    explore = window.explore
    panel = guess(window, qtbot)
    QTest.keyClick(panel, KEY.Key_R)
    explore.why.setFocus()
    window.player.step()
    assert not explore.why.isAncestorOf(window.focusWidget())
    at_rest(qtbot, window)
    panel.reveal()
    assert explore.why.isVisible()


def everything_told(window: MainWindow) -> str:
    """All texts, tooltips and descriptions of what is in view, but for the question's."""
    told = []
    for widget in window.findChildren(QWidget):
        if not widget.isVisible() or widget is window.explore.guess:
            continue
        if window.explore.guess.isAncestorOf(widget):
            continue
        told += [widget.toolTip(), widget.accessibleDescription()]
        for kind in (QLabel, QAbstractButton):
            if isinstance(widget, kind):
                told.append(widget.text())
        if isinstance(widget, QTextBrowser):
            told.append(widget.toPlainText())
        if isinstance(widget, QComboBox):
            told += [widget.itemText(index) for index in range(widget.count())]
        if isinstance(widget, QTableView):
            model = widget.model()
            for row in range(model.rowCount()):
                for column in range(model.columnCount()):
                    for role in (ROLE.DisplayRole, ROLE.ToolTipRole, ROLE.AccessibleTextRole):
                        told.append(str(model.index(row, column).data(role)))
    timeline = window.player_bar.timeline
    told += [flag.bookmark.name for flag in timeline.flags]
    for x in range(0, timeline.width(), 4):
        for place in (QPoint(x, 5), QPoint(x, 30)):
            QToolTip.hideText()
            hovered = QHelpEvent(QHelpEvent.Type.ToolTip, place, timeline.mapToGlobal(place))
            QApplication.sendEvent(timeline, hovered)
            told.append(QToolTip.text())
    QToolTip.hideText()
    return "\n".join(told)


def words_are_guessed(window: MainWindow) -> bool:
    """Whether the words are those of the cursor, without marks of the next merge."""
    words = window.explore.words.model.words
    return (
        words is not None
        and words.query.marked is Marked.NONE
        and words.position == window.player.position
    )


@pytest.mark.qt_log_ignore("does not support raise")
def test_nothing_in_the_window_tells_the_covered_merge(window: MainWindow, qtbot: QtBot) -> None:
    history = window.player.history
    assert history is not None
    window.player.scrub(5)
    window.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    qtbot.waitUntil(lambda: window.branches.all[1].history.stopped is not None)
    window.branches.show(0)
    window.player.add_bookmark(6)
    window.explore.derivation.set_word("newest")
    docks = window.explore.docks
    secrets = ["ne", "n + e", "newest</w>", "without n + e at merge 6"]
    for name in ("derivationDock", "curvesDock", "wordsDock", "branchesDock", "vocabularyDock"):
        docks[name].raise_()
        window.explore.select_token(int(history.new_id[5]))
        at_rest(qtbot, window)
        if name == "curvesDock":
            window.explore.curves.plots[0].canvas.hovered.emit(1.0)
        if name != "vocabularyDock":
            assert told_of(secrets, everything_told(window)), f"{name} told nothing before"
        guess(window, qtbot)
        docks[name].raise_()
        at_rest(qtbot, window)
        if name == "curvesDock":
            window.explore.curves.plots[0].canvas.hovered.emit(1.0)
        qtbot.waitUntil(lambda: name != "wordsDock" or words_are_guessed(window))  # noqa: B023
        assert told_of(secrets, everything_told(window)) == [], name
        QTest.keyClick(window, KEY.Key_G, CONTROL)
        at_rest(qtbot, window)


def told_of(secrets: list[str], text: str) -> list[str]:
    """The secrets that stand in a text as words of their own."""
    return [s for s in secrets if re.search(rf"(?<![\w+]){re.escape(s)}(?![\w<])", text)]


def test_the_status_does_not_name_the_merge_that_was_trained_last(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("words.csv", CORPUS, "--preset", "whitespace")
    qtbot.waitUntil(lambda: window.player.history is not None)
    for done in range(1, 4):
        QTest.keyClick(window, KEY.Key_F7)
        qtbot.waitUntil(lambda done=done: window.player.position == done)  # type: ignore[misc]
    qtbot.waitUntil(lambda: window.status.text == "3 merges. Train (F5) goes on.")


def test_guessing(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_the_question_follows_the_cursor_without_the_foot,
        check_the_chart_gives_way_to_the_question,
        check_a_guess_reveals_and_enter_goes_on,
        check_the_question_follows_the_cursor,
        check_the_game_can_be_started_over,
        check_a_covered_panel_keeps_no_focus,
    )
