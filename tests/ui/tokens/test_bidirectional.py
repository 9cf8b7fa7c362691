"""Text in mixed directions: the coloured text shows it as Qt does, and boxes lie under it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextLayout, QTextLine, QTextOption

from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.layout import TokenLayout
from bpe_gui.ui.tokens.picture import NOWHERE, Emphasis, ShownRow, boxes_of, tokens_of_units
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

pytestmark = pytest.mark.usefixtures("qapp")

_POSITIONS = QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
_INDEXES = QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
_LETTERS = "abc123 .,(!%+שלםعربا٤٥نमसत日"
_CLUSTERS = [
    "e\u0301",
    "ש\u05bc\u05c1",
    "ע\u064e",
    "त\u0947",
    "स\u094d",
    "ก\u0e31",
    "👍🏽",
    "👨\u200d👩",
]
_OVERRIDES = "\u202d\u202e"
_HIDDEN = (
    "\t\u00a0\u200b\u200e\u200f\u061c\u2066\u2067\u2069\u202a\u202b\u202c\x07\x1c\u2028"
    + _OVERRIDES
)

mixtures = st.lists(
    st.sampled_from([*_LETTERS * 3, *_CLUSTERS * 3, *_HIDDEN]), min_size=1, max_size=24
).map("".join)
_ALONE = "abc123 .,(!%שלם¡\u00a0\u200b\u200f\u0007"
"""Characters that are as wide in any company."""
cuts = st.sets(st.integers(0, 70), max_size=30)


@dataclass
class Pieces:
    """A text cut before some of its bytes, whatever a tokenizer might think of it."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    char_starts: NDArray[np.int64]
    char_ends: NDArray[np.int64]

    @classmethod
    def of(cls, text: str, offsets: set[int]) -> Pieces:
        edges = np.cumsum([0, *(len(character.encode()) for character in text)])
        size = int(edges[-1])
        bounds = np.array(sorted({0, size} | {offset for offset in offsets if offset < size}))
        starts, ends = bounds[:-1], bounds[1:]
        return cls(
            ids=np.arange(len(starts), dtype=np.int32),
            starts=starts,
            ends=ends,
            char_starts=np.searchsorted(edges, starts, "right") - 1,
            char_ends=np.searchsorted(edges, ends),
        )


def laid_out(
    text: str,
    offsets: set[int],
    width: float = 1e6,
    *,
    words: bool = True,
    font: QFont | None = None,
) -> TokenLayout:
    """A text cut at some bytes; as `words`, every third token ends one."""
    layout = TokenLayout(font or QFont())
    layout.set_width(width)
    pieces = Pieces.of(text, offsets)
    closes = (np.arange(len(pieces.ids)) % 3 == 2) & words
    layout.show(TokenizedText(Characters(text), pieces, closes, str))
    return layout


