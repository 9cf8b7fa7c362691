"""Two branches compared in words, of which some can be clicked."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.export.figure import as_figure
from bpe_gui.ui.export.panels import bring_into_view, panels_of
from bpe_gui.ui.run.branches import ORIGINAL
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import LIGHT
from bpe_gui.ui.tokens.token_chips import TokenChips
from tests.ui.driving import child
from tests.ui.run.branching import at_rest, comparison, forbid, names, press, shown, text_of, window

__all__ = ["window"]

KEY = Qt.Key


def test_branches_are_compared(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: "differ from merge 6" in comparison(window))
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
    qtbot.waitUntil(lambda: "differ from merge 6" in comparison(window))


def test_a_name_and_a_theme_leave_the_comparison_there(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: "differ from merge 6" in comparison(window))
    at_rest(qtbot, window)
    window.theme_choice.choose(LIGHT.name)
    assert "differ from merge 6" in comparison(window)
    window.branches.rename(1, "mine")
    assert text_of(window, "firstBranch").startswith("mine ·")


def test_the_merge_where_they_part_can_be_clicked(window: MainWindow, qtbot: QtBot) -> None:
    original, branch = shown(window), forbid(window, qtbot)
    qtbot.waitUntil(lambda: "differ from merge 6" in comparison(window))
    window.player.scrub(9)
    follow_first_link(window, "branchComparison")
    assert (window.player.history, window.player.position) == (branch.history, 6)
    follow_first_link(window, "secondBranch")
    assert (window.player.history, window.player.position) == (original.history, 6)
    told = f"id {int(original.history.new_id[5])}"
    qtbot.waitUntil(lambda: told in text_of(window, "tokenFacts"))


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
    qtbot.waitUntil(lambda: "differ from merge 6" in comparison(window))
    for name, owner, other in (
        ("firstBranchTokens", branch, original),
        ("secondBranchTokens", original, branch),
    ):
        window.branches.show(window.branches.all.index(branch))
        at_rest(qtbot, window)
        chips = child(window, TokenChips, name)
        qtbot.waitUntil(lambda chips=chips: chips.shown > 0)  # type: ignore[misc]
        with qtbot.waitSignal(chips.tokenChosen) as chosen:
            QTest.mouseClick(chips.viewport(), Qt.MouseButton.LeftButton, pos=chips.place_of(0))
        token = chosen.args[0]
        assert shown(window) is owner
        assert window.player.position == owner.history.step(token) + 1
        told = f"id {owner.history.own_id(token):,}"
        qtbot.waitUntil(lambda told=told: told in text_of(window, "tokenFacts"))  # type: ignore[misc]
        made = {other.history.token_bytes(each) for each in other.history.new_id.tolist()}
        assert owner.history.token_bytes(token) not in made


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
    qtbot.waitUntil(lambda: "differ from merge 6" in comparison(window))
    assert second.name not in text_of(window, "secondBranch")


def test_a_figure_has_both_branches_one_below_the_other(window: MainWindow, qtbot: QtBot) -> None:
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: "differ from merge 6" in comparison(window))
    at_rest(qtbot, window)
    panel = panels_of(window.context)["branches"]
    bring_into_view(window.context, panel)
    with as_figure(panel.widget, QSize(1280, 720)):
        tokens = child(window, TokenChips, "firstBranchTokens")
        below = child(window, QLabel, "secondBranch")
        assert tokens.shows_all
        line = tokens.fontMetrics().lineSpacing()
        lowest = max(tokens.place_of(index).y() for index in range(tokens.shown))
        end = tokens.mapTo(panel.widget, QPoint(0, lowest)).y()
        assert below.mapTo(panel.widget, QPoint(0, 0)).y() - end < 2 * line, "no hole between them"
        last = child(window, TokenChips, "secondBranchTokens")
        assert last.isVisibleTo(panel.widget)
        assert last.mapTo(panel.widget, QPoint(0, last.height())).y() <= 720


def test_a_figure_leaves_out_no_token_for_which_there_is_room(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.player.scrub(0)
    press(window, KEY.Key_F8)
    qtbot.waitUntil(lambda: "differ from merge 1" in comparison(window))
    at_rest(qtbot, window)
    panel = panels_of(window.context)["branches"]
    bring_into_view(window.context, panel)
    sides = [child(window, TokenChips, f"{side}BranchTokens") for side in ("first", "second")]
    area, cut = child(window, QWidget, "branchComparisonArea"), 0
    for width, height in ((1280, 720), (180, 300), (180, 320), (220, 320), (240, 300), (260, 300)):
        with as_figure(panel.widget, QSize(width, height), 1.0):
            last = sides[-1]
            assert last.isVisibleTo(panel.widget)
            end = last.mapTo(area, QPoint(0, last.height())).y()
            assert end <= area.height(), "all that is shown is whole"
            row = last.fontMetrics().height() + 8
            left_out = not all(chips.shows_all for chips in sides)
            assert not left_out or end + row > area.height()
            cut += left_out
    assert cut, "a figure has no room for all"
