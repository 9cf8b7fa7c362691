"""Where lanes differ: gone through by keys, with the causes, in words."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.ui.compare import comparison
from bpe_gui.ui.compare.comparison import FOLLOWING
from bpe_gui.ui.compare.cutting import CutResult, ExplainedDifference, explain
from bpe_gui.ui.compare.wording import EXPLAINING
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import afresh, run_of, settled, window, write
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn

__all__ = ["window"]


def check_next_and_previous_difference_with_the_cause(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat xyz the mat")
    result = window.compare.comparison.result
    assert result is not None
    total = len(result.differences)
    assert total >= 2
    count, card = window.compare.differences.count, window.compare.differences.card
    QTest.keyClick(window, Qt.Key.Key_F3)
    assert count.text() == f"difference 1 of {total}"
    qtbot.waitUntil(lambda: "have it yet" in card.toPlainText())
    QTest.keyClick(window, Qt.Key.Key_F3)
    assert count.text() == f"difference 2 of {total}"
    QTest.keyClick(window, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert count.text() == f"difference {total} of {total}", "before the first comes the last"


def check_only_the_last_of_several_differences_is_explained(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(qtbot, window, "the cat xyz the mat and the hat")
    card, go_on, asked = window.compare.differences.card, Event(), []

    def slowly(result: CutResult, number: int, reference: int) -> ExplainedDifference | None:
        asked.append(number)
        go_on.wait()
        return explain(result, number, reference)

    monkeypatch.setattr(comparison, "explain", slowly)
    try:
        QTest.keyClick(window, Qt.Key.Key_F3)
        qtbot.waitUntil(lambda: asked == [0])
        assert card.toPlainText() == EXPLAINING
        QTest.keyClick(window, Qt.Key.Key_F3)
        QTest.keyClick(window, Qt.Key.Key_F3)
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: card.toPlainText().startswith("Difference 3 of "))
    assert asked == [0, 2]
    check_another_explanation_is_dimmed(qtbot, window, monkeypatch)


def check_another_explanation_is_dimmed(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card explains the third difference until the fourth is explained."""
    card, go_on = window.compare.differences.card, Event()
    veil = child(card, QWidget, "veil")
    assert veil.isHidden()

    def slowly(result: CutResult, number: int, reference: int) -> ExplainedDifference | None:
        go_on.wait()
        return explain(result, number, reference)

    monkeypatch.setattr(comparison, "explain", slowly)
    try:
        QTest.keyClick(window, Qt.Key.Key_F3)
        qtbot.waitUntil(veil.isVisible)
        assert card.toPlainText().startswith("Difference 3 of ")
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: card.toPlainText().startswith("Difference 4 of "))
    assert veil.isHidden()


def check_a_large_number_of_differences_is_not_elided(qtbot: QtBot, window: MainWindow) -> None:
    count = window.compare.differences.count
    write(qtbot, window, "the cat " * 25)
    usual = count.width()
    write(qtbot, window, "the xyz " * 101_000)
    assert window.compare.differences.look_at(100_999)
    shown = count.text()
    assert shown == "difference 101,000 of 101,000"
    assert count.fontMetrics().horizontalAdvance(shown) <= count.width()
    write(qtbot, window, "the cat " * 25)
    assert count.width() == usual


def check_in_another_text_the_differences_begin_at_the_caret(
    qtbot: QtBot, window: MainWindow
) -> None:
    compare = window.compare

    def ends() -> list[int]:
        result = compare.comparison.result
        assert result is not None
        return [int(end) for end in result.differences[:, 1]]

    write(qtbot, window, "the cat xyz the mat the hat")
    act(window, "nextDifferenceAction")
    act(window, "previousDifferenceAction")
    total = len(ends())
    assert compare.differences.count.text() == f"difference {total} of {total}"
    write(qtbot, window, "the mat xyz the cat the hat")
    assert compare.differences.count.text() == f"difference 1 of {len(ends())}"
    cursor = compare.source.editor.textCursor()
    cursor.setPosition(len("the mat"))
    compare.source.editor.setTextCursor(cursor)
    compare.source.editor.insertPlainText(" fat")
    settled(qtbot, window)
    before = sum(end <= len("the mat fat") for end in ends())
    assert before > 0
    assert compare.differences.count.text() == f"difference {before + 1} of {len(ends())}"


def check_a_cause_leads_to_its_merge(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: "go to merge" in card.toPlainText())
    card.anchorClicked.emit(QUrl("merge:3"))
    assert window.player.position == 3


def ranks(path: Path) -> Path:
    """A rank file with bytes in an order of its own, and two merges."""
    numbers = {b"%c" % byte: 255 - byte for byte in range(256)} | {b"th": 256, b"the": 257}
    lines = (f"{b64encode(token).decode()} {rank}\n" for token, rank in numbers.items())
    path.write_text("".join(sorted(lines, key=lambda line: int(line.split()[1]))))
    return path


