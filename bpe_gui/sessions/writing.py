"""Writing a session, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sized
from dataclasses import asdict
from pathlib import Path

from bpe_gui.bpe.history import History
from bpe_gui.files import write_atomically
from bpe_gui.sessions import limits
from bpe_gui.sessions.archive import Archive, pack
from bpe_gui.sessions.arrays import to_npy
from bpe_gui.sessions.history_arrays import arrays_of
from bpe_gui.sessions.lanes_in_json import lane_to_json
from bpe_gui.sessions.layout_of_file import (
    FILE_ARRAYS,
    JSON_ENTRY,
    TEXT_ENTRY,
    VERSION,
    VERSION_KEY,
    WORD_ARRAYS,
    files_entry,
    run_entry,
    words_entry,
)
from bpe_gui.sessions.reading import whole
from bpe_gui.sessions.runs_in_json import recipe_to_json, run_to_json
from bpe_gui.sessions.session import RunLane, Session, SessionError


def write_session(path: str | Path, session: Session) -> None:
    """Write a session beside the file, and put it in its place when it is complete.

    The runs may grow meanwhile: what they have now is written. May be called on any thread; it
    lets go of the interpreter while it packs. What is to be written is read first, as it will be
    read when it is opened. Raises OSError; SessionError for a session that could not be opened.
    Whatever is raised, what was there before stays there.
    """
    data = to_bytes(session)
    try:
        whole(data)
    except SessionError as error:
        raise SessionError(
            f"the session would not open again: {error}; save the tokenizer instead"
        ) from None
    write_atomically(path, data)


def to_bytes(session: Session) -> bytes:
    """The file of a session. Raises SessionError if it would be too large to be read."""
    data = pack(_entries(session))
    _check_size(data, limits.MAX_FILE)
    try:
        Archive(data)
    except SessionError:
        raise _too_large() from None
    return data


def _check_size(data: Sized, most: int) -> None:
    if len(data) > most:
        raise _too_large()


def _too_large() -> SessionError:
    return SessionError(
        "the session is larger than those that can be opened; save the tokenizer instead, or "
        "remove branches and lanes"
    )


def _entries(session: Session) -> Iterator[tuple[str, Iterable[bytes | memoryview]]]:
    runs = _Runs(session)
    _check_size(session.branches, limits.MAX_RUNS)
    _check_size(session.lanes or (), limits.MAX_LANES)
    for branch in session.branches:
        _check_size(branch.bookmarks, limits.MAX_BOOKMARKS)
        _check_size(branch.guesses, limits.MAX_GUESSES)
    _check_size(runs.frozen, limits.MAX_RUNS)
    for name, data, most in (
        (JSON_ENTRY, _json(session, runs), limits.MAX_JSON),
        (TEXT_ENTRY, session.text.encode("utf-8", "replace"), limits.MAX_TEXT),
    ):
        _check_size(data, most)
        yield name, [data]
    for name in WORD_ARRAYS:
        yield words_entry(name), to_npy(getattr(session.words, name))
    for name in FILE_ARRAYS if session.words.files is not None else ():
        yield files_entry(name), to_npy(getattr(session.words.files, name))
    for number, history in enumerate(runs.frozen):
        for name, array in arrays_of(history).items():
            yield run_entry(number, name), to_npy(array)


class _Runs:
    """The runs of a session as they are now, each once: the branches, then the others."""

    def __init__(self, session: Session) -> None:
        of_lanes = [lane.history for lane in session.lanes or () if isinstance(lane, RunLane)]
        branches = [branch.history for branch in session.branches]
        others = (*of_lanes, *session.lockstep)
        found = {id(history): history for history in (*branches, *others)}
        self._numbers = {key: number for number, key in enumerate(found)}
        self.frozen = [history.until(len(history)) for history in found.values()]

    def number(self, history: History) -> int:
        return self._numbers[id(history)]

    def now(self, history: History) -> History:
        return self.frozen[self.number(history)]


def _position(session: Session, runs: _Runs) -> int:
    end = len(runs.now(session.branches[session.shown].history))
    return end if session.live else session.position


def _json(session: Session, runs: _Runs) -> bytes:
    corpus, files = session.corpus, session.words.files
    branches = [
        {
            "name": branch.name,
            "bookmarks": [{"position": at, "name": name} for at, name in branch.bookmarks],
            "guesses": [[at, *(pair or ())] for at, pair in branch.guesses],
            **run_to_json(runs.now(branch.history)),
        }
        for branch in session.branches
    ]
    others = runs.frozen[len(branches) :]
    lanes = session.lanes
    found = {
        VERSION_KEY: VERSION,
        "corpus": {
            "name": corpus.name,
            "sources": list(corpus.sources),
            "sample": corpus.sample,
            "options": asdict(corpus.options),
        },
        "files": None
        if files is None
        else {"number": len(files), "bytes_of_names": len(files.names)},
        "words": len(session.words),
        "bytes_of_words": len(session.words.text),
        "recipe": recipe_to_json(session.recipe),
        "branches": branches,
        "other_runs": [run_to_json(history) for history in others],
        "shown": session.shown,
        "position": _position(session, runs),
        "lanes": None if lanes is None else [lane_to_json(lane, runs.number) for lane in lanes],
        "lockstep": [runs.number(history) for history in session.lockstep],
        "saved_as": session.saved_as,
        "layout": dict(session.layout),
    }
    text = json.dumps(found, ensure_ascii=True, indent=1, allow_nan=False)
    return text.encode("ascii")
