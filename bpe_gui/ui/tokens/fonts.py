"""The two fonts of the coloured text, and how wide everything is in them."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetrics, QFontMetricsF, QPainter, QPen

from bpe_gui.analysis.visible import visible_bytes, visible_character, with_base
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.words import distinct_keys
from bpe_gui.ui.theme.text_size import resized
from bpe_gui.ui.tokens.characters import Characters, Kind, kinds_of
from bpe_gui.ui.tokens.tokenized_text import TokenizedText

LABEL_MARGIN = 2.0
"""Left and right of names, bytes in hex and marks, in pixels."""

NEWLINE_MARK = "¶"
TAB_MARK = "→"
_SMALL = 0.74
_LINE = 1.95
_BOX = 1.45
"""Sizes of small texts, rows and boxes, for a font of size 1."""
_MARK, _LARGEST_MARK, _LEAST_MARK = 0.6, 0.78, 10
"""The size of the mark of the end of a word, for a font of size 1, and the least in pixels.

It is at most the second size also where that is less than the least."""
_COMPACT_GAP = 2
"""Between two boxes in compact rows, in logical pixels."""


def mark_font(font: QFont, around: QFont | None = None) -> QFont:
    """Return the font of the mark of the end of a word: it is beside a word, not part of it.

    It is no smaller than the mark in `around`, the font of what is around the text.
    """
    size = QFontInfo(font).pixelSize()
    beside = 0 if around is None else _MARK * QFontInfo(around).pixelSize()
    least = max(_LEAST_MARK, beside)
    return resized(font, max(_MARK, min(_LARGEST_MARK, least / size)))


class LabelFont:
    """A font for tokens as labels, in which the mark of the end of a word is smaller."""

    def __init__(self, font: QFont, around: QFont | None = None) -> None:
        """`around` is the font of what is around: its mark is the smallest that is written."""
        self.font, self.metrics = font, QFontMetrics(font)
        self._mark = mark_font(font, around)
        marks = QFontMetrics(self._mark)
        self._mark_width = marks.horizontalAdvance(END_OF_WORD)
        self._raised = (self.metrics.xHeight() - marks.xHeight()) // 2

    def width(self, text: str) -> int:
        """Return the width of a label."""
        if not text.endswith(END_OF_WORD):
            return self.metrics.horizontalAdvance(text)
        body = text.removesuffix(END_OF_WORD)
        return self.metrics.horizontalAdvance(body) + self._mark_width

    def elided(self, text: str, mode: Qt.TextElideMode, room: float) -> str:
        """Return as much of a label as there is room for, with an ellipsis if it is not all."""
        if self.width(text) <= room:
            return text
        body, keeps_end = text.removesuffix(END_OF_WORD), mode is not Qt.TextElideMode.ElideRight
        if len(body) == len(text) or not keeps_end or self._mark_width >= room:
            return self.metrics.elidedText(text, mode, int(room))
        return self.metrics.elidedText(body, mode, int(room - self._mark_width)) + END_OF_WORD

    def draw(
        self, painter: QPainter, left: int, baseline: int, text: str, quiet: QPen | None = None
    ) -> None:
        """Draw a label in the painter's pen, and its mark in `quiet`, and leave this font there."""
        painter.setFont(self.font)
        if not text.endswith(END_OF_WORD):
            painter.drawText(left, baseline, text)
            return
        body = text.removesuffix(END_OF_WORD)
        painter.drawText(left, baseline, body)
        painter.setFont(self._mark)
        ink = painter.pen()
        if quiet is not None:
            painter.setPen(quiet)
        end = left + self.metrics.horizontalAdvance(body)
        # Halfway up the letters, as in a text.
        painter.drawText(end, baseline - self._raised, END_OF_WORD)
        painter.setPen(ink)
        painter.setFont(self.font)


@lru_cache(maxsize=8)
def token_fonts(font: QFont, *, compact: bool = False) -> TokenFonts:
    """Return the fonts for text in a font; what was measured lately is shared."""
    return TokenFonts(font, compact=compact)


