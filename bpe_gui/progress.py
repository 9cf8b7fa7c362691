"""Show how far long work is, and write numbers with what they count."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

COMPILING = "compiling for this machine, which takes half a minute, once ..."

Progress: TypeAlias = Callable[[int, int | None, str], object]
"""Called with how much of a phase is done, its total (None if that is not known), and its name:
"compiling", "reading" (bytes), "merging" (merges), "downloading" (bytes), "rendering" (frames) or
"explaining" (differences, or kinds of them).

Every phase of a training begins with 0 done; in its last call both numbers are equal.
"""

_UNITS = {"merging": " merges", "rendering": " frames", "explaining": "", "measuring": ""}
"""What a phase counts; others count bytes."""


@contextmanager
def terminal_bars(*, wanted: bool = True) -> Iterator[Progress]:
    """Draw a bar on standard error for every phase, and wipe it at the end.

    Where that is closed or no terminal nothing is drawn, so that logs stay clean.
    """
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total, phase: None
        return
    from tqdm import tqdm

    with bars(tqdm, leave=False, dynamic_ncols=True) as tell:
        yield tell


@contextmanager
def bars(tqdm: type, **options: Any) -> Iterator[Progress]:
    """Draw a bar for every phase, of a class of tqdm and with options of it."""
    # Its thread that looks after bars would stay for good.
    kind: Any = type("Bar", (tqdm,), {"monitor_interval": 0})
    drawn: dict[str, Any] = {}

    def tell(done: int, total: int | None, phase: str) -> None:
        bar = drawn.get(phase)
        if bar is None or done < bar.n:
            if bar is not None:
                bar.close()
            if phase == "compiling":
                bar = kind(bar_format="{desc}", desc=COMPILING, **options)
            else:
                unit = _UNITS.get(phase, "B")
                bar = kind(desc=phase, total=total, unit=unit, unit_scale=True, **options)
            drawn[phase] = bar
        bar.total = total
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    try:
        yield tell
    finally:
        for bar in drawn.values():
            bar.close()


def megabytes(size: int) -> str:
    """Write a size in bytes, readably.

    >>> megabytes(9_999), megabytes(10_000), megabytes(1_500_000), megabytes(2_400_000_000)
    ('9,999 bytes', '10.0 kB', '1.50 MB', '2.40 GB')
    """
    if size < 10_000:
        return counted(size, "byte")
    for unit, name in ((1e3, "kB"), (1e6, "MB")):
        # From here on three digits would be rounded up to four.
        if size < 999.5 * unit:
            value = size / unit
            return f"{value:.0f} {name}" if value >= 99.95 else f"{value:#.3g} {name}"
    return f"{size / 1e9:,.2f} GB"


def counted(number: int, what: str, plural: str = "") -> str:
    """Write a number and what it counts, in the singular or plural.

    >>> counted(1, "merge"), counted(1200, "merge"), counted(0, "entry", "entries")
    ('1 merge', '1,200 merges', '0 entries')
    """
    return f"{number:,} {what if number == 1 else plural or f'{what}s'}"


def signed(number: int) -> str:
    """Write a difference of two numbers with its sign.

    >>> signed(1200), signed(-3), signed(0)
    ('+1,200', '−3', '0')
    """
    return f"{number:+,}".replace("-", "−") if number else "0"


def percent(share: float, places: int = 1) -> str:
    """Write a share of 0 to 1 in percent; some is not written as none, and most not as all.

    >>> percent(0.5), percent(0), percent(1), percent(0.9996), percent(0.00003, 2)
    ('50.0%', '0.0%', '100.0%', '>99.9%', '<0.01%')
    """
    written, step = f"{share:.{places}%}", 10.0**-places
    if 0 < share < 1 and written in (f"{0:.{places}%}", f"{1:.{places}%}"):
        return f"<{step:.{places}f}%" if share < 0.5 else f">{100 - step:.{places}f}%"
    return written


def more(number: int, what: str) -> str:
    """Write how many more there are of something, or fewer.

    >>> more(1, "token"), more(-34, "token")
    ('+1 token', '−34 tokens')
    """
    return f"{signed(number)} {what if abs(number) == 1 else f'{what}s'}"


def more_and_fewer(added: int, saved: int, what: str) -> str:
    """Write how many more there are of something in some places, and how many fewer in others.

    >>> more_and_fewer(1200, 300, "token"), more_and_fewer(0, 1, "token")
    ('+1,200 −300 tokens', '−1 token')
    """
    if added and saved:
        return f"{signed(added)} {more(-saved, what)}"
    return more(added - saved, what)


def in_some(some: int, every: int) -> str:
    """Write in how many of some things something is, unless it is in all or in none.

    >>> in_some(3, 1200), in_some(1200, 1200)
    (' in 3 of them', '')
    """
    return f" in {some:,} of them" if 0 < some < every else ""


def times(number: int) -> str:
    """Write how often something occurs.

    >>> times(1), times(1200)
    ('once', '1,200 times')
    """
    return "once" if number == 1 else f"{number:,} times"


def ordinal(number: int) -> str:
    """Return a rank as people say it.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 21, 112, 1003)]
    ['1st', '2nd', '3rd', '4th', '11th', '21st', '112th', '1,003rd']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{'th' if number % 100 in (11, 12, 13) else ending}"


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Join parts of a sentence as people list them.

    >>> listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")
    ('', 'a', 'a and b', 'a, b or c')
    """
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def duration_text(seconds: float) -> str:
    """Write a time for people.

    >>> duration_text(3.21), duration_text(75), duration_text(400)
    ('3.2 s', '75 s', '7 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


def size_text(size: int) -> str:
    """Write a number of bytes for people.

    >>> size_text(812), size_text(3_456), size_text(1_115_394)
    ('812 bytes', '3.5 kB', '1.1 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    if size < 999_950:
        return f"{size / 1e3:.1f} kB"
    return f"{size / 1e6:,.1f} MB"
