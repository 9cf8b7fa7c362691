"""Read, write and describe the files of sessions in the background."""

from __future__ import annotations

import errno
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_gui.progress import size_text
from bpe_gui.ui.run.background import Job, TaskError
from bpe_gui.ui.widgets.sentences import cannot_be_written as _cannot_be_written

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
            return save_what_fits(path, session)
        save_session(path, session)
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
