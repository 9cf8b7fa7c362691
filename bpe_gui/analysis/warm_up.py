"""Compiles all kernels, or loads them from the cache, by using each of them once.

Compiling takes some twenty seconds on a new machine and holds the interpreter's lock, so
a window lets a child process do it: `python -m bpe_gui.analysis.warm_up`. Afterwards any
process loads the kernels in milliseconds.
"""

from __future__ import annotations

import os
from functools import cache

import numpy as np

from bpe_gui.analysis.boundaries import Boundaries
from bpe_gui.analysis.compare_runs import lockstep
from bpe_gui.analysis.explain import explain
from bpe_gui.analysis.kernels.last_pairs import last_pairs
from bpe_gui.analysis.kernels.longest_match import match_longest
from bpe_gui.analysis.kernels.new_characters import find_new
from bpe_gui.analysis.kernels.row_breaking import BETWEEN, break_rows
from bpe_gui.analysis.metrics import Counts, metrics_of
from bpe_gui.analysis.pre_token_counts import count_pre_tokens
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.superwords import learn_superwords
from bpe_gui.analysis.word_bigrams import WordBigramCounter
from bpe_gui.bpe import warm_up as engine
from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.kernel_cache import Kernels, mark_ready
from bpe_gui.bpe.pre_tokenize import CODE_POINTS
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.words import Documents


@cache
def warm_up() -> None:
    """Use every kernel once, compiled; those of the engine first. To call it again does nothing."""
    counted, history = engine.warm_up()
    corpus = SegmentedCorpus(counted, history, compiled=True)
    explain(corpus, corpus.length - 1)
    corpus.pairs(0)
    bigrams = WordBigramCounter(history.recipe, compiled=True)
    bigrams.add_text(engine.TEXT, 1)
    Boundaries(corpus, bigrams.found(whole=True)).blocked_pairs(0)
    learn_superwords(sample("four-words"), history.recipe, compiled=True)
    lockstep([history, history], compiled=True)
    phrase = "words and wo12 é"
    tokens = Tokenizer(history, compiled=True).encode(phrase)
    metrics_of(phrase, tokens, len(history), compiled=True)
    _measure(phrase, history)
    ends, places = np.arange(10, dtype=np.float64), np.full(10, BETWEEN, np.uint8)
    none, byte = np.empty(1, np.int32), np.zeros(1, np.uint8)
    match_longest.compiled(byte, np.zeros(2, np.int32), byte[:0], none, none.copy(), none.copy())
    last_pairs([b"l", b"o", b"lo"], compiled=True)
    break_rows.compiled(ends, places, 4.0, np.empty(10, np.int64))


def _measure(phrase: str, history: History) -> None:
    """Measure a text as whole corpora are, compiled where kernels are by default."""
    seen = np.zeros(CODE_POINTS, np.bool_)

    def look(documents: Documents) -> None:
        find_new.form(None)(np.frombuffer(documents.text, np.uint8), 0, seen, True)

    found = count_pre_tokens(
        Texts([phrase]), history.recipe, look=look, check=_go_on, progress=_note_nothing
    )
    first, tokens = Tokenizer(history).encode_pre_tokens(found.text, found.starts[1:])
    Counts().add_pre_tokens(found, 0, first, tokens)


def _go_on() -> None:
    """Give nothing up."""


def _note_nothing(done: int) -> None:
    """Tell nobody how many bytes are read."""


def compile_all() -> None:
    """Compile all kernels, and note that they are in the cache."""
    warm_up()
    for part in Kernels:
        mark_ready(part)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(5)  # whoever waits for this has a window to draw meanwhile
    compile_all()
