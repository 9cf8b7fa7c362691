"""The files of sessions and of unsaved work: read, written and described in the background."""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile

from bpe_gui.progress import size_text
from bpe_gui.sessions.recognition import ENDING
from bpe_gui.ui.run.background import Job, TaskError
from bpe_gui.ui.widgets.sentences import cannot_be_written as _cannot_be_written

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
        self.path = folder / f"{os.urandom(8).hex()}{ENDING}"
        self._lock = _lock_of(self.path)
        self._remove_leftovers()

    def ensure_lock(self) -> None:
        """Hold the lock, also if somebody has removed it or the folder. Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
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

    def adopt(self, path: Path) -> None:
        """Make an abandoned file the program's own. Raises OSError."""
        if self._is_abandoned(path):
            self.ensure_lock()
            os.replace(path, self.path)

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


if TYPE_CHECKING:
    # What reads and writes sessions is loaded when that is done, not with the window.
    from bpe_gui.sessions import Session

_OWN_LAYOUT = ("compared", "draft", "specials_as_text")
"""What of the layout is the user's work, and not only how it looks."""


def cannot_be_written(path: Path, error: OSError) -> str:
    """Say that a file cannot be written, and what to do: a sentence without its end."""
    room = "make room, or " if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    return _cannot_be_written(path, error, f"{room}save the session elsewhere")


def write(session: Session, path: Path, job: Job, *, whole: bool = False) -> str:
    """Write a session, `whole` or not at all, or by default as far as it can be opened again.

    Returns what it lacks, if it lacks something, a sentence without its end. Raises SessionError.
    """
    from bpe_gui.sessions.file import save_session
    from bpe_gui.sessions.partial_save import save_what_fits

    job.failure = f"{path} is not written"
    try:
        if not whole:
            return save_what_fits(path, session, job.check)
        save_session(path, session, job.check)
    except OSError as error:
        raise TaskError(cannot_be_written(path, error)) from error
    return ""


def read(path: Path, job: Job) -> Session:
    """Read a session. Raises SessionError and OSError."""
    from bpe_gui.sessions.file import load_session

    job.failure = f"{path} cannot be opened"
    try:
        return load_session(path)
    except FileNotFoundError:
        raise TaskError(f"There is no file {path}; check the name") from None


def describe(path: Path, job: Job) -> str:
    """Describe the work left in a file; empty if the file it was saved in has all of it.

    Raises SessionError and OSError.
    """
    from bpe_gui.sessions.file import summary_of

    job.failure = f"{path} cannot be opened"
    summary, stat = summary_of(path), path.stat()
    saved = "not saved"
    if summary.saved_as is not None:
        if equal(Path(summary.saved_as), path):
            return ""
        saved = f"with changes that are not in {Path(summary.saved_as).name}"
    when, size = datetime.fromtimestamp(stat.st_mtime), size_text(stat.st_size)
    return f"Restore your work of {when.day} {when:%B %Y at %H:%M}? {summary}: {size}, {saved}."


def equal(one: Path, other: Path) -> bool:
    """Tell whether two files hold the same work. Files that cannot be read hold none."""
    from bpe_gui.sessions.file import equal_sessions

    return equal_sessions(one, other, _OWN_LAYOUT)
