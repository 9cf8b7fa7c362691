"""Reading files from outside: bounded in size, with sentences that say what is wrong.

Every reader of a format begins here, so that no file, whatever it says, costs more time or
memory than a large vocabulary does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bpe_gui.bpe.errors import as_written
from bpe_gui.encodings.base import EncodingError
from bpe_gui.files import reading

MAX_BYTES = 512 << 20
"""The largest file that is read: no vocabulary known is a tenth of it."""

MAX_TOKENS = 4_000_000
"""The largest vocabulary that is read; the largest known ones have some 300,000 tokens."""

MAX_ID = 2**31 - 1
"""The largest id: columns of ids are 32-bit."""


def read_bounded(path: str | Path) -> bytes:
    """All of a file. Raises EncodingError if it is too large to be a vocabulary; OSError."""
    with reading(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise EncodingError(
            f"{path} is larger than {MAX_BYTES >> 20} MB and so is not read as a vocabulary; "
            "choose another file"
        )
    return data


def to_text(data: bytes, path: str | Path, what: str) -> str:
    """UTF-8 text, a byte-order mark left out. Raises EncodingError saying what it should be."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{path} is not {what}: it is not UTF-8 text, for the byte at offset {error.start} "
            "does not belong there"
        ) from None


def to_number(text: str | bytes) -> int | None:
    """A whole number in decimal digits up to MAX_ID; None for anything else.

    >>> to_number("42"), to_number(b"007"), to_number("-1"), to_number("9" * 1000)
    (42, 7, None, None)
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        return None
    number = int(text)
    return number if number <= MAX_ID else None


def to_object(text: str, path: str | Path, what: str) -> dict[str, Any]:
    """A JSON object, in which no key stands twice at any depth. Raises EncodingError."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise EncodingError(
                    f"{path} has the key {shown(key)} twice, so that nobody can say which of the "
                    "two counts; remove one"
                )
            found[key] = value
        return found

    try:
        found = json.loads(text, object_pairs_hook=unique)
    except EncodingError:
        raise
    except (ValueError, RecursionError) as error:
        reason = str(error)
        if isinstance(error, RecursionError):
            reason = "it is nested too deeply"
        elif not isinstance(error, json.JSONDecodeError):  # Python's own bound
            reason = "it has a number of thousands of digits"
        raise EncodingError(f"{path} is not {what}: {reason}") from None
    if not isinstance(found, dict):
        raise EncodingError(f"{path} is not {what}: it does not hold a JSON object")
    return found


MAX_GROWTH = 1000
"""How many times as long a text may become by the replacements that a file asks for. Those in
use make it some ten times as long at most; a few lines could as well fill all memory."""


def longest_replacement(charsmap: bytes) -> int:
    """Bytes of the longest text that a precompiled map of SentencePiece puts for a character.

    It holds the size of a trie in 4 bytes, the trie, and the texts, each up to a zero byte.
    """
    trie = int.from_bytes(charsmap[:4], "little")
    return max(map(len, charsmap[4 + trie :].split(b"\0")))


def shown(text: str | bytes) -> str:
    r"""Quote something from a file as it is written, cut short for a sentence.

    >>> print(shown("a\nb"), shown(b"x" * 100), shown("\0" * 100))
    'a\nb' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' '\x00\x00\x00\x00...'
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    # Characters that cannot be seen are written as escapes, four times as long.
    most = 40 if any(map(str.isprintable, text[:4])) else 4
    return as_written(text if len(text) <= most else text[:most] + "...")
