"""Special tokens in a text: where they are, and how much white space belongs to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.normalize import WHITE_SPACE, normalize
from bpe_gui.bpe.pre_tokenize import split_words
from bpe_gui.bpe.regexes import compiled as compiled_pattern

SPECIAL = 3
"""A kind of word, beside those of `split_words`: a special token in a normalized text."""

_SPACES = frozenset(character.encode("utf-8") for character in WHITE_SPACE)

_WORD_CHARACTER = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"
"""What `\\w` means to the `tokenizers` library."""


class SpecialTokenFinder:
    """Finds special tokens in UTF-8.

    The leftmost is found first, and among those the longest. Tokens of `lstrip` and `rstrip` take
    the white space before and after them that no token has taken, and those of `single_word` are
    passed over beside letters, marks, digits and underscores: all as the `tokenizers` library has
    it.
    """

    def __init__(
        self,
        ids: Mapping[bytes, int],
        *,
        lstrip: Set[int] = frozenset(),
        rstrip: Set[int] = frozenset(),
        single_word: Set[int] = frozenset(),
    ) -> None:
        self._ids = ids
        self._lstrip, self._rstrip, self._single_word = lstrip, rstrip, single_word
        longest_first = sorted(ids, key=len, reverse=True)
        self._pattern = re.compile(b"|".join(map(re.escape, longest_first)))

    def __bool__(self) -> bool:
        return bool(self._ids)

    def find(self, data: bytes) -> Iterator[tuple[int, int, int]]:
        """Tell where special tokens are, as (begin, end, id).

        >>> list(SpecialTokenFinder({b"<m>": 7}, lstrip={7}).find(b"a <m> b<m>"))
        [(1, 5, 7), (7, 10, 7)]
        """
        done = place = 0
        while self._ids and (match := self._pattern.search(data, place)):
            begin, end = match.span()
            token = self._ids[match[0]]
            place = end
            if token in self._single_word and (_ends_word(data, begin) or _begins_word(data, end)):
                continue
            if token in self._lstrip:
                begin = _begin_of_space(data, begin, done)
            if token in self._rstrip:
                end = _end_of_space(data, end)
            yield begin, end, token
            done = place = end

    def divide(
        self, data: bytes, ends: NDArray[np.int64], special: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
        """Divide the sections of a text at the special tokens that are found in each of them.

        `ends` are where the sections end, `special` tells which of them are special tokens
        already: their ids, or NO_TOKEN. Returns both for the sections that are made of them, and
        the first of these that each of the former has, with one entry more.

        >>> ends, special = np.array([4, 7]), np.array([NO_TOKEN, NO_TOKEN], np.int32)
        >>> found = SpecialTokenFinder({b"<m>": 7}).divide(b"a<m><m>", ends, special)
        >>> [column.tolist() for column in found]
        [[1, 4, 7], [-1, 7, 7], [0, 2, 3]]
        """
        if not self._ids or self._pattern.search(data) is None:
            return ends, special, np.arange(len(ends) + 1)
        made: list[tuple[int, int]] = []
        first = [0]
        begin = 0
        for end, known in zip(ends.tolist(), special.tolist(), strict=True):
            done = begin
            for start, stop, token in self.find(data[begin:end]) if known == NO_TOKEN else ():
                if begin + start > done:
                    made.append((begin + start, NO_TOKEN))
                made.append((begin + stop, token))
                done = begin + stop
            if end > done:
                made.append((end, known))
            first.append(len(made))
            begin = end
        rows = np.array(made, np.int64).reshape(-1, 2)
        return rows[:, 0].copy(), rows[:, 1].astype(np.int32), np.array(first, np.int64)


class SpecialTokens(Struct, frozen=True):
    """What finds the special tokens of a recipe, but for reserved ones.

    in_text: those that are found in a text as it is, first of all. in_normalized: those that are
    found in what is between them when it has been normalized, as they are normalized themselves.
    """

    in_text: SpecialTokenFinder
    in_normalized: SpecialTokenFinder

    @classmethod
    def of(cls, value: Callable[[str], Any]) -> SpecialTokens:
        """Make them of the values of a recipe's fields, which may still be those of a draft."""
        ids = {token: number for number, token in enumerate(value("special_tokens"))}
        options = {
            name: frozenset(ids[token] for token in value(f"{name}_tokens") if token in ids)
            for name in ("lstrip", "rstrip", "single_word")
        }
        in_text: dict[bytes, int] = {}
        in_normalized: dict[bytes, int] = {}
        for token, number in ids.items():
            is_normalized = token in value("normalized_tokens")
            text = normalize(token, value("normalizers")) if is_normalized else token
            if text and token not in value("reserved_tokens"):
                found = in_normalized if is_normalized else in_text
                found.setdefault(text.encode("utf-8"), number)
        return cls(*(SpecialTokenFinder(each, **options) for each in (in_text, in_normalized)))

    def split_normalized(
        self, data: NDArray[np.uint8], split: str, *, compiled: bool | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Split a normalized text as `split_words` does it, with the special tokens that are found
        there as words of the kind `SPECIAL`.
        """
        if not self.in_normalized:
            return split_words(data, split, compiled=compiled)
        size, done = len(data), 0
        all_ends, all_kinds = [np.empty(0, np.int64)], [np.empty(0, np.uint8)]
        for begin, end, _ in (*self.in_normalized.find(data.tobytes()), (size, size, 0)):
            if begin > done:
                ends, kinds = split_words(data[done:begin], split, compiled=compiled)
                all_ends.append(ends + done)
                all_kinds.append(kinds)
            if end > begin:
                all_ends.append(np.array([end], np.int64))
                all_kinds.append(np.array([SPECIAL], np.uint8))
            done = end
        return np.concatenate(all_ends), np.concatenate(all_kinds)


NO_SPECIAL_TOKENS = SpecialTokens(SpecialTokenFinder({}), SpecialTokenFinder({}))


def _begin_of_space(data: bytes, end: int, least: int) -> int:
    """Find where the white space before a place begins."""
    begin = end
    while size := next((n for n in (1, 2, 3) if begin - n >= least
                        and data[begin - n : begin] in _SPACES), 0):  # fmt: skip
        begin -= size
    return begin


def _end_of_space(data: bytes, begin: int) -> int:
    """Find where the white space after a place ends."""
    end = begin
    while size := next((n for n in (1, 2, 3) if data[end : end + n] in _SPACES), 0):
        end += size
    return end


def _ends_word(data: bytes, end: int) -> bool:
    """Tell whether what is before a place ends with a character of a word."""
    return _is_of_word(data[max(end - 4, 0) : end].decode("utf-8", "ignore")[-1:])


def _begins_word(data: bytes, begin: int) -> bool:
    """Tell whether what is after a place begins with a character of a word."""
    return _is_of_word(data[begin : begin + 4].decode("utf-8", "ignore")[:1])


def _is_of_word(character: str) -> bool:
    return compiled_pattern(_WORD_CHARACTER, "special tokens").match(character) is not None
