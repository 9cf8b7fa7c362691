"""What is said beside the names of actions: their keys, other names, why one is not possible;
and what screen readers say of what happens where the keyboard is not.
"""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAction, QKeySequence
from PySide6.QtWidgets import QWidget

_DISABLED_REASON, _KEYWORDS = "disabledReason", "keywords"
_POLITE = QAccessible.AnnouncementPoliteness.Polite
_AT_ONCE = QAccessible.AnnouncementPoliteness.Assertive


def keys_of(action: QAction) -> str:
    """Return the keys of an action as people write them, with commas; empty for none."""
    form = QKeySequence.SequenceFormat.NativeText
    return ", ".join(key.toString(form) for key in action.shortcuts())


def set_disabled_reason(action: QAction, sentence: str) -> None:
    """Set the reason why an action is disabled whenever it is."""
    action.setProperty(_DISABLED_REASON, sentence)


def disabled_reason(action: QAction) -> str:
    """Return why an action is disabled whenever it is; empty if nobody has said so."""
    return action.property(_DISABLED_REASON) or ""


def set_keywords(action: QAction, words: str) -> None:
    """Set the words, with blanks between them, by which an action is found as well."""
    action.setProperty(_KEYWORDS, words)


def keywords_of(action: QAction) -> str:
    """Return the words by which an action is found as well; empty for none."""
    return action.property(_KEYWORDS) or ""


def announce(widget: QWidget, text: str, *, at_once: bool = False) -> None:
    """Have a screen reader say a sentence about a widget, after what it says now or at once."""
    event = QAccessibleAnnouncementEvent(widget, text)
    event.setPoliteness(_AT_ONCE if at_once else _POLITE)
    QAccessible.updateAccessibility(event)
