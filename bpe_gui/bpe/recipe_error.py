"""What a recipe that does not work says."""

from __future__ import annotations


class RecipeError(ValueError):
    """A recipe that cannot be trained or used; the message is one sentence for the user."""


class PatternError(RecipeError):
    """A regular expression of a recipe that does not compile, or does not come to an end.

    `position` is the character of the pattern that a compiler stumbled over, from 0 to the
    length of the pattern; None where no single character is to blame. `reason` is what the
    compiler says, for where the pattern stands beside it; empty if it does not say anything.
    """

    def __init__(self, message: str, position: int | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.position = position
        self.reason = reason


class PatternTimeoutError(PatternError):
    """A regular expression that is given up because of its time, and might end if given more."""
