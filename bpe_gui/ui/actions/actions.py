"""What can be done in the window, as actions with names and keys."""

# The annotations of `Actions` are objects, not strings to be evaluated when the window is made.
import re
from typing import Annotated

from msgspec import Struct
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.actions.action_words import keys_of, set_disabled_reason, set_keywords
from bpe_gui.ui.actions.icons import icon


class ActionSpec(Struct, frozen=True):
    """What the window says of an action: its name in menus, its keys, and what it is for.

    `disabled_reason` is a sentence on why it is disabled, whenever it is. `keywords` are words by
    which it is found in the command palette as well; they are not shown.
    """

    text: str
    keys: str | tuple[str, ...]
    tip: str
    icon: str = ""
    checkable: bool = False
    disabled_reason: str = ""
    keywords: str = ""


TRAINING, TRAINED = "The recipe is being trained.", "The run is trained to its end."


class Actions(Struct, frozen=True, eq=False):
    """The actions of the window. That of the field `save_here` is the object `saveHereAction`.

    Its keys are here; what it does is connected to `actions.save_here.triggered` where it is done.
    """

    open: Annotated[QAction, ActionSpec(
        "&Open files…", "Ctrl+O", "Open text files as corpus",
        keywords="load import text data corpus browse read",
    )]
    open_folder: Annotated[QAction, ActionSpec(
        "Open &folder…", "Ctrl+Shift+O", "Open all text files of a folder as corpus",
        keywords="load import directory text data read",
    )]
    save: Annotated[QAction, ActionSpec(
        "&Save the tokenizer…", "Ctrl+Shift+S",
        "Save what was trained, all of it, as a file that other programs read",
        disabled_reason="There is no run yet.",
        keywords="export write download keep json hugging face sentencepiece gpt2 "
        "vocab merges",
    )]
    save_here: Annotated[QAction, ActionSpec(
        "Save the tokenizer at the c&ursor…", "Ctrl+K",
        "Save the vocabulary as it is at the cursor",
        disabled_reason="There is no run yet.",
        keywords="export write keep position step json",
    )]
    save_used: Annotated[QAction, ActionSpec(
        "Save the to&kens that the corpus uses…", (),
        "Save an encoding without the tokens that the corpus does not use",
        disabled_reason="A run uses all its tokens, unless it goes on from an encoding.",
        keywords="export write keep smaller cut drop prune trim unused residue json",
    )]
    export_animation: Annotated[QAction, ActionSpec(
        "Export an ani&mation…", "Ctrl+Shift+F",
        "Save part of the run as GIF, WebP or MP4, or as a web page that plays it",
        keywords="gif mp4 webp video movie film record html player slider",
    )]
    open_session: Annotated[QAction, ActionSpec(
        "Open a s&ession…", "Ctrl+J", "Open a session as it was saved",
        keywords="load restore continue resume bpesession project set of lanes encodings",
    )]
    save_session: Annotated[QAction, ActionSpec(
        "Save the sess&ion", "Ctrl+S",
        "Save everything you see: the runs, bookmarks, lanes, the text and the panels",
        keywords="keep store bpesession project state set of lanes encodings",
    )]
    save_session_as: Annotated[QAction, ActionSpec(
        "Save the session &as…", "Ctrl+Shift+K", "Save everything you see in another file",
        keywords="keep store copy bpesession project",
    )]
    export: Annotated[QAction, ActionSpec(
        "&Export…", "Ctrl+Shift+E",
        "Save a panel as a picture or a drawing, a table as CSV, or the text with its tokens",
        keywords="png svg image picture screenshot snapshot drawing html ansi csv markdown print",
    )]
    quit: Annotated[QAction, ActionSpec(
        "&Quit", "Ctrl+Q", "Close the window",
        keywords="exit close end leave",
    )]
    train: Annotated[QAction, ActionSpec(
        "&Train", "F5", "Train until the recipe stops; in the laboratory, the recipe there",
        icon="train", disabled_reason=TRAINED,
        keywords="run start go begin learn",
    )]
    replay: Annotated[QAction, ActionSpec(
        "&Replay after training", "Ctrl+F5",
        "When Train has trained a run, replay it from its start, faster and faster",
        checkable=True,
        keywords="watch play automatic autoplay",
    )]
    runs: Annotated[QAction, ActionSpec(
        "&Runs", "Shift+F5", "Show an earlier run again; a run is one training of a recipe. Nine "
        "are kept, each with a lane in Compare, and longest those that you name or colour",
        disabled_reason="There is no earlier run yet.",
        keywords="earlier past previous former back history undo return list",
    )]
    pause: Annotated[QAction, ActionSpec(
        "&Pause", "F6", "Pause the training", icon="pause",
        disabled_reason="Nothing is being trained.",
        keywords="stop hold wait halt",
    )]
    step: Annotated[QAction, ActionSpec(
        "&Step", ("Right", "F7"),
        "Next merge (trains one more at the end)", icon="step",
        disabled_reason="The run is at its end, or another one is being trained.",
        keywords="next forward single merge advance",
    )]
    go_to: Annotated[QAction, ActionSpec(
        "Go to a &merge…", "Ctrl+Shift+G", "Write the number of the merge to go to",
        disabled_reason="No merge has been done yet.",
        keywords="jump position number seek step timeline",
    )]
    tell_last: Annotated[QAction, ActionSpec(
        "Explain the merge that &just happened", "Ctrl+Shift+I",
        "Explain the last merge instead of the next, in the chart, the words and the reasons",
        checkable=True, disabled_reason="The next merge is being guessed.",
        keywords="last next previous before star card which tense time",
    )]
    live: Annotated[QAction, ActionSpec(
        "&Live", "Ctrl+L", "Follow the training: show the newest merge as soon as it is done",
        checkable=True,
        keywords="follow tail end",
    )]
    cancel: Annotated[QAction, ActionSpec(
        "&Cancel", "Esc", "End the work under way",
        disabled_reason="No work is under way.",
        keywords="stop abort interrupt escape",
    )]
    play: Annotated[QAction, ActionSpec(
        "&Play", "Space", "Play / pause", icon="play",
        disabled_reason="No merge has been done yet.",
        keywords="replay start animate run watch pause",
    )]
    watch: Annotated[QAction, ActionSpec(
        "&Watch it", "Shift+F7", "Replay the run from the start, faster and faster",
        disabled_reason="No merge has been done yet.",
        keywords="play again replay start beginning slowly fast accelerate autoplay",
    )]
    step_back: Annotated[QAction, ActionSpec(
        "Step &back", "Left", "Previous merge", icon="step-back",
        disabled_reason="No merge has been done yet.",
        keywords="undo previous backward rewind last",
    )]
    home: Annotated[QAction, ActionSpec(
        "&Home", "Home", "Go to the start, before the first merge", icon="home",
        disabled_reason="No merge has been done yet.",
        keywords="start first beginning rewind restart jump",
    )]
    end: Annotated[QAction, ActionSpec(
        "&End", "End", "Go to the last merge", icon="end",
        disabled_reason="No merge has been done yet, or the cursor is at the end.",
        keywords="last finish final jump",
    )]
    faster: Annotated[QAction, ActionSpec(
        "&Faster", "Ctrl+Up", "Play faster",
        keywords="speed quicker quick fast",
    )]
    slower: Annotated[QAction, ActionSpec(
        "S&lower", "Ctrl+Down", "Play slower",
        keywords="speed slow",
    )]
    bookmark: Annotated[QAction, ActionSpec(
        "Book&mark", "Ctrl+B",
        "Set a bookmark here, or remove it", icon="bookmark",
        disabled_reason="There is no run yet.",
        keywords="mark remember favourite favorite",
    )]
    next_bookmark: Annotated[QAction, ActionSpec(
        "&Next bookmark", "Ctrl+Right", "Go to the next bookmark",
        disabled_reason="There is no bookmark.",
        keywords="mark jump",
    )]
    previous_bookmark: Annotated[QAction, ActionSpec(
        "P&revious bookmark", "Ctrl+Left", "Go to the previous bookmark",
        disabled_reason="There is no bookmark.",
        keywords="mark jump back last",
    )]
    loop: Annotated[QAction, ActionSpec(
        "L&oop between bookmarks", "Ctrl+Y",
        "Play from one bookmark to the next, again and again", checkable=True,
        disabled_reason="Set two bookmarks first: where the loop begins and where it ends.",
        keywords="repeat again cycle section part play",
    )]
    logarithmic: Annotated[QAction, ActionSpec(
        "Lo&garithmic timeline", "Ctrl+I",
        "Give the first merges more room on the timeline than later ones", checkable=True,
        keywords="log scale linear axis",
    )]
    animate: Annotated[QAction, ActionSpec(
        "&Animate", "Ctrl+Shift+A",
        "Animate bars and merges, or not; at first as the desktop is set",
        checkable=True,
        keywords="animation motion reduced movement still transitions",
    )]
    forbid: Annotated[QAction, ActionSpec(
        "&Forbid the next merge", "F8",
        "What if the pair that is merged next is forbidden from here on? Trains a branch",
        disabled_reason="There is no run yet, or the next merge is being guessed.",
        keywords="ban block disallow what if branch without",
    )]
    force: Annotated[QAction, ActionSpec(
        "Force the &selected pair", "F9",
        "What if the pair chosen in the chart is merged here instead? Trains a branch",
        disabled_reason="There is no run yet, or the next merge is being guessed.",
        keywords="merge instead what if branch choose other override",
    )]
    next_branch: Annotated[QAction, ActionSpec(
        "&Next branch", "Ctrl+Shift+B", "Show the next branch",
        disabled_reason="There is only one branch.",
        keywords="switch other alternative what if",
    )]
    guess: Annotated[QAction, ActionSpec(
        "&Guess the next merge", "Ctrl+G",
        "Hide the next merge, and let the audience guess it", checkable=True,
        keywords="quiz predict game cover hide audience",
    )]
    explore: Annotated[QAction, ActionSpec(
        "&Explore", "Ctrl+1", "Watch a run, merge by merge", checkable=True,
        keywords="watch training workspace tab",
    )]
    compare: Annotated[QAction, ActionSpec(
        "&Compare", "Ctrl+2", "Compare encodings side by side", checkable=True,
        keywords="tokenizers side by side lanes workspace tab",
    )]
    laboratory: Annotated[QAction, ActionSpec(
        "&Laboratory", "Ctrl+3",
        "Change what happens before the first merge", checkable=True,
        keywords="lab recipe pipeline workspace tab experiment",
    )]
    save_recipe: Annotated[QAction, ActionSpec(
        "&Save the recipe…", "Ctrl+Shift+W",
        "Save the recipe of the laboratory as a small file, among your recipes or elsewhere",
        keywords="keep store settings configuration config json",
    )]
    load_recipe: Annotated[QAction, ActionSpec(
        "&Load a recipe…", "Ctrl+Shift+L",
        "Start from the recipe in a file; what you have written is kept",
        keywords="open settings configuration config json",
    )]
    add_encoding: Annotated[QAction, ActionSpec(
        "&Add an encoding", "Ctrl+E", "Add an encoding to those that are compared",
        keywords="tiktoken hugging face hub gpt gpt4 cl100k o200k llama sentencepiece "
        "tokenizer model lane load",
    )]
    try_again: Annotated[QAction, ActionSpec(
        "&Try failed encodings again", "Ctrl+R",
        "Retry failed encodings",
        disabled_reason="No encoding has failed.",
        keywords="retry reload download refresh",
    )]
    next_difference: Annotated[QAction, ActionSpec(
        "&Next difference", "F3",
        "Next difference, with explanation", icon="arrow-right",
        disabled_reason="There is no difference.",
        keywords="disagree jump",
    )]
    previous_difference: Annotated[QAction, ActionSpec(
        "&Previous difference", "Shift+F3",
        "Previous difference, with explanation", icon="arrow-left",
        disabled_reason="There is no difference.",
        keywords="disagree jump back last",
    )]
    lanes_alone: Annotated[QAction, ActionSpec(
        "Maximize &lanes", "F4",
        "Hide the numbers below the lanes, or show them again", checkable=True,
        keywords="alone hide numbers only enlarge",
    )]
    numbers_alone: Annotated[QAction, ActionSpec(
        "Maximize &metrics", "Shift+F4",
        "Hide the lanes above the numbers, or show them again", checkable=True,
        keywords="numbers alone hide lanes only enlarge",
    )]
    measure: Annotated[QAction, ActionSpec(
        "&Measure files…", "Ctrl+M",
        "Count the tokens of whole files with all encodings",
        keywords="benchmark count statistics compression bytes",
    )]
    measure_folder: Annotated[QAction, ActionSpec(
        "Measure a f&older…", "Ctrl+Shift+M",
        "Count the tokens of all texts of a folder with all encodings, together and one by one",
        keywords="benchmark count statistics directory",
    )]
    save_report: Annotated[QAction, ActionSpec(
        "Save a &report…", "Ctrl+P",
        "Save the numbers, differences by cause and suspicious tokens of all encodings as one file",
        keywords="export html markdown share print document",
    )]
    search_actions: Annotated[QAction, ActionSpec(
        "&Command palette…", "Ctrl+Shift+P", "Search all actions, with their keys, and do one",
        keywords="find search commands menu all actions",
    )]
    menu_here: Annotated[QAction, ActionSpec(
        "Conte&xt menu", "Shift+F10",
        "Open the menu of what has the keyboard, as the right button does",
        keywords="popup right click",
    )]
    help: Annotated[QAction, ActionSpec(
        "&Help", "F1", "Read about the panel that has the keyboard",
        keywords="manual documentation docs about explain",
    )]
    help_keys: Annotated[QAction, ActionSpec(
        "&Keyboard", "Shift+F1", "Read which keys do what",
        keywords="shortcuts keys hotkeys bindings",
    )]
    places: Annotated[QAction, ActionSpec(
        "&Where in the corpus", "Ctrl+D",
        "Show where in the corpus the selected token or pair occurs, or else the newest token",
        keywords="concordance find occurrences context kwic places search",
    )]
    next_palette: Annotated[QAction, ActionSpec(
        "&Next palette of tokens", "Ctrl+T", "Tell tokens apart by other colours, or by patterns",
        keywords="colours colors colour color blind switch change scheme pattern",
    )]
    next_colouring: Annotated[QAction, ActionSpec(
        "Next &reason for colours", "Ctrl+Shift+U",
        "Colour tokens by themselves, by age, length or frequency, or only tell them apart",
        keywords="colors heat map age length frequency identity legend",
    )]
    present: Annotated[QAction, ActionSpec(
        "&Present", "F11", "Give the panels of your choice the whole screen, or leave it",
        keywords="full screen fullscreen stage slide show slideshow projector beamer talk",
    )]
    choose_panels: Annotated[QAction, ActionSpec(
        "Choose the &panels to present", "Shift+F11",
        "Say which panels have the screen when you present, and where",
        keywords="stage full screen layout arrange",
    )]
    tour: Annotated[QAction, ActionSpec(
        "Guided &tour", "F12",
        "What byte-pair encoding does, page by page, with this window doing it",
        keywords="tutorial introduction learn lesson guide demo walkthrough start",
    )]
    short_tour: Annotated[QAction, ActionSpec(
        "Tour in te&n minutes", "Ctrl+Shift+F12",
        "The most important pages: counting, merging, and why it matters",
        keywords="tutorial introduction quick short brief overview learn start",
    )]
    open_tour: Annotated[QAction, ActionSpec(
        "Open a t&our…", "Ctrl+F12", "Take a guided tour that somebody has written",
        keywords="tutorial lesson load file own",
    )]
    next_page: Annotated[QAction, ActionSpec(
        "&Next page", "Alt+Right", "Go on with the tour", icon="arrow-right",
        disabled_reason="No tour is under way.",
        keywords="tour forward continue",
    )]
    previous_page: Annotated[QAction, ActionSpec(
        "&Previous page", "Alt+Left", "Back to what the tour showed before", icon="arrow-left",
        disabled_reason="No tour is under way, or this is its first page.",
        keywords="tour back last",
    )]
    next_chapter: Annotated[QAction, ActionSpec(
        "Next &chapter", "Alt+PgDown", "Go to the next chapter of the tour",
        disabled_reason="No tour is under way, or this is its last chapter.",
        keywords="tour jump skip forward",
    )]
    previous_chapter: Annotated[QAction, ActionSpec(
        "Pre&vious chapter", "Alt+PgUp",
        "Back to the beginning of the tour's chapter, or to the one before",
        disabled_reason="No tour is under way, or this is its first page.",
        keywords="tour jump skip back last",
    )]
    leave_tour: Annotated[QAction, ActionSpec(
        "&Leave the tour", "Shift+F12", "End the tour, and have back what was there before it",
        disabled_reason="No tour is under way.",
        keywords="end stop exit quit close tutorial",
    )]
    accept: Annotated[QAction, ActionSpec(
        "Accept the su&ggestion", "Ctrl+Shift+J",
        "Do what the message offers",
        disabled_reason="No message offers anything.",
        keywords="take up yes reopen restore last state crash recover",
    )]
    dismiss: Annotated[QAction, ActionSpec(
        "&Dismiss the message", "Ctrl+Shift+D", "Close the message over the status line",
        disabled_reason="There is no message.",
        keywords="decline no close hide notification warning",
    )]
    larger_text: Annotated[QAction, ActionSpec(
        "Lar&ger text", ("Ctrl++", "Ctrl+="), "Write larger in the whole window",
        disabled_reason="Text is as large as it can be.",
        keywords="zoom in bigger font size magnify enlarge increase scale",
    )]
    smaller_text: Annotated[QAction, ActionSpec(
        "S&maller text", "Ctrl+-", "Write smaller in the whole window",
        disabled_reason="Text is as small as it can be.",
        keywords="zoom out font size shrink decrease reduce scale tiny",
    )]
    plain_text: Annotated[QAction, ActionSpec(
        "&Reset text size", "Ctrl+0", "Write as large as the desktop asks for",
        keywords="zoom normal default usual 100",
    )]
    reset_settings: Annotated[QAction, ActionSpec(
        "Reset all setti&ngs", "Ctrl+Shift+Del",
        "Be as at the first start: layout, colours, text size, recent files and all else chosen",
        keywords="forget choices preferences defaults factory clear options configuration",
    )]
    undo_reset: Annotated[QAction, ActionSpec(
        "&Undo reset", "Ctrl+Shift+Y", "Bring back the settings that were reset",
        disabled_reason="No settings were reset since the program began.",
        keywords="bring back recall choices",
    )]
    reset_layout: Annotated[QAction, ActionSpec(
        "&Reset the layout", "Ctrl+Shift+R",
        "Put all panels back where they stood at first",
        keywords="panels windows docks arrange default restore",
    )]


def make_actions(parent: QWidget) -> Actions:
    """Make all actions as children of the window; nothing is connected yet."""
    specs = {name: kind.__metadata__[0] for name, kind in Actions.__annotations__.items()}
    return Actions(**{name: _action(parent, name, spec) for name, spec in specs.items()})


def _action(parent: QWidget, name: str, spec: ActionSpec) -> QAction:
    action = QAction(spec.text, parent, checkable=spec.checkable, statusTip=spec.tip)
    camel_case = re.sub("_(.)", lambda match: match[1].upper(), name)
    action.setObjectName(f"{camel_case}Action")
    keys = (spec.keys,) if isinstance(spec.keys, str) else spec.keys
    action.setShortcuts([QKeySequence(key) for key in keys])
    shown = keys_of(action)
    set_disabled_reason(action, spec.disabled_reason)
    set_keywords(action, spec.keywords)
    action.setToolTip(f"{spec.tip} ({shown})" if shown else spec.tip)
    if spec.icon:
        action.setIcon(icon(spec.icon))
    parent.addAction(action)
    return action
