"""Files of ranks ask for their split and their special tokens."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.encodings.formats import tiktoken_ranks
from bpe_gui.ui.compare.rank_file_dialog import RankFileDialog
from bpe_gui.ui.shell.main_window import MainWindow
from tests.encodings.formats.test_rank_families import bytes_alone
from tests.ui.compare.compare_workspace import loaded, run_of, settled, table, window, write
from tests.ui.driving import child
from tests.ui.dropped_files import drop

__all__ = ["window"]

Bar = QDialogButtonBox.StandardButton


def test_a_rank_file_asks_for_its_split(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = run_of(window)
    path = tmp_path / "ranks"
    tiktoken_ranks.write(history, path)
    asked: list[str] = []

    def answer(dialog: RankFileDialog) -> int:
        asked.append(dialog.windowTitle())
        dialog.splits.setCurrentText("gpt2")
        return int(RankFileDialog.DialogCode.Accepted)

    monkeypatch.setattr(RankFileDialog, "exec", answer)
    drop(window, path)
    loaded(qtbot, window)
    assert asked == ["ranks"]
    assert table(window)[-1][1] == table(window)[0][1]
    monkeypatch.setattr(RankFileDialog, "exec", lambda dialog: 0)
    drop(window, path)
    assert len(window.compare.comparison.lanes) == 3, "who would rather not adds nothing"


def test_a_pattern_of_ones_own_has_to_be_one(qtbot: QtBot) -> None:
    dialog = RankFileDialog(Path("cl100k_base.tiktoken"))
    qtbot.addWidget(dialog)
    assert dialog.split == "cl100k_base", "by its name"
    ok = dialog.findChild(QDialogButtonBox)
    assert isinstance(ok, QDialogButtonBox)
    button = ok.button(Bar.Ok)
    assert button.isEnabled()
    assert not dialog.pattern.isEnabled()
    dialog.splits.setCurrentIndex(dialog.splits.count() - 1)
    assert not button.isEnabled()
    said = dialog.findChild(QLabel, "rankFileProblem")
    assert isinstance(said, QLabel)
    assert not said.text()
    for wrong, why in [
        (r"\w+|(", "Opening parenthesis without closing parenthesis"),
        (r"\w+|(?r)\W", "Unknown group flag"),  # known to the regex module, not to tiktoken
        (r"\w*", "can match no characters"),
        ("words", "there is no split pattern named"),
    ]:
        dialog.pattern.setText(wrong)
        assert not button.isEnabled()
        assert why.casefold() in said.text().casefold()
        assert said.text().startswith(("The split pattern", "There is"))
    dialog.pattern.setText(r"[[:alpha:]&&[a-z]]+|[\s\S]")
    assert button.isEnabled()
    dialog.pattern.setText(r"\w+|\W")
    assert button.isEnabled()
    assert dialog.split == r"\w+|\W"


def test_what_a_file_is_taken_for_is_said_to_be_a_guess(
    qtbot: QtBot, tmp_path: Path
) -> None:
    path = bytes_alone(tmp_path / "cl100k_base.tiktoken", "whisper")
    dialog = RankFileDialog(path)
    qtbot.addWidget(dialog)
    assert dialog.split == "whisper", "by its content, whatever its name is"
    said = child(dialog, QLabel, "rankFileGuess")
    assert said.text() == "This looks like Whisper's ranks: 50,257 entries."
    assert dialog.specials.currentText() == "those that belong to it"
    other = tmp_path / "other.tiktoken"
    other.write_bytes(b"IQ== 0\n")
    dialog = RankFileDialog(other)
    qtbot.addWidget(dialog)
    assert child(dialog, QLabel, "rankFileGuess").text() == (
        "It is none of the known rank files. A wrong split gives wrong tokens."
    )
    assert dialog.specials.currentText() == "those in tokenizer_config.json beside it, if any"
    named = tmp_path / "o200k_base.tiktoken"
    named.write_bytes(b"IQ== 0\n")
    dialog = RankFileDialog(named)
    qtbot.addWidget(dialog)
    assert dialog.split == "o200k_base"
    assert "the split is chosen by its name" in child(dialog, QLabel, "rankFileGuess").text()


def test_special_tokens_of_ones_own_have_ids(qtbot: QtBot) -> None:
    dialog = RankFileDialog(Path("ranks"))
    qtbot.addWidget(dialog)
    buttons = dialog.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    ok = buttons.button(Bar.Ok)
    assert dialog.special_tokens is None, "those of the encoding, if it is that one"
    dialog.specials.setCurrentText("none")
    assert dialog.special_tokens == {}
    dialog.specials.setCurrentText("those of cl100k_base")
    assert dialog.special_tokens == "cl100k_base"
    dialog.specials.setCurrentText("of your own")
    said = dialog.findChild(QLabel, "rankFileProblem")
    assert isinstance(said, QLabel)
    for wrong, why in [
        ("<|end|>", "“<|end|>” has no id"),
        ("<|end|> one", "“one” should be the id"),
        ("<|end|> 1 <|end|> 2", "given twice"),
        ('<|end|> 1 "<|end|>" 2', "given twice"),
        ("a b 1", "“b” should be the id"),
        ('"a b 1', "is no text in quotation marks"),
        (r'"\x" 1', "is no text in quotation marks"),
        ("<|end|> 2147483648", "they go up to 2,147,483,647"),
        ("<|end|> 1234567890123456", "“1234567890123456” is no id"),
        ("<|end|> \u0663", "\u0663” is no id"),
    ]:
        dialog.tokens.setText(wrong)
        assert not ok.isEnabled()
        assert why in said.text()
    dialog.tokens.setText("<|end|> = 300, <|pad|> 301")
    assert ok.isEnabled()
    assert dialog.special_tokens == {"<|end|>": 300, "<|pad|>": 301}
    dialog.tokens.setText(r'"an end" 300, "a=b,\n\"" = 301 <|pad|> 2147483647')
    assert ok.isEnabled()
    assert dialog.special_tokens == {"an end": 300, 'a=b,\n"': 301, "<|pad|>": 2147483647}


def test_special_tokens_of_ones_own_are_found_in_the_text(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    path = tmp_path / "ranks"
    tiktoken_ranks.write(history, path)
    window.compare.loader.load(f"{path}@gpt2", "ranks", {"<|end|>": 5000})
    loaded(qtbot, window)
    write(qtbot, window, "the cat<|end|>")
    result = window.compare.comparison.result
    assert result is not None
    cut = result.lanes[-1].cut
    assert cut is not None
    assert cut.tokens.ids[-1] == 5000
    assert cut.special[-1]
    child(window, QCheckBox, "specialsAsText").click()
    settled(qtbot, window)
    result = window.compare.comparison.result
    assert result is not None
    cut = result.lanes[-1].cut
    assert cut is not None
    assert 5000 not in cut.tokens.ids
