"""Keep keys from doing what nobody meant.

Space, Left, Right, Home and End move the cursor of the run. Where text is typed they are text.
Elsewhere they belong to what has the ring of the focus: it was reached by Tab, and a button
needs Space there, a table Left. What was merely clicked leaves them to the cursor.
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

from bpe_gui.ui.widgets.focus_ring import goes_by_keyboard

_SPACE = frozenset({Qt.Key.Key_Space})
_SIDEWAYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})
_ENDS = frozenset({Qt.Key.Key_Home, Qt.Key.Key_End})
_UP_AND_DOWN = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down})
_ALL = _SPACE | _SIDEWAYS | _ENDS | _UP_AND_DOWN

_CURSOR = _SPACE | _SIDEWAYS | _ENDS
"""The keys that move the cursor of the run."""
_TYPED_IN = (QPlainTextEdit, QTextEdit, QLineEdit, QAbstractSpinBox)

_WANTED: tuple[tuple[type[QWidget], frozenset[Qt.Key]], ...] = (
    (QAbstractItemView, _ALL),
    (QComboBox, _SPACE | _UP_AND_DOWN),
    (QTabBar, _SIDEWAYS | _ENDS),
    (QRadioButton, _SIDEWAYS | _UP_AND_DOWN),
    (QAbstractButton, _SPACE),
)


def moves_the_cursor(event: QKeyEvent) -> bool:
    """Whether a key moves the cursor of the run, whatever has the focus but typed text."""
    return (
        event.key() in _CURSOR
        and event.modifiers() == Qt.KeyboardModifier.NoModifier
        and not goes_by_keyboard()
    )


def wants(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Whether a widget with the focus does something of its own with a key."""
    key = event.key()
    if isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isReadOnly():
        # It is scrolled; there is no caret to be moved, and nothing can be written.
        return key in _UP_AND_DOWN
    if isinstance(widget, _TYPED_IN):
        return key in _ALL
    if moves_the_cursor(event) and widget is not None and _is_clicked_into(widget):
        return False
    return any(isinstance(widget, kind) and key in keys for kind, keys in _WANTED)


def _is_clicked_into(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.ClickFocus)


class KeyGuard(QObject):
    """Watches windows and docks, to which keys come that nobody below has asked for."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim a key for the widget with the focus before an action gets it."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            # No widget has a use of its own for it; it makes another key of an arrow.
            return False
        if wants(QApplication.focusWidget(), event):
            event.accept()
            return True
        return False
