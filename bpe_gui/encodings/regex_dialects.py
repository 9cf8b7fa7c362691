r"""A regex translated to the formats that hold one, each in its own dialect.

The `regex` module reads ours and minbpe's, Oniguruma tokenizer.json's, fancy-regex tiktoken's. They
look alike, and differ in what `^`, `$`, `\w`, `\h`, `[[`, `&&`, `{1,3}+` and `(?i)` mean. So only
what all of them put together alike is written; then each part that stands for one character is
tried on all characters by the library that will read it, and the whole pattern on texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain

import regex
import tiktoken
from tokenizers import Regex, pre_tokenizers

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.regexes import compiled, spans
from bpe_gui.encodings.base import EncodingError, ExportError, wrap_rust_errors
from bpe_gui.encodings.parallel_texts import sample_texts
from bpe_gui.encodings.reading import shown
from bpe_gui.encodings.split_patterns import ALIKE

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
"""What is put together alike in all three dialects. How it is repeated is a group by itself."""

_ANCHORS = {r"\A": r"\A", r"\Z": r"\z", "^": r"\A", "$": r"\Z"}
"""What Oniguruma calls them."""

_LOOKING = ("(?=", "(?!", "(?<=", "(?<!")
_ALWAYS, _NEVER = "(?:)", "(?!)"

_Parts = tuple[tuple[str, str], ...]
"""Characters, groups and so on, and how often each is repeated."""


def _refused(pattern: str, part: str, target: str, example: str = "") -> ExportError:
    where = f", {example} for example" if example else ""
    return ExportError(
        f"the pattern {shown(pattern)} has {shown(part)}, which {target} may understand in "
        f"another way{where}; spell it without"
    )


@lru_cache(maxsize=16)
def _parts(pattern: str, target: str) -> _Parts:
    """Take a pattern to its parts. Raises ExportError for what the dialects do not share."""
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
    if compiled(_by_itself(pattern, tuple(parts), target, _ALWAYS)).match(""):
        raise ExportError(
            f"the pattern {shown(pattern)} can match no characters, which {target} would "
            "understand in another way; change it so that a match has at least one"
        )
    return tuple(parts)


def _by_itself(pattern: str, parts: _Parts, target: str, instead: str) -> str:
    """The pattern with something else instead of anchors and what looks around.

    With _ALWAYS it matches whatever the pattern does. With _NEVER, which is also put for what
    gives nothing back, it matches only what the pattern does wherever it is. Raises ExportError
    for what engines do in different ways: repeat what may match no characters, and look back at
    what gives nothing back.
    """
    groups = [("", "")]
    for text, repeat in parts:
        if text.startswith("("):
            groups.append((text, text))
            continue
        opening, own = "", _ALWAYS if text in _ANCHORS else text
        if text == ")":
            opening, inside = groups.pop()
            own = _ALWAYS if opening in _LOOKING else inside + text
            if repeat and compiled(own).match(""):
                raise _refused(pattern, text + repeat, target)
        is_possessive = repeat[1:] == "+" or opening == "(?>"
        if is_possessive and any(around.startswith("(?<") for around, _ in groups):
            raise _refused(pattern, (opening or text) + repeat, target)
        if text in _ANCHORS or opening in _LOOKING or (instead == _NEVER and is_possessive):
            own, repeat = instead, ""
        groups[-1] = groups[-1][0], groups[-1][1] + own + repeat
    return groups[0][1]


@lru_cache(maxsize=16)
def _matches_all_from(first: int, pattern: str, target: str) -> bool:
    """Whether each character from a code point on is matched, whatever is around it."""
    alone = _by_itself(pattern, _parts(pattern, target), target, _NEVER)
    matches = regex.compile(alone).fullmatch
    points = (*range(first, 0xD800), *range(0xE000, 0x110000))
    return all(matches(chr(point)) for point in points)


# -- What the libraries make of it --------------------------------------------------------------


def _words(pattern: str, text: str, dialect: str, expected: Iterable[str]) -> list[str]:
    """The matches of a pattern as the library of a format finds them; what it raises is its own."""
    if dialect == TOKENIZER_JSON:
        split = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
        return [word for word, _ in split.pre_tokenize_str(text)]
    # A word that is a token stays whole; any other is seen to be split.
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
"""All code points, but of ideographs, Hangul and what has no characters every 97th."""


@cache
def _characters() -> str:
    """Characters of every kind, but for those that are new in Unicode or have changed."""
    kinds: dict[str, list[str]] = {}
    for character in map(chr, sorted(set(chain(*_TRIED)))):
        kinds.setdefault(unicodedata.category(character), []).append(character)
    known = kinds.keys() - {"Cn", "Cs"}
    return "".join(
        chain(*(regex.findall(rf"\p{{{kind}}}", "".join(kinds[kind])) for kind in known))
    )


@cache
def _texts() -> tuple[str, ...]:
    """What whole patterns are tried on: prose, characters in some contexts, ends of texts."""
    contexts = "".join(f"a{c}{c} {c}1\n{c}B'{c}.\r\n" for c in map(chr, range(0x250)))
    return (*sample_texts(), contexts, "a", " ", "1 ", " \n", "a\n\n", "\n a\r\n", "\ta1. ")


@lru_cache(maxsize=256)
def _differing_character(ours: str, theirs: str, dialect: str) -> str:
    """The first character that only one of two patterns matches; empty if there is none."""
    text = _characters()
    found = _words(theirs, text, dialect, text)
    return min(set(regex.findall(ours, text)).symmetric_difference(found), default="")


@lru_cache(maxsize=16)
def _translate(pattern: str, dialect: str, target: str) -> str:
    """The pattern in a dialect, once its library finds the matches of the `regex` module.

    It is spelled anew only for tokenizer.json as the target. Raises ExportError.
    """
    parts = _parts(pattern, target)
    try:
        with wrap_rust_errors(f"the pattern {shown(pattern)} is none that {dialect} can hold"):
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
r"""What `\w` is to the `regex` module, as the inside of a class."""


def _part_to_oniguruma(part: str) -> str:
    r"""Spell the ends of a text, `\w` and characters that are written as numbers.

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


# -- To the formats -----------------------------------------------------------------------------


def to_oniguruma(pattern: str) -> str:
    r"""The pattern as Oniguruma understands it. Raises ExportError if it cannot be told.

    >>> print(to_oniguruma(r"\xe9$"))
    \u00e9\Z
    """
    return _translate(pattern, TOKENIZER_JSON, TOKENIZER_JSON)


def split_to_oniguruma(pattern: str, *, by_bytes: bool) -> str:
    """The pattern of a split, with every character that it skips a match of its own.

    That is how skipped text is kept apart, unless a skipped character is several symbols: so
    `by_bytes` it must not skip any but those of ASCII. Raises ExportError.
    """
    found = to_oniguruma(pattern)
    if by_bytes and not _matches_all_from(0x80, pattern, TOKENIZER_JSON):
        raise ExportError(
            f"the split pattern {shown(pattern)} may skip characters of several bytes, which "
            r"tokenizer.json cannot keep apart byte by byte; give it |[\s\S] at its end"
        )
    return rf"{found}|[\s\S]"


def translate(pattern: str, source: str, target: str) -> str:
    r"""The pattern as another format spells it; the formats are named as in `save.FORMATS`.

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
    """Whether a pattern of a tokenizer.json may leave characters unmatched, as far as is known."""
    try:
        translate(pattern, TOKENIZER_JSON, MINBPE)
        return pattern not in ALIKE and not _matches_all_from(0, pattern, MINBPE)
    except ExportError:
        return True
