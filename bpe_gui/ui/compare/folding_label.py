"""A sentence that is written on one line where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class FoldingLabel(QLabel):
    """Wraps its sentence, or cuts it at the end of a line; then a tooltip has all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = ""
        """All that is said, also where not all of it is seen."""
        self._folded = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setWordWrap(True)  # after the policy, which it completes

    def say(self, sentence: str) -> None:
        """Say something else."""
        self.sentence = sentence
        self._write()

    def fold(self, *, folded: bool) -> None:
        """Whether one line has to do."""
        if folded != self._folded:
            self._folded = folded
            self.setWordWrap(not folded)
            self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the line anew."""
        super().resizeEvent(event)
        if self._folded:
            self._write()

    def _write(self) -> None:
        written = self.sentence
        if self._folded:
            room = self.contentsRect().width()
            written = self.fontMetrics().elidedText(written, Qt.TextElideMode.ElideRight, room)
        self.setToolTip(self.sentence if written != self.sentence else "")
        if written != self.text():
            self.setText(written)
