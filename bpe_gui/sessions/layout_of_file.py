"""What is where in the file of a session."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

VERSION = 3
"""The version of the format that is written; those from 1 on are read."""

VERSION_KEY = "session"

JSON_ENTRY, TEXT_ENTRY = "session.json", "text.txt"

WORD_ARRAYS: Mapping[str, type[np.generic]] = MappingProxyType(
    {"text": np.uint8, "starts": np.int64, "counts": np.int64}
)
"""The arrays of the words, called as those of `WordCounts`, and what their numbers are."""


FILE_ARRAYS: Mapping[str, type[np.generic]] = MappingProxyType(
    {"names": np.uint8, "sizes": np.int64, "modified": np.int64, "checksums": np.uint32}
)
"""The arrays of what the files of the corpus were, called as those of `FileStamps`."""


def files_entry(name: str) -> str:
    """The name of the entry with one of the arrays of the files of the corpus."""
    return f"files/{name}.npy"


def words_entry(name: str) -> str:
    """The name of the entry with one of the arrays of the words."""
    return f"words/{name}.npy"


def run_entry(number: int, name: str) -> str:
    """The name of the entry with one of the arrays of a run."""
    return f"run/{number}/{name}.npy"
