"""The presenter window: what the speaker sees beside the stage, on a screen of its own or not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.programs import screens, told_by
from tests.ui.stage.stages import CORPUS
from tests.ui.tour.short_tour import TOUR, begin, go_on

KEY = Qt.Key
NOTED = TOUR.replace("There are {words}", "note: Wait for all {words}.\n\nThere are {words}")


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    """The short tour, with a note on its first page."""
    path = tmp_path / "noted.tour"
    path.write_text(NOTED)
    return path


def told(window: QWidget) -> list[str]:
    """What is written of the page: its title, its note, and what is next."""
    names = "presenterTitle", "presenterNote", "presenterNext"
    return [child(window, QLabel, name).text() for name in names]


def test_n_opens_the_note_of_the_page_and_what_is_next(
    window: MainWindow, qtbot: QtBot, noted: Path
) -> None:
    begin(qtbot, window, noted)
    window.stage.enter()
    show = window.stage.show_window
    presenter = child(show, QWidget, "presenter")
    assert not presenter.isVisible(), "on one screen it would cover the stage"
    QTest.keyClick(show, KEY.Key_N)
    qtbot.waitUntil(presenter.isVisible)
    assert told(presenter) == [
        "Page 1 of 6: Words", "Wait for all 4.", "Next: A question\nLook at the words.",
    ]  # fmt: skip
    assert presenter.windowType() == Qt.WindowType.Dialog, "else it is behind the stage on X11"
    time = child(presenter, QLabel, "presenterTime")
    assert re.fullmatch(r"\d+:\d\d of about \d min", time.text())
    # A click on it gives it the keyboard; the keys of a clicker are obeyed all the same.
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(presenter, KEY.Key_PageDown)
    page = ["Page 2 of 6: A question", "No note for this page.", "Next: the answer"]
    qtbot.waitUntil(lambda: told(presenter) == page)
    go_on(qtbot, window)
    qtbot.waitUntil(lambda: told(presenter)[-1].startswith("Next: Another question"))
    child(presenter, QPushButton, "presenterReset").click()
    assert time.text().startswith("0:0")
    QTest.keyClick(presenter, KEY.Key_N)
    qtbot.waitUntil(lambda: not presenter.isVisible())
    window.stage.leave()
    window.touring.leave()


def test_what_is_next_has_its_figures_where_they_are_of_the_run_in_view(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "figures.tour"
    first = "# First\n\n## Words\n\nWords.\n\n"
    path.write_text(
        f"bpe-gui tour 1\ntitle: Figures\n\n{first}## Here\ngo to: 0\n\nIt has {{pairs}} pairs.\n\n"
        "## Elsewhere\npreset: gpt2\n\nIt has {pairs} pairs now.\n"
    )
    begin(qtbot, window, path)
    window.stage.enter()
    show = window.stage.show_window
    presenter = child(show, QWidget, "presenter")
    QTest.keyClick(show, KEY.Key_N)
    qtbot.waitUntil(lambda: told(presenter)[-1] == "Next: Here\nIt has 14 pairs.")
    go_on(qtbot, window)
    qtbot.waitUntil(lambda: told(presenter)[-1] == "Next: Elsewhere\nIt has … pairs now.")
    window.stage.leave()
    window.touring.leave()


def test_without_a_tour_it_tells_the_merges(own: MainWindow, qtbot: QtBot) -> None:
    window = own
    window.stage.enter()
    show = window.stage.show_window
    QTest.keyClick(show, KEY.Key_N)
    presenter = child(show, QWidget, "presenter")
    before = told(presenter)[0]
    merge = told(presenter)[2].removeprefix("Next: ")
    QTest.keyClick(presenter, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: told(presenter)[0] != before)
    assert told(presenter)[0].endswith(merge)
    window.stage.leave()
    assert not presenter.isVisible()


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What was seen in one talk on two screens."""
    folder = tmp_path_factory.mktemp("talk")
    (folder / "words.csv").write_text(CORPUS)
    (folder / "noted.tour").write_text(NOTED)
    two = [("laptop", 0, 0, 1280, 800), ("projector", 1280, 0, 1920, 1080)]
    return told_by(
        "tests.ui.tour.talk_on_screens",
        folder / "words.csv",
        folder / "noted.tour",
        QT_QPA_PLATFORM=screens(folder, two),
        XDG_CONFIG_HOME=str(folder),
        XDG_DATA_HOME=str(folder),
    )


@pytest.mark.parametrize(
    ("moment", "screen"),
    [
        ("stage alone", None),
        ("tour", "laptop"),
        ("stage moved", "projector"),
        ("closed", None),
        ("next page", None),
        ("asked for", "projector"),
        ("left", None),
        ("entered again", "projector"),
    ],
)
def test_with_two_screens_it_is_on_the_other_one(
    seen: Any, moment: str, screen: str | None
) -> None:
    assert seen[moment] == screen
