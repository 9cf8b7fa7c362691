"""Sessions in tests with something wrong in them, and what becomes of those."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bpe_gui.bpe.history import History
from bpe_gui.sessions import Session, SessionError
from bpe_gui.sessions.archive import pack
from bpe_gui.sessions.arrays import to_npy
from bpe_gui.sessions.reading import from_bytes
from bpe_gui.sessions.writing import to_bytes
from tests.sessions.made import of_files

WHOLE = to_bytes(of_files())

FILES = ("names", "sizes", "modified", "checksums")
Entries = dict[str, bytes]


def entries_of(data: bytes) -> Entries:
    """What is in the file of a session, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


ENTRIES = entries_of(WHOLE)


def refused(data: bytes) -> str:
    """The sentence with which a file is refused, which it must be."""
    with pytest.raises(SessionError) as caught:
        from_bytes(data)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def with_entries(**changes: bytes | None) -> bytes:
    """The session with other entries; dots and slashes in names are written as two lines."""
    entries: dict[str, bytes | None] = {**ENTRIES, **changes}
    return packed({name: data for name, data in entries.items() if data is not None})


def packed(entries: Entries) -> bytes:
    """The file of these entries."""
    return pack((name, [data]) for name, data in entries.items())


def with_json(change: Callable[[Any], None]) -> bytes:
    """The session with its JSON changed in place."""
    found = json.loads(ENTRIES["session.json"])
    change(found)
    return with_entries(**{"session.json": json.dumps(found).encode()})


def of_version(version: int, **more: object) -> bytes:
    """The session as an older version of the program wrote it, with more in its JSON."""
    found = json.loads(ENTRIES["session.json"])
    del found["files"]
    if version < 2:
        del found["lockstep"], found["saved_as"]
        for branch in found["branches"]:
            del branch["guesses"]
    said = json.dumps({**found, "session": version, **more}).encode()
    without = dict.fromkeys(f"files/{name}.npy" for name in FILES)
    return with_entries(**{"session.json": said, **without})


def npy(array: np.ndarray[Any, Any]) -> bytes:
    """An array as it stands in the file of a session."""
    return b"".join(to_npy(array))


def with_array(name: str, change: Callable[[np.ndarray[Any, Any]], Any]) -> bytes:
    """The session with an array changed in place, or put in the place of another."""
    array = np.load(io.BytesIO(ENTRIES[name]))
    changed = change(array)
    return with_entries(**{name: npy(array if changed is None else changed)})


# -- the file ----------------------------------------------------------------------------------


def opened_or_refused(data: bytes) -> None:
    """Nothing else may come of it; and a session that is opened answers every question."""
    try:
        session = from_bytes(data)
    except SessionError:
        return
    assert isinstance(session, Session)
    for branch in session.branches:
        answer_all(branch.history)
    assert from_bytes(to_bytes(session)).position == session.position


def answer_all(history: History) -> None:
    """Ask a history for all that it knows."""
    for token in range(history.vocabulary_size(len(history))):
        history.content(token)
        history.ends_word(token)
        history.parents(token)
    for position in range(len(history) + 1):
        top = history.top(position)
        assert all(history.text(token) for token in (*top.left.tolist(), *top.right.tolist()))


# -- the zip -----------------------------------------------------------------------------------


def zipped(
    change: Callable[[zipfile.ZipFile], None], *, compression: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """The session's entries with something more in the zip."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as file:
        for name, data in ENTRIES.items():
            file.writestr(name, data)
        change(file)
    return written.getvalue()
