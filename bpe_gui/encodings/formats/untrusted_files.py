"""Reading of untrusted files, bounded in size, with errors that say what is wrong.

Every reader of a format uses it, so that no file costs more time or memory than a large vocabulary.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bpe_gui.bpe.compression import (
    MAGIC_SIZE,
    DamagedDataError,
    MissingLibraryError,
    compression_of,
)
from bpe_gui.bpe.errors import shown
from bpe_gui.encodings.base import EncodingError
from bpe_gui.files import reading

MAX_BYTES = 512 << 20
"""The largest file that is read: ten times the largest known vocabulary."""

MAX_TOKENS = 4_000_000
"""The largest vocabulary that is read; the largest known ones have some 300,000 tokens."""

MAX_ID = 2**31 - 1
"""The largest id: columns of ids are 32-bit."""


def read_bounded(path: str | Path, *, max_bytes: int | None = None) -> bytes:
    """Read a whole file, and unpack it if it is compressed with gzip, bzip2, xz or Zstandard.

    Raises EncodingError if it is larger than `max_bytes`, MAX_BYTES unless given, or if it cannot
    be unpacked; OSError.
    """
    max_bytes = MAX_BYTES if max_bytes is None else max_bytes
    data = b"".join(_parts(path, max_bytes + 1, max_bytes + 1))
    if len(data) > max_bytes:
        raise EncodingError(
            f"{path} is larger than {max_bytes >> 20} MB and so is not read as a vocabulary; "
            "choose another file"
        )
    return data


def read_beginning(path: str | Path, size: int) -> bytes:
    """Read the first bytes of a file, unpacked as far as that is possible. Raises OSError."""
    found = []
    try:
        for part in _parts(path, size, _SMALL):
            found.append(part)
    except EncodingError:
        pass  # reading all of it says what is wrong
    return b"".join(found)


def is_compressed(path: str | Path) -> bool:
    """Tell whether a file begins as compressed ones do. Raises OSError."""
    with reading(path) as file:
        return compression_of(file.read(MAGIC_SIZE)) is not None


_SMALL = 4096
"""Bytes that are unpacked at once of a file that may be damaged."""


def _parts(path: str | Path, size: int, part: int) -> Iterator[bytes]:
    """Read up to `size` bytes of the content of a file that may be compressed, part by part."""
    with reading(path) as file:
        head = file.read(MAGIC_SIZE)
        compression = compression_of(head)
        if compression is None:
            yield head[:size]
            yield file.read(max(size - len(head), 0))
            return
        file.seek(0)
        try:
            read = compression.open(file)
            while size > 0 and (unpacked := read(min(size, part))):
                size -= len(unpacked)
                yield unpacked
        except (DamagedDataError, EOFError) as error:
            reason = "it ends too early" if isinstance(error, EOFError) else str(error)
            raise EncodingError(
                f"{path} cannot be unpacked with {compression.name}: {reason}; get another copy"
            ) from None
        except MissingLibraryError as error:
            raise EncodingError(
                f"{path} is compressed with {compression.name}, which needs the library {error}; "
                "unpack it first"
            ) from None


def to_text(data: bytes, path: str | Path, what: str) -> str:
    r"""Decode UTF-8, without a byte-order mark.

    what: what the file should be, for the message. Raises EncodingError.

    >>> to_text(b"\xef\xbb\xbflow", "x.json", "a vocabulary")
    'low'
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{path} is not {what}: it is not UTF-8 text (invalid byte at offset {error.start})"
        ) from None


def to_number(text: str | bytes) -> int | None:
    """Parse a whole number in decimal digits, up to MAX_ID; None for anything else.

    >>> to_number("42"), to_number(b"007"), to_number("-1"), to_number("9" * 1000)
    (42, 7, None, None)
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        return None
    number = int(text)
    return number if number <= MAX_ID else None


def to_object(text: str, path: str | Path, what: str) -> dict[str, Any]:
    """Parse a JSON object, in which no object at any depth has a key twice.

    what: what the file should be, for the message. Raises EncodingError.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            key = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
            raise EncodingError(
                f"{path} has the key {shown(key)} twice, and it is unclear which of the two "
                "counts; remove one"
            )
        return found

    try:
        found = json.loads(text, object_pairs_hook=unique)
    except EncodingError:
        raise
    except (ValueError, RecursionError) as error:
        reason = str(error)
        if isinstance(error, RecursionError):
            reason = "it is nested too deeply"
        elif not isinstance(error, json.JSONDecodeError):  # Python bounds the digits of numbers
            reason = "it has a number of thousands of digits"
        raise EncodingError(f"{path} is not {what}: {reason}") from None
    if not isinstance(found, dict):
        raise EncodingError(f"{path} is not {what}: it does not hold a JSON object")
    return found


_PIECE = 1 << 22
"""Bytes that are looked at together: what is found in them takes up to eight times as much memory.
"""


def count_keys(data: bytes) -> int:
    r"""Count the keys of all objects in valid JSON, those that occur twice included.

    Nothing is made of what is read, which takes a fifth of the time of `to_object`.

    >>> count_keys(b'{"a": {"a:\\"b": 1, "a": ["x:y"]}, "a": 2}')
    4
    """
    # A backslash and what it stands before cannot end a text: a run of them is read from the left.
    data = data.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    found = quotes_before = 0
    for begin in range(0, len(data), _PIECE):
        piece = np.frombuffer(data, np.uint8, min(_PIECE, len(data) - begin), begin)
        quotes = np.flatnonzero(piece == ord('"'))
        before = np.searchsorted(quotes, np.flatnonzero(piece == ord(":"))) + quotes_before
        found += int(np.count_nonzero(before % 2 == 0))  # a colon outside of all texts
        quotes_before += len(quotes)
    return found


MAX_GROWTH = 1000
"""How many times as long the replacements of a file may make a text. Those in use make it some ten
times as long at most, but a few lines could fill all memory."""


def longest_replacement(charsmap: bytes) -> int:
    r"""Measure the longest text, in bytes, that a character map of SentencePiece puts for one.

    The map holds the size of a trie in 4 bytes, the trie, and the texts, each ended by a zero byte.

    >>> longest_replacement((2).to_bytes(4, "little") + b"..abc\0de\0")
    3
    """
    trie = int.from_bytes(charsmap[:4], "little")
    return max(map(len, charsmap[4 + trie :].split(b"\0")))
