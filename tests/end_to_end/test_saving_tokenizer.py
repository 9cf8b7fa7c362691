"""The trained tokenizer in files, read again by the libraries that they are for."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import tiktoken
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot
from tokenizers import ByteLevelBPETokenizer
from tokenizers import Tokenizer as LibraryTokenizer

import bpe_gui
from bpe_gui.bpe.pre_tokenize import PATTERNS
from bpe_gui.library import Tokenizer
from tests.end_to_end.window import Answer, action, answered, go_to, messages, press_default
from tests.ui.driving import child

TEXT = "the lowest <new>"


def save_as(qtbot: QtBot, format_title: str, path: Path) -> Answer:
    """Choose a format in the dialog, and write a name."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        box = child(dialog, QComboBox, "fileTypeCombo")
        [at] = [n for n in range(box.count()) if format_title in box.itemText(n)]
        box.setCurrentIndex(at)
        box.activated.emit(at)
        box.textActivated.emit(box.itemText(at))
        dialog.setDirectory(str(path.parent))
        child(dialog, QLineEdit, "fileNameEdit").setText(str(path))
        press_default(qtbot, dialog)

    return answer


def by_tokenizers(path: Path) -> list[str]:
    return LibraryTokenizer.from_file(str(path)).encode(TEXT).tokens


def by_tokenizers_from_two_files(path: Path) -> list[str]:
    merges = path.with_name("merges.txt")
    return ByteLevelBPETokenizer(str(path), str(merges)).encode(TEXT).tokens


def by_tiktoken(path: Path) -> list[str]:
    pairs = (line.split() for line in path.read_text().splitlines())
    ranks = {b64decode(token): int(rank) for token, rank in pairs}
    library = tiktoken.Encoding(
        "run", pat_str=PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={}
    )
    tokens = library.decode_tokens_bytes(library.encode(TEXT))
    return [token.decode().replace(" ", "Ġ") for token in tokens]


def by_ourselves(path: Path) -> list[str]:
    """minbpe is in no package index."""
    return bpe_gui.load(path).encode(TEXT).tokens


def check_its_library_reads_it(
    qtbot: QtBot,
    gpt2_run: QMainWindow,
    path: Path,
    tokenizer: Tokenizer,
    format_title: str,
    read: Callable[[Path], list[str]],
) -> None:
    answered(qtbot, action(gpt2_run, "saveAction").trigger, [save_as(qtbot, format_title, path)])
    qtbot.waitUntil(lambda: path.exists() and path.name in "\n".join(messages(gpt2_run)))
    assert read(path) == tokenizer.encode(TEXT).tokens


def test_the_tokenizer_is_saved_and_its_library_reads_it(
    qtbot: QtBot, gpt2_run: QMainWindow, tmp_path: Path, tokenizer: Tokenizer
) -> None:
    for format_title, name, read in [
        ("Hugging Face", "run.json", by_tokenizers),
        ("tiktoken", "run.tiktoken", by_tiktoken),
        ("vocab.json", "vocab.json", by_tokenizers_from_two_files),
        ("minbpe", "run.model", by_ourselves),
    ]:
        path = tmp_path / name
        check_its_library_reads_it(qtbot, gpt2_run, path, tokenizer, format_title, read)


def test_the_tokenizer_is_saved_as_it_is_at_the_cursor(
    qtbot: QtBot, gpt2_run: QMainWindow, tmp_path: Path
) -> None:
    go_to(qtbot, gpt2_run, 1)
    path = tmp_path / "here.json"
    answered(
        qtbot, action(gpt2_run, "saveHereAction").trigger, [save_as(qtbot, "Hugging Face", path)]
    )
    qtbot.waitUntil(lambda: path.exists() and path.name in "\n".join(messages(gpt2_run)))
    assert len(json.loads(path.read_text())["model"]["merges"]) == 1
