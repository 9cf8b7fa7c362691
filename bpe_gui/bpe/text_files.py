"""Files as text: which ones a corpus has, how they are opened, unpacked and decoded."""

from __future__ import annotations

import codecs
import errno
import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.compression import (
    MAGIC_SIZE,
    DamagedDataError,
    MissingLibraryError,
    compression_of,
)
from bpe_gui.bpe.likely_encodings import likely_encodings
from bpe_gui.bpe.remote_files import RemoteFile, Url, find_urls, size_of_url
from bpe_gui.progress import listed

# -- Documents and blocks -----------------------------------------------------------------------

BLOCK_SIZE = 1 << 18
"""Bytes read at once. Decoding that many holds up other threads for a millisecond or two."""


class Hint(StrEnum):
    """What a user can set so that a corpus can be read. The value says it in general words."""

    NAME_ENCODING = "name the encoding it is written in"
    REPLACE = "have what cannot be read replaced"
    NAME_FIELD = "name the one that holds the text"


class CorpusError(ValueError):
    """A corpus that cannot be read; the message is one sentence for the user.

    problem: what is wrong and where (file, line or byte offset); where no hints are
        given, also what to do.
    hints: what can be done about it, one of them is enough. The window has a menu for
        what the command line has an option for; each says so by `sentence`.
    encodings: those in which the file may be written, the most likely first.

    >>> str(CorpusError("it is no text", "correct it", Hint.REPLACE))
    'it is no text; correct it, or have what cannot be read replaced'
    >>> str(CorpusError("it is no text", Hint.NAME_ENCODING, encodings=("big5", "gb18030")))
    'it is no text; name the encoding it is written in (probably big5 or gb18030)'
    """

    def __init__(self, problem: str, *hints: str, encodings: Sequence[str] = ()) -> None:
        self.encodings = tuple(encodings)
        self._problem = problem
        self._hints = hints
        super().__init__(self.sentence({}))

    def sentence(self, words: Mapping[str, str], *, names_encodings: bool = True) -> str:
        """Write the message, with other words for the hints that are among the keys.

        A window that offers the likely encodings need not name them.
        """
        probably = listed(self.encodings, "or") if names_encodings else ""
        known = f" (probably {probably})" if probably else ""
        steps = [
            words.get(hint, hint) + (known if hint == Hint.NAME_ENCODING else "")
            for hint in self._hints
        ]
        return "; ".join([self._problem, ", or ".join(steps)]) if steps else self._problem

    def __reduce__(self) -> tuple[Callable[..., CorpusError], tuple[str, ...]]:
        return partial(type(self), encodings=self.encodings), (self._problem, *self._hints)


class CorpusOptions(Struct, frozen=True):
    """How the files of a corpus are to be understood. Validated when made.

    documents: whether a document is a "file" or a "line" of it. A line ends at \\n, \\r\\n
        or \\r and does not hold its ending. In JSON Lines each record is a document,
        whatever this says; word counts know no documents.
    encoding: a name that Python's codecs know. None: UTF-8, or UTF-16 (or UTF-32) if the
        file begins with its byte-order mark. Parquet and Arrow files are UTF-8 by definition.
    replace_errors: put U+FFFD for what cannot be decoded instead of raising CorpusError.
    json_field: the field of a JSON Lines record, or the column of a Parquet or Arrow file, that
        holds the text.

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
        raise CorpusError(f"{name!r} is not an encoding of text; name another one") from None


class Block(Struct, frozen=True, eq=False):
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
    """Return the text with U+FFFD for each lone surrogate, so that it can be encoded."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


# -- Which files --------------------------------------------------------------------------------

STANDARD_INPUT = "-"
"""The name that stands for standard input."""


class Place(Struct, frozen=True):
    """One file to read, or standard input."""

    path: Path | Url | None
    """None is standard input."""
    in_folder: bool = False
    """Whether it was found in a folder and not named by the user."""

    @property
    def label(self) -> str:
        """Name it as messages do."""
        return "standard input" if self.path is None else str(self.path)


class FolderRules(Struct, frozen=True):
    """Which entries of a folder belong to a corpus, besides the usual rules."""

    suffix: str = ""
    """Only files whose name ends so."""
    skipped_folders: frozenset[str] = frozenset()
    """Names of folders that are left out with all that is in them."""
    skip_undecodable: bool = False
    """Leave out, instead of complaining about, files that are not UTF-8."""


