"""A run trained here, at any of its positions, as an `Encoding`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.derivation import NOWHERE, made_at
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.normalize import normalize_aligned
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.tokenizer import (
    ByteTokens,
    CutPreTokens,
    Decoder,
    StepwiseEncoding,
    Tokenizer,
    Tokens,
    UnknownTokenError,
)
from bpe_gui.encodings.base import Encoding, EncodingError, Model, RankedMerge, no_such_token

_MAX_CACHED = 1 << 16
"""Characters of all texts whose tokens at every position are cached, unless it is only one."""
_MOST_CACHED = 16
"""How many of them there are at most: however short, each has a table of the merges, which takes
1.5 MB for 50,000."""


class TrainedEncoding:
    """Encode with the merges of a history before a position (default: all). See `base.Encoding`.

    Characters outside the alphabet have the id NO_TOKEN, unless the recipe has an unknown token.
    Encoding the same text at another position costs next to nothing: the last text is cached, or
    several if they are short, and `at` shares the cache.
    """

    model = Model.BPE

    def __init__(self, history: History, position: int | None = None, *, name: str = "") -> None:
        self.history = history
        self.position = len(history) if position is None else position
        self.name = name or history.recipe.name
        self.vocabulary_size = history.vocabulary_size(self.position)
        """The number of tokens at the position, special ones included."""
        self._cached: dict[tuple[str, bool], StepwiseEncoding] = {}
        self._tokenizer: Tokenizer | None = None
        self._ids_by_content = _IdsByContent(history)
        self._decoder = Decoder(history)

    def at(self, position: int, *, name: str = "") -> TrainedEncoding:
        """Make the encoding of the same run at another position; cheap enough for every frame."""
        other = TrainedEncoding(self.history, position, name=name or self.name)
        other._cached = self._cached
        other._ids_by_content = self._ids_by_content
        other._decoder = self._decoder
        return other

    @property
    def ids(self) -> range:
        """List the ids of all tokens at the position."""
        return range(self.vocabulary_size)

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Tokenize a text. Raises EncodingError if a regex takes too long."""
        return self._stepwise(text, specials_as_text).tokens(self.position)

    def _stepwise(self, text: str, specials_as_text: bool) -> StepwiseEncoding:
        """Tokenize a text at every position, or take it from the cache, the oldest leave first."""
        found = self._cached.pop((text, specials_as_text), None)
        if found is None:
            with self._naming_errors():
                found = StepwiseEncoding(self.history, text, specials_as_text=specials_as_text)
        former = list(self._cached)
        size = len(text) + sum(len(cached) for cached, _ in former)
        for left, key in zip(range(len(former), 0, -1), former, strict=True):
            if size > _MAX_CACHED or left >= _MOST_CACHED:
                self._cached.pop(key, None)
                size -= len(key[0])
        # Only then may another thread find it: two must not extend it at once.
        found.extend()
        self._cached[text, specials_as_text] = found
        return found

    # -- for measuring many documents; see `measure` --------------------------------------------

    @property
    def unknown_ids(self) -> tuple[int, ...]:
        """List the recipe's unknown token, if it has one."""
        return self.history.recipe.unknown_ids

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokenize short texts; see `base.EncodesBatches`."""
        parts = [text.encode("utf-8") for text in texts]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        first, tokens = self.encode_documents(b"".join(parts), ends, specials_as_text=True)
        return [tokens.ids[a:b].tolist() for a, b in pairwise(first.tolist())]

    def encode_documents(
        self,
        data: bytes,
        document_ends: NDArray[np.int64],
        *,
        specials_as_text: bool = False,
        continues: bool = False,
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Tokenize concatenated documents in UTF-8, without caching them."""
        with self._naming_errors():
            return self._words.encode_documents(
                data, document_ends, specials_as_text=specials_as_text, continues=continues
            )

    @property
    def recipe(self) -> Recipe:
        """Return the recipe that texts are prepared by."""
        return self.history.recipe

    def encode_pre_tokens(
        self,
        text: NDArray[np.uint8],
        ends: NDArray[np.int64],
        *,
        cuts: SharedCuts | None = None,
        begin: int = 0,
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Tokenize pre-tokens one by one; see `measure.EncodesPreTokens`."""
        if cuts is None:
            return self._words.encode_pre_tokens(text, ends)
        return cuts.tokens(self.history, self.position, begin, text, ends)

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Find where a text can be cut; see `base.KnowsSafeCuts`."""
        return self._words.safe_cut(data, specials_as_text=specials_as_text)

    @property
    def _words(self) -> Tokenizer:
        """Make the tokenizer at the position once; it caches words."""
        if self._tokenizer is None:
            self._tokenizer = Tokenizer(self.history, self.position)
        return self._tokenizer

    # -------------------------------------------------------------------------------------------

    @contextmanager
    def _naming_errors(self) -> Iterator[None]:
        """Turn a PatternError into an EncodingError that begins with the encoding's name."""
        try:
            yield
        except PatternError as error:
            raise EncodingError(f"{self.name}: {error}") from None

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids to text, without unknown characters. Raises EncodingError."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Decode ids to bytes. Raises EncodingError for an unknown id."""
        try:
            return self._decoder.decode_bytes(ids, self.position)
        except UnknownTokenError as error:
            raise EncodingError(f"{self.name}: {error}") from None

    def id_to_token(self, token: int) -> str:
        """Spell a token as the vocabulary does. Raises EncodingError for an unknown id."""
        return self.history.id_to_token(self._checked(token))

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of text that a token stands for. Raises EncodingError."""
        return self.history.bytes_in_text(self._checked(token))

    def is_special(self, token: int) -> bool:
        """Tell whether a token is one of the special tokens that are found in a text."""
        reserved = self.history.recipe.reserved_tokens
        return self.history.is_special(token) and self.history.id_to_token(token) not in reserved

    def is_unknown(self, token: int) -> bool:
        """Tell whether it is NO_TOKEN or the recipe's unknown token."""
        return token == NO_TOKEN or token in self.unknown_ids

    def is_fallback_byte(self, token: int) -> bool:
        """Tell whether it is a byte that characters outside the alphabet fall back to."""
        return self.history.is_fallback_byte(token)

    def token_to_id(self, content: bytes) -> int | None:
        """Find the ordinary token with these bytes, of several the one with the lowest id."""
        return self._ids_by_content.find(content, self.position, marked=False)

    def marked_token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token with its end-of-word marker. Raises EncodingError."""
        return self.history.token_bytes(self._checked(token))

    def marked_token_to_id(self, content: bytes) -> int | None:
        """Find the token with these bytes, the end-of-word marker included."""
        return self._ids_by_content.find(content, self.position, marked=True)

    def merge(self, token: int) -> RankedMerge | None:
        """Find the first merge that made a token; None for a symbol or a special token."""
        step = made_at(self.history, self._checked(token))
        if not 0 <= step < self.position:
            return None
        return RankedMerge(step, int(self.history.left[step]), int(self.history.right[step]))

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Find where words begin, in bytes of the text's UTF-8; see `base.Encoding`."""
        spelled = self._stepwise(text, specials_as_text).spelled
        starts = spelled.starts[spelled.word_starts]
        # Normalization may make several words of one character, all at its place.
        before = np.append(0, spelled.ends)[spelled.word_starts]
        return np.compress(starts >= before, starts)

    def normalized(self, text: str) -> str:
        """Normalize a text with the recipe's normalizers."""
        return normalize_aligned(text, self.history.recipe.normalizers).text

    def is_found_normalized(self, token: int) -> bool:
        """Tell whether a special token is found after normalization."""
        return self.history.id_to_token(token) in self.history.recipe.normalized_tokens

    def normalized_part(self, text: str) -> str:
        """Normalize a part behind a special token: nothing is put before it once."""
        steps = self.history.recipe.normalizers
        return normalize_aligned(text, steps, is_first=False).text

    def _checked(self, token: int) -> int:
        if not 0 <= token < self.vocabulary_size:
            raise no_such_token(self, token)
        return token


class SharedCuts:
    """Cuts pre-tokens once for all positions of a run; any thread may ask."""

    def __init__(self) -> None:
        self._found: dict[tuple[History, int], _Cut] = {}

    def tokens(
        self,
        history: History,
        position: int,
        begin: int,
        text: NDArray[np.uint8],
        ends: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Return the tokens of some pre-tokens at a position; see `measure.EncodesPreTokens`.

        `begin` is the number of the first of them.
        """
        cut = self._found.setdefault((history, begin), _Cut())
        with cut.lock:
            if cut.made is None:
                cut.made = CutPreTokens(history, text, ends)
            cut.made.extend()
        return cut.made.tokens(position)


class _Cut:
    """What one thread makes while others wait for it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.made: CutPreTokens | None = None


class _IdsByContent:
    """Index the tokens of a history by their bytes, for all positions."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._indexed = NOWHERE
        self._tokens: dict[bool, dict[bytes, dict[int, int]]] = {False: {}, True: {}}
        """By whether the bytes have end-of-word markers, and by the bytes: ids, and the first merge
        that made each."""

    def find(self, content: bytes, position: int, *, marked: bool) -> int | None:
        """Find the lowest id of a symbol, or of a token merged before a position; bytes that
        characters fall back to come last.
        """
        if self._indexed == NOWHERE:
            for token in self._history.base.symbol_ids:
                self._add(token, NOWHERE)
            self._indexed = 0
        length = len(self._history)
        for step in range(self._indexed, length):
            self._add(int(self._history.new_id[step]), step)
        self._indexed = length
        made = self._tokens[marked].get(content, {})
        known = (token for token, step in made.items() if step < position)
        is_byte = self._history.is_fallback_byte
        return min(known, key=lambda token: (is_byte(token), token), default=None)

    def _add(self, token: int, step: int) -> None:
        contents = {
            False: self._history.bytes_in_text(token),
            True: self._history.token_bytes(token),
        }
        for marked, content in contents.items():
            self._tokens[marked].setdefault(content, {}).setdefault(token, step)


def vocabulary_ids(encoding: Encoding, ids: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the ids under which a vocabulary has tokens that an encoding has found; they
    differ for a run that goes on from another encoding.
    """
    return encoding.history.own_ids(ids) if isinstance(encoding, TrainedEncoding) else ids
