"""Whether a panel is lent to the stage, for panels that leave something out there."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

_ON_STAGE = "onStage"


def set_on_stage(panel: QWidget, on: bool) -> None:
    """Note it with a panel; its font changes afterwards, and it may arrange itself then."""
    panel.setProperty(_ON_STAGE, on)


def is_on_stage(panel: QWidget) -> bool:
    """Whether a panel is seen by an audience now."""
    return bool(panel.property(_ON_STAGE))
