"""Saving what was trained, through the window: every format, checked after each save."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import tiktoken.load
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QLineEdit
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer

from bpe_gui.bpe.tokenizer import Tokenizer as OwnTokenizer
from bpe_gui.encodings import save as module
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.shell.save_dialog import SaveDialog
from tests.ui.driving import child
from tests.ui.in_turn import InTurn, explore_again
from tests.ui.save_dialogs import Answer, answered, choose, press, proposal, reject, save_as

TEXT = "the cat sat on the mat and the hat\n" * 30
Opened = Callable[..., MainWindow]


@pytest.fixture
def window(qtbot: QtBot, opened: Opened) -> MainWindow:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    window.player.go_to_end()
    return window


def save(
    qtbot: QtBot,
    window: MainWindow,
    path: Path,
    chosen: str = "",
    action: str = "saveAction",
    then: Sequence[Answer] = (),
) -> str:
    """Save under a name, as a person would; the sentence that the window then shows."""
    window.message_bar.withdraw("save")
    answered(child(window, QAction, action), [save_as(path, chosen), *then])
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    return window.message_bar.text


def check_a_tokenizer_json_gives_the_library_the_same_ids(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "novel.json"
    said = save(qtbot, window, path)
    characters = len(window.sample_text.text) + len(TEXT)
    assert said == (
        "novel.json is saved as Hugging Face tokenizer.json. Loaded back by the tokenizers "
        f"library, {characters:,} characters agreed."
    )
    history = window.player.history
    assert history is not None
    ids = Tokenizer.from_file(str(path)).encode("the cat").ids
    assert ids == OwnTokenizer(history).encode("the cat").ids.tolist()


def check_the_name_tells_the_format_and_else_the_filter_does(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    assert "tiktoken ranks" in save(qtbot, window, tmp_path / "a.tiktoken", "tiktoken")
    ranks = tiktoken.load.load_tiktoken_bpe(str(tmp_path / "a.tiktoken"))
    assert len(ranks) == 256 + window.player.end
    said = save(qtbot, window, tmp_path / "b", "minbpe")
    assert "Loaded back by bpe-gui's own reader, " in said
    assert "characters agreed, with ids that the format numbers anew." in said
    assert (tmp_path / "b.model").read_text().startswith("minbpe v1\n")
    assert "vocab.json" in save(qtbot, window, tmp_path / "vocab.json", "GPT-2")
    assert (tmp_path / "merges.txt").exists()


def check_at_the_cursor_the_vocabulary_is_that_of_the_cursor(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.player.scrub(3)
    save(qtbot, window, tmp_path / "c.json", action="saveHereAction")
    assert merges_in(tmp_path / "c.json") == 3
    save(qtbot, window, tmp_path / "d.json")
    assert merges_in(tmp_path / "d.json") == window.player.end


def merges_in(path: Path) -> int:
    return len(json.loads(path.read_text())["model"]["merges"])


def test_what_a_format_cannot_hold_is_said_and_nothing_is_written(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    window = opened("words.txt", TEXT, "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    said = save(qtbot, window, tmp_path / "e.tiktoken", "tiktoken")
    assert "tokenizer.json" in said
    assert not (tmp_path / "e.tiktoken").exists()
    said = save(qtbot, window, tmp_path / "no" / "such" / "folder.json")
    assert "cannot be written" in said


@pytest.mark.parametrize("name", ["slice_of", "verify"])
def test_a_check_that_dies_is_told_and_nothing_is_said_to_be_under_way(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def dies(*arguments: object, **options: object) -> object:
        raise RuntimeError("inner trouble")

    monkeypatch.setattr(module, name, dies)
    with qtbot.captureExceptions() as caught:
        said = save(qtbot, window, tmp_path / "f.json")
        qtbot.waitUntil(lambda: len(caught) == 1)
    assert said == (
        "f.json is saved, but could not be checked (RuntimeError: inner trouble); report it if "
        "it comes back."
    )
    assert merges_in(tmp_path / "f.json") == window.player.end


# -- name and format -----------------------------------------------------------------------------


def check_the_proposed_name_follows_the_format(window: MainWindow) -> None:
    proposed = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, SaveDialog)
        proposed.append(proposal(dialog))
        for title in ("GPT-2", "tiktoken", "minbpe", "GPT-2", "Hugging"):
            choose(dialog, title)
            proposed.append(proposal(dialog))
        child(dialog, QLineEdit, "fileNameEdit").setText("novel.json")
        for title in ("tiktoken", "GPT-2", "minbpe"):
            choose(dialog, title)
            proposed.append(proposal(dialog))
        dialog.reject()

    answered(child(window, QAction, "saveAction"), [look])
    assert proposed == [
        "tokenizer.json", "vocab.json", "tokenizer.tiktoken", "tokenizer.model", "vocab.json",
        "tokenizer.json", "novel.tiktoken", "novel-vocab.json", "novel.model",
    ]  # fmt: skip


def check_where_name_and_format_disagree_it_is_asked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "tokenizer.json"
    action = child(window, QAction, "saveAction")
    said = answered(action, [save_as(path, "GPT-2"), press("Cancel"), reject])
    assert "tokenizer.json is the name of a file of another format" in said[1]
    assert not list(tmp_path.glob("*.json")), "nothing was written"
    sentence = save(qtbot, window, path, "GPT-2", then=[press("save_gpt2")])
    assert sentence.startswith("vocab.json is saved as GPT-2's vocab.json + merges.txt.")
    assert (tmp_path / "merges.txt").is_file()
    assert not path.exists()
    sentence = save(qtbot, window, path, "GPT-2", then=[press("save_tokenizer.json")])
    assert sentence.startswith("tokenizer.json is saved as Hugging Face tokenizer.json.")
    assert merges_in(path) == window.player.end


def check_files_that_are_there_are_not_replaced_unasked(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "merges.txt").write_text("mine")
    action = child(window, QAction, "saveAction")
    path = tmp_path / "vocab.json"
    said = answered(action, [save_as(path, "GPT-2"), press("No"), reject])
    assert said[1] == "merges.txt is there already. Replace?"
    assert (tmp_path / "merges.txt").read_text() == "mine"
    save(qtbot, window, path, "GPT-2", then=[press("Yes")])
    assert (tmp_path / "merges.txt").read_text() != "mine"


def check_a_name_without_an_ending_is_a_folder_of_the_two_files(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    save(qtbot, window, tmp_path / "novel", "GPT-2")
    assert {path.name for path in (tmp_path / "novel").iterdir()} == {"vocab.json", "merges.txt"}


def check_ranks_are_saved_with_a_word_on_how_they_are_read(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    said = save(qtbot, window, tmp_path / "ranks.tiktoken", "tiktoken")
    assert said.endswith("The file does not say how text is split: read it as ranks.tiktoken@gpt2.")


def check_a_run_is_saved_in_every_format(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    check_the_proposed_name_follows_the_format(window)
    check_a_tokenizer_json_gives_the_library_the_same_ids(qtbot, window, tmp_path)
    check_a_name_without_an_ending_is_a_folder_of_the_two_files(qtbot, window, tmp_path)
    check_ranks_are_saved_with_a_word_on_how_they_are_read(qtbot, window, tmp_path)
    check_the_name_tells_the_format_and_else_the_filter_does(qtbot, window, tmp_path)
    check_at_the_cursor_the_vocabulary_is_that_of_the_cursor(qtbot, window, tmp_path)


def test_saving(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        explore_again(qtbot, window),
        check_where_name_and_format_disagree_it_is_asked,
        check_files_that_are_there_are_not_replaced_unasked,
        check_a_run_is_saved_in_every_format,
    )
