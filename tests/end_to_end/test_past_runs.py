"""A run that has made way for another is in the list of runs, and is shown again from there."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QInputDialog,
    QLabel,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    MERGES,
    SYMBOLS,
    Start,
    action,
    answer_file_dialog,
    choose,
    drop,
    end,
    focus,
    go_to,
    is_enabled,
    is_trained,
    messages,
    position,
    rows,
    tokens,
)
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn


def listed(window: QMainWindow) -> list[str]:
    actions = child(window, QMenu, "runsMenu").actions()
    return [action.text() for action in actions if action.objectName().startswith("run")]


def choose_recipe(qtbot: QtBot, window: QMainWindow, name: str) -> None:
    """Choose a recipe, of which the run then is, untrained."""
    choose(child(window, QComboBox, "presetBox"), name)
    qtbot.waitUntil(lambda: end(window) == 0 and is_enabled(window, "trainAction"))


def check_no_run_has_made_way_at_first(trained: QMainWindow) -> None:
    assert listed(trained) == []
    assert not is_enabled(trained, "runsAction")


def check_a_run_is_shown_again_as_it_was(qtbot: QtBot, trained: QMainWindow) -> None:
    go_to(qtbot, trained, 3)
    choose_recipe(qtbot, trained, "gpt2")
    [kept] = listed(trained)
    assert kept == f"&1 whitespace on words.txt, {len(MERGES)} merges"
    assert any("is kept under Runs" in told for told in messages(trained))
    act(trained, "run1Action")
    qtbot.waitUntil(lambda: end(trained) == len(MERGES) and position(trained) == 3)
    assert child(trained, QComboBox, "presetBox").currentText() == "whitespace"
    assert not is_enabled(trained, "trainAction"), "it was complete"
    assert listed(trained) == [], "a run without a merge is not kept"


def test_done_is_read_soon_below_the_message_that_the_last_run_is_kept(
    qtbot: QtBot, trained: QMainWindow
) -> None:
    choose_recipe(qtbot, trained, "gpt2")
    leaves = child(trained, QTimer, "successesEnd")
    at_first = leaves.interval()
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(trained))
    act(trained, "endAction")
    done = child(trained, QLabel, "statusText")
    qtbot.waitUntil(lambda: done.text().startswith("Done"))
    assert any("is kept under Runs" in told for told in messages(trained))
    assert leaves.interval() == at_first // 2
    leaves.timeout.emit()
    assert not child(trained, QWidget, "messageBar").isVisible()


def two_runs_change_places_and_the_newest_is_first(qtbot: QtBot, trained: QMainWindow) -> None:
    choose_recipe(qtbot, trained, "raw")
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(trained) and end(trained) > 0)
    act(trained, "endAction")
    raw = end(trained)
    choose_recipe(qtbot, trained, "gpt2")
    assert [title.split()[1] for title in listed(trained)] == ["raw", "whitespace"]
    act(trained, "run2Action")
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))
    qtbot.waitUntil(lambda: tokens(trained)[-len(MERGES) :] == MERGES)
    act(trained, "run1Action")
    qtbot.waitUntil(lambda: end(trained) == raw)
    assert [title.split()[1] for title in listed(trained)] == ["whitespace"]


def check_the_corpus_comes_back_with_its_run(
    qtbot: QtBot, trained: QMainWindow, tmp_path: Path
) -> None:
    other = tmp_path / "other.txt"
    other.write_text("the rat that sat there ate the hat\n" * 20)
    drop(trained, other)
    qtbot.waitUntil(lambda: end(trained) == 0 and is_enabled(trained, "trainAction"))
    act(trained, "run1Action")
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))
    assert child(trained, QComboBox, "corpusBox").currentText() == "words.txt"


def test_who_goes_back_to_a_recipe_while_another_is_read_can_train_it(
    qtbot: QtBot, trained: QMainWindow
) -> None:
    recipes = child(trained, QComboBox, "presetBox")
    choose(recipes, "gpt2")
    choose(recipes, "whitespace")
    done = child(trained, QLabel, "statusText")
    assert done.text().startswith("Reading"), "the complete run is about to make way"
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: done.text().startswith("Done"))
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))


def test_a_run_makes_way_and_is_shown_again(
    trained: QMainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    check_no_run_has_made_way_at_first(trained)
    check_a_run_is_shown_again_as_it_was(qtbot, trained)
    check_the_corpus_comes_back_with_its_run(qtbot, trained, tmp_path)


def a_run_that_is_gone_back_to_can_be_trained_on(qtbot: QtBot, trained: QMainWindow) -> None:
    choose_recipe(qtbot, trained, "gpt2")
    act(trained, "stepAction")
    qtbot.waitUntil(lambda: end(trained) == 1)
    choose_recipe(qtbot, trained, "whitespace")
    act(trained, "run1Action")
    qtbot.waitUntil(lambda: end(trained) == 1)
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: end(trained) > 1 and is_trained(trained))
    act(trained, "endAction")


def a_run_makes_way_for_the_same_to_a_smaller_size(qtbot: QtBot, trained: QMainWindow) -> None:
    child(trained, QSpinBox, "vocabSizeBox").setValue(SYMBOLS + 2)
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(trained) and end(trained) == 2)
    act(trained, "endAction")
    assert listed(trained) == [f"&1 whitespace on words.txt, {len(MERGES)} merges"]
    act(trained, "run1Action")
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))


def test_the_run_before_a_session_is_kept(
    qtbot: QtBot, trained: QMainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "five.bpesession"
    answer_file_dialog(qtbot, trained, "saveSessionAction", path)
    choose_recipe(qtbot, trained, "raw")
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(trained) and end(trained) > 0)
    act(trained, "endAction")
    raw = end(trained)
    answer_file_dialog(qtbot, trained, "openSessionAction", path)
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))
    assert listed(trained)[0].startswith(f"&1 raw on words.txt, {raw} merge")


def test_a_session_has_the_runs_that_have_made_way(
    qtbot: QtBot, trained: QMainWindow, start: Start, tmp_path: Path
) -> None:
    go_to(qtbot, trained, 3)
    choose_recipe(qtbot, trained, "raw")
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(trained) and end(trained) > 0)
    act(trained, "endAction")
    choose_recipe(qtbot, trained, "gpt2")
    act(trained, "stepAction")
    qtbot.waitUntil(lambda: end(trained) == 1)
    before = listed(trained)
    path = tmp_path / "three.bpesession"
    answer_file_dialog(qtbot, trained, "saveSessionAction", path)
    trained.close()
    window = start("open", str(path))
    qtbot.waitUntil(lambda: end(window) == 1)
    assert listed(window) == before
    act(window, "run2Action")
    qtbot.waitUntil(lambda: end(window) == len(MERGES) and position(window) == 3)
    assert child(window, QComboBox, "presetBox").currentText() == "whitespace"
    assert listed(window)[0].startswith("&1 gpt2 on words.txt, 1 merge")
    kept = [row[0] for row in rows(window, "metricsTable") if " recipe on " in row[0]]
    act(window, "removeRun2Action")
    qtbot.waitUntil(lambda: "raw recipe on words.txt" not in str(rows(window, "metricsTable")))
    assert "raw recipe on words.txt" in kept


def the_keys_are_the_cursors_after_a_run_was_chosen_from_a_field(
    qtbot: QtBot, trained: QMainWindow
) -> None:
    choose_recipe(qtbot, trained, "gpt2")
    focus(qtbot, trained, "vocabularySearch")
    act(trained, "run1Action")
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))
    qtbot.keyClick(trained.focusWidget(), Qt.Key.Key_Home)
    qtbot.keyClick(trained.focusWidget(), Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: position(trained) == 1)


def the_key_opens_the_list(qtbot: QtBot, trained: QMainWindow) -> None:
    choose_recipe(qtbot, trained, "gpt2")
    timeline = focus(qtbot, trained, "timeline")
    qtbot.keyClick(timeline, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    menu = child(trained, QMenu, "runsMenu")
    qtbot.waitUntil(menu.isVisible)
    qtbot.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_1)
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))


def test_the_text_suits_the_run_that_comes_back(
    qtbot: QtBot, start: Start, tmp_path: Path
) -> None:
    window = start("open", "--start")
    qtbot.waitUntil(lambda: is_trained(window))
    editor = child(window, QPlainTextEdit, "sampleText")
    four_words = editor.toPlainText()
    other = tmp_path / "other.txt"
    other.write_text("the rat that sat there ate the hat\n" * 20)
    drop(window, other)
    qtbot.waitUntil(lambda: editor.toPlainText() != four_words)
    act(window, "run1Action")
    qtbot.waitUntil(lambda: editor.toPlainText() == four_words)


def a_run_is_named_and_removed(
    qtbot: QtBot, trained: QMainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_recipe(qtbot, trained, "raw")
    act(trained, "trainAction")
    qtbot.waitUntil(lambda: is_trained(trained) and end(trained) > 0)
    act(trained, "endAction")
    raw = end(trained)
    choose_recipe(qtbot, trained, "gpt2")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (" Words & all ", True))
    act(trained, "nameRun2Action")
    assert listed(trained)[1] == "&2 Words && all"
    act(trained, "run2Action")
    qtbot.waitUntil(lambda: end(trained) == len(MERGES))
    choose_recipe(qtbot, trained, "gpt2")
    assert listed(trained)[0] == "&1 Words && all", "it keeps its name"
    act(trained, "removeRun1Action")
    assert listed(trained) == [f"&1 raw on words.txt, {raw} merges"]
    act(trained, "removeRun1Action")
    assert listed(trained) == []
    assert not is_enabled(trained, "runsAction")


@pytest.mark.qt_log_ignore("does not support")
def test_runs_make_way_again_and_again(
    trained: QMainWindow, qtbot: QtBot, in_turn: InTurn
) -> None:
    size = child(trained, QSpinBox, "vocabSizeBox").value()

    def again() -> None:
        choose_recipe(qtbot, trained, "lines")
        choose_recipe(qtbot, trained, "whitespace")
        child(trained, QSpinBox, "vocabSizeBox").setValue(size)
        act(trained, "trainAction")
        qtbot.waitUntil(lambda: is_trained(trained) and end(trained) == len(MERGES))
        act(trained, "endAction")
        while listed(trained):
            act(trained, "removeRun1Action")

    in_turn(
        again,
        two_runs_change_places_and_the_newest_is_first,
        a_run_that_is_gone_back_to_can_be_trained_on,
        a_run_makes_way_for_the_same_to_a_smaller_size,
        the_keys_are_the_cursors_after_a_run_was_chosen_from_a_field,
        the_key_opens_the_list,
        a_run_is_named_and_removed,
    )


def lanes(window: QMainWindow) -> list[str]:
    """The lanes in Compare of runs that have made way, by the name of their corpus."""
    names = [row[0] for row in rows(window, "metricsTable")]
    return [name.split()[-1] for name in names if " recipe on " in name]


def do_with_lane(window: QMainWindow, corpus: str, name: str) -> None:
    act(window, "compareAction")
    table = child(window, QTableView, "metricsTable")
    [row] = [n for n, row in enumerate(rows(window, "metricsTable")) if corpus in row[0]]
    table.selectRow(row)
    action(window, name).trigger()
    table.selectRow(0)
    act(window, "exploreAction")


def test_nine_runs_are_kept_each_with_its_lane_and_those_that_are_marked(
    qtbot: QtBot, trained: QMainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_way_for(number: int) -> None:
        other = tmp_path / f"{number}.txt"
        other.write_text(f"the {number} that sat there\n" * 9)
        drop(trained, other)
        qtbot.waitUntil(lambda: end(trained) == 0 and is_enabled(trained, "stepAction"))
        act(trained, "stepAction")
        qtbot.waitUntil(lambda: end(trained) == 1)

    def corpora() -> list[str]:
        return [title.split()[3].rstrip(",") for title in listed(trained)]

    for number in range(1, 10):
        make_way_for(number)
    assert corpora() == [*(f"{number}.txt" for number in range(8, 0, -1)), "words.txt"]
    qtbot.waitUntil(lambda: lanes(trained) == corpora()[::-1])
    assert not any("not kept" in told for told in messages(trained))

    do_with_lane(trained, "words.txt", "colourLaneAction")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("one of words.txt", True))
    act(trained, "nameRun8Action")  # of 1.txt
    assert listed(trained)[7] == "&8 one of words.txt"
    make_way_for(10)
    gone = "“whitespace on 2.txt, 1 merge”, the oldest there, is not kept any longer."
    assert any(gone in told for told in messages(trained))
    left = ["words.txt", "1.txt", *(f"{number}.txt" for number in range(3, 10))]
    qtbot.waitUntil(lambda: lanes(trained) == left)
    assert [corpora()[0], *corpora()[-2:]] == ["9.txt", "words.txt", "words.txt"]
    act(trained, "removeRun1Action")
    qtbot.waitUntil(lambda: "9.txt" not in lanes(trained))
    assert "words.txt" in lanes(trained)
