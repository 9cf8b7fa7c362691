"""A regex of one's own carried to the formats that hold one, each in its own dialect."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import regex
from tokenizers import Regex, pre_tokenizers

from bpe_gui.bpe.regexes import compiled
from bpe_gui.encodings.base import ExportError
from bpe_gui.encodings.reading import shown
from bpe_gui.encodings.split_patterns import ALIKE

# -- Oniguruma ----------------------------------------------------------------------------------
#
# The two dialects look alike and differ in what `^`, `$`, `\w`, `\h`, `[[`, `&&`, `{1,3}+` and
# much else mean. What is spelled here means the same to both; the rest is refused.
#
# Oniguruma's Unicode tables are the older ones: characters that it lacks in a property are listed
# beside it. What came to Unicode after the tables of `regex` means the same to nobody, and U+0295,
# which Unicode has moved from one kind of letter to another, is a small letter to Oniguruma only.

_PROPERTIES = """
    L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp Cc Cf Co
    White_Space Alphabetic Common Inherited Latin Greek Cyrillic Arabic Hebrew Thai Devanagari
    Hangul Han Hiragana Katakana
"""
"""Names after `\\p` that mean the same to both."""

_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}"
r"""What `\w` is to the `regex` module, as the inside of a class."""

_ESCAPE = re.compile(
    r"\\(?:[sSdDnrtf]|(?P<word>[wW])|[pP]\{(?P<property>\w+)\}"
    r"|x(?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|U(?P<U>[0-9A-Fa-f]{8})"
    r"|(?P<itself>[^\sA-Za-z0-9_]))"
)
_QUANTIFIER = re.compile(r"[*+?][+?]?|\{[0-9]+(?:,[0-9]*)?\}(?![+?])|\{[0-9]+,[0-9]*\}\?")
_OPENING = re.compile(r"\((?P<kind>\?:|\?=|\?!|\?<=|\?<!|\?>)?(?!\?)")
_ANCHORS = {r"\A": r"\A", r"\Z": r"\z", "^": r"\A", "$": r"\Z"}
_NOTHING = "(?:)"
_LOOKING = ("?=", "?!", "?<=", "?<!")


@dataclass(slots=True)
class _Alternative:
    """One of the alternatives of a whole pattern: as both dialects spell it, and whether it
    matches a text whatever stands around."""

    text: str = ""
    alone: bool = True


class _Reader:
    """Reads a pattern once from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.place = 0
        self.alternatives = [_Alternative()]
        self.spelled = ""
        self.loose = ""
        """The pattern without its anchors and what looks around: it matches whatever that does."""
        self._groups: list[str] = []

    def read(self) -> None:
        while self.place < len(self.pattern):
            self._item()

    def _item(self) -> None:
        pattern, place = self.pattern, self.place
        character = pattern[place]
        anchor = next((key for key in _ANCHORS if pattern.startswith(key, place)), None)
        if anchor is not None:
            self._take(len(anchor), _ANCHORS[anchor], loose=_NOTHING)
            self.alternatives[-1].alone = False
        elif character == "\\":
            self._take(*self._escape(in_class=False))
        elif character == "[":
            self._class()
        elif character == "(":
            self._open()
        elif character == ")":
            looking = self._groups.pop() in _LOOKING
            self._take(1, ")", loose=_NOTHING if looking else ")")
        elif character == "|" and not self._groups:
            self._take(1, "|")
            self.alternatives.append(_Alternative())
        elif quantifier := _QUANTIFIER.match(pattern, place):
            if quantifier[0].endswith("+") and len(quantifier[0]) > 1:
                self.alternatives[-1].alone = False
            self._take(len(quantifier[0]), quantifier[0])
        elif character in "{}*+?]":
            raise self._refused(character)
        else:
            self._take(1, character)

    def _open(self) -> None:
        found = _OPENING.match(self.pattern, self.place)
        if found is None:
            raise self._refused(self.pattern[self.place : self.place + 3])
        kind = found["kind"] or ""
        self._groups.append(kind)
        if kind in (*_LOOKING, "?>"):
            self.alternatives[-1].alone = False
        self._take(len(found[0]), found[0])

    def _class(self) -> None:
        pattern = self.pattern
        spelled = "[^" if pattern.startswith("[^", self.place) else "["
        begin = self.place
        self.place += len(spelled)
        first, single = True, False
        while pattern[self.place] != "]" or first:
            pair = pattern[self.place : self.place + 2]
            if pair[0] in "[]" or pair in ("&&", "||", "--", "~~"):
                raise self._refused(pair)
            if pair[0] == "-" and not first and pair[1] != "]":
                if not single:  # a range that begins with a class, or where one ended
                    raise self._refused(pair)
                spelled += "-"
                self.place += 1
                size, text, single = self._class_item()
                if not single:
                    raise self._refused(pair)
                single = False
            else:
                size, text, single = self._class_item()
            spelled += text
            self.place += size
            first = False
        size, self.place = self.place + 1 - begin, begin
        self._take(size, spelled + "]")

    def _class_item(self) -> tuple[int, str, bool]:
        """How long a part of a class is, how it is spelled, and if it is a single character."""
        character = self.pattern[self.place]
        if character == "-":
            return 1, r"\-", True
        if character != "\\":
            return 1, character, True
        size, text = self._escape(in_class=True)
        several = self.pattern[self.place + 1] in "sSdDwWpP"
        return size, text, not several

    def _escape(self, *, in_class: bool) -> tuple[int, str]:
        """How long the escape at the place is, and how Oniguruma spells it."""
        found = _ESCAPE.match(self.pattern, self.place)
        if found is None or (found["property"] and found["property"] not in _PROPERTIES.split()):
            raise self._refused(found[0] if found else self.pattern[self.place : self.place + 2])
        size = len(found[0])
        if theirs := self._kind(found):
            missing = newer(*theirs)
            inside = theirs[1] + missing
            is_negated = found[0][1] in "WDP"
            if not in_class:
                return size, f"[^{inside}]" if is_negated else f"[{inside}]"
            if is_negated:
                raise self._refused(found[0])
            is_spelled = self.pattern.startswith(missing, self.place + size)
            return size, theirs[1] if is_spelled else inside
        if digits := found["x"] or found["u"] or found["U"]:
            return size, rf"\x{{{int(digits, 16):x}}}"
        if found["itself"] and not found["itself"].isascii():
            return size, found["itself"]
        return size, found[0]

    def _kind(self, escape: re.Match[str]) -> tuple[str, str] | None:
        """The kind of characters that an escape stands for, if it does, to us and to Oniguruma."""
        if escape["word"]:
            return r"\w", _WORD
        if escape[0] in (r"\d", r"\D"):
            return r"\d", r"\p{Nd}"
        if escape["property"]:
            name = rf"\p{{{escape['property']}}}"
            return name, name
        return None

    def _is_looking(self) -> bool:
        return any(kind in _LOOKING for kind in self._groups)

    def _take(self, size: int, spelled: str, *, loose: str | None = None) -> None:
        original = self.pattern[self.place : self.place + size]
        self.place += size
        self.spelled += spelled
        self.alternatives[-1].text += "" if original == "|" and not self._groups else original
        if not self._is_looking():
            self.loose += original if loose is None else loose

    def _refused(self, part: str) -> ExportError:
        return ExportError(
            f"the pattern {shown(self.pattern)} has {shown(part)}, which tokenizer.json would "
            "understand in another way; spell it without"
        )


