"""The merges of a run, as a table in Markdown and as CSV."""

from __future__ import annotations

import csv
import io
import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.exporting.tables import (
    MergeRow,
    in_markdown,
    merges_as_csv,
    merges_as_markdown,
    merges_of,
)
from tests.encodings.runs import train
from tests.exporting.reading_back import unguarded

contents = st.one_of(
    st.binary(max_size=12), st.text("ab|`\\*_<&=+-@\n \x1b", max_size=8).map(str.encode)
)
merges = st.builds(
    MergeRow, st.integers(1, 9999), contents, contents, contents, st.integers(0), st.integers(0)
)


def test_they_are_those_of_the_run_at_a_position() -> None:
    history = train(PRESETS["gpt2"], ["the cat sat on the mat"] * 3, merges=12)
    found = list(merges_of(history, 5))
    assert [merge.rank for merge in found] == [1, 2, 3, 4, 5]
    assert [merge.id for merge in found] == history.new_id[:5].tolist()
    assert [merge.count for merge in found] == history.count[:5].tolist()
    assert all(merge.token == merge.left + merge.right for merge in found)
    assert len(list(merges_of(history))) == len(history)


@given(st.lists(merges, max_size=6))
def test_csv_gives_back_every_merge(given_merges: list[MergeRow]) -> None:
    written = "".join(merges_as_csv(given_merges))
    rows = list(csv.DictReader(io.StringIO(written, newline="")))
    assert len(written.splitlines()) == len(given_merges) + 1
    for row, merge in zip(rows, given_merges, strict=True):
        assert (int(row["rank"]), int(row["count"]), int(row["id"])) == (
            merge.rank, merge.count, merge.id,
        )  # fmt: skip
        assert unguarded(row["left"]) == visible(merge.left)
        assert bytes.fromhex(row["bytes"]) == merge.token


@given(st.lists(merges, max_size=6))
def test_markdown_has_six_cells_in_every_line(given_merges: list[MergeRow]) -> None:
    lines = "".join(merges_as_markdown(given_merges)).splitlines()
    assert len(lines) == len(given_merges) + 2
    for line, merge in zip(lines[2:], given_merges, strict=True):
        cells = line.split("|")
        assert len(cells) == 8
        assert cells[0] == cells[-1] == ""
        token = re.sub(r"^`|`$|</?code>", "", cells[4].strip())
        assert (unescape(token) if "<code>" in cells[4] else token) == visible(merge.token)


def test_what_markdown_would_take_for_its_own_stands_as_entities() -> None:
    assert in_markdown(b"*bold*") == "`*bold*`"
    assert in_markdown(b"`x`") == "<code>&#96;x&#96;</code>"
    assert in_markdown(b"a\\|") == "<code>a&#92;&#124;</code>"
