"""How well a few typed words fit what can be done. Knows no window.

Each typed word must be a word of what is said, or the beginning of one; where it stands says how
well it fits. The order of the words does not matter. Only where nothing fits as it is typed,
endings and mistakes of typing are forgiven.
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
    | {"on", "or", "the", "this", "to", "what", "with"}
)
"""They say little of what is wanted, and are left out beside others."""

_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?:ings?|ed|es|s)$")
_STEM = 4
"""Letters that a word must have left without its ending."""
_ONE_MISTAKE, _TWO_MISTAKES = 4, 8
"""Letters that a word must have for so many mistakes to be forgiven."""


class Wording(NamedTuple):
    """What is said of one thing that can be done, and what it is found by."""

    text: str
    place: str
    """The menu or the panel where it stands."""
    keys: str
    tip: str
    also: str = ""
    """Words that others may call it by; they are not shown."""


Meets = Callable[[str, str], bool]
"""Whether a typed word meets one that is said."""


def misfit(typed: str, wording: Wording) -> int | None:
    """How badly typed words fit, the smaller the better; None where one of them is not found.

    Found are words and beginnings of words: best in the text, then among the words that it is
    also called by, in the place and in the tip; and keys. Endings such as that of the plural,
    and upper and lower case make no difference. Nothing typed fits everything.

    >>> train = Wording("Train", "Training", "F5", "Train until the recipe stops", "run start")
    >>> misfit("train", train), misfit("tr", train), misfit("start", train), misfit("f5", train)
    (-1, 0, 1, 0)
    >>> misfit("recipes", train), misfit("stops tr", train), misfit("ain", train)
    (3, 3, None)
    """
    return _misfit(_wanted(typed), wording, _meets)


def kind_misfit(typed: str, wording: Wording) -> int | None:
    """The same, with mistakes of typing forgiven, but for the first letter.

    >>> train = Wording("Train", "Training", "F5", "Train until the recipe stops")
    >>> kind_misfit("trian", train), kind_misfit("until recpe", train), kind_misfit("rain", train)
    (0, 6, None)
    """
    return _misfit(_wanted(typed), wording, _nearly_meets)


Thing = TypeVar("Thing")


def fitting(
    typed: str, things: Sequence[tuple[Thing, Wording]], recent: Sequence[Thing]
) -> list[Thing]:
    """The things that fit, the best first; among equals those used most recently, then those
    of which the least is left untyped, then in order.

    `recent` begins with what was used last.
    """
    used = {thing: place for place, thing in enumerate(recent)}
    for measure in (misfit, kind_misfit):
        ranked = []
        for place, (thing, wording) in enumerate(things):
            badly = measure(typed, wording)
            if badly is not None:
                left = _left_untyped(typed, wording)
                ranked.append((badly, used.get(thing, len(used)), left, place, thing))
        if ranked:
            return [thing for *_, thing in sorted(ranked, key=lambda each: each[:4])]
    return []


def _wanted(said: str) -> list[str]:
    """What was typed, word by word, without the little words that say nothing."""
    words = said.casefold().split()
    return [word for word in words if word not in _LITTLE_WORDS] or words


def _words(said: str) -> list[str]:
    return _WORD.findall(said.casefold())


def _title(wording: Wording) -> list[str]:
    """The words that something is called by."""
    return _words(" ".join(_wanted(wording.text)))


def _left_untyped(typed: str, wording: Wording) -> int:
    """How many words of the text were not typed, or not to their end; 0 for nothing typed."""
    wanted = _words(typed)
    return sum(word not in wanted for word in _title(wording)) if wanted else 0


def _misfit(wanted: Sequence[str], wording: Wording, meets: Meets) -> int | None:
    if wanted and sorted(_words(" ".join(wanted))) == sorted(_title(wording)):
        return _TITLE
    found = [_found(word, wording, meets) for word in wanted]
    told = [badly for badly in found if badly is not None]
    return sum(told) if len(told) == len(found) else None


def _found(word: str, wording: Wording, meets: Meets) -> int | None:
    """How badly a typed word fits, where it fits best."""
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
    if _meets(word, said):
        return True
    if word[0] != said[0] or len(word) < _ONE_MISTAKE:
        return False
    allowed = 2 if len(word) >= _TWO_MISTAKES else 1
    return len(said) >= len(word) - allowed and _mistakes(word, said) <= allowed


def _mistakes(word: str, said: str) -> int:
    """How many letters are wrong, missing, too many or swapped in the beginning of a word.

    >>> _mistakes("trian", "training"), _mistakes("zom", "zoom"), _mistakes("palete", "palettes")
    (1, 1, 1)
    """
    before: list[int] = []
    row = list(range(len(said) + 1))
    for i, letter in enumerate(word, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(said, 1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == said[j - 2] and word[i - 2] == other:
                least = min(least, earlier[j - 2] + 1)
            row.append(least)
    return min(row)
