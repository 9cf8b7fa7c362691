"""What a user does in the window, and what the window offers to be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, QSignalBlocker, Qt, QTimer, QUrl
from PySide6.QtGui import QAccessible, QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDockWidget,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.ui.widgets import act, child

Start = Callable[..., QMainWindow]
"""Starts the program with arguments; returns its window."""

WORDS = "low lower lowest newest widest " * 9
SYMBOLS = 11
"""How many tokens of `WORDS` there are before the first merge: `</w>` and ten letters."""
MERGES = [
    "lo", "low", "es", "est", "est</w>", "low</w>", "lowe", "lower", "lower</w>", "lowest</w>",
    "ne", "new", "newest</w>", "wi", "wid", "widest</w>",
]  # fmt: skip
"""The tokens that the preset `whitespace` makes of `WORDS`, one by one."""

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


def rows(window: QWidget, name: str) -> list[list[str]]:
    """The texts of all rows of a table."""
    model = child(window, QAbstractItemView, name).model()
    columns = range(model.columnCount())
    return [
        [str(model.index(row, column).data() or "").translate(_UNSEEN) for column in columns]
        for row in range(model.rowCount())
    ]


def tokens(window: QWidget) -> list[str]:
    """The tokens in the table of the vocabulary."""
    return [row[1] for row in rows(window, "vocabularyTable")]


def chosen_row(window: QWidget, name: str) -> list[str]:
    """The texts of the current row of a table; none if there is no such row."""
    table = child(window, QAbstractItemView, name)
    row = table.currentIndex().row()
    return rows(window, name)[row] if row >= 0 else []


def messages(window: QWidget) -> list[str]:
    """The sentences at the top of the window that are in sight."""
    labels = window.findChildren(QLabel, "messageText")
    return [label.text() for label in labels if label.isVisible()]


def is_enabled(window: QWidget, action: str) -> bool:
    """Whether an action can be triggered now."""
    return child(window, QAction, action).isEnabled()


def is_trained(window: QWidget) -> bool:
    """Whether there are merges, and the training has come to its end."""
    rests = not is_enabled(window, "pauseAction") and not is_enabled(window, "trainAction")
    return rests and end(window) > 0


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


def choose(window: QWidget, box: str, text: str) -> None:
    """Choose the entry of a box that begins with a text, as its list does when it is clicked.

    The list itself cannot be opened offscreen.
    """
    combo = child(window, QComboBox, box)
    index = combo.findText(text, Qt.MatchFlag.MatchStartsWith)
    assert index >= 0, [combo.itemText(row) for row in range(combo.count())]
    combo.setCurrentIndex(index)
    combo.activated.emit(index)
    combo.textActivated.emit(combo.itemText(index))


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


def answer_file_dialog(qtbot: QtBot, window: QWidget, action: str, path: Path) -> None:
    """Trigger an action that asks for a file, and write the name of that file."""
    answered: list[QFileDialog] = []

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog) and dialog not in answered:
            answered.append(dialog)
            field = child(dialog, QLineEdit, "fileNameEdit")
            # As it completes a name, Qt selects more in its list, which would come along.
            blocker = QSignalBlocker(field)
            field.setText(str(path))
            blocker.unblock()
            qtbot.keyClick(field, Qt.Key.Key_Return)

    # The dialog may well have an event loop of its own.
    looking = QTimer()
    looking.timeout.connect(answer)
    looking.start(5)
    act(window, action)
    qtbot.waitUntil(lambda: bool(answered) and QApplication.activeModalWidget() is None)
    looking.stop()


def drop(window: QWidget, *paths: Path) -> None:
    """Drop files on the window, as a file manager does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none, place = Qt.KeyboardModifier.NoModifier, QPoint(10, 10)
    QApplication.sendEvent(window, QDragEnterEvent(place, copy, data, left, none))
    QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, data, left, none))