def check_lanes_that_cut_alike_are_told_with_the_ids_of_each(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.compare.loader.load(f"{ranks(tmp_path / 'moved')}@gpt2", "moved")
    window.compare.comparison.at_positions([0])
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    write(qtbot, window, "the")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: "moved 257" in card.toPlainText())
    history = run_of(window)
    number = int(Tokenizer(history).encode("the").ids[0])
    lines_shown = card.toPlainText().replace("\xa0", " ").split("\n")
    assert f"the run at the cursor {number}, moved 257  the" in lines_shown


def check_lanes_that_cut_alike_for_other_reasons_are_told_all_of_them(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """Two have no merges yet; one has them, but takes each letter for a word."""
    comparison = window.compare.comparison
    comparison.remove(comparison.lanes[1].key)
    window.compare.loader.load(f"{ranks(tmp_path / 'ranks')}@[\\s\\S]", "letters")
    comparison.at_positions([0, 0])
    qtbot.waitUntil(lambda: not window.compare.loader.busy)
    write(qtbot, window, "the")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: f"All are compared with {FOLLOWING}." in card.toPlainText())
    text = card.toPlainText()
    assert "letters splits “the” into “t”, “h” and “e”" in text
    assert text.count("have it yet") == 1
    assert "The same holds for gpt2 recipe, 0 merges (2)." in text
    reasons = [line for line in text.split("\n") if "splits" in line or "have it yet" in line]
    assert all("go to merge" in reason for reason in reasons), "for either reason"
    assert card.horizontalScrollBar().maximum() == 0


def check_the_lane_that_is_chosen_is_what_others_are_set_against(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.compare.comparison.at_positions([0])
    write(qtbot, window, "the")
    act(window, "nextDifferenceAction")
    card = window.compare.differences.card
    qtbot.waitUntil(lambda: f"All are compared with {FOLLOWING}." in card.toPlainText())
    window.compare.lanes.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(window.compare.lanes, key)
    qtbot.waitUntil(lambda: "All are compared with gpt2 recipe, 0 merges." in card.toPlainText())
    lines = card.toPlainText().replace("\xa0", " ").split("\n")
    named = [line.split("  ")[0] for line in lines]
    names = [name for name in named if name in ("gpt2 recipe, 0 merges", FOLLOWING)]
    assert names == ["gpt2 recipe, 0 merges", FOLLOWING], "it stands first"


def check_a_long_token_is_cut_short_in_the_card(qtbot: QtBot, window: MainWindow) -> None:
    model = LibraryTokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    window.compare.comparison.add(HuggingFaceEncoding(model, name="words"))
    write(qtbot, window, "z" * 5000)
    act(window, "nextDifferenceAction")
    qtbot.waitUntil(lambda: "words" in window.compare.differences.card.toPlainText())
    assert len(window.compare.differences.card.toPlainText()) < 1500


def check_without_a_difference_the_card_says_so(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "xyz")
    assert window.compare.differences.count.text() == "no difference"
    assert "at the same places" in window.compare.differences.card.toPlainText()
    for lane in window.compare.comparison.lanes[1:]:
        window.compare.comparison.remove(lane.key)
    settled(qtbot, window)
    assert window.compare.differences.count.text() == "nothing to compare", "one lane"
    window.compare.comparison.add_behind()
    settled(qtbot, window)
    assert window.compare.differences.count.text() == "no difference"
    write(qtbot, window, "")
    assert window.compare.differences.count.text() == "nothing to compare", "no text"
    assert "Add a text and at least two encodings" in window.compare.differences.card.toPlainText()
    assert not child(window, QAction, "nextDifferenceAction").isEnabled()


def check_a_token_of_the_run_is_shown_in_the_vocabulary(qtbot: QtBot, window: MainWindow) -> None:
    write(qtbot, window, "the cat")
    told: list[int] = []
    window.compare.tokenSelected.connect(told.append)
    window.compare.lanes.setFocus()
    QTest.keyClick(window.compare.lanes, Qt.Key.Key_Right)
    history = run_of(window)
    assert told == [int(Tokenizer(history).encode("the cat").ids[0])]


def check_differences_are_gone_through(qtbot: QtBot, window: MainWindow) -> None:
    check_next_and_previous_difference_with_the_cause(qtbot, window)
    check_a_token_of_the_run_is_shown_in_the_vocabulary(qtbot, window)
    check_a_cause_leads_to_its_merge(qtbot, window)
    check_a_long_token_is_cut_short_in_the_card(qtbot, window)


def test_differences(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_in_another_text_the_differences_begin_at_the_caret,
        check_lanes_that_cut_alike_are_told_with_the_ids_of_each,
        check_lanes_that_cut_alike_for_other_reasons_are_told_all_of_them,
        check_the_lane_that_is_chosen_is_what_others_are_set_against,
        check_without_a_difference_the_card_says_so,
        check_differences_are_gone_through,
        check_only_the_last_of_several_differences_is_explained,
        check_a_large_number_of_differences_is_not_elided,
    )
