"""The panel of curves: what is drawn, when, and how it answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsEllipseItem,
    QGraphicsLineItem,
    QLabel,
    QTabBar,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.tours.directives import CURVES
from bpe_gui.ui.panels.curves.panel import CurvesPanel
from bpe_gui.ui.panels.curves.plot import CurvePlot, HistoryPlot, LengthPlot
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette
from tests.ui.driving import child, colours, picture, shown
from tests.ui.histories import four_words, grow, invented, trained
from tests.ui.panels.painted import text_elements
from tests.ui.panels.parts import parts

# The offscreen platform knows no window manager to tell the sizes to.
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")

ZIPF, BYTES, TOKENS, LENGTHS = range(4)


@pytest.fixture
def curves(qtbot: QtBot) -> CurvesPanel:
    return shown(qtbot, CurvesPanel(parts()), 420, 300)


def marks_below(plot: HistoryPlot) -> list[str]:
    """The numbers below a plot: what is written lowest."""
    texts = text_elements(plot)
    lowest = max(float(text.attrib["y"]) for text in texts)
    return ["".join(text.itertext()) for text in texts if float(text.attrib["y"]) == lowest]


def told(plot: HistoryPlot) -> str:
    """The value in the headline, as screen readers get it."""
    return plot.accessibleDescription()


def tabs_of(curves: CurvesPanel) -> QTabBar:
    return child(curves, QTabBar, "curveTabs")


def curve(curves: CurvesPanel, which: int) -> CurvePlot:
    plot = curves.plots[which]
    assert isinstance(plot, CurvePlot)
    return plot


def lengths(curves: CurvesPanel) -> LengthPlot:
    plot = curves.plots[LENGTHS]
    assert isinstance(plot, LengthPlot)
    return plot


def message(curves: CurvesPanel) -> QLabel:
    return child(curves, QLabel, "curvesMessage")


def items(plot: HistoryPlot, kind: type[Any]) -> list[Any]:
    """What is drawn on a plot, of one kind."""
    return [item for item in plot.canvas.getPlotItem().items if isinstance(item, kind)]


def line(plot: CurvePlot, colour: str) -> pg.PlotCurveItem:
    """The curve in a colour."""
    drawn = items(plot, pg.PlotCurveItem)
    return [item for item in drawn if item.opts["pen"].color().name() == colour][-1]


def bars(plot: LengthPlot) -> dict[int, int]:
    """The heights of the bars of what is there at the position, by their places."""
    drawn = items(plot, pg.BarGraphItem)
    done = next(item for item in drawn if item.opts["brush"].color().name() == DARK.accent)
    return dict(zip(done.opts["x"].tolist(), done.opts["height"].tolist(), strict=True))


def marker(plot: HistoryPlot) -> QGraphicsLineItem:
    """The line at the position."""
    return next(item for item in items(plot, QGraphicsLineItem))


def dot(plot: HistoryPlot) -> QGraphicsEllipseItem:
    """The dot at the point that is spoken of."""
    return next(item for item in items(plot, QGraphicsEllipseItem))


def place(plot: HistoryPlot, x: float) -> QPoint:
    """Where on the canvas an x of the plot is."""
    scene = plot.canvas.getPlotItem().vb.mapViewToScene(QPointF(x, 0.1))
    return QPoint(plot.canvas.mapFromScene(scene).x(), 60)


def test_it_can_be_found(curves: CurvesPanel) -> None:
    assert curves.objectName() == "curves"
    assert all(plot.accessibleName() for plot in curves.plots)


def test_a_count_of_0_is_a_gap_and_has_no_dot(curves: CurvesPanel) -> None:
    history = invented(100)
    history.count[2] = 0
    curves.set_history(history)
    curves.show_position(3, False)
    plot = curve(curves, ZIPF)
    assert not dot(plot).isVisible()
    assert told(plot).endswith("  0")
    drawn = line(plot, DARK.accent)
    assert drawn.opts["connect"] == "finite"
    assert np.isnan(drawn.getData()[1]).tolist() == [False, False, True]
    curves.show_position(4, False)
    assert dot(plot).isVisible()


def test_counts_of_few_merges_are_on_linear_axes(curves: CurvesPanel) -> None:
    curves.resize(900, 600)
    for merges, name, place in (
        (99, "count of the merged pair", 50.0),
        (100, "count of the merged pair (log)", float(np.log10(50))),
        (99, "count of the merged pair", 50.0),
    ):
        curves.set_history(invented(merges))
        curves.show_position(50, False)
        plot = curve(curves, ZIPF)
        assert marker(plot).pos().x() == pytest.approx(place)
        axis = plot.canvas.getPlotItem().getAxis("left")
        assert axis.labelText == name
        assert axis.label.isVisible()
        assert told(plot).startswith("merge 50: ")


def test_the_labels_of_the_axes_are_not_cut(curves: CurvesPanel) -> None:
    curves.set_history(four_words())
    for which, plot in enumerate(curves.plots):
        tabs_of(curves).setCurrentIndex(which)
        label = plot.canvas.getPlotItem().getAxis("bottom").label
        assert plot.isVisible()
        assert plot.canvas.mapFromScene(label.sceneBoundingRect().bottomLeft()).y() <= (
            plot.canvas.viewport().height()
        )


def test_tours_know_the_curves_as_they_stand(curves: CurvesPanel) -> None:
    curves.show_curve(0)
    tabs = tabs_of(curves)
    assert [tabs.tabText(index).lower() for index in range(tabs.count())] == list(CURVES)


def test_without_a_history_it_says_so(curves: CurvesPanel) -> None:
    assert message(curves).isVisible()
    curves.set_history(four_words())
    assert not message(curves).isVisible()
    assert curves.plots[ZIPF].isVisible()
    curves.set_history(None)
    assert message(curves).isVisible()
    curves.show_position(3, True)
    assert message(curves).isVisible()


def test_before_the_first_merge_it_says_so(curves: CurvesPanel) -> None:
    curves.set_history(four_words(0))
    assert told(curves.plots[ZIPF]) == "no merge yet"
    tabs_of(curves).setCurrentIndex(TOKENS)
    assert told(curves.plots[TOKENS]) == "after 0 merges: 95 tokens"


def test_one_plot_at_a_time_where_there_is_little_room(curves: CurvesPanel, qtbot: QtBot) -> None:
    curves.set_history(four_words())
    for index in range(4):
        tabs_of(curves).setCurrentIndex(index)
        assert [plot.isVisible() for plot in curves.plots] == [i == index for i in range(4)]
        qtbot.waitUntil(lambda: curves.plots[tabs_of(curves).currentIndex()].height() > 230)


def test_all_plots_where_there_is_room(curves: CurvesPanel) -> None:
    curves.set_history(four_words())
    curves.resize(900, 600)
    assert all(plot.isVisible() for plot in curves.plots)
    assert not tabs_of(curves).isVisible()
    curves.resize(600, 400)
    assert all(plot.isVisible() for plot in curves.plots), "reluctant to change back"
    curves.resize(500, 400)
    assert sum(plot.isVisible() for plot in curves.plots) == 1


def test_the_first_move_of_each_run_is_drawn_at_once(curves: CurvesPanel) -> None:
    for length in (300, 200):
        curves.set_history(invented(length))
        curves.show_position(length, False)
        assert marker(curve(curves, ZIPF)).pos().x() == pytest.approx(np.log10(length))


@pytest.mark.parametrize("position", [0, 1, 7, 300])
def test_the_curve_is_split_at_the_position(curves: CurvesPanel, position: int) -> None:
    history = invented(300)
    curves.set_history(history)
    curves.resize(900, 600)
    curves.show_position(position, False)
    plot = curve(curves, TOKENS)
    x, y = line(plot, DARK.accent).getData()
    assert x.tolist() == list(range(position + 1))
    assert y.tolist() == history.tokens[: position + 1].tolist()
    ahead_x, _ = line(plot, DARK.muted).getData()
    expected = list(range(position, 301)) if position < 300 else []
    assert list(ahead_x) == expected
    assert marker(plot).pos().x() == position
    zipf = curve(curves, ZIPF)
    zipf_x, _ = line(zipf, DARK.accent).getData()
    assert len(zipf_x if zipf_x is not None else []) <= position
    assert marker(zipf).isVisible() == (position > 0)
    if position:
        assert marker(zipf).pos().x() == pytest.approx(np.log10(position))


def test_tokens_are_counted_by_their_length(curves: CurvesPanel, qtbot: QtBot) -> None:
    history = four_words()
    curves.set_history(history)
    tabs_of(curves).setCurrentIndex(LENGTHS)
    for position in (0, 3, len(history), 2):
        curves.show_position(position, False)
        size = history.vocabulary_size(position)
        expected = np.bincount([len(history.bytes_in_text(token)) for token in range(size)])
        expected[0] = 0  # the end-of-word marker is no text
        assert bars(lengths(curves)) == {
            length: count for length, count in enumerate(expected.tolist()) if count
        }
    longest = len(expected) - 1
    qtbot.waitUntil(lambda: told(lengths(curves)) == f"longest {longest} bytes")
    assert marker(lengths(curves)).pos().x() == len(history.bytes_in_text(size - 1))


def test_while_it_moves_it_catches_up_in_a_few_frames(curves: CurvesPanel, qtbot: QtBot) -> None:
    history = invented(3000)
    curves.set_history(history)
    curves.resize(900, 600)
    for position in range(0, 3001, 100):
        curves.show_position(position, True)
    qtbot.waitUntil(lambda: [plot.position for plot in curves.plots] == [3000] * 4)
    qtbot.waitUntil(lambda: "3,000" in told(curves.plots[TOKENS]))
    assert told(curves.plots[TOKENS]).startswith("after 3,000 merges")
    assert told(curves.plots[ZIPF]).startswith("merge 3,000: ")


def test_only_what_is_visible_is_drawn(curves: CurvesPanel) -> None:
    curves.set_history(invented(100))
    curves.show_position(50, False)
    assert [plot.position for plot in curves.plots] == [50, 0, 0, 0]
    tabs_of(curves).setCurrentIndex(BYTES)
    assert curves.plots[BYTES].position == 50
    curves.hide()
    curves.show_position(70, False)
    assert curves.plots[BYTES].position == 50
    curves.show()
    assert curves.plots[BYTES].position == 70


def test_what_waits_is_drawn_when_it_is_seen_again(curves: CurvesPanel) -> None:
    curves.set_history(invented(100))
    curves.resize(900, 600)
    curves.show_position(50, True)
    curves.hide()
    assert [plot.position for plot in curves.plots] == [50, 50, 0, 0]
    curves.show()
    assert [plot.position for plot in curves.plots] == [50] * 4


def test_a_growing_history_extends_the_curve(curves: CurvesPanel, qtbot: QtBot) -> None:
    history = invented(100)
    curves.set_history(history)
    tabs_of(curves).setCurrentIndex(TOKENS)
    curves.show_position(100, False)
    grow(history, 50)
    curves.show_position(100, False)
    ahead = line(curve(curves, TOKENS), DARK.muted)
    qtbot.waitUntil(lambda: ahead.getData()[0].tolist() == list(range(100, 151)))


def test_hovering_shows_the_nearest_merge(curves: CurvesPanel, qtbot: QtBot) -> None:
    history = invented(300)
    curves.set_history(history)
    tabs_of(curves).setCurrentIndex(TOKENS)
    curves.show_position(300, False)
    plot = curves.plots[TOKENS]
    QTest.mouseMove(plot.canvas.viewport(), place(plot, 120))
    qtbot.waitUntil(lambda: "300" not in told(plot))
    shown = int(told(plot).removeprefix("after ").split()[0])
    assert abs(shown - 120) <= 2
    assert dot(plot).pos().x() == shown
    QApplication.sendEvent(plot.canvas, QEvent(QEvent.Type.Leave))
    assert told(plot).startswith("after 300 merges")


def test_hovering_over_the_lengths_counts_tokens(curves: CurvesPanel) -> None:
    curves.set_history(four_words())
    tabs_of(curves).setCurrentIndex(LENGTHS)
    curves.show_position(1, False)
    plot = lengths(curves)
    plot.canvas.hovered.emit(2.1)
    assert told(plot) == "1 token of 2 bytes"
    plot.canvas.hovered.emit(1.0)
    assert told(plot) == f"{sum(len(c) == 1 for c in four_words().base.contents)} tokens of 1 byte"
    plot.canvas.hovered.emit(40.0)
    assert told(plot) == "0 tokens of 40 bytes"


@pytest.mark.parametrize("which", [ZIPF, TOKENS])
def test_a_click_goes_to_the_position_after_the_merge(
    curves: CurvesPanel, qtbot: QtBot, which: int
) -> None:
    history = four_words()
    curves.set_history(history)
    tabs_of(curves).setCurrentIndex(which)
    curves.show_position(6, False)
    plot = curves.plots[which]
    with (
        qtbot.waitSignal(curves.positionSelected) as position,
        qtbot.waitSignal(curves.tokenSelected) as token,
    ):
        QTest.mouseClick(
            plot.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place(plot, 5.0)
        )
    assert position.args == [5]
    assert token.args == [int(history.new_id[4])]
    with qtbot.assertNotEmitted(curves.tokenSelected):
        plot.canvas.clicked.emit(11.0)


def test_nothing_to_click_without_a_merge(curves: CurvesPanel, qtbot: QtBot) -> None:
    curves.set_history(four_words(0))
    with qtbot.assertNotEmitted(curves.positionSelected):
        curves.plots[ZIPF].canvas.clicked.emit(0.5)


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_curves_wear_the_colours_of_the_theme(
    curves: CurvesPanel, qtbot: QtBot, theme: Theme
) -> None:
    curves.set_history(invented(300))
    curves.setPalette(palette(theme))
    tabs_of(curves).setCurrentIndex(LENGTHS)
    curves.show_position(100, False)
    qtbot.waitUntil(lambda: curves.plots[LENGTHS].canvas.height() > 200)
    found = colours(picture(curves.plots[LENGTHS].canvas))
    assert {theme.panel, theme.accent, theme.border} <= found


@pytest.mark.parametrize("which", [BYTES, TOKENS, LENGTHS])
def test_values_are_complete_in_a_tab_with_room(
    curves: CurvesPanel, qtbot: QtBot, which: int
) -> None:
    curves.set_history(invented(3000))
    curves.show_position(3000, False)
    tabs_of(curves).setCurrentIndex(which)
    plot = curves.plots[which]
    value = next(label for label in plot.findChildren(QLabel) if label.text() == told(plot))
    needed = value.fontMetrics().horizontalAdvance(told(plot))
    qtbot.waitUntil(lambda: value.contentsRect().width() >= needed > 0)


def with_long_tokens() -> History:
    """A thousand tokens of two bytes, and seven that double in length up to 256 bytes."""
    history = invented(1000)
    newest = history.vocabulary_size(1000) - 1
    steps = slice(1000, 1007)
    columns = history.reserve(7)
    columns.left[steps] = columns.right[steps] = np.arange(newest, newest + 7)
    columns.new_id[steps] = np.arange(newest, newest + 7) + 1
    columns.count[steps] = 1
    history.commit(7)
    return history


def test_a_few_long_tokens_do_not_squeeze_all_others(curves: CurvesPanel) -> None:
    history = with_long_tokens()
    curves.set_history(history)
    tabs_of(curves).setCurrentIndex(LENGTHS)
    curves.show_position(len(history), False)
    plot = lengths(curves)
    assert told(plot) == "longest 256 bytes"
    assert bars(plot) == {1: 256, 2: 1000, 4: 1, 8: 1, 16: 5}
    assert plot.canvas.getPlotItem().viewRange()[0][1] < 17
    assert marker(plot).pos().x() == 16
    marks = marks_below(plot)
    assert "≥ 16" in marks
    assert len(set(marks)) == len(marks) > 1
    plot.canvas.hovered.emit(16.2)
    assert told(plot) == "5 tokens of 16 bytes or more"
    plot.canvas.hovered.emit(8.0)
    assert told(plot) == "1 token of 8 bytes"


def test_many_long_tokens_have_bars_of_their_own(curves: CurvesPanel) -> None:
    history = trained([("abcdefghijklmnopqrstuvwxyz" * 3, 1)], preset("raw"))
    curves.set_history(history)
    tabs_of(curves).setCurrentIndex(LENGTHS)
    curves.show_position(len(history), False)
    plot = lengths(curves)
    assert plot.canvas.getPlotItem().viewRange()[0][1] > max(bars(plot)) > 32
    assert sum(bars(plot).values()) == history.vocabulary_size(len(history))
    assert "≥" not in "".join(marks_below(plot))


def test_one_merge_is_seen(curves: CurvesPanel) -> None:
    curves.set_history(trained([("low", 5), ("lower", 2)], preset("whitespace"), 1))
    curves.show_position(1, False)
    for which in (ZIPF, BYTES):
        tabs_of(curves).setCurrentIndex(which)
        assert dot(curve(curves, which)).isVisible()
    assert all("." not in mark for mark in marks_below(curve(curves, BYTES)))


def test_lines_and_dots_are_larger_where_text_is(curves: CurvesPanel) -> None:
    curves.set_history(four_words())
    plot = curve(curves, ZIPF)
    done = line(plot, DARK.accent)
    across, wide = dot(plot).rect().width(), done.opts["pen"].width()
    font = curves.font()
    font.setPointSizeF(3 * font.pointSizeF())
    curves.setFont(font)
    assert dot(plot).rect().width() == 3 * across
    assert done.opts["pen"].width() == 3 * wide
