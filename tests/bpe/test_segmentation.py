"""Cutting words into tokens a slice at a time, however long one word is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels.segmenting import NEVER, segment
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.segmentation import MergeTable, Segmentation
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import InitialIds, WordCounts, to_initial_ids


def trained(words: list[str]) -> tuple[InitialIds, History]:
    """The words as they are spelled, and a run over them."""
    recipe = preset("raw")
    counted = WordCounts.from_pairs([(word, 1) for word in words], recipe)
    trainer = Trainer(counted, recipe, compiled=False)
    trainer.advance(100)
    return to_initial_ids(counted, recipe), trainer.history


def cut_in_slices(spelled: InitialIds, history: History, limit: int) -> NDArray[np.int32]:
    """When each border vanished, as the kernel finds it out in slices of so many symbols."""
    table = MergeTable(compiled=False)
    table.learn(history.left, history.right)
    size = len(spelled.symbols)
    following = np.arange(1, size + 1, dtype=np.int32)
    previous = np.arange(-1, size - 1, dtype=np.int32)
    following[spelled.starts[1:] - 1] = -1
    previous[spelled.starts[:-1]] = -1
    merge_step = np.full(size, NEVER, np.int32)
    arrays = (
        *(spelled.starts[:-1], spelled.symbols.copy(), following, previous, merge_step),
        *(np.zeros(size, np.int32), table.keys, table.steps, history.new_id),
        np.zeros(2 * size + 2, np.int64),
    )
    progress = np.zeros(3, np.int64)
    while progress[0] < len(spelled.starts) - 1:
        before = np.count_nonzero(merge_step != NEVER), int(progress[0])
        segment.interpreted(*arrays, progress, limit)
        merged = np.count_nonzero(merge_step != NEVER) - before[0]
        assert merged <= limit or progress[0] > before[1], "within a long word a slice is short"
    return merge_step


@given(
    words=st.lists(st.text("ab", min_size=1, max_size=80), min_size=1, max_size=3, unique=True),
    limit=st.integers(1, 50),
)
def test_words_are_cut_alike_in_slices_of_any_length(words: list[str], limit: int) -> None:
    spelled, history = trained(words)
    whole = Segmentation(history, spelled.symbols, spelled.starts[:-1], compiled=False)
    assert cut_in_slices(spelled, history, limit).tolist() == whole.merge_step.tolist()


def test_within_one_long_word_it_is_asked_whether_the_tokens_are_still_wanted() -> None:
    _, history = trained(["ab" * 50])
    word = np.tile(np.array(history.base.symbol_ids, np.int32), 1 << 20)
    asked: list[None] = []

    def cancelled() -> bool:
        asked.append(None)
        return len(asked) == 3

    with pytest.raises(Cancelled):
        Segmentation(history, word, np.array([0]), compiled=True, cancelled=cancelled)
