"""Encodings added by name: they are fetched, told of meanwhile, given up, and told apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings import load
from bpe_gui.encodings.formats import huggingface_export
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import Progress
from bpe_gui.ui.shell.main_window import MainWindow
from tests.conftest import PATIENCE
from tests.ui.compare.compare_workspace import (
    afresh,
    loaded,
    run_of,
    settled,
    table,
    waiting,
    window,
    write,
)
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn

__all__ = ["window"]


def check_files_of_one_name_are_told_apart(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "tokenizer.json"
        huggingface_export.write(history, path)
        window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    names = ["first/tokenizer.json", "second/tokenizer.json"]
    assert [row[0] for row in table(window)[2:]] == names


def check_a_file_has_a_second_lane_only_if_it_has_changed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    comparison, add = window.compare.comparison, window.compare.add_menu.add_path
    path = tmp_path / "run.json"
    huggingface_export.write(run_of(window), path)
    add(path)
    add(path)  # while it is being loaded
    loaded(qtbot, window)
    (lane,) = comparison.lanes[2:]
    comparison.rename(lane.key, "mine")
    comparison.hide_or_show(lane.key)
    add(path)
    loaded(qtbot, window)
    assert comparison.lanes[2:] == [lane]
    assert not lane.hidden
    assert "“mine” is one of the lanes already." in window.message_bar.text
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    add(path)
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[2:]] == ["mine", "run.json"]
    assert "already" not in window.message_bar.text
    # Before and after the change, it has the lane that is as the file is now.
    add(path)
    loaded(qtbot, window)
    assert len(comparison.lanes) == 4
    assert "“run.json” is one of the lanes already." in window.message_bar.text


def check_a_file_that_failed_is_tried_again_when_it_is_added_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "late.json"
    window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    assert [name for name, _ in waiting(window)] == ["late.json"]
    huggingface_export.write(run_of(window), path)
    window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[2:]] == ["late.json"]
    assert waiting(window) == []


def test_recent_files_are_added_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in ("first.json", "second.json", "text")]
    for path in paths[:2]:
        huggingface_export.write(run_of(window), path)
    paths[2].write_text("no encoding")
    filters = []

    def chosen(*arguments: object, **options: str) -> tuple[list[str], str]:
        filters.append(options["filter"])
        return [str(path) for path in paths], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", chosen)
    act(window, "addFileAction")
    loaded(qtbot, window)
    (written,) = filters
    assert written.startswith("Tokenizers (*.json ")
    assert written.endswith(";;All files (*)")
    shown = re.findall(r"\*\.[^ )]+", written)
    for name in ("tokenizer.model", "tokenizer.model.v3", "bpe_simple_vocab_16e6.txt.gz"):
        assert any(fnmatch(name, pattern) for pattern in shown), name
    lanes = len(window.compare.comparison.lanes)
    assert child(window, QAction, "recentEncodings1Action").data() == [str(paths[1])]
    assert child(window, QAction, "recentEncodings2Action").data() == [str(paths[0])]
    assert window.findChild(QAction, "recentEncodings3Action") is None, "the text is no encoding"
    comparison = window.compare.comparison
    comparison.remove(comparison.lanes[-3].key)
    act(window, "recentEncodings2Action")
    loaded(qtbot, window)
    assert len(comparison.lanes) == lanes
    assert window.compare.comparison.lanes[-1].spec == str(paths[0])
    assert child(window, QAction, "recentEncodings1Action").data() == [str(paths[0])]


def check_what_is_guessed_is_said(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("[PAD]\n[UNK]\n[CLS]\nlow\n##er\n")
    window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    assert "vocab.txt" not in window.message_bar.text, "its lane says it for good"
    write(qtbot, window, "low")
    lanes = child(window, QWidget, "laneView")
    assert "vocab.txt · guess." in lanes.accessibleDescription()
    kept = "read as an uncased vocabulary of BERT: 5 entries, guessed"
    model = child(window, QTableView, "metricsTable").model()
    tip = model.index(model.rowCount() - 1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith(f"vocab.txt\n{kept}")
    assert model.sourceModel().lines()[-1][0].endswith(f"vocab.txt: {kept}")


def check_what_is_left_out_is_said(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "bpe_simple_vocab_16e6.txt"
    path.write_text('"bpe_simple_vocab\nl o\nlo w</w>\n', "utf-8")
    window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    said = "first repairs texts with ftfy and replaces HTML entities; that is left out here."
    assert f"{path.name}: CLIP's own library {said}" in window.message_bar.text
    model = child(window, QTableView, "metricsTable").model()
    tip = model.index(model.rowCount() - 1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "that is left out here" in tip


def check_all_that_is_left_out_is_announced(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    names = ("first.txt", "second.txt")
    for name in names:
        path = tmp_path / name
        path.write_text('"bpe_simple_vocab\nl o\nlo w</w>\n', "utf-8")
        window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    said = window.message_bar.text
    assert all(f"{name}: CLIP's own library" in said for name in names)


def check_a_name_of_the_hub_and_one_of_tiktoken(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[str] = []
    history = run_of(window)

    def opened_encoding(spec: str, **options: object) -> object:
        wanted.append(spec)
        return TrainedEncoding(history, name=spec)

    monkeypatch.setattr(load, "open_encoding", opened_encoding)
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: (" someone/model ", True))
    act(window, "addHubAction")
    window.compare.add_menu.aboutToShow.emit()
    act(window, "add_gpt2")
    loaded(qtbot, window)
    assert wanted == ["hub:someone/model", "tiktoken:gpt2"]
    assert [row[0] for row in table(window)[2:]] == ["someone/model", "gpt2"]


def test_a_download_tells_how_far_it_is_and_is_cancelled_by_taking_its_lane_away(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, given_up = Event(), Event()

    def slow(
        spec: str,
        *,
        progress: Progress,
        cancelled: Callable[[], bool],
        **options: object,
    ) -> object:
        progress(2_000_000, 8_000_000, "downloading")
        begun.set()
        while not cancelled():
            Event().wait(0.001)
        given_up.set()
        raise Cancelled

    monkeypatch.setattr(load, "open_encoding", slow)
    window.compare.loader.load("hub:large", "large")
    assert begun.wait(PATIENCE / 1000)
    qtbot.waitUntil(lambda: table(window)[-1][0] == "large: 2.0 of 8.0 MB fetched")
    qtbot.waitUntil(lambda: waiting(window) == [("large", "2.0 of 8.0 MB fetched")])
    cancel = child(window.compare.waiting, QPushButton, "removeWaitingButton")
    assert cancel.text() == "Cancel"
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert given_up.wait(PATIENCE / 1000)
    settled(qtbot, window)
    assert len(table(window)) == 2
    assert window.message_bar.text == ""


def test_closing_gives_up_a_download(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = Event()

    def endless(spec: str, *, cancelled: Callable[[], bool], **options: object) -> object:
        begun.set()
        while not cancelled():
            Event().wait(0.001)
        raise Cancelled

    monkeypatch.setattr(load, "open_encoding", endless)
    window.compare.loader.load("hub:large", "large")
    assert begun.wait(PATIENCE / 1000)
    window.close()
    assert not window.compare.loader.busy


def test_what_is_loaded(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_files_of_one_name_are_told_apart,
        check_a_file_has_a_second_lane_only_if_it_has_changed,
        check_a_file_that_failed_is_tried_again_when_it_is_added_again,
        check_what_is_guessed_is_said,
        check_what_is_left_out_is_said,
        check_all_that_is_left_out_is_announced,
        check_a_name_of_the_hub_and_one_of_tiktoken,
    )
