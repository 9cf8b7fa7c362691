"""What its user chose, from one start of the program to the next."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from bpe_gui.ui.settings import choices_file
from bpe_gui.ui.settings.choices_file import DamagedError
from bpe_gui.ui.settings.choices_writer import ChoicesWriter

_SENSELESS = (ValueError, TypeError, KeyError, AttributeError, OverflowError)
"""What is raised by those who are to choose what makes no sense to them."""


@dataclass(slots=True)
class _Choice:
    """One thing that can be chosen: how to ask what is chosen, and how to choose."""

    get: Callable[[], Any]
    set: Callable[[Any], None]
    first: Any
    """What it is at the first start."""
    begun: Any
    """What it was before the user could choose: at first, as remembered, or as asked for."""
    stays: bool
    """Whether it stays as it is when all is forgotten, and is as at first only after that."""


class Choices(QObject):
    """Remembers by name what was chosen. Any feature may add what is to be remembered.

    Values are what JSON can hold. Of what the user leaves as it began nothing is kept, so
    what the command line asks for is not remembered, and what is better at first in a later
    version of the program is taken over by whoever chose nothing.
    """

    told = Signal(str)
    """Why what was chosen cannot be written, as part of a sentence; empty when it can be again."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problem = ""
        """A sentence on a file that could not be used; empty if all is well."""
        self._folder = folder
        self._choices: dict[str, _Choice] = {}
        self._refused: list[str] = []
        self._forgotten: tuple[dict[str, Any], dict[str, Any]] | None = None
        self._kept = self._read()
        self._writer = ChoicesWriter(folder, self._kept, self)
        self._writer.told.connect(self.told)

    def remember(
        self,
        name: str,
        get: Callable[[], Any],
        choose: Callable[[Any], None],
        *,
        stays: bool = False,
    ) -> None:
        """Choose what was chosen before, if anything, and remember what is chosen from now on.

        `get` gives a JSON value, or None if there is nothing to tell. `choose` takes one, and
        raises ValueError, TypeError, KeyError, AttributeError or OverflowError for what makes
        no sense, which is left out then (see `left_out`). `name` is of lower-case words and
        hyphens. What `stays` is not changed when all is forgotten, only no longer there at the
        next start.
        """
        first = get()
        self._choices[name] = choice = _Choice(get, choose, first, first, stays)
        if name in self._kept:
            self._choose(name, self._kept[name])
        choice.begun = get()

    @property
    def left_out(self) -> str:
        """A sentence on what was remembered and makes no sense; empty if all does."""
        if not self._refused:
            return ""
        names = ", ".join(f"the {name.replace('-', ' ')}" for name in self._refused)
        return f"Some of what you chose before makes no sense here, and is as at first: {names}."

    @property
    def names(self) -> list[str]:
        """What is remembered."""
        return list(self._choices)

    def remembers(self, name: str) -> bool:
        """Whether something is remembered by that name."""
        return name in self._choices

    def knows(self, name: str) -> bool:
        """Whether something was chosen before."""
        return name in self._kept

    def begin(self) -> None:
        """Take what is chosen now for what the user began with."""
        for choice in self._choices.values():
            choice.begun = choice.get()

    def save(self, only: Collection[str] | None = None) -> None:
        """Have what was chosen written soon, if it is another now; `told` says if it cannot be.

        It takes a fraction of a millisecond. `only` names what may be looked at now; None for
        all.
        """
        self._take(only)
        if self._usable:
            self._writer.write(self._kept)

    def close(self, only: Collection[str] | None = None) -> None:
        """Keep what was chosen, now that nobody can be told more than on standard error.

        `only` as in `save`.
        """
        self._take(only)
        if not self._usable:
            return
        try:
            self._writer.write_last(self._kept)
        except OSError as error:
            print(f"bpe-gui: what you chose is not remembered: {error}", file=sys.stderr)

    def _take(self, only: Collection[str] | None) -> None:
        """Take down what has been chosen since."""
        for name, choice in self._choices.items():
            value = choice.get() if only is None or name in only else None
            if value is not None and value != choice.begun:
                self._kept[name] = choice.begun = value

    def forget(self) -> None:
        """Let all be as at the first start. `recall` brings back what was chosen."""
        chosen = {name: choice.get() for name, choice in self._choices.items()}
        self._forgotten = chosen, dict(self._kept)
        self._kept.clear()
        for name, choice in self._choices.items():
            if choice.first is not None and not choice.stays:
                self._choose(name, choice.first)
        # One may have changed another.
        self.begin()

    def recall(self) -> None:
        """Bring back what was forgotten last; nothing if nothing was."""
        if self._forgotten is None:
            return
        (chosen, self._kept), self._forgotten = self._forgotten, None
        for name, value in chosen.items():
            if value is not None and not self._choices[name].stays:
                self._choose(name, value)

    @property
    def can_recall(self) -> bool:
        """Whether something was forgotten."""
        return self._forgotten is not None

    def _choose(self, name: str, value: Any) -> None:
        try:
            self._choices[name].set(value)
        except _SENSELESS:
            self._refused.append(name)
            self._kept.pop(name, None)

    def _read(self) -> dict[str, Any]:
        self._usable = True
        path = self._folder / choices_file.NAME
        try:
            return choices_file.read(self._folder)
        except (DamagedError, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
        try:
            where = f"it was put aside as {choices_file.put_aside(self._folder).name}"
        except OSError:
            self._usable = False
            where = "and nothing is remembered until it is taken away"
        self.problem = (
            f"What you chose before cannot be read from {path}, for {why}; {where}. "
            "All is as at the first start."
        )
        return {}


def whole(value: object, least: int, most: int) -> int:
    """A whole number that was remembered. Raises ValueError if it is none within the bounds."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is no number from {least} to {most}")
    return value


def one_of(value: object, names: Mapping[str, Any]) -> Any:
    """What a name that was remembered stands for. Raises ValueError for an unknown one."""
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{value!r} is no such name")
    return names[value]
