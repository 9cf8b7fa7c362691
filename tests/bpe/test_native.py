"""Compiled kernels are called as their interpreted forms are, whatever they take and return."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.kernels.jit import Kernel


class Pair(NamedTuple):
    counts: Any
    rows: Any


def _everything(
    number: int, share: float, flag: bool, pair: Pair, flags: Any
) -> tuple[int, int, int]:
    total = np.int64(number)
    for i in range(len(pair.counts)):
        total += np.int64(pair.counts[i]) * (2 if flag else 1)
    for i in range(pair.rows.shape[0]):
        for j in range(pair.rows.shape[1]):
            pair.rows[i, j] += np.int64(share * 4)
    seen = np.int64(0)
    for i in range(len(flags)):
        seen += np.int64(flags[i])
    return total, seen, np.int64(len(flags))


def _nothing(values: Any) -> None:
    for i in range(len(values)):
        values[i] += 1


def _quotient(a: int, b: int) -> int:
    return np.int64(a // b)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))


def test_arguments_of_all_kinds_and_a_tuple_of_results() -> None:
    kernel = Kernel(_everything)
    counts = np.arange(10, dtype=np.int32)
    flags = np.array([True, False, True])
    for chosen, number in [
        (counts, 7), (counts[::3], -1), (counts.astype(np.uint8), np.int32(5)), (counts[:0], 2**40),
    ]:  # fmt: skip
        results = []
        for form in (kernel.interpreted, kernel.compiled):
            rows = np.zeros((3, 2), np.int64)
            pair = Pair(chosen, rows.T if len(chosen) == 4 else rows)
            results.append((form(number, 1.5, flags[1], pair, flags), rows.tolist()))
        assert results[0] == results[1]


def test_nothing_is_returned_and_arrays_for_reading_are_taken() -> None:
    kernel, quotient = Kernel(_nothing), Kernel(_quotient)
    values = np.arange(5)
    assert kernel.compiled(values) is None
    assert values.tolist() == [1, 2, 3, 4, 5]
    assert quotient.compiled(17, 5) == 3


@given(a=st.integers(-(2**62), 2**62), b=st.integers(1, 2**62))
def test_64_bits_go_in_and_out(a: int, b: int) -> None:
    assert _QUOTIENT.compiled(a, b) == a // b


def test_an_error_within_a_kernel_is_no_result() -> None:
    with pytest.raises(RuntimeError, match="has ended with the status"):
        _QUOTIENT.compiled(1, 0)


def test_what_no_kernel_can_take_is_refused() -> None:
    with pytest.raises(TypeError, match="takes no str"):
        _QUOTIENT.compiled("1", 2)


_QUOTIENT = Kernel(_quotient)


def test_numba_compiles_other_functions_as_before(tmp_path: Path) -> None:
    values = np.arange(3)
    Kernel(_nothing).compiled(values)
    assert any(tmp_path.rglob("*.kernel"))

    def last(values: Any) -> Any:
        return values[-1]

    assert numba.njit(last)(values) == 3
