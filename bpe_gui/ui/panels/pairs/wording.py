"""Texts about competing pairs: in tooltips, for screen readers, and where there are none."""

from __future__ import annotations

from html import escape

from bpe_gui.analysis.next_merge import emptiness, will_be_merged
from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import TOP, History
from bpe_gui.bpe.recipe import Ties
from bpe_gui.progress import times
from bpe_gui.ui.panels.pairs.rows import PairRow, PairRows

_RULES = {
    Ties.FIRST_SEEN: "its first occurrence comes first in the corpus",
    Ties.LOWEST_ID: "its token ids are the lowest",
}
_STEP_BACK = "Left steps back, to what was merged last."


def why_empty(history: History | None, position: int) -> str:
    """Explain why there are no rows, and how to get some."""
    message = emptiness(history, position)
    return f"{message} {_STEP_BACK}" if position else message


def pair_text(history: History, row: PairRow) -> str:
    """Return the two tokens of a pair, readable, in this order in every script."""
    return visible_pair(history.token_bytes(row.left), history.token_bytes(row.right))


def standing(history: History, position: int, rows: PairRows, row: PairRow) -> str:
    """Return whether a pair wins, and against which ties."""
    tied = next((tie for tie in rows.ties() if tie[0] <= row.rank <= tie[1]), None)
    tied_pairs = tied[1] - tied[0] + 1 if tied is not None else 1
    # What comes after the last place is not known: it may be tied as well.
    at_least = "at least " if tied is not None and tied[1] == TOP - 1 else ""
    if row.rank == rows.winner and row.rank > 0:
        return f"Rank {row.rank + 1}, merged by decision"
    if row.rank > 0 or rows.winner > 0:
        if tied is None:
            return f"Rank {row.rank + 1}"
        others = "one other pair" if tied_pairs == 2 else f"{tied_pairs - 1} other pairs"
        return f"Rank {row.rank + 1}, as frequent as {at_least}{others}"
    merged = will_be_merged(history, position)
    if tied is None:
        wins = "Wins" if merged else "Would win"
        return f"{wins}: the most frequent pair{_not_merged(history, merged)}"
    wins = "Wins the tie" if merged else "Would win the tie"
    rule = _RULES[history.recipe.ties]
    return f"{wins} of {at_least}{tied_pairs} pairs: {rule}{_not_merged(history, merged)}"


def _not_merged(history: History, merged: bool) -> str:
    return "" if merged else f" (training has stopped: {history.stopped})"


def share(history: History, position: int, row: PairRow) -> str:
    """Return the count of a pair, and its share of the positions of the corpus."""
    tokens = int(history.tokens[position])
    return f"{times(row.count)}, at {row.count / max(tokens, 1):.2%} of {tokens:,} positions"


def spoken(history: History, position: int, rows: PairRows, row: PairRow) -> str:
    """Return a row of the chart for a screen reader."""
    return (
        f"{pair_text(history, row)}: {share(history, position, row)}. "
        f"{standing(history, position, rows, row)}."
    )


def tooltip(history: History, position: int, rows: PairRows, row: PairRow) -> str:
    """Return a row of the chart for hovering, as rich text."""
    lines = (
        f"<b>{escape(pair_text(history, row))}</b>",
        f"tokens {row.left:,} and {row.right:,}",
        share(history, position, row),
        escape(standing(history, position, rows, row)),
    )
    return f"<p style='white-space: pre'>{'<br>'.join(lines)}</p>"
