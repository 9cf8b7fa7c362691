"""Which tokens of a text the next merge puts together."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.next_merge import merging_tokens

words = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), max_size=5)


@given(text=words, pair=st.tuples(st.integers(0, 2), st.integers(0, 2)))
def test_pairs_are_put_together_within_words_from_left_to_right(
    text: list[list[int]], pair: tuple[int, int]
) -> None:
    expected = []
    for word in text:
        taken = [False] * len(word)
        for place in range(len(word) - 1):
            if not taken[place] and tuple(word[place : place + 2]) == pair:
                taken[place] = taken[place + 1] = True
        expected += taken
    ids = np.array([token for word in text for token in word], np.int32)
    begins = np.array([place == 0 for word in text for place in range(len(word))], bool)
    assert merging_tokens(ids, begins, pair).tolist() == expected
