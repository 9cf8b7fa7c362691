"""After a tour everything stands as before it, and all views tell of the run again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QToolBar, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import Decision
from bpe_gui.bpe.recipe import Ties
from bpe_gui.encodings import load
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.sessions import Session, load_session
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.run.worker import TrainingControl
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.workspaces.workspaces import LAYOUT_VERSION, WorkspaceId
from tests.ui.driving import child
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.pace import Shut
from tests.ui.tour.short_tour import TOUR, at_rest, begin, check_answers, go_on, go_to

KEY = Qt.Key


def standing(window: MainWindow) -> dict[str, object]:
    """What stands in the window, and where."""
    # Compare gives itself lanes when it first hears of a run.
    window.explore.scheduler.catch_up()
    docks = window.explore.docks
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
        "text": window.sample_text.text,
        "lanes": list(window.compare.comparison.lanes),
        "compared": window.compare.source.state()[0],
        "chosen": (window.controls.recipe(), window.controls.corpus()),
        "corpora": window.controls.corpus_box.count(),
        "text size": window.text_sizing.scale,
        "message": window.message_bar.text,
        "tour": window.touring.dock.isVisible(),
    }


def check_an_arrangement_from_within_a_tour_brings_no_tour_into_view(
    own: MainWindow, qtbot: QtBot, short: Path, place: WorkspaceId
) -> None:
    begin(qtbot, own, short)
    arrangement = own.saveState(LAYOUT_VERSION)
    page = own.touring.dock.findChild(QComboBox, "tourPages")
    own.touring.leave()
    own.workspaces.show_place(place)
    own.workspaces.arrange(arrangement)
    own.workspaces.explore()
    qtbot.waitUntil(own.touring.dock.isHidden)
    page.activated.emit(1)
    assert not own.touring.active


def check_arrangements_from_within_tours_bring_no_tour_into_view(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    for place in WorkspaceId:
        check_an_arrangement_from_within_a_tour_brings_no_tour_into_view(own, qtbot, short, place)


def check_after_a_tour_from(
    own: MainWindow, qtbot: QtBot, short: Path, place: WorkspaceId, scale: float
) -> None:
    own.text_sizing.set_scale(scale)
    own.resize(1280, 800)
    own.explore.docks["curvesDock"].raise_()
    own.explore.docks["treeDock"].hide()
    own.workspaces.show_place(place)
    at_rest(own, qtbot)
    before = standing(own)
    begin(qtbot, own, short)
    while own.touring.number + 1 < len(own.touring.moments):
        assert own.size().toTuple() == before["size"], own.touring.number
        go_on(qtbot, own)
    own.touring.leave()
    at_rest(own, qtbot)
    qtbot.waitUntil(lambda: standing(own) == before)


def check_after_a_tour_everything_stands_as_before(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    for place, scale in zip(WorkspaceId, (1.0, 2.0, 1.0), strict=True):
        check_after_a_tour_from(own, qtbot, short, place, scale)


def check_leaving_gives_back_what_was_there(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    history, branches = own.player.history, list(own.branches.all)
    assert history is not None
    merges, size = len(history), own.size()
    own.explore.scheduler.catch_up()
    lanes = list(own.compare.comparison.lanes)
    docks = {name: dock.isVisible() for name, dock in own.explore.docks.items()}
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
    assert own.sample_text.text == "to be"
    assert own.workspaces.shown is WorkspaceId.COMPARE
    assert (own.controls.recipe(), own.controls.corpus_box.currentText()) == chosen
    assert own.controls.corpus_box.count() == corpora
    own.workspaces.explore()
    assert {name: dock.isVisible() for name, dock in own.explore.docks.items()} == docks
    assert not own.touring.dock.isVisible()
    assert own.size() == size
    assert own.message_bar.text == ""


def check_what_is_kept_is_never_the_tours_own(
    own: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path
) -> None:
    autosave, path = own.session_keeper.autosave, own.session_keeper.recovery_files.path

    def written() -> Session:
        autosave.save()
        qtbot.waitUntil(lambda: autosave.writing is None)
        return load_session(path)

    session = written()
    recent = list(own.recent_corpora.entries)
    (tmp_path / "mine.csv").write_text("word,count\nhaha,3\n")
    path_of_tour = tmp_path / "mine.tour"
    path_of_tour.write_text(TOUR.replace("corpus: four-words", "corpus: mine.csv"))
    begin(qtbot, own, path_of_tour)
    assert written().text == session.text, "the last state stays that of before the tour"
    own.touring.leave()
    assert written().branches[0].history.equals(session.branches[0].history)
    assert list(own.recent_corpora.entries) == recent


def check_all_views_answer_after_tours(window: MainWindow, qtbot: QtBot) -> None:
    history, position = window.player.history, window.player.position
    for _ in range(2):
        with qtbot.waitSignal(window.touring.arrived):
            QTest.keyClick(window, KEY.Key_F12)
        QTest.keyClick(window, KEY.Key_F12, Qt.KeyboardModifier.ShiftModifier)
        assert not window.touring.active
        assert (window.player.history, window.player.position) == (history, position)
        check_answers(window, qtbot)


def test_all_views_answer_after_each_tour(window: MainWindow, qtbot: QtBot) -> None:
    """So they do with no merge done, with some, and with all."""
    assert window.player.end == 0
    check_all_views_answer_after_tours(window, qtbot)
    for done in (1, 2):
        window.run_control.step()
        qtbot.waitUntil(lambda: window.player.position == done)  # noqa: B023
        assert window.player.live, "the next merge is seen, too"
    assert window.player.position == 2
    check_all_views_answer_after_tours(window, qtbot)
    window.run_control.train()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    check_all_views_answer_after_tours(window, qtbot)


def check_all_views_answer_after_a_tour_from(
    own: MainWindow, qtbot: QtBot, short: Path, place: WorkspaceId
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
    qtbot.waitUntil(lambda: own.branches.shown in own.branches.all[1:])
    qtbot.waitUntil(lambda: own.player.position == 3)
    check_answers(own, qtbot)


def check_all_views_answer_after_a_tour_from_everywhere(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    first = own.branches.shown
    for place in WorkspaceId:
        check_all_views_answer_after_a_tour_from(own, qtbot, short, place)
        own.branches.show(own.branches.all.index(first))
        own.branches.remove(len(own.branches.all) - 1)


def test_what_was_read_before_a_tour_is_not_read_again_after_it(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    """Standard input could not be."""
    begin(qtbot, own, short)
    own.touring.leave()
    history = own.player.history
    Path(own.controls.files[0]).unlink()
    own.controls.set_ties(Ties.LOWEST_ID)
    qtbot.waitUntil(lambda: own.player.history not in (None, history))
    assert own.message_bar.text.startswith("The last run, with its")


def check_a_tour_left_while_its_scene_is_still_set_leaves_nothing_behind(
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
    gate = shut(TrainingControl, "may_read")
    window = opened("slow.txt", "slowly and surely " * 9)
    qtbot.waitUntil(lambda: gate.arrived == 1)
    window.run_control.cancel()
    gate.open()
    begin(qtbot, window, short)
    assert window.branches.shown is not None
    window.touring.leave()
    assert (window.player.history, window.branches.shown) == (None, None)
    qtbot.waitUntil(lambda: window.explore.words.model.words is None)
    window.run_control.train()
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    check_answers(window, qtbot)


def check_a_run_that_was_about_to_begin_before_a_tour_can_still_be_given_up_for_the_one_before(
    own: MainWindow, qtbot: QtBot, short: Path, tmp_path: Path
) -> None:
    before = own.player.history
    assert before is not None
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    own.controls.open((str(pipe),))
    assert own.training.phase is Phase.READING
    qtbot.waitUntil(child(own, QWidget, "veil").isVisible)
    begin(qtbot, own, short)
    own.touring.leave()
    assert own.training.phase is Phase.READING
    own.run_control.cancel()
    assert own.player.history is before
    assert own.controls.corpus() is own.branches.corpus
    check_answers(own, qtbot)


def check_a_replay_a_guess_and_a_token_are_there_again_after_the_tour(
    own: MainWindow, qtbot: QtBot, short: Path
) -> None:
    own.explore.select_token(258)
    own.actions_.guess.setChecked(True)
    begin(qtbot, own, short)
    own.touring.leave()
    assert own.actions_.guess.isChecked()
    assert own.explore.token == 258
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


def check_what_was_being_fetched_before_a_tour_is_fetched_after_it(
    own: MainWindow, qtbot: QtBot, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = own.player.history
    assert history is not None
    begun, given_up = Event(), Event()

    def opened(spec: str, *, cancelled: Callable[[], bool], **options: object) -> object:
        if begun.is_set():
            return TrainedEncoding(history, name=spec)
        begun.set()
        while not cancelled():
            given_up.wait(0.01)
        given_up.set()
        raise Cancelled

    monkeypatch.setattr(load, "open_encoding", opened)
    own.workspaces.compare()
    own.compare.loader.load("tiktoken:gpt2", "gpt2")
    qtbot.waitUntil(begun.is_set)
    lane = own.compare.comparison.lanes[-1]
    begin(qtbot, own, short)
    go_to(qtbot, own, 4)
    qtbot.waitUntil(given_up.is_set)
    own.touring.leave()
    assert own.compare.comparison.lanes[-1] is lane
    qtbot.waitUntil(lambda: lane.encoding is not None)
    assert not own.compare.loader.busy


def test_after_tours_all_is_as_it_was(
    own: MainWindow, qtbot: QtBot, short: Path, in_turn: InTurn
) -> None:
    arrangement, explore = own.workspaces.arrangement(), explore_again(qtbot, own)

    def again() -> None:
        assert not own.touring.active
        own.text_sizing.set_scale(1.0)
        own.workspaces.arrange(arrangement)
        explore()

    in_turn(
        again,
        check_after_a_tour_everything_stands_as_before,
        check_leaving_gives_back_what_was_there,
        check_what_is_kept_is_never_the_tours_own,
        check_all_views_answer_after_a_tour_from_everywhere,
        check_a_replay_a_guess_and_a_token_are_there_again_after_the_tour,
        check_what_was_being_fetched_before_a_tour_is_fetched_after_it,
        check_a_tour_left_while_its_scene_is_still_set_leaves_nothing_behind,
        check_arrangements_from_within_tours_bring_no_tour_into_view,
        check_a_run_that_was_about_to_begin_before_a_tour_can_still_be_given_up_for_the_one_before,
    )
