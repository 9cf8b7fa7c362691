"""A tour points to parts of panels, to languages, columns, curves; and it covers what it asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QTabBar, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.tours.directives import WITH_PARTS, parts_of
from bpe_gui.tours.tour import Spot
from bpe_gui.ui.explore.coverable_panel import COVERED
from bpe_gui.ui.panels.guess.wording import HELD
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tour.targets import known_places
from tests.ui.driving import child
from tests.ui.tour.short_tour import begin, go_on, go_to

TOUR = """bpe-gui tour 1
title: Parts

# A chapter

## Before
cover: the next merge
spotlight: words

Words.

## Asked
spotlight: words

predict: Which?
choices: the next pair

Words.

## A curve
go to: 5
spotlight: curves bytes/token

Words.

## A language
workspace: compare
compare on: the story
lane: the run after 3 merges
spotlight: languages sw
spotlight: languages id

Words.

## A column
spotlight: numbers Rényi

Words.

## A difference
lane: the run after 3 merges
lane: the run after 1 merge
difference: 1
spotlight: lanes
spotlight: difference

Words.

## Above and below
workspace: explore
spotlight: recipe
spotlight: tokens

Words.

## A token
train to: the end
go to: the end
select: es
spotlight: vocabulary
spotlight: why

Words.

## All languages
workspace: compare
compare on: the story
lane: the run after 3 merges
spotlight: languages

Words.

## Lanes in Hindi
lane: the run after 3 merges
spotlight: lanes hi

Words.
"""
(
    BEFORE, ASKED, CURVE, LANGUAGE, COLUMN, DIFFERENCE, BOTH, TOKEN, ALL_LANGUAGES, HINDI,
) = range(10)  # fmt: skip


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    path = tmp_path / "parts.tour"
    path.write_text(TOUR)
    return path


def lit(window: MainWindow, table: QTableView) -> list[QPoint]:
    """The middles of what is lit, in the pixels of a table's viewport."""
    viewport = table.viewport()
    return [viewport.mapFrom(table.window(), h.center()) for h in window.touring.spotlight.holes]


def languages_lit(window: MainWindow) -> list[str]:
    table = window.compare.numbers.texts.table
    return [
        table.model().index(table.rowAt(place.y()), 0).data() for place in lit(window, table)
    ]


def columns_lit(window: MainWindow) -> list[str]:
    table = window.compare.numbers.table
    titles = window.compare.numbers.table.metrics.titles()
    return [titles[table.columnAt(place.x())] for place in lit(window, table)]


@pytest.mark.parametrize("on_stage", [False, True])
def test_rows_and_columns_out_of_sight_are_scrolled_to_and_lit(
    window: MainWindow, qtbot: QtBot, parts: Path, on_stage: bool
) -> None:
    window.resize(1024, 700)
    begin(qtbot, window, parts)
    if on_stage:
        window.stage.enter()
        window.stage.show_window.resize(800, 600)
    go_to(qtbot, window, LANGUAGE)
    qtbot.waitUntil(lambda: languages_lit(window) == ["Swahili", "Indonesian"])
    numbers = window.compare.numbers
    assert window.touring.spotlight.window() is numbers.window()
    names = numbers.texts.header
    names.sortIndicatorChanged.emit(0, Qt.SortOrder.DescendingOrder)
    numbers.texts.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    window.resize(1100, 720)
    window.stage.show_window.resize(900, 640)
    qtbot.waitUntil(lambda: languages_lit(window) == ["Swahili", "Indonesian"])
    numbers.texts.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    go_to(qtbot, window, COLUMN)
    qtbot.waitUntil(lambda: columns_lit(window) == ["Rényi"])
    (hole,) = window.touring.spotlight.holes
    assert hole.width() > 30


def texts_in_view(table: QTableView, *, row: bool) -> list[str]:
    """What stands in the first row or the first column, as far as it is whole in view."""
    model, view = table.model(), table.viewport().rect()
    cells = (
        [model.index(0, column) for column in range(model.columnCount())]
        if row
        else [model.index(number, 0) for number in range(model.rowCount())]
    )
    seen = [cell for cell in cells if view.contains(table.visualRect(cell))]
    seen.sort(key=lambda cell: (table.visualRect(cell).y(), table.visualRect(cell).x()))
    return [str(cell.data()) for cell in seen]


