"""Where documents end: at the end of a file, of a line, of a JSON Lines record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.sources.base import (
    BLOCK_SIZE,
    Block,
    CorpusError,
    Piece,
    Remedy,
    without_surrogates,
)

LONGEST_RECORD = 64_000_000
"""Bytes of a JSON Lines record, which must be held whole: a small gzip file may hold any number."""

_NEWLINE = 0x0A
_read_json = json.JSONDecoder().raw_decode


def _ends(*offsets: int) -> NDArray[np.int64]:
    return np.array(offsets, np.int64)


def whole_file(pieces: Iterable[Piece]) -> Iterator[Block]:
    """One document: all of the file. An empty file is an empty document."""
    for text, final, bytes_read in pieces:
        yield Block(text, _ends(len(text)) if final else _ends(), bytes_read)


def lines(pieces: Iterable[Piece]) -> Iterator[Block]:
    """A document for each line, without its ending: \\n, \\r\\n or \\r.

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
    """A document for each record of JSON Lines: the string in its field of that name.

    Records end at \\n; blank lines are skipped. A half surrogate pair, which JSON can
    spell, is an error or replaced by U+FFFD. A record is held whole, and one that is
    much longer than a block is given out in several; one of more than `LONGEST_RECORD`
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
        if length > LONGEST_RECORD:
            raise CorpusError(
                f"{label}, line {number + 1}: the record is longer than {LONGEST_RECORD:,} bytes; "
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
                raise CorpusError(f"{label}, line {number}: {error}", *error.remedies) from None
        ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
        yield from _limited(Block(b"".join(texts), ends, bytes_read), 4 * block_size)


class _BadRecordError(Exception):
    """Why a line is no record with a text, and what can be done if that is not said yet."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__(problem)
        self.remedies = remedies


def _record(line: bytes, field: str, replace_errors: bool) -> bytes:
    """The text of one record without white space around it, as UTF-8."""
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
        raise _BadRecordError(
            "the text holds half of a surrogate pair (as \\ud83d), which is no character",
            "correct it",
            Remedy.REPLACE,
        ) from None


def _no_such_field(record: dict[str, object], field: str) -> _BadRecordError:
    if not record:
        return _BadRecordError(f"there is no field {field!r}, for the record is empty")
    names = ", ".join(repr(name) for name in list(record)[:5])
    more = ", ..." if len(record) > 5 else ""
    return _BadRecordError(
        f"there is no field {field!r}, but there is {names}{more}", Remedy.NAME_FIELD
    )


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    kinds = {int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds[type(value)]


def _limited(block: Block, size: int) -> Iterator[Block]:
    """The same text in blocks of about that size, cut between characters."""
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
