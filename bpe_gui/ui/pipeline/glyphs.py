"""Writes the small parts of a stage: characters, marks and bytes, each alone.

A letter is in a column and drawn alone, as the tokenizer sees it: not joined to its neighbours.
Invisible characters have the marks of the coloured text.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from PySide6.QtGui import QFontMetricsF

from bpe_gui.analysis.visible import visible, visible_bytes
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.ui.tokens.characters import Kind, kinds_of
from bpe_gui.ui.tokens.fonts import TokenFonts, name_of

_LONGEST = 24
"""Characters at most of a special token."""
_END_OF_WORD = END_OF_WORD.encode()


class Style(IntEnum):
    TEXT = 0
    LABEL = 1
    """A name or a mark: small, and not the text itself."""
    BYTES = 2
    """Bytes in hex: small."""
    SPACE = 3
    """A dot."""


class Glyph(NamedTuple):
    """A text to draw, and its width in logical pixels."""

    text: str
    style: Style
    width: float


class Writing(NamedTuple):
    """Glyphs side by side, and their width."""

    glyphs: tuple[Glyph, ...]
    width: float


_BROKEN = re.compile("([\udc80-\udcff]+)")


class Writer:
    """Writes in one size; every content is measured once."""

    def __init__(self, fonts: TokenFonts) -> None:
        self._fonts = fonts
        self._metrics = QFontMetricsF(fonts.body)
        self._written: dict[tuple[bytes, bool], Writing] = {}

    def write(self, content: bytes, *, marked: bool = False) -> Writing:
        """Write a character or a symbol: characters one by one, other bytes in hex.

        If `marked`, a `</w>` at the end marks the end of a word.
        """
        writing = self._written.get((content, marked))
        if writing is None:
            writing = self._written[content, marked] = self._write(content, marked)
        return writing

    def special(self, content: bytes) -> Writing:
        """Write a special token, shortened if it is long."""
        text = visible(content)
        return _joined([self.label(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")])

    def label(self, text: str, style: Style = Style.BYTES) -> Glyph:
        """Return a short text in the small font."""
        return Glyph(text, style, self._fonts.label(text))

    def _write(self, content: bytes, marked: bool) -> Writing:
        marked = marked and content.endswith(_END_OF_WORD)
        content = content.removesuffix(_END_OF_WORD) if marked else content
        glyphs = []
        # Bytes that belong to no character become the surrogates U+DC80 to U+DCFF.
        for number, part in enumerate(_BROKEN.split(content.decode("utf-8", "surrogateescape"))):
            if number % 2:
                data = part.encode("utf-8", "surrogateescape")
                glyphs.append(self.label(visible_bytes(data)))
            else:
                glyphs += [self._character(character) for character in part]
        if marked:
            glyphs.append(self.label(END_OF_WORD, Style.LABEL))
        return _joined(glyphs)

    def _character(self, character: str) -> Glyph:
        kind = Kind(kinds_of(np.array([ord(character)], np.uint32))[0])
        if kind in (Kind.TAB, Kind.NEWLINE, Kind.NAMED, Kind.JOINS):
            return self.label(name_of(character), Style.LABEL)
        if kind is Kind.SPACE:
            return Glyph(" ", Style.SPACE, self._metrics.horizontalAdvance(" "))
        # A mark that is alone needs something to sit on.
        text = name_of(character) if kind is Kind.EXTENDS else character
        return Glyph(text, Style.TEXT, self._metrics.horizontalAdvance(text))


def _joined(glyphs: list[Glyph]) -> Writing:
    return Writing(tuple(glyphs), sum(glyph.width for glyph in glyphs))
