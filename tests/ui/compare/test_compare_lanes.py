"""Lanes side by side: they follow the run, are added, moved, removed and looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QTableView
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.lanes.layout import LanePlace
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import afresh, run_of, settled, table, window, write
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn

__all__ = ["window"]


def check_a_lane_follows_the_cursor(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat that sat")
    history = run_of(window)
    for position in (0, 3, 7, window.player.end):
        window.player.scrub(position)
        settled(qtbot, window)
        for row, place in enumerate((position, position // 10)):
            expected = len(Tokenizer(history, place).encode("the cat that sat"))
            assert table(window)[row][1] == str(expected)


def check_the_run_at_several_steps(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow
) -> None:
    end = window.player.end
    for written, said in (
        ("2, five", "“five” is no number of merges"),
        ("2, 5, 99,999", f"The run ends at {end} merges, so it has no step 99,999."),
    ):
        monkeypatch.setattr(QInputDialog, "getText", lambda *a, said=written, **k: (said, True))
        act(window, "addStepsAction")
        assert said in window.message_bar.text
    assert [row[0] for row in table(window)] == [FOLLOWING, BEHIND]
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: (f"2, 5 2; {end}", True))
    act(window, "addStepsAction")
    settled(qtbot, window)
    assert window.message_bar.text == "", "what succeeds ends the complaint before it"
    names = [row[0] for row in table(window)]
    assert names[2:] == [f"gpt2 recipe, {merges} merges" for merges in (2, 5, end)]
    window.player.scrub(4)
    settled(qtbot, window)
    act(window, "addHereAction")
    settled(qtbot, window)
    assert table(window)[-1][0] == "gpt2 recipe, 4 merges"
    act(window, "addHereAction")
    settled(qtbot, window)
    assert table(window)[-1][0] == "gpt2 recipe, 4 merges (2)", "names tell lanes apart"


def check_after_another_training_the_steps_of_the_run_before_stay(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    comparison = window.compare.comparison
    comparison.at_positions([3])
    before = window.player.history
    path = tmp_path / "rats.txt"
    path.write_text("the rat that sat there ate the hat\n" * 20)
    window.open_sources([path], train=True)
    qtbot.waitUntil(lambda: window.player.history is not before)
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    settled(qtbot, window)
    assert comparison.history is window.player.history
    comparison.at_positions([3])
    settled(qtbot, window)
    names = [row[0] for row in table(window)]
    kept = "gpt2 recipe on story.txt"
    assert names[2:] == ["gpt2 recipe, 3 merges", kept, "gpt2 recipe, 3 merges (2)"]
    after = window.player.history
    runs = [lane.encoding.history for lane in comparison.lanes if lane.encoding is not None]
    assert runs == [after, after, before, before, after]


def check_branches_are_lanes_as_well(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "exploreAction")
    window.player.scrub(2)
    act(window, "forbidAction")
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    act(window, "compareAction")
    menu = window.compare.add_menu
    branches = child(menu, QMenu, "addBranchMenu")
    names = [branch.name for branch in window.branches.all]
    assert [action.text() for action in branches.actions()] == names
    branches.actions()[0].trigger()
    settled(qtbot, window)
    assert table(window)[-1][0] == names[0]
    window.branches.remove(1)
    assert [action.text() for action in branches.actions()] == names[:1]


def check_lanes_are_moved_and_removed_with_keys(qtbot: QtBot, window: MainWindow) -> None:
    view = child(window, QTableView, "metricsTable")
    view.setFocus()
    view.setCurrentIndex(view.model().index(1, 0))
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [BEHIND, FOLLOWING]
    assert window.compare.lanes.accessibleDescription().startswith(f"2 lanes: {BEHIND}")
    QTest.keyClick(view, Qt.Key.Key_Delete)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == ["the run at the cursor"]
    act(window, "addFollowingAction")
    settled(qtbot, window)
    assert len(table(window)) == 1, "it is there already"


def check_a_lane_chosen_in_the_table_is_made_out_and_the_other_way_round(
    qtbot: QtBot, window: MainWindow
) -> None:
    write(qtbot, window, "the cat")
    lanes, view = window.compare.lanes, child(window, QTableView, "metricsTable")
    before = lanes.grab().toImage()
    view.setCurrentIndex(view.model().index(1, 0))
    assert lanes.grab().toImage() != before
    lanes.setFocus()
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current == LanePlace(1, 0)
    QTest.keyClick(lanes, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 0
    QTest.keyClick(lanes, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 1


def test_lanes_are_moved_and_removed_where_they_stand(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat")
    window.compare.comparison.at_positions([2])
    settled(qtbot, window)
    lanes = window.compare.lanes
    lanes.setFocus()
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    QTest.keyClick(lanes, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [BEHIND, FOLLOWING, "gpt2 recipe, 2 merges"]
    assert lanes.current is not None
    assert lanes.current.lane == 1, "what is selected goes along"
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [BEHIND, "gpt2 recipe, 2 merges"]
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current is not None
    assert lanes.current.lane == 1, "the lane that has come to its place"
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    settled(qtbot, window)
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    settled(qtbot, window)
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    assert table(window) == []
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current is None
    act(window, "addFollowingAction")
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [FOLLOWING]


def check_the_menu_of_a_lane_is_for_that_lane(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(qtbot, window, "the cat")
    offered: list[QPoint] = []
    monkeypatch.setattr(
        window.compare.numbers.table, "show_menu", lambda where, _: offered.append(where)
    )
    lanes = window.compare.lanes
    place = lanes.token_center(LanePlace(1, 0))
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, lanes.viewport().mapToGlobal(place)
    )
    QApplication.sendEvent(lanes.viewport(), event)
    assert offered == [lanes.viewport().mapToGlobal(place)]
    act(window, "removeLaneAction")
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [FOLLOWING]


def check_a_lane_that_loses_something_says_so_beside_its_tokens(
    qtbot: QtBot, window: MainWindow
) -> None:
    model = LibraryTokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    window.compare.comparison.add(HuggingFaceEncoding(model, name="words"))
    write(qtbot, window, "zebra")
    said = window.compare.lanes.accessibleDescription()
    assert said.startswith(f"3 lanes: {FOLLOWING}, {BEHIND}, words · lossy.")


def check_all_numbers_have_room_in_a_window_of_1024_by_700(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.width() == 1024)
    window.compare.comparison.at_positions([2, 3])
    settled(qtbot, window)
    view = child(window, QTableView, "metricsTable")
    assert view.horizontalScrollBar().maximum() == 0
    last = view.visualRect(view.model().index(3, view.model().columnCount() - 1))
    assert view.viewport().rect().contains(last), "four lanes have room too"
    metrics = view.fontMetrics()
    for column in range(1, view.model().columnCount()):
        title = view.model().headerData(column, Qt.Orientation.Horizontal)
        widest = max(metrics.horizontalAdvance(line) for line in title.split("\n"))
        assert view.columnWidth(column) >= widest
    names = [row[0] for row in table(window)]
    assert view.columnWidth(0) >= max(map(metrics.horizontalAdvance, names)) + 14


def check_lanes_that_nobody_sees_follow_after_a_pause(qtbot: QtBot, window: MainWindow) -> None:
    settled(qtbot, window)
    act(window, "exploreAction")
    comparison = window.compare.comparison
    before = comparison.result
    window.player.scrub(1)
    assert comparison.result is before
    assert not comparison.up_to_date
    qtbot.waitUntil(lambda: comparison.up_to_date)
    assert comparison.result is not before


def test_lanes(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_a_lane_follows_the_cursor,
        check_the_run_at_several_steps,
        check_after_another_training_the_steps_of_the_run_before_stay,
        check_branches_are_lanes_as_well,
        check_lanes_are_moved_and_removed_with_keys,
        check_a_lane_chosen_in_the_table_is_made_out_and_the_other_way_round,
        check_the_menu_of_a_lane_is_for_that_lane,
        check_a_lane_that_loses_something_says_so_beside_its_tokens,
        check_all_numbers_have_room_in_a_window_of_1024_by_700,
        check_lanes_that_nobody_sees_follow_after_a_pause,
    )
