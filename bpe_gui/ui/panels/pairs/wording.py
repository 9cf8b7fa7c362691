"""Texts about competing pairs: in tooltips, for screen readers, and where there are none."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from bpe_gui.analysis.next_merge import will_be_merged
from bpe_gui.analysis.pair_changes import Kind, PairChange
from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import TOP, History
from bpe_gui.bpe.recipe import Ties
from bpe_gui.progress import times
from bpe_gui.ui.panels.pairs.rows import PairRow, PairRows, Scale

_RULES = {
    Ties.FIRST_SEEN: "its first occurrence comes first in the corpus",
    Ties.LOWEST_ID: "its token ids are the lowest",
}
Changes = Mapping[tuple[int, int], PairChange]
"""What the last merge has changed, by the pairs."""
_NONE: Changes = MappingProxyType({})
_MOST_NAMED = 3
"""Pairs that are named of those that a pair overtook."""
NEXT, NOW, LAST, TIE = "next", "now", "last", "tie"
"""What is written beside the star and the bracket, if there is room."""
RISEN = "\N{UPWARDS ARROW}"
WHAT_RISEN_MEANS = f"{RISEN} higher rank"
"""Marks the rank of a pair that overtook others."""


def forbidden(count: int | None, step: int) -> tuple[str, str]:
    """Return what is said beside a forbidden pair, whole and where there is little room.

    >>> forbidden(1200, 4)
    ('1,200 times, forbidden from merge 5 on', '1,200 times, forbidden')
    """
    brief = f"{f'{times(count)}, ' if count is not None else ''}forbidden"
    return f"{brief} from merge {step + 1:,} on", brief


def more_forbidden(count: int) -> str:
    """Return how many forbidden pairs are not shown."""
    return f"and {count} more forbidden"


def scale_ends(scale: Scale) -> str:
    """Return what a bar is as long as, and what is pale behind it."""
    ends = f"Bars begin at 0 and end at {scale.end:,}"
    return f"{ends}. The pale part is what a pair lacks to the most frequent one"


def scale_changed(end: str, former: int) -> str:
    """Return the end of a scale that ended elsewhere before the last merge.

    >>> scale_changed("3", 1594)
    '3 (was 1,594)'
    """
    return f"{end} (was {former:,})"


def rows_of(rows: int, pairs: int) -> str:
    """Return how many of all pairs have a row; empty if all have."""
    return f"{rows:,} of {pairs:,} pairs" if rows < pairs else ""


def before_merge(merge: int) -> str:
    """Say that counts are those before a merge that has been done."""
    return f"before merge {merge:,}"


def rows_and_time(rows: str, when: str, risen: str) -> list[str]:
    """Return how much there is, when, and what the arrow means, then what takes less room.

    >>> rows_and_time("6 of 14 pairs", "before merge 2", "")
    ['6 of 14 pairs, before merge 2', 'before merge 2']
    >>> rows_and_time("6 of 14 pairs", "", "↑ higher rank")
    ['6 of 14 pairs, ↑ higher rank', '6 of 14 pairs']
    """
    both = ", ".join(filter(None, (rows, when)))
    texts = (", ".join(filter(None, (both, risen))), both, when)
    return [text for text in dict.fromkeys(texts) if text]


def pair_text(history: History, row: PairRow) -> str:
    """Return the two tokens of a pair, readable, in this order in every script."""
    return visible_pair(history.token_bytes(row.left), history.token_bytes(row.right))


def standing(
    history: History, position: int, rows: PairRows, row: PairRow, *, last: bool = False
) -> str:
    """Return whether a pair wins, and against which ties; `last` if it has been merged."""
    tied = next((tie for tie in rows.ties() if tie[0] <= row.rank <= tie[1]), None)
    tied_pairs = tied[1] - tied[0] + 1 if tied is not None else 1
    # What comes after the last place is not known: it may be tied as well.
    at_least = "at least " if tied is not None and tied[1] == TOP - 1 else ""
    if row.rank == rows.winner and row.rank > 0:
        encoding = history.encoding_of(position)
        by = f"merge {position + 1:,} of {encoding}" if encoding else "merged by decision"
        return f"Rank {row.rank + 1}, {by}"
    if row.rank > 0 or rows.winner > 0:
        if tied is None:
            return f"Rank {row.rank + 1}"
        others = "one other pair" if tied_pairs == 2 else f"{tied_pairs - 1} other pairs"
        return f"Rank {row.rank + 1}, tied: as frequent as {at_least}{others}"
    merged, when = will_be_merged(history, position), "last" if last else "next"
    if tied is None:
        wins = f"Merged {when}" if merged else "Would win"
        return f"{wins}: the most frequent pair{_not_merged(history, merged)}"
    wins = f"Merged {when}, wins the tie" if merged else "Would win the tie"
    rule = _RULES[history.recipe.ties]
    return f"{wins} of {at_least}{tied_pairs} pairs: {rule}{_not_merged(history, merged)}"


def _not_merged(history: History, merged: bool) -> str:
    return "" if merged else f" (training has stopped: {history.stopped})"


def share(history: History, position: int, row: PairRow) -> str:
    """Return the count of a pair, and its share of the positions of the corpus."""
    tokens = int(history.tokens[position])
    return f"{times(row.count)}, at {row.count / max(tokens, 1):.2%} of {tokens:,} positions"


def mark(change: PairChange) -> str:
    """Return in a few characters what the last merge has changed about a pair.

    A pair that only rose has no number: its count is what it was.

    >>> mark(PairChange(Kind.FELL, 1594)), mark(PairChange(Kind.ROSE, 1, ((0, 3),)))
    ('\N{MINUS SIGN}1,594', '\N{UPWARDS ARROW}')
    """
    if change.kind is Kind.NEW:
        return "new"
    if change.kind is Kind.ROSE:
        return RISEN
    return f"\N{MINUS SIGN}{change.amount:,}"


def from_to(before: int, after: int) -> str:
    """Return how often a pair occurs before and after a merge.

    >>> from_to(1594, 2)
    '1,594\N{RIGHTWARDS ARROW}2'
    """
    return f"{before:,}\N{RIGHTWARDS ARROW}{after:,}"


def changed(history: History, change: PairChange) -> str:
    """Return what the last merge has changed about a pair."""
    if change.kind is Kind.NEW:
        return "New since the last merge"
    if change.kind is Kind.FELL:
        return f"{change.amount:,} fewer since the last merge"
    named = [
        visible_pair(history.token_bytes(left), history.token_bytes(right))
        for left, right in change.overtaken[:_MOST_NAMED]
    ]
    more = len(change.overtaken) - len(named)
    pairs = f"{', '.join(named)}{f' and {more} more' if more else ''}"
    if len(change.overtaken) == 1:
        return f"Overtook {pairs}, which became less frequent"
    return f"Overtook {len(change.overtaken)} pairs that became less frequent: {pairs}"


def _details(
    history: History, position: int, rows: PairRows, row: PairRow, changes: Changes, last: bool
) -> list[str]:
    told = [share(history, position, row), standing(history, position, rows, row, last=last)]
    behind = rows[0].count - row.count
    if behind:
        told.append(f"{behind:,} fewer than the most frequent pair")
    change = changes.get((row.left, row.right))
    return [*told, changed(history, change)] if change is not None else told


def spoken(
    history: History, position: int, rows: PairRows, row: PairRow, changes: Changes = _NONE,
    *, last: bool = False,
) -> str:  # fmt: skip
    """Return a row of the chart for a screen reader; `last` if its first pair has been merged."""
    details = ". ".join(_details(history, position, rows, row, changes, last))
    return f"{pair_text(history, row)}: {details}."


def tooltip(
    history: History, position: int, rows: PairRows, row: PairRow, changes: Changes = _NONE,
    *, last: bool = False,
) -> str:  # fmt: skip
    """Return a row of the chart for hovering, as rich text; `last` as above."""
    lines = (
        f"<b>{escape(pair_text(history, row))}</b>",
        f"tokens {row.left:,} and {row.right:,}",
        *map(escape, _details(history, position, rows, row, changes, last)),
    )
    return f"<p style='white-space: pre'>{'<br>'.join(lines)}</p>"
