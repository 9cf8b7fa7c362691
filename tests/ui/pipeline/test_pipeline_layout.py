"""The pipeline laid out: everything has its place, and can be found there again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from bpe_gui.analysis.pipeline.stages import Merging, Stage, Status
from bpe_gui.analysis.pipeline.trace import trace_pipeline
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Prepend, Recipe, Replace, Symbols, preset
from bpe_gui.ui.pipeline.glyphs import Style, Writer
from bpe_gui.ui.pipeline.layout import ItemPlace, PipelineLayout, Shown
from bpe_gui.ui.pipeline.painting import items_of, written_in
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.colours import TokenColouring
from bpe_gui.ui.tokens.fonts import TokenFonts
from tests.bpe.test_trainer import recipes
from tests.ui.histories import byte_level, four_words
from tests.ui.pipeline.pipeline_views import rectangles_of

TEXTS = st.text(st.sampled_from("abn é漢ﬁ\n\t\u0301שלם١,12🙂\u200d"), max_size=40)
RECIPES = recipes().map(lambda recipe: recipe.with_changes(merges=None))


def layout_of(shown: Shown, width: float = 300) -> PipelineLayout:
    layout = PipelineLayout(QApplication.font())
    layout.set_width(width)
    layout.show(shown)
    return layout


def untrained(text: str, recipe: Recipe) -> Shown:
    return Shown.of(trace_pipeline(recipe, text, compiled=False), None, 0)


def trained(text: str, history: History, position: int | None = None) -> Shown:
    trace = trace_pipeline(history.recipe, text, history.base, compiled=False)
    merging = Merging(trace, history, compiled=False)
    return Shown.of(trace, merging, len(history) if position is None else position)


@settings(max_examples=60)
@given(text=TEXTS, recipe=RECIPES, width=st.integers(30, 500))
def test_every_item_is_found_where_it_is_shown(
    qapp: object, text: str, recipe: Recipe, width: int
) -> None:
    layout = layout_of(untrained(text, recipe), width)
    for stage in Stage:
        for item in range(len(layout.items(stage))):
            place = ItemPlace(stage, item)
            for left, right, top in rectangles_of(layout, place):
                y = top + layout.fonts.row_height / 2
                assert layout.place_at((left + right) / 2, y) == place
                assert layout.place_at(left, y) == layout.place_at(right - 1, y) == place


@settings(max_examples=60)
@given(text=TEXTS, recipe=RECIPES, width=st.integers(30, 500))
def test_systems_have_every_column_once_side_by_side(
    qapp: object, text: str, recipe: Recipe, width: int
) -> None:
    shown = untrained(text, recipe)
    layout = layout_of(shown, width)
    reached = 0
    for system in range(len(layout)):
        columns = layout.columns(system)
        assert columns.first == reached
        assert columns.last > columns.first
        reached = columns.last
        edges = sorted(zip(columns.left, columns.right, strict=True))
        assert [0, *(right for _, right in edges)][:-1] == [left for left, _ in edges]
        assert edges[-1][1] <= width or columns.last - columns.first == 1
        assert layout.system_of(columns.first) == layout.system_of(columns.last - 1) == system
        middle = layout.system_top(system) + 1
        assert layout.system_at(middle) == system
    assert reached == shown.trace.columns
    raw = shown.trace.raw
    for item in range(len(raw)):
        if raw.content(item) == b"\n" and raw.statuses[item] == Status.KEPT:
            _, last = layout.span_of(ItemPlace(Stage.RAW, item))
            if item + 1 < len(raw) and raw.content(item + 1) == b"\n":
                continue
            torn = any(
                first < last < end
                for items in (raw, shown.trace.normalized)
                for first, end in zip(items.firsts, items.lasts, strict=True)
            )
            assert torn or last == reached or layout.system_of(last) != layout.system_of(last - 1)


@settings(max_examples=60)
@given(text=TEXTS, position=st.integers(0, 12), recipe=RECIPES)
def test_what_is_written_has_room(qapp: object, text: str, position: int, recipe: Recipe) -> None:
    history = byte_level("ab an abn ban é é é 漢 漢 שלם שלם")
    for shown in (untrained(text, recipe), trained(text, history, position)):
        layout = layout_of(shown, 10_000)
        for system in range(len(layout)):
            columns = layout.columns(system)
            for stage in Stage:
                own = items_of(layout, stage, columns.first, columns.last)
                for written in written_in(layout, stage, columns, own):
                    stretches = columns.stretches(written.first, written.last)
                    assert sum(right - left for left, right in stretches) >= written.writing.width


@settings(max_examples=60)
@given(text=TEXTS, position=st.integers(0, 12))
def test_tokens_are_written_as_their_characters_and_the_bytes_between(
    qapp: object, text: str, position: int
) -> None:
    history = byte_level("ab an abn ban é é é 漢 漢 שלם שלם")
    shown = trained(text, history, position)
    layout = layout_of(shown, 200)
    written: dict[int, str] = {}
    for system in range(len(layout)):
        columns = layout.columns(system)
        for row in items_of(layout, Stage.TOKENS, columns.first, columns.last):
            for one in written_in(layout, Stage.TOKENS, columns, [row]):
                told = "".join(glyph.text for glyph in one.writing.glyphs)
                written[row.item] = written.get(row.item, "") + told
    writer = layout.writer
    for item, told in written.items():
        content = shown.merged.items.content(item)
        whole = "".join(glyph.text for glyph in writer.write(content).glyphs)
        assert told == whole
    assert len(written) == len(shown.merged.ids)


@settings(max_examples=40)
@given(text=TEXTS, first=st.integers(0, 12), second=st.integers(0, 12))
def test_nothing_moves_from_one_position_to_another(
    qapp: object, text: str, first: int, second: int
) -> None:
    history = byte_level("ab an abn ban é é é 漢 漢")
    shown = trained(text, history, first)
    layout = layout_of(shown, 200)
    before = [(layout.columns(n).left, layout.columns(n).right) for n in range(len(layout))]
    layout.show(shown.at(second))
    assert before == [(layout.columns(n).left, layout.columns(n).right) for n in range(len(layout))]
    assert (np.diff(layout.fills(ColourBy.PLACE)) != 0).all(), "neighbours never look alike"


def test_tokens_have_the_colours_that_they_have_in_every_panel(qapp: object) -> None:
    history = byte_level("ab an abn ban")
    shown = trained("ab ban ab", history, 2)
    layout = layout_of(shown, 200)
    colouring = TokenColouring(history)
    for by in (ColourBy.TOKEN, ColourBy.AGE, ColourBy.LENGTH):
        expected = colouring.fills(shown.merged.ids, by)
        assert expected is not None
        assert layout.fills(by).tolist() == expected.tolist()
    layout.show(shown.at(0))
    assert len(layout.fills(ColourBy.TOKEN)) == len("ab ban ab"), "those of the tokens there are"


def test_scripts_that_run_to_the_left_are_turned_and_their_bytes_too(qapp: object) -> None:
    layout = layout_of(untrained("ab שלם", preset("gpt2")), 2000)
    columns = layout.columns(0)
    assert columns.turned
    lefts = [rectangles_of(layout, ItemPlace(Stage.RAW, item))[0][0] for item in range(6)]
    assert lefts[:3] == sorted(lefts[:3])
    assert lefts[3:] == sorted(lefts[3:], reverse=True)
    symbols = [rectangles_of(layout, ItemPlace(Stage.SYMBOLS, item))[0][0] for item in range(9)]
    assert symbols[3:] == sorted(symbols[3:], reverse=True)
    plain = layout_of(untrained("ab cd", preset("gpt2")), 2000)
    assert not plain.columns(0).turned


def test_a_stretch_of_turned_columns_may_be_torn(qapp: object) -> None:
    """A pre-token that runs both ways has a box for each of its parts."""
    layout = layout_of(untrained("ab שלם cd", Recipe(split="none")), 5000)
    assert len(rectangles_of(layout, ItemPlace(Stage.PRETOKENS, 0))) == 1
    columns = layout.columns(0)
    raw = layout.items(Stage.RAW)
    first, last = int(raw.firsts[2]), int(raw.lasts[4])
    assert len(columns.stretches(first, last)) == 2


@pytest.mark.parametrize(
    ("content", "texts", "style"),
    [
        (b"a", ["a"], Style.TEXT),
        (b" ", [" "], Style.SPACE),
        (b"\n", ["¶"], Style.LABEL),
        (b"\t", ["→"], Style.LABEL),
        (b"\x00", ["‹NUL›"], Style.LABEL),
        (b"\xe2\x80", ["0xE2 0x80"], Style.BYTES),
        ("\u0301".encode(), ["◌\u0301"], Style.TEXT),
        ("\u200d".encode(), ["‹ZWJ›"], Style.LABEL),
        ("漢".encode(), ["漢"], Style.TEXT),
    ],
)
def test_how_things_are_written(
    qapp: object, content: bytes, texts: list[str], style: Style
) -> None:
    writing = Writer(TokenFonts(QApplication.font())).write(content)
    assert [glyph.text for glyph in writing.glyphs] == texts
    assert {glyph.style for glyph in writing.glyphs} == {style}
    assert writing.width > 0


def test_the_mark_of_a_words_end_is_a_mark_only_where_it_is_one(qapp: object) -> None:
    writer = Writer(TokenFonts(QApplication.font()))
    marked = writer.write(b"w</w>", marked=True).glyphs
    assert [(glyph.text, glyph.style) for glyph in marked] == [
        ("w", Style.TEXT),
        ("</w>", Style.LABEL),
    ]
    assert [glyph.text for glyph in writer.write(b"</w>").glyphs] == list("</w>")


@pytest.mark.parametrize(
    ("start", "keys", "end"),
    [
        ((Stage.RAW, 0), "d", (Stage.NORMALIZED, 0)),
        ((Stage.RAW, 0), "ddd", (Stage.SYMBOLS, 0)),
        # Nothing stands below white space that was dropped but the pre-tokens' row.
        ((Stage.RAW, 3), "ddd", (Stage.PRETOKENS, 1)),
        ((Stage.RAW, 0), "r", (Stage.RAW, 1)),
        ((Stage.RAW, 0), "l", (Stage.RAW, 0)),
        ((Stage.RAW, 0), "er", (Stage.RAW, 7)),
        ((Stage.TOKENS, 0), "u", (Stage.SYMBOLS, 0)),
        ((Stage.TOKENS, 1), "uuuu", (Stage.RAW, 4)),
        ((Stage.IDS, 1), "hd", (Stage.IDS, 0)),
    ],
)
def test_where_the_keys_lead(
    qapp: object, start: tuple[Stage, int], keys: str, end: tuple[Stage, int]
) -> None:
    layout = layout_of(trained("low west", four_words()))
    named = {
        **{"l": Qt.Key.Key_Left, "r": Qt.Key.Key_Right, "u": Qt.Key.Key_Up},
        **{"d": Qt.Key.Key_Down, "h": Qt.Key.Key_Home, "e": Qt.Key.Key_End},
    }
    place = ItemPlace(*start)
    for key in keys:
        place = layout.destination(place, named[key])
    assert place == ItemPlace(*end)


@pytest.mark.parametrize("name", ["whitespace", "gpt2", "raw"])
def test_an_empty_line_takes_no_rows_of_its_own(qapp: object, name: str) -> None:
    for text, systems in (("low\nlow", 2), ("low\n\n\nlow\n", 2), ("\n\nשלם\n\nlow", 3)):
        layout = layout_of(untrained(text, preset(name)), 500)
        assert len(layout) == systems, text


def test_wide_things_that_become_few_go_on_in_the_next_system(qapp: object) -> None:
    """A match of many characters that became one has no room in a system."""
    shown = untrained(
        "a" * 100,
        Recipe(normalizers=(Replace("a+", "b"), Prepend("c")), symbols=Symbols.CHARACTERS),
    )
    layout = layout_of(shown, 200)
    assert len(layout) > 1
    parts = rectangles_of(layout, ItemPlace(Stage.NORMALIZED, 1))
    assert len(parts) == len(layout) - 1
