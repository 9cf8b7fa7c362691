"""Write files so that nobody ever finds half a file, and read them so that errors name them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, TypeAlias

Content: TypeAlias = str | bytes | Iterable[str] | Iterable[bytes]
"""What a file is to hold, whole or in parts; text is written as UTF-8."""


def write_atomically(path: str | Path, content: Content) -> None:
    """Write a file: all of it or nothing.

    The content goes to a new file beside the target, which takes the target's name when it
    is complete; until then, and if anything fails, the target stays as it was. A target
    that is not a regular file (/dev/null, a pipe) is written to directly. A symbolic
    link is followed, and an existing file keeps its permissions. Raises OSError.
    """
    write_together([(path, content)])


def write_together(files: Sequence[tuple[str | Path, Content]]) -> None:
    """Write several files as `write_atomically` does, none of them before all are complete."""
    waiting: list[tuple[Path, Path]] = []
    try:
        for path, content in files:
            target = _target(path)
            if target.exists() and not target.is_file():
                with naming(path), open(target, "wb") as file:
                    file.writelines(_parts(content))
                continue
            beside = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.part")
            with naming(path), open(beside, "xb") as file:
                waiting.append((beside, target))
                file.writelines(_parts(content))
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                beside.chmod(target.stat().st_mode & 0o7777)
        for beside, target in waiting:
            beside.replace(target)
    finally:
        for beside, _ in waiting:
            beside.unlink(missing_ok=True)


def _parts(content: Content) -> Iterator[bytes]:
    """Return the bytes of a file, part by part."""
    if isinstance(content, bytes):
        yield content
        return
    for part in [content] if isinstance(content, str) else content:
        yield part.encode("utf-8") if isinstance(part, str) else part


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Return the name of a new file to write beside a target, whose place it takes at the end.

    For what writes its files itself; otherwise as `write_atomically`, but that the target must
    be a regular file if it is there. If anything fails within the block, the target stays as it
    was and the new file goes. Raises OSError, with the name of the target.
    """
    target = _target(path)
    if target.exists() and not target.is_file():
        raise FileExistsError(errno.EEXIST, "it is not a regular file", str(path))
    beside = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.part")
    with naming(path):
        try:
            yield beside
            with open(beside, "rb+") as file:
                os.fsync(file.fileno())
            if target.exists():
                beside.chmod(target.stat().st_mode & 0o7777)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)


def _target(path: str | Path) -> Path:
    """Follow symbolic links to what is to be written. Raises OSError where they go in a circle."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


@contextmanager
def reading(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes. Raises OSError with its name, also for a read that fails."""
    with naming(path), open(path, "rb") as file:
        yield file


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Name a file in an error that has no name, or that of the new file beside it."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def sentence_of(error: OSError) -> str:
    """Say in one sentence what is wrong with a file.

    >>> sentence_of(FileNotFoundError(2, "No such file or directory", "novel.txt"))
    'there is no file or folder novel.txt; check the name'
    """
    if isinstance(error, FileNotFoundError) and error.filename:
        return f"there is no file or folder {error.filename}; check the name"
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def check_writable(path: str | Path) -> None:
    """Raise OSError, which says what to do, if `write_atomically` could not write to a path."""
    target = _target(path)
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file")
    if target.exists() and not target.is_file():
        return
    folder = target.parent
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file and not a folder; name another folder")
    if not folder.is_dir():
        raise FileNotFoundError(f"the folder {folder} does not exist; create it or name another")
    try:
        # Some folders that seem to be writable take no file: /proc is one.
        with TemporaryFile(dir=folder):
            pass
    except OSError:
        said = f"{path} cannot be written, because the folder {folder} takes no files; name another"
        raise PermissionError(said) from None
