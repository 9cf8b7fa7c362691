"""What if: branches made, shown, named, compared and trained on through the window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QTableView, QTextBrowser
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.branch import Branch
from bpe_gui.bpe.history import History
from bpe_gui.bpe.intervention import Decision
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.ui.branches import ORIGINAL
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.models.branch_table import BranchColumn, BranchState, BranchTable
from bpe_gui.ui.panels.branches import BranchesView
from bpe_gui.ui.theme import LIGHT
from bpe_gui.ui.token_chips import TokenChips
from bpe_gui.ui.training import Phase
from tests.ui.pace import Rations
from tests.ui.widgets import child

TEXT = "the cat sat on the mat and the hat that the rat had\n" * 50
KEY = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """A window with a finished run of some 24 merges, the cursor at 5."""
    window = opened("story.txt", TEXT, "--start")
    at_rest(qtbot, window)
    window.player.scrub(5)
    at_rest(qtbot, window)
    return window


def at_rest(qtbot: QtBot, window: MainWindow) -> None:
    """Let the run end and the frame clock run out."""
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    qtbot.waitUntil(lambda: not window._frame.isActive())


def shown(window: MainWindow) -> Branch:
    branch = window.branches.shown
    assert branch is not None
    return branch


def table(window: MainWindow) -> QTableView:
    found = window.findChild(QTableView, "branchTable")
    assert isinstance(found, QTableView)
    return found


def names(window: MainWindow) -> list[str]:
    return [branch.name for branch in window.branches.all]


def merges(history: History) -> list[tuple[int, int]]:
    return list(zip(history.left.tolist(), history.right.tolist(), strict=True))


def text_of(window: MainWindow, name: str) -> str:
    """A label's text without its marks."""
    label = child(window, QLabel, name)
    return QTextDocumentFragment.fromHtml(label.text()).toPlainText()


def comparison(window: MainWindow) -> str:
    return text_of(window, "branchComparison")


def states(window: MainWindow) -> list[str]:
    model = table(window).model()
    return [model.index(row, BranchColumn.STATE).data() for row in range(model.rowCount())]


def forbid(window: MainWindow, qtbot: QtBot) -> Branch:
    """Forbid the next merge, and let the branch be trained to its end."""
    number = len(window.branches.all)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == number + 1)
    at_rest(qtbot, window)
    return window.branches.all[number]


def press(window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    QTest.keyClick(window, key, modifier or Qt.KeyboardModifier.NoModifier)


def test_f8_forbids_the_pair_that_is_merged_next(window: MainWindow, qtbot: QtBot) -> None:
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
    first = window.pair_chart._rows[0]
    assert (first.left, first.right) == history.next_pair(5) != winner
    left, right = (original.history.text(token) for token in winner)
    assert names(window) == [ORIGINAL, f"without {left} + {right} at merge 6".replace("Ġ", "␣")]


def test_f9_merges_the_pair_chosen_in_the_chart(window: MainWindow, qtbot: QtBot) -> None:
    original = shown(window)
    window.pair_chart.setFocus()
    press(window.pair_chart, KEY.Key_Down)
    press(window.pair_chart, KEY.Key_Down)
    chosen = window.pair_chart.current_pair
    press(window, KEY.Key_F9)
    qtbot.waitUntil(lambda: shown(window) is not original)
    at_rest(qtbot, window)
    history = shown(window).history
    assert history.next_pair(5) == chosen == merges(history)[5]
    assert window.pair_chart._rows.winner == 2
    press(window.pair_chart, KEY.Key_Down)
    press(window.pair_chart, KEY.Key_Down)
    assert "merged by decision" in window.pair_chart.accessibleDescription()
    qtbot.waitUntil(lambda: "chosen" in said_of_the_merge(window, qtbot))


def test_a_pair_forced_among_its_equals_owes_nothing_to_the_rule(
    window: MainWindow, qtbot: QtBot
) -> None:
    original = shown(window)
    counts = original.history.top(5).count
    assert counts[0] == counts[1]
    press(window.pair_chart, KEY.Key_Down)
    press(window, KEY.Key_F9)
    qtbot.waitUntil(lambda: shown(window) is not original)
    at_rest(qtbot, window)
    window.player.scrub(6)
    window.workspace.docks["whyDock"].raise_()
    browser = window.findChild(QTextBrowser, "whyText")
    assert isinstance(browser, QTextBrowser)
    qtbot.waitUntil(lambda: "Chosen by hand" in browser.toPlainText())
    assert "wins" not in browser.toPlainText()


def said_of_the_merge(window: MainWindow, qtbot: QtBot) -> str:
    window.workspace.docks["whyDock"].raise_()
    window.player.scrub(6)
    return str(window.workspace.why.accessibleDescription())


def test_the_winner_need_not_be_forced(window: MainWindow) -> None:
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


def test_the_menu_of_a_pair(window: MainWindow, qtbot: QtBot) -> None:
    row = window.pair_chart._rows[1]
    menu = window.what_if.menu(row.left, row.right)
    force = menu.findChild(QAction, "forcePair")
    forbid = menu.findChild(QAction, "forbidPair")
    assert isinstance(force, QAction)
    assert isinstance(forbid, QAction)
    assert force.isEnabled()
    assert "merge 6" in force.text()
    forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    assert (row.left, row.right) not in merges(shown(window).history)[5:]
    decided = shown(window).history.interventions[0]
    assert (decided.decision, decided.step) == (Decision.FORBID, 5)
    winner = window.what_if.menu(*(shown(window).history.next_pair(5) or (0, 0)))
    force = winner.findChild(QAction, "forcePair")
    assert isinstance(force, QAction)
    assert not force.isEnabled()
    words = winner.findChild(QAction, "wordsWithPair")
    assert isinstance(words, QAction)
    words.trigger()
    model = window.workspace.words.model
    qtbot.waitUntil(lambda: model.words is not None and bool(model.words.query.filter.tokens))


def test_switching_keeps_the_place(window: MainWindow, qtbot: QtBot) -> None:
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


def test_branches_are_compared(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: "part at merge 6" in comparison(window), timeout=60_000)
    box = window.findChild(QComboBox, "comparedBranch")
    assert isinstance(box, QComboBox)
    assert [box.itemText(index) for index in range(box.count())] == [ORIGINAL]
    for name in ("firstBranch", "secondBranch"):
        assert "bytes per token" in text_of(window, name)
    at_rest(qtbot, window)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: box.count() == 2)
    at_rest(qtbot, window)
    box.setCurrentText(names(window)[1])
    qtbot.waitUntil(lambda: names(window)[1] in text_of(window, "secondBranch"))
    assert "part at merge 6" in comparison(window)


