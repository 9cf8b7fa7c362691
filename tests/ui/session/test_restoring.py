"""A session of one window opened in another: it shows the same, and nothing is trained."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTabBar, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.sessions import CorpusReference
from bpe_gui.sessions.file import from_bytes, to_bytes
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.session.snapshot import restore
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.text_size import Zoom
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.sessions.damaged import entries_of, packed
from tests.sessions.made import four_words
from tests.ui.driving import child
from tests.ui.in_turn import InTurn
from tests.ui.session.recorded_sessions import (
    TEXT,
    Opened,
    Recorded,
    at_rest,
    facts_of,
    finished,
    never_train,
    taken,
)


def check_what_was_shown_in(
    recorded: Recorded,
    second: MainWindow,
    qtbot: QtBot,
    place: WorkspaceId,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    never_train(monkeypatch)
    restore(second.context, recorded.session(place))
    assert second.workspaces.shown is place
    facts = facts_of(second)
    assert facts == recorded.facts
    # And these are as they were made.
    assert (facts.position, facts.bookmarks, facts.token) == (7, ((4, "here"),), 260)
    assert (facts.speed, facts.theme, facts.text) == (20.0, "light", "the rat 🐀")
    assert (facts.palette, facts.coloured_by, facts.tells_last) == ("patterns", "length", True)
    assert second.theme_choice.theme.token_fills.patterns
    chosen = dict(facts.chosen)
    assert (chosen["curveTabs"], chosen["wordsOrder"], chosen["numbersTabs"]) == (2, 1, 1)
    assert (chosen["vocabularySearch"], chosen["vocabularyTable"]) == ("at", [1, True])
    assert chosen["vocabularyFilter"] == ["regex", "space"]
    second.workspaces.explore()
    at_rest(qtbot, second)
    assert child(second, QLabel, "textCounts").text().startswith("9\xa0characters")
    assert not second.message_bar.isVisible()


def check_what_was_shown_is_shown_at_once(
    recorded: Recorded, second: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in list(WorkspaceId):
        check_what_was_shown_in(recorded, second, qtbot, place, monkeypatch)


def check_a_session_of_a_session_is_the_same(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    session = recorded.session()
    restore(second.context, session)
    at_rest(qtbot, second)
    again = taken(second)
    assert again.corpus == session.corpus
    assert (again.shown, again.position, again.text) == (
        session.shown, session.position, session.text,
    )
    assert [b.bookmarks for b in again.branches] == [b.bookmarks for b in session.branches]
    kinds = [[type(lane) for lane in made.lanes or ()] for made in (again, session)]
    assert kinds[0] == kinds[1]


def check_a_session_takes_the_place_of_what_is_being_read(
    recorded: Recorded, second: MainWindow, qtbot: QtBot
) -> None:
    session = recorded.session()
    second.controls.corpus_box.setCurrentIndex(second.controls.corpus_box.findData("scripts"))
    restore(second.context, session)
    assert second.player.position == 7
    assert second.branches.shown is second.branches.all[1]


def check_a_text_is_scrolled_to_where_it_was(
    second: MainWindow, opened: Opened, qtbot: QtBot
) -> None:
    window = opened("story.txt", TEXT, "--start")
    finished(qtbot, window)
    window.sample_text.set("the cat sat on the mat\n" * 300)
    at_rest(qtbot, window)
    bar = child(window, TokenView, "tokenView").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 2_000)
    bar.setValue(1_000)
    again = child(second, TokenView, "tokenView").verticalScrollBar()
    restore(second.context, taken(window))
    place = 1_000 / bar.maximum()
    qtbot.waitUntil(lambda: again.maximum() > 2_000)
    qtbot.waitUntil(lambda: abs(again.value() / again.maximum() - place) < 0.01)
    window.close()


def test_panels_that_nobody_has_seen_are_neither_made_nor_recorded(
    qtbot: QtBot, opened: Opened, second: MainWindow
) -> None:
    """What a session says nothing of is as in a new window."""
    window = opened("story.txt", TEXT, "--start")
    window.after_first_frame.close()
    finished(qtbot, window)
    unseen = [name for name in ("curves", "branches") if not window.explore.has_panel(name)]
    assert "curves" in unseen
    session = taken(window)
    restore(window.context, session)
    assert not any(map(window.explore.has_panel, unseen))
    tabs = child(second, QTabBar, "curveTabs")
    tabs.setCurrentIndex(2)
    restore(second.context, session)
    assert tabs.currentIndex() == 0


_ZOOMED = ("textZoom", "laneZoom", "pipelineZoom", "slopeChart")
_ODD_ZOOMS = (
    *(None, True, 0, -1, -1e300, 1e300, 10**40, 5e-324, "2", [], [1.5], ["x", 1, 2], [0, 0, 0]),
    *([-1.0, 0, 0], [10**40, 0, 0], [1e300, 1, 2], [5e-324, 5, 5], [1.5, 5, 3], [1.5, -1, 3]),
)


def check_what_is_written_larger_comes_back(second: MainWindow, recorded: Recorded) -> None:
    names = ("textZoom", "laneZoom", "pipelineZoom")
    assert second.laboratory.view is not None
    zooms = [child(second, Zoom, name) for name in names]
    plain = zooms[0].factor
    for steps, zoom in enumerate(zooms, 1):
        zoom.zoom(steps)
    larger = [zoom.factor for zoom in zooms]
    view = child(second, QPlainTextEdit, "sampleText")
    size = view.font().pointSizeF()
    session = taken(second)
    restore(second.context, recorded.session())
    second.view_state.set_values({})
    assert [zoom.factor for zoom in zooms] == [plain] * 3
    assert view.font().pointSizeF() < size
    restore(second.context, session)
    assert [zoom.factor for zoom in zooms] == pytest.approx(larger)
    assert view.font().pointSizeF() == pytest.approx(size)


def check_any_layout_does_no_harm(
    second: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_train(monkeypatch)
    for layout in (
        {},
        {"workspace": 7, "docks": 7, "theme": [], "speed": "x", "token": 10**9, "compared": []},
        {"workspace": "NOWHERE", "docks": [{}], "theme": "none", "speed": -1, "token": -5},
        {"choices": {"wordsSearch": 1, "curveTabs": 99, "vocabularyTable": ["x", 1]}},
        {"choices": {"vocabularyFilter": ["none such", 7, None]}},
        {"choices": {"vocabularyFilter": True}},
        {"choices": {"compareSplitter": [-1, 2, 10**9], "wordsOrder": "z"}},
        {"choices": {"numbersTabs": True, "vocabularySearch": "x" * 10_000}},
        {"docks": [{"area": 0, "size": [1, 1], "group": {"items": []}}], "choices": []},
        {"choices": {"laneView": [5, 10**12], "tokenView": [1, 0], "lanes_alone": "x"}},
        {"choices": {"lockstepSizeBox": 10**9, "firstRecipe": "x", "boundaryDraftButton": 1}},
        {"speed": None, "palette": 3, "word": 7},
        {"palette": "none such", "guessing": 1},
        {"colouring": "none such", "tells_last": 1},
        *({"draft": draft} for draft in (7, {}, [], {"base": {}, "changes": 1}, "x")),
        {"compared": {"source": "x", "text": 1}, "specials_as_text": "yes"},
    ):
        restore(second.context, four_words(layout=layout))
        assert second.player.position == 3
    for value in _ODD_ZOOMS:
        second.view_state.set_values(dict.fromkeys(_ZOOMED, value))


def check_standard_input_is_not_read_again(second: MainWindow) -> None:
    reference = CorpusReference("standard input", ("-",))
    restore(second.context, four_words(corpus=reference))
    assert second.controls.corpus_box.currentText() == "standard input"
    with pytest.raises(ValueError, match="standard input can be read only once"):
        next(second.controls.corpus().blocks())


def check_a_run_that_is_not_that_of_its_words_does_no_harm(
    second: MainWindow, qtbot: QtBot
) -> None:
    """All that can be told without training agrees; only the words say something else."""
    made = four_words(shown=0, position=4, lanes=None, layout={})
    entries = entries_of(to_bytes(made))
    text = entries["words/text.npy"].replace(b"newestwidest", b"tsewentsediw")
    assert text != entries["words/text.npy"]
    entries["words/text.npy"] = text
    session = from_bytes(packed(entries))
    restore(second.context, session)
    for dock in second.explore.docks.values():
        dock.raise_()
        for position in (2, second.player.end):
            second.player.scrub(position)
            second.explore.select_token(position + 5)
            at_rest(qtbot, second)
    for place in WorkspaceId:
        second.workspaces.show_place(place)
        at_rest(qtbot, second)
    second.workspaces.explore()
    second.explore.docks["wordsDock"].raise_()
    table = child(second, QTableView, "wordsTable")
    qtbot.waitUntil(lambda: table.model().rowCount() == 4)
    second.actions_.forbid.trigger()
    qtbot.waitUntil(lambda: not second.training.busy)
    at_rest(qtbot, second)


def test_a_window_shows_one_session_after_another(second: MainWindow, in_turn: InTurn) -> None:
    """Each takes the place of what the window showed when it was new."""
    new = taken(second)
    in_turn(
        lambda: restore(second.context, new),
        check_what_was_shown_is_shown_at_once,
        check_a_session_of_a_session_is_the_same,
        check_a_session_takes_the_place_of_what_is_being_read,
        check_a_text_is_scrolled_to_where_it_was,
        check_what_is_written_larger_comes_back,
        check_any_layout_does_no_harm,
        check_standard_input_is_not_read_again,
        check_a_run_that_is_not_that_of_its_words_does_no_harm,
    )
