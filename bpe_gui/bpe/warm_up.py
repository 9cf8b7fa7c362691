"""Compiles the kernels of the engine, or loads them from the cache, by using each of them once."""

from __future__ import annotations

from contextlib import closing
from functools import cache

import numpy as np

from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.inherited import Inherited
from bpe_gui.bpe.kernels.code_points import note_characters
from bpe_gui.bpe.kernels.token_lengths import add_lengths
from bpe_gui.bpe.recipe import preparation, preset
from bpe_gui.bpe.tokenizer import StepwiseEncoding, Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounter, WordCounts, code_points, distinct_keys

TEXT = " ".join(f"word{index}" for index in range(20_000))
"""Enough different words to make tables and arrays grow."""

_BLOCK = 1 << 10
"""Blocks so small that the text goes through the counting threads and the merging of tables."""


@cache
def warm_up() -> tuple[WordCounts, History]:
    """Use every kernel of the engine once, compiled, with the types that occur in earnest.

    Returns what was counted and trained, for the kernels that ask about a run. To call it again
    does nothing.
    """
    recipe = preset("gpt2").with_changes(vocabulary_size=400, special_tokens=("wo",))
    text = TEXT.encode()
    with closing(WordCounter(recipe, compiled=True, block=_BLOCK)) as counter:
        for begin in range(0, len(text), _BLOCK):
            counter.feed(text[begin : begin + _BLOCK], np.array([], np.int64))
        counted = counter.finish()
    trainer = Trainer(counted, recipe, compiled=True)
    trainer.advance(1000)
    history = trainer.history
    forbidding = [Intervention(0, Decision.FORBID, int(history.left[0]), int(history.right[0]))]
    Trainer(counted, recipe, interventions=forbidding, compiled=True).advance(1)
    going_on = recipe.with_changes(vocabulary_size=410, inherited=_inherited(history))
    Trainer(counted, going_on, compiled=True).advance(1000)
    raw = preset("raw")
    Trainer(WordCounts.from_pairs([("aaaa", 2)], raw, compiled=True), raw, compiled=True).advance(9)
    code_points(counted.text)
    for keys in (counted.text, counted.text.astype(np.int32)):
        distinct_keys(keys)
    lengths, occurs = np.empty(len(counted), np.int64), np.zeros(128, np.bool_)
    note_characters.compiled(counted.text, counted.starts, 0, occurs, lengths)
    sizes = np.ones(len(history.base) + len(history), np.int32)
    add_lengths.compiled(history.left, history.right, history.new_id, sizes, 0, 0, 0)
    phrase = "words and wo12 é"
    Tokenizer(history, compiled=True).encode(phrase)
    Tokenizer(history, compiled=True).encode_ids(phrase, specials_as_text=True)
    StepwiseEncoding(history, phrase, compiled=True)
    return counted, history


def _inherited(history: History) -> Inherited:
    base = history.base
    symbols = tuple(base.texts[token] for token in base.symbol_ids)
    merges = np.stack((history.left, history.right, history.new_id), axis=1)
    size = history.vocabulary_size(len(history))
    ids = np.arange(size, dtype=np.int32)
    return Inherited("warm-up", symbols, preparation(history.recipe), merges, ids, size, "")
