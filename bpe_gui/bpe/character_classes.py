"""Which kinds of character each code point belongs to, as one table of bit flags.

The classes are those that the pre-tokenization patterns ask for, taken from the `regex`
module itself, so that the scanner and the patterns speak of the same Unicode version.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_gui.bpe.kernels.scanning import (
    LETTER,
    LOWER,
    NUMBER,
    OTHER,
    PUNCTUATION,
    SEPARATOR,
    SPACE,
    STRIPPED,
    UPPER,
    WHITE_SPACE,
)

CODE_POINTS = 0x110000

_PATTERNS = (
    (LETTER, r"\p{L}+"),
    (NUMBER, r"\p{N}+"),
    (SPACE, r"\s+"),
    (UPPER, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"),
    (LOWER, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"),
    (SEPARATOR, r"\p{Z}+"),
    (PUNCTUATION, r"[\p{P}!-/:-@\[-`{-~]+"),
    (WHITE_SPACE, r"\p{White_Space}+"),
)


@cache
def character_classes() -> NDArray[np.uint16]:
    """The flags of every code point, 0x110000 entries of 16 bits. Made once, in 0.2 s.

    Surrogates have no flag but OTHER; they never occur in UTF-8.
    """
    table = np.zeros(CODE_POINTS, np.uint16)
    points = np.arange(CODE_POINTS, dtype="<u4")
    everything = points.tobytes().decode("utf-32-le", "surrogatepass")
    for flag, pattern in _PATTERNS:
        for run in regex.finditer(pattern, everything):
            table[run.start() : run.end()] |= flag
    # White space is rare: look only where `\s` or the separator controls can be.
    for point in np.flatnonzero(table & SPACE).tolist() + list(range(0x1C, 0x20)):
        if chr(point).isspace():
            table[point] |= STRIPPED
    table[(table & (LETTER | NUMBER | SPACE)) == 0] |= OTHER
    table.flags.writeable = False
    return table
