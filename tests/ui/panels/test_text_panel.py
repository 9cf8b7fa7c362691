"""The text panel: counting, copying, and keeping up with typing and with the training."""

from __future__ import annotations

from itertools import cycle, product

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN, Decision, Intervention
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.panels.text.panel import TextPanel
from bpe_gui.ui.run.sample_text import DEFAULT_TEXT
from bpe_gui.ui.theme.text_size import set_text_scale
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.tokens.fonts import token_fonts
from bpe_gui.ui.widgets import pace
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.widgets.presenting import present
from tests.ui.driving import child, picture, pixels
from tests.ui.histories import FOUR_WORDS, byte_level, four_words, trained
from tests.ui.panels.text_panels import (
    counts,
    editor,
    ids,
    panel,
    shown_text,
    shown_tokens,
    start,
    token_view,
    tokens,
)

__all__ = ["panel"]

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_at_first_a_text_stands_there_uncut(panel: TextPanel, qtbot: QtBot) -> None:
    assert panel.sample.text == DEFAULT_TEXT
    field = child(panel, QPlainTextEdit, "tokenIds")
    assert "No tokens yet" in field.placeholderText()
    assert ids(panel) == ""
    size = len(DEFAULT_TEXT.encode())
    assert counts(panel).split("   ") == [f"{len(DEFAULT_TEXT)} characters", f"{size} bytes"]
    panel.set_history(four_words(0))
    assert "No tokens yet" not in field.placeholderText()
    assert "tokens" in counts(panel)
    panel.set_history(None)
    assert "No tokens yet" in field.placeholderText()
    assert ids(panel) == ""


def test_the_default_text_has_tokens_of_every_kind() -> None:
    assert not DEFAULT_TEXT.isascii()
    assert any(character.isdigit() for character in DEFAULT_TEXT)


def test_typing_cuts_at_each_keystroke(
    panel: TextPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "_CHEAP_MILLISECONDS", 1000)  # However busy the machine.
    history = byte_level("low low lower newest")
    start(panel, history, len(history), "")
    qtbot.waitUntil(lambda: counts(panel).startswith("0 characters"))
    for typed in (" ", " l", " lo", " low"):
        QTest.keyClicks(editor(panel), typed[-1])
        qtbot.waitUntil(lambda typed=typed: shown_text(panel) == typed)
        cut = Tokenizer(history, compiled=False).encode(typed)
        assert ids(panel).split() == [str(number) for number in cut.ids]
    assert tokens(panel, history) == ["Ġlow"]
    assert counts(panel).split("   ") == [
        "4 characters",
        "4 bytes",
        "1 token in this text",
        "4.00 bytes per token",
        "· = space",
    ]


