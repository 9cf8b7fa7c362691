"""The window as a person uses it: pick, train, type, look, close."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from threading import Timer
from weakref import WeakSet

import pytest
import shiboken6
from PySide6.QtCore import QByteArray, QLoggingCategory, QTimer
from PySide6.QtGui import QAction, QStatusTipEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QTableView,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui import app
from bpe_gui.bpe import recipe_io
from bpe_gui.bpe.recipe import PRESETS, Prepend, Recipe, Replace, Ties
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.ui.run.sample_text import TEXTS_OF_SAMPLES
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.shell.menus import CorpusMenu
from bpe_gui.ui.theme.theme import LIGHT
from bpe_gui.ui.workspaces.workspaces import WorkspaceId
from tests.ui.driving import act
from tests.ui.dropped_files import drop
from tests.ui.pace import Rations


def end(window: MainWindow) -> None:
    """Close the window and let it go, with all that its panels had yet to do."""
    window.close()
    window.deleteLater()


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    _, window = app.create([])
    yield window
    end(window)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "story.txt"
    path.write_text("the cat sat on the mat and the hat\n" * 50, encoding="utf-8")
    return path


def until(qtbot: QtBot, window: MainWindow, phase: Phase) -> None:
    qtbot.waitUntil(lambda: window.training.phase is phase)


def drawn(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until nothing is to be drawn any more."""
    qtbot.waitUntil(lambda: not window.explore.scheduler.isActive())


def ids_of(window: MainWindow) -> list[int]:
    history = window.player.history
    assert history is not None
    text = window.sample_text.text
    return Tokenizer(history, window.player.position).encode(text).ids.tolist()


def check_a_first_start_is_alive(qtbot: QtBot, window: MainWindow) -> None:
    until(qtbot, window, Phase.PREPARED)
    drawn(qtbot, window)
    assert window.sample_text.text == TEXTS_OF_SAMPLES["four-words"]
    assert window.player.history is not None
    assert window.player.history.top(0).count[0] == 9
    said = "95 tokens with 14 different pairs; each word counts as often as it occurs"
    assert said in window.status.text


def check_object_names(window: MainWindow) -> None:
    kinds: dict[str, type[QWidget]] = {
        "corpusBox": QComboBox,
        "presetBox": QComboBox,
        "vocabSizeBox": QSpinBox,
        "pairChart": QWidget,
        "curves": QWidget,
        "vocabularyTable": QTableView,
        "sampleText": QPlainTextEdit,
        "tokenView": QWidget,
    }
    for name, kind in kinds.items():
        found = window.findChild(kind, name)
        assert found is not None, name
        assert found.isVisibleTo(window), name


def check_actions_have_names_keys_and_tips(window: MainWindow) -> None:
    for name in ("openAction", "trainAction", "pauseAction", "stepAction"):
        action = window.findChild(QAction, name)
        assert action is not None, name
        assert not action.shortcut().isEmpty(), name
        assert action.shortcut().toString() in action.toolTip()


def check_inputs_have_names_for_screen_readers(window: MainWindow) -> None:
    for box in (QComboBox, QSpinBox, QPlainTextEdit):
        for child in window.findChildren(box):
            assert child.accessibleName(), child.objectName()


def check_step_then_train_four_words(qtbot: QtBot, window: MainWindow) -> None:
    until(qtbot, window, Phase.PREPARED)
    act(window, "stepAction")
    qtbot.waitUntil(lambda: window.player.position == 1)
    drawn(qtbot, window)
    assert window.status.text == "1 merge. Train (F5) goes on."
    act(window, "trainAction")
    until(qtbot, window, Phase.FINISHED)
    drawn(qtbot, window)
    history = window.player.history
    assert history is not None
    assert window.player.position == len(history)
    assert "no pair is left" in window.status.text
    table = window.findChild(QTableView, "vocabularyTable")
    assert table is not None
    assert table.model().rowCount() == history.vocabulary_size(len(history))


def test_typed_text_is_cut_with_each_keystroke(
    qtbot: QtBot, window: MainWindow, corpus: Path
) -> None:
    window.controls.choose_preset("gpt2")
    window.open_sources([corpus], train=True)
    until(qtbot, window, Phase.FINISHED)
    editor = window.findChild(QPlainTextEdit, "sampleText")
    assert editor is not None
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClicks(editor, "the hat sat")
    history = window.player.history
    assert history is not None
    shown = [history.id_to_token(token) for token in ids_of(window)]
    assert shown == ["the", "Ġhat", "Ġsat"]
    qtbot.waitUntil(lambda: "3 tokens" in text_of(window))


