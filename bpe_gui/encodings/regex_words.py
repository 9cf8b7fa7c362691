"""Splitting into words by a regex of the `regex` module, and exact byte offsets of tokens."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping

import numpy as np
import regex
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.errors import PatternError, shown
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.regexes import compiled, spans
from bpe_gui.bpe.utf8 import bytes_of_characters
from bpe_gui.encodings.base import EncodingError

# -- Exact byte offsets of tokens ---------------------------------------------------------------
#
# Several tokens may share a character: each has some of its bytes, or a part of what normalization
# makes of it. If their contents together spell the text, every token gets its own bytes; else it
# gets all bytes of its characters, since no more is known.

AROUND = 24
"""Characters of context on either side that normalization may depend on."""

SPACES = " ▁"
"""Characters that spell an added space."""

Normalize = Callable[[str], str]
"""Normalizes a text."""

Columns = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Starts and ends of spans, ascending."""


def byte_spans(
    data: bytes,
    char_starts: NDArray[np.int64],
    char_ends: NDArray[np.int64],
    contents: list[bytes],
    which: NDArray[np.int64],
) -> Columns:
    """Find the bytes of tokens whose characters are known.

    data: the text in UTF-8. char_starts, char_ends: the characters of every token, as a library
        gives them: they may overlap, and even be out of order.
    contents[which[i]]: the bytes that token i stands for.
    Returns the starts and ends of the tokens in `data`, ascending.

    >>> both = np.array([0, 0]), np.array([1, 1])  # two tokens that share one character
    >>> byte_spans("é".encode(), *both, [b"\\xc3", b"\\xa9"], np.array([0, 1]))
    (array([0, 1]), array([1, 2]))
    """
    places = bytes_of_characters(data)
    starts = places[np.clip(char_starts, 0, len(places) - 1)]
    ends = places[np.clip(char_ends, 0, len(places) - 1)]
    return split_shared_bytes(data, starts, ends, contents, which)


def split_shared_bytes(
    data: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    contents: list[bytes],
    which: NDArray[np.int64],
) -> Columns:
    """Divide bytes that several tokens share among them, if their contents spell the text.

    starts, ends: the bytes of every token. The rest is as for `byte_spans`.
    """
    starts = np.maximum.accumulate(np.clip(starts, 0, len(data)))
    ends = np.maximum.accumulate(np.clip(ends, starts, len(data)))
    if not len(starts):
        return starts, ends
    # A group is a longest run of tokens of which every one shares bytes with the one before.
    begins = np.flatnonzero(np.append(True, starts[1:] >= ends[:-1]))
    stops = np.append(begins[1:], len(starts))
    several = stops - begins > 1
    several &= ~_divide(data, starts, ends, begins, stops, contents, which)
    for begin, stop in zip(begins[several].tolist(), stops[several].tolist(), strict=True):
        parts = [contents[index] for index in which[begin:stop].tolist()]
        place = int(starts[begin])
        cuts = _part_offsets(data[place : int(ends[stop - 1])], parts)
        if cuts is not None:
            starts[begin:stop] = place + cuts[:-1]
            ends[begin:stop] = place + cuts[1:]
    return starts, ends


