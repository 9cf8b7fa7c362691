"""The title over a panel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDockWidget

from bpe_gui.ui.widgets.labels import ElidingLabel


class DockTitle(ElidingLabel):
    """Writes the title of a dock in the font of the window, cut where it has no room.

    The one that Qt draws keeps the font that the program began with. This one asks for no
    width: it never makes a panel wider.
    """

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("dockTitle")
        self.setTextFormat(Qt.TextFormat.PlainText)
        dock.setTitleBarWidget(self)
        dock.windowTitleChanged.connect(self._follow)
        self._follow(dock.windowTitle())

    @Slot(str)
    def _follow(self, title: str) -> None:
        self.setText(title)
        self.setToolTip(title)
