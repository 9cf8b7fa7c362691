"""What a user does in the window, and what the window offers to be read."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QUrl,
)
from PySide6.QtGui import QAccessible, QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QSpinBox,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.driving import act, child

Start = Callable[..., QMainWindow]
"""Starts the program with arguments; returns its window."""
Answer = Callable[[QDialog], None]
KEY = Qt.Key
PLAIN, CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
LEFT = Qt.MouseButton.LeftButton

WORDS = "low lower lowest newest widest " * 9
SYMBOLS = 11
"""How many tokens of `WORDS` there are before the first merge: `</w>` and ten letters."""
MERGES = [
    "lo", "low", "es", "est", "est</w>", "low</w>", "lowe", "lower", "lower</w>", "lowest</w>",
    "ne", "new", "newest</w>", "wi", "wid", "widest</w>",
]  # fmt: skip
"""The tokens that the preset `whitespace` makes of `WORDS`, one by one."""
GPT2_MERGES = 16
"""How many merges the preset `gpt2` does of `WORDS` before no pair is left."""

_UNSEEN = str.maketrans("", "", "\u2060\u2068\u2069")
"""Characters that order and join what is written around them."""

# -- reading -----------------------------------------------------------------------------------


def said(window: QWidget, name: str) -> str:
    """What a screen reader says of a widget: its name, its description and its text.

    Each stretch of spaces is one space.
    """
    interface = QAccessible.queryAccessibleInterface(child(window, QWidget, name))
    kinds = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value)
    whole = "\n".join(interface.text(kind) for kind in kinds).translate(_UNSEEN)
    return re.sub("[ \u00a0]+", " ", whole)


def written(window: QWidget, name: str) -> str:
    """The text of a field, a box or an editor."""
    interface = QAccessible.queryAccessibleInterface(child(window, QWidget, name))
    return interface.text(QAccessible.Text.Value)


def timeline(window: QWidget) -> QAbstractSlider:
    """The slider whose value is the position."""
    return child(window, QAbstractSlider, "timeline")


def position(window: QWidget) -> int:
    """The number of merges behind the cursor."""
    return timeline(window).value()


def end(window: QWidget) -> int:
    """The number of merges that are trained."""
    return timeline(window).maximum()


def tokens(window: QWidget) -> list[str]:
    """The tokens in the table of the vocabulary."""
    return [row[1] for row in rows(window, "vocabularyTable")]


def messages(window: QWidget) -> list[str]:
    """The sentences over the lower edge of the window that are in sight."""
    labels = window.findChildren(QLabel, "messageText")
    return [label.text() for label in labels if label.isVisible()]


def is_enabled(window: QWidget, action: str) -> bool:
    """Whether an action can be triggered now."""
    return child(window, QAction, action).isEnabled()


def is_trained(window: QWidget) -> bool:
    """Whether there are merges, and the training has come to its end."""
    rests = not is_enabled(window, "pauseAction") and not is_enabled(window, "trainAction")
    return rests and end(window) > 0


def action(window: QWidget, name: str) -> QAction:
    """An action of the window by its object name."""
    return child(window, QAction, name)


def description(widget: QWidget) -> str:
    """What a screen reader says of a widget besides its name."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Description)


def rows(window: QWidget, name: str) -> list[list[str]]:
    """The texts of all rows of a table."""
    return cells(child(window, QAbstractItemView, name))


