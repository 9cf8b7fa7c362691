"""Positions of one history that somebody wants to find again, each with a name."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A marked position."""

    position: int
    name: str


class Bookmarks:
    """Bookmarks in the order of their positions; a position has one at most.

    >>> marks = Bookmarks()
    >>> marks.set(7, "est"), marks.set(3, "lo")
    (None, None)
    >>> [mark.name for mark in marks], marks.after(3), marks.before(3)
    (['lo', 'est'], 7, None)
    """

    def __init__(self) -> None:
        self._positions: list[int] = []
        self._names: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._positions)

    def __iter__(self) -> Iterator[Bookmark]:
        return (Bookmark(position, self._names[position]) for position in self._positions)

    def __contains__(self, position: int) -> bool:
        return position in self._names

    def set(self, position: int, name: str) -> None:
        """Mark a position, or give its bookmark another name."""
        if position not in self._names:
            self._positions.insert(bisect_left(self._positions, position), position)
        self._names[position] = name

    def remove(self, position: int) -> None:
        """Take a bookmark away. Raises KeyError if there is none."""
        del self._names[position]
        self._positions.remove(position)

    def after(self, position: int) -> int | None:
        """The next marked position, None if there is none."""
        index = bisect_right(self._positions, position)
        return self._positions[index] if index < len(self._positions) else None

    def before(self, position: int) -> int | None:
        """The marked position before, None if there is none."""
        index = bisect_left(self._positions, position)
        return self._positions[index - 1] if index else None
