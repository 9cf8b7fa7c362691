"""Show what is wrong with the file of a tour: the first mistake as a message, all in a list."""

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
from bpe_gui.ui.widgets.naming import named

ABOUT = "tour"
"""What the messages of tours are about."""
_SHOW_ALL = "Show all"


class MistakeList(QDialog):
    """Lists mistakes to read and to copy, beside the window that goes on.

    The first one is a message, which offers the list if there are several.
    """

    def __init__(self, window: QWidget, message_bar: MessageBar) -> None:
        super().__init__(window)
        self._message_bar = message_bar
        message_bar.accepted.connect(self._on_accepted)
        self.setObjectName("mistakeList")
        self.setWindowTitle("Mistakes of a tour")
        self._headline = named(QLabel(wordWrap=True), "mistakeHeadline")
        text = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self._text = named(text, "mistakeText", "Mistakes")
        buttons = QDialogButtonBox()
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for part in (self._headline, self._text, buttons):
            column.addWidget(part)
        buttons.setStandardButtons(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy all", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._text.selectAll)
        copy.clicked.connect(self._text.copy)

    def sizeHint(self) -> QSize:
        """Return room for a dozen mistakes, most of them on one line."""
        self._text.ensurePolished()
        metrics = self._text.fontMetrics()
        return QSize(110 * metrics.averageCharWidth(), 28 * metrics.lineSpacing())

    def tell(self, name: str, found: TourErrors) -> None:
        """Show what is wrong with a file."""
        first, number = found.errors[0], len(found.errors)
        or_more = " or more" if number > MAX_MISTAKES else ""
        told = f"{name} is not a tour. {counted(min(number, MAX_MISTAKES), 'mistake')}{or_more}"
        if number == 1:
            self._message_bar.tell_problem(ABOUT, f"{name} is not a tour: {_ended(first)}")
        else:
            text = f"{told}, the first in {_ended(first)}"
            self._message_bar.tell_problem(ABOUT, text, _SHOW_ALL)
        self._headline.setText(f"{told}:")
        self._text.setAccessibleName(f"{told}:")
        self._text.setPlainText(str(found))

    def withdraw(self) -> None:
        """Withdraw the mistakes: a tour begins."""
        self._message_bar.withdraw(ABOUT)
        self.close()

    @Slot(str)
    def _on_accepted(self, about: str) -> None:
        if about == ABOUT:
            self._text.setFocus()
            self.show()
            self.activateWindow()


def _ended(error: TourError) -> str:
    return str(error) if error.reason.endswith("?") else f"{error}."
