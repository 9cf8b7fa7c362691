"""Texts of a drawing: what Qt paints in several pieces, because one font does not have all of
its characters, is one text again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QTextItem, QTransform

from bpe_gui.exporting.svg import Attribute, SvgDocument, has_direction, number, text_element
from bpe_gui.ui.export.svg_style import families, lettering, pixel_size

_OVERRIDES = re.compile("[\u202d\u202e]")
_WORDS = re.compile(r" ?\S+|\s+")
_TOUCH = 0.05
"""Pixels within which a text goes on where another ends."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text on its way into the document; all but the text and the widths is equal for those
    that can be one."""

    text: str
    x: float
    y: float
    width: float
    backwards: bool
    style: tuple[tuple[str, Attribute], ...]
    transform: str | None
    clip: str

    def goes_on_in(self, other: _Text) -> bool:
        """Whether another text is the rest of this one."""
        alike = replace(other, text=self.text, x=self.x, width=self.width) == self
        return alike and not self.backwards and abs(self.x + self.width - other.x) < _TOUCH


class SvgTexts:
    """Writes texts into a document. What is added to the document between two of them must not
    lie between: `flush` first."""

    def __init__(self, document: SvgDocument, dots_per_inch: float) -> None:
        self._document = document
        self._dots_per_inch = dots_per_inch
        self._fonts: dict[str, tuple[dict[str, Attribute], QFontMetricsF]] = {}
        self._waiting: _Text | None = None

    def add(
        self,
        item: QTextItem,
        place: QPointF,
        transform: QTransform,
        paint: dict[str, Attribute],
        clip: str,
    ) -> None:
        """Add a text in one font and one direction, from its left end on the base line."""
        text = _OVERRIDES.sub("", item.text())
        backwards = bool(item.renderFlags() & QTextItem.RenderFlag.RightToLeft)
        style, metrics = self._style(item)
        matrix = None
        if transform.isScaling() or transform.isRotating():
            matrix = _matrix(transform)
        else:
            place = transform.map(place)
        whole = _Text(
            text,
            place.x(),
            place.y(),
            item.width(),
            backwards,
            tuple((paint | style).items()),
            matrix,
            clip,
        )
        if not item.font().letterSpacing() or backwards or has_direction(text):
            self._put(whole)
            return
        # Programs that do not space letters at least begin each word where it stands.
        for word in _WORDS.finditer(text):
            left = metrics.horizontalAdvance(text[: word.start()])
            width = metrics.horizontalAdvance(text[: word.end()]) - left
            self.flush()
            self._put(replace(whole, text=word[0], x=whole.x + left, width=width))

    def flush(self) -> None:
        """Write what waits for its end."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.text.strip():
            self._document.add(_element(waiting), waiting.clip)

    def _put(self, text: _Text) -> None:
        before = self._waiting
        if before is not None and before.goes_on_in(text):
            joined, width = before.text + text.text, before.width + text.width
            self._waiting = replace(before, text=joined, width=width)
            return
        self.flush()
        self._waiting = text

    def _style(self, item: QTextItem) -> tuple[dict[str, Attribute], QFontMetricsF]:
        """The attributes of a font, and its measures."""
        font = QFont(item.font())
        underlined = bool(item.renderFlags() & QTextItem.RenderFlag.Underline)
        key = f"{font.key()} {underlined}"
        if key not in self._fonts:
            own, listed = families(font)
            style: dict[str, Attribute] = {
                "font-family": own,
                "class": self._document.font_class(listed),
                "font-size": pixel_size(font, self._dots_per_inch),
                **lettering(font),
                "text-decoration": "underline" if underlined else None,
            }
            self._fonts[key] = style, QFontMetricsF(font)
        return self._fonts[key]


def _element(text: _Text) -> str:
    given: dict[str, Attribute] = {"x": text.x, "y": text.y}
    style = dict(text.style)
    if text.backwards:
        # The middle is the same in whichever direction a program takes the text to run.
        given |= {"x": text.x + text.width / 2, "text-anchor": "middle"}
    if text.backwards or has_direction(text.text):
        given["direction"] = "rtl" if text.backwards else "ltr"
        given["unicode-bidi"] = "bidi-override"
    if len(text.text) > 1:
        given["textLength"] = text.width
        spaced = style.get("letter-spacing") is not None
        given["lengthAdjust"] = "spacing" if spaced else "spacingAndGlyphs"
    given["transform"] = text.transform
    return text_element({**given, **style}, text.text)


def _matrix(transform: QTransform) -> str:
    numbers = (
        *(f"{part:.6g}" for part in (transform.m11(), transform.m12())),
        *(f"{part:.6g}" for part in (transform.m21(), transform.m22())),
        number(transform.dx()),
        number(transform.dy()),
    )
    return f"matrix({' '.join(numbers)})"
