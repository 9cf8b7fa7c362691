"""Names of widgets: for automation and the style sheet, and for people."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QWidget

Named = TypeVar("Named", bound=QWidget)


def named(widget: Named, name: str, spoken: str = "", tip: str = "") -> Named:
    """Give a widget its object name, what screen readers call it, and its tooltip; return it."""
    widget.setObjectName(name)
    if spoken:
        widget.setAccessibleName(spoken)
    if tip:
        widget.setToolTip(tip)
    return widget


def quiet(widget: Named) -> Named:
    """Have a widget written in the colour of what is less important; return it."""
    widget.setProperty("quiet", True)
    return widget