@pytest.mark.parametrize("size", [(1024, 768), (1920, 1080)])
def test_what_is_lit_on_the_stage_stands_beside_what_tells_whose_it_is(
    window: MainWindow, qtbot: QtBot, parts: Path, size: tuple[int, int]
) -> None:
    begin(qtbot, window, parts)
    window.stage.enter()
    window.stage.show_window.resize(*size)
    go_to(qtbot, window, LANGUAGE)
    numbers = window.compare.numbers
    languages, table = numbers.texts.table, numbers.table
    qtbot.waitUntil(lambda: languages_lit(window) == ["Swahili", "Indonesian"])
    rows = texts_in_view(languages, row=False)
    assert rows[:3] == ["English", "Swahili", "Indonesian"]
    languages.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    qtbot.waitUntil(lambda: texts_in_view(languages, row=False)[:3] == rows[:3])
    languages.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    go_to(qtbot, window, COLUMN)
    qtbot.waitUntil(lambda: columns_lit(window) == ["Rényi"])
    name = window.compare.comparison.lanes[0].encoding.name
    qtbot.waitUntil(lambda: texts_in_view(table, row=True)[:1] == [name])
    assert table.horizontalHeader().visualIndex(cells_of(table).index("Rényi")) == 1
    go_to(qtbot, window, ALL_LANGUAGES)
    qtbot.waitUntil(lambda: texts_in_view(languages, row=False)[:2] == ["English", "German"])
    window.touring.leave()
    for header in (languages.verticalHeader(), table.horizontalHeader()):
        assert [header.visualIndex(n) for n in range(header.count())] == list(range(header.count()))


def cells_of(table: QTableView) -> list[str]:
    """The headings of a table of numbers, as they stand in the model."""
    columns = range(table.model().columnCount())
    return [str(table.model().headerData(n, Qt.Orientation.Horizontal)) for n in columns]


def check_lanes_begin_with_a_language_in_the_window_and_on_the_stage(
    window: MainWindow, qtbot: QtBot, parts: Path
) -> None:
    begin(qtbot, window, parts)
    go_to(qtbot, window, HINDI)
    lanes, start = window.compare.lanes, joined().stretches["hi"].start
    qtbot.waitUntil(lambda: lanes.current_byte() == start)
    (hole,) = window.touring.spotlight.holes
    assert hole.contains(lanes.mapTo(window, lanes.rect().center()))
    window.stage.enter()
    window.stage.show_window.resize(1024, 768)
    qtbot.waitUntil(lambda: lanes.window() is window.stage.show_window)
    qtbot.waitUntil(lambda: lanes.current_byte() == start)
    window.stage.leave()
    qtbot.waitUntil(lambda: lanes.current_byte() == start)
    window.touring.leave()


def check_what_is_scrolled_away_is_lit_no_longer(
    window: MainWindow, qtbot: QtBot, parts: Path
) -> None:
    window.resize(1024, 500)
    begin(qtbot, window, parts)
    go_to(qtbot, window, LANGUAGE)
    qtbot.waitUntil(lambda: languages_lit(window) == ["Swahili", "Indonesian"])
    bar = window.compare.numbers.texts.table.verticalScrollBar()
    assert bar.maximum() > 0, "not all languages have room"
    bar.triggerAction(bar.SliderAction.SliderToMaximum)
    qtbot.waitUntil(lambda: window.touring.spotlight.holes == ())
    assert not window.touring.spotlight.isVisible()
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    qtbot.waitUntil(lambda: languages_lit(window) == ["Swahili", "Indonesian"])
    window.touring.leave()


def check_a_curve_is_brought_to_the_front_and_afterwards_the_one_before(
    window: MainWindow, qtbot: QtBot, parts: Path
) -> None:
    window.explore.docks["curvesDock"].raise_()
    curves = window.explore.curves
    tabs = child(curves, QTabBar, "curveTabs")
    tabs.setCurrentIndex(3)
    begin(qtbot, window, parts)
    go_to(qtbot, window, CURVE)
    assert tabs.tabText(tabs.currentIndex()) == "Bytes/token"
    (hole,) = window.touring.spotlight.holes
    assert hole.contains(curves.mapTo(window, curves.rect().center()))
    docks = window.explore.docks
    window.resize(2600, 1700)
    docks["textDock"].hide()
    window.resizeDocks([docks["curvesDock"]], [1400], Qt.Orientation.Horizontal)
    plot = curves.plots[1]
    qtbot.waitUntil(lambda: plot.isVisible() and curves.plots[0].isVisible())
    qtbot.waitUntil(
        lambda: len(window.touring.spotlight.holes) == 1
        and window.touring.spotlight.holes[0].contains(plot.mapTo(window, plot.rect().center()))
        and window.touring.spotlight.holes[0].width() < 0.6 * curves.width()
    )
    window.touring.leave()
    assert tabs.tabText(tabs.currentIndex()) == "Lengths"


