"""The thread that reads and writes the files of sessions."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, Signal, Slot

from bpe_gui.sessions import Session, SessionError, load_session, save_session
from bpe_gui.sessions.file import Summary, equal_sessions, summary_of
from bpe_gui.sessions.partial_save import save_what_fits
from bpe_gui.ui.run.thread_ending import end_when_done
from bpe_gui.ui.run.thread_priority import give_way
from bpe_gui.ui.widgets.sentences import as_sentence


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
    reason = error.strerror or str(error)
    room = "make room, or " if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
    return f"{path} cannot be written: {reason}; {room}save the session elsewhere"


def _unexpected(what: str, error: Exception) -> str:
    return f"{what} ({type(error).__name__}: {error}); report it if it comes back"


class _Worker(QObject):
    """Does one thing after another, on the thread that it lives in."""

    written = Signal(object, str)
    not_written = Signal(object, str)
    read = Signal(object, object)
    not_read = Signal(object, str)
    found = Signal(list)
    damaged = Signal(object, str)

    @Slot()
    def begin(self) -> None:
        give_way()

    @Slot(object)
    def write(self, writing: Writing) -> None:
        lacking = ""
        try:
            if writing.is_asked:
                save_session(writing.path, writing.session)
            else:
                lacking = save_what_fits(writing.path, writing.session)
        except OSError as error:
            self.not_written.emit(writing, cannot_be_written(writing.path, error))
        except SessionError as error:
            self.not_written.emit(writing, str(error))
        except MemoryError:
            problem = "there is not enough memory to save it; close other programs"
            self.not_written.emit(writing, problem)
        except Exception as error:  # the window lives on whatever it dies of
            self.not_written.emit(writing, _unexpected(f"{writing.path} is not written", error))
            raise
        else:
            self.written.emit(writing, lacking)

    @Slot(object)
    def open(self, path: Path) -> None:
        try:
            session = load_session(path)
        except FileNotFoundError:
            self.not_read.emit(path, f"There is no file {path}; check the name.")
        except (SessionError, OSError) as error:
            self.not_read.emit(path, as_sentence(error))
        except MemoryError:
            self.not_read.emit(path, f"There is not enough memory to open {path}.")
        except Exception as error:  # the window lives on whatever it dies of
            self.not_read.emit(path, _unexpected(f"{path} cannot be opened", error))
            raise
        else:
            self.read.emit(path, session)

    @Slot(list)
    def look_at(self, paths: Sequence[Path]) -> None:
        found = []
        for path in paths:
            try:
                found.append(_left(path))
            except SessionError as error:
                self.damaged.emit(path, str(error))
            except OSError:
                continue  # another window has opened it
        self.found.emit(found)


class SessionFiles(QObject):
    """Owns that thread. All of it is for the window's thread."""

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

    _write = Signal(object)
    _open = Signal(object)
    _look_at = Signal(list)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread()
        self._thread.setObjectName("sessions")
        self._worker = worker = _Worker()
        worker.moveToThread(self._thread)
        self._thread.started.connect(worker.begin)
        self._write.connect(worker.write)
        self._open.connect(worker.open)
        self._look_at.connect(worker.look_at)
        worker.written.connect(self.written)
        worker.not_written.connect(self.not_written)
        worker.read.connect(self.read)
        worker.not_read.connect(self.not_read)
        worker.found.connect(self.found)
        worker.damaged.connect(self.damaged)
        self._thread.start()

    def write(self, writing: Writing) -> None:
        """Write a session; `written` or `not_written` answers."""
        self._write.emit(writing)

    def open(self, path: Path) -> None:
        """Read a session; `read` or `not_read` answers."""
        self._open.emit(path)

    def look_at(self, paths: Sequence[Path]) -> None:
        """Find out what states are about; `found` answers."""
        self._look_at.emit(list(paths))

    def close(self) -> None:
        """End the thread; all that is to be written is complete then, and it is told."""
        end_when_done(self._thread)
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)
