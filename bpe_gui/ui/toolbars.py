"""The bars at the top of the window: what to train, where the cursor is, and messages."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QSizePolicy, QToolBar, QWidget

from bpe_gui.ui.actions import Actions
from bpe_gui.ui.steady_button import SteadyButton


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
    space = QWidget(training)
    space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    training.addWidget(space)
    for action in (actions.train, actions.pause):
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        training.addWidget(SteadyButton(action, style, training))
    edge = QWidget(training)
    edge.setFixedWidth(2)
    training.addWidget(edge)
    window.addToolBarBreak()
    _bar(window, "Cursor", "cursorBar").addWidget(player_bar)
    window.addToolBarBreak()
    window.addToolBar(message_bar)


def _bar(window: QMainWindow, title: str, name: str) -> QToolBar:
    bar = QToolBar(title, window)
    bar.setObjectName(name)
    bar.setMovable(False)
    window.addToolBar(bar)
    return bar
