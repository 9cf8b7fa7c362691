"""Writing a tour as text, which `parse.parse` reads as the same tour."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bpe_gui.tours.directives import DIRECTIVES
from bpe_gui.tours.parse import HEADER, NEXT_PAIR
from bpe_gui.tours.tour import VERSION, NextPair, Page, Part, Settings, Template, Tour

_READ_OTHERWISE = re.compile(r"\\|#|//|[a-z][a-z ]{0,30}:")


def write(tour: Tour) -> str:
    """The text of a tour, a paragraph a line."""
    return "\n".join(_lines(tour)) + "\n"


def _lines(tour: Tour) -> Iterator[str]:
    yield f"{HEADER} {VERSION}"
    yield f"title: {tour.title}"
    for chapter in tour.chapters:
        yield ""
        yield f"# {chapter.title}"
        for page in chapter.pages:
            yield ""
            yield f"## {page.title}"
            yield from _page(page)


def _page(page: Page) -> Iterator[str]:
    yield from _part(page.before)
    question = page.question
    if question is not None:
        yield ""
        yield f"predict: {question.text}"
        if isinstance(question.choices, NextPair):
            yield f"choices: {NEXT_PAIR}"
        else:
            yield from (f"choice: {choice}" for choice in question.choices)
        if question.right is not None:
            yield f"right: {question.right}"
    if page.after is not None:
        yield ""
        yield "then:"
        yield from _part(page.after)


def _part(part: Part) -> Iterator[str]:
    yield from _settings(part.settings)
    for paragraph in part.paragraphs:
        yield ""
        yield _prose(paragraph)


def _settings(settings: Settings) -> Iterator[str]:
    for name, directive in DIRECTIVES.items():
        value = getattr(settings, directive.field)
        if value is None or name != _name(directive.field, value):
            continue
        if directive.field == "text":
            yield from (f"text: {line}".rstrip() for line in value.split("\n"))
        elif directive.repeats:
            yield from (f"{name}: {directive.write(one)}" for one in value)
        else:
            yield f"{name}: {directive.write(value)}"


def _name(field: str, value: object) -> str:
    """The directive that gives a field its value; two of them move the cursor."""
    if field == "go_to":
        return "play to" if getattr(value, "plays", False) else "go to"
    return next(name for name, directive in DIRECTIVES.items() if directive.field == field)


def _prose(paragraph: Template) -> str:
    line = str(paragraph)
    return f"\\{line}" if _READ_OTHERWISE.match(line) else line
