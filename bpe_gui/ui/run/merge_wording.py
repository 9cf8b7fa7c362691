"""Describe the merge that led to a position."""

from __future__ import annotations

from bpe_gui.analysis.visible import visible, visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.progress import times

_LONGEST = 60
"""Bytes of a token that are shown; one may be as long as a paragraph."""


def merge_text(history: History, position: int) -> str:
    """Describe the merge before a position: its number, its pair, its token and its count."""
    if position == 0:
        return "start: no merges yet"
    step = position - 1
    left, right = (
        history.token_bytes(int(column[step]))[:_LONGEST]
        for column in (history.left, history.right)
    )
    made, often = newest(history, position), times(int(history.count[step]))
    return f"merge {position:,}: {visible_pair(left, right)} → {made}, {often}"


def newest(history: History, position: int) -> str:
    """Return the token that the merge before a position made, elided if it is long."""
    content = history.token_bytes(int(history.new_id[position - 1]))
    return visible(content[:_LONGEST]) + ("…" if len(content) > _LONGEST else "")


def default_name(history: History, position: int) -> str:
    """Return the name of a bookmark until somebody renames it."""
    return newest(history, position) if position else "start"
