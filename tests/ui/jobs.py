"""Work that is done at once in tests, without a task that asks for it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

WANTED: Any = SimpleNamespace(
    check=lambda: None, is_cancelled=lambda: False, report=lambda progress: None
)
"""A job that is wanted to its end, and whose reports nobody hears."""
