"""Tell the files of sessions from others, without what reads them."""

from __future__ import annotations

from pathlib import Path

from bpe_gui.files import reading

ENDING = ".bpesession"
"""The ending of a session file's name."""
HEADER = "session.json"
"""The name of the first entry in the file."""


class SessionError(ValueError):
    """Report a file that cannot be opened as a session, in one sentence for the user."""


def looks_like_session(path: str | Path) -> bool:
    """Tell whether a file is meant to be a session, by its name or by its first bytes.

    False for a pipe, which is not opened, and for a file that cannot be read.
    """
    path = Path(path)
    if not path.is_file():
        return False
    if path.name.lower().endswith(ENDING):
        return True
    try:
        with reading(path) as file:
            begin = file.read(64)
    except OSError:
        return False
    # The name of the first entry comes after thirty bytes.
    return begin.startswith(b"PK\x03\x04") and begin[30:].startswith(HEADER.encode())
