"""What all parts of reading a corpus share: the error, the options, the block."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK_SIZE = 1 << 18
"""Bytes read at once. Decoding that many holds up other threads for a millisecond or two."""


class Remedy(StrEnum):
    """What a user can set so that a corpus can be read. The value says it in general words."""

    NAME_ENCODING = "name the encoding it is written in"
    REPLACE = "have what cannot be read replaced"
    NAME_FIELD = "name the field that holds the text"


class CorpusError(ValueError):
    """A corpus that cannot be read; the message is one sentence for the user.

    problem: what is wrong and where (file, line or byte offset); where no remedies are
        given, also what to do.
    remedies: what can be done about it, one of them is enough. The window has a menu for
        what the command line has an option for; each says so by `sentence`.

    >>> str(CorpusError("it is no text", "correct it", Remedy.REPLACE))
    'it is no text; correct it, or have what cannot be read replaced'
    """

    def __init__(self, problem: str, *remedies: str) -> None:
        self._problem = problem
        self._remedies = remedies
        super().__init__(self.sentence({}))

    def sentence(self, words: Mapping[str, str]) -> str:
        """The message, with other words for the remedies that are among the keys."""
        steps = [words.get(remedy, remedy) for remedy in self._remedies]
        return "; ".join([self._problem, ", or ".join(steps)]) if steps else self._problem


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """How the files of a corpus are to be understood. Validated when made.

    documents: whether a document is a "file" or a "line" of it. A line ends at \\n, \\r\\n
        or \\r and does not hold its ending. In JSON Lines each record is a document,
        whatever this says; word counts know no documents.
    encoding: a name that Python's codecs know. None: UTF-8, or UTF-16 (or UTF-32) if the
        file begins with its byte-order mark.
    replace_errors: put U+FFFD for what cannot be decoded instead of raising CorpusError.
    json_field: the field of a JSON Lines record that holds the text.

    Raises CorpusError for an encoding that does not exist or holds no text.
    """

    documents: Literal["file", "line"] = "file"
    encoding: str | None = None
    replace_errors: bool = False
    json_field: str = "text"

    def __post_init__(self) -> None:
        if self.documents not in ("file", "line"):
            raise CorpusError(f"a document is a file or a line, not {self.documents!r}")
        if self.encoding is not None:
            _check_encoding(self.encoding)


def _check_encoding(name: str) -> None:
    try:
        codecs.lookup(name)
    except (LookupError, ValueError):
        raise CorpusError(
            f"unknown encoding {name!r}; known ones are for example utf-8, utf-16, latin-1, "
            "cp1252, shift_jis and gb18030"
        ) from None
    try:
        # Codecs that turn bytes into bytes or text into text (hex, rot13) refuse this.
        "".encode(name)
        codecs.getincrementaldecoder(name)
    except (LookupError, ValueError):
        raise CorpusError(f"{name!r} is no encoding of text files; name another one") from None


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A piece of a corpus: one or several documents, or a part of one.

    text: valid UTF-8. In UTF-8 files the bytes of the file unchanged, but for a
        byte-order mark at the start and, if documents are lines, the line endings.
    document_ends: ascending byte offsets into `text` at which a document ends; an offset
        that comes twice is the end of an empty document. The text after the last of them
        goes on in the next block. No document goes on from one file to the next.
    bytes_read: bytes of the sources read so far, as they are stored: of a gzip file the
        compressed ones.
    """

    text: bytes
    document_ends: NDArray[np.int64]
    bytes_read: int


class Piece(NamedTuple):
    """Some bytes of one file, in order. The last piece of a file, and only that, is final."""

    data: bytes
    final: bool
    bytes_read: int
    """Bytes of the file, as it is stored, read up to the end of this piece."""


def without_surrogates(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, so that it can be encoded."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
