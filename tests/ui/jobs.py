"""Work that is done at once in tests, without a task that asks for it."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from bpe_gui.bpe.kernels.jit import wait_until_loaded

WANTED: Any = SimpleNamespace(
    check=lambda: None, is_cancelled=lambda: False, report=lambda progress: None,
    is_due=lambda seconds: True, wait_for_kernels=partial(wait_until_loaded, 60),
)
"""A job that is wanted to its end, and whose reports nobody hears."""
