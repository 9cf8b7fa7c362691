"""Names widgets for tests, screen readers and the mouse, and mutes labels."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

Named = TypeVar("Named", bound=QWidget)
Label = TypeVar("Label", bound=QLabel)


def named(widget: Named, name: str, spoken: str = "", tip: str = "") -> Named:
    """Give a widget its object name, its name for screen readers, and its tooltip."""
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(tip)
    return widget


def quiet(label: Label) -> Label:
    """Write a label in the muted colour."""
    label.setProperty("quiet", True)
    return label


def mark(widget: QWidget, name: str, value: bool) -> None:
    """Set a property that the style sheet asks for, and style the widget anew if it changes."""
    if bool(widget.property(name)) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def centred(label: Label) -> Label:
    """Write a label in the muted colour in the middle of its place, on several lines."""
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    return quiet(label)


def remark(text: str = "", name: str = "") -> QLabel:
    """Make a label for several lines in the muted colour."""
    return quiet(named(QLabel(text, wordWrap=True), name))
