"""Encoding and decoding with the merges before any position of a history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.segmentation import Segmentation
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


class Trace:
    """How one text is cut at every position of a history.

    The text is encoded once with all merges; what is kept is the step at which each
    border between two symbols vanished, and so any position is a matter of a few array
    operations. `extend` takes in merges that came since, from where it stands.
    """

    def __init__(
        self,
        history: History,
        text: str,
        *,
        specials_as_text: bool = False,
        compiled: bool | None = None,
    ) -> None:
        self.history = history
        self.text = text
        spelled = Speller(history.recipe, history.base).spell(
            text, specials_as_text=specials_as_text, compiled=compiled
        )
        self._starts = spelled.starts
        self._ends = spelled.ends
        self._segmentation = Segmentation(
            history, spelled.ids, spelled.word_starts, compiled=compiled
        )
        data = np.frombuffer(text.encode("utf-8"), np.uint8)
        self._characters = np.cumsum(data & 0xC0 != 0x80) - 1
        self._characters = np.append(self._characters, len(text))

    def extend(self) -> None:
        """Take in the merges that the history has had since."""
        self._segmentation.extend()

    def tokens(self, position: int) -> Tokens:
        """The tokens with the merges before a position.

        Raises IndexError if the position is beyond the merges taken in.
        """
        first, ids = self._segmentation.tokens(position)
        last = np.append(first[1:], len(self._ends)) - 1 if len(first) else first
        starts, ends = self._starts[first], self._ends[last]
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
        ends_word = len(ids) > 0 and ids[-1] != NO_TOKEN and history.ends_word(ids[-1])
        return whole[:-1] if ends_word else whole

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the tokens; bytes that are no UTF-8 become U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")
