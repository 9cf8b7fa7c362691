"""Exact places of tokens whose library tells only the characters that they belong to.

Several tokens may share a character: those that hold its bytes, or those that stand for what
normalization has made of it. Where their contents spell the text, each has its own bytes;
else each has all bytes of its characters, which is all that is known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Columns = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Where spans begin and end, ascending."""


def character_bytes(data: bytes) -> NDArray[np.int64]:
    """At which byte of UTF-8 each character begins, and where the last one ends."""
    units = np.frombuffer(data, np.uint8)
    return np.append(np.flatnonzero(units & 0xC0 != 0x80), len(data))


def byte_spans(
    data: bytes,
    char_starts: NDArray[np.int64],
    char_ends: NDArray[np.int64],
    contents: list[bytes],
    which: NDArray[np.int64],
) -> Columns:
    """The bytes of tokens of which the characters are known.

    `data` is the text, `contents[which[i]]` is what token i stands for. The places that come
    in may overlap, and be out of order by a library's carelessness; those that go out ascend.
    """
    places = character_bytes(data)
    starts = places[np.clip(char_starts, 0, len(places) - 1)]
    ends = places[np.clip(char_ends, 0, len(places) - 1)]
    return sharing_bytes(data, starts, ends, contents, which)


def sharing_bytes(
    data: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    contents: list[bytes],
    which: NDArray[np.int64],
) -> Columns:
    """As `byte_spans`, for tokens of which the bytes are known that several of them share."""
    starts = np.maximum.accumulate(np.clip(starts, 0, len(data)))
    ends = np.maximum.accumulate(np.clip(ends, starts, len(data)))
    if not len(starts):
        return starts, ends
    # A group is a longest run of tokens of which each shares bytes with the one before.
    begins = np.flatnonzero(np.append(True, starts[1:] >= ends[:-1]))
    stops = np.append(begins[1:], len(starts))
    several = stops - begins > 1
    for begin, stop in zip(begins[several].tolist(), stops[several].tolist(), strict=True):
        parts = [contents[index] for index in which[begin:stop].tolist()]
        place = int(starts[begin])
        cuts = _spelled(data[place : int(ends[stop - 1])], parts)
        if cuts is not None:
            starts[begin:stop] = place + cuts[:-1]
            ends[begin:stop] = place + cuts[1:]
    return starts, ends


def character_spans(data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Columns:
    """The characters that the bytes of each span belong to; an empty one covers none."""
    units = np.frombuffer(data, np.uint8)
    characters = np.append(np.cumsum(units & 0xC0 != 0x80) - 1, np.sum(units & 0xC0 != 0x80))
    begin = characters[starts]
    end = np.where(ends > starts, characters[np.maximum(ends - 1, 0)] + 1, begin)
    return begin, end


def _spelled(piece: bytes, parts: list[bytes]) -> NDArray[np.int64] | None:
    """Where parts that spell a piece are cut; a space that was put before it takes no room.

    >>> _spelled(b"ab", [b" a", b"b"])
    array([0, 1, 2])
    """
    joined = b"".join(parts)
    added = 1 if joined == b" " + piece else 0
    if not added and joined != piece:
        return None
    cuts: NDArray[np.int64] = np.cumsum([-added, *(len(part) for part in parts)])
    return np.maximum(cuts, 0)
