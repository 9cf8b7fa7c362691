"""Words with figures in them: `{next pair}` is filled in from the run when a page is shown.

So a page cannot claim what is not so. What a figure may ask is listed in `FIGURES`; in these
patterns TEXT stands for something in double quotes, NUMBER for a number and LANGUAGE for the
code of one of the story's languages. Each may end with `at NUMBER` or `at the end`: what held
after so many merges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from types import MappingProxyType

from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.tour import HOLE, MOST_MERGES, THE_END, Fault, Figure, Template

FIGURES = MappingProxyType(
    {
        "merges": "how many merges are done",
        "vocabulary": "how many entries the vocabulary has",
        "symbols": "how many it had before the first merge",
        "corpus tokens": "how many tokens the corpus is",
        "corpus bytes": "how many bytes the words of the corpus are",
        "bytes per token": "how many bytes a token of the corpus stands for, on average",
        "words": "how many different words the corpus has",
        "count of word TEXT": "how often a word occurs in the corpus",
        "pairs": "how many different pairs there are",
        "tied": "how many pairs share the highest count",
        "next pair": "the pair that is merged next",
        "next count": "how often it occurs",
        "next token": "the token that it becomes",
        "last pair": "the pair that was merged last",
        "last count": "how often it occurred",
        "last token": "the token that it became",
        "pair number NUMBER": "a pair of the chart, by its rank",
        "count number NUMBER": "how often it occurs",
        "count of TEXT + TEXT": "how often a pair occurs; one of the twenty most frequent",
        "pair of merge NUMBER": "the pair of a merge, the first has number 1",
        "token of merge NUMBER": "the token that it made",
        "count of merge NUMBER": "how often its pair occurred",
        "id of TEXT": "the number of a token, named as the vocabulary shows it",
        "tokens in TEXT": "how many tokens a text is cut into",
        "cut of TEXT": "these tokens, with a line between each two",
        "ids of TEXT": "their numbers",
        "bytes in TEXT": "how many bytes a text is in UTF-8",
        "characters in TEXT": "how many characters",
        "bytes of LANGUAGE": "how many bytes the story is in a language",
        "lane NUMBER": "the name of a lane, the first has number 1",
        "lane with fewest tokens": "the name of the lane that takes fewest for the compared text",
        "tokens in lane NUMBER": "how many tokens a lane cuts the compared text into",
        "cut of TEXT in lane NUMBER": "a text as a lane cuts it",
        "tokens of LANGUAGE in lane NUMBER": "how many the story takes in a language",
        "cost of LANGUAGE in lane NUMBER": "how many times as many as in English",
    }
)
"""What a figure may ask, and what that is."""

_PARTS = MappingProxyType(
    {"TEXT": '"([^"{}]{1,200})"', "NUMBER": r"([0-9][0-9,]{0,8})", "LANGUAGE": "([a-z]{2})"}
)
_AT = re.compile(r" at (?:(the end)|([0-9][0-9,]{0,8}))\Z")


def joined(templates: Iterable[Template]) -> Template:
    """Several with a space between each two.

    >>> str(joined([read_template("one"), read_template("{merges} more")]))
    'one {merges} more'
    """
    parts: list[str | Figure] = []
    for number, template in enumerate(templates):
        parts += [" "] if number else []
        parts += template.parts
    return Template(_merged(parts))


def read_template(text: str) -> Template:
    """Understand a line of words with figures in braces; `{{` and `}}` are braces.

    Raises Fault where a brace is left open, or a figure asks what none may.
    """
    parts: list[str | Figure] = []
    place = 0
    for found in re.finditer(r"\{\{|\}\}|\{([^{}]*)\}|[{}]", text):
        parts.append(text[place : found.start()])
        place = found.end()
        if found[0] in ("{{", "}}"):
            parts.append(found[0][0])
        elif found[1] is not None:
            parts.append(_figure(found[1], found.start() + 1))
        else:
            other = "}" if found[0] == "{" else "{"
            raise Fault(
                found.start(),
                f"this {found[0]} has no {other} on its line; write {found[0] * 2} for the "
                "brace itself",
            )
    parts.append(text[place:])
    return Template(_merged(parts))


def read_merges(text: str) -> int:
    """A number of merges, or THE_END; Fault if it is neither.

    >>> read_merges("1,000"), read_merges("the end") == THE_END
    (1000, True)
    """
    if text == "the end":
        return THE_END
    return read_number(text, 0, "a number of merges, or the end")


def read_number(text: str, least: int, what: str = "a number") -> int:
    """A number from `least` to MOST_MERGES; Fault if it is none."""
    if not re.fullmatch(r"[0-9][0-9,]{0,15}", text):
        raise Fault(0, f"this is no number; write {what}")
    number = int(text.replace(",", ""))
    if not least <= number <= MOST_MERGES:
        raise Fault(0, f"write {what} from {least:,} to {MOST_MERGES:,}")
    return number


def _figure(text: str, offset: int) -> Figure:
    at = _AT.search(text)
    asked = text[: at.start()] if at else text
    for pattern, expression in _EXPRESSIONS.items():
        if (found := expression.fullmatch(asked)) is not None:
            holes = HOLE.findall(pattern)
            for number, hole in enumerate(holes, 1):
                _check(hole, found[number], offset + found.start(number))
            values = zip(holes, found.groups(), strict=True)
            merges = None if at is None else _number(at[2]) if at[2] else THE_END
            return Figure(pattern, tuple(_value(*value) for value in values), merges)
    near = get_close_matches(HOLE.sub("", asked), FIGURES, 1, 0.5)
    hint = f"; perhaps “{near[0]}”?" if near else "; FORMAT.md lists what there is"
    raise Fault(offset, f"there is no figure “{asked[:60]}”{hint}")


def _check(hole: str, text: str, offset: int) -> None:
    """A Fault for a language that the story is not told in."""
    if hole == "LANGUAGE" and text not in languages():
        told = ", ".join(languages())
        raise Fault(offset, f"the story is not told in “{text}”; it is in {told}")


def _value(hole: str, text: str) -> str | int:
    return _number(text) if hole == "NUMBER" else text


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _merged(parts: Iterable[str | Figure]) -> tuple[str | Figure, ...]:
    """Words that stand side by side as one."""
    merged: list[str | Figure] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return tuple(merged)


def _expression(pattern: str) -> re.Pattern[str]:
    words = re.split("(TEXT|NUMBER|LANGUAGE)", pattern)
    return re.compile("".join(_PARTS.get(word) or re.escape(word) for word in words))


_EXPRESSIONS = {pattern: _expression(pattern) for pattern in FIGURES}
