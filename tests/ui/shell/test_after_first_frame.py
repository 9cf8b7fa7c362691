"""What the first frame does not show is made after it, or for whoever asks for it before."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.shell import after_first_frame
from bpe_gui.ui.shell.main_window import MainWindow
from tests.end_to_end.window import messages
from tests.ui.driving import act, active, child
from tests.ui.programs import told_by
from tests.ui.windows import Windows

LATER = (
    "pyqtgraph", "numba", "llvmlite", "PIL", "dataclasses", "numpy.ma", "bpe_gui.encodings.load",
    "bpe_gui.ui.compare.view", "bpe_gui.ui.export.dialog", "bpe_gui.ui.laboratory.view",
    "bpe_gui.ui.stage.stage", "bpe_gui.ui.tour.touring",
)  # fmt: skip


@pytest.fixture
def created(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window that no event has reached yet."""
    windows = Windows()
    yield windows.open()
    windows.end()


def test_the_first_frame_loads_nothing_that_it_does_not_show() -> None:
    assert not set(LATER) & set(told_by("tests.ui.shell.first_frame_alone"))


def test_no_other_thread_is_the_first_to_ask_for_a_type_of_qt() -> None:
    assert told_by("tests.ui.shell.types_before_modules") == []


@pytest.mark.parametrize(
    "name",
    ["compareView", "metricsTable", "curves", "tourPanel", "recipeEditor", "splitPatternEdit",
     "pipelineView"],
)  # fmt: skip
def test_everything_is_found_at_once_by_its_name(created: MainWindow, name: str) -> None:
    assert created.findChild(QObject, name) is not None


def test_all_but_the_laboratory_is_made_after_the_first_frame(
    created: MainWindow, qtbot: QtBot
) -> None:
    def is_made(name: str) -> bool:
        # The window's own search would make it.
        return QMainWindow.findChild(created, QObject, name) is not None

    later = ("compareView", "tourPanel", "exportProgress")
    assert not any(map(is_made, later))
    qtbot.waitUntil(lambda: all(map(is_made, later)))
    assert not created.laboratory.has_view, "nobody has asked for it"


def test_an_early_action_is_answered_once(created: MainWindow, qtbot: QtBot) -> None:
    window = active(qtbot, created)
    act(window, "compareAction")
    act(window, "lanesAloneAction")
    assert window.actions_.lanes_alone.isChecked()
    assert window.compare.numbers.isHidden()
    act(window, "lanesAloneAction")
    assert not window.compare.numbers.isHidden()
    act(window, "presentAction")
    qtbot.waitUntil(lambda: window.stage.on)
    act(window, "presentAction")
    assert not window.stage.on


def test_the_window_goes_on_until_an_early_tour_begins(
    created: MainWindow, qtbot: QtBot
) -> None:
    act(created, "tourAction")
    assert QMainWindow.findChild(created, QObject, "compareView") is None
    assert messages(created) == ["Preparing the tour…"]
    qtbot.waitUntil(lambda: created.touring.active)
    assert "Preparing the tour…" not in messages(created)
    assert child(created, QWidget, "tourPanel").isVisible()
    created.touring.leave()


@pytest.mark.parametrize(
    ("action", "name"),
    [("compareAction", "metricsTable"), ("laboratoryAction", "recipeEditor"),
     ("presentAction", "stage"), ("showLaboratoryTextAction", "laboratoryText")],
)  # fmt: skip
def test_the_window_goes_on_until_an_early_view_is_loaded(
    created: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, action: str, name: str
) -> None:
    monkeypatch.setattr(after_first_frame, "modules_loaded", threading.Event())

    def is_in_sight() -> bool:
        # The window's own search would make it.
        found = QMainWindow.findChild(created, QWidget, name)
        return found is not None and found.isVisible()

    act(created, action)
    assert QMainWindow.findChild(created, QWidget, name) is None
    qtbot.waitUntil(is_in_sight)


def test_the_window_goes_on_until_the_keys_of_all_parts_can_be_listed(
    created: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(after_first_frame, "modules_loaded", threading.Event())
    act(created, "helpKeysAction")
    assert QMainWindow.findChild(created, QObject, "compareView") is None
    qtbot.waitUntil(child(created, QDockWidget, "helpDock").isVisible)
    assert "Next difference" in child(created, QTextBrowser, "helpText").toPlainText()


def test_a_maximized_part_is_so_before_compare_was_seen(created: MainWindow) -> None:
    act(created, "numbersAloneAction")
    assert created.actions_.numbers_alone.isChecked()
    assert not created.compare.lanes.isVisibleTo(created.compare)


def test_the_kernels_are_made_ready_however_early_all_is_made(
    created: MainWindow, qtbot: QtBot
) -> None:
    while created.after_first_frame.do_next():
        pass
    qtbot.waitUntil(lambda: created.compiler.ready)
