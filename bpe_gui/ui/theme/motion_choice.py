"""Whether what is shown moves: as the desktop wishes, until the user chooses otherwise."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMainWindow, QStyle

SYSTEM, MOVING, STILL = "system", "moving", "still"


class MotionChoice(QObject):
    """Keeps the action "Animate" checked as it was chosen, or as the desktop wishes.

    What moves by itself follows the action: bars that go to their places, the spotlight of a
    tour, docks that make room. What plays because one asked for it is no animation.
    """

    def __init__(self, animate: QAction, window: QMainWindow) -> None:
        super().__init__(window)
        self._animate = animate
        self._chosen = SYSTEM
        animate.triggered.connect(self._on_action)
        animate.toggled.connect(window.setAnimated)
        animate.setChecked(True)
        self._follow()

    @property
    def chosen(self) -> str:
        """What was chosen: "system", "moving" or "still"."""
        return self._chosen

    def choose(self, motion: str) -> None:
        """Choose by name. Raises ValueError for an unknown one."""
        if motion not in (SYSTEM, MOVING, STILL):
            raise ValueError(f"things cannot be {motion!r}")
        self._chosen = motion
        self._follow()

    @Slot(bool)
    def _on_action(self, moves: bool) -> None:
        self._chosen = MOVING if moves else STILL

    def _follow(self) -> None:
        moves = system_animates() if self._chosen == SYSTEM else self._chosen == MOVING
        self._animate.setChecked(moves)


def system_animates() -> bool:
    """Tell whether the style, which asks the desktop, lets widgets move."""
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    return QApplication.style().styleHint(hint) > 0
