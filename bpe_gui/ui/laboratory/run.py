"""A training run as the laboratory looks at it."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import History
from bpe_gui.bpe.words import WordCounts


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """What was trained on, its words, and what was learnt of them."""

    corpus: Corpus
    words: WordCounts
    history: History
