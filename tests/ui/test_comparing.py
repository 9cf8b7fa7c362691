"""Encodings side by side, as a person uses them: look, add, step through differences, export."""

from __future__ import annotations

import csv
import gzip
import io
import os
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QMenu,
    QTabBar,
    QTableView,
)
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.parallel import joined
from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.compare.cutting import CutWorker
from bpe_gui.ui.compare.text_source import LONGEST
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.lanes.layout import LanePlace
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor
from bpe_gui.ui.training import Phase
from tests.ui.pace import Shut
from tests.ui.widgets import child

TEXT = "the cat sat on the mat and the hat, the rat saw that\n" * 30
Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    """A finished run in the compare workspace."""
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    child(window, QAction, "compareAction").trigger()
    settled(qtbot, window)
    return window


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until everything that was asked for is in view."""
    comparison = window.compare.comparison
    qtbot.waitUntil(
        lambda: not window._frame.isActive()
        and comparison.up_to_date
        and comparison.result is not None
        and len(comparison.result.lanes)
        == sum(lane.encoding is not None for lane in comparison.lanes),
        timeout=30_000,
    )


def write(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Replace one's own text."""
    child(window, TextEditor, "compareText").setPlainText(text)
    settled(qtbot, window)


def table(window: MainWindow) -> list[list[str]]:
    """The table of numbers as it is shown."""
    model = child(window, QTableView, "metricsTable").model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def act(window: MainWindow, name: str) -> None:
    child(window, QAction, name).trigger()


# -- the workspace -------------------------------------------------------------------------------


def test_two_lanes_stand_there_at_once(qtbot: QtBot, window: MainWindow) -> None:
    assert child(window, CompareView, "compareView").isVisible()
    names = [row[0] for row in table(window)]
    assert names == [FOLLOWING, BEHIND]
    text = window.compare.source.text()
    history = window.player.history
    assert history is not None
    tokens = [row[1] for row in table(window)]
    assert tokens == [
        f"{len(Tokenizer(history).encode(text)):,}",
        f"{len(Tokenizer(history, len(history) // 10).encode(text)):,}",
    ]
    assert [row[-1] for row in table(window)] == ["yes", "yes"]


def test_the_workspaces_by_tab_and_by_key(qtbot: QtBot, window: MainWindow) -> None:
    docks = list(window.workspace.docks.values())
    assert not any(dock.isVisible() for dock in docks)
    tabs = child(window, QTabBar, "workspaceTabs")
    tabs.setCurrentIndex(0)
    assert not window.compare.isVisible()
    assert any(dock.isVisible() for dock in docks)
    assert child(window, QAction, "exploreAction").isChecked()
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.compare.isVisible()
    assert tabs.currentIndex() == 1
    QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not window.compare.isVisible()


def test_tab_leads_only_to_what_is_in_sight(window: MainWindow) -> None:
    """Docks that are hidden leave tabs behind, out of sight."""
    box = child(window, QComboBox, "compareTextBox")
    box.setFocus()
    seen = []
    for _ in range(60):
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is box:
            break
    assert QApplication.focusWidget() is box, "it comes round"
    assert window.compare.lanes in seen
    assert child(window, QTableView, "metricsTable") in seen
    for widget in seen:
        assert window.rect().contains(widget.mapTo(window, widget.rect().center()))


def test_a_message_stays_when_the_workspace_changes(window: MainWindow) -> None:
    window.message_bar.show_message("Something.")
    act(window, "exploreAction")
    assert window.message_bar.text == "Something."
    window.message_bar.withdraw()
    act(window, "compareAction")
    assert window.message_bar.text == ""


