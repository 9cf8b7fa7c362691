"""The window driven as by a person: dialogs answered, texts typed, tables and speech read."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.widgets import child

Answer = Callable[[QDialog], None]
Start = Callable[..., QMainWindow]

KEY = Qt.Key
PLAIN, CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
LEFT = Qt.MouseButton.LeftButton


def action(window: QWidget, name: str) -> QAction:
    """An action of the window by its object name."""
    return child(window, QAction, name)


def finished(qtbot: QtBot, window: QMainWindow) -> QMainWindow:
    """The window with its run complete and the cursor at the end."""
    train, pause, home = (action(window, f"{name}Action") for name in ("train", "pause", "home"))
    qtbot.waitUntil(lambda: home.isEnabled() and not train.isEnabled() and not pause.isEnabled())
    action(window, "endAction").trigger()
    return window


def position(window: QMainWindow) -> int:
    """How many merges are before the cursor, as the timeline tells it."""
    told = digits(said(child(window, QWidget, "timeline")))
    return told[0] if told else 0


def go_to(qtbot: QtBot, window: QMainWindow, place: int) -> None:
    """Step from the start to behind so many merges."""
    step = action(window, "stepAction")
    action(window, "homeAction").trigger()
    for _ in range(place):
        qtbot.waitUntil(step.isEnabled)
        step.trigger()
    qtbot.waitUntil(lambda: position(window) == place)


def said(widget: QWidget) -> str:
    """What a screen reader says of a widget besides its name."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Description)


def message(window: QWidget) -> str:
    """What the message at the top of the window says; empty if there is none."""
    label = window.findChild(QLabel, "messageText")
    return label.text() if label is not None and label.isVisible() else ""


def digits(sentence: str) -> list[int]:
    """The whole numbers in a sentence, as it is written: with or without thousands marked."""
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", sentence)]


def write(qtbot: QtBot, window: QWidget, name: str, text: str) -> None:
    """Replace the text of an editor by typing."""
    editor = child(window, QWidget, name)
    editor.setFocus()
    qtbot.keyClick(editor, KEY.Key_A, CONTROL)
    if text:
        qtbot.keyClicks(editor, text)
    else:
        qtbot.keyClick(editor, KEY.Key_Delete)


def cells(view: QWidget) -> list[list[str]]:
    """A table as it is shown, row by row."""
    model = _model(view)
    return [
        [str(model.index(row, column).data() or "") for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def headings(view: QWidget) -> list[str]:
    """What the columns of a table are called."""
    model = _model(view)
    across = Qt.Orientation.Horizontal
    written = [str(model.headerData(at, across)) for at in range(model.columnCount())]
    return [heading.replace("/\n", "/").replace("\n", " ") for heading in written]


def column(view: QWidget, heading: str) -> list[str]:
    """A column of a table as it is shown."""
    at = headings(view).index(heading)
    return [row[at] for row in cells(view)]


def csv_rows(path: Path) -> list[list[str]]:
    """The lines of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def click_heading(qtbot: QtBot, table: QTableView, heading: str) -> None:
    """Sort a table by a column, as the mouse does it."""
    header, at = table.horizontalHeader(), headings(table).index(heading)
    middle = header.sectionViewportPosition(at) + header.sectionSize(at) // 2
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(middle, header.height() // 2))


def show_tab(qtbot: QtBot, window: QWidget, tabs: str, page: str) -> None:
    """Click the tab of a page, both by their object names."""
    found = child(window, QTabWidget, tabs)
    place = found.indexOf(child(found, QWidget, page))
    qtbot.mouseClick(found.tabBar(), LEFT, pos=found.tabBar().tabRect(place).center())
    assert found.currentIndex() == place


def choose(box: QComboBox, item: str | int) -> None:
    """Choose an item of a list by its text or place, and tell of it as a click does."""
    place = item if isinstance(item, int) else box.findText(item)
    assert place >= 0, entries(box)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def entries(box: QComboBox) -> list[str]:
    """What can be chosen in a list."""
    return [box.itemText(at) for at in range(box.count())]


def _model(view: QWidget) -> QAbstractItemModel:
    assert isinstance(view, QAbstractItemView)
    return view.model()


def answered(qtbot: QtBot, trigger: Callable[[], object], answers: Sequence[Answer]) -> None:
    """Do something that opens dialogs, and answer each of them."""
    waiting, last, window = list(answers), [None], QApplication.activeWindow()
    failures: list[BaseException] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is last[0] or not isinstance(dialog, QDialog) or not dialog.isVisible():
            return
        last[0] = dialog
        # A timer that is being answered does not look at what opens meanwhile.
        QTimer.singleShot(0, lambda: give(dialog))

    def give(dialog: QDialog) -> None:
        try:
            assert waiting, f"nobody expected {dialog.objectName()} {dialog.windowTitle()}"
            waiting.pop(0)(dialog)
        except BaseException as error:
            failures.append(error)
            dialog.reject()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(5)
    trigger()
    qtbot.waitUntil(lambda: bool(failures) or not waiting)
    timer.stop()
    if failures:
        raise failures[0]
    # No window manager gives the keyboard back.
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def named(qtbot: QtBot, *paths: Path) -> Answer:
    """Write names into a dialog of files, or leave the one that it proposes, and confirm it."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        if not paths:
            press_default(qtbot, dialog)
            return
        dialog.setDirectory(str(paths[0].parent))
        text = " ".join(f'"{path}"' for path in paths) if len(paths) > 1 else str(paths[0])
        child(dialog, QLineEdit, "fileNameEdit").setText(text)
        press_default(qtbot, dialog)

    return answer


def press(qtbot: QtBot, dialog: QDialog, name: str) -> None:
    """Press a button of a dialog by its object name, as soon as it can be pressed."""
    button = child(dialog, QPushButton, name)
    qtbot.waitUntil(button.isEnabled)
    button.click()


def press_default(qtbot: QtBot, dialog: QDialog) -> None:
    """Press the button that Enter presses, as soon as it can be pressed."""
    [button] = [one for one in dialog.findChildren(QPushButton) if one.isDefault()]
    qtbot.waitUntil(button.isEnabled)
    button.click()
