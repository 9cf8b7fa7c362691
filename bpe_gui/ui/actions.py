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
    save: QAction
    save_here: QAction
    quit: QAction
    train: QAction
    pause: QAction
    step: QAction
    live: QAction
    cancel: QAction
    play: QAction
    step_back: QAction
    home: QAction
    end: QAction
    faster: QAction
    slower: QAction
    bookmark: QAction
    next_bookmark: QAction
    previous_bookmark: QAction
    animate: QAction
    forbid: QAction
    force: QAction
    next_branch: QAction
    guess: QAction
    explore: QAction
    compare: QAction
    laboratory: QAction
    train_recipe: QAction
    save_recipe: QAction
    load_recipe: QAction
    add_encoding: QAction
    try_again: QAction
    next_difference: QAction
    previous_difference: QAction
    lanes_alone: QAction
    numbers_alone: QAction
    measure: QAction
    measure_folder: QAction
    reset_layout: QAction


def make_actions(parent: QWidget) -> Actions:
    """Make all actions as children of the window; nothing is connected yet."""
    return Actions(
        open=_action(parent, "openAction", "&Open files…", "Ctrl+O", "Open text files as corpus"),
        open_folder=_action(
            parent, "openFolderAction", "Open &folder…", "Ctrl+Shift+O",
            "Open all text files of a folder as corpus",
        ),
        save=_action(
            parent, "saveAction", "&Save the tokenizer…", "Ctrl+S",
            "Save what was trained, all of it, as a file that other programs read",
        ),
        save_here=_action(
            parent, "saveHereAction", "Save the tokenizer at the c&ursor…", "Ctrl+Shift+S",
            "Save the vocabulary as it is at the cursor",
        ),
        quit=_action(parent, "quitAction", "&Quit", "Ctrl+Q", "Close the window"),
        train=_action(
            parent, "trainAction", "&Train", "F5", "Train until the recipe stops", icon="train"
        ),
        pause=_action(
            parent, "pauseAction", "&Pause", "F6", "Hold the training where it is", icon="pause"
        ),
        step=_action(
            parent, "stepAction", "&Step", ("Right", "F7"),
            "The next merge: of those that are done, or at the end a new one", icon="step",
        ),
        live=_action(
            parent, "liveAction", "&Live", "Ctrl+L", "Follow the training", checkable=True
        ),
        cancel=_action(parent, "cancelAction", "&Cancel", "Esc", "End the work under way"),
        play=_action(
            parent, "playAction", "&Play", "Space", "Replay the merges, or hold them", icon="play"
        ),
        step_back=_action(
            parent, "stepBackAction", "Step &back", "Left", "The merge before", icon="step-back"
        ),
        home=_action(
            parent, "homeAction", "&Home", "Home", "To before the first merge", icon="home"
        ),
        end=_action(parent, "endAction", "&End", "End", "To the last merge", icon="end"),
        faster=_action(parent, "fasterAction", "&Faster", "Ctrl+Up", "Play faster"),
        slower=_action(parent, "slowerAction", "S&lower", "Ctrl+Down", "Play slower"),
        bookmark=_action(
            parent, "bookmarkAction", "Book&mark", "Ctrl+B",
            "Set a bookmark here, or take it away", icon="bookmark",
        ),
        next_bookmark=_action(
            parent, "nextBookmarkAction", "&Next bookmark", "Ctrl+Right", "To the next bookmark"
        ),
        previous_bookmark=_action(
            parent, "previousBookmarkAction", "P&revious bookmark", "Ctrl+Left",
            "To the bookmark before",
        ),
        animate=_action(
            parent, "animateAction", "&Animate", (), "Bars move to their places, or stand there",
            checkable=True,
        ),
        forbid=_action(
            parent, "forbidAction", "&Forbid the next merge", "F8",
            "What if the pair that is merged next is forbidden from here on? Trains a branch",
        ),
        force=_action(
            parent, "forceAction", "&Merge the chosen pair instead", "F9",
            "What if the pair chosen in the chart is merged here instead? Trains a branch",
        ),
        next_branch=_action(
            parent, "nextBranchAction", "&Next branch", "Ctrl+Shift+B", "Show the next branch"
        ),
        guess=_action(
            parent, "guessAction", "&Guess the next merge", "Ctrl+G",
            "Cover the next merge, and let the audience guess it", checkable=True,
        ),
        explore=_action(
            parent, "exploreAction", "&Explore", "Ctrl+1", "Watch a run and walk through it",
            checkable=True,
        ),
        compare=_action(
            parent, "compareAction", "&Compare", "Ctrl+2", "Set encodings side by side",
            checkable=True,
        ),
        laboratory=_action(
            parent, "laboratoryAction", "&Laboratory", "Ctrl+3",
            "Shape what happens before the first merge", checkable=True,
        ),
        train_recipe=_action(
            parent, "trainRecipeAction", "&Train with this recipe", "Ctrl+F5",
            "Train on the corpus with the recipe of the laboratory",
        ),
        save_recipe=_action(
            parent, "saveRecipeAction", "&Save the recipe…", "Ctrl+Alt+S",
            "Save the recipe of the laboratory as a small file, among your recipes or elsewhere",
        ),
        load_recipe=_action(
            parent, "loadRecipeAction", "&Load a recipe…", "Ctrl+Alt+O",
            "Start from the recipe in a file; what you have written is kept",
        ),
        add_encoding=_action(
            parent, "addEncodingAction", "&Add an encoding", "Ctrl+E",
            "Add an encoding to those that are compared",
        ),
        try_again=_action(
            parent, "tryAgainAction", "&Try failed encodings again", "Ctrl+R",
            "Load the encodings once more that could not be had",
        ),
        next_difference=_action(
            parent, "nextDifferenceAction", "&Next difference", "F3",
            "To the next place where the encodings part", icon="arrow-right",
        ),
        previous_difference=_action(
            parent, "previousDifferenceAction", "&Previous difference", "Shift+F3",
            "To the place before where the encodings part", icon="arrow-left",
        ),
        lanes_alone=_action(
            parent, "lanesAloneAction", "&Lanes alone", "F4",
            "Give the lanes the room of the numbers, or give it back", checkable=True,
        ),
        numbers_alone=_action(
            parent, "numbersAloneAction", "N&umbers alone", "Shift+F4",
            "Give the numbers the room of the lanes, or give it back", checkable=True,
        ),
        measure=_action(
            parent, "measureAction", "&Measure files…", "Ctrl+M",
            "Count the tokens of whole files with all encodings",
        ),
        measure_folder=_action(
            parent, "measureFolderAction", "Measure a f&older…", "Ctrl+Shift+M",
            "Count the tokens of all texts of a folder with all encodings",
        ),
        reset_layout=_action(
            parent, "resetLayoutAction", "&Reset the layout", "Ctrl+Shift+R",
            "Put all panels back where they stood at first",
        ),
    )


def _action(
    parent: QWidget,
    name: str,
    text: str,
    keys: str | tuple[str, ...],
    tip: str,
    *,
    icon: str = "",
    checkable: bool = False,
) -> QAction:
    action = QAction(text, parent)
    action.setCheckable(checkable)
    action.setObjectName(name)
    action.setShortcuts([QKeySequence(key) for key in ((keys,) if isinstance(keys, str) else keys)])
    shown = ", ".join(
        key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()
    )
    action.setToolTip(f"{tip} ({shown})" if shown else tip)
    action.setStatusTip(tip)
    if icon:
        action.setIcon(QIcon(str(resource("icons", f"{icon}.svg"))))
    parent.addAction(action)
    return action
