"""Names of widgets: for other code, for screen readers and for people."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QLabel, QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str, spoken: str = "", tip: str = "") -> W:
    """Give a widget its object name, its name for screen readers and its tooltip; return it."""
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(tip)
    return widget


def quiet(text: str = "", name: str = "") -> QLabel:
    """Make a label whose text is less important than others, and wraps."""
    label = named(QLabel(text), name)
    label.setProperty("quiet", True)
    label.setWordWrap(True)
    return label
