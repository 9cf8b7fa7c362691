"""Files that are dropped on the window: tokenizers become lanes, texts corpora or texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings.formats import gpt2, huggingface_export
from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import TEXT, afresh, loaded, run_of, settled, table, window
from tests.ui.driving import act
from tests.ui.dropped_files import drop
from tests.ui.in_turn import InTurn

__all__ = ["window"]

Opened = Callable[..., MainWindow]


def check_a_dropped_tokenizer_becomes_a_lane_whatever_it_is_called(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    path = tmp_path / "notes.txt"
    huggingface_export.write(history, path)
    act(window, "exploreAction")
    drop(window, path)
    assert window.compare.isVisible()
    loaded(qtbot, window)
    row = table(window)[-1]
    text = window.compare.source.text
    assert row[:2] == ["notes.txt", str(len(Tokenizer(history).encode(text)))]
    assert window.training.phase is Phase.FINISHED, "it is no corpus"


def check_a_dropped_text_is_a_corpus_in_explore_and_a_text_in_compare(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "rhyme.txt"
    path.write_text("the hat sat")
    drop(window, path)
    settled(qtbot, window)
    assert window.compare.source.text == "the hat sat"
    act(window, "exploreAction")
    drop(window, path)
    qtbot.waitUntil(lambda: window.controls.corpus_box.currentText() == "rhyme.txt")


def test_a_tokenizer_dropped_before_comparing_stands_below_the_run(
    qtbot: QtBot, opened: Opened, tmp_path: Path
) -> None:
    window = opened("story.txt", TEXT, "--start")
    qtbot.waitUntil(lambda: window.training.phase is Phase.FINISHED)
    history = run_of(window)
    huggingface_export.write(history, tmp_path / "first.json")
    drop(window, tmp_path / "first.json")
    loaded(qtbot, window)
    assert [row[0] for row in table(window)] == [FOLLOWING, BEHIND, "first.json"]
    for lane in window.compare.comparison.lanes[:2]:
        window.compare.comparison.remove(lane.key)
    window.open_sources([tmp_path / "story.txt"])
    qtbot.waitUntil(lambda: window.player.history not in (history, None))
    settled(qtbot, window)
    names = [row[0] for row in table(window)]
    assert FOLLOWING not in names, "the user has taken it away"


def test_a_pair_of_files_dropped_at_once_is_one_lane(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    history = run_of(window)
    folder = tmp_path / "pair"
    folder.mkdir()
    gpt2.write(history, folder)
    text = tmp_path / "rhyme.txt"
    text.write_text("the hat sat")
    drop(window, folder / "merges.txt", text, folder / "vocab.json")
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[2:]] == ["pair/merges.txt"]
    assert table(window)[-1][1] == table(window)[0][1]
    assert window.compare.source.text == "the hat sat"
    drop(window, folder)
    loaded(qtbot, window)
    assert [row[0] for row in table(window)[3:]] == ["pair"]


def test_several_texts_dropped_in_compare_are_measured(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    paths = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for path in paths:
        path.write_text("the hat sat")
    bar = window.compare.numbers.bar
    drop(window, *paths)
    qtbot.waitUntil(lambda: bar.text == "2 files, 22 bytes, measured whole")
    assert window.controls.corpus_box.currentText() == "story.txt", "the run stays"
    drop(window, tmp_path)
    qtbot.waitUntil(lambda: bar.text.startswith(f"{tmp_path.name}, "))
    qtbot.waitUntil(lambda: bar.text.endswith(", measured whole"))
    qtbot.waitUntil(lambda: not window.compare.numbers.measuring)


def check_a_dropped_table_is_measured_column_by_column(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    translations, counts = tmp_path / "sentences.tab", tmp_path / "counts.tsv"
    translations.write_text("de\ten\nder Hut\tthe hat\n", "utf-8")
    counts.write_text("word\tcount\nhat\t3\n", "utf-8")
    numbers = window.compare.numbers
    drop(window, translations)
    qtbot.waitUntil(lambda: numbers.texts.model.titles()[:1] != [])
    assert numbers.tabs.currentWidget() is numbers.texts
    qtbot.waitUntil(lambda: numbers.texts.model.numbers.texts.names == ["en", "de"])
    drop(window, counts)
    qtbot.waitUntil(lambda: window.compare.source.text.startswith("word"))


def test_what_is_dropped(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_a_dropped_tokenizer_becomes_a_lane_whatever_it_is_called,
        check_a_dropped_text_is_a_corpus_in_explore_and_a_text_in_compare,
        check_a_dropped_table_is_measured_column_by_column,
    )
