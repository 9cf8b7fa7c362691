"""An encoding that falls back to bytes opens in Explore, is trained on and read by its library."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QWidget
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer

from tests.encodings.test_fallback_runs import library, with_first_merges
from tests.end_to_end.test_text import CONTROL
from tests.end_to_end.test_welcome import place_of
from tests.end_to_end.window import (
    Start,
    answer_file_dialog,
    end,
    focus,
    go_to,
    is_trained,
    messages,
    rows,
    said,
    set_number,
    tab_to,
    written,
)
from tests.ui.driving import act, child

TEXT = "the low é <s> 日"


@pytest.fixture(params=["Llama 2", "first"])
def llama(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "mistral_instruct_tokenizer_of_241114.json"
    library(request.param, ["the lowest of the low", "the newest"], merges=6).save(str(path))
    return path


def paste(qtbot: QtBot, window: QMainWindow, text: str) -> None:
    """Replace the sample text; not all characters have keys."""
    editor = focus(qtbot, window, "sampleText")
    QGuiApplication.clipboard().setText(text)
    for key in (Qt.Key.Key_A, Qt.Key.Key_V):
        qtbot.keyClick(editor, key, CONTROL)


def ids(window: QMainWindow) -> list[int]:
    return [int(number) for number in written(window, "tokenIds").split()]


def check_a_message_covers_no_button_of_the_laboratory(qtbot: QtBot, window: QMainWindow) -> None:
    """It must not do so in a small window either."""
    size = window.size()
    window.resize(1024, 700)
    act(window, "laboratoryAction")
    train = child(window, QAbstractButton, "trainRecipeButton")
    qtbot.waitUntil(lambda: train.isVisible() and window.height() == 700)
    bar = child(window, QWidget, "messageBar")
    assert bar.isVisible()
    qtbot.waitUntil(lambda: not place_of(bar).intersects(place_of(train)))
    act(window, "exploreAction")
    window.resize(size)


def test_an_encoding_with_byte_fallback_is_shown_trained_on_and_saved(
    start: Start, words: Path, llama: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    window = start("open", str(llama), str(words))
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == 6)
    assert "The encoding does not split text into words" in " ".join(messages(window))
    assert "stay bytes" in " ".join(messages(window))
    check_a_message_covers_no_button_of_the_laboratory(qtbot, window)
    paste(qtbot, window, TEXT)
    whole = LibraryTokenizer.from_file(str(llama))
    for position in (6, 3, 2, 0, 6):
        go_to(qtbot, window, position)
        wanted = with_first_merges(whole, position).encode(TEXT).ids
        qtbot.waitUntil(lambda: ids(window) == wanted)  # noqa: B023
    view = tab_to(qtbot, window, "tokenView")
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for _ in range(whole.encode(TEXT).tokens.index("<0xC3>")):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: "0xC3" in said(window, "tokenView"))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    told = "a byte of a character that has no token"
    qtbot.waitUntil(lambda: told in said(window, "tokenFacts"))
    table = rows(window, "vocabularyTable")
    assert [row[1] for row in table if row[4] == "byte fallback"] == [
        f"0x{byte:02X}" for byte in range(256)
    ]
    set_number(qtbot, window, "vocabSizeBox", whole.get_vocab_size() + 12)
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window) and end(window) > 6)
    path = tmp_path / "more.json"
    answer_file_dialog(qtbot, window, "saveAction", path)
    qtbot.waitUntil(lambda: any("more.json is saved" in each for each in messages(window)))
    more = LibraryTokenizer.from_file(str(path))
    qtbot.waitUntil(lambda: ids(window) == more.encode(TEXT).ids)
    assert more.get_vocab().items() > whole.get_vocab().items()
    assert more.decode(more.encode(TEXT).ids, skip_special_tokens=False) == whole.decode(
        whole.encode(TEXT).ids, skip_special_tokens=False
    )
