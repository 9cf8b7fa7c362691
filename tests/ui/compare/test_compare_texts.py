"""The text that lanes are compared on: one's own, the story, or a file, which is measured whole."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QInputDialog, QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.ui.compare.comparison import FOLLOWING
from bpe_gui.ui.compare.cutting import TextCutter
from bpe_gui.ui.compare.text_source import LONGEST
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.compare.compare_workspace import afresh, settled, table, window, write
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn
from tests.ui.pace import Shut

__all__ = ["window"]


def choose(window: MainWindow, name: str) -> None:
    """Choose a source of the text in the box, as a person would."""
    box = child(window, QComboBox, "compareTextBox")
    index = box.findText(name)
    box.setCurrentIndex(index)
    box.activated.emit(index)


def check_the_story_and_ones_own_text_again(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "mine")
    choose(window, "Story in 20 languages")
    settled(qtbot, window)
    assert window.compare.source.text == joined().text
    assert window.compare.source.is_story
    child(window, TextEditor, "compareText").insertPlainText("Once. ")
    settled(qtbot, window)
    assert not window.compare.source.is_story
    assert window.compare.comparison.text == f"Once. {joined().text}"
    box = child(window, QComboBox, "compareTextBox")
    assert (box.currentText(), box.placeholderText()) == ("", "The story, edited")
    child(window, TextEditor, "compareText").setPlainText("something else\n\nfrom elsewhere")
    assert (box.currentText(), box.placeholderText()) == ("", "Another text")
    choose(window, "Story in 20 languages")
    assert window.compare.source.is_story
    assert box.currentText() == "Story in 20 languages"
    choose(window, "Your text")
    settled(qtbot, window)
    assert window.compare.source.text == "mine"


def check_a_file_as_text(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "poem.txt"
    path.write_bytes(b"\xef\xbb\xbfthe mat\r\nthe hat")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(path), ""))
    choose(window, "A file…")
    settled(qtbot, window)
    assert window.compare.source.text == "the mat\r\nthe hat", "as it stands in the file"
    path.write_bytes(b"the \xff mat")
    choose(window, "A file…")
    assert "poem.txt cannot be read as utf-8: " in window.message_bar.text
    assert "0xFF at byte offset 4; choose the encoding" in window.message_bar.text
    assert window.compare.source.text == "the mat\r\nthe hat"


def check_the_numbers_are_those_of_the_file_itself(
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
        assert window.compare.source.text == text
        history = window.player.history
        assert history is not None
        assert table(window)[0][1] == str(len(Tokenizer(history).encode(text)))
    child(window, TextEditor, "compareText").insertPlainText("Zero\n")
    settled(qtbot, window)
    edited = "Zero\none\ntwo\nthree\nfour\nfive\0\ufeff\n"
    assert window.compare.comparison.text == edited, "an edited text has plain line ends"


def check_a_text_that_takes_long_says_so(qtbot: QtBot, window: MainWindow, shut: Shut) -> None:
    count = window.compare.differences.count
    gate = shut(TextCutter, "cut")
    child(window, TextEditor, "compareText").setPlainText("the cat")
    qtbot.waitUntil(lambda: count.text() == "comparing…")
    gate.open()
    settled(qtbot, window)
    assert "difference" in count.text()


def check_a_message_is_over_when_what_it_was_about_succeeds(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: MainWindow, tmp_path: Path
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: ("five", True))
    act(window, "addStepsAction")
    window.compare.source.show_file(tmp_path / "missing.txt")
    window.compare.measure([str(tmp_path / "missing.txt")])
    qtbot.waitUntil(lambda: not window.compare.numbers.measuring)
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
        qtbot.waitUntil(lambda: bar.text == "rhyme.txt, 11 bytes, measured whole")

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
    qtbot.waitUntil(lambda: window.player.history not in (before, None))
    settled(qtbot, window)
    assert bar.text == "7 characters, 7 bytes"
    act(window, "backToFileAction")
    assert table(window)[0][0] == f"{FOLLOWING} at 3 merges, of the run before"


def check_a_long_file_is_measured_and_its_beginning_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "long.txt"
    path.write_text("é" + "a " * LONGEST)
    window.compare.source.show_file(path)
    note = child(window, QLabel, "textNote")
    assert note.isVisible()
    assert note.text() == (
        f"These are the first {LONGEST:,} bytes of long.txt. Beside the numbers it says whether "
        "they are of the whole file."
    )
    assert window.compare.source.text == path.read_text()[: LONGEST - 1]
    bar = window.compare.numbers.bar
    qtbot.waitUntil(lambda: bar.text == "long.txt, 400.0 kB, measured whole")
    choose(window, "Your text")
    assert not note.isVisible()


def check_a_pipe_is_not_waited_for(window: MainWindow, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    window.compare.source.show_file(tmp_path / "pipe")
    assert "is no file that can be shown" in window.message_bar.text


def check_files_are_read_as_corpora_are(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"caf\xe9")
    window.compare.source.show_file(path)
    assert "Corpus ▸ Encoding" in window.message_bar.text
    window.controls.set_options(CorpusOptions(encoding="iso-8859-1"))
    window.compare.source.show_file(path)
    assert window.compare.source.text == "café"


def check_texts_are_typed_chosen_and_read(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    check_the_story_and_ones_own_text_again(qtbot, window)
    check_a_file_as_text(qtbot, monkeypatch, window, tmp_path)
    check_the_numbers_are_those_of_the_file_itself(qtbot, window, tmp_path)
    check_a_long_file_is_measured_and_its_beginning_shown(qtbot, window, tmp_path)
    check_a_pipe_is_not_waited_for(window, tmp_path)
    check_files_are_read_as_corpora_are(window, tmp_path)


def check_special_tokens_are_found_or_read_as_text(qtbot: QtBot, window: MainWindow) -> None:
    box = child(window, QCheckBox, "specialsAsText")
    box.click()
    settled(qtbot, window)
    assert window.compare.comparison.specials_as_text


def test_texts(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_a_text_that_takes_long_says_so,
        check_a_message_is_over_when_what_it_was_about_succeeds,
        check_texts_are_typed_chosen_and_read,
        check_special_tokens_are_found_or_read_as_text,
    )
