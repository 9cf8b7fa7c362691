"""The order in which a row shows its characters, where some scripts run to the left.

Qt applies the bidirectional algorithm of Unicode, but only to a text that it draws alone.
A row also has names, bytes and marks in it. So Qt is asked how it would draw the row's
text, and the row's pieces are then placed in that order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QFont, QTextLayout, QTextLine

from bpe_gui.ui.tokens.characters import Kind, kinds_of
from bpe_gui.ui.tokens.lines import line_of, utf16_starts

_KEPT = 1000
_STAND_INS = {
    **{"L": "x", "R": "א", "AL": "ء", "AN": "٠", "CS": ",", "ET": "%", "WS": " ", "ON": "!"},
    **{"B": "\t", "S": "\t"},
}
"""For each class of the algorithm a character that Qt gives some room."""
_GLYPHS = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
)


@dataclass(frozen=True, slots=True)
class Run:
    """Characters from `first` to `last` that stand side by side, all in one direction."""

    first: int
    last: int
    backwards: bool


RunsOf = Callable[[str, bool], list[Run]]
"""Gives the runs of a row's text, counted from its first character, from left to right."""


def runs_in(font: QFont) -> RunsOf:
    """Finds runs in rows of paragraphs that run to the left, if told so; keeps the latest."""

    single = QFont(font)
    # Where a second font helps out, Qt is wrong about which glyphs belong to a character.
    single.setStyleStrategy(QFont.StyleStrategy.NoFontMerging)

    @lru_cache(_KEPT)
    def runs(text: str, backwards: bool) -> list[Run]:
        return _runs(text, backwards, single)

    return runs


@dataclass(frozen=True, slots=True)
class _Shown:
    """A character that takes room. Tabs (in `column`) part a row whatever is around them."""

    first: int
    backwards: bool
    column: int
    x: float

    def key(self, rows_backwards: bool) -> tuple[int, float, int]:
        """What sorts from left to right."""
        return (
            -self.column if rows_backwards else self.column,
            self.x,
            -self.first if self.backwards else self.first,
        )


def _runs(text: str, backwards: bool, font: QFont) -> list[Run]:
    characters = _shown(text, backwards, font)
    # What takes no room stays with the character before it.
    firsts = [0, *(character.first for character in characters[1:])]
    lasts = [*firsts[1:], len(text)]
    order = sorted(range(len(characters)), key=lambda place: characters[place].key(backwards))
    runs: list[Run] = []
    for place in order:
        run = Run(firsts[place], lasts[place], characters[place].backwards)
        joined = _joined(runs[-1], run) if runs else None
        if joined is None:
            runs.append(run)
        else:
            runs[-1] = joined
    return runs or [Run(0, len(text), backwards)]


def _joined(left: Run, right: Run) -> Run | None:
    """Both as one, if the text goes on from one to the other."""
    if left.backwards and right.backwards and right.last == left.first:
        return Run(right.first, left.last, True)
    if not left.backwards and not right.backwards and left.last == right.first:
        return Run(left.first, right.last, False)
    return None


def _shown(text: str, backwards: bool, font: QFont) -> list[_Shown]:
    """The characters that take room, in text order."""
    kinds = kinds_of(np.frombuffer(text.encode("utf-32-le"), np.uint32)).tolist()
    drawn = "".join(map(_stand_in, text, kinds))
    units = utf16_starts(np.frombuffer(drawn.encode("utf-32-le"), np.uint32))
    # The layout has to outlive its line.
    _layout, line = line_of(drawn, font, backwards)
    places = _glyph_places(line, units)
    shown = []
    column = 0
    for character, kind in enumerate(kinds):
        if drawn[character] == "\t":
            shown.append(_Shown(character, backwards, column + 1, 0.0))
            column += 2
        elif character in places and _takes_room(drawn[character], text[character], kind):
            x, leftward = places[character]
            shown.append(_Shown(character, leftward, column, x))
    return shown


def _stand_in(character: str, kind: int) -> str:
    """What is laid out for a character that Qt might not show, or might end the line at."""
    if kind not in (Kind.NAMED, Kind.NEWLINE):
        return character
    return _STAND_INS.get(unicodedata.bidirectional(character), character)


def _takes_room(drawn: str, character: str, kind: int) -> bool:
    return drawn != character or kind not in (Kind.NAMED, Kind.EXTENDS, Kind.JOINS)


def _glyph_places(line: QTextLine, units: NDArray[np.int64]) -> dict[int, tuple[float, bool]]:
    """For each character with glyphs: where the first one begins, and if it runs to the left.

    Accents have the place of their letter. A tab has no glyph, nor have the later letters
    of a ligature. `units` are the `utf16_starts` of the line's text.
    """
    places: dict[int, tuple[float, bool]] = {}
    for run in line.glyphRuns(-1, -1, _GLYPHS):
        backwards = run.isRightToLeft()
        characters = np.searchsorted(units, np.array(run.stringIndexes()), "right") - 1
        for character, point in zip(characters.tolist(), run.positions(), strict=True):
            places.setdefault(character, (point.x(), backwards))
    return places
