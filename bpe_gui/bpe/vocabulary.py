"""What a vocabulary holds before the first merge: special tokens and single symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bpe_gui.bpe.byte_level import CHARACTER_OF_BYTE
from bpe_gui.bpe.recipe import Recipe


@dataclass(frozen=True, slots=True)
class BaseVocabulary:
    """The entries that exist before the first merge; an id is an index into them.

    Special tokens come first, then the single symbols in sorted order. `texts` writes
    them as vocabulary files do (GPT-2's printable characters for byte-level recipes),
    `contents` holds the bytes that they stand for. `symbol_ids` lists the ids of the
    symbols in sorted order: a symbol that is also a special token shares its id.
    """

    texts: tuple[str, ...]
    contents: tuple[bytes, ...]
    special: int
    """How many of the entries, from the start, are special tokens."""
    symbol_ids: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def of(cls, recipe: Recipe, symbols: Sequence[str]) -> BaseVocabulary:
        """Number the special tokens of a recipe and the given symbols, as written.

        The symbols may come in any order; they are sorted by code point.
        """
        texts = list(recipe.special_tokens)
        ids = {text: index for index, text in enumerate(texts)}
        for symbol in sorted(symbols):
            if symbol not in ids:
                ids[symbol] = len(texts)
                texts.append(symbol)
        byte_of = {c: bytes([b]) for b, c in enumerate(CHARACTER_OF_BYTE)}
        contents = [
            byte_of[text]
            if recipe.byte_level and index >= len(recipe.special_tokens)
            else text.encode("utf-8")
            for index, text in enumerate(texts)
        ]
        return cls(
            texts=tuple(texts),
            contents=tuple(contents),
            special=len(recipe.special_tokens),
            symbol_ids=tuple(ids[symbol] for symbol in sorted(symbols)),
        )
