"""The lines about stages of the pipeline, and the sentences about their items."""

from __future__ import annotations

import numpy as np

from bpe_gui.analysis.pipeline.stages import (
    Items,
    PipelineTrace,
    Stage,
    Status,
    StepChange,
)
from bpe_gui.analysis.visible import bytes_text, visible_text
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import Prepend, PrependOnce, Recipe, Replace, own_pattern
from bpe_gui.progress import counted
from bpe_gui.ui.pipeline.layout import Shown
from bpe_gui.ui.pipeline.recipe_words import normalizer_title, split_title
from bpe_gui.ui.tokens.token_words import code_point, merge_name, quoted, shortened

TITLES = ("Raw text", "Normalized", "Pre-tokens", "Symbols", "Merged", "Ids")
"""The names of the stages."""

_MOST_OF_A_PATTERN = 20
_SPECIAL = {Status.SPECIAL: ("in brackets", "special tokens, taken out first")}
_MARKS = {
    Stage.NORMALIZED: {
        Status.CHANGED: ("underlined", "made from something else"),
        Status.PUT_IN: ("in a dashed frame", "put in"),
        Status.DROPPED: ("struck out", "dropped"),
        **_SPECIAL,
    },
    Stage.PRETOKENS: {
        Status.DROPPED: ("struck out", "dropped"),
        Status.UNMATCHED: ("in a dotted frame", "skipped by the pattern, never merges"),
        **_SPECIAL,
    },
    Stage.SYMBOLS: {
        Status.PUT_IN: ("in a dashed frame", "marks of the ends of words, put in"),
        Status.UNKNOWN: ("underlined in red", "not in the alphabet"),
        **_SPECIAL,
    },
}
"""How a stage shows the statuses of its items, and what they mean."""


def lines_of_trace(trace: PipelineTrace) -> list[str]:
    """Return a line for every stage up to the symbols; an empty one for those that failed."""
    said = (_raw, _normalized, _pretokens, _symbols)
    return [
        say(trace) if trace.reaches(stage) else "" for stage, say in zip(Stage, said, strict=False)
    ]


def lines_of_tokens(shown: Shown) -> list[str]:
    """Return lines for the last two stages, which change with the position."""
    if not shown.trace.reaches(Stage.TOKENS):
        return ["", ""]
    return [_merged(shown), _ids(shown)]


def reason_of(shown: Shown, stage: Stage) -> str:
    """Explain why nothing is shown of a stage; empty if something is."""
    problem = shown.trace.problem
    if problem is not None:
        said = problem.sentence if stage is problem.stage else ""
        return said and f"{said[:1].upper()}{said[1:]}."
    if not len(shown.trace.symbols):
        return ""
    if stage is Stage.TOKENS and not shown.is_trained:
        return "Train with this recipe to see its merges."
    if stage is Stage.IDS and not shown.has_ids:
        return "Ids come with the training: the corpus decides which symbols there are."
    return ""


def details_of(trace: PipelineTrace, stage: Stage) -> list[str]:
    """Return more lines about a stage than fit beside it."""
    if stage > Stage.SYMBOLS or not trace.reaches(stage):
        return []
    lines = []
    if stage is Stage.NORMALIZED:
        lines = [f"{name_of_step(step)}: {_effect(step, of)}" for step, of in _sized(trace)]
    elif stage is Stage.PRETOKENS:
        lines.append(f"split by {name_of_split(trace.recipe)}")
    statuses = set(trace.stage(stage).statuses.tolist())
    marks = _MARKS.get(stage, _SPECIAL)
    return lines + [
        f"{mark}: {what}" for status, (mark, what) in marks.items() if status in statuses
    ]


def name_of_step(step: StepChange) -> str:
    """Return the name of a normalizer in the editor, with what it replaces or prepends."""
    normalizer = step.step
    if isinstance(normalizer, Prepend):
        once = " once" if isinstance(normalizer, PrependOnce) else ""
        return f"prepend “{visible_text(normalizer.text)}”{once}"
    if isinstance(normalizer, Replace):
        return f"replace {shortened(visible_text(normalizer.pattern), _MOST_OF_A_PATTERN)}"
    return normalizer_title(normalizer)


def name_of_split(recipe: Recipe) -> str:
    """Return the name of a split in the line about its stage."""
    pattern = own_pattern(recipe.split)
    if pattern is not None:
        return f"the pattern {shortened(visible_text(pattern), _MOST_OF_A_PATTERN)}"
    return f"the split “{split_title(recipe.split)}”"


