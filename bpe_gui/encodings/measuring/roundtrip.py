"""Check of whether decoding gives a text back, and a description of what is lost."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from bpe_gui.analysis.visible import visible_beginning
from bpe_gui.encodings.differences.alignment import Cut
from bpe_gui.progress import counted

_MAX_SHOWN = 8
"""Characters of the text and of the decoded text that a label shows."""


class Roundtrip(Struct, frozen=True):
    """Hold the result of decoding a text's tokens.

    decoded: the decoded text.
    first: the index of the first character of the text that differs, its length if something was
        added at its end; None if nothing differs.
    label: the difference in a few words; empty if there is none.
    short: the same in fewer words, for a column of a table: how much is lost, not where.
    """

    decoded: str
    first: int | None
    label: str
    short: str

    @property
    def is_lossless(self) -> bool:
        """Tell whether the decoded text equals the text."""
        return self.first is None


def check_roundtrip(cut: Cut) -> Roundtrip:
    """Decode the tokens of a text and compare, in time linear in its length.

    Raises EncodingError if the encoding does not know its own ids.
    """
    text = cut.text
    decoded = cut.encoding.decode(cut.tokens.ids.tolist())
    if decoded == text:
        return Roundtrip(decoded, None, "", "")
    first = _first_difference(text, decoded)
    label, short = (f"lossy: {words}" for words in _describe(cut, decoded, first))
    return Roundtrip(decoded, first, label, short)


def _describe(cut: Cut, decoded: str, first: int) -> tuple[str, str]:
    """Describe the difference, and again in fewer words."""
    text = cut.text
    at = f"the first at character {first + 1:,}"
    # Only characters of the text count, not unknown ones that normalization adds.
    if unknown := _unknown_characters(cut):
        return (
            f"{counted(unknown, 'unknown character')}; "
            f"the first difference is at character {first + 1:,}",
            f"{unknown:,} unknown char{'s' * (unknown > 1)}",
        )
    short = ""
    if _is_within(decoded, text):
        short = f"drops {_counted(Counter(text) - Counter(decoded))}"
    elif _is_within(text, decoded):
        short = f"adds {_counted(Counter(decoded) - Counter(text))}"
    if short:
        return f"{short}, {at}", short
    before, after = (
        visible_beginning(part[first : first + _MAX_SHOWN].encode("utf-8"))
        for part in (text, decoded)
    )
    return f"from character {first + 1:,} on “{before}” decodes to “{after}”", "changes text"


def _unknown_characters(cut: Cut) -> int:
    """Count the characters that are unknown in whole or in part."""
    starts, ends = cut.tokens.char_starts[cut.unknown], cut.tokens.char_ends[cut.unknown]
    size = len(cut.text) + 1
    depth = np.bincount(starts, minlength=size) - np.bincount(ends, minlength=size)
    return int(np.count_nonzero(np.cumsum(depth)))


def _first_difference(text: str, other: str) -> int:
    """Measure the common beginning of two different texts.

    >>> _first_difference("lower", "lowest")
    4
    """
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        # The texts are equal before `low`.
        low, high = (middle, high) if text[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _is_within(short: str, long: str) -> bool:
    """Tell whether removing characters from one text can give another.

    >>> _is_within("lwr", "lower"), _is_within("wl", "low")
    (True, False)
    """
    if len(short) >= len(long):
        return False
    characters: Iterator[str] = iter(long)
    return all(character in characters for character in short)


def _counted(characters: Counter[str]) -> str:
    """Count characters, and name their kind if they are all of one kind."""
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
