"""The choices of a question: buttons to answer with, and afterwards what was right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.tours.parse import MAX_CHOICES
from bpe_gui.ui.tour.page_words import Asked
from bpe_gui.ui.widgets.sentences import as_written, unbroken
from bpe_gui.ui.widgets.wrapped_text import lines_of

_RIGHT, _WRONG = "✓", "✗"


class Choices(QWidget):
    """Up to four choices under a question. Answered, each says whether it was right."""

    chosen = Signal(int)
    """The user answers with this choice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._question = QLabel()
        self._question.setObjectName("tourQuestion")
        self._question.setWordWrap(True)
        self._question.setTextFormat(Qt.TextFormat.PlainText)
        self._buttons = [QPushButton() for _ in range(MAX_CHOICES)]
        self._verdict = QLabel()
        self._verdict.setObjectName("tourVerdict")
        self._verdict.setWordWrap(True)
        self._verdict.setTextFormat(Qt.TextFormat.PlainText)
        self._grid = QGridLayout()
        self._grid.setSpacing(6)
        self._wide, self._columns = False, 0
        self._texts = [""] * MAX_CHOICES
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._question)
        layout.addLayout(self._grid)
        for number, button in enumerate(self._buttons):
            button.setObjectName(f"tourChoice{number + 1}")
            button.setProperty("choice", True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            # Its text goes on in a second line rather than widen the page.
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            button.clicked.connect(self._on_clicked)
        layout.addWidget(self._verdict)
        self.set_wide(False)

    def set_wide(self, wide: bool) -> None:
        """Let two choices stand side by side, or only where all of them are short."""
        self._wide = wide
        self._arrange()

    def _arrange(self) -> None:
        """Two in a line if there is the room, so that all are seen at once."""
        columns = 2 if self._wide or self._are_short() else 1
        if columns != self._columns:
            self._columns = columns
            for number, button in enumerate(self._buttons):
                self._grid.removeWidget(button)
                self._grid.addWidget(button, *divmod(number, columns))
            self._grid.setColumnStretch(0, 1)
            self._grid.setColumnStretch(1, columns - 1)
        room = self._room(columns)
        for button, text in zip(self._buttons, self._texts, strict=True):
            button.setText(in_lines(text, self._bold(), room).replace("&", "&&"))

    def _are_short(self) -> bool:
        """Whether each choice has room in half a line, the right one in bold too."""
        metrics, room = QFontMetrics(self._bold()), self._room(2)
        return all(metrics.horizontalAdvance(text) <= room for text in self._texts)

    def _room(self, columns: int) -> int:
        """How wide the text of a choice may be."""
        button = self._buttons[0]
        text = button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, button.text())
        edges = button.sizeHint().width() - text.width()
        return (self.width() - (columns - 1) * self._grid.spacing()) // columns - edges

    def _bold(self) -> QFont:
        """The font of the right choice, the widest."""
        bold = QFont(self._buttons[0].font())
        bold.setBold(True)
        return bold

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow another width."""
        super().resizeEvent(event)
        self._arrange()

    def set_text_font(self, font: QFont) -> None:
        """Write all in this font, the question and the verdict bold."""
        for button in self._buttons:
            button.setFont(font)
        bold = QFont(font)
        bold.setBold(True)
        for label in (self._question, self._verdict):
            label.setFont(bold)
        self._arrange()

    @property
    def verdict(self) -> str:
        """What is said of the answer; empty before it."""
        return as_written(self._verdict.text())

    def show_question(self, asked: Asked | None, guessed: int | None, *, revealed: bool) -> None:
        """Put a question, or show its answer; None hides all."""
        self.setVisible(asked is not None)
        if asked is None:
            self._verdict.clear()
            return
        self._question.setText(unbroken(asked.text))
        self._texts = [""] * MAX_CHOICES
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(asked.choices))
            if number < len(asked.choices):
                text = asked.choices[number]
                right = revealed and number == asked.right
                wrong = revealed and number == guessed != asked.right
                sign = _RIGHT if right else _WRONG if wrong else str(number + 1)
                self._texts[number] = f"{sign}   {text}"
                said = ", right" if right else ", your guess" if wrong else ""
                button.setAccessibleName(f"{number + 1}: {text}{said}")
                button.setToolTip(f"Answer with {number + 1}" if not revealed else "")
                button.setProperty("right", right)
                button.style().unpolish(button)
                button.style().polish(button)
            button.setEnabled(not revealed)
        self._arrange()
        self._verdict.setText(unbroken(verdict(asked, guessed)) if revealed else "")
        self._verdict.setVisible(revealed)

    @Slot()
    def _on_clicked(self) -> None:
        button = self.sender()
        self.chosen.emit(next(n for n, one in enumerate(self._buttons) if one is button))


def in_lines(text: str, font: QFont, width: int) -> str:
    """A text with line ends where it would be wider than that; within words only at need."""
    lines = lines_of(unbroken(text), font, width)
    return as_written("\n".join(line.rstrip(" ") for line in lines))


def verdict(asked: Asked, guessed: int | None) -> str:
    """Whether a guess was right, in a sentence; without a guess, what would have been.

    >>> verdict(Asked("?", ("a", "b"), 1), 0)
    'Not a: it is b.'
    """
    if asked.right is None:
        return ""
    right = asked.choices[asked.right]
    if guessed is None:
        return f"It is {right}."
    if guessed == asked.right:
        return f"Right: {right}."
    return f"Not {asked.choices[guessed]}: it is {right}."