def cells(view: QWidget) -> list[list[str]]:
    """The texts of all rows of a table that is at hand."""
    model = _model(view)
    columns = range(model.columnCount())
    return [
        [str(model.index(row, column).data() or "").translate(_UNSEEN) for column in columns]
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


def _model(view: QWidget) -> QAbstractItemModel:
    assert isinstance(view, QAbstractItemView)
    return view.model()


def entries(box: QComboBox) -> list[str]:
    """What can be chosen in a list."""
    return [box.itemText(at) for at in range(box.count())]


def csv_rows(path: Path) -> list[list[str]]:
    """The lines of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def digits(sentence: str) -> list[int]:
    """The whole numbers in a sentence, as it is written: with or without thousands marked."""
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", sentence)]


# -- doing -------------------------------------------------------------------------------------


def focus(qtbot: QtBot, window: QWidget, name: str) -> QWidget:
    """Give the keyboard to a widget."""
    widget = child(window, QWidget, name)
    widget.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.waitUntil(lambda: (now := QApplication.focusWidget()) is not None
                    and (now is widget or widget.isAncestorOf(now)))  # fmt: skip
    return widget


def tab_to(qtbot: QtBot, window: QWidget, name: str) -> QWidget:
    """Go to a widget by Tab: what is reached so has the keys that move the cursor otherwise."""
    widget = focus(qtbot, window, name)
    qtbot.keyClick(widget, Qt.Key.Key_Backtab)
    while not widget.hasFocus():
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    return widget


def bring_up(window: QWidget, dock: str) -> None:
    """Bring a panel before those that have the same place, as a click on its tab does."""
    child(window, QDockWidget, dock).raise_()


def write(qtbot: QtBot, window: QWidget, name: str, text: str) -> None:
    """Replace the text of a field or an editor, key by key."""
    field = focus(qtbot, window, name)
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)


def set_number(qtbot: QtBot, window: QWidget, name: str, number: int) -> None:
    """Type a number into its field."""
    box = child(window, QSpinBox, name)
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, str(number))
    qtbot.keyClick(box, Qt.Key.Key_Return)


def go_to(qtbot: QtBot, window: QWidget, wanted: int) -> None:
    """Take the cursor to a position, as a screen reader moves a slider."""
    timeline(window).setValue(wanted)
    qtbot.waitUntil(lambda: position(window) == wanted)


def drop(window: QWidget, *paths: Path) -> None:
    """Drop files on the window, as a file manager does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none, place = Qt.KeyboardModifier.NoModifier, QPoint(10, 10)
    QApplication.sendEvent(window, QDragEnterEvent(place, copy, data, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, data, left, none))


def choose(box: QComboBox, item: str | int) -> None:
    """Choose an item of a list by its place or by how it begins, as a click on it does.

    The list itself cannot be opened offscreen.
    """
    place = item
    if isinstance(place, str):
        place = box.findText(place, Qt.MatchFlag.MatchStartsWith)
    assert place >= 0, entries(box)
    box.setCurrentIndex(place)
    box.activated.emit(place)
    box.textActivated.emit(box.itemText(place))


def click_heading(qtbot: QtBot, table: QTableView, heading: str) -> None:
    """Sort a table by a column, as the mouse does it."""
    header, at = table.horizontalHeader(), headings(table).index(heading)
    middle = header.sectionViewportPosition(at) + header.sectionSize(at) // 2
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(middle, header.height() // 2))


def show_tab(qtbot: QtBot, window: QWidget, tabs: str, page: str) -> None:
    """Click the tab of a page, both by their object names."""
    found = child(window, QTabWidget, tabs)
    shown = child(found, QWidget, page)
    pages = [found.widget(place) for place in range(found.count())]
    place = next(n for n, one in enumerate(pages) if one is shown or one.isAncestorOf(shown))
    qtbot.mouseClick(found.tabBar(), LEFT, pos=found.tabBar().tabRect(place).center())
    assert found.currentIndex() == place


def finished(qtbot: QtBot, window: QMainWindow) -> QMainWindow:
    """The window with its run complete and the cursor at the end."""
    train, pause, home = (action(window, f"{name}Action") for name in ("train", "pause", "home"))
    qtbot.waitUntil(lambda: home.isEnabled() and not train.isEnabled() and not pause.isEnabled())
    action(window, "endAction").trigger()
    return window


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


def answer_file_dialog(qtbot: QtBot, window: QWidget, name: str, path: Path) -> None:
    """Trigger an action that asks for a file, and write the name of that file."""
    answered(qtbot, partial(act, window, name), [named(qtbot, path)])


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
