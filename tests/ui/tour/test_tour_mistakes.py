"""The mistakes of a tour through the window: the first at the top, all of them in a list."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QToolButton

from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tour.mistakes import MistakeList
from tests.tours.written import PAGE
from tests.ui.driving import child

EIGHT = PAGE + "preset: x\n" * 8


def opened(window: MainWindow, folder: Path, text: str) -> None:
    path = folder / "bad.tour"
    path.write_text(text)
    window.touring.open(path)


def show_all(window: MainWindow) -> MistakeList:
    buttons = window.message_bar.findChildren(QToolButton)
    button = next(one for one in buttons if one.text() == "Show all" and one.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    return child(window, MistakeList, "mistakeList")


def test_one_mistake_is_told_at_the_top(at_the_start: MainWindow, tmp_path: Path) -> None:
    window = at_the_start
    opened(window, tmp_path, PAGE + "There are {word}.\n")
    assert window.message_bar.text == (
        "bad.tour is not a tour: line 9, column 12: there is no figure “word”; perhaps “words”?"
    )
    assert not any(one.text() == "Show all" for one in window.message_bar.findChildren(QToolButton))


def test_several_are_counted_at_the_top_and_listed_on_demand(
    at_the_start: MainWindow, tmp_path: Path
) -> None:
    window = at_the_start
    opened(window, tmp_path, EIGHT)
    assert window.message_bar.text.startswith(
        "bad.tour is not a tour. 8 mistakes, the first in line 9, column 9: there is no preset “x”"
    )
    listed = show_all(window)
    assert listed.isVisible()
    assert window.message_bar.text, "it stays until it is closed"
    text = child(listed, QPlainTextEdit, "mistakeText")
    lines = text.toPlainText().split("\n")
    assert [line.split(",")[0] for line in lines] == [f"line {number}" for number in range(9, 17)]
    copy = next(one for one in listed.findChildren(QPushButton) if "Copy" in one.text())
    copy.click()
    assert QGuiApplication.clipboard().text() == text.toPlainText()
    opened(window, tmp_path, PAGE + "preset: x\ncorpus: y\n")
    assert len(text.toPlainText().split("\n")) == 2, "the list follows"
    opened(window, tmp_path, PAGE + "preset: x\n")
    assert text.toPlainText().startswith("line 9, column 9: there is no preset “x”")
    assert len(text.toPlainText().split("\n")) == 1
    headline = child(listed, QLabel, "mistakeHeadline")
    assert headline.text() == "bad.tour is not a tour. 1 mistake:"
    opened(window, tmp_path, PAGE)
    assert window.message_bar.text == ""
    assert not listed.isVisible(), "there is none any more"


def test_very_many_are_scrolled_to_and_none_is_silently_left_out(
    at_the_start: MainWindow, tmp_path: Path
) -> None:
    window = at_the_start
    opened(window, tmp_path, PAGE + "preset: x\n" * 500)
    listed = show_all(window)
    assert "100 mistakes or more" in child(listed, QLabel, "mistakeHeadline").text()
    text = child(listed, QPlainTextEdit, "mistakeText")
    assert text.verticalScrollBar().maximum() > 0
    assert "the rest is not read" in text.toPlainText().split("\n")[-1]
    QTest.keyClick(listed, Qt.Key.Key_Escape)
    assert not listed.isVisible()
