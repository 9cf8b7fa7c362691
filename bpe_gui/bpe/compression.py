"""Compressed files, known by their first bytes: gzip, bzip2, xz and Zstandard."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import sys
import zlib
from collections.abc import Callable
from typing import Any

from msgspec import Struct

MAGIC_SIZE = 10
"""Bytes at the beginning of a file that tell how it is compressed."""

ENDINGS = (".gz", ".bz2", ".xz", ".zst")
"""What the names of compressed files end with, behind the ending of what they hold."""


class DamagedDataError(Exception):
    """Compressed data that cannot be unpacked."""


class MissingLibraryError(Exception):
    """A library is missing that is not installed with the program; the message is its name."""


class Compression(Struct, frozen=True):
    """A way in which files are compressed.

    name: what messages call it. open: takes an open file and returns a function that reads up to n
    bytes of the unpacked content; raises MissingLibraryError. The function raises
    DamagedDataError, and EOFError for data that end too early.
    """

    name: str
    open: Callable[[Any], Callable[[int], bytes]]


def compression_of(head: bytes) -> Compression | None:
    """Tell how a file is compressed that begins with `head`, MAGIC_SIZE bytes if it has as many.

    >>> found = compression_of(gzip.compress(b"low"))
    >>> found.name if found else None
    'gzip'
    >>> compression_of(b"BZh is how this text begins")
    """
    return next((found for magic, found in _COMPRESSIONS if magic.match(head)), None)


def _reader(file: Any, *errors: type[Exception]) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        try:
            return bytes(file.read(size))
        except errors as error:
            raise DamagedDataError(str(error)) from None

    return read


def _gzip(file: Any) -> Callable[[int], bytes]:
    return _reader(gzip.GzipFile(fileobj=file, mode="rb"), gzip.BadGzipFile, zlib.error)


def _bzip2(file: Any) -> Callable[[int], bytes]:
    # It has no error but OSError, and those of the file itself have a number.
    opened = bz2.BZ2File(file)

    def read(size: int) -> bytes:
        try:
            return opened.read(size)
        except OSError as error:
            if error.errno is not None:
                raise
            raise DamagedDataError(str(error)) from None

    return read


def _xz(file: Any) -> Callable[[int], bytes]:
    return _reader(lzma.LZMAFile(file), lzma.LZMAError)


def _zstandard(file: Any) -> Callable[[int], bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        try:
            from backports import zstd
        except ImportError:
            raise MissingLibraryError("backports.zstd") from None
    return _reader(zstd.ZstdFile(file), zstd.ZstdError)


_COMPRESSIONS = (
    (re.compile(rb"\x1f\x8b\x08"), Compression("gzip", _gzip)),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)"), Compression("bzip2", _bzip2)),
    (re.compile(rb"\xfd7zXZ\x00"), Compression("xz", _xz)),
    (re.compile(rb"\x28\xb5\x2f\xfd"), Compression("Zstandard", _zstandard)),
)
