"""What a tour is: chapters of pages, what every page asks to show, and what may be wrong with it.

A page is no list of commands: it says what is to be in view. What it does not say holds as on
the page before it, from the beginning of its chapter on. So every page can be gone to directly,
and going back shows what was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bpe_gui.bpe.recipe import Ties

VERSION = 1
"""The version of the format: the newest that is read."""

THE_END = 2**31 - 1
"""Stands for a number of merges: all that the recipe asks for."""

MAX_NUMBER = 1_000_000
"""The largest number of merges, and of entries of a vocabulary, that a tour may name."""

PLACEHOLDER = re.compile("TEXT|NUMBER|LANGUAGE")
"""What is in the pattern of a figure for something that a tour fills in."""


class TourError(Struct, frozen=True, order=True):
    """One mistake: its line and column, from 1, what is wrong, and what to write instead.

    >>> print(TourError(12, 9, "a tour has no corpus “war”; write four-words"))
    line 12, column 9: a tour has no corpus “war”; write four-words
    """

    line: int
    column: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line:,}, column {self.column:,}: {self.reason}"


class TourErrors(ValueError):  # noqa: N818 - it is all errors of a text
    """All mistakes of a text that is no tour, in `errors` and as text line by line, in order."""

    def __init__(self, errors: Iterable[TourError]) -> None:
        self.errors = tuple(sorted(errors))
        super().__init__("\n".join(map(str, self.errors)))


class Fault(Exception):  # noqa: N818 - it becomes a TourError where the line is known
    """A mistake in a part of a line, `offset` characters into it."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason


# -- sentences with figures ------------------------------------------------------------------


class Figure(Struct, frozen=True):
    """One figure of a sentence: a pattern of `figures.FIGURES` and what fills its placeholders.

    at: after how many merges it is asked for; THE_END for all, None for those done on the page.
    """

    pattern: str
    arguments: tuple[str | int, ...] = ()
    at: int | None = None

    def __str__(self) -> str:
        """Write it as between the braces of a tour.

        >>> str(Figure("count of TEXT + TEXT", ("e", "s"), 4))
        'count of "e" + "s" at 4'
        """
        arguments = iter(self.arguments)
        text = PLACEHOLDER.sub(lambda found: _argument(found[0], next(arguments)), self.pattern)
        if self.at is None:
            return text
        return f"{text} at the end" if self.at == THE_END else f"{text} at {self.at:,}"


