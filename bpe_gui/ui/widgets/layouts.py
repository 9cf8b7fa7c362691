"""Layouts: rows and columns filled with widgets, and a row that goes on in more lines."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

Box = TypeVar("Box", bound=QBoxLayout)
Part = QWidget | QLayout | str | None
"""What is put into a box: a widget, a layout, the text of a label, or None for empty space."""
STYLED = -1
"""The spacing that the style has."""


def filled(
    box: Box,
    *parts: Part,
    stretched: QWidget | QLayout | None = None,
    spacing: int = 0,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> Box:
    """Add parts to a box; `stretched` and empty space share what is left."""
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for part in parts:
        stretch = int(part is stretched)
        if part is None:
            box.addStretch(1)
        elif isinstance(part, QLayout):
            box.addLayout(part, stretch)
        else:
            box.addWidget(QLabel(part) if isinstance(part, str) else part, stretch)
    return box


def scrolled(area: QScrollArea, inside: QWidget) -> None:
    """Show a widget in a frameless area as wide as the area; only what is too high scrolls."""
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)


def row(*parts: Part, stretched: QWidget | QLayout | None = None, spacing: int = 0) -> QWidget:
    """Make a widget of parts side by side; see `filled`."""
    made = QWidget()
    filled(QHBoxLayout(made), *parts, stretched=stretched, spacing=spacing)
    return made


def column(*parts: Part, stretched: QWidget | QLayout | None = None, spacing: int = 0) -> QWidget:
    """Make a widget of parts one below the other; see `filled`."""
    made = QWidget()
    filled(QVBoxLayout(made), *parts, stretched=stretched, spacing=spacing)
    return made


class FlowLayout(QLayout):
    """Places widgets in the order of reading, as in a text.

    Expanding widgets share the rest of their line. The layout needs the width of its widest
    widget, and the height of its lines.
    """

    # superqt's QFlowLayout lets nothing expand, and leaves gaps for what is hidden.

    def __init__(self, parent: QWidget, spacing: int) -> None:
        """Make a layout without margins, with `spacing` pixels between widgets and lines."""
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    # -- for Qt ----------------------------------------------------------------------------------

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arranged(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        shown = self._shown()
        width = sum(item.sizeHint().width() for item in shown)
        width += self.spacing() * max(0, len(shown) - 1)
        height = max((item.sizeHint().height() for item in shown), default=0)
        return QSize(width, height).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:
        """Return the size of the widest and highest item: the width decides the number of lines."""
        sizes = [item.minimumSize() for item in self._shown()]
        width = max((size.width() for size in sizes), default=0)
        height = max((size.height() for size in sizes), default=0)
        return QSize(width, height).grownBy(self.contentsMargins())

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._arranged(area, move=True)

    # -- lines -----------------------------------------------------------------------------------

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        room = 0
        for item in self._shown():
            needed = item.sizeHint().width() + self.spacing()
            if not lines or needed > room + self.spacing():
                lines.append([])
                room = width
            lines[-1].append(item)
            room -= needed
        return lines

    def _arranged(self, area: QRect, *, move: bool) -> int:
        """Return the height of all lines in an area; with `move`, place the items there."""
        margins = self.contentsMargins()
        area = area.marginsRemoved(margins)
        top = area.top()
        for line in self._lines(area.width()):
            height = max(item.sizeHint().height() for item in line)
            if move:
                self._place(line, QRect(area.left(), top, area.width(), height))
            top += height + self.spacing()
        lines = max(0, top - self.spacing() - area.top())
        return lines + margins.top() + margins.bottom()

    def _place(self, line: list[QLayoutItem], area: QRect) -> None:
        taken = sum(item.sizeHint().width() for item in line) + self.spacing() * (len(line) - 1)
        growing = [item for item in line if _expands(item)]
        more = max(0, area.width() - taken) // max(1, len(growing))
        left = area.left()
        for item in line:
            width = item.sizeHint().width() + (more if item in growing else 0)
            width = min(width, area.width())
            item.setGeometry(QRect(QPoint(left, area.top()), QSize(width, area.height())))
            left += width + self.spacing()


def _expands(item: QLayoutItem) -> bool:
    widget, along = item.widget(), Qt.Orientation.Horizontal
    return widget is not None and bool(widget.sizePolicy().expandingDirections() & along)
