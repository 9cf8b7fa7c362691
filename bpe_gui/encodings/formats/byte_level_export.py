"""Checks for exports to .tiktoken, vocab.json + merges.txt and minbpe's .model.

These formats number the 256 bytes, then the merges in order, and have no step other than a split
before the merges. A recipe that needs more is refused here.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import TOKEN_OPTIONS
from bpe_gui.encodings.base import ExportError


def check_byte_level(history: History, position: int, format_name: str) -> None:
    """Check that a byte-level format can hold a run at a position.

    Raises ExportError, which names the part of the recipe that the format cannot hold.
    """
    recipe, base = history.recipe, history.base
    if recipe.inherited is not None:
        raise ExportError(
            f"a run that goes on from {recipe.inherited.name} keeps its ids only as "
            f"tokenizer.json, not as {format_name}; save it so, and convert that file"
        )
    if not recipe.byte_level:
        raise ExportError(
            f"{format_name} can only hold tokens made of bytes, and the symbols of the recipe "
            f"{recipe.name!r} are characters; save it as tokenizer.json"
        )
    if recipe.normalizers:
        raise ExportError(
            f"{format_name} cannot hold a normalizer, and the recipe {recipe.name!r} has "
            f"{', '.join(map(str, recipe.normalizers))}; save it as tokenizer.json"
        )
    if recipe.reserved_tokens:
        raise ExportError(
            f"{format_name} finds every special token in a text, and {recipe.name!r} reserves "
            f"{recipe.reserved_tokens[0]!r}, which must not be found; save it as tokenizer.json"
        )
    for name, said in TOKEN_OPTIONS.items():
        for special in getattr(recipe, name):
            raise ExportError(
                f"{format_name} finds a special token as it is written and wherever it occurs, and "
                f"{shown(special)} of {recipe.name!r} {said}; save it as tokenizer.json"
            )
    for token in base.whole_words(recipe).values():
        raise ExportError(
            f"{format_name} cannot hold the token {shown(history.id_to_token(token))}, which is "
            "not made of two others; save it as tokenizer.json"
        )
    if len(base.symbol_ids) < 256:
        raise ExportError(
            f"{format_name} needs a token for each of the 256 bytes, and the recipe "
            f"{recipe.name!r} has only the {len(base.symbol_ids)} of its corpus; train with all "
            "bytes as the alphabet"
        )
    ids = np.concatenate((base.symbol_ids, history.new_id[:position]))
    shared = np.flatnonzero(ids != np.arange(base.special, base.special + len(ids)))
    if len(shared):
        # Only a token spelled like a special token has an id from before.
        twice = history.id_to_token(int(ids[shared[0]]))
        raise ExportError(
            f"{format_name} cannot hold the same token twice, and {twice!r} is both a special "
            "token and the result of a merge; choose another special token"
        )


def check_specials_apart(specials: Iterable[str], format_name: str) -> None:
    """Check that no special token begins with another. Raises ExportError."""
    pair = prefix_pair(specials)
    if pair is not None:
        raise ExportError(
            f"{format_name} does not say which of the special tokens {pair[0]!r} and "
            f"{pair[1]!r} is found where both begin; leave one of them out"
        )


def prefix_pair(specials: Iterable[str]) -> tuple[str, str] | None:
    """Find two special tokens of which the second begins with the first; None if there are none.

    >>> prefix_pair(("<b>", "<a", "<a>"))
    ('<a', '<a>')
    """
    ordered = sorted(specials)
    for first, second in pairwise(ordered):
        if second.startswith(first):
            return first, second
    return None
