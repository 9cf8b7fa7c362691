r"""Where a text may be cut for a tokenizer of the `tokenizers` library, so that no token changes.

Such a place is between a letter and a space or newline, if all steps are among those below:

- No added token holds the place, or takes white space from beyond it.
- The normalizers go character by character, or by Unicode's forms, which compose nothing with
  white space. So they make of both parts of the text what they make of the whole.
- The first step that splits at more than digits and punctuation begins a word at the place.
  What comes after it sees one word at a time.

By induction each step gives for both parts what it gives for the whole. If white space is dropped,
or normalized text keeps it and is split by a known pattern, the places of `last_split` are as safe.

Tokenizers with the steps of Llama 2, Mistral or Gemma do not split a text, but write its spaces as
marks; see `marks_spaces`. Their places are before a space between two letters. Other tokenizers
that do not split have places between a newline and a letter that no token has behind it; see
`letters_behind_newlines`.

A tokenizer with any other step has no known place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import cache
from string import ascii_letters

import numpy as np
from tokenizers import AddedToken

from bpe_gui.bpe.normalize import ALL_MARKS
from bpe_gui.encodings.formats.huggingface_export import (
    ENDS_OF_WORDS,
    ONIGURUMA_PATTERNS,
    WHITE_SPACE,
    marks_pattern,
)
from bpe_gui.encodings.formats.huggingface_notation import State, steps
from bpe_gui.encodings.formats.split_patterns import (
    CLIP_PATTERNS,
    CUT_BETWEEN_WORDS,
    DEEPSEEK,
    is_letter,
    last_place,
)

_KEEP_WHITE_SPACE = frozenset({"NFC", "NFD", "Lowercase"})

_LOCAL = _KEEP_WHITE_SPACE.union(
    ("NFKC", "NFKD", "StripAccents", "BertNormalizer", "Nmt", "Precompiled")
)

_WHITE_SPACE_DROPPED = f"[{WHITE_SPACE}]+"

_PATTERNS = CUT_BETWEEN_WORDS.union(ONIGURUMA_PATTERNS.values(), [_WHITE_SPACE_DROPPED])

_DIGITS_OR_SCRIPTS = (r"\p{N}", r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+")
"""Patterns that match no white space, and are split at before words are."""

_DEEPSEEK = (DEEPSEEK, DEEPSEEK.replace(r"\r\n", "\r\n"))
"""DeepSeek's pattern, with newlines spelled either way. A word ends before each space behind a
letter; newlines belong to what is before them."""


def safe_cuts(
    state: State, added_tokens: Iterable[AddedToken], normalize: Callable[[str], str]
) -> Callable[[bytes], int]:
    """Return what finds the last safe place in the beginning of a text, or 0 if none is known.

    `state` is that of a `HuggingFaceEncoding`; `normalize` is asked about single characters.
    """
    kinds = {step["type"] for step in steps(state["normalizer"])}
    local = all(map(_is_local, steps(state["normalizer"])))
    blanks, dropped = _first_split(state["pre_tokenizer"])
    uncut = _uncut(added_tokens, normalize, changes=bool(kinds))
    # A table of characters may make anything of a space.
    if not (local and blanks and {normalize(" "), normalize("\n")} <= {" ", "\n"}) or uncut is None:
        return lambda data: 0
    lines = dropped or (blanks == b" \n" and kinds <= _KEEP_WHITE_SPACE)

    @cache
    def ends_word(character: str) -> bool:
        last = normalize(character)[-1:]
        anything = dropped or blanks == b" "
        return is_letter(character) and (bool(last.strip()) if anything else is_letter(last))

    return lambda data: last_place(data, uncut, ends_word, blanks, lines=lines)


def _is_local(normalizer: State) -> bool:
    """Tell whether a normalizer makes of both parts of a text what it makes of the whole."""
    if normalizer["type"] != "Replace":
        return normalizer["type"] in _LOCAL
    match normalizer["pattern"], normalizer["content"]:
        case {"Regex": pattern}, "" if pattern in map(marks_pattern, (("Mn",), ALL_MARKS)):
            return True
        case {"Regex": " {2,}" | r"\s+"}, " ":
            return True
        case {"Regex": pattern}, _:
            return bool(pattern == ENDS_OF_WORDS)
        case {"String": str(text)}, str(by):
            # Neither the letter before the place nor the white space after it is replaced.
            return bool(text and by) and not any(c.isalpha() or c.isspace() for c in text)
    return False


def _first_split(pre_tokenizer: State | None) -> tuple[bytes, bool]:
    """Find before which white space a word begins after a letter, and whether white space is
    dropped.
    """
    for step in steps(pre_tokenizer):
        match step:
            case {"type": "Digits" | "Punctuation"}:
                continue
            case {"type": "Whitespace" | "WhitespaceSplit" | "BertPreTokenizer"}:
                return b" \n", True
            case {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"} if (
                pattern in _DIGITS_OR_SCRIPTS
            ):
                continue
            case {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"} if (
                pattern in _DEEPSEEK
            ):
                return b" ", False
            case {"type": "Metaspace", "split": True}:
                return b" ", False
            case {"type": "ByteLevel", "use_regex": True}:
                # A space is put before what does not begin with one.
                return b" " if step["add_prefix_space"] else b" \n", False
            case {"type": "Split", "pattern": {"Regex": pattern}, "invert": True} if (
                pattern in CLIP_PATTERNS and step["behavior"] == "Removed"
            ):
                return b" \n", True
            case {"type": "Split", "pattern": {"Regex": pattern}} if pattern in _PATTERNS:
                removed = step["behavior"] == "Removed"
                if removed or step["behavior"] == "Isolated":
                    dropped = removed and not step["invert"]
                    return b" \n", dropped and pattern == _WHITE_SPACE_DROPPED
        break
    return b"", False


def _uncut(
    added_tokens: Iterable[AddedToken], normalize: Callable[[str], str], *, changes: bool
) -> list[bytes] | None:
    """Return the added tokens, none of which may be cut; None if what they take cannot be told.

    Some are looked for in normalized text, if there is a normalizer that changes any.
    """
    found = []
    for added in added_tokens:
        text, changed = added.content, changes and added.normalized
        forms = text + normalize(text) if changed else text
        strips = added.lstrip or added.rstrip
        if any(map(str.isspace, forms)) and (
            strips or added.single_word or (changed and not forms.isspace())
        ):
            return None
        # Else a letter or number beside the place is not the end of a token that takes blanks.
        if strips and (changed or text[:1].isalnum() or text[-1:].isalnum()):
            return None
        found.append(text.encode("utf-8"))
    return found


# -- Texts that are not split ---------------------------------------------------------------------

_MARK = "\u2581"
"""The character that is written for a space."""
_MARKED = {"type": "Replace", "pattern": {"String": " "}, "content": _MARK}
_PREPENDED = {"type": "Prepend", "prepend": _MARK}
_PUT_BEFORE = {
    "type": "Replace", "pattern": {"Regex": r"\A(?=[\s\S])"}, "content": _MARK,
}  # fmt: skip
"""Does the same, and nothing to an empty text."""
SPLIT_AT_SPACES = {
    "type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False,
}  # fmt: skip
"""A step without effect where spaces are marks before."""
_SINGLE_SPACE = re.compile(f"(?<![ {_MARK}])[ {_MARK}](?![ {_MARK}])")
_NEWLINE_BYTE = "\u010a"
"""How byte-level tokens write a newline."""


def leaves_no_space(state: State) -> bool:
    """Tell whether normalization ends by writing marks for all spaces."""
    return list(steps(state["normalizer"]))[-1:] == [_MARKED]


def marks_spaces(state: State, tokens: Iterable[str]) -> bool:
    """Tell whether a tokenizer merges a text as a whole, but no letter with a space behind it.

    Its steps are those of models of SentencePiece: spaces become marks, and one more may be put
    before the text. No token has a mark behind another character, so no merge goes there.
    """
    normalizers = list(steps(state["normalizer"]))
    others = [step for step in steps(state["pre_tokenizer"]) if step != SPLIT_AT_SPACES]
    marked = _MARKED in normalizers and not others if normalizers else _writes_marks(others)
    if not (marked and _merges_all(state)):
        return False
    names = set(tokens)
    return _MARK in names and not any(_MARK in name.lstrip(_MARK) for name in names)


def letters_behind_newlines(state: State, tokens: Iterable[str]) -> frozenset[str]:
    """Return the ASCII letters that are never merged with a newline before them.

    There are none for a tokenizer that does more than merge a text as a whole, its spaces as marks
    or all of it as bytes, and one more space put before it.
    """
    marked = _MARKED in steps(state["normalizer"])
    others = [it for it in steps(state["pre_tokenizer"]) if not (marked and it == SPLIT_AT_SPACES)]
    by_bytes = [(step["type"], step.get("use_regex")) for step in others] == [("ByteLevel", False)]
    if not _merges_all(state) or not (by_bytes or not others or _writes_marks(others)):
        return frozenset()
    names = set(tokens)
    newlines = [_NEWLINE_BYTE if by_bytes else "\n"]
    if state["model"].get("byte_fallback"):
        newlines.append("<0x0A>")
    if names.isdisjoint(newlines):
        return frozenset()  # letters are merged across characters without a token
    letters = names.intersection(ascii_letters)
    for name in names:
        for newline in newlines:
            letters.difference_update(part[:1] for part in name.split(newline)[1:])
    return frozenset(letters)


def _merges_all(state: State) -> bool:
    """Tell whether a tokenizer makes tokens by merges alone, of a text with marks for spaces."""
    model = state["model"]
    affixes = model.get("continuing_subword_prefix") or model.get("end_of_word_suffix")
    # A text that is a token as a whole could be the part of a longer one.
    if model["type"] != "BPE" or affixes or model.get("ignore_merges"):
        return False
    return all(it in (_MARKED, _PREPENDED, _PUT_BEFORE) for it in steps(state["normalizer"]))


def _writes_marks(pre_tokenizers: Iterable[State]) -> bool:
    found = [(it["type"], it.get("replacement"), it.get("split")) for it in pre_tokenizers]
    return found == [("Metaspace", _MARK, False)]


def prepends_mark(state: State) -> bool:
    """Tell whether a tokenizer with `marks_spaces` puts a mark also before a text that begins with
    a space.
    """
    return any(step in (_PREPENDED, _PUT_BEFORE) for step in steps(state["normalizer"]))


def cuts_between_letters(added_tokens: Iterable[AddedToken]) -> Callable[[bytes], int]:
    """Return what finds the last space between two letters in the beginning of a text, or 0.

    It finds none if an added token could hold such a place, begin or end beside it.
    """
    for added in added_tokens:
        if _may_touch_letters(added) or _SINGLE_SPACE.search(added.content):
            return lambda data: 0

    def last_cut(data: bytes) -> int:
        for place in np.flatnonzero(np.frombuffer(data, np.uint8) == ord(" "))[::-1].tolist():
            before = data[max(place - 4, 0) : place].decode("utf-8", "replace")
            behind = data[place + 1 : place + 5].decode("utf-8", "ignore")
            if is_letter(before[-1:]) and is_letter(behind[:1]):
                return int(place)
        return 0

    return last_cut


def cuts_behind_newlines(
    letters: Collection[str], added_tokens: Iterable[AddedToken]
) -> Callable[[bytes], int]:
    """Return what finds the last place between a newline and one of the letters, or 0.

    It finds none if an added token could hold such a place, begin or end beside it.
    """
    for added in added_tokens:
        if _may_touch_letters(added) or added.rstrip or "\n" in added.content:
            return lambda data: 0
    values = np.array([ord(letter) for letter in letters], np.uint8)

    def last_cut(data: bytes) -> int:
        text = np.frombuffer(data, np.uint8)
        places = np.flatnonzero(text[:-1] == ord("\n")) + 1
        places = places[np.isin(text[places], values)]
        return int(places[-1]) if len(places) else 0

    return last_cut


def _may_touch_letters(added: AddedToken) -> bool:
    """Tell whether an added token may begin or end with a letter, or depends on those beside it."""
    text = added.content
    return not text or added.single_word or text[:1].isalnum() or text[-1:].isalnum()