def test_names_and_removal(window: MainWindow, qtbot: QtBot) -> None:
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


def test_a_branch_left_unfinished_can_be_trained_on(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.player.history is not None, timeout=60_000)
    for done in range(1, 4):
        press(window, KEY.Key_F7)
        qtbot.waitUntil(lambda done=done: window.player.position == done)  # type: ignore[misc]
    before = merges(shown(window).history)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    window.branches.show(0)
    assert (window.player.position, window.player.end) == (3, 3)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.end == 4 and window.player.position == 4)
    assert merges(shown(window).history)[:3] == before
    window.branches.show(1)
    window.branches.show(0)
    press(window, KEY.Key_F5)
    at_rest(qtbot, window)
    assert shown(window) is window.branches.all[0]
    assert shown(window).history.stopped is not None
    assert len(window.branches.all) == 2


def test_another_corpus_has_no_branches(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    history = window.player.history
    window.controls.choose_preset("whitespace")
    qtbot.waitUntil(lambda: window.player.history not in (history, None), timeout=60_000)
    assert names(window) == [ORIGINAL]


def test_the_model(window: MainWindow, qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    model = BranchTable()
    qtmodeltester.check(model)
    model.set_branches(window.branches.all, shown(window))
    qtmodeltester.check(model)
    assert model.index(1, BranchColumn.NAME).data().startswith("▸ without")
    assert model.index(0, BranchColumn.MERGES).data() == str(len(window.branches.all[0].history))
    tip = model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == shown(window).name
    model.set_states([BranchState.STOPPED, BranchState.FINISHED])
    qtmodeltester.check(model)
    assert model.index(0, BranchColumn.STATE).data() == "stopped"
    done = len(window.branches.all[0].history)
    assert f"stopped at merge {done}" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    tip = model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith("finished: no pair is left to merge.")


def test_train_has_nothing_to_do_for_a_complete_branch(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    at_rest(qtbot, window)
    before = [branch.history for branch in window.branches.all]
    press(window, KEY.Key_F5)
    window.run_control.train()
    window.branches.show(0)
    press(window, KEY.Key_F5)
    assert [branch.history for branch in window.branches.all] == before
    assert not window.training.busy


def test_the_first_merge_of_all_can_be_forbidden(window: MainWindow, qtbot: QtBot) -> None:
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
    window.workspace.docks["whyDock"].raise_()
    qtbot.waitUntil(lambda: "from merge 1 on" in browser.toPlainText())


def test_a_name_and_a_theme_leave_the_comparison_there(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: "part at merge 6" in comparison(window), timeout=60_000)
    at_rest(qtbot, window)
    window.set_theme(LIGHT)
    assert "part at merge 6" in comparison(window)
    window.branches.rename(1, "mine")
    assert text_of(window, "firstBranch").startswith("mine ·")


def test_what_is_covered_cannot_be_forced(window: MainWindow) -> None:
    QTest.keyClick(window, KEY.Key_G, Qt.KeyboardModifier.ControlModifier)
    press(window, KEY.Key_F8)
    press(window, KEY.Key_F9)
    assert names(window) == [ORIGINAL]
    assert not window.actions_.forbid.isEnabled()


# -- what can be clicked in a comparison ------------------------------------------------------


def test_the_merge_where_they_part_can_be_clicked(window: MainWindow, qtbot: QtBot) -> None:
    original, branch = shown(window), forbid(window, qtbot)
    qtbot.waitUntil(lambda: "part at merge 6" in comparison(window))
    window.player.scrub(9)
    follow_first_link(window, "branchComparison")
    assert (window.player.history, window.player.position) == (branch.history, 6)
    follow_first_link(window, "secondBranch")
    assert (window.player.history, window.player.position) == (original.history, 6)
    assert window.workspace.token_tree._token == int(original.history.new_id[5])


def follow_first_link(window: MainWindow, name: str) -> None:
    """Go to the first link of a label by the keyboard."""
    label = child(window, QLabel, name)
    label.setFocus()
    press(label, KEY.Key_Tab)
    press(label, KEY.Key_Return)


def test_a_token_that_one_branch_has_alone_can_be_clicked(
    window: MainWindow, qtbot: QtBot
) -> None:
    original, branch = shown(window), forbid(window, qtbot)
    qtbot.waitUntil(lambda: "part at merge 6" in comparison(window))
    for name, owner, other in (
        ("firstBranchTokens", branch, original),
        ("secondBranchTokens", original, branch),
    ):
        window.branches.show(window.branches.all.index(branch))
        at_rest(qtbot, window)
        chips = child(window, TokenChips, name)
        qtbot.waitUntil(lambda chips=chips: chips.shown > 0)  # type: ignore[misc]
        with qtbot.waitSignal(chips.tokenChosen) as chosen:
            QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips.place_of(0))
        token = chosen.args[0]
        assert shown(window) is owner
        assert window.player.position == owner.history.step(token) + 1
        assert window.workspace.token_tree._token == token
        made = {other.history.content(each) for each in other.history.new_id.tolist()}
        assert owner.history.content(token) not in made


# -- bookmarks, sizes and states --------------------------------------------------------------


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


def test_a_branch_is_trained_to_the_size_that_is_chosen_now(
    window: MainWindow, qtbot: QtBot
) -> None:
    original = shown(window).history
    window.controls.size_box.setValue(270)
    branch = forbid(window, qtbot)
    assert branch.history.vocabulary_size(len(branch.history)) == 270
    assert window.branches.all[0].history is original
    window.controls.size_box.setValue(275)
    window.player.add_bookmark(4)
    press(window, KEY.Key_F5)
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: branch.history.stopped is not None)
    assert branch.history.vocabulary_size(len(branch.history)) == 275
    assert window.player.history is branch.history
    assert 4 in window.player.bookmarks
    assert len(window.branches.all) == 2
    assert window.branches.all[0].history is original


def test_a_size_that_is_full_before_the_branch_parts_is_refused(window: MainWindow) -> None:
    window.controls.size_box.setValue(261)
    press(window, KEY.Key_F8)
    assert "full before merge 6" in window.message_bar.text
    assert names(window) == [ORIGINAL]
    assert not window.training.busy


def test_another_recipe_may_have_a_size_too_small_for_the_branches(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.controls.choose_preset("raw")
    window.controls.size_box.setValue(40)
    assert window.branches.chosen is None
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: shown(window).history.recipe.name == "raw")
    at_rest(qtbot, window)
    assert shown(window).history.vocabulary_size(len(shown(window).history)) == 40


def test_the_state_of_each_branch_is_told(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    window = opened("story.txt", TEXT)
    qtbot.waitUntil(lambda: window.player.history is not None, timeout=60_000)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.position == 1)
    forbid(window, qtbot)
    assert states(window) == ["stopped", "finished"]
    assert window.status.text.startswith(f"“{names(window)[1]}”: Stopped: no pair is left")
    window.branches.show(0)
    press(window, KEY.Key_F5)
    at_rest(qtbot, window)
    qtbot.waitUntil(lambda: states(window) == ["finished", "finished"])
    assert window.status.text.startswith(f"“{ORIGINAL}”: Stopped")


def test_a_branch_that_is_held_says_so_wherever_one_looks(
    qtbot: QtBot, opened: Callable[..., MainWindow], rations: Rations
) -> None:
    text = " ".join(f"{index * 7919 % 100_003:x}" for index in range(100_000))
    window = opened("large.txt", text, "--preset", "gpt2", "--vocab-size", "200000")
    qtbot.waitUntil(lambda: window.player.history is not None, timeout=60_000)
    press(window, KEY.Key_F7)
    qtbot.waitUntil(lambda: window.player.position == 1)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    qtbot.waitUntil(lambda: states(window) == ["stopped", "training"])
    press(window, KEY.Key_F6)
    assert states(window) == ["stopped", "paused"]
    press(window, KEY.Key_F5)
    window.branches.show(0)
    assert not window.actions_.step.isEnabled(), "it would end the training of the other"
    press(window, KEY.Key_F6)
    assert window.actions_.step.isEnabled()
    window.branches.show(1)
    branch = window.branches.all[1]
    window.branches.show(0)
    assert states(window) == ["stopped", "paused"]
    assert window.status.text.startswith(f"“{branch.name}”: Paused.")
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: states(window) == ["training", "stopped"])
    press(window, KEY.Key_F6)
    window.branches.show(1)
    held = len(branch.history)
    rations.merges = held + 100
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: states(window) == ["stopped", "training"])
    qtbot.waitUntil(lambda: window.branches.trained is branch, timeout=60_000)
    qtbot.waitUntil(lambda: len(branch.history) > held, timeout=60_000)
    press(window, KEY.Key_Escape)
    assert states(window) == ["stopped", "stopped"]


