"""Sessions: everything that a window shows, in a file that opens again without training.

`resources/session-format.md` describes the file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bpe_gui.sessions.recognition import SessionError as SessionError

if TYPE_CHECKING:
    from bpe_gui.sessions.file import load_session as load_session
    from bpe_gui.sessions.file import save_session as save_session
    from bpe_gui.sessions.session import CorpusReference as CorpusReference
    from bpe_gui.sessions.session import FollowingLane as FollowingLane
    from bpe_gui.sessions.session import LaneReference as LaneReference
    from bpe_gui.sessions.session import NamedLane as NamedLane
    from bpe_gui.sessions.session import PastRun as PastRun
    from bpe_gui.sessions.session import RunLane as RunLane
    from bpe_gui.sessions.session import SavedBranch as SavedBranch
    from bpe_gui.sessions.session import Session as Session

_OF_FILE = ("load_session", "save_session")
_OF_SESSION = (
    "CorpusReference", "FollowingLane", "LaneReference", "NamedLane", "PastRun", "RunLane",
    "SavedBranch", "Session",
)  # fmt: skip


def __getattr__(name: str) -> object:
    """Load what reads and writes sessions when it is asked for: a window starts without it."""
    if name in _OF_FILE:
        return getattr(import_module("bpe_gui.sessions.file"), name)
    if name in _OF_SESSION:
        return getattr(import_module("bpe_gui.sessions.session"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
