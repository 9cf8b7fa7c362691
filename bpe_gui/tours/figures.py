"""Figures in sentences: `{next pair}` is filled in from the run when a page is shown.

So a page cannot claim what is not so. What a figure may ask is listed in `FIGURES`; in these
patterns TEXT stands for something in double quotes, NUMBER for a number and LANGUAGE for the
code of one of the story's languages. Any may end with `at NUMBER` or `at the end`: what held
after that many merges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from bpe_gui.analysis.visible import visible, visible_pair
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.words import WordCounts
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import languages
from bpe_gui.tours.tour import PLACEHOLDER, THE_END, Fault, Figure, Template


class FigureError(ValueError):
    """A figure that the run in view does not have; one sentence."""


class InView(Struct, frozen=True):
    """What figures are about: a run at a position, its words, and the lanes with their text."""

    history: History
    position: int
    words: WordCounts
    lanes: Sequence[TrainedEncoding] = ()
    compared: str = ""


def fill_in(template: Template, view: InView) -> str:
    """Replace the figures of a sentence by what they come to. Raises FigureError."""
    return "".join(part if isinstance(part, str) else _value(part, view) for part in template.parts)


def _value(figure: Figure, view: InView) -> str:
    if figure.at is not None:
        view = replace(view, position=len(view.history) if figure.at == THE_END else figure.at)
    try:
        if view.position > len(view.history):
            raise FigureError(f"only {len(view.history):,} merges are done")
        value = FIGURES[figure.pattern](view, *figure.arguments)
    except FigureError as error:
        raise FigureError(f"“{figure}” has no value: {error}.") from None
    return f"{value:,}" if isinstance(value, int) else value


def find_token(view: InView, name: str) -> int:
    """Find the newest token that the vocabulary shows by a name. Raises FigureError."""
    history = view.history
    for token in reversed(range(history.vocabulary_size(view.position))):
        if visible(history.token_bytes(token)) == name:
            return token
    raise FigureError(f"there is no token {name} after {view.position:,} merges")


# -- of the run ------------------------------------------------------------------------------


def _merge(view: InView, number: int) -> int:
    """Return the step of a merge that is counted from 1."""
    if not 1 <= number <= len(view.history):
        raise FigureError(f"there is no merge {number:,}")
    return number - 1


def _last(view: InView) -> int:
    if not view.position:
        raise FigureError("nothing is merged yet")
    return view.position - 1


def _next(view: InView) -> tuple[int, int]:
    pair = view.history.next_pair(view.position)
    if pair is None:
        raise FigureError("no pair is left")
    return pair


def _pair(view: InView, left: int, right: int) -> str:
    return visible_pair(view.history.token_bytes(left), view.history.token_bytes(right))


def _merged_pair(view: InView, step: int) -> str:
    return _pair(view, int(view.history.left[step]), int(view.history.right[step]))


def _merged_token(view: InView, step: int) -> str:
    return visible(view.history.token_bytes(int(view.history.new_id[step])))


def _merged_count(view: InView, step: int) -> int:
    return int(view.history.count[step])


def _next_token(view: InView) -> str:
    return visible(b"".join(view.history.token_bytes(token) for token in _next(view)))


def _pair_count(view: InView, left: int, right: int) -> int:
    top = view.history.top(view.position)
    for *pair, count in zip(top.left, top.right, top.count, strict=True):
        if pair == [left, right]:
            return int(count)
    raise FigureError("it is not among the most frequent pairs")


def _ranked(view: InView, number: int) -> tuple[int, int, int]:
    top = view.history.top(view.position)
    if not 1 <= number <= len(top):
        raise FigureError(f"there is no pair number {number:,}")
    return int(top.left[number - 1]), int(top.right[number - 1]), int(top.count[number - 1])


def _tied(view: InView) -> int:
    counts = view.history.top(view.position).count
    if not len(counts):
        raise FigureError("no pair is left")
    return int((counts == counts[0]).sum())


def _word_count(view: InView, word: str) -> int:
    data = word.encode("utf-8", "replace")
    for content, count in view.words.items():
        if content == data:
            return count
    raise FigureError("the corpus does not have this word")


def _bytes_per_token(view: InView) -> str:
    tokens = int(view.history.tokens[view.position])
    if not tokens:
        raise FigureError("the corpus is empty")
    return f"{view.history.corpus_bytes / tokens:.2f}"


# -- of texts --------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """Replace the marks that a text may be written with by spaces."""
    return text.replace("␣", " ")


def _ids(encoding: TrainedEncoding, text: str) -> list[int]:
    ids: list[int] = encoding.encode(_plain(text)).ids.tolist()
    return ids


def _tokens(encoding: TrainedEncoding, text: str) -> str:
    return " | ".join(
        "?" if token == NO_TOKEN else visible(encoding.marked_token_bytes(token))
        for token in _ids(encoding, text)
    )


def _encoding(view: InView) -> TrainedEncoding:
    return TrainedEncoding(view.history, view.position)


def _byte_count(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


# -- of lanes --------------------------------------------------------------------------------


def _lane(view: InView, number: int) -> TrainedEncoding:
    if not 1 <= number <= len(view.lanes):
        raise FigureError(f"there is no lane {number:,}")
    return view.lanes[number - 1]


def _shortest_lane(view: InView) -> str:
    counts = [len(lane.encode(view.compared)) for lane in view.lanes]
    if counts.count(min(counts, default=0)) != 1:
        raise FigureError("no lane has fewer tokens than all others")
    return view.lanes[counts.index(min(counts))].name


def _story_tokens(view: InView, code: str, number: int) -> int:
    return len(_lane(view, number).encode(languages()[code].text))


def _cost(view: InView, code: str, number: int) -> str:
    return f"{_story_tokens(view, code, number) / _story_tokens(view, 'en', number):.2f}"


FIGURES: Mapping[str, Callable[..., int | str]] = MappingProxyType(
    {
        "merges": lambda view: view.position,
        "vocabulary": lambda view: view.history.vocabulary_size(view.position),
        "symbols": lambda view: len(view.history.base),
        "corpus tokens": lambda view: int(view.history.tokens[view.position]),
        "corpus bytes": lambda view: view.history.corpus_bytes,
        "bytes per token": _bytes_per_token,
        "words": lambda view: len(view.words),
        "count of word TEXT": _word_count,
        "pairs": lambda view: int(view.history.distinct[view.position]),
        "tied": _tied,
        "next pair": lambda view: _pair(view, *_next(view)),
        "next count": lambda view: _pair_count(view, *_next(view)),
        "next token": _next_token,
        "last pair": lambda view: _merged_pair(view, _last(view)),
        "last count": lambda view: _merged_count(view, _last(view)),
        "last token": lambda view: _merged_token(view, _last(view)),
        "pair number NUMBER": lambda view, n: _pair(view, *_ranked(view, n)[:2]),
        "count number NUMBER": lambda view, n: _ranked(view, n)[2],
        "count of TEXT + TEXT": lambda view, left, right: _pair_count(
            view, find_token(view, left), find_token(view, right)
        ),
        "pair of merge NUMBER": lambda view, n: _merged_pair(view, _merge(view, n)),
        "token of merge NUMBER": lambda view, n: _merged_token(view, _merge(view, n)),
        "count of merge NUMBER": lambda view, n: _merged_count(view, _merge(view, n)),
        "id of TEXT": lambda view, name: str(find_token(view, name)),
        "tokens in TEXT": lambda view, text: len(_ids(_encoding(view), text)),
        "cut of TEXT": lambda view, text: _tokens(_encoding(view), text),
        "ids of TEXT": lambda view, text: " ".join(map(str, _ids(_encoding(view), text))),
        "bytes in TEXT": lambda view, text: _byte_count(_plain(text)),
        "characters in TEXT": lambda view, text: len(_plain(text)),
        "bytes of LANGUAGE": lambda view, code: _byte_count(languages()[code].text),
        "lane NUMBER": lambda view, n: _lane(view, n).name,
        "lane with fewest tokens": _shortest_lane,
        "tokens in lane NUMBER": lambda view, n: len(_lane(view, n).encode(view.compared)),
        "cut of TEXT in lane NUMBER": lambda view, text, n: _tokens(_lane(view, n), text),
        "tokens of LANGUAGE in lane NUMBER": _story_tokens,
        "cost of LANGUAGE in lane NUMBER": _cost,
    }
)
"""What a figure may ask, and what answers it; FORMAT.md says what each is."""


# -- reading ---------------------------------------------------------------------------------


def read_template(text: str) -> Template:
    """Read a line of words with figures in braces; `{{` and `}}` are braces.

    Raises Fault where a brace is left open, or a figure asks what none may.

    >>> read_template('{tokens in "low" at 3} of {{x}}').parts
    (Figure(pattern='tokens in TEXT', arguments=('low',), at=3), ' of {x}')
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
    return _template([*parts, text[place:]])


