"""The zip file that holds a session: written in memory, and read with suspicion.

Nothing is ever unpacked to a file. Before anything is decompressed the list of entries is looked
through: how many there are, what they are called, and how large they say they are; an entry that
says one thing and holds another is refused while it is read.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping

from bpe_gui.sessions.limits import MAX_UNPACKED, UNPACKED_AT_LEAST, UNPACKED_RATIO
from bpe_gui.sessions.session import SessionError

_LEVEL = 1
"""Of compression: the next ones take twice the time for a few hundredths of the size."""

_PART = 1 << 20
"""Bytes that are unpacked at once."""

_MOST_ENTRIES = 3_000
_LONGEST_DIRECTORY = 1 << 20
"""Bytes of the list of entries."""

_ENTRY = re.compile(r"[a-z_]+\.(?:json|txt)|[a-z]+(?:/[0-9]{1,3})?/[a-z_]+\.npy")

_END = struct.Struct("<4s4H2LH")
"""The record at the end of a zip file."""

_LOCATOR, _LOCATOR_SIZE = b"PK\x06\x07", 20
"""Of the larger kind of zip files, which a session never is."""

_ENCRYPTED = 0x1

_DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, EOFError, struct.error, OSError),
    *(RuntimeError, ValueError, KeyError, IndexError, OverflowError),
)
"""What the library raises for files that are not as they should be, or that it cannot read."""


def pack(entries: Iterable[tuple[str, Iterable[bytes | memoryview]]]) -> bytes:
    """A zip file with these entries: their names and what they hold, in parts.

    Other threads go on meanwhile: of large parts nothing is copied, and they are packed without
    the interpreter.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as file:
        for name, parts in entries:
            # Of no date: the same session makes the same file.
            with file.open(name, "w") as written:
                for part in parts:
                    written.write(part)
    return packed.getvalue()


class Archive:
    """The entries of a zip file that was read whole. Raises SessionError if it is none.

    sizes: how many bytes each entry has, unpacked, by its name. checksums: those numbers with
        what must come out when these bytes are summed up.
    """

    def __init__(self, data: bytes) -> None:
        _check_end(data)
        try:
            self._file = zipfile.ZipFile(io.BytesIO(data))
            entries = self._file.infolist()
        except _DAMAGES:
            raise SessionError("its list of contents is damaged") from None
        _check_entries(entries, len(data))
        self.sizes: Mapping[str, int] = {entry.filename: entry.file_size for entry in entries}
        self.checksums: Mapping[str, tuple[int, int]] = {
            entry.filename: (entry.file_size, entry.CRC) for entry in entries
        }

    def read(self, name: str) -> bytearray:
        """What an entry holds, in memory of its own, which nothing is copied from.

        Raises SessionError if that is not what was written.
        """
        data = bytearray(self.sizes[name])
        try:
            with self._file.open(name) as entry, memoryview(data) as room:
                filled = 0
                while filled < len(room):
                    part = entry.read(min(_PART, len(room) - filled))
                    if not part:
                        break
                    room[filled : filled + len(part)] = part
                    filled += len(part)
                whole = filled == len(room) and not entry.read(1)
        except _DAMAGES:
            raise SessionError(f"its part {name} is damaged") from None
        if not whole:
            raise SessionError(f"its part {name} has not the size that is stated for it")
        return data


def _check_end(data: bytes) -> None:
    """Look at the end of the file for how much there is to be listed."""
    if data[:4] not in (b"PK\x03\x04", b"PK\x05\x06"):
        raise SessionError("it is no zip file, as sessions are")
    place = len(data) - _END.size
    if place < 0 or data[place : place + 4] != b"PK\x05\x06":
        raise SessionError("its end is missing")
    _, _, _, here, entries, size, begin, comment = _END.unpack_from(data, place)
    if entries > _MOST_ENTRIES or size > _LONGEST_DIRECTORY:
        raise SessionError("it has more parts than a session can have")
    larger = data[max(place - _LOCATOR_SIZE, 0) : place].startswith(_LOCATOR)
    if larger or here != entries or begin + size != place or comment:
        raise SessionError("its list of contents is damaged")


def _check_entries(entries: list[zipfile.ZipInfo], size: int) -> None:
    names = set()
    for entry in entries:
        name = entry.filename
        if not _ENTRY.fullmatch(entry.orig_filename) or name != entry.orig_filename:
            raise SessionError("it has a part that no session has")
        if name in names:
            raise SessionError(f"its part {name} is there twice")
        names.add(name)
        packed = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        if entry.flag_bits & _ENCRYPTED or not packed:
            raise SessionError(f"its part {name} is packed in a way that sessions are not")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > min(MAX_UNPACKED, UNPACKED_AT_LEAST + UNPACKED_RATIO * size):
        raise SessionError("it would take far more memory than a session of its size")
