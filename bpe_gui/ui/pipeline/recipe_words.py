"""The names of the parts of a recipe in the window."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from bpe_gui.analysis.visible import visible_text
from bpe_gui.bpe.recipe import (
    MATCHES,
    REGEX,
    Alphabet,
    EndOfWord,
    Normalizer,
    Prepend,
    PrependOnce,
    Replace,
    Symbols,
    Ties,
    own_pattern,
    steps_of_split,
)
from bpe_gui.ui.tokens.token_words import shortened

NORMALIZER_TITLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "nfc": ("NFC", "Compose: a letter and its accent become one character"),
        "nfd": ("NFD", "Decompose: an accented letter becomes a letter and its accent"),
        "nfkc": ("NFKC", "Compose, and make look-alikes the same: ﬁ becomes fi, ² becomes 2"),
        "nfkd": ("NFKD", "Decompose, and make look-alikes the same: ﬁ becomes fi, ² becomes 2"),
        "strip-accents": ("Strip accents", "Drop all combining marks; do NFD first"),
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
"""Name and tooltip of every normalizer, in the order of the menu."""

REPLACE_TITLE = ("Replace a regex", "Replace each match of a regular expression by a text")
PREPEND_TITLE = ("Prepend", "Put a text before each document, and behind each special token")
PREPEND_ONCE_TITLE = (
    "Prepend once",
    "Put a text before each document that does not begin with it or with a special token",
)

BYTE_FALLBACK_TITLE = (
    "Byte fallback",
    "A character that training has not seen becomes a token for each of its bytes, as in Llama 2",
)

NEW_CHARACTERS_TITLE = "New characters become symbols"
NEW_CHARACTERS_TIP = (
    "Characters of the corpus that {} lacks; otherwise they stay the bytes that it falls back to, "
    "which never merge"
)
"""{} is the encoding from which a run goes on."""
NEW_CHARACTERS_OFTEN = (
    "Occurrences of a new symbol",
    "How often a new character must occur in the corpus to become a symbol; rarer ones stay bytes",
)

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
"""Name and tooltip of every split, in the order of the box."""

OWN_SPLITS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        REGEX: (
            "A custom regular expression",
            "Each match of a regular expression is a word; other text is kept as single symbols",
        ),
        MATCHES: (
            "Matches of a regular expression only",
            "Each match of a regular expression is a word; other text is dropped, as in CLIP",
        ),
    }
)
"""Name and tooltip of the splits by a pattern of one's own."""
SEVERAL_SPLITS = ("Several steps", "Each step splits the words of the step before it")
_MOST_OF_A_STEP = 20
"""Characters of the regex of one step that are shown."""

CHOICES: Mapping[str, tuple[str, Mapping[StrEnum, tuple[str, str]]]] = MappingProxyType(
    {
        "symbols": (
            "Symbols",
            {
                Symbols.BYTES: ("bytes", "256 of them spell every text there is"),
                Symbols.CHARACTERS: (
                    "characters",
                    "A character that training has not seen is unknown, or falls back to bytes",
                ),
            },
        ),
        "alphabet": (
            "Alphabet",
            {
                Alphabet.BYTES: (
                    "all 256 bytes",
                    "Whether the corpus has them or not: every text can be encoded",
                ),
                Alphabet.OBSERVED: ("as observed", "Those that occur in the corpus"),
            },
        ),
        "end_of_word": (
            "End of a word",
            {
                EndOfWord.NONE: ("no marker", "Nothing tells where a word ends"),
                EndOfWord.OWN: (
                    "separate </w>",
                    "A symbol after the last character: l o w </w>",
                ),
                EndOfWord.JOINED: ("</w> joined", "Part of the last character: l o w</w>"),
            },
        ),
        "ties": (
            "Among equally frequent pairs wins",
            {
                Ties.FIRST_SEEN: (
                    "first seen",
                    "The pair that comes first in the corpus, as in the classic tutorials",
                ),
                Ties.LOWEST_ID: (
                    "lowest id",
                    "The pair with the lowest ids, as in Hugging Face’s trainer",
                ),
            },
        ),
    }
)
"""Fields of a few choices: the heading, and name and tooltip of every choice."""


def choice_title(field: str, choice: StrEnum) -> str:
    return CHOICES[field][1][choice][0]


def split_title(split: str) -> str:
    """Return the name of a split, or of the steps that it has."""
    titles = []
    for step in steps_of_split(split):
        pattern = own_pattern(step)
        title = SPLIT_TITLES[step][0] if pattern is None else visible_text(pattern)
        titles.append(shortened(title, _MOST_OF_A_STEP))
    return ", then ".join(titles)


def normalizer_title(step: Normalizer) -> str:
    if isinstance(step, Replace):
        return REPLACE_TITLE[0]
    if isinstance(step, PrependOnce):
        return PREPEND_ONCE_TITLE[0]
    if isinstance(step, Prepend):
        return PREPEND_TITLE[0]
    return NORMALIZER_TITLES[step][0] if step in NORMALIZER_TITLES else step
