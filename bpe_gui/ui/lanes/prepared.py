"""Lanes over one text as far as they can be got ready without laying anything out.

All of it is numpy, and for any thread.
"""

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
"""Stretches of a text, shape (number, 2): from and to, in bytes, ascending and apart."""

NO_STRETCHES: Stretches = np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True)
class LaneColumns:
    """What is drawn of one lane: its cut, and the colour of each of its tokens.

    `room` lists the tokens that cover any text, in order; `starts` and `ends` are theirs. Tokens
    that normalization has made of the same text share its room: only the first is in `room`,
    `shares` tells how many there are, `sharing` lists them all, and `firsts` where each begins.
    """

    cut: Cut
    colours: NDArray[np.int8]
    quiet: NDArray[np.bool_]
    """Whether a token is in no difference, and so like those of the other lanes."""
    room: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    shares: NDArray[np.int64]
    sharing: NDArray[np.int64]
    firsts: NDArray[np.int64]
    named: NDArray[np.bool_]
    """Whether a token is written itself, instead of the text that it shares; False for NOWHERE."""

    def tokens_of(
        self, places: NDArray[np.int64], pieces: NDArray[np.int64], starts: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The token at each byte, of tokens that share its text that to which a piece falls.

        `starts` are those of all pieces: there are no fewer in a text than tokens that share it.
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
        """The token that covers each byte, the first of several; NOWHERE for none."""
        if not len(self.room):
            return np.full(len(places), NOWHERE)
        found = np.searchsorted(self.ends, places, "right")
        inside = found < len(self.room)
        found[~inside] = 0
        inside &= self.starts[found] <= places
        return np.where(inside, self.room[found], NOWHERE)

    def closing_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The token that ends a word at each byte, by its marker; NOWHERE for none."""
        closing = np.flatnonzero(self.cut.closes)
        if not len(closing):
            return np.full(len(places), NOWHERE)
        ends = self.cut.tokens.ends[closing]
        found = np.minimum(np.searchsorted(ends, places), len(closing) - 1)
        return np.where(ends[found] == places, closing[found], NOWHERE)

    def looks_like(self, other: LaneColumns) -> bool:
        """Whether the lane is drawn the same, where the differences are the same."""
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

    pieces: those between any two borders, as a cut of the text.
    shared: for each byte of the text, and its end, whether all lanes have a border there.
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
        """Whether it is drawn the same; only the tokens' ids may be others."""
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
    """Get lanes over one text ready to be laid out, and where they part (stretches of bytes).

    What begins where something began before keeps the colour that `colours` remembers. A lane
    that stands alone is like no other: all its tokens are coloured.
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
    # A token without room may stand at the very end of the text.
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
    """Which of these spans share a byte with any stretch; an empty span lies at its start."""
    if not len(stretches) or not len(starts):
        return np.zeros(len(starts), np.bool_)
    ends = np.maximum(ends, starts + 1)
    size = max(int(ends.max()), int(stretches[-1, 1]))
    steps = np.zeros(size + 1, np.int8)
    steps[stretches[:, 0]] += 1
    steps[stretches[:, 1]] -= 1
    # How many bytes before each lie in a stretch: more than at its start, and a span has some.
    before = np.zeros(size + 1, np.int32)
    np.cumsum(np.cumsum(steps[:-1], dtype=np.int8), dtype=np.int32, out=before[1:])
    return before[ends] > before[starts]


def union_of(
    characters: Characters, lanes: Sequence[Cut], colours: TokenColours | None = None
) -> TokenizedText:
    """The pieces between any two borders; those end a word that do so in some lane.

    They take their colours from those of the same text before, which `colours` remembers.

    The pieces cover the whole text, also what lanes leave out, so that a lane's token is
    always a row of whole pieces. Text that several tokens of a lane share is split into its
    characters, the last of them repeated until there is a piece for each.
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
    """What is as wide as what is written of a token that shares its text with others."""
    return hex_label(b"\xdd")


def rooms_of(cut: Cut) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The first of the tokens that share some text, all that cover any, and where in the list of
    these each of the former is.

    Tokens share a text where normalization has made several of it: all end where it ends.
    """
    starts, ends = cut.tokens.starts, cut.tokens.ends
    sharing = np.flatnonzero(ends > starts)
    beyond = np.maximum.accumulate(ends[sharing]) if len(sharing) else ends[sharing]
    fresh = np.ones(len(sharing), np.bool_)
    fresh[1:] = beyond[1:] > beyond[:-1]
    firsts = np.flatnonzero(fresh)
    return sharing[firsts], sharing, firsts


def _shared(cut: Cut) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The texts that several tokens share, from and to, in bytes, and how many tokens these are."""
    room, sharing, firsts = rooms_of(cut)
    count = np.diff(np.append(firsts, len(sharing)))
    begins, stops = cut.tokens.starts[room], cut.tokens.ends[room]
    begins[1:] = np.maximum(begins[1:], stops[:-1])
    several = count > 1
    return begins[several], stops[several], count[several]
