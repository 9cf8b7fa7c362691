"""A drawing of a coloured text: XML, with every token in it as text."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.exporting.coloured_text import ColouredText, PartKind
from bpe_gui.exporting.svg import legal, svg_text
from tests.exporting.cut_texts import DARK, LIGHT, cut_texts, in_turns, tokens_at

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(text: ColouredText, columns: int = 72) -> ElementTree.Element:
    return ElementTree.fromstring(svg_text(text, LIGHT, "Text", columns=columns))


def texts(drawing: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in drawing.iter(f"{SPACE}text")]


@given(cut_texts(), st.integers(4, 60), st.sampled_from([LIGHT, DARK]))
def test_all_that_is_shown_is_in_texts_in_order(
    text: ColouredText, columns: int, scheme: object
) -> None:
    expected = "".join(
        part.shown if part.kind is not PartKind.SPACE else ""
        for stretch in text.stretches
        for part in stretch.parts
    )
    shown = "".join(texts(drawn(text, columns))).replace(" ", "")
    assert shown == legal(expected).replace(" ", "")


@given(cut_texts(), st.integers(8, 60))
def test_nothing_stands_beyond_the_page(text: ColouredText, columns: int) -> None:
    drawing = drawn(text, columns)
    width, height = float(drawing.get("width", 0)), float(drawing.get("height", 0))
    for box in drawing.iter(f"{SPACE}rect"):
        right = float(box.get("x", 0)) + float(box.get("width", 0))
        assert right <= width + 18 * 8  # a name wider than the page stands alone in its row
        assert float(box.get("y", 0)) + float(box.get("height", 0)) <= height + 0.01


def test_tokens_are_whole_texts_with_their_spaces() -> None:
    text = "the newest"
    drawing = drawn(in_turns(text, tokens_at(text, [3], [1, 2])))
    assert texts(drawing) == ["the", " newest"]
    assert len(list(drawing.iter(f"{SPACE}circle"))) == 1
    assert len(list(drawing.iter(f"{SPACE}rect"))) == 3
