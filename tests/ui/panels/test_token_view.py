"""The coloured text as a widget: how it looks, also while tokens grow, and what is said."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import PRESETS, preset
from bpe_gui.ui.panels.text.token_view import TokenView
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette
from bpe_gui.ui.tokens.edited_text import EditedText
from bpe_gui.ui.tokens.tokenized_text import TokenizedText
from tests.ui.driving import picture
from tests.ui.histories import byte_level, four_words, trained
from tests.ui.panels.token_views import click, has_colour, press, show, view

__all__ = ["view"]


def box_colour(view: TokenView, token: int) -> str:
    """The colour of a token's box, above its letters."""
    center, image = view.token_center(token), picture(view.viewport())
    ground = view.palette().base().color()
    above = (y for y in range(center.y(), 0, -1) if image.pixelColor(center.x(), y) == ground)
    return image.pixelColor(center.x(), next(above) + 5).name()


def cut_of(view: TokenView) -> TokenizedText:
    """The tokens that are shown."""
    shown = view.shown_cut()
    assert shown is not None
    return shown[0]


# -- looks --------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_tokens_have_the_colours_of_the_theme(view: TokenView, theme: Theme) -> None:
    view.setPalette(palette(theme))
    show(view, "mowerower", byte_level("mower"), 0)
    colours = [box_colour(view, token) for token in range(9)]
    assert set(colours) <= set(theme.token_fills.of_tokens)
    assert all(left != right for left, right in pairwise(colours))
    assert picture(view).pixelColor(400, 250).name() == theme.panel


def test_a_gap_shows_where_a_token_ends(view: TokenView) -> None:
    show(view, "low", byte_level("low low"), 0)
    left, right = view.token_center(0), view.token_center(1)
    image = picture(view.viewport())
    between = {image.pixelColor(x, left.y() + 6).name() for x in range(left.x(), right.x())}
    assert DARK.panel in between
    show(view, " low", byte_level("low low"), 3)
    assert len(cut_of(view)) == 1
    image, center = picture(view.viewport()), view.token_center(0)
    inside = range(center.x() - 8, center.x() + 8)
    assert DARK.panel not in {image.pixelColor(x, left.y() + 8).name() for x in inside}


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_a_gap_without_a_line_parts_neighbours_of_the_same_colour(
    view: TokenView, theme: Theme
) -> None:
    """A line would be read as one more letter, an l or an I."""
    view.setPalette(palette(theme))
    show(view, "look", byte_level("look"), 0)
    view.mark_next(False)
    assert box_colour(view, 1) == box_colour(view, 2)
    places = view.token_center(1), view.token_center(2)
    image, across = picture(view.viewport()), range(places[0].x(), places[1].x())
    # Above the letters, and still within the box.
    above = places[0].y() - view.fontMetrics().ascent() // 2 - 2
    seen = {image.pixelColor(x, above).name() for x in across}
    assert theme.panel in seen
    assert theme.muted not in seen


def test_a_merge_leaves_the_other_colours_alone(view: TokenView) -> None:
    history = byte_level("low low lower newest newest")
    text = "low lower newest"
    show(view, text, history, 0)
    for position in range(1, len(history) + 1):
        before = {
            int(start): int(colour)
            for start, colour in zip(cut_of(view).starts, cut_of(view).colours, strict=True)
        }
        show(view, text, history, position)
        kept = [
            before[int(start)] == colour
            for start, colour in zip(cut_of(view).starts, cut_of(view).colours, strict=True)
        ]
        # Only the token after the merged one may have to give way.
        assert kept.count(False) <= 2


def test_the_tokens_of_the_next_merge_glow(view: TokenView) -> None:
    history = four_words()
    show(view, "newest", history, 0)
    assert has_colour(view, DARK.accent)
    show(view, "low", history, 0)
    assert not has_colour(view, DARK.accent), "it holds no “e” and “s”"
    show(view, "newest", history, 0)
    view.mark_next(False)
    assert not has_colour(view, DARK.accent)


def test_at_the_end_no_token_has_a_frame_unless_the_last_merge_is_told(view: TokenView) -> None:
    history = four_words()
    newest = history.id_to_token(int(history.new_id[-1])).removesuffix("</w>")
    show(view, newest, history, len(history))
    assert not has_colour(view, DARK.accent)
    view.mark_next(False)
    assert has_colour(view, DARK.accent)


def test_the_last_merge_is_not_marked_as_if_it_were_the_next(view: TokenView) -> None:
    history = four_words()
    show(view, "es", history, 1)
    assert not has_colour(view, DARK.accent), "the next merge is elsewhere, and others tell it"
    view.mark_next(False)
    assert has_colour(view, DARK.accent), "all tell the last merge, which made “es”"


def test_unknown_tokens_are_underlined(view: TokenView) -> None:
    show(view, "low", four_words(), 0)
    assert not has_colour(view, DARK.error)
    show(view, "lox", four_words(), 0)
    assert has_colour(view, DARK.error)


