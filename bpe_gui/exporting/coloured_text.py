"""A text as coloured tokens, ready to be written out, and the colours that it takes. Plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from bpe_gui.analysis.visible import (
    DOTTED_CIRCLE,
    bytes_text,
    visible,
    visible_bytes,
    visible_character,
)
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import bytes_of_characters

# -- Colours ------------------------------------------------------------------------------------


class Scheme(Struct, frozen=True):
    """The colours of a light or a dark scheme, each as "#rrggbb".

    `page` lies behind the text, `text` and `muted` are readable on it. `tokens` are the fills of
    tokens, on which `token_text` and `token_muted` are readable. `border` draws quiet lines.

    What the vocabulary does not have is filled with `raised`, as no token is, and has a line in
    `error` at its foot; what is readable on tokens is so there, and so is `error`.

    `patterns` has for each fill a pattern to be drawn along the head of its tokens in `ink`, or is
    empty: rows of equal length, "#" where there is ink. `of_tokens` are fills that identify tokens,
    by the remainder of their ids.
    """

    name: str
    dark: bool
    page: str
    raised: str
    text: str
    muted: str
    border: str
    error: str
    tokens: tuple[str, ...]
    token_text: str
    token_muted: str
    ink: str = ""
    patterns: tuple[tuple[str, ...], ...] = ()
    of_tokens: tuple[str, ...] = ()


def rgb(colour: str) -> tuple[int, int, int]:
    """Split a colour into red, green and blue, 0 to 255.

    >>> rgb("#27325c")
    (39, 50, 92)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def dots_of(pattern: tuple[str, ...]) -> str:
    """Write a pattern as path data of SVG, a dot a unit.

    >>> dots_of(("# ", " #"))
    'M0 0h1v1h-1zM1 1h1v1h-1z'
    """
    return "".join(
        f"M{x} {y}h1v1h-1z"
        for y, row in enumerate(pattern)
        for x, dot in enumerate(row)
        if dot == "#"
    )


def tile_of(scheme: Scheme, index: int) -> str:
    """Write the pattern of a fill as a picture in a style sheet; "none" where it has none."""
    if not scheme.patterns:
        return "none"
    rows = scheme.patterns[index]
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{len(rows[0])}" height="{len(rows)}">'
        f'<path fill="{scheme.ink}" d="{dots_of(rows)}"/></svg>'
    )
    return f'url("data:image/svg+xml,{quote(drawing, safe="")}")'


# -- What belongs to which token, and what is seen ----------------------------------------------
#
# It is made once and written in several ways: `html_text`, `ansi_text`, `svg_text`. All show the
# same: nothing is hidden, and a character that several tokens share is shown as its bytes.

NOWHERE = -1
"""The number of a stretch that lies in no token."""

SPACE_MARK, NEWLINE_MARK, TAB_MARK = "·", "¶", "→"

_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""What changes its neighbours and takes no room: within a token it stays with them."""


class PartKind(IntEnum):
    """How a part of a text is shown."""

    TEXT = 0
    """As it is."""
    SPACE = 1
    """As a mark in the place that it takes."""
    TAB = 2
    NEWLINE = 3
    """As a mark before the line ends."""
    NAMED = 4
    """By a name instead: a control character, or one that would not be seen."""
    BYTES = 5
    """As bytes in hex: a token holds only part of a character."""
    MARKER = 6
    """A marker of a word's end, which is no text."""


class TextPart(Struct, frozen=True):
    """A stretch of one kind: the characters of the text, and what is shown for them.

    The texts of all parts, one after another, are the whole text: a character that several
    tokens share belongs to the first of them.
    """

    kind: PartKind
    text: str
    shown: str


class ColouredSpan(Struct, frozen=True):
    """A token of the text, or what lies between two of them (`number` is NOWHERE then).

    number: which of the tokens it is, from 0. id: NO_TOKEN for what the vocabulary does not
    have. colour: an index of the palette. content: the bytes of the token, or of the text where
    they are not known.
    """

    number: int
    id: int
    colour: int
    content: bytes
    parts: tuple[TextPart, ...]

    @property
    def in_token(self) -> bool:
        """Tell whether it is a token, known or not."""
        return self.number != NOWHERE

    @property
    def title(self) -> str:
        """Name it in a line: the token, its id and its bytes.

        >>> parts = TextPart(PartKind.SPACE, " ", "·"), TextPart(PartKind.TEXT, "t", "t")
        >>> ColouredSpan(0, 499, 0, b" t", parts).title
        '␣t · id 499 · 2 bytes: 0x20 0x74'
        """
        if not self.in_token:
            return f"{visible(self.content)} · in no token"
        name = "not in the vocabulary" if self.id == NO_TOKEN else f"id {self.id}"
        written = bytes_text(self.content, len(self.content))
        return f"{visible(self.content)} · {name} · {written}".removeprefix(" · ")


class ColouredText(Struct, frozen=True):
    """A text and its stretches, in order."""

    text: str
    stretches: tuple[ColouredSpan, ...]

    @property
    def tokens(self) -> int:
        """Tell how many tokens there are."""
        return sum(stretch.in_token for stretch in self.stretches)

    def with_ids(self, own_id: Callable[[int], int]) -> ColouredText:
        """Return the same with other ids for its tokens; NO_TOKEN stays."""
        stretches = (
            replace(stretch, id=own_id(stretch.id)) if stretch.id != NO_TOKEN else stretch
            for stretch in self.stretches
        )
        return ColouredText(self.text, tuple(stretches))


