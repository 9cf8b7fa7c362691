"""Reads and writes the files of sessions in the background."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from bpe_gui.sessions import Session, SessionError, load_session, save_session
from bpe_gui.sessions.file import Summary, equal_sessions, summary_of
from bpe_gui.sessions.partial_save import save_what_fits
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.sentences import as_reason
from bpe_gui.ui.widgets.sentences import cannot_be_written as _cannot_be_written


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


def _write(session: Session, path: Path, whole: bool, job: Job) -> str:
    """Write a session; what is left out of one that need not be whole. Raises SessionError."""
    job.failure = f"{path} is not written"
    try:
        if not whole:
            return save_what_fits(path, session)
        save_session(path, session)
    except OSError as error:
        raise TaskError(cannot_be_written(path, error)) from error
    return ""


def _read(path: Path, job: Job) -> Session:
    """Read a session. Raises SessionError and OSError."""
    job.failure = f"{path} cannot be opened"
    try:
        return load_session(path)
    except FileNotFoundError:
        raise TaskError(f"There is no file {path}; check the name") from None


@dataclass(frozen=True, slots=True)
class Looked:
    """The states that were looked at, and what is wrong with those that are damaged."""

    found: list[Left]
    damaged: list[tuple[Path, str]]


def _look_at(paths: Sequence[Path], job: Job) -> Looked:
    looked = Looked([], [])
    for path in paths:
        try:
            looked.found.append(_left(path))
        except SessionError as error:
            looked.damaged.append((path, str(error)))
        except OSError:
            continue  # another window has opened it
    return looked


class SessionFiles(BackgroundTask):
    """Does one thing after another."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("sessions", parent, expected=(SessionError, OSError), gives_way=True)

    def write(
        self,
        session: Session,
        path: Path,
        written: Callable[[str], object],
        not_written: Callable[[str], object],
        *,
        whole: bool = False,
    ) -> None:
        """Write a session, `whole` or not at all, or by default as far as it can be opened again.

        `written` gets what it lacks, if it lacks something; `not_written` why there is nothing
        new in the file. Both are sentences without their ends, for more to follow.
        """

        def failed(sentence: str) -> None:
            not_written(as_reason(sentence))

        self.ask_too(partial(_write, session, path, whole), written, failed)

    def open(
        self, path: Path, read: Callable[[Session], object], not_read: Callable[[str], object]
    ) -> None:
        """Read a session; `not_read` gets a sentence for the user."""
        self.ask_too(partial(_read, path), read, not_read)

    def look_at(self, paths: Sequence[Path], looked: Callable[[Looked], object]) -> None:
        """Find out what states are about."""
        work = partial(_look_at, list(paths))
        self.ask_too(work, looked, lambda sentence: looked(Looked([], [])))
