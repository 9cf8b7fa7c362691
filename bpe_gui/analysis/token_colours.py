"""Which of a few colours each token of a run has, the same wherever it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord

COLOURS = 12
"""How many colours identify tokens."""
COLOUR_OF_END = COLOURS
"""The colour of the symbol that ends a word: it is in every word, and says less than the others."""
_WATCHED = 60
"""The first merges, which are watched one by one."""

_first_colours: WeakKeyDictionary[History, tuple[int, NDArray[np.int64]]] = WeakKeyDictionary()
"""For how many merges of a run the colours of its first tokens are known, and these, by id."""


def token_colours(history: History, ids: NDArray[np.signedinteger]) -> NDArray[np.int64]:
    """Find the colour of each of some tokens, as a number from 0 to COLOUR_OF_END.

    It depends on the id, but the first tokens of a run differ from their most frequent neighbours
    in the corpus, and from the two that they are made of; as far as the colours suffice, also from
    all tokens that are in the corpus with them. It stays while the run grows.

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> recipe = preset("whitespace")
    >>> trainer = Trainer(WordCounts.from_pairs([("low", 5), ("lower", 2)], recipe), recipe)
    >>> trainer.history.texts(0)
    ['</w>', 'e', 'l', 'o', 'r', 'w']
    >>> token_colours(trainer.history, np.arange(6)).tolist()
    [12, 1, 2, 3, 4, 5]
    """
    merges, colours = _first_colours.get(history, (-1, np.empty(0, np.int64)))
    wanted = min(len(history), _WATCHED)
    if merges < wanted:
        found = _separated(history, wanted)
        colours = np.arange(max(found, default=-1) + 1) % COLOURS
        colours[list(found)] = list(found.values())
        _first_colours[history] = wanted, colours
    first = ids < len(colours)
    chosen = ids.astype(np.int64) % COLOURS
    chosen[first] = colours[ids[first]]
    return chosen


def _separated(history: History, merges: int) -> dict[int, int]:
    """Choose colours of the tokens up to a merge and the next one, by their ids.

    The colour of a token is chosen before its merge, for it is announced.
    """
    found: dict[int, int] = {}
    occurrences: Counter[int] = Counter()
    alphabet = history.texts(0)
    if history.recipe.end_of_word is EndOfWord.OWN and END_OF_WORD in alphabet:
        found[alphabet.index(END_OF_WORD)] = COLOUR_OF_END
    for position in range(merges + 1):
        if position:
            last, count = position - 1, int(history.count[position - 1])
            occurrences[int(history.left[last])] -= count
            occurrences[int(history.right[last])] -= count
            occurrences[int(history.new_id[last])] += count
        top = history.top(position)
        counts = {
            (left, right): count
            for left, right, count in zip(
                top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True
            )
        }
        # A word that is one token is in no pair.
        present = {token for pair in counts for token in pair}
        for token in sorted(present) if not position else ():
            beside = {right for left, right in counts if left == token}
            beside |= {left for left, right in counts if right == token}
            _choose(token, beside, present, found)
        present |= {token for token in occurrences if occurrences[token] > 0}
        merged = history.next_pair(position)
        if merged is None:
            continue
        made = position < len(history)
        token = int(history.new_id[position]) if made else history.merged_id(position, *merged)
        beside = {left for left, right in counts if right == merged[0]}
        beside |= {right for left, right in counts if left == merged[1]}
        gone = {one for one in merged if _is_only_in(merged, one, counts)}
        _choose(token, {*beside, *merged}, present - gone, found)
    return found


def _is_only_in(
    merged: tuple[int, int], token: int, counts: Mapping[tuple[int, int], int]
) -> bool:
    """Tell whether all of a token, as far as the pairs tell, is in the pair that is merged."""
    all_left = sum(count for (left, _), count in counts.items() if left == token)
    all_right = sum(count for (_, right), count in counts.items() if right == token)
    return max(all_left, all_right) <= counts.get(merged, 0)


def _choose(token: int, apart: set[int], present: set[int], found: dict[int, int]) -> None:
    """Choose the colour of a token, unlike those it is to be told apart from, if it has none.

    If it can be, it is also unlike that of all tokens that are present.
    """
    if token in found:
        return
    taken = {found.get(other) for other in apart}
    in_sight = taken | {found.get(other) for other in present}
    choice = [colour % COLOURS for colour in range(token, token + COLOURS)]
    free = [colour for colour in choice if colour not in taken]
    unseen = (colour for colour in free if colour not in in_sight)
    found[token] = next(unseen, free[0] if free else token % COLOURS)
