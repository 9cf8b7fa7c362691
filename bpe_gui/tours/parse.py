"""Reading a tour from its text. All mistakes are found at once, each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, TypeVar

from bpe_gui.tours.directives import DIRECTIVES, PLACES, read_spot
from bpe_gui.tours.figures import joined, read_template
from bpe_gui.tours.tour import (
    VERSION,
    Chapter,
    Compared,
    Fault,
    Figure,
    NextPair,
    Page,
    Part,
    Question,
    Scene,
    Settings,
    Template,
    Tour,
    TourError,
    TourErrors,
    Workspace,
    moments,
)

HEADER = "bpe-gui tour"
NEXT_PAIR = "the next pair"
MOST_CHOICES = 4
LONGEST = 128 << 10
"""Characters of a tour that are read at most."""

MOST_SAID = 2_000
"""Characters of sentences in a part of a page: it is to be read at a glance."""
MOST_MISTAKES = 100
"""After so many the rest is not read, and that is told too."""

_FEWEST_CHOICES = 2
_MOST_LINES = MappingProxyType({"text": 200, "lane": 8, "spotlight": 8})
"""How often a line may be repeated in a part of a page."""
_LONGEST_TITLE, _LONGEST_CHOICE = 120, 500
_DIRECTIVE = re.compile(r"(?P<name>[a-z][a-z ]{0,30}):(?: (?P<value>.*))?", re.DOTALL)
_HEADING = re.compile(r"(?P<signs>##?)(?: (?P<title>.*))?")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|[\ud800-\udfff]")
_OTHERS = ("title", "predict", "choice", "choices", "right", "then")
_ALL = (*DIRECTIVES, *_OTHERS)
_NEARLY = 0.75
"""How much alike a word has to be to be taken for a slip, from 0 to 1."""
_UNREAD = Template((Figure("merges"),))
"""Stands where something is written that cannot be understood: it might say anything."""
_T = TypeVar("_T")
_EXPLORE, _COMPARE = Workspace.EXPLORE, Workspace.COMPARE
_SEEN_IN = {"cover": _EXPLORE, "choices": _EXPLORE, "word": _EXPLORE, "difference": _COMPARE}


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


def parse(text: str) -> Tour:
    """The tour that a text is. Raises TourErrors, and nothing else, if it is none."""
    return parse_with_lines(text)[0]


def parse_with_lines(text: str) -> tuple[Tour, list[Asked]]:
    """The tour that a text is, and its lines that ask for something. Raises TourErrors."""
    reader = _Reader()
    return reader.read(text), reader.asked


class _Reader:
    """Reads line by line, and goes on after a mistake as if it were mended.

    So none is told that only follows from another.
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self._errors: list[TourError] = []
        self._title: str | None = None
        self._chapters: list[tuple[str, Place, list[Page]]] = []
        self._page: OpenPage | None = None

    def read(self, text: str) -> Tour:
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        if len(text) > LONGEST:
            self._tell(Place(1), f"a tour has at most {LONGEST:,} characters; make it shorter")
        elif self._is_tour(lines[0]):
            for number, line in enumerate(lines[1:], 2):
                self._read_line(number, line)
                if len(self._errors) >= MOST_MISTAKES:
                    self._tell(Place(number, len(line)), "the rest is not read; mend these first")
                    raise TourErrors(self._errors)
            self._end_page()
            self._check_whole(len(lines))
        if self._errors:
            raise TourErrors(self._errors)
        chapters = (Chapter(title, tuple(pages)) for title, _, pages in self._chapters)
        return Tour(self._title or "", tuple(chapters))

    def _is_tour(self, line: str) -> bool:
        found = re.fullmatch(rf"{HEADER} ([0-9]{{1,6}})\s*", line)
        if found is None:
            self._tell(Place(1), f"this is no tour; the first line has to be “{HEADER} {VERSION}”")
        elif not 1 <= int(found[1]) <= VERSION:
            self._tell(
                Place(1, len(HEADER) + 1),
                f"this tour is of version {int(found[1])}, and only version {VERSION} is known "
                "here; a newer bpe-gui may read it",
            )
        else:
            return True
        return False

    # -- lines -----------------------------------------------------------------------------

    def _read_line(self, number: int, line: str) -> None:
        if (bad := _FORBIDDEN.search(line)) is not None:
            code = f"U+{ord(bad[0]):04X}"
            self._tell(Place(number, bad.start()), f"{code} has no place in a tour; remove it")
        line = _FORBIDDEN.sub("", line).rstrip()
        if line.startswith("//"):
            pass
        elif not line:
            if self._page is not None:
                self._page.part.end_paragraph()
        elif (heading := _HEADING.fullmatch(line)) is not None:
            begin = self._begin_page if heading["signs"] == "##" else self._begin_chapter
            begin(Place(number, len(heading["signs"]) + 1), (heading["title"] or "").strip())
        elif (found := _DIRECTIVE.fullmatch(line)) is not None and not self._goes_on(found["name"]):
            self._read_directive(number, found["name"], found["value"] or "")
        else:
            self._read_prose(number, line)

    def _goes_on(self, name: str) -> bool:
        """Whether a line that begins with a word and a colon goes on with a sentence.

        Within a paragraph it does, unless the word asks for something, or nearly.
        """
        within = self._page is not None and bool(self._page.part.lines)
        return within and not get_close_matches(name, _ALL, 1, _NEARLY)

    def _begin_chapter(self, place: Place, title: str) -> None:
        self._end_page()
        self._check_title(place, title)
        self._chapters.append((title, place, []))

    def _begin_page(self, place: Place, title: str) -> None:
        self._end_page()
        self._check_title(place, title)
        if not self._chapters:
            self._tell(place, "a page belongs to a chapter; write # and its title before this line")
            self._chapters.append(("", place, []))
        self._page = OpenPage(title, place)

    def _read_prose(self, number: int, line: str) -> None:
        stripped = line.lstrip()
        place = Place(number, len(line) - len(stripped))
        if stripped.startswith("\\"):
            stripped = stripped[1:].strip()
            place = Place(number, line.index("\\") + 1)
        part = self._page_at(place, "this").part
        was_short = part.said <= MOST_SAID
        part.said += len(stripped)
        if was_short and part.said > MOST_SAID:
            self._tell(place, f"a part of a page says at most {MOST_SAID:,} characters; divide it")
        template = self._tried(place, read_template, stripped) or _UNREAD
        if template.parts:
            part.lines.append(template)

    def _page_at(self, place: Place, what: str) -> OpenPage:
        """The page that is being read. Where there is none that is told once, and one begins."""
        if self._page is None:
            self._tell(place, f"{what} belongs to no page; write ## and a title before it")
            self._page = OpenPage("", place, is_titled=False)
        return self._page

    def _read_directive(self, number: int, name: str, value: str) -> None:
        place = Place(number, len(name) + 2)
        if self._page is not None:
            self._page.part.end_paragraph()
        if name == "title":
            self._read_title(Place(number), place, value.strip())
        elif name not in _ALL:
            self._tell_unknown(number, name)
            self._read_as_meant(place, name, value.strip())
        else:
            page = self._page_at(Place(number), f"“{name}”")
            if name in DIRECTIVES:
                self._read_setting(page, place, name, value)
            else:
                self._read_question(page, place, name, value.strip())
            self._note(page, place, name, value)

    def _note(self, page: OpenPage, place: Place, name: str, value: str) -> None:
        number = sum(len(pages) for _, _, pages in self._chapters)
        self.asked.append(Asked(place, number, page.after is not None, name, value))

    def _read_as_meant(self, place: Place, name: str, value: str) -> None:
        """Go on as if a line that has no known name had the one that it nearly has."""
        meant = get_close_matches(name, _OTHERS, 1, _NEARLY)
        if meant == ["title"]:
            self._title = self._title or value
        elif self._page is not None and meant:
            self._read_question(self._page, place, meant[0], value)
        elif self._page is not None:
            self._page.part.paragraphs.append(_UNREAD)

    def _tell_unknown(self, number: int, name: str) -> None:
        near = get_close_matches(name, _ALL, 1)
        hint = f"; write {near[0]}" if near else "; FORMAT.md lists what there is"
        self._tell(
            Place(number),
            f"there is nothing called “{name}”{hint}, or \\ before it if it is a sentence",
        )

    def _read_title(self, line: Place, place: Place, value: str) -> None:
        if self._chapters or self._title is not None:
            self._tell(line, "the tour has one title, which stands before the first chapter")
        else:
            self._check_title(place, value)
        self._title = value

    def _read_setting(self, page: OpenPage, place: Place, name: str, value: str) -> None:
        directive = DIRECTIVES[name]
        values = page.part.values
        wanted = directive.field
        if wanted in values and not directive.repeats:
            what = "where the cursor is" if wanted == "go_to" else f"“{name}”"
            self._tell(
                Place(place.line), f"{what} is told already in this part of the page; keep one"
            )
            return
        lines, most = self._count(page.part, name), _MOST_LINES.get(name, 1)
        if directive.repeats and lines > most:
            if lines == most + 1:
                reason = f"a part of a page has at most {most} lines “{name}”"
                self._tell(Place(place.line), reason)
            return
        made = self._tried(place, directive.read, value if directive.repeats else value.strip())
        if made is None:
            return
        if wanted == "text":
            values["text"] = f"{values['text']}\n{made}" if "text" in values else made
        elif directive.repeats:
            values[wanted] = (*values.get(wanted, ()), made)
        else:
            values[wanted] = made

    def _count(self, part: OpenPart, name: str) -> int:
        """How often a line has come in a part, this time included."""
        part.counts[name] = part.counts.get(name, 0) + 1
        return part.counts[name]

    def _read_question(self, page: OpenPage, place: Place, name: str, value: str) -> None:
        line = Place(place.line)
        if page.after is not None and not page.is_muddled:
            self._tell(line, f"“{name}” comes before “then:”; a page reveals once")
            page.is_muddled = True
        if name == "then":
            if value:
                self._tell(place, "“then:” stands alone on its line")
            page.before.end_paragraph()
            page.after = OpenPart()
        elif name == "choices":
            if value != NEXT_PAIR:
                self._tell(place, f"write “choices: {NEXT_PAIR}”, or a line “choice: ...” for each")
                page.is_muddled = True
            page.next_pair = True
        else:
            self._take_question(page, place, name, value)

    def _take_question(self, page: OpenPage, place: Place, name: str, value: str) -> None:
        template = self._tried(place, read_template, value) or _UNREAD
        if not template.parts:
            self._tell(place, "something has to stand behind the colon")
            template = _UNREAD
        elif len(value) > _LONGEST_CHOICE:
            self._tell(place, f"write at most {_LONGEST_CHOICE} characters here")
        if name == "choice":
            page.choices.append(template)
            return
        known = page.predict if name == "predict" else page.right
        if known is not None:
            if not page.is_muddled:
                reason = f"“{name}” is there already; a page asks one question"
                self._tell(Place(place.line), reason)
            page.is_muddled = True
        elif name == "predict":
            page.predict, page.asked = template, Place(place.line)
        else:
            page.right = template

    # -- what belongs together ----------------------------------------------------------------

    def _end_page(self) -> None:
        page, self._page = self._page, None
        if page is None:
            return
        before = page.before.closed()
        if not before.paragraphs and page.is_titled:
            self._tell(page.place, "this page says nothing; write a sentence")
        question = self._question(page)
        after = page.after.closed() if page.after is not None else None
        is_bare = page.after is not None and after == Part() and not page.after.counts
        if is_bare and question is None and not page.is_muddled:
            self._tell(page.place, "nothing comes after “then:”; write it, or leave “then:” out")
        if self._chapters:
            self._chapters[-1][2].append(Page(page.title, before, question, after))

    def _question(self, page: OpenPage) -> Question | None:
        asks = page.choices or page.next_pair or page.right is not None
        place = page.asked or page.place
        if page.is_muddled or (page.predict is None and not asks):
            return None
        if page.predict is None:
            self._tell(place, "there are answers and no question; write predict:")
            return Question(_UNREAD, NextPair())
        if page.next_pair:
            if page.choices or page.right is not None:
                self._tell(place, f"“choices: {NEXT_PAIR}” needs no other choices; keep one kind")
            return Question(page.predict, NextPair())
        if not _FEWEST_CHOICES <= len(page.choices) <= MOST_CHOICES:
            self._tell(place, f"a question has {_FEWEST_CHOICES} to {MOST_CHOICES} choices")
        if page.right is None:
            self._tell(place, "it is not told which choice is right; write right:")
        elif len(page.choices) >= _FEWEST_CHOICES and _is_certainly_wrong(page.right, page.choices):
            self._tell(place, f"what is right, “{str(page.right)[:60]}”, is none of the choices")
        return Question(page.predict, tuple(page.choices), page.right)

    def _check_title(self, place: Place, title: str) -> None:
        if not title:
            self._tell(place, "a title is missing here")
        elif len(title) > _LONGEST_TITLE:
            self._tell(place, f"a title has at most {_LONGEST_TITLE} characters")

    def _check_whole(self, lines: int) -> None:
        if self._title is None:
            self._tell(Place(min(2, lines)), "the tour has no title; write “title: ” and one")
        if not self._chapters:
            self._tell(Place(lines), "the tour has no chapter; write # and its title")
        for title, place, pages in self._chapters:
            if not pages:
                self._tell(place, f"the chapter “{title[:60]}” has no page; write ## and its title")

    # -- mistakes ------------------------------------------------------------------------------

    def _tried(self, place: Place, read: Callable[[str], _T], value: str) -> _T | None:
        """What a value is read as; None, and its place is noted, if it cannot be."""
        try:
            return read(value)
        except Fault as fault:
            self._tell(replace(place, before=place.before + fault.offset), fault.reason)
            return None

    def _tell(self, place: Place, reason: str) -> None:
        self._errors.append(TourError(place.line, place.before + 1, reason))


