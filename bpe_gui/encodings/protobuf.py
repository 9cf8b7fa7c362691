"""Just enough of the protobuf wire format to look into a message of known structure.

https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""The kinds of values; groups, which nobody writes any more, are not read."""


class WireError(ValueError):
    """Bytes that are no message; the text says where."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message.

    start, end: where its value stands in the bytes that were read.
    value: the number of a VARINT, 0 for others.
    """

    number: int
    kind: int
    start: int
    end: int
    value: int = 0


def fields(data: bytes, start: int = 0, end: int | None = None) -> Iterator[Field]:
    """The fields of the message that stands in a range of bytes, in their order.

    Raises WireError where the bytes are none.
    """
    stop = len(data) if end is None else end
    place = start
    while place < stop:
        key, place = _varint(data, place, stop)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            begin = place
            value, place = _varint(data, place, stop)
            yield Field(number, kind, begin, place, value)
            continue
        if kind == BYTES:
            length, place = _varint(data, place, stop)
        elif kind in (FIXED32, FIXED64):
            length = 4 if kind == FIXED32 else 8
        else:
            raise WireError(f"no field can begin at byte {place - 1:,}")
        if number == 0 or length > stop - place:
            raise WireError(f"the field that ends at byte {place + length:,} does not fit in")
        yield Field(number, kind, place, place + length)
        place += length


def _varint(data: bytes, place: int, stop: int) -> tuple[int, int]:
    """A number of up to 64 bits, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= stop:
            raise WireError("it ends within a number")
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    raise WireError(f"the number before byte {place:,} is too long")
