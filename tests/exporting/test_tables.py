"""Tables that leave the program are read back as they were, and run nothing on their way."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.exporting.tables import comma_separated, guarded
from tests.exporting.reading_back import unguarded

cells = st.text(st.one_of(st.sampled_from("=+-@'\t\r\n\",;|a1.\0"), st.characters(codec="utf-8")))


@given(st.lists(st.lists(cells, min_size=2, max_size=4), max_size=8))
def test_csv_is_read_back_as_it_was(lines: list[list[str]]) -> None:
    rows = list(csv.reader(io.StringIO(comma_separated(lines), newline="")))
    assert [[unguarded(cell) for cell in row] for row in rows] == lines


def test_a_carriage_return_does_not_end_a_line() -> None:
    assert comma_separated([["a\rb", "c"], ["d", "e"]]) == '"a\rb",c\nd,e\n'


@given(cells)
def test_no_text_begins_a_formula(cell: str) -> None:
    written = str(guarded(cell))
    assert unguarded(written) == cell
    if written.startswith(("=", "@", "\t", "\r")):
        pytest.fail(f"{written!r} is a formula")
    if written.startswith(("+", "-")):
        float(written)


def test_numbers_and_nothing_stay_what_they_are() -> None:
    assert comma_separated([[1, -2.5, None, True, "-3"]]) == "1,-2.5,,True,-3\n"


def test_long_tables_come_in_parts() -> None:
    lines = [[number, str(number)] for number in range(5000)]
    written = comma_separated(lines)
    assert len(written.splitlines()) == 5000
    assert written.endswith("4999,4999\n")
