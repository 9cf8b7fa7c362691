"""Names that have no room are elided so that they still differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

_ELLIPSIS = "…"


def elided_to_letters(names: Sequence[str], letters: int) -> list[str]:
    """Elide names to as many letters as `Eliding` does.

    >>> elided_to_letters(["low", "a-long-one.json", "a-long-two.json"], 10)
    ['low', '…ng-one.j…', '…ng-two.j…']
    """
    return Eliding(len, _in_the_middle, letters).apart(names)


def _in_the_middle(text: str, letters: int) -> str:
    if len(text) <= letters:
        return text
    half = (letters - 1) // 2
    return text[: letters - 1 - half] + _ELLIPSIS + text[len(text) - half :]


class Eliding(Struct, frozen=True):
    """Elide names to a room.

    width: measures a text. elide: elides a text in the middle to a room.
    """

    width: Callable[[str], float]
    elide: Callable[[str, int], str]
    room: int

    def apart(self, names: Sequence[str], endings: Sequence[str] = ()) -> list[str]:
        """Elide names so that they still differ.

        They are elided in the middle. Different names that would look the same so are elided at
        their ends instead, around what tells them apart; those that all have one of the `endings`
        keep the first that they have.
        """
        shown = {name: self.elide(name, self.room) for name in names}
        for alike in _alike(shown):
            shared = (end for end in endings if all(name.endswith(end) for name in alike))
            end = next(shared, "")
            whole = {name.removesuffix(end): name for name in alike}
            # Widths are rounded.
            left = Eliding(self.width, self.elide, int(self.room - self.width(end) - bool(end)))
            for name, text in left._around_differences([*whole]).items():
                shown[whole[name]] = text + end
        return [shown[name] for name in names]

    def _around_differences(self, names: list[str]) -> dict[str, str]:
        """Show, of names that begin and end alike, what is between that."""
        begin = _alike_letters(names)
        after = _alike_letters([name[begin:][::-1] for name in names])
        shown = {name: self._part(name, begin, len(name) - after) for name in names}
        for alike in _alike(shown):
            if len(alike) < len(names):
                shown |= self._around_differences(alike)
        return shown

    def _part(self, name: str, begin: int, end: int) -> str:
        """Write a part of a name, with as much around it as there is room for on both sides."""

        def written(begin: int, end: int) -> str:
            return _ELLIPSIS * (begin > 0) + name[begin:end] + _ELLIPSIS * (end < len(name))

        def fits(begin: int, end: int) -> bool:
            return self.width(written(begin, end)) <= self.room

        if not fits(begin, end):
            return self.elide(written(begin, end), self.room)
        while True:
            before = max(begin - 1, 0) if fits(max(begin - 1, 0), end) else begin
            behind = min(end + 1, len(name)) if fits(before, min(end + 1, len(name))) else end
            if (before, behind) == (begin, end):
                return written(begin, end)
            begin, end = before, behind


def _alike(shown: dict[str, str]) -> list[list[str]]:
    """Group the names that are shown as the same text; names alone are left out."""
    if len(set(shown.values())) == len(shown):
        return []
    groups: dict[str, list[str]] = {}
    for name, text in shown.items():
        groups.setdefault(text, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _alike_letters(names: list[str]) -> int:
    """Count the letters that all names begin with."""
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    return next((place for place, (one, other) in pairs if one != other), len(first))
