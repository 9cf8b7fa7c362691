"""Positions of one history that somebody wants to find again, each with a name."""

from __future__ import annotations

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
        self._names: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[Bookmark]:
        return (Bookmark(position, name) for position, name in sorted(self._names.items()))

    def __contains__(self, position: int) -> bool:
        return position in self._names

    def set(self, position: int, name: str) -> None:
        """Mark a position, or give its bookmark another name."""
        self._names[position] = name

    def remove(self, position: int) -> None:
        """Take a bookmark away. Raises KeyError if there is none."""
        del self._names[position]

    def after(self, position: int) -> int | None:
        """The next marked position, None if there is none."""
        return min((marked for marked in self._names if marked > position), default=None)

    def before(self, position: int) -> int | None:
        """The marked position before, None if there is none."""
        return max((marked for marked in self._names if marked < position), default=None)
