"""Several texts in Compare: probes, files and translations, a row each, measured with the lanes."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QTableView,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.own_columns import OwnNumbers
from bpe_gui.encodings.chat import EXAMPLE, NO_TEMPLATE
from bpe_gui.encodings.formats import huggingface_export
from bpe_gui.encodings.measuring.own_texts import OwnTexts
from bpe_gui.ui.compare import measured_texts
from bpe_gui.ui.compare.cutting import TextCutter
from bpe_gui.ui.compare.wording import NO_TEMPLATES, NO_TEXT_NUMBERS, NO_TEXTS_YET
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.ui.compare.compare_workspace import afresh, loaded, run_of, settled, window
from tests.ui.driving import act, child
from tests.ui.in_turn import InTurn
from tests.ui.pace import Shut

__all__ = ["window"]


@pytest.fixture
def texts(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """Compare with its tab of texts in front."""
    settled(qtbot, window)
    child(window, QTabWidget, "numbersTabs").setCurrentWidget(window.compare.numbers.texts)
    return window


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "mine"
    made.mkdir()
    (made / "de.txt").write_text("".join(f"der Hut Nummer {n}\n" for n in range(9)))
    (made / "en.txt").write_text("".join(f"the hat {n}\n" for n in range(9)))
    return made


def cells(window: MainWindow, column: int) -> list[str]:
    model = child(window, QTableView, "languageTable").model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def choose(window: MainWindow, box: str, text: str) -> None:
    found = child(window, QComboBox, box)
    found.setCurrentIndex(found.findText(text))


def about(window: MainWindow) -> str:
    return child(window, QLabel, "metricsAbout").text()


def check_probes_are_measured_with_all_lanes(qtbot: QtBot, texts: MainWindow) -> None:
    choose(texts, "textSet", "Probes")
    qtbot.waitUntil(lambda: "typing errors" in cells(texts, 0))
    lanes = [lane.encoding for lane in texts.compare.comparison.lanes]
    choose(texts, "languageNumber", "Tokens")
    number = cells(texts, 0).index("code")
    code = texts.compare.numbers.texts.model.numbers.texts.texts[8]
    assert cells(texts, 1)[number] == f"{len(lanes[0].encode(code.data.decode())):,}"
    assert about(texts) == "", "the box says that they are the probes"
    choose(texts, "languageNumber", "Relative to")
    assert "prose" not in cells(texts, 0), "it is no variant of anything"
    assert "capitals" in cells(texts, 0)
    assert "–" not in cells(texts, 1)
    choose(texts, "languageNumber", "Bytes per token")
    assert "prose" in cells(texts, 0)
    choose(texts, "languageNumber", "Relative to")
    assert not child(texts, QComboBox, "parityReference").isVisible()


def check_a_lane_that_is_added_is_measured_too(qtbot: QtBot, texts: MainWindow) -> None:
    choose(texts, "textSet", "Probes")
    table = child(texts, QTableView, "languageTable").model()
    before = len(texts.compare.comparison.lanes)
    qtbot.waitUntil(lambda: table.columnCount() == before + 1 and table.rowCount() == 11)
    texts.compare.comparison.remove(texts.compare.comparison.lanes[0].key)
    settled(qtbot, texts)
    qtbot.waitUntil(lambda: table.columnCount() == before)


def check_a_folder_is_measured_and_kept_in_the_box(
    qtbot: QtBot, texts: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    child(texts, QAction, "textsOfFolder").trigger()
    qtbot.waitUntil(lambda: cells(texts, 0) == ["de", "en"])
    assert child(texts, QComboBox, "textSet").currentText() == "mine"
    assert texts.compare.numbers.texts.header.text(0) == "text", "on one line beside short names"
    choose(texts, "languageNumber", "Bytes per token")
    plain = cells(texts, 1)
    child(texts, QCheckBox, "showIntervals").setChecked(True)
    assert [cell.split(" (")[0] for cell in cells(texts, 1)] == plain
    choose(texts, "textSet", "Languages")
    choose(texts, "textSet", "mine")
    child(texts, QAction, "textsOfFolder").trigger()
    box = child(texts, QComboBox, "textSet")
    assert [box.itemText(n) for n in range(box.count())].count("mine") == 1
    qtbot.waitUntil(lambda: cells(texts, 0) == ["de", "en"])


def check_other_texts_are_offered_beside_the_story_and_the_wait_for_them_is_seen(
    qtbot: QtBot, texts: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child(texts, TextEditor, "compareText").setPlainText("the hat")
    settled(qtbot, texts)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    button = child(texts, QPushButton, "textsOfFolderButton")
    qtbot.waitUntil(button.isVisible)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    waiting = child(texts, QLabel, "textsWaiting")
    assert (waiting.isVisible(), waiting.text()) == (True, "measuring…")
    qtbot.waitUntil(lambda: cells(texts, 0) == ["de", "en"])
    assert not waiting.isVisible()


def test_encodings_that_are_measured_keep_their_numbers_when_measuring_is_cancelled(
    qtbot: QtBot, texts: MainWindow, folder: Path, shut: Shut
) -> None:
    gate = shut(measured_texts, "measure_set")
    texts.compare.numbers.texts.measure(OwnTexts((str(folder),)))
    gate.let_through()
    waiting = child(texts, QLabel, "textsWaiting")
    qtbot.waitUntil(lambda: "(2 of " in waiting.text())
    qtbot.mouseClick(child(texts, QPushButton, "cancelTexts"), Qt.MouseButton.LeftButton)
    gate.open()
    qtbot.waitUntil(lambda: cells(texts, 0) == ["de", "en"])
    assert all(float(cell) > 0 for cell in cells(texts, 1))
    assert cells(texts, 2) == ["–", "–"]
    note, resume = child(texts, QLabel, "languagesLossy"), child(texts, QPushButton, "resumeTexts")
    assert ": measuring was cancelled" in note.text()
    qtbot.mouseClick(resume, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "–" not in cells(texts, 2))
    assert "cancelled" not in note.text()
    assert not resume.isVisible()


def test_measuring_a_lane_that_is_added_can_be_cancelled(
    qtbot: QtBot, texts: MainWindow, folder: Path, tmp_path: Path, shut: Shut
) -> None:
    texts.compare.numbers.texts.measure(OwnTexts((str(folder),)))
    qtbot.waitUntil(lambda: cells(texts, 0) == ["de", "en"])
    cancel, resume = (child(texts, QPushButton, n) for n in ("cancelMoreTexts", "resumeTexts"))
    assert not cancel.isVisible()
    gate, comparison = shut(measured_texts, "measure_set"), texts.compare.comparison
    huggingface_export.write(run_of(texts), tmp_path / "more.json")
    texts.compare.loader.load(str(tmp_path / "more.json"), "more")
    qtbot.waitUntil(cancel.isVisible)
    qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    gate.open()
    qtbot.waitUntil(resume.isVisible)
    assert not cancel.isVisible()
    last = len(comparison.lanes)
    assert cells(texts, last) == ["–", "–"]
    assert all(float(cell) > 0 for cell in cells(texts, 1))
    qtbot.mouseClick(resume, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "–" not in cells(texts, last))
    assert not resume.isVisible()


def check_without_any_encoding_texts_wait_for_one(qtbot: QtBot, texts: MainWindow) -> None:
    texts.compare.begin_without_lanes()
    settled(qtbot, texts)
    choose(texts, "textSet", "Probes")
    waiting = child(texts, QLabel, "textsWaiting")
    assert (waiting.isVisible(), waiting.text()) == (True, NO_TEXTS_YET)


def check_a_folder_that_is_measured_has_its_texts_one_by_one(
    qtbot: QtBot, texts: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    act(texts, "measureFolderAction")
    qtbot.waitUntil(lambda: cells(texts, 0) == ["de", "en"])
    assert child(texts, QComboBox, "languageNumber").currentText() == "Bytes per token"
    assert all(float(cell) > 0 for cell in cells(texts, 1))


def check_translations_are_compared_with_any_of_them(
    qtbot: QtBot, texts: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    child(texts, QAction, "textsOfTranslations").trigger()
    qtbot.waitUntil(lambda: cells(texts, 0) == ["en", "de"])
    assert cells(texts, 1)[0] == "1.00 ×"
    assert float(cells(texts, 1)[1].split()[0]) > 1
    choose(texts, "parityReference", "de")
    assert cells(texts, 1)[1] == "1.00 ×"
    assert float(cells(texts, 1)[0].split()[0]) < 1
    child(texts, QCheckBox, "showIntervals").setChecked(True)
    widget = texts.compare.numbers.texts
    widget.table.export_to(tmp_path / "texts.csv")
    lines = list(csv.reader(io.StringIO((tmp_path / "texts.csv").read_text("utf-8"))))
    assert lines[0][0] == "text"
    assert lines[0][-1].endswith(" high")
    low, high = map(float, lines[1][-2:])
    assert low <= float(lines[1][len(texts.compare.comparison.lanes)]) <= high


def check_translations_in_a_table_have_a_row_for_each_column(
    qtbot: QtBot, texts: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = tmp_path / "sentences.tab"  # the ending does not tell what is in it
    table.write_text("de\ten\nder Hut\tthe hat\ndie Katze\tthe cat\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **_options: (str(table), ""))
    child(texts, QAction, "textsOfTable").trigger()
    qtbot.waitUntil(lambda: cells(texts, 0) == ["en", "de"])
    assert cells(texts, 1)[0] == "1.00 ×"
    assert child(texts, QComboBox, "textSet").currentText() == "sentences.tab"


def check_texts_that_cannot_be_read_are_one_sentence(
    qtbot: QtBot, texts: MainWindow, folder: Path
) -> None:
    (folder / "en.txt").write_bytes(b"\xff\x00\xfe")
    widget = texts.compare.numbers.texts
    said: list[str] = []
    widget.problem.connect(lambda _, sentence: said.append(sentence))
    widget.measure(OwnTexts((str(folder / "en.txt"),)))
    qtbot.waitUntil(lambda: any("en.txt" in sentence for sentence in said))
    choose(texts, "textSet", "Probes")
    qtbot.waitUntil(lambda: said[-1] == "")


def check_why_translations_cannot_be_compared_is_said_once(
    qtbot: QtBot, texts: MainWindow, folder: Path
) -> None:
    (folder / "en.txt").write_text("one line\n")
    texts.compare.numbers.texts.measure(OwnTexts((str(folder),), translations=True))
    waiting = child(texts, QLabel, "textsWaiting")
    qtbot.waitUntil(lambda: waiting.text() == NO_TEXT_NUMBERS)
    labels = (label for label in texts.findChildren(QLabel) if label.isVisible())
    said = [label.text() for label in labels if "is not parallel" in label.text()]
    assert len(said) == 1


def check_a_list_that_is_no_conversation_is_said_to_be_text(
    qtbot: QtBot, texts: MainWindow, folder: Path
) -> None:
    file = folder.parent / "talk.json"
    file.write_text('[{"role": "user", "content": "low"}, {"role": "user", "text": "lower"}]')
    widget = texts.compare.numbers.texts
    widget.measure(OwnTexts((str(file),)))
    qtbot.waitUntil(lambda: cells(texts, 0) == ["talk"])
    note = child(texts, QLabel, "languagesLossy")
    assert "Read as text, not as a conversation: message 2" in note.text()
    other = folder.parent / "other.json"
    other.write_text('{"text": "low"}')
    widget.measure(OwnTexts((str(other),)))
    qtbot.waitUntil(lambda: cells(texts, 0) == ["other"])
    assert "Read as text" not in note.text()


def check_the_number_of_a_text_says_its_interval_when_asked(
    qtbot: QtBot, texts: MainWindow, folder: Path
) -> None:
    widget = texts.compare.numbers.texts
    widget.measure(OwnTexts((str(folder),)))
    qtbot.waitUntil(lambda: cells(texts, 0) == ["de", "en"])
    choose(texts, "languageNumber", "Bytes per token")
    tip = widget.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert " for de: " in tip
    assert tip.endswith(" bytes/token")
    assert widget.model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "9 lines"


def check_a_conversation_with_and_without_its_template(
    qtbot: QtBot, texts: MainWindow, tmp_path: Path
) -> None:
    """A file with a chat template beside it has numbers; the run says why it has none."""
    pytest.importorskip("jinja2")
    huggingface_export.write(run_of(texts), tmp_path / "tokenizer.json")
    template = "{% for m in messages %}[{{ m.role }}] {{ m.content }}{% endfor %}"
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
    texts.compare.add_menu.add_path(str(tmp_path / "tokenizer.json"))
    loaded(qtbot, texts)
    choose(texts, "textSet", "Chat")
    last = len(texts.compare.comparison.lanes)
    qtbot.waitUntil(lambda: "1 system, with template" in cells(texts, 0))
    table = child(texts, QTableView, "languageTable").model()
    qtbot.waitUntil(lambda: table.columnCount() == last + 1)
    number = child(texts, QComboBox, "languageNumber")
    assert number.currentText() == "Added tokens"
    choose(texts, "languageNumber", "Tokens")
    plain, templated = (cells(texts, 0).index(f"1 system{end}") for end in ("", ", with template"))
    before, after = (int(cells(texts, last)[row]) for row in (plain, templated))
    assert after > before
    assert cells(texts, 1)[templated] == "–"
    note = child(texts, QLabel, "languagesLossy")
    assert NO_TEMPLATE in note.text()
    choose(texts, "languageNumber", "Added tokens")
    assert "1 system" not in cells(texts, 0), "nothing is added to it"
    templated = cells(texts, 0).index("1 system, with template")
    assert cells(texts, last)[templated] == f"+{after - before}"
    tip = texts.compare.numbers.texts.model.index(1, last).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith(" for each message")
    assert number.findText("Price of a million") < 0, "no price is known"
    texts.compare.numbers.table.set_own(OwnNumbers(price=2.5))
    texts.resize(1024, 700)
    choose(texts, "languageNumber", "Price of a million")
    settled(qtbot, texts)
    assert number.width() > 1.1 * number.fontMetrics().horizontalAdvance(number.currentText())
    row = cells(texts, 0).index("1 system, with template")
    assert cells(texts, last)[row] == f"{2.5 * after:,.2f}"
    assert cells(texts, 1)[row] == "–"
    lines = texts.compare.numbers.texts.model.lines()
    assert next(line for line in lines if line[0] == "1 system, with template")[last] == 2.5 * after
    tip = texts.compare.numbers.texts.model.index(1, last).data(Qt.ItemDataRole.ToolTipRole)
    said = re.search(r"([\d,]+) tokens .*cost ([\d,.]+), and a million messages ([\d,.]+)$", tip)
    assert said is not None
    whole, cost, each = (float(number.replace(",", "")) for number in said.groups())
    assert cost == 2.5 * whole
    assert each == pytest.approx(cost / len(EXAMPLE), abs=0.005)
    texts.compare.numbers.table.set_own(OwnNumbers(price=3))
    assert cells(texts, last)[row] == f"{3 * after:,.2f}"
    texts.compare.numbers.table.set_own(OwnNumbers())
    assert number.findText("Price of a million") < 0
    assert number.currentText() == "Added tokens"


def check_texts_begin_with_their_own_number_unless_the_user_chose_another(
    qtbot: QtBot, texts: MainWindow
) -> None:
    number = child(texts, QComboBox, "languageNumber")
    assert number.currentText() == "Relative to"
    choose(texts, "textSet", "Probes")
    qtbot.waitUntil(lambda: "typing errors" in cells(texts, 0))
    assert number.currentText() == "Bytes per token"
    choose(texts, "languageNumber", "Single-token words")
    number.activated.emit(number.currentIndex())  # as a click does
    choose(texts, "textSet", "Chat")
    assert not number.isEnabled(), "it is not known yet which there is"
    qtbot.waitUntil(lambda: "1 system" in cells(texts, 0))
    assert number.currentText() == "Tokens", "there is no template that adds any"
    choose(texts, "textSet", "Languages")
    assert number.currentText() == "Relative to"
    choose(texts, "textSet", "Probes")
    qtbot.waitUntil(lambda: "typing errors" in cells(texts, 0))
    assert number.currentText() == "Single-token words"


def check_a_conversation_without_any_template_has_no_rows_of_dashes(
    qtbot: QtBot, texts: MainWindow
) -> None:
    choose(texts, "textSet", "Chat")
    qtbot.waitUntil(lambda: "1 system" in cells(texts, 0))
    assert not [name for name in cells(texts, 0) if "template" in name]
    assert NO_TEMPLATES in child(texts, QLabel, "languagesLossy").text()
    choose(texts, "languageNumber", "Added tokens")
    assert cells(texts, 0) == []


def test_what_is_of_the_text_before_is_dimmed_and_numbers_of_a_file_are_not(
    qtbot: QtBot, window: MainWindow, folder: Path, shut: Shut
) -> None:
    settled(qtbot, window)
    tabs, lanes = child(window, QTabWidget, "numbersTabs"), window.compare.lanes.viewport()
    dimmed = [child(of, QWidget, "veil") for of in (tabs, lanes)]
    gate = shut(TextCutter, "cut")
    child(window, TextEditor, "compareText").setPlainText("another text")
    qtbot.waitUntil(lambda: all(one.isVisible() for one in dimmed))
    window.compare.measure([str(folder / "en.txt")])
    qtbot.waitUntil(lambda: about(window).startswith("en.txt"))
    assert [one.isVisible() for one in dimmed] == [False, True]
    tabs.setCurrentWidget(window.compare.numbers.curves)
    assert [one.isVisible() for one in dimmed] == [True, True]
    gate.open()
    qtbot.waitUntil(lambda: not any(one.isVisible() for one in dimmed))


def test_texts(qtbot: QtBot, texts: MainWindow, in_turn: InTurn) -> None:
    again, boxes = afresh(qtbot, texts), ("textSet", "languageNumber")
    first = [child(texts, QComboBox, box).currentText() for box in boxes]

    def texts_again() -> None:
        for box, text in zip(boxes, first, strict=True):
            choose(texts, box, text)
        again()
        child(texts, QTabWidget, "numbersTabs").setCurrentWidget(texts.compare.numbers.texts)

    in_turn(
        texts_again,
        check_probes_are_measured_with_all_lanes,
        check_a_lane_that_is_added_is_measured_too,
        check_translations_are_compared_with_any_of_them,
        check_translations_in_a_table_have_a_row_for_each_column,
        check_a_folder_is_measured_and_kept_in_the_box,
        check_other_texts_are_offered_beside_the_story_and_the_wait_for_them_is_seen,
        check_without_any_encoding_texts_wait_for_one,
        check_a_folder_that_is_measured_has_its_texts_one_by_one,
        check_a_list_that_is_no_conversation_is_said_to_be_text,
        check_the_number_of_a_text_says_its_interval_when_asked,
        check_a_conversation_with_and_without_its_template,
        check_a_conversation_without_any_template_has_no_rows_of_dashes,
        check_texts_begin_with_their_own_number_unless_the_user_chose_another,
        check_texts_that_cannot_be_read_are_one_sentence,
        check_why_translations_cannot_be_compared_is_said_once,
    )
