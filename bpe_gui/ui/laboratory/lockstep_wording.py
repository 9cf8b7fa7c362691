"""Recipes in lockstep, in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bpe_gui.analysis.compare_runs import FROM_START, MISSING, Lockstep
from bpe_gui.ui.tokens.token_words import counted, label, merge_name, times

_NOTHING_LOADED = (
    "Once a corpus has been read, two recipes can be trained on it here, side by side."
)
NOTHING_TRAINED = (
    "Choose two recipes and train both. Their merges will stand here in the order of their "
    "ranks, with lines between equal tokens."
)

_MOST_LISTED = 60
"""Of the tokens that only one run has."""
ONE_RUN = "They are one and the same run, and have one curve."

HINT = (
    "Point at a token for its ranks. P goes to where they part, N to the next token that only "
    "one has; + and − zoom, 0 shows all."
)


def nothing_loaded(reading: str) -> str:
    """Why there is nothing: a corpus of that name is being read, or none has been."""
    return f"Reading {reading} …" if reading else _NOTHING_LOADED


def joined(parts: Sequence[str], last: str = "and") -> str:
    """Some names as people list them.

    >>> joined(["gpt2"]), joined(["gpt2", "gpt4", "raw"])
    ('gpt2', 'gpt2, gpt4 and raw')
    """
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def run_names(recipes: Sequence[str]) -> list[str]:
    """What runs are called, each in its own way.

    >>> run_names(["gpt2", "gpt4", "gpt2"])
    ['gpt2 (1)', 'gpt4', 'gpt2 (3)']
    """
    return [
        f"{name} ({number})" if recipes.count(name) > 1 else name
        for number, name in enumerate(recipes, 1)
    ]


def summary(found: Lockstep, names: Sequence[str]) -> str:
    """Where the runs part and what only one of them has."""
    text = parting_sentence(found, names)
    every = "both" if len(names) == 2 else "all"
    text += _shared(found, names)
    text += _common_size(found)
    if found.marks_left_out:
        text += (
            " Marks for the end of a word are left out, for not "
            f"{every} have them: “est</w>” is taken as “est”."
        )
    return text


def parting_sentence(found: Lockstep, names: Sequence[str]) -> str:
    """Where the runs part, if they do."""
    shortest = min(found.lengths)
    who = joined([f"“{name}”" for name in names])
    if found.parts_at is None:
        return f"{who} are the same for their first {counted(shortest, 'merge')}."
    where = "the first merge" if found.parts_at == 0 else merge_name(found.parts_at)
    return f"{who} part at {where}: {parting(found, names)}."


def _shared(found: Lockstep, names: Sequence[str]) -> str:
    """How many tokens all have, and how many each has alone."""
    only = [len(found.only(run)) for run in range(len(names))]
    shared = found.shared()
    if not any(only) and all(shared == len(steps) for steps in found.contents):
        return " They learn the same tokens."
    alone = [
        f"{count:,} {'is' if count == 1 else 'are'} only in “{name}”"
        for name, count in zip(names, only, strict=True)
        if count
    ]
    text = f" They share {counted(shared, 'token')}"
    return f"{text}; {joined(alone)} (◆)." if alone else f"{text}."


def only_listed(found: Lockstep, names: Sequence[str]) -> str:
    """The tokens that each has alone, in the order of their ranks, as HTML; empty without any."""
    lists = []
    for run, name in enumerate(names):
        steps = found.only(run).tolist()
        tokens = "  ".join(token(found, run, step) for step in steps[:_MOST_LISTED])
        more = f" … and {len(steps) - _MOST_LISTED:,} more" if len(steps) > _MOST_LISTED else ""
        if steps:
            lists.append(f"<p>Only in “{escape(name)}”: {escape(tokens)}{more}</p>")
    return "".join(lists)


def _common_size(found: Lockstep) -> str:
    """How far all recipes were to be trained."""
    sizes = {history.recipe.vocabulary_size for history in found.histories}
    size = sizes.pop()
    if size is None or sizes:
        return ""
    return f" {'Both' if len(found.histories) == 2 else 'All'} are trained up to {size:,} entries."


def parting(found: Lockstep, names: Sequence[str]) -> str:
    """What each of the runs makes at the first step at which they differ."""
    assert found.parts_at is not None
    made = [f"{token(found, run, found.parts_at)} in “{name}”" for run, name in enumerate(names)]
    return joined(made)


def token(found: Lockstep, run: int, step: int) -> str:
    """The token that a merge makes, as it is written in its own run."""
    history = found.histories[run]
    return f"“{label(history.token_bytes(int(history.new_id[step])))}”"


def described(found: Lockstep, names: Sequence[str], run: int, step: int) -> str:
    """A token with its ranks in all runs."""
    count = times(int(found.histories[run].count[step]))
    text = f"{token(found, run, step)}: {merge_name(step)} in “{names[run]}”, seen {count}"
    content = found.contents[run][step]
    first = int(found.steps[run, content])
    if first != step:
        before = "there from the start" if first == FROM_START else f"made at {merge_name(first)}"
        return f"{text}. It is {before} already."
    parts = []
    for other, name in enumerate(names):
        if other == run:
            continue
        found_at = int(found.steps[other, content])
        if found_at == MISSING:
            parts.append(f"“{name}” has not learnt it")
        elif found_at == FROM_START:
            parts.append(f"in “{name}” it is there from the start")
        else:
            parts.append(f"{merge_name(found_at)} in “{name}”{_moved(step, found_at)}")
    return f"{text}; {joined(parts)}."


def _moved(step: int, other: int) -> str:
    """By how many merges a token comes later, or earlier."""
    if step == other:
        return ", at the same rank"
    return f", {counted(abs(other - step), 'merge')} {'later' if other > step else 'earlier'}"