def _divide(
    data: bytes,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    begins: NDArray[np.int64],
    stops: NDArray[np.int64],
    contents: list[bytes],
    which: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Divide the bytes of all groups whose contents are as long, if all of them spell the text.

    begins, stops: the tokens of every group. The rest is as for `split_shared_bytes`, whose starts
    and ends are changed. Returns which groups are divided: all that are as long, or none.
    """
    lengths = np.array([len(content) for content in contents], np.int64)[which]
    first, last = starts[begins], ends[stops - 1]
    as_long: NDArray[np.bool_] = np.add.reduceat(lengths, begins) == last - first
    inside = np.repeat(as_long, stops - begins)
    spelled = b"".join([contents[index] for index in which[inside].tolist()])
    places = zip(first[as_long].tolist(), last[as_long].tolist(), strict=True)
    if spelled != b"".join([data[place:end] for place, end in places]):
        return np.zeros(len(begins), np.bool_)
    before = np.cumsum(lengths) - lengths
    moved = before + np.repeat(first - before[begins], stops - begins)
    starts[inside], ends[inside] = moved[inside], (moved + lengths)[inside]
    return as_long


def _part_offsets(text: bytes, parts: list[bytes]) -> NDArray[np.int64] | None:
    """Find the offsets between parts that spell a text; None if they do not.

    A space that was added before the text has no width.

    >>> _part_offsets(b"ab", [b" a", b"b"])
    array([0, 1, 2])
    """
    joined = b"".join(parts)
    added = 1 if joined == b" " + text else 0
    if not added and joined != text:
        return None
    offsets: NDArray[np.int64] = np.cumsum([-added, *(len(part) for part in parts)])
    return np.maximum(offsets, 0)


def composed_end(text: str, place: int, normalize: Normalize) -> int:
    """Find the end of the marks at an index that normalization composes with the text before them.

    Returns `place` itself if there are none.

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


def leading_spaces(text: str, normalize: Normalize) -> int | None:
    """Count the spaces that a normalized text begins with, but for those put before any text.

    None if that cannot be told.

    >>> leading_spaces("low", lambda text: f"▁{text}"), leading_spaces("\\tlow", str.expandtabs)
    (0, 7)
    """
    before, both = normalize("x"), normalize(f"x{text}")
    if not both.startswith(before):
        return None
    own = both[len(before) :]
    return len(own) - len(own.lstrip(SPACES))


def may_be_composed(character: str) -> bool:
    """Tell whether a character may be composed with the one before: marks, vowels of Hangul.

    >>> may_be_composed("\\u0301"), may_be_composed("e")
    (True, False)
    """
    return unicodedata.category(character)[0] == "M" or "\u1161" <= character <= "\u11ff"


# -- Words --------------------------------------------------------------------------------------
#
# The pattern may come from a file or from the keyboard: it may be invalid, take for ever to match,
# drop text or match nothing at all.

_WHAT = "split pattern"
"""The name of the pattern in messages."""


class Words(Struct, frozen=True):
    """Hold the words of a text, in text order, as columns of equal length; no word is empty.

    starts, ends: bytes of the text's UTF-8; text between words is dropped.
    specials: the id of a word that is a special token, else NO_TOKEN.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    specials: NDArray[np.int64]


class WordSplitter:
    """Find special tokens in a text, and the matches of a pattern between them.

    An empty pattern does not split. If a pattern has a group, words are what the group matches, as
    with `findall`. Of several special tokens that begin at one place the first of the mapping is
    found. Raises EncodingError for a pattern that is invalid or has several groups.

    >>> words = WordSplitter(r"\\w+", {"<end>": 9}).split("ab cd<end>")
    >>> words.starts.tolist(), words.ends.tolist(), words.specials.tolist()
    ([0, 3, 5], [2, 5, 10], [-1, -1, 9])
    """

    def __init__(self, pattern: str, special_tokens: Mapping[str, int]) -> None:
        self.pattern = pattern
        self._compiled = _compile(pattern or r"[\s\S]+")
        self._ids = special_tokens
        self._special_pattern = regex.compile("|".join(map(regex.escape, special_tokens)))

    @property
    def matches_nothing(self) -> bool:
        """Tell whether the pattern can match no characters. Raises EncodingError as `split`."""
        return len(self._plain("", 0, 0)) > 0

    def split(self, text: str, *, specials_as_text: bool = False) -> Words:
        """Split a text into words. Raises EncodingError if it takes too long."""
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
        """Check that splitting a text does not take too long. Raises EncodingError."""
        self._plain(text, 0, len(text))

    def _plain(self, text: str, begin: int, end: int) -> list[tuple[int, int, int]]:
        """Find the matches within a part of a text; lookarounds do not see beyond it."""
        try:
            matches = spans(self._compiled, text[begin:end], _WHAT, self._compiled.groups)
        except PatternError as error:
            raise EncodingError(str(error)) from None
        return [(begin + first, begin + last, NO_TOKEN) for first, last in matches.tolist()]


def _compile(pattern: str) -> regex.Pattern[str]:
    try:
        found = compiled(pattern, _WHAT)
    except PatternError as error:
        raise EncodingError(str(error)) from None
    if found.groups > 1:
        raise EncodingError(
            f"the split pattern {shown(pattern)} has {found.groups} groups, and may have one at "
            "most; write (?:...) for (...)"
        )
    return found
