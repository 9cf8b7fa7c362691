"""Text with links in it, which can be marked and followed by mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


def link_label(name: str, parent: QWidget) -> QLabel:
    """A label of rich text that wraps; however long it is, it widens nothing."""
    made = QLabel(parent)
    made.setObjectName(name)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    policy = made.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    made.setSizePolicy(policy)
    return made
