"""What running windows keep by themselves, so that the next one can offer it."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from bpe_gui.sessions.file import save_session
from bpe_gui.sessions.session import ENDING, Session, SessionError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# -- The folder in which each running window keeps its state, and what others have left there ---
#
# A window has a file of its own there, and a lock on another beside it. The system lets go of the
# lock when the window's process ends, however that comes about: a crash, `kill -9`, a power cut.
# So a state without a lock is one that nobody works on any more, and that the next window may
# offer.

_LOCK = ".lock"

_OLD = 24 * 60 * 60
"""Seconds after which nobody is about to write a file any more."""

_KEPT = 5
"""States that have been opened again, or were not wanted, that are kept aside."""


class AutosaveFolder:
    """The state of one window within a folder that windows share.

    path: the file to which the window writes its state, if it could have one: None where the
        folder cannot be written to; `problem` says so.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._claimed = folder / "aside"
        self._lock: BinaryIO | None = None
        self.path: Path | None = None
        self.problem = ""
        name = secrets.token_hex(8)
        try:
            self._hold(folder / f"{name}{_LOCK}")
        except OSError as error:
            self.problem = f"{folder} cannot be written: {error.strerror or error}"
            return
        self._sweep()
        self.path = folder / f"{name}{ENDING}"

    def ensure_lock(self) -> None:
        """Have the folder and the lock there, which somebody may have taken away.

        Raises OSError if that cannot be.
        """
        if self.path is None:
            return
        path = self.path.with_suffix(_LOCK)
        if self._lock is not None:
            with suppress(FileNotFoundError, NotADirectoryError):
                if os.path.samestat(path.stat(), os.fstat(self._lock.fileno())):
                    return
            self._lock.close()
            self._lock = None
        self._hold(path)

    def _hold(self, path: Path) -> None:
        self._claimed.mkdir(parents=True, exist_ok=True)
        self._lock = open(path, "wb")  # noqa: SIM115 - held
        _lock(self._lock)

    def abandoned(self) -> list[Path]:
        """The states of windows that have ended, the newest first."""
        found: list[tuple[float, Path]] = []
        with suppress(OSError):
            for path in self.folder.glob(f"*{ENDING}"):
                if path != self.path and not _is_locked(path.with_suffix(_LOCK)):
                    found.append((path.stat().st_mtime, path))
        return [path for _, path in sorted(found, reverse=True)]

    def claim(self, path: Path) -> Path:
        """Put a state aside, so that no other window opens it; where it is now.

        One that is aside stays there. Raises FileNotFoundError if another has been quicker.
        """
        aside = self._claimed / path.name
        if path == aside:
            _note_use(aside)
            return aside
        os.replace(path, aside)
        _note_use(aside)
        path.with_suffix(_LOCK).unlink(missing_ok=True)
        self._forget_oldest()
        return aside

    def claimed(self) -> list[Path]:
        """The states that are kept aside, the newest first."""
        with suppress(OSError):
            found = [(path.stat().st_mtime, path) for path in self._claimed.glob(f"*{ENDING}")]
            return [path for _, path in sorted(found, reverse=True)]
        return []

    def new_claimed_path(self) -> Path:
        """Where to write a state that is to be kept though nobody works on it any more."""
        self._forget_oldest()
        return self._claimed / f"{secrets.token_hex(8)}{ENDING}"

    def delete(self) -> None:
        """Leave nothing: what was in the state is elsewhere. Raises OSError."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the state; what is in it is offered by the next window."""
        if self._lock is None or self.path is None:
            return
        self._lock.close()
        self._lock = None
        with suppress(OSError):
            self.path.with_suffix(_LOCK).unlink()

    def _sweep(self) -> None:
        """Remove what is left of windows that were killed before their state was complete."""
        yesterday = time.time() - _OLD
        for pattern in (f"*{_LOCK}", ".*.part", "aside/.*.part"):
            for path in self.folder.glob(pattern):
                with suppress(OSError):
                    is_old = path.stat().st_mtime < yesterday
                    if is_old and not path.with_suffix(ENDING).exists() and not _is_locked(path):
                        path.unlink()

    def _forget_oldest(self) -> None:
        """Keep those that were put aside or opened last, however long ago they were written."""
        with suppress(OSError):
            kept = sorted(self._claimed.glob(f"*{ENDING}"), key=_last_use)
            for path in kept[:-_KEPT]:
                path.unlink(missing_ok=True)


def _note_use(path: Path) -> None:
    """Have a state count as used now; when it was written stays known.

    The system notes by itself when anything about a file was changed last, its times too.
    """
    written = path.stat().st_mtime_ns
    os.utime(path, ns=(time.time_ns(), written))


def _last_use(path: Path) -> tuple[int, int]:
    """When a state was put aside or opened last; of some at one moment, when it was written."""
    stat = path.stat()
    return stat.st_ctime_ns, stat.st_mtime_ns


def _lock(file: BinaryIO) -> None:
    """Lock a file until it is closed. Raises BlockingIOError if another process has locked it."""
    if sys.platform == "win32":
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_locked(lock: Path) -> bool:
    """Whether a process holds a lock."""
    try:
        with open(lock, "rb") as file:
            _lock(file)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


# -- What can be kept of a session that is too much to be written whole -------------------------

_HALVINGS = 4
"""How often the merges are halved: each time a session is made that may be large."""


def save_what_fits(path: str | Path, session: Session) -> str:
    """Write a session, or the most of it that can be opened again.

    Returns what is lacking and why, a sentence without its end; empty if all is written. Raises
    OSError; SessionError if nothing can be written, and then what was there before stays there.
    """
    try:
        save_session(path, session)
    except SessionError as error:
        problem = error
    else:
        return ""
    for lesser, lacking in smaller_sessions(session):
        try:
            save_session(path, lesser)
        except SessionError:
            continue
        return f"{lacking} cannot be kept, because {problem}"
    raise problem


def smaller_sessions(session: Session) -> Iterator[tuple[Session, str]]:
    """Sessions with less in them, the largest first, and what each of them lacks, in words.

    At first the run in view stays alone; then ever fewer of its merges stay, from where it can
    be trained on, as it was before.
    """
    shown = session.branches[session.shown]
    alone = replace(session, branches=(shown,), shown=0, lanes=None, lockstep=())
    others = "branches, lanes and runs side by side"
    yield alone, others
    merges = len(shown.history)
    for _ in range(_HALVINGS):
        merges //= 2
        run = replace(shown, history=shown.history.until(merges))
        position = min(session.position, merges)
        yield (
            replace(alone, branches=(run,), position=position),
            f"merges after the first {merges:,}, {others}",
        )
