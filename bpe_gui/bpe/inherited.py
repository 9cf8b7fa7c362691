"""The vocabulary of an encoding from which a run goes on, with all its merges and ids."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


class Inherited(Struct, frozen=True, eq=False, dict=True):
    """Hold what a run takes over from an encoding before its own first merge.

    name: that of the encoding. symbols: its symbols, as written, sorted; see `BaseVocabulary`.
    preparation: how its recipe prepares text, which must stay; see `recipe.preparation`.
    merges: rows of (left, right, merged), in ids of the run, where special tokens come first, then
        the symbols, then made tokens in the order in which they are made.
    ids: the encoding's own id of each of these tokens. first_new_id: the id of the first new token,
        behind all others.
    notation: the tokenizer.json around these tokens: all but the merges, and the vocabulary without
        what the run has.
    keeps_fallback: whether a character of the corpus that the encoding lacks stays the bytes that
        it falls back to, which never merge; else it becomes a symbol of the run.
    least_uses: how often a character must occur in the corpus to become a symbol although others
        stay bytes; 0 if all that the encoding lacks stay bytes.
    unlike: a sentence on the few texts that have other tokens than in the encoding; or empty.

    Two are equal if the encodings are, whatever their names.
    """

    name: str
    symbols: tuple[str, ...]
    preparation: str
    merges: NDArray[np.int32]
    ids: NDArray[np.int32]
    first_new_id: int
    notation: str
    keeps_fallback: bool = False
    least_uses: int = 0
    unlike: str = ""

    def __len__(self) -> int:
        return len(self.merges)

    @property
    def vocabulary_size(self) -> int:
        """Count the tokens, special ones included."""
        return len(self.ids)

    @property
    def whole_words(self) -> list[str]:
        """List the symbols of several characters.

        They are whole words or symbols with an end of word: see `Recipe.inherited_whole_words`.
        """
        return [symbol for symbol in self.symbols if len(symbol) > 1]

    @property
    def remade(self) -> int:
        """Count the merges that make a token which an earlier one makes as well."""
        return len(self.merges) - len(np.unique(self.merges[:, 2]))

    @cached_property
    def _digest(self) -> bytes:
        from hashlib import blake2b

        digest = blake2b(digest_size=16)
        kept = f"{self.keeps_fallback} {self.least_uses}"
        parts = ["\0".join((*self.symbols, self.preparation, kept)), self.notation]
        for part in (*map(str.encode, parts), self.merges.tobytes(), self.ids.tobytes()):
            digest.update(f"{len(part)}:".encode())
            digest.update(part)
        return digest.digest()

    def __repr__(self) -> str:
        return f"<Inherited {self.name!r} of {len(self):,} merges>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inherited) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)
