"""Writing an SVG drawing: elements one after another, with clips and fonts that are shared.

Everything stands in the coordinates of the page, one unit a pixel. The drawing needs no other
file. Texts are texts: they can be searched, selected and read aloud.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from html import escape

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 forbids: most control characters, unpaired surrogates, U+FFFE and U+FFFF."""
_REPLACEMENT = "\ufffd"

Attribute = str | float | None


def number(value: float) -> str:
    """A coordinate to a hundredth of a pixel, as short as it can be written.

    >>> number(12.0), number(0.126), number(-0.001)
    ('12', '0.13', '0')
    """
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def legal(text: str) -> str:
    """A text in which what XML cannot hold is U+FFFD.

    >>> legal("a\\x1bb")
    'a\ufffdb'
    """
    return _ILLEGAL.sub(_REPLACEMENT, text)


def attributes(given: Mapping[str, Attribute]) -> str:
    """Attributes as they stand in a tag, with a space before each; None is left out.

    >>> attributes({"x": 1.5, "fill": "none", "rx": None})
    ' x="1.5" fill="none"'
    """
    return "".join(
        f' {name}="{escape(legal(value)) if isinstance(value, str) else number(value)}"'
        for name, value in given.items()
        if value is not None
    )


def element(name: str, given: Mapping[str, Attribute], content: str = "") -> str:
    """An element; `content` is XML."""
    inside = f">{content}</{name}>" if content else "/>"
    return f"<{name}{attributes(given)}{inside}"


def text_element(given: Mapping[str, Attribute], text: str) -> str:
    """A text, whatever its characters; spaces stay where they are."""
    kept = {"xml:space": "preserve", **given}
    return element("text", kept, escape(legal(text), quote=False))


def has_direction(text: str) -> bool:
    """Whether some of the characters run from right to left, so that the order must be told."""
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
        """The class of texts in the first of these families that there is.

        Give such texts the first family as an attribute too: programs that know no style sheets
        take that.
        """
        return self._families.setdefault(families, f"f{len(self._families)}")

    def text(self) -> str:
        """The whole file."""
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
