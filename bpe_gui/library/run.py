"""A run of ours as a tokenizer: in the ids of a file, and by the kernels that are done sooner."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.tokenizer import Tokenizer, Tokens
from bpe_gui.bpe.training import Phase, compile_kernels, is_compiling_worthwhile
from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.progress import COMPILING

log = logging.getLogger(__name__)


def log_compiling(done: int, total: int | None, phase: str) -> None:
    """Log that kernels are compiled, where nobody watches the progress: it takes a while."""
    if phase == Phase.COMPILING and not done:
        log.warning(COMPILING)


class Run:
    """A run of ours, with the ids that training gave, or those of the file it was loaded from.

    ids: of all tokens, in the order of the ids that training would give; there may be more.
    """

    def __init__(self, history: History, name: str, ids: Sequence[int] | None = None) -> None:
        size = history.vocabulary_size(len(history))
        self.history = history
        self.name = name
        self.ids = list(range(size) if ids is None else ids[:size])
        self._outer = np.array([*self.ids, NO_TOKEN], np.int32)
        self._inner = {token: number for number, token in enumerate(self.ids)}
        self._met = 0
        self._compiled = False
        self._tokenizer = Tokenizer(history, compiled=False)

    def encode(self, text: str) -> Tokens:
        """Cut a text. Interpreted kernels do it until so much has come that others are faster."""
        self._met += len(text)
        if not self._compiled and is_compiling_worthwhile(self._met):
            compile_kernels(log_compiling)
            self._tokenizer = Tokenizer(self.history, compiled=True)
            self._compiled = True
        try:
            tokens = self._tokenizer.encode(text)
        except PatternError as error:
            raise EncodingError(f"{self.name}: {error}") from None
        return replace(tokens, ids=self._outer[tokens.ids])

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids. Raises EncodingError for an unknown id."""
        return self._tokenizer.decode([self._number(token) for token in ids])

    def id_to_token(self, token: int) -> str:
        """A token as the vocabulary writes it. Raises EncodingError for an unknown id."""
        return self.history.id_to_token(self._number(token))

    def closes_word(self, token: int) -> bool:
        """Whether a token ends with a marker of a word's end. Raises EncodingError."""
        return self.history.ends_word(self._number(token))

    def check_own_ids(self) -> None:
        """Raise ExportError if the ids are not those that a saved run would have."""
        if self.ids != list(range(len(self.ids))):
            raise ExportError(
                f"{self.name} has the ids of its file, and a saved run would number its tokens "
                "anew; save the whole tokenizer"
            )

    def _number(self, token: int) -> int:
        try:
            return self._inner[token]
        except KeyError:
            raise EncodingError(f"{self.name} has no token with the id {token}") from None
