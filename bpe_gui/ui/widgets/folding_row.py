"""A row of controls that becomes two where there is little room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

_GAP = 10
_BESIDE, _BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class FoldingRow(QWidget):
    """Has some widgets at the left and some at the right, or these below the others.

    It asks for the width of the wider ones only: so it folds before anything is cut. None
    stands for what stretches.
    """

    def __init__(
        self, left: Sequence[QWidget | None], right: Sequence[QWidget | None], *, gap: int = _GAP
    ) -> None:
        super().__init__()
        self._parts = [_row(left, gap), _row(right, gap)]
        self._gap = gap
        self._box = QBoxLayout(_BESIDE, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(gap)
        for stretch, part in enumerate(self._parts):
            self._box.addWidget(part, stretch)

    def minimumSizeHint(self) -> QSize:
        """As wide as the wider part."""
        width = max(part.minimumSizeHint().width() for part in self._parts)
        margins = self.contentsMargins()
        return QSize(width + margins.left() + margins.right(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold, or unfold."""
        super().resizeEvent(event)
        needed = sum(part.minimumSizeHint().width() for part in self._parts) + self._gap
        self._box.setDirection(_BELOW if self.contentsRect().width() < needed else _BESIDE)


def _row(widgets: Sequence[QWidget | None], gap: int) -> QWidget:
    part = QWidget()
    row = QHBoxLayout(part)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(gap)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget)
    return part