def cannot_read(what: str, error: OSError | ValueError) -> CorpusError:
    """Return the error for what the operating system does not let us read: why, and what to do.

    Raise it from the error of the operating system, which gets the name if it has none.
    """
    from socket import gaierror  # here, because every start would wait for it

    reason = str(error) or type(error).__name__
    hint = "name another"
    if isinstance(error, OSError):
        error.filename = error.filename or what
        reason = error.strerror or reason
        if isinstance(error, PermissionError):
            hint = "get permission to read it, or name another"
        elif error.errno == errno.EIO:
            hint = "check its disk or connection, or name another"
        elif isinstance(error.__cause__, gaierror):
            hint = "check its address and the network connection, or name another"
        elif isinstance(error.__cause__, ImportError):
            by = " by pip install 'bpe-gui[cluster]'" if error.__cause__.name == "fsspec" else ""
            hint = f"install it{by}"
    return CorpusError(f"cannot read {what}: {reason[:1].lower()}{reason[1:]}; {hint}")


def is_folder(path: Path | Url) -> bool:
    """Tell whether it is a folder here, or a link to one. False if there is nothing."""
    return isinstance(path, Path) and os.path.isdir(path)


def find_files(path: Path | Url, rules: FolderRules) -> Iterator[Place]:
    """Yield the file itself, or the regular files of a folder and of the folders in it.

    Sorted by name, folders among files. Hidden entries (.name) are left out. Links are
    followed, but no folder is entered twice, so links that go round in circles do no
    harm; links to nothing are left out. A URL may have a `*` for any name.

    Raises CorpusError for a missing path and for a folder that cannot be listed.
    """
    if isinstance(path, Url):
        with _naming(path):
            urls, in_folder = find_urls(path)
        yield from (Place(url, in_folder) for url in urls)
        return
    status = _status(path)
    if not stat.S_ISDIR(status.st_mode):
        yield Place(path)
        return
    entered: set[tuple[int, int]] = set()
    waiting = [path]
    while waiting:
        path = waiting.pop()
        found = _status_in_folder(path)
        if found is None:
            continue
        if stat.S_ISDIR(found.st_mode):
            identity = (found.st_dev, found.st_ino)
            if identity not in entered:
                entered.add(identity)
                waiting.extend(_entries(path, rules))
        elif stat.S_ISREG(found.st_mode) and path.name.endswith(rules.suffix):
            yield Place(path, in_folder=True)


def file_size(place: Place) -> int | None:
    """Count the bytes of a file as it is stored; None for what has no size, as a pipe."""
    if place.path is None:
        return None
    if isinstance(place.path, Url):
        with _naming(place.path):
            return size_of_url(place.path)
    status = _status(place.path)
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _status(path: Path) -> os.stat_result:
    with _naming(path):
        return path.stat()


@contextmanager
def _naming(path: Path | Url) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise CorpusError(f"there is no file or folder {path}; check the name") from error
    except (OSError, ValueError) as error:
        raise cannot_read(str(path), error) from error


def _status_in_folder(path: Path) -> os.stat_result | None:
    """Do as `_status`, but None for a link to nothing or to itself."""
    try:
        return path.stat()
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ELOOP) and path.is_symlink():
            return None
        raise cannot_read(str(path), error) from error  # also if it has gone since it was listed


def _entries(folder: Path, rules: FolderRules) -> list[Path]:
    """Tell what is to be looked at in a folder, in reverse order: the last is taken first."""
    try:
        names = os.listdir(folder)
    except OSError as error:
        raise cannot_read(f"the folder {folder}", error) from error
    return [
        folder / name
        for name in sorted(names, reverse=True)
        if not name.startswith(".") and name not in rules.skipped_folders
    ]


# -- Opening and unpacking ----------------------------------------------------------------------

HEAD_SIZE = 8192
"""Bytes at the start of a file that tell text from other files."""

_PATIENCE = 0.05
"""Seconds to wait for something to read before asking whether to go on."""


class _Stored:
    """The bytes of a file as they are stored, counted; one can look ahead."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._ahead = b""
        self._ended = False
        self.bytes_read = 0

    def look_ahead(self, size: int) -> bytes:
        """Find the next bytes, fewer than `size` only at the end. They are read again later."""
        while len(self._ahead) < size and (more := self._next(size - len(self._ahead))):
            self._ahead += more
        return self._ahead

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes; none at the end only."""
        if self._ahead:
            taken, self._ahead = self._ahead[:size], self._ahead[size:]
        else:
            taken = self._next(size)
        self.bytes_read += len(taken)
        return taken

    def _next(self, size: int) -> bytes:
        """Read on, but never again after the end: a terminal would wait for a second one."""
        data = b"" if self._ended else self._read(size)
        self._ended = not data
        return data

    def seek(self, offset: int) -> int:
        """Refuse: readers of compressed files ask for it, reading from start to end does not."""
        raise io.UnsupportedOperation(f"cannot go to {offset}")