def test_without_text_or_tokens(view: TokenView) -> None:
    empty = picture(view.viewport())
    assert has_colour(view, DARK.muted), "a sentence must be there"
    view.set_uncut("low lower")
    assert picture(view.viewport()) != empty
    assert view.shown_cut() is None
    show(view, "", four_words(), 0)
    assert picture(view.viewport()) == empty


@pytest.mark.qt_log_ignore("OpenType support missing")
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("size", [(40, 30), (300, 200), (1200, 300)])
def test_all_scripts_can_be_shown(view: TokenView, name: str, size: tuple[int, int]) -> None:
    text = (
        "Añb\tc\r\n\n  नमस्ते สวัสดี مرحبا، 12 שלום (a) 日本語 한국어 "
        "👨\u200d👩\u200d👧 👍🏽 🇩🇪🇫🇷 ❤\ufe0f e\u0301\u0301 \u0301 \u200f\ufeff\x00\U0010ffff\ue000"
    )
    view.resize(*size)
    history = trained([(word, 2) for word in text.split()], preset(name))
    for position in (0, len(history) // 2, len(history)):
        show(view, text, history, position)
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
        picture(view.viewport())
        assert cut_of(view).characters.text == text


# -- while tokens grow --------------------------------------------------------------------


def test_the_selection_follows_the_merges(view: TokenView) -> None:
    history = byte_level("low low lower")
    text = " low lower"
    show(view, text, history, 0)
    click(view, 2)
    assert view.selected_text() == "o"
    show(view, text, history, len(history))
    assert view.selected_text() == " low"
    show(view, "low", history, 0)
    assert view.selected_text() == ""


def test_an_end_of_word_stays_selected_within_its_token(view: TokenView) -> None:
    history = four_words()
    show(view, "newest", history, 0)
    click(view, 6)
    assert [history.id_to_token(token) for token in view.selected_ids().tolist()] == ["</w>"]
    show(view, "newest", history, 3)
    assert [history.id_to_token(token) for token in view.selected_ids().tolist()] == ["est</w>"]


def test_the_text_in_view_stays_in_view(view: TokenView) -> None:
    history = byte_level("日本語 日本語")
    text = "low 日本語 lower\n" * 100
    show(view, text, history, 0)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    heights = [view.token_center(token).y() for token in range(len(cut_of(view)))]
    top = next(token for token, y in enumerate(heights) if y > 0)
    character = int(cut_of(view).firsts[top])
    row = next(y for y in heights if y > heights[0]) - heights[0]
    show(view, text, history, len(history))
    assert abs(height_of(view, character) - heights[top]) <= row
    view.resize(300, 260)
    assert abs(height_of(view, character) - heights[top]) <= row


def height_of(view: TokenView, character: int) -> int:
    """Where the token with a character of the text stands now."""
    token = int(np.searchsorted(cut_of(view).firsts, character, side="right")) - 1
    return view.token_center(token).y()


def test_a_merge_elsewhere_costs_no_drawing(view: TokenView, qtbot: QtBot) -> None:
    history = four_words()
    edited = EditedText(history)
    edited.edit("wid")
    cut = edited.cut(0)
    view.set_cut(cut, history, 0, edited.merging(0))
    picture(view.viewport())
    assert edited.cut(1) is cut
    with qtbot.assertNotEmitted(view.verticalScrollBar().rangeChanged):
        view.set_cut(cut, history, 1, edited.merging(1))
    assert cut_of(view) is cut


def test_select_token_brings_it_into_view(view: TokenView, qtbot: QtBot) -> None:
    history = byte_level("low")
    show(view, "low lower " * 150 + "x" + " low" * 150, history, 0)
    with qtbot.assertNotEmitted(view.tokenSelected):
        view.select_token(ord("x") - ord("!"))
    assert has_colour(view, DARK.text)
    assert view.verticalScrollBar().value() > 0
    before = view.verticalScrollBar().value()
    view.select_token(ord("l") - ord("!"))
    assert view.verticalScrollBar().value() == before, "there is one in view already"
    view.select_token(NO_TOKEN)
    assert not has_colour(view, DARK.text)


# -- screen readers ----------------------------------------------------------------------


def test_screen_readers_are_told(view: TokenView) -> None:
    assert view.accessibleName() == "Tokens"
    history = four_words()
    show(view, "newest", history, 1)
    press(view, Qt.Key.Key_Right)
    said = view.accessibleDescription()
    assert said.startswith("Token 1 of 6: ")
    assert "“n”" in said


def test_the_text_is_read_aloud_until_a_token_of_it_is_chosen(view: TokenView) -> None:
    assert view.accessibleDescription().startswith("There is no text. The arrow keys")
    show(view, "low low", four_words(), 5)
    assert view.accessibleDescription().startswith("4 tokens: “low low”. The arrow keys")
    show(view, "low " * 500, four_words(), 5)
    said = view.accessibleDescription()
    assert said.startswith("1,000 tokens: “low low")
    assert len(said) < 400
    press(view, Qt.Key.Key_Home)
    assert view.accessibleDescription().startswith("Token 1 of 1,000: ")
