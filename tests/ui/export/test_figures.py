"""A panel as a figure: without controls, in large text, and afterwards as it was."""

from __future__ import annotations

import re

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontInfo, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.render_arguments import PANELS
from bpe_gui.ui.export.figure import as_figure
from bpe_gui.ui.export.panels import bring_into_view, name_of, panel_names, panels_of
from bpe_gui.ui.export.picture import pdf_of
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import act, child
from tests.ui.export.test_pictures import pixels
from tests.ui.help.searched_actions import window
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.panels.painted import painted_texts, text_elements

__all__ = ["window"]

CONTROLS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar)
IN_EXPLORE = ("pairs", "why", "text", "words", "curves", "derivation", "vocabulary", "tree")


def train(qtbot: QtBot, window: MainWindow) -> None:
    """Train the run to its end, and let that be drawn."""
    act(window, "trainAction")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    act(window, "endAction")
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())


def seen_controls(widget: QWidget) -> list[QWidget]:
    parts = widget.findChildren(QWidget)
    return [part for part in parts if isinstance(part, CONTROLS) and part.isVisible()]


def check_a_figure_has_no_controls_and_the_panel_is_as_before(
    qtbot: QtBot, window: MainWindow, name: str, size: QSize
) -> None:
    panel = panels_of(window.context)[name]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
    widget = panel.widget
    font, shown, place = widget.font(), seen_controls(widget), widget.geometry()
    areas = [each for each in widget.findChildren(QAbstractScrollArea) if each.isVisible()]
    bars = [area.verticalScrollBarPolicy() for area in areas]
    with as_figure(widget, size):
        assert widget.size() == size
        assert seen_controls(widget) == []
        assert widget.font().pointSizeF() > font.pointSizeF() or size.width() < 800
        assert not any(area.verticalScrollBar().isVisible() for area in areas)
        assert pdf_of(widget, panel.title).startswith(b"%PDF")
    qtbot.waitUntil(lambda: seen_controls(widget) == shown)
    qtbot.waitUntil(lambda: widget.geometry() == place)
    assert widget.font() == font
    assert [area.verticalScrollBarPolicy() for area in areas] == bars


def test_a_figure_has_no_controls_and_the_panel_is_as_before(
    qtbot: QtBot, window: MainWindow
) -> None:
    for size in [QSize(480, 400), QSize(1600, 900)]:
        for name in IN_EXPLORE:
            check_a_figure_has_no_controls_and_the_panel_is_as_before(qtbot, window, name, size)
    # The panel of a token has tabs only in some sizes.
    for size in [QSize(800, 450), QSize(1280, 720)]:
        check_a_figure_has_no_controls_and_the_panel_is_as_before(qtbot, window, "tree", size)


def test_panels_have_the_names_of_the_window_on_the_command_line() -> None:
    assert panel_names() == PANELS
    assert [name_of(asked) for asked in ("Pair frequencies", "text", "words")] == [
        "pairs", "text", "words",
    ]  # fmt: skip


def check_a_wide_table_keeps_its_last_column(window: MainWindow, qtbot: QtBot) -> None:
    panel = panels_of(window.context)["numbers"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    table = child(panel.widget, QTableView, "metricsTable")
    with as_figure(panel.widget, QSize(800, 450)):
        last = table.model().columnCount() - 1
        right = table.columnViewportPosition(last) + table.columnWidth(last)
        assert right <= table.viewport().width()


def check_the_numbers_of_few_encodings_fill_a_figure(window: MainWindow, qtbot: QtBot) -> None:
    panel = panels_of(window.context)["numbers"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    table = child(panel.widget, QTableView, "metricsTable")
    model, columns = table.model(), table.horizontalHeader()
    before = [columns.sectionSize(place) for place in range(columns.count())]
    named = {cell: str(model.index(0, place).data()) for place, cell in enumerate(titles(table))}
    painted = painted_texts(table)
    for size in (QSize(1280, 720), QSize(800, 450), QSize(400, 600)):
        with as_figure(panel.widget, size):
            assert lowest_ink(table) > 0.85
            written = painted_texts(table)
            for title, cell in list(named.items())[1:]:
                assert written[written.index(title) + 1] == cell, "beside its name"
    with as_figure(panel.widget, QSize(1280, 300)):
        assert painted_texts(table)[0] == "encoding", "rows have more room than columns"
    assert table.model() is model
    qtbot.waitUntil(
        lambda: [columns.sectionSize(place) for place in range(columns.count())] == before
    )
    assert painted_texts(table) == painted


def titles(table: QTableView) -> list[str]:
    """The headings of the table of numbers, whole."""
    model = table.model()
    heads = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())]
    long = {"1-token words": "single-token words", "vocab. used": "vocabulary used"}
    plain = [head.replace("/\n", "/").replace("\n", " ") for head in heads]
    return [long.get(head, head) for head in plain]


