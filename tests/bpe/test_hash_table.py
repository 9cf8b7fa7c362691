"""The hash table of the kernels numbers keys as a dict does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.kernels.hash_table import Table, find_or_enter

HALVES = st.integers(0, 3) | st.integers(0, 2**31 - 1)
KEYS = st.builds(lambda left, right: left << 32 | right, HALVES, HALVES)


@pytest.mark.parametrize("compiled", [False, True])
@given(keys=st.lists(KEYS, max_size=100))
def test_keys_are_numbered_in_the_order_in_which_they_come(compiled: bool, keys: list[int]) -> None:
    expected: dict[int, int] = {}
    table = Table.of(1)
    for key in keys:
        if len(expected) == len(table.keys):
            table = table.doubled(compiled)
        found = find_or_enter(table, len(expected), key)
        assert found == expected.setdefault(key, len(expected))
    assert table.keys[: len(expected)].tolist() == list(expected)
