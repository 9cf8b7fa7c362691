"""The merges of a run as a table: for a page in Markdown, or for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from bpe_gui.bpe.history import History
from bpe_gui.bpe.visible import visible
from bpe_gui.exporting.tables import csv_parts

_HEADINGS = ("rank", "left", "right", "token", "count", "id")
_NEEDS_CARE = frozenset("|`\\")
"""What ends a cell or a code span in Markdown, or might."""


@dataclass(frozen=True, slots=True)
class Merge:
    """One merge. `rank` counts from 1; `count` is how often the pair occurred then.

    `left`, `right` and `token` are what `History.content` gives: bytes, which need be no whole
    characters, with an end-of-word marker where there is one.
    """

    rank: int
    left: bytes
    right: bytes
    token: bytes
    count: int
    id: int


def merges_of(history: History, position: int | None = None) -> Iterator[Merge]:
    """The merges before a position, the first one first; all of them by default.

    Tokens are spelled out one after another, and a history may be asked from any thread.
    """
    end = len(history) if position is None else position
    content = history.content
    columns = (history.left, history.right, history.new_id, history.count)
    rows = zip(*(column[:end].tolist() for column in columns), strict=True)
    for rank, (left, right, new, count) in enumerate(rows, 1):
        yield Merge(rank, content(left), content(right), content(new), count, new)


def merges_as_csv(merges: Iterable[Merge]) -> Iterator[str]:
    """As CSV, piece by piece: the columns of the table, and the bytes of the token in hex.

    Tokens are written as `bpe.visible` shows them, so no cell has a line end in it; what looks
    like a formula is guarded as `tables` says. The bytes are exact.
    """
    yield from csv_parts([[*_HEADINGS, "bytes"]])
    yield from csv_parts(
        [
            merge.rank,
            visible(merge.left),
            visible(merge.right),
            visible(merge.token),
            merge.count,
            merge.id,
            merge.token.hex(" "),
        ]
        for merge in merges
    )


def merges_as_markdown(merges: Iterable[Merge]) -> Iterator[str]:
    """As a table in Markdown, line by line, with numbers to the right."""
    yield f"| {' | '.join(_HEADINGS)} |\n"
    yield "| ---: | :--- | :--- | :--- | ---: | ---: |\n"
    for merge in merges:
        tokens = map(in_markdown, (merge.left, merge.right, merge.token))
        yield f"| {merge.rank} | {' | '.join(tokens)} | {merge.count} | {merge.id} |\n"


def in_markdown(token: bytes) -> str:
    """A token as code in a cell of a table, in every dialect of Markdown.

    >>> in_markdown(b" the"), in_markdown(b"a|b")
    ('`␣the`', '<code>a&#124;b</code>')
    """
    shown = visible(token)
    if not _NEEDS_CARE & set(shown):
        return f"`{shown}`" if shown else ""
    safe = escape(shown, quote=False)
    for character in sorted(_NEEDS_CARE | set("*_[]~")):
        safe = safe.replace(character, f"&#{ord(character)};")
    return f"<code>{safe}</code>"
