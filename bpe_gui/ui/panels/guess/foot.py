"""The foot of the guessing game: the score, and buttons for what keys do too."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontInfo, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from bpe_gui.ui.panels.guess.game import Score
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.labels import SteadyLabel

_LARGEST_TEXT = 36
"""Pixels, for plain text."""


class GuessFoot(QWidget):
    """Says the score in words, or where there is little width in numbers alone."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.score = Score()
        self.reveal = self._button("guessReveal", "Reveal", "Give the answer (R)")
        self.next = self._button("guessNext", "Next", "One merge on (Enter)")
        self.anew = self._button("guessReset", "Reset", "Forget the answers and the score")
        self._score = SteadyLabel(self)
        self._score.label.setObjectName("guessScore")
        self._score.label.setAccessibleName("Score")
        # As high as the buttons: there is no text yet that would tell its height.
        self._score.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(6)
        self._row.addWidget(self._score, 1)
        self._buttons = self.anew, self.reveal, self.next
        for button in self._buttons:
            self._row.addWidget(button)

    @property
    def has_focus(self) -> bool:
        """Whether one of the buttons has the keyboard."""
        return any(button.hasFocus() for button in self._buttons)

    def show_score(self, score: Score) -> None:
        """Write a score."""
        self.score = score
        self._write()

    def scale(self, font: QFont, panel: QSize, margin: int) -> None:
        """Write in a font, larger in a large panel, with a margin at both sides."""
        largest = scaled(_LARGEST_TEXT, font)
        fitting = min(panel.height() // 22, panel.width() // 26, largest)
        pixels = max(QFontInfo(font).pixelSize(), fitting)
        for widget in (self._score.label, *self._buttons):
            if widget.font().pixelSize() != pixels:
                larger = QFont(font)
                larger.setPixelSize(pixels)
                widget.setFont(larger)
        self._row.setContentsMargins(margin, 2, margin, max(8, panel.height() // 45))
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()

    def _button(self, name: str, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setToolTip(tip)
        # A click leaves the keys to the board.
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _write(self) -> None:
        buttons = [button for button in self._buttons if not button.isHidden()]
        margins = self._row.contentsMargins()
        taken = margins.left() + margins.right()
        taken += sum(button.sizeHint().width() + self._row.spacing() for button in buttons)
        words = str(self.score)
        fits = self._score.label.fontMetrics().horizontalAdvance(words) <= self.width() - taken
        self._score.set_text(words if fits else self.score.short)
        self._score.label.setToolTip("" if fits else words)
