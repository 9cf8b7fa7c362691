"""A tour on the stage: its pages are turned there, and it begins and ends there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.laboratory.boundary_wording import READING
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.tour.short_tour import at_rest, begin, go_on

KEY, DIRECTLY = Qt.Key, Qt.FindChildOption.FindDirectChildrenOnly


def check_on_the_stage_the_keys_of_a_clicker_turn_pages(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    stage, touring = window.stage, window.touring
    chosen = stage.choice
    stage.enter()
    show = stage.show_window
    assert touring.panel.window() is show
    assert window.explore.words.window() is show
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_PageDown)
    assert window.explore.guess.window() is show
    assert touring.asks
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_2)
    assert touring.number == 2
    assert child(touring.panel, QLabel, "tourVerdict").text()
    QTest.keyClick(show, KEY.Key_1)
    assert (touring.number, stage.choice) == (2, chosen), "one answers too late"
    qtbot.waitUntil(lambda: len(touring.spotlight.holes) == 2)
    assert touring.spotlight.window() is show
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_PageUp)
    assert touring.number == 1
    with qtbot.waitSignal(touring.arrived):
        touring.go_to_page(4)
    assert window.compare.lanes.window() is show
    assert len(window.compare.comparison.lanes) == 2
    touring.leave()
    assert not show.board.updatesEnabled(), "nobody sees the page half changed"
    qtbot.waitUntil(lambda: touring.panel.window() is not show)
    assert show.board.updatesEnabled()
    assert window.explore.pair_chart.window() is show, "the speaker's own panels are there again"
    assert stage.choice == chosen
    position = window.player.position
    QTest.keyClick(show, KEY.Key_PageDown)
    assert show.page is show.end_page, "nothing is trained"
    assert window.player.position == position
    stage.leave()
    assert window.explore.pair_chart.window() is window
    assert window.compare.lanes.window() is window


def check_a_tour_begins_and_ends_on_the_stage(window: MainWindow, qtbot: QtBot) -> None:
    def places() -> dict[str, tuple[int, int]]:
        docks = window.explore.docks.items()
        seen = {name: dock for name, dock in docks if not dock.visibleRegion().isEmpty()}
        return {name: (dock.x(), dock.width()) for name, dock in seen.items()}

    stage, touring = window.stage, window.touring
    before = places()
    stage.enter()
    show = stage.show_window
    qtbot.waitUntil(show.isActiveWindow)
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_F12)
    assert touring.panel.window() is show
    assert window.explore.words.window() is show
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_PageDown)
    assert touring.number == 1
    QTest.keyClick(show, KEY.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    assert not touring.active
    qtbot.waitUntil(lambda: window.explore.pair_chart.window() is show)
    stage.leave()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: places() == before)
    assert not touring.dock.isVisible()


def check_past_the_last_page_is_an_end_that_changes_nothing(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.stage.enter()
    show, touring = window.stage.show_window, window.touring
    with qtbot.waitSignal(touring.arrived):
        touring.go_to_page(5)
    position, end = window.player.position, window.player.end
    for key in (KEY.Key_PageDown, KEY.Key_PageDown, KEY.Key_Right, KEY.Key_Space):
        QTest.keyClick(show, key)
        assert show.page is show.end_page
    title, sentence = (
        child(show, QLabel, name).text() for name in ("stageEndTitle", "stageEndSentence")
    )
    assert title == "The end"
    assert [line.split()[0] for line in sentence.splitlines()] == ["Page", "Esc"]
    assert (touring.active, window.player.position, window.player.end) == (True, position, end)
    QTest.keyClick(show, KEY.Key_PageUp)
    assert show.page is show.board
    QTest.keyClick(show, KEY.Key_PageDown)
    QTest.keyClick(show, KEY.Key_Escape)
    assert not touring.active
    assert show.page is show.end_page
    qtbot.waitUntil(lambda: not window.stage.on)
    assert show.board.updatesEnabled()
    assert window.explore.pair_chart.window() is window


def check_no_key_leaves_the_tour_past_its_last_page(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    with qtbot.waitSignal(window.touring.arrived):
        window.touring.go_to_page(5)
    for key in (KEY.Key_PageDown, KEY.Key_Return):
        QTest.keyClick(window.touring.panel, key)
    QTest.keyClick(window, KEY.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert window.touring.active
    window.touring.leave()


def check_the_stage_is_left_before_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.stage.enter()
    window.stage.leave()
    assert window.touring.active
    assert window.touring.dock.widget() is window.touring.panel
    assert window.touring.panel.isVisible()
    go_on(qtbot, window)
    assert window.touring.spotlight.window() is window
    window.touring.leave()


def check_the_last_picture_stays_until_the_next_page_is_there_as_a_whole(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.stage.enter()
    show, touring = window.stage.show_window, window.touring
    picture = child(show, QWidget, "stageLastPicture")
    go_on(qtbot, window)
    assert not picture.isVisible()
    kept = show.board.beside_first
    with qtbot.waitSignal(touring.arrived):
        touring.go_to_page(4)
        assert picture.isVisible()
        assert picture.mask().translated(picture.pos()) == kept
        first, line = (child(show, QWidget, name) for name in ("stagePlace1", "stageLine"))
        assert not kept.intersects(first.geometry()), "the tour says that it prepares the page"
        assert kept.contains(line.geometry()), "the line is about what is seen above it"
    assert not picture.isVisible()
    [name] = child(show, QWidget, "stagePlace1").findChildren(QLabel, options=DIRECTLY)
    assert name.text().startswith("5 / 6")
    touring.panel.show_waiting(1, "A slow page", goes_on=False)
    touring.panel.placeChanged.emit()
    assert name.text().startswith("5 / 6"), "the words of that page are still there"
    qtbot.waitUntil(lambda: touring.panel.text.startswith("A slow page"))
    assert name.text().startswith("2 / 6")
    touring.go_to_page(3)
    touring.leave()
    qtbot.waitUntil(lambda: not picture.isVisible())


class Hiding(QObject):
    """Asks something whenever a widget is hidden."""

    def __init__(self, widget: QWidget, ask: Callable[[], bool]) -> None:
        super().__init__(widget)
        self.ask = ask
        self.answers: list[bool] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Hide:
            self.answers.append(self.ask())
        return False


def check_the_last_picture_stays_until_the_laboratory_has_read_the_corpus(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.stage.enter()
    show, touring = window.stage.show_window, window.touring
    with qtbot.waitSignal(touring.arrived):
        touring.go_to_page(3)
    picture = child(show, QWidget, "stageLastPicture")

    def shows_what_was_read() -> bool:
        panel = child(show, QWidget, "boundaryPanel")
        told = child(panel, QLabel, "boundarySentence").text()
        return panel.isVisible() and READING not in told

    qtbot.waitUntil(lambda: not picture.isVisible())
    hiding = Hiding(picture, shows_what_was_read)
    with qtbot.waitSignal(touring.arrived):
        touring.go_to_page(5)
    qtbot.waitUntil(lambda: hiding.answers != [])
    assert hiding.answers == [True]
    touring.leave()
    window.stage.leave()


class Fonts(QObject):
    """Counts how often a widget is given another font."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.FontChange
        return False


def check_what_stays_on_the_stage_is_written_once(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.stage.enter()
    at_rest(window, qtbot)
    fonts = Fonts(window.touring.panel)
    for _ in range(2):
        go_on(qtbot, window)
        qtbot.waitUntil(window.touring.spotlight.isVisible)
        at_rest(window, qtbot)
    assert fonts.times == 0
    window.touring.leave()
    window.stage.leave()
    assert fonts.times > 0, "it is as large as the window again"


def test_the_tour_and_the_stage_begin_and_end(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    check_a_tour_begins_and_ends_on_the_stage(window, qtbot)
    check_on_the_stage_the_keys_of_a_clicker_turn_pages(window, qtbot, short)
    check_past_the_last_page_is_an_end_that_changes_nothing(window, qtbot, short)
    check_no_key_leaves_the_tour_past_its_last_page(window, qtbot, short)
    check_the_stage_is_left_before_the_tour(window, qtbot, short)
    check_the_last_picture_stays_until_the_next_page_is_there_as_a_whole(window, qtbot, short)
    check_the_last_picture_stays_until_the_laboratory_has_read_the_corpus(window, qtbot, short)
    check_what_stays_on_the_stage_is_written_once(window, qtbot, short)
