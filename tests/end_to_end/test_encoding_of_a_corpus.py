"""The encoding that is chosen for one corpus is that corpus's alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMainWindow, QMenu, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import drop, messages
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


def offered(window: QMainWindow, name: str) -> list[QToolButton]:
    """The buttons of the message bar with that text."""
    found = child(window, QWidget, "messageBar").findChildren(QToolButton)
    return [button for button in found if button.text() == name]


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
    box.setCurrentIndex(box.findText("utf8.txt (iso-8859-1)"))
    assert encoding(window, "iso-8859-1").isChecked(), "the choice is remembered with its corpus"


def test_a_file_that_is_not_utf8_offers_its_likely_encodings(
    qtbot: QtBot, start: Callable[..., QMainWindow], tmp_path: Path
) -> None:
    russian, utf8 = tmp_path / "russian.txt", tmp_path / "utf8.txt"
    russian.write_bytes(("Москва — столица России, здесь живут люди. " * 9).encode("cp1251"))
    utf8.write_text(TEXT)
    window = start("open", str(russian), "--preset", "whitespace")
    box = child(window, QComboBox, "corpusBox")

    qtbot.waitUntil(lambda: len(offered(window, "windows-1251")) == 1)
    assert "(probably" not in "".join(messages(window)), "the buttons say it"
    offered(window, "windows-1251")[0].click()
    qtbot.waitUntil(lambda: "столица" in shown_words(window))
    assert not messages(window)
    assert box.currentText() == "russian.txt (windows-1251)"
    box.setCurrentIndex(box.findText("Four words"))
    qtbot.waitUntil(lambda: shown_words(window) == {"low", "lower", "newest", "widest"})
    assert encoding(window, "UTF-8, or by its mark").isChecked()
    box.setCurrentIndex(box.findText("russian.txt (windows-1251)"))
    qtbot.waitUntil(lambda: "столица" in shown_words(window))


def test_two_files_in_a_row_are_read_by_the_encoding_that_is_offered_for_each(
    qtbot: QtBot, start: Callable[..., QMainWindow], tmp_path: Path
) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_bytes(("Москва — столица России, здесь живут люди. " * 9).encode("cp1251"))
    second.write_bytes(("Новые люди едут туда по железной дороге. " * 9).encode("cp1251"))
    window = start("open", str(first), "--preset", "whitespace")
    box = child(window, QComboBox, "corpusBox")
    qtbot.waitUntil(lambda: len(offered(window, "windows-1251")) == 1)
    offered(window, "windows-1251")[0].click()
    qtbot.waitUntil(lambda: "столица" in shown_words(window))
    drop(window, second)
    qtbot.waitUntil(lambda: len(offered(window, "windows-1251")) == 1)
    assert box.currentText() == "first.txt (windows-1251)"
    offered(window, "windows-1251")[0].click()
    qtbot.waitUntil(lambda: "дороге." in shown_words(window))
    assert box.currentText() == "second.txt (windows-1251)"


def test_a_file_that_is_read_by_another_encoding_than_its_own_is_named(
    qtbot: QtBot, start: Callable[..., QMainWindow], tmp_path: Path
) -> None:
    utf8 = tmp_path / "utf8.txt"
    utf8.write_text(TEXT, encoding="utf-8")
    window = start("open", str(utf8), "--preset", "whitespace")
    qtbot.waitUntil(lambda: any("cigüeña" in word for word in shown_words(window)))
    assert "utf8.txt" not in " ".join(messages(window))
    encoding(window, "iso-8859-1").trigger()
    told = "utf8.txt is UTF-8, but is read as iso-8859-1."
    qtbot.waitUntil(lambda: told in " ".join(messages(window)))
    encoding(window, "UTF-8, or by its mark").trigger()
    qtbot.waitUntil(lambda: "utf8.txt" not in " ".join(messages(window)))
    encoding(window, "iso-8859-1").trigger()
    qtbot.waitUntil(lambda: told in " ".join(messages(window)))
    bar = child(window, QWidget, "messageBar")
    [button] = [b for b in bar.findChildren(QToolButton) if b.text() == "UTF-8"]
    button.click()
    qtbot.waitUntil(lambda: any("cigüeña" in word for word in shown_words(window)))
    assert encoding(window, "UTF-8, or by its mark").isChecked()
    assert "utf8.txt" not in " ".join(messages(window))


def test_files_of_a_folder_that_are_no_text_are_named(
    qtbot: QtBot, start: Callable[..., QMainWindow], tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("low lower")
    (tmp_path / "b.png").write_bytes(bytes(100))
    window = start("open", str(tmp_path), "--preset", "whitespace")
    told = "1 file is not text and was skipped: b.png."
    qtbot.waitUntil(lambda: told in " ".join(messages(window)))
