"""The panel of a tour has room, and its spotlight leaves in sight what it points to."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QVariantAnimation
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QScrollArea, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.tours.tour import Spot
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.choices import STEPS
from bpe_gui.ui.tour.targets import known_places
from tests.ui.driving import child
from tests.ui.tour.short_tour import at_rest, begin, go_on, go_to, points_beside_the_panel

KEY = Qt.Key


def check_the_tour_has_room_at(
    window: MainWindow,
    qtbot: QtBot,
    short: Path,
    scale: float,
    size: tuple[int, int],
) -> None:
    window.text_sizing.set_scale(scale)
    window.resize(*size)
    begin(qtbot, window, short)
    touring = window.touring
    for page in (1, 4, 5):
        go_to(qtbot, window, page)
        at_rest(window, qtbot)
        scroll = child(touring.panel, QScrollArea, "tourScroll")
        inside = scroll.widget()
        assert inside is not None
        qtbot.waitUntil(lambda: inside.width() <= scroll.viewport().width())  # noqa: B023
        panel = touring.panel
        assert panel.width() >= panel.minimumSizeHint().width(), page
        assert panel.height() >= panel.minimumSizeHint().height(), page
        for name in ("tourBack", "tourNext"):
            button = child(panel, QPushButton, name)
            assert button.width() >= button.minimumSizeHint().width(), page
    touring.leave()


def check_the_columns_stay_from_page_to_page(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.text_sizing.set_scale(1.0)
    window.resize(1280, 720)
    begin(qtbot, window, short)
    widths = []
    for page in (1, 2, 3, 1):
        go_to(qtbot, window, page)
        at_rest(window, qtbot)
        widths.append(window.touring.dock.width())
    assert len(set(widths)) == 1, widths
    window.touring.leave()


def check_the_tour_has_room_in_a_small_window(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    # What has room in the smallest and in the largest text has it in all between.
    for scale, size in [(1.0, (1024, 700)), (STEPS[0], (1280, 800)), (2.0, (1280, 800))]:
        check_the_tour_has_room_at(window, qtbot, short, scale, size)


def check_what_does_not_fit_is_scrolled_by_keys_and_ends_with_the_answer(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.text_sizing.set_scale(3.0)
    window.resize(1024, 700)
    begin(qtbot, window, short)
    go_on(qtbot, window)
    scroll = child(window.touring.panel, QScrollArea, "tourScroll")
    bar = scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    QTest.keyClick(window.touring.panel, KEY.Key_Down)
    assert bar.value() > 0
    QTest.keyClick(window.touring.panel, KEY.Key_Up)
    assert bar.value() == 0
    go_on(qtbot, window)

    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0)
    window.touring.leave()
    window.text_sizing.set_scale(1.0)


def test_no_page_of_the_tour_scrolls_in_a_small_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1024, 700)
    with qtbot.waitSignal(window.touring.arrived):
        window.touring.begin()
    scroll = child(window.touring.panel, QScrollArea, "tourScroll")
    for page in (2, 6, 8, 16, 35, 38, 39):
        go_to(qtbot, window, page - 1)
        go_on(qtbot, window)
        at_rest(window, qtbot)
        assert window.touring.moment.revealed
        assert scroll.verticalScrollBar().maximum() == 0, page
    window.touring.leave()


def test_the_spotlight_lets_everything_through_and_follows(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    spotlight = window.touring.spotlight
    words = window.explore.words
    (hole,) = spotlight.holes
    place = words.mapTo(window, words.rect().center())
    assert hole.contains(place)
    assert spotlight.isVisible()
    assert window.childAt(place) is not spotlight
    assert words.isAncestorOf(window.childAt(place) or words)
    window.explore.docks["textDock"].hide()
    window.resize(window.width() + 200, window.height() + 100)
    qtbot.waitUntil(lambda: spotlight.rect() == window.rect())
    qtbot.waitUntil(lambda: spotlight.holes[0].height() > hole.height() + 50)
    assert spotlight.holes[0].contains(words.mapTo(window, words.rect().center()))
    go_on(qtbot, window)
    go_on(qtbot, window)
    chart = window.explore.pair_chart
    rows = spotlight.holes[0]
    top = chart.mapTo(window, QPoint(0, 0)).y()
    assert chart.row_at(rows.center().y() - top) is not None
    assert rows.height() < chart.height() / 4
    with qtbot.waitSignal(chart.pairSelected):
        QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 12))
    window.touring.leave()
    assert not spotlight.isVisible()


def check_the_shade_comes_at_once_where_nothing_is_to_move(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.actions_.animate.setChecked(False)
    begin(qtbot, window, short)
    fade = window.touring.spotlight.findChild(QVariantAnimation)
    assert fade is not None
    assert fade.state() == QVariantAnimation.State.Stopped
    window.touring.leave()


def check_every_place_is_somewhere(window: MainWindow) -> None:
    targets = window.touring.targets
    for place in known_places():
        assert isinstance(targets.find([Spot(place)])[0].widget, QWidget)
    window.laboratory.view.set_active(False)


def check_the_window_keeps_its_size_and_the_panel_hides_nothing(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    size = (1024, 700)
    window.resize(*size)
    begin(qtbot, window, short)
    touring = window.touring
    while True:
        qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
        assert (window.width(), window.height()) == size, touring.number
        dock = touring.dock
        panel = dock.rect().translated(dock.mapTo(window, QPoint(0, 0)))
        assert panel.width() >= 300
        assert panel.height() >= 150
        qtbot.waitUntil(lambda: points_beside_the_panel(window))
        if touring.number + 1 == len(touring.moments):
            break
        go_on(qtbot, window)
    touring.leave()


def check_short_names_of_panels_are_whole_beside_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.resize(1024, 700)
    begin(qtbot, window, short)
    at_rest(window, qtbot)
    bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window]
    bar = next(bar for bar in bars if bar.isVisible() and bar.tabText(0) == "Words")
    empty = bar.sizeHint().width() - sum(
        bar.fontMetrics().horizontalAdvance(bar.tabText(tab)) for tab in range(bar.count())
    )
    assert bar.width() < bar.sizeHint().width(), "long names are elided"
    for tab, name in ((0, "Words"), (3, "Curves")):
        assert bar.tabText(tab) == name
        needed = bar.fontMetrics().horizontalAdvance(name) + empty // bar.count()
        assert bar.tabRect(tab).width() >= needed
    window.touring.leave()


def test_there_is_room_for_the_tour(window: MainWindow, qtbot: QtBot, short: Path) -> None:
    check_the_columns_stay_from_page_to_page(window, qtbot, short)
    check_the_window_keeps_its_size_and_the_panel_hides_nothing(window, qtbot, short)
    check_the_tour_has_room_in_a_small_window(window, qtbot, short)
    check_what_does_not_fit_is_scrolled_by_keys_and_ends_with_the_answer(window, qtbot, short)
    check_the_shade_comes_at_once_where_nothing_is_to_move(window, qtbot, short)
    check_every_place_is_somewhere(window)
    check_short_names_of_panels_are_whole_beside_the_tour(window, qtbot, short)
