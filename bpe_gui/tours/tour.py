"""A tour: chapters of pages, and what each page asks the program to show.

A page is no list of commands: it says what is to be in view. What it does not say holds as on
the page before it, from the beginning of its chapter on. So each page can be gone to directly,
and going back shows what was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum

from bpe_gui.bpe.recipe import Ties

VERSION = 1
"""The version of the format that is written, and the newest that is read."""

THE_END = 2**31 - 1
"""Stands for a number of merges: all that the recipe asks for."""

MOST_MERGES = 1_000_000
"""The largest number of merges, and of entries of a vocabulary, that a tour may name."""

HOLE = re.compile("TEXT|NUMBER|LANGUAGE")


@dataclass(frozen=True, order=True, slots=True)
class TourError:
    """One mistake: where it stands, from 1, and what is wrong and what to write instead.

    >>> print(TourError(12, 9, "a tour has no corpus “war”; write four-words"))
    line 12, column 9: a tour has no corpus “war”; write four-words
    """

    line: int
    column: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line:,}, column {self.column:,}: {self.reason}"


class TourErrors(ValueError):  # noqa: N818 - it is all errors of a text
    """A text that is no tour; `errors` holds all its mistakes, in the order of their places.

    Its text has a line for each of them.
    """

    def __init__(self, errors: Iterable[TourError]) -> None:
        self.errors = tuple(sorted(errors))
        super().__init__("\n".join(map(str, self.errors)))


class Fault(Exception):  # noqa: N818 - it becomes a TourError where the line is known
    """Something is wrong so many characters into a part of a line."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: a pattern of `FIGURES`, what stands in its holes, and for how many merges.

    `at` is None for those that are done where the page stands, THE_END for all.
    """

    pattern: str
    arguments: tuple[str | int, ...] = ()
    at: int | None = None

    def __str__(self) -> str:
        """As it is written between braces.

        >>> str(Figure("count of TEXT + TEXT", ("e", "s"), 4))
        'count of "e" + "s" at 4'
        """
        holes = iter(self.arguments)
        written = HOLE.sub(lambda hole: _written(hole[0], next(holes)), self.pattern)
        return written if self.at is None else f"{written} at {merges_written(self.at)}"


@dataclass(frozen=True, slots=True)
class Template:
    """Words and figures, one after another; no two words, and none that are empty."""

    parts: tuple[str | Figure, ...]

    def __str__(self) -> str:
        """As it is written in a tour.

        >>> str(Template(("merge ", Figure("merges"), " of {x}")))
        'merge {merges} of {{x}}'
        """
        return "".join(
            f"{{{part}}}" if isinstance(part, Figure)
            else part.replace("{", "{{").replace("}", "}}")
            for part in self.parts
        )

    @property
    def is_fixed(self) -> bool:
        """Whether it says the same whatever the run."""
        return all(isinstance(part, str) for part in self.parts)


class Workspace(StrEnum):
    """What fills the window."""

    EXPLORE = "explore"
    COMPARE = "compare"
    LABORATORY = "laboratory"


class Cover(StrEnum):
    """What nothing in view may tell."""

    NEXT_MERGE = "the next merge"


class Compared(StrEnum):
    """The text that lanes are compared on."""

    TEXT = "the text"
    STORY = "the story"


@dataclass(frozen=True, slots=True)
class Spot:
    """What the spotlight points to: one of `directives.PLACES`, whole or in part.

    first, last: some of its rows, from 1. part: a part by its name, of `directives.parts_of`.
    """

    place: str
    first: int | None = None
    last: int | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True)
class At:
    """Where the cursor is: after so many merges, or THE_END; `plays` if it is to walk there."""

    merges: int
    plays: bool = False


@dataclass(frozen=True, slots=True)
class RunLane:
    """The run in view as a lane: at the cursor (None), or after so many merges."""

    merges: int | None = None


@dataclass(frozen=True, slots=True)
class PresetLane:
    """A preset trained as a lane, on the corpus of the page and to its size if not told."""

    preset: str
    corpus: str | None = None
    vocabulary: int | None = None


Lane = RunLane | PresetLane


@dataclass(frozen=True, slots=True)
class Settings:
    """What one part of a page asks for; None for what it does not speak of.

    The fields are those of `Scene`.
    """

    corpus: str | None = None
    preset: str | None = None
    vocabulary: int | None = None
    ties: Ties | None = None
    train_to: int | None = None
    go_to: At | None = None
    text: str | None = None
    workspace: Workspace | None = None
    lanes: tuple[Lane, ...] | None = None
    compare_on: Compared | None = None
    select: Template | None = None
    word: str | None = None
    difference: int | None = None
    cover: Cover | None = None
    spotlight: tuple[Spot, ...] | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is in view.

    corpus: one of the samples that come with the program, or the name of a file beside the tour.
    train_to: so many merges are done at least; THE_END for all that the recipe asks for.
    go_to: where the cursor is among them.
    text: what stands in the text panel.
    lanes, compare_on: what stands in Compare, and the text there.
    select: the token that is selected; word: the word of which the cutting is shown;
        difference: the difference between lanes that is looked at, from 1.
    cover: what is not to be told until the page reveals it.
    spotlight: what is pointed to.
    """

    corpus: str = "four-words"
    preset: str = "whitespace"
    vocabulary: int = 2000
    ties: Ties = Ties.FIRST_SEEN
    train_to: int = 0
    go_to: At = At(0)
    text: str = "newest lowest"
    workspace: Workspace = Workspace.EXPLORE
    lanes: tuple[Lane, ...] = (RunLane(),)
    compare_on: Compared = Compared.TEXT
    select: Template | None = None
    word: str | None = None
    difference: int | None = None
    cover: Cover | None = None
    spotlight: tuple[Spot, ...] = ()

    @property
    def merges(self) -> int:
        """How many merges are done: also what a lane of the run needs."""
        lanes = [lane.merges or 0 for lane in self.lanes if isinstance(lane, RunLane)]
        return max(self.train_to, self.go_to.merges, *lanes, 0)

    def with_settings(self, settings: Settings) -> Scene:
        """The scene after something else is asked for.

        Another corpus or recipe begins before its first merge.
        """
        given = {
            name.name: getattr(settings, name.name)
            for name in fields(Settings)
            if getattr(settings, name.name) is not None
        }
        begins = any(
            name in given and given[name] != getattr(self, name)
            for name in ("corpus", "preset", "vocabulary", "ties")
        )
        before = replace(self, train_to=0, go_to=At(0)) if begins else self
        return replace(before, **given)

    def at_rest(self) -> Scene:
        """The scene with the cursor where it is to be, without a walk there."""
        return replace(self, go_to=At(self.go_to.merges))

    def without_pointing(self) -> Scene:
        """The scene as the next page begins with it: nothing is selected or pointed to."""
        return replace(
            self.at_rest(), select=None, word=None, difference=None, cover=None, spotlight=()
        )


