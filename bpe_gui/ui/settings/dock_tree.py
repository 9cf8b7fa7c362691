"""Where docks stand, as plain JSON that can be looked at before Qt is given it.

What `QMainWindow.saveState` gives is read by Qt without a check: a few bits that have changed and
the program is dead. So sessions hold a tree instead, and the bytes are made anew of a tree that has
been checked.

A tree is a list of areas: `{"area": 0, "size": [400, 600], "group": GROUP}`, the areas being 0
left, 1 right, 2 top, 3 bottom. A group is `{"down": true, "tab": null, "items": [...]}`: its items
stand below each other, or beside each other; or behind each other, and `tab` is the number of the
one in front. An item is `{"dock": NAME, "visible": true, "at": [place, size]}`, in pixels along the
group; `{"dock": NAME, "visible": true, "floating": [x, y, width, height]}`; or
`{"at": [place, size], "group": GROUP}`.
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from typing import Any

Tree = list[dict[str, Any]]

_HEADER = struct.Struct(">2i")
_VERSION_MARKER = 0xFF
_DOCKS, _GROUP, _TABS, _DOCK = 0xFD, 0xFC, 0xFA, 0xFB
_DOWN, _ACROSS = 2, 1
_VISIBLE, _FLOATING = 1, 2
_LEAST, _MOST = 0, 0xFFFFFF
"""The sizes that a dock may have; Qt passes over them, for the docks know better."""
_FURTHEST = 100_000
_DEEPEST = 16
_AREAS = 4


class TreeError(ValueError):
    """An arrangement of docks that is none."""


# -- from the bytes of Qt ----------------------------------------------------------------------


def tree_of(state: bytes) -> Tree:
    """The tree of the docks in what `saveState` gives. Raises TreeError if it is of another Qt."""
    return _Reader(state).areas()[0]


class _Reader:
    """Goes through the bytes of a state."""

    def __init__(self, state: bytes) -> None:
        self._state = state
        self._at = 0

    def areas(self) -> tuple[Tree, int]:
        """The areas with docks, and where the bytes begin that tell of other things."""
        if self._integer() != _VERSION_MARKER:
            raise TreeError("it does not begin as arrangements do")
        self._integer()
        self._expect(_DOCKS)
        areas = [self._area() for _ in range(self._count())]
        return areas, self._at

    def _area(self) -> dict[str, Any]:
        return {
            "area": self._integer(),
            "size": [self._integer(), self._integer()],
            "group": self._group(),
        }

    def _group(self) -> dict[str, Any]:
        kind = self._byte()
        if kind not in (_GROUP, _TABS):
            raise TreeError("there is no group where one must be")
        tab = max(self._integer(), 0) if kind == _TABS else None
        down = self._byte() == _DOWN
        return {"down": down, "tab": tab, "items": [self._item() for _ in range(self._count())]}

    def _item(self) -> dict[str, Any]:
        kind = self._byte()
        if kind == _GROUP:
            return {"at": self._place(), "group": self._group()}
        if kind != _DOCK:
            raise TreeError("there is no dock where one must be")
        name = self._take(self._count()).decode("utf-16-be", "replace")
        flags = self._byte()
        found: dict[str, Any] = {"dock": name, "visible": bool(flags & _VISIBLE)}
        if flags & _FLOATING:
            return found | {"floating": [self._integer() for _ in range(4)]}
        return found | {"at": self._place()}

    def _place(self) -> list[int]:
        place, size, _, _ = (self._integer() for _ in range(4))
        return [place, size]

    def _expect(self, marker: int) -> None:
        if self._byte() != marker:
            raise TreeError("a mark is missing")

    def _count(self) -> int:
        count = self._integer()
        if not 0 <= count <= len(self._state):
            raise TreeError("a number is too large")
        return count

    def _byte(self) -> int:
        return self._take(1)[0]

    def _integer(self) -> int:
        return int.from_bytes(self._take(4), "big", signed=True)

    def _take(self, size: int) -> bytes:
        taken = self._state[self._at : self._at + size]
        if len(taken) < size:
            raise TreeError("it ends too soon")
        self._at += size
        return taken


# -- to the bytes of Qt ------------------------------------------------------------------------


def state_of(tree: object, present: bytes, docks: Collection[str]) -> bytes:
    """What `restoreState` takes to put docks as in a tree, and to leave all else as it is.

    `present` is what `saveState` gives now, `docks` are the names of those that there are. Raises
    TreeError for a tree that is none, or has other docks.
    """
    _, rest = _Reader(present).areas()
    written = _Writer(docks)
    return (
        present[: _HEADER.size] + bytes([_DOCKS]) + written.areas(tree) + present[rest:]
    )


class _Writer:
    """Checks a tree while it is written."""

    def __init__(self, docks: Collection[str]) -> None:
        self._left = set(docks)

    def areas(self, tree: object) -> bytes:
        """The bytes of all areas."""
        areas = _sequence(tree, _AREAS)
        numbers = [_integer(_get(area, "area"), 0, _AREAS - 1) for area in areas]
        if len(set(numbers)) < len(numbers):
            raise TreeError("an area is there twice")
        parts = [
            _integers(number, *_whole_numbers(_get(area, "size"), 2))
            + self._group(_get(area, "group"), 0)
            for number, area in zip(numbers, areas, strict=True)
        ]
        return _integers(len(areas)) + b"".join(parts)

    def _group(self, group: object, depth: int) -> bytes:
        items = _sequence(_get(group, "items"), 100)
        if depth > _DEEPEST or not items:
            raise TreeError("a group is nested too deeply, or empty")
        tab = _get(group, "tab")
        tabs = tab is not None
        kind = bytes([_TABS if tabs else _GROUP])
        shown = _integers(_integer(tab, 0, len(items) - 1)) if tabs else b""
        along = bytes([_DOWN if _truth(_get(group, "down")) else _ACROSS])
        parts = [self._item(item, depth, tabs=tabs) for item in items]
        return kind + shown + along + _integers(len(items)) + b"".join(parts)

    def _item(self, item: object, depth: int, *, tabs: bool) -> bytes:
        if isinstance(item, dict) and "group" in item:
            if tabs:
                raise TreeError("a group stands behind a tab")
            inner = self._group(item["group"], depth + 1)
            return bytes([_GROUP]) + self._place(item) + inner
        name = _get(item, "dock")
        if not isinstance(name, str) or name not in self._left:
            raise TreeError("a dock is unknown, or there twice")
        self._left.remove(name)
        written = name.encode("utf-16-be")
        flags = _VISIBLE if _truth(_get(item, "visible")) else 0
        begin = bytes([_DOCK]) + _integers(len(written)) + written
        if isinstance(item, dict) and "floating" in item:
            place = _integers(*_whole_numbers(item["floating"], 4, -_FURTHEST))
            return begin + bytes([flags | _FLOATING]) + place
        return begin + bytes([flags]) + self._place(item)

    def _place(self, item: object) -> bytes:
        # A dock that is hidden or in front of none may have a place before the first pixel.
        return _integers(*_whole_numbers(_get(item, "at"), 2, -_FURTHEST), _LEAST, _MOST)


def _integers(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


def _get(found: object, key: str) -> object:
    if not isinstance(found, dict) or key not in found:
        raise TreeError(f"{key} is missing")
    return found[key]


def _sequence(found: object, most: int) -> list[Any]:
    if not isinstance(found, list) or len(found) > most:
        raise TreeError("a list is missing, or too long")
    return found


def _whole_numbers(found: object, count: int, least: int = 0) -> list[int]:
    numbers = _sequence(found, count)
    if len(numbers) != count:
        raise TreeError("a number is missing")
    return [_integer(number, least, _FURTHEST) for number in numbers]


def _integer(found: object, least: int, most: int) -> int:
    if type(found) is not int or not least <= found <= most:
        raise TreeError("a number is none, or too large")
    return found


def _truth(found: object) -> bool:
    if not isinstance(found, bool):
        raise TreeError("what is neither true nor false")
    return found