def check_little_text_is_written_larger_until_it_fills_the_picture(
    window: MainWindow, qtbot: QtBot
) -> None:
    panel = panels_of(window.context)["lanes"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    lanes = panel.widget
    assert isinstance(lanes, QAbstractScrollArea)
    for size in (QSize(800, 450), QSize(1600, 900)):
        with as_figure(panel.widget, size):
            assert QFontInfo(lanes.font()).pixelSize() > size.height() / 17
            assert not lanes.verticalScrollBar().maximum()


def check_few_places_of_a_short_token_are_written_in_letters_that_can_be_read(
    window: MainWindow, qtbot: QtBot
) -> None:
    train(qtbot, window)
    panel = panels_of(window.context)["concordance"]
    bring_into_view(window.context, panel)
    table = child(panel.widget, QTableView, "placesTable")
    window.player.seek(1)
    qtbot.waitUntil(lambda: "after merge 1" in child(panel.widget, QLabel, "placesTitle").text())
    qtbot.waitUntil(lambda: panel.at_rest() and table.model().rowCount() > 0)
    font = panel.widget.font().pointSizeF()
    for size in (QSize(420, 300), QSize(1280, 720)):
        with as_figure(panel.widget, size):
            assert panel.widget.font().pointSizeF() > font
            assert table.horizontalHeader().length() <= table.viewport().width()


def lowest_ink(widget: QWidget) -> float:
    """How far down a picture something is drawn, from 0 to 1."""
    seen = pixels(widget.grab().toImage())
    inked = np.flatnonzero((seen[:, ::4] != seen[-2, -2]).any(axis=(1, 2)))
    return float(inked[-1]) / len(seen) if len(inked) else 0.0


def check_a_timeline_fills_a_figure(window: MainWindow) -> None:
    timeline = panels_of(window.context)["timeline"].widget
    height = timeline.height()
    for size in (QSize(1600, 900), QSize(800, 600)):
        with as_figure(timeline, size):
            assert lowest_ink(timeline) > 0.9
    assert timeline.height() == height


def check_names_of_lanes_can_be_read_in_a_figure(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "compareAction")
    lanes = panels_of(window.context)["lanes"]
    qtbot.waitUntil(lambda: lanes.emptiness() == "" and lanes.at_rest())
    names = {lane.name for lane in window.compare.comparison.lanes}
    with as_figure(lanes.widget, QSize(1600, 900)):
        sizes = [
            float(text.get("font-size", 0)) for text in text_elements(lanes.widget)
            if "".join(text.itertext()) in names
        ]  # fmt: skip
    assert sizes
    assert min(sizes) >= 900 / 30


def check_a_run_without_branches_has_no_figure_of_them(window: MainWindow, qtbot: QtBot) -> None:
    panel = panels_of(window.context)["branches"]
    assert "no branches" in panel.emptiness()
    act(window, "homeAction")
    qtbot.waitUntil(lambda: window.actions_.forbid.isEnabled())
    act(window, "forbidAction")
    qtbot.waitUntil(lambda: panel.emptiness() == "")
    bring_into_view(window.context, panel)
    labels = [child(window, QLabel, name) for name in ("branchComparison", "firstBranch")]
    qtbot.waitUntil(lambda: all("href" in label.text() for label in labels))
    with as_figure(panel.widget, QSize(800, 450)):
        assert not any("href" in label.text() for label in labels)
        assert all("merge 1" in label.text() for label in labels)
    assert all("href" in label.text() for label in labels)


def test_a_figure_has_no_link(window: MainWindow, qtbot: QtBot) -> None:
    train(qtbot, window)
    panel = panels_of(window.context)["tree"]
    bring_into_view(window.context, panel)
    label = child(panel.widget, QLabel, "scaffolding")
    qtbot.waitUntil(lambda: "Where?" in label.text())
    with as_figure(panel.widget, QSize(800, 450)):
        assert "Occurs" in label.text()
        assert "Where?" not in label.text()
    qtbot.waitUntil(lambda: "Where?" in label.text())


def test_a_figure_in_the_size_of_the_window_has_no_switch_and_no_link(
    window: MainWindow, qtbot: QtBot
) -> None:
    train(qtbot, window)
    panels = panels_of(window.context)
    why, tree = panels["why"], panels["tree"]
    bring_into_view(window.context, why)
    qtbot.waitUntil(why.at_rest)
    switch = child(why.widget, QWidget, "tellSwitch")
    place = switch.geometry()
    assert switch.isVisible()
    with as_figure(why.widget):
        assert not switch.isVisible()
    assert switch.isVisible()
    assert switch.geometry() == place
    bring_into_view(window.context, tree)
    label = child(tree.widget, QLabel, "scaffolding")
    qtbot.waitUntil(lambda: "Where?" in label.text())
    with as_figure(tree.widget):
        assert "Occurs" in label.text()
        assert "Where?" not in label.text()
    assert "Where?" in label.text()


def test_a_figure_of_a_token_has_its_tree_and_its_life(window: MainWindow, qtbot: QtBot) -> None:
    train(qtbot, window)
    panel = panels_of(window.context)["tree"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    names = ("treeCanvas", "tokenLife", "residueCount")
    parts = [child(panel.widget, QWidget, name) for name in names]
    font, before = panel.widget.font(), [part.isVisible() for part in parts]
    for size in (QSize(1280, 720), QSize(1920, 1080), QSize(800, 450), QSize(720, 1280)):
        with as_figure(panel.widget, size):
            assert all(part.isVisible() for part in parts)
            assert panel.widget.font().pointSizeF() > font.pointSizeF()
    with as_figure(panel.widget, QSize(480, 270)):
        assert sum(part.isVisible() for part in parts[:2]) == 1, "there is no room for two"
        assert panel.widget.font().pointSizeF() >= font.pointSizeF()
    assert [part.isVisible() for part in parts] == before


def check_a_figure_is_read_from_top_to_bottom(window: MainWindow, qtbot: QtBot) -> None:
    read = {}
    window.player.scrub(0)
    for name in ("pairs", "vocabulary"):
        panel = panels_of(window.context)[name]
        bring_into_view(window.context, panel)
        qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
        with as_figure(panel.widget, QSize(1280, 720)):
            read[name] = painted_texts(panel.widget)
    assert read["pairs"][:8] == ["l", "o", "3", "2", "o", "w", "3", "3"]
    assert read["vocabulary"][:2] == ["id", "token"], "headings before what is below them"


def check_a_figure_has_nothing_to_press_beside_titles(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("recipe", "vocabulary"):
        panel = panels_of(window.context)[name]
        bring_into_view(window.context, panel)
        qtbot.waitUntil(panel.at_rest)
        before, estimates = arrows(panel.widget), seen_estimates(panel.widget)
        assert before
        assert len(estimates) == (name == "recipe")
        with as_figure(panel.widget, QSize(1280, 720)):
            assert arrows(panel.widget) == []
            assert not seen_estimates(panel.widget)
        assert arrows(panel.widget) == before
        qtbot.waitUntil(lambda: seen_estimates(panel.widget) == estimates)  # noqa: B023


def seen_estimates(widget: QWidget) -> list[QWidget]:
    """What says how long this machine would take."""
    found = widget.findChildren(QWidget, "recipeOutlook")
    return [each for each in found if each.isVisible()]


def arrows(widget: QWidget) -> list[str]:
    """What is seen with an arrow to open and close it, or to sort it the other way."""
    buttons = widget.findChildren(QToolButton)
    pressed = [each for each in buttons if each.arrowType() is not Qt.ArrowType.NoArrow]
    headers = widget.findChildren(QHeaderView)
    sorting = [each for each in headers if each.isSortIndicatorShown()]
    return [each.objectName() for each in (*pressed, *sorting) if each.isVisible()]


def check_bars_name_their_number_in_a_figure(window: MainWindow, qtbot: QtBot) -> None:
    panel = panels_of(window.context)["bars"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)

    def labels() -> list[str]:
        found = panel.widget.findChildren(QLabel)
        return [label.text() for label in found if label.isVisible() and label.text()]

    assert labels() == ["less is better"]
    with as_figure(panel.widget, QSize(1280, 720)):
        assert labels() == ["tokens, less is better"]
        assert lowest_ink(panel.widget) > 0.8
    assert labels() == ["less is better"]


def check_a_figure_of_one_curve_does_not_ask_for_a_second(window: MainWindow, qtbot: QtBot) -> None:
    panel = panels_of(window.context)["merge-curves"]
    bring_into_view(window.context, panel)
    sentence = child(panel.widget, QLabel, "overtakingSentence")
    qtbot.waitUntil(lambda: panel.at_rest() and sentence.text().startswith("Add a lane"))
    with as_figure(panel.widget, QSize(1280, 720)):
        assert not sentence.isVisible()
    assert sentence.isVisible()


def check_names_are_whole_beside_the_table_of_tokens(window: MainWindow, qtbot: QtBot) -> None:
    panel = panels_of(window.context)["vocabularies"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    matrix = child(panel.widget, QWidget, "vocabularyMatrix")
    with as_figure(panel.widget, QSize(1280, 720)):
        painted = [element.text for element in text_elements(matrix)]
    assert painted
    assert not [text for text in painted if text and "…" in text]


def test_a_figure_of_space_and_time_says_what_it_leaves_out(
    window: MainWindow, qtbot: QtBot
) -> None:
    train(qtbot, window)
    panel = panels_of(window.context)["spacetime"]
    bring_into_view(window.context, panel)
    caption = child(panel.widget, QLabel, "spaceTimeCaption")
    for text, part in (("low lower", ""), ("low lower newest widest " * 25, " of 599 ")):
        window.sample_text.set(text.strip())
        for view in (0, 1):
            child(panel.widget, QComboBox, "spaceTimeView").setCurrentIndex(view)
            qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
            qtbot.waitUntil(lambda: window.explore.at_rest and panel.at_rest())
            qtbot.waitUntil(lambda: caption.text() != "")
            before = caption.text()
            assert "Showing" not in before
            for size in (QSize(1280, 720), QSize(1920, 1080)):
                with as_figure(panel.widget, size):
                    assert ("Showing the first" in caption.text()) is bool(part)
                    assert part in caption.text()
            assert caption.text() == before


def check_cells_of_the_matrix_fill_a_figure(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "compareAction")
    comparison = window.compare.comparison
    for position in (1, 2):
        comparison.at_positions([position])
    panel = panels_of(window.context)["vocabularies"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    matrix = child(panel.widget, QWidget, "vocabularyMatrix")
    for size in (QSize(1280, 720), QSize(1920, 1080)):
        with as_figure(panel.widget, size):
            assert lowest_ink(matrix) > 0.5
            painted = " ".join(element.text or "" for element in text_elements(matrix))
            assert "tokens in both, divided by tokens in either" in painted, "what 0.29 means"


def test_rows_of_numbers_fill_a_figure_and_names_are_whole(
    window: MainWindow, qtbot: QtBot
) -> None:
    train(qtbot, window)
    act(window, "compareAction")
    panel = panels_of(window.context)["metrics"]
    comparison = window.compare.comparison
    for number, lane in enumerate(comparison.lanes):
        comparison.rename(lane.key, f"an encoding with a very long name, the number {number + 1}")
    comparison.at_positions([1, 2])
    table = panel.widget
    assert isinstance(table, QTableView)
    bring_into_view(window.context, panel)
    qtbot.waitUntil(lambda: table.model().rowCount() == 4 and panel.at_rest())
    height = table.rowHeight(0)
    with as_figure(panel.widget, QSize(1280, 720)):
        assert lowest_ink(panel.widget) > 0.7
        painted = " ".join(element.text or "" for element in text_elements(panel.widget))
        assert "…" not in painted
        assert "with a very" in painted
    assert table.rowHeight(0) == height


def check_a_figure_of_the_pipeline_ends_with_a_whole_system(
    window: MainWindow, qtbot: QtBot
) -> None:
    act(window, "laboratoryAction")
    window.sample_text.set("the lowest of the newest and the widest of the slowest " * 5)
    panel = panels_of(window.context)["pipeline"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    for size in (QSize(1280, 720), QSize(800, 600), QSize(1600, 900)):
        with as_figure(panel.widget, size):
            painted = [element.text for element in text_elements(panel.widget)]
            assert painted.count("Raw text") == painted.count("Ids") == 2
            assert lowest_ink(panel.widget) > 0.8
            told = [text for text in painted if text and text.startswith("Showing the first")]
            assert len(told) == 1
            assert "of 275 characters." in told[0]
    window.sample_text.set("the lowest")
    qtbot.waitUntil(panel.at_rest)
    with as_figure(panel.widget, QSize(1280, 720)):
        painted = [element.text or "" for element in text_elements(panel.widget)]
        assert painted.count("Raw text") == 1
        assert lowest_ink(panel.widget) > 0.8
        assert not [text for text in painted if text.startswith("Showing")]


def test_lanes_fill_a_figure_whatever_their_tokens_are(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "compareAction")
    comparison = window.compare.comparison
    panel = panels_of(window.context)["lanes"]
    text = "Привет, мир! The unbelievable newest tokens: low, lower, lowest. Часы в гавани"
    window.sample_text.set(text)
    qtbot.waitUntil(lambda: comparison.result is not None and comparison.result.text == text)
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    for size in (QSize(1280, 720), QSize(1600, 900), QSize(800, 600)):
        with as_figure(panel.widget, size):
            assert lowest_ink(panel.widget) > 0.6
            assert isinstance(panel.widget, QAbstractScrollArea)
            assert not panel.widget.verticalScrollBar().maximum()


def check_a_figure_of_lanes_says_what_it_leaves_out(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "compareAction")
    comparison = window.compare.comparison
    panel = panels_of(window.context)["lanes"]
    bring_into_view(window.context, panel)
    assert isinstance(panel.widget, QAbstractScrollArea)
    sentence = "The quick brown fox jumps over the lazy dog near the harbour. "
    for text, start, told in (
        (sentence * 30, 0, r"Showing the first [\d,]+ of 1,860 characters\."),
        (sentence * 30, 10**6, r"Showing characters [\d,]+ to [\d,]+ of 1,860\."),
        (sentence, 0, ""),
    ):
        window.sample_text.set(text)
        qtbot.waitUntil(lambda: comparison.result is not None)
        qtbot.waitUntil(lambda: comparison.result.text == text)  # noqa: B023
        qtbot.waitUntil(panel.at_rest)
        panel.widget.verticalScrollBar().setValue(start)
        with as_figure(panel.widget, QSize(800, 600)):
            row = QFontMetrics(panel.widget.font()).height()
            assert row >= 600 / 24, "it is as large as can be read"
            painted = [element.text or "" for element in text_elements(panel.widget)]
            said = [line for line in painted if line.startswith("Showing")]
            assert len(said) == bool(told)
            assert re.fullmatch(told, "".join(said))
            names = {lane.name: painted.count(lane.name) for lane in comparison.lanes}
            assert len(set(names.values())) == 1, "a system is cut"
        assert not child(panel.widget, QWidget, "laneLegend").isVisible()


def check_a_figure_of_text_says_what_it_leaves_out(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "exploreAction")
    panel = panels_of(window.context)["text"]
    bring_into_view(window.context, panel)
    counts = child(panel.widget, QLabel, "textCounts")
    view = child(panel.widget, QAbstractScrollArea, "tokenView")
    sentence = "The quick brown fox jumps over the lazy dog near the harbour. "
    for text, start, told in (
        (sentence * 30, 0, r"Showing the first [\d,]+ of 1,860 characters\."),
        (sentence * 90, 10**6, r"Showing characters [\d,]+ to [\d,]+ of 5,580\."),
        (sentence, 0, ""),
    ):
        window.sample_text.set(text)
        qtbot.waitUntil(lambda: counts.text().startswith(f"{len(text):,}\u00a0"))  # noqa: B023
        qtbot.waitUntil(panel.at_rest)
        view.verticalScrollBar().setValue(start)
        before = counts.text()
        assert "Shown" not in before
        with as_figure(panel.widget, QSize(800, 600)):
            said = [line for line in counts.text().splitlines() if line.startswith("Showing")]
            assert len(said) == bool(told)
            assert re.fullmatch(told, "".join(said))
            assert counts.height() >= counts.heightForWidth(counts.width()), "a line is cut"
        assert counts.text() == before


def check_a_figure_of_languages_has_all_of_them(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "compareAction")
    window.sample_text.set(joined().text)
    panel = panels_of(window.context)["languages"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(lambda: panel.emptiness() == "" and panel.at_rest())
    table = child(panel.widget, QTableView, "languageTable")
    for size in (QSize(1280, 720), QSize(800, 600)):
        with as_figure(panel.widget, size):
            last = table.model().rowCount() - 1
            assert last == 19
            bottom = table.rowViewportPosition(last) + table.rowHeight(last)
            assert bottom <= table.viewport().height()


def check_long_names_are_whole_beside_the_table_of_tokens(window: MainWindow, qtbot: QtBot) -> None:
    act(window, "compareAction")
    comparison = window.compare.comparison
    for lane in comparison.lanes:
        comparison.rename(lane.key, f"the lane with a name that is long {lane.key}")
    panel = panels_of(window.context)["vocabularies"]
    bring_into_view(window.context, panel)
    qtbot.waitUntil(panel.at_rest)
    matrix = child(panel.widget, QWidget, "vocabularyMatrix")
    with as_figure(panel.widget, QSize(1280, 720)):
        painted = [element.text or "" for element in text_elements(matrix)]
    assert any("the lane with a name that is long" in text for text in painted)
    assert not [text for text in painted if "…" in text]


def test_figures_of_panels(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    comparison = window.compare.comparison
    explored = explore_again(qtbot, window)

    def again() -> None:
        explored()
        comparison.set_lanes([])
        comparison.begin_with_run()

    in_turn(
        again,
        check_a_wide_table_keeps_its_last_column,
        check_the_numbers_of_few_encodings_fill_a_figure,
        check_little_text_is_written_larger_until_it_fills_the_picture,
        check_few_places_of_a_short_token_are_written_in_letters_that_can_be_read,
        check_a_timeline_fills_a_figure,
        check_names_of_lanes_can_be_read_in_a_figure,
        check_a_figure_of_lanes_says_what_it_leaves_out,
        check_a_figure_of_text_says_what_it_leaves_out,
        check_a_figure_is_read_from_top_to_bottom,
        check_a_run_without_branches_has_no_figure_of_them,
        check_a_figure_has_nothing_to_press_beside_titles,
        check_bars_name_their_number_in_a_figure,
        check_a_figure_of_one_curve_does_not_ask_for_a_second,
        check_names_are_whole_beside_the_table_of_tokens,
        check_cells_of_the_matrix_fill_a_figure,
        check_a_figure_of_the_pipeline_ends_with_a_whole_system,
        check_a_figure_of_languages_has_all_of_them,
        check_long_names_are_whole_beside_the_table_of_tokens,
    )
