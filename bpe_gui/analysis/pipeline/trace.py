"""Tracing a text through a recipe: every stage of it, and the columns that all of them share."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.analysis.pipeline.normalizing import NOT_DROPPED, Cells, follow
from bpe_gui.analysis.pipeline.stages import (
    Items,
    PipelineTrace,
    Problem,
    Stage,
    Status,
    StepChange,
)
from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.errors import RecipeError
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary
from bpe_gui.bpe.kernels.scanning import DROPPED, UNMATCHED, WORD
from bpe_gui.bpe.recipe import END_OF_WORD, Alphabet, EndOfWord, Recipe
from bpe_gui.bpe.special_tokens import SPECIAL
from bpe_gui.bpe.tokenizer import NormalizedText, PreTokenizedText, PreTokenizer
from bpe_gui.bpe.utf8 import bytes_of_characters, characters_of_bytes

# -- Columns ------------------------------------------------------------------------------------
#
# A stage makes few characters out of many, many out of few, or none. What belongs together
# is a block: the fewest characters of the raw text and the fewest of what was made of them
# between two places where neither side is torn. Each block has as many columns as the longer
# of its two sides, and both sides share them out evenly.


class Columns(Struct, frozen=True, eq=False):
    """The columns from and to, of each raw character and of each part made; and how many."""

    raw_firsts: NDArray[np.int64]
    raw_lasts: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    total: int


def columns_of(raw: int, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> Columns:
    """Share out columns between raw characters and the parts that were made of them.

    `raw` is the number of raw characters. Part i came from those between `starts[i]` and
    `stops[i]`, or from none. Parts mostly ascend.

    >>> ligature = columns_of(2, np.array([0, 0, 1]), np.array([1, 1, 2]))  # "ﬁn" to "fin"
    >>> ligature.raw_firsts.tolist(), ligature.raw_lasts.tolist(), ligature.firsts.tolist()
    ([0, 2], [2, 3], [0, 1, 2])
    """
    if not len(starts):
        places = np.arange(raw)
        return Columns(places, places + 1, starts, stops, raw)
    reached = np.maximum.accumulate(stops)
    still_to_come = np.minimum.accumulate(starts[::-1])[::-1]
    ends = np.flatnonzero(np.append(reached[:-1] <= still_to_come[1:], True)) + 1
    raw_ends = reached[ends - 1]
    raw_ends[-1] = raw
    parts = np.diff(ends, prepend=0)
    characters = np.diff(raw_ends, prepend=0)
    widths = np.maximum(parts, characters)
    begins = np.cumsum(widths) - widths
    firsts, lasts = _shared_out(parts, widths, begins)
    raw_firsts, raw_lasts = _shared_out(characters, widths, begins)
    return Columns(raw_firsts, raw_lasts, firsts, lasts, int(widths.sum()))


def _shared_out(
    sizes: NDArray[np.int64], widths: NDArray[np.int64], begins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the columns of all members of blocks: `sizes` members share `widths` columns."""
    block = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(block)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    width, size, begin = widths[block], sizes[block], begins[block]
    return begin + place * width // size, begin + (place + 1) * width // size


# -- Between two special tokens -----------------------------------------------------------------
#
# What a stage consists of is made of atoms: the symbols, and in their row also what has no
# symbol, because it was dropped. They decide which columns everything is in.

_END_OF_WORD = END_OF_WORD.encode()

_STATUS_OF_SPAN = {
    WORD: Status.KEPT,
    DROPPED: Status.DROPPED,
    UNMATCHED: Status.UNMATCHED,
    SPECIAL: Status.SPECIAL,
}


class StageRow(Struct, frozen=True, eq=False):
    """The items of one stage: their bytes, which bytes of the raw text they came from, the
    first and last of the atoms that they are made of, and what became of them.
    """

    contents: list[bytes]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    statuses: NDArray[np.uint8]


