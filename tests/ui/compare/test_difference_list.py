"""The list of differences, grouped by kind, and the choice of the lanes that are shown."""

from __future__ import annotations

from collections import Counter
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QLabel, QTableView, QTabWidget, QToolButton
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from bpe_gui.encodings.differences.alignment import CachedEncoder, align
from bpe_gui.encodings.differences.find_causes import causes
from bpe_gui.encodings.differences.kinds import KindList, list_kinds
from bpe_gui.ui.compare import difference_list
from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.compare.difference_list import Column, KindsModel, KindsTable
from bpe_gui.ui.compare.wording import EXPLAINING, LISTING, NOT_EXPLAINED, SUMS
from bpe_gui.ui.shell.main_window import MainWindow
from tests.encodings.differences.test_removed_causes import merging
from tests.ui.compare.compare_workspace import afresh, settled, window, write
from tests.ui.driving import child
from tests.ui.in_turn import InTurn

__all__ = ["window"]

TEXT = "the cat sat on the mat and the hat, the rat saw that\n\nthe cat\n"


def shown_list(qtbot: QtBot, window: MainWindow) -> QTableView:
    """Bring the list to the front, and wait until all of it is explained."""
    tabs = child(window, QTabWidget, "numbersTabs")
    tabs.setCurrentWidget(window.compare.list)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: window.compare.list.task.at_rest)
    return child(window, QTableView, "differenceList")


def cells(table: QTableView, column: Column) -> list[str]:
    model = table.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def choose(window: MainWindow, name: str, text: str) -> None:
    """Choose the entry of a box that begins with a text."""
    box = child(window, QComboBox, name)
    (index,) = [n for n in range(box.count()) if box.itemText(n).startswith(text)]
    box.setCurrentIndex(index)
    box.activated.emit(index)


@pytest.fixture
def listed(qtbot: QtBot, window: MainWindow) -> QTableView:
    """The list of where a run and its beginning differ."""
    return listed_in(qtbot, window)


def listed_in(qtbot: QtBot, window: MainWindow) -> QTableView:
    window.player.scrub(len(window.player.history or ()))
    write(qtbot, window, TEXT)
    return shown_list(qtbot, window)


def check_differences_are_counted_by_kind_with_their_cost(
    window: MainWindow, listed: QTableView
) -> None:
    result = window.compare.comparison.result
    assert result is not None
    cuts = [lane.cut for lane in result.aligned if lane.cut is not None]
    pair = align(result.text, cuts)
    times: Counter[bytes] = Counter()
    for start, end in zip(pair.starts.tolist(), pair.ends.tolist(), strict=True):
        times[pair.data[start:end]] += 1
    assert sum(int(cell) for cell in cells(listed, Column.TIMES)) == sum(times.values())
    costs = [int(cell) for cell in cells(listed, Column.COST)]
    assert sum(costs) == len(cuts[1]) - len(cuts[0])
    assert costs == sorted(costs, key=abs, reverse=True), "the most expensive are first"
    assert set(cells(listed, Column.CAUSE)) == {"missing merge"}
    assert causes(pair, 0, 0, 1)[0].title == "missing merge"
    assert listed.isColumnHidden(Column.LANE), "there are only two"


def check_a_click_goes_to_one_place_after_the_other(
    qtbot: QtBot, window: MainWindow, listed: QTableView
) -> None:
    row = next(n for n, cell in enumerate(cells(listed, Column.TIMES)) if int(cell) > 1)
    spelled = listed.model().index(row, Column.TEXT).data()
    seen = set()
    for _ in range(2):
        listed.setCurrentIndex(listed.model().index(row, 0))
        qtbot.keyClick(listed, Qt.Key.Key_Return)
        number = window.compare.lanes.difference
        result = window.compare.comparison.result
        assert result is not None
        assert result.alignment is not None
        start, end = result.differences[number].tolist()
        assert result.alignment.data[start:end].decode().strip() in spelled
        seen.add(number)
    assert len(seen) == 2


def check_causes_are_filtered(window: MainWindow, listed: QTableView) -> None:
    before = listed.model().rowCount()
    box = child(window, QComboBox, "causeFilter")
    texts = [box.itemText(n) for n in range(box.count())]
    assert [text.partition(":")[0] for text in texts] == ["all causes", "missing merge"]
    assert "lanes" not in texts[0]
    choose(window, "causeFilter", "missing merge")
    assert listed.model().rowCount() == before
    choose(window, "causeFilter", "all causes")
    assert listed.model().rowCount() == before


