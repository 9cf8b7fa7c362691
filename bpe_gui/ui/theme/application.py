"""The application that all windows belong to."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication


def application() -> QApplication:
    """Return the one application that there is."""
    made = QApplication.instance()
    assert isinstance(made, QApplication)
    return made
