"""What a vocabulary holds before the first merge: special tokens and symbols."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from bpe_gui.bpe.byte_level import BYTE_OF_FALLBACK, from_printable
from bpe_gui.bpe.recipe import Recipe


class BaseVocabulary(Struct, frozen=True):
    """The entries that exist before the first merge; an id is an index into them.

    Special tokens come first, then the symbols in sorted order. `texts` writes
    them as vocabulary files do (GPT-2's printable characters for byte-level recipes),
    `contents` holds their bytes, with spaces where marks are written for them.
    `symbol_ids` lists the ids of the symbols in sorted order: a symbol that is also a special token
    shares its id.

    A symbol of a byte-level recipe that has several bytes is a whole word: a word with these bytes
    is that symbol, instead of a symbol for each byte. Only encodings of others have such; see
    `whole_words`.
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
        special = len(recipe.special_tokens)
        contents = [text.encode("utf-8") for text in texts]
        contents[special:] = map(recipe.with_spaces, contents[special:])
        if recipe.byte_level:
            contents[special:] = map(from_printable, texts[special:])
        elif recipe.byte_fallback:
            for text in BYTE_OF_FALLBACK.keys() & ids.keys():
                contents[ids[text]] = bytes([BYTE_OF_FALLBACK[text]])
        return cls(
            texts=tuple(texts),
            contents=tuple(contents),
            special=special,
            symbol_ids=tuple(ids[symbol] for symbol in sorted(symbols)),
        )

    def fallback_bytes(self, recipe: Recipe) -> dict[int, int]:
        """Map the ids of the symbols that characters fall back to, to their bytes.

        >>> from bpe_gui.bpe.recipe import Symbols
        >>> recipe = Recipe(symbols=Symbols.CHARACTERS, byte_fallback=True)
        >>> BaseVocabulary.of(recipe, ["a", "<0x0A>"]).fallback_bytes(recipe)
        {0: 10}
        """
        if not recipe.byte_fallback:
            return {}
        found = ((token, BYTE_OF_FALLBACK.get(self.texts[token])) for token in self.symbol_ids)
        return {token: byte for token, byte in found if byte is not None}

    def whole_words(self, recipe: Recipe) -> dict[bytes, int]:
        """Map the bytes of whole words to their ids.

        >>> from bpe_gui.bpe.recipe import preset
        >>> BaseVocabulary.of(preset("gpt2"), ["a", "Ġa", "Ġ"]).whole_words(preset("gpt2"))
        {b' a': 2}
        """
        if not recipe.symbols_may_be_words:
            return {}
        return {
            self.contents[token]: token for token in self.symbol_ids if len(self.texts[token]) > 1
        }
