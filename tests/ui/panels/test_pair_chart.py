"""The chart of competing pairs, as a widget."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.ui.panels.pairs.panel import PairChart
from bpe_gui.ui.panels.pairs.rows import PairRow
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette
from tests.ui.driving import picture, shown
from tests.ui.histories import four_words, invented


@pytest.fixture
def chart(qtbot: QtBot) -> PairChart:
    return shown(qtbot, PairChart(), 380, 440)


def settled(chart: PairChart) -> Callable[[], None]:
    def check() -> None:
        assert chart._rows.settled
        assert not chart._timer.isActive()

    return check


def row_middle(chart: PairChart, rank: int, x: int) -> QPoint:
    return QPoint(x, round(4 + (rank + 0.5) * chart._drawing.row_height))


def test_it_can_be_found(chart: PairChart) -> None:
    assert chart.objectName() == "pairChart"
    assert chart.accessibleName()


def test_without_a_history_it_says_so(chart: PairChart) -> None:
    assert "Open a corpus to" in chart.accessibleDescription()
    empty = picture(chart)
    colours = {empty.pixelColor(x, y).name() for x in range(0, 380, 3) for y in range(440)}
    assert len(colours) > 1, "a sentence must be there"
    chart.set_history(four_words())
    assert picture(chart) != empty
    chart.set_history(None)
    assert picture(chart) == empty


def test_when_no_pair_is_left_it_says_so(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    chart.show_position(len(history), False)
    assert "No pair is left" in chart.accessibleDescription()
    assert chart.accessibleDescription().endswith("Left steps back, to what was merged last.")


def test_a_position_looks_the_same_however_it_was_reached(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    chart.clearFocus()  # the current row goes with its pair
    chart.set_history(history)
    chart.set_animated(False)
    chart.show_position(3, False)
    exact = picture(chart)
    chart.set_animated(True)
    chart.show_position(0, True)
    chart.show_position(7, True)
    chart.show_position(3, True)
    qtbot.waitUntil(settled(chart))
    assert picture(chart) == exact


def test_the_timer_runs_only_while_something_moves(chart: PairChart, qtbot: QtBot) -> None:
    chart.set_history(four_words())
    assert not chart._timer.isActive()
    chart.show_position(1, False)
    assert chart._timer.isActive()
    qtbot.waitUntil(settled(chart))
    chart.show_position(1, False)
    assert not chart._timer.isActive()


def test_without_animation_rows_stand_at_once(chart: PairChart) -> None:
    chart.set_history(four_words())
    chart.show_position(2, False)
    assert chart._timer.isActive()
    chart.set_animated(False)
    settled(chart)()
    chart.show_position(5, False)
    settled(chart)()


def test_a_hidden_chart_does_not_move(chart: PairChart) -> None:
    chart.set_history(four_words())
    chart.show_position(2, False)
    chart.hide()
    settled(chart)()
    chart.show_position(4, False)
    settled(chart)()


def test_positions_outside_the_history_are_refused(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    with pytest.raises(IndexError, match="outside"):
        chart.show_position(len(history) + 1, False)


def test_clicks_select_the_pair_and_the_token_under_the_mouse(
    chart: PairChart, qtbot: QtBot
) -> None:
    history = four_words()
    chart.set_history(history)
    winner = history.top(1)
    chart.set_animated(False)
    chart.show_position(1, False)
    left, right = int(winner.left[0]), int(winner.right[0])
    columns = chart._drawing.columns
    for x, token in (
        (columns.plus - 8, left),
        (columns.plus + 8, right),
        (columns.bar + 5, max(left, right)),
    ):
        with (
            qtbot.waitSignal(chart.pairSelected) as pair,
            qtbot.waitSignal(chart.tokenSelected) as selected,
        ):
            QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=row_middle(chart, 0, x))
        assert pair.args == [left, right]
        assert selected.args == [token]


def test_a_click_below_the_last_row_selects_nothing(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    chart.set_history(history)
    below = row_middle(chart, len(history.top(0)) + 1, 100)
    with qtbot.assertNotEmitted(chart.pairSelected):
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=below)


def test_keys_move_the_current_row_and_select_it(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    top = history.top(0)
    chart.set_history(history)
    chart.setFocus()
    chart.activateWindow()
    qtbot.waitUntil(chart.hasFocus)
    assert "Wins" in chart.accessibleDescription()
    unmoved = picture(chart)
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert "Rank 2" in chart.accessibleDescription()
    assert picture(chart) != unmoved
    with qtbot.waitSignal(chart.pairSelected) as caught:
        QTest.keyClick(chart, Qt.Key.Key_Return)
    assert caught.args == [int(top.left[1]), int(top.right[1])]
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    assert f"Rank {len(top)}" in chart.accessibleDescription()
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert f"Rank {len(top)}" in chart.accessibleDescription()
    QTest.keyClick(chart, Qt.Key.Key_PageUp)
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert "Wins" in chart.accessibleDescription()


def test_the_current_pair_stays_current_while_it_climbs(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    top, later = history.top(0), history.top(3)
    pair = (int(later.left[0]), int(later.right[0]))
    before = list(zip(top.left.tolist(), top.right.tolist(), strict=True)).index(pair)
    assert before > 0
    chart._move_to(before)
    chart.show_position(3, False)
    assert chart._current == 0
    assert "Wins" in chart.accessibleDescription()


@pytest.mark.qt_log_ignore("does not support raise")
def test_hovering_tells_all_about_a_pair(chart: PairChart, qtbot: QtBot) -> None:
    chart.set_history(four_words())
    at = row_middle(chart, 0, 100)
    QTest.mouseMove(chart, at)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, at, chart.mapToGlobal(at))
    assert chart.event(event)
    assert "9 times" in QToolTip.text()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_selected_token_is_underlined(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    plain = picture(chart)
    chart.select_token(int(history.top(0).left[0]))
    assert picture(chart) != plain


def accent_rows(image: QImage, accent: str, x: int) -> int:
    return sum(image.pixelColor(x, y) == QColor(accent) for y in range(image.height()))


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_one_bar_wears_the_accent(chart: PairChart, theme: Theme) -> None:
    chart.setPalette(palette(theme))
    chart.set_history(four_words())
    image = picture(chart)
    x = chart._drawing.columns.bar + 2
    thickness = chart._drawing.row_height * 0.62
    found = accent_rows(image, theme.accent, x)
    assert thickness - 2 <= found <= thickness + 1


@pytest.mark.parametrize(
    ("size", "rows"), [((280, 200), 12), ((280, 900), 20), ((1200, 1000), 20), ((900, 90), 5)]
)
def test_as_many_rows_as_fit(chart: PairChart, size: tuple[int, int], rows: int) -> None:
    history = invented(50)
    chart.resize(*size)
    chart.set_history(history)
    drawing = chart._drawing
    assert drawing.visible_rows <= rows
    assert drawing.row_height >= 16
    columns = drawing.columns
    assert 0 < columns.rank < columns.left < columns.plus < columns.right < columns.bar
    assert columns.bar + columns.bar_width < columns.count < columns.tie < size[0]
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    assert chart._current == drawing.visible_rows - 1
    picture(chart)


def test_labels_are_cut_to_their_room(chart: PairChart) -> None:
    history = invented(20_000)
    chart.resize(280, 200)
    chart.set_history(history)
    drawing = chart._drawing
    columns = drawing.columns
    for token in range(256, 20_256, 500):
        row = PairRow(token, token, 1, 0, 1.0, 1.0, 0.0)
        for metrics in (drawing.metrics, drawing.bold_metrics):
            left, right = map(metrics.horizontalAdvance, drawing.labels(row, metrics))
            assert left <= columns.plus - columns.left + 1
            assert right <= columns.right - columns.plus + 1


def test_live_batches_show_the_latest_counts(chart: PairChart) -> None:
    history: History = invented(3000)
    chart.set_history(history)
    for position in range(0, 3000, 500):
        chart.show_position(position, True)
        assert [row.count for row in chart._rows] == history.top(position).count.tolist()


def test_the_right_button_asks_what_to_do_with_a_pair(chart: PairChart, qtbot: QtBot) -> None:
    chart.resize(400, 500)
    chart.set_history(four_words())
    place = row_middle(chart, 2, 40)
    for reason, rank in (
        (QContextMenuEvent.Reason.Mouse, 2),
        (QContextMenuEvent.Reason.Keyboard, 3),
    ):
        if reason is QContextMenuEvent.Reason.Keyboard:
            chart.setFocus()
            QTest.keyClick(chart, Qt.Key.Key_Down)
        with qtbot.waitSignal(chart.menuWanted) as asked:
            QApplication.sendEvent(
                chart, QContextMenuEvent(reason, place, chart.mapToGlobal(place))
            )
        row = chart._rows[rank]
        assert asked.args[:2] == [row.left, row.right]
        assert chart.current_pair == (row.left, row.right)
    below = QPoint(40, chart.height() - 1)
    with qtbot.assertNotEmitted(chart.menuWanted):
        mouse = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(chart, QContextMenuEvent(mouse, below, chart.mapToGlobal(below)))
