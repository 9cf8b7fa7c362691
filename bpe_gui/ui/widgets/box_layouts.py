"""Fills rows and columns with widgets."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
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
