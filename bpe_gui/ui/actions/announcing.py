"""Saying to screen readers what happens where the keyboard is not."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

_POLITE = QAccessible.AnnouncementPoliteness.Polite
_AT_ONCE = QAccessible.AnnouncementPoliteness.Assertive


def announce(widget: QWidget, text: str, *, at_once: bool = False) -> None:
    """Have a screen reader say a sentence about a widget, after what it says now or at once."""
    event = QAccessibleAnnouncementEvent(widget, text)
    event.setPoliteness(_AT_ONCE if at_once else _POLITE)
    QAccessible.updateAccessibility(event)
