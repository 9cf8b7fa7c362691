"""Single symbols that a corpus adds to the encoding from which a run goes on."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.byte_level import BYTE_OF_FALLBACK
from bpe_gui.bpe.history import BaseVocabulary
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.utf8 import characters_before
from bpe_gui.bpe.words import WordCounts, code_points


def saved_by_new_symbols(words: WordCounts, recipe: Recipe, base: BaseVocabulary) -> int:
    """Count the tokens that new symbols save in a corpus, before any merge.

    An encoding with byte fallback writes a character that it does not know as its bytes, a token
    each, which never merge: a new symbol is one token instead. Elsewhere it saves none.
    """
    if recipe.inherited is None or not recipe.byte_fallback:
        return 0
    symbols = set(base.texts[base.special :])
    new = [ord(each) for each in symbols.difference(recipe.inherited.symbols, BYTE_OF_FALLBACK)]
    if not new:
        return 0
    characters = code_points(words.text)
    saved = np.zeros(max(new) + 1, np.int64)
    saved[new] = [len(chr(point).encode()) - 1 for point in new]
    places = np.flatnonzero(characters <= max(new))
    places = places[saved[characters[places]] > 0]
    ends = characters_before(words.text, words.starts)[1:]
    counts = words.counts[np.searchsorted(ends, places, "right")]
    return int(np.dot(saved[characters[places]], counts))