def text_of(window: MainWindow) -> str:
    """All that the text panel's labels say."""

    labels = window.explore.text_panel.findChildren(QLabel)
    return " ".join(label.text() for label in labels).replace("\xa0", " ")


def check_another_preset_begins_anew(qtbot: QtBot, window: MainWindow) -> None:
    until(qtbot, window, Phase.PREPARED)
    first = window.player.history
    box = window.findChild(QComboBox, "presetBox")
    assert box is not None
    box.setCurrentText("gpt2")
    qtbot.waitUntil(lambda: window.player.history not in (first, None))
    assert window.player.history is not None
    assert window.player.history.recipe.name == "gpt2"
    assert window.controls.size_box.minimum() == 256


def test_another_size_keeps_the_run_until_train(qtbot: QtBot, window: MainWindow) -> None:
    until(qtbot, window, Phase.PREPARED)
    act(window, "trainAction")
    until(qtbot, window, Phase.FINISHED)
    first = window.player.history
    window.controls.size_box.setValue(15)
    assert window.player.history is first
    act(window, "trainAction")
    qtbot.waitUntil(lambda: window.training.history not in (None, first))
    until(qtbot, window, Phase.FINISHED)
    history = window.player.history
    assert history is not None
    assert history.vocabulary_size(len(history)) == 15


def check_dropped_files_open(qtbot: QtBot, window: MainWindow, corpus: Path) -> None:
    until(qtbot, window, Phase.PREPARED)
    dock = window.explore.docks["textDock"]
    for target in (window, dock):
        window.controls.corpus_box.setCurrentText("Four words")
        drop(target, corpus)
        assert window.controls.corpus_box.currentText() == "story.txt"
        until(qtbot, window, Phase.PREPARED)


def check_a_missing_file_is_told_and_the_window_goes_on(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    until(qtbot, window, Phase.PREPARED)
    window.open_sources([tmp_path / "missing.txt"])
    qtbot.waitUntil(lambda: "missing.txt" in window.message_bar.text)
    assert window.message_bar.isVisible()
    assert window.controls.corpus_box.currentText() == "Four words"
    assert window.player.history is not None
    window.controls.choose_preset("gpt2")
    assert window.message_bar.text == ""
    until(qtbot, window, Phase.PREPARED)


def check_bytes_that_do_not_decode_can_be_replaced(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"caf\xe9 caf\xe9")
    window.open_sources([path])
    qtbot.waitUntil(lambda: "latin.txt" in window.message_bar.text)
    assert "byte 3" in window.message_bar.text.replace("offset", "byte")
    menu = window.corpus_menu
    title = menu.title().replace("&", "")
    for entry in (menu.encodings.actions()[0].parent().title(), menu.replace_errors.text()):
        assert f"{title} ▸ {entry.replace('&', '')}" in window.message_bar.text
    assert "--" not in window.message_bar.text
    window.corpus_menu.replace_errors.trigger()
    until(qtbot, window, Phase.PREPARED)
    assert window.message_bar.text == ""


def test_a_pipe_that_nobody_writes_to_holds_nothing_up(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    until(qtbot, window, Phase.PREPARED)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def end_input() -> None:
        with suppress(OSError):  # nobody reads
            os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))

    rescue = Timer(60, end_input)
    rescue.start()
    window.open_sources([pipe])
    qtbot.waitUntil(lambda: "opening" in window.status.text)
    act(window, "cancelAction")
    assert not window.training.busy
    window.open_sources([pipe])
    qtbot.waitUntil(lambda: "opening" in window.status.text)
    window.close()
    assert rescue.is_alive(), "closing waited until the pipe ended"
    rescue.cancel()
    rescue.join()


def test_pause_and_cancel(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, rations: Rations
) -> None:
    path = tmp_path / "large.txt"
    path.write_text(" ".join(f"{index * 7919 % 100_003:x}" for index in range(30_000)))
    window.controls.choose_preset("gpt2")
    window.controls.size_box.setValue(200_000)
    window.open_sources([path], train=True)
    qtbot.waitUntil(lambda: window.player.position == 400)
    act(window, "pauseAction")
    qtbot.waitUntil(lambda: "Paused" in window.status.text)
    act(window, "trainAction")
    assert not window.training.paused
    qtbot.waitUntil(lambda: window.player.position == 800)
    act(window, "cancelAction")
    assert window.training.phase is Phase.PREPARED
    drawn(qtbot, window)
    act(window, "stepAction")
    qtbot.waitUntil(lambda: window.player.end == 801)


