"""Save the part of a session that can be opened again, where the whole is too large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from bpe_gui.sessions.file import save_session
from bpe_gui.sessions.recognition import SessionError
from bpe_gui.sessions.session import Session

_HALVINGS = 4
"""How often the merges are halved; every attempt packs a session that may be large."""


def save_what_fits(
    path: str | Path, session: Session, check: Callable[[], object] = lambda: None
) -> str:
    """Write a session, or the largest part of it that can be opened again; `check` as in
    `save_session`.

    Returns what is missing and why, a sentence without its end; empty if nothing is. Raises
    OSError, and SessionError if no part can be written; then the file stays as it was.
    """
    try:
        save_session(path, session, check)
    except SessionError as error:
        problem = error
    else:
        return ""
    for smaller, missing in smaller_sessions(session):
        try:
            save_session(path, smaller, check)
        except SessionError:
            continue
        return f"{missing} cannot be saved, because {problem}"
    raise problem


def smaller_sessions(session: Session) -> Iterator[tuple[Session, str]]:
    """Yield smaller and smaller sessions, each with a description of what it lacks.

    The first lacks the runs that have made way, if there are any. The next has only the run in
    view; the next ones have half of its merges, a quarter, and so on, from which the training can
    be continued.
    """
    if session.past:
        session = replace(session, past=())
        yield session, "runs that have made way"
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
