"""Prepares lanes over one text for the layout: all that numpy can do, on any thread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.visible import visible_bytes
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.differences.alignment import Cut
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColours, separated
from bpe_gui.ui.tokens.picture import NOWHERE
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

Stretches = NDArray[np.int64]
"""Byte ranges of a text, shape (number, 2): starts and ends, ascending and disjoint."""

NO_STRETCHES: Stretches = np.empty((0, 2), np.int64)


class Coverage(Struct, frozen=True):
    """The tokens of a cut that cover text.

    Normalization can make several tokens of the same text; they all end where it ends.
    every: all tokens that cover text.
    tokens: the first token of each text; starts, ends: the bytes of the text.
    firsts: the place of this token in `every`; counts: the number of tokens of the same text.
    """

    every: NDArray[np.int64]
    tokens: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    firsts: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, cut: Cut) -> Coverage:
        starts, ends = cut.tokens.starts, cut.tokens.ends
        every = np.flatnonzero(ends > starts)
        beyond = np.maximum.accumulate(ends[every])
        fresh = np.ones(len(every), np.bool_)
        fresh[1:] = beyond[1:] > beyond[:-1]
        firsts = np.flatnonzero(fresh)
        counts, tokens = np.diff(np.append(firsts, len(every))), every[firsts]
        begins, stops = starts[tokens], ends[tokens]
        begins[1:] = np.maximum(begins[1:], stops[:-1])
        return cls(every, tokens, begins, stops, firsts, counts)

    def shared(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return starts, ends and counts of the texts of which there are several tokens."""
        several = self.counts > 1
        return self.starts[several], self.ends[several], self.counts[several]


