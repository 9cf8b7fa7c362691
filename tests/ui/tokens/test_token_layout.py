"""The coloured text without its window: colours, rows, and what is where in them."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels import jit
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.bpe.tokenizer import StepwiseEncoding, Tokens
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.tokens import edited_text
from bpe_gui.ui.tokens.characters import Characters, Kind
from bpe_gui.ui.tokens.colours import TokenColours, unchanged
from bpe_gui.ui.tokens.edited_text import EditedText, WordEnds
from bpe_gui.ui.tokens.layout import TokenLayout, row_starts
from bpe_gui.ui.tokens.picture import NOWHERE, tokens_of_units
from bpe_gui.ui.tokens.tokenized_text import NO_TOKENS, TokenizedText
from tests.ui.histories import trained

pytestmark = pytest.mark.usefixtures("qapp")

WORDS = [("the", 4), ("low", 5), ("lower", 2), ("newest", 6), ("été", 3), ("日本", 3), ("שלום", 2)]
HISTORIES = {name: trained(WORDS, recipe) for name, recipe in PRESETS.items()}

# Characters that are drawn in all the different ways, but for scripts that need fonts.
texts = st.text(
    st.sampled_from("the lowrns\t\n éü日本語שםع\u0301\u200d\u200b\u00a0\x07🙂👍🏽🇩🇪한</w>.,1"),
    max_size=60,
)
presets = st.sampled_from(sorted(PRESETS))


def laid_out(text: str, history: History, position: int, width: float = 200.0) -> TokenLayout:
    layout = TokenLayout(QFont())
    layout.set_width(width)
    show(layout, text, history, position)
    return layout


def show(layout: TokenLayout, text: str, history: History, position: int) -> Tokens:
    tokens = StepwiseEncoding(history, text, compiled=False).tokens(position)
    closes = WordEnds(history).of(tokens.ids)
    layout.show(TokenizedText(Characters(text), tokens, closes, history.id_to_token))
    return tokens


# -- colours ------------------------------------------------------------------------------


def test_what_an_edit_leaves_alone() -> None:
    assert unchanged(b"", b"abc") == (0, 0)
    assert unchanged(b"aaa", b"aa") == (2, 0)
    assert unchanged(b"abcd", b"axd") == (1, 1)


boundaries = st.lists(st.booleans(), min_size=1, max_size=80)


@given(st.lists(boundaries, min_size=1, max_size=8))
def test_neighbours_never_have_the_same_colour(cuts: list[list[bool]]) -> None:
    colours = TokenColours()
    colours.edit(b"x" * 80)
    for cut in cuts:
        starts = np.flatnonzero([True, *cut[1:]])
        assigned = colours.assign(starts)
        assert (assigned[1:] != assigned[:-1]).all()
        assert ((assigned >= 0) & (assigned < 6)).all()


@given(st.text(max_size=40), st.lists(boundaries, min_size=1, max_size=6), st.randoms())
def test_colours_do_not_depend_on_where_the_cursor_was_before(
    text: str, cuts: list[list[bool]], order: random.Random
) -> None:
    data = text.encode()
    starts = [np.flatnonzero(cut[: len(data)]) for cut in cuts]
    alone = []
    for one in starts:
        colours = TokenColours()
        colours.edit(data)
        alone.append(colours.assign(one).tolist())
    together = TokenColours()
    together.edit(data)
    for place in order.choices(range(len(starts)), k=12):
        assert together.assign(starts[place]).tolist() == alone[place]


def test_tokens_with_one_start_differ_too() -> None:
    colours = TokenColours()
    colours.edit(b"low")
    starts = np.array([0, 1, 1, 1, 2])
    for _ in range(3):
        assigned = colours.assign(starts)
        assert (assigned[1:] != assigned[:-1]).all()


def test_a_token_keeps_its_colour_while_others_merge() -> None:
    colours = TokenColours()
    colours.edit(b"abcdefgh")
    before = colours.assign(np.arange(8))
    after = colours.assign(np.array([0, 1, 2, 4, 5, 6, 7]))
    assert after.tolist() == np.delete(before, 3).tolist()
    assert colours.assign(np.arange(8)).tolist() == before.tolist()


def test_an_edit_keeps_the_colours_around_it() -> None:
    colours = TokenColours()
    colours.edit(b"abcdefgh")
    before = colours.assign(np.arange(8))
    colours.edit(b"abcdXYefgh")
    after = colours.assign(np.arange(10))
    assert after[:4].tolist() == before[:4].tolist()
    assert after[7:].tolist() == before[5:].tolist()


# -- characters ---------------------------------------------------------------------------


@given(st.text(max_size=50))
def test_bytes_are_counted_as_utf8_has_them(text: str) -> None:
    characters = Characters(text)
    expected = [len(text[:end].encode()) for end in range(len(text) + 1)]
    assert characters.byte_starts.tolist() == expected


def test_kinds() -> None:
    characters = Characters("a \t\n\u200b\u0301\u200dש👍ع🇩")
    assert [Kind(kind) for kind in characters.kinds.tolist()] == [
        *(Kind.PLAIN, Kind.SPACE, Kind.TAB, Kind.NEWLINE, Kind.NAMED, Kind.EXTENDS, Kind.JOINS),
        *(Kind.SHAPED, Kind.SHAPED, Kind.SHAPED, Kind.FLAG),
    ]


def test_what_is_drawn_as_one_is_not_torn() -> None:
    family = "👨\u200d👩"
    starts = Characters(f"e\u0301{family}🇩🇪🇫🇷").cluster_starts
    assert np.flatnonzero(starts).tolist() == [0, 2, 5, 7, 9]


# -- rows ---------------------------------------------------------------------------------


@given(texts, presets, st.sampled_from([0, 3, 1000]), st.sampled_from([40.0, 120.0, 400.0]))
def test_rows_hold_the_text_once(text: str, preset: str, position: int, width: float) -> None:
    history = HISTORIES[preset]
    layout = laid_out(text, history, min(position, len(history)), width)
    joined = []
    for row in range(len(layout)):
        shown = layout.shown(row)
        assert shown.last > shown.first
        assert "\n" not in text[shown.first : shown.last - 1]
        joined.append(text[shown.first : shown.last])
    assert "".join(joined) == text


@given(texts, presets, st.data())
def test_rows_do_not_depend_on_what_was_shown_before(
    text: str, preset: str, data: st.DataObject
) -> None:
    history = HISTORIES[preset]
    layout = TokenLayout(QFont())
    layout.set_width(90.0)
    for _ in range(4):
        position = data.draw(st.integers(0, len(history)))
        place = data.draw(st.integers(0, len(text)))
        text = (
            text[:place] + data.draw(st.sampled_from(["", "x", "\n", " low"])) + text[place + 1 :]
        )
        show(layout, text, history, position)
        fresh = laid_out(text, history, position, 90.0)
        assert layout.starts.tolist() == fresh.starts.tolist()


def end_of_row(cut: TokenizedText, right: list[float], start: int, available: float) -> int:
    """Where a row ends that begins at a character, found by trying all places."""
    characters, size = cut.characters, len(cut.characters)
    places = range(start + 1, size + 1)
    fitting = [end for end in places if right[end] <= right[start] + available]
    lines = [end for end in places if characters.codes[end - 1] == ord("\n")]
    if lines and lines[0] in fitting:
        return lines[0]
    if size in fitting:
        return size
    last = max(fitting, default=start + 1)
    within = [end for end in places if end <= last and characters.cluster_starts[end]]
    full = [end for end in within if right[end] >= right[start] + available / 2]
    between = [end for end in full if cut.boundary[end]]
    lost = [bool(cut.dropped[i] and characters.spaces[i]) for i in range(size)]
    for wanted in (
        [
            end
            for end in between
            if (characters.before_spaces[end] and not lost[end])
            or (lost[end - 1] and not characters.spaces[end])
        ],
        [end for end in between if characters.after_spaces[end]],
        between,
        within,
    ):
        if wanted:
            return wanted[-1]
    return last


@given(texts, presets, st.sampled_from([10.0, 30.0, 90.0]), st.booleans(), st.integers(0, 9))
def test_rows_end_at_the_best_place_that_fits(
    text: str, preset: str, width: float, compiled: bool, position: int
) -> None:
    history = HISTORIES[preset]
    position = min(position, len(history))
    tokens = StepwiseEncoding(history, text, compiled=False).tokens(position)
    cut = TokenizedText(Characters(text), tokens, np.zeros(len(tokens), bool), str)
    widths = [0.0 if c == "\n" else 11.0 if c > "\x7f" else 7.0 for c in text]
    right = np.concatenate(([0.0], np.cumsum(widths)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "compiled_by_default", lambda: compiled)
        starts = row_starts(cut, right, width).tolist()
    assert starts[0] == 0
    assert starts[-1] == len(text)
    for start, end in pairwise(starts):
        assert end == end_of_row(cut, right.tolist(), start, width)


def test_one_long_line_and_many_short_ones_break_alike() -> None:
    words = "lower newest " * 300
    cut = TokenizedText(Characters(words), NO_TOKENS, np.empty(0, bool), str)
    starts = row_starts(cut, np.arange(len(words) + 1) * 7.0, 95.0).tolist()
    assert len(starts) > 200
    # Each row begins with the space before a word, as the tokens of most recipes do.
    assert all(words[start] == " " for start in starts[1:-1])


def test_text_stays_in_place_while_tokens_merge() -> None:
    history = HISTORIES["gpt2"]
    text = "the lower newest low " * 8
    layout = laid_out(text, history, 0)
    before = [
        (shown.first, shown.row.left.tolist()) for shown in map(layout.shown, range(len(layout)))
    ]
    show(layout, text, history, len(history))
    after = [
        (shown.first, shown.row.left.tolist()) for shown in map(layout.shown, range(len(layout)))
    ]
    assert before == after


@pytest.mark.parametrize("preset", ["whitespace", "char-bpe"])
def test_spaces_between_tokens_end_their_row(preset: str) -> None:
    history = HISTORIES[preset]
    text = "the  lower newest low " * 8
    layout = laid_out(text, history, 0)
    before = layout.starts.tolist()
    assert len(before) > 4
    assert not any(text[start] == " " for start in before[:-1])
    show(layout, text, history, len(history))
    assert layout.starts.tolist() == before, "text moves while tokens merge"


@given(texts, st.integers(-20, 400))
def test_what_is_in_view_is_found_again(text: str, y: int) -> None:
    layout = laid_out(text, HISTORIES["gpt2"], 0, width=40.0)
    anchor = layout.anchor_at(min(y, layout.height - 1))
    if anchor is None:
        assert y < layout.fonts.row_height or len(layout) < 2
    else:
        assert layout.top_of(anchor[0]) + anchor[1] == min(y, layout.height - 1)


# -- what is where ------------------------------------------------------------------------


@example(text="1한e", preset="char-bpe", position=0)  # Set closer than one by one.
@given(texts, presets, st.sampled_from([0, 2, 1000]))
def test_every_token_has_a_place_of_its_own(text: str, preset: str, position: int) -> None:
    history = HISTORIES[preset]
    layout = laid_out(text, history, min(position, len(history)))
    seen: set[int] = set()
    for number in range(len(layout)):
        shown = layout.shown(number)
        row = shown.row
        order = np.argsort(row.left, kind="stable")
        left, right = row.left[order], row.right[order]
        assert (right > left).all()
        assert (left[1:] >= right[:-1] - 0.01).all(), "units overlap"
        seen |= set(tokens_of_units(layout.cut, shown).tolist())
    assert seen - {NOWHERE} == set(range(len(layout.cut)))


@given(texts, presets, st.sampled_from([0, 2, 1000]))
def test_a_token_is_found_where_it_is_shown(text: str, preset: str, position: int) -> None:
    history = HISTORIES[preset]
    layout = laid_out(text, history, min(position, len(history)))
    for token in range(len(layout.cut)):
        for place in layout.places_of(token):
            shown = layout.shown(place.row)
            own = np.flatnonzero(tokens_of_units(layout.cut, shown) == token)
            middle = float(shown.row.left[own[0]] + shown.row.right[own[0]]) / 2
            assert layout.token_in_row(place.row, middle) == token


def labels(layout: TokenLayout) -> list[str]:
    return [label.text for row in range(len(layout)) for label in layout.shown(row).row.labels]


def test_hidden_characters_have_marks() -> None:
    layout = laid_out("a b\tc\u200bd\x1be\u00a0\n", HISTORIES["gpt2"], 0, 2000)
    assert labels(layout) == ["→", "0xE2", "0x80", "0x8B", "‹ESC›", "0xC2", "0xA0", "¶"]
    assert len(layout.shown(0).row.dots) == 1
    layout = laid_out("c\u200bd\u00a0", HISTORIES["raw"], 0, 2000)
    assert labels(layout) == ["‹ZWSP›", "‹NBSP›"]


def test_a_split_character_shows_its_bytes_until_it_is_whole() -> None:
    history = HISTORIES["gpt2"]
    layout = laid_out("日", history, 0)
    assert labels(layout) == ["0xE6", "0x97", "0xA5"]
    assert len(layout.shown(0).row.bars) == 1
    show(layout, "日", history, len(history))
    assert labels(layout) == []
    assert layout.shown(0).row.bars == []


@given(texts, presets, st.sampled_from([0, 2, 1000]))
@example(text="1한e", preset="raw", position=0)
def test_letters_are_where_their_edges_say(text: str, preset: str, position: int) -> None:
    history = HISTORIES[preset]
    layout = laid_out(text, history, min(position, len(history)))
    for number in range(len(layout)):
        row = layout.shown(number).row
        for drawn, origin in row.texts:
            end = origin.x() + drawn.lineAt(0).horizontalAdvance()
            assert np.abs(row.right - end).min() < 0.01


def test_marks_that_a_boundary_tears_off_are_shown_apart() -> None:
    layout = laid_out("e\u0301", HISTORIES["raw"], 0)
    assert labels(layout) == ["◌\u0301"]


def test_the_end_of_a_word_is_shown_with_its_token() -> None:
    history = HISTORIES["whitespace"]
    layout = laid_out("low", history, 0)
    assert labels(layout) == ["</w>"]
    assert len(layout.cut) == 4
    show(layout, "low", history, len(history))
    assert labels(layout) == ["</w>"]
    assert len(layout.cut) == 1
    assert labels(laid_out("low", HISTORIES["char-bpe"], 0)) == ["</w>"]


def test_parts_that_normalization_made_are_named() -> None:
    history = trained([("한", 2)], PRESETS["lines"])
    layout = laid_out("한", history, 0)
    assert labels(layout) == ["\u1112", "\u1161", "\u11ab"]


def test_right_to_left_text_runs_to_the_left() -> None:
    layout = laid_out("שלום", HISTORIES["raw"], 0)
    row = layout.shown(0).row
    assert (np.diff(row.left) < 0).all()


# -- edited text --------------------------------------------------------------------------


@given(texts, presets, st.data())
def test_an_edited_text_is_cut_like_a_new_one(text: str, preset: str, data: st.DataObject) -> None:
    history = HISTORIES[preset]
    edited = EditedText(history)
    text = text + "\nlower\nthe\n\nnewest 1\n" + text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edited_text, "_SLICE", 4)
        for _ in range(3):
            place = data.draw(st.integers(0, len(text)))
            gone = data.draw(st.integers(0, 4))
            text = text[:place] + data.draw(texts) + text[place + gone :]
            edited.edit(text)
            for position in (0, 3, len(history)):
                found = edited.tokens(position)
                expected = StepwiseEncoding(history, text, compiled=False).tokens(position)
                for column in ("ids", "starts", "ends", "char_starts", "char_ends"):
                    assert getattr(found, column).tolist() == getattr(expected, column).tolist()


@pytest.mark.parametrize("line", ["the lower newest\n", "the lower newest "])
def test_an_edit_traces_what_is_around_it_only(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr(edited_text, "_SLICE", 20)
    edited = EditedText(HISTORIES["gpt2"])
    text = line * 20
    traced: list[str] = []

    def trace(history: History, text: str, **options: Any) -> StepwiseEncoding:
        traced.append(text)
        return StepwiseEncoding(history, text, **options)

    monkeypatch.setattr(edited_text, "StepwiseEncoding", trace)
    edited.edit(text)
    assert len(traced) > 15
    traced.clear()
    edited.edit(text[:170] + "x" + text[170:])
    assert 1 <= len(traced) <= 2


@pytest.mark.parametrize("name", PRESETS)
def test_an_edited_text_follows_a_run_that_grows(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(edited_text, "_SLICE", 8)
    recipe = PRESETS[name]
    trainer = Trainer(WordCounts.from_pairs(WORDS, recipe), recipe, compiled=False)
    history, text = trainer.history, "the lower newest\nlow été the\n" * 4
    edited = EditedText(history)
    for number in range(6):
        # Some slices have seen the merges come, others begin now.
        text = text[: 20 * number] + "newest low\n" + text[20 * number :]
        edited.edit(text)
        for position in (0, len(history)):
            found = edited.tokens(position)
            expected = StepwiseEncoding(history, text, compiled=False).tokens(position)
            assert found.ids.tolist() == expected.ids.tolist()
            assert found.starts.tolist() == expected.starts.tolist()
        trainer.advance(4)


def test_a_mark_on_a_sign_that_is_named_is_named_too() -> None:
    layout = laid_out("1\ufe0f\u20e3\n", HISTORIES["raw"], 0)
    assert labels(layout)[:2] == ["‹VS16›", "‹U+20E3›"]
