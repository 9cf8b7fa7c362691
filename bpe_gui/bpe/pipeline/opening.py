"""Takes a text apart as a recipe says, stage by stage, so that all of them can be shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary
from bpe_gui.bpe.pipeline.columns import Columns, columns_of
from bpe_gui.bpe.pipeline.items import Fate, Items, Stage
from bpe_gui.bpe.pipeline.normalizing import NOT_DROPPED, Cells, StepChange, follow
from bpe_gui.bpe.pipeline.parts import Part, PlainText, Row, special_part
from bpe_gui.bpe.pipeline.sheet import Problem, Sheet
from bpe_gui.bpe.recipe import Alphabet, Recipe
from bpe_gui.bpe.recipe_error import RecipeError
from bpe_gui.bpe.spelling import NormalizedSource, Speller
from bpe_gui.bpe.split import split_words


def lay_open(
    recipe: Recipe,
    text: str,
    base: BaseVocabulary | None = None,
    *,
    compiled: bool | None = None,
) -> Sheet:
    """Take a text apart up to its symbols, exactly as `Speller` does it for encoding.

    `base` is the vocabulary without merges of a run with that recipe. Without one it is
    known only if the alphabet is all bytes: else it is the corpus that decides.

    What goes wrong on the way (a regex that takes too long, a text that becomes too long) is
    told by the sheet. Raises UnicodeEncodeError for a text with lone surrogates.

    >>> from bpe_gui.bpe.recipe import preset
    >>> sheet = lay_open(preset("lines"), "Naïve é")
    >>> len(sheet.raw), len(sheet.normalized), sheet.pretokens.contents()
    (7, 9, [b'Naive', b' ', b'e'])
    """
    return _Opening(recipe, text, base, compiled).sheet()


def known_base(recipe: Recipe) -> BaseVocabulary | None:
    """The vocabulary without merges, if it does not depend on a corpus."""
    if recipe.alphabet is Alphabet.BYTES:
        return BaseVocabulary.of(recipe, CHARACTER_OF_BYTE)
    return None


@dataclass(frozen=True, eq=False, slots=True)
class _Piece:
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


class _Opening:
    def __init__(
        self, recipe: Recipe, text: str, base: BaseVocabulary | None, compiled: bool | None
    ) -> None:
        self._recipe = recipe
        self._text = text
        self._base = known_base(recipe) if base is None else base
        self._compiled = compiled
        self._data = text.encode("utf-8")
        view = np.frombuffer(self._data, np.uint8)
        self._edges = np.append(np.flatnonzero(view & 0xC0 != 0x80), len(view))
        self._speller = Speller(recipe, self._base or BaseVocabulary.of(recipe, ()))

    def sheet(self) -> Sheet:
        pieces = self._pieces()
        parts: list[Part] = []
        problem = None
        try:
            pieces = [self._normalized(piece) for piece in pieces]
        except RecipeError as error:
            problem = Problem(Stage.NORMALIZED, str(error))
        else:
            try:
                parts = [self._part(piece) for piece in pieces]
            except RecipeError as error:
                problem = Problem(Stage.PRETOKENS, str(error))
                parts = [self._part(piece, split=False) for piece in pieces]
        return self._joined(pieces, parts, problem)

    def _pieces(self) -> list[_Piece]:
        """The special tokens of the text, and what stands between them."""
        pieces = []
        done = 0
        for begin, end, special in self._speller.specials(self._data):
            for a, b, token in ((done, begin, NO_TOKEN), (begin, end, special)):
                if b > a:
                    first, last = np.searchsorted(self._edges, (a, b)).tolist()
                    pieces.append(_Piece(a, b, first, last, token))
            done = end
        return pieces

    def _normalized(self, piece: _Piece) -> _Piece:
        if piece.is_special:
            return piece
        text = self._text[piece.first : piece.last]
        cells, steps = follow(text, self._recipe.normalizers)
        return replace(piece, cells=cells, steps=steps)

    def _part(self, piece: _Piece, *, split: bool = True) -> Part:
        if piece.cells is None:
            content = self._data[piece.begin : piece.end]
            return special_part(content, piece.special, piece.begin)
        source = NormalizedSource(
            self._data[piece.begin : piece.end], self._recipe.normalizers, piece.cells.normalized
        )
        plain = PlainText(piece.cells, source, self._edges[piece.first : piece.last + 1])
        if not split:
            return plain.normalized_only()
        ends, kinds = np.empty(0, np.int64), np.empty(0, np.uint8)
        if len(plain.data):
            ends, kinds = split_words(plain.data, self._recipe.split, compiled=self._compiled)
        spelled = self._speller.spell_spans(plain.data, ends, kinds)
        return plain.part(ends, kinds, spelled, self._recipe, self._base)

    # -- joining -----------------------------------------------------------------------------

    def _joined(self, pieces: list[_Piece], parts: list[Part], problem: Problem | None) -> Sheet:
        raw_sizes = [1 if piece.is_special else piece.last - piece.first for piece in pieces]
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
            np.full(1, NOT_DROPPED) if piece.cells is None else piece.cells.dropped_by
            for piece in pieces[: len(parts)]
        ]
        return Sheet(
            recipe=self._recipe,
            text=self._text,
            base=self._base,
            raw=self._raw(pieces, columns),
            normalized=_items([part.normalized for part in parts], atoms, columns),
            pretokens=_items([part.pretokens for part in parts], atoms, columns),
            symbols=_items([part.symbols for part in parts], atoms, columns),
            ids=_concatenated([part.ids for part in parts]).astype(np.int32),
            word_starts=_concatenated(starts),
            steps=self._steps(pieces) if parts or not pieces else (),
            dropped_by=_concatenated(dropped),
            columns=columns.total,
            problem=problem,
        )

    def _raw(self, pieces: list[_Piece], columns: Columns) -> Items:
        kept = np.ones(len(self._edges), np.bool_)
        special = np.zeros(len(self._edges), np.bool_)
        for piece in pieces:
            if piece.is_special:
                kept[piece.first + 1 : piece.last] = False
                special[piece.first] = True
        edges = self._edges[kept]
        fates = np.where(special, int(Fate.SPECIAL), int(Fate.KEPT)).astype(np.uint8)
        return Items(
            self._data,
            edges,
            edges[:-1],
            edges[1:],
            columns.raw_firsts,
            columns.raw_lasts,
            fates[kept][:-1],
        )

    def _steps(self, pieces: list[_Piece]) -> tuple[StepChange, ...]:
        """What each step did in all pieces, told in bytes of the raw text."""
        found = []
        for number, step in enumerate(self._recipe.normalizers):
            own = [(piece.first, piece.steps[number]) for piece in pieces if piece.steps]
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


def _items(rows: list[Row], atoms: list[int], columns: Columns) -> Items:
    """The rows of all parts, as one."""
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
        _concatenated([row.fates for row in rows]).astype(np.uint8),
    )


def _begins(sizes: list[int]) -> list[int]:
    """Where each of several lists begins in all of them joined, and where the last ends."""
    return [0, *accumulate(sizes)]


def _concatenated(columns: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(columns) if columns else np.empty(0, np.int64)
