"""Reads and writes the files of sessions in the background."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from bpe_gui.sessions import Session, SessionError, load_session, save_session
from bpe_gui.sessions.file import Summary, equal_sessions, summary_of
from bpe_gui.sessions.partial_save import save_what_fits
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.sentences import as_reason
from bpe_gui.ui.widgets.sentences import cannot_be_written as _cannot_be_written


@dataclass(frozen=True, eq=False)
class Writing:
    """A session to be written.

    is_asked: whether the user has asked for it: then it is written whole, or not at all. What
        the program keeps by itself is written as far as it can be opened again.
    """

    session: Session
    path: Path
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """A state that a window has left, and what it is about.

    moment: when it was written, in seconds of the system's clock. size: bytes of its file.
    is_saved: whether the file that it was saved in holds it all.
    """

    path: Path
    summary: Summary
    moment: float
    size: int
    is_saved: bool


OWN_LAYOUT = ("compared", "draft", "specials_as_text")
"""What of the layout is the user's work, and not only how it looks."""


def _left(path: Path) -> Left:
    """Look at a state. Raises SessionError and OSError."""
    summary = summary_of(path)
    stat = path.stat()
    saved_as = Path(summary.saved_as) if summary.saved_as else None
    is_saved = saved_as is not None and equal_sessions(saved_as, path, OWN_LAYOUT)
    return Left(path, summary, stat.st_mtime, stat.st_size, is_saved)


def cannot_be_written(path: Path, error: OSError) -> str:
    """That a file cannot be written, and what to do: a sentence without its end."""
    room = "make room, or " if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    return _cannot_be_written(path, error, f"{room}save the session elsewhere")


def _write(writing: Writing, job: Job) -> str:
    """Write a session; what is left out of what is kept by itself. Raises SessionError."""
    job.failure = f"{writing.path} is not written"
    try:
        if not writing.is_asked:
            return save_what_fits(writing.path, writing.session)
        save_session(writing.path, writing.session)
    except OSError as error:
        raise TaskError(cannot_be_written(writing.path, error)) from error
    return ""


def _read(path: Path, job: Job) -> Session:
    """Read a session. Raises SessionError and OSError."""
    job.failure = f"{path} cannot be opened"
    try:
        return load_session(path)
    except FileNotFoundError:
        raise TaskError(f"There is no file {path}; check the name") from None


@dataclass(frozen=True, slots=True)
class _Looked:
    """The states that were looked at, and what is wrong with those that are damaged."""

    found: list[Left]
    damaged: list[tuple[Path, str]]


def _look_at(paths: Sequence[Path], job: Job) -> _Looked:
    looked = _Looked([], [])
    for path in paths:
        try:
            looked.found.append(_left(path))
        except SessionError as error:
            looked.damaged.append((path, str(error)))
        except OSError:
            continue  # another window has opened it
    return looked


class SessionFiles(QObject):
    """Does one thing after another."""

    written = Signal(object, str)
    """A Writing is done, and what it lacks: a sentence without its end, empty if nothing."""
    not_written = Signal(object, str)
    """A Writing has come to nothing, and why: a sentence without its end, for more to follow.
    What was in its file before is still there."""
    read = Signal(object, object)
    """A Path, and the Session in it."""
    not_read = Signal(object, str)
    """A Path of which no session can be had, and why: one sentence for the user."""
    found = Signal(list)
    """The states that were looked at, each a Left; what is none is left out."""
    damaged = Signal(object, str)
    """The Path of a state of which not even the summary can be read, and what is wrong with it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._task = BackgroundTask(
            "sessions", self, expected=(SessionError, OSError), gives_way=True
        )

    def write(self, writing: Writing) -> None:
        """Write a session; `written` or `not_written` answers."""
        written = partial(self.written.emit, writing)
        self._task.ask_too(partial(_write, writing), written, partial(self._on_not, writing))

    def open(self, path: Path) -> None:
        """Read a session; `read` or `not_read` answers."""
        read, not_read = partial(self.read.emit, path), partial(self.not_read.emit, path)
        self._task.ask_too(partial(_read, path), read, not_read)

    def look_at(self, paths: Sequence[Path]) -> None:
        """Find out what states are about; `found` answers."""
        self._task.ask_too(partial(_look_at, list(paths)), self._on_looked, self._on_none)

    def close(self) -> None:
        """End the thread; all that is to be written is complete then, and it is told."""
        self._task.finish()

    def _on_not(self, writing: Writing, sentence: str) -> None:
        self.not_written.emit(writing, as_reason(sentence))

    def _on_looked(self, looked: _Looked) -> None:
        for path, problem in looked.damaged:
            self.damaged.emit(path, problem)
        self.found.emit(looked.found)

    def _on_none(self, sentence: str) -> None:
        self.found.emit([])