def _sized(trace: PipelineTrace) -> list[tuple[StepChange, int]]:
    raw = len(trace.raw) - trace.raw.count(Status.SPECIAL)
    sizes = [raw, *(len(step.text) for step in trace.steps)]
    return list(zip(trace.steps, sizes, strict=False))


def _raw(trace: PipelineTrace) -> str:
    said = [counted(len(trace.text), "character"), counted(len(trace.raw.data), "byte")]
    special = trace.raw.count(Status.SPECIAL)
    return ", ".join([*said, counted(special, "special token")] if special else said)


def _normalized(trace: PipelineTrace) -> str:
    if not trace.steps:
        return "no normalizer"
    busy = [
        (step, before)
        for step, before in _sized(trace)
        if step.changed or step.dropped or step.put_in
    ]
    if len(busy) == 1:
        [(step, before)] = busy
        return f"{name_of_step(step)}: {_effect(step, before)}"
    lines = (f"{name_of_step(step)}: {_effect(step)}" for step, _ in busy)
    return "; ".join(lines) or "nothing to change"


def _effect(step: StepChange, before: int | None = None) -> str:
    """Describe what a step did to the characters before it, whose number may be named."""
    effects: list[str] = []
    for count, what in ((step.changed, "changed"), (step.dropped, "dropped")):
        if count:
            of = f" of {before:,}" if before is not None and not effects else ""
            effects.append(f"{count:,}{of} {what}")
    if step.put_in:
        effects.append(f"{step.put_in:,} put in")
    return ", ".join(effects) or "nothing to change"


def _pretokens(trace: PipelineTrace) -> str:
    items = trace.pretokens
    said = [counted(items.count(Status.KEPT), "pre-token")]
    alone = items.count(Status.UNMATCHED)
    if alone:
        said.append(f"{alone:,} alone")
    places = np.flatnonzero(items.statuses == Status.DROPPED).tolist()
    if places:
        dropped = b"".join(map(items.content, places)).decode("utf-8")
        said.append(f"{len(dropped):,} dropped")
    return ", ".join(said)


def _symbols(trace: PipelineTrace) -> str:
    items = trace.symbols
    own = [
        items.content(item) for item in np.flatnonzero(items.statuses != Status.SPECIAL).tolist()
    ]
    said = [counted(len(own), "byte" if trace.recipe.byte_level else "symbol")]
    if unknown := items.count(Status.UNKNOWN):
        said.append(f"{unknown:,} unknown")
    if marks := items.count(Status.PUT_IN):
        said.append(f"{marks:,} put in")
    return ", ".join([*said, f"{len(set(own)):,} different"])


def _merged(shown: Shown) -> str:
    merged = shown.merged
    if not shown.is_trained:
        return "not trained"
    if not merged.applied:
        return "no merge yet"
    return f"{counted(merged.applied, 'merge')}, {merged.rules:,} different"


def _ids(shown: Shown) -> str:
    if not shown.has_ids:
        return "not known"
    ids = shown.merged.ids
    return f"{counted(len(ids), 'id')}, {len(np.unique(ids)):,} different"


# -- single items ------------------------------------------------------------------------------

_MOST_MERGES = 10
_MOST_TOKENS = 3


def describe(shown: Shown, stage: Stage, item: int) -> list[str]:
    """Describe an item: what it is, what its stage did, and where it went."""
    items = shown.items(stage)
    content, status = items.content(item), Status(items.statuses[item])
    lines = [quoted(content)]
    if status is Status.SPECIAL:
        lines.append("a special token: taken out first, and never split")
        return [*lines, *_tokens(shown, items, item)]
    if stage <= Stage.NORMALIZED:
        lines.append(code_point(content.decode("utf-8")))
    lines.append(bytes_text(content))
    if stage is Stage.NORMALIZED:
        lines += _status_of_character(shown.trace, item, status)
    if stage <= Stage.NORMALIZED:
        lines += _steps(shown.trace, int(items.starts[item]), int(items.stops[item]))
        if not (stage is Stage.NORMALIZED and status is Status.DROPPED):
            lines += _pretokens_of(shown.trace, items, item)
    elif stage is Stage.PRETOKENS:
        lines += _status_of_pretoken(shown.trace, item, status)
    else:
        lines += _status_of_symbol(status)
    if stage >= Stage.TOKENS:
        return [*lines, *_origin(shown, item)]
    return [*lines, *_tokens(shown, items, item)]


