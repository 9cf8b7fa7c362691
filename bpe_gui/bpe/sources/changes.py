"""Whether the files of a corpus are still what they were when they were read."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from bpe_gui.bpe.sources.base import CorpusError
from bpe_gui.bpe.sources.stamps import FileStamp, FileStamps

if TYPE_CHECKING:
    from bpe_gui.bpe.corpus import Corpus

MOST_READ = 1 << 30
"""Bytes that are read to find out whether files with another time have another content."""

_PART = 1 << 20


@dataclass(frozen=True, slots=True)
class Changes:
    """Which files are known not to be what they were: absolute paths.

    changed: they hold something else. missing: they are not there. new: text files in the
    folders of the corpus that were not there.
    """

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    new: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.new)


class _State(Enum):
    SAME = auto()
    CHANGED = auto()
    MISSING = auto()
    UNKNOWN = auto()


def changes_since(
    files: FileStamps,
    corpus: Corpus,
    check: Callable[[], None],
    *,
    most_read: int = MOST_READ,
) -> Changes:
    """What has become of the files that a corpus was read from.

    A file of another size has changed. One of the same size and the same time has not; one of
    the same size and another time is read, for it may be a copy: it has changed if its checksum
    is another one. What cannot be looked at, or would take more than `most_read` bytes to be
    read, counts as unchanged: only what is known is told. (So it is not seen if a file gets
    another content of the same size and then its former time.)

    `check` is called again and again, and may raise to give it up. May be called on any thread.
    """
    found: dict[_State, list[str]] = {state: [] for state in _State}
    known: set[str] = set()
    for stamp in files:
        check()
        if stamp.path in known:  # named twice, or reached on two ways
            continue
        known.add(stamp.path)
        state, read = _state(stamp, most_read, check)
        most_read -= read
        found[state].append(stamp.path)
    return Changes(
        tuple(found[_State.CHANGED]),
        tuple(found[_State.MISSING]),
        tuple(_new(corpus, known, check)),
    )


def _state(stamp: FileStamp, most_read: int, check: Callable[[], None]) -> tuple[_State, int]:
    """What has become of a file, and how many bytes were read to know it."""
    try:
        status = os.stat(stamp.path)
        if not stat.S_ISREG(status.st_mode):
            return _State.MISSING, 0
        if status.st_size != stamp.size:
            return _State.CHANGED, 0
        if status.st_mtime_ns == stamp.modified:
            return _State.SAME, 0
        if stamp.size > most_read:
            return _State.UNKNOWN, 0
        same = _checksum(stamp, check) == stamp.checksum
    except (FileNotFoundError, NotADirectoryError):
        return _State.MISSING, 0
    except (OSError, ValueError):
        return _State.UNKNOWN, 0
    return _State.SAME if same else _State.CHANGED, stamp.size


def _checksum(stamp: FileStamp, check: Callable[[], None]) -> int:
    """That of as many bytes as the file had."""
    found, left = 0, stamp.size
    # Without waiting, in case it has become a named pipe just now.
    descriptor = os.open(stamp.path, os.O_RDONLY | os.O_NONBLOCK)
    with open(descriptor, "rb", buffering=0) as file:
        while left and (data := file.read(min(_PART, left))):
            check()
            found = zlib.crc32(data, found)
            left -= len(data)
    return found


def _new(corpus: Corpus, known: set[str], check: Callable[[], None]) -> list[str]:
    """The text files in the folders of the corpus that are none of those that are known."""
    found: list[str] = []
    with suppress(CorpusError):  # what cannot be read ends the search
        for path in corpus.new_texts(known, check):
            found.append(path)
    return found
