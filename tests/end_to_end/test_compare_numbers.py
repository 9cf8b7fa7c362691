"""The numbers of compared encodings: right, sorted, of files, in languages, and written out."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMainWindow, QTableView, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.library import Tokenizer
from tests.end_to_end.comparing import TEXT, names, numbers, window
from tests.end_to_end.window import (
    CONTROL,
    KEY,
    LEFT,
    SHIFT,
    action,
    answered,
    cells,
    choose,
    click_heading,
    column,
    csv_rows,
    description,
    digits,
    headings,
    named,
    show_tab,
    write,
)
from tests.ui.driving import act, child

__all__ = ["window"]


def check_the_numbers_are_those_of_the_library(
    qtbot: QtBot, window: QMainWindow, tokenizer: Tokenizer
) -> None:
    tokens = len(tokenizer.encode(TEXT).ids)
    table = numbers(window)
    qtbot.waitUntil(lambda: column(table, "tokens")[0] == str(tokens))
    assert column(table, "chars/token")[0] == f"{len(TEXT) / tokens:.2f}"
    assert column(table, "bytes/token")[0] == f"{len(TEXT.encode()) / tokens:.2f}"
    in_words = [token for token in tokenizer.encode(TEXT).tokens if token != "Ġ"]
    assert column(table, "tokens/word")[0] == f"{len(in_words) / len(TEXT.split()):.2f}"
    assert column(table, "vocabulary")[0] == str(len(tokenizer.vocab))


def test_the_table_sorts_by_its_headings_and_by_keys(qtbot: QtBot, window: QMainWindow) -> None:
    table = numbers(window)
    act(window, "homeAction")
    qtbot.waitUntil(lambda: column(table, "tokens")[:1] == [str(len(TEXT))])
    act(window, "addHereAction")
    qtbot.waitUntil(lambda: len(cells(table)) == 3 and "" not in column(table, "tokens"))
    act(window, "endAction")
    qtbot.waitUntil(lambda: len(set(column(table, "tokens"))) == 3)
    counts = sorted(map(int, column(table, "tokens")))
    click_heading(qtbot, table, "tokens")
    rising = [*map(int, column(table, "tokens"))]
    assert rising in (counts, counts[::-1])
    click_heading(qtbot, table, "tokens")
    assert [*map(int, column(table, "tokens"))] == rising[::-1]
    table.setFocus()
    qtbot.keyClick(table, KEY.Key_H, CONTROL | SHIFT)
    assert [*map(int, column(table, "tokens"))] == rising


def check_a_file_is_measured_whole_and_one_gets_back_to_the_text(
    qtbot: QtBot, window: QMainWindow, words: Path, tokenizer: Tokenizer
) -> None:
    table = numbers(window)
    tokens = str(len(tokenizer.encode(TEXT).ids))
    qtbot.waitUntil(lambda: column(table, "tokens")[0] == tokens)
    of_text = column(table, "tokens")
    answered(qtbot, action(window, "measureAction").trigger, [named(qtbot, words)])
    of_file = str(len(tokenizer.encode(words.read_text()).ids))
    qtbot.waitUntil(lambda: column(table, "tokens")[0] == of_file)
    about = child(window, QLabel, "metricsAbout")
    qtbot.waitUntil(lambda: words.name in about.toolTip() or words.name in about.text())
    back = action(window, "backToTextAction")
    qtbot.waitUntil(back.isEnabled)
    back.trigger()
    assert column(table, "tokens") == of_text
    act(window, "backToFileAction")
    assert column(table, "tokens")[0] == of_file
    back.trigger()


def check_bars_speak_the_numbers(qtbot: QtBot, window: QMainWindow, tokenizer: Tokenizer) -> None:
    show_tab(qtbot, window, "numbersTabs", "metricBars")
    bars = child(window, QWidget, "metricBarCanvas")
    tokens = len(tokenizer.encode(TEXT).ids)
    qtbot.waitUntil(lambda: f"{names(window)[0]} {tokens}" in description(bars))
    choose(child(window, QComboBox, "barsNumber"), "vocabulary")
    size = len(tokenizer.vocab)
    qtbot.waitUntil(lambda: f"{names(window)[0]} {size}" in description(bars))


def check_languages_are_compared_on_the_story(
    qtbot: QtBot, window: QMainWindow, tokenizer: Tokenizer
) -> None:
    show_tab(qtbot, window, "numbersTabs", "languageBars")
    qtbot.mouseClick(child(window, QWidget, "compareOnStory"), LEFT)
    table = child(window, QTableView, "languageTable")
    stories = {language.name: language.text for language in languages().values()}
    choose(child(window, QComboBox, "languageNumber"), 1)

    def of_the_run() -> dict[str, list[int]]:
        return {row[0]: digits(row[1]) for row in cells(table) if len(row) > 1}

    qtbot.waitUntil(lambda: len([found for found in of_the_run().values() if found]) == 20)
    shown = of_the_run()
    for name in ("English", "German", "Hindi"):
        assert shown[name] == [len(tokenizer.encode(stories[name]).ids)]
    choose(child(window, QComboBox, "languageNumber"), 0)
    choose(child(window, QComboBox, "parityReference"), "German")
    ratios = {row[0]: row[1] for row in cells(table)}
    assert ratios["German"].startswith("1.00")
    assert ratios["Hindi"].startswith(f"{shown['Hindi'][0] / shown['German'][0]:.2f}")


def check_curves_over_the_merges_speak_the_last_value(
    qtbot: QtBot, window: QMainWindow, tokenizer: Tokenizer
) -> None:
    show_tab(qtbot, window, "numbersTabs", "mergeCurves")
    compare = child(window, QWidget, "compareView")  # the laboratory has such a plot, too
    qtbot.waitUntil(lambda: compare.findChild(QWidget, "mergeCurvePlot") is not None)
    plot = child(compare, QWidget, "mergeCurvePlot")
    tokens = len(tokenizer.encode(TEXT).ids)
    qtbot.waitUntil(lambda: tokens in digits(description(plot)))
    choose(child(window, QComboBox, "curvesNumber"), "vocabulary")
    size = len(tokenizer.vocab)
    qtbot.waitUntil(lambda: size in digits(description(plot)))


def check_the_numbers_are_exported_and_copied(
    qtbot: QtBot, window: QMainWindow, tmp_path: Path
) -> None:
    table, path = numbers(window), tmp_path / "numbers.csv"
    qtbot.waitUntil(lambda: "" not in column(table, "tokens"))
    answered(qtbot, action(window, "exportMetricsAction").trigger, [named(qtbot, path)])
    rows = csv_rows(path)
    assert [row[0] for row in rows[1:]] == names(window)
    assert [row[1] for row in rows[1:]] == column(table, "tokens")
    assert len(rows[0]) == len(headings(table))
    table.setFocus()
    qtbot.keyClick(table, KEY.Key_C, CONTROL)
    copied = [line.split("\t") for line in QApplication.clipboard().text().splitlines()]
    assert [row[:2] for row in copied] == [row[:2] for row in rows]


def test_numbers_are_read_measured_exported_and_drawn(
    qtbot: QtBot, window: QMainWindow, tokenizer: Tokenizer, tmp_path: Path, words: Path
) -> None:
    check_the_numbers_are_those_of_the_library(qtbot, window, tokenizer)
    check_the_numbers_are_exported_and_copied(qtbot, window, tmp_path)
    check_a_file_is_measured_whole_and_one_gets_back_to_the_text(qtbot, window, words, tokenizer)
    check_bars_speak_the_numbers(qtbot, window, tokenizer)
    check_curves_over_the_merges_speak_the_last_value(qtbot, window, tokenizer)
    check_languages_are_compared_on_the_story(qtbot, window, tokenizer)


def test_the_numbers_are_there_before_compare_is_opened(
    qtbot: QtBot, gpt2_run: QMainWindow, tokenizer: Tokenizer
) -> None:
    write(qtbot, gpt2_run, "sampleText", "the newest")
    table = numbers(gpt2_run)
    tokens = str(len(tokenizer.encode("the newest").ids))
    qtbot.waitUntil(lambda: column(table, "tokens")[:1] == [tokens])
