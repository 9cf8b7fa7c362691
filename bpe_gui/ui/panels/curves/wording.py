"""Texts about the curves and their points."""

from __future__ import annotations

from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.progress import counted

NOTHING_LOADED = "Open a corpus to see the curves of its training."
NOT_YET = "no merge yet"
COUNTS, LEFT = "Count of the winning pair", "Tokens left in the corpus"
COUNTED = "count of the merged pair"
LENGTHS = ("Lengths", "Vocabulary by token length")
"""What the plot without a series is called, in its tab and in full."""

_LONGEST_PART = 60


def winning_count(history: History, position: int) -> str:
    """Return the merge before a position, its pair and its count."""
    step = position - 1
    left, right = (
        history.token_bytes(int(column[step]))[:_LONGEST_PART]
        for column in (history.left, history.right)
    )
    return f"merge {position:,}: {visible_pair(left, right)}  {int(history.count[step]):,}"


def taken_over(history: History) -> str:
    """Say what the line is where merges end that were taken over."""
    inherited = history.recipe.inherited
    assert inherited is not None
    return f"line: the last merge of {inherited.name}"


def bytes_per_token(history: History, position: int) -> str:
    """Return the average bytes per token of the corpus at a position, as text."""
    value = history.corpus_bytes / max(int(history.tokens[position]), 1)
    return f"after {counted(position, 'merge')}: {value:.3f} bytes per token"


def tokens_left(history: History, position: int) -> str:
    """Return the number of tokens at a position, and how many the last merge saved."""
    tokens = history.tokens
    words = f"after {counted(position, 'merge')}: {int(tokens[position]):,} tokens"
    if position == 0:
        return words
    return f"{words} (−{int(tokens[position - 1]) - int(tokens[position]):,})"


def tokens_of_length(tokens: int, length: int, *, gathered: bool) -> str:
    """Return the number of tokens of a length in bytes, or, `gathered`, of at least that length."""
    more = " or more" if gathered else ""
    return f"{counted(tokens, 'token')} of {counted(length, 'byte')}{more}"


def longest(length: int) -> str:
    """Return the greatest length in bytes."""
    return f"longest {counted(length, 'byte')}"