class LaneColumns(Struct, frozen=True):
    """What is drawn of one lane: its cut, and the colour of each of its tokens."""

    cut: Cut
    coverage: Coverage
    colours: NDArray[np.int8]
    quiet: NDArray[np.bool_]
    """Whether a token is in no difference."""
    named: NDArray[np.bool_]
    """Whether a token is written itself, not the text that it shares; False for NOWHERE."""

    def tokens_of(
        self, places: NDArray[np.int64], pieces: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the token at each byte; pieces are distributed among tokens of the same text.

        `starts` are those of all pieces: a text has at least as many pieces as tokens.
        """
        tokens, covered = self.tokens_at(places), self.coverage
        shared = np.flatnonzero(self.named[tokens])
        at = np.searchsorted(covered.tokens, tokens[shared])
        first = np.searchsorted(starts, covered.starts[at])
        count = np.searchsorted(starts, covered.ends[at]) - first
        beyond_first = (pieces[shared] - first) * covered.counts[at] // count
        tokens[shared] = covered.every[covered.firsts[at] + beyond_first]
        return tokens

    def tokens_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the token that covers each byte, the first of several; NOWHERE for none."""
        covered = self.coverage
        if not len(covered.tokens):
            return np.full(len(places), NOWHERE)
        found = np.searchsorted(covered.ends, places, "right")
        inside = found < len(covered.tokens)
        found[~inside] = 0
        inside &= covered.starts[found] <= places
        return np.where(inside, covered.tokens[found], NOWHERE)

    def closing_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the token that ends a word at each byte, by its marker; NOWHERE for none."""
        closing = np.flatnonzero(self.cut.closes)
        if not len(closing):
            return np.full(len(places), NOWHERE)
        ends = self.cut.tokens.ends[closing]
        found = np.minimum(np.searchsorted(ends, places), len(closing) - 1)
        return np.where(ends[found] == places, closing[found], NOWHERE)

    def tokens_at_marks(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the token at the mark of a word's end at each byte, which may be of another lane.

        That is the token that ends a word there, or one that goes on behind it; NOWHERE for none.
        """
        before, behind = self.tokens_at(places - 1), self.tokens_at(places)
        goes_on = (before == behind) & ~self.named[before]
        closing = self.closing_at(places)
        return np.where((closing == NOWHERE) & goes_on, before, closing)

    def looks_like(self, other: LaneColumns) -> bool:
        """Whether the lane looks the same, provided that the differences are the same."""
        mine, its = self.cut, other.cut
        return all(
            np.array_equal(one, another)
            for one, another in (
                (mine.tokens.starts, its.tokens.starts),
                (mine.tokens.ends, its.tokens.ends),
                (mine.closes, its.closes),
                (mine.special, its.special),
                (mine.unknown, its.unknown),
                (mine.tokens.ids[self.named[:-1]], its.tokens.ids[other.named[:-1]]),
            )
        )


class PreparedScore(Struct, frozen=True):
    """What is drawn of lanes over one text.

    pieces: the text between any two neighbouring borders.
    shared: whether all lanes have a border before each byte of the text, and at its end.
    agreement: shape (lanes, differences); lanes with the same number agree in a difference.
    """

    pieces: TokenizedText
    lanes: tuple[LaneColumns, ...]
    differences: Stretches
    shared: NDArray[np.bool_]
    agreement: NDArray[np.uint64]

    @property
    def text(self) -> str:
        return self.pieces.characters.text

    def looks_like(self, other: PreparedScore) -> bool:
        """Whether it looks the same; only the ids of tokens may differ."""
        return (
            self.text == other.text
            and len(self.lanes) == len(other.lanes)
            and np.array_equal(self.differences, other.differences)
            and np.array_equal(self.agreement, other.agreement)
            and all(map(LaneColumns.looks_like, self.lanes, other.lanes))
        )


def prepare(
    characters: Characters,
    lanes: Sequence[Cut],
    differences: Stretches,
    colours: TokenColours | None = None,
    agreement: NDArray[np.uint64] | None = None,
) -> PreparedScore:
    """Prepare lanes over one text, and their differences, to be laid out.

    Without `agreement`, no two lanes agree in a difference.

    Pieces that begin where one began before keep its colour, which `colours` remembers. All
    tokens of a single lane are coloured.
    """
    coverages = [Coverage.of(lane) for lane in lanes]
    pieces = union_of(characters, lanes, coverages, colours)
    shared = np.ones(int(pieces.ends[-1]) + 1 if len(pieces) else 1, np.bool_)
    for lane in lanes:
        borders = np.zeros(len(shared), np.bool_)
        borders[lane.tokens.starts] = True
        borders[lane.tokens.ends] = True
        shared &= borders
    alone = len(lanes) == 1
    columns = tuple(
        _columns(lane, coverage, pieces, differences, alone=alone)
        for lane, coverage in zip(lanes, coverages, strict=True)
    )
    if agreement is None:
        agreement = np.repeat(np.arange(len(lanes), dtype=np.uint64)[:, None], len(differences), 1)
    return PreparedScore(pieces, columns, differences, shared, agreement)


def _columns(
    cut: Cut, coverage: Coverage, pieces: TokenizedText, differences: Stretches, *, alone: bool
) -> LaneColumns:
    starts, ends = cut.tokens.starts, cut.tokens.ends
    # A token that covers no text may be at the very end.
    places = np.minimum(np.searchsorted(pieces.starts, starts), max(len(pieces) - 1, 0))
    colours = pieces.colours[places] if len(pieces) else np.zeros(len(places), np.int8)
    quiet = np.zeros(len(starts), np.bool_) if alone else ~touched(starts, ends, differences)
    named = np.zeros(len(starts) + 1, np.bool_)
    named[coverage.every] = np.repeat(coverage.counts > 1, coverage.counts)
    return LaneColumns(cut, coverage, separated(colours, starts), quiet, named)


def touched(
    starts: NDArray[np.int64], ends: NDArray[np.int64], stretches: Stretches
) -> NDArray[np.bool_]:
    """Return which spans share a byte with any stretch; an empty span is the byte at its start."""
    if not len(stretches) or not len(starts):
        return np.zeros(len(starts), np.bool_)
    ends = np.maximum(ends, starts + 1)
    size = max(int(ends.max()), int(stretches[-1, 1]))
    steps = np.zeros(size + 1, np.int8)
    steps[stretches[:, 0]] += 1
    steps[stretches[:, 1]] -= 1
    # The number of bytes in stretches before each byte.
    before = np.zeros(size + 1, np.int32)
    np.cumsum(np.cumsum(steps[:-1], dtype=np.int8), dtype=np.int32, out=before[1:])
    return before[ends] > before[starts]


def union_of(
    characters: Characters,
    lanes: Sequence[Cut],
    coverages: Sequence[Coverage],
    colours: TokenColours | None = None,
) -> TokenizedText:
    """Split a text at the borders of all lanes into pieces; some end a word, as in some lane.

    Pieces keep the colour of the same text before, which `colours` remembers.

    The pieces cover the whole text, also what lanes leave out, so that each token of a lane
    consists of whole pieces. Text of which a lane has made several tokens is split into its
    characters, and the last is repeated until there is a piece for each token.
    """
    edges = characters.byte_starts
    size = int(edges[-1])
    border = np.zeros(size + 1, np.bool_)
    closing = np.zeros(size + 1, np.bool_)
    covered = np.zeros(size + 1, np.int64)
    border[[0, size]] = True
    for lane in lanes:
        border[lane.tokens.starts] = True
        border[lane.tokens.ends] = True
        closing[lane.tokens.ends[lane.closes]] = True
        np.add.at(covered, lane.tokens.starts, 1)
        np.add.at(covered, lane.tokens.ends, -1)
    dropped = np.cumsum(covered)[edges[:-1]] == 0
    shared = [covered.shared() for covered in coverages]
    inside = np.zeros(size + 2, np.int64)
    for begins, stops, _ in shared:
        np.add.at(inside, begins, 1)
        np.add.at(inside, stops, -1)
    split = np.cumsum(inside)[edges[:-1]] > 0
    border[edges[:-1][split]] = True
    places = np.flatnonzero(border)
    times = np.ones(len(places) - 1, np.int64)
    for begins, stops, count in shared:
        first, after = np.searchsorted(places, begins), np.searchsorted(places, stops)
        np.maximum.at(times, after - 1, 1 + count - (after - first))
    starts, ends = np.repeat(places[:-1], times), np.repeat(places[1:], times)
    firsts = np.searchsorted(edges, starts, "right") - 1
    lasts = np.searchsorted(edges, ends, "left")
    pieces = Tokens(np.zeros(len(starts), np.int32), starts, ends, firsts, lasts)
    colours = colours or TokenColours()
    colours.edit(characters.data)
    last = np.append(starts[1:] != starts[:-1], True)
    closes = closing[ends] & last[: len(starts)]
    union = TokenizedText(
        # All labels that share their text with others are as wide as this one.
        characters, pieces, closes, lambda _: visible_bytes(b"\xdd"), colours.assign(starts), split,
        dropped=dropped,
    )
    named = split[union.part_characters]
    union.part_sizes[named] = np.minimum(union.part_sizes[named], 1)
    return union
