"""Where a text can be cut without changing a token of a tokenizer.json, as far as its steps tell.

Such a place is before a single space, or newline, between two letters of ASCII. Nothing is
composed or reordered there by normalization, and no word reaches across it, whatever comes
before and after, if all steps are of kinds that look no further than at the characters
beside. A tokenizer with any other step (a pattern of its own, or no pre-tokenization at all)
has no such place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import ascii_letters
from typing import Any

from tokenizers import AddedToken
from tokenizers.normalizers import Normalizer

from bpe_gui.bpe.split import PATTERNS
from bpe_gui.encodings.huggingface_notation import State, steps
from bpe_gui.encodings.split_patterns import SPLIT_PATTERNS

_AT_SPACES = re.compile(rb"[A-Za-z] (?=[A-Za-z])")
_AT_NEWLINES_TOO = re.compile(rb"[A-Za-z][ \n](?=[A-Za-z])")
_CONTEXT = re.compile(r"[A-Za-z][ \n][A-Za-z]")
_WORD_AND_SPACE = re.compile(r"\w\s")
_WINDOW = 1 << 16
"""Bytes that are searched at once, from the end."""

_CHARACTER_BY_CHARACTER = frozenset(
    {
        *("BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD"),
        *("Nmt", "Precompiled", "StripAccents"),
    }
)
"""Normalizers that look at most at a character and the combining marks after it."""

_AT_SPACES_OF_ANY_KIND = frozenset({"BertPreTokenizer", "Whitespace", "WhitespaceSplit"})
_ELSEWHERE = frozenset({"Digits", "Punctuation"})
"""Pre-tokenizers that have nothing to do with letters and white space."""

_AS_IN_MANY_FILES = (
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
)
_SPLITS = ("gpt2", "cl100k", "o200k", "categories")
_KNOWN_PATTERNS = frozenset(
    {*_AS_IN_MANY_FILES, *PATTERNS.values(), *(SPLIT_PATTERNS[name] for name in _SPLITS)}
)
"""Patterns that do not look back, and of which no match has white space after a letter."""


class SafeCuts:
    """Finds places where a text can be cut for one tokenizer.

    `state` are its steps, `normalizer` is that of the library, and `added_tokens` are those
    that are found in texts before all else.
    """

    def __init__(
        self, state: State, normalizer: Normalizer | None, added_tokens: Iterable[AddedToken]
    ) -> None:
        normalizers = [*steps(state["normalizer"])]
        pre_tokenizers = [*steps(state["pre_tokenizer"])]
        self._pattern: re.Pattern[bytes] | None = None
        if (
            all(map(_is_local, normalizers))
            and _keeps_letters(normalizer)
            and _ends_words(pre_tokenizers)
            and not any(map(_reaches_across, added_tokens))
        ):
            special = any(map(_minds_newlines, (*normalizers, *pre_tokenizers)))
            self._pattern = _AT_SPACES if special else _AT_NEWLINES_TOO

    def last(self, data: bytes) -> int:
        """The last such place in the beginning of a text in UTF-8; 0 if none is certain."""
        if self._pattern is None:
            return 0
        end = len(data)
        while end > 0:
            start = max(0, end - _WINDOW)
            # What begins in this window may end after it.
            found = [match.end() - 1 for match in self._pattern.finditer(data, start, end + 2)]
            if found:
                return found[-1]
            end = start
        return 0


def _is_local(step: State) -> bool:
    """Whether a normalizer does with the parts of a text what it does with the whole."""
    if step["type"] == "Strip":
        return not step["strip_left"]
    if step["type"] != "Replace":
        return step["type"] in _CHARACTER_BY_CHARACTER
    wanted = step["pattern"]
    if "Regex" in wanted:
        return bool(wanted["Regex"] == " {2,}")
    return not any(c.isspace() or (c.isascii() and c.isalpha()) for c in wanted["String"])


def _keeps_letters(normalizer: Normalizer | None) -> bool:
    """Whether letters and the space between them are still that when they are normalized."""
    if normalizer is None:
        return True
    written = (f"{letter}{space}{letter}" for letter in ascii_letters for space in " \n")
    return all(_CONTEXT.fullmatch(normalizer.normalize_str(text)) for text in written)


def _ends_words(pre_tokenizers: Sequence[State]) -> bool:
    """Whether one of these steps ends a word between a letter and a space, and all before it
    leave the text as it is and look no further.

    A mark for a space that another step has dropped stands nowhere in the text, and at the
    beginning of a text it may seem to: so that must not be.
    """
    if any(step["type"] == "Metaspace" for step in pre_tokenizers[1:]):
        return False
    first = next((step for step in pre_tokenizers if step["type"] not in _ELSEWHERE), None)
    return first is not None and _ends_a_word(first)


def _ends_a_word(step: State) -> bool:
    kind = step["type"]
    if kind == "ByteLevel":
        return bool(step["use_regex"])
    if kind == "Metaspace":
        return bool(step["split"])
    if kind == "Split":
        keeps_matches = step["behavior"] == "Isolated" and not step["invert"]
        keeps_matches |= step["behavior"] == "Removed" and step["invert"]
        return keeps_matches and step["pattern"].get("Regex") in _KNOWN_PATTERNS
    return kind in _AT_SPACES_OF_ANY_KIND


def _minds_newlines(step: State) -> bool:
    """Whether a step may treat a newline at the beginning of a text otherwise than within."""
    return step["type"] in ("Metaspace", "Precompiled") or bool(step.get("add_prefix_space"))


def _reaches_across(token: Any) -> bool:
    """Whether an added token may take in a letter and the space after it."""
    return bool(_WORD_AND_SPACE.search(token.content)) or (
        token.rstrip and token.content[-1:].isalnum()
    )
