"""Finding the files of a corpus: what stands behind the names the user gave."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bpe_gui.bpe.sources.base import CorpusError

STANDARD_INPUT = "-"
"""The name that stands for standard input."""


@dataclass(frozen=True, slots=True)
class Place:
    """One file to read, or standard input."""

    path: Path | None
    """None is standard input."""
    in_folder: bool = False
    """Whether it was found in a folder and not named by the user."""

    @property
    def label(self) -> str:
        """How messages call it."""
        return "standard input" if self.path is None else str(self.path)


@dataclass(frozen=True, slots=True)
class FolderRules:
    """Which entries of a folder belong to a corpus, besides the usual rules."""

    suffix: str = ""
    """Only files whose name ends so."""
    skipped_folders: frozenset[str] = frozenset()
    """Names of folders that are left out with all that is in them."""
    skip_undecodable: bool = False
    """Leave out, instead of complaining about, files that are not UTF-8."""


def cannot_read(what: str, error: OSError | ValueError) -> CorpusError:
    """The error for what the operating system does not let us read: why, and what to do."""
    reason = str(error) or type(error).__name__
    remedy = "name another"
    if isinstance(error, OSError):
        reason = error.strerror or reason
        if isinstance(error, PermissionError):
            remedy = "ask for the right to read it, or name another"
        elif error.errno == errno.EIO:
            remedy = "see whether its disk or connection is sound, or name another"
    return CorpusError(f"cannot read {what}: {reason[:1].lower()}{reason[1:]}; {remedy}")


def is_folder(path: Path) -> bool:
    """Whether it is a folder, or a link to one. False if there is nothing."""
    return os.path.isdir(path)


def find_files(path: Path, rules: FolderRules) -> Iterator[Place]:
    """The file itself, or the regular files of a folder and of the folders in it.

    Sorted by name, folders among files. Hidden entries (.name) are left out. Links are
    followed, but no folder is entered twice, so links that go round in circles do no
    harm; links to nothing are left out.

    Raises CorpusError for a missing path and for a folder that cannot be listed.
    """
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
    """Bytes of a file as it is stored; None for what has no size, as a pipe."""
    if place.path is None:
        return None
    status = _status(place.path)
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _status(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except FileNotFoundError:
        raise CorpusError(f"there is no file or folder {path}; check the name") from None
    except (OSError, ValueError) as error:
        raise cannot_read(str(path), error) from None


def _status_in_folder(path: Path) -> os.stat_result | None:
    """As `_status`, but None for a link to nothing or to itself."""
    try:
        return path.stat()
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ELOOP):
            return None
        raise cannot_read(str(path), error) from None


def _entries(folder: Path, rules: FolderRules) -> list[Path]:
    """What is to be looked at in a folder, in reverse order: the last is taken first."""
    try:
        names = os.listdir(folder)
    except OSError as error:
        raise cannot_read(f"the folder {folder}", error) from None
    return [
        folder / name
        for name in sorted(names, reverse=True)
        if not name.startswith(".") and name not in rules.skipped_folders
    ]
