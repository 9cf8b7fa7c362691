"""A slim bar that says how far the measuring of a file is, with a button to give it up."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QToolButton, QWidget

from bpe_gui.ui.compare.file_measuring import FileMeasuring, MeasureProgress

_STEPS = 1000


class MeasureBar(QWidget):
    """Hidden unless a file is being measured, or its numbers are shown.

    back: the action that leads back to the numbers of the text.
    """

    def __init__(self, measuring: FileMeasuring, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("measureBar")
        self.progress = QProgressBar()
        self.progress.setObjectName("measureProgress")
        self.progress.setAccessibleName("How much of the file has been measured")
        self.progress.setTextVisible(False)
        self.progress.setMaximumWidth(220)
        self._text = QLabel()
        self._text.setObjectName("measureText")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cancel = QAction("Cancel", self)
        self.cancel.setObjectName("cancelMeasureAction")
        self.cancel.setToolTip("Stop measuring, and show the numbers of the text again")
        self.back = QAction("Back to the text’s numbers", self)
        self.back.setObjectName("backToTextAction")
        self.back.setToolTip("Show the numbers of the text instead of those of the file")
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 2, 6, 2)
        row.setSpacing(10)
        row.addWidget(self.progress)
        row.addWidget(self._text, 1)
        self._buttons = []
        for action in (self.cancel, self.back):
            button = QToolButton()
            button.setDefaultAction(action)
            row.addWidget(button)
            self._buttons.append(button)
        measuring.started.connect(self._on_started)
        measuring.progressed.connect(self._on_progressed)
        measuring.failed.connect(self._on_failed)
        measuring.ended.connect(self._on_ended)
        self.cancel.triggered.connect(measuring.cancel)
        self._busy = False
        self._arrange(shown=False)

    @property
    def text(self) -> str:
        """What is said beside the bar."""
        return self._text.text()

    @Slot()
    def show_finished(self, text: str) -> None:
        """Say what the numbers are of that are shown; an empty text: those of the text."""
        if not self._busy:
            self._text.setText(text)
            self._arrange(shown=bool(text))

    def _arrange(self, *, shown: bool) -> None:
        cancel, back = self._buttons
        cancel.setVisible(self._busy)
        self.cancel.setEnabled(self._busy)
        back.setVisible(not self._busy)
        self.back.setEnabled(shown and not self._busy)
        self.progress.setVisible(self._busy)
        self.setVisible(shown)

    @Slot(str)
    def _on_started(self, text: str) -> None:
        self._busy = True
        self._text.setText(text)
        self.progress.setRange(0, 0)
        self._arrange(shown=True)

    @Slot(object)
    def _on_progressed(self, progress: MeasureProgress) -> None:
        self._text.setText(progress.sentence)
        share = progress.share
        self.progress.setRange(0, 0 if share is None else _STEPS)
        if share is not None:
            self.progress.setValue(round(share * _STEPS))

    @Slot(str)
    def _on_failed(self, message: str) -> None:
        self._text.setText(message)

    @Slot(bool)
    def _on_ended(self, cancelled: bool) -> None:
        self._busy = False
        self._arrange(shown=False)
