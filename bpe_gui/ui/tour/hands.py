"""Count hands: how many of the audience are for a choice, as a number and as a bar."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont, QIntValidator, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QProgressBar, QWidget

from bpe_gui.ui.widgets.box_layouts import filled
from bpe_gui.ui.widgets.naming import named

_DIGITS = 3
_BAR = 5
"""The width of the longest bar in digits."""
_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class HandCount(QWidget):
    """A number that the speaker types, and a bar for it; nothing is stored."""

    changed = Signal()
    """Another number is typed."""
    entered = Signal()
    """The speaker is done with this number."""

    def __init__(self, number: int) -> None:
        """Count for the choice with this number, from 1."""
        super().__init__()
        self._typed = named(
            _Typed(), f"tourHands{number}", f"Hands for answer {number}", "Hands for this answer"
        )
        self._bar = named(QProgressBar(), f"tourHandsBar{number}")
        self._bar.setTextVisible(False)
        self._bar.setProperty("hands", True)
        filled(QHBoxLayout(self), self._typed, self._bar, spacing=6)
        self._typed.textChanged.connect(self.changed)
        self._typed.entered.connect(self.entered)
        self.hide()

    @property
    def hands(self) -> int:
        """How many hands are counted."""
        return int(self._typed.text() or 0)

    def clear(self) -> None:
        """Count none."""
        self._typed.clear()

    def begin(self) -> None:
        """Let the speaker type."""
        self._typed.setFocus()
        self._typed.selectAll()

    @property
    def is_being_typed(self) -> bool:
        """Whether the number has the keyboard."""
        return self._typed.hasFocus()

    def show_share(self, most: int) -> None:
        """Draw the bar; `most` is the number of the longest."""
        # A range from 0 to 0 would be a bar that runs.
        self._bar.setRange(0, max(1, most))
        self._bar.setValue(self.hands)

    def set_text_font(self, font: QFont) -> None:
        """Write in this font."""
        self._typed.setFont(font)
        metrics = self._typed.fontMetrics()
        digit = metrics.horizontalAdvance("0")
        self._typed.setFixedWidth(digit * (_DIGITS + 2))
        self._bar.setFixedSize(digit * _BAR, metrics.xHeight())


class _Typed(QLineEdit):
    """A field for a number of up to three digits."""

    entered = Signal()
    """Enter is pressed in it."""

    def __init__(self) -> None:
        super().__init__()
        self.setValidator(QIntValidator(0, 10**_DIGITS - 1, self))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keep Enter, which turns the page around the field, and pass on H, which ends counting."""
        if event.key() in _ENTER:
            self.entered.emit()
        elif event.key() == Qt.Key.Key_H:
            event.ignore()
        else:
            super().keyPressEvent(event)


class HandCounts(QObject):
    """The counts for all choices of a question."""

    done = Signal()
    """The last number is typed, or the counts are hidden."""

    def __init__(self, most: int, parent: QObject) -> None:
        super().__init__(parent)
        self.counts = [HandCount(number + 1) for number in range(most)]
        self.shown = 0
        """For how many choices hands are counted; 0 while they are not."""
        for count in self.counts:
            count.changed.connect(self._compare)
            count.entered.connect(self._go_on)

    def begin(self, choices: int) -> None:
        """Let the speaker type a number for each choice."""
        self._show(choices)
        self.counts[0].begin()

    def end(self) -> None:
        """Hide the counts, and forget them."""
        self._show(0)
        for count in self.counts:
            count.clear()
        self.done.emit()

    def _show(self, choices: int) -> None:
        self.shown = choices
        for number, count in enumerate(self.counts):
            count.setVisible(number < choices)

    @Slot()
    def _compare(self) -> None:
        most = max(count.hands for count in self.counts)
        for count in self.counts:
            count.show_share(most)

    @Slot()
    def _go_on(self) -> None:
        typed = [number for number, count in enumerate(self.counts) if count.is_being_typed]
        if typed and typed[0] + 1 < self.shown:
            self.counts[typed[0] + 1].begin()
        else:
            self.done.emit()
