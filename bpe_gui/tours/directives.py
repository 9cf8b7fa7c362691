"""The lines of a tour that ask for something: `preset: gpt2`, `spotlight: pairs 1`.

Each names a field of `Settings`, reads what stands behind the colon and writes it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from bpe_gui.analysis.metrics import COLUMNS
from bpe_gui.bpe.corpus import SAMPLES
from bpe_gui.bpe.recipe import PRESETS, Ties
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.figures import read_template
from bpe_gui.tours.tour import (
    MOST_MERGES,
    THE_END,
    At,
    Compared,
    Cover,
    Fault,
    Lane,
    PresetLane,
    RunLane,
    Spot,
    Workspace,
    merges_written,
)

_E, _C, _L = Workspace.EXPLORE, Workspace.COMPARE, Workspace.LABORATORY

PLACES = MappingProxyType(
    {
        "pairs": (_E, "the chart of pair frequencies"),
        "why": (_E, "why this pair was merged"),
        "text": (_E, "the text panel, whole"),
        "typed text": (_E, "the field to type in"),
        "tokens": (_E, "the text cut into coloured tokens"),
        "ids": (_E, "the numbers of the tokens"),
        "words": (_E, "the words of the corpus"),
        "curves": (_E, "the curves"),
        "cutting": (_E, "how a word is cut"),
        "vocabulary": (_E, "the vocabulary"),
        "what if": (_E, "the branches"),
        "tree": (_E, "the selected token"),
        "lanes": (_C, "the lanes"),
        "difference": (_C, "why lanes part at one place"),
        "numbers": (_C, "the table of numbers"),
        "languages": (_C, "what each language takes"),
        "pipeline": (_L, "the stages of the recipe in the editor"),
        "wall": (_L, "what the wall forbids"),
        "lockstep": (_L, "two recipes in lockstep"),
        "timeline": (None, "the timeline of the run"),
        "corpus": (None, "the choice of the corpus"),
        "recipe": (None, "the choice of the recipe"),
        "vocabulary size": (None, "the choice of the size"),
        "train": (None, "the button that trains"),
    }
)
"""Each with the workspace in which it can be seen, None for all, and what it is."""

WITH_ROWS = ("pairs",)
"""Those of which single rows can be pointed to, counted from 1 as they stand in view."""

CURVES = ("zipf", "bytes/token", "tokens", "lengths")
"""The curves of a run by name, in the order in which they stand."""

WITH_PARTS = ("curves", "numbers", "languages", "lanes")
"""Those of which a part can be pointed to by its name: a curve, a column, a language, and where
in the story that language begins."""


def parts_of(place: str) -> tuple[str, ...]:
    """The names of the parts of a place, none for a place that has none.

    >>> parts_of("curves")
    ('zipf', 'bytes/token', 'tokens', 'lengths')
    >>> parts_of("languages")[:3]
    ('en', 'de', 'fr')
    """
    if place == "curves":
        return CURVES
    if place == "numbers":
        return tuple(column.title for column in COLUMNS)
    return tuple(languages()) if place in ("languages", "lanes") else ()

_LONGEST_NAME = 100
_Choice = TypeVar("_Choice", bound=StrEnum)

_RUN_LANE = re.compile(r"the run(?: after (?P<merges>[0-9,]+) merges?)?")
_PRESET_LANE = re.compile(
    r"(?P<preset>[a-z0-9-]+)(?: on (?P<corpus>.+?))?(?: to (?P<size>[0-9,]+))?"
)
_ROWS = re.compile(r"(?P<first>[0-9,]{1,9})(?:-(?P<last>[0-9,]{1,9}))?")
_MOST_ROWS = 50


@dataclass(frozen=True)
class Directive:
    """How one kind of line is read and written.

    field: of `Settings`, None for what is not one of them.
    read: makes a value of what stands behind the colon, or raises Fault.
    write: the reverse; for lines that may be repeated it writes one value.
    repeats: several lines give a tuple, or lines of a text.
    says: what it is for; example: a line that is understood.
    """

    field: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    says: str
    example: str
    repeats: bool = False


def _one_of(kind: type[_Choice]) -> Callable[[str], _Choice]:
    def read(value: str) -> _Choice:
        if value not in list(kind):
            raise Fault(0, f"“{value[:60]}” is not known here; write {_either(list(kind))}")
        return kind(value)

    return read


def read_corpus(value: str) -> str:
    """The name of a sample, or of a file beside the tour.

    >>> read_corpus("four-words")
    'four-words'
    """
    if value in SAMPLES:
        return value
    is_plain = len(value) <= _LONGEST_NAME and not re.search(r'[\s/\\:*?"<>|\x00-\x1f]', value)
    if "." in value.strip(".") and is_plain and not value.startswith("."):
        return value
    if re.search(r"[/\\]", value) or value.startswith("."):
        raise Fault(0, "a corpus lies beside the tour; write the name of its file alone")
    raise Fault(
        0,
        f"there is no corpus “{value[:60]}”; write {_either([*SAMPLES])}, or the name of a file "
        "beside the tour, with its ending and without spaces",
    )


def read_merges(text: str) -> int:
    """A number of merges, or THE_END; Fault if it is neither.

    >>> read_merges("1,000"), read_merges("the end") == THE_END
    (1000, True)
    """
    if text == "the end":
        return THE_END
    return read_number(text, 0, "a number of merges, or the end")


def read_number(text: str, least: int, what: str = "a number") -> int:
    """A number from `least` to MOST_MERGES; Fault if it is none."""
    if not re.fullmatch(r"[0-9][0-9,]{0,15}", text):
        raise Fault(0, f"this is no number; write {what}")
    number = int(text.replace(",", ""))
    if not least <= number <= MOST_MERGES:
        raise Fault(0, f"write {what} from {least:,} to {MOST_MERGES:,}")
    return number


def _read_preset(value: str) -> str:
    if value not in PRESETS:
        near = get_close_matches(value, PRESETS, 1)
        wanted = near or PRESETS
        raise Fault(0, f"there is no preset “{value[:60]}”; write {_either(wanted)}")
    return value


def _read_size(value: str) -> int:
    return read_number(value, 1, "a number of entries")


def _read_ordinal(value: str) -> int:
    return read_number(value, 1, "a number")


def _read_lane(value: str) -> Lane:
    if (found := _RUN_LANE.fullmatch(value)) is not None:
        return RunLane(read_merges(found["merges"]) if found["merges"] else None)
    found = _PRESET_LANE.fullmatch(value)
    if found is None:
        raise Fault(0, "write the run, the run after 100 merges, gpt4, or gpt4 on scripts to 500")
    corpus, size = found["corpus"], found["size"]
    return PresetLane(
        _read_preset(found["preset"]),
        None if corpus is None else _at(found.start("corpus"), read_corpus, corpus),
        None if size is None else _at(found.start("size"), _read_size, size),
    )


def read_spot(value: str) -> Spot:
    """A place, whole or in part.

    >>> read_spot("languages hi").part
    'hi'
    """
    place = _place_of(value)
    which = value[len(place) :].lstrip()
    offset = len(value) - len(which)
    if not which:
        return Spot(place)
    if place in WITH_PARTS:
        return Spot(place, part=_at(offset, partial(_read_part, place), which))
    first, last = _at(offset, partial(_read_rows, place), which)
    return Spot(place, first, last)


def _place_of(value: str) -> str:
    """The place that a value begins with: the longest, for some begin as others do."""
    found = [place for place in PLACES if f"{value} ".startswith(f"{place} ")]
    if not found:
        asked = value.rstrip("0123456789- ")[:60]
        near = get_close_matches(asked, PLACES, 1)
        raise Fault(
            0, f"there is nothing called “{asked}” to point to; write {_either(near or PLACES)}"
        )
    return max(found, key=len)


def _read_part(place: str, value: str) -> str:
    """The name of a part of a place, as it stands there or in small letters."""
    names = parts_of(place)
    found = next((name for name in names if name.lower() == value.lower()), None)
    if found is None:
        near = get_close_matches(value, names, 1)
        raise Fault(0, f"“{place}” has no “{value[:60]}”; write {_either(near or names)}")
    return found


def _read_rows(place: str, value: str) -> tuple[int, int]:
    """The first and the last row; the same if there is one."""
    if place not in WITH_ROWS:
        rows, parts = _either(WITH_ROWS, "and"), _either(WITH_PARTS, "and")
        raise Fault(0, f"“{place}” has no rows; only {rows} have, and parts only {parts}")
    found = _ROWS.fullmatch(value)
    if found is None:
        raise Fault(0, "this is no row; write a number, or two with a - between them")
    first = _read_ordinal(found["first"])
    if found["last"] is None:
        return first, first
    last = _at(found.start("last"), _read_ordinal, found["last"])
    if not first <= last <= first + _MOST_ROWS:
        raise Fault(
            found.start("last"), f"the last row comes after the first, at most {_MOST_ROWS} on"
        )
    return first, last


def _write_spot(spot: Spot) -> str:
    if spot.part is not None:
        return f"{spot.place} {spot.part}"
    if spot.first is None:
        return spot.place
    rows = f"{spot.first}" if spot.last == spot.first else f"{spot.first}-{spot.last}"
    return f"{spot.place} {rows}"


def _write_lane(lane: Lane) -> str:
    if isinstance(lane, RunLane):
        if lane.merges is None:
            return "the run"
        return f"the run after {lane.merges:,} {'merge' if lane.merges == 1 else 'merges'}"
    corpus = f" on {lane.corpus}" if lane.corpus is not None else ""
    size = f" to {lane.vocabulary:,}" if lane.vocabulary is not None else ""
    return f"{lane.preset}{corpus}{size}"


def _at(offset: int, read: Callable[[str], Any], value: str) -> Any:
    """Read a part of a value, and say of a fault where it stands in the whole."""
    try:
        return read(value)
    except Fault as fault:
        raise Fault(offset + fault.offset, fault.reason) from None


def _either(names: Any, word: str = "or") -> str:
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else str(last)


def _write_at(at: At) -> str:
    return merges_written(at.merges)


def _as_it_is(value: str) -> str:
    return value


def _not_empty(value: str) -> str:
    if not value:
        raise Fault(0, "something has to stand behind the colon")
    return value


DIRECTIVES = MappingProxyType(
    {
        "corpus": Directive(
            "corpus", read_corpus, str,
            "what is trained on: four-words, scripts, python-stdlib, or the name of a file that "
            "lies beside the tour", "corpus: four-words",
        ),
        "preset": Directive(
            "preset", _read_preset, str, "the recipe: one of the program's presets", "preset: gpt2"
        ),
        "vocabulary": Directive(
            "vocabulary", _read_size, "{:,}".format,
            "how many entries the vocabulary may have", "vocabulary: 1,000",
        ),
        "ties": Directive(
            "ties", _one_of(Ties), str,
            "which of equally frequent pairs is merged: first-seen or lowest-id",
            "ties: lowest-id",
        ),
        "train to": Directive(
            "train_to", read_merges, merges_written,
            "so many merges are done, or all that the recipe asks for", "train to: the end",
        ),
        "go to": Directive(
            "go_to", lambda value: At(read_merges(value)), _write_at,
            "where the cursor is: after so many merges, which are done if need be", "go to: 4",
        ),
        "play to": Directive(
            "go_to", lambda value: At(read_merges(value), plays=True), _write_at,
            "as `go to`, but the cursor walks there and each merge is seen", "play to: 10",
        ),
        "text": Directive(
            "text", _as_it_is, _as_it_is,
            "what stands in the text panel; each `text` is one line of it", "text: the newest low",
            repeats=True,
        ),
        "workspace": Directive(
            "workspace", _one_of(Workspace), str, "explore, compare or laboratory",
            "workspace: compare",
        ),
        "lane": Directive(
            "lanes", _read_lane, _write_lane,
            "a lane of Compare: the run, the run after 100 merges, or a preset that is trained "
            "for it; each `lane` is one, from above", "lane: gpt4 on scripts to 500",
            repeats=True,
        ),
        "compare on": Directive(
            "compare_on", _one_of(Compared), str,
            "the text in Compare: the text (that of the text panel) or the story",
            "compare on: the story",
        ),
        "select": Directive(
            "select", lambda value: read_template(_not_empty(value)), str,
            "the token that is selected, as the vocabulary shows it; figures are filled in",
            "select: {last token}",
        ),
        "word": Directive(
            "word", _not_empty, _as_it_is, "the word of which the cutting is shown",
            "word: newest",
        ),
        "difference": Directive(
            "difference", _read_ordinal, str,
            "which of the differences between the lanes is looked at", "difference: 1",
        ),
        "cover": Directive(
            "cover", _one_of(Cover), str,
            "what nothing in view may tell before the page reveals it: the next merge",
            "cover: the next merge",
        ),
        "spotlight": Directive(
            "spotlight", read_spot, _write_spot,
            "what is pointed to, whole or in part; each `spotlight` is one place",
            "spotlight: pairs 1-3",
            repeats=True,
        ),
    }
)
"""All of them by name."""
