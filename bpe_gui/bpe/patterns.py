"""Regular expressions from outside, in the `regex` module's dialect and in bounded time.

A pattern may come from a file or from the keyboard: it may not compile, it may take a
lifetime to match, it may take all memory.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

import regex

from bpe_gui.bpe.pattern_size import LARGEST, too_large_at
from bpe_gui.bpe.recipe_error import PatternError

MAX_PATTERN = 10_000
"""The longest pattern, in characters; o200k_base's has some 400."""

_SECONDS = 5.0
_CHARACTERS_A_SECOND = 50_000
"""How long matching may take: so many seconds, and one more for so many characters.
Patterns in use cut a million characters a second."""

_RECURSION = re.compile(r"\(\?(?:R|[0-9]|&|P>)")
"""A pattern that calls itself may take all memory."""

_SHOWN = 40
"""Characters of a pattern or of a text that a sentence shows."""


_given: ContextVar[float | None] = ContextVar("when all matching is to end", default=None)


@contextmanager
def given_seconds(seconds: float) -> Iterator[None]:
    """Let all that is matched in this block be done in so many seconds.

    For those who look on. Threads that count words for this one are held to it too.
    """
    before = _given.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _given.reset(before)


def deadline(characters: int) -> float:
    """Until when, on the clock of `time.monotonic`, matching in a text of that length may go on."""
    if (given := _given.get()) is not None:
        return given
    return time.monotonic() + _SECONDS + characters / _CHARACTERS_A_SECOND


@lru_cache(maxsize=64)
def compiled(pattern: str, what: str = "pattern") -> regex.Pattern[str]:
    """The compiled pattern; `what` is what a sentence calls it.

    Raises PatternError, with the position if one character is to blame.

    >>> compiled("a(b")
    Traceback (most recent call last):
    bpe_gui.bpe.recipe_error.PatternError: the pattern 'a(b' is not a regular expression: missing \
) at position 3
    """
    if len(pattern) > MAX_PATTERN:
        raise PatternError(
            f"a {what} of {len(pattern):,} characters is not read; it may have {MAX_PATTERN:,}",
            MAX_PATTERN,
        )
    if call := _RECURSION.search(pattern):
        raise PatternError(
            f"the {what} {_shown(pattern)} calls itself, which is not supported; write it "
            "without recursion",
            call.start(),
        )
    if (place := too_large_at(pattern)) is not None:
        raise PatternError(
            f"the {what} {_shown(pattern)} repeats too much; written out, it may have "
            f"{LARGEST:,} elements",
            place,
        )
    try:
        return regex.compile(pattern)
    except RecursionError:
        reason, position = "it is nested too deeply", None
    except (regex.error, OverflowError, ValueError) as error:
        reason, position = str(error), getattr(error, "pos", None)
    raise PatternError(
        f"the {what} {_shown(pattern)} is not a regular expression: {reason}", position
    )


def matches(
    pattern: regex.Pattern[str], text: str, give_up: float, what: str = "pattern"
) -> Iterator[regex.Match[str]]:
    """The matches in a text, one after another, as `finditer` has them; also those of nothing.

    `give_up` is from `deadline`. Other threads run meanwhile. Raises PatternError, which
    names the pattern and the text, if the matches are not all found by then, or if finding
    them takes all memory.
    """
    left = max(give_up - time.monotonic(), 0.001)
    try:
        yield from pattern.finditer(text, timeout=left, concurrent=True)
        return
    except TimeoutError:
        reason = "too long"
    except MemoryError:
        reason = "too much memory"
    raise PatternError(
        f"the {what} {_shown(pattern.pattern)} takes {reason} for this text, {_shown(text)}; "
        "choose a simpler one"
    )


def _shown(text: str) -> str:
    """Quoted, escaped, cut short."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
