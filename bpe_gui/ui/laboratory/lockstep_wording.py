"""All sentences of the lockstep panel."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bpe_gui.analysis.compare_runs import FROM_START, MISSING, Lockstep
from bpe_gui.progress import counted, listed, times
from bpe_gui.ui.tokens.token_words import label, merge_name

NOTHING_LOADED = "Open a corpus to train two recipes on it side by side."
NOTHING_TRAINED = (
    "Choose two recipes and train both. Their merges are listed here in the order of their "
    "ranks, with lines between equal tokens."
)
ONE_RUN = "They are the same run and share one curve."
NOT_IN_VIEW = "The run in view does not have it."
DIVERGENCE = "they diverge"
HINT = (
    "Point at a token for its ranks. P goes to where they diverge, N to the next token that only "
    "one has."
)
_MAX_LISTED = 60
"""Tokens at most in the list of those that only one run has."""


def run_names(recipes: Sequence[str]) -> list[str]:
    """Name runs by their recipes, each differently.

    >>> run_names(["gpt2", "gpt4", "gpt2"])
    ['gpt2 (1)', 'gpt4', 'gpt2 (3)']
    """
    return [
        f"{name} ({number})" if recipes.count(name) > 1 else name
        for number, name in enumerate(recipes, 1)
    ]


def summary(found: Lockstep, names: Sequence[str]) -> str:
    """Describe where runs diverge, what only one of them has, and how far they were trained."""
    text, every = divergence(found, names), "both" if len(names) == 2 else "all"
    only = [len(found.only(run)) for run in range(len(names))]
    shared = found.shared()
    if not any(only) and all(shared == len(steps) for steps in found.contents):
        text += " They learn the same tokens."
    else:
        text += f" They share {counted(shared, 'token')}"
        alone = [
            f"{count:,} {'is' if count == 1 else 'are'} only in “{name}”"
            for name, count in zip(names, only, strict=True)
            if count
        ]
        text += f"; {listed(alone)} (◆)." if alone else "."
    sizes = {history.recipe.vocabulary_size for history in found.histories}
    if len(sizes) == 1 and (size := sizes.pop()) is not None:
        text += f" {every.capitalize()} are trained up to {size:,} entries."
    if found.marks_left_out:
        text += (
            f" End-of-word markers are ignored, since not {every} have them: “est</w>” counts "
            "as “est”."
        )
    return text


def divergence(found: Lockstep, names: Sequence[str]) -> str:
    """Describe where runs diverge, if they do, and what each of them makes there."""
    who = listed([f"“{name}”" for name in names])
    step = found.parts_at
    if step is None:
        return f"{who} are the same for their first {counted(min(found.lengths), 'merge')}."
    where = "the first merge" if step == 0 else merge_name(step)
    made = [f"{_token(found, run, step)} in “{name}”" for run, name in enumerate(names)]
    return f"{who} diverge at {where}: {listed(made)}."


def only_listed(found: Lockstep, names: Sequence[str]) -> str:
    """List the tokens that only one run has, by rank, as HTML; empty without any."""
    lists = []
    for run, name in enumerate(names):
        steps = found.only(run).tolist()
        tokens = "  ".join(_token(found, run, step) for step in steps[:_MAX_LISTED])
        more = f" … and {len(steps) - _MAX_LISTED:,} more" if len(steps) > _MAX_LISTED else ""
        if steps:
            lists.append(f"<p>Only in “{escape(name)}”: {escape(tokens)}{more}</p>")
    return "".join(lists)


def _token(found: Lockstep, run: int, step: int) -> str:
    history = found.histories[run]
    return f"“{label(history.token_bytes(int(history.new_id[step])))}”"


def described(found: Lockstep, names: Sequence[str], run: int, step: int) -> str:
    """Describe a token with its ranks in all runs."""
    count = times(int(found.histories[run].count[step]))
    text = f"{_token(found, run, step)}: {merge_name(step)} in “{names[run]}”, seen {count}"
    content = found.contents[run][step]
    first = int(found.steps[run, content])
    if first != step:
        before = "there from the start" if first == FROM_START else f"made at {merge_name(first)}"
        return f"{text}. It is {before} already."
    parts = []
    for other, name in enumerate(names):
        if other == run:
            continue
        other_step = int(found.steps[other, content])
        if other_step == MISSING:
            parts.append(f"“{name}” has not learned it")
        elif other_step == FROM_START:
            parts.append(f"in “{name}” it is there from the start")
        else:
            parts.append(f"{merge_name(other_step)} in “{name}”{_moved(step, other_step)}")
    return f"{text}; {listed(parts)}."


def _moved(step: int, other: int) -> str:
    if step == other:
        return ", at the same rank"
    return f", {counted(abs(other - step), 'merge')} {'later' if other > step else 'earlier'}"
