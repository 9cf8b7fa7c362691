"""Files by their URLs, such as s3://, gs://, hf:// and https://; fsspec reads them.

Each kind of storage has its library beside fsspec, such as s3fs or aiohttp.
"""

from __future__ import annotations

import io
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]+::)*[A-Za-z][A-Za-z0-9+.-]+://")
"""How URLs begin. What fsspec does with a file may come first: simplecache::https://."""
_URL = re.compile(_SCHEME.pattern + r"\S+")


class Url(Struct, frozen=True):
    """The address of a file, or of several: a folder, or names with a `*`.

    >>> Url("https://example.org/novel.txt?version=2").name
    'novel.txt'
    """

    address: str

    def __str__(self) -> str:
        return self.address

    @property
    def name(self) -> str:
        """Return the name of the file, without its folders."""
        return PurePosixPath(re.split("[?#]", _SCHEME.sub("", self.address))[0]).name

    @property
    def suffix(self) -> str:
        """Return the ending of the name: ".txt"."""
        return PurePosixPath(self.name).suffix


def is_url(text: str) -> bool:
    """Tell whether a text is a URL and nothing else.

    >>> is_url("https://example.org/novel.txt"), is_url("see https://example.org")
    (True, False)
    """
    return _URL.fullmatch(text) is not None


def path_or_url(source: str | Path | Url) -> Path | Url:
    """Take a source for a URL if it looks like one; what exists here by that name is a path.

    >>> path_or_url("s3://bucket/novel.txt")
    Url(address='s3://bucket/novel.txt')
    >>> path_or_url("simplecache::https://example.org/novel.txt").name
    'novel.txt'
    """
    if isinstance(source, str):
        is_url = _SCHEME.match(source) and not os.path.exists(source)
        return Url(source) if is_url else Path(source)
    return source


def find_urls(url: Url) -> tuple[list[Url], bool]:
    """Find the files behind a URL, and tell whether it is a folder.

    That is the file itself, or those whose names match, or those in the folder and the folders in
    it, sorted by name; hidden ones (.name) are left out. Raises OSError.
    """
    with _os_errors():
        system, path = _system(url)
        if "*" in path:
            found = [name for name in system.glob(path) if system.isfile(name)]
            if not found:
                raise FileNotFoundError(str(url))
        elif system.info(path)["type"] != "directory":
            return [url], False
        else:
            begin = len(system._strip_protocol(path).rstrip("/"))
            found = [name for name in system.find(path) if "/." not in name[begin:]]
        found.sort(key=lambda name: name.split("/"))
        return [Url(system.unstrip_protocol(name)) for name in found], "*" not in path


def size_of_url(url: Url) -> int | None:
    """Count the bytes of a file; None if its server does not tell. Raises OSError."""
    with _os_errors():
        system, path = _system(url)
        size: int | None = system.info(path)["size"]
        return size


class RemoteFile(io.RawIOBase):
    """A file behind a URL, open for reading. Whatever goes wrong raises OSError.

    If it `streams` it is read from start to end only, which takes one request of a web server
    and not several.
    """

    def __init__(self, url: Url, *, streams: bool = False, **options: Any) -> None:
        with _os_errors():
            system, path = _system(url)
            if streams and _is_of_web(url):
                options = {"block_size": 0}
            self._file = system.open(path, "rb", **options)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        with _os_errors():
            data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        with _os_errors():
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def is_seekable(url: Url) -> bool:
    """Tell whether a file can be read from any byte on; some web servers only send all of it."""
    if not _is_of_web(url):
        return True
    try:
        # It reads no more than it has to.
        with RemoteFile(url, block_size=1) as file:
            file.seek(1)
            file.read(1)
    except OSError:
        return False
    return True


def _system(url: Url) -> tuple[Any, str]:
    """Return fsspec's file system for a URL, and what the file is called there."""
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url.address)
    except ImportError as error:
        raise OSError(f"a library for it is missing ({error})") from error
    return system, path


def _is_of_web(url: Url) -> bool:
    return url.address.startswith(("https://", "http://"))


def unknown_server(error: BaseException | None) -> socket.gaierror | None:
    """Find among the causes of an error that the name of a server is not known, as it is without a
    network.
    """
    while error is not None and not isinstance(error, socket.gaierror):
        error = error.__cause__ or error.__context__
    return error


@contextmanager
def _os_errors() -> Iterator[None]:
    """Raise OSError for the errors of all the libraries, each of which has its classes."""
    try:
        yield
    except Exception as error:
        if (unknown := unknown_server(error)) is not None:
            raise OSError("its server is not found") from unknown
        _raise_os_error(error)


def _raise_os_error(error: Exception) -> NoReturn:
    if isinstance(error, OSError):
        # A web server that does not answer is reported as one that does not have the file.
        cause = error.__cause__
        if not isinstance(cause, OSError) and getattr(cause, "status", 404) == 404:
            raise error
        raise OSError(str(cause) or type(cause).__name__) from error
    raise OSError(str(error) or type(error).__name__) from error