def join(templates: Iterable[Template]) -> Template:
    """Put a space between every two lines.

    >>> str(join([read_template("one"), read_template("{merges} more")]))
    'one {merges} more'
    """
    parts = [part for template in templates for part in (" ", *template.parts)]
    return _template(parts[1:])


def _template(parts: Iterable[str | Figure]) -> Template:
    """Join words that are beside words, and leave out empty ones."""
    joined: list[str | Figure] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return Template(tuple(joined))


_VALUES = {"TEXT": '"([^"{}]{1,200})"', "NUMBER": "([0-9][0-9,]{0,8})", "LANGUAGE": "([a-z]{2})"}
_EXPRESSIONS = {
    pattern: re.compile(PLACEHOLDER.sub(lambda found: _VALUES[found[0]], re.escape(pattern)))
    for pattern in FIGURES
}
_AT = re.compile(r" at (?:the end|([0-9][0-9,]{0,8}))\Z")


def _read_figure(text: str, offset: int) -> Figure:
    at = _AT.search(text)
    asked = text[: at.start()] if at else text
    for pattern, expression in _EXPRESSIONS.items():
        if (found := expression.fullmatch(asked)) is not None:
            arguments: list[str | int] = []
            for number, placeholder in enumerate(PLACEHOLDER.findall(pattern), 1):
                value = found[number]
                if placeholder == "LANGUAGE" and value not in languages():
                    codes = ", ".join(languages())
                    reason = f"the story is not told in “{value}”; it is in {codes}"
                    raise Fault(offset + found.start(number), reason)
                arguments.append(_to_int(value) if placeholder == "NUMBER" else value)
            merges = None if at is None else _to_int(at[1]) if at[1] else THE_END
            return Figure(pattern, tuple(arguments), merges)
    near = get_close_matches(PLACEHOLDER.sub("", asked), FIGURES, 1, 0.5)
    hint = f"; perhaps “{near[0]}”?" if near else "; FORMAT.md lists what there is"
    raise Fault(offset, f"there is no figure “{asked[:60]}”{hint}")


def _to_int(text: str) -> int:
    return int(text.replace(",", ""))
