"""The bars at the top of the window: what to train, where the cursor is, and messages."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.shell.training_bar import TrainingBar
from bpe_gui.ui.widgets.box_row import BoxRow


def add_toolbars(
    window: QMainWindow,
    actions: Actions,
    controls: BoxRow,
    player_bar: QWidget,
    message_bar: QToolBar,
) -> None:
    """Add the bars to a window, each in a line of its own; none of them can be moved."""
    training = _bar(window, "Training", "trainingBar")
    training.addWidget(TrainingBar(controls, actions))
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
