r"""Translation of a regex between the formats that hold one, each in its own dialect.

The `regex` module reads ours and minbpe's, Oniguruma tokenizer.json's, fancy-regex tiktoken's. They
look alike, but differ in what `^`, `$`, `\w`, `\h`, `[[`, `&&`, `{1,3}+` and `(?i)` mean. So only
syntax that all of them share is accepted; then every part that matches one character is tried on
all characters by the library that will read it, and the whole pattern is tried on texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain

import numpy as np
import regex
import tiktoken
from tokenizers import Regex, pre_tokenizers

from bpe_gui.bpe.errors import PatternError, shown
from bpe_gui.bpe.regexes import compiled, spans
from bpe_gui.encodings.base import EncodingError, ExportError, wrap_rust_errors
from bpe_gui.encodings.formats.split_patterns import ALIKE
from bpe_gui.encodings.parallel_texts import sample_texts

TOKENIZER_JSON, TIKTOKEN, MINBPE = "tokenizer.json", "tiktoken", "minbpe"
"""The formats, named as in `save.FORMATS`."""

# -- The parts of a pattern ---------------------------------------------------------------------

_PART = re.compile(
    r"""
    ( \\[AZ] | [\^$|] | \( (?: \?(?:[:=!>]|<[=!]) )? (?!\?) )
    | ( \. | \\(?: [sSdDwWtnrfv] | [pP]\{\w+\} | [^\w] )
      | \\(?: x[0-9A-Fa-f]{2} | u[0-9A-Fa-f]{4} | U[0-9A-Fa-f]{8} )
      | \[\^?(?:[^\[\]\\]|\\.)+\]
      | [^\\\[\](){}*+?|^$.] | \) )
      ( [*+?][+?]? | \{[0-9]+,[0-9]*\}\?? | \{[0-9]+\} )?
    """,
    re.VERBOSE | re.ASCII,
)
"""A part of a pattern that all three dialects parse alike; the last group is its repetition."""

_ANCHORS = {r"\A": r"\A", r"\Z": r"\z", "^": r"\A", "$": r"\Z"}
"""Anchors in Oniguruma's spelling."""

_LOOKAROUNDS = ("(?=", "(?!", "(?<=", "(?<!")
_ALWAYS, _NEVER = "(?:)", "(?!)"

_Parts = tuple[tuple[str, str], ...]
"""The parts of a pattern (characters, classes, parentheses), each with its repetition."""


def _refused(pattern: str, part: str, target: str, example: str = "") -> ExportError:
    where = f", {example} for example" if example else ""
    return ExportError(
        f"the pattern {shown(pattern)} has {shown(part)}, which {target} may understand "
        f"differently{where}; write the pattern without it"
    )


@lru_cache(maxsize=16)
def _parts(pattern: str, target: str) -> _Parts:
    """Parse a pattern into its parts. Raises ExportError for syntax that dialects do not share."""
    try:
        compiled(pattern)  # so that parentheses come in pairs
    except PatternError as error:
        raise ExportError(str(error)) from None
    parts = []
    place = 0
    while place < len(pattern):
        found = _PART.match(pattern, place)
        if found is None:
            size = {"\\": 2, "(": 3}.get(pattern[place], 1)
            raise _refused(pattern, pattern[place : place + size], target)
        parts.append((found[1] or found[2], found[3] or ""))
        place = found.end()
    if compiled(_without_context(pattern, tuple(parts), target, _ALWAYS)).match(""):
        raise ExportError(
            f"the pattern {shown(pattern)} can match no characters, which {target} would "
            "understand differently; change it so that a match has at least one"
        )
    return tuple(parts)


def _without_context(pattern: str, parts: _Parts, target: str, instead: str) -> str:
    """Replace the parts of a pattern that depend on context: anchors and lookarounds.

    instead: _ALWAYS makes a pattern that matches at least what the original does. _NEVER, which
        also replaces possessive parts, makes one that matches only texts which the original
        matches in every context.
    Raises ExportError where engines differ: repeating a part that may match no characters, and
    possessive parts within a lookbehind.
    """
    groups = [("", "")]
    for text, repeat in parts:
        if text.startswith("("):
            groups.append((text, text))
            continue
        opening, own = "", _ALWAYS if text in _ANCHORS else text
        if text == ")":
            opening, inside = groups.pop()
            own = _ALWAYS if opening in _LOOKAROUNDS else inside + text
            if repeat and compiled(own).match(""):
                raise _refused(pattern, text + repeat, target)
        is_possessive = repeat[1:] == "+" or opening == "(?>"
        if is_possessive and any(around.startswith("(?<") for around, _ in groups):
            raise _refused(pattern, (opening or text) + repeat, target)
        if text in _ANCHORS or opening in _LOOKAROUNDS or (instead == _NEVER and is_possessive):
            own, repeat = instead, ""
        groups[-1] = groups[-1][0], groups[-1][1] + own + repeat
    return groups[0][1]