def test_ones_own_text_is_the_same_in_both_workspaces(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the hat")
    act(window, "exploreAction")
    assert window.text_panel.text() == "the hat"
    window.text_panel.set_text("the rat")
    act(window, "compareAction")
    assert window.compare.source.text() == "the rat"


def test_the_layout_is_reset_in_explore(window: MainWindow) -> None:
    act(window, "resetLayoutAction")
    assert not window.compare.isVisible()
    assert window.workspace.docks["pairDock"].isVisible()


# -- lanes ---------------------------------------------------------------------------------------


def test_a_lane_follows_the_cursor(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat that sat")
    history = window.player.history
    assert history is not None
    for position in (0, 3, 7, window.player.end):
        window.player.scrub(position)
        settled(qtbot, window)
        for row, place in enumerate((position, position // 10)):
            expected = len(Tokenizer(history, place).encode("the cat that sat"))
            assert table(window)[row][1] == str(expected)


def test_the_run_at_several_steps(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow
) -> None:
    end = window.player.end
    for written, said in (
        ("2, five", "“five” is no number of merges"),
        ("2, 5, 99,999", f"The run ends at {end} merges, so it has no step 99,999."),
    ):
        monkeypatch.setattr(QInputDialog, "getText", lambda *a, said=written, **k: (said, True))
        act(window, "addStepsAction")
        assert said in window.message_bar.text
    assert [row[0] for row in table(window)] == [FOLLOWING, BEHIND]
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: (f"2, 5 2; {end}", True))
    act(window, "addStepsAction")
    settled(qtbot, window)
    assert window.message_bar.text == "", "what succeeds ends the complaint before it"
    names = [row[0] for row in table(window)]
    assert names[2:] == [f"gpt2 recipe, {merges} merges" for merges in (2, 5, end)]
    window.player.scrub(4)
    settled(qtbot, window)
    act(window, "addHereAction")
    settled(qtbot, window)
    assert table(window)[-1][0] == "gpt2 recipe, 4 merges"
    act(window, "addHereAction")
    settled(qtbot, window)
    assert table(window)[-1][0] == "gpt2 recipe, 4 merges (2)", "names tell lanes apart"


def test_after_another_training_the_steps_of_the_run_before_stay(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    comparison = window.compare.comparison
    comparison.at_positions([3])
    before = window.player.history
    path = tmp_path / "rats.txt"
    path.write_text("the rat that sat there ate the hat\n" * 20)
    window.open_sources([path], train=True)
    qtbot.waitUntil(lambda: window.player.history is not before, timeout=30_000)
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    settled(qtbot, window)
    assert comparison.history is window.player.history
    comparison.at_positions([3])
    settled(qtbot, window)
    names = [row[0] for row in table(window)]
    kept = "gpt2 recipe on story.txt"
    assert names[2:] == ["gpt2 recipe, 3 merges", kept, "gpt2 recipe, 3 merges (2)"]
    after = window.player.history
    runs = [lane.encoding.history for lane in comparison.lanes if lane.encoding is not None]
    assert runs == [after, after, before, before, after]


def test_branches_are_lanes_as_well(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "exploreAction")
    window.player.scrub(2)
    act(window, "forbidAction")
    qtbot.waitUntil(lambda: len(window.branches.all) == 2, timeout=30_000)
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=30_000)
    act(window, "compareAction")
    menu = window.compare.add_menu
    menu.aboutToShow.emit()
    branches = child(menu, QMenu, "addBranchMenu").actions()
    assert [action.text() for action in branches] == [
        branch.name for branch in window.branches.all
    ]
    branches[0].trigger()
    settled(qtbot, window)
    assert table(window)[-1][0] == window.branches.all[0].name


def test_lanes_are_moved_and_removed_with_keys(qtbot: QtBot, window: MainWindow) -> None:
    view = child(window, QTableView, "metricsTable")
    view.setFocus()
    view.setCurrentIndex(view.model().index(1, 0))
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [BEHIND, FOLLOWING]
    assert window.compare.lanes.accessibleDescription().startswith(f"2 lanes: {BEHIND}")
    QTest.keyClick(view, Qt.Key.Key_Delete)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == ["the run at the cursor"]
    act(window, "addFollowingAction")
    settled(qtbot, window)
    assert len(table(window)) == 1, "it is there already"


def test_a_lane_chosen_in_the_table_is_made_out_and_the_other_way_round(
    qtbot: QtBot, window: MainWindow
) -> None:
    write(qtbot, window, "the cat")
    lanes, view = window.compare.lanes, child(window, QTableView, "metricsTable")
    before = lanes.grab().toImage()
    view.setCurrentIndex(view.model().index(1, 0))
    assert lanes.grab().toImage() != before
    lanes.setFocus()
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current == LanePlace(1, 0)
    QTest.keyClick(lanes, Qt.Key.Key_Up)
    assert view.currentIndex().row() == 0
    QTest.keyClick(lanes, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 1


def test_lanes_are_moved_and_removed_where_they_stand(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat")
    window.compare.comparison.at_positions([2])
    settled(qtbot, window)
    lanes = window.compare.lanes
    lanes.setFocus()
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    QTest.keyClick(lanes, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [BEHIND, FOLLOWING, "gpt2 recipe, 2 merges"]
    assert lanes.current is not None
    assert lanes.current.lane == 1, "what is selected goes along"
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [BEHIND, "gpt2 recipe, 2 merges"]
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current is not None
    assert lanes.current.lane == 1, "the lane that has come to its place"
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    settled(qtbot, window)
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    settled(qtbot, window)
    QTest.keyClick(lanes, Qt.Key.Key_Delete)
    assert table(window) == []
    QTest.keyClick(lanes, Qt.Key.Key_Right)
    assert lanes.current is None
    act(window, "addFollowingAction")
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [FOLLOWING]


def test_the_menu_of_a_lane_is_for_that_lane(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(qtbot, window, "the cat")
    offered: list[QPoint] = []
    monkeypatch.setattr(
        window.compare.numbers.table, "show_menu", lambda where, _: offered.append(where)
    )
    lanes = window.compare.lanes
    place = lanes.token_center(LanePlace(1, 0))
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, lanes.viewport().mapToGlobal(place)
    )
    QApplication.sendEvent(lanes.viewport(), event)
    assert offered == [lanes.viewport().mapToGlobal(place)]
    act(window, "removeLaneAction")
    settled(qtbot, window)
    assert [row[0] for row in table(window)] == [FOLLOWING]


def test_a_lane_that_loses_something_says_so_beside_its_tokens(
    qtbot: QtBot, window: MainWindow
) -> None:
    model = LibraryTokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    window.compare.comparison.add(HuggingFaceEncoding(model, name="words"))
    write(qtbot, window, "zebra")
    said = window.compare.lanes.accessibleDescription()
    assert said.startswith(f"3 lanes: {FOLLOWING}, {BEHIND}, words · lossy.")


def test_all_numbers_have_room_in_a_window_of_1024_by_700(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: window.width() == 1024)
    window.compare.comparison.at_positions([2, 3])
    settled(qtbot, window)
    view = child(window, QTableView, "metricsTable")
    assert view.horizontalScrollBar().maximum() == 0
    last = view.visualRect(view.model().index(3, view.model().columnCount() - 1))
    assert view.viewport().rect().contains(last), "four lanes have room too"
    metrics = view.fontMetrics()
    for column in range(1, view.model().columnCount()):
        title = view.model().headerData(column, Qt.Orientation.Horizontal)
        widest = max(metrics.horizontalAdvance(line) for line in title.split("\n"))
        assert view.columnWidth(column) >= widest
    names = [row[0] for row in table(window)]
    assert view.columnWidth(0) >= max(map(metrics.horizontalAdvance, names)) + 14


def test_nothing_is_cut_while_nobody_looks(qtbot: QtBot, window: MainWindow) -> None:
    act(window, "exploreAction")
    result = window.compare.comparison.result
    window.player.scrub(1)
    qtbot.waitUntil(lambda: not window._frame.isActive())
    assert window.compare.comparison.result is result


# -- differences ---------------------------------------------------------------------------------


def test_next_and_previous_difference_with_the_cause(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat xyz the mat")
    result = window.compare.comparison.result
    assert result is not None
    total = len(result.differences)
    assert total >= 2
    bar, card = window.compare.differences.bar, window.compare.differences.card
    QTest.keyClick(window, Qt.Key.Key_F3)
    assert bar.text == f"difference 1 of {total}"
    qtbot.waitUntil(lambda: "since merge" in card.toPlainText())
    QTest.keyClick(window, Qt.Key.Key_F3)
    assert bar.text == f"difference 2 of {total}"
    QTest.keyClick(window, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert bar.text == f"difference {total} of {total}", "before the first comes the last"


def test_a_cause_leads_to_its_merge(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: "go to merge" in card.toPlainText())
    key = window.compare.comparison.lanes[0].key
    card.anchorClicked.emit(QUrl(f"merge:{key}:2"))
    assert window.player.position == 3


def ranks(path: Path) -> Path:
    """A rank file with bytes in an order of its own, and two merges."""
    numbers = {b"%c" % byte: 255 - byte for byte in range(256)} | {b"th": 256, b"the": 257}
    lines = (f"{b64encode(token).decode()} {rank}\n" for token, rank in numbers.items())
    path.write_text("".join(sorted(lines, key=lambda line: int(line.split()[1]))))
    return path


def test_lanes_that_cut_alike_are_told_with_the_ids_of_each(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.compare.loader.load(f"{ranks(tmp_path / 'moved')}@gpt2", "moved")
    window.compare.comparison.at_positions([0])
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    write(qtbot, window, "the")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: "moved 257" in card.toPlainText())
    history = window.player.history
    assert history is not None
    number = int(Tokenizer(history).encode("the").ids[0])
    lines_shown = card.toPlainText().replace("\xa0", " ").split("\n")
    place = lines_shown.index(f"the run at the cursor {number}, moved 257")
    assert lines_shown[place + 1] == "the"


def test_lanes_that_cut_alike_for_other_reasons_are_told_all_of_them(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """Two have no merges yet; one has them, but takes each letter for a word."""
    comparison = window.compare.comparison
    comparison.remove(comparison.lanes[1].key)
    window.compare.loader.load(f"{ranks(tmp_path / 'ranks')}@[\\s\\S]", "letters")
    comparison.at_positions([0, 0])
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    write(qtbot, window, "the")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: f"All are set against {FOLLOWING}." in card.toPlainText())
    text = card.toPlainText()
    assert "letters cuts between “t” and “he” before any merge" in text
    assert text.count("since merge") == 1
    assert "The same holds for gpt2 recipe, 0 merges (2)." in text
    assert text.count("go to merge") == 2, "for either reason"
    assert card.horizontalScrollBar().maximum() == 0


def test_the_lane_that_is_chosen_is_what_others_are_set_against(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.compare.comparison.at_positions([0])
    write(qtbot, window, "the")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: f"All are set against {FOLLOWING}." in card.toPlainText())
    window.compare.lanes.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(window.compare.lanes, key)
    qtbot.waitUntil(lambda: "All are set against gpt2 recipe, 0 merges." in card.toPlainText())
    lines = card.toPlainText().replace("\xa0", " ").split("\n")
    names = [line for line in lines if line in ("gpt2 recipe, 0 merges", FOLLOWING)]
    assert names == ["gpt2 recipe, 0 merges", FOLLOWING], "it stands first"


def test_a_long_token_is_cut_short_in_the_card(qtbot: QtBot, window: MainWindow) -> None:
    model = LibraryTokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    window.compare.comparison.add(HuggingFaceEncoding(model, name="words"))
    write(qtbot, window, "z" * 5000)
    act(window, "nextDifferenceAction")
    qtbot.waitUntil(lambda: "words" in window.compare.differences.card.toPlainText())
    assert len(window.compare.differences.card.toPlainText()) < 1500


def test_without_a_difference_the_card_says_so(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "xyz")
    assert window.compare.differences.bar.text == "no difference"
    assert "in the same places" in window.compare.differences.card.toPlainText()
    for lane in window.compare.comparison.lanes[1:]:
        window.compare.comparison.remove(lane.key)
    settled(qtbot, window)
    assert window.compare.differences.bar.text == "nothing to compare", "one lane"
    window.compare.comparison.add_behind()
    settled(qtbot, window)
    assert window.compare.differences.bar.text == "no difference"
    write(qtbot, window, "")
    assert window.compare.differences.bar.text == "nothing to compare", "no text"
    assert "With a text and two encodings" in window.compare.differences.card.toPlainText()
    assert not child(window, QAction, "nextDifferenceAction").isEnabled()


def test_a_token_of_the_run_is_shown_in_the_vocabulary(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat")
    told: list[int] = []
    window.compare.tokenSelected.connect(told.append)
    window.compare.lanes.setFocus()
    QTest.keyClick(window.compare.lanes, Qt.Key.Key_Right)
    history = window.player.history
    assert history is not None
    assert told == [int(Tokenizer(history).encode("the cat").ids[0])]


# -- the text ------------------------------------------------------------------------------------


def choose(window: MainWindow, name: str) -> None:
    """Choose a source of the text in the box, as a person would."""
    box = child(window, QComboBox, "compareTextBox")
    index = box.findText(name)
    box.setCurrentIndex(index)
    box.activated.emit(index)


def test_the_story_and_ones_own_text_again(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "mine")
    choose(window, "One story in twenty languages")
    settled(qtbot, window)
    assert window.compare.source.text() == joined().text
    assert window.compare.source.is_story
    child(window, TextEditor, "compareText").insertPlainText("Once. ")
    settled(qtbot, window)
    assert not window.compare.source.is_story
    assert window.compare.comparison.text == f"Once. {joined().text}"
    box = child(window, QComboBox, "compareTextBox")
    assert (box.currentText(), box.placeholderText()) == ("", "The story, edited")
    choose(window, "One story in twenty languages")
    assert window.compare.source.is_story
    assert box.currentText() == "One story in twenty languages"
    choose(window, "Your text")
    settled(qtbot, window)
    assert window.compare.source.text() == "mine"


def test_a_file_as_text(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "poem.txt"
    path.write_bytes(b"\xef\xbb\xbfthe mat\r\nthe hat")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(path), ""))
    choose(window, "A file…")
    settled(qtbot, window)
    assert window.compare.source.text() == "the mat\r\nthe hat", "as it stands in the file"
    path.write_bytes(b"the \xff mat")
    choose(window, "A file…")
    assert "poem.txt cannot be read as utf-8: " in window.message_bar.text
    assert "0xFF at byte offset 4; choose the encoding" in window.message_bar.text
    assert window.compare.source.text() == "the mat\r\nthe hat"


def test_the_numbers_are_those_of_the_file_itself(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """As the command line has them: no character is changed on the way."""
    text = "one\r\ntwo\rthree\u2029four\ufdd0five\0\ufeff\r\n"
    path = tmp_path / "odd.txt"
    for content in (text.encode(), text.encode("utf-16"), gzip.compress(text.encode())):
        write(qtbot, window, "")
        path.write_bytes(content)
        window.compare.source.show_file(path)
        settled(qtbot, window)
        assert window.compare.source.text() == text
        history = window.player.history
        assert history is not None
        assert table(window)[0][1] == str(len(Tokenizer(history).encode(text)))
    child(window, TextEditor, "compareText").insertPlainText("Zero\n")
    settled(qtbot, window)
    assert window.compare.comparison.text == f"Zero\n{text}", "editing changes nothing else"


def test_a_text_that_takes_long_says_so(qtbot: QtBot, window: MainWindow, shut: Shut) -> None:
    bar = window.compare.differences.bar
    gate = shut(CutWorker, "_cut")
    child(window, TextEditor, "compareText").setPlainText("the cat")
    qtbot.waitUntil(lambda: bar.text == "comparing…")
    gate.open()
    settled(qtbot, window)
    assert "difference" in bar.text


def test_a_message_is_over_when_what_it_was_about_succeeds(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: ("five", True))
    act(window, "addStepsAction")
    window.compare.source.show_file(tmp_path / "missing.txt")
    window.compare.measure([str(tmp_path / "missing.txt")])
    qtbot.waitUntil(lambda: not window.compare.numbers.measuring.busy)
    said = window.message_bar.text.split("\n")
    assert len(said) == 3
    path = tmp_path / "there.txt"
    path.write_text("the hat sat")
    window.compare.source.show_file(path)
    window.compare.measure([str(path)])
    assert window.message_bar.text == said[0]
    window.compare.source.show_file(tmp_path / "missing.txt")
    assert window.message_bar.text != said[0]
    choose(window, "Your text")
    assert window.message_bar.text == said[0], "another text can be shown"
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: ("5", True))
    act(window, "addStepsAction")
    assert window.message_bar.text == ""


def test_the_numbers_of_a_file_make_way_for_another_text_and_another_run(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "rhyme.txt"
    path.write_text("the hat sat")
    bar = window.compare.numbers.bar

    def measured() -> None:
        qtbot.waitUntil(lambda: bar.text == "rhyme.txt, 11 bytes, measured whole", timeout=30_000)

    window.compare.measure([str(path)])
    measured()
    end = window.player.end
    window.player.scrub(3)
    settled(qtbot, window)
    assert table(window)[0][0] == f"{FOLLOWING} at {end} merges", "where it was measured"
    write(qtbot, window, "the cat")
    assert bar.text == "7 characters, 7 bytes"
    assert table(window)[0][0] == FOLLOWING
    act(window, "backToFileAction")
    measured()
    child(window, QCheckBox, "specialsAsText").click()
    assert bar.text == "7 characters, 7 bytes"
    act(window, "backToFileAction")
    assert bar.text == "rhyme.txt, 11 bytes, measured whole with special tokens found"
    act(window, "measureAgainAction")
    measured()
    assert not child(window, QAction, "measureAgainAction").isEnabled()
    child(window, QCheckBox, "specialsAsText").click()
    act(window, "backToFileAction")
    assert bar.text == "rhyme.txt, 11 bytes, measured whole with special tokens read as text"
    child(window, QCheckBox, "specialsAsText").click()
    act(window, "backToFileAction")
    assert bar.text == "rhyme.txt, 11 bytes, measured whole"
    before = window.player.history
    window.controls.choose_preset("gpt4")
    qtbot.waitUntil(lambda: window.player.history not in (before, None), timeout=30_000)
    settled(qtbot, window)
    assert bar.text == "7 characters, 7 bytes"
    act(window, "backToFileAction")
    assert table(window)[0][0] == f"{FOLLOWING} at 3 merges, of the run before"


def test_a_long_file_is_measured_and_its_beginning_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "long.txt"
    path.write_text("é" + "a " * LONGEST)
    window.compare.source.show_file(path)
    note = child(window, QLabel, "textNote")
    assert note.isVisible()
    assert note.text() == (
        f"These are the first {LONGEST:,} bytes of long.txt, which is measured whole below."
    )
    assert window.compare.source.text() == path.read_text()[: LONGEST - 1]
    bar = window.compare.numbers.bar
    qtbot.waitUntil(lambda: bar.text == "long.txt, 400.0 kB, measured whole", timeout=30_000)
    choose(window, "Your text")
    assert not note.isVisible()


def test_a_pipe_is_not_waited_for(window: MainWindow, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    window.compare.source.show_file(tmp_path / "pipe")
    assert "is no file that can be shown" in window.message_bar.text


def test_files_are_read_as_corpora_are(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"caf\xe9")
    window.compare.source.show_file(path)
    assert "Corpus ▸ Encoding" in window.message_bar.text
    window.controls.set_options(CorpusOptions(encoding="iso-8859-1"))
    window.compare.source.show_file(path)
    assert window.compare.source.text() == "café"


def test_special_tokens_are_found_or_read_as_text(qtbot: QtBot, window: MainWindow) -> None:
    box = child(window, QCheckBox, "specialsAsText")
    box.click()
    settled(qtbot, window)
    assert window.compare.comparison.specials_as_text


# -- the table -----------------------------------------------------------------------------------


def test_the_table_sorts_and_is_copied_and_exported(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    view = child(window, QTableView, "metricsTable")
    view.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    assert [row[0] for row in table(window)] == [BEHIND, FOLLOWING]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].startswith("encoding\ttokens\t")
    assert lines[1].startswith("the run at the cursor\t")
    path = tmp_path / "numbers.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    act(window, "exportMetricsAction")
    rows = list(csv.reader(io.StringIO(path.read_text())))
    result = window.compare.comparison.result
    assert result is not None
    metrics = result.lanes[0].metrics
    assert metrics is not None
    assert rows[1][:2] == ["the run at the cursor", str(metrics.tokens)]
    assert float(rows[1][2]) == metrics.characters_per_token
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "no" / "x.csv"), "")
    )
    act(window, "exportMetricsAction")
    assert "cannot be written" in window.message_bar.text


def test_closing_while_it_compares(qtbot: QtBot, window: MainWindow) -> None:
    window.compare.source.show_story()
    window.close()
    assert not window.compare.comparison._thread.isRunning()
