"""Keys that play and step, kept for the widgets that have a use of their own for them.

An action with the key Space would otherwise take it from the button that has the focus,
and one with Left from the table.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QTabBar,
    QTextEdit,
    QWidget,
)

_SPACE = frozenset({Qt.Key.Key_Space})
_SIDEWAYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})
_ENDS = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End})
_UP_AND_DOWN = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down})
_ALL = _SPACE | _SIDEWAYS | _ENDS | _UP_AND_DOWN

_WANTED: tuple[tuple[type[QWidget], frozenset[Qt.Key]], ...] = (
    (QPlainTextEdit, _ALL),
    (QTextEdit, _ALL),
    (QLineEdit, _ALL),
    (QAbstractSpinBox, _ALL),
    (QAbstractItemView, _ALL),
    (QComboBox, _SPACE | _ENDS | _UP_AND_DOWN),
    (QTabBar, _SIDEWAYS | _ENDS),
    (QRadioButton, _SIDEWAYS | _UP_AND_DOWN),
    (QAbstractButton, _SPACE),
)


def wants(widget: QWidget | None, key: int) -> bool:
    """Whether a widget with the focus does something of its own with a key."""
    if isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isReadOnly():
        # It is scrolled; there is no caret to be moved, and nothing can be written.
        return key in _UP_AND_DOWN
    return any(isinstance(widget, kind) and key in keys for kind, keys in _WANTED)


class KeyGuard(QObject):
    """Watches windows and docks, to which keys come that nobody below has asked for."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim a key for the widget with the focus before an action gets it."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            # No widget has a use of its own for it; it makes another key of an arrow.
            return False
        if wants(QApplication.focusWidget(), event.key()):
            event.accept()
            return True
        return False
