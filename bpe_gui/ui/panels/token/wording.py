"""Texts about a selected token and the nodes of its merge tree."""

from __future__ import annotations

from html import escape

from bpe_gui.analysis.derivation import MergeTree, made_at
from bpe_gui.bpe.history import History
from bpe_gui.progress import counted
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.token_words import (
    bytes_of,
    label,
    merge_name,
    merge_sentence,
    origin,
    pair_text,
)

NOTHING_LOADED = "Open a corpus to see the merges behind each token."
NOTHING_SELECTED = "Select a token to see its merge tree."
WHY_EMPTY = "no token is selected, and none has been made yet"
PART_OF = "Part of:"
NOTHING_MADE = "Not part of any later token yet."
NOT_MADE_YET = ". Not made yet at the cursor"


def facts_text(
    history: History, token: int, position: int, tree: MergeTree, muted: str, *, short: bool
) -> str:
    """Return the token with its id, its merge and its bytes, as rich text.

    tree: the tree that is shown, whose hidden merges are counted; muted: the colour of the
    facts; short: for a small panel.
    """
    content = history.token_bytes(token)
    step = made_at(history, token)
    if short and step >= 0:
        size = len(history.bytes_in_text(token))
        facts = [f"id {token:,}", merge_name(step), counted(size, "byte")]
    else:
        facts = [f"id {token:,}", origin(history, token), bytes_of(history, token)]
    if step >= position:
        facts.insert(2, "not made yet" if short else "not made yet at the cursor")
    if tree.hidden_merges:
        facts.append(
            f"{counted(tree.hidden_merges, 'earlier merge')} of "
            f"{counted(tree.symbols[0], 'symbol')} left out above"
        )
    quiet = " · ".join(escape(fact).replace(" ", "&nbsp;") for fact in facts)
    name = label(content, 16) if short else label(content)
    return f'<b>{escape(name)}</b> <span style="color:{muted}">{quiet}</span>'


def scaffolding_text(history: History, step: int, theme: Theme, *, short: bool) -> str:
    """Say that a token is only part of others since a merge, which is a link, as rich text."""
    muted = f'<span style="color:{theme.muted}">'
    merge = f'<a style="color:{theme.accent}" href="{step}">{merge_name(step)}</a>'
    if short:
        return f"{muted}Only within others since</span> {merge}"
    pair = pair_text(history, int(history.left[step]), int(history.right[step]))
    new = label(history.token_bytes(int(history.new_id[step])))
    return (
        f"{muted}Scaffolding: since</span> {merge} ({escape(pair)} → {escape(new)}) "
        f"{muted}it occurs only within other tokens.</span>"
    )


def node_note(tree: MergeTree, node: int) -> str:
    """Return the merge that made a node, and how many symbols it has if they are left out."""
    if tree.steps[node] < 0:
        return ""
    folded = f" … {tree.symbols[node]:,}" if tree.is_folded(node) else ""
    return merge_name(tree.steps[node]) + folded


def node_tip(history: History, tree: MergeTree, node: int) -> str:
    """Return all facts about a node, in lines."""
    token, step = tree.tokens[node], tree.steps[node]
    content = history.token_bytes(token)
    lines = [f"“{label(content)}”, id {token:,}, {bytes_of(history, token)}"]
    if step < 0:
        lines.append(origin(history, token))
    else:
        lines.append(merge_sentence(history, step))
    if tree.is_folded(node):
        lines.append(f"made of {counted(tree.symbols[node], 'symbol')}, left out here")
    return "\n".join(lines)
