"""Saving what was trained, through the window: every format, checked after each save."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken.load
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer

from bpe_gui.bpe.tokenizer import Tokenizer as OwnTokenizer
from bpe_gui.ui.main_window import MainWindow
from bpe_gui.ui.training import Phase
from tests.ui.widgets import child

TEXT = "the cat sat on the mat and the hat\n" * 30
Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    window.player.go_to_end()
    return window


def save_as(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    window: MainWindow,
    path: Path,
    action: str = "saveAction",
    chosen: str = "",
) -> str:
    """Save under a name, as a person would; the sentence that the window then shows."""
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *arguments, **options: (str(path), chosen)
    )
    window.message_bar.withdraw()
    child(window, QAction, action).trigger()
    qtbot.waitUntil(lambda: window.message_bar.text != "", timeout=30_000)
    return window.message_bar.text


def test_a_tokenizer_json_gives_the_library_the_same_ids(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "novel.json"
    said = save_as(qtbot, monkeypatch, window, path)
    characters = len(window.text_panel.text()) + len(TEXT)
    assert said == (
        "novel.json is saved as Hugging Face tokenizer.json. Loaded back by the tokenizers "
        f"library, {characters:,} characters agreed."
    )
    history = window.player.history
    assert history is not None
    ids = Tokenizer.from_file(str(path)).encode("the cat").ids
    assert ids == OwnTokenizer(history).encode("the cat").ids.tolist()


def test_the_name_tells_the_format_and_else_the_filter_does(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    assert "tiktoken ranks" in save_as(qtbot, monkeypatch, window, tmp_path / "a.tiktoken")
    ranks = tiktoken.load.load_tiktoken_bpe(str(tmp_path / "a.tiktoken"))
    assert len(ranks) == 256 + window.player.end
    said = save_as(qtbot, monkeypatch, window, tmp_path / "b", chosen="minbpe .model (*.model)")
    assert "Loaded back by bpe-gui's own reader, " in said
    assert said.endswith(" characters agreed, with ids that the format numbers anew.")
    assert (tmp_path / "b.model").read_text().startswith("minbpe v1\n")
    assert "vocab.json" in save_as(qtbot, monkeypatch, window, tmp_path / "vocab.json")
    assert (tmp_path / "merges.txt").exists()


def test_at_the_cursor_the_vocabulary_is_that_of_the_cursor(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    window.player.scrub(3)
    save_as(qtbot, monkeypatch, window, tmp_path / "c.json", "saveHereAction")
    assert merges_in(tmp_path / "c.json") == 3
    save_as(qtbot, monkeypatch, window, tmp_path / "d.json")
    assert merges_in(tmp_path / "d.json") == window.player.end


def merges_in(path: Path) -> int:
    return len(json.loads(path.read_text())["model"]["merges"])


def test_what_a_format_cannot_hold_is_said_and_nothing_is_written(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, opened: Opened, tmp_path: Path
) -> None:
    window = opened("words.txt", TEXT, "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED, timeout=60_000)
    said = save_as(qtbot, monkeypatch, window, tmp_path / "e.tiktoken")
    assert "tokenizer.json" in said
    assert not (tmp_path / "e.tiktoken").exists()
    said = save_as(qtbot, monkeypatch, window, tmp_path / "no" / "such" / "folder.json")
    assert "cannot be written" in said
