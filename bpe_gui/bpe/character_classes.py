"""Which kinds of character each code point belongs to, as one table of bit flags.

The classes are those that the pre-tokenization patterns ask for, taken from the `regex`
module itself, so that the scanner and the patterns speak of the same Unicode version.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_gui.bpe.kernels.characters import (
    LETTER,
    LOWER,
    NUMBER,
    OTHER,
    PUNCTUATION,
    SEPARATOR,
    SPACE,
    STRIPPED,
    UNSPACED,
    UPPER,
    WHITE_SPACE,
)

CODE_POINTS = 0x110000

_NEWER_PUNCTUATION = (
    r"\u061D\u09FD\u0A76\u0C77\u0C84\u1B4E-\u1B4F\u1B7D-\u1B7F\u2E43-\u2E4F"
    r"\u2E52-\u2E5D\u2E60-\u2E63\U00010D6E\U00010EAD\U00010ED0"
    r"\U00010F55-\U00010F59\U00010F86-\U00010F89\U000113D4-\U000113D5"
    r"\U000113D7-\U000113D8\U0001144B-\U0001144F\U0001145A-\U0001145B\U0001145D"
    r"\U00011660-\U0001166C\U000116B9\U0001183B\U00011944-\U00011946\U000119E2"
    r"\U00011A3F-\U00011A46\U00011A9A-\U00011A9C\U00011A9E-\U00011AA2"
    r"\U00011B00-\U00011B09\U00011BE1\U00011C41-\U00011C45\U00011C70-\U00011C71"
    r"\U00011EF7-\U00011EF8\U00011F43-\U00011F4F\U00011FFF\U00012FF1-\U00012FF2"
    r"\U00016D6D-\U00016D6F\U00016E97-\U00016E9A\U00016FE2\U0001E5FF"
    r"\U0001E95E-\U0001E95F"
)
"""Punctuation that came to Unicode after version 8, which BertPreTokenizer does not know."""

_OLDER_PUNCTUATION = r"\u166D\U000111C9"
"""Punctuation of Unicode 8 that has been given another category since."""

_MARKS = rf"\p{{P}}!-/:-@\[-`{{-~{_OLDER_PUNCTUATION}"

PUNCTUATION_MARK = rf"(?![{_NEWER_PUNCTUATION}])[{_MARKS}]"
"""A punctuation mark, as BertPreTokenizer and Hugging Face's Punctuation have it."""

NO_PUNCTUATION_MARKS = rf"(?:[^{_MARKS}]++|[{_NEWER_PUNCTUATION}]++)++"
"""A run of characters that are none."""

_UNSPACED_SCRIPTS = (
    *("Han", "Hiragana", "Katakana", "Yi", "Tangut", "Nushu", "Khitan_Small_Script"),
    *("Tibetan", "Balinese", "Javanese"),
)
"""Scripts without spaces between words, beside those that Unicode's line breaking calls
complex (SA: Thai, Lao, Khmer, Myanmar and others), whose lines are broken by dictionaries."""

_PATTERNS = (
    (LETTER, r"\p{L}+"),
    (NUMBER, r"\p{N}+"),
    (SPACE, r"\s+"),
    (UPPER, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"),
    (LOWER, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"),
    (SEPARATOR, r"\p{Z}+"),
    (PUNCTUATION, f"(?:{PUNCTUATION_MARK})+"),
    (WHITE_SPACE, r"\p{White_Space}+"),
    (
        UNSPACED,
        "[" + "".join(rf"\p{{Script={name}}}" for name in _UNSPACED_SCRIPTS)
        + r"\p{Line_Break=SA}]+",
    ),
)


_ASSIGNED = ((0, 0x40000), (0xE0000, 0xE1000))
"""Where Unicode has any character but private ones, which have none of the classes."""


@cache
def character_classes() -> NDArray[np.uint16]:
    """The flags of every code point, 0x110000 entries of 16 bits. Made once, in 0.1 s.

    Surrogates have no flag but OTHER; they never occur in UTF-8.
    """
    table = np.zeros(CODE_POINTS, np.uint16)
    for begin, end in _ASSIGNED:
        points = np.arange(begin, end, dtype="<u4")
        text = points.tobytes().decode("utf-32-le", "surrogatepass")
        for flag, pattern in _PATTERNS:
            for run in regex.finditer(pattern, text):
                table[begin + run.start() : begin + run.end()] |= flag
    # White space is rare: look only where `\s` or the separator controls can be.
    for point in np.flatnonzero(table & SPACE).tolist() + list(range(0x1C, 0x20)):
        if chr(point).isspace():
            table[point] |= STRIPPED
    table[(table & (LETTER | NUMBER | SPACE)) == 0] |= OTHER
    table.flags.writeable = False
    return table
