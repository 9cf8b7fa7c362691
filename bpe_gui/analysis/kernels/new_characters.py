"""Characters that have not occurred before."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Bytes, Flags, Integer, Kernel
from bpe_gui.bpe.kernels.registers import WINDOW, first_mark, has_window, marked_between
from bpe_gui.bpe.kernels.scanning import code_point

_TAB, _NEWLINE, _SPACE, _TILDE = 0x09, 0x0A, 0x20, 0x7E
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

COMMON = (_TAB, _NEWLINE, *range(_SPACE, _TILDE + 1))
"""Characters that nearly all large texts have."""


def _find_new_kernel(text: Bytes, begin: Integer, seen: Flags, common_seen: bool) -> Integer:
    """Find where the first character of valid UTF-8 is, from byte `begin` on, that is not `seen`.

    `seen` has a flag for each code point, `common_seen` tells whether all COMMON ones have it: then
    they are passed over 64 at once. Returns the length of the text if there is none.
    """
    i = begin
    while i < len(text):
        if common_seen and has_window(text, i):
            rest = _ALL & ~(
                marked_between(text, i, _SPACE, _TILDE) | marked_between(text, i, _TAB, _NEWLINE)
            )
            if rest == np.uint64(0):
                i += WINDOW
                continue
            i += first_mark(rest)
        point, width = code_point(text, i, len(text))
        if not seen[point]:
            return i
        i += width
    return i


find_new = Kernel(_find_new_kernel)
