"""A trained run as a tokenizer, with the ids of a file and the kernels that are faster."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.tokenizer import Tokenizer, Tokens
from bpe_gui.bpe.training import Phase, compile_kernels, is_compiling_worthwhile
from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.progress import COMPILING

log = logging.getLogger(__name__)


def log_compiling(done: int, total: int | None, phase: str) -> None:
    """Log that kernels are compiled, which takes a while, if nobody shows the progress."""
    if phase == Phase.COMPILING and not done:
        log.warning(COMPILING)


class Run:
    """Encode with a run, with the ids of training or with those of the file it was loaded from.

    ids: the ids of all tokens, in the order of those that training gives; surplus ids are ignored.
    """

    def __init__(self, history: History, name: str, ids: Sequence[int] | None = None) -> None:
        size = history.vocabulary_size(len(history))
        self.history = history
        self.name = name
        self.ids = list(range(size) if ids is None else ids[:size])
        self._id_of_number = np.array([*self.ids, NO_TOKEN], np.int32)
        self._number_of_id = {token: number for number, token in enumerate(self.ids)}
        self._characters_encoded = 0
        self._compiled = False
        self._tokenizer = Tokenizer(history, compiled=False)

    def __reduce__(self) -> tuple[type[Run], tuple[History, str, list[int]]]:
        """Pickle and copy what it is made of, without cached words."""
        return Run, (self.history, self.name, self.ids)

    def encode(self, text: str) -> Tokens:
        """Tokenize a text, with compiled kernels as soon as enough text has come to be worth it.

        Raises EncodingError if a regex takes too long.
        """
        with self._encoding(text) as tokenizer:
            tokens = tokenizer.encode(text)
        return replace(tokens, ids=self._id_of_number[tokens.ids])

    def encode_ids(self, text: str) -> NDArray[np.int32]:
        """Do as `encode`, but return the ids alone."""
        with self._encoding(text) as tokenizer:
            ids = tokenizer.encode_ids(text)
        return self._id_of_number[ids]

    @contextmanager
    def _encoding(self, text: str) -> Iterator[Tokenizer]:
        self._characters_encoded += len(text)
        if not self._compiled and is_compiling_worthwhile(self._characters_encoded):
            compile_kernels(log_compiling)
            self._tokenizer = Tokenizer(self.history, compiled=True)
            self._compiled = True
        try:
            yield self._tokenizer
        except PatternError as error:
            raise EncodingError(f"{self.name}: {error}") from None

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids to text. Raises EncodingError for an unknown id."""
        return self._tokenizer.decode([self._number(token) for token in ids])

    def id_to_token(self, token: int) -> str:
        """Spell a token as the vocabulary does. Raises EncodingError for an unknown id."""
        return self.history.id_to_token(self._number(token))

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of text that a token stands for. Raises EncodingError."""
        return self.history.bytes_in_text(self._number(token))

    def closes_word(self, token: int) -> bool:
        """Tell whether a token ends with an end-of-word marker. Raises EncodingError."""
        return self.history.ends_word(self._number(token))

    def check_own_ids(self) -> None:
        """Check that the ids are those that a saved run would have. Raises ExportError."""
        if self.ids != list(range(len(self.ids))):
            raise ExportError(
                f"{self.name} has the ids of its file, which a saved run would change; save the "
                "whole tokenizer"
            )

    def _number(self, token: int) -> int:
        try:
            return self._number_of_id[token]
        except KeyError:
            raise EncodingError(f"{self.name} has no token with the id {token}") from None
