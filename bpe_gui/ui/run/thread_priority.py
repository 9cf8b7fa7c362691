"""Which thread goes first where two want the same processor."""

from __future__ import annotations

import os
import sys
from threading import get_native_id

_NICENESS = 5


def give_way() -> None:
    """Let the window's thread go first before the one that calls this.

    On Linux niceness belongs to the thread, and threads that it starts inherit it.
    """
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICENESS)
