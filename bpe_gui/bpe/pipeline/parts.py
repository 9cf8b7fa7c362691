"""The stages of a part of a text, between two special tokens or a special token itself.

What a stage consists of stands upon atoms: the symbols, and in their row also what has no
symbol, because it was dropped. They decide which columns everything stands in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary
from bpe_gui.bpe.kernels.scanning import DROPPED, GAP, WORD
from bpe_gui.bpe.pipeline.items import Fate
from bpe_gui.bpe.pipeline.normalizing import Cells
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord, Recipe
from bpe_gui.bpe.spelling import NormalizedSource, SpelledText

_END_OF_WORD = END_OF_WORD.encode()

_FATES_OF_SPANS = {WORD: Fate.KEPT, DROPPED: Fate.DROPPED, GAP: Fate.ALONE}


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """The items of one stage: their bytes, which bytes of the raw text they came from, the
    atoms from and to that they stand upon, and what became of them.
    """

    contents: list[bytes]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    fates: NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """All rows of a part, and for each atom the raw items that it came from.

    `ids` and `word_starts` are those of the symbols.
    """

    normalized: Row
    pretokens: Row
    symbols: Row
    ids: NDArray[np.int32]
    word_starts: NDArray[np.int64]
    atom_starts: NDArray[np.int64]
    atom_stops: NDArray[np.int64]


def special_part(content: bytes, token: int, begin: int) -> Part:
    """A special token, which is one item of every stage."""
    zero, one = np.zeros(1, np.int64), np.ones(1, np.int64)
    fate = np.array([Fate.SPECIAL], np.uint8)
    row = Row([content], zero + begin, zero + begin + len(content), zero, one, fate)
    return Part(row, row, row, np.array([token], np.int32), zero, zero, one)


class PlainText:
    """A part without special tokens, normalized.

    `source` is the same part. `edges` are where each raw character of it begins in the
    bytes of the whole raw text, and where the last ends.
    """

    def __init__(self, cells: Cells, source: NormalizedSource, edges: NDArray[np.int64]) -> None:
        self._cells = cells
        self._source = source
        self._edges = edges
        self._cell_of_character = np.flatnonzero(cells.kept)
        self.data = source.data
        self._character_of_byte = np.cumsum(self.data & 0xC0 != 0x80) - 1

    def normalized_only(self) -> Part:
        """What can be told where splitting failed."""
        places = np.arange(len(self._cells.points))
        empty = np.empty(0, np.int64)
        nothing = Row([], empty, empty, empty, empty, np.empty(0, np.uint8))
        return Part(
            self._normalized(places, places + 1),
            nothing,
            nothing,
            np.empty(0, np.int32),
            empty,
            self._cells.starts,
            self._cells.stops,
        )

    def part(
        self,
        ends: NDArray[np.int64],
        kinds: NDArray[np.uint8],
        spelled: SpelledText,
        recipe: Recipe,
        base: BaseVocabulary | None,
    ) -> Part:
        """All stages, as `split_words` and `Speller.spell_spans` cut the normalized text."""
        cells = self._cells
        marker = spelled.starts == spelled.ends
        cell = self._cells_at(spelled.starts - marker)
        size = len(cells.points)
        own: NDArray[np.int64] = np.maximum(_counts(cell[~marker], size), 1)
        marks = _counts(cell[marker], size)
        firsts = np.cumsum(own + marks) - (own + marks)
        lasts = firsts + own
        # Symbols of one character stand side by side, and after the last of a word its mark.
        atoms = firsts[cell] + np.arange(len(cell)) - np.searchsorted(cell, cell)
        atom_starts = np.repeat(cells.starts, own + marks)
        atom_stops = np.repeat(cells.stops, own + marks)
        atom_starts[atoms[marker]] = atom_stops[atoms[marker]]
        spans = np.searchsorted(ends, spelled.starts - marker, side="right")
        gap = ~marker & (kinds[spans] == GAP)
        symbols = self._symbols(spelled, atoms, marker, gap, recipe, base, ends, kinds)
        return Part(
            self._normalized(firsts, lasts),
            self._pretokens(ends, kinds, spelled, atoms, gap, firsts, lasts),
            symbols,
            spelled.ids,
            spelled.word_starts,
            atom_starts,
            atom_stops,
        )

    def _cells_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The cells that bytes of the normalized text belong to."""
        cells: NDArray[np.int64] = self._cell_of_character[self._character_of_byte[places]]
        return cells

    def _raw_bytes(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which raw bytes stretches of the normalized text came from."""
        begins, stops = self._source.offsets(starts, ends)
        return begins + self._edges[0], stops + self._edges[0]

    def _normalized(self, firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> Row:
        cells = self._cells
        contents = [chr(point).encode("utf-8") for point in cells.points.tolist()]
        starts, stops = self._edges[cells.starts], self._edges[cells.stops]
        return Row(contents, starts, stops, firsts, lasts, cells.fates)

    def _pretokens(
        self,
        ends: NDArray[np.int64],
        kinds: NDArray[np.uint8],
        spelled: SpelledText,
        atoms: NDArray[np.int64],
        gap: NDArray[np.bool_],
        firsts: NDArray[np.int64],
        lasts: NDArray[np.int64],
    ) -> Row:
        whole = kinds != GAP
        begins = np.append(0, ends[:-1])[: len(ends)][whole]
        ends, kinds = ends[whole], kinds[whole]
        starts = np.concatenate((begins, spelled.starts[gap]))
        order = np.argsort(starts, kind="stable")
        starts = starts[order]
        stops = np.concatenate((ends, spelled.ends[gap]))[order]
        fates = [_FATES_OF_SPANS[kind] for kind in kinds.tolist()]
        fates += [Fate.ALONE] * int(np.count_nonzero(gap))
        return Row(
            _slices(self.data, starts, stops),
            *self._raw_bytes(starts, stops),
            np.concatenate((firsts[self._cells_at(begins)], atoms[gap]))[order],
            np.concatenate((lasts[self._cells_at(ends - 1)], atoms[gap] + 1))[order],
            np.array(fates, np.uint8)[order],
        )

    def _symbols(
        self,
        spelled: SpelledText,
        atoms: NDArray[np.int64],
        marker: NDArray[np.bool_],
        gap: NDArray[np.bool_],
        recipe: Recipe,
        base: BaseVocabulary | None,
        ends: NDArray[np.int64],
        kinds: NDArray[np.uint8],
    ) -> Row:
        contents = _slices(self.data, spelled.starts, spelled.ends)
        closing = marker
        if recipe.end_of_word is EndOfWord.JOINED:
            closing = np.isin(spelled.ends, ends[kinds == WORD])
        for place in np.flatnonzero(closing).tolist():
            contents[place] += _END_OF_WORD
        fates = np.full(len(contents), int(Fate.KEPT), np.uint8)
        fates[gap] = Fate.ALONE
        fates[marker] = Fate.PUT_IN
        if base is not None:
            fates[_unknown(spelled.ids, contents, recipe, base)] = Fate.UNKNOWN
        raw = self._raw_bytes(spelled.starts, spelled.ends)
        return Row(contents, *raw, atoms, atoms + 1, fates)


def _unknown(
    ids: NDArray[np.int32], contents: list[bytes], recipe: Recipe, base: BaseVocabulary
) -> NDArray[np.bool_]:
    """Which symbols are not in the alphabet, though a token may stand for them."""
    unknown: NDArray[np.bool_] = ids == NO_TOKEN
    for place in np.flatnonzero(np.isin(ids, recipe.unknown_ids)).tolist():
        unknown[place] = base.contents[int(ids[place])] != contents[place]
    return unknown


def _counts(places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """How often each place from 0 to `size` occurs."""
    return np.bincount(places, minlength=size).astype(np.int64, copy=False)


def _slices(
    data: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> list[bytes]:
    whole = data.tobytes()
    return [whole[a:b] for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]
