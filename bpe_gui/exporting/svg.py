"""SVG drawings, and a coloured text as one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from html import escape
from itertools import product
from math import ceil

import regex
from msgspec import Struct

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.exporting.coloured_text import (
    TAB_MARK,
    ColouredSpan,
    ColouredText,
    PartKind,
    Scheme,
    TextPart,
    dots_of,
)
from bpe_gui.exporting.terminal_text import columns_of

# -- Elements and documents ---------------------------------------------------------------------
#
# Everything is in the coordinates of the page, one unit a pixel. The drawing needs no other
# file. Texts are texts: they can be searched, selected and read aloud.

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 forbids: most control characters, unpaired surrogates, U+FFFE and U+FFFF."""
_REPLACEMENT = "\ufffd"
_ODD = re.compile(f"{_ILLEGAL.pattern}|[&<>\"']")
"""What is not written in an attribute as it is."""

Attribute = str | float | None


def number(value: float) -> str:
    """Write a coordinate to a hundredth of a pixel, as short as possible.

    >>> number(12.0), number(0.126), number(-0.001)
    ('12', '0.13', '0')
    """
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def legal(text: str) -> str:
    """Replace what XML cannot hold by U+FFFD.

    >>> legal("a\\x1bb")
    'a\ufffdb'
    """
    return _ILLEGAL.sub(_REPLACEMENT, text)


def _as_value(text: str) -> str:
    # Most are numbers, names and paths.
    return escape(legal(text)) if _ODD.search(text) else text


def attributes(given: Mapping[str, Attribute]) -> str:
    """Write attributes as they are in a tag, with a space before each; None is left out.

    >>> attributes({"x": 1.5, "fill": "none", "rx": None})
    ' x="1.5" fill="none"'
    """
    return "".join(
        f' {name}="{_as_value(value) if isinstance(value, str) else number(value)}"'
        for name, value in given.items()
        if value is not None
    )


def element(name: str, given: Mapping[str, Attribute], content: str = "") -> str:
    """Write an element; `content` is XML."""
    inside = f">{content}</{name}>" if content else "/>"
    return f"<{name}{attributes(given)}{inside}"


def text_element(given: Mapping[str, Attribute], text: str) -> str:
    """Write a text, whatever its characters; spaces stay where they are."""
    kept = {"xml:space": "preserve", **given}
    return element("text", kept, escape(legal(text), quote=False))


def has_direction(text: str) -> bool:
    """Tell whether some of the characters run from right to left, so that the order must be
    told.
    """
    return not text.isascii() and any(
        unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text
    )