class OpenedFile:
    """An open file of a corpus. Make it with `open_file`.

    `head` holds the first bytes, at least HEAD_SIZE of them if there are as many.
    """

    def __init__(
        self,
        label: str,
        read: Callable[[int], bytes],
        block_size: int,
        file: io.RawIOBase | None = None,
    ) -> None:
        """Take a `label`, which is the path or URL of a `file` if it has one."""
        self.label = label
        self._file = file
        self._begun = os.fstat(file.fileno()) if isinstance(file, io.FileIO) else None
        self._block_size = block_size
        self._stored = _Stored(read)
        self._read: Callable[[int], bytes] = self._stored.read
        self.compression = compression_of(self._checked(self._stored.look_ahead, MAGIC_SIZE))
        if self.compression is not None:
            try:
                self._read = self.compression.open(self._stored)
            except MissingLibraryError as error:
                raise CorpusError(
                    f"{label} is compressed with {self.compression.name}, and the library is "
                    f"missing that unpacks it; install {error}, for example by "
                    "pip install 'bpe-gui[data]'"
                ) from None
        self.head = self._read_head()

    @property
    def _data(self) -> str:
        """What messages call what is in the file."""
        return f"{self.compression.name} data" if self.compression is not None else "data"

    @property
    def bytes_read(self) -> int:
        """Count the bytes taken from the file so far, as they are stored."""
        return self._stored.bytes_read

    def count_as_read(self) -> None:
        """Count all bytes of the file as read: a library reads them by its path."""
        if self._begun is not None:
            self._stored.bytes_read = self._begun.st_size

    def pieces(self, skip: int) -> Iterator[Piece]:
        """Yield all bytes but the first `skip`, which lie in the head. Call it once.

        There is always at least one piece, and the last one is marked as final.
        Raises CorpusError for a read error and for damaged gzip data.
        """
        size = self._block_size
        last, last_read = b"", self.bytes_read
        for data in self._blocks(skip, size):
            if last:
                yield Piece(last, False, last_read)
            last, last_read = data, self.bytes_read
        yield Piece(last, True, self.bytes_read)

    def read_at(self, offset: int, size: int) -> bytes:
        """Read bytes from anywhere in a file, as it is stored. Call nothing else afterwards.

        Raises CorpusError if there are fewer.
        """
        assert self._file is not None, "standard input is read from start to end"
        parts: list[bytes] = []
        try:
            self._file.seek(offset)
            while size and (data := self._file.read(size)):
                parts.append(data)
                size -= len(data)
        except OSError as error:
            raise cannot_read(self.label, error) from error
        if size:
            raise CorpusError(f"{self.label} has been shortened meanwhile; read it again")
        return b"".join(parts)

    def pieces_between(self, begin: int, end: int) -> Iterator[Piece]:
        """Yield the bytes of a file from `begin` to `end`, as `pieces` does, but no empty piece."""
        for offset in range(begin, end, self._block_size):
            data = self.read_at(offset, min(self._block_size, end - offset))
            yield Piece(data, offset + len(data) == end, offset + len(data))

    def _blocks(self, skip: int, size: int) -> Iterator[bytes]:
        for begin in range(skip, len(self.head), size):
            yield self.head[begin : begin + size]
        while data := self._checked(self._read, size):
            yield data

    def _read_head(self) -> bytes:
        """Read as much as one block, so that a small file is read and decoded at once."""
        wanted = max(HEAD_SIZE, self._block_size)
        parts: list[bytes] = []
        while wanted > 0 and (data := self._checked(self._read, wanted)):
            parts.append(data)
            wanted -= len(data)
        return b"".join(parts)

    def _checked(self, read: Callable[[int], bytes], size: int) -> bytes:
        """Read, and say in a sentence what went wrong."""
        try:
            return read(size)
        except EOFError:
            raise CorpusError(
                f"{self.label} is truncated: its {self._data} ends after {self.bytes_read} bytes "
                "without an end mark; get the file again"
            ) from None
        except DamagedDataError as error:
            raise CorpusError(
                f"{self.label} is damaged: its {self._data} cannot be unpacked near byte "
                f"{self.bytes_read} ({error}); get the file again"
            ) from None
        except OSError as error:
            raise cannot_read(self.label, error) from error


