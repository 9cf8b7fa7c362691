"""What can be done in the window, as actions with names and keys."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui.resources import resource


@dataclass(frozen=True)
class Actions:
    """The actions of the window; their object names are for automation."""

    open: QAction
    open_folder: QAction
    quit: QAction
    train: QAction
    pause: QAction
    step: QAction
    live: QAction
    cancel: QAction


def make_actions(parent: QWidget) -> Actions:
    """Make all actions as children of the window; nothing is connected yet."""
    return Actions(
        open=_action(parent, "openAction", "&Open files…", "Ctrl+O", "Open text files as corpus"),
        open_folder=_action(
            parent, "openFolderAction", "Open &folder…", "Ctrl+Shift+O",
            "Open all text files of a folder as corpus",
        ),
        quit=_action(parent, "quitAction", "&Quit", "Ctrl+Q", "Close the window"),
        train=_action(
            parent, "trainAction", "&Train", "F5", "Train until the recipe stops", icon="train"
        ),
        pause=_action(
            parent, "pauseAction", "&Pause", "F6", "Hold the training where it is", icon="pause"
        ),
        step=_action(parent, "stepAction", "&Step", "F7", "Do a single merge", icon="step"),
        live=_action(
            parent, "liveAction", "&Live", "Ctrl+L", "Follow the training", checkable=True
        ),
        cancel=_action(parent, "cancelAction", "&Cancel", "Esc", "End the work under way"),
    )


def _action(
    parent: QWidget,
    name: str,
    text: str,
    key: str,
    tip: str,
    *,
    icon: str = "",
    checkable: bool = False,
) -> QAction:
    action = QAction(text, parent)
    action.setCheckable(checkable)
    action.setObjectName(name)
    action.setShortcut(QKeySequence(key))
    shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    action.setToolTip(f"{tip} ({shown})")
    action.setStatusTip(tip)
    if icon:
        action.setIcon(QIcon(str(resource("icons", f"{icon}.svg"))))
    parent.addAction(action)
    return action
