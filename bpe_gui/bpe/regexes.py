"""Regular expressions from outside, in the `regex` module's dialect and with bounded work.

A pattern may come from a file or from the keyboard: it may not compile, it may take a
lifetime to match, it may take all memory. What is refused depends on the pattern and the text:
`slowness` takes the machine's speed out. `timeout` bounds the time further, for a thread that must
not wait. The module is loaded for the first pattern: that takes 10 ms, and a window needs none.
"""

from __future__ import annotations

import re
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import chain, islice
from operator import methodcaller
from threading import local
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.errors import PatternError, PatternTimeoutError, shown

if TYPE_CHECKING:
    import regex

MAX_PATTERN = 10_000
"""The longest pattern, in characters; o200k_base's has some 400."""

_LARGEST = 100_000
"""Elements that a pattern may have: some 50 MB."""

_COUNT = re.compile(r"(.?)\{\s*(\d{1,10})", re.DOTALL)
_CALL = re.compile(r"(?<!\\)\(\?(?:R|[+-]?\d|&|P[>&])")

SECONDS_A_MATCH = 1.0
SECONDS_A_CHARACTER = 5e-6
SECONDS_A_PART = 20e-9
"""The limit of work between two matches: these seconds, plus some for every character of the text
to come, plus some for each of them and every character of the pattern. Work is processor time of
the matching thread alone, on a machine whose `slowness` is 1. Words in use take some 0.2
microseconds a character, a thousand alternatives 10, fuzzy matching 5."""

PASSED_PAYS = 20
"""How many times the work allowed for a character to come is forgiven for each that was passed. A
short match takes Python's time, too, so that it costs more a character than a long search."""

processor_time = time.thread_time
"""Measures the seconds for which a processor has worked for this thread."""

_TASK = r"(?:a|aa)+b", "a" * 18
_TASK_SECONDS = 1.7e-3
"""A task that makes the `regex` module go back, and how long it takes if `slowness` is 1."""

_MEASURING = 0.05
"""Seconds for which that task is repeated: the processor's clock may tick only every 16 ms."""

_NAMED = 100
"""Characters of a text that a sentence may show."""

_ASK_EVERY = 0.005
"""Seconds of matching between two questions whether anybody is still waiting. A match that takes
longer is slow: until then, no other thread of Python runs, so it is as short as the time after
which Python changes threads by itself."""


class _Deadline(Struct, frozen=True):
    until: float
    check: Callable[[], None] | None


class _Deadlines(local):
    current = _Deadline(float("inf"), None)


_deadlines = _Deadlines()


@contextmanager
def timeout(
    seconds: float = float("inf"), check: Callable[[], None] | None = None
) -> Iterator[None]:
    """Limit the time of all matching on this thread within the block.

    `check` is asked some 200 times a second while matching goes on, and may raise to give it
    up; ever more seldom before a match that is slow to come. One within another may only make
    the time shorter; the inner `check` is asked.
    """
    before = _deadlines.current
    until = min(before.until, time.monotonic() + seconds)
    _deadlines.current = _Deadline(until, check or before.check)
    try:
        yield
    finally:
        _deadlines.current = before


@lru_cache(maxsize=64)
def compiled(pattern: str, what: str = "pattern") -> regex.Pattern[str]:
    """Compile a pattern; `what` is what a sentence calls it.

    Raises PatternError, with the position where the `regex` module stumbled if it tells one.

    >>> compiled("a)b")
    Traceback (most recent call last):
    bpe_gui.bpe.errors.PatternError: the pattern 'a)b' is not a regular expression: \
unbalanced parenthesis at character 2
    """
    import regex

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


@cache
def slowness() -> float:
    """Measure, once, how many times as long as elsewhere the `regex` module takes here."""
    import regex

    pattern, text = regex.compile(_TASK[0]), _TASK[1]
    begun, rounds, worked = processor_time(), 0, 0.0
    while worked < _MEASURING:
        pattern.search(text, concurrent=True)
        rounds += 1
        worked = processor_time() - begun
    return worked / rounds / _TASK_SECONDS