def check_the_next_merge_is_covered_before_it_is_asked_for(
    window: MainWindow, qtbot: QtBot, parts: Path
) -> None:
    begin(qtbot, window, parts)
    guess = window.explore.guess
    assert window.explore.pair_chart.isHidden()
    assert guess.covers
    assert guess.accessibleDescription() == HELD
    assert not window.explore.why.isVisible()
    labels = (label for label in window.findChildren(QLabel) if label.isVisible())
    covers = {label.text() for label in labels if label.text() in (HELD, COVERED)}
    # Nobody is asked to guess yet.
    title = window.explore.docks["pairDock"].windowTitle
    assert title() == "Pair frequencies"
    assert covers == {HELD}
    words = window.explore.words.model
    qtbot.waitUntil(lambda: words.words is not None)
    assert words.words is not None
    assert words.words.touched == 0, "counted by whoever is asked"
    position = window.player.position
    for key in (Qt.Key.Key_1, Qt.Key.Key_R, Qt.Key.Key_Return):
        QTest.keyClick(guess, key)
    assert guess.covers, "nobody can answer what is not asked"
    assert window.player.position == position
    go_on(qtbot, window)
    assert "Which pair is merged next?" in guess.accessibleDescription()
    labels = (label for label in window.findChildren(QLabel) if label.isVisible())
    assert COVERED in {label.text() for label in labels}, "now it is asked for"
    assert title() == "Guess the next merge"
    window.touring.go_to_page(BEFORE)
    assert title() == "Pair frequencies"
    assert guess.accessibleDescription() == HELD
    window.touring.leave()
    assert not window.actions_.guess.isChecked()
    window.actions_.guess.trigger()
    assert "Which pair is merged next?" in guess.accessibleDescription()
    window.actions_.guess.trigger()


def check_on_the_stage_what_stands_there_is_lit_though_not_all_does(
    window: MainWindow, qtbot: QtBot, parts: Path
) -> None:
    begin(qtbot, window, parts)
    window.stage.enter()
    go_to(qtbot, window, BOTH)
    show, spotlight = window.stage.show_window, window.touring.spotlight
    qtbot.waitUntil(lambda: spotlight.window() is show)
    assert len(spotlight.holes) == 1, "the choice of the recipe is in the window"
    go_to(qtbot, window, DIFFERENCE)
    qtbot.waitUntil(lambda: len(spotlight.holes) == 2)
    card = window.compare.differences.card
    assert card.window() is show
    qtbot.waitUntil(lambda: "Difference 1 of" in card.toPlainText())
    go_to(qtbot, window, TOKEN)
    table = window.explore.vocabulary.findChild(QTableView)
    assert isinstance(table, QTableView)
    assert table.window() is show
    qtbot.waitUntil(
        lambda: table.viewport().rect().contains(table.visualRect(table.currentIndex()))
    )
    window.stage.leave()
    window.touring.leave()


def check_every_part_is_somewhere(window: MainWindow) -> None:
    targets, curves = window.touring.targets, window.explore.curves
    for place in WITH_PARTS:
        for part in parts_of(place):
            spot = Spot(place, part=part)
            targets.bring_into_view([spot])
            assert targets.find([spot])[0].area is not None
    tabs = child(curves, QTabBar, "curveTabs")
    assert tuple(tabs.tabText(n).lower() for n in range(tabs.count())) == parts_of("curves")
    assert all(place in known_places() for place in WITH_PARTS)


def check_all_is_seen_in_the_usual_order_and_afterwards_as_it_was_chosen(
    window: MainWindow, qtbot: QtBot, parts: Path
) -> None:
    words, vocabulary = window.explore.words, window.explore.vocabulary
    search = child(words, QLineEdit, "wordsSearch")
    order = child(words, QComboBox, "wordsOrder")
    reference = child(window.compare, QComboBox, "parityReference")
    ids = child(vocabulary, QTableView, "vocabularyTable").horizontalHeader()
    search.setText("z")
    order.setCurrentIndex(2)
    reference.setCurrentIndex(5)
    ids.setSortIndicator(1, Qt.SortOrder.DescendingOrder)
    begin(qtbot, window, parts)
    assert search.text() == ""
    assert (order.currentIndex(), reference.currentIndex()) == (0, 0)
    assert (ids.sortIndicatorSection(), ids.sortIndicatorOrder()) == (
        0, Qt.SortOrder.AscendingOrder,
    )  # fmt: skip
    go_to(qtbot, window, TOKEN)
    window.touring.leave()
    assert search.text() == "z"
    assert (order.currentIndex(), reference.currentIndex()) == (2, 5)
    assert (ids.sortIndicatorSection(), ids.sortIndicatorOrder()) == (
        1, Qt.SortOrder.DescendingOrder,
    )  # fmt: skip


def test_parts_are_lit_in_the_window_and_on_the_stage(
    window: MainWindow, qtbot: QtBot, parts: Path
) -> None:
    check_the_next_merge_is_covered_before_it_is_asked_for(window, qtbot, parts)
    check_lanes_begin_with_a_language_in_the_window_and_on_the_stage(window, qtbot, parts)
    check_on_the_stage_what_stands_there_is_lit_though_not_all_does(window, qtbot, parts)
    check_what_is_scrolled_away_is_lit_no_longer(window, qtbot, parts)
    check_all_is_seen_in_the_usual_order_and_afterwards_as_it_was_chosen(window, qtbot, parts)
    check_a_curve_is_brought_to_the_front_and_afterwards_the_one_before(window, qtbot, parts)
    check_every_part_is_somewhere(window)
