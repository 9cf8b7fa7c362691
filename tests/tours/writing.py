"""Writing a tour as text, which `parse.parse` reads as the same tour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bpe_gui.tours.parse import HEADER, NEXT_PAIR
from bpe_gui.tours.tour import (
    THE_END,
    VERSION,
    Page,
    PagePart,
    PresetLane,
    RunLane,
    Spot,
    Template,
    Tour,
)

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
        if question.choices is None:
            yield f"choices: {NEXT_PAIR}"
        else:
            yield from (f"choice: {choice}" for choice in question.choices)
        if question.right is not None:
            yield f"right: {question.right}"
    if page.after is not None:
        yield ""
        yield "then:"
        yield from _part(page.after)


def _part(part: PagePart) -> Iterator[str]:
    yield from _settings(part.settings)
    if part.note is not None:
        yield f"note: {part.note}"
    for paragraph in part.paragraphs:
        yield ""
        yield _prose(paragraph)


def _settings(settings: Mapping[str, Any]) -> Iterator[str]:
    for field, value in settings.items():
        if field == "text":
            yield from (f"text: {line}".rstrip() for line in value.split("\n"))
        elif field in ("lanes", "spotlight"):
            yield from (f"{field.removesuffix('s')}: {_value(one)}" for one in value)
        elif field == "go_to":
            yield f"{'play' if value.plays else 'go'} to: {_value(value.merges)}"
        else:
            name = field.replace("_", " ")
            yield f"{name}: {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, int):
        return "the end" if value == THE_END else f"{value:,}"
    if isinstance(value, RunLane):
        return "the run" if value.merges is None else f"the run after {_value(value.merges)} merges"
    if isinstance(value, PresetLane):
        corpus = f" on {value.corpus}" if value.corpus is not None else ""
        size = f" to {value.vocabulary:,}" if value.vocabulary is not None else ""
        return f"{value.preset}{corpus}{size}"
    if isinstance(value, Spot):
        rows = f"{value.first}-{value.last}" if value.first is not None else ""
        return f"{value.place} {value.part or rows}".rstrip()
    return str(value)


def _prose(paragraph: Template) -> str:
    line = str(paragraph)
    return f"\\{line}" if _READ_OTHERWISE.match(line) else line
