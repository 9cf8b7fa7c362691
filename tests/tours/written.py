"""Tours that tests make up: of every kind of line, and of lines in any order."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from bpe_gui.bpe.corpus import SAMPLES
from bpe_gui.bpe.recipe import PRESETS, Ties
from bpe_gui.folders import resource
from bpe_gui.tours.directives import DIRECTIVES, WITH_PARTS, WITH_ROWS, parts_of
from bpe_gui.tours.figures import FIGURES
from bpe_gui.tours.tour import (
    MAX_NUMBER,
    THE_END,
    At,
    Chapter,
    Compared,
    Cover,
    Figure,
    Page,
    PagePart,
    PresetLane,
    Question,
    RunLane,
    Spot,
    Template,
    Tour,
    Workspace,
)
from bpe_gui.ui.tour.targets import known_places

PLACES = known_places()

PAGE = """bpe-gui tour 1
title: A tour

# A chapter

## A page

Words.
"""
"""The shortest tour, to which lines are added."""


def documented() -> list[tuple[str, str]]:
    """The kinds of lines that FORMAT.md lists, each with its example."""
    page = resource("tours", "FORMAT.md").read_text("utf-8")
    return re.findall(r"^\| `([^`]+)` \| .* \| `(\1: [^`]+)` \|$", page, re.MULTILINE)


_LETTERS = st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"))
_WORDS = st.text(_LETTERS, min_size=1, max_size=12)
_titles = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join)
_numbers = st.integers(1, MAX_NUMBER)
_merges = st.one_of(_numbers, st.just(THE_END))
_quoted = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), exclude_characters='"{}\ufeff'),
    min_size=1,
    max_size=8,
)


@st.composite
def _figures(draw: st.DrawFn) -> Figure:
    pattern = draw(st.sampled_from(sorted(FIGURES)))
    holes = [word for word in pattern.split() if word.isupper()]
    values = {"TEXT": _quoted, "NUMBER": _numbers, "LANGUAGE": st.sampled_from(["hi", "en"])}
    arguments = tuple(draw(values[hole]) for hole in holes)
    return Figure(pattern, arguments, draw(st.one_of(st.none(), _merges)))


@st.composite
def templates(draw: st.DrawFn) -> Template:
    """Words and figures by turns, as reading gives them."""
    words = draw(st.lists(_titles, min_size=1, max_size=3))
    parts: list[str | Figure] = []
    for number, word in enumerate(words):
        if number:
            parts.append(draw(_figures()))
        parts.append(word)
    return Template(tuple(parts))


_corpora = st.one_of(st.sampled_from(sorted(SAMPLES)), st.just("my-novel.txt"))
_lanes = st.one_of(
    st.builds(RunLane, st.one_of(st.none(), _numbers)),
    st.builds(
        PresetLane,
        st.sampled_from(sorted(PRESETS)),
        st.one_of(st.none(), _corpora),
        st.one_of(st.none(), _numbers),
    ),
)
_spots = st.one_of(
    st.builds(Spot, st.sampled_from(sorted(PLACES))),
    st.tuples(st.sampled_from(WITH_ROWS), st.integers(1, 99), st.integers(0, 50)).map(
        lambda row: Spot(row[0], row[1], row[1] + row[2])
    ),
    st.sampled_from(WITH_PARTS).flatmap(
        lambda place: st.builds(Spot, st.just(place), part=st.sampled_from(parts_of(place)))
    ),
)
_some_lines = st.lists(st.one_of(_titles, st.just("")), min_size=1, max_size=3).map("\n".join)


def settings() -> st.SearchStrategy[dict[str, Any]]:
    """What a part of a page may set."""
    return st.fixed_dictionaries(
        {},
        optional={
            "corpus": _corpora,
            "preset": st.sampled_from(sorted(PRESETS)),
            "vocabulary": _numbers,
            "ties": st.sampled_from(Ties),
            "train_to": _merges,
            "go_to": st.builds(At, _merges, st.booleans()),
            "text": _some_lines,
            "workspace": st.sampled_from(Workspace),
            "lanes": st.lists(_lanes, min_size=1, max_size=3).map(tuple),
            "compare_on": st.sampled_from(Compared),
            "select": templates(),
            "word": _titles,
            "difference": _numbers,
            "cover": st.sampled_from(Cover),
            "spotlight": st.lists(_spots, min_size=1, max_size=3).map(tuple),
        },
    )


def _parts(sentences: int) -> st.SearchStrategy[PagePart]:
    return st.builds(
        PagePart,
        settings(),
        st.lists(templates(), min_size=sentences, max_size=3).map(tuple),
        st.none() | templates(),
    )


@st.composite
def _questions(draw: st.DrawFn) -> Question:
    text = draw(templates())
    if draw(st.booleans()):
        return Question(text, None)
    choices = tuple(draw(st.lists(templates(), min_size=2, max_size=4)))
    return Question(text, choices, draw(st.sampled_from(choices)))


_pages = st.builds(Page, _titles, _parts(1), st.none() | _questions(), st.none() | _parts(1))
_chapters = st.builds(Chapter, _titles, st.lists(_pages, min_size=1, max_size=3).map(tuple))
tours = st.builds(Tour, _titles, st.lists(_chapters, min_size=1, max_size=2).map(tuple))
"""Any tour that there can be, but small."""

_pieces = st.one_of(
    st.sampled_from(
        [
            *(f"{name}: " for name in (*DIRECTIVES, "predict", "choice", "choices", "right")),
            "note: ",
            *(example for _, example in documented()),
            *(f"spotlight: {place} {part}" for place in WITH_PARTS for part in parts_of(place)[:3]),
            *(f"spotlight: {place} " for place in PLACES),
            *("then:", "# Chapter", "## Page", "title: T", "//", "\\", "", "a: b", "{", "{merges}"),
            "choices: the next pair",
        ]
    ),
    st.text(max_size=20),
)
scraps = st.lists(st.tuples(_pieces, st.text(max_size=5)).map("".join), max_size=12).map(
    lambda lines: "bpe-gui tour 1\n" + "\n".join(lines)
)
"""Texts that look like tours."""
