"""From the bytes of a file, in any encoding, to valid UTF-8, piece by piece."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from bpe_gui.bpe.sources.base import (
    CorpusError,
    CorpusOptions,
    Piece,
    Remedy,
    without_surrogates,
)
from bpe_gui.bpe.sources.reading import HEAD_SIZE, OpenedFile

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16, for its mark is the start of this one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks and the encodings that they stand for."""

_PART = 1 << 16
"""Bytes decoded in one call: some encodings are slow, and other threads wait meanwhile."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """What a file is written in, found by its first bytes."""

    name: str
    """As Python's codecs call it."""
    mark_size: int
    """Bytes of the byte-order mark at the start, which is no text."""


def find_encoding(head: bytes, named: str | None) -> Encoding:
    """The encoding of a file with that start, given what the user named (None: nothing).

    A named encoding is believed, but a mark of its own at the start is dropped; "utf-16"
    and "utf-32" take their byte order from the mark and cannot do without.
    """
    wanted = None if named is None else codecs.lookup(named).name.removesuffix("-sig")
    for mark, name in _MARKS:
        fits = wanted is None or name == wanted or name.startswith(f"{wanted}-")
        if fits and head.startswith(mark):
            return Encoding(name, len(mark))
    return Encoding(wanted or "utf-8", 0)


def is_binary(head: bytes, encoding: Encoding) -> bool:
    """Whether a file with that start is no text: it holds a NUL early on.

    Encodings that write ASCII text with NUL bytes, as UTF-16 does, are not asked.
    """
    has_zeros = "a".encode(encoding.name) != b"a"
    return not has_zeros and b"\0" in head[:HEAD_SIZE]


def decode(opened: OpenedFile, encoding: Encoding, options: CorpusOptions) -> Iterator[Piece]:
    """The content of a file as UTF-8, cut between characters; the mark is left out.

    Raises CorpusError with the offset for bytes that do not decode, or puts U+FFFD for
    them if the options say so.
    """
    decoder: _Decoder
    if encoding.name in ("utf-16", "utf-32") and not encoding.mark_size and opened.head:
        raise CorpusError(
            f"{opened.label} cannot be read as {encoding.name}: it does not begin with a "
            f"byte-order mark; name {encoding.name}-le or {encoding.name}-be instead"
        )
    if encoding.name == "utf-8":
        decoder = _Utf8(encoding.mark_size, options.replace_errors)
    else:
        decoder = _Other(encoding, options.replace_errors)
    for piece in opened.pieces(encoding.mark_size):
        try:
            text = decoder.decode(piece.data, piece.final)
        except _BadBytesError as error:
            where = " of the unpacked text" if opened.compressed else ""
            raise CorpusError(
                f"{opened.label} cannot be read as {encoding.name}: {error} byte offset "
                f"{error.offset}{where}",
                Remedy.NAME_ENCODING,
                Remedy.REPLACE,
            ) from None
        yield Piece(text, piece.final, piece.bytes_read)


class _BadBytesError(Exception):
    """What is wrong with the bytes of a file, and where."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what)
        self.offset = offset


def _bad_bytes(error: UnicodeDecodeError, begin: int) -> _BadBytesError:
    """Describe an error in data that begins at a known offset."""
    cut_short = any(word in error.reason for word in ("unexpected end", "truncated", "incomplete"))
    if cut_short and error.end >= len(error.object):
        what = "it ends in the middle of a character, at"
    else:
        wrong = error.object[error.start : max(error.end, error.start + 1)]
        written = " ".join(f"0x{byte:02X}" for byte in wrong[:4])
        what = f"there is no character for {written} at"
    return _BadBytesError(what, begin + error.start)


class _Decoder(Protocol):
    def decode(self, data: bytes, final: bool) -> bytes: ...


class _Utf8:
    """Checks UTF-8 and hands the bytes on as they are."""

    def __init__(self, offset: int, replace: bool) -> None:
        self._offset = offset
        self._errors = "replace" if replace else "strict"
        self._rest = b""
        """The start of a character that goes on in the next piece."""

    def decode(self, data: bytes, final: bool) -> bytes:
        if self._rest:
            data = self._rest + data
        if data.isascii():
            self._rest = b""
            self._offset += len(data)
            return data
        try:
            text, taken = codecs.utf_8_decode(data, self._errors, final)
        except UnicodeDecodeError as error:
            raise _bad_bytes(error, self._offset) from None
        self._offset += taken
        self._rest = data[taken:]
        if self._errors == "replace":
            return text.encode("utf-8")
        return data[:taken] if self._rest else data


class _Other:
    """Decodes any encoding that Python knows, and writes it as UTF-8."""

    def __init__(self, encoding: Encoding, replace: bool) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding.name)(
            "replace" if replace else "strict"
        )
        self._replace = replace
        self._offset = encoding.mark_size
        """Where the next data begins."""

    def decode(self, data: bytes, final: bool) -> bytes:
        last = max(0, len(data) - 1) // _PART * _PART
        parts = [self._part(data[begin : begin + _PART], False) for begin in range(0, last, _PART)]
        return b"".join([*parts, self._part(data[last:], final)])

    def _part(self, data: bytes, final: bool) -> bytes:
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as error:
            # What the decoder had kept of earlier data stands before this data.
            kept = len(error.object) - len(data)
            raise _bad_bytes(error, self._offset - kept) from None
        except UnicodeError as error:
            raise _BadBytesError(f"{error}, from", self._offset) from None
        self._offset += len(data)
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError:
            # Some codecs (utf-7, unicode_escape) can spell half a surrogate pair.
            if self._replace:
                return without_surrogates(text).encode("utf-8")
            raise _BadBytesError("it spells half a surrogate pair before", self._offset) from None
