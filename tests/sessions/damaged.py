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
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.sessions.made import of_files

WHOLE = to_bytes(of_files())

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
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return written.getvalue()


def with_json(change: Callable[[Any], None]) -> bytes:
    """The session with its JSON changed in place."""
    found = json.loads(ENTRIES["session.json"])
    change(found)
    return with_entries(**{"session.json": json.dumps(found).encode()})


def tiny_of_version(version: int) -> bytes:
    """A tiny file as each version of the program wrote it: nothing in it is made by this one."""
    recipe = {
        "recipe": 1, "name": "tiny", "normalizers": [], "split": "whitespace",
        "symbols": "characters", "merges": 1,
    }  # fmt: skip
    run = {
        "recipe": recipe, "merges": 1, "symbols": 2, "corpus_bytes": 7, "stopped": "merges",
        "interventions": [],
    }  # fmt: skip
    branch: dict[str, object] = {
        "name": "Original", "bookmarks": [{"position": 1, "name": "ab"}], **run
    }  # fmt: skip
    options = {"documents": "file", "encoding": None, "replace_errors": False, "json_field": "text"}
    found: dict[str, object] = {
        "session": version,
        "corpus": {"name": "ab", "sources": ["/ab.txt"], "sample": None, "options": options},
        "words": 2, "bytes_of_words": 3, "recipe": recipe, "branches": [branch],
        "other_runs": [run], "shown": 0, "position": 1,
        "lanes": [
            {"follows": 10}, {"name": "a", "encoding": "gpt2", "special_tokens": None}
        ],
        "layout": {},
    }  # fmt: skip
    top = np.full((2, 20), -1, np.int32)
    top[0, 0] = 0
    top_right, top_count = top.copy(), np.zeros((2, 20), np.int64)
    top_right[0, 0], top_count[0, 0] = 1, 3
    columns = {
        "symbols": np.array([97, 98], np.int32),
        "left": np.array([0], np.int32),
        "right": np.array([1], np.int32),
        "new_id": np.array([2], np.int32),
        "count": np.array([3], np.int64),
        "tokens": np.array([7, 4], np.int64),
        "distinct": np.array([1, 0], np.int64),
        "top_left": top,
        "top_right": top_right,
        "top_count": top_count,
    }
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "words/text": np.frombuffer(b"abb", np.uint8),
        "words/starts": np.array([0, 2, 3], np.int64),
        "words/counts": np.array([3, 1], np.int64),
        **{f"run/{number}/{name}": column for name, column in columns.items() for number in (0, 1)},
    }
    if version > 1:
        found |= {"lockstep": [0, 1], "saved_as": "/texts/ab.bpesession"}
        branch["guesses"] = [[0, 0, 1]]
    if version > 2:
        found["files"] = {"number": 1, "bytes_of_names": 8}
        arrays |= {
            "files/names": np.frombuffer(b"/ab.txt\0", np.uint8),
            "files/sizes": np.array([13], np.int64),
            "files/modified": np.array([0], np.int64),
        }
    if version == 3:
        arrays["files/checksums"] = np.array([9], np.uint32)
    texts = {"session.json": json.dumps(found).encode(), "text.txt": b"abba"}
    return packed({**texts, **{f"{name}.npy": npy(array) for name, array in arrays.items()}})


def npy(array: np.ndarray[Any, Any]) -> bytes:
    """An array as it stands in the file of a session."""
    written = io.BytesIO()
    np.save(written, array)
    return written.getvalue()


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
        history.token_bytes(token)
        history.ends_word(token)
        history.parents(token)
    for position in range(len(history) + 1):
        top = history.top(position)
        assert all(
            history.id_to_token(token) for token in (*top.left.tolist(), *top.right.tolist())
        )


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