def _argument(placeholder: str, value: str | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f'"{value}"' if placeholder == "TEXT" else value


class Template(Struct, frozen=True):
    """Words and figures, one after another: never words beside words, nor empty ones."""

    parts: tuple[str | Figure, ...]

    def __str__(self) -> str:
        """Write it as in a tour.

        >>> str(Template(("merge ", Figure("merges"), " of {x}")))
        'merge {merges} of {{x}}'
        """
        return "".join(
            part.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else f"{{{part}}}"
            for part in self.parts
        )

    @property
    def is_fixed(self) -> bool:
        """Tell whether it says the same whatever the run."""
        return all(isinstance(part, str) for part in self.parts)


# -- what is in view -------------------------------------------------------------------------


class Workspace(StrEnum):
    """What fills the window."""

    EXPLORE = "explore"
    COMPARE = "compare"
    LABORATORY = "laboratory"


class Compared(StrEnum):
    """The text that lanes are compared on."""

    TEXT = "the text"
    STORY = "the story"


class Cover(StrEnum):
    """What nothing in view may show before a page reveals it."""

    NEXT_MERGE = "the next merge"
    EFFECT = "the effect of the next merge"
    """Which pairs it makes rarer; the merge itself may be seen."""


class Spot(Struct, frozen=True):
    """What the spotlight points to: a known place, whole or in part.

    first, last: some of its rows, from 1. part: a name of `directives.parts_of`.
    """

    place: str
    first: int | None = None
    last: int | None = None
    part: str | None = None


class At(Struct, frozen=True):
    """Where the cursor is: after this many merges, or THE_END; `plays` if it is to walk there."""

    merges: int
    plays: bool = False


class RunLane(Struct, frozen=True):
    """The run in view as a lane: at the cursor (None), or after this many merges."""

    merges: int | None = None


class PresetLane(Struct, frozen=True):
    """A preset trained as a lane; None for the corpus of the page, and for its size."""

    preset: str
    corpus: str | None = None
    vocabulary: int | None = None


Lane = RunLane | PresetLane


class Scene(Struct, frozen=True):
    """All that is in view.

    corpus: one of the samples that come with the program, or the name of a file beside the tour.
    train_to: at least this many merges are done; THE_END for all that the recipe asks for.
    go_to: where the cursor is among them.
    text: the text of the text panel.
    lanes, compare_on: the lanes of Compare, and their text.
    select: the token that is selected; word: the word whose tokenization is shown;
        difference: the difference between lanes that is looked at, from 1.
    cover: what is hidden until the page reveals it.
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
        """Tell how many merges are done: also what a lane of the run needs."""
        lanes = [lane.merges or 0 for lane in self.lanes if isinstance(lane, RunLane)]
        return max(self.train_to, self.go_to.merges, *lanes, 0)

    def with_settings(self, settings: Mapping[str, Any]) -> Scene:
        """Change some fields; another corpus or recipe begins before its first merge.

        >>> scene = Scene(go_to=At(3)).with_settings({"text": "low"})
        >>> scene.text, scene.merges, scene.with_settings({"preset": "gpt2"}).merges
        ('low', 3, 0)
        """
        begins = any(
            settings.get(name, getattr(self, name)) != getattr(self, name)
            for name in ("corpus", "preset", "vocabulary", "ties")
        )
        before = replace(self, train_to=0, go_to=At(0)) if begins else self
        return replace(before, **settings)

    def at_rest(self) -> Scene:
        """Put the cursor where it is to be, without a walk there."""
        return replace(self, go_to=At(self.go_to.merges))

    def without_pointing(self) -> Scene:
        """Select and point to nothing: so the next page begins."""
        return replace(
            self.at_rest(), select=None, word=None, difference=None, cover=None, spotlight=()
        )


# -- a tour ----------------------------------------------------------------------------------


class PagePart(Struct, frozen=True):
    """What a page shows at once: the fields of Scene that it sets, by name, and paragraphs.

    note: for the speaker alone; it is no part of what the audience reads.
    """

    settings: Mapping[str, Any] = {}
    paragraphs: tuple[Template, ...] = ()
    note: Template | None = None


class Question(Struct, frozen=True):
    """What the audience predicts.

    choices: two to four, or None: then the program offers the pairs that may be merged next.
    right: says the same as one of the choices; it is filled in when the second part of the page
        is in view, so it may ask for what only then is so. None where the run itself knows.
    """

    text: Template
    choices: tuple[Template, ...] | None
    right: Template | None = None


class Page(Struct, frozen=True):
    """A page: what it shows first, what it asks, and what it shows then."""

    title: str
    before: PagePart
    question: Question | None = None
    after: PagePart | None = None

    @property
    def reveals(self) -> bool:
        """Tell whether something follows before the next page."""
        return self.question is not None or self.after is not None


class Chapter(Struct, frozen=True):
    """Pages that belong together."""

    title: str
    pages: tuple[Page, ...]


class Tour(Struct, frozen=True):
    """A guided tour."""

    title: str
    chapters: tuple[Chapter, ...]

    @property
    def pages(self) -> list[Page]:
        """Return all pages in order."""
        return [page for chapter in self.chapters for page in chapter.pages]


class Moment(Struct, frozen=True):
    """A page before or after it reveals what it holds back, and the scene that it shows.

    chapter, page: counted from 0, pages through the whole tour.
    asks: whether the program offers the pairs that may be merged next as choices.
    """

    chapter: int
    page: int
    revealed: bool
    scene: Scene
    asks: bool = False

    @property
    def covers(self) -> bool:
        """Tell whether nothing in view may tell which pair is merged next."""
        return self.asks or self.scene.cover is Cover.NEXT_MERGE


def moments(tour: Tour) -> list[Moment]:
    """List the moments of a tour in order: one of every page, two of a page that reveals."""
    found: list[Moment] = []
    number = 0
    for place, chapter in enumerate(tour.chapters):
        scene = Scene()
        for page in chapter.pages:
            asks = page.question is not None and page.question.choices is None
            scene = scene.without_pointing().with_settings(page.before.settings)
            found.append(Moment(place, number, False, scene, asks))
            if page.reveals:
                scene = replace(scene.at_rest(), cover=None)
                if page.after is not None:
                    scene = scene.with_settings(page.after.settings)
                found.append(Moment(place, number, True, scene))
            number += 1
    return found


_WORDS_PER_MINUTE = 120
"""How fast a page is read aloud."""
_LOOKING, _GUESSING = 15, 10
"""Seconds for which an audience looks at what a page shows, and thinks about a question."""


def estimated_minutes(chapters: Iterable[Chapter]) -> int:
    """Estimate how long chapters take in front of an audience, in whole minutes, at least 1.

    They are read aloud; a figure counts as a word. Time to look at what is shown is added for each
    part of a page, and time to think for each question.

    >>> page = Page("P", PagePart(paragraphs=(Template(("word " * 120,)),)))
    >>> estimated_minutes([Chapter("C", (page, page))])
    2
    """
    seconds = 0.0
    for page in (page for chapter in chapters for page in chapter.pages):
        parts = [page.before, *([page.after] if page.after is not None else [])]
        said = [paragraph for part in parts for paragraph in part.paragraphs]
        if page.question is not None:
            said += [page.question.text, *(page.question.choices or ())]
        seconds += sum(map(_words, said)) * 60 / _WORDS_PER_MINUTE
        seconds += _LOOKING * (1 + page.reveals) + _GUESSING * (page.question is not None)
    return max(1, round(seconds / 60))


def _words(template: Template) -> int:
    return sum(len(part.split()) if isinstance(part, str) else 1 for part in template.parts)


def chapter_starts(moments: Sequence[Moment]) -> list[int]:
    """Number the moments, from 0, at which a chapter begins."""
    chapters = [moment.chapter for moment in moments]
    return [chapters.index(chapter) for chapter in dict.fromkeys(chapters)]