@contextmanager
def open_file(
    place: Place,
    block_size: int = BLOCK_SIZE,
    waiting: Callable[[], None] | None = None,
    *,
    streams: bool = True,
) -> Iterator[OpenedFile]:
    """Open a file, or standard input, for the time of a `with` block.

    How it is compressed is known by its content, whatever the name. Standard input is not closed.
    A URL that `streams` cannot be read at any place, by `OpenedFile.read_at`.
    `waiting` is called some twenty times a second while a pipe or a terminal has nothing
    to read, or nobody who writes to it; what it raises ends the reading. Without it, on Windows
    and of a URL, opening and reading take as long as they take.

    Raises CorpusError if it cannot be opened, or its first bytes cannot be read.
    """
    if not hasattr(os, "O_NONBLOCK"):
        waiting = None  # Windows can wait for sockets only.
    if place.path is None:
        yield OpenedFile(place.label, _standard_input(waiting), block_size)
        return
    file: io.RawIOBase
    try:
        if isinstance(place.path, Url):
            waiting = None
            file = RemoteFile(place.path, streams=streams)
        else:
            opener = None if waiting is None else _open_at_once
            # Unbuffered: the blocks are large, and each is handed on as it was read.
            file = open(place.path, "rb", buffering=0, opener=opener)  # noqa: SIM115 - see below
    except OSError as error:
        raise cannot_read(place.label, error) from error
    with file:
        read = file.read if waiting is None else _patient(file.read, file.fileno(), waiting)
        yield OpenedFile(place.label, lambda size: read(size) or b"", block_size, file)


def _standard_input(waiting: Callable[[], None] | None) -> Callable[[int], bytes]:
    if sys.stdin is None:
        raise CorpusError("there is no standard input to read; name a file instead")
    # As much as there is, up to the size: what comes through a pipe is handed on at once,
    # and nothing is kept in a buffer, where nobody would see that it can be read.
    read = cast(io.BufferedReader, sys.stdin.buffer).read1
    if waiting is None:
        return read
    try:
        descriptor = sys.stdin.fileno()
    except OSError:  # it was replaced by something that is no file, and never waits
        return read
    return _patient(read, descriptor, waiting)


def _open_at_once(path: str, flags: int) -> int:
    """Open, without waiting for anybody to write if it is a named pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def _patient(
    read: Callable[[int], bytes | None], descriptor: int, waiting: Callable[[], None]
) -> Callable[[int], bytes]:
    """Wrap reading so that it calls `waiting` while there is nothing to read."""

    def read_when_ready(size: int) -> bytes:
        while True:
            while not select.select([descriptor], [], [], _PATIENCE)[0]:
                waiting()
            data = read(size)
            if data is not None:  # None: another reader of the pipe was faster
                return data

    return read_when_ready


# -- Decoding -----------------------------------------------------------------------------------

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Before UTF-16, for its mark is the start of this one.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks and the encodings that they stand for."""

PART = 1 << 16
"""Bytes decoded in one call: some encodings are slow, and other threads wait meanwhile."""


class FileEncoding(Struct, frozen=True):
    """What a file is written in, found by its first bytes."""

    name: str
    """As Python's codecs call it."""
    mark_size: int
    """Bytes of the byte-order mark at the start, which is no text."""


def find_encoding(head: bytes, named: str | None) -> FileEncoding:
    """Return the encoding of a file with that start, given what the user named (None: nothing).

    A named encoding is believed, but a mark of its own at the start is dropped; "utf-16"
    and "utf-32" take their byte order from the mark and cannot do without.
    """
    wanted = None if named is None else codecs.lookup(named).name.removesuffix("-sig")
    for mark, name in _MARKS:
        fits = wanted is None or name == wanted or name.startswith(f"{wanted}-")
        if fits and head.startswith(mark):
            return FileEncoding(name, len(mark))
    return FileEncoding(wanted or "utf-8", 0)


def is_binary(head: bytes, encoding: FileEncoding) -> bool:
    """Tell whether a file with that start is no text: it holds a NUL early on.

    Encodings that write ASCII text with NUL bytes, as UTF-16 does, are not asked.
    """
    has_zeros = "a".encode(encoding.name) != b"a"
    return not has_zeros and b"\0" in head[:HEAD_SIZE]


def is_beyond_ascii_utf8(head: bytes) -> bool:
    """Tell whether the beginning of a file is UTF-8 with characters outside ASCII.

    Text in another encoding is so by chance only.

    >>> is_beyond_ascii_utf8("niño".encode()), is_beyond_ascii_utf8("niño".encode("latin-1"))
    (True, False)
    """
    if head.isascii():
        return False
    try:
        text, _ = codecs.utf_8_decode(head, "strict", False)
    except UnicodeDecodeError:
        return False
    return not text.isascii()


