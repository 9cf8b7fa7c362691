"""From files to documents: text, JSON lines, tables of word counts, and texts in memory."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.text_files import (
    BLOCK_SIZE,
    Block,
    CorpusError,
    Hint,
    Piece,
    without_surrogates,
)

if TYPE_CHECKING:
    from _csv import Reader


# -- Lines, files and JSON lines ----------------------------------------------------------------

MAX_RECORD = 64_000_000
"""Bytes of a JSON Lines record, which must be held whole: a small gzip file may hold any number."""

HALF_A_PAIR = "the text holds half of a surrogate pair (as \\ud83d), which is no character"

_NEWLINE = 0x0A
_read_json = json.JSONDecoder().raw_decode


def _ends(*offsets: int) -> NDArray[np.int64]:
    return np.array(offsets, np.int64)


def whole_file(pieces: Iterable[Piece]) -> Iterator[Block]:
    """Yield one document: all of the file. An empty file is an empty document."""
    for text, final, bytes_read in pieces:
        yield Block(text, _ends(len(text)) if final else _ends(), bytes_read)


def lines(pieces: Iterable[Piece]) -> Iterator[Block]:
    """Yield a document for each line, without its ending: \\n, \\r\\n or \\r.

    An ending at the end of the file begins no further line; an empty file has no line.
    """
    after_return = False
    line_is_open = False
    for data, final, bytes_read in pieces:
        # A \r at the end of a piece has ended its line; a \n after it belongs to it.
        rest = data[1:] if after_return and data[:1] == b"\n" else data
        after_return = data[-1:] == b"\r" or (after_return and not data)
        if b"\r" in rest:
            rest = rest.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        newlines = np.flatnonzero(np.frombuffer(rest, np.uint8) == _NEWLINE)
        text = rest.translate(None, b"\n") if len(newlines) else rest
        # Each newline taken out moves the ends after it one to the left.
        ends = newlines - np.arange(len(newlines))
        if rest:
            line_is_open = rest[-1] != _NEWLINE
        if final and line_is_open:
            ends = np.append(ends, len(text))
        yield Block(text, ends, bytes_read)


def json_records(
    pieces: Iterable[Piece],
    label: str,
    field: str,
    *,
    replace_errors: bool = False,
    block_size: int = BLOCK_SIZE,
) -> Iterator[Block]:
    """Yield a document for each record of JSON Lines: the string in its field of that name.

    Records end at \\n; blank lines are skipped. A half surrogate pair, which JSON can
    spell, is an error or replaced by U+FFFD. A record is held whole, and one that is
    much longer than a block is given out in several; one of more than `MAX_RECORD`
    bytes is an error.

    Raises CorpusError with the file and the line for anything that is no such record.
    """
    number = 0
    open_line: list[bytes] = []
    length = 0
    for data, final, bytes_read in pieces:
        first, *others = data.split(b"\n")
        open_line.append(first)
        length += len(first)
        if length > MAX_RECORD:
            raise CorpusError(
                f"{label}, line {number + 1}: the record is longer than {MAX_RECORD:,} bytes; "
                "divide it into several"
            )
        complete: list[bytes] = []
        if others:
            complete = [b"".join(open_line), *others[:-1]]
            open_line = [others[-1]]
            length = len(others[-1])
        if final:
            complete.append(b"".join(open_line))
        texts: list[bytes] = []
        for line in complete:
            number += 1
            line = line.strip(b" \t\r")
            if not line:
                continue
            try:
                texts.append(_record(line, field, replace_errors))
            except _BadRecordError as error:
                raise CorpusError(f"{label}, line {number}: {error}", *error.hints) from None
        ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
        yield from limited(Block(b"".join(texts), ends, bytes_read), 4 * block_size)


class _BadRecordError(Exception):
    """Why a line is no record with a text, and what can be done if that is not said yet."""

    def __init__(self, problem: str, *hints: str) -> None:
        super().__init__(problem)
        self.hints = hints


def _record(line: bytes, field: str, replace_errors: bool) -> bytes:
    """Return the text of one record without white space around it, as UTF-8."""
    try:
        written = line.decode("utf-8")
        # What json.loads does, without the time it takes to look for white space.
        record, end = _read_json(written)
    except json.JSONDecodeError as error:
        raise _BadRecordError(
            f"this is no JSON ({error.msg} at column {error.colno}); "
            "JSON Lines has one whole record on each line"
        ) from None
    except RecursionError:
        raise _BadRecordError("this JSON is nested too deeply to be read") from None
    except ValueError as error:
        raise _BadRecordError(f"this JSON cannot be read ({error})") from None
    if end < len(written):
        raise _BadRecordError(f"there is more after the record, from column {end + 1} on")
    if not isinstance(record, dict):
        raise _BadRecordError(f'the record is no object like {{"{field}": "..."}}')
    if field not in record:
        raise _no_such_field(record, field)
    text = record[field]
    if not isinstance(text, str):
        raise _BadRecordError(f"the field {field!r} holds no text but {_kind(text)}")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        if replace_errors:
            return without_surrogates(text).encode("utf-8")
        raise _BadRecordError(HALF_A_PAIR, "correct it", Hint.REPLACE) from None


def _no_such_field(record: dict[str, object], field: str) -> _BadRecordError:
    if not record:
        return _BadRecordError(f"there is no field {field!r}, for the record is empty")
    names = ", ".join(repr(name) for name in list(record)[:5])
    more = ", ..." if len(record) > 5 else ""
    return _BadRecordError(
        f"there is no field {field!r}, but there is {names}{more}", Hint.NAME_FIELD
    )


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    kinds = {int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds[type(value)]


def limited(block: Block, size: int) -> Iterator[Block]:
    """Yield the same text in blocks of about that size, cut between characters."""
    text, ends = block.text, block.document_ends
    begin = 0
    while len(text) - begin > size:
        cut = begin + size
        while cut < len(text) and text[cut] & 0xC0 == 0x80:
            cut += 1
        first, last = np.searchsorted(ends, [begin, cut], side="right")
        first = first if begin else 0
        yield Block(text[begin:cut], ends[first:last] - begin, block.bytes_read)
        begin = cut
    if begin:
        ends = ends[np.searchsorted(ends, begin, side="right") :] - begin
        if begin == len(text):
            return
    yield Block(text[begin:], ends, block.bytes_read)


# -- Tables of word counts ----------------------------------------------------------------------

MAX_COUNT = 2**53
"""The largest count of one row: the largest whole number that spreadsheets keep exactly."""

MAX_TOTAL = 2**62
"""Bound on the bytes of all words and their ends, each as often as it is counted: a byte is a
word and its end at most, which are two symbols, and the sums of those are 64-bit."""

_MAX_LINE = 1 << 20
"""Characters of a line; a longer one is no list of words."""

_LINE_ENDING = re.compile(r"\r\n|\n|\r")

WORD_COUNTS_HEADER = ["word", "count"]


def read_word_counts(
    pieces: Iterable[Piece],
    label: str,
    *,
    tabs: bool,
    total: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Generator[tuple[str, int], None, int]:
    """Yield the rows of a table of word counts, in order. A word may come several times.

    Returns the sum that `MAX_TOTAL` bounds, with `total` as that of the tables before.

    Quotes are as in Python's csv module (a field with a separator, a quote or a line
    ending is in double quotes, a quote in it is doubled), also in tab-separated
    files. Blank lines are skipped. `progress` is called with `bytes_read` of each piece.

    Raises CorpusError with the file and the line for any row that is not a word and a
    whole number from 1 to `MAX_COUNT`, for a file without the header, and for too large a sum.
    """
    reader = csv.reader(
        _lines(pieces, label, progress), "excel-tab" if tabs else "excel", strict=True
    )
    rows = _rows(reader, label)
    separator = "\t" if tabs else ","
    header = next(rows, None)
    if header is None or [name.strip().lower() for name in header] != WORD_COUNTS_HEADER:
        between = " and, after a tab, " if tabs else ","
        raise CorpusError(
            f"{label} does not begin with the header {between.join(WORD_COUNTS_HEADER)}, as a "
            "table of word counts does; add it, or give a text the ending .txt"
        )
    for row in rows:
        word, count = _row(row, f"{label}, line {reader.line_num}", separator)
        total += count * (len(word.encode("utf-8")) + 1)
        if total > MAX_TOTAL:
            raise CorpusError(
                f"{label}, line {reader.line_num}: the counts add up to too much; divide them"
            )
        yield word, count
    return total


def _rows(reader: Reader, label: str) -> Iterator[list[str]]:
    """Yield the rows that are not blank."""
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
    """Return lines with their endings, as the csv module wants them."""
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


# -- Texts in memory ----------------------------------------------------------------------------


class Texts:
    """Texts of which each is a document; `count_corpus` reads them as it reads a `Corpus`.

    They may come from a generator, and are never held all at once: they are read once, but for
    those that are smaller than a block together. `size` is their UTF-8 in bytes if they are,
    else None.

    Raises TypeError for what is no str, CorpusError for half of a surrogate pair unless
    `replace_errors`, both also while they are read.

    >>> [block.text for block in Texts(["low", "lower"]).blocks()]
    [b'lowlower']
    """

    def __init__(self, texts: Iterable[str], *, replace_errors: bool = False) -> None:
        self._rest = _blocks(texts, replace_errors)
        self._first = next(self._rest)
        size = len(self._first.text)
        self.size = size if size < BLOCK_SIZE else None

    def blocks(
        self, waiting: Callable[[], None] | None = None
    ) -> Generator[Block, None, None]:
        """Yield the documents in order; see `Corpus.blocks`. Raises CorpusError if there is no
        text.
        """
        if not self._first.text:
            raise CorpusError("there is no text in the texts; give one that is not empty")
        yield from chain([self._first], self._rest)


def _blocks(texts: Iterable[str], replace_errors: bool) -> Iterator[Block]:
    """Yield one block at least; the first is smaller than `BLOCK_SIZE` only if there is no other.
    """
    held: list[bytes] = []
    size = done = 0
    for number, text in enumerate(texts, start=1):
        held.append(_encoded(text, number, replace_errors))
        size += len(held[-1])
        if size >= BLOCK_SIZE:
            done += size
            yield from limited(_joined(held, done), 4 * BLOCK_SIZE)
            held, size = [], 0
    yield _joined(held, done + size)


def _joined(texts: list[bytes], bytes_read: int) -> Block:
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return Block(b"".join(texts), ends, bytes_read)


def _encoded(text: str, number: int, replace_errors: bool) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"text {number:,} is not a str but {type(text).__name__}")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        if replace_errors:
            return without_surrogates(text).encode("utf-8")
        raise CorpusError(
            f"text {number:,}: {HALF_A_PAIR}", "correct it", Hint.REPLACE
        ) from None
