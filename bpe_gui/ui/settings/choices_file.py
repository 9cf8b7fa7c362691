"""The file of what was chosen: an INI file of QSettings whose values are JSON.

QSettings would make any object of Qt out of a value that begins with an @, so no value of ours
has one, and a file with one is not ours.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings

NAME, ASIDE = "choices.ini", "choices-damaged.ini"
_LARGEST = 1 << 18
"""Bytes that a file of ours may have; a usual one has some two thousand."""


class DamagedError(ValueError):
    """A file that is there, but is none of ours; the message says why."""


def read(folder: Path) -> dict[str, Any]:
    """What is kept in a folder, by name; nothing where there is no file.

    Raises DamagedError for a file that is not as `write` leaves it, and OSError for one that
    cannot be read.
    """
    path = folder / NAME
    if not os.path.lexists(path):
        return {}
    if not stat.S_ISREG(path.stat().st_mode):
        raise DamagedError("it is no file")
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise DamagedError("it is far too large")
    if b"@" in data or b"\0" in data:
        raise DamagedError("it holds what no choice is")
    settings = QSettings(str(path), QSettings.Format.IniFormat)
    names = settings.allKeys()
    if "" in names:
        raise DamagedError("a value has no name")
    values = {name: settings.value(name) for name in names}
    if settings.status() is not QSettings.Status.NoError or (data.strip() and not values):
        raise DamagedError("it is not written as such files are")
    return {name: _of_json(name, value) for name, value in values.items()}


def write(folder: Path, values: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> None:
    """Keep these values, by name, in the place of those that were kept `before`.

    What another process has chosen meanwhile under other names stays. The file is written
    beside and renamed; it may be written on any thread. Raises OSError if that cannot be.
    """
    path = folder / NAME
    beside = folder / f".{NAME}.{secrets.token_hex(4)}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone_in(folder):
            kept = {**_of_others(folder, before or {}), **values}
            try:
                _write_new(beside, kept)
                beside.replace(path)
            finally:
                beside.unlink(missing_ok=True)
    except OSError as error:
        why = f": {error.strerror}" if error.strerror else ""
        raise OSError(f"{path} cannot be written{why}") from None


def _of_others(folder: Path, own: Mapping[str, Any]) -> dict[str, Any]:
    """What the file holds besides one's own."""
    try:
        return {name: value for name, value in read(folder).items() if name not in own}
    except DamagedError:
        return {}


def _write_new(path: Path, values: Mapping[str, Any]) -> None:
    """Write a new file, which is on the disk when it returns."""
    # Of a file that is there it would keep in memory what it could not write.
    settings = QSettings(str(path), QSettings.Format.IniFormat)
    for name, value in values.items():
        settings.setValue(name, json.dumps(value, allow_nan=False).replace("@", "\\u0040"))
    settings.sync()
    if settings.status() is not QSettings.Status.NoError:
        _write_anything(path)
        raise OSError
    if not values:
        path.touch()
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _write_anything(path: Path) -> None:
    """Raise the OSError of the system, if there is one: settings do not say why."""
    with path.open("wb") as file:
        file.write(bytes(_LARGEST))
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let no other process write there meanwhile."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def put_aside(folder: Path) -> Path:
    """Take a file away that is none of ours, and tell where it is. Raises OSError."""
    return (folder / NAME).replace(folder / ASIDE)


def _of_json(name: str, value: object) -> Any:
    if not isinstance(value, str):
        raise DamagedError(f"{name} is no single value")
    try:
        return json.loads(value, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        raise DamagedError(f"the value of {name} is none") from None


def _finite(written: str) -> float:
    number = float(written)
    if not isfinite(number):
        raise ValueError(f"{written} is no number")
    return number
