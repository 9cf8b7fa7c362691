"""All borders of several cuts of one text, as one cut that every lane is drawn upon."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.alignment import Cut
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColours
from bpe_gui.ui.tokens.fonts import hex_label
from bpe_gui.ui.tokens.tokenized_text import TokenizedText


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
