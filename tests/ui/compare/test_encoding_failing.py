"""Lanes of encodings that failed: why, beside what, and how they are tried again or removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings import load
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats import huggingface_export
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.shell.main_window import MainWindow
from tests.encodings.hub_server import Hub, point_to, serving
from tests.ui.compare.compare_workspace import (
    afresh,
    loaded,
    run_of,
    settled,
    table,
    waiting,
    window,
)
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn

__all__ = ["window"]


def check_tab_leads_from_the_lanes_to_those_that_failed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for name in ("gone.json", "lost.json"):
        window.compare.add_menu.add_path(tmp_path / name)
    loaded(qtbot, window)
    window.compare.lanes.setFocus()
    order = []
    for _ in range(5):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None
        order.append(focus.accessibleName())
    assert order == [
        "Try gone.json again", "Remove gone.json", "Try lost.json again", "Remove lost.json",
        "Numbers",
    ]  # fmt: skip


def check_what_cannot_be_read_says_why_and_the_window_goes_on(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"version": "1.0", "model": {"type": "BPE", "vocab": 7}}')
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a, **k: ([str(path)], ""))
    act(window, "addFileAction")
    loaded(qtbot, window)
    assert [name for name, _ in waiting(window)] == ["broken.json"]
    assert "is not a tokenizer.json" in waiting(window)[0][1]
    assert window.message_bar.text == "", "it is said once"
    assert table(window)[-1][0].startswith("broken.json: ")
    assert len(table(window)[0][1]) > 0, "the other lanes are there"


def check_what_fails_unseen_is_told_by_the_window_until_its_lane_is_seen(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    act(window, "exploreAction")
    for name in ("broken.json", "torn.json"):
        path = tmp_path / name
        path.write_text('{"version": "1.0", "model": {"type": "BPE", "vocab": 7}}')
        window.compare.add_menu.add_path(path)
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    said = window.message_bar.text.split("\n")
    assert ["broken.json" in said[0], "torn.json" in said[1]] == [True, True]
    act(window, "compareAction")
    assert window.message_bar.text == "", "the lanes tell it themselves"
    assert [name for name, _ in waiting(window)] == ["broken.json", "torn.json"]


def check_a_lane_that_failed_says_why_beside_the_numbers_of_a_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.compare.add_menu.add_path(tmp_path / "gone.json")
    loaded(qtbot, window)
    path = tmp_path / "rhyme.txt"
    path.write_text("the hat sat")
    window.compare.measure([str(path)])
    qtbot.waitUntil(lambda: "measured whole" in window.compare.numbers.bar.text)
    assert "gone.json: No such file or directory" in table(window)[-1][0]


def check_a_failed_lane_is_tried_again_by_its_button_and_by_key(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    paths = [tmp_path / "first.json", tmp_path / "second.json"]
    for path in paths:
        window.compare.add_menu.add_path(path)
    loaded(qtbot, window)
    assert ["No such file" in sentence for _, sentence in waiting(window)] == [True, True]
    again = child(window, QAction, "tryAgainAction")
    assert again.isEnabled()
    huggingface_export.write(history, paths[1])
    button = window.compare.waiting.findChildren(QPushButton, "tryAgainButton")[1]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    loaded(qtbot, window)
    assert [name for name, _ in waiting(window)] == ["first.json"]
    assert table(window)[3][:2] == ["second.json", table(window)[0][1]], "it is where it was"
    huggingface_export.write(history, paths[0])
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[2:]] == ["first.json", "second.json"]
    assert not window.compare.waiting.isVisible()
    assert not again.isEnabled()


def check_a_failed_lane_is_removed_where_it_stands(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.compare.add_menu.add_path(tmp_path / "gone.json")
    loaded(qtbot, window)
    button = child(window.compare.waiting, QPushButton, "removeWaitingButton")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert len(table(window)) == 2
    assert waiting(window) == []
    assert not child(window, QAction, "tryAgainAction").isEnabled()


def check_an_encoding_that_cannot_cut_the_text_says_so_below_the_lanes(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = run_of(window)
    odd = TrainedEncoding(history, name="odd")

    def refuses(text: str, *, specials_as_text: bool = False) -> Tokens:
        raise EncodingError("this text is too much for it; shorten the text")

    monkeypatch.setattr(odd, "encode", refuses)
    window.compare.comparison.add(odd)
    settled(qtbot, window)
    assert waiting(window) == [("odd", "This text is too much for it; shorten the text.")]
    assert not child(window, QAction, "tryAgainAction").isEnabled()


def check_a_library_that_dies_leaves_the_window_alive(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(spec: str, **options: object) -> object:
        raise RuntimeError("inner trouble")

    monkeypatch.setattr(load, "open_encoding", dies)
    with qtbot.captureExceptions() as caught:
        window.compare.loader.load("hub:odd", "odd")
        qtbot.waitUntil(lambda: "inner trouble" in str(waiting(window)))
        qtbot.waitUntil(lambda: len(caught) == 1)
    assert child(window, QAction, "addEncodingAction").isEnabled()


def check_what_the_hub_refuses_is_there_when_it_is_tried_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = LibraryTokenizer(models.WordLevel({"the": 0}, unk_token="the"))
    with serving(Hub(files={"a/b": library.to_str().encode()})) as hub:
        point_to(hub.address, tmp_path, monkeypatch)
        hub.refused["a/b"] = (500, "")
        window.compare.loader.load("hub:a/b", "a/b")
        qtbot.waitUntil(lambda: not window.compare.loader.busy)
        [(name, said)] = waiting(window)
        assert name == "a/b"
        assert "status 500" in said
        hub.refused.clear()
        window.findChildren(QPushButton, "tryAgainButton")[0].click()
        loaded(qtbot, window)
        assert waiting(window) == []
        assert table(window)[-1][0] == "a/b"


def test_lanes_that_failed(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_tab_leads_from_the_lanes_to_those_that_failed,
        check_what_cannot_be_read_says_why_and_the_window_goes_on,
        check_what_fails_unseen_is_told_by_the_window_until_its_lane_is_seen,
        check_a_lane_that_failed_says_why_beside_the_numbers_of_a_file,
        check_a_failed_lane_is_tried_again_by_its_button_and_by_key,
        check_a_failed_lane_is_removed_where_it_stands,
        check_an_encoding_that_cannot_cut_the_text_says_so_below_the_lanes,
        check_a_library_that_dies_leaves_the_window_alive,
        check_what_the_hub_refuses_is_there_when_it_is_tried_again,
    )
