"""Compiles all kernels, or loads them from the cache, by using each of them once.

Compiling takes some twenty seconds on a new machine and holds the interpreter's lock, so
a window lets a child process do it: `python -m bpe_gui.bpe.warm_up`. Afterwards any
process loads the kernels within a second or two.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np

from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.explain import explain
from bpe_gui.bpe.intervention import Decision, Intervention
from bpe_gui.bpe.kernels.kernel import mark_ready
from bpe_gui.bpe.kernels.row_breaking import BETWEEN, break_rows
from bpe_gui.bpe.lockstep import lockstep
from bpe_gui.bpe.metrics import metrics_of
from bpe_gui.bpe.neighbours import NeighbourCounter
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.segmented_corpus import SegmentedCorpus
from bpe_gui.bpe.tokenizer import Tokenizer, Trace
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.unwalled import learn_unwalled
from bpe_gui.bpe.wall import Wall
from bpe_gui.bpe.words import WordCounter, WordCounts

_BLOCK = 1 << 10
_WORDS = 20_000


@cache
def warm_up() -> None:
    """Use every kernel once, in its compiled form, with the types that occur in earnest.

    A process that has done so is warm: to call it again does nothing.

    Pieces larger than a block go through the counting threads and the merging of tables;
    enough different words make tables and arrays grow.
    """
    recipe = preset("gpt2").with_changes(vocabulary_size=400, special_tokens=("wo",))
    text = " ".join(f"word{index}" for index in range(_WORDS)).encode()
    counter = WordCounter(recipe, compiled=True, block=_BLOCK)
    for begin in range(0, len(text), _BLOCK):
        counter.feed(text[begin : begin + _BLOCK], np.array([], np.int64))
    counted = counter.finish()
    trainer = Trainer(counted, recipe, compiled=True)
    trainer.advance(1000)
    first = int(trainer.history.left[0]), int(trainer.history.right[0])
    forbidding = [Intervention(0, Decision.FORBID, *first)]
    Trainer(counted, recipe, interventions=forbidding, compiled=True).advance(1)
    corpus = SegmentedCorpus(counted, trainer.history, compiled=True)
    explain(corpus, corpus.length - 1)
    corpus.pairs(0)
    neighbours = NeighbourCounter(recipe, compiled=True)
    neighbours.add_text(text.decode(), 1)
    Wall(corpus, neighbours.found(whole=True)).forbidden(0)
    learn_unwalled(sample("four-words"), recipe, compiled=True)
    lockstep([trainer.history, trainer.history], compiled=True)
    words = WordCounts.from_pairs([("aaaa", 2)], preset("raw"), compiled=True)
    Trainer(words, preset("raw"), compiled=True).advance(10)
    phrase = "words and wo12 é"
    tokens = Tokenizer(trainer.history, compiled=True).encode(phrase)
    Trace(trainer.history, phrase, compiled=True)
    metrics_of(phrase, tokens, len(trainer.history), compiled=True)
    ends, places = np.arange(10, dtype=np.float64), np.full(10, BETWEEN, np.uint8)
    break_rows.compiled(ends, places, 4.0, np.empty(10, np.int64))


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)  # whoever waits for this has a window to draw meanwhile
    warm_up()
    mark_ready()
