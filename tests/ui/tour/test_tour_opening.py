"""How a tour is opened, and what ends it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.tour.short_tour import TOUR, begin, go_on, go_to


def test_opening_something_else_ends_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path
) -> None:
    begin(qtbot, window, short)
    path = tmp_path / "words.csv"
    path.write_text("word,count\nhaha,3\n")
    window.open_sources([path])
    assert not window.touring.active
    qtbot.waitUntil(lambda: window.branches.corpus is window.controls.corpus())
    assert window.controls.corpus_box.currentText() == "words.csv"
    with qtbot.waitSignal(window.touring.arrived):
        window.open_sources([short])
    assert window.touring.active


def test_the_tour_ends_after_its_last_page(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 5)
    button = child(window.touring.panel, QPushButton, "tourNext")
    assert button.text() == "Finish"
    button.click()
    assert not window.touring.active
    assert window.sample_text.text == "low lower newest widest"


def test_closing_the_window_ends_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.close()
    assert not window.touring.active


def test_a_tour_with_mistakes_is_refused_with_their_places(
    own: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "bad.tour"
    path.write_text(TOUR.replace("spotlight: words", "spotlight: wrods"))
    history = own.player.history
    own.touring.open(path)
    assert "line 10, column 12" in own.message_bar.text
    assert "write words" in own.message_bar.text
    assert not own.touring.active
    assert own.player.history is history
    own.touring.open(tmp_path / "none.tour")
    assert "none.tour" in own.message_bar.text


def test_the_command_line_opens_a_tour(qtbot: QtBot, short: Path) -> None:
    _, window = app.create(["open", str(short)])
    qtbot.waitUntil(lambda: "4 words" in window.touring.panel.text)
    assert window.touring.active
    window.close()
    window.deleteLater()


def test_the_button_tells_what_it_leads_to(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "merges.tour"
    path.write_text(
        "bpe-gui tour 1\ntitle: Merges\n\n# Merges\n\n## Three merges\ncorpus: four-words\n"
        "preset: whitespace\n\nThree merges follow.\n\nthen:\ngo to: 3\n\nThey are done.\n\n"
        "## A question\n\nGuess.\n\npredict: Which pair comes next?\nchoices: the next pair\n"
    )
    begin(qtbot, window, path)
    button = child(window.touring.panel, QPushButton, "tourNext")
    told = [button.text()]
    for _ in range(3):
        go_on(qtbot, window)
        told.append(button.text())
    assert told == ["Go on", "Next", "Reveal", "Finish"]
