"""Branches are made by keys and menus, gone to and fro between, named and removed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLineEdit, QMenu, QTextBrowser
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import Decision
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.ui.panels.branches.table import MERGES, NAME, STATE, BranchesView, BranchTable
from bpe_gui.ui.run.branches import ORIGINAL, BranchState
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.widgets.boxes import ComboBox
from tests.ui.driving import child
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.run.branching import (
    at_rest,
    forbid,
    merges,
    names,
    press,
    shown,
    table,
    text_of,
    window,
)

__all__ = ["window"]

KEY = Qt.Key


def check_f8_forbids_the_pair_that_is_merged_next(window: MainWindow, qtbot: QtBot) -> None:
    original = shown(window)
    winner = original.history.next_pair(5)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: shown(window) is not original)
    at_rest(qtbot, window)
    history = shown(window).history
    assert window.player.position == 5
    assert not window.player.live
    assert merges(history)[:5] == merges(original.history)[:5]
    assert winner is not None
    assert winner not in merges(history)[5:]
    trainer = Trainer(original.words, original.history.recipe, interventions=history.interventions)
    trainer.advance(1000)
    assert merges(history) == merges(trainer.history)
    press(window.explore.pair_chart, KEY.Key_PageUp)
    assert window.explore.pair_chart.current_pair == history.next_pair(5) != winner
    left, right = (original.history.id_to_token(token) for token in winner)
    assert names(window) == [ORIGINAL, f"without {left} + {right} at merge 6".replace("Ġ", "␣")]


def check_f9_merges_the_pair_chosen_in_the_chart(window: MainWindow, qtbot: QtBot) -> None:
    original = shown(window)
    window.explore.pair_chart.setFocus()
    press(window.explore.pair_chart, KEY.Key_Down)
    press(window.explore.pair_chart, KEY.Key_Down)
    chosen = window.explore.pair_chart.current_pair
    press(window, KEY.Key_F9)
    qtbot.waitUntil(lambda: shown(window) is not original)
    at_rest(qtbot, window)
    history = shown(window).history
    assert history.next_pair(5) == chosen == merges(history)[5]
    press(window.explore.pair_chart, KEY.Key_Down)
    press(window.explore.pair_chart, KEY.Key_Down)
    assert "merged by decision" in window.explore.pair_chart.accessibleDescription()
    qtbot.waitUntil(lambda: "chosen" in said_of_the_merge(window, qtbot))


def check_a_pair_forced_among_its_equals_owes_nothing_to_the_rule(
    window: MainWindow, qtbot: QtBot
) -> None:
    original = shown(window)
    counts = original.history.top(5).count
    assert counts[0] == counts[1]
    press(window.explore.pair_chart, KEY.Key_Down)
    press(window, KEY.Key_F9)
    qtbot.waitUntil(lambda: shown(window) is not original)
    at_rest(qtbot, window)
    window.player.scrub(6)
    window.explore.docks["whyDock"].raise_()
    browser = window.findChild(QTextBrowser, "whyText")
    assert isinstance(browser, QTextBrowser)
    qtbot.waitUntil(lambda: "chosen by hand, not by the rule" in browser.toPlainText())
    assert "the tie is broken by" not in browser.toPlainText()


def said_of_the_merge(window: MainWindow, qtbot: QtBot) -> str:
    window.explore.docks["whyDock"].raise_()
    window.player.scrub(6)
    return str(window.explore.why.accessibleDescription())


def check_the_winner_need_not_be_forced(window: MainWindow) -> None:
    press(window, KEY.Key_F9)
    assert "merged next anyway" in window.message_bar.text
    assert names(window) == [ORIGINAL]


def test_nothing_can_be_forbidden_where_no_pair_is_left(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("one.csv", "word,count\nab,3\n", "--preset", "whitespace", "--start")
    at_rest(qtbot, window)
    press(window, KEY.Key_F8)
    assert "No pair is left" in window.message_bar.text


def check_the_menu_of_a_pair(window: MainWindow, qtbot: QtBot) -> None:
    press(window.explore.pair_chart, KEY.Key_PageUp)
    press(window.explore.pair_chart, KEY.Key_Down)
    second = window.explore.pair_chart.current_pair
    assert second is not None
    menu = window.what_if.menu(*second)
    force = menu.findChild(QAction, "forcePair")
    forbid = menu.findChild(QAction, "forbidPair")
    assert isinstance(force, QAction)
    assert isinstance(forbid, QAction)
    assert force.isEnabled()
    assert "merge 6" in force.text()
    forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    assert second not in merges(shown(window).history)[5:]
    decided = shown(window).history.interventions[0]
    assert (decided.decision, decided.step) == (Decision.FORBID, 5)
    winner = window.what_if.menu(*(shown(window).history.next_pair(5) or (0, 0)))
    force = winner.findChild(QAction, "forcePair")
    assert isinstance(force, QAction)
    assert not force.isEnabled()
    words = winner.findChild(QAction, "wordsWithPair")
    assert isinstance(words, QAction)
    words.trigger()
    model = window.explore.words.model
    qtbot.waitUntil(lambda: model.words is not None and bool(model.words.query.filter.tokens))


def check_the_menu_of_a_pair_is_of_the_merge_that_the_chart_shows(
    window: MainWindow, qtbot: QtBot
) -> None:
    """Where the cursor is meanwhile, the tokens of the pair may not exist yet."""
    chart, history = window.explore.pair_chart, shown(window).history
    window.player.scrub(12)
    qtbot.waitUntil(lambda: chart.position == 12)
    first_new = history.vocabulary_size(1)
    top = history.top(12)
    later = np.maximum(top.left, top.right) >= first_new
    press(chart, KEY.Key_PageUp)
    for _ in range(int(later.argmax())):
        press(chart, KEY.Key_Down)
    pair = chart.current_pair
    assert pair is not None
    assert max(pair) >= first_new
    window.player.scrub(1)  # the next frame is still to come
    forbid = child(window.what_if.menu(*pair), QAction, "forbidPair")
    assert "from merge 13 on" in forbid.text()
    qtbot.waitUntil(lambda: chart.position == 1)
    forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    decided = shown(window).history.interventions[0]
    assert (decided.step, decided.left, decided.right) == (12, *pair)


def check_a_pair_whose_tokens_do_not_exist_is_refused(
    window: MainWindow, qtbot: QtBot
) -> None:
    history = shown(window).history
    new, old = int(history.new_id[5]), int(history.left[0])
    for decision in Decision:
        for pair in ((new, old), (old, new), (old, -1)):
            with qtbot.waitSignal(window.branches.refused) as refused:
                window.branches.decide(decision, *pair)
            assert refused.args is not None
            assert "does not exist at merge 6" in refused.args[0]
    assert "does not exist at merge 6" in text_of(window, "messageText")
    assert names(window) == [ORIGINAL]
    assert not window.branches.awaits
    window.player.scrub(6)
    window.branches.decide(Decision.FORBID, old, new)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)


def check_the_words_with_a_pair_are_of_the_run_in_view(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.explore.docks["wordsDock"].hide()
    known = shown(window).history.vocabulary_size(len(shown(window).history))
    path = tmp_path / "more.txt"
    path.write_text("the quick brown fox jumps over lazy dogs and sleeping cats " * 9)
    window.controls.size_box.setValue(330)
    window.open_sources([path], train=True)
    qtbot.waitUntil(lambda: len(shown(window).history) + 256 > known + 20)
    at_rest(qtbot, window)
    pair = next(pair for pair in reversed(merges(shown(window).history)) if max(pair) > known)
    words = window.what_if.menu(*pair).findChild(QAction, "wordsWithPair")
    assert isinstance(words, QAction)
    words.trigger()
    window.explore.docks["wordsDock"].show()
    model = window.explore.words.model
    qtbot.waitUntil(lambda: model.words is not None and model.words.query.filter.tokens == pair)


def check_switching_keeps_the_place(window: MainWindow, qtbot: QtBot) -> None:
    original = shown(window)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    window.player.scrub(7)
    control_and_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(window, KEY.Key_B, control_and_shift)
    assert shown(window) is original
    assert window.player.position == 7
    at_rest(qtbot, window)
    view = table(window)
    assert view.currentIndex().row() == 0
    assert view.model().index(0, 0).data().endswith(ORIGINAL)
    place = view.visualRect(view.model().index(1, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert shown(window) is window.branches.all[1]
    view.selectRow(0)
    press(view, KEY.Key_Return)
    assert shown(window) is original


def check_names_and_removal(window: MainWindow, qtbot: QtBot) -> None:
    original = shown(window)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    view = table(window)
    model = view.model()
    assert model.setData(model.index(1, 0), "  my   branch ")
    assert names(window) == [ORIGINAL, "my branch"]
    for refused in ("", "  ", ORIGINAL):
        model.setData(model.index(1, 0), refused)
        assert names(window) == [ORIGINAL, "my branch"]
    view.selectRow(0)
    press(view, KEY.Key_Delete)
    assert names(window) == [ORIGINAL, "my branch"]
    view.selectRow(1)
    press(view, KEY.Key_Delete)
    assert names(window) == [ORIGINAL]
    assert shown(window) is original
    assert not view.isVisible()


def check_another_corpus_has_no_branches(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    history = window.player.history
    window.controls.choose_preset("whitespace")
    qtbot.waitUntil(lambda: window.player.history not in (history, None))
    assert names(window) == [ORIGINAL]


def check_the_model(window: MainWindow, qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    model = BranchTable()
    qtmodeltester.check(model)
    model.set_branches(window.branches.all, shown(window))
    qtmodeltester.check(model)
    assert model.index(1, NAME).data().startswith("▸ without")
    assert model.index(0, MERGES).data() == str(len(window.branches.all[0].history))
    tip = model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == shown(window).name
    model.set_states([BranchState.STOPPED, BranchState.FINISHED])
    qtmodeltester.check(model)
    assert model.index(0, STATE).data() == "stopped"
    done = len(window.branches.all[0].history)
    assert f"stopped at merge {done}" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    tip = model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith("finished: no pair is left to merge.")


def check_the_first_merge_of_all_can_be_forbidden(window: MainWindow, qtbot: QtBot) -> None:
    window.player.go_home()
    at_rest(qtbot, window)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: shown(window) is window.branches.all[1])
    assert window.player.position == 0
    assert not window.player.live
    browser = window.findChild(QTextBrowser, "whyText")
    assert isinstance(browser, QTextBrowser)
    window.player.scrub(1)
    window.explore.docks["whyDock"].raise_()
    qtbot.waitUntil(lambda: "from merge 1 on" in browser.toPlainText())


def check_what_is_covered_cannot_be_forced(window: MainWindow) -> None:
    QTest.keyClick(window, KEY.Key_G, Qt.KeyboardModifier.ControlModifier)
    press(window, KEY.Key_F8)
    press(window, KEY.Key_F9)
    assert names(window) == [ORIGINAL]
    assert not window.actions_.forbid.isEnabled()


def test_bookmarks_that_mean_the_same_are_there_in_a_branch(
    window: MainWindow, qtbot: QtBot
) -> None:
    for position in (0, 3, 5, 6, 9):
        window.player.add_bookmark(position)
    window.player.rename_bookmark(3, "mine")
    branch = forbid(window, qtbot)
    assert [(mark.position, mark.name) for mark in window.player.bookmarks][:2] == [
        (0, "start"),
        (3, "mine"),
    ]
    assert [mark.position for mark in window.player.bookmarks] == [0, 3, 5]
    assert [flag.bookmark.position for flag in window.player_bar.timeline.flags] == [0, 3, 5]
    window.player.remove_bookmark(3)
    window.branches.show(0)
    assert [mark.position for mark in window.player.bookmarks] == [0, 3, 5, 6, 9]
    assert shown(window) is not branch


def test_a_pair_that_is_merged_later_carries_more_bookmarks(
    window: MainWindow, qtbot: QtBot
) -> None:
    history = shown(window).history
    later = merges(history)[7]
    top = history.top(5)
    assert later in list(zip(top.left.tolist(), top.right.tolist(), strict=True))
    for position in (6, 7, 8):
        window.player.add_bookmark(position)
    window.branches.decide(Decision.FORBID, *later)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    assert merges(shown(window).history)[:7] == merges(history)[:7]
    assert [mark.position for mark in window.player.bookmarks] == [6, 7]


def check_the_menu_of_a_branch(window: MainWindow, qtbot: QtBot) -> None:
    branch = forbid(window, qtbot)
    view = table(window)
    assert isinstance(view, BranchesView)
    original, made = view.menu(0), view.menu(1)
    assert not child(original, QAction, "removeBranch").isEnabled()
    child(original, QAction, "showBranch").trigger()
    assert shown(window).name == ORIGINAL
    child(made, QAction, "nameBranch").trigger()
    editor = child(view, QLineEdit, "")
    QTest.keyClicks(editor, "mine")
    press(editor, KEY.Key_Return)
    qtbot.waitUntil(lambda: branch.name == "mine")
    child(made, QAction, "removeBranch").trigger()
    assert names(window) == [ORIGINAL]


def check_branches_are_named_shown_and_removed(window: MainWindow, qtbot: QtBot) -> None:
    check_the_winner_need_not_be_forced(window)
    check_names_and_removal(window, qtbot)
    check_the_menu_of_a_branch(window, qtbot)


def test_there_is_no_menu_for_a_pair_of_a_run_that_is_gone(window: MainWindow) -> None:
    """The chart shows it until its next frame."""
    rows = child(window, QAbstractScrollArea, "pairChart").viewport()
    first_row = QPoint(40, 8)
    mouse = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(mouse, first_row, rows.mapToGlobal(first_row))
    window.player.load(None)
    QApplication.sendEvent(rows, event)
    assert window.findChild(QMenu, "pairMenu") is None


def check_a_low_panel_shows_what_is_compared_below_the_branches(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1024, 700)
    for _ in range(2):
        window.actions_.forbid.trigger()
        at_rest(qtbot, window)
        window.player.scrub(5)
        at_rest(qtbot, window)
    branches, compared = table(window), child(window, ComboBox, "comparedBranch")
    qtbot.waitUntil(branches.isVisible)
    bottom = branches.mapTo(window, branches.rect().bottomLeft()).y()
    assert bottom < compared.mapTo(window, compared.rect().topLeft()).y()
    assert branches.viewport().rect().contains(branches.visualRect(branches.currentIndex()))


def test_branches(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_f8_forbids_the_pair_that_is_merged_next,
        check_f9_merges_the_pair_chosen_in_the_chart,
        check_a_pair_forced_among_its_equals_owes_nothing_to_the_rule,
        check_the_menu_of_a_pair,
        check_the_menu_of_a_pair_is_of_the_merge_that_the_chart_shows,
        check_a_pair_whose_tokens_do_not_exist_is_refused,
        check_the_words_with_a_pair_are_of_the_run_in_view,
        check_switching_keeps_the_place,
        check_the_model,
        check_the_first_merge_of_all_can_be_forbidden,
        check_what_is_covered_cannot_be_forced,
        check_branches_are_named_shown_and_removed,
        check_a_low_panel_shows_what_is_compared_below_the_branches,
        check_another_corpus_has_no_branches,
    )
