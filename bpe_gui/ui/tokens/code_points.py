"""Properties of code points, looked up for whole texts at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_UNKNOWN = 255
_ALL = 0x110000
_FEW = 1 << 16


def distinct(codes: NDArray[np.integer]) -> NDArray[np.integer]:
    """Each of these code points once, in ascending order."""
    if len(codes) < _FEW:
        return np.unique(codes)
    # For many of them, to sort takes longer than to look through all that there could be.
    met = np.zeros(_ALL, np.bool_)
    met[codes] = True
    return np.flatnonzero(met)


class CodePointTable:
    """One small number (0 to 254) for each code point, found when it is first met."""

    def __init__(self, find: Callable[[int], int]) -> None:
        self._find = find
        self._values: NDArray[np.uint8] = np.full(_ALL, _UNKNOWN, np.uint8)

    def __call__(self, codes: NDArray[np.integer]) -> NDArray[np.uint8]:
        """The number of each code point."""
        values = self._values[codes]
        missing = values == _UNKNOWN
        if missing.any():
            for code in distinct(codes[missing]).tolist():
                self._values[code] = self._find(code)
            values = self._values[codes]
        return values