def code_point_class(points: Iterable[int]) -> str:
    r"""The inside of a class that holds these code points, of which there is at least one.

    >>> print(code_point_class([0x61, 0x63, 0x62, 0xE9]))
    \x{61}-\x{63}\x{e9}
    """
    return _class_of(points, lambda point: rf"\x{{{point:x}}}")


def _class_of(points: Iterable[int], written: Callable[[int], str]) -> str:
    ordered = np.array(sorted(points))
    breaks = np.flatnonzero(np.diff(ordered) != 1)
    firsts = ordered[np.concatenate(([0], breaks + 1))].tolist()
    lasts = ordered[np.concatenate((breaks, [len(ordered) - 1]))].tolist()
    return "".join(
        written(first) if first == last else f"{written(first)}-{written(last)}"
        for first, last in zip(firsts, lasts, strict=True)
    )


@lru_cache(maxsize=64)
def newer(ours: str, theirs: str) -> str:
    """The characters that our class has and Oniguruma's has not, because they are newer than its
    tables: as they are, so that every dialect reads them, for the inside of a class."""
    candidates = _newer_characters()
    known = set("".join(regex.findall(ours, candidates)))
    kept = pre_tokenizers.Split(Regex(f"[{theirs}]"), "removed").pre_tokenize_str(candidates)
    missing = known.intersection("".join(piece for piece, _ in kept))
    return _class_of(map(ord, missing), chr) if missing else ""


