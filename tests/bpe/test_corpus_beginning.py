"""The beginning of a file, as it is looked at."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.corpus import CorpusError, CorpusOptions
from bpe_gui.bpe.text_files import read_beginning


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), st.integers(0, 40))
def test_as_many_whole_characters_as_there_is_room_for(
    tmp_path_factory: pytest.TempPathFactory, text: str, most: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "text"
    path.write_bytes(text.encode("utf-8"))
    beginning, whole = read_beginning(path, most)
    text = text.removeprefix("\ufeff")  # the mark of the encoding
    assert text.startswith(beginning)
    assert whole == (beginning == text)
    assert len(beginning.encode()) <= most
    rest = text[len(beginning) :]
    assert whole or len((beginning + rest[0]).encode()) > most


def test_no_more_is_read_than_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "damaged.gz"
    data = gzip.compress(os.urandom(3_000_000).hex().encode())
    path.write_bytes(data[: len(data) // 2])
    beginning, whole = read_beginning(path, 1000)
    assert len(beginning) == 1000
    assert not whole


def test_what_cannot_be_shown(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"no file that can be shown"):
        read_beginning(tmp_path, 10)
    with pytest.raises(CorpusError, match=r"cannot read .*nothing"):
        read_beginning(tmp_path / "nothing", 10)
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    with pytest.raises(CorpusError, match=r"0xE9|middle of a character"):
        read_beginning(tmp_path / "latin.txt", 10)
    assert read_beginning(tmp_path / "latin.txt", 10, CorpusOptions(encoding="latin-1")) == (
        "café",
        True,
    )
