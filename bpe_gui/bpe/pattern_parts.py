r"""The parts that a regular expression is written of, without the meaning of any.

They tell a parenthesis that opens a group from one that is escaped, or stands in a set or in a
comment. They are those of the `regex` module's usual syntax; with the flags x and V1 white
space, brackets and comments are read in another way, which `other_syntax` tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import takewhile


class Kind(Enum):
    """What a part of a pattern is."""

    OPEN = auto()
    """A parenthesis that opens a group; what it says of the group are parts of their own."""
    CLOSE = auto()
    SET = auto()
    """`[...]`"""
    COMMENT = auto()
    """`(?#...)`"""
    UNCLOSED = auto()
    """A set or a comment whose end is missing: all that is left of the pattern."""
    ESCAPE = auto()
    """A backslash with the character after it, if there is one."""
    COUNT = auto()
    """`{3}`, `{3,}` or `{,3}`."""
    CHARACTER = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a pattern, from a character up to but without another, counted from 0."""

    kind: Kind
    start: int
    end: int


_NAME = "A-Za-z0-9&_.-"
_NAMED_SET = rf"\[:\^?[ {_NAME}]*(?:[:=] *[/{_NAME}][ /{_NAME}]*)?:\]"
_SYNTAX = (
    (Kind.ESCAPE, r"\\.?"),
    (Kind.SET, rf"\[\^?+\]?+(?:\\.|{_NAMED_SET}|[^\]\\])*+\]"),
    (Kind.COMMENT, r"\(\?#(?:\\.|[^)\\])*\)"),
    (Kind.UNCLOSED, r"(?:\[|\(\?#).*"),
    (Kind.OPEN, r"\("),
    (Kind.CLOSE, r"\)"),
    (Kind.COUNT, r"\{\d*(?:,\d*)?\}"),
    (Kind.CHARACTER, "."),
)
_PART = re.compile("|".join(f"({syntax})" for _, syntax in _SYNTAX), re.DOTALL)
_KINDS = tuple(kind for kind, _ in _SYNTAX)

_OTHER_SYNTAX = re.compile(r"\(\?[a-zA-Z0-9]*[xV]")

_IGNORED = r"(?:\s|#[^\n]*\n)*"
_CALL = re.compile(rf"\(\?(?:R|[+-]?[0-9]|&|P{_IGNORED}[>&])")


def parts(pattern: str) -> Iterator[Part]:
    r"""All parts of a pattern, from left to right and without gaps.

    >>> [(part.kind.name, part.start) for part in parts(r"\(([(]a)")]
    [('ESCAPE', 0), ('OPEN', 2), ('SET', 3), ('CHARACTER', 6), ('CLOSE', 7)]
    """
    for found in _PART.finditer(pattern):
        assert found.lastindex is not None, "one of the groups is there"
        yield Part(_KINDS[found.lastindex - 1], found.start(), found.end())


def other_syntax(pattern: str) -> bool:
    """Whether a flag of the pattern makes it be read otherwise than `parts` does."""
    return any(_OTHER_SYNTAX.match(pattern, place) for place in _openings(pattern))


def call_at(pattern: str) -> int | None:
    r"""Where a pattern calls one of its groups or itself, as `(?R)` and `(?P>name)` do.

    In another syntax it may be something that only looks so.

    >>> call_at(r"\(?Return|[(?R]"), call_at("a(?R)?")
    (None, 1)
    """
    if other_syntax(pattern):
        found = _CALL.search(pattern)
        return found.start() if found else None
    return next((place for place in _openings(pattern) if _CALL.match(pattern, place)), None)


def unclosed_at(pattern: str) -> int | None:
    """Where the last parenthesis or bracket stands that nothing closes, if there is one.

    >>> unclosed_at("a(b(c)"), unclosed_at("(a)[b)"), unclosed_at("(a)")
    (1, 3, None)
    """
    opened: list[int] = []
    for part in parts(pattern):
        if part.kind in (Kind.OPEN, Kind.UNCLOSED):
            opened.append(part.start)
        elif part.kind is Kind.CLOSE and opened:
            opened.pop()
    return opened[-1] if opened else None


def part_before(pattern: str, place: int, *kinds: Kind) -> int | None:
    """Where the last part of some kinds begins that begins before a place."""
    before = takewhile(lambda part: part.start < place, parts(pattern))
    starts = [part.start for part in before if part.kind in kinds]
    return starts[-1] if starts else None


def _openings(pattern: str) -> Iterator[int]:
    return (part.start for part in parts(pattern) if part.kind is Kind.OPEN)
