"""Words by a regex of the `regex` module, and the exact places of tokens within them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.regexes import compiled, spans
from bpe_gui.bpe.utf8 import bytes_of_characters
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.reading import shown

# -- Exact places of tokens ---------------------------------------------------------------------
#
# Several tokens may share a character: those that hold its bytes, or those that stand for what
# normalization has made of it. Where their contents spell the text, each has its own bytes;
# else each has all bytes of its characters, which is all that is known.

AROUND = 24
"""Characters of the text on either side that are looked at as well."""

Normalize = Callable[[str], str]
"""What is made of a text."""

Columns = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Where spans begin and end, ascending."""


def byte_spans(
    data: bytes,
    char_starts: NDArray[np.int64],
    char_ends: NDArray[np.int64],
    contents: list[bytes],
    which: NDArray[np.int64],
) -> Columns:
    """The bytes of tokens of which the characters are known.

    `data` is the text, `contents[which[i]]` is what token i stands for. The places that come
    in may overlap, and be out of order by a library's carelessness; those that go out ascend.
    """
    places = bytes_of_characters(data)
    starts = places[np.clip(char_starts, 0, len(places) - 1)]
    ends = places[np.clip(char_ends, 0, len(places) - 1)]
    return sharing_bytes(data, starts, ends, contents, which)


def sharing_bytes(
    data: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    contents: list[bytes],
    which: NDArray[np.int64],
) -> Columns:
    """As `byte_spans`, for tokens of which the bytes are known that several of them share."""
    starts = np.maximum.accumulate(np.clip(starts, 0, len(data)))
    ends = np.maximum.accumulate(np.clip(ends, starts, len(data)))
    if not len(starts):
        return starts, ends
    # A group is a longest run of tokens of which each shares bytes with the one before.
    begins = np.flatnonzero(np.append(True, starts[1:] >= ends[:-1]))
    stops = np.append(begins[1:], len(starts))
    several = stops - begins > 1
    for begin, stop in zip(begins[several].tolist(), stops[several].tolist(), strict=True):
        parts = [contents[index] for index in which[begin:stop].tolist()]
        place = int(starts[begin])
        cuts = _spelled(data[place : int(ends[stop - 1])], parts)
        if cuts is not None:
            starts[begin:stop] = place + cuts[:-1]
            ends[begin:stop] = place + cuts[1:]
    return starts, ends


def _spelled(piece: bytes, parts: list[bytes]) -> NDArray[np.int64] | None:
    """Where parts that spell a piece are cut; a space that was put before it takes no room.

    >>> _spelled(b"ab", [b" a", b"b"])
    array([0, 1, 2])
    """
    joined = b"".join(parts)
    added = 1 if joined == b" " + piece else 0
    if not added and joined != piece:
        return None
    cuts: NDArray[np.int64] = np.cumsum([-added, *(len(part) for part in parts)])
    return np.maximum(cuts, 0)


def composed_end(text: str, place: int, normalize: Normalize) -> int:
    """Where the marks end that begin at a character and become one with what is before them.

    The place itself if nothing there does.

    >>> import unicodedata
    >>> composed_end("cafe\\u0301s", 4, lambda text: unicodedata.normalize("NFC", text))
    5
    """
    end = place
    while place and end < len(text) and may_be_composed(text[end]):
        first = max(place - AROUND, 0)
        head, tail = text[first:end], text[end : end + 1]
        whole = normalize(head + tail)
        if whole in (normalize(head) + normalize(tail), normalize(head)):
            break
        end += 1
    return end


def may_be_composed(character: str) -> bool:
    """Whether a character may become one with the one before: marks, vowels of Hangul."""
    return unicodedata.category(character)[0] == "M" or "\u1161" <= character <= "\u11ff"


# -- Words --------------------------------------------------------------------------------------
#
# The pattern may come from a file or from the keyboard: it may not compile, it may take a
# lifetime to match, it may drop text or match nothing at all.

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
        self._ids = special_tokens
        self._special_pattern = regex.compile("|".join(map(regex.escape, special_tokens)))

    @property
    def matches_nothing(self) -> bool:
        """Whether the pattern has matches of no characters. Raises EncodingError as `split`."""
        return len(self._plain("", 0, 0)) > 0

    def split(self, text: str, *, specials_as_text: bool = False) -> Words:
        """The words of a text. Raises EncodingError if it takes too long."""
        rows: list[tuple[int, int, int]] = []
        done = 0
        if self._ids and not specials_as_text:
            for found in self._special_pattern.finditer(text):
                rows += self._plain(text, done, found.start())
                rows.append((*found.span(), self._ids[found.group()]))
                done = found.end()
        rows += self._plain(text, done, len(text))
        columns = np.array(rows, np.int64).reshape(-1, 3)
        columns = columns[columns[:, 1] > columns[:, 0]]
        places = bytes_of_characters(text.encode("utf-8"))
        return Words(places[columns[:, 0]], places[columns[:, 1]], columns[:, 2])

    def try_out(self, text: str) -> None:
        """Split a text and keep nothing of it. Raises EncodingError if it takes too long."""
        self._plain(text, 0, len(text))

    def _plain(self, text: str, begin: int, end: int) -> list[tuple[int, int, int]]:
        """The matches within a part of a text, to which the pattern sees no further."""
        matches = spans(self._compiled, text[begin:end], _WHAT, self._compiled.groups)
        try:
            return [(begin + first, begin + last, NO_TOKEN) for first, last in matches]
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
