"""A guided tour through the window: its pages, its questions, its spotlight, and the way back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QScrollArea, QToolBar, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe.intervention import Decision
from bpe_gui.bpe.kernels import kernel
from bpe_gui.tours.places import PLACES
from bpe_gui.tours.tour import Spot
from bpe_gui.ui.guess_board import GuessBoard
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.orders import Orders
from bpe_gui.ui.text_sizing import STEPS
from bpe_gui.ui.touring import scene_setting
from bpe_gui.ui.training import Phase
from bpe_gui.ui.workspaces import Place
from tests.ui.pace import Rations, Shut
from tests.ui.widgets import child

KEY, ALT = Qt.Key, Qt.KeyboardModifier.AltModifier
TOUR = """bpe-gui tour 1
title: A short tour

# First

## Words
corpus: four-words
preset: whitespace
text: newest
spotlight: words

There are {words} words.

## A question
spotlight: pairs

predict: Which pair comes next?
choices: the next pair

Look at the words.

then:
go to: 1
select: {last token}
spotlight: pairs 1-2
spotlight: vocabulary

It was {last pair}, {last count} times; {cut of "newest"}.

## Another question
go to: 1

A text of one's own.

predict: How many tokens is “newest” at the end?
choice: {tokens in "newest" at 0} tokens
choice: {tokens in "newest"} tokens
choice: 1 tokens
right: {tokens in "newest"} tokens

then:
play to: 15

It is {tokens in "newest"}.

# Second

## Another rule
ties: lowest-id
go to: 2

Merge 2 is {last pair}.

## Side by side
workspace: compare
text: newest low
lane: the run after 3 merges
lane: whitespace
spotlight: lanes

{tokens in lane 1} against {tokens in lane 2}: {lane with fewest tokens}.

## The laboratory
workspace: laboratory
spotlight: wall

Walls.
"""


@pytest.fixture
def own(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """A window with a run of the user's own, trained, the cursor at merge 3."""
    window = opened("mine.txt", "to be or not to be " * 9, "--preset", "gpt2", "--start")
    qtbot.waitUntil(
        lambda: window.player.history is not None and window.player.history.stopped is not None,
        timeout=60_000,
    )
    window.text_panel.set_text("to be")
    window.player.scrub(3)
    return window


@pytest.fixture
def window(at_the_start: MainWindow) -> MainWindow:
    return at_the_start