def _apart(text: str) -> str:
    return shortened("".join(map(visible_text, text)))


# -- before the symbols ------------------------------------------------------------------------


def _status_of_character(trace: PipelineTrace, item: int, status: Status) -> list[str]:
    start, stop = int(trace.normalized.starts[item]), int(trace.normalized.stops[item])
    if status is Status.DROPPED:
        return [f"dropped by {name_of_step(trace.steps[int(trace.dropped_by[item])])}"]
    if status is Status.PUT_IN:
        steps = (step for step in trace.steps if [start, stop] in step.places.tolist())
        return [f"put in by {name_of_step(step)}" for step in steps][:1]
    if status is Status.CHANGED:
        return [f"made from {quoted(trace.raw.data[start:stop])}"]
    return []


def _steps(trace: PipelineTrace, start: int, stop: int) -> list[str]:
    if start == stop:
        return []
    lines = []
    before = trace.raw.data[start:stop].decode("utf-8")
    for step in trace.steps:
        after = step.within(start, stop)
        if after != before:
            made = f"“{_apart(after)}”" if after else "nothing"
            lines.append(f"{name_of_step(step)}: “{_apart(before)}” → {made}")
        before = after
    return lines


def _pretokens_of(trace: PipelineTrace, items: Items, item: int) -> list[str]:
    found = trace.pretokens.within(int(items.firsts[item]), int(items.lasts[item]))
    lines = []
    for pretoken in found[:_MOST_TOKENS]:
        shown = quoted(trace.pretokens.content(pretoken))
        status = Status(trace.pretokens.statuses[pretoken])
        lines.append(
            f"dropped between pre-tokens: {shown}"
            if status is Status.DROPPED
            else f"in the pre-token {shown}"
        )
    return lines


def _status_of_pretoken(trace: PipelineTrace, item: int, status: Status) -> list[str]:
    split = name_of_split(trace.recipe)
    if status is Status.DROPPED:
        return [f"dropped between pre-tokens by {split}"]
    if status is Status.UNMATCHED:
        return [f"skipped by {split}: stays alone and never merges"]
    items = trace.pretokens
    symbols = trace.symbols.within(int(items.firsts[item]), int(items.lasts[item]))
    return [f"{counted(len(symbols), 'symbol')}; merges stay within it"]


# -- from the symbols on -----------------------------------------------------------------------


def _status_of_symbol(status: Status) -> list[str]:
    if status is Status.UNKNOWN:
        return ["not in the alphabet"]
    if status is Status.PUT_IN:
        return ["marks the end of the word"]
    return ["skipped by the split: never merges"] if status is Status.UNMATCHED else []


def _tokens(shown: Shown, items: Items, item: int) -> list[str]:
    if not shown.has_ids:
        return []
    merged = shown.merged
    found = merged.items.within(int(items.firsts[item]), int(items.lasts[item]))
    if not shown.is_trained:
        return [f"id {int(merged.ids[token])}" for token in found if len(found) == 1]
    if len(found) > _MOST_TOKENS:
        return [counted(len(found), "token")]
    return [_token(shown, token) for token in found]


def _token(shown: Shown, token: int) -> str:
    number = int(shown.own_ids[token])
    content = quoted(shown.merged.items.content(token))
    return f"no token for {content}" if number == NO_TOKEN else f"token {number}: {content}"


def _origin(shown: Shown, token: int) -> list[str]:
    """Describe the id of a token, and the merges that made it, in their order."""
    merged, merging = shown.merged, shown.merging
    number = int(shown.own_ids[token])
    lines = ["no id" if number == NO_TOKEN else f"id {number}"]
    if merging is None:
        return lines
    first, last = merged.symbols[token : token + 2].tolist()
    steps = merging.merges(first, last, shown.position)
    if not steps:
        return [*lines, "there from the start"]
    lines.append(f"{counted(len(steps), 'merge')}, in this order:")
    history = merging.history
    for step in steps[:_MOST_MERGES]:
        parts = (history.token_bytes(int(part[step])) for part in (history.left, history.right))
        lines.append(f"{merge_name(step)}: {' + '.join(map(quoted, parts))}")
    if len(steps) > _MOST_MERGES:
        lines.append(f"… and {len(steps) - _MOST_MERGES:,} more")
    return lines
