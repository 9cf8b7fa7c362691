"""Whether an encoding gives a text back, and if not, what becomes of it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bpe_gui.analysis.visible import visible_beginning
from bpe_gui.encodings.alignment import Cut
from bpe_gui.progress import counted

_SHOWN = 8
"""Characters of the text and of what came back that a label shows."""


@dataclass(frozen=True, slots=True)
class Roundtrip:
    """What decoding gave.

    decoded: the text of the tokens.
    first: the character of the text at which it first differs, None if it does not: the
        length of the text if something was added at its end.
    label: what became of the text in a few words, empty if it came back.
    """

    decoded: str
    first: int | None
    label: str

    @property
    def is_lossless(self) -> bool:
        """Whether the text came back as it was."""
        return self.first is None


def check_roundtrip(cut: Cut) -> Roundtrip:
    """Decode what a text was cut into, and compare. Takes time linear in the text.

    Raises EncodingError if the encoding does not know its own ids.
    """
    text = cut.text
    decoded = cut.encoding.decode(cut.tokens.ids.tolist())
    if decoded == text:
        return Roundtrip(decoded, None, "")
    first = _first_difference(text, decoded)
    return Roundtrip(decoded, first, f"lossy: {_what_became(cut, decoded, first)}")


def _what_became(cut: Cut, decoded: str, first: int) -> str:
    text = cut.text
    at = f"the first at character {first + 1:,}"
    # What normalization puts in is none of the text's characters, even if it is unknown.
    if unknown := _unknown_characters(cut):
        return (
            f"{counted(unknown, 'unknown character')}; "
            f"the first difference is at character {first + 1:,}"
        )
    if _is_within(decoded, text):
        return f"drops {_named(Counter(text) - Counter(decoded))}, {at}"
    if _is_within(text, decoded):
        return f"adds {_named(Counter(decoded) - Counter(text))}, {at}"
    changed, came = (
        visible_beginning(part[first : first + _SHOWN].encode("utf-8")) for part in (text, decoded)
    )
    return f"from character {first + 1:,} on “{changed}” comes back as “{came}”"


def _unknown_characters(cut: Cut) -> int:
    """How many characters are unknown, or parts of them: each counts once."""
    starts, ends = cut.tokens.char_starts[cut.unknown], cut.tokens.char_ends[cut.unknown]
    size = len(cut.text) + 1
    depth = np.bincount(starts, minlength=size) - np.bincount(ends, minlength=size)
    return int(np.count_nonzero(np.cumsum(depth)))


def _first_difference(text: str, other: str) -> int:
    """The length of what two different texts begin with alike."""
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        # What lies before `low` is known to be alike.
        low, high = (middle, high) if text[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _is_within(short: str, long: str) -> bool:
    """Whether a text is left when some characters of another are taken away."""
    if len(short) >= len(long):
        return False
    characters: Iterator[str] = iter(long)
    return all(character in characters for character in short)


def _named(characters: Counter[str]) -> str:
    """How many characters, and of what kind if they are of one."""
    count = characters.total()
    if characters.keys() == {" "}:
        return counted(count, "space")
    if characters.keys() == {"\n"}:
        return counted(count, "newline")
    if all(character.isspace() for character in characters):
        return counted(count, "white space character")
    if all(unicodedata.category(character) == "Mn" for character in characters):
        return counted(count, "combining mark")
    return counted(count, "character")