def line_of(text: str, backwards: bool, font: QFont) -> tuple[QTextLayout, QTextLine]:
    """A line as Qt shows it in a paragraph that runs to the left, or does not."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(
        Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight
    )
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return layout, line


def glyphs(text: str, line: QTextLine) -> dict[int, float]:
    """Where the leftmost glyph of each character is; the last of a cluster has them all.

    Each has what Qt gives from it on but not from the next one on. Asked for less than the
    rest of a line, Qt misplaces glyphs in runs to the left. Whose glyphs they are it cannot
    say where several fonts help out.
    """
    places = {}
    later: Counter[float] = Counter()
    units = [1 + (letter > "\uffff") for letter in text]
    for character in reversed(range(len(text))):
        unit, rest = sum(units[:character]), sum(units[character:])
        runs = line.glyphRuns(unit, rest, _POSITIONS)
        found = Counter(position.x() for run in runs for position in run.positions())
        if own := found - later:
            places[character] = min(own)
        later = found
    return places


def one_font() -> QFont:
    """The usual font without the help of others."""
    font = QFont()
    font.setStyleStrategy(QFont.StyleStrategy.NoFontMerging)
    return font


def order(text: str, backwards: bool) -> list[int]:
    """The letters of a line from left to right, as Qt shows them."""
    # Here neither of these ends a line, as they would there.
    text = text.replace("\x1c", "\t").replace("\u2028", " ")
    _layout, line = line_of(text, backwards, one_font())
    characters = [place for place, c in enumerate(text) for _ in range(1 + (c > "\uffff"))]
    places: dict[int, float] = {}
    for run in line.glyphRuns(-1, -1, _POSITIONS | _INDEXES):
        for index, position in zip(run.stringIndexes(), run.positions(), strict=True):
            places.setdefault(characters[index], position.x())
    return sorted((c for c in places if text[c] in _LETTERS), key=places.__getitem__)


def shown_order(shown: ShownRow, letters: set[int]) -> list[int]:
    """The same letters as they come in a row; the parts of a split one count once."""
    row = shown.row
    characters = row.character if row.visual is None else row.character[row.visual]
    return list(dict.fromkeys(c for c in characters.tolist() if c in letters))


@example("שלום नमस्ते abc", set(range(40)))
@example("שלום\tabc", {3})
@given(mixtures, cuts)
def test_letters_come_in_the_order_in_which_qt_shows_them(text: str, offsets: set[int]) -> None:
    layout = laid_out(text, offsets)
    backwards = layout.characters.is_backwards(0)
    expected = order(text, backwards)
    assert shown_order(layout.shown(0), set(expected)) == expected


@example("שלום abc ¡", set(range(40)), True)
@given(st.text(st.sampled_from(_ALONE), min_size=1, max_size=24), cuts, st.booleans())
def test_letters_have_the_extents_that_qt_gives_them(
    text: str, offsets: set[int], backwards: bool
) -> None:
    text = ("ש" if backwards else "a") + text
    # Or what is in no script takes the font of its neighbours.
    layout = laid_out(text, offsets, font=one_font())
    row = layout.shown(0).row
    drawn, line = line_of(text, backwards, layout.fonts.body)
    places = glyphs(text, line)
    edges = np.unique([*places.values(), line.horizontalAdvance()])
    assert drawn.text() == text
    shown: dict[int, int] = {}
    for unit, character in enumerate(row.character.tolist()):
        shown.setdefault(character, unit)
    for character, x in places.items():
        unit = shown[character]
        if not row.labels:
            assert row.left[unit] == pytest.approx(x, abs=0.02)
        # Where names and bytes stand in between, letters are further off, but no wider.
        if not layout.cut.apart[character]:
            width = edges[np.searchsorted(edges, x, "right")] - x
            assert row.right[unit] - row.left[unit] == pytest.approx(width, abs=0.02)


@example("ש👨\u200d👩.", set())
@example("ש👨\u200d👩.", {1, 2, 13})
@example("ש👨\u200d👩.", {2, 6, 9, 13})
@example("ש👍🏽👨\u200d👩", {2, 10})
@given(mixtures, cuts)
def test_glyphs_are_drawn_where_their_edges_say(text: str, offsets: set[int]) -> None:
    # Of letters that are joined and turned by force, Qt says that all are equally wide.
    assume("\u202e" not in text or "\u094d" not in text)
    layout = laid_out(text, offsets, words=False)
    row = layout.shown(0).row
    left = dict(zip(row.character.tolist(), row.left.tolist(), strict=True))
    starts = np.flatnonzero(layout.characters.cluster_starts).tolist()
    drawn = iter(np.flatnonzero(~layout.cut.apart).tolist())
    for part, origin in row.texts:
        unseen = len(part.text()) - len(part.text().lstrip(_OVERRIDES))
        own = dict(zip(range(unseen, len(part.text())), drawn, strict=False))
        found = glyphs(part.text(), part.lineAt(0))
        places = {character: found[index] for index, character in own.items() if index in found}
        for begin in sorted({*own.values()} & {*starts}):
            cluster = range(begin, starts[bisect_right(starts, begin)])
            seen = [places[character] for character in cluster if character in places]
            edge = min(left[character] for character in cluster if character in own.values())
            assert origin.x() + min(seen) == pytest.approx(edge, abs=0.02)
    in_order = np.lexsort((row.right, row.left))
    assert row.left[in_order][1:] == pytest.approx(row.right[in_order][:-1], abs=0.02)


@given(mixtures, cuts, st.sampled_from([60.0, 1e6]))
def test_boxes_lie_under_their_tokens(text: str, offsets: set[int], width: float) -> None:
    layout = laid_out(text, offsets, width)
    rows = [layout.shown(row) for row in range(len(layout))]
    layout.cut.colours = np.arange(len(layout.cut), dtype=np.int8)
    emphasis = Emphasis(0, 0, -2, -2, *np.zeros((2, len(layout.cut)), bool))
    boxes = boxes_of(layout.cut, rows, emphasis, ColourBy.PLACE)
    for row, shown in enumerate(rows):
        own = boxes.row == row
        assert (boxes.left[own][1:] >= boxes.right[own][:-1] - 0.02).all()
        found = tokens_of_units(layout.cut, shown)
        for token in set(found.tolist()) - {NOWHERE}:
            covered = own & (boxes.fill == token)
            units = found == token
            sizes = boxes.right[covered] - boxes.left[covered]
            assert sizes.sum() == pytest.approx(
                (shown.row.right[units] - shown.row.left[units]).sum(), abs=0.1
            )
            assert boxes.left[covered].min() == pytest.approx(shown.row.left[units].min())


def test_rows_run_the_way_of_their_paragraph() -> None:
    text = "שלום " * 6 + "abc (12) lower!\n(12) lower שלום"
    layout = laid_out(text, {5, 10, 20}, 120.0)
    assert len(layout) > 3
    last = layout.row_of(text.index("\n"))
    for number in range(len(layout)):
        shown = layout.shown(number)
        expected = order(text[shown.first : shown.last].rstrip("\n"), number <= last)
        assert shown_order(shown, set(expected)) == expected
