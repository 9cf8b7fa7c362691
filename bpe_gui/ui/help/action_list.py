"""The list of actions that were found, and how a row of it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from bpe_gui.ui.help.entries import Entry
from bpe_gui.ui.theme.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_MARGIN = 12
_GAP = 3
_CHECKED, _UNCHECKED = "✓ ", ""
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ActionList(QAbstractListModel):
    """The entries in the order in which they are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = ()

    def show(self, entries: Sequence[Entry]) -> None:
        """Show other entries."""
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def entry(self, row: int) -> Entry:
        """The entry of a row."""
        return self._entries[row]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """How many entries there are."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What is written, and what screen readers and the mouse are told."""
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.wording.text
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return entry.spoken
        return None


class ActionRow(QStyledItemDelegate):
    """Draws an entry: what it is called and its keys, and below what it does, or why not."""

    def __init__(self, model: ActionList, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.set_font(QFont())

    def take_colours(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._text = QPen(QColor(theme.text))
        self._muted = QPen(QColor(theme.muted))
        self._keys = QPen(QColor(theme.accent))
        self._current = QBrush(QColor(theme.raised))
        self._mark = QBrush(QColor(theme.accent))

    def set_font(self, font: QFont) -> None:
        """Write in another font."""
        self._font, self._small = QFont(font), QFont(font)
        if font.pointSizeF() > 0:
            self._small.setPointSizeF(font.pointSizeF() * 0.9)
        self._metrics, self._small_metrics = QFontMetrics(self._font), QFontMetrics(self._small)
        self._height = self._metrics.height() + self._small_metrics.height() + 3 * _GAP

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Two lines, in every row."""
        return QSize(200, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw a row. What is not possible now is quieter, and says why."""
        entry = self._model.entry(index.row())
        place: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        left, top, width = place.x(), place.y(), place.width()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(left, top, width, place.height(), self._current)
            painter.fillRect(left, top, 3, place.height(), self._mark)
        text, where, keys, tip, _ = entry.wording
        upper, lower = self._metrics.height(), self._small_metrics.height()
        room = width - 2 * _MARGIN
        painter.setFont(self._font)
        painter.setPen(self._muted if entry.hindrance else self._keys)
        painter.drawText(left + _MARGIN, top + _GAP, room, upper, _RIGHT, keys)
        room -= self._metrics.horizontalAdvance(keys) + _MARGIN
        mark = _CHECKED if entry.checked else _UNCHECKED
        called = self._metrics.elidedText(mark + text, Qt.TextElideMode.ElideRight, room)
        painter.setPen(self._muted if entry.hindrance else self._text)
        painter.drawText(left + _MARGIN, top + _GAP, room, upper, _LEFT, called)
        painter.setFont(self._small)
        painter.setPen(self._muted)
        told = f"Not now: {entry.hindrance}" if entry.hindrance else tip
        told = " · ".join(part for part in (where, told) if part)
        room = width - 2 * _MARGIN
        told = self._small_metrics.elidedText(told, Qt.TextElideMode.ElideRight, room)
        painter.drawText(left + _MARGIN, top + 2 * _GAP + upper, room, lower, _LEFT, told)
