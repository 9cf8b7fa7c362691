"""Whether what is shown moves: as the desktop wishes, until the user chooses otherwise."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from bpe_gui.ui.theme.system_motion import SystemMotion

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
        self._system = SystemMotion(self)
        self._system.changed.connect(self._follow)
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

    @Slot()
    def _follow(self) -> None:
        still = self._system.still if self._chosen == SYSTEM else self._chosen == STILL
        self._animate.setChecked(not still)
