"""A box of choices in a bar that may have little room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

from bpe_gui.ui.theme.text_size import scaled

_OPENING = frozenset(
    {
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_F4),
        *(Qt.Key.Key_Return, Qt.Key.Key_Enter),
    }
)
_CHOOSING = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class ElidingComboBox(QComboBox):
    """Is narrower than its text at need: then that is cut, and told whole where one points.

    It has `least` pixels at any rate and `usual` ones where nothing is tight, for plain text;
    without `usual` as many as its longest text needs.
    """

    def __init__(self, least: int, usual: int | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._least, self._usual = least, usual
        self._tight = False

    @property
    def usual(self) -> int:
        """The pixels that it has where nothing is tight."""
        if self._usual is None:
            return self.sizeHint().width()
        return scaled(self._usual, self.font())

    @property
    def least(self) -> int:
        """The pixels that it has at any rate."""
        return scaled(self._least, self.font())

    def set_tight(self, tight: bool) -> None:
        """Make do with the least at need, or have the usual at least."""
        if tight != self._tight:
            self._tight = tight
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """What it has at least, as things stand."""
        height = super().minimumSizeHint().height()
        return QSize(self.least if self._tight else self.usual, height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the list; no key chooses another entry while it is closed."""
        if event.key() in _OPENING:
            self.showPopup()
        elif event.key() in _CHOOSING or (event.text().isprintable() and event.text()):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box with as much of its text as has room."""
        option = self._option()
        option.currentText = self._written(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Tell the whole text."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.currentText()
            if self._written(self._option()) != text:
                tip = "\n".join(filter(None, [text, self.toolTip()]))
                QToolTip.showText(event.globalPos(), tip, self)
                return True
        return super().event(event)

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return option

    def _written(self, option: QStyleOptionComboBox) -> str:
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        text, elide = self.currentText(), Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(text, elide, field.width())