def decode(
    opened: OpenedFile,
    encoding: FileEncoding,
    options: CorpusOptions,
    between: tuple[int, int] | None = None,
    *,
    guesses: bool = True,
) -> Iterator[Piece]:
    """Yield the content of a file as UTF-8, cut between characters; the mark is left out.

    `between` are the bytes from which to which a file is read that is UTF-8 and not compressed.

    Raises CorpusError with the offset for bytes that do not decode, or puts U+FFFD for
    them if the options say so. The error names likely encodings if it `guesses`.
    """
    decoder: _Decoder
    if encoding.name in ("utf-16", "utf-32") and not encoding.mark_size and opened.head:
        raise CorpusError(
            f"{opened.label} cannot be read as {encoding.name}: it does not begin with a "
            f"byte-order mark; name {encoding.name}-le or {encoding.name}-be instead"
        )
    if encoding.name == "utf-8":
        decoder = _Utf8(between[0] if between else encoding.mark_size, options.replace_errors)
    else:
        decoder = _Other(encoding, options.replace_errors)
    begin = encoding.mark_size if between is None else between[0]
    for piece in opened.pieces(begin) if between is None else opened.pieces_between(*between):
        try:
            text = decoder.decode(piece.data, piece.final)
        except _BadBytesError as error:
            where = " of the unpacked text" if opened.compression is not None else ""
            place, tried = error.offset - begin, encoding.name
            raise CorpusError(
                f"{opened.label} cannot be read as {encoding.name}: {error} byte offset "
                f"{error.offset}{where}",
                Hint.NAME_ENCODING,
                Hint.REPLACE,
                encodings=(
                    likely_encodings(piece.data, place, tried)
                    if guesses and error.is_foreign
                    else ()
                ),
            ) from None
        begin += len(piece.data)
        yield Piece(text, piece.final, piece.bytes_read)


class _BadBytesError(Exception):
    """What is wrong with the bytes of a file, and where.

    is_foreign: whether they may be text in another encoding.
    """

    def __init__(self, what: str, offset: int, *, is_foreign: bool = False) -> None:
        super().__init__(what)
        self.offset = offset
        self.is_foreign = is_foreign


def _bad_bytes(error: UnicodeDecodeError, begin: int) -> _BadBytesError:
    """Describe an error in data that begins at a known offset."""
    reasons = ("unexpected end", "truncated", "incomplete")
    cut_short = error.end >= len(error.object) and any(word in error.reason for word in reasons)
    if cut_short:
        what = "it ends in the middle of a character, at"
    else:
        wrong = error.object[error.start : max(error.end, error.start + 1)]
        written = " ".join(f"0x{byte:02X}" for byte in wrong[:4])
        what = f"there is no character for {written} at"
    return _BadBytesError(what, begin + error.start, is_foreign=not cut_short)


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

    def __init__(self, encoding: FileEncoding, replace: bool) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding.name)(
            "replace" if replace else "strict"
        )
        self._replace = replace
        self._offset = encoding.mark_size
        """Where the next data begins."""

    def decode(self, data: bytes, final: bool) -> bytes:
        last = max(0, len(data) - 1) // PART * PART
        parts = [self._part(data[begin : begin + PART], False) for begin in range(0, last, PART)]
        return b"".join([*parts, self._part(data[last:], final)])

    def _part(self, data: bytes, final: bool) -> bytes:
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as error:
            # What the decoder had kept of earlier data is before this data.
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


# -- The beginning of a file --------------------------------------------------------------------


def read_beginning(
    path: str | Path, max_size: int, options: CorpusOptions | None = None
) -> tuple[str, bool]:
    """Read the first characters of a file, up to `max_size` bytes of UTF-8; tell if that is all.

    Gzip is unpacked, and a byte-order mark says the encoding unless the options name one; line
    ends stay as they are. What follows is not read, and may be damaged. Raises CorpusError for
    what is no file, cannot be read or does not decode.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise CorpusError(f"{path} is no file that can be shown; save its text to a file first")
    options = options or CorpusOptions()
    parts: list[bytes] = []
    size = 0
    with open_file(Place(path)) as opened:
        for piece in decode(opened, find_encoding(opened.head, options.encoding), options):
            parts.append(piece.data)
            size += len(piece.data)
            if size > max_size:
                break
    data = b"".join(parts)
    # Only a character that the limit cuts apart is left out: what was decoded is valid.
    return data[:max_size].decode("utf-8", "ignore"), len(data) <= max_size
