"""Take away what exported tables and texts for terminals add."""

from __future__ import annotations

import re


def unguarded(cell: str) -> str:
    """Take away the apostrophe with which `guarded` keeps a cell from being a formula.

    >>> unguarded("'=1+1"), unguarded("''=x"), unguarded("'tis")
    ('=1+1', "'=x", "'tis")
    """
    formula = cell.lstrip("'").startswith(("=", "+", "-", "@", "\t", "\r"))
    return cell[1:] if cell.startswith("'") and formula else cell


def without_codes(written: str) -> str:
    """Take away the colours of a text for a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", written)
