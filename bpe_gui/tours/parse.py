"""Read a tour from its text. All mistakes are found at once, each with its line and column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field

from bpe_gui.tours.directives import DIRECTIVES, Places, read_spot
from bpe_gui.tours.figures import join, read_template
from bpe_gui.tours.tour import (
    VERSION,
    Chapter,
    Compared,
    Fault,
    Figure,
    Page,
    PagePart,
    Question,
    Scene,
    Spot,
    Template,
    Tour,
    TourError,
    TourErrors,
    Workspace,
    moments,
)

HEADER = "bpe-gui tour"
NEXT_PAIR = "the next pair"
MIN_CHOICES, MAX_CHOICES = 2, 4

MAX_CHARACTERS = 128 << 10
"""Of the text of a tour."""

MAX_SENTENCES = 2_000
"""Characters of the sentences in a part of a page, which is to be read at a glance."""

MAX_NOTES = 8
"""Lines of the speaker's note for a part of a page."""

MAX_MISTAKES = 100
"""After this many the rest is not read, and that is told too."""

_MAX_TITLE, _MAX_CHOICE = 120, 500
_DIRECTIVE = re.compile(r"(?P<name>[a-z][a-z ]{0,30}):(?: (?P<value>.*))?", re.DOTALL)
_HEADING = re.compile(r"(?P<signs>##?)(?: (?P<title>.*))?")
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|[\ud800-\udfff]")
_OTHERS = ("title", "predict", "choice", "choices", "right", "then", "note")
_ALL = (*DIRECTIVES, *_OTHERS)
_NEARLY = 0.75
"""How much alike a word has to be to be taken for a slip, from 0 to 1."""
_UNREAD = Template((Figure("merges"),))
"""Stands for a sentence that cannot be understood: it might say anything."""
_T = TypeVar("_T")


class Position(NamedTuple):
    """A place in the text of a tour, from 1."""

    line: int
    column: int = 1


class SettingLine(Struct, frozen=True):
    """A line of a page that sets something, or asks for the next pair.

    position: where its value begins. page: counted from 0 through the whole tour; revealed:
    whether the line is below "then:". value: as it was read.
    """

    position: Position
    page: int
    revealed: bool
    name: str
    value: Any
    text: str


class _PartDraft(Struct):
    """A part of a page as far as it is read."""

    settings: dict[str, Any] = {}
    lines: Counter[str] = field(default_factory=Counter)
    length: int = 0
    paragraphs: list[Template] = []
    sentences: list[Template] = []
    notes: list[Template] = []

    def end_paragraph(self) -> None:
        if self.sentences:
            self.paragraphs.append(join(self.sentences))
            self.sentences = []

    def closed(self) -> PagePart:
        self.end_paragraph()
        if "text" in self.settings:
            self.settings["text"] = "\n".join(self.settings["text"])
        note = join(self.notes) if self.notes else None
        return PagePart(self.settings, tuple(self.paragraphs), note)


class _PageDraft(Struct):
    """A page as far as it is read, its question in pieces.

    is_titled: it has a heading; what is where no page is, is read as a page without one.
    asks_wrongly: a mistake in its question is told already, and others only follow from it.
    """

    title: str
    position: Position
    is_titled: bool = True
    asks_wrongly: bool = False
    before: _PartDraft = field(default_factory=_PartDraft)
    after: _PartDraft | None = None
    predict: Template | None = None
    predict_at: Position | None = None
    choices: list[Template] = []
    next_pair: bool = False
    right: Template | None = None

    @property
    def part(self) -> _PartDraft:
        return self.after if self.after is not None else self.before


def parse(text: str, known: Places) -> Tour:
    """Read a tour that points to known places.

    Raises TourErrors, and nothing else, if the text is none.
    """
    return parse_with_lines(text, known)[0]


def parse_with_lines(text: str, known: Places) -> tuple[Tour, list[SettingLine]]:
    """Read a tour, and list its lines that set something. Raises TourErrors."""
    reader = _Reader(known)
    return reader.read(text), reader.setting_lines


