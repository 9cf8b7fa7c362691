"""The view of the curves: one a run, with dots, a legend, and a sentence of who overtakes whom."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from weakref import ref

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.metric_columns import COLUMNS
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.measuring.curve_measuring import (
    CurveMeasurer,
    CurveRequest,
    CurveResult,
    Overtaking,
)
from bpe_gui.ui.compare.merge_curves import MergeCurvePlot, MergeCurves
from bpe_gui.ui.compare.wording import overtaking_sentence
from bpe_gui.ui.run.background import end_tasks
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from tests.ui.compare.compared import TEXT, english, other
from tests.ui.compare.measured_curves import crossing_runs, lanes, saved, slow_overtakings, unigram
from tests.ui.driving import child, picture, shown
from tests.ui.histories import byte_level, grow, invented
from tests.ui.pace import Shut

TITLES = [column.title for column in COLUMNS]

Make = Callable[[], MergeCurves]


@pytest.fixture
def made(qtbot: QtBot) -> Iterator[MergeCurves]:
    """Curves in a window, whose thread is ended in the end."""
    widget = shown(qtbot, MergeCurves(), 640, 320)
    yield widget
    end_tasks(widget)


def two_runs() -> list[Encoding]:
    return lanes(("one", english(), 3), ("end", english(), len(english())), ("two", other(), 5))


def show(qtbot: QtBot, widget: MergeCurves, text: str, runs: list[Encoding]) -> CurveResult:
    with qtbot.waitSignal(widget.measured) as told:
        widget.show_runs(text, runs, {})
    qtbot.waitUntil(widget.plot.isVisible)
    return told.args[0]


def test_files_have_curves_and_those_without_are_named(qtbot: QtBot, made: MergeCurves) -> None:
    files: list[Encoding] = [saved(other(), "saved"), unigram()]
    with qtbot.waitSignal(made.measured):
        made.show_runs(TEXT, [*lanes(("one", english(), 3)), *files], {})
    legend = child(made, QLabel, "curvesLegend").text().replace("&nbsp;", " ")
    assert "gpt2 recipe <b>" in legend
    assert "saved <b>" in legend
    assert made.plot.marks == [(3,), (len(other()),)]
    sentence = child(made, QLabel, "overtakingSentence").text()
    assert sentence.endswith("No curve for uni.json, which cannot be followed merge by merge.")
    with qtbot.waitSignal(made.measured):
        made.show_runs(TEXT, files[1:], {})
    assert "none of these encodings" in child(made, QLabel, "curvesMessage").text()
    assert not made.plot.isVisible()


def test_there_is_one_curve_a_run_with_a_dot_for_each_of_its_lanes(
    qtbot: QtBot, made: MergeCurves
) -> None:
    result = show(qtbot, made, TEXT, two_runs())
    assert [run.history for run in result.request.runs] == [english(), other()]
    assert made.plot.marks == [(3, len(english())), (5,)]
    assert isinstance(made.plot, MergeCurvePlot)
    assert made.plot.isVisible()


def test_an_axis_that_does_not_begin_at_zero_says_so(qtbot: QtBot, made: MergeCurves) -> None:
    hint = child(made, QLabel, "curvesAxisHint")
    text = TEXT + "ж" * 400
    result = show(qtbot, made, text, two_runs())
    lowest = min(int(curve.min()) for curve in result.curves)
    bottom = made.plot.bottom
    assert 0 < bottom <= lowest, "few tokens are saved, so the curves are nearly flat"
    assert hint.text() == f"axis from {bottom:.0f}, not from 0"
    top = max(int(curve.max()) for curve in result.curves)
    low, high = made.plot.canvas.getPlotItem().vb.viewRange()[1]
    assert (low, high) == (bottom, pytest.approx(top, rel=0.05))
    begun = picture(made.plot)
    made.box.setCurrentIndex(TITLES.index("single-token words"))
    qtbot.waitUntil(lambda: not made.busy)
    qtbot.waitUntil(lambda: hint.text() == "")
    assert made.plot.bottom == 0
    assert picture(made.plot) != begun


def test_the_dots_follow_the_lanes_without_measuring(qtbot: QtBot, made: MergeCurves) -> None:
    show(qtbot, made, TEXT, two_runs())
    with qtbot.assertNotEmitted(made.measured):
        made.show_runs(TEXT, lanes(("one", english(), 7), ("two", other(), 5)), {})
        assert not made.busy
    assert made.plot.marks == [(7,), (5,)]


def test_the_legend_names_the_runs_with_their_values(qtbot: QtBot, made: MergeCurves) -> None:
    result = show(qtbot, made, TEXT, two_runs())
    legend = child(made, QLabel, "curvesLegend").text().replace("&nbsp;", " ")
    # Both are of one recipe, so the lanes tell them apart.
    for name, curve in zip(("one (gpt2 recipe)", "two (gpt2 recipe)"), result.curves, strict=True):
        assert f"{name} <b>{int(curve[-1])}</b>" in legend
    assert legend.endswith("at the end")


def test_a_name_from_outside_is_only_a_name(qtbot: QtBot, made: MergeCurves) -> None:
    show(qtbot, made, TEXT, lanes(("<b>&", english(), 3), ("two", other(), 5)))
    assert "&lt;b&gt;&amp;" in child(made, QLabel, "curvesLegend").text()


@pytest.mark.parametrize("logarithmic", [True, False])
def test_hovering_reads_the_values_there(
    qtbot: QtBot, made: MergeCurves, logarithmic: bool
) -> None:
    result = show(qtbot, made, TEXT, two_runs())
    child(made, QCheckBox, "curvesLogarithmic").setChecked(logarithmic)
    legend = child(made, QLabel, "curvesLegend")
    canvas = made.plot.canvas
    box = canvas.getPlotItem().vb
    middle = box.viewRect().center().y()
    for place in (0, 4, len(result.positions) - 1):
        x = float(made.plot.place(result.positions[place : place + 1])[0])
        where = canvas.mapFromScene(box.mapViewToScene(QPointF(x, middle)))
        QTest.mouseMove(canvas.viewport(), where)
        position = int(result.positions[place])
        merges = "1&nbsp;merge" if position == 1 else f"{position}&nbsp;merges"
        qtbot.waitUntil(lambda wanted=merges: legend.text().endswith(f"at&nbsp;{wanted}"))
        assert f"<b>{int(result.curves[0][place])}</b>" in legend.text()
    canvas.hovered.emit(None)
    assert legend.text().endswith("at&nbsp;the&nbsp;end")


def test_another_number_gives_other_curves(qtbot: QtBot, made: MergeCurves) -> None:
    show(qtbot, made, TEXT, two_runs())
    with qtbot.waitSignal(made.measured) as told:
        child(made, QComboBox, "curvesNumber").setCurrentText("bytes/token")
    assert told.args[0].request.column == TITLES.index("bytes/token")
    assert made.plot.accessibleName() == "bytes/token over the merges"


def test_the_sentence_says_who_overtakes_whom(qtbot: QtBot, made: MergeCurves) -> None:
    slow, quick, text = crossing_runs()
    wanted = slow_overtakings(slow, quick, text)
    show(qtbot, made, text, lanes(("slow", slow, 1), ("quick", quick, 1)))
    sentence = child(made, QLabel, "overtakingSentence").text()
    names = ["slow (gpt2 recipe)", "quick (gpt2 recipe)"]
    place = wanted[-1].position
    merges = "1 merge" if place == 1 else f"{place} merges"
    assert f"{names[wanted[-1].winner]} overtakes {names[wanted[-1].loser]} at {merges}" in sentence


def result_with(overtakings: list[Overtaking], earlier: int, column: int = 0) -> CurveResult:
    request = CurveRequest("", (), column)
    return CurveResult(request, np.arange(1), (), tuple(overtakings), earlier)


def test_the_sentence_counts_what_it_leaves_out() -> None:
    found = [Overtaking(1234, 1, 0)]
    names = ["gpt2", "gpt4"]
    said = overtaking_sentence(result_with(found, 0), names)
    assert said == "gpt4 overtakes gpt2 at 1,234 merges."
    said = overtaking_sentence(result_with(found, 5), names)
    assert said == (
        "gpt4 overtakes gpt2 at 1,234 merges; before that the lead changes at least 5 times."
    )
    said = overtaking_sentence(result_with(found, 0, TITLES.index("vocabulary")), names)
    assert said == "gpt4 passes gpt2 at 1,234 merges."
    assert "No run overtakes" in overtaking_sentence(result_with([], 0), names)
    assert "Add a lane of another run" in overtaking_sentence(result_with([], 0), names[:1])


def test_without_a_run_of_ours_it_says_so(qtbot: QtBot, made: MergeCurves) -> None:
    show(qtbot, made, TEXT, two_runs())
    made.show_runs(TEXT, [], {})
    assert not made.plot.isVisible()
    assert not made.busy
    assert "none of these encodings" in child(made, QLabel, "curvesMessage").text()


def test_a_text_that_cannot_be_cut_leaves_a_sentence(qtbot: QtBot, made: MergeCurves) -> None:
    show(qtbot, made, TEXT, two_runs())
    made.show_runs("a\ud800", two_runs(), {})
    qtbot.waitUntil(lambda: not made.busy)
    message = child(made, QLabel, "curvesMessage")
    assert message.isVisible()
    assert "lone surrogate" in message.text()
    show(qtbot, made, TEXT, two_runs())
    assert not message.isVisible()


def test_without_a_text_there_are_no_curves(qtbot: QtBot, made: MergeCurves) -> None:
    made.show_runs("", two_runs(), {})
    assert not made.busy


def test_nothing_is_measured_out_of_sight(qtbot: QtBot, made: MergeCurves) -> None:
    made.hide()
    made.show_runs(TEXT, two_runs(), {})
    assert not made.busy
    with qtbot.waitSignal(made.measured):
        made.show()


def test_the_newest_text_counts(qtbot: QtBot, made: MergeCurves, shut: Shut) -> None:
    gate = shut(CurveMeasurer, "_measured")
    made.show_runs("first", two_runs(), {})
    qtbot.waitUntil(lambda: gate.arrived == 1)
    made.show_runs("second", two_runs(), {})
    with qtbot.waitSignal(made.measured) as told:
        made.show_runs("third", two_runs(), {})
        gate.open()
    assert told.args[0].request.text == "third"
    assert gate.arrived == 2
    assert not made.busy


def test_out_of_sight_what_is_under_way_is_given_up_and_done_again_later(
    qtbot: QtBot, made: MergeCurves, shut: Shut
) -> None:
    gate = shut(CurveMeasurer, "_measured")
    made.show_runs(TEXT, two_runs(), {})
    qtbot.waitUntil(lambda: gate.arrived == 1)
    made.hide()
    gate.open()
    qtbot.waitUntil(lambda: not made.busy)
    with qtbot.waitSignal(made.measured):
        made.show()


def test_a_run_in_training_is_measured_as_it_grows(qtbot: QtBot, made: MergeCurves) -> None:
    history = invented(50)
    result = show(qtbot, made, TEXT, lanes(("live", history, 50)))
    assert result.request.runs[0].length == 50
    grow(history, 30)
    with qtbot.waitSignal(made.measured) as told:
        made.show_runs(TEXT, lanes(("live", history, 80)), {})
    assert told.args[0].request.runs[0].length == 80


def test_growing_does_not_give_up_what_is_under_way(
    qtbot: QtBot, made: MergeCurves, shut: Shut
) -> None:
    history = invented(50)
    gate = shut(CurveMeasurer, "_measured")
    made.show_runs(TEXT, lanes(("live", history, 50)), {})
    qtbot.waitUntil(lambda: gate.arrived == 1)
    grow(history, 30)
    made.show_runs(TEXT, lanes(("live", history, 60)), {})
    told = QSignalSpy(made.measured)
    gate.open()
    qtbot.waitUntil(lambda: told.count() == 2)
    assert told.at(1)[0].request.runs[0].length == 80


def test_closing_gives_up_what_is_under_way(qtbot: QtBot, shut: Shut) -> None:
    widget = shown(qtbot, MergeCurves(), 400, 300)
    history = byte_level(" ".join(f"w{n}" for n in range(300)), 400)
    widget.show_runs("w1 w2 w3 " * 2000, lanes(("long", history, 5)), {})
    end_tasks(widget)


def test_the_curves_are_drawn_in_both_themes(qtbot: QtBot, made: MergeCurves) -> None:
    show(qtbot, made, TEXT, two_runs())
    pictures = []
    for theme in (DARK, LIGHT):
        made.setPalette(palette(theme))
        pictures.append(picture(made.plot))
    assert pictures[0] != pictures[1]


def test_parts_can_be_reached_by_keyboard(made: MergeCurves) -> None:
    for name in ("curvesNumber", "curvesLogarithmic"):
        widget = made.findChild((QComboBox, QCheckBox)[name == "curvesLogarithmic"], name)
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_in_a_low_panel_the_sentence_has_one_line(qtbot: QtBot, made: MergeCurves) -> None:
    slow, quick, text = crossing_runs()
    files: list[Encoding] = [unigram(f"a long name of a file, number {n}") for n in range(4)]
    with qtbot.waitSignal(made.measured):
        made.show_runs(text, lanes(("slow", slow, 1), ("quick", quick, 1)) + files, {})
    label = made.sentence
    qtbot.waitUntil(lambda: label.height() > 2 * label.fontMetrics().height())
    said = label.text()
    made.window().resize(640, 150)
    qtbot.waitUntil(lambda: label.height() < 2 * label.fontMetrics().height())
    assert label.toolTip() == said
    assert said in made.plot.accessibleDescription()
    made.window().resize(640, 320)
    qtbot.waitUntil(lambda: label.height() > 2 * label.fontMetrics().height())


def test_a_run_that_is_compared_no_more_is_not_kept(qtbot: QtBot, made: MergeCurves) -> None:
    run = byte_level("low lower lowest", 4)
    gone = ref(run)
    show(qtbot, made, TEXT, lanes(("one", run, 1)))
    del run
    made.show_runs(TEXT, [], {})
    qtbot.waitUntil(lambda: not made.busy)
    gc.collect()
    assert gone() is None
