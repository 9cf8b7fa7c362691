"""Arrays of a session that are none, or do not hang together, are refused with a sentence."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions import SavedBranch, Session
from bpe_gui.sessions.file import to_bytes
from tests.sessions.damaged import (
    ENTRIES,
    entries_of,
    npy,
    opened_or_refused,
    packed,
    refused,
    with_array,
    with_entries,
)
from tests.sessions.made import four_words, trained


@pytest.mark.parametrize(
    "changed",
    [
        lambda array: array.astype(np.int64),
        lambda array: array.astype(np.float32),
        lambda array: array[:-1],
        lambda array: np.append(array, array[-1:]),
        lambda array: array.reshape(1, -1),
        lambda array: array.astype(">i4").view(np.int32),
    ],
)
def test_wrong_types_and_shapes_are_refused(changed: Callable[[Any], Any]) -> None:
    refused(with_array("run/0/left.npy", changed))


def header(text: str) -> bytes:
    padded = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '|O', 'fortran_order': False, 'shape': (13,), }",
        "{'descr': '<i4', 'fortran_order': True, 'shape': (13,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999,), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (13,), }",
        "__import__('os').system('true')",
        "((((((((((",
    ],
)
def test_headers_are_never_evaluated(text: str) -> None:
    size = len(np.load(io.BytesIO(ENTRIES["run/0/left.npy"])))
    data = header(text.replace("13", str(size))) + bytes(4 * size)
    assert "run/0/left.npy is " in refused(with_entries(**{"run/0/left.npy": data}))


def test_objects_are_never_loaded() -> None:
    written = io.BytesIO()
    np.save(written, np.array([{}], object), allow_pickle=True)
    refused(with_entries(**{"run/0/left.npy": written.getvalue()}))


def put(value: int, place: int = -1) -> Callable[[Any], None]:
    def change(array: Any) -> None:
        array.reshape(-1)[place] = value

    return change


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("left", put(10**6), "uses tokens that do not exist yet"),
        ("right", put(-1, 0), "uses tokens that do not exist yet"),
        ("left", put(11, 0), "uses tokens that do not exist yet"),
        ("new_id", put(5, 0), "does not make the next token"),
        ("new_id", put(-1), "does not make the next token"),
        ("count", put(-3), "is impossible"),
        ("count", put(2**62, 0), "is impossible"),
        ("count", put(10, 0), "not of the most frequent pair"),
        ("tokens", put(-5), "does not make the corpus shorter"),
        ("tokens", put(10, 1), "does not make the corpus shorter"),
        ("tokens", put(2**62 + 1, 0), "does not make the corpus shorter"),
        ("distinct", put(-1), "is impossible"),
        ("distinct", put(2**40), "is impossible"),
        ("top_left", put(-1, 0), "its candidates have a gap"),
        ("top_left", put(999, 0), "candidates uses tokens that do not exist yet"),
        ("top_right", put(-7, 0), "candidates uses tokens"),
        ("top_right", put(1, 19), "its candidates have a gap"),
        ("top_count", put(0, 0), "not in the order"),
        ("top_count", put(1, 0), "not in the order"),
        ("top_count", put(2**60, 0), "is impossible"),
        ("symbols", put(200), "other words"),
        ("symbols", put(-200), "not symbols of its recipe"),
        ("symbols", put(0xD800), "not symbols of its recipe"),
    ],
)
def test_histories_that_do_not_hang_together_are_refused(
    name: str, change: Callable[[Any], None], problem: str
) -> None:
    assert problem in refused(with_array(f"run/0/{name}.npy", change))


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("starts", put(-1, 1), "has no end"),
        ("starts", put(2**62, 1), "has no end"),
        ("starts", put(1, 0), "do not fill"),
        ("counts", put(0), "does not occur"),
        ("counts", put(-(2**63)), "does not occur"),
        ("counts", put(2**62), "too often"),
        ("counts", put(7), "other words"),
        ("text", put(0xFF), "not UTF-8"),
        ("text", put(0x80, 0), "within a character"),
        ("text", put(ord("z")), "other words"),
    ],
)
def test_words_that_do_not_hang_together_are_refused(
    name: str, change: Callable[[Any], None], problem: str
) -> None:
    assert problem in refused(with_array(f"words/{name}.npy", change))


def test_tokens_that_double_forever_are_refused() -> None:
    """Sixty merges of a token with itself would be a token of more bytes than there are."""
    recipe = preset("raw").with_changes(vocabulary_size=None, merges=60)
    words = WordCounts.from_pairs([("a" * 64, 1 << 40)], recipe)
    run = trained(words, recipe)
    session = four_words(recipe=recipe, words=words, lanes=None, shown=0, position=0)
    parts = {name: getattr(session, name) for name in Session.__struct_fields__}
    short = Session(**{**parts, "branches": (SavedBranch("Original", run),), "lockstep": ()})
    entries = entries_of(to_bytes(short))
    found = json.loads(entries["session.json"])
    found["branches"][0]["merges"] = 60
    found["branches"][0]["stopped"] = None
    steps = np.arange(60)
    columns = {
        "left": steps.astype(np.int32),
        "right": steps.astype(np.int32),
        "new_id": (steps + 1).astype(np.int32),
        "count": np.full(60, 2, np.int64),
        "tokens": (64 << 40) - np.arange(61),
        "distinct": np.ones(61, np.int64),
    }
    for name, kind in (("left", np.int32), ("right", np.int32), ("count", np.int64)):
        top = np.full((61, 20), -1 if name != "count" else 0, kind)
        top[:60, 0] = columns[name]
        top[60, 0] = 60 if name != "count" else 2
        columns[f"top_{name}"] = top
    entries |= {f"run/0/{name}.npy": npy(array) for name, array in columns.items()}
    entries["session.json"] = json.dumps(found).encode()
    assert "longer than all its words" in refused(packed(entries))
    # As the run of a lane, whose words are not in the file.
    of_branches = ("name", "bookmarks", "guesses")
    branch = found["branches"][0]
    found["other_runs"] = [{key: branch[key] for key in branch if key not in of_branches}]
    branch["merges"] = 0
    entries |= {
        f"run/1/{name.split('/')[-1]}": data
        for name, data in entries.items()
        if name.startswith("run/0/")
    }
    for name, array in columns.items():
        none = array[:0] if name in ("left", "right", "new_id", "count") else array[:1]
        entries[f"run/0/{name}.npy"] = npy(none)
    entries["session.json"] = json.dumps(found).encode()
    assert "too long to be shown" in refused(packed(entries))


ARRAYS = [name for name in ENTRIES if name.endswith(".npy")]


@given(st.data())
def test_any_numbers_in_the_columns_give_a_session_or_a_sentence(data: st.DataObject) -> None:
    entries = dict(ENTRIES)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(ARRAYS))
        array = np.load(io.BytesIO(entries[name]))
        if not array.size:
            continue
        bounds = np.iinfo(array.dtype)
        near = st.sampled_from(sorted({0, 1, 5, 255, int(bounds.min), int(bounds.max)}))
        place = data.draw(st.integers(0, array.size - 1))
        other = int(array.reshape(-1)[data.draw(st.integers(0, array.size - 1))])
        value = data.draw(near | st.just(other) | st.integers(-2, 12))
        array.reshape(-1)[place] = min(max(value, bounds.min), bounds.max)
        entries[name] = npy(array)
    opened_or_refused(packed(entries))