def test_a_burst_of_keys_is_cut_once(
    panel: TextPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = byte_level("low")
    start(panel, history, 0, "")
    qtbot.waitUntil(lambda: counts(panel).startswith("0 characters"))
    shown: list[str] = []
    show = token_view(panel).set_cut
    monkeypatch.setattr(
        token_view(panel),
        "set_cut",
        lambda cut, *rest, **options: (
            shown.append(cut.characters.text), show(cut, *rest, **options)
        ),
    )
    for _ in range(10):
        editor(panel).insertPlainText("l")
    qtbot.waitUntil(lambda: bool(shown))
    assert shown == ["l" * 10]


def test_merges_lengthen_the_tokens(panel: TextPanel, motion: MergeMotion) -> None:
    history = four_words()
    start(panel, history, 0, "newest")
    expected = [
        ["n", "e", "w", "e", "s", "t", "</w>"],
        ["n", "e", "w", "es", "t", "</w>"],
        ["n", "e", "w", "est", "</w>"],
        ["n", "e", "w", "est</w>"],
    ]
    motion.hold(0.2)
    motion.go_to(0, False)
    panel.show_position(0, False)
    assert tokens(panel, history) == expected[0]
    for position in (1, 2, 3):
        motion.go_to(position, False)
        panel.show_position(position, False)
        assert tokens(panel, history) == expected[position - 1], "they are still two"
    motion.hold(0.5)
    assert motion.shows(3), "it is still seen"
    assert tokens(panel, history) == expected[3]
    panel.show_position(1, False)
    assert tokens(panel, history) == expected[1]


def test_a_history_that_grows_is_followed(panel: TextPanel, qtbot: QtBot) -> None:
    history = four_words(1)
    start(panel, history, 1, "newest")
    assert tokens(panel, history) == ["n", "e", "w", "es", "t", "</w>"]
    columns = history.reserve(1)
    columns.left[1], columns.right[1] = history.new_id[0], ids(panel).split()[-2]
    columns.new_id[1] = history.new_id[0] + 1
    history.commit(1)
    panel.show_position(2, False)
    qtbot.waitUntil(lambda: tokens(panel, history) == ["n", "e", "w", "est", "</w>"])


def test_another_history_is_cut_anew(panel: TextPanel) -> None:
    start(panel, four_words(), 3, "low")
    panel.set_history(byte_level("low"))
    panel.show_position(0, False)
    assert ids(panel).split() == ["75", "78", "86"]


def test_unknown_characters_get_no_id(panel: TextPanel) -> None:
    start(panel, four_words(0), 0, "lox")
    panel.show_position(0, False)
    assert ids(panel).split()[2] == "?"
    assert "1 unknown character" in counts(panel)


def test_copying_the_ids(panel: TextPanel, qtbot: QtBot) -> None:
    button = child(panel, QPushButton, "copyIdsButton")
    assert not button.isEnabled()
    start(panel, byte_level("low"), 0, "low")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(button.isEnabled)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "75 78 86"
    # What was typed a moment ago is copied too.
    QTest.keyClick(editor(panel), Qt.Key.Key_End)
    QTest.keyClicks(editor(panel), "l")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "75 78 86 75"


@pytest.mark.parametrize(("text", "marked"), [("low lowest", True), ("lowest", False)])
def test_the_word_that_is_explained_is_marked_among_others(
    panel: TextPanel, text: str, marked: bool
) -> None:
    history = four_words()
    start(panel, history, len(history), text)
    view = child(panel, QWidget, "tokenView")
    plain = picture(view)
    panel.mark_word(True)
    assert (picture(view) != plain) == marked


def test_many_ids_are_shown_in_part_and_copied_whole(panel: TextPanel, qtbot: QtBot) -> None:
    start(panel, byte_level("low"), 0, "l" * 5000)
    qtbot.waitUntil(lambda: "4,700 more" in ids(panel))
    assert ids(panel).split()[:300] == ["75"] * 300
    assert "Copy ids" in ids(panel)
    panel.copy_ids()
    assert QGuiApplication.clipboard().text().split() == ["75"] * 5000


def test_at_the_end_words_that_are_not_in_the_corpus_are_named(panel: TextPanel) -> None:
    history = four_words()
    start(panel, history, len(history), "low lowest newest wide")
    assert "not in the corpus, so split: “lowest” “wide”" in counts(panel)
    panel.show_position(len(history) - 1, False)
    assert "corpus" not in counts(panel), "words of the corpus have several tokens as well"
    start(panel, history, len(history), "low lower lower")
    assert "corpus" not in counts(panel)
    stopped = four_words(5)
    start(panel, stopped, 5, "lowest")
    assert "corpus" not in counts(panel), "the run goes on"
    recipe = preset("whitespace")
    words = WordCounts.from_pairs(list(FOUR_WORDS), recipe)
    pairs = history.top(0)
    pair = int(pairs.left[0]), int(pairs.right[0])
    decisions = [Intervention(0, Decision.FORBID, *pair)]
    trainer = Trainer(words, recipe, compiled=False, interventions=decisions)
    trainer.advance(1000)
    start(panel, trainer.history, len(trainer.history), "newest lowest")
    assert "corpus" not in counts(panel), "words of the corpus stay split by decision"


def test_while_live_counts_and_ids_come_seldom_but_surely(
    panel: TextPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "_CHEAP_MILLISECONDS", 1000)  # However busy the machine.
    history = byte_level("low low lower newest")
    start(panel, history, 0, " low lower newest")
    panel.show_position(0, False)
    written: list[str] = []
    label = child(panel, QLabel, "textCounts")
    monkeypatch.setattr(label, "setText", written.append)
    for position in range(1, len(history) + 1):
        panel.show_position(position, True)
    assert len(shown_tokens(panel)) == 3, "the colours are there at once"
    assert len(written) < len(history)
    qtbot.waitUntil(lambda: bool(written) and "3\u00a0tokens" in written[-1])
    assert len(ids(panel).split()) == 3, "ids and counts are of one position"


def test_whenever_counts_or_ids_are_written_both_are_of_the_colours(
    panel: TextPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = byte_level("low low lower newest")
    start(panel, history, 0, " low lower newest " * 10)  # of more, ids are left out
    panel.show_position(0, False)
    found = child(panel, QPlainTextEdit, "tokenIds")
    seen: list[tuple[int, int, bool]] = []

    def compare() -> None:
        cut = shown_tokens(panel)
        seen.append((len(ids(panel).split()), len(cut), f"  {len(cut)} tokens" in counts(panel)))

    found.textChanged.connect(compare)
    positions = cycle(range(1, len(history) + 1))

    def written_while_moving() -> bool:
        panel.show_position(next(positions), True)
        return len(seen) > 3

    qtbot.waitUntil(written_while_moving)
    qtbot.waitUntil(lambda: len(ids(panel).split()) == len(shown_tokens(panel)))
    assert all(written == shown and counted for written, shown, counted in seen)


@pytest.mark.qt_log_ignore("does not support raise")
def test_the_counts_say_what_they_are_good_for(panel: TextPanel) -> None:
    label = child(panel, QLabel, "textCounts")
    QApplication.sendEvent(label, QHelpEvent(QHelpEvent.Type.ToolTip, QPoint(), QPoint()))
    told = QToolTip.text()
    QToolTip.hideText()
    assert "Fewer tokens" in told
    assert "context" in told
    assert "keep a space with the word after it" in told
    assert "est at the end of a word is another token" in told


def test_the_mark_of_a_word_end_is_explained_where_there_is_one(panel: TextPanel) -> None:
    start(panel, four_words(), 0, "low lower")
    panel.show_position(0, False)
    assert "w> = word end" in counts(panel)
    start(panel, byte_level("low"), 0, "low lower")
    panel.show_position(0, False)
    assert "word end" not in counts(panel)


def test_the_dot_of_a_space_is_explained_where_there_is_one(panel: TextPanel) -> None:
    start(panel, byte_level("low"), 0, "low lower")
    panel.show_position(0, False)
    assert counts(panel).endswith("· = space")
    panel.sample.set("low")
    assert "space" not in counts(panel)


def test_a_click_is_passed_on(panel: TextPanel, qtbot: QtBot) -> None:
    start(panel, byte_level("low"), 0, "low")
    panel.show_position(0, False)
    view = token_view(panel)
    with qtbot.waitSignal(panel.tokenSelected) as caught:
        QTest.mouseClick(
            view.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            view.token_center(1),
        )
    assert caught.args == [78]
    before = picture(view)
    panel.select_token(86)
    assert picture(view) != before


def test_a_pair_is_marked_only_where_it_occurs(panel: TextPanel) -> None:
    history = four_words()
    start(panel, history, 0, "newest widest")
    panel.show_position(0, False)
    view = token_view(panel)
    plain = pixels(picture(view))
    e, w, s = (history.base.texts.index(letter) for letter in "ews")
    panel.select_token(w)
    panel.select_pair(e, w)
    changed = np.flatnonzero((pixels(picture(view)) != plain).any(axis=0))
    assert view.token_center(0).x() < changed[0] < view.token_center(1).x()
    assert view.token_center(2).x() < changed[-1] < view.token_center(3).x()
    panel.select_pair(w, s)
    assert np.array_equal(pixels(picture(view)), plain), "they are no neighbours"
    panel.select_pair(e, w)
    panel.select_token(NO_TOKEN)
    assert np.array_equal(pixels(picture(view)), plain)


def test_a_pair_that_is_out_of_view_is_brought_into_view(panel: TextPanel, qtbot: QtBot) -> None:
    history = four_words()
    start(panel, history, 0, "low " * 12_600 + "widest")
    panel.show_position(0, False)
    qtbot.waitUntil(lambda: panel.task.at_rest)
    bar = token_view(panel).verticalScrollBar()
    assert bar.value() == 0
    panel.select_pair(history.base.texts.index("w"), history.base.texts.index("i"))
    qtbot.waitUntil(lambda: bar.value() > 0)


def test_long_texts_stay_in_step(panel: TextPanel, qtbot: QtBot) -> None:
    history = byte_level("low low lower newest")
    text = "low lower newest and more\n" * 1000
    start(panel, history, len(history), text)
    qtbot.waitUntil(lambda: f"{len(text):,} characters" in counts(panel))
    QTest.keyClicks(editor(panel), "low")
    qtbot.waitUntil(lambda: shown_text(panel) == "low" + text)
    qtbot.waitUntil(lambda: f"{len(text) + 3:,} characters" in counts(panel))


def test_the_wheel_changes_the_size_of_both_texts(panel: TextPanel) -> None:
    panel.sample.set("low lower " * 1000)  # else it is written as large as it fits
    typed, cut = (view(panel).font().pointSizeF() for view in (editor, token_view))
    for target in (editor(panel).viewport(), token_view(panel).viewport()):
        place = QPointF(10, 10)
        event = QWheelEvent(
            place, target.mapToGlobal(place), QPoint(), QPoint(0, 120),
            Qt.MouseButton.NoButton, CONTROL, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(target, event)
    assert editor(panel).font().pointSizeF() == pytest.approx(typed * 1.21, rel=0.02)
    assert token_view(panel).font().pointSizeF() == pytest.approx(cut * 1.21, rel=0.02)


@pytest.mark.parametrize("size", [(280, 240), (600, 500), (1400, 900)])
def test_nothing_is_cut_off(panel: TextPanel, size: tuple[int, int], qtbot: QtBot) -> None:
    start(panel, byte_level("low"), 0, "low lower " * 20)
    panel.resize(*size)
    for theme in (DARK, LIGHT):
        panel.setPalette(palette(theme))
        panel.grab()
    button = child(panel, QPushButton, "copyIdsButton")
    label = child(panel, QLabel, "textCounts")
    assert button.width() >= button.sizeHint().width()
    qtbot.waitUntil(lambda: label.height() >= label.heightForWidth(label.width()))
    assert not label.geometry().intersects(button.geometry())
    assert editor(panel).height() >= 40
    assert token_view(panel).height() >= token_view(panel).minimumSizeHint().height() >= 48


def test_in_large_letters_a_low_panel_counts_only_tokens(
    panel: TextPanel, qtbot: QtBot
) -> None:
    set_text_scale(panel, 2)
    start(panel, byte_level("low"), 0, "low lower newest widest")
    panel.resize(600, 300)
    qtbot.waitUntil(lambda: "characters" in counts(panel))
    panel.resize(600, panel.minimumSizeHint().height())
    qtbot.waitUntil(lambda: counts(panel).startswith("23 tokens"))
    assert panel.height() < 200
    label = child(panel, QLabel, "textCounts")
    qtbot.waitUntil(lambda: label.visibleRegion().boundingRect() == label.rect())
    assert label.height() >= label.fontMetrics().height()


def test_on_a_narrow_stage_both_lines_of_what_was_typed_are_in_sight(
    panel: TextPanel, qtbot: QtBot
) -> None:
    present(panel, True)
    start(panel, byte_level("low"), 0, "low lower newest widest")
    panel.resize(380, 640)
    set_text_scale(panel, 2.6)
    typed = editor(panel)
    qtbot.waitUntil(lambda: typed.document().size().height() == 2)
    qtbot.waitUntil(lambda: typed.verticalScrollBar().maximum() == 0)
    panel.sample.set("low")
    qtbot.waitUntil(lambda: typed.minimumHeight() < 2 * typed.fontMetrics().lineSpacing())


def test_in_a_corner_of_a_small_stage_two_rows_of_tokens_are_in_sight(
    panel: TextPanel, qtbot: QtBot
) -> None:
    present(panel, True)
    start(panel, byte_level("low"), 0, "The first boat leaves early. " * 4)
    set_text_scale(panel, 2.4)
    line = panel.fontMetrics().lineSpacing()
    low = QSize(12 * line, round(7.05 * line))
    panel.resize(low)
    qtbot.waitUntil(lambda: counts(panel).startswith("116 tokens"))
    qtbot.waitUntil(lambda: panel.minimumSizeHint().height() <= low.height())
    panel.resize(low)
    typed, view = editor(panel), token_view(panel)
    child(panel, QSplitter, "textSplitter").setSizes([1, 1000])
    assert view.viewport().height() >= 2 * token_fonts(view.font()).row_height
    assert typed.viewport().height() >= typed.fontMetrics().lineSpacing()


def test_a_text_that_is_wider_than_its_letters_is_written_smaller(
    panel: TextPanel, qtbot: QtBot
) -> None:
    text = "The birds are awake. पक्षी गाते हैं। الطيور تغني"
    history = trained([(text, 1)], preset("raw"))
    view = token_view(panel)
    start(panel, history, 0, text)
    for width, height in product((500, 640, 780, 920), (260, 320, 380)):
        panel.resize(width, height)
        qtbot.waitUntil(lambda: panel.width() == width)  # noqa: B023
        small = view.font().pointSizeF() < 1.2 * panel.font().pointSizeF()
        assert small or not view.overflows


def test_the_size_of_a_text_is_not_that_of_the_run_before(panel: TextPanel, qtbot: QtBot) -> None:
    text = "The first boat leaves early. The fishermen drink their coffee and wait for the bell."
    view, alone = token_view(panel), byte_level(text)
    start(panel, alone, len(alone), text)
    fresh = view.font().pointSizeF()
    for marked in (trained([(text, 1)], preset("whitespace")), trained([("ab", 1)], preset("raw"))):
        start(panel, marked, 0, text)
    start(panel, alone, len(alone), text)
    assert view.font().pointSizeF() == fresh


def test_a_long_text_is_written_larger_in_a_large_panel(panel: TextPanel, qtbot: QtBot) -> None:
    view, history = token_view(panel), byte_level("the bell")
    start(panel, history, len(history), "the bell " * 400)
    small = view.font().pointSizeF()
    panel.resize(1200, 1000)
    qtbot.waitUntil(lambda: view.font().pointSizeF() > 1.5 * small)
    assert view.verticalScrollBar().maximum() > 0
    rows = view.viewport().height() / token_fonts(view.font()).row_height
    assert rows >= 10
