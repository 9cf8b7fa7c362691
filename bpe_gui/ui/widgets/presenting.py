"""Tell the parts of a panel that they are shown to an audience, and lay them out for it."""

from __future__ import annotations

from PySide6.QtWidgets import QSplitter, QWidget


def present(widget: QWidget, presents: bool) -> None:
    """Set whether parts are shown to an audience; their font changes afterwards."""
    for part in (widget, *widget.findChildren(QWidget)):
        if hasattr(part, "presents"):
            part.presents = presents


def measure_anew(widget: QWidget) -> None:
    """Have all parts compute at once, from the inside out, how much room they need.

    Qt would do it a little later, and not at all while they are hidden.
    """
    for part in (*reversed(widget.findChildren(QWidget)), widget):
        layout = part.layout()
        if layout is not None:
            layout.activate()
        elif isinstance(part, QSplitter):
            part.refresh()
