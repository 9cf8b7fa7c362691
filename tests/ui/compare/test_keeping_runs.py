"""What was trained is not lost: not by what is dropped, nor when another run begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer

from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.formats import huggingface_export
from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import afresh, loaded, run_of, settled, table, window
from tests.ui.driving import act, child
from tests.ui.dropped_files import drop
from tests.ui.in_turn import InTurn
from tests.ui.save_dialogs import answered, save_as

__all__ = ["window"]

KEPT = "gpt2 recipe on story.txt"


def finished(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    window.player.go_to_end()


def names(window: MainWindow) -> list[str]:
    return [row[0] for row in table(window)]


def rats(folder: Path, name: str = "rats.txt") -> Path:
    path = folder / name
    path.write_text("the rat that sat there ate the hat\n" * 20)
    return path


# -- what is dropped on Compare ------------------------------------------------------------------


def measured(qtbot: QtBot, window: MainWindow, about: str) -> None:
    bar = window.compare.numbers.bar
    qtbot.waitUntil(lambda: bar.text.startswith(about) and not window.compare.numbers.measuring)


@pytest.mark.parametrize("several", [False, True])
def test_a_folder_or_several_texts_are_measured_and_the_run_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, several: bool
) -> None:
    history = window.player.history
    folder = tmp_path / "texts"
    folder.mkdir()
    texts = [rats(folder), rats(folder, "more.txt")]
    drop(window, *(texts if several else [folder]))
    measured(qtbot, window, "2 files, 1.4 kB" if several else "texts, 1.4 kB")
    assert window.player.history is history
    assert window.training.phase is Phase.FINISHED
    assert window.controls.corpus_box.currentText() == "story.txt"
    assert history is not None
    tokens = sum(len(Tokenizer(history).encode(text.read_text())) for text in texts)
    assert table(window)[0][:2] == [f"{FOLLOWING} at {len(history)} merges", f"{tokens:,}"]


def check_a_folder_without_texts_is_refused_and_the_run_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = window.player.history
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "data").write_bytes(b"\0\1\2")
    drop(window, tmp_path / "binary")
    qtbot.waitUntil(lambda: "has no text files" in window.message_bar.text)
    act(window, "exploreAction")
    window.message_bar.withdraw("measure")
    drop(window, tmp_path / "binary")
    qtbot.waitUntil(lambda: "has no text files" in window.message_bar.text)
    assert window.player.history is history
    assert window.controls.corpus_box.currentText() == "story.txt"


def check_what_is_dropped_with_an_encoding_is_measured_with_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    huggingface_export.write(history, tmp_path / "same.json")
    drop(window, tmp_path / "same.json", rats(tmp_path), rats(tmp_path, "more.txt"))
    measured(qtbot, window, "2 files")
    rows = table(window)
    assert [row[0] for row in rows[2:]] == ["same.json"]
    assert rows[2][1] == rows[0][1]


# -- another run begins --------------------------------------------------------------------------


def check_a_run_that_makes_way_is_kept_as_a_lane_and_can_be_saved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    act(window, "exploreAction")
    drop(window, rats(tmp_path))
    qtbot.waitUntil(lambda: window.player.history not in (history, None))
    assert f"“{KEPT}”" in window.message_bar.text
    assert f"{len(history)} merges" in window.message_bar.text
    act(window, "compareAction")
    settled(qtbot, window)
    assert names(window) == [FOLLOWING, BEHIND, KEPT]
    text = window.compare.source.text
    assert table(window)[2][1] == f"{len(Tokenizer(history).encode(text)):,}"
    view = child(window, QTableView, "metricsTable")
    view.setFocus()
    view.setCurrentIndex(view.model().index(2, 0))
    path = tmp_path / "kept.json"
    window.message_bar.withdraw()
    answered(child(window, QAction, "saveLaneAction"), [save_as(path)])
    qtbot.waitUntil(lambda: "kept.json is saved" in window.message_bar.text)
    ids = LibraryTokenizer.from_file(str(path)).encode("the cat").ids
    assert ids == Tokenizer(history).encode("the cat").ids.tolist()


def test_a_run_without_merges_and_one_that_is_there_already_are_not_kept(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    first = window.player.history
    window.open_sources([rats(tmp_path)])
    qtbot.waitUntil(lambda: window.player.history not in (first, None))
    before = window.player.history
    act_on_corpus(window, "story.txt")
    qtbot.waitUntil(lambda: window.player.history not in (before, None))
    settled(qtbot, window)
    assert names(window) == [FOLLOWING, BEHIND, KEPT], "one merged nothing"
    act(window, "trainAction")
    finished(qtbot, window)
    again = window.player.history
    act_on_corpus(window, "rats.txt")
    qtbot.waitUntil(lambda: window.player.history not in (again, None))
    settled(qtbot, window)
    assert names(window) == [FOLLOWING, BEHIND, KEPT], "the same merges are there already"


def test_a_run_of_bytes_among_the_lanes_loses_no_small_one(
    qtbot: QtBot, at_the_start: MainWindow
) -> None:
    window = at_the_start
    for name, size in (("gpt2", 263), ("whitespace", 18), ("raw", 16)):
        before = window.player.history
        window.controls.choose_preset(name)
        window.controls.size_box.setValue(size)
        act(window, "trainAction")
        qtbot.waitUntil(lambda before=before: window.player.history is not before)
        finished(qtbot, window)
    act(window, "compareAction")
    settled(qtbot, window)
    kept = [f"{name} recipe on Four words" for name in ("gpt2", "whitespace")]
    assert [name for name in names(window) if "recipe on" in name] == kept


def act_on_corpus(window: MainWindow, name: str) -> None:
    window.controls.corpus_box.setCurrentText(name)


def test_a_foreign_lane_cannot_be_saved_here(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    huggingface_export.write(history, tmp_path / "same.json")
    drop(window, tmp_path / "same.json")
    loaded(qtbot, window)
    view = child(window, QTableView, "metricsTable")
    for row, enabled in ((0, True), (2, False)):
        view.setCurrentIndex(view.model().index(row, 0))
        assert child(window, QAction, "saveLaneAction").isEnabled() is enabled


def test_the_run_before_and_saved_ones_have_curves(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    huggingface_export.write(history, tmp_path / "same.json")
    window.controls.choose_preset("whitespace")
    qtbot.waitUntil(lambda: window.player.history not in (history, None))
    act(window, "trainAction")
    finished(qtbot, window)
    drop(window, tmp_path / "same.json")
    loaded(qtbot, window)
    curves = window.compare.numbers.curves
    tabs = window.compare.numbers.tabs
    tabs.setCurrentWidget(curves)
    legend = child(curves, QLabel, "curvesLegend")
    qtbot.waitUntil(lambda: "same.json" in legend.text())
    said = legend.text().replace("&nbsp;", " ")
    assert "whitespace recipe * <b>" in said, "some of the text is unknown to it"
    assert f"{KEPT} <b>" in said
    assert len(curves.plot.marks) == 3
    assert curves.plot.marks[1] == (len(history),)
    assert curves.plot.marks[2] == (len(history),)


def test_what_is_kept(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_a_folder_without_texts_is_refused_and_the_run_stays,
        check_what_is_dropped_with_an_encoding_is_measured_with_it,
        check_a_run_that_makes_way_is_kept_as_a_lane_and_can_be_saved,
    )
