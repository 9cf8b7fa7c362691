"""Word counts: .csv and .tsv files with the header word,count."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from bpe_gui.bpe.sources.base import CorpusError, Piece

if TYPE_CHECKING:
    from _csv import Reader

MAX_COUNT = 2**53
"""The largest count of one row: the largest whole number that spreadsheets keep exactly."""

_MAX_TOTAL = 2**62
"""Bound on the bytes of all words, each as often as it is counted: sums are 64-bit."""

_MAX_LINE = 1 << 20
"""Characters of a line; a longer one is no list of words."""

_LINE_ENDING = re.compile(r"\r\n|\n|\r")

_HEADER = ["word", "count"]


def read_word_counts(
    pieces: Iterable[Piece],
    label: str,
    *,
    tabs: bool,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[str, int]]:
    """The rows of a table of word counts, in order. A word may come several times.

    Quotes are as in Python's csv module (a field with a separator, a quote or a line
    ending stands in double quotes, a quote in it is doubled), also in tab-separated
    files. Blank lines are skipped. `progress` is called with `bytes_read` of each piece.

    Raises CorpusError with the file and the line for any row that is not a word and a
    whole number from 1 to `MAX_COUNT`, and for a file without the header.
    """
    reader = csv.reader(
        _lines(pieces, label, progress), "excel-tab" if tabs else "excel", strict=True
    )
    rows = _rows(reader, label)
    separator = "\t" if tabs else ","
    header = next(rows, None)
    if header is None or [name.strip().lower() for name in header] != _HEADER:
        raise CorpusError(
            f"{label} does not begin with the header {separator.join(_HEADER)!r}, as a table of "
            "word counts does; add it, or give a text the ending .txt"
        )
    total = 0
    for row in rows:
        word, count = _row(row, f"{label}, line {reader.line_num}", separator)
        total += count * (len(word.encode("utf-8")) + 1)
        if total > _MAX_TOTAL:
            raise CorpusError(
                f"{label}, line {reader.line_num}: the counts add up to too much; divide them"
            )
        yield word, count


def _rows(reader: Reader, label: str) -> Iterator[list[str]]:
    """The rows that are not blank."""
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise CorpusError(
                f"{label}, line {reader.line_num}: this is no row of a table ({error}); "
                "check the quotes"
            ) from None
        if row:
            yield row


def _row(row: list[str], where: str, separator: str) -> tuple[str, int]:
    if len(row) != 2:
        raise CorpusError(
            f"{where}: a row is a word and a count with {separator!r} between them, "
            f"but here {_number_of_fields(len(row))}; put a word that holds {separator!r} "
            "in double quotes"
        )
    word, written = row[0], row[1].strip()
    if not word:
        raise CorpusError(f"{where}: the word is missing")
    # int() would also take signs, underscores and the digits of other scripts.
    valid = written.isascii() and written.isdigit() and len(written) < 20
    count = int(written) if valid else 0
    if not 1 <= count <= MAX_COUNT:
        raise CorpusError(
            f"{where}: the count of {word!r} must be a whole number from 1 to {MAX_COUNT}, "
            f"not {written!r}"
        )
    return word, count


def _number_of_fields(number: int) -> str:
    return "is one field" if number == 1 else f"are {number} fields"


def _lines(
    pieces: Iterable[Piece], label: str, progress: Callable[[int], None] | None
) -> Iterator[str]:
    """Lines with their endings, as the csv module wants them."""
    open_line: list[str] = []
    length = 0
    held = ""
    for data, final, bytes_read in pieces:
        if progress is not None:
            progress(bytes_read)
        text = held + data.decode("utf-8")
        # A \r at the end of a piece may be half of an ending.
        held = "\r" if text.endswith("\r") and not final else ""
        text = text.removesuffix(held)
        begin = 0
        for ending in _LINE_ENDING.finditer(text):
            open_line.append(text[begin : ending.end()])
            begin = ending.end()
            yield "".join(open_line)
            open_line.clear()
            length = 0
        open_line.append(text[begin:])
        length += len(text) - begin
        if length > _MAX_LINE:
            raise CorpusError(f"{label} holds a very long line and is no table of word counts")
    yield "".join(open_line)
