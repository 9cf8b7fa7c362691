"""A session of one window opened in another: it shows the same, and nothing is trained."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QTabBar, QTableView, QTabWidget
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe.recipe import Recipe, preset
from bpe_gui.bpe.recipe_draft import RecipeDraft
from bpe_gui.sessions import (
    CorpusReference,
    FollowingLane,
    KeptBranch,
    NamedLane,
    RunLane,
    Session,
)
from bpe_gui.sessions.reading import from_bytes
from bpe_gui.sessions.writing import to_bytes
from bpe_gui.ui.keeping.capturing import capture
from bpe_gui.ui.keeping.restoring import restore
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.panels.guess import GuessPanel
from bpe_gui.ui.panels.token_view import TokenView
from bpe_gui.ui.text_size import Zoom
from bpe_gui.ui.training import Phase, Training
from bpe_gui.ui.workspaces import Place
from tests.sessions.made import four_words, trained
from tests.sessions.test_refusing import entries_of, packed
from tests.ui.pace import Rations
from tests.ui.widgets import child

Opened = Callable[..., MainWindow]
TEXT = "the cat sat on the mat and the hat that the rat had\n" * 50


def finished(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    at_rest(qtbot, window)


def at_rest(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.workspace.clock.isActive())


def taken(window: MainWindow) -> Session:
    """The session of a window, through the bytes of its file."""
    session = capture(window)
    assert session is not None
    return from_bytes(to_bytes(session))


@pytest.fixture
def second(qtbot: QtBot) -> Iterator[MainWindow]:
    """Another window, as it opens by itself."""
    _, window = app.create()
    qtbot.waitUntil(lambda: window.player.history is not None)
    yield window
    window.close()
    window.deleteLater()


def never_train(monkeypatch: pytest.MonkeyPatch) -> None:
    """To train is an error from now on."""

    def prepare(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a session is opened without training")

    monkeypatch.setattr(Training, "prepare", prepare)


@dataclass(frozen=True)
class Facts:
    """What there is to be seen in a window, whichever workspace it shows."""

    title: str
    status: str
    branches: tuple[tuple[str, int], ...]
    shown: str
    position: int
    live: bool
    bookmarks: tuple[tuple[int, str], ...]
    recipe: Recipe
    speed: float
    theme: str
    palette: str
    token: int
    lanes: tuple[tuple[str, bool, bool], ...]
    text: str
    hidden: frozenset[str]
    chosen: tuple[tuple[str, object], ...]


def facts_of(window: MainWindow) -> Facts:
    player, shown = window.player, window.branches.shown
    assert shown is not None
    place = window.workspaces.shown
    window.workspaces.explore()
    docks = window.workspace.docks.items()
    facts = Facts(
        window.windowTitle(),
        window.status.text,
        tuple((branch.name, len(branch.history)) for branch in window.branches.all),
        shown.name,
        player.position,
        player.live,
        tuple((mark.position, mark.name) for mark in player.bookmarks),
        window.controls.recipe(),
        player.speed,
        window.theme.name,
        window.palette_choice.palette.name,
        window.workspace.token,
        tuple((lane.name, lane.follows, lane.step) for lane in window.compare.comparison.lanes),
        window.text_panel.text(),
        frozenset(name for name, dock in docks if dock.isHidden()),
        tuple(
            (name, choice)
            for name, choice in sorted(window.view_choices.taken().items())
            if not name.endswith("Splitter")
        ),
    )
    window.workspaces.show_place(place)
    return facts


@dataclass(frozen=True)
class Recorded:
    """Files of sessions of one window in each workspace, and what there was to be seen."""

    files: dict[Place, bytes]
    facts: Facts

    def session(self, place: Place = Place.EXPLORE) -> Session:
        return from_bytes(self.files[place])


_recorded: list[Recorded] = []
"""Made once: it takes a training or two."""


@pytest.fixture
def recorded(qtbot: QtBot, opened: Opened) -> Recorded:
    """A window with a branch, bookmarks, lanes, a text, a selected token and another look."""
    if _recorded:
        return _recorded[0]
    window = opened("story.txt", TEXT, "--start")
    finished(qtbot, window)
    window.player.add_bookmark(4)
    window.player.rename_bookmark(4, "here")
    window.player.scrub(5)
    window.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(window.branches.all) == 2)
    finished(qtbot, window)
    window.player.scrub(7)
    window.text_panel.set_text("the rat 🐀")
    window.workspace.select_token(260)
    window.compare.comparison.at_positions([3])
    window.player.set_speed(20.0)
    next(a for a in window.theme_actions.actions() if a.data() == "light").trigger()
    window.palette_choice.choose("patterns")
    window.workspace.docks["curvesDock"].raise_()
    window.workspace.docks["treeDock"].hide()
    child(window.curves.board, QTabBar, "curveTabs").setCurrentIndex(2)
    child(window, QLineEdit, "vocabularySearch").setText("at")
    child(window, QLineEdit, "wordsSearch").setText("at")
    child(window, QComboBox, "wordsOrder").setCurrentIndex(1)
    header = child(window, QTableView, "vocabularyTable").horizontalHeader()
    header.setSortIndicator(1, Qt.SortOrder.DescendingOrder)
    child(window.compare, QTabWidget, "numbersTabs").setCurrentIndex(1)
    child(window.laboratory.bench, QTabWidget, "laboratoryTabs").setCurrentIndex(1)
    at_rest(qtbot, window)
    files = {}
    for place in Place:
        window.workspaces.show_place(place)
        session = capture(window)
        assert session is not None
        files[place] = to_bytes(session)
    _recorded.append(Recorded(files, facts_of(window)))
    return _recorded[0]


@pytest.mark.parametrize("place", list(Place))
def test_what_was_shown_is_shown_at_once(
    recorded: Recorded,
    second: MainWindow,
    qtbot: QtBot,
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    never_train(monkeypatch)
    restore(second, recorded.session(place))
    assert second.workspaces.shown is place
    facts = facts_of(second)
    assert facts == recorded.facts
    # And these are as they were made.
    assert (facts.position, facts.bookmarks, facts.token) == (7, ((4, "here"),), 260)
    assert (facts.speed, facts.theme, facts.text) == (20.0, "light", "the rat 🐀")
    assert facts.palette == "patterns"
    assert second.theme.token_fills.patterns
    assert "treeDock" in facts.hidden
    chosen = dict(facts.chosen)
    assert (chosen["curveTabs"], chosen["wordsOrder"], chosen["numbersTabs"]) == (2, 1, 1)
    assert (chosen["vocabularySearch"], chosen["vocabularyTable"]) == ("at", [1, True])
    second.workspaces.explore()
    at_rest(qtbot, second)
    assert not second.workspace.docks["curvesDock"].visibleRegion().isEmpty()
    assert child(second, QLabel, "textCounts").text().startswith("9\xa0characters")
    assert not second.message_bar.isVisible()


def test_a_session_of_a_session_is_the_same(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    session = recorded.session()
    restore(second, session)
    at_rest(qtbot, second)
    again = taken(second)
    assert again.corpus == session.corpus
    assert (again.shown, again.position, again.text) == (
        session.shown, session.position, session.text,
    )
    assert [b.bookmarks for b in again.branches] == [b.bookmarks for b in session.branches]
    kinds = [[type(lane) for lane in made.lanes or ()] for made in (again, session)]
    assert kinds[0] == kinds[1]


def test_an_unfinished_run_is_trained_on_though_its_corpus_is_gone(
    opened: Opened, second: MainWindow, qtbot: QtBot, rations: Rations, tmp_path: Path
) -> None:
    rations.merges = 6
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.player.end == 6)
    session = taken(window)
    (tmp_path / "story.txt").unlink()
    restore(second, session)
    assert len(session.branches[0].history) == second.player.end == 6
    assert second.status.text.startswith("Merge 6:")
    rations.merges = 1000
    second.actions_.train.trigger()
    finished(qtbot, second)
    assert second.player.end > 6
    assert second.message_bar.text == ""
    shown = second.branches.shown
    assert shown is not None
    assert shown.history.left[:6].tolist() == session.branches[0].history.left.tolist()


def test_a_branch_of_a_session_can_be_begun(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    restore(second, recorded.session())
    second.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: len(second.branches.all) == 3)
    finished(qtbot, second)
    assert second.player.position == 7
    assert len(second.branches.all[2].history.interventions) == 2


def test_a_session_takes_the_place_of_what_is_being_read(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    session = recorded.session()
    second.controls.corpus_box.setCurrentIndex(second.controls.corpus_box.findData("scripts"))
    restore(second, session)
    assert second.player.position == 7
    # The clock that clears the view of a run that does not come has run out by then.
    with qtbot.waitSignal(second.run_control._clearing.timeout):
        second.run_control._clearing.start()
    assert second.player.position == 7
    assert second.branches.shown is second.branches.all[1]


def test_lanes_come_back_and_nothing_is_fetched(second: MainWindow, qtbot: QtBot) -> None:
    session = from_bytes(to_bytes(four_words(layout={})))
    session = replace(session, lanes=(*(session.lanes or ()), NamedLane("model", "hub:no/such")))
    restore(second, session)
    comparison = second.compare.comparison
    references = session.lanes
    assert references is not None
    assert [lane.follows for lane in comparison.lanes] == [
        isinstance(reference, FollowingLane) for reference in references
    ]
    for lane, reference in zip(comparison.lanes, references, strict=True):
        if isinstance(reference, RunLane):
            assert lane.name == reference.name
    qtbot.waitUntil(lambda: not second.compare.loader.busy)
    last = comparison.lanes[-1]
    assert last.failed
    assert last.status == "Model is not on this computer; try again to fetch it."
    said = "is not on this computer; try again to fetch it"
    qtbot.waitUntil(lambda: said in second.message_bar.text)
    restore(second, four_words())
    assert said not in second.message_bar.text


def test_a_preset_and_a_recipe_of_ones_own_are_chosen_again(
    second: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_train(monkeypatch)
    restore(second, four_words())
    assert second.controls.preset_box.currentData() == "whitespace"
    assert second.controls.vocabulary_size == 20
    assert second.controls.corpus_box.currentData() == "four-words"
    made = four_words()
    recipe = made.recipe.with_changes(name="mine", min_frequency=0, vocabulary_size=None)
    run = trained(made.words, recipe, 3)
    branches = (KeptBranch("Original", run),)
    restore(second, four_words(recipe=recipe, branches=branches, shown=0, lanes=None))
    assert second.controls.preset_box.currentText() == "mine"
    assert second.controls.recipe() == recipe
    assert second.branches.chosen == recipe


def test_a_recipe_that_is_being_written_comes_back(
    recorded: Recorded, second: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    session = recorded.session()
    draft = RecipeDraft(preset("gpt4")).with_changes(name="of the talk", split="regex:(half")
    restore(second, replace(session, layout={}))
    assert capture(second).layout["draft"] is None
    second.laboratory.go_on_with(draft)
    session = taken(second)
    # A window that has its own draft, and one in which nobody has looked at the laboratory.
    for window in (second, app.create()[1]):
        if window is second:
            window.laboratory.bench.editor.drafts.change({"name": "my own"})
        restore(window, session)
        assert window.laboratory.draft == draft
        window.workspaces.laboratory()
        assert window.laboratory.bench.editor.draft == draft
        assert child(window, QLineEdit, "recipeNameEdit").text() == "of the talk"
        assert taken(window).layout["draft"] == session.layout["draft"]
    assert [aside.name for aside in second.laboratory.bench.editor.drafts.aside] == ["my own"]
    window.close()
    window.deleteLater()


def test_what_was_to_be_guessed_is_to_be_guessed_again(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    plain = recorded.session()
    restore(second, plain)
    assert not second.actions_.guess.isChecked()
    second.actions_.guess.trigger()
    guessing = taken(second)
    second.actions_.guess.trigger()
    restore(second, guessing)
    at_rest(qtbot, second)
    assert second.actions_.guess.isChecked()
    assert second.player.position == 7
    restore(second, plain)
    assert not second.actions_.guess.isChecked()


def test_recipes_in_lockstep_and_what_was_guessed_come_back(
    recorded: Recorded,
    second: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    restore(second, recorded.session())
    bench = second.laboratory.bench
    lockstep, guess = bench.lockstep, second.workspace.guess
    bench.tabs.setCurrentWidget(lockstep)
    lockstep.train_presets("whitespace", "raw")
    runs = lockstep.runs
    qtbot.waitUntil(lambda: runs.shown != () and not (runs.busy or runs.comparing))
    lockstep.chart.zoom(3, 0)
    zoomed = lockstep.chart.zoomed
    assert zoomed > 1.5
    sentence = child(lockstep, QLabel, "lockstepSentence").text()
    shown = second.branches.shown
    assert shown is not None
    second.actions_.guess.trigger()
    for position, index in ((7, 0), (3, 1), (4, None)):
        second.player.scrub(position)
        at_rest(qtbot, second)
        guess.reveal() if index is None else guess.choose(index)
    score = score_of(guess)
    assert score[1] == "2"
    given = guess.given(shown.history)
    assert [position for position, _ in given] == [7, 3, 4]
    session = taken(second)
    assert [run.recipe.name for run in session.lockstep] == ["whitespace", "raw"]
    # Somebody who has chosen nothing yet, and so begins outside the laboratory.
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "chosen by nobody"))
    third = app.create()[1]
    qtbot.waitUntil(lambda: third.player.history is not None)
    never_train(monkeypatch)
    for window in (second, third):
        restore(window, four_words(layout={}, lockstep=()))
        assert window.laboratory.lockstep == ()
        restore(window, session)
        # Also for who has not looked at the laboratory yet.
        assert window.laboratory.has_bench is (window is second)
        again = window.laboratory.bench.lockstep
        qtbot.waitUntil(lambda panel=again: panel.chart.lockstep is not None)
        assert child(again, QLabel, "lockstepSentence").text() == sentence
        assert child(again, QComboBox, "secondRecipe").currentText() == "raw"
        assert again.chart.zoomed == pytest.approx(zoomed)
        qtbot.waitUntil(lambda made=window: made.workspace.clock.isActive() is False)
        assert score_of(window.workspace.guess) == score
        branch = window.branches.shown
        assert branch is not None
        assert window.workspace.guess.given(branch.history) == given
        assert taken(window).lockstep[1].equals(session.lockstep[1])
    third.close()
    third.deleteLater()


def test_what_was_never_offered_was_not_guessed(second: MainWindow) -> None:
    made = four_words()
    run = made.branches[0].history
    right, *_ = zip(run.top(0).left.tolist(), run.top(0).right.tolist(), strict=True)
    guesses = ((0, right), (1, (10**6, 0)), (2, None), (99, None), (10**6, (1, 2)))
    restore(second, four_words(branches=(KeptBranch("Original", run, (), guesses),), shown=0))
    assert second.workspace.guess.given(run) == ((0, right), (2, None))
    assert score_of(second.workspace.guess) == ["1", "1"]


def score_of(guess: GuessPanel) -> list[str]:
    """How many answers are right, and how many there are, however there is room to say it."""
    return re.findall(r"\d+", child(guess, QLabel, "guessScore").text())


def test_a_text_is_scrolled_to_where_it_was(
    second: MainWindow, opened: Opened, qtbot: QtBot
) -> None:
    window = opened("story.txt", TEXT, "--start")
    finished(qtbot, window)
    window.text_panel.set_text("the cat sat on the mat\n" * 300)
    at_rest(qtbot, window)
    bar = child(window, TokenView, "tokenView").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 2_000)
    bar.setValue(1_000)
    again = child(second, TokenView, "tokenView").verticalScrollBar()
    restore(second, taken(window))
    place = 1_000 / bar.maximum()
    qtbot.waitUntil(lambda: again.maximum() > 2_000)
    qtbot.waitUntil(lambda: abs(again.value() / again.maximum() - place) < 0.01)


_ZOOMED = ("textZoom", "laneZoom", "pipelineZoom", "slopeChart")
_ODD_ZOOMS = (
    *(None, True, 0, -1, -1e300, 1e300, 10**40, 5e-324, "2", [], [1.5], ["x", 1, 2], [0, 0, 0]),
    *([-1.0, 0, 0], [10**40, 0, 0], [1e300, 1, 2], [5e-324, 5, 5], [1.5, 5, 3], [1.5, -1, 3]),
)


def test_what_is_written_larger_comes_back(second: MainWindow, recorded: Recorded) -> None:
    names = ("textZoom", "laneZoom", "pipelineZoom")
    assert second.laboratory.bench is not None
    zooms = [child(second, Zoom, name) for name in names]
    plain = zooms[0].factor
    for steps, zoom in enumerate(zooms, 1):
        zoom.zoom(steps)
    larger = [zoom.factor for zoom in zooms]
    view = child(second, TokenView, "tokenView")
    size = view.font().pointSizeF()
    session = taken(second)
    restore(second, recorded.session())
    second.view_choices.choose_first()
    assert [zoom.factor for zoom in zooms] == [plain] * 3
    assert view.font().pointSizeF() < size
    restore(second, session)
    assert [zoom.factor for zoom in zooms] == pytest.approx(larger)
    assert view.font().pointSizeF() == pytest.approx(size)


def test_any_layout_does_no_harm(
    second: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_train(monkeypatch)
    for layout in (
        {},
        {"workspace": 7, "docks": 7, "theme": [], "speed": "x", "token": 10**9, "compared": []},
        {"workspace": "NOWHERE", "docks": [{}], "theme": "none", "speed": -1, "token": -5},
        {"choices": {"wordsSearch": 1, "curveTabs": 99, "vocabularyTable": ["x", 1]}},
        {"choices": {"compareSplitter": [-1, 2, 10**9], "wordsOrder": "z"}},
        {"choices": {"numbersTabs": True, "vocabularySearch": "x" * 10_000}},
        {"docks": [{"area": 0, "size": [1, 1], "group": {"items": []}}], "choices": []},
        {"choices": {"laneView": [5, 10**12], "tokenView": [1, 0], "lanes_alone": "x"}},
        {"choices": {"lockstepSizeBox": 10**9, "firstRecipe": "x", "wallDraftButton": 1}},
        *({"choices": dict.fromkeys(_ZOOMED, value)} for value in _ODD_ZOOMS),
        {"speed": None, "palette": 3, "word": 7},
        {"palette": "none such", "guessing": 1},
        *({"draft": draft} for draft in (7, {}, [], {"base": {}, "changes": 1}, "x")),
        {"compared": {"source": "x", "text": 1}, "specials_as_text": "yes"},
    ):
        restore(second, four_words(layout=layout))
        assert second.player.position == 3


def test_standard_input_is_not_read_again(second: MainWindow) -> None:
    reference = CorpusReference("standard input", ("-",))
    restore(second, four_words(corpus=reference))
    assert second.controls.corpus_box.currentText() == "standard input"
    with pytest.raises(ValueError, match="standard input can be read only once"):
        next(second.controls.corpus().blocks())


def test_a_run_that_is_not_that_of_its_words_does_no_harm(
    second: MainWindow, qtbot: QtBot
) -> None:
    """All that can be told without training agrees; only the words say something else."""
    made = four_words(shown=0, position=4, lanes=None, layout={})
    entries = entries_of(to_bytes(made))
    text = entries["words/text.npy"].replace(b"newestwidest", b"tsewentsediw")
    assert text != entries["words/text.npy"]
    entries["words/text.npy"] = text
    session = from_bytes(packed(entries))
    restore(second, session)
    for dock in second.workspace.docks.values():
        dock.raise_()
        for position in (0, 2, 4, second.player.end):
            second.player.scrub(position)
            second.workspace.select_token(position + 5)
            at_rest(qtbot, second)
    for place in Place:
        second.workspaces.show_place(place)
        at_rest(qtbot, second)
    second.workspaces.explore()
    second.workspace.docks["wordsDock"].raise_()
    table = child(second, QTableView, "wordsTable")
    qtbot.waitUntil(lambda: table.model().rowCount() == 4)
    second.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: not second.training.busy)
    at_rest(qtbot, second)
