"""What the stage asks of whoever leads through it: a guided tour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget


class Guide(Protocol):
    """Says which panels are to be seen, and takes the keys by which one goes on."""

    changed: SignalInstance
    """It has begun or ended, or goes elsewhere."""
    arrived: SignalInstance
    """All that it wants to show is in view."""

    @property
    def active(self) -> bool:
        """Whether it leads now."""

    @property
    def asks(self) -> bool:
        """Whether a number answers."""

    @property
    def panel(self) -> QWidget:
        """Where it says what it has to say."""

    @property
    def stage_panels(self) -> Sequence[str]:
        """The panels to be seen beside it, from one to three, as `StagePanels` calls them."""

    def step_on(self) -> None:
        """Go on."""

    def step_back(self) -> None:
        """Go back."""

    def answer(self, choice: int) -> None:
        """Answer by a choice, from 0."""
