"""Columns of numbers as `.npy` files of NumPy, version 1.0, which hold nothing else."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bpe_gui.sessions.session import SessionError

_Number = TypeVar("_Number", bound=np.generic)

_MAGIC = b"\x93NUMPY\x01\x00"
_LONGEST_HEADER = 1024
_PART = 1 << 20

_HEADER = re.compile(
    rb"\{'descr': '([<|][iu][1248])', 'fortran_order': False, "
    rb"'shape': \(((?:[0-9]{1,10}, ?)*(?:[0-9]{1,10})?)\),? ?\} *\n"
)


def to_npy(array: NDArray[Any]) -> Iterator[bytes | memoryview]:
    """An array of numbers as the parts of a file, in the order of the smaller byte first."""
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(little))
    yield header.getvalue()
    whole = little.reshape(-1).view(np.uint8).data
    for begin in range(0, len(whole), _PART):
        yield whole[begin : begin + _PART]


def npy_size(shape: tuple[int, ...], kind: type[np.generic]) -> range:
    """How many bytes the file of an array can have: its header may be longer or shorter."""
    numbers = np.dtype(kind).itemsize
    for length in shape:
        numbers *= length
    return range(numbers + len(_MAGIC), numbers + len(_MAGIC) + 2 + _LONGEST_HEADER)


def from_npy(
    name: str, data: bytearray, shape: tuple[int, ...], kind: type[_Number]
) -> NDArray[_Number]:
    """The array in a file, if it is of that shape and type. It has the file's own memory.

    Raises SessionError if it is not.
    """
    begin = len(_MAGIC) + 2
    end = begin + int.from_bytes(data[len(_MAGIC) : begin], "little")
    header = _HEADER.fullmatch(data[begin:end]) if end - begin <= _LONGEST_HEADER else None
    if data[: len(_MAGIC)] != _MAGIC or header is None:
        raise SessionError(f"its part {name} is no array of numbers")
    dtype = np.dtype(kind).newbyteorder("<")
    found = tuple(int(length) for length in header[2].split(b",") if length.strip())
    if np.dtype(header[1].decode("ascii")) != dtype or found != shape:
        raise SessionError(f"its part {name} is not an array of {_described(shape, kind)}")
    if len(data) - end != npy_size(shape, kind).start - len(_MAGIC):
        raise SessionError(f"its part {name} is cut short, or goes on after its end")
    found_there = np.frombuffer(data, dtype, offset=end).reshape(shape)
    # Compiled loops want numbers at even places, where NumPy writes them.
    is_usable = found_there.flags.aligned and dtype.isnative
    return found_there.view(kind) if is_usable else found_there.astype(kind)


def _described(shape: tuple[int, ...], kind: type[np.generic]) -> str:
    return f"{' by '.join(f'{length:,}' for length in shape)} numbers of type {kind.__name__}"


Arrays = Mapping[str, NDArray[Any]]
"""Arrays by the names of their entries."""
