"""What can be done in the window, as actions with names and keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Annotated, get_type_hints

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui.resources import resource


@dataclass(frozen=True)
class Says:
    """What the window says of an action: its name in menus, its keys, and what it is for."""

    text: str
    keys: str | tuple[str, ...]
    tip: str
    icon: str = ""
    checkable: bool = False


@dataclass(frozen=True)
class Actions:
    """The actions of the window. That of the field `save_here` is the object `saveHereAction`,
    for automation, and so on."""

    open: Annotated[QAction, Says("&Open files…", "Ctrl+O", "Open text files as corpus")]
    open_folder: Annotated[
        QAction, Says("Open &folder…", "Ctrl+Shift+O", "Open all text files of a folder as corpus")
    ]
    save: Annotated[QAction, Says(
        "&Save the tokenizer…", "Ctrl+S",
        "Save what was trained, all of it, as a file that other programs read",
    )]
    save_here: Annotated[QAction, Says(
        "Save the tokenizer at the c&ursor…", "Ctrl+Shift+S",
        "Save the vocabulary as it is at the cursor",
    )]
    open_session: Annotated[QAction, Says(
        "Open a s&ession…", "Ctrl+Alt+K", "Open a session, and see all that it showed",
    )]
    save_session: Annotated[QAction, Says(
        "Save the sess&ion", "Ctrl+K",
        "Keep all that is shown: the runs, bookmarks, lanes, the text and the panels",
    )]
    save_session_as: Annotated[QAction, Says(
        "Save the session &as…", "Ctrl+Shift+K", "Keep all that is shown in another file",
    )]
    quit: Annotated[QAction, Says("&Quit", "Ctrl+Q", "Close the window")]
    train: Annotated[QAction, Says("&Train", "F5", "Train until the recipe stops", icon="train")]
    pause: Annotated[QAction, Says("&Pause", "F6", "Hold the training where it is", icon="pause")]
    step: Annotated[QAction, Says(
        "&Step", ("Right", "F7"),
        "The next merge: of those that are done, or at the end a new one", icon="step",
    )]
    live: Annotated[QAction, Says("&Live", "Ctrl+L", "Follow the training", checkable=True)]
    cancel: Annotated[QAction, Says("&Cancel", "Esc", "End the work under way")]
    play: Annotated[QAction, Says("&Play", "Space", "Replay the merges, or hold them", icon="play")]
    step_back: Annotated[QAction, Says("Step &back", "Left", "The merge before", icon="step-back")]
    home: Annotated[QAction, Says("&Home", "Home", "To before the first merge", icon="home")]
    end: Annotated[QAction, Says("&End", "End", "To the last merge", icon="end")]
    faster: Annotated[QAction, Says("&Faster", "Ctrl+Up", "Play faster")]
    slower: Annotated[QAction, Says("S&lower", "Ctrl+Down", "Play slower")]
    bookmark: Annotated[QAction, Says(
        "Book&mark", "Ctrl+B",
        "Set a bookmark here, or take it away", icon="bookmark",
    )]
    next_bookmark: Annotated[QAction, Says("&Next bookmark", "Ctrl+Right", "To the next bookmark")]
    previous_bookmark: Annotated[
        QAction, Says("P&revious bookmark", "Ctrl+Left", "To the bookmark before")
    ]
    animate: Annotated[
        QAction, Says("&Animate", (), "Bars move to their places, or stand there", checkable=True)
    ]
    forbid: Annotated[QAction, Says(
        "&Forbid the next merge", "F8",
        "What if the pair that is merged next is forbidden from here on? Trains a branch",
    )]
    force: Annotated[QAction, Says(
        "&Merge the chosen pair instead", "F9",
        "What if the pair chosen in the chart is merged here instead? Trains a branch",
    )]
    next_branch: Annotated[QAction, Says("&Next branch", "Ctrl+Shift+B", "Show the next branch")]
    guess: Annotated[QAction, Says(
        "&Guess the next merge", "Ctrl+G",
        "Cover the next merge, and let the audience guess it", checkable=True,
    )]
    explore: Annotated[
        QAction, Says("&Explore", "Ctrl+1", "Watch a run and walk through it", checkable=True)
    ]
    compare: Annotated[
        QAction, Says("&Compare", "Ctrl+2", "Set encodings side by side", checkable=True)
    ]
    laboratory: Annotated[QAction, Says(
        "&Laboratory", "Ctrl+3",
        "Shape what happens before the first merge", checkable=True,
    )]
    train_recipe: Annotated[QAction, Says(
        "&Train with this recipe", "Ctrl+F5",
        "Train on the corpus with the recipe of the laboratory",
    )]
    save_recipe: Annotated[QAction, Says(
        "&Save the recipe…", "Ctrl+Alt+S",
        "Save the recipe of the laboratory as a small file, among your recipes or elsewhere",
    )]
    load_recipe: Annotated[QAction, Says(
        "&Load a recipe…", "Ctrl+Alt+O",
        "Start from the recipe in a file; what you have written is kept",
    )]
    add_encoding: Annotated[
        QAction, Says("&Add an encoding", "Ctrl+E", "Add an encoding to those that are compared")
    ]
    try_again: Annotated[QAction, Says(
        "&Try failed encodings again", "Ctrl+R",
        "Load the encodings once more that could not be had",
    )]
    next_difference: Annotated[QAction, Says(
        "&Next difference", "F3",
        "To the next place where the encodings part", icon="arrow-right",
    )]
    previous_difference: Annotated[QAction, Says(
        "&Previous difference", "Shift+F3",
        "To the place before where the encodings part", icon="arrow-left",
    )]
    lanes_alone: Annotated[QAction, Says(
        "&Lanes alone", "F4",
        "Give the lanes the room of the numbers, or give it back", checkable=True,
    )]
    numbers_alone: Annotated[QAction, Says(
        "N&umbers alone", "Shift+F4",
        "Give the numbers the room of the lanes, or give it back", checkable=True,
    )]
    measure: Annotated[QAction, Says(
        "&Measure files…", "Ctrl+M",
        "Count the tokens of whole files with all encodings",
    )]
    measure_folder: Annotated[QAction, Says(
        "Measure a f&older…", "Ctrl+Shift+M",
        "Count the tokens of all texts of a folder with all encodings",
    )]
    reset_layout: Annotated[QAction, Says(
        "&Reset the layout", "Ctrl+Shift+R",
        "Put all panels back where they stood at first",
    )]


def make_actions(parent: QWidget) -> Actions:
    """Make all actions as children of the window; nothing is connected yet."""
    hints = get_type_hints(Actions, include_extras=True)
    return Actions(
        **{
            field.name: _action(parent, field.name, hints[field.name].__metadata__[0])
            for field in fields(Actions)
        }
    )


def _action(parent: QWidget, name: str, says: Says) -> QAction:
    action = QAction(says.text, parent)
    action.setCheckable(says.checkable)
    camel_case = re.sub("_(.)", lambda match: match[1].upper(), name)
    action.setObjectName(f"{camel_case}Action")
    keys = (says.keys,) if isinstance(says.keys, str) else says.keys
    action.setShortcuts([QKeySequence(key) for key in keys])
    shown = ", ".join(
        key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()
    )
    action.setToolTip(f"{says.tip} ({shown})" if shown else says.tip)
    action.setStatusTip(says.tip)
    if says.icon:
        action.setIcon(QIcon(str(resource("icons", f"{says.icon}.svg"))))
    parent.addAction(action)
    return action
