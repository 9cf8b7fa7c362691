"""A page of a tour while it is read, and the lines on it that ask for something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bpe_gui.tours.figures import joined
from bpe_gui.tours.tour import Part, Settings, Template


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a line, and how many characters before it."""

    line: int
    before: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A line of a page that asks for something.

    place: where its value begins. page: counted from 0 through the whole tour; revealed: whether
    it stands behind "then:".
    """

    place: Place
    page: int
    revealed: bool
    name: str
    value: str


@dataclass
class OpenPart:
    """A part of a page as far as it is read."""

    values: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    said: int = 0
    paragraphs: list[Template] = field(default_factory=list)
    lines: list[Template] = field(default_factory=list)

    def end_paragraph(self) -> None:
        if self.lines:
            self.paragraphs.append(joined(self.lines))
            self.lines = []

    def closed(self) -> Part:
        self.end_paragraph()
        return Part(Settings(**self.values), tuple(self.paragraphs))


@dataclass
class OpenPage:
    """A page as far as it is read; its question in pieces.

    is_titled: it has a heading; what stands where no page is, is read as one without.
    is_muddled: it asks in a way that is told once, and from which other mistakes only follow.
    """

    title: str
    place: Place
    is_titled: bool = True
    is_muddled: bool = False
    before: OpenPart = field(default_factory=OpenPart)
    after: OpenPart | None = None
    predict: Template | None = None
    asked: Place | None = None
    choices: list[Template] = field(default_factory=list)
    next_pair: bool = False
    right: Template | None = None

    @property
    def part(self) -> OpenPart:
        return self.after if self.after is not None else self.before
