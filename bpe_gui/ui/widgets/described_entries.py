"""Entries of an open list with a description beside each of them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from bpe_gui.ui.theme.theme import theme_of

SEPARATOR = "separator"
"""What Qt calls the entries that separate others, where it would describe them."""
_DESCRIPTION = Qt.ItemDataRole.AccessibleDescriptionRole
_WIDEST = 720
"""Pixels that a description has at most."""
_ABOVE, _SIDE, _GAP = 4, 8, 18
"""Pixels above and below a line, at its sides, and between the columns."""
_SEPARATOR_HEIGHT = 7


class DescribedEntries(QStyledItemDelegate):
    """Paints the names in one column and the descriptions, muted, in another."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        area: QRect = option.rect  # type: ignore[attr-defined]
        palette: QPalette = option.palette  # type: ignore[attr-defined]
        description = _text(index, _DESCRIPTION)
        # The palette of the list has a colour that is too weak to be read.
        muted = QColor(theme_of(option.widget).muted)  # type: ignore[attr-defined]
        painter.save()
        if description == SEPARATOR:
            painter.setPen(muted)
            painter.setOpacity(0.4)
            painter.drawLine(area.left() + _SIDE, area.center().y(),
                             area.right() - _SIDE, area.center().y())  # fmt: skip
        else:
            state = option.state  # type: ignore[attr-defined]
            selected = bool(state & QStyle.StateFlag.State_Selected)
            if selected:
                painter.fillRect(area, palette.brush(QPalette.ColorRole.Highlight))
            enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
            of_selected = palette.color(QPalette.ColorRole.HighlightedText)
            own = palette.color(QPalette.ColorRole.Text) if enabled else muted
            names = self._width(option, index, Qt.ItemDataRole.DisplayRole)
            room = area.adjusted(_SIDE, 0, -_SIDE, 0)
            metrics = option.fontMetrics  # type: ignore[attr-defined]
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
            painter.setFont(option.font)  # type: ignore[attr-defined]
            painter.setPen(of_selected if selected else own)
            painter.drawText(room, flags, _text(index, Qt.ItemDataRole.DisplayRole))
            room.setLeft(room.left() + names + _GAP)
            painter.setPen(of_selected if selected else muted)
            elided = metrics.elidedText(description, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, flags, elided)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        if _text(index, _DESCRIPTION) == SEPARATOR:
            return QSize(0, _SEPARATOR_HEIGHT)
        names = self._width(option, index, Qt.ItemDataRole.DisplayRole)
        descriptions = min(_WIDEST, self._width(option, index, _DESCRIPTION))
        height = option.fontMetrics.height() + 2 * _ABOVE  # type: ignore[attr-defined]
        return QSize(names + _GAP + descriptions + 2 * _SIDE, height)

    def _width(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex, role: int
    ) -> int:
        """Return the width of the column that shows a role, in pixels."""
        model, advance = index.model(), option.fontMetrics.horizontalAdvance  # type: ignore[attr-defined]
        column = [model.index(row, index.column()) for row in range(model.rowCount())]
        return max(advance(_text(entry, role)) for entry in column)


def _text(index: QModelIndex | QPersistentModelIndex, role: int) -> str:
    return str(index.data(role) or "")
