"""All borders of several cuts of one text, as one cut that every lane is drawn upon."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.alignment import Cut
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColours
from bpe_gui.ui.tokens.tokenized_text import TokenizedText


def union_of(
    characters: Characters, lanes: Sequence[Cut], colours: TokenColours | None = None
) -> TokenizedText:
    """The pieces between any two borders; those end a word that do so in some lane.

    They take their colours from those of the same text before, which `colours` remembers.

    The pieces cover the whole text, also what lanes leave out, so that a lane's token is
    always a row of whole pieces.
    """
    edges = characters.byte_starts
    size = int(edges[-1])
    border = np.zeros(size + 1, np.bool_)
    closing = np.zeros(size + 1, np.bool_)
    border[[0, size]] = True
    for lane in lanes:
        border[lane.tokens.starts] = True
        border[lane.tokens.ends] = True
        closing[lane.tokens.ends[lane.closes]] = True
    places = np.flatnonzero(border)
    starts, ends = places[:-1], places[1:]
    firsts = np.searchsorted(edges, starts, "right") - 1
    lasts = np.searchsorted(edges, ends, "left")
    pieces = Tokens(np.zeros(len(starts), np.int32), starts, ends, firsts, lasts)
    colours = colours or TokenColours()
    colours.edit(characters.data)
    return TokenizedText(characters, pieces, closing[ends], str, colours.assign(starts))
