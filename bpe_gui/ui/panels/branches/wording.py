"""Sentences about the branches of a run and about two of them compared."""

from __future__ import annotations

from html import escape

from bpe_gui.analysis.branches import Branch, BranchComparison, BranchState, decided_text
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.progress import counted, times
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.tokens.token_words import label, merge_name, pair_text

NOTHING_LOADED = "Open a corpus to see what other decisions change."
HOW = (
    "What if another pair had been merged? F8 forbids the pair that is merged next, F9 merges "
    "the selected pair of the chart instead. The context menu of the chart does the same. "
    "The run continues from the cursor as a branch."
)
COMPARED = "What two branches have and have not in common"
OTHER = "Branch to compare with"
NO_BRANCHES = "the run has no branches"
NAME_TIP = "Enter or a click shows a branch, F2 names it, Delete takes it away"
STATE_TIP = "Whether it is being trained; one branch is at a time"
MERGES_TIP = "Merges that have been done"
BYTES_TIP = "Of the corpus, after all of them"
WAITING = "They are compared when the training pauses or ends."


def only_in(branch: Branch) -> str:
    """Return what a screen reader calls the tokens that one branch has and the other has not."""
    return f"Tokens that only “{branch.name}” has"


def decisions(branch: Branch) -> str:
    """Return the decisions in a branch, a line each."""
    history = branch.history
    if not history.interventions:
        return "No decisions: the counts chose every merge."
    return "\n".join(decided_text(history, decided) for decided in history.interventions)


def state_sentence(branch: Branch, state: BranchState | None) -> str:
    """Return the state of a branch as a sentence, and how to continue it."""
    merges = f"{len(branch.history):,}"
    match state:
        case BranchState.TRAINING:
            return "It is being trained."
        case BranchState.PAUSED:
            return f"It is paused at merge {merges}. Show it and press Train to continue it."
        case BranchState.STOPPED:
            return f"It stopped at merge {merges}. Show it and press Train to continue it."
        case BranchState.FINISHED:
            return f"It is finished: {branch.history.stopped}."
    return ""


def quiet(text: str, theme: Theme) -> str:
    """Return a text in the colour of what is less important, as rich text."""
    return f'<span style="color:{theme.muted}">{escape(text)}</span>'


def where_they_part(comparison: BranchComparison, theme: Theme, *, links: bool) -> str:
    """Return the merge from which on two branches differ, which may be a link into the first."""
    step, merges = comparison.parts_at, counted(comparison.merges, "merge")
    if step is None:
        return f"They are the same for their first {merges}."
    name = merge_name(step)
    place = _link(name, 0, step + 1, NO_TOKEN, theme) if links else name
    return f"They differ from {place} on. After {merges}:"


def of_side(
    side: int, branch: Branch, comparison: BranchComparison, theme: Theme, *, links: bool
) -> str:
    """Return the name of the first or second branch, its numbers, and its own merge where they
    part.
    """
    one, other = comparison.bytes_per_token
    numbers = f"{other if side else one:.4f} bytes per token"
    if side:
        numbers += f", {_difference(one, other)}"
    text = f"<b>{escape(branch.name)}</b> {quiet(f'· {numbers}', theme)}"
    step, history = comparison.parts_at, branch.history
    if step is not None:
        left, right = int(history.left[step]), int(history.right[step])
        new = int(history.new_id[step])
        pair = f"{pair_text(history, left, right)} → {label(history.token_bytes(new))}"
        name = merge_name(step)
        place = _link(name, side, step + 1, new, theme) if links else name
        text += f"<br>{place}: {escape(pair)} "
        text += quiet(times(int(history.count[step])), theme)
    return text


def _link(text: str, side: int, position: int, token: int, theme: Theme) -> str:
    href = f"{side} {position} {token}"
    return f'<a style="color:{theme.accent}" href="{href}">{escape(text)}</a>'


def _difference(one: float, other: float) -> str:
    """By how much the second is greater or smaller, in per cent."""
    if f"{one:.4f}" == f"{other:.4f}":
        return "the same"
    percent = 100 * (other / one - 1)
    return f"{abs(percent):.2g} % {'more' if percent > 0 else 'fewer'}"
