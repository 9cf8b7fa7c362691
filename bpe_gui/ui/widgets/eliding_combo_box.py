"""A box of choices that may be narrower than its text, and that keys do not change unseen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QToolTip

from bpe_gui.ui.theme.text_size import scaled

_LEAST = 80
"""Pixels that it is wide at least, for plain text."""
_OPENING = frozenset(
    {
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_F4),
        *(Qt.Key.Key_Return, Qt.Key.Key_Enter),
    }
)
_CHOOSING = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class ElidingComboBox(QComboBox):
    """Elides its text where there is little room; the whole text is its tooltip then."""

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(_LEAST, self.font()), super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the list; no key chooses another entry while it is closed."""
        if event.key() in _OPENING:
            self.showPopup()
        elif event.key() in _CHOOSING or (event.text().isprintable() and event.text()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        box, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(box, option, field, self).width()
        text, elide = self.currentText(), Qt.TextElideMode.ElideRight
        option.currentText = self.fontMetrics().elidedText(text, elide, room)  # type: ignore[attr-defined]

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            option, text = QStyleOptionComboBox(), self.currentText()
            self.initStyleOption(option)
            if option.currentText != text:  # type: ignore[attr-defined]
                tip = "\n".join(filter(None, [text, self.toolTip()]))
                QToolTip.showText(event.globalPos(), tip, self)
                return True
        return super().event(event)
