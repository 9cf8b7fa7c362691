"""Controls for bars: buttons of a fixed size, and boxes that may be narrower than their text."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QMetaObject,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import (
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QToolTip,
    QWidget,
)

from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.boxes import ComboBox
from bpe_gui.ui.widgets.described_entries import DescribedEntries

_ICON = 16
"""The size of icons beside plain text, in pixels."""


class SteadyButton(QToolButton):
    """Keeps the size that it needs for its first text.

    Otherwise every change of an action lays out the whole window, which takes a third of a frame.
    """

    def __init__(self, action: QAction, style: Qt.ToolButtonStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(action.objectName().replace("Action", "Button"))
        self.setDefaultAction(action)
        self.setToolButtonStyle(style)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.ensurePolished()
        icon = scaled(_ICON, self.font())
        self.setIconSize(QSize(icon, icon))
        self.setFixedSize(self.sizeHint())


_LEAST = 80
"""Its least width in pixels, for plain text."""


_FRAME = 16
"""Pixels of the frame and the padding of an open list, at both sides together."""
_FLAGS = Qt.ItemDataRole.UserRole - 1
"""The role of the flags of an entry."""


class ElidingComboBox(ComboBox):
    """Elides its text if the box is narrow; the whole text is its tooltip then.

    Entries may be actions: to choose one triggers it, and what was chosen before stays so.
    """

    entryChosen = Signal()
    """Another entry is chosen now, which is not an action."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before = QPersistentModelIndex()
        self._is_described = False
        self.currentIndexChanged.connect(self._on_index)

    def add_heading(self, text: str) -> None:
        """Add an entry that cannot be chosen."""
        self.addItem(text)
        self.setItemData(self.count() - 1, 0, _FLAGS)

    def add_entry(self, text: str, data: object, tip: str, index: int = -1) -> None:
        """Add an entry at the end, or insert it.

        The open list shows the first line of its tip beside it; the rest is its tooltip.
        """
        if not self._is_described:
            self._is_described = True
            self.setItemDelegate(DescribedEntries(self))
        index = index if index >= 0 else self.count()
        self.insertItem(index, text, data)
        self.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
        first = tip.partition("\n")[0]
        self.setItemData(index, first, Qt.ItemDataRole.AccessibleDescriptionRole)

    def add_action(self, action: QAction) -> None:
        """Add an entry that triggers an action."""
        self.add_entry(action.text().replace("&", ""), action, action.toolTip())

    def showPopup(self) -> None:
        self._before = self._current()
        if self._is_described:
            self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + _FRAME)
        super().showPopup()

    def _current(self) -> QPersistentModelIndex:
        return QPersistentModelIndex(self.model().index(self.currentIndex(), self.modelColumn()))

    @Slot()
    def _on_index(self) -> None:
        chosen = self.currentData()
        if not isinstance(chosen, QAction):
            self._before = self._current()
            self.entryChosen.emit()
            return
        with QSignalBlocker(self):
            self.setCurrentIndex(self._before.row())
        # It may open a dialog: the list is to be closed, and the keyboard returned, before.
        QMetaObject.invokeMethod(chosen, "trigger", Qt.ConnectionType.QueuedConnection)

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(_LEAST, self.font()), super().minimumSizeHint().height())

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
