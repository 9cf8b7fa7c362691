"""Encoding and decoding with the merges before any position of a history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.segmenting import NEVER, learn, segment
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.spelling import Speller


class UnknownTokenError(ValueError):
    """An id that the vocabulary does not have; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text cut into tokens: columns of equal length, in text order.

    `ids` are NO_TOKEN for characters outside the alphabet. `starts` and `ends` are byte
    offsets into the text's UTF-8, `char_starts` and `char_ends` the characters that those
    bytes belong to: a token that holds part of a character covers the whole of it there.
    Text that the recipe drops (white space, say) is covered by no token.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    char_starts: NDArray[np.int64]
    char_ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class MergeTable:
    """Looks up which step merged a pair; grows with its history."""

    def __init__(self, compiled: bool | None) -> None:
        self._compiled = compiled
        self._size = 0
        self.keys = np.full(1 << 10, -1, np.int64)
        self.steps = np.zeros(1 << 10, np.int32)

    def learn(self, left: NDArray[np.int32], right: NDArray[np.int32]) -> None:
        """Take in the merges that came since the last call."""
        if 2 * len(left) > len(self.keys):
            slots = 1 << (2 * len(left)).bit_length()
            self.keys = np.full(slots, -1, np.int64)
            self.steps = np.zeros(slots, np.int32)
            self._size = 0
        learn.form(self._compiled)(left, right, self._size, self.keys, self.steps)
        self._size = len(left)


class Trace:
    """How one text is cut at every position of a history.

    The text is encoded once with all merges; what is kept is the step at which each
    border between two symbols vanished, and so any position is a matter of a few array
    operations. `extend` takes in merges that came since, from where it stands.
    """

    def __init__(self, history: History, text: str, *, compiled: bool | None = None) -> None:
        self.history = history
        self.text = text
        self._compiled = compiled
        spelled = Speller(history.recipe, history.base).spell(text, compiled=compiled)
        size = len(spelled.ids)
        self._symbols = spelled.ids
        self._starts = spelled.starts
        self._ends = spelled.ends
        self._word_starts = spelled.word_starts
        self._ids = spelled.ids.copy()
        self._following = np.arange(1, size + 1, dtype=np.int32)
        self._previous = np.arange(-1, size - 1, dtype=np.int32)
        if size:
            self._following[np.append(spelled.word_starts[1:], size) - 1] = -1
            self._previous[spelled.word_starts] = -1
        self._removed = np.full(size, NEVER, np.int32)
        self._ranks = np.empty(size, np.int32)
        longest = int(np.diff(np.append(spelled.word_starts, size)).max()) if size else 0
        self._heap = np.empty(2 * longest + 2, np.int64)
        data = np.frombuffer(text.encode("utf-8"), np.uint8)
        self._characters = np.cumsum(data & 0xC0 != 0x80) - 1
        self._characters = np.append(self._characters, len(text))
        self._table = MergeTable(compiled)
        self._length = 0
        self.extend()

    def extend(self) -> None:
        """Take in the merges that the history has had since."""
        left, right = self.history.left, self.history.right
        length = min(len(left), len(right))
        if length == self._length:
            return
        self._length = length
        self._table.learn(left[:length], right[:length])
        segment.form(self._compiled)(
            self._word_starts,
            self._ids,
            self._following,
            self._previous,
            self._removed,
            self._ranks,
            self._table.keys,
            self._table.steps,
            self.history.new_id,
            self._heap,
        )

    def tokens(self, position: int) -> Tokens:
        """The tokens with the merges before a position.

        Raises IndexError if the position is beyond the merges taken in.
        """
        if not 0 <= position <= self._length:
            raise IndexError(f"position {position} is outside 0..{self._length}")
        cut = self._removed >= position
        if len(cut):
            cut[self._word_starts] = True
        first = np.flatnonzero(cut)
        if not len(first):
            empty = np.empty(0, np.int64)
            return Tokens(np.empty(0, np.int32), empty, empty, empty, empty)
        last_merge = np.maximum.reduceat(np.where(cut, -1, self._removed), first)
        ids = self._symbols[first]
        merged = last_merge >= 0
        ids[merged] = self.history.new_id[last_merge[merged]]
        stop = np.append(first[1:], len(cut)) - 1
        starts, ends = self._starts[first], self._ends[stop]
        return Tokens(ids, starts, ends, *self._character_offsets(starts, ends))

    def _character_offsets(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        begin = self._characters[starts]
        end = np.where(ends > starts, self._characters[np.maximum(ends - 1, 0)] + 1, begin)
        return begin, end


class Tokenizer:
    """The encoding that consists of the merges before a position (default: all so far).

    Encoding is by lowest rank first within each pre-tokenized word. Byte-level recipes
    give back every text: decode(encode(text).ids) == text.
    """

    def __init__(
        self, history: History, position: int | None = None, *, compiled: bool | None = None
    ) -> None:
        self.history = history
        self.position = len(history) if position is None else position
        self._compiled = compiled

    def encode(self, text: str) -> Tokens:
        """Cut a text into tokens. Raises UnicodeEncodeError for lone surrogates."""
        return Trace(self.history, text, compiled=self._compiled).tokens(self.position)

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes that the tokens stand for.

        An end-of-word marker becomes a space, but for the last. Unknown characters
        (NO_TOKEN) are left out. Raises UnknownTokenError for ids that the vocabulary
        does not have at this position.
        """
        history = self.history
        size = history.vocabulary_size(self.position)
        marker = END_OF_WORD.encode()
        parts = []
        for token in ids:
            if token == NO_TOKEN:
                continue
            if not 0 <= token < size:
                raise UnknownTokenError(
                    f"the id {token} is not in the vocabulary, whose ids go from 0 to {size - 1}"
                )
            content = history.content(token)
            parts.append(
                content.removesuffix(marker) + b" " if history.ends_word(token) else content
            )
        whole = b"".join(parts)
        return whole[:-1] if parts and history.ends_word(ids[-1]) else whole

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the tokens; bytes that are no UTF-8 become U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")
