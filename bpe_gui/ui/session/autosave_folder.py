"""The folder of autosaves: states of running windows, which the next one offers after a crash."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile

from bpe_gui.sessions.session import ENDING

_LOCK = ".lock"
_MAX_WRITING_TIME = 24 * 60 * 60
"""Seconds after which an incomplete file is certainly no longer being written."""
_MAX_CLAIMED = 10
"""States that remain after they were opened again or declined."""


class AutosaveFolder:
    """Give one window a file for its state in a folder that all windows share.

    Every running window holds a lock beside its file. Qt takes the lock of a process that has
    ended for none, so the state beside it is abandoned, and the next window may offer it.

    path: the file for the window's state; None if the folder cannot be written.
    problem: why it cannot be written; empty if it can.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._claimed_folder = folder / "aside"
        self.path: Path | None = None
        self.problem = ""
        path = folder / f"{secrets.token_hex(8)}{ENDING}"
        self._lock = _lock_of(path)
        try:
            self.ensure_lock()
        except OSError as error:
            self.problem = f"{folder} cannot be written: {error.strerror or error}"
            return
        self._remove_leftovers()
        self.path = path

    def ensure_lock(self) -> None:
        """Create the folder and the lock again if somebody has removed them. Raises OSError."""
        self._claimed_folder.mkdir(parents=True, exist_ok=True)
        lock = Path(self._lock.fileName())
        if not lock.exists():
            self._unlock()
        if not self._lock.isLocked() and not self._lock.tryLock(0):
            lock.touch()  # which knows the reason
            raise OSError("it cannot be locked")

    def abandoned(self) -> list[Path]:
        """List the states of windows that have ended, the newest first."""
        paths = _newest_first(self.folder)
        return [path for path in paths if path != self.path and not _is_locked(path)]

    def claim(self, path: Path) -> Path:
        """Move a state so that no other window opens it; returns its new path.

        A state that is already claimed stays where it is. Raises FileNotFoundError if another
        window has claimed it first.
        """
        claimed = self._claimed_folder / path.name
        if path != claimed:
            os.replace(path, claimed)
            self._remove_oldest(but=claimed)
        return claimed

    def claimed(self) -> list[Path]:
        """List the claimed states that remain, the newest first."""
        return _newest_first(self._claimed_folder)

    def new_claimed_path(self) -> Path:
        """Choose a path for a state that no window works on but that can be opened again."""
        path = self._claimed_folder / f"{secrets.token_hex(8)}{ENDING}"
        self._remove_oldest(but=path)
        return path

    def delete(self) -> None:
        """Delete the window's state, which has been saved elsewhere. Raises OSError."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Release the lock; the next window offers the state if there is one."""
        with suppress(OSError):
            self._unlock()

    def _unlock(self) -> None:
        if self._lock.isLocked():
            Path(self._lock.fileName()).touch()  # Qt complains of a lock that is gone
            self._lock.unlock()

    def _remove_leftovers(self) -> None:
        """Remove files of windows that were killed before their state was complete."""
        oldest = time.time() - _MAX_WRITING_TIME
        for pattern in (f"*{_LOCK}", ".*.part", "aside/.*.part"):
            for path in self.folder.glob(pattern):
                with suppress(OSError):
                    if path.stat().st_mtime < oldest and not _is_locked(path):
                        path.unlink(missing_ok=True)

    def _remove_oldest(self, but: Path) -> None:
        """Remove the oldest claimed states, except one."""
        others = [path for path in self.claimed() if path != but]
        for path in others[_MAX_CLAIMED - 1 :]:
            with suppress(OSError):
                path.unlink()


def _newest_first(folder: Path) -> list[Path]:
    found = []
    for path in folder.glob(f"*{ENDING}"):
        with suppress(OSError):
            found.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(_LOCK)))
    lock.setStaleLockTime(0)  # age says nothing: a window may be open for weeks
    return lock


def _is_locked(path: Path) -> bool:
    """Tell whether a running window holds the lock of a state."""
    file = path.with_suffix(_LOCK)
    # Earlier versions locked an empty file, in a way that Qt does not see.
    if not file.exists() or not file.stat().st_size:
        return False
    lock = _lock_of(path)
    if lock.tryLock(0):
        lock.unlock()
        return False
    return lock.error() is QLockFile.LockError.LockFailedError
