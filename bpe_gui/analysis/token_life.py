"""How often each token occurs in the corpus after every merge, and which merges use it up.

All of it follows from the history, without the words: a merge replaces two tokens by one, so the
number of tokens in the corpus falls by as many as the merge makes. Only how often the symbols
occur before the first merge must come from the corpus.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.words import WordCounts, to_initial_ids

RESIDUE_SHARE, RESIDUE_USES, RESIDUE_TOKENS = 10, 10, 1_000_000
"""Limits for a residue: what is left of it outside longer tokens.

At most one in `RESIDUE_SHARE` of its occurrences is left. A tenth of a frequent token is still a
lot, so at most `RESIDUE_USES` are left, or one per `RESIDUE_TOKENS` tokens of the corpus if that is
more: in a large corpus even rare tokens occur more than ten times."""

_SYMBOLS_AT_ONCE = 1 << 20
"""Symbols that are counted before other threads have their turn; a longer word is counted whole."""


def times_merged(history: History, position: int) -> NDArray[np.int64]:
    """Count how many tokens each of the first merges made in the corpus, by 64-bit numbers.

    It is the pair's frequency but where occurrences overlap: "aaa" holds (a, a) twice, and one
    "aa" is made of it. All are 0 in a history that was not counted (`is_counted`).

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> words = WordCounts.from_pairs([("aaa", 5)], preset("raw"))
    >>> trainer = Trainer(words, preset("raw").with_changes(merges=1))
    >>> trainer.advance(1)
    1
    >>> int(trainer.history.count[0]), int(times_merged(trainer.history, 1)[0])
    (10, 5)
    """
    tokens = history.tokens[: position + 1]
    return tokens[:-1] - tokens[1:]


def is_counted(history: History) -> bool:
    """Tell whether the history has the counts of a corpus: one of foreign merges has none."""
    return bool(history.tokens[0])


def is_residue(left: int, total: int, tokens: int) -> bool:
    """Tell whether of `total` occurrences of a merged token so few are left that it is a residue.

    `tokens` is the length of the corpus in tokens.

    >>> is_residue(10, 100, 5000), is_residue(10, 99, 5000), is_residue(11, 9000, 5000)
    (True, False, False)
    >>> is_residue(50, 9000, 50_000_000), is_residue(51, 9000, 50_000_000)
    (True, False)
    """
    return left <= min(total // RESIDUE_SHARE, _max_residue_uses(tokens))


def _max_residue_uses(tokens: int) -> int:
    return max(RESIDUE_USES, tokens // RESIDUE_TOKENS)


# -- All tokens at one position -----------------------------------------------------------------


class TokenUses(Struct, frozen=True, eq=False):
    """How often merges made each token of a vocabulary, and used it up, indexed by id.

    made: how many occurrences merges have made; 0 for a token from the start.
    used_up: how many of its occurrences merges have put into longer tokens.
    """

    made: NDArray[np.int64]
    used_up: NDArray[np.int64]

    @property
    def left(self) -> NDArray[np.int64]:
        """Count the occurrences of each token that are left; for merged tokens only.

        What is given for a token from the start lacks its occurrences before the first merge.
        """
        return self.made - self.used_up


def token_uses(history: History, position: int) -> TokenUses:
    """Count how often each token was made and used up by the merges before a position.

    Raises IndexError outside 0..len(history).
    """
    if not 0 <= position <= len(history):
        raise IndexError(f"position {position} is outside 0..{len(history)}")
    times = times_merged(history, position)
    size = history.vocabulary_size(position)
    made, used_up = np.zeros(size, np.int64), np.zeros(size, np.int64)
    np.add.at(made, history.new_id[:position], times)
    np.add.at(used_up, history.left[:position], times)
    np.add.at(used_up, history.right[:position], times)
    return TokenUses(made, used_up)


def symbol_counts(
    words: WordCounts, recipe: Recipe, check: Callable[[], object] | None = None
) -> NDArray[np.int64]:
    """Count how often each token from the start occurs before the first merge, indexed by id.

    `check` is called now and then, and may raise to give it up. Raises UnicodeDecodeError for
    words that are no UTF-8, if their symbols are characters.

    >>> from bpe_gui.bpe.recipe import preset
    >>> words = WordCounts.from_pairs([("low", 5), ("lower", 2)], preset("raw"))
    >>> symbol_counts(words, preset("raw")).tolist()  # e, l, o, r, w
    [2, 7, 7, 2, 7]
    """
    spelled = to_initial_ids(words, recipe)
    counts = np.zeros(len(spelled.base), np.int64)
    ends = np.searchsorted(spelled.starts, np.arange(0, len(spelled.symbols), _SYMBOLS_AT_ONCE))
    for first, last in pairwise([*ends.tolist(), len(words)]):
        if check is not None:
            check()
        edges = spelled.starts[first : last + 1]
        symbols = spelled.symbols[edges[0] : edges[-1]]
        np.add.at(counts, symbols, np.repeat(words.counts[first:last], np.diff(edges)))
    return counts


def residues(history: History, position: int) -> NDArray[np.bool_]:
    """Tell which tokens of the vocabulary nearly only occur within longer ones, indexed by id.

    Of all occurrences that merges have made of a residue, as few are left at the position as
    `is_residue` says. Tokens from the start are none: every text may need them. The share is the
    "final/intermediate ratio" of LiteToken (arXiv 2602.04706), taken from the training corpus.
    Raises IndexError outside 0..len(history).

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> words = WordCounts.from_pairs([("est", 9), ("ed", 2)], preset("raw"))
    >>> trainer = Trainer(words, preset("raw").with_changes(merges=2))
    >>> trainer.advance(2)
    2
    >>> history = trainer.history
    >>> [history.id_to_token(token) for token in residues(history, 1).nonzero()[0].tolist()]
    []
    >>> [history.id_to_token(token) for token in residues(history, 2).nonzero()[0].tolist()]
    ['es']
    """
    uses = token_uses(history, position)
    # Divided, not multiplied: counts may need all of the 64 bits.
    few = np.minimum(
        uses.made // RESIDUE_SHARE, _max_residue_uses(int(history.tokens[position]))
    )
    found: NDArray[np.bool_] = (uses.made > 0) & (uses.left <= few)
    found[: len(history.base)] = False
    return found


# -- One token, after every merge ---------------------------------------------------------------


class TokenLife(Struct, frozen=True, eq=False):
    """The merges that change how often one token occurs, as columns in the order of the merges.

    steps: the merges, counted from 0.
    changes: by how much each changes the count: up where the token is made, down where it is
        put into a longer one; twice as much as the merge makes where both its parts are the token.
    counts: how often the token occurs after each.
    initial: how often it occurs before the first merge; None for a symbol that nobody has counted:
        then `counts` has what is added to that.
    """

    token: int
    steps: NDArray[np.int64]
    changes: NDArray[np.int64]
    counts: NDArray[np.int64]
    initial: int | None

    def __len__(self) -> int:
        return len(self.steps)

    def count_at(self, position: int) -> int | None:
        """Count how often the token occurs at a position; None if that is not known."""
        if self.initial is None:
            return None
        before = int(np.searchsorted(self.steps, position))
        return int(self.counts[before - 1]) if before else self.initial

    def until(self, position: int) -> TokenLife:
        """Return the life up to a position."""
        end = int(np.searchsorted(self.steps, position))
        return TokenLife(
            self.token, self.steps[:end], self.changes[:end], self.counts[:end], self.initial
        )

    @property
    def total(self) -> int | None:
        """Count all occurrences that there ever were; None if that is not known."""
        if self.initial is None:
            return None
        return self.initial + int(self.changes[self.changes > 0].sum())

    @property
    def consumers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the merges that used the token up, and how many occurrences each took.

        Those that took most come first, earlier ones first among equals.
        """
        taking = np.flatnonzero(self.changes < 0)
        order = taking[np.argsort(self.changes[taking], kind="stable")]
        return self.steps[order], -self.changes[order]


