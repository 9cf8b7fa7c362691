r"""How large a regular expression becomes once its repeats are written out.

The `regex` module writes the least number of repeats out when it compiles: `a{1000000}` takes
hundreds of megabytes, and `(?:a{9999}){9999}` more than any machine has. What is counted here
is never less than what it makes of a pattern.
"""

from __future__ import annotations

import re

from bpe_gui.bpe.pattern_parts import Kind, other_syntax, parts

LARGEST = 100_000
"""Elements that a pattern may have when it is written out: some 50 MB."""

_COUNT = re.compile(r"\{\d*(?:,\d*)?\}")

_LONGEST_COUNT = 10
"""Digits of a count that are looked at; the `regex` module takes no longer ones."""


def too_large_at(pattern: str) -> int | None:
    """Where the count stands with which a pattern becomes too large, if it does.

    >>> too_large_at("a{3}(?:b{500}){500}")
    14
    >>> too_large_at(r"\\d{4}-\\d{2}-\\d{2}") is None
    True
    """
    if other_syntax(pattern):
        return _product_too_large_at(pattern)
    groups = [0]
    last = 0
    for part in parts(pattern):
        if part.kind is Kind.COUNT:
            least = _least(pattern[part.start : part.end])
            groups[-1] += last * (least - 1)
            last *= least
            if sum(groups) > LARGEST:
                return part.start
        elif part.kind is Kind.OPEN:
            groups.append(0)
            last = 0
        elif part.kind is Kind.CLOSE:
            last = _close(groups)
        else:
            last = 1
            groups[-1] += 1
    return None


def _close(groups: list[int]) -> int:
    """End the innermost group; its size. Without one, all that was before counts as one."""
    if len(groups) == 1:
        return groups[0]
    last = groups.pop() + 1
    groups[-1] += last
    return last


def _product_too_large_at(pattern: str) -> int | None:
    """As `too_large_at`, as if every count stood around the whole pattern."""
    size = len(pattern)
    for count in _COUNT.finditer(pattern):
        size *= _least(count[0])
        if size > LARGEST:
            return count.start()
    return None


def _least(count: str) -> int:
    """The least number of repeats; one at least, for what may be left out is there once."""
    digits = count.strip("{}").partition(",")[0][:_LONGEST_COUNT]
    return max(int(digits or "0"), 1)