def spans(
    pattern: regex.Pattern[str], text: str, what: str = "pattern", group: int = 0
) -> NDArray[np.int64]:
    """Find where the matches of a pattern, or one of its groups, begin and end, as `finditer` does.

    Returns a row for each match, shape (matches, 2), in characters. Raises PatternTimeoutError,
    which names the pattern and the text, if the matches take too much work for how far they get,
    or if the time of `timeout` is over; PatternError if they take all memory, or do not follow one
    another; and whatever the `check` of `timeout` raises.

    >>> spans(compiled("a*"), "aab").tolist()
    [[0, 2], [2, 2], [3, 3]]
    """
    watch = _deadlines.current
    a_character = SECONDS_A_CHARACTER + SECONDS_A_PART * len(pattern.pattern)
    blocks: list[NDArray[np.int64]] = []
    done, last, work = 0, (-1, 0), 0.0
    patience, is_slow = _ASK_EVERY, False
    while True:
        seconds = max(min(patience, watch.until - time.monotonic()), 0.0)
        # An empty match is found again where one goes on from it.
        most = None if not is_slow else 2 if last[0] == last[1] else 1
        begun = processor_time()
        block, problem = _block(pattern, text, done, seconds, most, group)
        worked = processor_time() - begun
        is_over = problem is None and (most is None or len(block) < most)
        if (np.diff(block[:, :2].ravel(), prepend=done) < 0).any():
            raise PatternError(
                f"the {what} {shown(pattern.pattern)} does not match from left to right; "
                r"write it without (?r), and without \K where it looks around"
            )
        if len(block) and (block[0, 0], block[0, 1]) == last:
            block = block[1:]
        blocks.append(block[:, -2:])
        passed = 0
        if len(block):
            last = int(block[-1, 0]), int(block[-1, 1])
            passed, done = last[1] - done, last[1]
        if problem is MemoryError:
            raise PatternError(_taking("much memory", pattern.pattern, text, done, what))
        if is_over:
            return np.concatenate(blocks)
        if watch.check is not None:
            watch.check()
        if time.monotonic() >= watch.until:
            raise PatternTimeoutError(_taking("long", pattern.pattern, text, done, what))
        added = worked / slowness() - PASSED_PAYS * a_character * passed
        left = SECONDS_A_MATCH + a_character * (len(text) - done) - work
        if added > left:
            raise PatternTimeoutError(_taking("long", pattern.pattern, text, done, what))
        if not len(block):  # the match is looked for anew, and nothing of this counts
            patience, is_slow = patience * min(4.0, 1.1 * left / max(added, 1e-9)), True
            continue
        work = max(work + added, 0.0)
        if worked < _ASK_EVERY:
            patience, is_slow = _ASK_EVERY, False


def _block(
    pattern: regex.Pattern[str], text: str, begin: int, seconds: float, most: int | None, group: int
) -> tuple[NDArray[np.int64], type[Exception] | None]:
    """Find the matches from a place on, until time or memory is over; if they are slow, so many.

    Returns where each begins and ends, and where its group does if one is wanted; and which
    error ended them.
    """
    # The `regex` module does not tell its steps. It looks at the time as a match begins and at
    # each 256th step: processor time of all threads together, on Windows all time. So the time
    # only interrupts. Quick matches need not let other threads run: taking turns takes longer.
    found, problem = array("q"), None
    try:
        matches = pattern.finditer(text, begin, timeout=seconds, concurrent=most is not None)
        found.extend(_numbers(islice(matches, most), group))
    except (TimeoutError, MemoryError) as error:  # what was found before it is kept
        problem = type(error)
    width = 4 if group else 2
    rows = len(found) // width
    return np.frombuffer(found, np.int64)[: rows * width].reshape(rows, width), problem


def _numbers(matches: Iterator[regex.Match[str]], group: int) -> Iterator[int]:
    """List where matches begin and end, and then where a group does, if one is wanted."""
    import regex

    if not group:
        return chain.from_iterable(map(regex.Match.span, matches))
    both = map(methodcaller("span", 0, group), matches)
    return chain.from_iterable(chain.from_iterable(both))


def _taking(too: str, pattern: str, text: str, reached: int, what: str) -> str:
    """Make the error for what comes after `reached` characters, which takes too long."""
    place = f" at character {reached + 1:,}" if reached else ""
    return (
        f"the {what} {shown(pattern)} takes too {too} for this text{place}, "
        f"{shown(text[reached : reached + _NAMED])}; choose a simpler one"
    )