def test_what_cannot_be_read_leaves_the_run_in_view(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    act(window, "trainAction")
    until(qtbot, window, Phase.FINISHED)
    window.player.scrub(4)
    history, box = window.player.history, window.controls.corpus_box
    offered = [box.itemText(index) for index in range(box.count())]
    path = tmp_path / "latin.txt"
    path.write_bytes(b"caf\xe9")
    window.open_sources([path])
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    assert window.player.history is history
    assert window.player.position == 4
    assert box.currentText() == "Four words"
    assert [box.itemText(index) for index in range(box.count())] == offered
    assert window.windowTitle().startswith("Four words · ")
    window.controls.size_box.setValue(3)
    act(window, "trainAction")
    qtbot.waitUntil(lambda: "vocabulary" in window.message_bar.text)
    assert window.player.history is history
    window.controls.size_box.setValue(2000)
    assert window.player.history is history
    assert window.message_bar.text == ""
    assert not window.actions_.train.isEnabled(), "that run is complete, and in view"


def test_the_run_before_is_dimmed_while_a_corpus_is_read_and_stays_if_that_is_given_up(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    until(qtbot, window, Phase.PREPARED)
    history = window.player.history
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = os.open(path, os.O_RDWR)
    veils = window.findChildren(QWidget, "veil")
    text = window.sample_text.text
    laid = [0]
    drew = window.explore.scheduler.drew
    drew.connect(lambda: laid.append(sum(veil.isVisible() for veil in veils)))
    window.open_sources([path])
    qtbot.waitUntil(lambda: all(not veil.isHidden() for veil in veils))
    assert laid[-1] > 1
    assert max(after - before for before, after in pairwise(laid)) == 1, "one panel a frame"
    assert window.player.history is history, "it can still be read under the veils"
    assert window.sample_text.text == text
    act(window, "cancelAction")
    os.close(writer)
    qtbot.waitUntil(lambda: all(veil.isHidden() for veil in veils))
    assert window.player.history is history
    assert window.controls.corpus_box.currentText() == "Four words"
    assert window.windowTitle().startswith("Four words · ")


def check_a_missing_field_names_the_menu(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"content": "a b"}\n')
    window.open_sources([path])
    qtbot.waitUntil(lambda: window.message_bar.text != "")
    assert "'content'; name the one" in window.message_bar.text
    assert "Corpus ▸ Field or column" in window.message_bar.text


def test_files_that_cannot_be_read_are_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    check_a_missing_file_is_told_and_the_window_goes_on(qtbot, window, tmp_path)
    check_bytes_that_do_not_decode_can_be_replaced(qtbot, window, tmp_path)
    check_a_missing_field_names_the_menu(qtbot, window, tmp_path)


def check_a_font_that_cannot_shape_a_script_is_no_news(window: MainWindow) -> None:
    assert not QLoggingCategory("qt.text.font.db").isWarningEnabled()
    assert QLoggingCategory("qt.widgets").isWarningEnabled()


def check_selecting_a_token_shows_it_in_the_vocabulary(window: MainWindow) -> None:
    window.explore.text_panel.tokenSelected.emit(12)
    table = window.findChild(QTableView, "vocabularyTable")
    assert table is not None
    rows = table.selectionModel().selectedRows()
    assert [row.data() for row in rows] == ["12"] or [row.data() for row in rows] == [12]


def test_all_merges_are_trained_and_tokens_selected(qtbot: QtBot, window: MainWindow) -> None:
    check_step_then_train_four_words(qtbot, window)
    check_selecting_a_token_shows_it_in_the_vocabulary(window)


def check_light_and_dark(qtbot: QtBot, window: MainWindow) -> None:
    before = window.grab().toImage().pixelColor(5, 5)
    act(window, "lightAction")
    after = window.grab().toImage().pixelColor(5, 5)
    assert window.theme_choice.theme is LIGHT
    assert before.lightness() < 100 < after.lightness()


def check_docks_stay_where_qt_refuses_another_arrangement(window: MainWindow) -> None:
    act(window, "exploreAction")
    before = [dock.isVisible() for dock in window.explore.docks.values()]
    assert any(before)
    act(window, "compareAction")
    window.workspaces.arrange(QByteArray(b"no arrangement"))
    assert [dock.isVisible() for dock in window.explore.docks.values()] == before
    assert window.workspaces.shown is WorkspaceId.EXPLORE


def test_the_first_window(window: MainWindow, qtbot: QtBot, corpus: Path) -> None:
    check_object_names(window)
    check_actions_have_names_keys_and_tips(window)
    check_inputs_have_names_for_screen_readers(window)
    check_a_font_that_cannot_shape_a_script_is_no_news(window)
    check_a_first_start_is_alive(qtbot, window)
    check_light_and_dark(qtbot, window)
    check_another_preset_begins_anew(qtbot, window)
    check_dropped_files_open(qtbot, window, corpus)
    check_docks_stay_where_qt_refuses_another_arrangement(window)


def test_closing_in_the_middle_of_training(
    qtbot: QtBot, tmp_path: Path, rations: Rations
) -> None:
    path = tmp_path / "large.txt"
    path.write_text(" ".join(f"{index * 7919 % 100_003:x}" for index in range(30_000)))
    _, window = app.create(["open", str(path), "--vocab-size", "100000", "--start"])
    qtbot.waitUntil(lambda: window.player.position == 400)
    assert window.training.phase is Phase.TRAINING
    end(window)
    assert window.training.phase is Phase.IDLE


def test_a_recipe_of_ones_own_from_the_command_line(
    qtbot: QtBot, corpus: Path, tmp_path: Path
) -> None:
    own = Recipe(
        name="my words",
        normalizers=("nfc", Replace("cat", "dog"), Prepend(" ")),
        split=r"regex: ?\p{L}+|\s",
        vocabulary_size=40,
        ties=Ties.LOWEST_ID,
    )
    path = tmp_path / "words.json"
    recipe_io.save(own, path)
    _, window = app.create(["open", str(corpus), "--recipe", str(path), "--start"])
    try:
        until(qtbot, window, Phase.FINISHED)
        assert "my words" in window.windowTitle()
        assert window.controls.recipe() == own
        history = window.player.history
        assert history is not None
        assert history.recipe == own
        assert " dog" in [history.id_to_token(t).replace("Ġ", " ") for t in history.new_id.tolist()]
        menu = window.findChild(CorpusMenu)
        menu.aboutToShow.emit()
        assert menu.ties.checkedAction().text() == str(Ties.LOWEST_ID)
        # Another preset may be chosen, and the recipe again.
        window.controls.choose_preset("raw")
        assert window.controls.recipe().name == "raw"
        window.controls.choose_recipe(own)
        assert window.controls.recipe() == own
        box = window.controls.preset_box
        assert [box.itemText(n) for n in range(len(PRESETS) + 1, box.count())] == [
            "Unsaved",
            own.name,
        ]
    finally:
        end(window)


def test_the_reason_is_seen_at_first(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_.train.trigger()
    qtbot.waitUntil(lambda: window.player.end == 15)
    browser = window.findChild(QTextBrowser, "whyText")
    assert isinstance(browser, QTextBrowser)
    for merge in range(1, 16):
        window.player.scrub(merge)

        def told(title: str = rf"merge {min(merge + 1, 15)}\b") -> bool:
            text = browser.toPlainText()
            return re.search(title, text) is not None and "saved" in text and "looking" not in text

        qtbot.waitUntil(told)
        assert browser.verticalScrollBar().value() == 0
        counted = browser.document().find("times")  # below the sentence and the pair
        assert browser.cursorRect(counted).bottom() <= browser.viewport().height(), merge


def test_the_names_of_workspaces_stay_whole_when_the_colours_change(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened("text.txt", "low lower")
    tabs = window.workspaces.tabs
    for colours in ("light", "dark", "light"):
        window.theme_choice.choose(colours)
        qtbot.waitUntil(lambda: tabs.width() >= tabs.sizeHint().width())


def test_the_status_line_says_one_thing_at_a_time(
    opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = opened("words.txt", "low lower lowest newest " * 9)
    qtbot.waitUntil(lambda: "Press Train" in window.status.text)
    window.status.note("Saving it …")
    assert window.status.text == "Saving it …"
    act(window, "largerTextAction")
    tip = QStatusTipEvent("What the action under the mouse does")
    QApplication.sendEvent(window, tip)
    assert window.status.text == "Saving it …"
    assert window.statusBar().currentMessage() == ""
    act(window, "trainAction")
    until(qtbot, window, Phase.FINISHED)
    act(window, "endAction")
    qtbot.waitUntil(lambda: window.status.text.startswith("Done"))


def bars_of_tabs() -> list[QTabBar]:
    """All bars of tabs that anybody holds, of this window and of others."""
    gc.collect()  # a weak proxy of another test has no class once its object is gone
    return [each for each in gc.get_objects() if issubclass(type(each), QTabBar)]


@pytest.mark.qt_log_ignore("This plugin does not support ")
def test_bars_of_tabs_that_qt_has_deleted_are_forgotten(window: MainWindow, qtbot: QtBot) -> None:
    before = WeakSet(bars_of_tabs())
    turn = QTimer(window, singleShot=True, interval=0)
    for dock in window.explore.docks.values():
        dock.setFloating(True)
        for name in ("compareAction", "exploreAction"):
            act(window, name)
            with qtbot.waitSignal(turn.timeout):
                turn.start()
    assert all(shiboken6.isValid(bar) for bar in bars_of_tabs() if bar not in before)
