"""Prepares lanes over one text for the layout: all that numpy can do, on any thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.alignment import Cut
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColours, separated
from bpe_gui.ui.tokens.fonts import hex_label
from bpe_gui.ui.tokens.picture import NOWHERE
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

Stretches = NDArray[np.int64]
"""Byte ranges of a text, shape (number, 2): starts and ends, ascending and disjoint."""

NO_STRETCHES: Stretches = np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True)
class LaneColumns:
    """What is drawn of one lane: its cut, and the colour of each of its tokens.

    Normalization can make several tokens of the same text. Only the first of them is in `room`.
    room: the tokens that cover text, in order; starts, ends: their bytes.
    shares: the number of tokens that have the same text as each of these.
    sharing: all tokens that cover text; firsts: the place in it of each token of `room`.
    """

    cut: Cut
    colours: NDArray[np.int8]
    quiet: NDArray[np.bool_]
    """Whether a token is in no difference."""
    room: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    shares: NDArray[np.int64]
    sharing: NDArray[np.int64]
    firsts: NDArray[np.int64]
    named: NDArray[np.bool_]
    """Whether a token is written itself, not the text that it shares; False for NOWHERE."""

    def tokens_of(
        self, places: NDArray[np.int64], pieces: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the token at each byte; pieces are distributed among tokens of the same text.

        `starts` are those of all pieces: a text has at least as many pieces as tokens.
        """
        tokens = self.tokens_at(places)
        shared = np.flatnonzero(self.named[tokens])
        at = np.searchsorted(self.room, tokens[shared])
        first = np.searchsorted(starts, self.starts[at])
        count = np.searchsorted(starts, self.ends[at]) - first
        tokens[shared] = self.sharing[
            self.firsts[at] + (pieces[shared] - first) * self.shares[at] // count
        ]
        return tokens

    def tokens_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the token that covers each byte, the first of several; NOWHERE for none."""
        if not len(self.room):
            return np.full(len(places), NOWHERE)
        found = np.searchsorted(self.ends, places, "right")
        inside = found < len(self.room)
        found[~inside] = 0
        inside &= self.starts[found] <= places
        return np.where(inside, self.room[found], NOWHERE)

    def closing_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the token that ends a word at each byte, by its marker; NOWHERE for none."""
        closing = np.flatnonzero(self.cut.closes)
        if not len(closing):
            return np.full(len(places), NOWHERE)
        ends = self.cut.tokens.ends[closing]
        found = np.minimum(np.searchsorted(ends, places), len(closing) - 1)
        return np.where(ends[found] == places, closing[found], NOWHERE)

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


@dataclass(frozen=True, slots=True)
class PreparedScore:
    """What is drawn of lanes over one text.

    pieces: the text between any two neighbouring borders.
    shared: whether all lanes have a border before each byte of the text, and at its end.
    """

    pieces: TokenizedText
    lanes: tuple[LaneColumns, ...]
    differences: Stretches
    shared: NDArray[np.bool_]

    @property
    def text(self) -> str:
        """The text."""
        return self.pieces.characters.text

    def looks_like(self, other: PreparedScore) -> bool:
        """Whether it looks the same; only the ids of tokens may differ."""
        return (
            self.text == other.text
            and len(self.lanes) == len(other.lanes)
            and np.array_equal(self.differences, other.differences)
            and all(map(LaneColumns.looks_like, self.lanes, other.lanes))
        )


def prepare(
    characters: Characters,
    lanes: Sequence[Cut],
    differences: Stretches,
    colours: TokenColours | None = None,
) -> PreparedScore:
    """Prepare lanes over one text, and their differences, to be laid out.

    Pieces that begin where one began before keep its colour, which `colours` remembers. All
    tokens of a single lane are coloured.
    """
    pieces = union_of(characters, lanes, colours)
    shared = np.ones(int(pieces.ends[-1]) + 1 if len(pieces) else 1, np.bool_)
    for lane in lanes:
        borders = np.zeros(len(shared), np.bool_)
        borders[lane.tokens.starts] = True
        borders[lane.tokens.ends] = True
        shared &= borders
    alone = len(lanes) == 1
    columns = tuple(_columns(lane, pieces, differences, alone=alone) for lane in lanes)
    return PreparedScore(pieces, columns, differences, shared)


def _columns(
    cut: Cut, pieces: TokenizedText, differences: Stretches, *, alone: bool
) -> LaneColumns:
    starts, ends = cut.tokens.starts, cut.tokens.ends
    # A token that covers no text may be at the very end.
    places = np.minimum(np.searchsorted(pieces.starts, starts), max(len(pieces) - 1, 0))
    colours = pieces.colours[places] if len(pieces) else np.zeros(len(places), np.int8)
    colours = separated(colours, starts)
    room, sharing, firsts = rooms_of(cut)
    shares = np.diff(np.append(firsts, len(sharing)))
    begins = np.maximum(starts[room], np.append(0, ends[room][:-1])) if len(room) else room
    quiet = np.zeros(len(starts), np.bool_) if alone else ~touched(starts, ends, differences)
    named = np.zeros(len(starts) + 1, np.bool_)
    named[sharing] = np.repeat(shares > 1, shares)
    return LaneColumns(
        cut, colours, quiet, room, begins, ends[room], shares, sharing, firsts, named
    )


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
    characters: Characters, lanes: Sequence[Cut], colours: TokenColours | None = None
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
    border[[0, size]] = True
    shared = [_shared(lane) for lane in lanes]
    inside = np.zeros(size + 2, np.int64)
    for lane, (begins, stops, _) in zip(lanes, shared, strict=True):
        border[lane.tokens.starts] = True
        border[lane.tokens.ends] = True
        closing[lane.tokens.ends[lane.closes]] = True
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
    union = TokenizedText(characters, pieces, closes, _name, colours.assign(starts), split)
    named = split[union.part_characters]
    union.part_sizes[named] = np.minimum(union.part_sizes[named], 1)
    return union


def _name(piece: int) -> str:
    """Return a text as wide as the label of a token that shares its text with others."""
    return hex_label(b"\xdd")


def rooms_of(cut: Cut) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return `room`, `sharing` and `firsts`; see `LaneColumns`.

    Tokens that normalization has made of the same text all end where it ends.
    """
    starts, ends = cut.tokens.starts, cut.tokens.ends
    sharing = np.flatnonzero(ends > starts)
    beyond = np.maximum.accumulate(ends[sharing]) if len(sharing) else ends[sharing]
    fresh = np.ones(len(sharing), np.bool_)
    fresh[1:] = beyond[1:] > beyond[:-1]
    firsts = np.flatnonzero(fresh)
    return sharing[firsts], sharing, firsts


def _shared(cut: Cut) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return starts and ends of the texts that several tokens share, and how many tokens do."""
    room, sharing, firsts = rooms_of(cut)
    count = np.diff(np.append(firsts, len(sharing)))
    begins, stops = cut.tokens.starts[room], cut.tokens.ends[room]
    begins[1:] = np.maximum(begins[1:], stops[:-1])
    several = count > 1
    return begins[several], stops[several], count[several]