@lru_cache(maxsize=16)
def _matches_all_from(first: int, pattern: str, target: str) -> bool:
    """Tell whether every character from a code point on is matched in every context."""
    parts = _parts(pattern, target)
    matches = regex.compile(_without_context(pattern, parts, target, _NEVER)).fullmatch
    points = np.r_[first:0xD800, 0xE000:0x110000]
    every = points.astype("<u4").tobytes().decode("utf-32-le")
    # Between places where some part begins or ceases to match, all characters are alike to it.
    places = {0}
    for part in {text for text, _ in parts if text[0] not in "()|" and text not in _ANCHORS}:
        places.update(chain(*(run.span() for run in regex.finditer(f"{part}+", every))))
    return all(matches(every[place]) for place in sorted(places - {len(every)}))


# -- Trying patterns with the libraries ---------------------------------------------------------


def _words(pattern: str, text: str, dialect: str, expected: Iterable[str]) -> list[str]:
    """Find the matches of a pattern with the library of a format, whose errors pass through.

    expected: the words that are tried to be found, which tiktoken needs.
    """
    if dialect == TOKENIZER_JSON:
        split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
        return [word for word, _ in split.pre_tokenize_str(text)]
    # An expected word is a token and stays whole; any other comes back in bytes.
    tokens = dict.fromkeys([bytes([byte]) for byte in range(256)])
    tokens.update((word.encode(), None) for word in expected)
    ranks = {token: rank for rank, token in enumerate(tokens)}
    library = tiktoken.Encoding("", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    found = library.decode_tokens_bytes(library.encode_ordinary(text))
    return [word.decode("utf-8", "replace") for word in found]


_TRIED = (
    *(range(0x3400), range(0xA000, 0xAC00), range(0xD7A4, 0x17000), range(0x18D00, 0x20000)),
    *(range(0xE0000, 0xE01F0), range(0x3400, 0x110000, 97)),
)
"""All code points, but only every 97th of ideographs, Hangul and ranges without characters."""


@cache
def _characters() -> str:
    """Collect characters of every category, except those that are new or changed in Unicode."""
    kinds: dict[str, list[str]] = {}
    for character in map(chr, sorted(set(chain(*_TRIED)))):
        kinds.setdefault(unicodedata.category(character), []).append(character)
    known = kinds.keys() - {"Cn", "Cs"}
    return "".join(
        chain(*(regex.findall(rf"\p{{{kind}}}", "".join(kinds[kind])) for kind in known))
    )


@cache
def _texts() -> tuple[str, ...]:
    """List texts to try patterns on: prose, characters in some contexts, ends of texts."""
    contexts = "".join(f"a{c}{c} {c}1\n{c}B'{c}.\r\n" for c in map(chr, range(0x250)))
    return (*sample_texts(), contexts, "a", " ", "1 ", " \n", "a\n\n", "\n a\r\n", "\ta1. ")


@lru_cache(maxsize=256)
def _differing_character(ours: str, theirs: str, dialect: str) -> str:
    """Find the first character that only one of two patterns matches; empty if there is none."""
    text = _characters()
    runs = regex.findall(f"{ours}+", text)  # far fewer than characters
    if _words(f"{theirs}+", text, dialect, runs) == runs:
        return ""
    found = _words(theirs, text, dialect, text)
    return min(set(regex.findall(ours, text)).symmetric_difference(found), default="")


@lru_cache(maxsize=16)
def _translate(pattern: str, dialect: str, target: str) -> str:
    """Spell a pattern in a dialect, and check that its library finds the `regex` module's matches.

    The spelling changes only if tokenizer.json is the target. Raises ExportError.
    """
    parts = _parts(pattern, target)
    try:
        with wrap_rust_errors(f"{dialect} cannot hold the pattern {shown(pattern)}"):
            spelled = "".join(
                _translate_part(pattern, part, dialect, target) + repeat for part, repeat in parts
            )
            for text in (pattern, *_texts()):
                words = [text[begin:end] for begin, end in spans(compiled(pattern), text)]
                if words != _words(spelled, text, dialect, words):
                    raise _refused(pattern, pattern, target, f"in {shown(text)}")
            return spelled
    except EncodingError as error:
        raise ExportError(str(error)) from None
    except UnicodeEncodeError:
        raise _refused(pattern, pattern, target) from None


def _translate_part(pattern: str, part: str, dialect: str, target: str) -> str:
    theirs = _part_to_oniguruma(part) if dialect == target == TOKENIZER_JSON else part
    if part in _ANCHORS and (dialect == TIKTOKEN or theirs != _ANCHORS[part]):
        raise _refused(pattern, part, target)
    if part not in _ANCHORS and part[0] in "\\[.":
        differing = _differing_character(part, theirs, dialect)
        if differing:
            raise _refused(pattern, part, target, f"U+{ord(differing):04X}")
    return theirs


_ESCAPE = re.compile(r"\\(?:x(..)|U(.{8})|.)")
_WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d"
r"""The characters that `\w` matches in the `regex` module, as the inside of a class."""


def _part_to_oniguruma(part: str) -> str:
    r"""Respell anchors, `\w` and characters that are written as numbers.

    >>> print(_part_to_oniguruma("$"), _part_to_oniguruma(r"[\xe9\U0001f600]"))
    \Z [\u00e9😀]
    """
    if part in (r"\w", r"\W"):
        return f"[{_WORD}]" if part == r"\w" else f"[^{_WORD}]"

    def spelled(escape: re.Match[str]) -> str:
        if escape.lastindex is None:
            return _WORD if escape[0] == r"\w" else escape[0]
        point = int(escape[escape.lastindex], 16)
        return rf"\u{point:04x}" if point < 0x10000 else chr(point)

    return _ANCHORS.get(part) or _ESCAPE.sub(spelled, part)


# -- Translation to the formats -----------------------------------------------------------------


def to_oniguruma(pattern: str) -> str:
    r"""Translate a pattern of a recipe to Oniguruma. Raises ExportError if that is not possible.

    >>> print(to_oniguruma(r"\xe9$"))
    \u00e9\Z
    """
    return _translate(pattern, TOKENIZER_JSON, TOKENIZER_JSON)


def split_to_oniguruma(pattern: str, *, by_bytes: bool) -> str:
    r"""Translate the pattern of a split, and let every character that it skips be a match.

    So skipped text never merges. A skipped character of several bytes would: if symbols are bytes
    (`by_bytes`), the pattern may only skip ASCII. Raises ExportError.

    >>> print(split_to_oniguruma("[a-z]+", by_bytes=False))
    [a-z]+|[\s\S]
    """
    found = to_oniguruma(pattern)
    if by_bytes and not _matches_all_from(0x80, pattern, TOKENIZER_JSON):
        raise ExportError(
            f"the split pattern {shown(pattern)} may skip characters of several bytes, which "
            r"tokenizer.json cannot separate into bytes; add |[\s\S] at its end"
        )
    return rf"{found}|[\s\S]"


def translate(pattern: str, source: str, target: str) -> str:
    r"""Translate a pattern from one format to another; see `save.FORMATS` for their names.

    Raises ExportError if it may mean something else there.

    >>> print(translate(r"\xe9|[a-z]+", "minbpe", "tokenizer.json"))
    \u00e9|[a-z]+
    """
    if source == target or pattern in ALIKE:
        return pattern
    _parts(pattern, target)
    if MINBPE in (source, target) and compiled(pattern).groups:
        raise _refused(pattern, "(", target)  # there a match is what the group matches
    if source != MINBPE:
        _translate(pattern, source, target)
    return pattern if target == MINBPE else _translate(pattern, target, target)


def may_skip(pattern: str) -> bool:
    """Tell whether a pattern of a tokenizer.json may leave characters unmatched.

    True also if that cannot be decided.

    >>> may_skip("[a-z]+"), may_skip(r"[a-z]+|[^a-z]")
    (True, False)
    """
    try:
        translate(pattern, TOKENIZER_JSON, MINBPE)
        return pattern not in ALIKE and not _matches_all_from(0, pattern, MINBPE)
    except ExportError:
        return True
