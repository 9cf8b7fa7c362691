"""The choices of a tour's question, and words that stay whole."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QTextLayout
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.tours.tour import Scene, Spot
from bpe_gui.ui.panels.guess.board import GuessBoard
from bpe_gui.ui.panels.guess.panel import GuessPanel
from bpe_gui.ui.tour.page_view import Choices
from bpe_gui.ui.tour.page_words import Asked
from bpe_gui.ui.tour.targets import panels_on_stage
from bpe_gui.ui.widgets.sentences import as_written, unbroken
from tests.ui.driving import child, shown
from tests.ui.histories import four_words
from tests.ui.panels.painted import text_elements

pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")

SHORT = ("e + s", "s + t", "l + o", "o + w")


def lines_of(choices: Choices) -> int:
    buttons = [child(choices, QPushButton, f"tourChoice{number}") for number in (1, 2, 3, 4)]
    return len({button.y() for button in buttons if button.isVisible()})


def test_short_choices_stand_side_by_side_where_there_is_room(qtbot: QtBot) -> None:
    choices = shown(qtbot, Choices(), 500, 300)
    choices.show_question(Asked("Which?", SHORT, 0), None, revealed=False)
    qtbot.waitUntil(lambda: lines_of(choices) == 2)
    choices.show_question(Asked("Which?", SHORT, 0), 1, revealed=True)
    qtbot.waitUntil(lambda: lines_of(choices) == 2)
    choices.resize(120, 300)
    qtbot.waitUntil(lambda: lines_of(choices) == 4)
    choices.resize(500, 300)
    qtbot.waitUntil(lambda: lines_of(choices) == 2)
    font = choices.font()
    font.setPointSizeF(5 * font.pointSizeF())
    choices.set_text_font(font)
    qtbot.waitUntil(lambda: lines_of(choices) == 4)


def test_three_short_choices_are_one_line(qtbot: QtBot) -> None:
    choices = shown(qtbot, Choices(), 500, 300)
    choices.show_question(Asked("Which?", SHORT[:3], 0), None, revealed=False)
    qtbot.waitUntil(lambda: lines_of(choices) == 1)
    buttons = [child(choices, QPushButton, f"tourChoice{number}") for number in (1, 2, 3)]
    assert max(button.width() for button in buttons) - min(one.width() for one in buttons) < 3
    choices.show_question(Asked("Which?", SHORT, 0), None, revealed=False)
    qtbot.waitUntil(lambda: lines_of(choices) == 2)
    choices.resize(160, 300)
    choices.show_question(Asked("Which?", SHORT[:3], 0), None, revealed=False)
    qtbot.waitUntil(lambda: lines_of(choices) == 3)


def test_a_long_choice_has_a_line_of_its_own(qtbot: QtBot) -> None:
    choices = shown(qtbot, Choices(), 500, 300)
    long = "a choice that says in many words what it is about"
    choices.show_question(Asked("Which?", (*SHORT[:3], long), 0), None, revealed=False)
    qtbot.waitUntil(lambda: lines_of(choices) == 4)


@pytest.mark.parametrize("points", [1, 2])
def test_a_choice_goes_on_in_a_second_line_rather_than_be_cut(qtbot: QtBot, points: int) -> None:
    choices = shown(qtbot, Choices(), 500, 400)
    font = choices.font()
    font.setPointSizeF(points * font.pointSizeF())
    choices.set_text_font(font)
    long = "a choice that says in many words & est</w> 🙂 what it is about, and then some more"
    choices.show_question(Asked("Which?", (long, long), 1), 0, revealed=True)
    choices.resize(240, 1200)
    button = child(choices, QPushButton, "tourChoice2")
    qtbot.waitUntil(lambda: "\n" in button.text())
    qtbot.waitUntil(lambda: button.height() >= button.sizeHint().height())
    assert choices.width() == 240, "it does not ask for more"
    assert button.width() >= button.sizeHint().width()
    assert " ".join(button.text().split()) == f"✓ {long.replace('&', '&&')}"


@pytest.mark.parametrize("width", range(40, 200, 8))
def test_no_line_ends_within_the_mark_of_a_words_end_or_after_an_opening_quote(
    qtbot: QtBot, width: int
) -> None:
    words = "so they become est</w> and not low</w>, or </w>. In “ a” it is “ a”, or “ a”; “a ” is."
    layout = QTextLayout(unbroken(words), QFont())
    layout.beginLayout()
    lines = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        lines.append(layout.text()[line.textStart() : line.textStart() + line.textLength()])
    layout.endLayout()
    assert len(lines) > 1
    assert not any(line.rstrip("\N{WORD JOINER}").endswith("/") for line in lines)
    assert not any(line.rstrip().endswith("“") for line in lines)
    assert not any(line.startswith("”") for line in lines)
    assert as_written("".join(lines)) == words


def test_what_a_question_points_to_has_the_stage_beside_the_page() -> None:
    assert panels_on_stage(Scene(spotlight=(Spot("words"),)), asks=True) == ["words"]
    assert panels_on_stage(Scene(), asks=True) == ["pairs"], "the board, where there is no more"


def test_the_pairs_of_a_question_are_large_on_a_quarter_of_the_stage(qtbot: QtBot) -> None:
    panel = shown(qtbot, GuessPanel(), 942, 347)
    font = QFont()
    font.setPointSizeF(34)
    panel.setFont(font)
    panel.set_history(four_words())
    panel.show_position(0, False)
    board = child(panel, GuessBoard, "guessBoard")

    def is_large() -> bool:
        written = (text.attrib["font-size"] for text in text_elements(board))
        largest = max(float(size.removesuffix("px")) for size in written)
        return largest >= 32 and all(area.height() >= largest for area in board.areas)

    qtbot.waitUntil(is_large)
    assert all(board.rect().contains(area.toRect()) for area in board.areas)