def token_life(
    history: History, token: int, symbol_counts: NDArray[np.int64] | None = None
) -> TokenLife:
    """Tell how often a token occurs after every merge of the history.

    symbol_counts: how often each symbol occurs before the first merge, indexed by id; without
    them nothing but changes is known of a symbol. Raises IndexError for an unknown id.

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import WordCounts
    >>> words = WordCounts.from_pairs([("est", 9), ("ed", 2), ("es", 1)], preset("raw"))
    >>> trainer = Trainer(words, preset("raw").with_changes(merges=2))
    >>> trainer.advance(2)
    2
    >>> es = int(trainer.history.new_id[0])
    >>> life = token_life(trainer.history, es)
    >>> life.steps.tolist(), life.changes.tolist(), life.counts.tolist()
    ([0, 1], [10, -9], [10, 1])
    """
    history.step(token)  # raises IndexError
    length = len(history)
    left, right, new_id = history.left[:length], history.right[:length], history.new_id[:length]
    of_left, of_right, made = left == token, right == token, new_id == token
    steps = np.flatnonzero(of_left | of_right | made)
    by = made[steps].astype(np.int64) - of_left[steps] - of_right[steps]
    changes = by * times_merged(history, length)[steps]
    initial: int | None = 0
    if token < len(history.base):
        initial = None if symbol_counts is None else int(symbol_counts[token])
    return TokenLife(token, steps, changes, (initial or 0) + np.cumsum(changes), initial)
