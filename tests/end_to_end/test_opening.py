"""A corpus is opened: by argument, dialog, box, menu or drop; what is none is refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QMainWindow,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import count_corpus, save_words
from tests.end_to_end.window import (
    KEY,
    LEFT,
    MERGES,
    Start,
    answer_file_dialog,
    answered,
    choose,
    drop,
    end,
    entries,
    is_enabled,
    is_trained,
    messages,
    named,
    position,
    rows,
    said,
    set_number,
    tokens,
    written,
)
from tests.ui.driving import act, child


def words_of(window: QMainWindow) -> set[str]:
    """The words of the corpus, without the spaces that belong to some."""
    return {row[0].strip("␣Ġ ") for row in rows(window, "wordsTable")}


def test_without_arguments_a_sample_waits_to_be_trained(start: Start, qtbot: QtBot) -> None:
    window = start()
    qtbot.waitUntil(lambda: len(words_of(window)) == 4)
    assert (position(window), end(window)) == (0, 0)
    assert is_enabled(window, "trainAction")
    assert "+" in said(window, "pairChart")
    assert messages(window) == []


def test_the_command_line_names_a_corpus_a_preset_and_a_size(
    start: Start, words: Path, qtbot: QtBot
) -> None:
    window = start("open", str(words), "--preset", "raw", "--vocab-size", "13")
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction") and tokens(window) != [])
    assert "words.txt" in window.windowTitle()
    assert written(window, "corpusBox") == "words.txt"
    assert written(window, "presetBox") == "raw"
    assert written(window, "vocabSizeBox") == "max. 13"
    assert end(window) == 0


def test_words_that_were_counted_are_a_corpus(start: Start, words: Path, qtbot: QtBot) -> None:
    counted = words.with_name("counted.parquet")
    recipe = preset("whitespace")
    save_words(count_corpus(Corpus([words]), recipe), recipe, counted)
    window = start("open", str(counted), "--preset", "whitespace", "--start")
    qtbot.waitUntil(lambda: is_trained(window) and "widest" in words_of(window))
    assert written(window, "corpusBox") == "counted.parquet"
    assert tokens(window)[-1] == MERGES[-1]


def test_words_of_another_split_are_dimmed(start: Start, words: Path, qtbot: QtBot) -> None:
    counted = words.with_name("words.parquet")
    recipe = preset("gpt2")
    save_words(count_corpus(Corpus([words]), recipe), recipe, counted)
    window = start("open", str(counted), "--preset", "gpt2", "--start")
    qtbot.waitUntil(lambda: is_trained(window))
    veils = window.findChildren(QWidget, "veil")
    assert veils
    recipes = child(window, QComboBox, "presetBox")
    choose(recipes, "whitespace")
    qtbot.waitUntil(lambda: any("words of the recipe gpt2" in told for told in messages(window)))
    qtbot.waitUntil(lambda: all(not veil.isHidden() for veil in veils))
    choose(recipes, "gpt2")
    qtbot.waitUntil(lambda: all(veil.isHidden() for veil in veils))
    assert not messages(window)


def test_the_dialog_opens_a_file(start: Start, words: Path, qtbot: QtBot) -> None:
    window = start()
    answer_file_dialog(qtbot, window, "openAction", words)
    qtbot.waitUntil(lambda: "widest" in words_of(window))
    assert written(window, "corpusBox") == "words.txt"


def test_the_dialog_opens_a_folder(start: Start, words: Path, qtbot: QtBot) -> None:
    (words.parent / "more.txt").write_text("taller tallest")
    window = start()
    answer_file_dialog(qtbot, window, "openFolderAction", words.parent)
    qtbot.waitUntil(lambda: {"widest", "tallest"} <= words_of(window))
    assert written(window, "corpusBox") == words.parent.name


def test_the_boxes_choose_corpus_preset_and_size(start: Start, words: Path, qtbot: QtBot) -> None:
    window = start("open", str(words))
    box = child(window, QComboBox, "corpusBox")
    sample = next(box.itemText(row) for row in range(1, box.count()) if box.itemData(row))
    choose(child(window, QComboBox, "corpusBox"), sample)
    qtbot.waitUntil(lambda: words_of(window) != set() and "lowest" not in words_of(window))
    choose(child(window, QComboBox, "corpusBox"), "words.txt")
    choose(child(window, QComboBox, "presetBox"), "whitespace")
    set_number(qtbot, window, "vocabSizeBox", 14)
    qtbot.waitUntil(lambda: "lowest" in words_of(window))
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window))
    act(window, "endAction")
    assert end(window) == 3
    qtbot.waitUntil(lambda: tokens(window)[-3:] == MERGES[:3])


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)")
@pytest.mark.parametrize(("entry", "by_mouse"), [("Open files…", True), ("Open folder…", False)])
def test_the_list_of_corpora_opens_others(
    start: Start, words: Path, qtbot: QtBot, entry: str, by_mouse: bool
) -> None:
    window = start()
    qtbot.waitUntil(lambda: len(words_of(window)) == 4)
    act(window, "trainAction")
    qtbot.waitUntil(lambda: is_trained(window))
    act(window, "endAction")
    box, merges = child(window, QComboBox, "corpusBox"), end(window)
    assert entries(box)[-2:] == ["Open files…", "Open folder…"]
    choose_there = partial(choose_in_list, qtbot, box, entry, by_mouse)
    answered(qtbot, choose_there, [QDialog.reject])
    assert box.currentText() == "Four words"
    assert (position(window), end(window)) == (merges, merges)
    assert messages(window) == []
    path = words if entry == "Open files…" else words.parent
    answered(qtbot, choose_there, [named(qtbot, path)])
    qtbot.waitUntil(lambda: "widest" in words_of(window) and "lowest" in words_of(window))
    assert box.currentText() == path.name
    answered(qtbot, choose_there, [QDialog.reject])
    assert box.currentText() == path.name, "the files stay chosen"


def choose_in_list(qtbot: QtBot, box: QComboBox, text: str, by_mouse: bool) -> None:
    """Open a list and choose from it."""
    rows, before = box.view(), QApplication.doubleClickInterval()
    # So long Qt takes a click for the end of the click that opened the list.
    QApplication.setDoubleClickInterval(1)
    qtbot.mouseClick(box, LEFT) if by_mouse else qtbot.keyClick(box, KEY.Key_Down)
    qtbot.waitUntil(rows.isVisible)
    place = box.model().index(box.findText(text), 0)
    if by_mouse:
        where = rows.visualRect(place).center()
        qtbot.waitUntil(lambda: click_closes(qtbot, rows, where))
    else:
        qtbot.keyClick(rows, KEY.Key_End)
        while rows.currentIndex() != place:
            qtbot.keyClick(rows, KEY.Key_Up)
        qtbot.keyClick(rows, KEY.Key_Return)
    QApplication.setDoubleClickInterval(before)


def click_closes(qtbot: QtBot, rows: QAbstractItemView, where: QPoint) -> bool:
    """Click into an open list; tell whether that has closed it."""
    qtbot.mouseMove(rows.viewport(), where)
    qtbot.mouseClick(rows.viewport(), LEFT, pos=where)
    return not rows.isVisible()


def test_dropped_files_are_one_corpus(start: Start, words: Path, qtbot: QtBot) -> None:
    window = start()
    drop(window, words)
    qtbot.waitUntil(lambda: written(window, "corpusBox") == "words.txt")
    more = words.with_name("more.txt")
    more.write_text("taller tallest")
    drop(window, words, more)
    qtbot.waitUntil(lambda: {"widest", "tallest"} <= words_of(window))


def test_what_was_opened_is_offered_again(start: Start, words: Path, qtbot: QtBot) -> None:
    first = start("open", str(words))
    qtbot.waitUntil(lambda: "lowest" in words_of(first))
    first.close()
    second = start()
    qtbot.waitUntil(lambda: len(words_of(second)) == 4)
    act(second, "recentCorpora1Action")
    qtbot.waitUntil(lambda: written(second, "corpusBox") == "words.txt")
    words.unlink()
    qtbot.waitUntil(lambda: is_enabled(second, "trainAction"))
    act(second, "recentCorpora1Action")
    qtbot.waitUntil(lambda: len(messages(second)) == 1)
    assert "words.txt" in messages(second)[0]


def check_what_is_no_text_is_refused_in_a_sentence(
    content: bytes, trained: QMainWindow, words: Path, qtbot: QtBot
) -> None:
    path = words.with_name("nonsense.txt")
    path.write_bytes(content)
    before = child(trained, QLabel, "statusText").text()
    answer_file_dialog(qtbot, trained, "openAction", path)
    qtbot.waitUntil(lambda: len(messages(trained)) == 1)
    assert "nonsense.txt" in messages(trained)[0]
    assert "\n" not in messages(trained)[0]
    # The run stays, and its corpus is still the chosen one.
    assert end(trained) == len(MERGES)
    assert written(trained, "corpusBox") == "words.txt"
    assert child(trained, QLabel, "statusText").text() == before
    act(trained, "dismissAction")
    qtbot.waitUntil(lambda: messages(trained) == [])
    act(trained, "stepBackAction")
    qtbot.waitUntil(lambda: position(trained) == len(MERGES) - 1)
    act(trained, "endAction")
    qtbot.waitUntil(lambda: position(trained) == len(MERGES))
    qtbot.waitUntil(lambda: child(trained, QLabel, "statusText").text() == before)


def test_what_is_no_text_is_refused_in_a_sentence(
    trained: QMainWindow, words: Path, qtbot: QtBot
) -> None:
    for content in [b"", bytes(range(256)) * 9, "für".encode("latin-1") * 9]:
        check_what_is_no_text_is_refused_in_a_sentence(content, trained, words, qtbot)


def test_the_size_says_what_it_is_made_of(start: Start, qtbot: QtBot) -> None:
    window = start()
    box = child(window, QSpinBox, "vocabSizeBox")
    stop = "Training stops at {} entries at the latest: "
    at_first = f"{stop.format('2,000')}11 tokens at first + 1,989 merges"
    qtbot.waitUntil(lambda: box.toolTip() == at_first)
    recipes = child(window, QComboBox, "presetBox")
    choose(recipes, "gpt2")
    assert box.toolTip() == f"{stop.format('2,000')}256 bytes + 1,744 merges"
    set_number(qtbot, window, "vocabSizeBox", 300)
    assert box.toolTip() == f"{stop.format(300)}256 bytes + 44 merges"
    qtbot.waitUntil(lambda: is_enabled(window, "trainAction"))
    choose(recipes, "raw")
    assert "tokens at first" in box.toolTip()


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)")
def test_an_open_list_explains_its_entries(start: Start, qtbot: QtBot) -> None:
    window = start()
    for name, entry, explained in [
        ("presetBox", "lines", "every space and every newline is a word"),
        ("presetBox", "raw", "merges may cross spaces and lines"),
        ("presetBox", "char-bpe", "words and punctuation are separate"),
        ("corpusBox", "A story in English", "plain prose"),
        ("corpusBox", "Open files…", "Ctrl+O"),
    ]:
        box = child(window, QComboBox, name)
        place = box.model().index(box.findText(entry), 0)
        assert explained in place.data(Qt.ItemDataRole.AccessibleDescriptionRole)
        qtbot.mouseClick(box, LEFT)
        rows = box.view()
        qtbot.waitUntil(rows.isVisible)
        # There is room for the explanation beside the name.
        wanted = rows.fontMetrics().horizontalAdvance(entry + explained)
        assert rows.visualRect(place).width() > wanted
        qtbot.keyClick(rows, KEY.Key_Escape)


def test_live_is_explained(start: Start) -> None:
    tip = child(start(), QAction, "liveAction").toolTip()
    assert tip == "Follow the training: show the newest merge as soon as it is done (Ctrl+L)"
