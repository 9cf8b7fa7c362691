"""A run of ours, at any of its positions, as an encoding among others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.derivation import NOWHERE, made_at
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.normalize import normalize_aligned
from bpe_gui.bpe.recipe import EndOfWord, Prepend, Replace
from bpe_gui.bpe.tokenizer import (
    ByteTokens,
    Decoder,
    StepwiseEncoding,
    Tokenizer,
    Tokens,
    UnknownTokenError,
)
from bpe_gui.encodings.base import EncodingError, Merge, Model

_MOST_KEPT = 1 << 16
"""Characters of the texts that are kept cut at all positions, if they are several."""


class TrainedEncoding:
    """The merges of a history before a position (default: all so far). See `base.Encoding`.

    Characters outside the alphabet have the id NO_TOKEN, unless the recipe has an unknown
    token. The same text at another position costs next to nothing: what was cut last is kept, or
    of short texts the last ones, and `at` shares it.
    """

    model = Model.BPE

    def __init__(self, history: History, position: int | None = None, *, name: str = "") -> None:
        self.history = history
        self.position = len(history) if position is None else position
        self.name = name or history.recipe.name
        self.vocabulary_size = history.vocabulary_size(self.position)
        """How many tokens there are at the position, special ones included."""
        self._traces: dict[tuple[str, bool], StepwiseEncoding] = {}
        self._tokenizer: Tokenizer | None = None
        self._contents = _Contents(history)
        self._decoder = Decoder(history)

    def at(self, position: int, *, name: str = "") -> TrainedEncoding:
        """The same run at another position; cheap enough for every frame."""
        other = TrainedEncoding(self.history, position, name=name or self.name)
        other._traces = self._traces
        other._contents = self._contents
        other._decoder = self._decoder
        return other

    @property
    def ids(self) -> range:
        """The ids of all tokens at the position."""
        return range(self.vocabulary_size)

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text; see `base.Encoding`. Raises EncodingError if a regex takes too long."""
        return self._trace(text, specials_as_text).tokens(self.position)

    def _trace(self, text: str, specials_as_text: bool) -> StepwiseEncoding:
        """How a text is cut at every position; those of the texts before are kept."""
        trace = self._traces.pop((text, specials_as_text), None)
        if trace is None:
            with self._telling():
                trace = StepwiseEncoding(self.history, text, specials_as_text=specials_as_text)
        former = list(self._traces)
        size = len(text) + sum(len(kept) for kept, _ in former)
        for key in former:
            if size > _MOST_KEPT:
                self._traces.pop(key, None)
                size -= len(key[0])
        self._traces[text, specials_as_text] = trace
        trace.extend()
        return trace

    # -- for measuring many documents; see `measure` --------------------------------------------

    @property
    def unknown_ids(self) -> tuple[int, ...]:
        """The recipe's unknown token, if it has one."""
        return self.history.recipe.unknown_ids

    @property
    def may_have_empty_ends(self) -> bool:
        """Whether a token may stand for no text at an end of a document; see
        `measure.CutsDocuments`."""
        recipe = self.history.recipe
        if any(isinstance(step, Prepend | Replace) for step in recipe.normalizers):
            return True
        # Spaces beside ideographs, and markers of words of white space, are dropped with it.
        may = "bert-chinese" in recipe.normalizers or recipe.end_of_word is EndOfWord.OWN
        return may and recipe.split not in ("whitespace", "bert")

    def cut(
        self, data: bytes, document_ends: NDArray[np.int64], *, specials_as_text: bool = False
    ) -> ByteTokens:
        """Cut documents that stand one after another in UTF-8, and keep no trace of it."""
        with self._telling():
            return self._words.cut(data, document_ends, specials_as_text=specials_as_text)

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Where a text can be cut; see `measure.KnowsSafeCuts`."""
        return self._words.safe_cut(data, specials_as_text=specials_as_text)

    @property
    def _words(self) -> Tokenizer:
        """A tokenizer, which remembers the words that it has met."""
        if self._tokenizer is None:
            self._tokenizer = Tokenizer(self.history, self.position)
        return self._tokenizer

    # -------------------------------------------------------------------------------------------

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say of a regex that takes too long whose it is. Raises EncodingError."""
        try:
            yield
        except PatternError as error:
            raise EncodingError(f"{self.name}: {error}") from None

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; unknown characters are missing. Raises EncodingError."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes of ids. Raises EncodingError for those that the vocabulary does not have."""
        try:
            return self._decoder.decode_bytes(ids, self.position)
        except UnknownTokenError as error:
            raise EncodingError(f"{self.name}: {error}") from None

    def id_to_token(self, token: int) -> str:
        """A token as the vocabulary writes it. Raises EncodingError for an unknown id."""
        return self.history.id_to_token(self._checked(token))

    def token_bytes(self, token: int) -> bytes:
        """The bytes of text that a token stands for. Raises EncodingError for an unknown id."""
        return self.history.bytes_in_text(self._checked(token))

    def is_special(self, token: int) -> bool:
        """Whether it is one of the recipe's special tokens that are looked for in a text."""
        reserved = self.history.recipe.reserved_tokens
        return self.history.is_special(token) and self.history.id_to_token(token) not in reserved

    def is_unknown(self, token: int) -> bool:
        """Whether it is no token, or the recipe's unknown token."""
        return token == NO_TOKEN or token in self.unknown_ids

    def is_fallback_byte(self, token: int) -> bool:
        """Tell that none is: recipes have no byte fallback."""
        return False

    def token_to_id(self, content: bytes) -> int | None:
        """The token with this content that text is cut into; of several the lowest id."""
        return self._contents.find(content, self.position, marked=False)

    def marked_token_bytes(self, token: int) -> bytes:
        """As `content`, but with the end-of-word marker. Raises EncodingError."""
        return self.history.token_bytes(self._checked(token))

    def marked_token_to_id(self, content: bytes) -> int | None:
        """As `find`, for content with the end-of-word marker."""
        return self._contents.find(content, self.position, marked=True)

    def merge(self, token: int) -> Merge | None:
        """Which merge made a token, the first if several did; None for one from the start."""
        step = made_at(self.history, self._checked(token))
        if not 0 <= step < self.position:
            return None
        return Merge(step, int(self.history.left[step]), int(self.history.right[step]))

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Where words begin, in bytes of the text's UTF-8; see `base.Encoding`."""
        spelled = self._trace(text, specials_as_text).spelled
        starts = spelled.starts[spelled.word_starts]
        # What one changed character was made into may be several words, all at its place.
        before = np.append(0, spelled.ends)[spelled.word_starts]
        return np.compress(starts >= before, starts)

    def normalized(self, text: str) -> str:
        """The text as the recipe's normalizers leave it."""
        return normalize_aligned(text, self.history.recipe.normalizers).text

    def _is_known(self, token: int) -> bool:
        return 0 <= token < self.vocabulary_size

    def _checked(self, token: int) -> int:
        if not self._is_known(token):
            raise EncodingError(
                f"{self.name} has no token with the id {token}; its ids go from 0 to "
                f"{self.vocabulary_size - 1}"
            )
        return token


class _Contents:
    """Which tokens of a history stand for some bytes; shared by all positions."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._noted = NOWHERE
        self._tokens: dict[bool, dict[bytes, dict[int, int]]] = {False: {}, True: {}}
        """Marked or not: content: the tokens that have it and the first merge that made each."""

    def find(self, content: bytes, position: int, *, marked: bool) -> int | None:
        """The lowest id of those that are symbols or were merged before a position."""
        if self._noted == NOWHERE:
            for token in self._history.base.symbol_ids:
                self._note(token, NOWHERE)
            self._noted = 0
        length = len(self._history)
        for step in range(self._noted, length):
            self._note(int(self._history.new_id[step]), step)
        self._noted = length
        made = self._tokens[marked].get(content, {})
        return min((token for token, step in made.items() if step < position), default=None)

    def _note(self, token: int, step: int) -> None:
        contents = {
            False: self._history.bytes_in_text(token),
            True: self._history.token_bytes(token),
        }
        for marked, content in contents.items():
            self._tokens[marked].setdefault(content, {}).setdefault(token, step)