class _Reader:
    """Reads line by line, and goes on after a mistake as if it were mended.

    So none is told that only follows from another.
    """

    def __init__(self, known: Places) -> None:
        self._known = known
        self.setting_lines: list[SettingLine] = []
        self._errors: list[TourError] = []
        self._title: str | None = None
        self._chapters: list[tuple[str, Position, list[Page]]] = []
        self._page: _PageDraft | None = None

    def read(self, text: str) -> Tour:
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        if len(text) > MAX_CHARACTERS:
            reason = f"a tour has at most {MAX_CHARACTERS:,} characters; make it shorter"
            self._add_error(Position(1), reason)
        elif self._is_tour(lines[0]):
            for number, line in enumerate(lines[1:], 2):
                self._read_line(number, line)
                if len(self._errors) >= MAX_MISTAKES:
                    end = Position(number, len(line) + 1)
                    self._add_error(end, "the rest is not read; correct these first")
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
            reason = f"this is not a tour; the first line has to be “{HEADER} {VERSION}”"
            self._add_error(Position(1), reason)
            return False
        if not 1 <= int(found[1]) <= VERSION:
            self._add_error(
                Position(1, len(HEADER) + 2),
                f"this tour is of version {int(found[1])}, and only version {VERSION} is known "
                "here; a newer bpe-gui may read it",
            )
            return False
        return True

    # -- lines -------------------------------------------------------------------------------

    def _read_line(self, number: int, line: str) -> None:
        if (bad := _FORBIDDEN.search(line)) is not None:
            reason = f"U+{ord(bad[0]):04X} has no place in a tour; remove it"
            self._add_error(Position(number, bad.start() + 1), reason)
        line = _FORBIDDEN.sub("", line).rstrip()
        if line.startswith("//"):
            return
        if not line:
            if self._page is not None:
                self._page.part.end_paragraph()
        elif (heading := _HEADING.fullmatch(line)) is not None:
            signs, title = heading["signs"], (heading["title"] or "").strip()
            self._begin(signs, Position(number, len(signs) + 2), title)
        elif (found := _DIRECTIVE.fullmatch(line)) is not None and not self._goes_on(found["name"]):
            self._read_directive(number, found["name"], found["value"] or "")
        else:
            self._read_sentences(number, line)

    def _goes_on(self, name: str) -> bool:
        """Tell whether a line that begins with a word and a colon goes on with a sentence.

        Within a paragraph it does, unless the word is one of the format, or nearly.
        """
        within = self._page is not None and bool(self._page.part.sentences)
        return within and not get_close_matches(name, _ALL, 1, _NEARLY)

    def _begin(self, signs: str, position: Position, title: str) -> None:
        """Begin a chapter or a page."""
        self._end_page()
        self._check_title(position, title)
        if signs == "#":
            self._chapters.append((title, position, []))
            return
        if not self._chapters:
            reason = "a page belongs to a chapter; write # and its title before this line"
            self._add_error(position, reason)
            self._chapters.append(("", position, []))
        self._page = _PageDraft(title, position)

    def _read_sentences(self, number: int, line: str) -> None:
        text = line.lstrip()
        if text.startswith("\\"):
            text = text[1:].lstrip()
        position = Position(number, len(line) - len(text) + 1)
        part = self._page_at(position, "this").part
        was_short = part.length <= MAX_SENTENCES
        part.length += len(text)
        if was_short and part.length > MAX_SENTENCES:
            reason = f"a part of a page says at most {MAX_SENTENCES:,} characters; divide it"
            self._add_error(position, reason)
        template = self._tried(position, read_template, text) or _UNREAD
        if template.parts:
            part.sentences.append(template)

    def _page_at(self, position: Position, what: str) -> _PageDraft:
        """Return the page that is being read. If there is none, say so once and begin one."""
        if self._page is None:
            self._add_error(position, f"{what} belongs to no page; write ## and a title before it")
            self._page = _PageDraft("", position, is_titled=False)
        return self._page

    def _read_directive(self, number: int, name: str, value: str) -> None:
        text = value if name == "text" else value.strip()
        begin = value.index(text) if text else 0
        position = Position(number, len(name) + 3 + begin)
        if self._page is not None:
            self._page.part.end_paragraph()
        if name == "title":
            self._read_title(position, text)
        elif name not in _ALL:
            self._add_unknown(number, name)
            self._read_as_meant(position, name, text)
        else:
            page = self._page_at(Position(number), f"“{name}”")
            if name in DIRECTIVES:
                self._read_setting(page, position, name, text)
            elif name == "note":
                self._read_note(page.part, position, text)
            else:
                self._read_question(page, position, name, text)

    def _read_as_meant(self, position: Position, name: str, value: str) -> None:
        """Go on as if a line with an unknown name had the one that it nearly has."""
        meant = get_close_matches(name, _OTHERS, 1, _NEARLY)
        if meant == ["title"]:
            self._title = self._title or value
        elif self._page is not None and meant:
            self._read_question(self._page, position, meant[0], value)
        elif self._page is not None:
            self._page.part.paragraphs.append(_UNREAD)

    def _add_unknown(self, number: int, name: str) -> None:
        near = get_close_matches(name, _ALL, 1)
        hint = f"; write {near[0]}" if near else "; FORMAT.md lists what there is"
        reason = f"there is nothing called “{name}”{hint}, or \\ before it if it is a sentence"
        self._add_error(Position(number), reason)

    def _read_title(self, position: Position, value: str) -> None:
        if self._chapters or self._title is not None:
            reason = "a tour has one title, before the first chapter"
            self._add_error(Position(position.line), reason)
        else:
            self._check_title(position, value)
        self._title = value

    def _read_setting(self, page: _PageDraft, position: Position, name: str, text: str) -> None:
        directive, line = DIRECTIVES[name], Position(position.line)
        part, most = page.part, directive.max_lines
        repeats = most > 1
        if directive.field in part.settings and not repeats:
            what = "where the cursor is" if directive.field == "go_to" else f"“{name}”"
            self._add_error(line, f"{what} is set already in this part of the page; keep one")
            return
        part.lines[name] += 1
        if repeats and part.lines[name] > most:
            if part.lines[name] == most + 1:
                self._add_error(line, f"a part of a page has at most {most} lines “{name}”")
            return
        read = self._read_spot if name == "spotlight" else directive.read
        value = self._tried(position, read, text)
        if value is None:
            return
        before = part.settings.get(directive.field, ())
        part.settings[directive.field] = (*before, value) if repeats else value
        self._add_line(page, position, name, value, text)

    def _read_spot(self, text: str) -> Spot:
        return read_spot(text, self._known)

    def _add_line(
        self, page: _PageDraft, position: Position, name: str, value: Any, text: str
    ) -> None:
        number = sum(len(pages) for _, _, pages in self._chapters)
        revealed = page.after is not None
        self.setting_lines.append(SettingLine(position, number, revealed, name, value, text))

    def _read_note(self, part: _PartDraft, position: Position, text: str) -> None:
        template = self._tried(position, read_template, text) or _UNREAD
        if not template.parts:
            self._add_error(position, "a value is missing after the colon")
        elif len(part.notes) == MAX_NOTES:
            reason = f"a part of a page has at most {MAX_NOTES} lines “note”"
            self._add_error(Position(position.line), reason)
        else:
            part.notes.append(template)

    def _read_question(self, page: _PageDraft, position: Position, name: str, value: str) -> None:
        if page.after is not None and not page.asks_wrongly:
            reason = f"“{name}” comes before “then:”; a page reveals once"
            self._add_error(Position(position.line), reason)
            page.asks_wrongly = True
        if name == "then":
            if value:
                self._add_error(position, "“then:” must be alone on its line")
            page.before.end_paragraph()
            page.after = _PartDraft()
        elif name == "choices":
            if value != NEXT_PAIR:
                reason = f"write “choices: {NEXT_PAIR}”, or a line “choice: ...” for each"
                self._add_error(position, reason)
                page.asks_wrongly = True
            page.next_pair = True
            self._add_line(page, position, name, value, value)
        else:
            self._read_part_of_question(page, position, name, value)

    def _read_part_of_question(
        self, page: _PageDraft, position: Position, name: str, value: str
    ) -> None:
        """Read what is asked, a choice, or what is right."""
        template = self._tried(position, read_template, value) or _UNREAD
        if not template.parts:
            self._add_error(position, "a value is missing after the colon")
            template = _UNREAD
        elif len(value) > _MAX_CHOICE:
            self._add_error(position, f"write at most {_MAX_CHOICE} characters here")
        if name == "choice":
            page.choices.append(template)
            return
        line = Position(position.line)
        known = page.predict if name == "predict" else page.right
        if known is not None:
            if not page.asks_wrongly:
                self._add_error(line, f"“{name}” is there already; a page asks one question")
            page.asks_wrongly = True
        elif name == "predict":
            page.predict, page.predict_at = template, line
        else:
            page.right = template

    # -- what belongs together ---------------------------------------------------------------

    def _end_page(self) -> None:
        page, self._page = self._page, None
        if page is None:
            return
        before = page.before.closed()
        if not before.paragraphs and page.is_titled:
            self._add_error(page.position, "this page says nothing; write a sentence")
        question = self._question(page)
        after = page.after.closed() if page.after is not None else None
        is_bare = page.after is not None and after == PagePart() and not page.after.lines
        if is_bare and question is None and not page.asks_wrongly:
            reason = "nothing comes after “then:”; write it, or leave “then:” out"
            self._add_error(page.position, reason)
        if self._chapters:
            self._chapters[-1][2].append(Page(page.title, before, question, after))

    def _question(self, page: _PageDraft) -> Question | None:
        answers = page.choices or page.next_pair or page.right is not None
        position = page.predict_at or page.position
        if page.asks_wrongly or (page.predict is None and not answers):
            return None
        if page.predict is None:
            self._add_error(position, "there are answers and no question; write predict:")
            return Question(_UNREAD, None)
        if page.next_pair:
            if page.choices or page.right is not None:
                reason = f"“choices: {NEXT_PAIR}” needs no other choices; keep one kind"
                self._add_error(position, reason)
            return Question(page.predict, None)
        enough = len(page.choices) >= MIN_CHOICES
        if not enough or len(page.choices) > MAX_CHOICES:
            self._add_error(position, f"a question has {MIN_CHOICES} to {MAX_CHOICES} choices")
        if page.right is None:
            self._add_error(position, "it does not say which choice is right; write right:")
        elif enough and _is_certainly_wrong(page.right, page.choices):
            reason = f"the right answer, “{str(page.right)[:60]}”, is none of the choices"
            self._add_error(position, reason)
        return Question(page.predict, tuple(page.choices), page.right)

    def _check_title(self, position: Position, title: str) -> None:
        if not title:
            self._add_error(position, "a title is missing here")
        elif len(title) > _MAX_TITLE:
            self._add_error(position, f"a title has at most {_MAX_TITLE} characters")

    def _check_whole(self, lines: int) -> None:
        if self._title is None:
            reason = "the tour has no title; write “title: ” and one"
            self._add_error(Position(min(2, lines)), reason)
        if not self._chapters:
            self._add_error(Position(lines), "the tour has no chapter; write # and its title")
        for title, position, pages in self._chapters:
            if not pages:
                reason = f"the chapter “{title[:60]}” has no page; write ## and its title"
                self._add_error(position, reason)

    # -- mistakes ----------------------------------------------------------------------------

    def _tried(self, position: Position, read: Callable[[str], _T], value: str) -> _T | None:
        """Read a value; if that fails, note the mistake and return None."""
        try:
            return read(value)
        except Fault as fault:
            where = position._replace(column=position.column + fault.offset)
            self._add_error(where, fault.reason)
            return None

    def _add_error(self, position: Position, reason: str) -> None:
        self._errors.append(TourError(*position, reason))


