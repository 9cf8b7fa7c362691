"""What is said of an item of a stage when it is pointed at, in a tooltip or by a screen reader."""

from __future__ import annotations

import unicodedata

from bpe_gui.analysis.pipeline.stages import Items, MergedSymbols, PipelineTrace, Stage, Status
from bpe_gui.analysis.visible import visible, visible_text
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.ui.pipeline.sentences import counted, name_of_split, name_of_step
from bpe_gui.ui.pipeline.shown import Shown

_MOST_BYTES = 32
_MOST_CHARACTERS = 60
_MOST_MERGES = 10
_MOST_TOKENS = 3


def describe(shown: Shown, stage: Stage, item: int) -> list[str]:
    """Sentences about one item: what it is, what became of it, and where it went."""
    items = shown.items(stage)
    content, status = items.content(item), Status(items.statuses[item])
    lines = [f"“{_short(visible(content))}”"]
    if status is Status.SPECIAL:
        lines.append("a special token: cut out before all else, and never split")
        return [*lines, *_tokens(shown, items, item)]
    if stage <= Stage.NORMALIZED:
        lines.append(_name(content.decode("utf-8")))
    lines.append(_bytes(content))
    if stage is Stage.NORMALIZED:
        lines += _status_of_character(shown.sheet, item, status)
    if stage <= Stage.NORMALIZED:
        lines += _steps(shown.sheet, int(items.starts[item]), int(items.stops[item]))
        if not (stage is Stage.NORMALIZED and status is Status.DROPPED):
            lines += _pretokens(shown.sheet, items, item)
    elif stage is Stage.PRETOKENS:
        lines += _status_of_pretoken(shown.sheet, item, status)
    else:
        lines += _status_of_symbol(status)
    if stage >= Stage.TOKENS:
        return [*lines, *_origin(shown, item)]
    return [*lines, *_tokens(shown, items, item)]


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


def _apart(text: str) -> str:
    """A text in which accents do not hide on their letters."""
    return _short("".join(map(visible_text, text)))


def _name(character: str) -> str:
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}{' ' + name if name else ''}"


def _bytes(data: bytes) -> str:
    more = " …" if len(data) > _MOST_BYTES else ""
    return f"{counted(len(data), 'byte')}: {data[:_MOST_BYTES].hex(' ').upper()}{more}"


# -- before the symbols ------------------------------------------------------------------------


def _status_of_character(sheet: PipelineTrace, item: int, status: Status) -> list[str]:
    start, stop = int(sheet.normalized.starts[item]), int(sheet.normalized.stops[item])
    if status is Status.DROPPED:
        return [f"dropped by {name_of_step(sheet.steps[int(sheet.dropped_by[item])])}"]
    if status is Status.PUT_IN:
        steps = (step for step in sheet.steps if [start, stop] in step.places.tolist())
        return [f"put in by {name_of_step(step)}" for step in steps][:1]
    if status is Status.CHANGED:
        return [f"made from “{_short(visible(sheet.raw.data[start:stop]))}”"]
    return []


def _steps(sheet: PipelineTrace, start: int, stop: int) -> list[str]:
    """What each step made of a stretch of the raw text, where it made something else."""
    if start == stop:
        return []
    lines = []
    before = sheet.raw.data[start:stop].decode("utf-8")
    for step in sheet.steps:
        after = step.within(start, stop)
        if after != before:
            made = f"“{_apart(after)}”" if after else "nothing"
            lines.append(f"{name_of_step(step)}: “{_apart(before)}” → {made}")
        before = after
    return lines


def _pretokens(sheet: PipelineTrace, items: Items, item: int) -> list[str]:
    found = sheet.pretokens.within(int(items.firsts[item]), int(items.lasts[item]))
    lines = []
    for pretoken in found[:_MOST_TOKENS]:
        shown = f"“{_short(visible(sheet.pretokens.content(pretoken)))}”"
        status = Status(sheet.pretokens.statuses[pretoken])
        lines.append(
            f"dropped between pre-tokens: {shown}"
            if status is Status.DROPPED
            else f"in the pre-token {shown}"
        )
    return lines


def _status_of_pretoken(sheet: PipelineTrace, item: int, status: Status) -> list[str]:
    split = name_of_split(sheet.recipe)
    if status is Status.DROPPED:
        return [f"dropped between pre-tokens by {split}"]
    if status is Status.UNMATCHED:
        return [f"skipped by {split}: stays alone and never merges"]
    items = sheet.pretokens
    symbols = sheet.symbols.within(int(items.firsts[item]), int(items.lasts[item]))
    return [f"{counted(len(symbols), 'symbol')}; merges stay within it"]


# -- from the symbols on -----------------------------------------------------------------------


def _status_of_symbol(status: Status) -> list[str]:
    if status is Status.UNKNOWN:
        return ["not in the alphabet"]
    if status is Status.PUT_IN:
        return ["marks the end of the word"]
    return ["skipped by the split: never merges"] if status is Status.UNMATCHED else []


def _tokens(shown: Shown, items: Items, item: int) -> list[str]:
    """The tokens that an item is in, or that are in it; before a training its id, if it has one."""
    if not shown.has_ids:
        return []
    merged = shown.merged
    found = merged.items.within(int(items.firsts[item]), int(items.lasts[item]))
    if not shown.is_trained:
        return [f"id {int(merged.ids[token])}" for token in found if len(found) == 1]
    if len(found) > _MOST_TOKENS:
        return [counted(len(found), "token")]
    return [_token(merged, token) for token in found]


def _token(merged: MergedSymbols, token: int) -> str:
    number = int(merged.ids[token])
    shown = f"“{_short(visible(merged.items.content(token)))}”"
    return f"no token for {shown}" if number == NO_TOKEN else f"token {number}: {shown}"


def _origin(shown: Shown, token: int) -> list[str]:
    """The id of a token, and the merges that made it in the order in which they did."""
    merged, merging = shown.merged, shown.merging
    number = int(merged.ids[token])
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
        left, right = (_short(visible(part)) for part in parts)
        lines.append(f"merge {step + 1:,}: “{left}” + “{right}”")
    if len(steps) > _MOST_MERGES:
        lines.append(f"… and {len(steps) - _MOST_MERGES:,} more")
    return lines
