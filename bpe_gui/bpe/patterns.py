"""Regular expressions from outside, in the `regex` module's dialect and in bounded time.

A pattern may come from a file or from the keyboard: it may not compile, it may take a
lifetime to match, it may take all memory. `watched` bounds the time further, for a thread that
must not wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import local

import regex

from bpe_gui.bpe.pattern_faults import fault
from bpe_gui.bpe.pattern_parts import call_at
from bpe_gui.bpe.pattern_size import LARGEST, too_large_at
from bpe_gui.bpe.recipe_error import PatternError, PatternTimeoutError, shown

MAX_PATTERN = 10_000
"""The longest pattern, in characters; o200k_base's has some 400."""

_SECONDS = 5.0
_CHARACTERS_A_SECOND = 50_000
"""How long matching may take: so many seconds, and one more for so many characters.
Patterns in use cut a million characters a second."""

_SECONDS_A_MATCH = 0.5
_SCANNED_A_SECOND = 1_000_000
"""How long finding one match may take, in the same way: no pattern in use takes a tenth of it.
The `regex` module, which watches over that, counts the time of the processors that all threads
of the program use, so it may be less or more by the clock."""

_NAMED = 100
"""Characters of a text that a sentence may show."""

_ASK_EVERY = 0.05
"""Seconds between two questions whether anybody is still waiting."""


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

    `check` is asked some twenty times a second while matching goes on, between two matches,
    and may raise to give it up; a single match that takes half a second is given up anyway.
    One within another may only make the time shorter; the inner `check` is asked.
    """
    before = _watches.current
    until = min(before.until, time.monotonic() + seconds)
    _watches.current = _Watch(until, check or before.check)
    try:
        yield
    finally:
        _watches.current = before


def deadline(characters: int) -> float:
    """Until when, on the clock of `time.monotonic`, matching in a text of that length may go on."""
    allowed = time.monotonic() + _SECONDS + characters / _CHARACTERS_A_SECOND
    return min(allowed, _watches.current.until)


@lru_cache(maxsize=64)
def compiled(pattern: str, what: str = "pattern") -> regex.Pattern[str]:
    """The compiled pattern; `what` is what a sentence calls it.

    Raises PatternError, with the position if one character is to blame.

    >>> compiled("a(b")
    Traceback (most recent call last):
    bpe_gui.bpe.recipe_error.PatternError: the pattern 'a(b' is not a regular expression: the \
( at character 2 is not closed
    """
    if len(pattern) > MAX_PATTERN:
        raise PatternError(
            f"a {what} of {len(pattern):,} characters is not read; it may have {MAX_PATTERN:,}",
            MAX_PATTERN,
        )
    if (call := call_at(pattern)) is not None:  # which may take all memory
        raise PatternError(
            f"the {what} {shown(pattern)} calls itself, which is not supported; write it "
            "without recursion",
            call,
        )
    if (place := too_large_at(pattern)) is not None:
        raise PatternError(
            f"the {what} {shown(pattern)} repeats so often that it has more than {LARGEST:,} "
            "parts; use smaller numbers, or * and +",
            place,
        )
    try:
        return regex.compile(pattern)
    except RecursionError:
        reason, position = "it is nested too deeply", None
    except regex.error as error:
        reason, position = fault(pattern, error)
    except (OverflowError, ValueError) as error:
        reason, position = str(error), None
    raise PatternError(
        f"the {what} {shown(pattern)} is not a regular expression: {reason}", position, reason
    )


def matches(
    pattern: regex.Pattern[str], text: str, give_up: float, what: str = "pattern"
) -> Iterator[regex.Match[str]]:
    """The matches in a text, one after another, as `finditer` has them; also those of nothing.

    `give_up` is from `deadline`. Other threads run meanwhile. Raises PatternTimeoutError, which
    names the pattern and the text, if the matches are not all found by then or one of them is
    not found soon, PatternError if finding them takes all memory, and whatever the `check` of
    `watched` raises.
    """
    check = _watches.current.check
    a_match = _SECONDS_A_MATCH + len(text) / _SCANNED_A_SECOND
    asked = time.monotonic()
    left = max(min(give_up - asked, a_match), 0.001)
    reached = 0
    try:
        for match in pattern.finditer(text, timeout=left, concurrent=True):
            reached = match.end()
            yield match
            now = time.monotonic()
            if now > give_up:
                raise TimeoutError
            if check is not None and now - asked > _ASK_EVERY:
                asked = now
                check()
    except TimeoutError:
        raise PatternTimeoutError(_taking("long", pattern.pattern, text, reached, what)) from None
    except MemoryError:
        taking = _taking("much memory", pattern.pattern, text, reached, what)
        raise PatternError(taking) from None


def _taking(too: str, pattern: str, text: str, reached: int, what: str) -> str:
    """`reached` characters had been matched: what comes after them takes so long."""
    place = f" at character {reached + 1:,}" if reached else ""
    return (
        f"the {what} {shown(pattern)} takes too {too} for this text{place}, "
        f"{shown(text[reached : reached + _NAMED])}; choose a simpler one"
    )


