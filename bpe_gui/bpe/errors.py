"""Errors of recipes and their patterns, the end of cancelled work, and quoting in messages."""

from __future__ import annotations

_MAX_SHOWN, _MAX_ESCAPED = 40, 4
"""Characters of a text that a sentence shows, and of one of escapes, which are long."""


def shown(value: object) -> str:
    r"""Quote something from a recipe or file as it is written, shortened for a sentence.

    >>> print(shown("a\nb"), shown(b"x" * 100), shown("\0" * 100), shown(1000), shown([5]))
    'a\nb' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' '\x00\x00\x00\x00...' 1,000 [5]
    """
    if isinstance(value, int):
        digits = len(str(abs(value)))
        return f"{value:,}" if digits <= 15 else f"a number of {digits} digits"
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = value if isinstance(value, str) else repr(value)
    limit = _MAX_SHOWN if any(map(str.isprintable, text[:_MAX_ESCAPED])) else _MAX_ESCAPED
    cut = text if len(text) <= limit else text[:limit] + "..."
    return as_written(cut) if isinstance(value, str) else cut


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
    one is. `reason` is what is wrong with it, for where the pattern is beside it; empty if
    nothing is said of that.
    """

    def __init__(self, message: str, position: int | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.position = position
        self.reason = reason


class PatternTimeoutError(PatternError):
    """A regular expression that is given up because of its time, and might end if given more."""
