"""What is typed finds the actions that are meant, also by words that are on no menu."""

from __future__ import annotations

from string import ascii_letters

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.ui.actions.action_words import keywords_of
from bpe_gui.ui.help.action_search import ActionSearch
from bpe_gui.ui.help.entries import plain
from bpe_gui.ui.help.matching import Wording, fitting, misfit
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.driving import child
from tests.ui.help.searched_actions import found
from tests.ui.in_turn import InTurn, explore_again

WORDS = st.text(ascii_letters + " ", max_size=12)
WORDINGS = st.builds(Wording, WORDS, WORDS, st.just(""), WORDS, WORDS)


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
    exactly, kindly = misfit(typed, wording), misfit(typed, wording, kindly=True)
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
        fits = {n: misfit(typed, wording, kindly=True) for n, wording in enumerate(wordings)}
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
    "undo": "Undo reset",
    "rewind": "Home",
    "screenshot": "Export…",
    "svg": "Export…",
    "PNG": "Export…",
    "how do i save a picture": "Export…",
    "gif": "Export an animation…",
    "video": "Export an animation…",
    "mp4": "Export an animation…",
    "dark mode": "Colours: Dark",
    "night": "Colours: Dark",
    "light theme": "Colours: Light",
    "colour blind": "Tokens: Quiet colours",
    "color": "Tokens: Patterns",
    "palette": "Command palette…",
    "reduced motion": "Animate",
    "speed": "Speed: Ever faster",
    "slow": "Slower",
    "tiktoken": "Add an encoding",
    "hugging face": "From the Hugging Face hub…",
    "cl100k": "Add an encoding",
    "shortcuts": "Keyboard",
    "tutorial": "Guided tour",
    "manual": "Help",
    "command palette": "Command palette…",
    "preferences": "Reset all settings",
    "factory settings": "Reset all settings",
    "import": "Open files…",
    "exit": "Quit",
    "close": "Quit",
    "quiz": "Guess the next merge",
    "ban": "Forbid the next merge",
    "delete lane": "Remove this lane",
    "sort column": "Sort by the next column",
    # Words that are.
    "save": "Save the session",
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
    "text": "Your text",
    "vocab": "Vocabulary",
    "vocab size": "Corpus and recipe",
    "words": "Words",
    "pairs": "Pair frequencies",
    "language": "Languages and other texts",
    "zipf": "Curves",
    "why": "Why this pair",
    "token tree": "The selected token",
    "fertility": "Numbers of each encoding, in a table",
    "regex": "Recipe editor",
    "presenting": "Present",
    "help present": "Help: Presenting",
    "help languages": "Help: Languages and other texts",
    # Keys.
    "f5": "Train",
    "Ctrl+S": "Save the session",
    "F11": "Present",
    # Mistakes of typing.
    "svae": "Save the session",
    "zomm": "Larger text",
    "palete": "Command palette…",
    "full scren": "Present",
    "presnt": "Present",
    "bokmark": "Bookmark",
    "vocabluary": "Vocabulary",
}
"""What is typed, and what is to be found first."""


def check_what_people_call_it_finds_what_they_want(
    window: MainWindow, search: ActionSearch
) -> None:
    first = {}
    for typed in EXPECTED:
        search.field.setText(typed)
        first[typed] = next(iter(found(search)), "")
    assert first == EXPECTED


def check_letters_that_only_happen_to_stand_there_find_nothing(
    window: MainWindow, search: ActionSearch
) -> None:
    for typed in ("qwertz", "Forbid the moon", "ont", "tn"):
        search.field.clear()
        assert found(search) != []
        search.field.setText(typed)
        assert found(search) == [], typed
        assert "No matches." in search.field.accessibleDescription()


def check_where_nothing_is_called_so_the_pages_that_speak_of_it_are_found(
    window: MainWindow, search: ActionSearch, qtbot: QtBot
) -> None:
    search.field.setText("autosaved program crashes")
    pages = found(search)
    assert pages
    assert all(page.startswith("Help: ") for page in pages)
    assert "help mention" in child(search, QLabel, "actionSearchNote").text()
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(window.help_dock.isVisible)
    assert window.helping.shown == "sessions"


def check_everything_in_the_menus_that_can_be_told_by_other_words_is(window: MainWindow) -> None:
    """Who adds an action says what else people call it."""
    for action in asdict(window.actions_).values():
        assert keywords_of(action), action.objectName()
        said = plain(action.text()).casefold().split()
        assert not set(keywords_of(action).split()) & set(said), action.objectName()


def test_what_is_found(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_what_people_call_it_finds_what_they_want,
        check_letters_that_only_happen_to_stand_there_find_nothing,
        check_where_nothing_is_called_so_the_pages_that_speak_of_it_are_found,
        check_everything_in_the_menus_that_can_be_told_by_other_words_is,
    )
