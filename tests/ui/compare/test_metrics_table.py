"""The table of numbers: what it shows, how it sorts, and how its numbers get out."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QFileDialog, QStyleOptionHeaderV2
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column
from bpe_gui.analysis.metrics import Metrics
from bpe_gui.exporting.tables import comma_separated
from bpe_gui.ui.compare.metrics_table import MetricsModel, MetricsRow, MetricsTable
from bpe_gui.ui.compare.own_numbers_dialog import OwnNumbersDialog
from tests.ui.compare.compared import TEXT, rows
from tests.ui.driving import active, child, shown

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
TITLES = [column.title for column in COLUMNS]
EXPECTED = "hub:model: 2.1 of 3.0 MB fetched"
"""What stands for the lane without numbers."""


def table_of(qtbot: QtBot) -> MetricsTable:
    table = active(qtbot, shown(qtbot, MetricsTable(), 1100, 300))
    table.set_rows(rows())
    return table


def names(table: MetricsTable) -> list[str]:
    model = table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def column_of(title: str) -> int:
    return 1 + TITLES.index(title)


def make_current(table: MetricsTable, name: str) -> None:
    index = table.model().index(names(table).index(name), 0)
    table.selectionModel().setCurrentIndex(
        index, QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    table.setFocus()


def test_the_model_keeps_the_rules(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    model = MetricsModel()
    watch = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_rows(rows())
    qtmodeltester.check(model)
    model.set_rows([replace(row, checked="no") for row in rows()])
    model.set_rows(rows()[:1])
    model.set_rows([])
    assert model.rowCount() == 0
    watch.deleteLater()


def test_a_few_used_tokens_are_not_none_and_most_words_are_not_all() -> None:
    whole, used = (
        next(column for column in COLUMNS if column.title == title)
        for title in ("single-token words", "vocabulary used")
    )
    assert [used.written(share) for share in (0.0, 3e-5, 0.5)] == ["0.00%", "<0.01%", "50.00%"]
    assert [whole.written(share) for share in (1.0, 0.9996, 0.999)] == ["100.0%", ">99.9%", "99.9%"]


def test_numbers_are_written_as_people_read_them(qtbot: QtBot) -> None:
    model = MetricsModel()
    model.set_rows(rows())
    first, last = model.cells(model.rows[0]), model.cells(model.rows[-1])
    assert first[:4] == ["bytes", f"{len(TEXT)}", "1.00", "1.00"]
    assert first[-1] == "yes"
    assert last[:2] == [EXPECTED, ""]


def test_a_number_that_is_undefined_is_a_dash(qtbot: QtBot) -> None:
    model = MetricsModel()
    model.set_rows(rows(""))
    assert model.cells(model.rows[0])[column_of("tokens/word")] == "–"


def test_headings_say_what_the_numbers_mean(qtbot: QtBot) -> None:
    model = MetricsModel()
    tip = model.headerData(
        column_of("Rényi"), Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    assert "evenly" in tip


def test_own_numbers_add_columns_and_take_them_away(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = shown(qtbot, MetricsTable(), 1200, 300)
    table.set_rows(rows())
    asked = iter([(2.5, 8192, 768), (0, 0, 0)])

    def answer(dialog: OwnNumbersDialog) -> int:
        price, context, width = next(asked)
        dialog.price.setValue(price)
        dialog.context.setValue(context)
        dialog.embedding.setValue(width)
        return int(OwnNumbersDialog.DialogCode.Accepted)

    monkeypatch.setattr(OwnNumbersDialog, "exec", answer)
    child(table, QAction, "ownNumbersAction").trigger()
    metrics = rows()[0].metrics
    assert metrics is not None
    per_token = metrics.characters_per_token
    assert per_token is not None
    written = table.metrics.cells(table.metrics.rows[0])
    assert written[-4:] == [
        f"{2.5 / per_token:,.2f}", f"{8192 * per_token:,.0f}",
        f"{metrics.vocabulary_size * 768 / 1e6:,.1f}", "yes",
    ]  # fmt: skip
    assert table.metrics.lines()[0][-4] == "price/M chars"
    assert table.model().columnCount() == len(COLUMNS) + 5
    child(table, QAction, "ownNumbersAction").trigger()
    assert table.model().columnCount() == len(COLUMNS) + 2


def test_a_status_is_told_on_hovering(qtbot: QtBot) -> None:
    model = MetricsModel()
    model.set_rows([rows()[-1]])
    tip = Qt.ItemDataRole.ToolTipRole
    assert model.index(0, 0).data(tip) == "hub:model: 2.1 of 3.0 MB fetched"


def test_renyi_of_a_text_that_is_shorter_than_the_vocabulary_is_marked(qtbot: QtBot) -> None:
    model = MetricsModel()
    (row, *_) = rows()
    assert row.metrics is not None
    place = column_of("Rényi")
    for size, mark in ((row.metrics.tokens, ""), (row.metrics.tokens + 1, "~")):
        metrics = replace(row.metrics, vocabulary_size=size)
        model.set_rows([replace(row, metrics=metrics)])
        cell = model.index(0, place)
        assert cell.data() == f"{metrics.renyi_efficiency:.3f}{mark}"
        tip = cell.data(Qt.ItemDataRole.ToolTipRole) or ""
        assert ("fewer tokens than the vocabulary" in tip) == bool(mark)
        best = COLUMNS[place - 1].best([metrics])
        assert best == (None if mark else metrics.renyi_efficiency)


@pytest.mark.parametrize("column", COLUMNS, ids=TITLES)
def test_what_is_best_is_the_best(column: Column) -> None:
    long_text = [
        replace(row.metrics, vocabulary_size=1) for row in rows() if row.metrics is not None
    ]
    found = [column.of(metrics) for metrics in long_text]
    best = column.best(long_text)
    if column.better is Better.NEITHER:
        assert best is None
    else:
        assert best == (min(found) if column.better is Better.LESS else max(found))


@pytest.mark.parametrize("order", [ASCENDING, DESCENDING])
def test_it_sorts_by_any_number_with_those_that_have_none_last(
    qtbot: QtBot, order: Qt.SortOrder
) -> None:
    table = table_of(qtbot)
    for title, column in zip(TITLES, COLUMNS, strict=True):
        table.sortByColumn(column_of(title), order)
        found = names(table)
        assert found[-1] == EXPECTED
        by_name = {row.name: column.of(row.metrics) for row in rows()}
        values = [by_name[name] for name in found[:-1]]
        assert values == sorted(values, reverse=order == DESCENDING)


def test_sorted_by_name_is_as_the_lanes_stand(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    table.sortByColumn(column_of("tokens"), ASCENDING)
    table.sortByColumn(0, ASCENDING)
    assert names(table) == [*(row.name for row in rows()[:-1]), EXPECTED]


def test_a_status_has_the_room_of_all_numbers_wherever_it_is_sorted_to(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    view = table
    for order in (ASCENDING, DESCENDING):
        view.sortByColumn(0, order)
        spans = {name: view.columnSpan(row, 0) for row, name in enumerate(names(table))}
        assert spans.pop(EXPECTED) == len(COLUMNS) + 2
        assert set(spans.values()) == {1}


def test_the_csv_has_all_numbers_unrounded_and_survives_quotes(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    odd = 'odd "name", with\nall'
    table.set_rows([replace(rows()[0], name=odd), *rows()[1:]])
    lines = list(csv.reader(io.StringIO(comma_separated(table.metrics.lines()))))
    assert lines[0] == ["encoding", *TITLES, "lossless"]
    assert lines[1][0] == odd
    for line, row in zip(lines[1:], rows(), strict=True):
        for cell, column in zip(line[1:-1], COLUMNS, strict=True):
            value = column.of(row.metrics)
            assert cell == ("" if value is None else repr(value))


def test_the_csv_goes_to_the_file_that_is_chosen(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(qtbot)
    path = tmp_path / "numbers.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    table.export.trigger()
    assert path.read_text("utf-8") == comma_separated(table.metrics.lines())


def test_to_choose_no_file_writes_none(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(qtbot)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    table.export.trigger()
    assert not list(tmp_path.iterdir())


def test_a_path_that_cannot_be_written_to_is_one_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    table = table_of(qtbot)
    path = tmp_path / "missing" / "numbers.csv"
    with qtbot.waitSignal(table.problem) as told:
        table.export_to(path)
    assert told.args == ["export", f"{path} cannot be written: No such file or directory."]
    assert not list(tmp_path.iterdir())
    with qtbot.waitSignal(table.problem) as told:
        table.export_to(tmp_path / "numbers.csv")
    assert told.args == ["export", ""]


def test_the_clipboard_gets_all_numbers_unrounded(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    make_current(table, "bytes")
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().split("\n")]
    assert lines[0][:2] == ["encoding", "tokens"]
    cells = [table.metrics.cells(row) for row in table.metrics.rows]
    assert [line[0] for line in lines[1:]] == [row[0] for row in cells]
    metrics = table.metrics.rows[1].metrics
    assert metrics is not None
    assert lines[2][1:3] == [str(metrics.tokens), str(metrics.characters_per_token)]
    assert lines[-1][1:] == [""] * (len(lines[0]) - 1), "a lane that is still to come"


def test_the_lane_that_is_gone_to_is_told(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    with qtbot.waitSignal(table.laneSelected) as told:
        make_current(table, "other")
    assert told.args == [3]


def test_delete_wants_the_current_lane_away_also_when_sorted(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    table.sortByColumn(column_of("tokens"), DESCENDING)
    make_current(table, "other")
    with qtbot.waitSignal(table.wanted) as told:
        qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert told.args == [table.remove, 3]


@pytest.mark.parametrize(
    ("key", "name"),
    [(Qt.Key.Key_Up, "moveLaneUpAction"), (Qt.Key.Key_Down, "moveLaneDownAction")],
)
def test_alt_and_an_arrow_want_the_current_lane_moved(
    qtbot: QtBot, key: Qt.Key, name: str
) -> None:
    table = table_of(qtbot)
    make_current(table, "other")
    with qtbot.waitSignal(table.wanted) as told:
        qtbot.keyClick(table, key, Qt.KeyboardModifier.AltModifier)
    assert told.args == [table.findChild(QAction, name), 3]


def test_a_lane_that_is_moved_stays_current(qtbot: QtBot) -> None:
    table = table_of(qtbot)

    def move(action: QAction, key: int) -> None:
        table.set_rows([rows()[1], rows()[0], *rows()[2:]])

    table.wanted.connect(move)
    make_current(table, "bytes")
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert table.current_key() == 1


def test_the_current_lane_stays_so_beside_a_new_one_and_behind_other_columns(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(dialog: OwnNumbersDialog) -> int:
        dialog.price.setValue(2)
        return int(OwnNumbersDialog.DialogCode.Accepted)

    monkeypatch.setattr(OwnNumbersDialog, "exec", answer)
    table = table_of(qtbot)
    make_current(table, "other")
    with qtbot.assertNotEmitted(table.laneSelected):
        table.set_rows([*rows(), replace(rows()[0], key=50, name="new")])
        assert table.current_key() == 3
        child(table, QAction, "ownNumbersAction").trigger()
    assert table.current_key() == 3
    assert table.remove.isEnabled()


def test_nothing_is_removed_where_no_lane_is_current(qtbot: QtBot) -> None:
    table = shown(qtbot, MetricsTable(), 800, 300)
    table.set_rows([])
    with qtbot.assertNotEmitted(table.wanted):
        table.remove.trigger()
        table.up.trigger()


def test_the_table_can_be_found(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    assert table.objectName() == "metricsTable"
    assert table.accessibleName()


def test_numbers_are_seen_whole_however_large_they_are(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    table.resize(740, 200)
    huge = Metrics(
        tokens=123_456_789, characters=123_456_789_000, bytes=1_234_567_890_000, words=9,
        unspaced_words=0, word_tokens=12_345_678, whole_words=9, unknowns=88_888_888,
        vocabulary_used=1_000_000, vocabulary_size=1_000_000, renyi_efficiency=0.888,
    )  # fmt: skip
    usual = [table.columnWidth(column) for column in range(len(COLUMNS) + 1)]
    table.set_rows([*rows(), MetricsRow(20, "huge", huge, checked="yes")])
    for column in range(1, len(COLUMNS) + 1):
        assert table.columnWidth(column) >= table.sizeHintForColumn(column)
    table.set_rows(rows())
    after = [table.columnWidth(column) for column in range(len(COLUMNS) + 1)]
    assert after[1:] == usual[1:], "no wider than they have to be"


@pytest.mark.parametrize("width", [480, 690, 1100])
def test_names_are_seen_whole_where_the_numbers_have_no_room_anyway(
    qtbot: QtBot, width: int
) -> None:
    table = table_of(qtbot)
    name = "gpt2 on Python's standard library"
    table.set_rows([replace(row, name=name) for row in rows()])
    table.resize(width, 200)
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance(name)
    assert seen_by_half(table) == []
    table.resize(width, 110)
    assert table.verticalScrollBar().maximum() > 0
    assert seen_by_half(table) == []
    assert heading(table, 0) == "encoding ▴"


def seen_by_half(table: MetricsTable) -> list[int]:
    """Columns whose right half is out of sight."""
    view, width = table, table.viewport().width()
    return [
        column
        for column in range(1, view.model().columnCount() - 1)
        if view.columnViewportPosition(column) < width - view.columnWidth(column) // 4
        and view.columnViewportPosition(column) + view.columnWidth(column) > width
    ]


def heading(table: MetricsTable, section: int) -> str:
    option = QStyleOptionHeaderV2()
    table.horizontalHeader().initStyleOptionForIndex(option, section)
    return str(option.text)


def test_large_ratios_have_few_decimals() -> None:
    column = COLUMNS[TITLES.index("tokens/word")]
    written = {
        0.5: "0.50", 99.99: "99.99", 99.996: "100.0", 999.9: "999.9", 999.96: "1,000",
        3000.0: "3,000", 12345678.9: "12,345,679",
    }  # fmt: skip
    assert {value: column.written(value) for value in written} == written
    assert column.written(None) == "–"


def test_the_arrow_stands_in_the_heading_and_hides_nothing(qtbot: QtBot) -> None:
    table = table_of(qtbot)
    header = table.horizontalHeader()
    for order, arrow in ((ASCENDING, "▴"), (DESCENDING, "▾")):
        for title, expected in (("tokens", "tokens\n{}"), ("chars/token", "chars/\ntoken{}")):
            section = column_of(title)
            table.sortByColumn(section, order)
            option = QStyleOptionHeaderV2()
            header.initStyleOptionForIndex(option, section)
            assert option.text == expected.format(arrow)
            assert option.sortIndicator == QStyleOptionHeaderV2.SortIndicator.None_
            other = QStyleOptionHeaderV2()
            header.initStyleOptionForIndex(other, section + 1)
            assert arrow not in other.text
