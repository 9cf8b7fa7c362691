"""Sessions of runs that go on from an encoding."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions import CorpusReference, SavedBranch, Session
from bpe_gui.sessions.file import from_bytes, to_bytes
from tests.bpe.test_inherited import any_order
from tests.sessions.damaged import entries_of, npy, packed, refused
from tests.sessions.made import FOUR_WORDS, trained
from tests.sessions.test_round_trip import assert_same

NOTATION = '{"model": {"vocab": {}, "merges": []}}'


def going_on(pairs: list[tuple[int, int]], merges: int) -> Session:
    inherited = any_order("abelstw", pairs, 1)
    inherited = replace(
        inherited, name="other.json", ids=inherited.ids + 3,
        first_new_id=inherited.first_new_id + 3, notation=NOTATION,
    )  # fmt: skip
    recipe = preset("raw").with_changes(special_tokens=("0",), inherited=inherited)
    words = WordCounts.from_pairs(FOUR_WORDS, recipe)
    history = trained(words, recipe, merges)
    return Session(
        corpus=CorpusReference("Four words", sample="four-words"),
        words=words,
        recipe=recipe,
        branches=(SavedBranch("Original", history),),
    )


SESSION = going_on([(2, 4), (7, 3), (4, 5), (0, 1)], 8)
ENTRIES = entries_of(to_bytes(SESSION))


@settings(max_examples=settings.default.max_examples // 2)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=12), st.integers(0, 30)
)
def test_they_come_back(pairs: list[tuple[int, int]], merges: int) -> None:
    session = going_on(pairs, merges)
    found = from_bytes(to_bytes(session))
    assert_same(found, session)
    inherited, own = found.recipe.inherited, session.recipe.inherited
    assert inherited is not None
    assert own is not None
    assert (inherited.name, inherited.first_new_id) == (own.name, own.first_new_id)
    history = found.branches[0].history
    ids = np.arange(history.vocabulary_size(len(history)), dtype=np.int32)
    assert np.array_equal(history.own_ids(ids), session.branches[0].history.own_ids(ids))


def with_array(name: str, change: Callable[[Any], Any]) -> bytes:
    array = np.load(io.BytesIO(ENTRIES[f"{name}.npy"]))
    return packed({**ENTRIES, f"{name}.npy": npy(change(array.copy()))})


def swapped(array: Any) -> Any:
    array[[0, -1]] = array[[-1, 0]]
    return array


def same(array: Any) -> Any:
    array[:] = 4
    return array


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("inherited/0/merges", lambda array: array + 90, "tokens that it does not have"),
        ("inherited/0/merges", lambda array: -array, "tokens that it does not have"),
        ("inherited/0/merges", swapped, "encoding use tokens before they are made"),
        ("inherited/0/ids", same, "two tokens of an encoding have the same id"),
        ("inherited/0/ids", lambda array: array + 90, "two tokens of an encoding have the same id"),
        ("inherited/0/text", lambda array: array // 2, "is damaged"),
        ("run/0/left", swapped, "does not begin with the merges of its encoding"),
    ],
)
def test_what_does_not_hang_together_is_refused(
    name: str, change: Callable[[Any], Any], why: str
) -> None:
    assert why in refused(with_array(name, change))


def test_a_recipe_names_an_encoding_of_the_session() -> None:
    header = json.loads(ENTRIES["session.json"])
    assert header["session"] == 5
    header["recipe"]["inherited"] = 1
    damaged = packed({**ENTRIES, "session.json": json.dumps(header).encode()})
    assert "goes on from an encoding that is missing" in refused(damaged)