class TracedSegment(Struct, frozen=True, eq=False):
    """All rows of a part, and for each atom the raw items that it came from.

    `ids` and `word_starts` are those of the symbols.
    """

    normalized: StageRow
    pretokens: StageRow
    symbols: StageRow
    ids: NDArray[np.int32]
    word_starts: NDArray[np.int64]
    atom_starts: NDArray[np.int64]
    atom_stops: NDArray[np.int64]


def trace_special_token(content: bytes, token: int, begin: int) -> TracedSegment:
    """Trace a special token, which is one item of every stage."""
    zero, one = np.zeros(1, np.int64), np.ones(1, np.int64)
    status = np.array([Status.SPECIAL], np.uint8)
    row = StageRow([content], zero + begin, zero + begin + len(content), zero, one, status)
    return TracedSegment(row, row, row, np.array([token], np.int32), zero, zero, one)


class _Cut(Struct, frozen=True, eq=False):
    """A normalized text as it is cut: its spans, and the symbols in them.

    ends, kinds: the spans that `split_words` found. symbols: what
    `PreTokenizer.pre_tokenize_spans` made of them.
    The other columns have one entry a symbol. marker: whether it marks the end of a word;
    unmatched: whether the split skips it; atoms: which atom it is, or the first of a whole word;
    atom_ends: the end of its atoms.
    """

    ends: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    symbols: PreTokenizedText
    marker: NDArray[np.bool_]
    unmatched: NDArray[np.bool_]
    atoms: NDArray[np.int64]
    atom_ends: NDArray[np.int64]


