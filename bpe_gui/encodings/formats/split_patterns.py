r"""Split patterns by name, for formats that do not hold a pattern, or hold it as text.

The names are those of `tiktoken`'s encodings and of our own pre-tokenizations. Every pattern means
the same to Python's `regex` module and to fancy-regex, which tiktoken uses, except for characters
newer than the Unicode tables of one of the two.

The formats drop text that a pattern does not match, where our engine keeps it as single symbols; so
every pattern here also matches the text that our split skips.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.pre_tokenize import (
    PATTERNS,
    clear_of,
    last_blank_after,
    last_split,
    matched_pattern,
)
from bpe_gui.bpe.recipe import Normalizer
from bpe_gui.encodings.base import ExportError, JoinsTokenBytes

_GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
"""GPT-2's pattern as tiktoken spells it, which does not run out of stack in long words."""

_WHITE_SPACE = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
r"""The characters that `str.split` splits at; `\s` lacks U+001C..1F."""

SPLIT_PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "gpt2": _GPT2,
        "cl100k": PATTERNS["cl100k"],
        "o200k": PATTERNS["o200k"],
        "categories": PATTERNS["categories"] + r"|\n",
        "whitespace": rf"[^{_WHITE_SPACE}]+",
        "lines": r"[ \n]|[^ \n]+",
        "none": r"[\s\S]+",
    }
)
"""Our own pre-tokenizations, except `bert`, which is not a regex."""

_LETTERS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"

_LLAMA_3 = rf"{_CONTRACTION}|{_LETTERS}|\p{{N}}{{1,3}}|{_REST}"
_TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN = rf"{_CONTRACTION}|{_LETTERS}|\p{{N}}|{_REST}"
_QWEN_35 = (
    rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
    r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

NAMED_PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        **SPLIT_PATTERNS,
        "r50k_base": _GPT2,
        "p50k_base": _GPT2,
        "p50k_edit": _GPT2,
        "cl100k_base": PATTERNS["cl100k"],
        "o200k_base": PATTERNS["o200k"],
        "o200k_harmony": PATTERNS["o200k"],
        "llama3": _LLAMA_3,
        "llama4": PATTERNS["o200k"],
        "qwen": _QWEN,
        "qwen35": _QWEN_35,
        "whisper": _GPT2,
        "tekken": _TEKKEN,
    }
)
"""All named patterns; tiktoken's `gpt2` is ours. The last ones are named after models."""

NORMALIZED_PATTERNS: Mapping[str, tuple[Normalizer, ...]] = MappingProxyType(
    {"qwen": ("nfc",), "qwen35": ("nfc",)}
)
"""The names of patterns that split a text that was normalized before, and the steps for that."""


CLIP = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+"
"""CLIP's pattern, which drops white space."""

CLIP_PATTERNS = (CLIP, r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
"""CLIP's pattern, as CLIP has it and as Hugging Face's converter writes it."""

DEEPSEEK = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""The last pattern of DeepSeek V3, behind those of digits and of Chinese and Japanese."""

TIKTOKEN_IN_ONIGURUMA: Mapping[str, str] = MappingProxyType(
    {
        _GPT2: _GPT2,
        PATTERNS["cl100k"]: PATTERNS["cl100k"].replace(r"\p{N}{1,3}+", r"\p{N}++"),
        PATTERNS["o200k"]: PATTERNS["o200k"],
    }
)
r"""tiktoken's own patterns in a tokenizer.json, and what they mean there. Its library repeats the
repetition `{1,3}+`, so numbers are not split; `$` behind `\s++` is the end of the text there, too.
All of them match everything."""

ALIKE = frozenset(
    {
        # minbpe's for GPT-2 and GPT-4, Llama 3's, Qwen 2's and 3.5's, Mistral's.
        PATTERNS["gpt2"],
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
        _LLAMA_3,
        _QWEN,
        _QWEN_35,
        _TEKKEN,
    }
)
"""Common patterns that mean the same to fancy-regex, to the `regex` module and to Oniguruma, except
for characters newer than their Unicode tables, and that match everything."""

CUT_BETWEEN_WORDS = ALIKE.union(
    *(PATTERNS.values(), (p for name, p in SPLIT_PATTERNS.items() if name != "none"))
)
"""Patterns in use by which a word begins at each place that `last_place` finds,
and by which the words before it and after it do not depend on each other."""


def cut_between_words(pattern: str | None, data: bytes, special_tokens: Iterable[str]) -> int:
    """Find the last byte offset where a text can be cut without changing a word or special token.

    Returns 0 if there is none, as for any pattern that is not one of `CUT_BETWEEN_WORDS`.

    >>> cut_between_words(PATTERNS["gpt2"], b"one two three", [])
    7
    """
    if pattern not in CUT_BETWEEN_WORDS:
        return 0
    return last_place(data, [text.encode("utf-8") for text in special_tokens])


class SplitsByPattern(JoinsTokenBytes):
    """The base of byte-level encodings that split text by a pattern, and find special tokens."""

    pattern: str
    special_tokens: dict[str, int]

    @cached_property
    def _specials(self) -> dict[int, str]:
        return {token: text for text, token in self.special_tokens.items()}

    def is_special(self, token: int) -> bool:
        """Tell whether a token is one of the special tokens."""
        return token in self._specials

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Find where a text can be cut, 0 for unknown patterns; see `base.KnowsSafeCuts`."""
        specials = () if specials_as_text else self.special_tokens
        return cut_between_words(self.pattern, data, specials)


def is_letter(character: str) -> bool:
    """Tell whether a character is a letter to every library, however old its Unicode is."""
    return bool(character) and unicodedata.ucd_3_2_0.category(character)[0] == "L"


def last_place(
    data: bytes,
    uncut: Sequence[bytes],
    ends_word: Callable[[str], bool] = is_letter,
    blanks: bytes = b" \n",
    *,
    lines: bool = True,
) -> int:
    """Find the last place between words that is in none of `uncut`, or 0 if there is none.

    It is between a character that ends a word and one of `blanks`, or, with `lines`, one of
    `last_split`, which is found faster and also between lines that end in punctuation.
    """
    place = last_split(data, "gpt2", specials=uncut) if lines else 0
    return place or clear_of(
        uncut, data, lambda limit: last_blank_after(data, limit, ends_word, blanks)
    )


def pattern_of(split: str, format_name: str) -> str:
    """Find the pattern of a pre-tokenization. Raises ExportError if it has none.

    >>> pattern_of("lines", "a format")
    '[ \\\\n]|[^ \\\\n]+'
    """
    if matched_pattern(split) is not None:
        raise ExportError(
            f"{format_name} can only hold the split patterns of the presets, and {shown(split)} is "
            "not one of them; save it as tokenizer.json"
        )
    if split not in SPLIT_PATTERNS:
        raise ExportError(
            f"{format_name} can only split text by a regular expression, and the "
            f"pre-tokenization {split!r} is not one; save it as tokenizer.json"
        )
    return SPLIT_PATTERNS[split]
