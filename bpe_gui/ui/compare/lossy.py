"""How numbers are marked that are of a text which does not come back whole."""

from __future__ import annotations

LOSSY = "*"
"""Stands beside such numbers, as the command line has it."""

TOLD = f"{LOSSY}\N{NO-BREAK SPACE}lossy: what is left out or unknown takes few tokens"
"""What the mark means, to stand below the numbers."""


def marked(name: str, *, lossy: bool) -> str:
    """A name, with the mark if need be.

    >>> marked("wordpiece.json", lossy=True)
    'wordpiece.json *'
    """
    return f"{name} {LOSSY}" if lossy else name
