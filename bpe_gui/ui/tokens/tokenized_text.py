"""A text with its tokens: which characters each covers, and which are drawn apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.ui.theme.token_palettes import ColourBy
from bpe_gui.ui.tokens.characters import Characters, Kind
from bpe_gui.ui.tokens.colours import TokenColouring

NO_TOKENS = Tokens(np.empty(0, np.int32), *[np.empty(0, np.int64)] * 4)
"""The tokens of a text that is not tokenized."""


class TokenizedText:
    """A text with its tokens.

    `ids`, `starts`, `ends` (bytes), `firsts`, `lasts` (characters) are the tokens.
    `closes[t]`: token t ends a word, which is drawn as a mark after it. `split`
    lists the characters that several tokens share, in order, `is_split` marks them; `also_split`
    marks more.
    `apart[i]`: character i cannot be drawn together with its neighbours: it is
    split, or has to be named, or a token boundary tears it from what it would otherwise
    melt into. `dropped[i]`: character i is in no token, unless these are given.
    `multiplied`: normalization made several tokens of one whole
    character; `name` writes a token then, by its id. `colours` has an index for each token, by
    its place, and `colouring` finds other fills, by its id.
    Each token that holds part of a split character adds that character and the number of
    bytes to `part_characters` and `part_sizes`.
    """

    def __init__(
        self,
        characters: Characters,
        tokens: Tokens,
        closes: NDArray[np.bool_],
        name: Callable[[int], str],
        colours: NDArray[np.int8] | None = None,
        also_split: NDArray[np.bool_] | None = None,
        colouring: TokenColouring | None = None,
        dropped: NDArray[np.bool_] | None = None,
    ) -> None:
        self.characters = characters
        self.ids = tokens.ids
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.firsts = tokens.char_starts
        self.lasts = tokens.char_ends
        self.closes = closes
        self.closing = np.flatnonzero(closes)
        self.colouring = colouring
        self.colours = np.zeros(len(self.ids), np.int8) if colours is None else colours
        size = len(characters)
        edges = characters.byte_starts
        self.begins_inside: NDArray[np.bool_] = self.starts != edges[self.firsts]
        self.ends_inside: NDArray[np.bool_] = self.ends != edges[self.lasts]
        shared = self.firsts[1:] < self.lasts[:-1]
        self._name = name
        inside = self.begins_inside[1:] | self.ends_inside[:-1]
        self.multiplied = bool((shared & ~inside).any())
        self.is_split = self._split_characters(size, shared)
        if also_split is not None:
            self.is_split |= also_split
        self.split = np.flatnonzero(self.is_split)
        in_no_token = self._in_no_token(size)
        self.dropped = in_no_token if dropped is None else dropped
        self.boundary = self._boundaries(in_no_token)
        self.apart: NDArray[np.bool_] = characters.always_apart | self.is_split
        self.torn = self._torn(characters)
        self.apart[self.torn] = True
        self.part_characters, self.part_sizes = self._parts()
        special = np.zeros(size + 1, np.int32)
        special[1:] = self.apart
        places = np.maximum(self.lasts[self.closing], 1)
        special[places[places <= size]] = 1
        self._special = np.cumsum(special, dtype=np.int32)

    def __len__(self) -> int:
        return len(self.ids)

    def _split_characters(self, size: int, shared: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which characters tokens hold a part of; `shared` are those of a token and the
        next.
        """
        split: NDArray[np.bool_] = np.zeros(size, bool)
        split[self.firsts[self.begins_inside]] = True
        split[self.lasts[self.ends_inside] - 1] = True
        split[self.firsts[1:][shared]] = True
        return split

    def _boundaries(self, in_no_token: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mark the places where a token begins or ends, and all places of text in no token."""
        boundary: NDArray[np.bool_] = np.zeros(len(in_no_token) + 1, bool)
        boundary[self.firsts] = True
        boundary[self.lasts] = True
        boundary[:-1] |= in_no_token
        boundary[1:] |= in_no_token
        return boundary

    def _in_no_token(self, size: int) -> NDArray[np.bool_]:
        """Mark the characters that are in no token."""
        found: NDArray[np.bool_] = np.zeros(size, bool)
        begins = np.concatenate(([0], self.lasts))
        lengths = np.maximum(np.append(self.firsts, size) - begins, 0)
        if lengths.any():
            first = np.cumsum(lengths) - lengths
            found[np.repeat(begins - first, lengths) + np.arange(lengths.sum())] = True
        return found

    def _torn(self, characters: Characters) -> NDArray[np.int64]:
        """Characters that a boundary keeps from melting into their neighbour."""
        places = characters.dependent
        if not len(places):
            return places
        kinds = characters.kinds[places]
        first = self.boundary[places]
        last = self.boundary[places + 1]
        before = np.where(places > 0, characters.kinds[places - 1], Kind.SPACE)
        half_flag = (kinds == Kind.FLAG) & first & (before == Kind.FLAG)
        extends = (kinds == Kind.EXTENDS) & first
        zero_width_joiner = characters.codes[places] == 0x200D
        joins = (kinds == Kind.JOINS) & (first | (last & zero_width_joiner))
        torn = half_flag | extends | joins
        # What sits on a sign that is shown by its name has nothing to sit on.
        named = places[joins]
        return places[torn | ((kinds == Kind.EXTENDS) & np.isin(places - 1, named))]

    def _parts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the split characters that tokens hold a part of, and of how many bytes it is."""
        edges = self.characters.byte_starts
        # A token without width may come after the last character; it is in none.
        inside = np.append(self.is_split, False)
        first = np.flatnonzero(inside[self.firsts])
        head = self.firsts[first]
        last = np.flatnonzero(self.ends_inside & (self.lasts - 1 > self.firsts))
        tail = self.lasts[last] - 1
        sizes = (
            np.minimum(self.ends[first], edges[head + 1]) - self.starts[first],
            self.ends[last] - edges[tail],
        )
        return np.concatenate((head, tail)), np.concatenate(sizes)

    def fills(self, tokens: NDArray[np.int64], colour_by: ColourBy) -> NDArray[np.int64]:
        """Return the fills of some of the tokens, given by their numbers in this text."""
        found = None
        if self.colouring is not None:
            found = self.colouring.fills(self.ids[tokens], colour_by)
        return self.colours[tokens].astype(np.int64) if found is None else found

    def is_special(self, first: int, last: int) -> bool:
        """Return whether a row of these characters needs more than its text to be drawn."""
        return bool(self._special[last] != self._special[first])

    def tokens_within(self, first: int, last: int) -> tuple[int, int]:
        """Return the tokens, from and to, that cover or close any of these characters.

        A token without width, an end-of-word mark, belongs to the character before it.
        """
        begin = int(np.searchsorted(self.lasts, first, "right")) if first else 0
        end = int(np.searchsorted(self.firsts, last, "left"))
        while end < len(self.ids) and self.lasts[end] <= last:
            end += 1
        return begin, max(begin, end)

    def name(self, token: int) -> str:
        """Return the text of a token in the vocabulary, by its index in this text."""
        return self._name(int(self.ids[token])) if self.ids[token] != NO_TOKEN else "?"

    def token_at_byte(self, offset: int) -> int:
        """Return the first token that ends beyond that byte; len(self) after the last."""
        return int(np.searchsorted(self.ends, offset, "right"))
