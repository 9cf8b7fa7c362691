"""Tables as they leave the program: to the clipboard, or as comma-separated values (CSV).

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, and runs
it. Tokens and names of files may begin so. Such a text gets an apostrophe in front, unless it is
a number; one that has apostrophes before such a character already gets one more, so that
`unguarded` knows which to take away. Numbers are written as they are, None is an empty cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

Cell = object
"""What stands in a table: numbers, texts, truth values, or None where there is nothing."""

_GUARD = "'"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LINES_AT_ONCE = 1000
_BOTH_ENDS = "\r\n"


def comma_separated(lines: Iterable[Sequence[Cell]]) -> str:
    r"""Rows as CSV, cells quoted where need be.

    >>> comma_separated([["token", "count"], ["=a,b", 12], [None, -1.5]])
    'token,count\n"\'=a,b",12\n,-1.5\n'
    """
    return "".join(csv_parts(lines))


def csv_parts(lines: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The same piece by piece, for tables that are made while they are written."""
    out = io.StringIO()
    # It puts cells in quotes for what ends a line: told of both, it does so for either.
    writer = csv.writer(out, lineterminator=_BOTH_ENDS)
    waiting: list[str] = []
    for line in lines:
        writer.writerow([guarded(cell) for cell in line])
        waiting.append(out.getvalue().removesuffix(_BOTH_ENDS) + "\n")
        out.seek(0)
        out.truncate()
        if len(waiting) == _LINES_AT_ONCE:
            yield "".join(waiting)
            waiting.clear()
    yield "".join(waiting)


def tab_separated(lines: Iterable[Sequence[Cell]]) -> str:
    """Rows as a spreadsheet takes them from the clipboard; None is an empty cell.

    White space in cells is one space.

    >>> tab_separated([["a", "b c"], [1.25, "2\\t3"]])
    'a\\tb c\\n1.25\\t2 3'
    """
    return "\n".join(
        "\t".join("" if cell is None else " ".join(str(guarded(cell)).split()) for cell in line)
        for line in lines
    )


def guarded(cell: Cell) -> Cell:
    """A cell that no program takes for a formula.

    >>> guarded("=1+1"), guarded("'=x"), guarded("-12"), guarded("es"), guarded(-12)
    ("'=1+1", "''=x", '-12', 'es', -12)
    """
    if isinstance(cell, str) and _may_be_formula(cell) and not _is_number(cell):
        return _GUARD + cell
    return cell


def unguarded(text: str) -> str:
    """What `guarded` was given, from what it made of it.

    >>> unguarded("'=1+1"), unguarded("''=x"), unguarded("'tis")
    ('=1+1', "'=x", "'tis")
    """
    return text[1:] if text.startswith(_GUARD) and _may_be_formula(text) else text


def _may_be_formula(text: str) -> bool:
    return text.lstrip(_GUARD).startswith(_FORMULA)


def _is_number(text: str) -> bool:
    """Whether a text is a plain number; "-inf" and "+1_0" are none that a spreadsheet reads."""
    digits = text[1:].replace(".", "", 1)
    return text[0] in "+-" and digits.isascii() and digits.isdigit()
