"""The keys of the stage, and what they do."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.widgets.keyboard import is_typed_in


class Command(Enum):
    """What a key of the stage does."""

    LEAVE = auto()
    CLOSE = auto()
    """Close what lies over the panels, or else leave."""
    STEP = auto()
    STEP_BACK = auto()
    TRAIN = auto()
    RETURN = auto()
    """Show the panels if something else is shown, and do nothing more."""
    BLANK = auto()
    POINTER = auto()
    """Turn the mouse pointer into a large dot, or back."""
    PEN = auto()
    """Let the mouse draw, or do as usual."""
    WIPE = auto()
    """Remove what is drawn."""
    HANDS = auto()
    """Count hands for the choices of a question of a tour, or count no more."""
    NOTES = auto()
    """Open the presenter window, or close it."""
    CHOOSE = auto()
    COLOURS = auto()
    SCREEN = auto()
    LAYOUT = auto()
    NUMBER = auto()
    """An answer, or a place for a panel; the layout where neither is asked for."""


KEYS = (
    ("1 to 4", "show 1 to 4 panels; with Alt while a question is open"),
    ("Page Down, Page Up", "one merge on, one back; an open question is revealed first"),
    ("T", "train until the recipe stops; no other key of the stage trains"),
    ("B or .", "an empty stage, and back"),
    ("P", "make the mouse pointer a large dot, or small again"),
    ("I, E", "draw with the mouse, or stop; erase what is drawn on this page"),
    ("H", "count hands: type how many are up for each answer of a tour's question"),
    ("N", "your notes, the time and what is next, in a separate window"),
    ("C", "choose the panels"),
    ("D", "dark or light"),
    ("S", "the next screen, where there are several"),
    ("F11 or Esc", "leave the stage"),
)
"""The keys, and what they do, as they are shown. Those of the window that play, step and guess
work on the stage as well."""

_ANYWHERE = {
    Qt.Key.Key_F11: Command.LEAVE,
    Qt.Key.Key_Escape: Command.CLOSE,
    Qt.Key.Key_PageDown: Command.STEP,
    Qt.Key.Key_PageUp: Command.STEP_BACK,
    # A clicker sends it to start a presentation.
    Qt.Key.Key_F5: Command.RETURN,
}
"""Keys that write nothing, so that they do the same wherever the caret is."""
_BESIDE_TEXT = {
    Qt.Key.Key_B: Command.BLANK,
    Qt.Key.Key_Period: Command.BLANK,
    Qt.Key.Key_C: Command.CHOOSE,
    Qt.Key.Key_D: Command.COLOURS,
    Qt.Key.Key_E: Command.WIPE,
    Qt.Key.Key_H: Command.HANDS,
    Qt.Key.Key_I: Command.PEN,
    Qt.Key.Key_N: Command.NOTES,
    Qt.Key.Key_P: Command.POINTER,
    Qt.Key.Key_S: Command.SCREEN,
    Qt.Key.Key_T: Command.TRAIN,
}
_NUMBERS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
_ALT = Qt.KeyboardModifier.AltModifier


def command_of(event: QKeyEvent, focus: QWidget | None) -> tuple[Command, int] | None:
    """Return what a key does on the stage, with its number from 1 to 4 if it has one.

    None if it does what it does elsewhere: while text is typed, letters and numbers are text.
    """
    key, held = Qt.Key(event.key()), event.modifiers() & ~_KEYPAD
    number = _NUMBERS.index(key) + 1 if key in _NUMBERS else 0
    if number and held == _ALT:
        return Command.LAYOUT, number
    if held:
        return None
    command = _ANYWHERE.get(key)
    if command is None and not is_typed_in(focus):
        command = Command.NUMBER if number else _BESIDE_TEXT.get(key)
    return None if command is None else (command, number)
