"""Where the characters of UTF-8 are: the map between offsets in bytes and in characters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Utf8 = bytes | NDArray[np.uint8]


def is_first_byte(data: Utf8) -> NDArray[np.bool_]:
    """Tell for each byte whether a character begins there.

    >>> is_first_byte("é!".encode()).tolist()
    [True, False, True]
    """
    # 10xxxxxx, the bytes within a character, are the lowest as signed numbers.
    first: NDArray[np.bool_] = np.frombuffer(data, np.int8) >= -0x40
    return first


def bytes_of_characters(data: Utf8) -> NDArray[np.int64]:
    """Find the byte at which each character begins, and at the end how many bytes there are.

    >>> bytes_of_characters("aé!".encode()).tolist()
    [0, 1, 3, 4]
    """
    return np.append(np.flatnonzero(is_first_byte(data)), len(data))


def characters_of_bytes(data: Utf8) -> NDArray[np.signedinteger]:
    """Find the character that each byte belongs to, and at the end how many characters there are.

    >>> characters_of_bytes("aé!".encode()).tolist()
    [0, 1, 1, 2, 3]
    """
    size = len(data)
    kind = np.int32 if size < 2**31 else np.int64
    characters: NDArray[np.signedinteger] = np.zeros(size + 1, kind)
    if size:
        np.cumsum(is_first_byte(data)[1:], out=characters[1:-1])
        characters[-1] = characters[-2] + 1
    return characters


def characters_before(data: Utf8, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count how many characters begin before each of some bytes.

    Where the places are few this is faster than `characters_of_bytes`, takes little memory, and
    lets other threads run.

    >>> characters_before("aé!".encode(), np.array([0, 1, 3, 4])).tolist()
    [0, 1, 2, 3]
    """
    return places - np.searchsorted(np.flatnonzero(~is_first_byte(data)), places)


def character_spans(
    characters: NDArray[np.signedinteger], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the characters that spans of bytes hold a part of, as starts and ends.

    `characters` are those of `characters_of_bytes`. A span of no bytes has no characters.

    >>> characters = characters_of_bytes("aé!".encode())
    >>> begins, ends = character_spans(characters, np.array([0, 2, 3]), np.array([2, 3, 3]))
    >>> begins.tolist(), ends.tolist()
    ([0, 1, 2], [2, 2, 2])
    """
    begins = characters[starts].astype(np.int64)
    return begins, np.where(ends > starts, characters[np.maximum(ends - 1, 0)] + 1, begins)
