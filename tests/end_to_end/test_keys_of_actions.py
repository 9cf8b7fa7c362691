"""What is chosen often has a key, or is reached through a menu by letters alone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from tests.ui.driving import child


def test_every_panel_and_every_colour_of_tokens_has_a_key(
    start: Callable[..., QMainWindow],
) -> None:
    window = start()
    panels = [
        action for action in window.findChildren(QAction)
        if action.objectName().startswith("show") and action.objectName().endswith("DockAction")
    ]  # fmt: skip
    assert len(panels) == 11
    assert len({action.shortcut().toString() for action in panels} - {""}) == len(panels)
    quiet = child(window, QAction, "quietPaletteAction")
    (menu,) = (menu for menu in window.findChildren(QMenu) if quiet in menu.actions())
    entries = [action for action in menu.actions() if not action.isSeparator()]
    letters = [QKeySequence.mnemonic(action.text()).toString() for action in entries]
    assert all(letters), [action.text() for action in entries]
    assert len(set(letters)) == len(letters), letters
