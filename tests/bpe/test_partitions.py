"""A file that is cut into partitions has the words of the whole, whatever the partitions are."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from bpe_gui.bpe import partitions
from bpe_gui.bpe.cluster import Counted, Partition, count_partition, merge_counted, versions_here
from bpe_gui.bpe.corpus import Corpus, CorpusError, CorpusOptions
from bpe_gui.bpe.partitions import Part, parts_of
from bpe_gui.bpe.recipe import PRESETS, Recipe, preset
from bpe_gui.bpe.text_files import Place
from bpe_gui.bpe.words import WordCounts, count_corpus
from tests.bpe.corpus_reading import write
from tests.bpe.custom_recipes import custom_recipes
from tests.bpe.test_pre_tokenize import LONGER, TEXTS

DOCUMENTS = st.lists(
    (TEXTS | LONGER).map(lambda text: text.replace("\0", "")), min_size=1, max_size=5
)
LINES = CorpusOptions(documents="line")


def _json(documents: list[str], ending: str) -> bytes:
    records = [json.dumps({"text": text}, ensure_ascii=False) for text in documents]
    return ending.join(records).encode()


def _stream(documents: list[str]) -> bytes:
    table = pa.table({"text": documents})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


Write = Callable[[Path, list[str]], object]
FORMS: dict[str, tuple[str, CorpusOptions, Write]] = {
    "file": ("a.txt", CorpusOptions(), lambda p, d: write(p, "".join(d))),
    "mark": ("a.txt", CorpusOptions(), lambda p, d: write(p, "".join(["\ufeff", *d]))),
    "wrong bytes": (
        "a.txt",
        CorpusOptions(replace_errors=True),
        lambda p, d: write(p, b"a\xe4\xb8 \n\xff".join(t.encode() for t in d) + b"\n\xe4\xb8"),
    ),
    "UTF-16": ("a.txt", CorpusOptions(), lambda p, d: write(p, "".join(d).encode("utf-16"))),
    "packed": ("a.gz", CorpusOptions(), lambda p, d: write(p, gzip.compress("".join(d).encode()))),
    "lines": ("a.txt", LINES, lambda p, d: write(p, "\n".join(d))),
    "lines of Windows": ("a.txt", LINES, lambda p, d: write(p, "\r\n".join([*d, ""]))),
    "records": ("a.jsonl", CorpusOptions(), lambda p, d: write(p, _json(d, "\n"))),
    "records of Windows": ("a.jsonl", CorpusOptions(), lambda p, d: write(p, _json(d, "\r\n\n"))),
    "Parquet": (
        "a.parquet",
        CorpusOptions(),
        lambda p, d: parquet.write_table(pa.table({"text": d}), p, row_group_size=2),
    ),
    "Arrow": (
        "a.arrow",
        CorpusOptions(),
        lambda p, d: feather.write_feather(pa.table({"text": d}), p, chunksize=1),
    ),
    "Arrow stream": ("a.arrow", CorpusOptions(), lambda p, d: write(p, _stream(d))),
}


def counted_part(path: Path, options: CorpusOptions, recipe: Recipe, part: Part) -> Counted:
    partition = Partition(Place(path), None, part)
    return count_partition(partition, options, recipe, True, versions_here())


def counted_apart(
    path: Path, options: CorpusOptions, recipe: Recipe, largest: int, at_once: int
) -> WordCounts:
    """Count the partitions of a file, and merge so many at once."""
    parts = parts_of(path.stat().st_size, largest, recipe)
    counted = [counted_part(path, options, recipe, part) for part in parts]
    while len(counted) > 1:
        groups = range(0, len(counted), at_once)
        counted = [merge_counted(counted[begin : begin + at_once], True) for begin in groups]
    return counted[0].words


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=settings.default.max_examples // 3)
@given(
    documents=DOCUMENTS,
    recipe=st.sampled_from(list(PRESETS.values())) | custom_recipes(),
    window=st.sampled_from([1, 2, 5, 16, 64]),
    number=st.integers(1, 6),
    at_once=st.integers(2, 4),
)
def test_partitions_do_not_matter(
    tmp_path_factory: pytest.TempPathFactory,
    form: str,
    documents: list[str],
    recipe: Recipe,
    window: int,
    number: int,
    at_once: int,
) -> None:
    name, options, write_form = FORMS[form]
    path = tmp_path_factory.mktemp("parts") / name
    write_form(path, ["low lower", *documents])
    whole = count_corpus(Corpus([path], options), recipe)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partitions, "WINDOW", window)
        apart = counted_apart(path, options, recipe, path.stat().st_size // number + 1, at_once)
    assert list(apart.items()) == list(whole.items())


@pytest.mark.parametrize("window", range(1, 8))
@pytest.mark.parametrize("name", ["gpt2", "gpt4", "o200k"])
def test_a_window_may_begin_within_a_character(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, window: int
) -> None:
    path = write(tmp_path / "a.txt", "a\u3000\nb\u3000\n1 c.\n\nd\u3000\u3000\ne")
    whole = count_corpus(Corpus([path]), preset(name))
    monkeypatch.setattr(partitions, "WINDOW", window)
    apart = counted_apart(path, CorpusOptions(), preset(name), 1, 2)
    assert list(apart.items()) == list(whole.items())


@pytest.mark.parametrize("name", PRESETS)
def test_long_texts_are_really_cut(tmp_path: Path, name: str) -> None:
    recipe = preset(name)
    lines = [f"word{index % 5000} x{index}, 漢字 don't" for index in range(20_000)]
    path = write(tmp_path / "long.txt", "\n".join(lines))
    size = path.stat().st_size
    parts = parts_of(size, size // 3, recipe)
    counted = [counted_part(path, CorpusOptions(), recipe, part) for part in parts]
    assert len(parts) == 3
    assert all(found.has_text for found in counted) == (name != "raw")
    whole = count_corpus(Corpus([path]), recipe)
    assert list(merge_counted(counted, True).words.items()) == list(whole.items())


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", b"word\n" * 50_000 + b"\xff", "no character for 0xFF at byte offset 250000"),
        (
            "a.jsonl",
            b'{"text": "low"}\n' * 10_000 + b'{"text"}',
            "a.jsonl, after byte 131,072, line 1808: this is no JSON",
        ),
    ],
)
def test_what_is_wrong_in_the_middle_is_found(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(CorpusError, match=sentence):
        counted_apart(path, CorpusOptions(), preset("gpt2"), 1, 2)


def test_a_worker_that_splits_otherwise_is_refused(tmp_path: Path) -> None:
    partition = Partition(Place(write(tmp_path / "a.txt", "low")), 3)
    with pytest.raises(CorpusError, match=r"a worker has bpe-gui .*, but here are others"):
        count_partition(partition, CorpusOptions(), preset("gpt2"), True, "others")
