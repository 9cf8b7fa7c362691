"""Bars of one number: as long as they should be, in the right order, with the best marked."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column
from bpe_gui.ui.compare.metric_bars import Bar, MetricBars
from bpe_gui.ui.compare.metrics_table import MetricsRow
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette
from tests.ui.compare.compared import encodings, numbers, rows
from tests.ui.driving import child, picture, shown


def bars_of(qtbot: QtBot, lanes: list[MetricsRow] | None = None) -> MetricBars:
    widget = shown(qtbot, MetricBars(), 600, 240)
    widget.set_rows(rows() if lanes is None else lanes)
    return widget


def bars(widget: MetricBars) -> tuple[Bar, ...]:
    return widget.canvas.bars


def choose(widget: MetricBars, title: str) -> None:
    child(widget, QComboBox, "barsNumber").setCurrentText(title)


def many(count: int) -> list[MetricsRow]:
    metrics = numbers(encodings()[0])
    name = "a lane with quite a long name"
    return [MetricsRow(key, f"{name} {key}", metrics) for key in range(count)]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.title)
def test_a_bar_is_as_long_as_its_number_is_large(qtbot: QtBot, column: Column) -> None:
    widget = bars_of(qtbot)
    choose(widget, column.title)
    drawn = [bar for bar in bars(widget) if bar.row.metrics is not None]
    longest = max(bar.bar.width() for bar in drawn)
    largest = max(column.of(bar.row.metrics) for bar in drawn)
    for bar in drawn:
        wanted = longest * column.of(bar.row.metrics) / largest if largest else 0
        assert abs(bar.bar.width() - wanted) <= 1
        assert bar.written == column.cell(bar.row.metrics)


def test_a_lane_without_numbers_says_why(qtbot: QtBot) -> None:
    last = bars(bars_of(qtbot))[-1]
    assert last.written == "2.1 of 3.0 MB fetched"
    assert last.bar.width() == 0


def test_the_best_is_marked_and_where_none_is_better_none_is(qtbot: QtBot) -> None:
    widget = bars_of(qtbot)
    assert [bar.row.key for bar in bars(widget) if bar.best] == [2]
    choose(widget, "vocabulary")
    assert not any(bar.best for bar in bars(widget))


def test_lanes_that_are_equally_good_are_all_best(qtbot: QtBot) -> None:
    assert all(bar.best for bar in bars(bars_of(qtbot, many(3))))


def test_the_best_comes_first_if_that_is_wanted(qtbot: QtBot) -> None:
    widget = bars_of(qtbot)
    assert [bar.row.key for bar in bars(widget)] == [1, 2, 3, 9]
    child(widget, QCheckBox, "barsBestFirst").click()
    for column in COLUMNS:
        choose(widget, column.title)
        values = [column.of(bar.row.metrics) for bar in bars(widget)]
        assert values.pop() is None
        assert values == sorted(values, reverse=column.better is not Better.LESS)


@pytest.mark.parametrize("count", [2, 20])
def test_names_bars_and_numbers_have_their_own_room(qtbot: QtBot, count: int) -> None:
    widget = bars_of(qtbot, many(count))
    drawn = bars(widget)
    for bar in drawn:
        assert bar.name_place.right() < bar.bar.left()
        assert bar.bar.right() < bar.written_place.left()
        assert widget.canvas.fontMetrics().horizontalAdvance(bar.name) <= bar.name_place.width()
        assert bar.area.height() >= widget.canvas.fontMetrics().height()
    for above, below in pairwise(drawn):
        assert above.area.bottom() < below.area.top()
    canvas = widget.canvas
    assert drawn[-1].area.bottom() <= canvas.height() + canvas.verticalScrollBar().maximum()


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_the_best_bar_has_the_accent(qtbot: QtBot, theme: Theme) -> None:
    widget = bars_of(qtbot)
    widget.setPalette(palette(theme))
    image = picture(widget.canvas)
    for bar in bars(widget):
        if bar.bar.width():
            colour = image.pixelColor(bar.bar.center() * image.devicePixelRatio())
            assert (colour == QColor(theme.accent)) is bar.best


def test_a_click_selects_a_lane(qtbot: QtBot) -> None:
    widget = bars_of(qtbot)
    with qtbot.waitSignal(widget.canvas.laneSelected) as told:
        qtbot.mouseClick(
            widget.canvas.viewport(), Qt.MouseButton.LeftButton, pos=bars(widget)[2].area.center()
        )
    assert told.args == [3]


def test_the_keyboard_goes_from_lane_to_lane(qtbot: QtBot) -> None:
    widget = bars_of(qtbot)
    widget.canvas.setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(widget.canvas, key)
    with qtbot.waitSignal(widget.canvas.laneSelected) as told:
        qtbot.keyClick(widget.canvas, Qt.Key.Key_Return)
    assert told.args == [2]


def test_the_row_that_is_gone_to_is_scrolled_into_sight(qtbot: QtBot) -> None:
    widget = bars_of(qtbot, many(20))
    for _ in range(19):
        qtbot.keyClick(widget.canvas, Qt.Key.Key_Down)
    view, top = widget.canvas.viewport(), widget.canvas.verticalScrollBar().value()
    assert view.rect().translated(0, top).contains(bars(widget)[-1].area)
    assert not view.rect().translated(0, top).contains(bars(widget)[0].area.center())


def test_screen_readers_are_told_all_numbers_the_current_first(qtbot: QtBot) -> None:
    widget = bars_of(qtbot)
    assert widget.canvas.accessibleName() == "tokens of each encoding"
    assert widget.canvas.accessibleDescription().startswith("tokens, less is better: bytes 35; ")
    qtbot.keyClick(widget.canvas, Qt.Key.Key_Down)
    assert ": all, of “the” " in widget.canvas.accessibleDescription()
    assert ", the best" in widget.canvas.accessibleDescription()


@pytest.mark.qt_log_ignore("does not support raise")
def test_hovering_tells_the_name_in_full(qtbot: QtBot) -> None:
    widget = bars_of(qtbot, many(2))
    place = bars(widget)[1].area.center()
    help_event = QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget.canvas.viewport(), help_event)
    assert QToolTip.text().startswith("a lane with quite a long name 1: 35 tokens")
    QToolTip.hideText()
    beside = QPoint(5, widget.canvas.height() - 1)
    assert widget.canvas.tooltip_at(beside) == ""


def test_without_lanes_it_says_what_will_stand_here(qtbot: QtBot) -> None:
    widget = bars_of(qtbot, [])
    assert "Add an encoding" in widget.canvas.accessibleDescription()
    qtbot.keyClick(widget.canvas, Qt.Key.Key_Down)
    assert not picture(widget.canvas).isNull()


def test_long_names_that_differ_in_their_middle_are_told_apart(qtbot: QtBot) -> None:
    metrics = numbers(encodings()[0])
    begin, end = "acme-multilingual-web-mixture-", "-sentencepiece-final.model"
    names = [f"{begin}{kind}{end}" for kind in ("bpe-16k", "bpe-32k", "unigram-16k")]
    lanes = [MetricsRow(key, name, metrics) for key, name in enumerate(names)]
    shown_names = {bar.name for bar in bars(bars_of(qtbot, lanes))}
    assert len(shown_names) == 3
    assert not shown_names & set(names)