@lru_cache(maxsize=1)
def _newer_characters() -> str:
    """Those that `regex` knows and this Python does not; Oniguruma is as new as Python at least."""
    points = (*range(0xD800), *range(0xE000, 0x110000))
    unknown = "".join(chr(point) for point in points if unicodedata.category(chr(point)) == "Cn")
    return "".join(regex.findall(r"\P{Cn}", unknown))


def spelled(pattern: str) -> str:
    r"""The pattern as Oniguruma understands it. Raises ExportError, naming what it cannot be told.

    >>> print(spelled(r"\u00e9$"))
    \x{e9}\Z
    """
    return _read(pattern).spelled


def spelled_split(pattern: str, *, by_bytes: bool) -> str:
    """The pattern of a split, with every character that it skips a match of its own.

    That is how skipped text is kept apart, unless a skipped character is several symbols: so
    `by_bytes` it must not skip any but those of ASCII. Raises ExportError.
    """
    found = _read(pattern)
    if by_bytes and not _matches_all_from(
        0x80, "|".join(part.text for part in found.alternatives if part.alone)
    ):
        raise ExportError(
            f"the split pattern {shown(pattern)} may skip characters of several bytes, which "
            r"tokenizer.json cannot keep apart byte by byte; give it |[\s\S] at its end"
        )
    return rf"{found.spelled}|[\s\S]"


def skips_nothing(pattern: str) -> bool:
    """Whether a match can begin at every character, whatever stands around it."""
    alone = "|".join(part.text for part in _read(pattern).alternatives if part.alone)
    return _matches_all_from(0, alone)


@lru_cache(maxsize=16)
def _read(pattern: str) -> _Reader:
    compiled(pattern)  # so that brackets and parentheses come in pairs
    reader = _Reader(pattern)
    reader.read()
    if compiled(reader.loose).match("") is not None:
        raise ExportError(
            f"the pattern {shown(pattern)} can match no characters, which tokenizer.json would "
            "understand in another way; change it so that a match has at least one"
        )
    try:
        Regex(reader.spelled)
    except Exception as error:
        raise ExportError(
            f"the pattern {shown(pattern)} is none that tokenizer.json can hold: {error}"
        ) from None
    return reader


@lru_cache(maxsize=16)
def _matches_all_from(first: int, pattern: str) -> bool:
    """Whether each character from a code point on is matched by itself."""
    if not pattern:
        return False
    matches = regex.compile(pattern).fullmatch
    points = (*range(first, 0xD800), *range(0xE000, 0x110000))
    return all(matches(chr(point)) for point in points)


# -- From one format to another -----------------------------------------------------------------
#
# Ranks are read by fancy-regex, minbpe's .model by the `regex` module, tokenizer.json by Oniguruma,
# and what the three make of `$`, `\w`, `\h` or `(?i)` differs. A pattern is carried only if it
# means the same to both, but for characters newer than the Unicode tables of one of them.

TOKENIZER_JSON, TIKTOKEN = "tokenizer.json", "tiktoken"

_ANCHOR = re.compile(r"\\[AzZ]")


def carried(pattern: str, source: str, target: str) -> str:
    r"""The pattern as another format spells it; the formats are named as in `save.FORMATS`.

    Raises ExportError if it may mean something else there.

    >>> print(carried(r"\u00e9|[a-z]+", "minbpe", "tokenizer.json"))
    \x{e9}|[a-z]+
    """
    if source == target or pattern in ALIKE:
        return pattern
    refused = ExportError(
        f"it splits by {shown(pattern)}, and it is not certain that {target} would read this "
        f"regular expression as {source} does"
    )
    try:
        found = spelled(pattern)
    except ExportError:
        raise refused from None
    if source == TOKENIZER_JSON and found != pattern:
        raise refused
    # What is an end of text to one of them is one of a line to another.
    if TIKTOKEN in (source, target) and _ANCHOR.search(found):
        raise refused
    return found if target == TOKENIZER_JSON else pattern


def may_skip(pattern: str) -> bool:
    """Whether a pattern of a tokenizer.json may leave characters unmatched, as far as is known."""
    try:
        return pattern not in ALIKE and not skips_nothing(pattern)
    except ExportError:
        return True
