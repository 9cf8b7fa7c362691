r"""How large a regular expression becomes once its repeats are written out.

The `regex` module writes the least number of repeats out when it compiles: `a{1000000}` takes
hundreds of megabytes, and `(?:a{9999}){9999}` more than any machine has. What is counted here
is never less than what it makes of a pattern.
"""

from __future__ import annotations

import re

LARGEST = 100_000
"""Elements that a pattern may have when it is written out: some 50 MB."""

_COUNT = re.compile(r"\{(\d*)(?:,\d*)?\}")
_COMMENT = re.compile(r"\(\?#[^)]*\)?")
_SET = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]?", re.DOTALL)
_OTHER_SYNTAX = re.compile(r"\(\?[a-zA-Z0-9]*[xV]")
"""White space and comments anywhere, or sets within sets: their brackets pair otherwise."""

_LONGEST_COUNT = 10
"""Digits of a count that are looked at; the `regex` module takes no longer ones."""


def too_large_at(pattern: str) -> int | None:
    """Where the count stands with which a pattern becomes too large, if it does.

    >>> too_large_at("a{3}(?:b{500}){500}")
    14
    >>> too_large_at(r"\\d{4}-\\d{2}-\\d{2}") is None
    True
    """
    if _OTHER_SYNTAX.search(pattern):
        return _product_too_large_at(pattern)
    groups = [0]
    last = place = 0
    while place < len(pattern):
        if count := _COUNT.match(pattern, place):
            groups[-1] += last * (_least(count) - 1)
            last *= _least(count)
            if sum(groups) > LARGEST:
                return place
            place = count.end()
            continue
        letter = pattern[place]
        if letter == "(" and not pattern.startswith("(?#", place):
            groups.append(0)
            last = 0
            place += 1
        elif letter == ")":
            last = _close(groups)
            place += 1
        else:
            last = 1
            groups[-1] += 1
            place = _end_of_element(pattern, place)
    return None


def _close(groups: list[int]) -> int:
    """End the innermost group; its size. Without one, all that was before counts as one."""
    if len(groups) == 1:
        return groups[0]
    last = groups.pop() + 1
    groups[-1] += last
    return last


def _end_of_element(pattern: str, place: int) -> int:
    """Where what begins at a place ends: an escape, a set, a comment, or one character."""
    if pattern[place] == "\\":
        return place + 2
    for kind in (_SET, _COMMENT):
        if found := kind.match(pattern, place):
            return found.end()
    return place + 1


def _product_too_large_at(pattern: str) -> int | None:
    """As `too_large_at`, as if every count stood around the whole pattern."""
    size = len(pattern)
    for count in _COUNT.finditer(pattern):
        size *= _least(count)
        if size > LARGEST:
            return count.start()
    return None


def _least(count: re.Match[str]) -> int:
    """The least number of repeats; one at least, for what may be left out is there once."""
    digits = count[1][:_LONGEST_COUNT]
    return max(int(digits or "0"), 1)
