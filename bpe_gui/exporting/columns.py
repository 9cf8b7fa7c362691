"""How many columns of a terminal, or of any grid of characters, a text takes."""

from __future__ import annotations

import unicodedata

_WITHOUT_ROOM = frozenset({"Mn", "Me", "Cf"})


def columns_of(text: str) -> int:
    """Wide characters take two columns; marks upon others, and what is not seen, take none.

    >>> columns_of("abc"), columns_of("漢字"), columns_of("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    without = sum(unicodedata.category(character) in _WITHOUT_ROOM for character in text)
    return len(text) + wide - without
