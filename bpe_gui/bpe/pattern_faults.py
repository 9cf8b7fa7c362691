"""Which character of a regular expression is to blame for its not compiling.

The `regex` module tells how far it had read when it stumbled, which is often behind what is
wrong, or at the end of the pattern.
"""

from __future__ import annotations

import re

import regex

from bpe_gui.bpe.pattern_parts import Kind, other_syntax, part_before, unclosed_at

_ESCAPES = (
    *("bad escape", "incomplete escape", "bad hex escape", "undefined character name"),
    *("unknown property", "undefined named list"),
)
"""What messages about an escape, or about `[:...:]`, begin with."""

_GROUPS = (
    *("unknown extension", "unknown group", "invalid group reference", "missing group name"),
    *("ambiguous group reference", "group reference not allowed", "cannot refer to an open group"),
    *("bad character in group name", "bad inline flags", "missing >", "unknown verb"),
    *("missing relative group number", "invalid relative group number"),
)
"""What messages about a group, or about a reference to one, begin with."""

_REPEATS = ("repeat count too big", "min repeat greater than max repeat")

_MEMBER = r"(?:\\(?:x..|u.{4}|U.{8}|N\{[^}]*\}|[0-7]{1,3}|.)|.)"
_RANGE = re.compile(f"{_MEMBER}-{_MEMBER}\\Z", re.DOTALL)


def fault(pattern: str, error: regex.error) -> tuple[str, int]:
    """What is wrong with a pattern, in words that name the place, and that place from 0.

    `error` is what compiling it raised. The place is a character of the pattern.

    >>> try:
    ...     regex.compile("abc(def|x")
    ... except regex.error as error:
    ...     fault("abc(def|x", error)
    ('the ( at character 4 is not closed', 3)
    """
    message, place = str(error.msg), int(error.pos)
    is_at_end = place >= len(pattern)
    place = min(place, len(pattern) - 1)
    if other_syntax(pattern):
        return f"{message} at character {place + 1:,}", place
    is_unclosed = message in ("missing )", "unterminated character set") and is_at_end
    if is_unclosed and (opened := unclosed_at(pattern)) is not None:
        return f"the {pattern[opened]} at character {opened + 1:,} is not closed", opened
    place = _culprit(pattern, message, int(error.pos), place)
    return f"{message} at character {place + 1:,}", place


def _culprit(pattern: str, message: str, read: int, otherwise: int) -> int:
    """Where what a message is about begins, if `read` characters had been read."""
    if message.startswith("bad character range"):
        opened = part_before(pattern, read, Kind.SET, Kind.UNCLOSED) or 0
        found = _RANGE.search(pattern, opened + 1, read)
        return found.start() if found else otherwise
    if message.startswith(_ESCAPES):
        begins = max(pattern.rfind("\\", 0, read), pattern.rfind("[:", 0, read))
        return begins if begins >= 0 else otherwise
    kinds: tuple[Kind, ...] = ()
    if message.startswith(_GROUPS):
        kinds = (Kind.OPEN, Kind.ESCAPE)
    elif message.startswith(_REPEATS):
        kinds = (Kind.COUNT,)
    begins_part = part_before(pattern, read, *kinds) if kinds else None
    return otherwise if begins_part is None else begins_part
