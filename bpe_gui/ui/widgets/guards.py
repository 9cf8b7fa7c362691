"""Keep keys from unintended effects.

Space, Left, Right, Home and End move the cursor of the run, except where text is typed. A widget
that was reached by Tab, and has the focus ring, uses them itself: a button needs Space, a table
Left. A widget that was only clicked leaves them to the cursor.
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
    """Return whether a key moves the cursor of the run, unless text is typed."""
    return (
        event.key() in _CURSOR
        and event.modifiers() == Qt.KeyboardModifier.NoModifier
        and not goes_by_keyboard()
    )


def wants(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Return whether a widget with the focus uses a key itself."""
    key = event.key()
    if isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isReadOnly():
        # It only scrolls: it has no caret.
        return key in _UP_AND_DOWN
    if isinstance(widget, _TYPED_IN):
        return key in _ALL
    if moves_the_cursor(event) and widget is not None and _is_clicked_into(widget):
        return False
    return any(isinstance(widget, kind) and key in keys for kind, keys in _WANTED)


def _is_clicked_into(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.ClickFocus)


def is_plain(event: QKeyEvent) -> bool:
    """Tell whether a key is pressed alone, be it on the keypad or not."""
    return not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


class KeyClaim(QObject):
    """Claims keys pressed alone for a widget and what is in it, before an action gets them."""

    def __init__(self, widget: QWidget, keys: frozenset[Qt.Key]) -> None:
        super().__init__(widget)
        self._keys = keys
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        claims = event.key() in self._keys and is_plain(event)
        if claims:
            event.accept()
        return claims


class KeyGuard(QObject):
    """Watches windows and docks, which get the keys that no widget in them has claimed."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim a key for the widget with the focus before an action gets it."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            # No widget uses Alt; with it, an arrow is another key.
            return False
        if wants(QApplication.focusWidget(), event):
            event.accept()
            return True
        return False
