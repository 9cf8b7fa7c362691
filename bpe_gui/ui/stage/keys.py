"""The keys of the stage: what they do, and which key is which."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget


class Command(Enum):
    """What a key of the stage does."""

    LEAVE = auto()
    CLOSE = auto()
    """Close what lies over the panels, or else leave."""
    STEP = auto()
    STEP_BACK = auto()
    BLANK = auto()
    CHOOSE = auto()
    COLOURS = auto()
    SCREEN = auto()
    LAYOUT = auto()


KEYS = (
    ("1 to 4", "show so many panels; Alt with the number while a question is open"),
    ("Page Down, Page Up", "one merge on, one back; an open question is revealed first"),
    ("B or .", "an empty stage, and back"),
    ("C", "choose the panels"),
    ("D", "dark or light"),
    ("S", "the next screen, where there are several"),
    ("F11 or Esc", "leave the stage"),
)
"""The keys, and what they do, as they are shown. Those of the window that play, step, train
and guess work on the stage as well."""

_ANYWHERE = {
    Qt.Key.Key_F11: Command.LEAVE,
    Qt.Key.Key_Escape: Command.CLOSE,
    Qt.Key.Key_PageDown: Command.STEP,
    Qt.Key.Key_PageUp: Command.STEP_BACK,
}
"""Keys that write nothing, so that they do the same wherever the caret is."""
_BESIDE_TEXT = {
    Qt.Key.Key_B: Command.BLANK,
    Qt.Key.Key_Period: Command.BLANK,
    Qt.Key.Key_C: Command.CHOOSE,
    Qt.Key.Key_D: Command.COLOURS,
    Qt.Key.Key_S: Command.SCREEN,
}
_NUMBERS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_ALT = Qt.KeyboardModifier.AltModifier


def command_of(
    event: QKeyEvent, focus: QWidget | None, *, numbers: bool
) -> tuple[Command, int] | None:
    """What a key does on the stage, with the number of panels for a layout; None for no more
    than elsewhere.

    Where text is written, letters and numbers are written. `numbers` tells whether numbers
    choose the layout; if they are for something else now, they do so only with Alt.
    """
    key, held = Qt.Key(event.key()), event.modifiers() & ~_KEYPAD
    writes = is_written_in(focus)
    if key in _NUMBERS and (held == _ALT or (not held and not writes and numbers)):
        return Command.LAYOUT, _NUMBERS.index(key) + 1
    if held:
        return None
    command = _ANYWHERE.get(key)
    if command is None and not writes:
        command = _BESIDE_TEXT.get(key)
    return None if command is None else (command, 0)


def number_of(event: QKeyEvent, focus: QWidget | None) -> int | None:
    """The number that is pressed, from 1 to 4; None if it is none, or is being written."""
    if event.key() not in _NUMBERS or event.modifiers() & ~_KEYPAD or is_written_in(focus):
        return None
    return _NUMBERS.index(Qt.Key(event.key())) + 1


def is_written_in(widget: QWidget | None) -> bool:
    """Whether letters are written into a widget."""
    if isinstance(widget, QPlainTextEdit | QTextEdit | QLineEdit):
        return not widget.isReadOnly()
    return isinstance(widget, QAbstractSpinBox)
