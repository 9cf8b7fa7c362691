"""What a tour that cannot be understood says: every mistake with its place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class TourError:
    """One mistake: where it stands, from 1, and what is wrong and what to write instead.

    >>> print(TourError(12, 9, "a tour has no corpus “war”; write four-words"))
    line 12, column 9: a tour has no corpus “war”; write four-words
    """

    line: int
    column: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line:,}, column {self.column:,}: {self.reason}"


class TourErrors(ValueError):  # noqa: N818 - it is all errors of a text
    """A text that is no tour; `errors` holds all its mistakes, in the order of their places.

    Its text has a line for each of them.
    """

    def __init__(self, errors: Iterable[TourError]) -> None:
        self.errors = tuple(sorted(errors))
        super().__init__("\n".join(map(str, self.errors)))


class Fault(Exception):  # noqa: N818 - it becomes a TourError where the line is known
    """Something is wrong so many characters into a part of a line."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason
