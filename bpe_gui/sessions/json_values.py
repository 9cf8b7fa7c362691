"""Values out of a session's JSON: each is what it should be, or a SessionError says where."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from math import isfinite
from typing import Any, NoReturn

from bpe_gui.sessions.session import SessionError


def parse(data: bytes | bytearray) -> dict[str, Any]:
    """A JSON object in which no key stands twice. Raises SessionError."""
    try:
        found = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except SessionError:
        raise
    except RecursionError:
        raise SessionError("its JSON is nested too deeply") from None
    except ValueError:
        raise SessionError("its JSON is damaged") from None
    if not isinstance(found, dict):
        raise SessionError("its JSON is no object")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise SessionError("its JSON has a key twice")
    return found


def _finite(written: str) -> float:
    number = float(written)
    if not isfinite(number):
        _refuse_constant(written[:20])
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise SessionError(f"its JSON has a number that is none ({name})")


class Values:
    """The values of a JSON object; `where` says in sentences which one it is.

    Every key must be asked for, and nothing else be there: see `end`.
    """

    def __init__(self, found: Any, where: str) -> None:
        self._where = where
        if not isinstance(found, dict):
            raise SessionError(f"{where} is no JSON object")
        self._found = dict(found)

    def __contains__(self, key: str) -> bool:
        return key in self._found

    def take(self, key: str) -> Any:
        """A value of whatever kind. Raises SessionError if it is not there."""
        if key not in self._found:
            raise SessionError(f"{self._where} lacks {key!r}")
        return self._found.pop(key)

    def integer(self, key: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.take(key)
        if type(value) is not int or not least <= value <= most:
            raise SessionError(
                f"{key!r} in {self._where} must be a whole number from {least:,} to {most:,}"
            )
        return value

    def truth(self, key: str) -> bool:
        """True or false."""
        value = self.take(key)
        if not isinstance(value, bool):
            raise SessionError(f"{key!r} in {self._where} must be true or false")
        return value

    def text(self, key: str, longest: int) -> str:
        """A text of so many characters at most, which can be written as UTF-8."""
        return checked_text(self.take(key), f"{key!r} in {self._where}", longest)

    def optional_text(self, key: str, longest: int) -> str | None:
        """A text as `text` takes it, or None."""
        if self._found.get(key, "") is None:
            self._found.pop(key)
            return None
        return self.text(key, longest)

    def sequence(self, key: str, most: int) -> list[Any]:
        """A list of so many items at most."""
        value = self.take(key)
        if not isinstance(value, list):
            raise SessionError(f"{key!r} in {self._where} must be a list")
        if len(value) > most:
            raise SessionError(f"{key!r} in {self._where} may list {most:,} items")
        return value

    def optional_sequence(self, key: str, most: int) -> list[Any] | None:
        """A list as `sequence` takes it, or None."""
        if self._found.get(key, ()) is None:
            self._found.pop(key)
            return None
        return self.sequence(key, most)

    def mapping(self, key: str) -> dict[str, Any]:
        """An object of whatever there is in it."""
        value = self.take(key)
        if not isinstance(value, dict):
            raise SessionError(f"{key!r} in {self._where} must be an object")
        return value

    def end(self) -> None:
        """Raise SessionError if there is more than was asked for."""
        for key in self._found:
            raise SessionError(f"{self._where} has {key[:40]!r}, which no session has")


def checked_path(value: Any, what: str, longest: int) -> str:
    """As `checked_text`, of what names a file: not all that the system has as a name is a text.

    Its bytes that are no UTF-8 are halves of characters, as everywhere in Python.
    """
    if isinstance(value, str):
        with suppress(UnicodeEncodeError):
            checked_text(os.fsencode(value).decode("utf-8", "replace"), what, longest)
            return value
    return checked_text(value, what, longest)


def checked_text(value: Any, what: str, longest: int) -> str:
    """A text of so many characters at most. Raises SessionError, which calls it `what`."""
    if not isinstance(value, str) or len(value) > longest:
        raise SessionError(f"{what} must be a text of at most {longest:,} characters")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise SessionError(f"{what} is no valid text") from None
    return value
