"""A line on a terminal that tells how far a training run has come."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

_SETTLED = 0.5
"""Seconds after which a speed says something about the time that is left."""
_INTERVAL = 0.1
"""Seconds between two drawings: fast enough to be lively, slow enough to be read."""
_BAR = 16
"""Characters of the bar."""


class ProgressLine:
    """Draws and redraws one line, at most ten times a second.

    Does nothing if the stream is closed or no terminal, so that logs stay clean. Use it as a
    context manager: at the end the line is wiped.
    """

    def __init__(self, stream: TextIO | None, *, wanted: bool = True) -> None:
        shown = wanted and stream is not None and stream.isatty()
        self._stream = stream if shown else None
        self._started = time.monotonic()
        self._last = 0.0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *exception: object) -> None:
        self._write("")

    def restart(self) -> None:
        """Begin a new phase, with its own speed and time left."""
        self._started = time.monotonic()
        self._last = 0.0

    def note(self, text: str) -> None:
        """Say what is going on where there is no measure for it."""
        self._write(text)

    def reading(self, done: int, total: int | None) -> None:
        """Bytes of the corpus read so far, out of so many if that is known."""
        if not self._due():
            return
        seconds = time.monotonic() - self._started
        text = f"reading {megabytes(done)}"
        if total:
            text += f" of {megabytes(total)} {_bar(done / total)}"
        self._write(f"{text} {megabytes(round(done / max(seconds, 1e-6)))}/s")

    def merging(self, done: int, total: int | None) -> None:
        """Merges done so far, out of at most so many if that is known."""
        if not self._due():
            return
        seconds = time.monotonic() - self._started
        rate = done / max(seconds, 1e-6)
        text = counted(done, "merge")
        if total:
            text = f"{done:,} of {counted(total, 'merge')} {_bar(done / total)}"
        text += f" {rate:,.0f} merges/s"
        if total and rate and seconds > _SETTLED:
            text += f", {_duration((total - done) / rate)} left"
        self._write(text)

    def _due(self) -> bool:
        if self._stream is None:
            return False
        now = time.monotonic()
        if now - self._last < _INTERVAL:
            return False
        self._last = now
        return True

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        columns = shutil.get_terminal_size().columns
        # Back to the start of the line; what is left of the old text is wiped at the end.
        self._stream.write(f"\r{text[: columns - 1]}\x1b[K")
        self._stream.flush()


def megabytes(size: int) -> str:
    """A size in bytes, readable.

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
    """A number and what it counts, in the singular or plural.

    >>> counted(1, "merge"), counted(1200, "merge"), counted(0, "entry", "entries")
    ('1 merge', '1,200 merges', '0 entries')
    """
    return f"{number:,} {what if number == 1 else plural or f'{what}s'}"


def _bar(fraction: float) -> str:
    fraction = min(max(fraction, 0.0), 1.0)
    full = round(fraction * _BAR)
    return f"[{'#' * full}{'.' * (_BAR - full)}] {fraction:4.0%}"


def _duration(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02} min" if minutes else f"{rest} s"
