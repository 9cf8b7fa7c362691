"""Settings of the C library of GNU are made where it is that."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import pytest

from bpe_gui.bpe.memory import take_in_large_steps


def test_another_c_library_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    take_in_large_steps.cache_clear()
    take_in_large_steps()
    take_in_large_steps.cache_clear()
