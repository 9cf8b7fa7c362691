"""The first page of a tour: another tour, and the page on which this one was left."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.tour.short_tour import KEY, begin, go_on, go_to


def test_the_tours_of_the_program_offer_each_other(window: MainWindow, qtbot: QtBot) -> None:
    touring = window.touring
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(window, KEY.Key_F12)
    other = child(touring.panel, QPushButton, "tourOther")
    title = touring.page.title
    assert other.isVisible()
    window.stage.enter()
    assert touring.panel.isVisible()
    assert not other.isVisible(), "an audience has come for this one"
    window.stage.leave()
    assert other.isVisible()
    with qtbot.waitSignal(touring.arrived):
        other.click()
    assert touring.page.title != title
    with qtbot.waitSignal(touring.arrived):
        other.click()
    assert touring.page.title == title
    go_on(qtbot, window)
    assert not other.isVisible(), "only the first page offers it"
    touring.leave()


def test_a_tour_goes_on_where_it_was_left(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    touring = window.touring
    resume = child(touring.panel, QPushButton, "tourResume")
    assert not resume.isVisible()
    go_to(qtbot, window, 3)
    touring.leave()
    begin(qtbot, window, short)
    assert resume.isVisible()
    assert resume.text() == "Go on with page 4"
    with qtbot.waitSignal(touring.arrived):
        resume.click()
    assert touring.moment.page == 3
    assert not resume.isVisible()
    go_to(qtbot, window, 5)
    touring.leave()
    begin(qtbot, window, short)
    assert not resume.isVisible(), "it was seen to its end"
    touring.leave()


def test_chapters_tell_about_how_long_they_take(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    pages = child(window.touring.panel, QComboBox, "tourPages")
    entries = [pages.itemText(index) for index in range(pages.count())]
    headings = [text for text in entries if "min)" in text]
    assert headings == ["1 · First (about 2 min)", "2 · Second (about 1 min)"]
    place = child(window.touring.panel, QLabel, "tourPlace")
    assert place.toolTip() == "Page 1 of 6, about 3 min"
    window.touring.leave()
