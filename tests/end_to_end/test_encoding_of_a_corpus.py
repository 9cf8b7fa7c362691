"""The encoding that is chosen for one corpus is that corpus's alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMainWindow, QMenu, QTableView
from pytestqt.qtbot import QtBot

from tests.ui.driving import child

TEXT = "el niño pequeño soñó con la cigüeña " * 9


def encoding(window: QMainWindow, text: str) -> QAction:
    """The entry of the menu of encodings with that text."""
    found = [
        action
        for menu in window.findChildren(QMenu)
        for action in menu.actions()
        if action.text() == text
    ]
    assert len(found) == 1
    return found[0]


def shown_words(window: QMainWindow) -> set[str]:
    """The words of the corpus as the panel lists them."""
    model = child(window, QTableView, "wordsTable").model()
    found = (model.index(row, 0).data() for row in range(model.rowCount()))
    return {str(word) for word in found}


def test_the_next_corpus_is_read_by_its_own_encoding(
    qtbot: QtBot, start: Callable[..., QMainWindow], tmp_path: Path
) -> None:
    latin, utf8 = tmp_path / "latin.txt", tmp_path / "utf8.txt"
    latin.write_bytes(TEXT.encode("iso-8859-1"))
    utf8.write_text(TEXT)
    window = start("open", str(utf8), "--preset", "whitespace")
    box = child(window, QComboBox, "corpusBox")
    qtbot.waitUntil(lambda: any("cigüeña" in word for word in shown_words(window)))
    encoding(window, "iso-8859-1").trigger()
    qtbot.waitUntil(lambda: any("cigÃ¼eÃ±a" in word for word in shown_words(window)))
    box.setCurrentIndex(box.findText("Four words"))
    qtbot.waitUntil(lambda: not encoding(window, "iso-8859-1").isChecked())
    box.setCurrentIndex(box.findText("utf8.txt"))
    assert encoding(window, "iso-8859-1").isChecked(), "the choice is remembered with its corpus"
