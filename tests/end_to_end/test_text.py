"""A text is typed, and its tokens at the cursor are shown, spoken, counted and copied."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    Start,
    choose,
    focus,
    go_to,
    is_enabled,
    rows,
    said,
    tab_to,
    write,
    written,
)
from tests.ui.driving import act, child

CONTROL = Qt.KeyboardModifier.ControlModifier


def text_tokens(window: QMainWindow) -> list[str]:
    """The tokens of the sample text, by their ids."""
    known = {row[0]: row[1] for row in rows(window, "vocabularyTable")}
    return [known.get(number, number) for number in written(window, "tokenIds").split()]


def check_a_typed_text_becomes_tokens(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "sampleText", "newest low")
    assert written(trained, "sampleText") == "newest low"
    qtbot.waitUntil(lambda: text_tokens(trained) == ["newest</w>", "low</w>"])
    qtbot.waitUntil(lambda: "2 tokens" in said(trained, "textCounts"))
    assert "newest low" in said(trained, "tokenView")


def check_the_tokens_follow_the_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "sampleText", "lowest")
    for place, wanted in (
        (16, ["lowest</w>"]),
        (4, ["low", "est", "</w>"]),
        (0, [*"lowest", "</w>"]),
        (9, ["low", "est</w>"]),
        (10, ["lowest</w>"]),
    ):
        go_to(qtbot, trained, place)
        qtbot.waitUntil(lambda: text_tokens(trained) == wanted)  # noqa: B023


def check_each_token_is_spoken(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "sampleText", "newest low")
    go_to(qtbot, trained, 12)
    qtbot.waitUntil(lambda: text_tokens(trained) == ["new", "est</w>", "low</w>"])
    view = tab_to(qtbot, trained, "tokenView")
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: "“new”" in said(trained, "tokenView"))
    # The arrows go through the text here, and not through the run.
    for token in ("“est</w>”", "“low</w>”"):
        qtbot.keyClick(view, Qt.Key.Key_Right)
        qtbot.waitUntil(lambda: token in said(trained, "tokenView"))  # noqa: B023
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said(trained, "tokenFacts").startswith("low</w> id 16"))


def check_what_is_not_in_the_alphabet_is_told(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "sampleText", "low?")
    qtbot.waitUntil(lambda: "low?" in said(trained, "tokenView"))
    view = tab_to(qtbot, trained, "tokenView")
    qtbot.keyClick(view, Qt.Key.Key_Home)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: "“?”" in said(trained, "tokenView"))


def check_typing_is_undone_and_done_again(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "sampleText", "lowest")
    qtbot.waitUntil(lambda: text_tokens(trained) == ["lowest</w>"])
    editor = focus(qtbot, trained, "sampleText")
    qtbot.keyClick(editor, Qt.Key.Key_A, CONTROL)
    qtbot.keyClick(editor, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: text_tokens(trained) == [])
    assert written(trained, "sampleText") == ""
    qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: text_tokens(trained) == ["lowest</w>"])
    assert written(trained, "sampleText") == "lowest"
    qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: written(trained, "sampleText") == "")


def check_keys_that_are_typed_move_no_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 4)
    write(qtbot, trained, "sampleText", "low est")
    editor = focus(qtbot, trained, "sampleText")
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_End):
        qtbot.keyClick(editor, key)
    qtbot.waitUntil(lambda: text_tokens(trained) == ["low", "</w>", "est", "</w>"])
    assert written(trained, "sampleText") == " low est"
    act(trained, "stepBackAction")
    qtbot.waitUntil(lambda: text_tokens(trained) == ["low", "</w>", "es", "t", "</w>"])


def check_the_ids_are_copied(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "sampleText", "newest low")
    button = child(trained, QPushButton, "copyIdsButton")
    qtbot.waitUntil(lambda: written(trained, "tokenIds") == "23 16")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "23 16"


def test_a_text_is_typed_spoken_and_undone(trained: QMainWindow, qtbot: QtBot) -> None:
    check_a_typed_text_becomes_tokens(trained, qtbot)
    check_the_ids_are_copied(trained, qtbot)
    check_typing_is_undone_and_done_again(trained, qtbot)
    check_the_tokens_follow_the_cursor(trained, qtbot)
    check_each_token_is_spoken(trained, qtbot)
    check_keys_that_are_typed_move_no_cursor(trained, qtbot)
    check_what_is_not_in_the_alphabet_is_told(trained, qtbot)


def test_the_text_at_first_suits_the_corpus(start: Start, qtbot: QtBot) -> None:
    window = start()
    qtbot.waitUntil(lambda: written(window, "sampleText") == "low lower newest widest")
    box = child(window, QComboBox, "corpusBox")
    for corpus, wanted in (
        ("A story in English", "The fishermen drink their coffee"),
        ("The same story in Russian", "Рыбаки пьют кофе"),
        ("Many scripts", "鸟儿歌唱"),
        ("Four words", "low lower newest widest"),
    ):
        choose(box, corpus)
        qtbot.waitUntil(lambda: wanted in written(window, "sampleText"))  # noqa: B023
        qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
        # Every letter is known, so nothing in the text is marked.
        qtbot.waitUntil(lambda: "unknown" not in said(window, "textCounts"))
    write(qtbot, window, "sampleText", "my own")
    choose(box, "A story in English")
    qtbot.waitUntil(lambda: "A story" in window.windowTitle())
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    assert written(window, "sampleText") == "my own"
