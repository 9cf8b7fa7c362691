"""Whether the files of a corpus are still what they were when they were read."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.text_files import CorpusError, FileStamp, FileStamps


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


def changes_since(files: FileStamps, corpus: Corpus, check: Callable[[], None]) -> Changes:
    """Find out what has become of the files that a corpus was read from.

    A file of another size, or of another time, has changed. What cannot be looked at counts as
    unchanged: only what is known is told.

    `check` is called again and again, and may raise to give it up. May be called on any thread.
    """
    found: dict[_State, list[str]] = {state: [] for state in _State}
    known: set[str] = set()
    for stamp in files:
        check()
        if stamp.path in known:  # named twice, or reached on two ways
            continue
        known.add(stamp.path)
        found[_state(stamp)].append(stamp.path)
    return Changes(
        tuple(found[_State.CHANGED]),
        tuple(found[_State.MISSING]),
        tuple(_new(corpus, known, check)),
    )


def _state(stamp: FileStamp) -> _State:
    """Tell what has become of a file."""
    try:
        status = os.stat(stamp.path)
    except (FileNotFoundError, NotADirectoryError):
        return _State.MISSING
    except (OSError, ValueError):
        return _State.UNKNOWN
    if not stat.S_ISREG(status.st_mode):
        return _State.MISSING
    same = (status.st_size, status.st_mtime_ns) == (stamp.size, stamp.modified)
    return _State.SAME if same else _State.CHANGED


def _new(corpus: Corpus, known: set[str], check: Callable[[], None]) -> list[str]:
    """Return the text files in the folders of the corpus that are none of those that are known."""
    found: list[str] = []
    with suppress(CorpusError):  # what cannot be read ends the search
        for path in corpus.new_texts(known, check):
            found.append(path)
    return found
