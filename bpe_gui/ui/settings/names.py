"""Names that are written to files."""

from __future__ import annotations


def valid_text(text: str) -> str:
    """A text without what no file of text can hold: halves of characters, as in odd file names.

    >>> valid_text("caf\\udce9")
    'caf?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")
