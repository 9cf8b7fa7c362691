"""Regular expressions from outside, in the `regex` module's dialect and in bounded time.

A pattern may come from a file or from the keyboard: it may not compile, it may take a
lifetime to match, it may take all memory. `watched` bounds the time further, for a thread that
must not wait.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import local

import regex

from bpe_gui.bpe.errors import PatternError, PatternTimeoutError, shown

MAX_PATTERN = 10_000
"""The longest pattern, in characters; o200k_base's has some 400."""

_LARGEST = 100_000
"""Elements that a pattern may have: some 50 MB."""

_COUNT = re.compile(r"(.?)\{\s*(\d{1,10})", re.DOTALL)
_CALL = re.compile(r"(?<!\\)\(\?(?:R|[+-]?\d|&|P[>&])")

SECONDS_A_MATCH = 1.0
CHARACTERS_A_SECOND = 500_000
"""How long the way from one match to the next may take: so many seconds, and one more for so many
characters to come. That is processor time of the matching thread alone, so that nothing else that
goes on counts; on a usual machine no pattern in use takes a tenth of it."""

_NAMED = 100
"""Characters of a text that a sentence may show."""

_ASK_EVERY = 0.05
"""Seconds of matching between two questions whether anybody is still waiting."""


@dataclass(frozen=True, slots=True)
class _Watch:
    until: float
    check: Callable[[], None] | None


class _Watches(local):
    current = _Watch(float("inf"), None)


_watches = _Watches()


@contextmanager
def watched(
    seconds: float = float("inf"), check: Callable[[], None] | None = None
) -> Iterator[None]:
    """While this lasts, all matching on this thread together takes at most so long.

    `check` is asked some twenty times a second while matching goes on, and may raise to give it
    up; no more than a few times before a match that is slow to come. One within another may only
    make the time shorter; the inner `check` is asked.
    """
    before = _watches.current
    until = min(before.until, time.monotonic() + seconds)
    _watches.current = _Watch(until, check or before.check)
    try:
        yield
    finally:
        _watches.current = before


@lru_cache(maxsize=64)
def compiled(pattern: str, what: str = "pattern") -> regex.Pattern[str]:
    """Compile a pattern; `what` is what a sentence calls it.

    Raises PatternError, with the position where the `regex` module stumbled if it tells one.

    >>> compiled("a)b")
    Traceback (most recent call last):
    bpe_gui.bpe.errors.PatternError: the pattern 'a)b' is not a regular expression: \
unbalanced parenthesis at character 2
    """
    if len(pattern) > MAX_PATTERN:
        raise PatternError(
            f"a {what} of {len(pattern):,} characters is not read; it may have {MAX_PATTERN:,}",
            MAX_PATTERN,
        )
    if (call := _CALL.search(pattern)) is not None:  # which may take much memory
        raise PatternError(
            f"the {what} {shown(pattern)} calls itself, which is not supported; write it "
            "without recursion",
            call.start(),
        )
    if (place := _too_large_at(pattern)) is not None:
        raise PatternError(
            f"the {what} {shown(pattern)} repeats so often that it has more than {_LARGEST:,} "
            "parts; use smaller numbers, or * and +",
            place,
        )
    try:
        return regex.compile(pattern)
    except RecursionError:
        reason, position = "it is nested too deeply", None
    except regex.error as error:
        position = min(int(error.pos), len(pattern) - 1)
        reason = f"{error.msg} at character {position + 1:,}"
    except (OverflowError, ValueError) as error:
        reason, position = str(error), None
    raise PatternError(
        f"the {what} {shown(pattern)} is not a regular expression: {reason}", position, reason
    )


def _too_large_at(pattern: str) -> int | None:
    """Find the count with which a pattern has too many elements, if there is one.

    The `regex` module writes the least number of repeats out. A count after a group is taken as
    if the group was the whole pattern, so that no group need be looked for.

    >>> _too_large_at("(?:a{500}){500}"), _too_large_at(r"\\d{4}-\\d{2}-\\d{2}")
    (10, None)
    """
    size, times = len(pattern), 1
    for count in _COUNT.finditer(pattern):
        least = max(int(count[2]), 1)
        if count[1] in ")}" or count[1].isspace():
            times *= least
        else:
            size += least
        if size * times > _LARGEST:
            return count.end(1)
    return None


def spans(
    pattern: regex.Pattern[str], text: str, what: str = "pattern", group: int = 0
) -> Iterator[tuple[int, int]]:
    """Find where the matches of a pattern, or one of its groups, begin and end, as `finditer` does.

    Other threads run meanwhile. Raises PatternTimeoutError, which names the pattern and the text,
    if the next match takes too long or the time of `watched` is over; PatternError if it takes all
    memory, or if the matches do not follow one another; and whatever the `check` of `watched`
    raises.

    >>> list(spans(compiled("a*"), "aab"))
    [(0, 2), (2, 2), (3, 3)]
    """
    watch = _watches.current
    patience = _ASK_EVERY
    last, done = (-1, 0), 0
    while True:
        # The `regex` module's time is for all matches together, and counts all threads (on
        # Windows: all time). So it only interrupts; then matching goes on from the last match.
        before, began = done, time.thread_time()
        left = max(min(patience, watch.until - time.monotonic()), 0.0)
        try:
            for match in pattern.finditer(text, done, timeout=left, concurrent=True):
                span = match.span()
                if not done <= span[0] <= span[1]:
                    raise PatternError(
                        f"the {what} {shown(pattern.pattern)} does not match from left to right; "
                        r"write it without (?r), and without \K where it looks around"
                    )
                if span != last:  # an empty match is found again where one goes on from it
                    last, done = span, span[1]
                    yield match.span(group) if group else span
            return
        except TimeoutError:
            worked = time.thread_time() - began
        except MemoryError:
            taking = _taking("much memory", pattern.pattern, text, done, what)
            raise PatternError(taking) from None
        if watch.check is not None:
            watch.check()
        is_stuck = done == before
        allowed = SECONDS_A_MATCH + (len(text) - done) / CHARACTERS_A_SECOND
        if (is_stuck and worked > allowed) or time.monotonic() >= watch.until:
            raise PatternTimeoutError(_taking("long", pattern.pattern, text, done, what))
        if is_stuck:
            patience = max(2 * patience, 1.1 * allowed)


def _taking(too: str, pattern: str, text: str, reached: int, what: str) -> str:
    """`reached` characters had been matched: what comes after them takes so long."""
    place = f" at character {reached + 1:,}" if reached else ""
    return (
        f"the {what} {shown(pattern)} takes too {too} for this text{place}, "
        f"{shown(text[reached : reached + _NAMED])}; choose a simpler one"
    )
