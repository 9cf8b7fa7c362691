"""The table by which a model of SentencePiece replaces characters, read from its compiled form."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

_NUMBER = 0x7FFFFFFF
_LABEL = 0x800000FF
_HAS_VALUE, _FAR = 1 << 8, 1 << 9

_MAX_TEXTS = 1 << 20
"""More texts than any table in use replaces: the largest have 225,000."""
_AT_ONCE = 1 << 14
_TABLES = 4
"""Tables that are remembered: almost all models have one of four."""

_BLANKS = " \n"
_ENDINGS = (b" ", "▁".encode())


@lru_cache(_TABLES)
def blanks_and_letters(compiled: bytes) -> tuple[bytes, frozenset[str]]:
    """Return which of space and newline become a space wherever they are, and the last characters
    of what becomes nothing or something that ends in a space.

    compiled: the table; empty for none. Raises ValueError for a damaged table, or one that replaces
    texts of several characters with a space or newline among them.
    """
    found = replacements(compiled) if compiled else {}
    texts = [text.decode("utf-8") for text in found]
    if any(len(text) > 1 and not set(_BLANKS).isdisjoint(text) for text in texts):
        raise ValueError("a space is replaced together with what is beside it")
    becomes = {blank: found.get(blank.encode(), blank.encode()) for blank in _BLANKS}
    blanks = "".join(blank for blank, what in becomes.items() if what == b" ")
    changed = zip(texts, found.values(), strict=True)
    ends = {text[-1] for text, what in changed if not what or what.endswith(_ENDINGS)}
    return blanks.encode(), frozenset(ends)


def replacements(compiled: bytes) -> dict[bytes, bytes]:
    """List the texts that a table replaces, with what they become, in UTF-8.

    The size of a trie in the form of Darts-clone comes first, then the trie, then all that
    something becomes, each ended by a zero. A unit of the trie has the byte that leads to it,
    whether the text until here is replaced, and how far away the units are to which a further byte
    leads. Raises ValueError for a damaged table.
    """
    size = int.from_bytes(compiled[:4], "little")
    if size == 0 or size % 4 or 4 + size > len(compiled):
        raise ValueError("the table of characters is cut off")
    units = np.frombuffer(compiled, "<u4", size // 4, 4).astype(np.int64)
    values = compiled[4 + size :]
    found: dict[bytes, bytes] = {}
    level = [(np.zeros(1, np.int64), [b""])]
    # A unit tells from where its byte leads to it: they are sorted by that, and by their bytes.
    labels = units & _LABEL
    steps = np.flatnonzero((labels > 0) & (labels < 256))
    steps = steps[np.lexsort((labels[steps], steps ^ labels[steps]))]
    origins = steps ^ labels[steps]
    while level:
        following = []
        for places, keys in level:
            if len(found) > _MAX_TEXTS:
                raise ValueError("the table of characters is too large")
            here = units[places]
            behind = places ^ ((here >> 10) << ((here & _FAR) >> 6))
            ended = np.flatnonzero(here & _HAS_VALUE)
            for row, place in zip(ended.tolist(), behind[ended].tolist(), strict=True):
                begin = int(units[place]) & _NUMBER if place < len(units) else len(values)
                end = values.find(b"\0", begin)
                if end < 0:
                    raise ValueError("the table of characters is cut off")
                found[keys[row]] = values[begin:end]
            first, until = (np.searchsorted(origins, behind, side) for side in ("left", "right"))
            rows = np.repeat(np.arange(len(places)), until - first)
            begun = np.cumsum(until - first) - (until - first)
            to = steps[np.arange(len(rows)) + np.repeat(first - begun, until - first)]
            further = zip(rows.tolist(), labels[to].tolist(), strict=True)
            longer = [keys[row] + bytes([byte]) for row, byte in further]
            for begin in range(0, len(longer), _AT_ONCE):
                some = slice(begin, begin + _AT_ONCE)
                following.append((to[some], longer[some]))
        level = following
    return found
