"""Words by a regex of the `regex` module, between special tokens, in bounded time.

The pattern may come from a file or from the keyboard: it may not compile, it may take a
lifetime to match, it may drop text or match nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.patterns import compiled, deadline, matches
from bpe_gui.bpe.recipe_error import PatternError
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.reading import shown
from bpe_gui.encodings.spans import character_bytes

_WHAT = "split pattern"
"""What sentences call the pattern."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, none of them empty, in text order: columns of equal length.

    `starts` and `ends` are bytes of the text's UTF-8. `specials` has the id where a word is a
    special token, NO_TOKEN elsewhere. What lies between words is dropped.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    specials: NDArray[np.int64]


class WordSplitter:
    """Finds special tokens in a text, and the matches of a pattern between them.

    An empty pattern does not split. A pattern with one group stands for what the group
    matches, as `findall` has it. Of several special tokens that begin at one place the first
    of the mapping is found. Raises EncodingError for a pattern that does not compile or has
    several groups.
    """

    def __init__(self, pattern: str, special_tokens: Mapping[str, int]) -> None:
        self.pattern = pattern
        self._compiled = _compile(pattern or r"[\s\S]+")
        self._group = self._compiled.groups
        self._ids = special_tokens
        self._special_pattern = regex.compile("|".join(map(regex.escape, special_tokens)))

    @property
    def matches_nothing(self) -> bool:
        """Whether the pattern has matches of no characters."""
        return self._compiled.match("") is not None

    def split(self, text: str, *, specials_as_text: bool = False) -> Words:
        """The words of a text. Raises EncodingError if it takes too long."""
        give_up = deadline(len(text))
        rows: list[tuple[int, int, int]] = []
        done = 0
        if self._ids and not specials_as_text:
            for found in self._special_pattern.finditer(text):
                rows += self._plain(text, done, found.start(), give_up)
                rows.append((*found.span(), self._ids[found.group()]))
                done = found.end()
        rows += self._plain(text, done, len(text), give_up)
        columns = np.array(rows, np.int64).reshape(-1, 3)
        columns = columns[columns[:, 1] > columns[:, 0]]
        places = character_bytes(text.encode("utf-8"))
        return Words(places[columns[:, 0]], places[columns[:, 1]], columns[:, 2])

    def try_out(self, text: str) -> None:
        """Split a text and keep nothing of it. Raises EncodingError if it takes too long."""
        for _ in self._matches(text, deadline(len(text))):
            pass

    def _plain(self, text: str, begin: int, end: int, give_up: float) -> list[tuple[int, int, int]]:
        """The matches within a part of a text, to which the pattern sees no further."""
        if begin == end:
            return []
        group = self._group
        return [
            (begin + match.start(group), begin + match.end(group), NO_TOKEN)
            for match in self._matches(text[begin:end], give_up)
        ]

    def _matches(self, part: str, give_up: float) -> Iterator[regex.Match[str]]:
        try:
            yield from matches(self._compiled, part, give_up, _WHAT)
        except PatternError as error:
            raise EncodingError(str(error)) from None


def _compile(pattern: str) -> regex.Pattern[str]:
    try:
        found = compiled(pattern, _WHAT)
    except PatternError as error:
        raise EncodingError(str(error)) from None
    if found.groups > 1:
        raise EncodingError(
            f"the split pattern {shown(pattern)} has {found.groups} groups, so that no match "
            "is one word; write (?:...) for (...)"
        )
    return found
