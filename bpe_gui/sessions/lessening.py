"""What can be kept of a session that is too much to be written whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bpe_gui.sessions.session import Session, SessionError
from bpe_gui.sessions.writing import write_session

_HALVINGS = 4
"""How often the merges are halved: each time a session is made that may be large."""


def write_what_can_be(path: str | Path, session: Session) -> str:
    """Write a session, or the most of it that can be opened again.

    Returns what is lacking and why, a sentence without its end; empty if all is written. Raises
    OSError; SessionError if nothing can be written, and then what was there before stays there.
    """
    try:
        write_session(path, session)
    except SessionError as error:
        problem = error
    else:
        return ""
    for lesser, lacking in lesser_sessions(session):
        try:
            write_session(path, lesser)
        except SessionError:
            continue
        return f"{lacking} cannot be kept, because {problem}"
    raise problem


def lesser_sessions(session: Session) -> Iterator[tuple[Session, str]]:
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
