"""Opening a file of a corpus and reading its bytes, unpacked if it is gzip."""

from __future__ import annotations

import gzip
import io
import os
import select
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

from bpe_gui.bpe.sources.base import BLOCK_SIZE, CorpusError, Piece
from bpe_gui.bpe.sources.listing import Place, cannot_read
from bpe_gui.bpe.sources.stamps import FileStamp

HEAD_SIZE = 8192
"""Bytes at the start of a file that tell text from other files."""

_PATIENCE = 0.05
"""Seconds to wait for something to read before asking whether to go on."""

_GZIP_MAGIC = b"\x1f\x8b\x08"


class _Stored:
    """The bytes of a file as they are stored, counted and summed up; one can look ahead."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._ahead = b""
        self._ended = False
        self.bytes_read = 0
        self.checksum = 0
        """CRC-32 of what was read; it takes a half of a millisecond for a megabyte."""

    def look_ahead(self, size: int) -> bytes:
        """The next bytes, fewer than `size` only at the end. They are read again later."""
        while len(self._ahead) < size and (more := self._next(size - len(self._ahead))):
            self._ahead += more
        return self._ahead

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes; none at the end only."""
        if self._ahead:
            taken, self._ahead = self._ahead[:size], self._ahead[size:]
        else:
            taken = self._next(size)
        self.bytes_read += len(taken)
        return taken

    def _next(self, size: int) -> bytes:
        """Not to be asked again after the end: a terminal would wait for a second one."""
        data = b"" if self._ended else self._read(size)
        self._ended = not data
        self.checksum = zlib.crc32(data, self.checksum)
        return data

    def seek(self, offset: int) -> int:
        """Not possible. GzipFile's interface has it, reading from start to end needs it not."""
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
        descriptor: int | None = None,
    ) -> None:
        """`label` is the path of a file with a `descriptor`."""
        self.label = label
        self._begun = None if descriptor is None else os.fstat(descriptor)
        self._block_size = block_size
        self._stored = _Stored(read)
        self._read: Callable[[int], bytes] = self._stored.read
        self.compressed = self._checked(self._stored.look_ahead, len(_GZIP_MAGIC)) == _GZIP_MAGIC
        if self.compressed:
            self._read = gzip.GzipFile(fileobj=self._stored, mode="rb").read
        self.head = self._read_head()

    @property
    def bytes_read(self) -> int:
        """Bytes taken from the file so far, as they are stored."""
        return self._stored.bytes_read

    def stamp(self) -> FileStamp | None:
        """What the file was, once all of it has been read; None for what is no regular file.

        Where it changed meanwhile, its time is that from before, and the rest is what was read.
        """
        if self._begun is None or not stat.S_ISREG(self._begun.st_mode):
            return None
        path, modified = os.path.abspath(self.label), self._begun.st_mtime_ns
        return FileStamp(path, self.bytes_read, modified, self._stored.checksum)

    def pieces(self, skip: int) -> Iterator[Piece]:
        """All bytes but the first `skip`, which lie in the head. Call it once.

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

    def _blocks(self, skip: int, size: int) -> Iterator[bytes]:
        for begin in range(skip, len(self.head), size):
            yield self.head[begin : begin + size]
        while data := self._checked(self._read, size):
            yield data

    def _read_head(self) -> bytes:
        """As much as one block, so that a small file is read and decoded at once."""
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
                f"{self.label} is cut short: its gzip data ends after {self.bytes_read} bytes "
                "without an end mark; get the file again"
            ) from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise CorpusError(
                f"{self.label} is damaged: its gzip data cannot be unpacked near byte "
                f"{self.bytes_read} ({error}); get the file again"
            ) from None
        except OSError as error:
            raise cannot_read(self.label, error) from None


@contextmanager
def open_file(
    place: Place, block_size: int = BLOCK_SIZE, waiting: Callable[[], None] | None = None
) -> Iterator[OpenedFile]:
    """Open a file, or standard input, for the time of a `with` block.

    Gzip is known by its content, whatever the name. Standard input is not closed.
    `waiting` is called some twenty times a second while a pipe or a terminal has nothing
    to read, or nobody who writes to it; what it raises ends the reading. Without it
    opening and reading take as long as they take.

    Raises CorpusError if it cannot be opened, or its first bytes cannot be read.
    """
    if place.path is None:
        yield OpenedFile(place.label, _standard_input(waiting), block_size)
        return
    opener = None if waiting is None else _open_at_once
    try:
        # Unbuffered: the blocks are large, and each is handed on as it was read.
        file = open(place.path, "rb", buffering=0, opener=opener)  # noqa: SIM115 - see below
    except OSError as error:
        raise cannot_read(place.label, error) from None
    with file:
        read = file.read if waiting is None else _patient(file.read, file.fileno(), waiting)
        yield OpenedFile(place.label, lambda size: read(size) or b"", block_size, file.fileno())


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
    """Reading that calls `waiting` again and again while there is nothing to read."""

    def read_when_ready(size: int) -> bytes:
        while True:
            while not select.select([descriptor], [], [], _PATIENCE)[0]:
                waiting()
            data = read(size)
            if data is not None:  # None: another reader of the pipe was faster
                return data

    return read_when_ready