def coloured_text(
    text: str,
    tokens: Tokens,
    colours: Sequence[int],
    *,
    closes_word: Callable[[int], bool] | None = None,
    token_bytes: Callable[[int], bytes] | None = None,
) -> ColouredText:
    """Take a text apart as its tokens have it.

    `colours` has an index of the palette for each token. `closes_word` tells of an id whether
    that token ends with a marker of a word's end. `token_bytes` tells its bytes of an id; None
    stands for the text that each token covers, as if nothing were normalized or added.
    Raises UnicodeEncodeError for unpaired surrogates.

    >>> from bpe_gui.bpe.tokenizer import Tokenizer
    >>> from bpe_gui.bpe.history import BaseVocabulary, History
    >>> from bpe_gui.bpe.recipe import preset
    >>> base = BaseVocabulary.of(preset("raw"), "low")
    >>> history = History.from_merges(preset("raw"), base, [(0, 1, 3)])
    >>> coloured = coloured_text("low", Tokenizer(history).encode("low"), [4, 5])
    >>> [(span.colour, [part.text for part in span.parts]) for span in coloured.stretches]
    [(4, ['lo']), (5, ['w'])]
    """
    return ColouredText(text, tuple(_stretches(text, tokens, colours, closes_word, token_bytes)))


def _stretches(
    text: str,
    tokens: Tokens,
    colours: Sequence[int],
    closes_word: Callable[[int], bool] | None,
    token_bytes: Callable[[int], bytes] | None,
) -> Iterator[ColouredSpan]:
    data = text.encode("utf-8")
    edges = bytes_of_characters(data).tolist()
    columns = (tokens.ids, tokens.starts, tokens.ends, tokens.char_starts, tokens.char_ends)
    done = 0
    for number, row in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        token, start, end, first, last = row
        if first > done:
            yield _between(text[done:first])
            done = first
        content = b"" if token_bytes is None or token == NO_TOKEN else token_bytes(token)
        parts = list(_parts_of_token(text, edges, row, done, content))
        if closes_word is not None and token != NO_TOKEN and closes_word(token):
            parts.append(TextPart(PartKind.MARKER, "", END_OF_WORD))
        elif not parts:
            parts.append(_put_in(token, content))
        content = content or data[start:end]
        yield ColouredSpan(number, token, int(colours[number]), content, tuple(parts))
        done = max(done, last)
    if done < len(text):
        yield _between(text[done:])


def _between(text: str) -> ColouredSpan:
    """Make the stretch between two tokens."""
    return ColouredSpan(NOWHERE, NO_TOKEN, 0, text.encode("utf-8"), tuple(_parts(text)))


def _put_in(token: int, content: bytes) -> TextPart:
    """Make the part of a token that has no characters in the text."""
    number = "‹?›" if token == NO_TOKEN else f"‹{token}›"
    return TextPart(PartKind.NAMED, "", visible(content) or number)


def _parts_of_token(
    text: str, edges: Sequence[int], row: tuple[int, int, int, int, int], done: int, content: bytes
) -> Iterator[TextPart]:
    """Split a token into parts; characters before `done` belong to tokens before it."""
    token, start, end, first, last = row
    if start == end:
        return
    whole_first = first if edges[first] == start else first + 1
    whole_last = last if edges[last] == end else last - 1
    if whole_first > first:
        part = text[first].encode("utf-8")[start - edges[first] :][: end - start]
        yield TextPart(PartKind.BYTES, text[done : first + 1], visible_bytes(part))
    if whole_first < done:
        # Normalization made several tokens of one character, and this is not the first.
        yield _put_in(token, content)
        whole_first = done
    yield from _parts(text[whole_first:whole_last])
    if whole_last < last and whole_last >= whole_first:
        part = text[last - 1].encode("utf-8")[: end - edges[last - 1]]
        yield TextPart(PartKind.BYTES, text[max(done, last - 1) : last], visible_bytes(part))


def _parts(text: str) -> Iterator[TextPart]:
    """Group whole characters, as many of one kind together as may be."""
    begin = 0
    for place, character in enumerate(text):
        kind, shown = _kind_of(character, follows_text=place > begin)
        if kind is PartKind.TEXT:
            continue
        if place > begin:
            yield TextPart(PartKind.TEXT, text[begin:place], text[begin:place])
        yield TextPart(kind, character, shown)
        begin = place + 1
    if begin < len(text):
        yield TextPart(PartKind.TEXT, text[begin:], text[begin:])


def _kind_of(character: str, *, follows_text: bool) -> tuple[PartKind, str]:
    """Tell how a character is shown, after text that it may join or not."""
    if character in _MARKS:
        return _MARKS[character]
    if character in _JOINERS and follows_text:
        return PartKind.TEXT, character
    shown = visible_character(character)
    if shown is None:
        mark = DOTTED_CIRCLE + character
        return (PartKind.TEXT, character) if follows_text else (PartKind.NAMED, mark)
    return (PartKind.TEXT if shown == character else PartKind.NAMED), shown


_MARKS = {
    " ": (PartKind.SPACE, SPACE_MARK),
    "\t": (PartKind.TAB, TAB_MARK),
    "\n": (PartKind.NEWLINE, NEWLINE_MARK),
}
