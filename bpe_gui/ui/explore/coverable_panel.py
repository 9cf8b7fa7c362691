"""Hold a panel, and what covers it while the next merge is guessed."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QStackedWidget, QWidget

from bpe_gui.ui.widgets.naming import centred

COVERED = "Hidden, because it shows which pair is merged next."
"""What a covered panel says while that pair is asked for."""


class CoverablePanel(QStackedWidget):
    """Shows a panel or its cover, and needs no more room than that one does."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._panel: QWidget | None = None
        self._cover: QWidget | None = None
        self._covers, self._reason = False, COVERED
        self.currentChanged.connect(self._fit)

    def hold(self, panel: QWidget, cover: QWidget | None) -> None:
        """Hold a panel, and what covers it, if it tells the next merge."""
        self._panel, self._cover = panel, cover
        self.addWidget(panel)
        if cover is not None:
            self.addWidget(cover)
        self.cover(self._covers, self._reason)

    def cover(self, covers: bool, reason: str = COVERED) -> None:
        """Show the cover, which says the reason, or the panel; nothing until they are there."""
        self._covers, self._reason = covers, reason
        if isinstance(self._cover, QLabel):
            self._cover.setText(reason)
        shown = self._cover if covers else self._panel
        if shown is not None:
            self.setCurrentWidget(shown)

    @Slot(int)
    def _fit(self, current: int) -> None:
        for number in range(self.count()):
            page, shown = self.widget(number), number == current
            policy = QSizePolicy.Policy.Preferred if shown else QSizePolicy.Policy.Ignored
            assert page is not None
            page.setSizePolicy(policy, policy)

    def addWidget(self, page: QWidget) -> int:
        place = super().addWidget(page)
        self._fit(self.currentIndex())
        return place


def cover_label() -> QWidget:
    """Make what covers a panel while one guesses, and says why."""
    cover = centred(QLabel())
    cover.setBackgroundRole(QPalette.ColorRole.Base)
    cover.setAutoFillBackground(True)
    return cover
