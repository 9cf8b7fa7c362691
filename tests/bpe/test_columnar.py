"""Parquet and Arrow files as corpora."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from bpe_gui.bpe.corpus import Corpus, CorpusOptions
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import count_corpus

from .corpus_reading import error_of, read_corpus, write

TEXTS = ["low lower", "", "newest\nwidest", None, "été 漢字 😀"]
READ = [text for text in TEXTS if text is not None]


def _stream(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)


WRITERS: dict[str, Callable[[pa.Table, Path], object]] = {
    "a.parquet": parquet.write_table,
    "groups.parquet": lambda table, path: parquet.write_table(table, path, row_group_size=2),
    "a.feather": feather.write_feather,
    "plain.feather": lambda table, path: feather.write_feather(
        table, path, compression="uncompressed"
    ),
    "stream.arrow": _stream,
}
each_file = pytest.mark.parametrize("name", WRITERS)
TYPES = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.binary()]


def written(folder: Path, name: str, table: pa.Table) -> Path:
    WRITERS[name](table, folder / name)
    return folder / name


@each_file
@pytest.mark.parametrize("kind", TYPES, ids=str)
def test_each_text_is_a_document(tmp_path: Path, name: str, kind: pa.DataType) -> None:
    column = pa.array(TEXTS, pa.string()).cast(kind)
    path = written(tmp_path, name, pa.table({"id": range(5), "text": column}))
    assert read_corpus([path]) == READ
    corpus = Corpus([path])
    assert [*corpus.blocks()][-1].bytes_read == corpus.size == path.stat().st_size


@each_file
@settings(max_examples=settings.default.max_examples // 3)
@given(texts=st.lists(st.text(max_size=20), max_size=30))
def test_words_are_those_of_the_same_texts_in_memory(
    tmp_path_factory: pytest.TempPathFactory, name: str, texts: list[str]
) -> None:
    texts = [*texts, "low"]
    path = written(tmp_path_factory.mktemp("column"), name, pa.table({"text": texts}))
    assert read_corpus([path]) == texts


@each_file
def test_a_column_that_is_named(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, pa.table({"body": ["low"], "id": [1]}))
    assert read_corpus([path], CorpusOptions(json_field="body")) == ["low"]
    assert "there is no column 'text', but there is 'body', 'id'" in error_of([path])
    sentence = error_of([path], CorpusOptions(json_field="id"))
    assert f"{path}: the column 'id' holds no text but int64" in sentence


@each_file
def test_bytes_that_are_no_text(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, pa.table({"text": [b"low", b"\xff"]}))
    assert "has bytes that are no UTF-8" in error_of([path])
    assert read_corpus([path], CorpusOptions(replace_errors=True)) == ["low", "\ufffd"]


@each_file
def test_a_damaged_file_is_one_sentence(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, pa.table({"text": ["low lower"] * 1000}))
    whole = path.read_bytes()
    for size in (8, 100, len(whole) // 2):
        assert error_of([write(path, whole[:size])]).startswith(f"{path} cannot be read: ")


def test_a_folder_mixes_all_forms(tmp_path: Path) -> None:
    written(tmp_path, "a.parquet", pa.table({"text": ["one"]}))
    write(tmp_path / "b.txt", b"two")
    write(tmp_path / "c.jsonl", b'{"text": "three"}')
    written(tmp_path, "stream.arrow", pa.table({"text": ["four"]}))
    assert read_corpus([tmp_path]) == ["one", "two", "three", "four"]
    words = count_corpus(Corpus([tmp_path]), preset("gpt2"))
    assert [word for word, _ in words.items()] == [b"one", b"two", b"three", b"four"]


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "a.parquet", pa.table({"text": ["one"]}))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install 'bpe-gui[data]'" in error_of([path])