class TokenFonts:
    """Fonts and measures for one size of text, all in logical pixels. Made by `token_fonts`.

    `body` is for the text: letters as wide as each is alone, so that a token may end between
    any two of them; `small` is for what is not the text itself. Rows are `row_height` high, the
    boxes in them `box_height` from `box_top` on; compact ones are hardly higher than their boxes.
    """

    def __init__(self, font: QFont, *, compact: bool = False) -> None:
        self.body = QFont(font)
        self.body.setKerning(False)
        self.body.setFeature(QFont.Tag("liga"), 0)
        size = QFontInfo(font).pixelSize()
        self.small = resized(font, _SMALL)
        self.small_bold = resized(font, _SMALL, bold=True)
        self._body = QFontMetricsF(self.body)
        self._small = QFontMetricsF(self.small)
        self._mark = mark_font(font)
        self._advances = _Advances()
        self._labels: dict[str, float] = {}
        self.space = self._body.horizontalAdvance(" ")
        self.body_height = height = self._body.height()
        self.box_height = round(max(height, size * _BOX))
        self.row_height = max(round(size * _LINE), self.box_height + 4)
        if compact:
            self.row_height = self.box_height + _COMPACT_GAP
        self.box_top = (self.row_height - self.box_height) // 2
        self.baseline = self.box_top + (self.box_height - height) / 2 + self._body.ascent()
        self.small_baseline = self._centered(self._small)

    def _centered(self, metrics: QFontMetricsF) -> float:
        """Return the baseline of a smaller text whose letters are halfway up those of the body."""
        return self.baseline - (self._body.xHeight() - metrics.xHeight()) / 2

    def label_font(self, text: str) -> tuple[QFont, int]:
        """Return the font of a name, of bytes in hex or of a mark, and its baseline in the box."""
        is_mark = text == END_OF_WORD
        font = self._mark if is_mark else self.small
        baseline = self._centered(QFontMetricsF(font)) if is_mark else self.small_baseline
        return font, round(baseline - self.box_top)

    @property
    def line_gap(self) -> int:
        """The gap between two lines that are side by side in a row."""
        return self.row_height

    def label(self, text: str) -> float:
        """Return the width of a name, of bytes in hex or of a mark, margins included."""
        width = self._labels.get(text)
        if width is None:
            advance = QFontMetricsF(self.label_font(text)[0]).horizontalAdvance(text)
            width = advance + 2 * LABEL_MARGIN
            self._labels[text] = width
        return width

    @cached_property
    def bytes_widths(self) -> NDArray[np.float64]:
        """The width of a label of 0, 1, 2, 3 bytes in hex, and a little more than enough."""
        return np.array([self.label(visible_bytes(b"\xdd" * count)) for count in range(5)])

    def advances(self, characters: Characters) -> NDArray[np.float64]:
        """Return the width of each character where nothing splits it. A newline has none."""
        widths = self._advances.of(characters.codes)
        missing = np.isnan(widths)
        if missing.any():
            codes = distinct_keys(characters.codes[missing])
            kinds = kinds_of(codes).tolist()
            measured = [self._advance(chr(code), kind)
                        for code, kind in zip(codes.tolist(), kinds, strict=True)]  # fmt: skip
            self._advances.add(codes, measured)
            widths = self._advances.of(characters.codes)
        return widths

    def advances_of(self, characters: Characters, first: int, last: int) -> NDArray[np.float64]:
        """As `advances`, for some of the characters of a text that was asked for before."""
        return self._advances.of(characters.codes[first:last])

    def _advance(self, character: str, kind: int) -> float:
        if kind in (Kind.NEWLINE, Kind.EXTENDS, Kind.JOINS):
            return 0.0
        if kind == Kind.TAB:
            # It is drawn as an arrow, not as a jump to a column.
            return 4 * self._body.horizontalAdvance(" ")
        if kind == Kind.NAMED:
            return self.label(name_of(character))
        return self._body.horizontalAdvance(character)

    def widths(self, cut: TokenizedText, advances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the width of each character with its bytes in hex, names and marks."""
        characters = cut.characters
        if not (len(cut.split) or len(cut.torn) or len(cut.closing)):
            return advances
        widths = advances.copy()
        if len(cut.torn):
            unique, places = np.unique(characters.codes[cut.torn], return_inverse=True)
            names = [self.label(name_of(chr(code))) for code in unique.tolist()]
            widths[cut.torn] = np.array(names)[places]
        if len(cut.split):
            widths[cut.split] = 0.0
            parts = self.bytes_widths[np.clip(cut.part_sizes, 0, 4)]
            np.add.at(widths, cut.part_characters, parts)
        places = cut.lasts[cut.closing] - 1
        np.add.at(widths, places[places >= 0], self.label(END_OF_WORD))
        return widths


class _Advances:
    """How wide characters are, in pages of 256: a text has characters of few of them.

    A table of all characters is 4 MB for each size of text.
    """

    def __init__(self) -> None:
        self._page = np.zeros(0x1100, np.int32)
        """The number of each page; 0 is that of what nobody has measured."""
        self._widths = np.full((1, 256), np.nan, np.float32)

    def of(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the widths of characters; NaN for those that were not added."""
        return self._widths[self._page[codes >> 8], codes & 255].astype(np.float64)

    def add(self, codes: NDArray[np.integer], widths: list[float]) -> None:
        """Take in the widths of some more characters, each of which is there but once."""
        pages = distinct_keys(codes >> 8)
        new, known = pages[self._page[pages] == 0], len(self._widths)
        self._page[new] = np.arange(known, known + len(new))
        blank = np.full((len(new), 256), np.nan, np.float32)
        self._widths = np.concatenate((self._widths, blank))
        self._widths[self._page[codes >> 8], codes & 255] = widths


def name_of(character: str) -> str:
    """Return the text shown for an invisible character, or one that needs a base character."""
    if character == "\n":
        return NEWLINE_MARK
    if character == "\t":
        return TAB_MARK
    return visible_character(character) or with_base(character)
