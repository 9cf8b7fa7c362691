"""Every action has a name and a way to it by keyboard, and is found in the list of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QListView,
    QMenu,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.ui.action_words import also_called, keys_of, why_not
from bpe_gui.ui.help.action_search import ActionSearch
from bpe_gui.ui.help.entries import Entry, plain
from bpe_gui.ui.help.matching import Wording, fitting, kind_misfit, misfit
from bpe_gui.ui.help.places import SPOTS
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.workspaces import Place
from tests.ui.widgets import active, child

Opened = Callable[..., MainWindow]
WORDS = st.text(ascii_letters + " ", max_size=12)
WORDINGS = st.builds(Wording, WORDS, WORDS, st.just(""), WORDS, WORDS)


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("words.txt", "low lower lowest newest")
    qtbot.waitUntil(lambda: window.player.history is not None)
    # The laboratory is made when it is first seen.
    window.actions_.laboratory.trigger()
    window.actions_.explore.trigger()
    return active(qtbot, window)


@pytest.fixture
def search(window: MainWindow, qtbot: QtBot) -> ActionSearch:
    window.actions_.search_actions.trigger()
    search = window.helping.search
    qtbot.waitUntil(search.isActiveWindow)
    return search


def in_menus(menu: QWidget) -> Iterator[QAction]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from in_menus(inner)
        elif not action.isSeparator() and action.text() and action.text() != "None so far":
            yield action


def for_people(window: MainWindow) -> list[QAction]:
    """All actions but those that Qt makes for its own widgets, and the lines in menus.

    Of what shows and hides docks and bars only that counts which stands in a menu.
    """
    within_menus = set(in_menus(window.menuBar()))
    bars = [
        bar.toggleViewAction()
        for bar in window.findChildren(QWidget)
        if hasattr(bar, "toggleViewAction")
    ]
    return [
        action
        for action in window.findChildren(QAction)
        if (action not in bars or action in within_menus)
        and action.isVisible()
        and not action.isSeparator()
        and not isinstance(action.menu(), QMenu)
        and not action.objectName().startswith("_q_")
        and action.text()
    ]


def found(search: ActionSearch) -> list[str]:
    model = search.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


# -- the actions themselves -------------------------------------------------------------------


def test_every_action_can_be_reached_by_keyboard_and_is_in_the_list(window: MainWindow) -> None:
    within_menus = set(in_menus(window.menuBar()))
    listed = {entry.name for entry in window.helping.entries()}
    leading = set(window.helping.going.actions)
    by_tab = [
        button
        for button in window.findChildren(QAbstractButton)
        if button.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    for action in for_people(window):
        assert plain(action.text()).strip(), action
        if action in within_menus or isinstance(action.parent(), QMenu):
            assert not action.objectName() or action.objectName() in listed
            continue
        assert action.objectName() in listed, action.text()
        reached = keys_of(action) or action in leading
        is_button = any(
            button.toolTip().startswith(action.text())
            or (isinstance(button, QToolButton) and button.defaultAction() is action)
            for button in by_tab
        )
        assert reached or is_button, action.text()
    assert within_menus, "the menus are filled"
    texts = [entry.wording.text for entry in window.helping.entries()]
    assert all(
        any(plain(action.text()) in text for text in texts) for action in within_menus
    )


def test_entries_have_names_of_their_own(window: MainWindow) -> None:
    names = [entry.name for entry in window.helping.entries()]
    assert len(set(names)) == len(names)


def test_every_action_of_the_window_says_what_it_does(window: MainWindow) -> None:
    for action in vars(window.actions_).values():
        assert action.statusTip(), action.text()
        assert not action.statusTip().endswith("."), action.text()
        assert action.objectName().endswith("Action")


def is_within(outer: QAction, inner: QAction) -> bool:
    """Whether both actions may get a key that is pressed where the inner one works."""
    if outer.shortcutContext() == Qt.ShortcutContext.WindowShortcut:
        return True
    one, other = outer.parent(), inner.parent()
    if one is other:
        return True
    return isinstance(one, QWidget) and isinstance(other, QWidget) and one.isAncestorOf(other)


def test_no_two_actions_share_a_key_in_one_place(window: MainWindow) -> None:
    with_keys = [
        (action, key) for action in for_people(window) for key in action.shortcuts() if key
    ]
    assert len(with_keys) > 30
    for (one, key), (other, same) in combinations(with_keys, 2):
        if one is not other and key.matches(same) == QKeySequence.SequenceMatch.ExactMatch:
            met = is_within(one, other) or is_within(other, one)
            assert not met, f"{one.text()} and {other.text()}: {key.toString()}"


def test_no_key_is_one_that_desktops_and_keyboards_take(window: MainWindow) -> None:
    """With Ctrl and Alt desktops have keys of their own, and Windows writes letters by them."""
    for action in for_people(window):
        for key in action.shortcuts():
            assert "Ctrl+Alt+" not in key.toString(), action.text()
            assert "Meta+" not in key.toString(), action.text()


def test_what_is_greyed_says_why(window: MainWindow) -> None:
    greyed = [entry for entry in window.helping.entries() if entry.hindrance]
    assert greyed
    for entry in greyed:
        assert entry.hindrance.endswith("."), entry
        assert f"Not now: {entry.hindrance}" in entry.spoken
    own = [action for action in vars(window.actions_).values() if not action.isEnabled()]
    assert own
    assert all(why_not(action) for action in own)


# -- finding ------------------------------------------------------------------------------------


def beginnings(said: str) -> list[str]:
    """Each word in all lengths from its first letter on."""
    return [word[:end] for word in said.split() for end in range(1, len(word) + 1)]


@given(WORDINGS, st.data())
def test_words_are_found_by_their_beginnings_in_any_order(
    wording: Wording, data: st.DataObject
) -> None:
    said = [word for part in wording for word in beginnings(part)]
    typed = data.draw(st.lists(st.sampled_from(said), max_size=4) if said else st.just([]))
    assert misfit(" ".join(typed).upper(), wording) is not None
    assert misfit(" ".join(typed), wording) == misfit(" ".join(reversed(typed)), wording)


@given(WORDS.filter(lambda words: len(words.strip()) > 3), WORDINGS)
def test_what_is_forgiven_is_found_the_better_the_fewer_mistakes_there_are(
    typed: str, wording: Wording
) -> None:
    exactly, kindly = misfit(typed, wording), kind_misfit(typed, wording)
    assert exactly is None or kindly is not None
    first = {word[0] for part in wording for word in part.casefold().split()}
    if kindly is not None and wording.keys == "":
        assert all(word[0] in first for word in typed.casefold().split() if len(word) > 3)


@given(WORDS, st.lists(WORDINGS, max_size=8), st.data())
def test_what_fits_better_comes_first_then_what_was_used_last(
    typed: str, wordings: list[Wording], data: st.DataObject
) -> None:
    recent = data.draw(st.lists(st.sampled_from(range(len(wordings))), unique=True)
                       if wordings else st.just([]))  # fmt: skip
    listed = fitting(typed, list(enumerate(wordings)), recent)
    fits = {number: misfit(typed, wording) for number, wording in enumerate(wordings)}
    if all(badly is None for badly in fits.values()):
        fits = {number: kind_misfit(typed, wording) for number, wording in enumerate(wordings)}
    assert sorted(listed) == [number for number, badly in fits.items() if badly is not None]

    def rank(number: int) -> tuple[int | None, int]:
        return fits[number], recent.index(number) if number in recent else len(recent)

    assert [rank(number) for number in listed] == sorted(map(rank, listed))


def test_what_a_name_begins_with_goes_before_what_a_tip_mentions() -> None:
    step = Wording("Step", "Cursor", "Right, F7", "The next merge", "forward")
    back = Wording("Step back", "Cursor", "Left", "The merge before", "undo")
    live = Wording("Live", "Cursor", "Ctrl+L", "Follow it, step by step")
    things = [("live", live), ("back", back), ("step", step)]
    assert fitting("step", things, ()) == ["step", "back", "live"]
    assert fitting("ste", things, ()) == ["step", "back", "live"]
    assert fitting("step", things, ["back"]) == ["step", "back", "live"]
    assert fitting("merge", things, ["step"]) == ["step", "back"]
    assert fitting("ctrl+l", things, ()) == ["live"]
    assert fitting("before cursor", things, ()) == ["back"]
    assert fitting("undo the steps", things, ()) == ["back"]
    assert fitting("forwrad", things, ()) == ["step"]
    assert fitting("sb", things, ()) == []
    assert fitting("", things, ["step"]) == ["step", "live", "back"]


EXPECTED = {
    # Words that are on no menu.
    "zoom": "Larger text",
    "zoom out": "Smaller text",
    "bigger text": "Larger text",
    "font": "Larger text",
    "font size": "Larger text",
    "make the text larger": "Larger text",
    "full screen": "Present",
    "fullscreen": "Present",
    "slide show": "Present",
    "undo": "Step back",
    "rewind": "Home",
    "screenshot": "Export…",
    "svg": "Export…",
    "PNG": "Export…",
    "how do i save a picture": "Export…",
    "gif": "Export an animation…",
    "video": "Export an animation…",
    "mp4": "Export an animation…",
    "dark mode": "Dark",
    "night": "Dark",
    "light theme": "Light",
    "colour blind": "Tokens: Quiet colours",
    "color": "Tokens: Patterns",
    "palette": "Next palette of tokens",
    "reduced motion": "Animate",
    "speed": "Speed: 1 a second",
    "slow": "Slower",
    "tiktoken": "Add an encoding",
    "hugging face": "From the Hugging Face hub…",
    "cl100k": "Add an encoding",
    "shortcuts": "Keyboard",
    "tutorial": "Guided tour",
    "manual": "Help",
    "command palette": "All actions…",
    "preferences": "Forget all choices",
    "factory settings": "Forget all choices",
    "import": "Open files…",
    "exit": "Quit",
    "close": "Quit",
    "quiz": "Guess the next merge",
    "ban": "Forbid the next merge",
    "delete lane": "Remove this lane",
    "sort column": "Sort by the next column",
    # Words that are.
    "save": "Save the tokenizer…",
    "save session": "Save the session",
    "slower": "Slower",
    "export": "Export…",
    "open": "Open files…",
    "train": "Train",
    "start": "Train",
    "step": "Step",
    "back": "Step back",
    "bookmarks": "Bookmark",
    "jump to the end": "End",
    "difference next": "Next difference",
    "layout": "Reset the layout",
    "lowest": "Ties: lowest-id",
    "utf-8": "Encoding: utf-8",
    "gpt4": "Recipe: gpt4",
    "hide vocabulary": "Hide “Vocabulary”",
    # Panels and pages of the help.
    "text": "Text",
    "vocab": "Vocabulary",
    "vocab size": "Corpus and recipe",
    "words": "Words",
    "pairs": "Pair frequencies",
    "language": "Languages",
    "zipf": "Curves",
    "why": "Why this pair",
    "token tree": "The selected token",
    "fertility": "Numbers of each encoding, in a table",
    "regex": "Recipe editor",
    "presenting": "Present",
    "help present": "Help: Presenting",
    "help languages": "Help: Languages",
    # Keys.
    "f5": "Train",
    "Ctrl+S": "Save the tokenizer…",
    "F11": "Present",
    # Mistakes of typing.
    "svae": "Save the tokenizer…",
    "zomm": "Larger text",
    "palete": "Next palette of tokens",
    "full scren": "Present",
    "presnt": "Present",
    "bokmark": "Bookmark",
    "vocabluary": "Vocabulary",
}
"""What is typed, and what is to be found first."""


def test_what_people_call_it_finds_what_they_want(
    window: MainWindow, search: ActionSearch
) -> None:
    first = {}
    for typed in EXPECTED:
        search.field.setText(typed)
        first[typed] = next(iter(found(search)), "")
    assert first == EXPECTED


@pytest.mark.parametrize("typed", ["qwertz", "Forbid the moon", "ont", "tn"])
def test_letters_that_only_happen_to_stand_there_find_nothing(
    window: MainWindow, search: ActionSearch, typed: str
) -> None:
    search.field.setText(typed)
    assert found(search) == []
    assert "Nothing is called that" in search.field.accessibleDescription()


def test_where_nothing_is_called_so_the_pages_that_speak_of_it_are_found(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    search.field.setText("ends before it should")
    pages = found(search)
    assert pages
    assert all(page.startswith("Help: ") for page in pages)
    assert "help speak" in child(search, QLabel, "actionSearchNote").text()
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(window.help_dock.isVisible)
    assert window.helping.manual.shown == "sessions"


def test_everything_in_the_menus_that_can_be_told_by_other_words_is(window: MainWindow) -> None:
    """Who adds an action says what else people call it."""
    for action in vars(window.actions_).values():
        assert also_called(action), action.objectName()
        said = plain(action.text()).casefold().split()
        assert not set(also_called(action).split()) & set(said), action.objectName()


# -- through the window ---------------------------------------------------------------------------


def test_an_action_is_found_and_done_by_keyboard(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    before = window.palette_choice.palette
    qtbot.keyClicks(search.field, "next pal")
    assert found(search)[0] == "Next palette of tokens"
    assert "Ctrl+T" in search.field.accessibleDescription()
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.palette_choice.palette is not before)
    assert not search.isVisible()
    assert search.used[0] == "nextPaletteAction"


def test_what_was_used_last_comes_first(window: MainWindow, qtbot: QtBot) -> None:
    search = window.helping.search
    search.set_used(["quitAction", "gone", "trainAction"])
    window.actions_.search_actions.trigger()
    assert found(search)[:2] == ["Quit", "Train"]
    search.field.setText("step back")
    search.reject()
    window.actions_.search_actions.trigger()
    assert search.field.text() == ""
    assert search.used == ["quitAction", "gone", "trainAction"]
    for nonsense in (None, "quitAction", [1]):
        with pytest.raises(ValueError, match="no list"):
            search.set_used(nonsense)
    assert search.used == ["quitAction", "gone", "trainAction"]


def test_arrows_move_in_the_list_and_escape_closes_it(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    lister = child(search, QListView, "actionSearchList")
    qtbot.keyClick(search.field, Qt.Key.Key_Down)
    qtbot.keyClick(search.field, Qt.Key.Key_Down)
    assert lister.currentIndex().row() == 2
    assert found(search)[2] in search.field.accessibleDescription()
    qtbot.keyClick(search.field, Qt.Key.Key_Up)
    assert lister.currentIndex().row() == 1
    qtbot.keyClick(search.field, Qt.Key.Key_Escape)
    assert not search.isVisible()
    assert search.used == []


def test_what_is_not_possible_is_not_done_and_says_why(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    qtbot.keyClicks(search.field, "next branch")
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    assert search.isVisible()
    assert "only one branch" in search.field.accessibleDescription()
    search.field.setText("qwertz at all")
    assert found(search) == []
    assert "Nothing is called that" in search.field.accessibleDescription()
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    assert search.isVisible()


def test_a_recipe_is_chosen_from_the_list(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    qtbot.keyClicks(search.field, "recipe gpt4")
    assert found(search)[0] == "Recipe: gpt4"
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.controls.preset_box.currentText() == "gpt4")


def test_the_list_goes_when_the_window_is_used_again(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    window.activateWindow()
    qtbot.waitUntil(lambda: not search.isVisible())


def test_each_part_of_the_window_is_gone_to(window: MainWindow, qtbot: QtBot) -> None:
    for spot, action in zip(SPOTS, window.helping.going.actions, strict=True):
        window.actions_.numbers_alone.setChecked(spot.workspace is Place.COMPARE)
        action.trigger()
        widget = child(window, QWidget, spot.name)
        qtbot.waitUntil(widget.isVisible)
        focus = QApplication.focusWidget()
        assert focus is widget or widget.isAncestorOf(focus) or isinstance(focus, QTabBar)
        assert spot.workspace in (None, window.workspaces.shown)


def test_the_list_is_a_dialog_with_names(search: ActionSearch) -> None:
    assert isinstance(search, QDialog)
    for name in (search.windowTitle(), search.field.accessibleName(), search.list.accessibleName()):
        assert name
    entry: Entry = search._model.entry(0)
    spoken = search.list.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == entry.spoken
