"""What kernels leave to the processor: eight or 64 bytes at once, and memory fetched beforehand.

Each function has two forms, as a kernel has. The one here is plain Python: it says what is meant,
and serves where kernels are interpreted. `compiled_registers` has the one for compiled kernels,
which is a few instructions of the processor. A mark for each of 64 bytes is a bit of a 64-bit
number: the lowest bit stands for the first byte.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Integer: TypeAlias = Any
"""As in `jit`, which compiles with the other forms and so is above this module."""

WINDOW = 64
"""Bytes that are marked at once."""


def has_window(text: Bytes, i: Integer) -> bool:
    """Tell whether 64 bytes can be marked from byte i on.

    Never where kernels are interpreted, for there a loop over the bytes is faster.
    """
    return False


def marked_between(text: Bytes, i: Integer, low: Integer, high: Integer) -> Integer:
    """Mark those of the 64 bytes from byte i on that are from `low` to `high`.

    >>> import numpy as np
    >>> text = np.frombuffer(b"4 words of 12" + bytes(64), np.uint8)
    >>> bin(marked_between(text, 0, ord("0"), ord("9")))
    '0b1100000000001'
    """
    return sum(1 << k for k in range(WINDOW) if low <= text[i + k] <= high)


def first_mark(marks: Integer) -> Integer:
    """Tell the number of the lowest bit that is set; one is.

    >>> first_mark(0b101000)
    3
    """
    return (int(marks) & -int(marks)).bit_length() - 1


def prefetch(rows: NDArray[Any], i: Integer) -> None:
    """Have the processor fetch row i of an array from memory: it is wanted soon."""


def up_to_eight(text: Bytes, i: Integer, count: Integer) -> Integer:
    """Return `count` bytes, one to eight, from byte i on as one little-endian number.

    >>> import numpy as np
    >>> hex(up_to_eight(np.frombuffer(b"low lower", np.uint8), 1, 2))
    '0x776f'
    """
    return int.from_bytes(text[i : i + count].tobytes(), "little")


def up_to_sixteen(text: Bytes, i: Integer, count: Integer) -> tuple[Integer, Integer]:
    """Return `count` bytes, up to 16, from byte i on: the first eight as a number, and the others.

    >>> import numpy as np
    >>> up_to_sixteen(np.frombuffer(b"low lower", np.uint8), 0, 9) == (
    ...     int.from_bytes(b"low lowe", "little"),
    ...     ord("r"),
    ... )
    True
    """
    both = int.from_bytes(text[i : i + count].tobytes(), "little")
    return both & _64_BITS, both >> 64


def mixed(low: Integer, high: Integer, length: Integer) -> Integer:
    """Compute a hash of 62 bits of two 64-bit numbers and a length (multiplicative hashing)."""
    low, high = int(low), int(high)
    value = (low ^ high * _SECOND ^ int(length)) * _FIRST & _64_BITS
    return (value ^ value >> 32) & _62_BITS


def mixed_in(state: Integer, eight: Integer) -> Integer:
    """Mix eight more bytes into a 64-bit number that stands for those before."""
    value = (int(state) ^ int(eight)) * _FIRST & _64_BITS
    return value ^ value >> 29


_FIRST = 0x9E3779B97F4A7C15
_SECOND = 0xC2B2AE3D27D4EB4F
_64_BITS = (1 << 64) - 1
_62_BITS = (1 << 62) - 1
