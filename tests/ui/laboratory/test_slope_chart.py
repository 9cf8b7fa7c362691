"""The slope chart: its geometry, and how one moves in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.compare_runs import Lockstep, lockstep
from bpe_gui.ui.laboratory.lockstep_wording import DIVERGENCE
from bpe_gui.ui.laboratory.slope_chart import SlopeChart, SlopeLayout
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from tests.ui.driving import picture, shown
from tests.ui.histories import byte_level, invented
from tests.ui.panels.painted import painted_texts

NAMES = ("one", "other")


def two_runs() -> Lockstep:
    """ne we new low, ...: the same letters in another order, and some that one lacks."""
    first = byte_level("newest newest newer widest low low low lower")
    second = byte_level("low lower lowest newest widest widest wide")
    return lockstep([first, second], compiled=False)


@pytest.fixture
def chart(qtbot: QtBot) -> SlopeChart:
    made = SlopeChart()
    made.setPalette(palette(DARK))
    made.set_lockstep(two_runs(), NAMES)
    return shown(qtbot, made, 420, 260)


def apart_late() -> Lockstep:
    """Two runs that go together for a while."""
    same = "ab cd ef gh ij kl mn op qr st uv wx yz " * 30
    texts = [same + "123 124 1255", same + "987 986 9866"]
    return lockstep([byte_level(text) for text in texts], compiled=False)


def test_it_begins_where_the_runs_part(qtbot: QtBot) -> None:
    found = apart_late()
    parts_at = found.parts_at
    assert parts_at is not None
    assert parts_at > 10
    chart = SlopeChart()
    chart.setPalette(palette(DARK))
    shown(qtbot, chart, 420, 190)
    chart.set_lockstep(found, NAMES)
    assert chart.current == (0, parts_at)
    assert chart.verticalScrollBar().value() > 0
    place = center_of(chart, *chart.current).y()
    assert 2 * chart.row_height < place < chart.viewport().height()
    # Whoever has gone elsewhere stays there when the runs grow.
    chart.go_to(0, 0)
    chart.set_lockstep(found, NAMES)
    assert chart.current == (0, 0)


def test_where_the_runs_part_is_told_where_the_word_is_whole(qtbot: QtBot) -> None:
    found = apart_late()
    parts_at = found.parts_at
    assert parts_at is not None
    chart = SlopeChart()
    chart.setPalette(palette(DARK))
    shown(qtbot, chart, 420, 190)
    chart.set_lockstep(found, NAMES)
    bar = chart.verticalScrollBar()
    in_view = bar.pageStep() // chart.row_height
    told = {}
    for above in (in_view - 1, in_view):
        bar.setValue((parts_at - above) * chart.row_height)
        assert bar.value() == (parts_at - above) * chart.row_height
        told[above] = DIVERGENCE in painted_texts(chart)
    assert told == {in_view - 1: True, in_view: False}


# -- geometry --------------------------------------------------------------------------------------


@given(
    columns=st.integers(2, 3),
    width=st.integers(220, 2000),
    height=st.integers(40, 1200),
    top=st.integers(-40, 5000),
    row_height=st.integers(8, 40),
    length=st.integers(0, 3000),
    data=st.data(),
)
def test_what_is_in_view(
    columns: int,
    width: int,
    height: int,
    top: int,
    row_height: int,
    length: int,
    data: st.DataObject,
) -> None:
    layout = SlopeLayout(columns, width, height, 40, top, row_height)
    rows = layout.rows(length)
    for row in (rows.start, rows.stop - 1):
        if rows:
            assert layout.y(row) + row_height / 2 >= 0
            assert layout.y(row) - row_height / 2 <= height
    for row in (rows.start - 1, rows.stop):
        if 0 <= row < length and rows:
            above, below = layout.y(row) + row_height / 2, layout.y(row) - row_height / 2
            assert above <= 0 or below >= height - 1
    for column in range(columns):
        left = layout.left(column)
        assert layout.column_at(left) == column
        assert layout.column_at(left + layout.column_width - 1) == column
    for column in range(columns - 1):
        begin, end = layout.gap(column)
        assert 0 < begin <= end <= width
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    right_of = np.where(random.random(length) < 0.7, random.permutation(length), -2)
    left_of = np.full(length, -2)
    joined = right_of >= 0
    left_of[right_of[joined]] = np.flatnonzero(joined)
    left, right = layout.lines(right_of.astype(np.int32), left_of.astype(np.int32))
    joined_rows = [(i, j) for i, j in enumerate(right_of.tolist()) if j >= 0]
    drawn = list(zip(left.tolist(), right.tolist(), strict=True))
    assert sorted(drawn) == [(i, j) for i, j in joined_rows if i in rows or j in rows]


def test_the_nearest_line() -> None:
    layout = SlopeLayout(2, 400, 200, 40, 0, 20)
    rows = np.array([0, 5], np.int32)
    partners = np.array([3, -2, -2, -2, -2, 0], np.int32)
    back = np.array([5, -2, -2, 0, -2, -2], np.int32)
    lines = layout.lines(partners, back)
    assert sorted(lines[0].tolist()) == rows.tolist()
    begin, end = layout.gap(0)
    for number, (left, right) in enumerate(zip(*lines, strict=True)):
        for share in (0.0, 0.25, 1.0):
            y = layout.y(left) * (1 - share) + layout.y(right) * share
            x = begin + share * (end - begin)
            assert layout.line_at(lines, 0, round(x), round(y)) == number
    assert layout.line_at(lines, 0, begin, 199) == -1
    assert layout.line_at(lines, 0, begin - 1, layout.y(0)) == -1


# -- the widget ------------------------------------------------------------------------------------


def center_of(chart: SlopeChart, run: int, step: int) -> QPoint:
    """The middle of a token, in the viewport."""
    layout = chart.layout_now()
    return QPoint(layout.left(run) + layout.column_width // 2, layout.y(step))


def at(chart: SlopeChart, run: int, content: str) -> tuple[int, int]:
    """The place of a token."""
    assert chart.lockstep is not None
    history = chart.lockstep.histories[run]
    made = [history.token_bytes(token).decode() for token in history.new_id.tolist()]
    return run, made.index(content)


def test_a_token_is_followed_to_its_equal(qtbot: QtBot, chart: SlopeChart) -> None:
    chart.setFocus()
    said: list[str] = []
    chart.described.connect(said.append)
    run, step = at(chart, 0, " low")
    chart.go_to(run, step)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.current == at(chart, 1, " low")
    other = at(chart, 1, " low")[1]
    assert said[-1].startswith(f"“␣low”: merge {other + 1} in “other”, seen")
    assert f"merge {step + 1} in “one”" in said[-1]
    assert chart.accessibleDescription() == said[-1]
    QTest.keyClick(chart, Qt.Key.Key_Left)
    assert chart.current == (run, step)


def test_keys_move_in_a_column(qtbot: QtBot, chart: SlopeChart) -> None:
    assert chart.lockstep is not None
    last = chart.lockstep.lengths[0] - 1
    for key, step in (
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_Down, 2),
        (Qt.Key.Key_Up, 1),
        (Qt.Key.Key_End, last),
        (Qt.Key.Key_Down, last),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_Left, 0),
    ):
        QTest.keyClick(chart, key)
        assert chart.current == (0, step)
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    assert chart.current[1] > 2
    QTest.keyClicks(chart, "p")
    assert chart.current == (0, chart.lockstep.parts_at)


def test_n_goes_to_what_only_one_run_has(qtbot: QtBot, chart: SlopeChart) -> None:
    assert chart.lockstep is not None
    for run in (0, 1):
        only = chart.lockstep.only(run).tolist()
        assert only
        chart.go_to(run, 0)
        # After the last one there is none to go to.
        for step in [*(step for step in only if step), only[-1]]:
            QTest.keyClicks(chart, "n")
            assert chart.current == (run, step)
            assert "has not learned it" in chart.accessibleDescription()
        QTest.keyClicks(chart, "N")
        assert chart.current == (run, only[-2] if len(only) > 1 else only[-1])


def test_a_token_is_chosen_by_mouse_and_key(qtbot: QtBot, chart: SlopeChart) -> None:
    place = center_of(chart, 1, 3)
    with qtbot.waitSignal(chart.tokenChosen) as chosen:
        QTest.mousePress(chart.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [1, 3]
    QTest.keyClick(chart, Qt.Key.Key_Down)
    with qtbot.waitSignal(chart.tokenChosen) as chosen:
        QTest.keyClick(chart, Qt.Key.Key_Return)
    assert chosen.args == [1, 4]
    QTest.keyClick(chart, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == chart.accessibleDescription()


def test_lines_answer_to_the_mouse(qtbot: QtBot, chart: SlopeChart) -> None:
    assert chart.lockstep is not None
    picture(chart)
    step = next(
        step for step, other in enumerate(chart.lockstep.partners(0, 1).tolist()) if other >= 0
    )
    other = int(chart.lockstep.partners(0, 1)[step])
    layout = chart.layout_now()
    begin, end = layout.gap(0)
    middle = QPoint((begin + end) // 2, round((layout.y(step) + layout.y(other)) / 2))
    found = chart.place_at(middle)
    assert found is not None
    with qtbot.waitSignal(chart.described, check_params_cb=lambda text: "merge" in text):
        QTest.mouseMove(chart.viewport(), middle)
    assert chart.place_at(QPoint(begin + 5, 2)) is None, "the names are no tokens"


def test_long_runs_are_scrolled_to_their_end(qtbot: QtBot, chart: SlopeChart) -> None:
    chart.set_lockstep(lockstep([invented(20_000), invented(15_000)]), NAMES)
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert chart.current == (0, 19_999)
    assert 0 < center_of(chart, *chart.current).y() < chart.viewport().height()
    assert not picture(chart).isNull()


def test_three_columns_and_both_themes(qtbot: QtBot, chart: SlopeChart) -> None:
    runs = [*two_runs().histories, byte_level("low new wide")]
    chart.set_lockstep(lockstep(runs, compiled=False), ("one", "two", "three"))
    chart.setFocus()
    dark = picture(chart)
    chart.setPalette(palette(LIGHT))
    assert picture(chart) != dark
    for size in ((220, 90), (1200, 900)):
        chart.resize(*size)
        assert not picture(chart).isNull()
    chart.go_to(2, 0)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.current == (2, 0)


def test_without_merges_a_sentence_stands_there(qtbot: QtBot, chart: SlopeChart) -> None:
    chart.set_lockstep(None)
    chart.set_message("Nothing yet.")
    assert not picture(chart).isNull()
    QTest.keyClick(chart, Qt.Key.Key_Down)
    QTest.mouseMove(chart.viewport(), QPoint(50, 50))
    assert chart.place_at(QPoint(50, 50)) is None


def test_a_run_without_merges_beside_another(qtbot: QtBot, chart: SlopeChart) -> None:
    """So it is for a moment while both are trained."""
    chart.setFocus()
    qtbot.waitUntil(chart.hasFocus)
    told: list[str] = []
    chart.described.connect(told.append)
    runs = [byte_level("a").until(0), byte_level("low low low")]
    chart.set_lockstep(lockstep(runs, compiled=False), NAMES)
    assert told == [""]
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert "“one” has not learned it" in told[-1]
