"""What is drawn of a question gives nothing away before, and tells everything afterwards."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import END_OF_WORD, preset
from bpe_gui.ui.panels.guess.panel import GuessPanel
from bpe_gui.ui.theme.text_size import resized, set_text_scale
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette, style_sheet
from tests.ui.driving import picture, shown
from tests.ui.histories import byte_level, four_words, trained
from tests.ui.panels.guess_panels import (
    board_of,
    button,
    panel,
    press,
    row_middle,
    score,
    wrong_one,
)
from tests.ui.panels.offered import asked, offered
from tests.ui.panels.painted import painted_texts, text_elements

__all__ = ["panel"]


def colours(image: QImage) -> Counter[str]:
    return Counter(
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    )


def sizes_of(widget: QWidget) -> list[float]:
    """The sizes of all that a widget has written, in pixels, but for marks, which are smaller."""
    written = (t for t in text_elements(widget) if "".join(t.itertext()) != END_OF_WORD)
    return [float(t.attrib["font-size"].removesuffix("px")) for t in written]


# -- asking and answering ---------------------------------------------------------------------


def test_in_the_smallest_panel_the_score_is_not_cut(panel: GuessPanel) -> None:
    panel.setStyleSheet(style_sheet(DARK))
    panel.set_history(four_words())
    label = panel.findChild(QLabel, "guessScore")
    assert isinstance(label, QLabel)
    for position in range(10):
        panel.show_position(position, False)
        press(panel, Qt.Key.Key_1)
    right = score(panel).split()[0]
    for width, written in ((280, f"{right} / 10"), (600, f"{right} of 10 right")):
        panel.resize(width, 260)
        assert score(panel) == written
        panel.layout().activate()
        assert label.sizeHint().width() <= label.width()


@pytest.mark.parametrize("width", range(320, 800, 40))
def test_the_name_of_the_merge_is_whole_or_absent(panel: GuessPanel, width: int) -> None:
    set_text_scale(panel, 2)
    panel.set_history(four_words())
    panel.resize(width, 440)
    for answers in (False, True):
        panel.show_position(3, False)
        if answers:
            press(panel, Qt.Key.Key_1)
        panel.layout().activate()
        heading = painted_texts(panel)
        assert not [text for text in heading if text.startswith("m") and "…" in text]
        if width > 700:
            assert "merge 4" in heading


@pytest.mark.parametrize("width", range(280, 480, 10))
def test_no_button_is_squeezed_by_one_that_comes_with_the_first_guess(
    qtbot: QtBot, width: int
) -> None:
    """In a place that is as wide as it is, as on the stage."""
    place = shown(qtbot, QWidget(), 600, 700)
    place.setStyleSheet(style_sheet(DARK))
    panel = GuessPanel(place)
    panel.setFont(resized(panel.font(), 2.5))
    panel.set_history(four_words())
    panel.setGeometry(0, 0, width, 700)
    panel.show()
    [title] = (each for each in panel.findChildren(QLabel) if each.text().startswith("Which"))
    is_short = "merged" not in title.text()
    whole = QFontMetrics(title.font()).horizontalAdvance("Which pair is merged next?")
    assert is_short == (whole > width - 20), "it is not cut where a shorter one would do"
    press(panel, Qt.Key.Key_1)
    panel.layout().activate()
    for name in ("guessReveal", "guessNext", "guessReset"):
        one = button(panel, name)
        assert one.width() >= one.minimumSizeHint().width() or not one.isVisible()


def test_in_a_low_panel_pairs_have_room_beside_the_buttons(panel: GuessPanel) -> None:
    panel.setStyleSheet(style_sheet(DARK))
    panel.set_history(four_words())
    panel.show_position(0, False)
    panel.resize(532, 174)
    board = board_of(panel)
    assert button(panel, "guessReveal").isVisible()
    assert board.areas[0].height() >= board.fontMetrics().height()
    assert "Press 1 to 4" in " ".join(everything(panel))


# -- nothing is given away --------------------------------------------------------------------


def everything(panel: GuessPanel) -> list[str]:
    """All texts that anybody can read or hear, but those that are painted."""
    texts = []
    for widget in (panel, *panel.findChildren(QWidget)):
        texts += [
            widget.toolTip(),
            widget.statusTip(),
            widget.whatsThis(),
            widget.accessibleName(),
            widget.accessibleDescription(),
        ]
        if isinstance(widget, QLabel | QPushButton):
            texts.append(widget.text())
    return texts


@settings(max_examples=25)
@given(data=st.data())
def test_what_is_covered_looks_and_reads_the_same_whatever_the_answer(
    data: st.DataObject, qapp: QApplication
) -> None:
    ids = st.integers(32, 255)
    some = data.draw(st.lists(st.tuples(ids, ids), min_size=2, max_size=4, unique=True))
    # The room that is kept for the counts is that of the greatest in the run.
    counts = st.lists(st.integers(1000, 9999), min_size=len(some), max_size=len(some))
    panel = GuessPanel()
    panel.resize(420, 360)
    covered = []
    for _ in range(2):
        numbers = sorted(data.draw(counts), reverse=True)
        order = data.draw(st.permutations(some))
        ranked = [(*pair, count) for pair, count in zip(order, numbers, strict=True)]
        history = offered(ranked)  # one that is chosen by hand is not asked for
        panel.set_history(history)
        looks, texts = picture(panel), everything(panel)
        covered.append((looks, texts))
        assert not any(f"{count:,}" in text for count in numbers for text in texts)
        panel.reveal()
        assert picture(panel) != looks
        told = panel.accessibleDescription()
        assert told.startswith(f"Answer: pair {asked(history, 0).answer + 1}. ")
        assert all(f"{count:,} times" in told for count in numbers)
    assert covered[0] == covered[1]
    panel.deleteLater()


@pytest.mark.qt_log_ignore("does not support raise")
def test_tooltips_tell_the_count_only_afterwards(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    board, answer = board_of(panel), asked(history, 4).answer
    place = row_middle(panel, answer)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, board.mapToGlobal(place))
    QApplication.sendEvent(board.viewport(), event)
    assert QToolTip.text() == "<p>lo + w</p>"
    press(panel, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    QApplication.sendEvent(board.viewport(), event)
    assert QToolTip.text() == "<p>lo + w: 7 times</p>"
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


# -- what is drawn ----------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_colours_and_signs_of_the_answer(panel: GuessPanel, theme: Theme) -> None:
    history = four_words()
    panel.setPalette(palette(theme))
    panel.set_history(history)
    panel.show_position(4, False)
    board = board_of(panel)
    covered = colours(picture(board))
    assert covered[QColor(theme.accent).name()] == 0
    assert covered[QColor(theme.error).name()] == 0
    press(panel, Qt.Key(Qt.Key.Key_1 + asked(history, 4).answer))
    right = colours(picture(board))
    assert right[QColor(theme.accent).name()] > 20
    assert right[QColor(theme.error).name()] == 0
    panel.set_history(four_words())
    panel.show_position(4, False)
    press(panel, Qt.Key(Qt.Key.Key_1 + wrong_one(asked(history, 4))))
    wrong = colours(picture(board))
    assert wrong[QColor(theme.accent).name()] > 20
    assert wrong[QColor(theme.error).name()] > 20


def test_bars_are_as_long_as_the_counts(panel: GuessPanel) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    bars = board_of(panel).bars
    counts = [candidate.count for candidate in asked(history, 4).candidates]
    longest = max(bar.width() for bar in bars)
    for bar, count in zip(bars, counts, strict=True):
        assert bar.width() / longest == pytest.approx(count / max(counts))


def test_nothing_moves_when_the_answer_is_given(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    before = list(board_of(panel).areas)
    size = board_of(panel).size()
    press(panel, Qt.Key.Key_R)
    assert board_of(panel).areas == before
    assert board_of(panel).size() == size


@pytest.mark.parametrize(
    ("size", "least"), [((280, 200), 11), ((350, 350), 14), ((800, 600), 30), ((1600, 900), 44)]
)
def test_the_text_grows_with_the_panel(
    panel: GuessPanel, qtbot: QtBot, size: tuple[int, int], least: int
) -> None:
    history = byte_level("the cat sat on the mat and the other cats thought of the best end " * 9)
    panel.resize(*size)
    panel.set_history(history)
    board = board_of(panel)
    for position in (0, 5, len(history) // 2):
        panel.show_position(position, False)
        assert min(sizes_of(board)) >= 0.9 * least
        for area in board.areas:
            assert board.rect().contains(area.toRect())
        for above, below in pairwise(board.areas):
            assert above.bottom() < below.top()
        assert all("…" not in text for text in painted_texts(board))
    label = panel.findChild(QLabel, "guessScore")
    assert isinstance(label, QLabel)
    press(panel, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: label.height() >= label.fontMetrics().height())
    assert label.text().replace(" / ", " of ").startswith(("0 of 1", "1 of 1"))


def test_long_tokens_are_cut_at_their_outer_ends(panel: GuessPanel) -> None:
    words = [("x" * 300 + "yz" * 300, 3), ("abcab", 2)]
    history = trained(words, preset("raw"), 12)
    panel.resize(280, 200)
    panel.set_history(history)
    for position in range(len(history)):
        panel.show_position(position, False)
        press(panel, Qt.Key.Key_R)
    shown = painted_texts(board_of(panel))
    assert any(left.startswith("…") and right.endswith("…") for left, right in pairwise(shown))


@pytest.mark.parametrize(("width", "height", "pixels"), [(940, 437, 45), (496, 308, 32)])
def test_where_it_is_low_all_is_as_large_as_the_text_around(
    panel: GuessPanel, qtbot: QtBot, width: int, height: int, pixels: int
) -> None:
    font = panel.font()
    font.setPixelSize(pixels)
    panel.setFont(font)
    panel.resize(width, height)
    panel.set_history(four_words())
    assert not button(panel, "guessNext").isVisible()
    qtbot.waitUntil(lambda: board_of(panel).geometry().bottom() > 0.8 * height)
    for answered in (False, True):
        assert min(sizes_of(panel)) >= 0.9 * pixels
        qtbot.waitUntil(lambda: ("0 of 1 right" in painted_texts(panel)) is answered)  # noqa: B023
        press(panel, Qt.Key.Key_1)
    assert "Tied: pair 4 is first in the corpus" in painted_texts(panel)
    panel.resize(width, 2 * height)
    assert button(panel, "guessNext").isVisible()
    assert painted_texts(panel).count("0 of 1 right") == 1
    assert score(panel)
