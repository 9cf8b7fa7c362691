"""What the parts of a recipe are called in the window."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from bpe_gui.analysis.visible import NEWLINE, TAB
from bpe_gui.bpe.recipe import (
    Alphabet,
    EndOfWord,
    Normalizer,
    Prepend,
    Replace,
    Symbols,
    Ties,
    own_pattern,
)
from bpe_gui.ui.laboratory.escapes import escaped
from bpe_gui.ui.laboratory.recipe_draft import RecipeDraft

NORMALIZER_TITLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "nfc": ("NFC", "Compose: a letter and its accent become one character"),
        "nfd": ("NFD", "Take apart: an accented letter becomes a letter and its accent"),
        "nfkc": ("NFKC", "Compose, and make look-alikes the same: ﬁ becomes fi, ² becomes 2"),
        "nfkd": ("NFKD", "Take apart, and make look-alikes the same: ﬁ becomes fi, ² becomes 2"),
        "strip-accents": ("Strip accents", "Drop all marks that stand alone; do NFD first"),
        "lowercase": ("Lowercase", "A becomes a"),
        "strip": ("Strip", "Drop white space at both ends of a document"),
        "bert-clean": (
            "Clean as BERT",
            "Drop control characters, make every white space a plain space",
        ),
        "bert-chinese": ("Space out ideographs", "Put a space around each Chinese character"),
        "remove-mn": ("Remove nonspacing marks", "Drop marks of category Mn; do NFD first"),
    }
)
"""What each step is called, and what it does, in the order in which they are offered."""

REPLACE_TITLE = ("Replace a regex", "Replace each match of a regular expression by a text")
PREPEND_TITLE = ("Prepend", "Put a text before each document")

SPLIT_TITLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "gpt2": ("GPT-2’s words", "A space belongs to the word after it"),
        "cl100k": ("GPT-4’s words", "cl100k_base: numbers in threes, contractions in any case"),
        "o200k": ("GPT-4o’s words", "o200k_base: upper and lower case apart"),
        "whitespace": ("White space", "Words between white space, which is dropped"),
        "bert": ("BERT’s words", "White space is dropped, each punctuation mark is a word"),
        "punctuation": ("Punctuation", "Each punctuation mark is a word"),
        "digits": ("Digits", "Each digit is a word"),
        "digits-3": ("Digits in threes", "Three digits from the left are a word"),
        "scripts": ("Scripts", "A run of one script is a word"),
        "categories": ("Categories", "A run of letters, of numbers or of separators is a word"),
        "lines": ("Spaces and lines", "Each space and each newline is a word"),
        "none": ("Nothing", "Each document is one word: merges cross everything"),
    }
)
"""What each split is called, and what it does, in the order in which they are offered."""

OWN_SPLIT = ("A regex of your own", "Each match of a regular expression is a word")

SYMBOLS: dict[StrEnum, str] = {Symbols.BYTES: "bytes", Symbols.CHARACTERS: "characters"}
ENDS_OF_WORD: dict[StrEnum, str] = {
    EndOfWord.NONE: "no marker",
    EndOfWord.OWN: "</w> of its own",
    EndOfWord.JOINED: "</w> joined",
}
ALPHABETS: dict[StrEnum, str] = {Alphabet.BYTES: "all 256 bytes", Alphabet.OBSERVED: "as observed"}
TIES: dict[StrEnum, str] = {Ties.FIRST_SEEN: "first seen", Ties.LOWEST_ID: "lowest id"}

_SHOWN_STEPS = 4
_SHOWN_PATTERN = 60


def normalizer_title(step: Normalizer) -> str:
    """What a step is called."""
    if isinstance(step, Replace):
        return REPLACE_TITLE[0]
    if isinstance(step, Prepend):
        return PREPEND_TITLE[0]
    return NORMALIZER_TITLES[step][0] if step in NORMALIZER_TITLES else step


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
