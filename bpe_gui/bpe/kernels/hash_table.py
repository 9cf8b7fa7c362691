"""A hash table that numbers 64-bit keys, by open addressing.

Keys are numbered from 0 in the order in which they are entered, so that what belongs to them, such
as a count, is kept in arrays indexed by these numbers. A key is a pair, left << 32 | right, of two
numbers below 2**31: then no hash overflows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.kernels.jit import Integer, Kernel, within_kernels


class Table(NamedTuple):
    """The arrays of a table; how many keys it has its owner counts.

    keys: the keys by number, as many as there may be. slots: their numbers where a search meets
        them, -1 where it ends; a power of two, and at least twice as many as `keys`.
    """

    slots: NDArray[np.int32]
    keys: NDArray[np.int64]

    @classmethod
    def of(cls, capacity: int) -> Table:
        """Make an empty table for up to this number of keys.

        >>> len(Table.of(1000).slots)
        2048
        """
        slots = 1 << max(2 * capacity - 1, 1).bit_length()
        return cls(np.full(slots, -1, np.int32), np.empty(capacity, np.int64))

    def doubled(self, compiled: bool | None) -> Table:
        """Make one for twice as many keys, which has those of this one, a full one."""
        size = len(self.keys)
        table = Table.of(2 * size)
        table.keys[:size] = self.keys
        _enter.form(compiled)(table, size)
        return table


@within_kernels
def find_or_enter(table: Table, size: Integer, key: Integer) -> Integer:
    """Find the number of a key.

    A new one is entered with the number `size`, which is how many there were; the table must have
    room for it.
    """
    slots, keys = table.slots, table.keys
    mask = len(slots) - 1
    slot = (((key >> 32) * 0x9E3779B1 ^ (key & 0xFFFFFFFF) * 0x85EBCA77) >> 11) & mask
    while True:
        number = np.int64(slots[slot])
        if number < 0:
            slots[slot] = size
            keys[size] = key
            return np.int64(size)
        if keys[number] == key:
            return number
        slot = (slot + 1) & mask


@within_kernels
def find(table: Table, key: Integer) -> Integer:
    """Find the number of a key; -1 if it was not entered."""
    mask = len(table.slots) - 1
    slot = (((key >> 32) * 0x9E3779B1 ^ (key & 0xFFFFFFFF) * 0x85EBCA77) >> 11) & mask
    while True:
        number = np.int64(table.slots[slot])
        if number < 0 or table.keys[number] == key:
            return number
        slot = (slot + 1) & mask


def _enter_kernel(table: Table, size: Integer) -> None:
    """Enter the first keys, which are in `keys` already."""
    for number in range(size):
        find_or_enter(table, number, table.keys[number])


_enter = Kernel(_enter_kernel)
