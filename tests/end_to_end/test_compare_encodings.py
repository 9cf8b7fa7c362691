"""Encodings of every kind, added from their files: their lanes show what their libraries say."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import sentencepiece
import tiktoken
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot
from tokenizers import ByteLevelBPETokenizer, models
from tokenizers import Tokenizer as LibraryTokenizer

from tests.end_to_end.comparing import TEXT, names, numbers, window
from tests.end_to_end.window import (
    KEY,
    LEFT,
    PLAIN,
    SHIFT,
    action,
    answered,
    column,
    description,
    digits,
    named,
    press_default,
    tab_to,
    write,
)
from tests.ui.driving import act, child

__all__ = ["window"]

CORPUS = ["the lowest and the newest", "the widest and the lower", "low new wide the and"] * 9
SPLIT = r"\p{L}+|\s+"


def tokens_of_last(qtbot: QtBot, window: QMainWindow, count: int) -> list[str]:
    """What is said of each token of the last lane, gone through by keys."""
    lanes = tab_to(qtbot, window, "laneView")
    for key in (KEY.Key_Right, *[KEY.Key_Down] * len(names(window)), KEY.Key_Home):
        qtbot.keyClick(lanes, key)
    told = [description(lanes)]
    for _ in range(count - 1):
        qtbot.keyClick(lanes, KEY.Key_Right)
        told.append(description(lanes))
    return told


# -- files, each made by the library that reads it ------------------------------------------------


def tokenizer_json(folder: Path) -> tuple[Path, list[int]]:
    model = ByteLevelBPETokenizer()
    model.train_from_iterator(CORPUS, vocab_size=270, show_progress=False)
    path = folder / "small.json"
    model.save(str(path))
    return path, LibraryTokenizer.from_file(str(path)).encode(TEXT).ids


def gpt2_files(folder: Path) -> tuple[Path, list[int]]:
    model = ByteLevelBPETokenizer()
    model.train_from_iterator(CORPUS, vocab_size=275, show_progress=False)
    model.save_model(str(folder))
    return folder / "vocab.json", model.encode(TEXT).ids


def rank_file(folder: Path) -> tuple[Path, list[int]]:
    tokens = [*(bytes([byte]) for byte in range(256)), b"th", b"the", b"es", b"est", b"an"]
    ranks = {token: rank for rank, token in enumerate(tokens)}
    path = folder / "ranks.tiktoken"
    lines = (f"{b64encode(token).decode()} {rank}\n" for token, rank in ranks.items())
    path.write_text("".join(lines))
    library = tiktoken.Encoding("small", pat_str=SPLIT, mergeable_ranks=ranks, special_tokens={})
    return path, library.encode(TEXT)


def minbpe_model(folder: Path) -> tuple[Path, list[int]]:
    path = folder / "small.model"
    merges = [(ord("t"), ord("h")), (256, ord("e")), (ord("e"), ord("s")), (258, ord("t"))]
    path.write_text(f"minbpe v1\n{SPLIT}\n0\n" + "".join(f"{a} {b}\n" for a, b in merges))
    whole = {"the": [257], "est": [259]}
    parts = re.findall(r"\bthe\b|est\b|.", TEXT)
    return path, [number for part in parts for number in whole.get(part, part.encode())]


def sentencepiece_model(folder: Path) -> tuple[Path, list[int]]:
    path = folder / "pieces.model"
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(CORPUS), model_writer=file, model_type="bpe",
            vocab_size=40, minloglevel=2,
        )  # fmt: skip
    return path, sentencepiece.SentencePieceProcessor(model_file=str(path)).encode(TEXT)


def test_a_short_text_is_written_large_and_a_long_one_is_not(
    qtbot: QtBot, window: QMainWindow
) -> None:
    lanes = child(window, QWidget, "laneView")
    large = lanes.font().pointSizeF()
    child(window, QPlainTextEdit, "compareText").setPlainText(TEXT * 20)
    qtbot.waitUntil(lambda: lanes.font().pointSizeF() < large)
    write(qtbot, window, "compareText", TEXT)
    qtbot.waitUntil(lambda: lanes.font().pointSizeF() == large)
    # Their bytes take more room than characters would.
    child(window, QPlainTextEdit, "compareText").setPlainText("Часы в гавани, часы в гавани")
    qtbot.waitUntil(lambda: lanes.font().pointSizeF() < large)


def check_a_file_is_a_lane_with_the_tokens_of_its_library(
    qtbot: QtBot,
    window: QMainWindow,
    tmp_path: Path,
    make: Callable[[Path], tuple[Path, list[int]]],
) -> None:
    path, expected = make(tmp_path)
    before = len(names(window))

    def split(dialog: QDialog) -> None:
        """Say how a rank file splits: it does not say so itself."""
        box = child(dialog, QComboBox, "rankFileSplit")
        box.setCurrentIndex(box.count() - 1)
        pattern = child(dialog, QWidget, "rankFilePattern")
        qtbot.keyClicks(pattern, SPLIT)
        press_default(qtbot, dialog)

    asked = [split] if make is rank_file else []
    answered(qtbot, action(window, "addFileAction").trigger, [named(qtbot, path), *asked])
    qtbot.waitUntil(lambda: column(numbers(window), "tokens")[before:] == [str(len(expected))])
    assert path.name in names(window)[-1]
    told = tokens_of_last(qtbot, window, len(expected))
    for sentence, number in zip(told, expected, strict=True):
        assert number in digits(sentence)
    assert "the" in told[0] + told[1] + told[2]


def test_a_file_is_a_lane_with_the_tokens_of_its_library(
    qtbot: QtBot, window: QMainWindow, tmp_path: Path
) -> None:
    for make in [tokenizer_json, gpt2_files, rank_file, minbpe_model, sentencepiece_model]:
        check_a_file_is_a_lane_with_the_tokens_of_its_library(qtbot, window, tmp_path, make)


def test_a_run_at_this_step_is_a_lane_that_stays_there(qtbot: QtBot, window: QMainWindow) -> None:
    act(window, "homeAction")
    # At once, before anything of that step is drawn.
    act(window, "addHereAction")
    qtbot.waitUntil(lambda: column(numbers(window), "tokens")[2:] == [str(len(TEXT))])
    act(window, "endAction")
    qtbot.waitUntil(lambda: column(numbers(window), "tokens")[0] != str(len(TEXT)))
    assert column(numbers(window), "tokens")[2] == str(len(TEXT)), "bytes, without a merge"
    told = tokens_of_last(qtbot, window, len(TEXT))
    assert all(letter in sentence for letter, sentence in zip(TEXT[:3], told[:3], strict=True))


def test_a_broken_file_gives_its_reason_and_is_tried_again(
    qtbot: QtBot, window: QMainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"version": "1.0", "model": {"type": "BPE", "vocab": 7}}))
    answered(qtbot, action(window, "addFileAction").trigger, [named(qtbot, path)])
    retry = action(window, "tryAgainAction")
    qtbot.waitUntil(retry.isEnabled)
    reason = child(window, QLabel, "waitingSentence")
    assert "expected a map" in reason.text(), "what the library says"
    assert names(window)[-1].startswith("small.json")
    assert len(column(numbers(window), "tokens")[0]) > 0, "the other lanes have their numbers"
    _, expected = tokenizer_json(tmp_path)
    child(window, QPushButton, "tryAgainButton").click()
    qtbot.waitUntil(lambda: column(numbers(window), "tokens")[2:] == [str(len(expected))])
    assert not retry.isEnabled()


def check_a_failed_lane_is_removed_by_its_button(
    qtbot: QtBot, window: QMainWindow, tmp_path: Path
) -> None:
    before = names(window)
    gone = tmp_path / "empty.json"
    gone.write_text("")
    answered(qtbot, action(window, "addFileAction").trigger, [named(qtbot, gone)])
    qtbot.waitUntil(action(window, "tryAgainAction").isEnabled)
    child(window, QPushButton, "removeWaitingButton").click()
    qtbot.waitUntil(lambda: names(window) == before)
    assert not action(window, "tryAgainAction").isEnabled()


def check_a_lane_is_removed_from_the_table(qtbot: QtBot, window: QMainWindow) -> None:
    table = numbers(window)
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 0))
    first, _ = names(window)
    qtbot.keyClick(table, KEY.Key_Delete)
    qtbot.waitUntil(lambda: names(window) == [first])


# -- where they differ ----------------------------------------------------------------------------


def check_f3_goes_through_the_differences_and_names_their_causes(
    qtbot: QtBot, window: QMainWindow
) -> None:
    count = child(window, QLabel, "differenceCount")
    card = child(window, QTextBrowser, "differenceCard")
    lanes = child(window, QWidget, "laneView")
    qtbot.waitUntil(lambda: digits(count.text()) != [])
    [total] = digits(count.text())
    assert total > 1

    def looked_at(number: int, key: Qt.Key, modifier: Qt.KeyboardModifier = PLAIN) -> str:
        qtbot.keyClick(lanes, key, modifier)
        qtbot.waitUntil(lambda: digits(count.text()) == [number, total])
        qtbot.waitUntil(lambda: digits(card.toPlainText())[:2] == [number, total])
        return card.toPlainText()

    first = looked_at(1, KEY.Key_F3)
    assert "merges “e” and “s”" in looked_at(2, KEY.Key_F3), "the merge that one of them lacks"
    assert looked_at(1, KEY.Key_F3, SHIFT) == first
    looked_at(total, KEY.Key_F3, SHIFT)


def check_a_cause_leads_to_its_merge(qtbot: QtBot, window: QMainWindow) -> None:
    card = child(window, QTextBrowser, "differenceCard")
    timeline = child(window, QWidget, "timeline")
    qtbot.waitUntil(action(window, "nextDifferenceAction").isEnabled)
    act(window, "nextDifferenceAction")
    qtbot.waitUntil(lambda: "go to merge" in card.toPlainText())
    [first, *_] = re.findall(r"go to merge (\d+)", card.toPlainText())
    card.setFocus()
    qtbot.keyClick(card, KEY.Key_Tab)
    qtbot.keyClick(card, KEY.Key_Return)
    qtbot.waitUntil(lambda: digits(description(timeline))[:1] == [int(first)])


def test_lanes_are_compared_and_removed(qtbot: QtBot, window: QMainWindow, tmp_path: Path) -> None:
    check_f3_goes_through_the_differences_and_names_their_causes(qtbot, window)
    check_a_failed_lane_is_removed_by_its_button(qtbot, window, tmp_path)
    check_a_cause_leads_to_its_merge(qtbot, window)
    check_a_lane_is_removed_from_the_table(qtbot, window)


def test_special_tokens_are_read_as_such_or_as_text(
    qtbot: QtBot, window: QMainWindow, tmp_path: Path
) -> None:
    model = LibraryTokenizer(models.WordLevel({"[UNK]": 0, "low": 1, "<|end|>": 2}, "[UNK]"))
    model.add_special_tokens(["<|end|>"])
    path = tmp_path / "special.json"
    model.save(str(path))
    answered(qtbot, action(window, "addFileAction").trigger, [named(qtbot, path)])
    write(qtbot, window, "compareText", "low<|end|>")
    qtbot.waitUntil(lambda: column(numbers(window), "tokens")[2:] == ["2"])
    qtbot.mouseClick(child(window, QCheckBox, "specialsAsText"), LEFT)
    qtbot.waitUntil(lambda: column(numbers(window), "tokens")[2:] == ["1"])
