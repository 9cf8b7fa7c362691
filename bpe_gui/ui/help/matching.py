"""How well a few typed words fit what can be done. Knows no window.

Each typed word must be found somewhere; where it is found says how well it fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

_STARTS, _STARTS_WORD, _WITHIN, _KEY, _PLACE, _TIP, _SCATTERED = range(7)


class Wording(NamedTuple):
    """What is said of one thing that can be done, and what it is found by."""

    text: str
    place: str
    """The menu or the panel where it stands."""
    keys: str
    tip: str


def misfit(typed: str, wording: Wording) -> int | None:
    """How badly typed words fit, 0 for the best; None where one of them is not found.

    Found are parts of the text, of the place, of the keys or of the tip, and letters of the
    text in their order. Upper and lower case are the same. Nothing typed fits everything.

    >>> train = Wording("Train", "Training", "F5", "Train until the recipe stops")
    >>> misfit("tr", train), misfit("recipe", train), misfit("tn", train), misfit("x", train)
    (0, 5, 6, None)
    """
    folded = Wording(*(part.casefold() for part in wording))
    worst = 0
    for word in typed.casefold().split():
        found = _found(word, folded)
        if found is None:
            return None
        worst = max(worst, found)
    return worst


def _found(word: str, wording: Wording) -> int | None:
    text, place, keys, tip = wording
    if text.startswith(word):
        return _STARTS
    if f" {word}" in text:
        return _STARTS_WORD
    if word in text:
        return _WITHIN
    for where, rank in ((keys, _KEY), (place, _PLACE), (tip, _TIP)):
        if word in where:
            return rank
    letters = iter(text)
    return _SCATTERED if all(letter in letters for letter in word) else None


Thing = TypeVar("Thing")


def fitting(
    typed: str, things: Sequence[tuple[Thing, Wording]], recent: Sequence[Thing]
) -> list[Thing]:
    """The things that fit, the best first; among equals those used most recently, then in order.

    `recent` begins with what was used last.
    """
    used = {thing: place for place, thing in enumerate(recent)}
    ranked = []
    for place, (thing, wording) in enumerate(things):
        badly = misfit(typed, wording)
        if badly is not None:
            ranked.append((badly, used.get(thing, len(used)), place, thing))
    return [thing for *_, thing in sorted(ranked, key=lambda each: each[:3])]
