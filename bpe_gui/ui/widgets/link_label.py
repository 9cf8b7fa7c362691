"""Text with links in it, which can be marked and followed by mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class LinkLabel(QLabel):
    """A label of rich text that wraps; however long it is, it widens nothing."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        self.setSizePolicy(policy)

    def changeEvent(self, event: QEvent) -> None:
        """Give links the colour of another theme: they keep that of when they were written."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and (text := self.text()):
            self.clear()
            self.setText(text)
