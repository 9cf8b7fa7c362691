"""Autosaves: the states of running windows, which the next window offers after a crash."""

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

# -- The folder of autosaves --------------------------------------------------------------------
#
# Every running window has a file in the folder, and a lock on a second file. The system releases
# the lock when the process ends, even by a crash, `kill -9` or a power cut. So a state without a
# lock is abandoned, and the next window may offer it.

_LOCK = ".lock"

_MAX_WRITING_TIME = 24 * 60 * 60
"""Seconds after which an incomplete file is certainly no longer being written."""

_MAX_CLAIMED = 5
"""States that remain after they were opened again or declined."""


class AutosaveFolder:
    """Give one window a file for its state in a folder that all windows share.

    path: the file for the window's state; None if the folder cannot be written.
    problem: why it cannot be written; empty if it can.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._claimed_folder = folder / "aside"
        self._lock: BinaryIO | None = None
        self.path: Path | None = None
        self.problem = ""
        name = secrets.token_hex(8)
        try:
            self._create_lock(folder / f"{name}{_LOCK}")
        except OSError as error:
            self.problem = f"{folder} cannot be written: {error.strerror or error}"
            return
        self._remove_leftovers()
        self.path = folder / f"{name}{ENDING}"

    def ensure_lock(self) -> None:
        """Create the folder and the lock again if somebody has removed them. Raises OSError."""
        if self.path is None:
            return
        path = self.path.with_suffix(_LOCK)
        if self._lock is not None:
            with suppress(FileNotFoundError, NotADirectoryError):
                if os.path.samestat(path.stat(), os.fstat(self._lock.fileno())):
                    return
            self._lock.close()
            self._lock = None
        self._create_lock(path)

    def _create_lock(self, path: Path) -> None:
        self._claimed_folder.mkdir(parents=True, exist_ok=True)
        self._lock = open(path, "wb")  # noqa: SIM115 - closed by `close`
        _lock(self._lock)

    def abandoned(self) -> list[Path]:
        """List the states of windows that have ended, the newest first."""
        found: list[tuple[float, Path]] = []
        with suppress(OSError):
            for path in self.folder.glob(f"*{ENDING}"):
                if path != self.path and not _is_locked(path.with_suffix(_LOCK)):
                    found.append((path.stat().st_mtime, path))
        return [path for _, path in sorted(found, reverse=True)]

    def claim(self, path: Path) -> Path:
        """Move a state so that no other window opens it; returns its new path.

        A state that is already claimed stays where it is. Raises FileNotFoundError if another
        window has claimed it first.
        """
        claimed = self._claimed_folder / path.name
        if path == claimed:
            _mark_used(claimed)
            return claimed
        os.replace(path, claimed)
        _mark_used(claimed)
        path.with_suffix(_LOCK).unlink(missing_ok=True)
        self._remove_oldest()
        return claimed

    def claimed(self) -> list[Path]:
        """List the claimed states that remain, the newest first."""
        with suppress(OSError):
            paths = self._claimed_folder.glob(f"*{ENDING}")
            found = [(path.stat().st_mtime, path) for path in paths]
            return [path for _, path in sorted(found, reverse=True)]
        return []

    def new_claimed_path(self) -> Path:
        """Choose a path for a state that no window works on but that can be opened again."""
        self._remove_oldest()
        return self._claimed_folder / f"{secrets.token_hex(8)}{ENDING}"

    def delete(self) -> None:
        """Delete the window's state, which has been saved elsewhere. Raises OSError."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Release the lock; the next window offers the state if there is one."""
        if self._lock is None or self.path is None:
            return
        self._lock.close()
        self._lock = None
        with suppress(OSError):
            self.path.with_suffix(_LOCK).unlink()

    def _remove_leftovers(self) -> None:
        """Remove files of windows that were killed before their state was complete."""
        oldest = time.time() - _MAX_WRITING_TIME
        for pattern in (f"*{_LOCK}", ".*.part", "aside/.*.part"):
            for path in self.folder.glob(pattern):
                with suppress(OSError):
                    is_old = path.stat().st_mtime < oldest
                    if is_old and not path.with_suffix(ENDING).exists() and not _is_locked(path):
                        path.unlink()

    def _remove_oldest(self) -> None:
        """Remove all claimed states except those that were claimed or opened last."""
        with suppress(OSError):
            claimed = sorted(self._claimed_folder.glob(f"*{ENDING}"), key=_last_use)
            for path in claimed[:-_MAX_CLAIMED]:
                path.unlink(missing_ok=True)


def _mark_used(path: Path) -> None:
    """Mark a state as used now, without changing the time at which it was written.

    Setting any time of a file makes the system set its time of change (ctime).
    """
    written = path.stat().st_mtime_ns
    os.utime(path, ns=(time.time_ns(), written))


def _last_use(path: Path) -> tuple[int, int]:
    """Return when a state was claimed or opened last, and for ties when it was written."""
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
    """Tell whether a process holds a lock."""
    try:
        with open(lock, "rb") as file:
            _lock(file)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


# -- Saving a part of a session that is too large -----------------------------------------------

_HALVINGS = 4
"""How often the merges are halved; every attempt packs a session that may be large."""


def save_what_fits(path: str | Path, session: Session) -> str:
    """Write a session, or the largest part of it that can be opened again.

    Returns what is missing and why, a sentence without its end; empty if nothing is. Raises
    OSError, and SessionError if no part can be written; then the file stays as it was.
    """
    try:
        save_session(path, session)
    except SessionError as error:
        problem = error
    else:
        return ""
    for smaller, missing in smaller_sessions(session):
        try:
            save_session(path, smaller)
        except SessionError:
            continue
        return f"{missing} cannot be saved, because {problem}"
    raise problem


def smaller_sessions(session: Session) -> Iterator[tuple[Session, str]]:
    """Yield smaller and smaller sessions, each with a description of what it lacks.

    The first has only the run in view; the next ones have half of its merges, a quarter, and so
    on, from which the training can be continued.
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
