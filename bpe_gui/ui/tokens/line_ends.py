"""What stands between the blocks of a Qt document: the line ends of the text itself.

A Qt document has one kind of break, written U+2029, and makes it of six: LF, CR LF, CR, U+2029
and two noncharacters that Qt uses itself. Which of them each break was is kept here, while the
document is edited.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

BREAK = "\u2029"
"""A break as the raw text of a document has it."""

_KINDS = ("\n", "\r\n", "\r", BREAK, "\ufdd0", "\ufdd1")
_PAIR = 1
"""The kind that is two characters."""
_ANY = re.compile("\r\n|[\n\r\u2029\ufdd0\ufdd1]")
_UNUSUAL = re.compile("[\r\u2029\ufdd0\ufdd1]")
_KIND_OF = {end: kind for kind, end in enumerate(_KINDS)}
_REMEMBERED = 500
"""States of the document that can be come back to with their line ends."""


def kinds_in(text: str) -> bytes:
    r"""The kinds of the line ends of a text, in their order, as numbers from 0 (LF).

    >>> list(kinds_in("a\nb\r\nc\r"))
    [0, 1, 2]
    """
    if _UNUSUAL.search(text) is None:
        return bytes(text.count("\n"))
    return bytes(_KIND_OF[found] for found in _ANY.findall(text))


def with_plain_ends(text: str) -> str:
    """The text with LF for each of its line ends."""
    return text if _UNUSUAL.search(text) is None else _ANY.sub("\n", text)


class LineEnds:
    """The line ends of one document. As long as all of them are LF, there is nothing to keep."""

    def __init__(self) -> None:
        self._kinds: bytes | None = None
        self._expected: bytes | None = None
        self._units: NDArray[np.uint16] = np.empty(0, np.uint16)
        self._seen: dict[tuple[int, int], bytes] = {}

    def expect(self, raw: str, steps: int, start: int, end: int, text: str) -> None:
        """The document with this raw text is about to get a text in the place of a selection.

        steps: how many steps can be undone before that. `start` and `end` are counted as Qt
        does, in units of UTF-16.
        """
        kinds = kinds_in(text)
        if self._kinds is None:
            if not any(kinds):
                return
            self._follow(raw, steps, bytes(raw.count(BREAK)))
        assert self._kinds is not None
        before, within = self._breaks(0, start), self._breaks(start, end)
        self._expected = self._kinds[:before] + kinds + self._kinds[before + within :]

    def expect_all(self, text: str) -> None:
        """The document is about to hold another text; there is no way back to the one before."""
        kinds = kinds_in(text)
        self._seen.clear()
        self._expected = kinds if any(kinds) else None
        self._kinds = kinds if any(kinds) else None

    def has_come(self) -> None:
        """What was expected has come."""
        self._expected = None

    def note(self, raw: str, steps: int, position: int, removed: int) -> None:
        """The document has changed to this raw text: so many units were removed at a place.

        Line ends that nobody announced are LF, unless this very text was there before, with as
        many steps to undo: then it was come back to.
        """
        if self._kinds is None:
            return
        total = raw.count(BREAK)
        known = self._expected if self._expected is not None else self._seen.get((hash(raw), steps))
        if known is None or len(known) != total:
            before, within = self._breaks(0, position), self._breaks(position, position + removed)
            added = max(total - len(self._kinds) + within, 0)
            known = self._kinds[:before] + bytes(added) + self._kinds[before + within :]
        self._follow(raw, steps, (known + bytes(total))[:total])

    def exact(self, raw: str, before: int = 0) -> str:
        """The text that a raw text stands for: the document's, or a part of it.

        before: how many line ends come before the part.
        """
        if self._kinds is None or not any(self._kinds):
            return raw.replace(BREAK, "\n")
        parts = raw.split(BREAK)
        ends = [*(_KINDS[kind] for kind in self._kinds[before : before + len(parts) - 1]), ""]
        return "".join(part for pair in zip(parts, ends, strict=True) for part in pair)

    def _follow(self, raw: str, steps: int, kinds: bytes) -> None:
        self._units = np.frombuffer(raw.encode("utf-16-le", "surrogatepass"), np.uint16)
        self._kinds = kinds
        self._seen.pop((hash(raw), steps), None)
        self._seen[hash(raw), steps] = kinds
        if len(self._seen) > _REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def _breaks(self, start: int, end: int) -> int:
        return int(np.count_nonzero(self._units[start:end] == ord(BREAK)))
