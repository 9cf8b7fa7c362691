"""Lanes that lose some of the text: marked wherever their numbers are shown or written out."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTableView, QTabWidget
from pytestqt.qtbot import QtBot
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import decoders, models

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.ui.compare.wording import SHADES, TOLD
from bpe_gui.ui.shell.main_window import MainWindow
from tests.ui.compare.compare_workspace import afresh, settled, table, window
from tests.ui.driving import child
from tests.ui.histories import trained
from tests.ui.in_turn import InTurn

__all__ = ["window"]

CODES = list(languages())


def letters() -> HuggingFaceEncoding:
    """Knows the characters of English and newlines, and nothing else."""
    english = sorted(set(languages()["en"].text))
    vocabulary = {"[UNK]": 0, **{letter: place for place, letter in enumerate(english, 1)}}
    library = LibraryTokenizer(models.BPE(vocabulary, [], unk_token="[UNK]", fuse_unk=True))
    library.decoder = decoders.Fuse()
    return HuggingFaceEncoding(library, name="letters")


def go_to(window: MainWindow, title: str) -> None:
    tabs = child(window, QTabWidget, "numbersTabs")
    tabs.setCurrentIndex([tabs.tabText(place) for place in range(tabs.count())].index(title))


def on_the_story(qtbot: QtBot, window: MainWindow, tab: str) -> None:
    window.compare.comparison.add(letters())
    window.compare.source.show_story()
    settled(qtbot, window)
    go_to(window, tab)


def check_languages_that_do_not_come_back_are_marked_and_have_no_shade(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    on_the_story(qtbot, window, "Texts")
    shown = child(window, QTableView, "languageTable").model()
    column = shown.columnCount() - 1
    qtbot.waitUntil(lambda: shown.rowCount() == len(CODES))
    model, thai = window.compare.numbers.texts.model, CODES.index("th")
    assert all(not shown.index(thai, n).data().startswith("*") for n in range(1, column))
    assert shown.index(thai, column).data().startswith("* 0.")
    assert not shown.index(0, column).data().startswith("*"), "English comes back"
    brush = model.index(thai, column).data(Qt.ItemDataRole.BackgroundRole)
    assert brush.style() is Qt.BrushStyle.BDiagPattern
    tip = model.index(thai, column).data(Qt.ItemDataRole.ToolTipRole)
    assert "Lossy: Thai does not round-trip" in tip
    note = child(window, QLabel, "languagesLossy")
    assert (note.isVisible(), note.text()) == (True, f"{SHADES}. {TOLD}")
    numbers = model.numbers
    costs = [numbers.cost(model.measure, thai, place) for place in range(column)]
    assert costs[-1] is None, "it is on no scale"
    assert None not in costs[:-1]
    window.compare.numbers.texts.table.export_to(tmp_path / "languages.csv")
    lines = list(csv.reader(io.StringIO((tmp_path / "languages.csv").read_text("utf-8"))))
    assert lines[0][-1] == "letters lossless"
    assert (lines[1][-1], lines[1 + thai][-1], lines[1 + thai][-2]) == ("yes", "no", "yes")


def check_without_a_lossy_lane_nothing_is_marked(qtbot: QtBot, window: MainWindow) -> None:
    window.compare.source.show_story()
    settled(qtbot, window)
    for tab, name, rest in (("Texts", "languagesLossy", SHADES), ("Bars", "barsLossy", "")):
        go_to(window, tab)
        note = child(window, QLabel, name)
        assert (note.isVisible(), note.text()) == (bool(rest), rest)


def check_bars_say_why_a_shorter_one_is_not_the_best(qtbot: QtBot, window: MainWindow) -> None:
    on_the_story(qtbot, window, "Bars")
    qtbot.waitUntil(lambda: table(window)[-1][1] != "")
    bars = window.compare.numbers.bars.canvas.bars
    assert bars[-1].written.endswith(" *")
    assert not bars[-1].best
    assert not bars[0].written.endswith("*")
    note = child(window, QLabel, "barsLossy")
    assert note.isVisible()
    assert note.text().startswith(TOLD)
    assert "no number is marked as the best" in note.text()


def run_of_letters() -> History:
    """A run of words between spaces, whose alphabet is that of two words."""
    return trained([("the", 9), ("cat", 5)], preset("whitespace"))


def check_curves_do_not_set_what_is_lost_against_what_is_kept(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.compare.comparison.add(TrainedEncoding(run_of_letters(), name="lossy"))
    window.compare.source.editor.setPlainText("the cat 語語語語語語語語")
    settled(qtbot, window)
    curves = window.compare.numbers.curves
    with qtbot.waitSignal(curves.measured):
        go_to(window, "Curves")
    legend = child(window, QLabel, "curvesLegend").text().replace("&nbsp;", " ")
    assert "lossy * <b>" in legend
    assert "gpt2 recipe <b>" in legend
    sentence = child(window, QLabel, "overtakingSentence").text()
    assert "that preserves as much of this text" in sentence
    assert sentence.endswith(f"{TOLD}.")


def check_measured_numbers_say_what_is_known_of_decoding_back(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """A lane that comes later is not measured, in the table and in what is written out."""
    window.compare.comparison.add(letters())
    file = tmp_path / "words.txt"
    file.write_text("a cat 語語\n" * 3)
    numbers = window.compare.numbers
    window.compare.measure([str(file)])
    qtbot.waitUntil(lambda: not numbers.measuring)
    assert [row[-1] for row in table(window)] == ["not checked", "not checked", "lossy: 3 unknown"]
    late = letters()
    late.name = "late"
    window.compare.comparison.add(late)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: len(table(window)) == 4)
    assert table(window)[-1][0] == "late: not measured"
    numbers.table.export_to(tmp_path / "numbers.csv")
    lines = list(csv.reader(io.StringIO((tmp_path / "numbers.csv").read_text("utf-8"))))
    said = "lossy: 3 tokens or characters are unknown, and cannot be restored"
    assert [line[-1] for line in lines[1:]] == ["not checked", "not checked", said, ""]
    assert lines[-1] == ["late: not measured", *[""] * (len(lines[0]) - 1)]
    go_to(window, "Bars")
    bars = numbers.bars.canvas.bars
    assert [bar.written.endswith("*") for bar in bars] == [False, False, True, False]


def test_lossy_lanes(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_languages_that_do_not_come_back_are_marked_and_have_no_shade,
        check_without_a_lossy_lane_nothing_is_marked,
        check_bars_say_why_a_shorter_one_is_not_the_best,
        check_curves_do_not_set_what_is_lost_against_what_is_kept,
        check_measured_numbers_say_what_is_known_of_decoding_back,
    )
