"""Exporting in tests: the dialogs answered as a person would, and what is written read again."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.ui.export.dialog import ExportDialog
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.exporting.reading_back import unguarded
from tests.ui.driving import child
from tests.ui.save_dialogs import Answer, answered, named

SVG = "{http://www.w3.org/2000/svg}"
TEXT = "the cat sat on the mat and the hat\n" * 20
Opened = Callable[..., MainWindow]
EMPTY = {
    "languages": "the text that is compared is not the story in twenty languages",
    "lockstep": "no recipes have been trained in lockstep",
}
"""What is said of panels that have nothing to show in the window of these tests."""


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    """A window with a finished run and a text, at rest."""
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    window.player.go_to_end()
    window.sample_text.set("the hat – the –")
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date and window.explore.at_rest)
    return window


def settings(
    qtbot: QtBot, subject: str, offer: str, then: Callable[[ExportDialog], None] | None = None
) -> Answer:
    """Choose in the dialog, and go on to the name of the file as soon as there is something."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose(subject, offer)
        assert dialog.subject.name == subject
        assert dialog.offer.name == offer
        if then is not None:
            then(dialog)
        button = child(dialog, QPushButton, "exportButton")
        qtbot.waitUntil(button.isEnabled)
        button.click()

    return answer


def refused(subject: str, offer: str, said: list[str]) -> Answer:
    """Choose in the dialog; what it says instead of going on."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, ExportDialog)
        dialog.choose(subject, offer)
        assert not child(dialog, QPushButton, "exportButton").isEnabled()
        said.append(child(dialog, QLabel, "exportPreview").text())
        dialog.reject()

    return answer


def export(
    qtbot: QtBot,
    window: MainWindow,
    path: Path,
    subject: str,
    offer: str,
    then: Callable[[ExportDialog], None] | None = None,
    more: Sequence[Answer] = (),
) -> str:
    """Export as a person would; the sentence that the window then shows."""
    window.message_bar.withdraw("export")
    answered(window.actions_.export, [settings(qtbot, subject, offer, then), named(path), *more])
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    return window.message_bar.text


def texts(path: Path) -> list[str]:
    """The texts in a drawing."""
    root = ElementTree.fromstring(path.read_bytes())
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def rows(path: Path) -> list[list[str]]:
    """The rows of a table, as its reader sees them."""
    with path.open(newline="", encoding="utf-8") as file:
        return [[unguarded(cell) for cell in row] for row in csv.reader(file)]