class PlainText:
    """A part without special tokens, normalized.

    `source` is the same part. `edges` are where each raw character of it begins in the
    bytes of the whole raw text, and where the last ends.
    """

    def __init__(self, cells: Cells, source: NormalizedText, edges: NDArray[np.int64]) -> None:
        self._cells = cells
        self._source = source
        self._edges = edges
        self._cell_of_character = np.flatnonzero(cells.kept)
        self.data = source.data
        self._character_of_byte = characters_of_bytes(self.data)

    def normalized_only(self) -> TracedSegment:
        """Return what is known where splitting failed."""
        places = np.arange(len(self._cells.points))
        empty = np.empty(0, np.int64)
        nothing = StageRow([], empty, empty, empty, empty, np.empty(0, np.uint8))
        return TracedSegment(
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
        spelled: PreTokenizedText,
        recipe: Recipe,
        base: BaseVocabulary | None,
    ) -> TracedSegment:
        """Return all stages of a text that `split_words` and `PreTokenizer` have taken apart."""
        cells = self._cells
        marker = spelled.starts == spelled.ends
        cell = self._cells_at(spelled.starts - marker)
        size = len(cells.points)
        own: NDArray[np.int64] = np.maximum(_counts(cell[~marker], size), 1)
        marks = _counts(cell[marker], size)
        firsts = np.cumsum(own + marks) - (own + marks)
        lasts = firsts + own
        # Symbols of one character are side by side, and after the last of a word its mark.
        atoms = firsts[cell] + np.arange(len(cell)) - np.searchsorted(cell, cell)
        atom_starts = np.repeat(cells.starts, own + marks)
        atom_stops = np.repeat(cells.stops, own + marks)
        atom_starts[atoms[marker]] = atom_stops[atoms[marker]]
        last_cell = self._cells_at(np.maximum(spelled.ends - 1, spelled.starts - marker))
        atom_ends = np.where(last_cell > cell, lasts[last_cell], atoms + 1)
        spans = np.searchsorted(ends, spelled.starts - marker, side="right")
        unmatched = ~marker & (kinds[spans] == UNMATCHED)
        cut = _Cut(ends, kinds, spelled, marker, unmatched, atoms, atom_ends)
        return TracedSegment(
            self._normalized(firsts, lasts),
            self._pretokens(cut, firsts, lasts),
            self._symbols(cut, recipe, base),
            spelled.ids,
            spelled.word_starts,
            atom_starts,
            atom_stops,
        )

    def _cells_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the cells that bytes of the normalized text belong to."""
        cells: NDArray[np.int64] = self._cell_of_character[self._character_of_byte[places]]
        return cells

    def _raw_bytes(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Tell which raw bytes stretches of the normalized text came from."""
        begins, stops = self._source.offsets(starts, ends)
        return begins + self._edges[0], stops + self._edges[0]

    def _normalized(self, firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> StageRow:
        cells = self._cells
        contents = [chr(point).encode("utf-8") for point in cells.points.tolist()]
        starts, stops = self._edges[cells.starts], self._edges[cells.stops]
        return StageRow(contents, starts, stops, firsts, lasts, cells.statuses)

    def _pretokens(
        self, cut: _Cut, firsts: NDArray[np.int64], lasts: NDArray[np.int64]
    ) -> StageRow:
        whole = cut.kinds != UNMATCHED
        begins = np.append(0, cut.ends[:-1])[: len(cut.ends)][whole]
        ends, kinds = cut.ends[whole], cut.kinds[whole]
        single = cut.atoms[cut.unmatched]
        starts = np.concatenate((begins, cut.symbols.starts[cut.unmatched]))
        order = np.argsort(starts, kind="stable")
        starts = starts[order]
        stops = np.concatenate((ends, cut.symbols.ends[cut.unmatched]))[order]
        statuses = [_STATUS_OF_SPAN[kind] for kind in kinds.tolist()]
        statuses += [Status.UNMATCHED] * len(single)
        return StageRow(
            _slices(self.data, starts, stops),
            *self._raw_bytes(starts, stops),
            np.concatenate((firsts[self._cells_at(begins)], single))[order],
            np.concatenate((lasts[self._cells_at(ends - 1)], single + 1))[order],
            np.array(statuses, np.uint8)[order],
        )

    def _symbols(self, cut: _Cut, recipe: Recipe, base: BaseVocabulary | None) -> StageRow:
        symbols = cut.symbols
        contents = _slices(self.data, symbols.starts, symbols.ends)
        closing = cut.marker
        if recipe.end_of_word is EndOfWord.JOINED:
            closing = np.isin(symbols.ends, cut.ends[cut.kinds == WORD])
        for place in np.flatnonzero(closing).tolist():
            contents[place] += _END_OF_WORD
        statuses = np.full(len(contents), int(Status.KEPT), np.uint8)
        statuses[cut.unmatched] = Status.UNMATCHED
        statuses[np.isin(symbols.ends, cut.ends[cut.kinds == SPECIAL])] = Status.SPECIAL
        statuses[cut.marker] = Status.PUT_IN
        if base is not None:
            statuses[_unknown(symbols.ids, contents, recipe, base)] = Status.UNKNOWN
        raw = self._raw_bytes(symbols.starts, symbols.ends)
        return StageRow(contents, *raw, cut.atoms, cut.atom_ends, statuses)


def _unknown(
    ids: NDArray[np.int32], contents: list[bytes], recipe: Recipe, base: BaseVocabulary
) -> NDArray[np.bool_]:
    """Tell which symbols are not in the alphabet, though a token may stand for them."""
    unknown: NDArray[np.bool_] = ids == NO_TOKEN
    for place in np.flatnonzero(np.isin(ids, recipe.unknown_ids)).tolist():
        unknown[place] = base.contents[int(ids[place])] != contents[place]
    return unknown


def _counts(places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Count how often each place from 0 to `size` occurs."""
    return np.bincount(places, minlength=size).astype(np.int64, copy=False)


def _slices(
    data: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> list[bytes]:
    whole = data.tobytes()
    return [whole[a:b] for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]


# -- The whole text -----------------------------------------------------------------------------


def trace_pipeline(
    recipe: Recipe,
    text: str,
    base: BaseVocabulary | None = None,
    *,
    compiled: bool | None = None,
) -> PipelineTrace:
    """Take a text apart up to its symbols, exactly as `PreTokenizer` does it for encoding.

    `base` is the vocabulary without merges of a run with that recipe. Without one it is
    known only if the alphabet is all bytes: else it is the corpus that decides.

    What goes wrong on the way (a regex that takes too long, a text that becomes too long) is
    told by the trace. Raises UnicodeEncodeError for a text with lone surrogates.

    >>> from bpe_gui.bpe.recipe import preset
    >>> trace = trace_pipeline(preset("lines"), "Naïve é")
    >>> len(trace.raw), len(trace.normalized), trace.pretokens.contents()
    (7, 9, [b'Naive', b' ', b'e'])
    """
    return _Tracing(recipe, text, base, compiled).trace()


def known_base(recipe: Recipe) -> BaseVocabulary | None:
    """Return the vocabulary without merges, if it does not depend on a corpus."""
    if recipe.alphabet is Alphabet.BYTES:
        return BaseVocabulary.of(recipe, CHARACTER_OF_BYTE)
    return None


class _Segment(Struct, frozen=True, eq=False):
    """A part of the text, in bytes and in characters; `special` is the token that it is.

    cells, steps: what normalization made of it; None for a special token.
    """

    begin: int
    end: int
    first: int
    last: int
    special: int
    cells: Cells | None = None
    steps: tuple[StepChange, ...] = ()

    @property
    def is_special(self) -> bool:
        return self.special != NO_TOKEN


class _Tracing:
    def __init__(
        self, recipe: Recipe, text: str, base: BaseVocabulary | None, compiled: bool | None
    ) -> None:
        self._recipe = recipe
        self._text = text
        self._base = known_base(recipe) if base is None else base
        self._compiled = compiled
        self._data = text.encode("utf-8")
        self._edges = bytes_of_characters(self._data)
        self._speller = PreTokenizer(recipe, self._base or BaseVocabulary.of(recipe, ()))

    def trace(self) -> PipelineTrace:
        segments = self._segments()
        parts: list[TracedSegment] = []
        problem = None
        try:
            segments = [self._normalized(segment) for segment in segments]
        except RecipeError as error:
            problem = Problem(Stage.NORMALIZED, str(error))
        else:
            try:
                parts = [self._part(segment) for segment in segments]
            except RecipeError as error:
                problem = Problem(Stage.PRETOKENS, str(error))
                parts = [self._part(segment, split=False) for segment in segments]
        return self._joined(segments, parts, problem)

    def _segments(self) -> list[_Segment]:
        """Return the special tokens of the text, and what is between them."""
        segments = []
        done = 0
        for begin, end, special in self._speller.specials(self._data):
            for a, b, token in ((done, begin, NO_TOKEN), (begin, end, special)):
                if b > a:
                    first, last = np.searchsorted(self._edges, (a, b)).tolist()
                    segments.append(_Segment(a, b, first, last, token))
            done = end
        return segments

    def _normalized(self, segment: _Segment) -> _Segment:
        if segment.is_special:
            return segment
        text = self._text[segment.first : segment.last]
        is_first = not segment.first
        cells, steps = follow(text, self._recipe.normalizers, is_first=is_first)
        return replace(segment, cells=cells, steps=steps)

    def _part(self, segment: _Segment, *, split: bool = True) -> TracedSegment:
        if segment.cells is None:
            content = self._data[segment.begin : segment.end]
            return trace_special_token(content, segment.special, segment.begin)
        source = NormalizedText(
            self._data[segment.begin : segment.end],
            self._recipe.normalizers,
            segment.cells.normalized,
        )
        plain = PlainText(segment.cells, source, self._edges[segment.first : segment.last + 1])
        if not split:
            return plain.normalized_only()
        ends, kinds = np.empty(0, np.int64), np.empty(0, np.uint8)
        if len(plain.data):
            ends, kinds = self._speller.split(plain.data, compiled=self._compiled)
        spelled = self._speller.pre_tokenize_spans(plain.data, ends, kinds)
        return plain.part(ends, kinds, spelled, self._recipe, self._base)

    # -- joining -----------------------------------------------------------------------------

    def _joined(
        self, segments: list[_Segment], parts: list[TracedSegment], problem: Problem | None
    ) -> PipelineTrace:
        raw_sizes = [
            1 if segment.is_special else segment.last - segment.first for segment in segments
        ]
        raw_begins = _begins(raw_sizes)
        atoms = _begins([len(part.atom_starts) for part in parts])
        columns = columns_of(
            raw_begins[-1],
            _concatenated([p.atom_starts + b for p, b in zip(parts, raw_begins, strict=False)]),
            _concatenated([p.atom_stops + b for p, b in zip(parts, raw_begins, strict=False)]),
        )
        symbols = _begins([len(part.ids) for part in parts])
        starts = [p.word_starts + b for p, b in zip(parts, symbols, strict=False)]
        dropped = [
            np.full(1, NOT_DROPPED) if segment.cells is None else segment.cells.dropped_by
            for segment in segments[: len(parts)]
        ]
        return PipelineTrace(
            recipe=self._recipe,
            text=self._text,
            base=self._base,
            raw=self._raw(segments, columns),
            normalized=_items([part.normalized for part in parts], atoms, columns),
            pretokens=_items([part.pretokens for part in parts], atoms, columns),
            symbols=_items([part.symbols for part in parts], atoms, columns),
            ids=_concatenated([part.ids for part in parts]).astype(np.int32),
            word_starts=_concatenated(starts),
            steps=self._steps(segments) if parts or not segments else (),
            dropped_by=_concatenated(dropped),
            columns=columns.total,
            problem=problem,
        )

    def _raw(self, segments: list[_Segment], columns: Columns) -> Items:
        kept = np.ones(len(self._edges), np.bool_)
        special = np.zeros(len(self._edges), np.bool_)
        for segment in segments:
            if segment.is_special:
                kept[segment.first + 1 : segment.last] = False
                special[segment.first] = True
        edges = self._edges[kept]
        statuses = np.where(special, int(Status.SPECIAL), int(Status.KEPT)).astype(np.uint8)
        return Items(
            self._data,
            edges,
            edges[:-1],
            edges[1:],
            columns.raw_firsts,
            columns.raw_lasts,
            statuses[kept][:-1],
        )

    def _steps(self, segments: list[_Segment]) -> tuple[StepChange, ...]:
        """Tell what each step did in all segments, told in bytes of the raw text."""
        found = []
        for number, step in enumerate(self._recipe.normalizers):
            own = [(segment.first, segment.steps[number]) for segment in segments if segment.steps]
            changes = [change for _, change in own]
            found.append(
                StepChange(
                    step,
                    "".join(change.text for change in changes),
                    _concatenated([self._edges[change.starts + at] for at, change in own]),
                    _concatenated([self._edges[change.stops + at] for at, change in own]),
                    sum(change.changed for change in changes),
                    sum(change.dropped for change in changes),
                    sum(change.put_in for change in changes),
                    _concatenated([self._edges[change.places + at] for at, change in own]).reshape(
                        -1, 2
                    ),
                )
            )
        return tuple(found)


def _items(rows: list[StageRow], atoms: list[int], columns: Columns) -> Items:
    """Return the rows of all parts, as one."""
    contents = [content for row in rows for content in row.contents]
    firsts = _concatenated([row.firsts + at for row, at in zip(rows, atoms, strict=False)])
    lasts = _concatenated([row.lasts + at for row, at in zip(rows, atoms, strict=False)])
    return Items(
        b"".join(contents),
        np.cumsum([0, *map(len, contents)]),
        _concatenated([row.starts for row in rows]),
        _concatenated([row.stops for row in rows]),
        columns.firsts[firsts],
        columns.lasts[lasts - 1],
        _concatenated([row.statuses for row in rows]).astype(np.uint8),
    )


def _begins(sizes: list[int]) -> list[int]:
    """Tell where each of several lists begins in all of them joined, and where the last ends."""
    return [0, *accumulate(sizes)]


def _concatenated(columns: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(columns) if columns else np.empty(0, np.int64)
