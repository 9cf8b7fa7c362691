r"""Where a text may be cut for a tokenizer of the `tokenizers` library, so that no token changes.

Such a place is before a space or a newline at which pre-tokenization begins a word, whatever
stands before and after, provided that no step looks across it. Which steps do is known of those
in use; a tokenizer with any other has no such place.

- Normalizers that go character by character, or by the forms of Unicode, look across no space.
- A split at white space begins a word there in any case; one by a pattern of
  `split_patterns.CUT_BETWEEN_WORDS` does so after a letter.
- Where a space is put before a text, it is put before none that begins with one.
- An added token may hold the space, or take it along: no place is within one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from tokenizers import AddedToken
from tokenizers.normalizers import Normalizer

from bpe_gui.bpe import pre_tokenize
from bpe_gui.bpe.normalize import ALL_MARKS
from bpe_gui.bpe.pre_tokenize import last_blank_after
from bpe_gui.encodings.huggingface_export import (
    ENDS_OF_WORDS,
    ONIGURUMA_PATTERNS,
    WHITE_SPACE,
    marks_pattern,
)
from bpe_gui.encodings.huggingface_notation import State, steps
from bpe_gui.encodings.split_patterns import CUT_BETWEEN_WORDS

_KEEP_WHITE_SPACE = frozenset({"NFC", "NFD", "Lowercase"})
"""Normalizers that leave white space, letters and numbers what and where they are."""

_LOOK_NOWHERE = _KEEP_WHITE_SPACE | {
    *("NFKC", "NFKD", "StripAccents", "BertNormalizer", "Nmt", "Precompiled"),
}
"""Normalizers that look across no space."""

_REPLACED = frozenset({(r"\p{Mn}", ""), (r"\p{M}", ""), (" {2,}", " ")})
"""Regexes that are replaced without a look across the beginning of white space, and by what.
So are the marks of our own files, which are listed one by one."""

_APART = frozenset({"Digits", "Punctuation"})
"""Splits by what each character is by itself; white space is not what they look for."""

_AT_WHITE_SPACE = frozenset({"Whitespace", "WhitespaceSplit", "BertPreTokenizer"})

_AFTER_LETTERS = CUT_BETWEEN_WORDS.union(ONIGURUMA_PATTERNS.values())

_BLANKS = b" \n"


@dataclass(frozen=True, slots=True)
class _Border:
    """Before which white space a word begins, and whether only after a letter."""

    blanks: bytes = _BLANKS
    after_letters: bool = False


class SafeCuts:
    """Finds such places for a tokenizer.

    `state` is that of its `HuggingFaceEncoding`; `normalizer` is asked what it makes of
    single characters.
    """

    def __init__(
        self, state: State, added_tokens: Mapping[int, AddedToken], normalizer: Normalizer | None
    ) -> None:
        normalizers = list(steps(state["normalizer"]))
        self._normalized = _asking(normalizer)
        self._border = _first_border(state["pre_tokenizer"])
        self._whole = _whole(added_tokens.values(), self._normalized, changes=bool(normalizers))
        if not all(map(_looks_nowhere, normalizers)):
            self._border = None
        kept = all(step["type"] in _KEEP_WHITE_SPACE for step in normalizers)
        self._as_ours = kept and self._border == _Border(after_letters=True)
        self._ends_word = cache(self._ends_word_before)

    def last(self, data: bytes) -> int:
        """The last such place in the beginning of a text, in UTF-8; 0 if none is certain."""
        border, whole = self._border, self._whole
        if border is None or whole is None:
            return 0
        if self._as_ours:  # in this all patterns of words are alike
            return pre_tokenize.last_split(data, "gpt2", specials=whole)

        def last_place(limit: int) -> int:
            return last_blank_after(data, limit, self._ends_word, border.blanks)

        return pre_tokenize.clear_of(whole, data, last_place)

    def _ends_word_before(self, character: str) -> bool:
        """Whether a word that ends in a character ends before white space for certain.

        Asked is an old Unicode, for what is newer than the library may be anything to it; and
        what joins itself to any character after it is neither letter nor mark there.
        """
        assert self._border is not None
        made = self._normalized(character)
        kinds = [unicodedata.ucd_3_2_0.category(each)[0] for each in (character, *made[-1:])]
        if self._border.after_letters:
            return kinds == ["L", "L"]
        return kinds[0] in "LNPS" and bool(made) and not made[-1].isspace()


def _asking(normalizer: Normalizer | None) -> Callable[[str], str]:
    if normalizer is None:
        return str
    return lambda text: str(normalizer.normalize_str(text))


def _looks_nowhere(step: State) -> bool:
    """Whether a normalizer does with both parts of a cut text what it does with the whole."""
    if step["type"] != "Replace":
        return step["type"] in _LOOK_NOWHERE
    content = step["content"]
    if "Regex" in step["pattern"]:
        pattern = step["pattern"]["Regex"]
        is_marks = not content and pattern in map(marks_pattern, (("Mn",), ALL_MARKS))
        return is_marks or pattern == ENDS_OF_WORDS or (pattern, content) in _REPLACED
    pattern = step["pattern"]["String"]
    if len(pattern) == 1:
        return not pattern.isspace() and bool(content)
    # What stands before white space is judged by its last character alone.
    apart = pattern and not re.search(r"\s", pattern + content) and bool(content)
    return bool(apart) and not pattern[-1].isalpha()


def _first_border(pre_tokenizer: State | None) -> _Border | None:
    """The words that begin at white space whatever comes after, by the first step that has any."""
    for step in steps(pre_tokenizer):
        kind = step["type"]
        if kind in _AT_WHITE_SPACE:
            return _Border()
        if kind == "Metaspace" and step["split"]:
            return _Border(b" ")
        if kind == "ByteLevel" and step["use_regex"]:
            return _Border(b" " if step["add_prefix_space"] else _BLANKS, after_letters=True)
        if kind == "Split":
            return _border_of_split(step)
        if kind not in _APART:
            return None
    return None


def _border_of_split(step: State) -> _Border | None:
    how = step["behavior"], step["invert"]
    pattern = step["pattern"].get("Regex")
    if pattern == f"[{WHITE_SPACE}]+" and how == ("Removed", False):
        return _Border()
    if pattern == ONIGURUMA_PATTERNS["lines"] and how == ("Isolated", False):
        return _Border()
    if pattern in _AFTER_LETTERS and how in (("Isolated", False), ("Removed", True)):
        return _Border(after_letters=True)
    return None


def _whole(
    added_tokens: Iterable[AddedToken], normalized: Callable[[str], str], *, changes: bool
) -> list[bytes] | None:
    """What a text must not be cut within; None if that cannot be told.

    Those are the added tokens, with the white space beside them that they take along. Some
    are looked for in the normalized text, if the normalizer changes any.
    """
    found = []
    for added in added_tokens:
        text = added.content
        if added.single_word and text[:1].isspace():
            return None
        if changes and added.normalized:
            made = normalized(text)
            if added.lstrip or added.rstrip or made.split() not in ([], [made]):
                return None
        found.append(text)
        if added.rstrip:
            found += [f"{text} ", f"{text}\n"]
        if added.lstrip:
            found.append(f"\n{text}")
    return [text.encode("utf-8") for text in found]
