"""Tables of word counts."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.corpus import CorpusError, CorpusOptions
from bpe_gui.bpe.formats import MAX_COUNT, read_word_counts
from bpe_gui.bpe.text_files import FileEncoding, Piece, decode

from .corpus_reading import opened


def read_table(data: bytes, *, tabs: bool = False, block_size: int = 1000) -> list[tuple[str, int]]:
    pieces = decode(opened(data, block_size), FileEncoding("utf-8", 0), CorpusOptions())
    return list(read_word_counts(pieces, "data", tabs=tabs))


ROWS = st.lists(
    st.tuples(
        st.text(st.sampled_from("aé,;\t\"'\r\n ") | st.characters(codec="utf-8"), min_size=1),
        st.integers(1, 10**6),
    )
)


@given(ROWS, st.booleans(), st.integers(1, 7), st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_the_csv_module_writes_is_read(
    rows: list[tuple[str, int]], tabs: bool, block_size: int, ending: str
) -> None:
    file = io.StringIO(newline="")
    dialect = "excel-tab" if tabs else "excel"
    writer = csv.writer(file, dialect, lineterminator=ending, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows([("word", "count"), *rows])
    data = file.getvalue().encode()
    assert read_table(data, tabs=tabs, block_size=block_size) == rows


def test_words_may_come_again_and_lines_may_be_blank() -> None:
    data = b"\nWord , COUNT\n\nlow,5\nnewest, 6 \nlow,2\n\n low,007"
    assert read_table(data) == [("low", 5), ("newest", 6), ("low", 2), (" low", 7)]


def test_quotes() -> None:
    data = b'word,count\n"a,b",1\n"""",2\n"two\nlines",3\nit\'s,4\n5"disk,6\n'
    rows = [("a,b", 1), ('"', 2), ("two\nlines", 3), ("it's", 4), ('5"disk', 6)]
    assert read_table(data) == rows


def test_the_largest_count() -> None:
    assert read_table(f"word,count\na,{MAX_COUNT}".encode()) == [("a", 2**53)]


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"low,5\n", b"word;count\nlow;5\n", b"count,word\n5,low\n", b"word,n\n"]
)
def test_a_table_begins_with_its_header(data: bytes) -> None:
    with pytest.raises(CorpusError, match=r"^data does not begin with the header word,count,"):
        read_table(data)


def test_a_table_with_tabs_begins_with_its_header() -> None:
    said = r"^data does not begin with the header word and, after a tab, count,"
    with pytest.raises(CorpusError, match=said):
        read_table(b"word,count\n", tabs=True)


@pytest.mark.parametrize("block_size", [2, 1000])
@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"low", "a row is a word and a count with ',' between them, but here is one field;"),
        (b"a,b,1", ".* but here are 3 fields; put a word that holds ','"),
        (b",5", "the word is missing"),
        (b"low,", "the count of 'low' must be a whole number from 1 to 9007199254740992, not ''"),
        (b"low,0", ".* not '0'"),
        (b"low,-3", ".* not '-3'"),
        (b"low,+3", ".* not '\\+3'"),
        (b"low,5.0", ".* not '5.0'"),
        (b"low,1_000", ".* not '1_000'"),
        ("low,٣".encode(), ".* not '٣'"),
        ("low,²".encode(), ".* not '²'"),
        (b"low,9007199254740993", ".* not '9007199254740993'"),
        (b"low," + b"9" * 5000, ".*'low'"),
        (b'"low"er,5', r"this is no row of a table \(.*\); check the quotes"),
        (b'"low,5', ".*quotes"),
    ],
)
def test_bad_rows_are_named_by_their_line(row: bytes, message: str, block_size: int) -> None:
    with pytest.raises(CorpusError, match=f"^data, line 3: {message}"):
        read_table(b"word,count\nlow,5\n" + row, block_size=block_size)


def test_a_word_of_200_000_letters_is_none() -> None:
    with pytest.raises(CorpusError, match=r"^data, line 2: .* \(field larger than"):
        read_table(b"word,count\n" + b"a" * 200_000 + b",1")


def test_lines_within_quotes_are_counted() -> None:
    with pytest.raises(CorpusError, match=r"^data, line 5: .*'low'"):
        read_table(b'word,count\n"a\n\nb",1\nlow,x\n')


def test_counts_that_64_bits_cannot_add_up() -> None:
    rows = "".join(f"{'word' * 25}{i},{MAX_COUNT}\n" for i in range(10))
    with pytest.raises(CorpusError, match=r"^data, line 7: "):
        read_table(f"word,count\n{rows}".encode())


def test_a_file_that_is_one_long_line_is_no_table() -> None:
    with pytest.raises(CorpusError, match=r"^data holds a very long line and is no table"):
        read_table(b"a" * 3_000_000, block_size=1 << 18)


def test_progress_is_told_for_each_piece() -> None:
    told: list[int] = []
    pieces = [Piece(b"word,count\nlow", False, 10), Piece(b",5", True, 12)]
    rows = read_word_counts(pieces, "data", tabs=False, progress=told.append)
    assert list(rows) == [("low", 5)]
    assert told == [10, 12]
