"""How the whole process takes memory from the system: settings of the GNU C library.

Other C libraries know no such settings.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from functools import cache

_TOP_PAD, _MMAP_THRESHOLD = -2, -3
"""The numbers of M_TOP_PAD and M_MMAP_THRESHOLD."""
_STEP = 16 << 20
"""Bytes that are taken at once; as many may stay with the process when they are free."""
_LARGE = 4 << 20
"""Bytes of an array that takes memory from the system and gives it back, each time."""


@cache
def take_in_large_steps() -> None:
    """Have memory taken in large steps, and large arrays given back as soon as they are freed.

    By itself the library takes 128 kB at a time, for which threads wait for each other: 20 MB were
    counted in 0.10 s, not 0.07. And it keeps ever larger arrays among what stays: after 16
    trainings on 20 MB a window had 282 MB, and went on growing, in place of 136 MB.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            for setting, size in ((_TOP_PAD, _STEP), (_MMAP_THRESHOLD, _LARGE)):
                ctypes.CDLL(None).mallopt(setting, size)
