"""The bars at the top of the window: what to train, where the cursor is, and messages."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QToolBar, QWidget

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.widgets.bar_controls import SteadyButton


def add_toolbars(
    window: QMainWindow,
    actions: Actions,
    controls: QWidget,
    player_bar: QWidget,
    message_bar: QToolBar,
) -> None:
    """Add the bars to a window, each in a line of its own; none of them can be moved."""
    training = _bar(window, "Training", "trainingBar")
    training.addWidget(controls)
    training.addWidget(_at_the_right(actions.train, actions.pause))
    window.addToolBarBreak()
    _bar(window, "Cursor", "cursorBar").addWidget(player_bar)
    window.addToolBarBreak()
    window.addToolBar(message_bar)


def _at_the_right(*actions: QAction) -> QWidget:
    """Buttons in a widget: Qt lets Tab pass over those that a bar makes of actions."""
    buttons = QWidget()
    row = QHBoxLayout(buttons)
    row.setContentsMargins(0, 0, 4, 0)
    row.setSpacing(6)
    row.addStretch(1)
    for action in actions:
        row.addWidget(SteadyButton(action, Qt.ToolButtonStyle.ToolButtonTextBesideIcon, buttons))
    return buttons


def _bar(window: QMainWindow, title: str, name: str) -> QToolBar:
    bar = QToolBar(title, window)
    bar.setObjectName(name)
    bar.setMovable(False)
    window.addToolBar(bar)
    return bar