def _is_certainly_wrong(right: Template, choices: list[Template]) -> bool:
    if not (right.is_fixed and all(choice.is_fixed for choice in choices)):
        return False
    return right not in choices


def out_of_view(tour: Tour, lines: Iterable[Asked]) -> list[TourError]:
    """The lines of a tour that ask for what is not in view on their page.

    >>> from bpe_gui.tours.parse import parse_with_lines
    >>> text = "bpe-gui tour 1\\ntitle: T\\n# C\\n## P\\nspotlight: lanes\\nWords."
    >>> print(*out_of_view(*parse_with_lines(text)))
    line 5, column 1: “lanes” can be seen only in compare; write workspace: compare on this page
    """
    scenes = {(stop.page, stop.revealed): stop.scene for stop in moments(tour)}
    found = []
    for asked in lines:
        if problem := _problem(asked, scenes[asked.page, asked.revealed]):
            found.append(TourError(asked.place.line, 1, problem))
    return found


def _problem(asked: Asked, scene: Scene) -> str:
    """Why what a line asks for is not in view in a scene; empty if it is."""
    called = asked.name
    seen_in = _SEEN_IN.get(called)
    if called == "spotlight":
        called = read_spot(asked.value).place
        seen_in = PLACES[called][0]
    if seen_in not in (None, scene.workspace):
        place = f"“{called}” can be seen only in {seen_in}"
        return f"{place}; write workspace: {seen_in} on this page"
    if called == "languages" and scene.compare_on is not Compared.STORY:
        return "languages are counted in the story alone; write compare on: the story on this page"
    return ""
