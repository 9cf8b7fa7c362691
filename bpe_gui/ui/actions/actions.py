"""What can be done in the window, as actions with names and keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Annotated, get_type_hints

from PySide6.QtGui import QAction, QIcon, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui.folders import resource
from bpe_gui.ui.actions.action_words import keys_of, say_also, say_why_not


@dataclass(frozen=True)
class Says:
    """What the window says of an action: its name in menus, its keys, and what it is for.

    `why_not` is a sentence on why it is not possible, whenever it is not. `also` are words that
    others may call it by: it is found by them in the list of all actions, and they are not shown.
    """

    text: str
    keys: str | tuple[str, ...]
    tip: str
    icon: str = ""
    checkable: bool = False
    why_not: str = ""
    also: str = ""


@dataclass(frozen=True)
class Actions:
    """The actions of the window. That of the field `save_here` is the object `saveHereAction`,
    for automation, and so on."""

    open: Annotated[QAction, Says(
        "&Open files…", "Ctrl+O", "Open text files as corpus",
        also="load import text data corpus browse read",
    )]
    open_folder: Annotated[QAction, Says(
        "Open &folder…", "Ctrl+Shift+O", "Open all text files of a folder as corpus",
        also="load import directory text data read",
    )]
    save: Annotated[QAction, Says(
        "&Save the tokenizer…", "Ctrl+S",
        "Save what was trained, all of it, as a file that other programs read",
        why_not="There is no run yet.",
        also="export write download keep json hugging face sentencepiece gpt2 "
        "vocab merges",
    )]
    save_here: Annotated[QAction, Says(
        "Save the tokenizer at the c&ursor…", "Ctrl+Shift+S",
        "Save the vocabulary as it is at the cursor",
        why_not="There is no run yet.",
        also="export write keep position step json",
    )]
    export_animation: Annotated[QAction, Says(
        "Export an ani&mation…", "Ctrl+Shift+F",
        "Save a stretch of the run as GIF, WebP or MP4, or as a web page that plays it",
        also="gif mp4 webp video movie film record html player slider",
    )]
    open_session: Annotated[QAction, Says(
        "Open a s&ession…", "Ctrl+J", "Open a session, and see all that it showed",
        also="load restore continue resume bpesession project",
    )]
    save_session: Annotated[QAction, Says(
        "Save the sess&ion", "Ctrl+K",
        "Keep all that is shown: the runs, bookmarks, lanes, the text and the panels",
        also="keep store bpesession project state",
    )]
    save_session_as: Annotated[QAction, Says(
        "Save the session &as…", "Ctrl+Shift+K", "Keep all that is shown in another file",
        also="keep store copy bpesession project",
    )]
    export: Annotated[QAction, Says(
        "&Export…", "Ctrl+Shift+E",
        "Save a panel as a picture or a drawing, a table as CSV, or the text with its tokens",
        also="png svg image picture screenshot snapshot drawing html ansi csv markdown print",
    )]
    quit: Annotated[QAction, Says(
        "&Quit", "Ctrl+Q", "Close the window",
        also="exit close end leave",
    )]
    train: Annotated[QAction, Says(
        "&Train", "F5", "Train until the recipe stops", icon="train",
        why_not="It is being trained, or it is complete.",
        also="run start go begin learn",
    )]
    pause: Annotated[QAction, Says(
        "&Pause", "F6", "Hold the training where it is", icon="pause",
        why_not="Nothing is being trained.",
        also="stop hold wait halt",
    )]
    step: Annotated[QAction, Says(
        "&Step", ("Right", "F7"),
        "The next merge: of those that are done, or at the end a new one", icon="step",
        why_not="The run is at its end, or another one is being trained.",
        also="next forward single merge advance",
    )]
    live: Annotated[QAction, Says(
        "&Live", "Ctrl+L", "Follow the training", checkable=True,
        also="follow tail end",
    )]
    cancel: Annotated[QAction, Says(
        "&Cancel", "Esc", "End the work under way",
        why_not="No work is under way.",
        also="stop abort interrupt escape",
    )]
    play: Annotated[QAction, Says(
        "&Play", "Space", "Replay the merges, or hold them", icon="play",
        why_not="No merge has been done yet.",
        also="replay start animate run watch pause",
    )]
    step_back: Annotated[QAction, Says(
        "Step &back", "Left", "The merge before", icon="step-back",
        why_not="No merge has been done yet.",
        also="undo previous backward rewind last",
    )]
    home: Annotated[QAction, Says(
        "&Home", "Home", "To before the first merge", icon="home",
        why_not="No merge has been done yet.",
        also="start first beginning rewind restart jump",
    )]
    end: Annotated[QAction, Says(
        "&End", "End", "To the last merge", icon="end",
        why_not="No merge has been done yet.",
        also="last finish final jump",
    )]
    faster: Annotated[QAction, Says(
        "&Faster", "Ctrl+Up", "Play faster",
        also="speed quicker quick fast",
    )]
    slower: Annotated[QAction, Says(
        "S&lower", "Ctrl+Down", "Play slower",
        also="speed slow",
    )]
    bookmark: Annotated[QAction, Says(
        "Book&mark", "Ctrl+B",
        "Set a bookmark here, or take it away", icon="bookmark",
        why_not="There is no run yet.",
        also="mark remember favourite favorite",
    )]
    next_bookmark: Annotated[QAction, Says(
        "&Next bookmark", "Ctrl+Right", "To the next bookmark",
        why_not="There is no bookmark.",
        also="mark jump",
    )]
    previous_bookmark: Annotated[QAction, Says(
        "P&revious bookmark", "Ctrl+Left", "To the bookmark before",
        why_not="There is no bookmark.",
        also="mark jump back last",
    )]
    animate: Annotated[QAction, Says(
        "&Animate", "Ctrl+Shift+A",
        "Bars move to their places, or stand there at once; as the desktop wishes until you choose",
        checkable=True,
        also="animation motion reduced movement still transitions",
    )]
    forbid: Annotated[QAction, Says(
        "&Forbid the next merge", "F8",
        "What if the pair that is merged next is forbidden from here on? Trains a branch",
        why_not="There is no run yet, or the next merge is covered.",
        also="ban block disallow what if branch without",
    )]
    force: Annotated[QAction, Says(
        "&Merge the chosen pair instead", "F9",
        "What if the pair chosen in the chart is merged here instead? Trains a branch",
        why_not="There is no run yet, or the next merge is covered.",
        also="what if branch choose other override",
    )]
    next_branch: Annotated[QAction, Says(
        "&Next branch", "Ctrl+Shift+B", "Show the next branch",
        why_not="There is only one branch.",
        also="switch other alternative what if",
    )]
    guess: Annotated[QAction, Says(
        "&Guess the next merge", "Ctrl+G",
        "Cover the next merge, and let the audience guess it", checkable=True,
        also="quiz predict game cover hide audience",
    )]
    explore: Annotated[QAction, Says(
        "&Explore", "Ctrl+1", "Watch a run and walk through it", checkable=True,
        also="watch training workspace tab",
    )]
    compare: Annotated[QAction, Says(
        "&Compare", "Ctrl+2", "Set encodings side by side", checkable=True,
        also="tokenizers side by side lanes workspace tab",
    )]
    laboratory: Annotated[QAction, Says(
        "&Laboratory", "Ctrl+3",
        "Shape what happens before the first merge", checkable=True,
        also="lab recipe pipeline workspace tab experiment",
    )]
    train_recipe: Annotated[QAction, Says(
        "&Train with this recipe", "Ctrl+F5",
        "Train on the corpus with the recipe of the laboratory",
        also="run start own",
    )]
    save_recipe: Annotated[QAction, Says(
        "&Save the recipe…", "Ctrl+Shift+W",
        "Save the recipe of the laboratory as a small file, among your recipes or elsewhere",
        also="keep store settings configuration config json",
    )]
    load_recipe: Annotated[QAction, Says(
        "&Load a recipe…", "Ctrl+Shift+L",
        "Start from the recipe in a file; what you have written is kept",
        also="open settings configuration config json",
    )]
    add_encoding: Annotated[QAction, Says(
        "&Add an encoding", "Ctrl+E", "Add an encoding to those that are compared",
        also="tiktoken hugging face hub gpt gpt4 cl100k o200k llama sentencepiece "
        "tokenizer model lane load",
    )]
    try_again: Annotated[QAction, Says(
        "&Try failed encodings again", "Ctrl+R",
        "Load the encodings once more that could not be had",
        why_not="No encoding has failed.",
        also="retry reload download refresh",
    )]
    next_difference: Annotated[QAction, Says(
        "&Next difference", "F3",
        "To the next place where the encodings part", icon="arrow-right",
        why_not="There is no difference.",
        also="disagree jump",
    )]
    previous_difference: Annotated[QAction, Says(
        "&Previous difference", "Shift+F3",
        "To the place before where the encodings part", icon="arrow-left",
        why_not="There is no difference.",
        also="disagree jump back last",
    )]
    lanes_alone: Annotated[QAction, Says(
        "&Lanes alone", "F4",
        "Give the lanes the room of the numbers, or give it back", checkable=True,
        also="hide numbers only maximize enlarge",
    )]
    numbers_alone: Annotated[QAction, Says(
        "N&umbers alone", "Shift+F4",
        "Give the numbers the room of the lanes, or give it back", checkable=True,
        also="hide lanes only maximize enlarge",
    )]
    measure: Annotated[QAction, Says(
        "&Measure files…", "Ctrl+M",
        "Count the tokens of whole files with all encodings",
        also="benchmark count statistics compression bytes",
    )]
    measure_folder: Annotated[QAction, Says(
        "Measure a f&older…", "Ctrl+Shift+M",
        "Count the tokens of all texts of a folder with all encodings",
        also="benchmark count statistics directory",
    )]
    search_actions: Annotated[QAction, Says(
        "&All actions…", "Ctrl+Shift+P", "Search all that can be done, with its keys, and do it",
        also="command palette find search commands menu",
    )]
    menu_here: Annotated[QAction, Says(
        "&What can be done here", "Shift+F10",
        "Open the menu of what has the keyboard, as the right button does",
        also="context menu popup click",
    )]
    help: Annotated[QAction, Says(
        "&Help", "F1", "Read about the panel that has the keyboard",
        also="manual documentation docs about explain",
    )]
    help_keys: Annotated[QAction, Says(
        "&Keyboard", "Shift+F1", "Read which keys do what",
        also="shortcuts keys hotkeys bindings",
    )]
    next_palette: Annotated[QAction, Says(
        "&Next palette of tokens", "Ctrl+T", "Tell tokens apart by other colours, or by patterns",
        also="colours colors colour color blind switch change scheme pattern",
    )]
    present: Annotated[QAction, Says(
        "&Present", "F11", "Give the panels of your choice the whole screen, or leave it",
        also="full screen fullscreen stage slide show slideshow projector beamer talk",
    )]
    choose_panels: Annotated[QAction, Says(
        "Choose the &panels to present", "Shift+F11",
        "Say which panels have the screen when you present, and where",
        also="stage full screen layout arrange",
    )]
    tour: Annotated[QAction, Says(
        "Guided &tour", "F12",
        "What byte-pair encoding does, page by page, with this window doing it",
        also="tutorial introduction learn lesson guide demo walkthrough start",
    )]
    open_tour: Annotated[QAction, Says(
        "Open a t&our…", "Ctrl+F12", "Take a guided tour that somebody has written",
        also="tutorial lesson load file own",
    )]
    next_page: Annotated[QAction, Says(
        "&Next page", "Alt+Right", "Go on with the tour", icon="arrow-right",
        why_not="No tour is under way.",
        also="tour forward continue",
    )]
    previous_page: Annotated[QAction, Says(
        "&Previous page", "Alt+Left", "Back to what the tour showed before", icon="arrow-left",
        why_not="No tour is under way, or this is its first page.",
        also="tour back last",
    )]
    next_chapter: Annotated[QAction, Says(
        "Next &chapter", "Alt+PgDown", "Go to the next chapter of the tour",
        why_not="No tour is under way, or this is its last chapter.",
        also="tour jump skip forward",
    )]
    previous_chapter: Annotated[QAction, Says(
        "Pre&vious chapter", "Alt+PgUp",
        "Back to the beginning of the tour's chapter, or to the one before",
        why_not="No tour is under way, or this is its first page.",
        also="tour jump skip back last",
    )]
    leave_tour: Annotated[QAction, Says(
        "&Leave the tour", "Shift+F12", "End the tour, and have back what was there before it",
        why_not="No tour is under way.",
        also="end stop exit quit close tutorial",
    )]
    take_up: Annotated[QAction, Says(
        "Ta&ke up what is offered", "Ctrl+Shift+J",
        "Do what the message at the top of the window offers",
        why_not="No message offers anything.",
        also="accept yes reopen restore last state crash recover",
    )]
    dismiss: Annotated[QAction, Says(
        "&Dismiss the message", "Ctrl+Shift+D", "Close the message at the top of the window",
        why_not="There is no message.",
        also="decline no close hide notification warning",
    )]
    larger_text: Annotated[QAction, Says(
        "Lar&ger text", ("Ctrl++", "Ctrl+="), "Write larger in the whole window",
        why_not="Text is as large as it can be.",
        also="zoom in bigger font size magnify enlarge increase scale",
    )]
    smaller_text: Annotated[QAction, Says(
        "S&maller text", "Ctrl+-", "Write smaller in the whole window",
        why_not="Text is as small as it can be.",
        also="zoom out font size shrink decrease reduce scale tiny",
    )]
    plain_text: Annotated[QAction, Says(
        "Te&xt as usual", "Ctrl+0", "Write as large as the desktop asks for",
        also="zoom reset font size normal default 100",
    )]
    forget_choices: Annotated[QAction, Says(
        "Forget all ch&oices", "Ctrl+Shift+Del",
        "Be as at the first start: layout, colours, text size, recent files and all else chosen",
        also="reset settings preferences defaults factory clear options configuration",
    )]
    recall_choices: Annotated[QAction, Says(
        "&Bring back the choices", "Ctrl+Shift+Y", "Bring back the choices that were forgotten",
        why_not="No choices were forgotten since the program began.",
        also="undo restore settings preferences",
    )]
    reset_layout: Annotated[QAction, Says(
        "&Reset the layout", "Ctrl+Shift+R",
        "Put all panels back where they stood at first",
        also="panels windows docks arrange default restore",
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
    shown = keys_of(action)
    say_why_not(action, says.why_not)
    say_also(action, says.also)
    action.setToolTip(f"{says.tip} ({shown})" if shown else says.tip)
    action.setStatusTip(says.tip)
    if says.icon:
        action.setIcon(QIcon(str(resource("icons", f"{says.icon}.svg"))))
    parent.addAction(action)
    return action
