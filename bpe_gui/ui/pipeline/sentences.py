"""What each stage did to the whole text, in one short line beside it."""

from __future__ import annotations

import numpy as np

from bpe_gui.analysis.pipeline.stages import PipelineTrace, Stage, Status, StepChange
from bpe_gui.analysis.visible import visible_text
from bpe_gui.bpe.recipe import Prepend, Recipe, Replace, own_pattern
from bpe_gui.ui.pipeline.recipe_words import SPLIT_TITLES, normalizer_title
from bpe_gui.ui.pipeline.shown import Shown

TITLES = ("Raw text", "Normalized", "Pre-tokens", "Symbols", "Merged", "Ids")
"""The names of the stages."""

_MOST_OF_A_PATTERN = 20
_SPECIAL = {Status.SPECIAL: ("in brackets", "special tokens, cut out before all else")}
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
"""How a stage shows what became of its items, and what that means."""


def counted(count: int, what: str) -> str:
    """A number and what it is a number of."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def lines_of_sheet(sheet: PipelineTrace) -> list[str]:
    """One line for each stage up to the symbols; an empty one for those that failed."""
    said = (_raw, _normalized, _pretokens, _symbols)
    return [
        say(sheet) if sheet.reaches(stage) else "" for stage, say in zip(Stage, said, strict=False)
    ]


def lines_of_tokens(shown: Shown) -> list[str]:
    """One line for each of the last two stages, which change with the position."""
    if not shown.sheet.reaches(Stage.TOKENS):
        return ["", ""]
    return [_merged(shown), _ids(shown)]


def reason_of(shown: Shown, stage: Stage) -> str:
    """Why nothing is shown of a stage; empty if something is."""
    problem = shown.sheet.problem
    if problem is not None:
        said = problem.sentence if stage is problem.stage else ""
        return said and f"{said[:1].upper()}{said[1:]}."
    if not len(shown.sheet.symbols):
        return ""
    if stage is Stage.TOKENS and not shown.is_trained:
        return "Train with this recipe, and its merges stand here."
    if stage is Stage.IDS and not shown.has_ids:
        return "Ids come with the training: the corpus decides which symbols there are."
    return ""


def details_of(sheet: PipelineTrace, stage: Stage) -> list[str]:
    """What more there is to say of a stage than fits beside it."""
    if stage > Stage.SYMBOLS or not sheet.reaches(stage):
        return []
    lines = []
    if stage is Stage.NORMALIZED:
        sizes = [_raw_characters(sheet), *(len(step.text) for step in sheet.steps)]
        for step, before in zip(sheet.steps, sizes, strict=False):
            lines.append(f"{name_of_step(step)}: {_effect(step, f' of {before:,}')}")
    elif stage is Stage.PRETOKENS:
        lines.append(f"cut by {name_of_split(sheet.recipe)}")
    statuses = set(sheet.stage(stage).statuses.tolist())
    marks = _MARKS.get(stage, _SPECIAL)
    return lines + [
        f"{mark}: {what}" for status, (mark, what) in marks.items() if status in statuses
    ]


def name_of_step(step: StepChange) -> str:
    """A normalizer, as the editor calls it, with what it replaces or prepends."""
    normalizer = step.step
    if isinstance(normalizer, Prepend):
        return f"prepend “{visible_text(normalizer.text)}”"
    if isinstance(normalizer, Replace):
        return f"replace {_short(normalizer.pattern)}"
    return normalizer_title(normalizer)


def name_of_split(recipe: Recipe) -> str:
    """A pre-tokenization, as it is called in the line beside its stage."""
    pattern = own_pattern(recipe.split)
    if pattern is not None:
        return f"the pattern {_short(pattern)}"
    return f"the split “{SPLIT_TITLES[recipe.split][0]}”"


def _short(pattern: str) -> str:
    shown = visible_text(pattern)
    return shown if len(shown) <= _MOST_OF_A_PATTERN else shown[: _MOST_OF_A_PATTERN - 1] + "…"


def _raw_characters(sheet: PipelineTrace) -> int:
    """The characters that normalizers are given: those of special tokens are none of them."""
    return len(sheet.raw) - sheet.raw.count(Status.SPECIAL)


def _raw(sheet: PipelineTrace) -> str:
    said = [counted(len(sheet.text), "character"), counted(len(sheet.raw.data), "byte")]
    special = sheet.raw.count(Status.SPECIAL)
    return ", ".join([*said, counted(special, "special token")] if special else said)


def _normalized(sheet: PipelineTrace) -> str:
    if not sheet.steps:
        return "no normalizer"
    sizes = [_raw_characters(sheet), *(len(step.text) for step in sheet.steps)]
    busy = [
        (step, before)
        for step, before in zip(sheet.steps, sizes, strict=False)
        if step.changed or step.dropped or step.put_in
    ]
    if len(busy) == 1:
        [(step, before)] = busy
        return f"{name_of_step(step)}: {_effect(step, f' of {before:,}')}"
    told = (f"{name_of_step(step)}: {_effect(step)}" for step, _ in busy)
    return "; ".join(told) or "nothing to change"


def _effect(step: StepChange, of: str = "") -> str:
    """What a step did; `of` how many characters, which is said once."""
    told: list[str] = []
    for count, what in ((step.changed, "changed"), (step.dropped, "dropped")):
        if count:
            told.append(f"{count:,}{'' if told else of} {what}")
    if step.put_in:
        told.append(f"{step.put_in:,} put in")
    return ", ".join(told) or "nothing to change"


def _pretokens(sheet: PipelineTrace) -> str:
    items = sheet.pretokens
    said = [counted(items.count(Status.KEPT), "pre-token")]
    alone = items.count(Status.UNMATCHED)
    if alone:
        said.append(f"{alone:,} alone")
    places = np.flatnonzero(items.statuses == Status.DROPPED).tolist()
    if places:
        dropped = b"".join(map(items.content, places)).decode("utf-8")
        said.append(f"{len(dropped):,} dropped")
    return ", ".join(said)


def _symbols(sheet: PipelineTrace) -> str:
    items = sheet.symbols
    own = [
        items.content(item) for item in np.flatnonzero(items.statuses != Status.SPECIAL).tolist()
    ]
    said = [counted(len(own), "byte" if sheet.recipe.byte_level else "symbol")]
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