def check_the_differences_of_each_lane_are_counted(qtbot: QtBot, window: MainWindow) -> None:
    window.player.scrub(len(window.player.history or ()))
    # The run as it is at the cursor does not differ.
    window.compare.comparison.at_positions([5, window.player.end])
    write(qtbot, window, TEXT)
    table, box = shown_list(qtbot, window), child(window, QComboBox, "causeFilter")
    times = sum(int(cell) for cell in cells(table, Column.TIMES))
    result = window.compare.comparison.result
    assert result is not None
    assert times > len(result.differences), "a place where both differ counts twice"
    assert box.itemText(0).startswith(f"all causes: {times} in 2 lanes, ")
    assert SUMS in box.toolTip()


def check_tokens_that_a_cause_adds_and_saves_are_not_netted(
    qtbot: QtBot, window: MainWindow
) -> None:
    """The chosen lane takes more tokens than the whole run, and fewer than its beginning."""
    window.player.scrub(len(window.player.history or ()))
    window.compare.comparison.at_positions([5, 1])
    write(qtbot, window, TEXT)
    chosen = window.compare.comparison.lanes[1].key
    window.compare.numbers.table.select_lane(chosen)
    costs = [int(it.replace("−", "-")) for it in cells(shown_list(qtbot, window), Column.COST)]
    added, saved = (sum(cost for cost in costs if cost * sign > 0) for sign in (1, -1))
    assert added > 0 > saved
    box = child(window, QComboBox, "causeFilter")
    said = [box.itemText(n).rpartition(", ")[2] for n in range(box.count())]
    assert said == [f"+{added} −{-saved} tokens"] * 2, "of all causes, and of the only one"


def check_a_heading_sorts(listed: QTableView) -> None:
    for column in (Column.TIMES, Column.TEXT, Column.CAUSE, Column.FIRST, Column.OTHER):
        listed.sortByColumn(column, Qt.SortOrder.AscendingOrder)
        found: list[str] | list[int] = cells(listed, column)
        if column is Column.TIMES:
            found = [int(cell) for cell in cells(listed, column)]
        elif column in (Column.FIRST, Column.OTHER):
            found = [cell.count("|") for cell in cells(listed, column)]
        elif column is Column.TEXT:
            found = [cell.replace("␣", " ") for cell in cells(listed, column)]
        assert found == sorted(found)  # type: ignore[type-var]


