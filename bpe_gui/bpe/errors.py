"""What a recipe that does not work says, and how work ends that was cancelled."""

from __future__ import annotations

_SHOWN = 40
"""Characters of a text that a sentence shows."""


def shown(text: object) -> str:
    """Write a part of a recipe as a sentence shows it: quoted and cut short.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"
    """
    if isinstance(text, int) and abs(text) > 10**15:
        return f"a number of {len(str(abs(text)))} digits"
    if isinstance(text, int):
        return f"{text:,}"
    written = text if isinstance(text, str) else repr(text)
    cut = written if len(written) <= _SHOWN else written[:_SHOWN] + "..."
    return as_written(cut) if isinstance(text, str) else cut


def as_written(text: str) -> str:
    r"""Write a text in quotes as it is, but for what cannot be seen.

    >>> print(as_written(r"\p{L}"), as_written("it's"), as_written("a\n"))
    '\p{L}' "it's" 'a\n'
    """
    seen = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    mark = '"' if "'" in seen and '"' not in seen else "'"
    return f"{mark}{seen}{mark}"


class Cancelled(Exception):  # noqa: N818 - not an error
    """Long work was given up because the caller said so."""


class RecipeError(ValueError):
    """A recipe that cannot be trained or used; the message is one sentence for the user."""


class PatternError(RecipeError):
    """A regular expression of a recipe that does not compile, or does not come to an end.

    `position` is the character of the pattern that is to blame, from 0; None where no single
    one is. `reason` is what is wrong with it, for where the pattern stands beside it; empty if
    nothing is said of that.
    """

    def __init__(self, message: str, position: int | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.position = position
        self.reason = reason


class PatternTimeoutError(PatternError):
    """A regular expression that is given up because of its time, and might end if given more."""
