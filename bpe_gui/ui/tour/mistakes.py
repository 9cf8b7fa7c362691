"""What is wrong with the file of a tour: the first mistake in the window, all of them in a list."""

from __future__ import annotations

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.progress import counted
from bpe_gui.tours.parse import MAX_MISTAKES
from bpe_gui.tours.tour import TourError, TourErrors
from bpe_gui.ui.widgets.message_bar import MessageBar

_SHOW_ALL = "Show all"


class MistakeList(QDialog):
    """Mistakes a line each, to read, to scroll and to copy, beside the window that goes on.

    The first is told where all problems are told; of several, how to see all as well.
    """

    def __init__(self, window: QWidget, message_bar: MessageBar, about: str) -> None:
        """`about` is what the messages of tours are about."""
        super().__init__(window)
        self._message_bar = message_bar
        self._about = about
        message_bar.accepted.connect(self._on_accepted)
        self.setObjectName("mistakeList")
        self.setWindowTitle("Mistakes of a tour")
        self._headline = QLabel()
        self._headline.setObjectName("mistakeHeadline")
        self._headline.setWordWrap(True)
        self._text = QPlainTextEdit()
        self._text.setObjectName("mistakeText")
        self._text.setAccessibleName("Mistakes")
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy all", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self._headline)
        column.addWidget(self._text, 1)
        column.addWidget(buttons)

    def sizeHint(self) -> QSize:
        """Room for a dozen mistakes, each on one line if it is not long."""
        self._text.ensurePolished()
        metrics = self._text.fontMetrics()
        return QSize(110 * metrics.averageCharWidth(), 28 * metrics.lineSpacing())

    def tell(self, name: str, found: TourErrors) -> None:
        """Tell of a file what is wrong with it."""
        first, number = found.errors[0], len(found.errors)
        or_more = " or more" if number > MAX_MISTAKES else ""
        told = f"{name} is not a tour. {counted(min(number, MAX_MISTAKES), 'mistake')}{or_more}"
        if number == 1:
            self._message_bar.tell_problem(self._about, f"{name} is not a tour: {_ended(first)}")
        else:
            text = f"{told}, the first in {_ended(first)}"
            self._message_bar.tell_first(self._about, text, _SHOW_ALL)
        self._headline.setText(f"{told}:")
        self._text.setAccessibleName(f"{told}:")
        self._text.setPlainText(str(found))

    def withdraw(self) -> None:
        """A tour begins: what was wrong with a file is over."""
        self._message_bar.withdraw(self._about)
        self.close()

    @Slot(str)
    def _on_accepted(self, about: str) -> None:
        if about == self._about:
            self._text.setFocus()
            self.show()
            self.activateWindow()

    @Slot()
    def _copy(self) -> None:
        """Put all of them on the clipboard, and leave them selected."""
        self._text.selectAll()
        self._text.copy()


def _ended(error: TourError) -> str:
    """A mistake with the end of a sentence."""
    return str(error) if error.reason.endswith("?") else f"{error}."
