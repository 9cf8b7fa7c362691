"""The page after the last one: that this is the end, and how the stage is left."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from bpe_gui.ui.actions.action_words import announce
from bpe_gui.ui.theme.text_size import FontFollower
from bpe_gui.ui.widgets.box_layouts import filled
from bpe_gui.ui.widgets.naming import named, quiet

_LARGER = 2.5
"""The size of the title, as a share of that of the text on the stage."""

TITLE = "The end"
NO_MERGES = "No merges yet"
OF_TOUR = "Page Up goes back to the last page. Esc ends the tour and leaves the stage."
OF_RUN = "Page Up goes back to the last merge. Esc leaves the stage."
UNTRAINED = "T trains. Page Up goes back to the panels. Esc leaves the stage."
TRAINABLE = "Page Up goes back to the last merge. T trains on. Esc leaves the stage."


class EndPage(QWidget):
    """Shows a title and a sentence in the middle of the stage."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "stageEnd", TITLE)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._title = named(QLabel(), "stageEndTitle")
        self._sentence = quiet(named(QLabel(wordWrap=True), "stageEndSentence"))
        for label in (self._title, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setTextFormat(Qt.TextFormat.PlainText)
        parts = None, self._title, self._sentence, None
        filled(QVBoxLayout(self), *parts, spacing=24, margins=(24, 24, 24, 24))
        # What is written large for one screen keeps the stage from no smaller one.
        self.setMinimumSize(1, 1)
        FontFollower(self, self._fit)

    def show_end(self, title: str, sentence: str) -> None:
        """Write what has ended, and how to go on."""
        self._title.setText(title)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{title}. {sentence}")
        announce(self, f"{title}. {sentence}")

    def _fit(self) -> None:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * _LARGER)
        font.setBold(True)
        self._title.setFont(font)
