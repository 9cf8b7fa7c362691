"""Whether a panel is lent to the stage, for panels that leave something out there."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

_ON_STAGE = "onStage"


def set_on_stage(panel: QWidget, on: bool) -> None:
    """Note it with a panel; its font changes afterwards, and it may arrange itself then."""
    panel.setProperty(_ON_STAGE, on)


def is_on_stage(part: QWidget) -> bool:
    """Whether a panel, or a part of one, is seen by an audience now."""
    panel: QWidget | None = part
    while panel is not None and not panel.property(_ON_STAGE):
        panel = panel.parentWidget()
    return panel is not None
