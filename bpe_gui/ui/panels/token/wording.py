"""Texts about a selected token and the nodes of its merge tree."""

from __future__ import annotations

from html import escape

from bpe_gui.analysis.derivation import MergeTree, made_at
from bpe_gui.analysis.token_life import TokenLife, is_residue
from bpe_gui.bpe.history import History
from bpe_gui.progress import counted, times
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.token_words import (
    bytes_of,
    label,
    merge_name,
    merge_sentence,
    origin,
    pair_text,
    token_lines,
)

NOTHING_LOADED = "Open a corpus to see the merges behind each token."
NOTHING_SELECTED = "Select a token to see its merge tree."
SPOKEN_TREE = "Merge tree of the selected token"
SPOKEN_LIFE = "The life of the selected token"
SPOKEN_TABS = "What is shown of the token"
MADE_OF_IT = "Tokens made of the selected token"
PART_OF = "Part of:"
NOTHING_MADE = "Not part of any later token yet."
NOT_MADE_YET = ". Not made yet at the cursor"
PLACES = "places"
"""The link to where a token occurs."""
TREE, LIFE = "Merge tree", "Life"
TREE_TIP = "The merges that made the token"
LIFE_TIP = "How often the token occurs in the corpus after every merge"
NO_LIFE = "Select a token to see how often it occurs after every merge."
NO_COUNTS = "The merges of this run were not counted in a corpus."
COUNTING = "Counting the tokens of the corpus…"
NEVER_MERGED = "No merge has used it."
RESIDUES_TIP = (
    "Residues are tokens of which at most a tenth is left outside longer tokens of the corpus: "
    "they hardly occur any more, and still take entries of the vocabulary"
)
NOWHERE_IN_CORPUS = "It does not occur in the corpus."
_SHOWN_BYTES = 12


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
        facts = [f"id {history.own_id(token):,}", merge_name(step), counted(size, "byte")]
    else:
        facts = [f"id {history.own_id(token):,}", origin(history, token)]
        facts.append(bytes_of(history, token, _SHOWN_BYTES))
    if step >= position:
        facts.insert(2, "not made yet" if short else "not made yet at the cursor")
    if tree.hidden_merges:
        facts.append(
            f"{counted(tree.hidden_merges, 'earlier merge')} of "
            f"{counted(tree.symbols[0], 'token')} left out above"
        )
    quiet = " · ".join(escape(fact).replace(" ", "&nbsp;") for fact in facts)
    name = label(content, 16) if short else label(content)
    return f'<b>{escape(name)}</b> <span style="color:{muted}">{quiet}</span>'


def life_text(
    history: History, life: TokenLife, position: int, theme: Theme, *, short: bool, asks: bool
) -> str:
    """Say how often a token occurs at a position, and where the others are, as rich text.

    The merge since which it occurs only within longer tokens is a link, and, if it `asks`, the
    question where it occurs. Empty if it is not known.
    """
    now, past = life.count_at(position), life.until(position)
    total = past.total
    if now is None or total is None or not total:
        return ""
    muted = f'<span style="color:{theme.muted}">'
    merged = life.token >= len(history.base)
    tokens = int(history.tokens[position])
    residue = " (a residue)" if merged and is_residue(now, total, tokens) else ""
    if now == 0:
        step = int(past.steps[-1])
        merge = f'<a style="color:{theme.accent}" href="{step}">{merge_name(step)}</a>'
        if short:
            return f"{muted}Only within others since</span> {merge}"
        pair = pair_text(history, int(history.left[step]), int(history.right[step]))
        new = label(history.token_bytes(int(history.new_id[step])))
        return (
            f"{muted}Since</span> {merge} ({escape(pair)} → {escape(new)}) "
            f"{muted}it occurs only within longer tokens{residue}.</span>"
        )
    where = f' <a style="color:{theme.accent}" href="{PLACES}">Where?</a>' if asks else ""
    if now == total:
        return f"{muted}Occurs {times(now)}.</span>{where}"
    gone = f"{total - now:,} of {total:,} are within longer tokens{residue}"
    return f"{muted}Occurs {times(now)}; {gone}.</span>{where}"


def residues_text(count: int, size: int) -> str:
    """Return how many entries of a vocabulary are residues, and what these are."""
    entries = counted(size, "entry", "entries")
    return (
        f"Residues: {count:,} of {entries} ({count / size:.1%}) hardly occur outside longer tokens"
    )


def highest(name: str, count: int) -> str:
    """Head the life of a token: what its full height stands for."""
    return f"{name} occurred at most {times(count)}"


def level(name: str, count: int) -> str:
    """Say how often a token occurs that no merge has taken.

    >>> level("newest", 6)
    'newest occurs 6 times; no merge takes any'
    """
    return f"{name} occurs {times(count)}; no merge takes any"


def event_lines(history: History, life: TokenLife, event: int) -> list[str]:
    """Tell what a merge did to the count of a token."""
    step, change = int(life.steps[event]), int(life.changes[event])
    sentence = merge_sentence(history, step)
    what = "made" if change > 0 else "taken"
    left = "none is left" if life.counts[event] == 0 else f"{int(life.counts[event]):,} then"
    return [sentence[0].upper() + sentence[1:], f"{abs(change):,} {what}, {left}"]


def count_lines(count: int, position: int) -> list[str]:
    return [f"Occurs {times(count)}" if count else "Does not occur", f"after {merges(position)}"]


def merges(position: int) -> str:
    return counted(position, "merge")


def node_note(tree: MergeTree, node: int) -> str:
    """Return the merge that made a node, and its tokens at first if they are left out."""
    if tree.steps[node] < 0:
        return ""
    folded = f" … {tree.symbols[node]:,}" if tree.is_folded(node) else ""
    return merge_name(tree.steps[node]) + folded


def node_tip(history: History, tree: MergeTree, node: int) -> str:
    """Return all facts about a node, in lines."""
    lines = token_lines(history, tree.tokens[node])
    if tree.is_folded(node):
        lines.append(f"{counted(tree.symbols[node], 'token')} at first, left out here")
    return "\n".join(lines)
