"""The card of a difference: the reason first, lanes that agree summed up, every token seen."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.cutting import ExplainedDifference, explain
from bpe_gui.ui.compare.differences import DifferenceCard
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.widgets.sentences import unbroken
from tests.ui.compare.compared import cut, english
from tests.ui.driving import shown
from tests.ui.histories import byte_level, trained


@pytest.fixture
def card(qtbot: QtBot) -> DifferenceCard:
    """As narrow as it is in a small window."""
    return shown(qtbot, DifferenceCard(), 250, 190)


def explained(
    text: str, lanes: list[TrainedEncoding], number: int = 0, reference: int = 1
) -> ExplainedDifference:
    found = explain(cut(text, lanes), number, reference)
    assert found is not None
    return found


def at(position: int, name: str) -> TrainedEncoding:
    return TrainedEncoding(english(), position, name=name)


def lines(card: DifferenceCard) -> list[str]:
    return card.toPlainText().replace("\xa0", " ").split("\n")


def test_the_reason_comes_before_the_tokens_and_is_in_sight(card: DifferenceCard) -> None:
    names = [f"lane {number}" for number in range(11)]
    lanes = [at(20, "all"), *(at(0, name) for name in names)]
    card.show_difference(explained(" the", lanes), frozenset())
    said = lines(card)
    assert said[0].startswith("Difference 1 of 1, at character 1: “␣the”")
    assert "have it yet" in said[1]
    assert "The same holds for 10 others: lane 1, lane 2 …" in said[1]
    assert said[2].startswith("all ")
    assert said[3].startswith("11 lanes: lane 0, lane 1 …  ␣ 220 | t 83 | h 71 | e 68")
    cursor = QTextCursor(card.document())
    cursor.setPosition(card.toPlainText().index(" missing merge"))
    assert card.viewport().rect().contains(card.cursorRect(cursor)), "without scrolling"
    assert card.horizontalScrollBar().maximum() == 0


def test_ends_of_words_are_in_the_legend_where_a_lane_shows_them(card: DifferenceCard) -> None:
    card.clear_difference(2, marks_ends=True)
    assert unbroken("all lanes share, and </w>.") in card.toPlainText()
    card.clear_difference(2)
    assert "all lanes share." in card.toPlainText()


def test_few_lanes_are_all_named(card: DifferenceCard) -> None:
    lanes = [at(20, "all"), at(0, "one"), at(0, "two"), at(0, "three")]
    card.show_difference(explained(" the", lanes), frozenset())
    assert lines(card)[-2].startswith("one, two and three  ␣ 220 | ")
    assert "The same holds for two and three." in card.toPlainText()


def test_a_token_that_stands_for_none_of_the_text_is_shown(card: DifferenceCard) -> None:
    run = trained([("low", 5), ("lower", 2)], preset("whitespace"))
    lanes = [TrainedEncoding(run, name="all"), TrainedEncoding(run, 0, name="none")]
    card.show_difference(explained("low", lanes), frozenset())
    name, tokens = next(line for line in lines(card) if line.startswith("none")).split("  ")
    assert name == "none"
    assert [token.split(" ")[0] for token in tokens.split(" | ")] == ["l", "o", "w", "</w>"]


def test_ids_stay_beside_tokens_that_are_written_from_right_to_left(
    card: DifferenceCard,
) -> None:
    run = byte_level("של ום של ום שלום")
    lanes = [TrainedEncoding(run, name="all"), TrainedEncoding(run, len(run) - 1, name="fewer")]
    card.resize(600, 300)
    card.show_difference(explained(" שלום", lanes), frozenset())
    said = card.toPlainText().replace("\xa0", " ")
    lane = said[said.rindex("fewer") :].split("\n")[0].removeprefix("fewer")
    found = [part for part in lane.split(" | ") if "\u2068" in part]
    assert found, lane
    start = said.index(lane)
    for part in found:
        token, number = part.split("\u2069 ")
        place = start + lane.index(part)
        left, right = (_x(card, place + offset) for offset in (0, part.index(number)))
        assert left < right, "the id stands to the right of its token"
        assert token


def test_a_sentence_that_begins_with_text_from_right_to_left_begins_at_the_left(
    card: DifferenceCard,
) -> None:
    arabic = TrainedEncoding(byte_level("مرحبا"), name="knows")
    latin = TrainedEncoding(trained([("low", 5)], preset("raw")), name="lacks")
    card.show_difference(explained("مرحبا", [latin, arabic]), frozenset())
    said = card.toPlainText()
    start = said.index("“", said.index("\n"))
    assert said[start : said.index("\n", start)].startswith("“\u2068م\u2069” is unknown")
    assert _x(card, start) < _x(card, said.index("is unknown")), "the sentence goes on at the right"


def _x(card: DifferenceCard, place: int) -> int:
    cursor = QTextCursor(card.document())
    cursor.setPosition(place)
    return card.cursorRect(cursor).x()


def test_both_themes(card: DifferenceCard) -> None:
    card.show_difference(explained(" the", [at(20, "all"), at(0, "none")]), frozenset())
    pictures = []
    for theme in (DARK, LIGHT):
        card.setPalette(palette(theme))
        pictures.append(card.toHtml())
    assert pictures[0] != pictures[1]
