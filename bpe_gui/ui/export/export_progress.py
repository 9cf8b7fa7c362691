"""How far an export has come: a word, a bar and a way to cancel, in the status bar."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from bpe_gui.ui.widgets.progress_bar import ProgressBar


class ExportProgress(QWidget):
    """Stands in the status bar for as long as something is being exported."""

    cancelled = Signal()
    """The user wants nothing of it any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exportProgress")
        self._name = QLabel(self)
        self._name.setObjectName("exportName")
        self._bar = ProgressBar(self)
        self._bar.setObjectName("exportBar")
        self._bar.setAccessibleName("Progress of the export")
        self._bar.setFixedWidth(140)
        self._cancel = QToolButton(self)
        self._cancel.setObjectName("cancelExport")
        self._cancel.setText("Cancel")
        self._cancel.setAccessibleName("Cancel the export")
        self._cancel.setToolTip("Give up the export; no file is left")
        self._cancel.setStyleSheet("padding: 1px 10px")
        self._cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 2, 10, 2)
        for part in (self._name, self._bar, self._cancel):
            row.addWidget(part)
        self.hide()

    def show_name(self, name: str) -> None:
        """Come into view for a file, of which nothing is done yet."""
        self._name.setText(name)
        self._bar.setRange(0, 0)
        self.show()

    @Slot(int, int)
    def show_frames(self, done: int, total: int) -> None:
        """So many frames of all are done."""
        # Left to itself the bar repaints at once, and everything else that waits with it.
        self._bar.setUpdatesEnabled(False)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._bar.setUpdatesEnabled(True)
        self._bar.setToolTip(f"{done:,} of {total:,} frames")
