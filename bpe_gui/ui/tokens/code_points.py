"""Properties of code points, looked up for whole texts at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_UNKNOWN = 255


class CodePointTable:
    """One small number (0 to 254) for each code point, found when it is first met."""

    def __init__(self, find: Callable[[int], int]) -> None:
        self._find = find
        self._values: NDArray[np.uint8] = np.full(0x110000, _UNKNOWN, np.uint8)

    def __call__(self, codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
        """The number of each code point."""
        values = self._values[codes]
        missing = values == _UNKNOWN
        if missing.any():
            for code in np.unique(codes[missing]).tolist():
                self._values[code] = self._find(code)
            values = self._values[codes]
        return values
