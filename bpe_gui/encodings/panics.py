"""Rust code that gives up: its exception derives from BaseException and has no public name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bpe_gui.encodings.base import EncodingError, ExportError

_LONGEST_REASON = 300
"""Characters of what a library says that are told."""


def is_panic(error: BaseException) -> bool:
    """Whether an exception is a panic of a library that is written in Rust."""
    return type(error).__name__ == "PanicException"

@contextmanager
def told_as(what: str) -> Iterator[None]:
    """Raise what a library raises, panics included, as an EncodingError that begins with this.

    Errors of ours, texts that no encoding can hold and interrupts pass as they are.
    """
    try:
        yield
    except (EncodingError, ExportError, UnicodeEncodeError, MemoryError):
        raise
    except BaseException as error:  # the library raises nothing more precise
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        lines = str(error).strip().splitlines()
        reason = lines[0] if lines else type(error).__name__
        # It may quote the file at any length; what is wrong is said at both ends.
        if len(reason) > _LONGEST_REASON:
            reason = f"{reason[: _LONGEST_REASON // 2]} ... {reason[-_LONGEST_REASON // 2 :]}"
        raise EncodingError(f"{what} (the library says: {reason})") from None
