"""Rank how well typed words match what can be done. Knows no window.

A typed word must be a word of the wording, or the beginning of one; where it is found decides how
well it matches. The order of the words does not matter. If nothing matches as it is typed, endings
and typing mistakes are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

_TEXT, _ALSO, _PLACE, _TIP, _BEGINNING_OF_KEYS = 0, 1, 2, 3, 2
"""How badly a word fits that is found there."""
_TITLE = -1
"""How badly fits what is called exactly so."""

_LITTLE_WORDS = frozenset(
    {"a", "an", "and", "do", "for", "go", "how", "i", "in", "is", "it", "make", "me", "my", "of"}
    | {"on", "or", "the", "this", "to", "what", "with", "your"}
)
"""They say little of what is wanted, and are left out beside others."""

_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?:ings?|ed|es|s)$")
_STEM = 4
"""Letters that a word must have left without its ending."""
_ONE_MISTAKE = 4
"""Letters that a word must have for a mistake to be forgiven."""
_ALIKE = 0.75
"""The least share of letters that are in the same order."""


class Wording(NamedTuple):
    """What is said of one thing that can be done, and what it is found by."""

    text: str
    place: str
    """Its menu or panel."""
    keys: str
    tip: str
    also: str = ""
    """Words that others may call it by; they are not shown."""


def misfit(typed: str, wording: Wording, *, kindly: bool = False) -> int | None:
    """Return how badly typed words match, the smaller the better; None if one is not found.

    Words and beginnings of words match: best in the text, then among the keywords, in the place and
    in the tip; and keys. Endings such as a plural, and upper and lower case make no difference.
    Nothing typed matches everything. `kindly` ignores typing mistakes, except in the first letter.

    >>> train = Wording("Train", "Training", "F5", "Train until the recipe stops", "run start")
    >>> misfit("train", train), misfit("tr", train), misfit("start", train), misfit("f5", train)
    (-1, 0, 1, 0)
    >>> misfit("recipes", train), misfit("stops tr", train), misfit("ain", train)
    (3, 3, None)
    >>> misfit("trian", train), misfit("trian", train, kindly=True)
    (None, 0)
    """
    wanted = _wanted(typed)
    if wanted and sorted(_words(" ".join(wanted))) == sorted(_title(wording)):
        return _TITLE
    misfits = 0
    for word in wanted:
        badly = _found(word, wording, _nearly_meets if kindly else _meets)
        if badly is None:  # a whole page may have been pasted
            return None
        misfits += badly
    return misfits


Thing = TypeVar("Thing")


def fitting(
    typed: str, things: Sequence[tuple[Thing, Wording]], recent: Sequence[Thing]
) -> list[Thing]:
    """Return the things that match, the best first.

    Among equals first those used most recently, then those with the fewest words not typed, then in
    their order. `recent` begins with what was used last.
    """
    used = {thing: place for place, thing in enumerate(recent)}
    for kindly in (False, True):
        ranked = []
        for place, (thing, wording) in enumerate(things):
            badly = misfit(typed, wording, kindly=kindly)
            if badly is not None:
                left = _left_untyped(typed, wording)
                ranked.append((badly, used.get(thing, len(used)), left, place, thing))
        if ranked:
            return [thing for *_, thing in sorted(ranked, key=lambda each: each[:4])]
    return []


def _wanted(said: str) -> list[str]:
    words = said.casefold().split()
    return [word for word in words if word not in _LITTLE_WORDS] or words


def _words(said: str) -> list[str]:
    return _WORD.findall(said.casefold())


def _title(wording: Wording) -> list[str]:
    return _words(" ".join(_wanted(wording.text)))


def _left_untyped(typed: str, wording: Wording) -> int:
    wanted = _words(typed)
    return sum(word not in wanted for word in _title(wording)) if wanted else 0


def _found(word: str, wording: Wording, meets: Callable[[str, str], bool]) -> int | None:
    """Return how badly a typed word matches in the place where it matches best."""
    text, place, keys, tip, also = wording
    each_key = keys.casefold().split(", ")
    if word in each_key:
        return _TEXT
    if any(key.startswith(word) for key in each_key):
        return _BEGINNING_OF_KEYS
    parts = _words(word)
    for said, rank in ((text, _TEXT), (also, _ALSO), (place, _PLACE), (tip, _TIP)):
        words = _words(said)
        if parts and all(any(meets(part, each) for each in words) for part in parts):
            return rank
    return None


def _meets(word: str, said: str) -> bool:
    stem = _ENDING.sub("", word)
    return said.startswith(word) or (len(stem) >= _STEM and said.startswith(stem))


def _nearly_meets(word: str, said: str) -> bool:
    """Tell whether a word is the beginning of another except for typing mistakes.

    >>> _nearly_meets("trian", "training"), _nearly_meets("palete", "palettes")
    (True, True)
    >>> _nearly_meets("moon", "motion"), _nearly_meets("rain", "training")
    (False, False)
    """
    if _meets(word, said):
        return True
    if word[0] != said[0] or len(word) < _ONE_MISTAKE:
        return False
    from difflib import SequenceMatcher

    return SequenceMatcher(None, said[: len(word)], word).ratio() >= _ALIKE
