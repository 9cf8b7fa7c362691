"""The lines of a tour that set what is in view: `preset: gpt2`, `spotlight: pairs 1`.

Every kind of line names a field of `Scene` and has a function that reads what is behind the
colon. FORMAT.md says what each is for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct

from bpe_gui.analysis.metric_columns import COLUMNS
from bpe_gui.bpe.corpus import SAMPLES
from bpe_gui.bpe.recipe import PRESETS, Ties
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.figures import read_template
from bpe_gui.tours.tour import (
    MAX_NUMBER,
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
)

Places = Mapping[str, Workspace | None]
"""What a spotlight can point to, with the workspace in which it is seen; None for all."""

_RENAMED = {
    "wall": "boundaries",
    "numbers whole words": "numbers single-token words",
    "numbers used": "numbers vocabulary used",
    "curves zipf": "curves counts",
}
"""What places and parts are called in tours of older versions."""

WITH_ROWS = ("pairs",)
"""The places of which single rows can be pointed to, counted from 1 as they are in view."""

WITH_PARTS = ("curves", "numbers", "languages", "lanes")
"""The places of which a part can be pointed to by its name: a curve, a column, a language, and
where in the story that language begins."""

CURVES = ("counts", "bytes/token", "tokens", "lengths")
"""The curves of a run by name, in the order in which they are shown."""

_MAX_NAME_LENGTH = 100
_MAX_ROWS = 50
_RUN_LANE = re.compile(r"the run(?: after (?P<merges>[0-9,]+) merges?)?")
_PRESET_LANE = re.compile(
    r"(?P<preset>[a-z0-9-]+)(?: on (?P<corpus>.+?))?(?: to (?P<size>[0-9,]+))?"
)
_ROWS = re.compile(r"(?P<first>[0-9,]{1,9})(?:-(?P<last>[0-9,]{1,9}))?")
_T = TypeVar("_T")


class Directive(Struct, frozen=True):
    """How one kind of line is read.

    field: of `Scene`.
    read: makes a value of what is behind the colon, or raises Fault; `read_spot` needs the known
        places as well.
    max_lines: how many such lines a part of a page may have; several make a tuple, or the lines
        of a text.
    """

    field: str
    read: Callable[..., Any]
    max_lines: int = 1


def parts_of(place: str) -> tuple[str, ...]:
    """List the names of the parts of a place, none for a place that has none.

    >>> parts_of("curves")
    ('counts', 'bytes/token', 'tokens', 'lengths')
    >>> parts_of("languages")[:3]
    ('en', 'de', 'fr')
    """
    if place == "curves":
        return CURVES
    if place == "numbers":
        return tuple(column.title for column in COLUMNS)
    return tuple(languages()) if place in WITH_PARTS else ()


def read_corpus(value: str) -> str:
    """Read the name of a sample, or of a file beside the tour.

    >>> read_corpus("four-words")
    'four-words'
    """
    if value in SAMPLES:
        return value
    is_plain = len(value) <= _MAX_NAME_LENGTH and not re.search(r'[\s/\\:*?"<>|\x00-\x1f]', value)
    if "." in value.strip(".") and is_plain and not value.startswith("."):
        return value
    if re.search(r"[/\\]", value) or value.startswith("."):
        raise Fault(0, "a corpus is in the folder of the tour; write only the name of its file")
    raise Fault(
        0,
        f"there is no corpus “{value[:60]}”; write {_any_of(SAMPLES)}, or the name of a file "
        "beside the tour, with its ending and without spaces",
    )


def read_merges(value: str) -> int:
    """Read a number of merges, or THE_END.

    >>> read_merges("1,000"), read_merges("the end") == THE_END
    (1000, True)
    """
    if value == "the end":
        return THE_END
    return read_number(value, 0, "a number of merges, or the end")


def read_number(value: str, least: int = 1, what: str = "a number") -> int:
    """Read a number from `least` to MAX_NUMBER, which may have commas."""
    if not re.fullmatch(r"[0-9][0-9,]{0,15}", value):
        raise Fault(0, f"this is no number; write {what}")
    number = int(value.replace(",", ""))
    if not least <= number <= MAX_NUMBER:
        raise Fault(0, f"write {what} from {least:,} to {MAX_NUMBER:,}")
    return number


def read_lane(value: str) -> Lane:
    """Read a lane of Compare: the run, or a preset that is trained for it.

    >>> read_lane("the run after 100 merges")
    RunLane(merges=100)
    >>> read_lane("gpt4 on scripts to 500")
    PresetLane(preset='gpt4', corpus='scripts', vocabulary=500)
    """
    if (found := _RUN_LANE.fullmatch(value)) is not None:
        return RunLane(read_merges(found["merges"]) if found["merges"] else None)
    if (found := _PRESET_LANE.fullmatch(value)) is None:
        raise Fault(0, "write the run, the run after 100 merges, gpt4, or gpt4 on scripts to 500")
    return PresetLane(
        _read_preset(found["preset"]),
        _read_group(found, "corpus", read_corpus),
        _read_group(found, "size", _read_size),
    )


def read_spot(value: str, known: Places) -> Spot:
    """Read a place of those known, whole or in part.

    >>> known = {"languages": Workspace.COMPARE, "pairs": Workspace.EXPLORE}
    >>> read_spot("languages hi", known)
    Spot(place='languages', first=None, last=None, part='hi')
    >>> read_spot("pairs 1-3", known)
    Spot(place='pairs', first=1, last=3, part=None)
    """
    value = _RENAMED.get(value, value)
    # The longest, for some places begin as others do.
    places = sorted((name for name in known if f"{value} ".startswith(f"{name} ")), key=len)
    if not places:
        asked = value.rstrip("0123456789- ")[:60]
        reason = f"there is nothing called “{asked}” to point to"
        raise Fault(0, f"{reason}; write {_nearest(asked, known)}")
    place = places[-1]
    which = value[len(place) :].lstrip()
    if not which:
        return Spot(place)
    try:
        if place in WITH_PARTS:
            return Spot(place, part=_read_part(place, which))
        return Spot(place, *_read_rows(place, which))
    except Fault as fault:
        raise Fault(len(value) - len(which) + fault.offset, fault.reason) from None


def _read_part(place: str, value: str) -> str:
    """Find the name of a part of a place, in small letters or as it is shown there."""
    names = parts_of(place)
    for name in names:
        if name.lower() == value.lower():
            return name
    raise Fault(0, f"“{place}” has no “{value[:60]}”; write {_nearest(value, names)}")


def _read_rows(place: str, value: str) -> tuple[int, int]:
    """Read the first and the last row; the same if there is one."""
    if place not in WITH_ROWS:
        rows, parts = _any_of(WITH_ROWS, "and"), _any_of(WITH_PARTS, "and")
        raise Fault(0, f"“{place}” has no rows; only {rows} have, and parts only {parts}")
    if (found := _ROWS.fullmatch(value)) is None:
        raise Fault(0, "this is no row; write a number, or two with a - between them")
    first = read_number(found["first"])
    last = _read_group(found, "last", read_number) or first
    if not first <= last <= first + _MAX_ROWS:
        raise Fault(
            found.start("last"), f"the last row comes after the first, at most {_MAX_ROWS} on"
        )
    return first, last


def _read_group(found: re.Match[str], group: str, read: Callable[[str], _T]) -> _T | None:
    """Read a part of a value if it is there; a Fault says where it is in the whole."""
    if found[group] is None:
        return None
    try:
        return read(found[group])
    except Fault as fault:
        raise Fault(found.start(group) + fault.offset, fault.reason) from None


def _read_preset(value: str) -> str:
    if value not in PRESETS:
        reason = f"there is no preset “{value[:60]}”"
        raise Fault(0, f"{reason}; write {_nearest(value, PRESETS)}")
    return value


def _read_size(value: str) -> int:
    return read_number(value, what="a number of entries")


def _read_words(value: str) -> str:
    if not value:
        raise Fault(0, "a value is missing after the colon")
    return value


def _one_of(*values: _T) -> Callable[[str], _T]:
    """Make a function that reads one of some values, by what they are as text."""

    def read(text: str) -> _T:
        for value in values:
            if text == str(value):
                return value
        raise Fault(0, f"“{text[:60]}” is not known here; write {_any_of(values)}")

    return read


def _nearest(value: str, names: Iterable[str]) -> str:
    """Name what is most like a value, or all that there are."""
    return _any_of(get_close_matches(value, list(names), 1) or names)


def _any_of(names: Iterable[object], word: str = "or") -> str:
    """List names in a sentence.

    >>> _any_of(["a", "b", "c"])
    'a, b or c'
    """
    *others, last = map(str, names)
    return f"{', '.join(others)} {word} {last}" if others else last


DIRECTIVES: Mapping[str, Directive] = MappingProxyType(
    {
        "corpus": Directive("corpus", read_corpus),
        "preset": Directive("preset", _read_preset),
        "vocabulary": Directive("vocabulary", _read_size),
        "ties": Directive("ties", _one_of(*Ties)),
        "train to": Directive("train_to", read_merges),
        "go to": Directive("go_to", lambda value: At(read_merges(value))),
        "play to": Directive("go_to", lambda value: At(read_merges(value), plays=True)),
        "text": Directive("text", str, max_lines=200),
        "workspace": Directive("workspace", _one_of(*Workspace)),
        "lane": Directive("lanes", read_lane, max_lines=8),
        "compare on": Directive("compare_on", _one_of(*Compared)),
        "select": Directive("select", lambda value: read_template(_read_words(value))),
        "word": Directive("word", _read_words),
        "difference": Directive("difference", read_number),
        "cover": Directive("cover", _one_of(*Cover)),
        "spotlight": Directive("spotlight", read_spot, max_lines=8),
    }
)
"""All kinds of lines by name."""
