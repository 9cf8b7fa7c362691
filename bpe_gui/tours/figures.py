"""Words with figures in them: `{next pair}` is filled in from the run when a page is shown.

So a page cannot claim what is not so. What a figure may ask is listed in `FIGURES`; in these
patterns TEXT stands for something in double quotes, NUMBER for a number and LANGUAGE for the
code of one of the story's languages. Each may end with `at NUMBER` or `at the end`: what held
after so many merges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from types import MappingProxyType

from bpe_gui.analysis.visible import visible, visible_pair
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.tour import HOLE, THE_END, Fault, Figure, Template

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
            parts.append(_read_figure(found[1], found.start() + 1))
        else:
            other = "}" if found[0] == "{" else "{"
            raise Fault(
                found.start(),
                f"this {found[0]} has no {other} on its line; write {found[0] * 2} for the "
                "brace itself",
            )
    parts.append(text[place:])
    return Template(_merged(parts))


def _read_figure(text: str, offset: int) -> Figure:
    at = _AT.search(text)
    asked = text[: at.start()] if at else text
    for pattern, expression in _EXPRESSIONS.items():
        if (found := expression.fullmatch(asked)) is not None:
            holes = HOLE.findall(pattern)
            for number, hole in enumerate(holes, 1):
                _check(hole, found[number], offset + found.start(number))
            values = zip(holes, found.groups(), strict=True)
            merges = None if at is None else _to_int(at[2]) if at[2] else THE_END
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
    return _to_int(text) if hole == "NUMBER" else text


def _to_int(text: str) -> int:
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


# -- what they come to ----------------------------------------------------------------------

_BETWEEN = " | "
_MEANT = {"␣": " "}


class FigureError(ValueError):
    """A figure that the run in view does not have; one sentence."""


@dataclass(frozen=True)
class InView:
    """What figures are about: a run at a position, its words, and the lanes with their text."""

    history: History
    position: int
    words: WordCounts
    lanes: Sequence[TrainedEncoding] = ()
    compared: str = ""


def filled(template: Template, view: InView) -> str:
    """Words with their figures. Raises FigureError."""
    return "".join(
        part if isinstance(part, str) else figure(part, view) for part in template.parts
    )


def figure(asked: Figure, view: InView) -> str:
    """What one figure comes to. Raises FigureError with a sentence that names it."""
    if asked.at is not None:
        view = replace(view, position=len(view.history) if asked.at == THE_END else asked.at)
    try:
        if view.position > len(view.history):
            raise FigureError(f"only {len(view.history):,} merges are done")
        return str(_FIGURES[asked.pattern](view, *asked.arguments))
    except FigureError as error:
        raise FigureError(f"“{asked}” cannot be told: {error}.") from None


def token_named(view: InView, name: str) -> int:
    """The token that the vocabulary shows so; of several the newest. Raises FigureError."""
    history = view.history
    for token in reversed(range(history.vocabulary_size(view.position))):
        if visible(history.token_bytes(token)) == name:
            return token
    raise FigureError(f"there is no token {name} after {view.position:,} merges")


# -- of the run --------------------------------------------------------------------------------


def _number(number: int) -> str:
    return f"{number:,}"


def _merge(view: InView, number: int) -> int:
    """The step of a merge that is counted from 1."""
    if not 1 <= number <= len(view.history):
        raise FigureError(f"there is no merge {number:,}")
    return number - 1


def _last(view: InView) -> int:
    if not view.position:
        raise FigureError("nothing is merged yet")
    return view.position - 1


def _next_pair(view: InView) -> tuple[int, int]:
    pair = view.history.next_pair(view.position)
    if pair is None:
        raise FigureError("no pair is left")
    return pair


def _spelled(view: InView, left: int, right: int) -> str:
    return visible_pair(view.history.token_bytes(left), view.history.token_bytes(right))


def _pair_of(view: InView, step: int) -> str:
    return _spelled(view, int(view.history.left[step]), int(view.history.right[step]))


def _token_of(view: InView, step: int) -> str:
    return visible(view.history.token_bytes(int(view.history.new_id[step])))


def _count_of(view: InView, left: int, right: int) -> int:
    top = view.history.top(view.position)
    for place in range(len(top)):
        if (int(top.left[place]), int(top.right[place])) == (left, right):
            return int(top.count[place])
    raise FigureError("it is not among the most frequent pairs")


def _ranked(view: InView, number: int) -> tuple[int, int, int]:
    top = view.history.top(view.position)
    if not 1 <= number <= len(top):
        raise FigureError(f"there is no pair number {number:,}")
    return int(top.left[number - 1]), int(top.right[number - 1]), int(top.count[number - 1])


def _tied(view: InView) -> str:
    counts = view.history.top(view.position).count
    if not len(counts):
        raise FigureError("no pair is left")
    return _number(int((counts == counts[0]).sum()))


def _count_of_pair(view: InView, left: str, right: str) -> str:
    return _number(_count_of(view, token_named(view, left), token_named(view, right)))


def _count_of_word(view: InView, word: str) -> str:
    data = word.encode("utf-8", "replace")
    for content, count in view.words.items():
        if content == data:
            return _number(count)
    raise FigureError("the corpus does not have this word")


def _bytes_per_token(view: InView) -> str:
    tokens = int(view.history.tokens[view.position])
    if not tokens:
        raise FigureError("the corpus is empty")
    return f"{view.history.corpus_bytes / tokens:.2f}"


def _next_count(view: InView) -> str:
    return _number(_count_of(view, *_next_pair(view)))


def _next_token(view: InView) -> str:
    return visible(b"".join(view.history.token_bytes(token) for token in _next_pair(view)))


# -- of texts ------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """A text that may be written with marks for spaces."""
    return re.sub("[␣]", lambda mark: _MEANT[mark[0]], text)


def _encoded(view: InView, text: str) -> tuple[TrainedEncoding, list[int]]:
    encoding = TrainedEncoding(view.history, view.position)
    return encoding, encoding.encode(_plain(text)).ids.tolist()


def _cut(encoding: TrainedEncoding, ids: Sequence[int]) -> str:
    return _BETWEEN.join(
        "?" if token == NO_TOKEN else visible(encoding.marked_token_bytes(token)) for token in ids
    )


def _cut_of(view: InView, text: str) -> str:
    return _cut(*_encoded(view, text))


def _ids_of(view: InView, text: str) -> str:
    return " ".join(map(str, _encoded(view, text)[1]))


def _size(text: str) -> str:
    return _number(len(_plain(text).encode("utf-8", "replace")))


# -- of lanes ------------------------------------------------------------------------------------


def _lane(view: InView, number: int) -> TrainedEncoding:
    if not 1 <= number <= len(view.lanes):
        raise FigureError(f"there is no lane {number:,}")
    return view.lanes[number - 1]


def _shortest_lane(view: InView) -> str:
    counts = [len(lane.encode(view.compared)) for lane in view.lanes]
    if counts.count(min(counts, default=0)) != 1:
        raise FigureError("no lane has fewer tokens than all others")
    return view.lanes[counts.index(min(counts))].name


def _cut_in_lane(view: InView, text: str, number: int) -> str:
    encoding = _lane(view, number)
    return _cut(encoding, encoding.encode(_plain(text)).ids.tolist())


def _of_language(view: InView, code: str, number: int) -> int:
    if code not in languages():
        raise FigureError("the story is not told in this language")
    return len(_lane(view, number).encode(languages()[code].text))


def _cost(view: InView, code: str, number: int) -> str:
    return f"{_of_language(view, code, number) / _of_language(view, 'en', number):.2f}"


_FIGURES: MappingProxyType[str, Callable[..., str]] = MappingProxyType(
    {
        "merges": lambda view: _number(view.position),
        "vocabulary": lambda view: _number(view.history.vocabulary_size(view.position)),
        "symbols": lambda view: _number(len(view.history.base)),
        "corpus tokens": lambda view: _number(int(view.history.tokens[view.position])),
        "corpus bytes": lambda view: _number(view.history.corpus_bytes),
        "bytes per token": _bytes_per_token,
        "words": lambda view: _number(len(view.words)),
        "count of word TEXT": _count_of_word,
        "pairs": lambda view: _number(int(view.history.distinct[view.position])),
        "tied": _tied,
        "next pair": lambda view: _spelled(view, *_next_pair(view)),
        "next count": _next_count,
        "next token": _next_token,
        "last pair": lambda view: _pair_of(view, _last(view)),
        "last count": lambda view: _number(int(view.history.count[_last(view)])),
        "last token": lambda view: _token_of(view, _last(view)),
        "pair number NUMBER": lambda view, n: _spelled(view, *_ranked(view, n)[:2]),
        "count number NUMBER": lambda view, n: _number(_ranked(view, n)[2]),
        "count of TEXT + TEXT": _count_of_pair,
        "pair of merge NUMBER": lambda view, n: _pair_of(view, _merge(view, n)),
        "token of merge NUMBER": lambda view, n: _token_of(view, _merge(view, n)),
        "count of merge NUMBER": lambda view, n: _number(int(view.history.count[_merge(view, n)])),
        "id of TEXT": lambda view, name: str(token_named(view, name)),
        "tokens in TEXT": lambda view, text: _number(len(_encoded(view, text)[1])),
        "cut of TEXT": _cut_of,
        "ids of TEXT": _ids_of,
        "bytes in TEXT": lambda view, text: _size(text),
        "characters in TEXT": lambda view, text: _number(len(_plain(text))),
        "bytes of LANGUAGE": lambda view, code: _size(languages()[code].text),
        "lane NUMBER": lambda view, n: _lane(view, n).name,
        "lane with fewest tokens": _shortest_lane,
        "tokens in lane NUMBER": lambda view, n: _number(len(_lane(view, n).encode(view.compared))),
        "cut of TEXT in lane NUMBER": _cut_in_lane,
        "tokens of LANGUAGE in lane NUMBER": lambda view, code, n: _number(
            _of_language(view, code, n)
        ),
        "cost of LANGUAGE in lane NUMBER": _cost,
    }
)
"""What answers each of `FIGURES`."""