@dataclass(frozen=True, slots=True)
class Part:
    """What a page shows at once: settings and paragraphs."""

    settings: Settings = field(default_factory=Settings)
    paragraphs: tuple[Template, ...] = ()


@dataclass(frozen=True, slots=True)
class NextPair:
    """Choices that the program makes: the pairs that may be merged next, and which one is."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the audience predicts: two to four choices, of which `right` says the same as one.

    `right` is filled in after the second part of the page is shown: it may tell what only that
    shows. None for NextPair, of which the run itself knows.
    """

    text: Template
    choices: tuple[Template, ...] | NextPair
    right: Template | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page: what it shows first, what it asks, and what it shows then."""

    title: str
    before: Part
    question: Question | None = None
    after: Part | None = None

    @property
    def reveals(self) -> bool:
        """Whether something follows before the next page."""
        return self.question is not None or self.after is not None


@dataclass(frozen=True, slots=True)
class Chapter:
    """Pages that belong together."""

    title: str
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class Tour:
    """A guided tour."""

    title: str
    chapters: tuple[Chapter, ...]

    @property
    def pages(self) -> list[Page]:
        """All pages in order."""
        return [page for chapter in self.chapters for page in chapter.pages]


@dataclass(frozen=True, slots=True)
class Moment:
    """One of the stops of a tour: a page, before or after what it reveals.

    chapter, page: counted from 0, pages through the whole tour.
    asks: which of the pairs is merged next is asked, and offered by the program.
    """

    chapter: int
    page: int
    revealed: bool
    scene: Scene
    asks: bool = False

    @property
    def covers(self) -> bool:
        """Whether nothing in view may tell which pair is merged next."""
        return self.asks or self.scene.cover is not None


def moments(tour: Tour) -> list[Moment]:
    """All stops of a tour, in order, each with the scene that it shows."""
    return list(_moments(tour))


def beginnings(stops: Sequence[Moment]) -> list[int]:
    """The numbers of the stops, from 0, at which a chapter begins."""
    return [
        number
        for number, stop in enumerate(stops)
        if not number or stop.chapter != stops[number - 1].chapter
    ]


def _moments(tour: Tour) -> Iterator[Moment]:
    number = 0
    for place, chapter in enumerate(tour.chapters):
        scene = Scene()
        for page in chapter.pages:
            asks = page.question is not None and isinstance(page.question.choices, NextPair)
            scene = scene.without_pointing().with_settings(page.before.settings)
            yield Moment(place, number, False, scene, asks)
            if page.reveals:
                scene = replace(scene.at_rest(), cover=None)
                if page.after is not None:
                    scene = scene.with_settings(page.after.settings)
                yield Moment(place, number, True, scene)
            number += 1


def merges_written(merges: int) -> str:
    """A number of merges as a tour has it."""
    return "the end" if merges == THE_END else f"{merges:,}"


def _written(hole: str, value: str | int) -> str:
    if hole == "NUMBER":
        return f"{value:,}"
    return f'"{value}"' if hole == "TEXT" else str(value)
