"""Store what the user has chosen from one start of the program to the next."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QObject, QSettings, Signal

from bpe_gui.ui.run.background import BackgroundTask, Job

FILE, OLD_FILE = "settings.ini", "choices.ini"
"""INI files whose values are JSON; the old one is read as long as there is no new one."""
_VERSION = {"version": 1}
_SENSELESS = (ValueError, TypeError, KeyError, AttributeError, OverflowError)
"""What a setter raises for a value that it cannot take."""


class _Setting(Struct):
    """One thing that can be chosen.

    default: the value at the first start.
    initial: the value before the user could choose: the stored one, or what was asked for.
    stays: whether `reset` leaves it as it is until the next start.
    """

    get: Callable[[], Any]
    set: Callable[[Any], None]
    default: Any
    initial: Any
    stays: bool


class Settings(QObject):
    """Stores by name what was chosen, and sets it again.

    Values are what JSON can hold. What the user leaves as it began is not stored: neither what the
    command line asks for, nor defaults, which may be better in a later version of the program.
    Windows and processes share the file: every one writes only what it has changed.
    """

    failed = Signal(str)
    """Why the file cannot be written, as part of a sentence; empty when it can be again."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = folder / FILE
        self._settings: dict[str, _Setting] = {}
        self._stored: Mapping[str, Any] = _read(self._path)
        self._values = dict(self._stored) or _read(folder / OLD_FILE)
        self._problem = ""
        self._writing = BackgroundTask("settings", self)
        """A disk that is busy would hold up the window."""
        self._before_reset: tuple[dict[str, Any], dict[str, Any]] | None = None

    def bind(
        self,
        name: str,
        get: Callable[[], Any],
        set_: Callable[[Any], None],
        *,
        stays: bool = False,
    ) -> None:
        """Set what was stored under a name, and store what is chosen from now on.

        `get` returns a JSON value, or None if there is nothing to store. `set_` raises
        ValueError, TypeError, KeyError, AttributeError or OverflowError for a value that it
        cannot take, which is ignored.
        """
        default = get()
        self._settings[name] = _Setting(get, set_, default, default, stays)
        self.restore(name)

    def restore(self, name: str) -> None:
        """Set what was stored under a name, if anything was."""
        setting = self._settings[name]
        if name not in self._values:
            return
        self._set(name, self._values[name])
        setting.initial = value = setting.get()
        if not self._stored and value is not None:
            self._values[name] = value  # in the form of this version

    def is_bound(self, name: str) -> bool:
        """Tell whether something is stored under a name."""
        return name in self._settings

    def is_chosen(self, name: str) -> bool:
        """Tell whether the user has ever chosen something under a name."""
        return name in self._values

    def begin(self) -> None:
        """Take everything as it is now as what the user began with."""
        for setting in self._settings.values():
            setting.initial = setting.get()

    def save(self, only: Collection[str] | None = None) -> None:
        """Have written what was chosen since the last time; `failed` tells if it cannot be.

        `only` names what may be asked for its value now; None for everything. Returns before it
        is written.
        """
        self._note_chosen(only)
        self._write()

    def close(self, only: Collection[str] | None = None) -> None:
        """Save, and print a problem to standard error; `only` as in `save`. Returns when done."""
        self.blockSignals(True)
        self._writing.finish()
        self._note_chosen(only)
        values = self._to_store()
        if values != self._stored:
            self._on_written(_write(self._path, self._stored, values))
        if self._problem:
            print(f"bpe-gui: what you chose is not remembered: {self._problem}", file=sys.stderr)

    def _note_chosen(self, only: Collection[str] | None) -> None:
        for name, setting in self._settings.items():
            value = setting.get() if only is None or name in only else None
            if value is not None and value != setting.initial:
                self._values[name] = setting.initial = value

    def _to_store(self) -> dict[str, Any]:
        return {**_VERSION, **self._values}

    def _write(self) -> None:
        values = self._to_store()
        if values != self._stored and self._writing.at_rest:
            work = partial(_write, self._path, self._stored, values)
            self._writing.ask(work, self._on_written)

    def _on_written(self, written: tuple[Mapping[str, Any], str]) -> None:
        self._stored, problem = written
        if problem != self._problem:
            self._problem = problem
            self.failed.emit(problem)
        if not problem:
            self._write()  # what was chosen meanwhile

    def reset(self) -> None:
        """Set the defaults. `undo_reset` brings back what was chosen."""
        chosen = {name: setting.get() for name, setting in self._settings.items()}
        self._before_reset = chosen, dict(self._values)
        self._values.clear()
        for name, setting in self._settings.items():
            if setting.default is not None and not setting.stays:
                self._change(name, setting.default)
        # One may have changed another.
        self.begin()

    def undo_reset(self) -> None:
        """Bring back what was chosen before `reset`; nothing if nothing was reset."""
        if self._before_reset is None:
            return
        (chosen, self._values), self._before_reset = self._before_reset, None
        for name, value in chosen.items():
            if value is not None and not self._settings[name].stays:
                self._change(name, value)

    def _change(self, name: str, value: Any) -> None:
        if value != self._settings[name].get():  # to arrange docks takes long, even as they are
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        try:
            self._settings[name].set(value)
        except _SENSELESS:
            self._values.pop(name, None)


def _write(
    path: Path, stored: Mapping[str, Any], values: dict[str, Any], _: Job | None = None
) -> tuple[Mapping[str, Any], str]:
    """Write what differs from what is stored; returns what is stored then, and what went wrong."""
    file = QSettings(str(path), QSettings.Format.IniFormat)
    for name in stored.keys() - values.keys():
        file.remove(name)
    for name, value in values.items():
        if name not in stored or value != stored[name]:
            file.setValue(name, json.dumps(value))
    file.sync()
    if file.status() is not QSettings.Status.NoError:
        return stored, f"{path} cannot be written"
    return values, ""


def _read(path: Path) -> dict[str, Any]:
    """Read the values of a file; none where there is no file, or nothing of ours in it."""
    file = QSettings(str(path), QSettings.Format.IniFormat)
    values = {}
    for name in filter(None, file.allKeys()):
        with suppress(*_SENSELESS, RecursionError):
            values[name] = json.loads(file.value(name))
    return values


def whole(value: object, least: int, most: int) -> int:
    """Return a stored whole number. Raises ValueError if it is none within the bounds."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is no number from {least} to {most}")
    return value


def valid_text(text: str) -> str:
    """Replace what no text file can hold: halves of characters, as in odd file names.

    >>> valid_text("caf\\udce9")
    'caf?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")