class SvgDocument:
    """A drawing of a width and a height in pixels, to which elements are added in order."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self._size = width, height
        self._title = title
        self._body: list[str] = []
        self._definitions: list[str] = []
        self._clips: dict[str, str] = {}
        self._families: dict[str, str] = {}
        self._clip = ""

    def add(self, written: str, clip: str = "") -> None:
        """Add an element. Of it only what lies within `clip` is seen, which is path data."""
        if clip != self._clip:
            self._close_clip()
            if clip:
                self._body.append(f'<g clip-path="url(#{self._name_of_clip(clip)})">')
            self._clip = clip
        self._body.append(written)

    def define(self, written: str) -> None:
        """Add an element that others refer to by its id."""
        self._definitions.append(written)

    def font_class(self, families: str) -> str:
        """Name the class of texts in the first of these families that there is.

        Give such texts the first family as an attribute too: programs that know no style sheets
        take that.
        """
        return self._families.setdefault(families, f"f{len(self._families)}")

    def text(self) -> str:
        """Write the whole file."""
        self._close_clip()
        width, height = map(number, self._size)
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f' width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
            f"<title>{escape(legal(self._title), quote=False)}</title>",
        ]
        if self._families:
            # What is within @supports is read by browsers, which know lists of families.
            rules = "".join(f".{name}{{font-family:{f}}}" for f, name in self._families.items())
            lines.append(f"<style>@supports (display:inline){{{rules}}}</style>")
        if self._definitions:
            lines += ["<defs>", *self._definitions, "</defs>"]
        return "\n".join([*lines, *self._body, "</svg>", ""])

    def _close_clip(self) -> None:
        if self._clip:
            self._body.append("</g>")
            self._clip = ""

    def _name_of_clip(self, clip: str) -> str:
        if clip not in self._clips:
            self._clips[clip] = name = f"c{len(self._clips)}"
            self.define(f'<clipPath id="{name}"><path d="{clip}"/></clipPath>')
        return self._clips[clip]


# -- A coloured text, set in a grid of characters of equal width --------------------------------
#
# No window and no font is needed to lay it out. Each text says how long it is, so that letters
# stay in their boxes whichever font is at hand.

_FAMILIES = "'Noto Sans Mono','DejaVu Sans Mono',Consolas,Menlo,monospace"
_FAMILY = "monospace"
_WIDTH = 0.6
"""Of a character, for a font of size 1: nearly all fonts of equal width have it."""
_ROW, _BOX, _BASE = 1.95, 1.45, 1.06
"""Heights of rows and boxes, and of the base line in a box."""
_SMALL = 0.74
_MARGIN = 1.0
_TAB = 4
"""Columns."""
_DOT = 0.07
_LINE = 2.0
"""How high the line is at the foot of what the vocabulary does not have."""
_CLUSTERS = regex.compile(r"\X")
_SMALL_KINDS = (PartKind.NEWLINE, PartKind.NAMED, PartKind.BYTES, PartKind.MARKER)


class _Written(Struct):
    """A text in one row, from a column on, this number of columns wide."""

    kind: PartKind
    column: float
    width: float
    text: str


class _Box(Struct):
    """What a stretch has in one row."""

    stretch: ColouredSpan
    row: int
    left: float
    right: float
    written: list[_Written] = []


def svg_text(
    text: ColouredText, scheme: Scheme, title: str, *, columns: int = 72, size: float = 18
) -> str:
    """Draw the text, `columns` characters wide, with letters of `size` pixels.

    A token that does not fit in what is left of a row goes on in the next, in another box.
    Everything is in the order of the text, from the left: also the words of scripts that
    run from right to left, but not the letters within one token.
    """
    boxes = list(_boxes(text, columns))
    rows = max((box.row for box in boxes), default=0) + 1
    width = (columns * _WIDTH + 2 * _MARGIN) * size
    height = (rows * _ROW + 2 * _MARGIN) * size
    document = SvgDocument(width, height, title)
    page: dict[str, Attribute] = {"width": width, "height": height, "fill": scheme.page}
    document.add(element("rect", page))
    # The list of families is for browsers; others take the attribute.
    shared: dict[str, Attribute] = {
        "font-family": _FAMILY,
        "class": document.font_class(_FAMILIES),
    }
    _define_patterns(document, rows, scheme, size)
    for box in boxes:
        _draw_box(document, box, scheme, size)
    for box in boxes:
        for written in box.written:
            _write(document, box, written, scheme, size, shared)
    return document.text()


# -- laying out ----------------------------------------------------------------------------------


def _boxes(text: ColouredText, columns: int) -> Iterator[_Box]:
    row, column = 0, 0.0
    for stretch in text.stretches:
        box = _Box(stretch, row, column, column)
        for part in stretch.parts:
            for kind, shown, width in _pieces(part):
                if column and column + width > columns:
                    yield box
                    row, column = row + 1, 0.0
                    box = _Box(stretch, row, column, column)
                _append(box, kind, column, width, shown)
                column += width
                box.right = column
            if part.kind is PartKind.NEWLINE:
                yield box
                row, column = row + 1, 0.0
                box = _Box(stretch, row, column, column)
        if box.written:
            yield box


def _pieces(part: TextPart) -> Iterator[tuple[PartKind, str, float]]:
    """Split the text into what cannot be torn, with the columns that it takes."""
    if part.kind is PartKind.TEXT:
        for cluster in _CLUSTERS.findall(part.text):
            yield PartKind.TEXT, cluster, float(min(2, max(1, columns_of(cluster))))
    elif part.kind is PartKind.SPACE:
        yield PartKind.SPACE, part.text, 1.0
    elif part.kind is PartKind.TAB:
        yield PartKind.TAB, TAB_MARK, float(_TAB)
    else:
        yield part.kind, part.shown, ceil(columns_of(part.shown) * _SMALL * 2) / 2


def _append(box: _Box, kind: PartKind, column: float, width: float, text: str) -> None:
    """Put a piece into a box; letters and spaces are one text with those before them."""
    last = box.written[-1] if box.written else None
    joins = (PartKind.TEXT, PartKind.SPACE)
    if last is not None and kind in joins and last.kind in joins:
        last.text += text
        last.width += width
        last.kind = PartKind.TEXT
    else:
        box.written.append(_Written(kind, column, width, text))


# -- drawing -------------------------------------------------------------------------------------


def _x(column: float, size: float) -> float:
    return (_MARGIN + column * _WIDTH) * size


def _top(row: int, size: float) -> float:
    return (_MARGIN + row * _ROW + (_ROW - _BOX) / 2) * size


def _draw_box(document: SvgDocument, box: _Box, scheme: Scheme, size: float) -> None:
    if not box.stretch.in_token:
        return
    unknown = box.stretch.id == NO_TOKEN
    gap = 0.8
    shape: dict[str, Attribute] = {
        "x": _x(box.left, size) + gap,
        "y": _top(box.row, size),
        "width": max(0.0, (box.right - box.left) * _WIDTH * size - 2 * gap),
        "height": _BOX * size,
        "rx": 4.0,
        "fill": scheme.raised if unknown else scheme.tokens[box.stretch.colour],
    }
    document.add(element("rect", shape))
    if unknown:
        line = {**shape, "y": _top(box.row, size) + _BOX * size - _LINE, "height": _LINE}
        document.add(element("rect", {**line, "rx": None, "fill": scheme.error}))
    elif scheme.patterns:
        dot, rows = _dot(size), len(scheme.patterns[0])
        strip = {
            **shape,
            "x": _x(box.left, size) + gap + 2 * dot,
            "width": max(0.0, (box.right - box.left) * _WIDTH * size - 2 * gap - 4 * dot),
            "height": rows * dot,
            "rx": None,
            "fill": f"url(#p{box.stretch.colour}r{box.row})",
        }
        document.add(element("rect", strip))


def _dot(size: float) -> float:
    """Return how large a dot of a pattern is."""
    return max(1.0, size / 14)


def _define_patterns(document: SvgDocument, rows: int, scheme: Scheme, size: float) -> None:
    """Define the patterns of the fills, for every row: they begin where its strips do."""
    dot = _dot(size)
    for row, (index, pattern) in product(range(rows), enumerate(scheme.patterns)):
        given: dict[str, Attribute] = {
            "id": f"p{index}r{row}",
            "patternUnits": "userSpaceOnUse",
            "y": _top(row, size),
            "width": len(pattern[0]) * dot,
            "height": len(pattern) * dot,
        }
        dots = element("path", {"fill": scheme.ink, "d": dots_of(pattern)})
        scaled = element("g", {"transform": f"scale({dot:g})"}, dots)
        document.define(element("pattern", given, scaled))


def _write(
    document: SvgDocument,
    box: _Box,
    written: _Written,
    scheme: Scheme,
    size: float,
    shared: dict[str, Attribute],
) -> None:
    in_token = box.stretch.in_token
    small = written.kind in _SMALL_KINDS or written.kind is PartKind.TAB
    quiet = small and written.kind is not PartKind.BYTES
    on_token = scheme.token_muted if quiet else scheme.token_text
    base = _top(box.row, size) + _BASE * size
    width = (1.0 if written.kind is PartKind.TAB else written.width) * _WIDTH * size
    given: dict[str, Attribute] = {
        "x": _x(written.column, size),
        "y": base,
        "fill": on_token if in_token else scheme.muted,
        "font-size": size * _SMALL if small else size,
        **shared,
    }
    if has_direction(written.text):
        given |= {"x": _x(written.column + written.width / 2, size), "text-anchor": "middle"}
    if len(written.text) > 1:
        given |= {"textLength": width, "lengthAdjust": "spacingAndGlyphs"}
    if written.text.strip(" "):
        document.add(text_element(given, written.text))
    colour = scheme.token_muted if in_token else scheme.muted
    for column in _spaces(written):
        dot: dict[str, Attribute] = {
            "cx": _x(written.column + column + 0.5, size),
            "cy": base - 0.3 * size,
            "r": _DOT * size,
            "fill": colour,
        }
        document.add(element("circle", dot))


def _spaces(written: _Written) -> Iterator[float]:
    """List the columns of the spaces in a text, from where it begins on the left."""
    if written.kind not in (PartKind.TEXT, PartKind.SPACE):
        return
    backwards = has_direction(written.text)
    column = 0.0
    for cluster in _CLUSTERS.findall(written.text):
        if cluster == " ":
            yield written.width - column - 1 if backwards else column
        column += min(2, max(1, columns_of(cluster)))
