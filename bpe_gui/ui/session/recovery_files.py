"""The files of unsaved work: one for every running program, and those that others have left."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile

from bpe_gui.sessions.recognition import ENDING

_LOCK = ".lock"
_MAX_WRITING_TIME = 24 * 60 * 60
"""Seconds after which an incomplete file is certainly no longer being written."""


class RecoveryFiles:
    """Give one program a file for its unsaved work in a folder that all programs share.

    Every running program holds a lock beside its file. A lock that nobody holds any more is
    removed, and the next program may offer the file beside it. Who holds it the system knows: the
    process that is named in it may be another one in each container with the same home.

    path: the program's own file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._aside = folder / "aside"
        self._begin()
        self._remove_leftovers()

    def _begin(self) -> None:
        self.path = self.folder / f"{os.urandom(8).hex()}{ENDING}"
        self._lock = _lock_of(self.path)

    def ensure_lock(self) -> None:
        """Hold the lock, also if somebody has removed it or the folder. Raises OSError."""
        self._aside.mkdir(parents=True, exist_ok=True)
        lock = Path(self._lock.fileName())
        if not lock.exists():
            self._unlock()
        if not self._lock.isLocked() and not self._lock.tryLock(0):
            lock.touch()  # which knows the reason
            raise OSError("it cannot be locked")

    def abandoned(self) -> list[Path]:
        """List the files of programs that have ended, the newest last."""
        found = []
        for path in self.folder.glob(f"*{ENDING}"):
            with suppress(OSError):  # another program has taken it
                if self._is_abandoned(path):
                    found.append((path.stat().st_mtime, path))
        return [path for _, path in sorted(found)]

    def leave(self) -> Path:
        """Begin another file for what comes; returns the one that is left, which stays."""
        left = self.path
        self.close()
        self._begin()
        return left

    def adopt(self, path: Path) -> None:
        """Make an abandoned file the program's own. Raises OSError."""
        if self._is_abandoned(path):
            self.ensure_lock()
            os.replace(path, self.path)

    def put_aside(self, path: Path) -> Path:
        """Move a file to where it is not offered; returns its new path. Raises OSError."""
        aside = self._aside / path.name
        os.replace(path, aside)
        return aside

    def close(self) -> None:
        """Release the lock; the next program offers the file if there is one."""
        with suppress(OSError):
            self._unlock()

    def _unlock(self) -> None:
        if self._lock.isLocked():
            Path(self._lock.fileName()).touch()  # Qt complains of a lock that is gone
            self._lock.unlock()

    def _is_abandoned(self, path: Path) -> bool:
        """Tell whether no running program holds the lock of a file."""
        if path == self.path:
            return False
        lock = _lock_of(path)
        if lock.tryLock(0):
            lock.unlock()
            return True
        # Qt removes no lock that the system says is held.
        return lock.error() is not QLockFile.LockError.LockFailedError or lock.removeStaleLockFile()

    def _remove_leftovers(self) -> None:
        """Remove files of programs that were killed before their work was written."""
        oldest = time.time() - _MAX_WRITING_TIME
        for path in (*self.folder.glob(f"*{_LOCK}"), *self.folder.glob(".*.part")):
            with suppress(OSError):
                if path.stat().st_mtime < oldest and self._is_abandoned(path):
                    path.unlink(missing_ok=True)


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(_LOCK)))
    lock.setStaleLockTime(0)  # age says nothing: a window may be open for weeks
    return lock