@pytest.fixture
def short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The short tour, in which nobody walks slowly."""
    monkeypatch.setattr(scene_setting, "_WALK_SECONDS", 0.5)
    path = tmp_path / "short.tour"
    path.write_text(TOUR)
    return path


def begin(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
        window.touring.open(path)


def go_on(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
        QTest.keyClick(window.touring.panel, KEY.Key_PageDown)


def go_back(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
        QTest.keyClick(window.touring.panel, KEY.Key_PageUp)


def go_to(qtbot: QtBot, window: MainWindow, page: int) -> None:
    with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
        window.touring.go_to_page(page)


def points_beside_the_panel(window: MainWindow) -> bool:
    """Whether all is pointed to that is to be, and nothing of it lies under the panel."""
    touring = window.touring
    dock, holes = touring.dock, touring.spotlight.holes
    panel = dock.rect().translated(dock.mapTo(window, QPoint(0, 0)))
    free = [hole for hole in holes if not hole.adjusted(4, 4, -4, -4).intersects(panel)]
    return len(free) == len(holes) == len(touring._moment.scene.spotlight)


def state(window: MainWindow) -> tuple[object, ...]:
    """What a page is about, as it stands in the window."""
    history = window.player.history
    assert history is not None
    return (
        window.touring.panel.text,
        window.controls.corpus_box.currentText(),
        history.recipe,
        len(history),
        window.player.position,
        window.text_panel.text(),
        window.workspaces.shown,
        [lane.name for lane in window.compare.comparison.lanes if window.compare.isVisible()],
        window.actions_.guess.isChecked(),
    )


def test_pages_follow_each_other_by_keys_and_going_back_shows_the_same(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    touring = window.touring
    seen = [state(window)]
    while touring.number + 1 < touring.count:
        go_on(qtbot, window)
        seen.append(state(window))
    assert len(seen) == 8
    assert "There are 4 words." in str(seen[0][0])
    assert "It was e + s, 9 times; n | e | w | es | t | </w>." in str(seen[2][0])
    assert "Merge 2 is t + </w>." in str(seen[5][0])
    for number in reversed(range(len(seen) - 1)):
        go_back(qtbot, window)
        assert state(window) == seen[number], number
    QTest.keyClick(touring.panel, KEY.Key_PageUp)
    assert touring.number == 0, "nothing comes before the first page"


def test_each_page_can_be_gone_to_directly(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    go_on(qtbot, window)
    revealed = state(window)
    go_to(qtbot, window, 4)
    assert window.workspaces.shown is Place.COMPARE
    go_to(qtbot, window, 1)
    assert window.player.position == 0
    assert window.actions_.guess.isChecked(), "what comes next is covered"
    go_on(qtbot, window)
    assert state(window) == revealed


def test_a_question_is_answered_by_key_and_honestly(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    panel = window.touring.panel
    texts = [
        child(panel, QPushButton, f"tourChoice{n}").text().split(maxsplit=1)[1] for n in range(1, 5)
    ]
    right = texts.index("e + s")
    wrong = (right + 1) % 4
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(panel, KEY(KEY.Key_1 + wrong))
    verdict = child(panel, QLabel, "tourVerdict").text()
    assert verdict == f"Not {texts[wrong]}: it is e + s."
    signs = [child(panel, QPushButton, f"tourChoice{n}").text()[0] for n in range(1, 5)]
    assert signs[right] == "✓"
    assert signs[wrong] == "✗"
    go_back(qtbot, window)
    assert child(panel, QLabel, "tourVerdict").text() == "", "another audience may guess"
    with qtbot.waitSignal(window.touring.arrived):
        child(panel, QPushButton, f"tourChoice{right + 1}").click()
    assert child(panel, QLabel, "tourVerdict").text() == "Right: e + s."


def test_a_question_can_be_answered_where_the_chart_stands(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    guess = window.workspace.guess
    qtbot.waitUntil(lambda: guess.covers)
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(guess, KEY.Key_1)
    assert window.touring.number == 2
    assert child(window.touring.panel, QLabel, "tourVerdict").text()


def test_what_is_right_is_found_out_and_not_written_down(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 2)
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window.touring.panel, KEY.Key_3)
    assert child(window.touring.panel, QLabel, "tourVerdict").text() == "Right: 1 tokens."
    assert window.player.position == 15


def test_the_cursor_walks_only_from_the_moment_before(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 2)
    seen: list[int] = []
    played: list[bool] = []
    window.player.moved.connect(seen.append)
    window.player.playing_changed.connect(played.append)
    go_on(qtbot, window)
    assert seen[-1] == 15
    assert seen == sorted(set(seen))
    assert played == [True, False], "merge by merge, as far as the machine keeps up"
    go_on(qtbot, window)
    seen.clear()
    go_back(qtbot, window)
    assert window.player.position == 15
    assert not set(seen) & set(range(5, 14))
    go_back(qtbot, window)
    window.actions_.animate.setChecked(False)
    seen.clear()
    played.clear()
    go_on(qtbot, window)
    assert (seen, played) == ([15], []), "nothing moves where nothing is to move"


def standing(window: MainWindow) -> dict[str, object]:
    """What stands in the window, and where."""
    docks = window.workspace.docks
    return {
        "size": window.size().toTuple(),
        "docks": {name: dock.isVisible() for name, dock in docks.items()},
        "in front": {
            name: dock.geometry()
            for name, dock in docks.items()
            if not dock.visibleRegion().isEmpty()
        },
        "bars": [(bar.isVisible(), bar.geometry()) for bar in window.findChildren(QToolBar)],
        "workspace": window.workspaces.shown,
        "stage": (window.stage.show_window.isVisible(), window.stage.choice),
        "run": window.player.history,
        "branches": list(window.branches.all),
        "position": (window.player.position, window.player.live, window.player.speed),
        "phase": (window.training.phase, window.training.paused),
        "text": window.text_panel.text(),
        "lanes": list(window.compare.comparison.lanes),
        "compared": window.compare.source.state(),
        "chosen": (window.controls.recipe(), window.controls.corpus()),
        "corpora": window.controls.corpus_box.count(),
        "text size": window.text_sizing.scale,
        "message": window.message_bar.text,
        "tour": window.touring.dock.isVisible(),
    }


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("place", Place)
def test_after_a_tour_everything_stands_as_before(
    own: MainWindow, qtbot: QtBot, short: Path, place: Place, scale: float
) -> None:
    own.text_sizing.set_scale(scale)
    own.resize(1024, 700)
    own.workspace.docks["curvesDock"].raise_()
    own.workspace.docks["treeDock"].hide()
    own.workspaces.show_place(place)
    at_rest(own, qtbot)
    before = standing(own)
    begin(qtbot, own, short)
    while own.touring.number + 1 < own.touring.count:
        assert own.size() == QSize(1024, 700), own.touring.number
        go_on(qtbot, own)
    own.touring.leave()
    at_rest(own, qtbot)
    qtbot.waitUntil(lambda: standing(own) == before)
    own.workspaces.show_place(Place.EXPLORE)
    own.text_sizing.set_scale(1.0)


def at_rest(window: MainWindow, qtbot: QtBot) -> None:
    """Let what is laid out a little later be so."""
    qtbot.waitUntil(lambda: not window.workspace.clock.isActive())
    qtbot.waitUntil(lambda: window.size() == QSize(1024, 700))


@pytest.mark.parametrize("scale", STEPS)
@pytest.mark.parametrize("page", [1, 4, 5])
def test_the_tour_has_room_in_a_small_window_at_every_size_of_text(
    window: MainWindow, qtbot: QtBot, short: Path, scale: float, page: int
) -> None:
    window.text_sizing.set_scale(scale)
    window.resize(1024, 700)
    begin(qtbot, window, short)
    go_to(qtbot, window, page)
    touring = window.touring
    at_rest(window, qtbot)
    scroll = child(touring.panel, QScrollArea, "tourScroll")
    inside = scroll.widget()
    assert inside is not None
    qtbot.waitUntil(lambda: inside.width() <= scroll.viewport().width())
    assert touring.panel.width() >= touring.panel.minimumSizeHint().width()
    assert touring.panel.height() >= touring.panel.minimumSizeHint().height()
    for name in ("tourBack", "tourNext"):
        button = child(touring.panel, QPushButton, name)
        assert button.width() >= button.minimumSizeHint().width()
    touring.leave()
    window.text_sizing.set_scale(1.0)


def test_what_does_not_fit_is_scrolled_by_keys_and_ends_with_whole_lines(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.text_sizing.set_scale(2.0)
    window.resize(1024, 700)
    begin(qtbot, window, short)
    go_on(qtbot, window)
    scroll = child(window.touring.panel, QScrollArea, "tourScroll")
    bar = scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    QTest.keyClick(window.touring.panel, KEY.Key_Down)
    assert bar.value() > 0
    QTest.keyClick(window.touring.panel, KEY.Key_Up)
    assert bar.value() == 0
    go_on(qtbot, window)

    def cut_at_the_top() -> list[QWidget]:
        """Labels and buttons of which the first line is seen in part."""
        found: list[QWidget] = []
        parts = scroll.findChildren(QLabel) + scroll.findChildren(QPushButton)
        for part in filter(QWidget.isVisible, parts):
            top = part.mapTo(scroll.viewport(), QPoint(0, 0)).y()
            line = part.fontMetrics().lineSpacing() if isinstance(part, QLabel) else part.height()
            found += [part] * (-line < top < 0)
        return found

    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 0 and not cut_at_the_top())
    window.touring.leave()
    window.text_sizing.set_scale(1.0)


def test_on_a_page_that_asks_the_question_stands_once(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_on(qtbot, window)
    guess = window.workspace.guess
    qtbot.waitUntil(lambda: guess.covers and guess.isVisible())
    assert not child(guess, QPushButton, "guessReveal").isVisible()
    board = child(guess, GuessBoard, "guessBoard")
    assert not board.places.asks
    assert len(board.places.rows) == 4
    window.touring.leave()
    window.actions_.guess.setChecked(True)
    qtbot.waitUntil(lambda: child(guess, QPushButton, "guessReveal").isVisible())
    assert board.places.asks


def test_leaving_gives_back_what_was_there(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    history, branches = own.player.history, list(own.branches.all)
    assert history is not None
    merges, size = len(history), own.size()
    own.compare.comparison.begin_with_run()
    lanes = list(own.compare.comparison.lanes)
    docks = {name: dock.isVisible() for name, dock in own.workspace.docks.items()}
    corpora = own.controls.corpus_box.count()
    chosen = own.controls.recipe(), own.controls.corpus_box.currentText()
    own.workspaces.compare()
    begin(qtbot, own, short)
    for _ in range(7):
        go_on(qtbot, own)
    QTest.keyClick(own, KEY.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    assert not own.touring.active
    assert own.player.history is history
    assert (len(history), own.player.position) == (merges, 3), "nothing was trained on"
    assert own.branches.all == branches
    assert own.compare.comparison.lanes == lanes
    assert own.text_panel.text() == "to be"
    assert own.workspaces.shown is Place.COMPARE
    assert (own.controls.recipe(), own.controls.corpus_box.currentText()) == chosen
    assert own.controls.corpus_box.count() == corpora
    own.workspaces.explore()
    assert {name: dock.isVisible() for name, dock in own.workspace.docks.items()} == docks
    assert not own.touring.dock.isVisible()
    assert own.size() == size
    assert own.message_bar.text == ""


def test_what_is_kept_is_never_the_tours_own(
    own: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path
) -> None:
    autosave = own.session_keeper._autosave
    session = autosave._session()
    assert session is not None
    recent = list(own.recent_corpora.entries)
    (tmp_path / "mine.csv").write_text("word,count\nhaha,3\n")
    short.write_text(TOUR.replace("corpus: four-words", "corpus: mine.csv"))
    begin(qtbot, own, short)
    assert autosave._session() is None, "the last state stays that of before the tour"
    own.touring.leave()
    again = autosave._session()
    assert again is not None
    assert again.branches[0].history is session.branches[0].history
    assert list(own.recent_corpora.entries) == recent


def test_opening_something_else_ends_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path
) -> None:
    begin(qtbot, window, short)
    path = tmp_path / "words.csv"
    path.write_text("word,count\nhaha,3\n")
    window.open_sources([path])
    assert not window.touring.active
    qtbot.waitUntil(lambda: window.branches.corpus is window.controls.corpus())
    assert window.controls.corpus_box.currentText() == "words.csv"
    with qtbot.waitSignal(window.touring.arrived):
        window.open_sources([short])
    assert window.touring.active


def test_the_tour_ends_after_its_last_page(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 5)
    button = child(window.touring.panel, QPushButton, "tourNext")
    assert button.text() == "Finish"
    button.click()
    assert not window.touring.active
    assert window.text_panel.text() == "low lower newest widest"


def test_closing_the_window_ends_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.close()
    assert not window.touring.active


def test_actions_and_keys(window: MainWindow, qtbot: QtBot, short: Path) -> None:
    actions = {
        name: child(window, QAction, f"{name}Action")
        for name in ("nextPage", "previousPage", "leaveTour", "tour", "openTour")
    }
    assert actions["tour"].shortcut().toString() == "F12"
    assert not actions["nextPage"].isEnabled()
    begin(qtbot, window, short)
    window.player_bar.timeline.setFocus()
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window, KEY.Key_Right, ALT)
    assert window.touring.number == 1
    with qtbot.waitSignal(window.touring.arrived):
        QTest.keyClick(window, KEY.Key_Left, ALT)
    assert window.touring.number == 0
    assert not actions["previousPage"].isEnabled()
    actions["leaveTour"].trigger()
    assert not window.touring.active


def test_keys_go_from_chapter_to_chapter(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    on, back = window.actions_.next_chapter, window.actions_.previous_chapter
    assert on.isEnabled()
    assert not back.isEnabled()
    with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
        QTest.keyClick(window, KEY.Key_PageDown, ALT)
    assert window.touring.number == 5
    assert "Merge 2 is" in window.touring.panel.text
    assert not on.isEnabled()
    go_on(qtbot, window)
    for number in (5, 0):
        with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
            QTest.keyClick(window, KEY.Key_PageUp, ALT)
        assert window.touring.number == number
    window.stage.enter()
    with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
        QTest.keyClick(window.stage.show_window, KEY.Key_PageDown, ALT)
    assert window.touring.number == 5
    window.touring.leave()
    assert not on.isEnabled()


def test_the_list_of_pages_goes_to_each(window: MainWindow, qtbot: QtBot, short: Path) -> None:
    begin(qtbot, window, short)
    pages = child(window.touring.panel, QComboBox, "tourPages")
    assert [pages.itemText(index) for index in range(pages.count())] == [
        "1 · First", "Words", "A question", "Another question",
        "2 · Second", "Another rule", "Side by side", "The laboratory",
    ]
    with qtbot.waitSignal(window.touring.arrived):
        pages.activated.emit(5)
    assert "Merge 2 is" in window.touring.panel.text
    assert child(window.touring.panel, QLabel, "tourPlace").text() == "Page 4 of 6"


def test_lanes_are_those_of_the_page(window: MainWindow, qtbot: QtBot, short: Path) -> None:
    begin(qtbot, window, short)
    go_to(qtbot, window, 4)
    names = [lane.name for lane in window.compare.comparison.lanes]
    assert names == ["whitespace recipe, 3 merges", "whitespace"]
    assert "8 against 2: whitespace." in window.touring.panel.text
    assert window.compare.comparison.text == "newest low"


def test_the_spotlight_lets_everything_through_and_follows(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    spotlight = window.touring.spotlight
    words = window.workspace.words
    (hole,) = spotlight.holes
    place = words.mapTo(window, words.rect().center())
    assert hole.contains(place)
    assert spotlight.isVisible()
    assert window.childAt(place) is not spotlight
    assert words.isAncestorOf(window.childAt(place) or words)
    window.workspace.docks["textDock"].hide()
    window.resize(window.width() + 200, window.height() + 100)
    qtbot.waitUntil(lambda: spotlight.rect() == window.rect())
    qtbot.waitUntil(lambda: spotlight.holes[0].height() > hole.height() + 50)
    assert spotlight.holes[0].contains(words.mapTo(window, words.rect().center()))
    go_on(qtbot, window)
    go_on(qtbot, window)
    chart = window.pair_chart
    rows = spotlight.holes[0]
    top = chart.mapTo(window, QPoint(0, 0)).y()
    assert chart.row_at(rows.center().y() - top) is not None
    assert rows.height() < chart.height() / 4
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(40, 12))
    assert chart.current_pair is not None
    window.touring.leave()
    assert not spotlight.isVisible()


def test_the_shade_comes_at_once_where_nothing_is_to_move(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.actions_.animate.setChecked(False)
    begin(qtbot, window, short)
    assert window.touring.spotlight._strength == 1.0
    assert window.touring.spotlight._fade.state() == window.touring.spotlight._fade.State.Stopped


def test_every_place_is_somewhere(window: MainWindow) -> None:
    targets = window.touring._targets
    assert targets.names == set(PLACES)
    for place in PLACES:
        assert isinstance(targets.find([Spot(place)])[0].widget, QWidget)
    window.laboratory.bench.set_active(False)


@pytest.mark.parametrize("size", [(1024, 700), (1280, 800)])
def test_the_window_keeps_its_size_and_the_panel_hides_nothing(
    window: MainWindow, qtbot: QtBot, short: Path, size: tuple[int, int]
) -> None:
    window.resize(*size)
    begin(qtbot, window, short)
    touring = window.touring
    while True:
        qtbot.waitUntil(lambda: window._frame.up_to_date)
        assert (window.width(), window.height()) == size, touring.number
        dock = touring.dock
        panel = dock.rect().translated(dock.mapTo(window, QPoint(0, 0)))
        assert panel.width() >= 300
        assert panel.height() >= 150
        qtbot.waitUntil(lambda: points_beside_the_panel(window))
        if touring.number + 1 == touring.count:
            break
        go_on(qtbot, window)


def test_what_a_page_cannot_show_is_told_on_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "odd.tour"
    path.write_text(
        "bpe-gui tour 1\ntitle: Odd\n# A\n## One\ngo to: 99\nWords.\n## Two\nselect: xyz\nMore.\n"
        "## Three\ngo to: 0\nHere {last pair}.\n"
    )
    begin(qtbot, window, path)
    assert "This run ends after 15 merges; the page asks for 99." in window.touring.panel.text
    go_to(qtbot, window, 2)
    assert "“last pair” cannot be told: nothing is merged yet." in window.touring.panel.text


def test_a_tour_with_mistakes_is_refused_with_their_places(
    own: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "bad.tour"
    path.write_text(TOUR.replace("spotlight: words", "spotlight: wrods"))
    history = own.player.history
    own.touring.open(path)
    assert "line 10, column 12" in own.message_bar.text
    assert "write words" in own.message_bar.text
    assert not own.touring.active
    assert own.player.history is history
    own.touring.open(tmp_path / "none.tour")
    assert "none.tour" in own.message_bar.text


def test_a_corpus_beside_the_tour(own: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "beside"
    folder.mkdir()
    (folder / "mine.csv").write_text("word,count\nhaha,3\n")
    path = folder / "mine.tour"
    path.write_text(
        "bpe-gui tour 1\ntitle: Mine\n# A\n## One\ncorpus: mine.csv\n"
        "Next is {next pair}, {next count} times.\n"
    )
    begin(qtbot, own, path)
    assert "Next is h + a, 6 times." in own.touring.panel.text
    assert own.controls.corpus_box.currentText() == "mine.csv"
    own.touring.leave()
    names = [own.controls.corpus_box.itemText(n) for n in range(own.controls.corpus_box.count())]
    assert "mine.csv" not in names


def test_the_command_line_opens_a_tour(qtbot: QtBot, short: Path) -> None:
    _, window = app.create(["open", str(short)])
    qtbot.waitUntil(lambda: "4 words" in window.touring.panel.text, timeout=60_000)
    assert window.touring.active
    window.close()
    window.deleteLater()
    kernel.loaded()


def test_a_screen_reader_is_told_of_each_page(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    panel = window.touring.panel
    assert panel.accessibleDescription() == "Words There are 4 words."
    go_on(qtbot, window)
    assert "Which pair comes next?" in panel.accessibleDescription()
    assert "1: " in panel.accessibleDescription()
    for widget in panel.findChildren(QPushButton) + panel.findChildren(QComboBox):
        assert widget.accessibleName() or not widget.isVisible()


def test_a_run_under_way_is_there_again_and_can_be_trained_on(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    window.run_control.step()
    qtbot.waitUntil(lambda: window.player.position == 1)
    history = window.player.history
    begin(qtbot, window, short)
    go_to(qtbot, window, 3)
    window.touring.leave()
    assert window.player.history is history
    assert window.player.position == 1
    window.run_control.step()
    qtbot.waitUntil(lambda: window.player.position == 2)
    assert window.player.history is not None
    assert len(window.player.history) == 2


@pytest.mark.parametrize("live", [True, False])
def test_a_training_under_way_goes_on_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations, live: bool
) -> None:
    rations.merges = 6
    window.run_control.train()
    qtbot.waitUntil(lambda: window.player.end == window.player.position == 6, timeout=60_000)
    if not live:
        window.player.scrub(2)
    history, position = window.player.history, window.player.position
    begin(qtbot, window, short)
    go_to(qtbot, window, 3)
    assert not window.player.growing
    assert window.player.history is not history
    window.touring.leave()
    assert window.player.history is history
    assert window.training.phase is Phase.TRAINING
    assert (window.player.position, window.player.live) == (position, live)
    assert len(history or ()) == 6, "it was held meanwhile"
    if not live:
        check_answers(window, qtbot)
    rations.more()
    qtbot.waitUntil(lambda: window.player.end == 12, timeout=60_000)
    qtbot.waitUntil(lambda: window.player.position == (12 if live else 2), timeout=60_000)
    window.training.pause()
    check_answers(window, qtbot)


def check_answers(window: MainWindow, qtbot: QtBot) -> None:
    """Words, Why, What if and the wall tell of the run in view, at once and wherever one goes."""
    branch, workspace = window.branches.shown, window.workspace
    assert branch is not None
    assert branch.history is window.player.history
    assert workspace.branches._shown is branch
    assert window.actions_.forbid.isEnabled()
    window.workspaces.explore()
    for name in ("wordsDock", "whyDock"):
        workspace.docks[name].show()
        workspace.docks[name].raise_()

    def answered() -> bool:
        listed, why = workspace.words.model.words, workspace.why
        return (
            listed is not None
            and listed.corpus.history is branch.history
            and listed.position == window.player.position
            and why._explanation is not None
            and why._facts is not None
            and why._facts.fits(why._explanation)
        )

    qtbot.waitUntil(answered, timeout=60_000)
    position = window.player.position
    window.player.scrub(max(0, position - 1))
    qtbot.waitUntil(answered, timeout=60_000)
    window.player.scrub(position)
    window.workspaces.laboratory()
    run = window.laboratory.bench.wall._search.run
    assert run is not None
    assert (run.words, run.history) == (branch.words, branch.history)
    window.workspaces.explore()


@pytest.mark.parametrize("merges", [0, 2, None])
def test_all_views_answer_after_a_tour(
    window: MainWindow, qtbot: QtBot, merges: int | None
) -> None:
    """So they do after each tour, with no merge done, with some, and with all."""
    if merges is None:
        window.run_control.train()
        qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    for done in range(merges or 0):
        window.run_control.step()
        qtbot.waitUntil(lambda: window.player.position == done + 1)  # noqa: B023
    history, position = window.player.history, window.player.position
    for _ in range(2):
        with qtbot.waitSignal(window.touring.arrived, timeout=60_000):
            QTest.keyClick(window, KEY.Key_F12)
        QTest.keyClick(window, KEY.Key_F12, Qt.KeyboardModifier.ShiftModifier)
        assert not window.touring.active
        assert (window.player.history, window.player.position) == (history, position)
        check_answers(window, qtbot)


@pytest.mark.parametrize("place", Place)
def test_all_views_answer_after_a_tour_from_everywhere(
    own: MainWindow, qtbot: QtBot, short: Path, place: Place
) -> None:
    own.workspaces.show_place(place)
    begin(qtbot, own, short)
    for page in range(6):
        go_to(qtbot, own, page)
    own.touring.leave()
    assert own.workspaces.shown is place
    check_answers(own, qtbot)
    history = own.player.history
    assert history is not None
    own.player.scrub(3)
    own.branches.decide(Decision.FORBID, int(history.left[3]), int(history.right[3]))
    qtbot.waitUntil(lambda: len(own.branches.all) == 2 and own.player.position == 3)
    check_answers(own, qtbot)


def test_a_tour_left_while_its_scene_is_still_set_leaves_nothing_behind(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    history = own.player.history
    for _ in range(3):
        own.touring.open(short)
        own.touring.leave()
        assert own.player.history is history
    check_answers(own, qtbot)


def test_after_a_tour_without_a_run_there_is_none(
    opened: Callable[..., MainWindow], qtbot: QtBot, short: Path, shut: Shut
) -> None:
    gate = shut(Orders, "may_read")
    window = opened("slow.txt", "slowly and surely " * 9)
    qtbot.waitUntil(lambda: gate.arrived == 1)
    window.run_control.cancel()
    gate.open()
    begin(qtbot, window, short)
    assert window.branches.shown is not None
    window.touring.leave()
    assert (window.player.history, window.branches.shown) == (None, None)
    qtbot.waitUntil(lambda: window.workspace.words.model.words is None)
    window.run_control.train()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    check_answers(window, qtbot)


def test_a_run_that_was_about_to_begin_before_a_tour_can_still_be_given_up_for_the_one_before(
    own: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path
) -> None:
    before = own.player.history
    assert before is not None
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    own.controls.open((str(pipe),))
    assert own.training.phase is Phase.READING
    # Nothing of another run is left standing.
    qtbot.waitUntil(lambda: own.player.history is None)
    begin(qtbot, own, short)
    own.touring.leave()
    assert own.training.phase is Phase.READING
    own.run_control.cancel()
    assert own.player.history is before
    assert own.controls.corpus() is own.branches.corpus
    check_answers(own, qtbot)


def test_a_page_that_takes_long_says_so_rather_than_what_the_page_before_said(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    panel = window.touring.panel
    before = panel.text
    panel.show_waiting(1, "A slow page", goes_on=False)
    assert panel.text == before
    qtbot.waitUntil(lambda: panel.text != before)
    assert panel.text.startswith("A slow page")
    assert "is being made ready" in panel.text
    window.touring.go_to_page(0)
    qtbot.waitUntil(lambda: panel.text == before)


def test_a_held_training_stays_held_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations
) -> None:
    rations.merges = 6
    window.run_control.train()
    qtbot.waitUntil(lambda: window.player.position == 6, timeout=60_000)
    window.training.pause()
    begin(qtbot, window, short)
    window.touring.leave()
    assert (window.training.phase, window.training.paused) == (Phase.TRAINING, True)
    rations.merges = 3
    window.run_control.train()
    qtbot.waitUntil(lambda: window.player.position == 9, timeout=60_000)


def test_a_corpus_that_is_read_is_read_on_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path, shut: Shut
) -> None:
    gate = shut(Orders, "may_read")
    path = tmp_path / "slow.txt"
    path.write_text("slowly and surely " * 9)
    window.open_sources([path], train=True)
    qtbot.waitUntil(lambda: gate.arrived == 1)
    window.touring.open(short)
    gate.open()
    qtbot.waitUntil(lambda: not window.touring._setting.busy, timeout=60_000)
    assert window.controls.corpus_box.currentText() == "Four words"
    window.touring.leave()
    assert window.controls.corpus_box.currentText() == "slow.txt"
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    assert window.branches.shown is not None
    assert window.branches.corpus is window.controls.corpus()
    assert window.player.position == window.player.end > 0
    check_answers(window, qtbot)


def test_what_branches_were_doing_goes_on_after_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path, rations: Rations
) -> None:
    rations.merges = 6
    window.run_control.train()
    qtbot.waitUntil(lambda: window.player.position == 6, timeout=60_000)
    window.player.scrub(2)
    history = window.player.history
    assert history is not None
    window.branches.decide(Decision.FORBID, int(history.left[2]), int(history.right[2]))
    qtbot.waitUntil(lambda: len(window.branches.all) == 2, timeout=60_000)
    qtbot.waitUntil(lambda: window.player.end == 6, timeout=60_000)
    before = [(branch.history, window.branches.state(branch)) for branch in window.branches.all]
    begin(qtbot, window, short)
    window.touring.leave()
    branches = window.branches.all
    assert [(branch.history, window.branches.state(branch)) for branch in branches] == before
    assert window.branches.shown is branches[1]
    check_answers(window, qtbot)
    rations.merges = 400
    rations.more()
    qtbot.waitUntil(lambda: all(branch.history.stopped for branch in window.branches.all))


def test_a_replay_a_guess_and_a_token_are_there_again_after_the_tour(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    own.workspace.select_token(258)
    own.actions_.guess.setChecked(True)
    begin(qtbot, own, short)
    own.touring.leave()
    assert own.actions_.guess.isChecked()
    assert own.workspace.token == 258
    own.actions_.guess.setChecked(False)
    own.player.set_speed(0.5)
    own.player.play()
    begin(qtbot, own, short)
    position = own.player.position
    own.touring.leave()
    assert own.player.playing
    assert own.player.speed == 0.5
    own.player.pause()
    assert own.player.position > position


def test_on_the_stage_the_keys_of_a_clicker_turn_pages(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    stage, touring = window.stage, window.touring
    chosen = stage.choice
    stage.enter()
    show = stage.show_window
    assert touring.panel.window() is show
    assert window.workspace.words.window() is show
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_PageDown)
    assert window.workspace.guess.window() is show
    assert touring.asks
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_2)
    assert touring.number == 2
    assert child(touring.panel, QLabel, "tourVerdict").text()
    QTest.keyClick(show, KEY.Key_1)
    assert (touring.number, stage.choice) == (2, chosen), "one answers too late"
    qtbot.waitUntil(lambda: len(touring.spotlight.holes) == 2)
    assert touring.spotlight.window() is show
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_PageUp)
    assert touring.number == 1
    with qtbot.waitSignal(touring.arrived, timeout=60_000):
        touring.go_to_page(4)
    assert window.compare.lanes.window() is show
    assert len(window.compare.comparison.lanes) == 2
    touring.leave()
    assert touring.panel.window() is not show
    assert window.pair_chart.window() is show, "the speaker's own panels are there again"
    assert stage.choice == chosen
    position = window.player.position
    QTest.keyClick(show, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: window.player.position == position + 1)
    stage.leave()
    assert window.pair_chart.window() is window
    assert window.compare.lanes.window() is window


def test_a_tour_begins_and_ends_on_the_stage(window: MainWindow, qtbot: QtBot) -> None:
    def places() -> dict[str, tuple[bool, int, int]]:
        docks = window.workspace.docks.items()
        return {name: (dock.isVisible(), dock.x(), dock.width()) for name, dock in docks}

    stage, touring = window.stage, window.touring
    before = places()
    stage.enter()
    show = stage.show_window
    qtbot.waitUntil(show.isActiveWindow)
    with qtbot.waitSignal(touring.arrived, timeout=60_000):
        QTest.keyClick(show, KEY.Key_F12)
    assert touring.panel.window() is show
    assert window.workspace.words.window() is show
    with qtbot.waitSignal(touring.arrived):
        QTest.keyClick(show, KEY.Key_PageDown)
    assert touring.number == 1
    QTest.keyClick(show, KEY.Key_F12, Qt.KeyboardModifier.ShiftModifier)
    assert not touring.active
    assert window.pair_chart.window() is show
    stage.leave()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: places() == before)
    assert not touring.dock.isVisible()


def test_the_stage_is_left_before_the_tour(
    window: MainWindow, qtbot: QtBot, short: Path
) -> None:
    begin(qtbot, window, short)
    window.stage.enter()
    window.stage.leave()
    assert window.touring.active
    assert window.touring.dock.widget() is window.touring.panel
    assert window.touring.panel.isVisible()
    go_on(qtbot, window)
    assert window.touring.spotlight.window() is window
    window.touring.leave()