def _is_certainly_wrong(right: Template, choices: list[Template]) -> bool:
    """Tell whether no choice can say what is right; with figures, what differs may come to the
    same.
    """
    return right not in choices and all(template.is_fixed for template in (right, *choices))


_SEEN_IN = {
    "cover": Workspace.EXPLORE,
    "choices": Workspace.EXPLORE,
    "word": Workspace.EXPLORE,
    "difference": Workspace.COMPARE,
}


def out_of_view(tour: Tour, lines: Iterable[SettingLine], known: Places) -> list[TourError]:
    """List the lines of a tour that point to or ask what is not in view on their page.

    That depends on what the pages before set, so it is looked at once all can be understood.

    >>> text = "bpe-gui tour 1\\ntitle: T\\n# C\\n## P\\nspotlight: lanes\\nWords."
    >>> known = {"lanes": Workspace.COMPARE}
    >>> print(*out_of_view(*parse_with_lines(text, known), known))
    line 5, column 1: “lanes” can be seen only in compare; write workspace: compare on this page
    """
    scenes = {(moment.page, moment.revealed): moment.scene for moment in moments(tour)}
    problems = ((line, _problem(line, scenes[line.page, line.revealed], known)) for line in lines)
    return [TourError(line.position.line, 1, problem) for line, problem in problems if problem]


def _problem(line: SettingLine, scene: Scene, known: Places) -> str:
    """Say why what a line asks for is not in view in a scene; nothing if it is."""
    name, seen_in = line.name, _SEEN_IN.get(line.name)
    if name == "spotlight":
        name = line.value.place
        seen_in = known[name]
    if seen_in not in (None, scene.workspace):
        place = f"“{name}” can be seen only in {seen_in}"
        return f"{place}; write workspace: {seen_in} on this page"
    if name == "languages" and scene.compare_on is not Compared.STORY:
        return "languages are counted in the story alone; write compare on: the story on this page"
    return ""