def test_what_made_way_for_a_branch_goes_on_when_that_is_finished(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    text = " ".join(f"{index * 7919 % 100_003:x}" for index in range(100_000))
    window = opened("large.txt", text, "--preset", "gpt2", "--vocab-size", "200000")
    qtbot.waitUntil(lambda: window.player.history is not None, timeout=60_000)
    press(window, KEY.Key_F5)
    qtbot.waitUntil(lambda: window.player.end > 10, timeout=60_000)
    window.player.scrub(5)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: len(window.branches.all) == 2, timeout=60_000)
    original, branch = window.branches.all
    assert original.history.stopped is None
    qtbot.waitUntil(lambda: states(window) == ["finished", "finished"], timeout=60_000)
    assert original.history.stopped is not None
    assert shown(window) is branch, "it goes on in the background"
    assert window.player.position == 5


def test_what_made_way_goes_on_when_the_other_is_removed_and_not_when_it_is_cancelled(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    # More than is trained before the test is at its end.
    text = " ".join(f"{index * 7919 % 1_000_003:x}" for index in range(1_000_000))
    window = opened("large.txt", text, "--preset", "gpt2", "--vocab-size", "2000000")
    qtbot.waitUntil(lambda: window.player.history is not None, timeout=60_000)
    press(window, KEY.Key_F5)
    for ends_it in (lambda: window.branches.remove(1), lambda: press(window, KEY.Key_Escape)):
        qtbot.waitUntil(lambda: window.branches.trains, timeout=60_000)
        qtbot.waitUntil(lambda: window.player.end > 10, timeout=60_000)
        window.player.scrub(5)
        press(window, KEY.Key_F8)
        qtbot.waitUntil(lambda: states(window) == ["stopped", "training"], timeout=60_000)
        ends_it()
        if len(window.branches.all) == 1:
            qtbot.waitUntil(lambda: states(window) == ["training"], timeout=60_000)
            assert window.player.position == 5
    assert states(window) == ["stopped", "stopped"]


def test_a_new_branch_is_compared_with_the_one_it_was_made_from(
    window: MainWindow, qtbot: QtBot
) -> None:
    box = child(window, QComboBox, "comparedBranch")
    first = forbid(window, qtbot)
    assert box.currentText() == ORIGINAL
    second = forbid(window, qtbot)
    assert box.currentText() == first.name
    box.setCurrentText(ORIGINAL)
    window.branches.show(1)
    assert box.currentText() == ORIGINAL, "what was chosen stays"
    window.branches.show(0)
    assert box.currentText() == first.name, "back to where one came from"
    qtbot.waitUntil(lambda: "part at merge 6" in comparison(window))
    assert second.name not in text_of(window, "secondBranch")


def test_the_menu_of_a_branch(window: MainWindow, qtbot: QtBot) -> None:
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
