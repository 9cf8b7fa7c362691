"""The sections of a recipe in a few words each."""

from __future__ import annotations

from bpe_gui.analysis.visible import NEWLINE, TAB
from bpe_gui.bpe.recipe import EndOfWord, Normalizer, Prepend, Replace, own_pattern
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft
from bpe_gui.ui.pipeline.escapes import escaped
from bpe_gui.ui.pipeline.recipe_words import (
    ALPHABETS,
    ENDS_OF_WORD,
    OWN_SPLIT,
    SPLIT_TITLES,
    SYMBOLS,
    TIES,
    normalizer_title,
)

_SHOWN_STEPS = 4
_SHOWN_PATTERN = 60


def normalizers_summary(draft: RecipeDraft) -> str:
    """The steps in a few words."""
    steps = draft.value("normalizers")
    if not steps:
        return "the text stays as it is"
    names = [normalizer_in_words(step) for step in steps[:_SHOWN_STEPS]]
    more = len(steps) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def normalizer_in_words(step: Normalizer) -> str:
    """A step with what it replaces or prepends, in a few words."""
    if isinstance(step, Replace):
        return f"replace {_in_a_line(step.pattern)}"
    if isinstance(step, Prepend):
        return f"prepend {escaped(step.text)}"
    return normalizer_title(step)


def _in_a_line(pattern: str) -> str:
    """A pattern with marks for what would break the line; a backslash in it is its own."""
    return pattern.replace("\n", NEWLINE).replace("\t", TAB)


def split_summary(draft: RecipeDraft) -> str:
    """The split in a few words."""
    split = draft.value("split")
    pattern = own_pattern(split)
    if pattern is None:
        return SPLIT_TITLES[split][0] if split in SPLIT_TITLES else split
    return f"{OWN_SPLIT[0]}: {_in_a_line(pattern[:_SHOWN_PATTERN])}"


def symbols_summary(draft: RecipeDraft) -> str:
    """Symbols, alphabet and end of word in a few words."""
    parts = [SYMBOLS[draft.value("symbols")], ALPHABETS[draft.value("alphabet")]]
    if draft.value("end_of_word") is not EndOfWord.NONE:
        parts.append(ENDS_OF_WORD[draft.value("end_of_word")])
    return ", ".join(parts)


def special_tokens_summary(draft: RecipeDraft) -> str:
    """The special tokens in a few words."""
    tokens = draft.value("special_tokens")
    shown = [escaped(token) for token in tokens[:_SHOWN_STEPS]]
    return ", ".join(shown) + (" …" if len(tokens) > _SHOWN_STEPS else "") or "none"


def stops_summary(draft: RecipeDraft) -> str:
    """The stops and the rule for ties in a few words."""
    size, merges = draft.value("vocabulary_size"), draft.value("merges")
    least = draft.value("min_frequency")
    parts = []
    if size is not None:
        parts.append(f"at {size:,} entries")
    if merges is not None:
        parts.append(f"after {merges:,} merges")
    if least > 1:
        parts.append(f"below {least:,} times")
    stops = " or ".join(parts) or "when no pair is left"
    return f"{stops}; ties: {TIES[draft.value('ties')]}"