def check_causes_and_names_of_lanes_are_whole_in_a_small_window(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.player.scrub(len(window.player.history or ()))
    window.compare.comparison.at_positions([5])
    write(qtbot, window, TEXT)
    window.resize(1024, 700)
    table = shown_list(qtbot, window)
    wide = table.fontMetrics().horizontalAdvance
    for column in (Column.CAUSE, Column.TIMES, Column.COST, Column.LANE):
        room = table.columnWidth(column) - 8
        assert max(map(wide, cells(table, column))) <= room
    assert table.horizontalScrollBar().maximum() == 0


def check_differences_of_the_text_before_are_gone_while_others_are_looked_for(
    qtbot: QtBot, window: MainWindow, listed: QTableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()

    def slowly(*found: Any) -> KindList:
        go_on.wait()
        return list_kinds(*found)

    monkeypatch.setattr(difference_list, "list_kinds", slowly)
    assert listed.model().rowCount() > 0
    write(qtbot, window, "the hat that sat")
    note = child(window, QLabel, "differenceListNote")
    qtbot.waitUntil(lambda: note.text() == LISTING)
    assert listed.model().rowCount() == 0
    go_on.set()
    qtbot.waitUntil(lambda: listed.model().rowCount() > 0)
    assert not note.isVisible()


def check_finding_causes_is_cancelled_and_resumed(
    qtbot: QtBot, window: MainWindow, listed: QTableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = listed.model().rowCount()
    assert total > 2
    button = child(window, QToolButton, "explainButton")
    box = child(window, QComboBox, "causeFilter")
    assert not button.isVisible(), "all causes are known"
    go_on, asked = Event(), []
    find = KindList.causes

    def slowly(found: KindList, row: int) -> Any:
        asked.append(row)
        if len(asked) > 2:
            go_on.wait()
        return find(found, row)

    monkeypatch.setattr(KindList, "causes", slowly)
    monkeypatch.setattr(difference_list, "_REPORT_EVERY", 0)
    try:
        write(qtbot, window, f"{TEXT} ")
        qtbot.waitUntil(lambda: cells(listed, Column.CAUSE).count(EXPLAINING) == total - 2)
        assert (button.isVisible(), button.text()) == (True, "Cancel")
        button.click()
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: window.compare.list.task.at_rest)
    assert cells(listed, Column.CAUSE).count(NOT_EXPLAINED) == total - 2
    assert any(box.itemText(n).startswith(f"{NOT_EXPLAINED}: ") for n in range(box.count()))
    assert button.text() == "Resume"
    asked.clear()
    button.click()
    qtbot.waitUntil(lambda: set(cells(listed, Column.CAUSE)) == {"missing merge"})
    assert asked == [*range(2, total)], "what was known was kept"
    assert not button.isVisible()


def check_the_list_is_a_model(
    window: MainWindow, listed: QTableView, qtmodeltester: ModelTester
) -> None:
    model = window.compare.list.model
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode)
    model.show(None)
    tester.deleteLater()
    qtmodeltester.check(KindsModel())


def check_lanes_can_be_reduced_to_those_that_differ_and_to_pairs(
    qtbot: QtBot, window: MainWindow
) -> None:
    box = child(window, QComboBox, "laneChoice")
    assert not box.isVisible(), "there are only two lanes"
    window.player.scrub(len(window.player.history or ()))
    window.compare.comparison.at_positions([1, 2])
    write(qtbot, window, TEXT)
    assert box.isVisible()
    lanes = window.compare.lanes
    height = lanes.verticalScrollBar().maximum() + lanes.viewport().height()
    choose(window, "laneChoice", "Lanes that differ")
    assert lanes.verticalScrollBar().maximum() + lanes.viewport().height() <= height
    result = window.compare.comparison.result
    assert result is not None
    assert len(result.aligned) == 4
    choose(window, "laneChoice", f"The chosen lane and {BEHIND}")
    settled(qtbot, window)
    result = window.compare.comparison.result
    assert result is not None
    assert [lane.encoding.name for lane in result.aligned] == [FOLLOWING, BEHIND]
    assert len(result.tokenized) == 4
    # Another chosen lane takes the place of the chosen one; the other of the two changes sides.
    keys = [lane.key for lane in window.compare.comparison.lanes]
    window.compare.numbers.table.select_lane(keys[1])
    settled(qtbot, window)
    assert box.currentText() == f"The chosen lane and {FOLLOWING}"
    window.compare.numbers.table.select_lane(keys[2])
    settled(qtbot, window)
    result = window.compare.comparison.result
    assert result is not None
    assert [lane.key for lane in result.aligned] == [keys[0], keys[2]]
    window.compare.comparison.remove(keys[0])
    settled(qtbot, window)
    assert box.currentText() == "All lanes"


def test_long_runs_of_spaces_are_told_apart_by_their_numbers() -> None:
    merges = [(" " * size, " " * size) for size in (1, 2, 4)]
    text = "".join(f"a{' ' * size}" for size in (4, 4, 8, 2))
    encodings = merging([], "a "), merging(merges, "a ")
    model = KindsModel()
    cuts = [CachedEncoder(encoding).encode(text) for encoding in encodings]
    model.show(list_kinds(text, cuts, lambda: None))
    for column in (Column.TEXT, Column.OTHER):
        assert [model.cell(row, column) for row in range(model.count())] == ["␣×8", "␣×4", "␣␣"]


@pytest.mark.parametrize("names", [("a" * 50, "b.json"), ("a.json", "b" * 50)])
def test_a_long_name_of_a_lane_has_the_room_that_another_does_not_need(
    qtbot: QtBot, names: tuple[str, str]
) -> None:
    pair = merging([], TEXT), merging([("t", "h")], TEXT)
    for encoding, name in zip(pair, names, strict=True):
        encoding.name = name
    model = KindsModel()
    table = KindsTable(model)
    qtbot.addWidget(table)
    table.resize(1000, 300)
    table.show()
    model.show(list_kinds(TEXT, [CachedEncoder(one).encode(TEXT) for one in pair], lambda: None))
    for width, is_whole in ((1000, True), (700, False)):
        table.resize(width, 300)
        table.fit_lanes(2)
        for column, name in zip((Column.FIRST, Column.OTHER), names, strict=True):
            wide = table.horizontalHeader().fontMetrics().horizontalAdvance(name)
            room = table.columnWidth(column) - 16
            assert room >= wide or not (is_whole or len(name) < 10)
        assert sum(map(table.columnWidth, Column)) <= table.viewport().width()


def test_the_list(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    again = afresh(qtbot, window)

    def listed_again() -> None:
        again()
        listed_in(qtbot, window)

    in_turn(
        listed_again,
        check_differences_are_counted_by_kind_with_their_cost,
        check_a_click_goes_to_one_place_after_the_other,
        check_causes_are_filtered,
        check_a_heading_sorts,
        check_the_differences_of_each_lane_are_counted,
        check_tokens_that_a_cause_adds_and_saves_are_not_netted,
        check_causes_and_names_of_lanes_are_whole_in_a_small_window,
        check_differences_of_the_text_before_are_gone_while_others_are_looked_for,
        check_lanes_can_be_reduced_to_those_that_differ_and_to_pairs,
        check_finding_causes_is_cancelled_and_resumed,
        check_the_list_is_a_model,
    )
