"""Corpora by their URLs."""

from __future__ import annotations

import gzip
import io
import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import fsspec
import pyarrow as pa
import pytest
from fsspec.asyn import get_loop
from pyarrow import feather, parquet

from bpe_gui.bpe.cluster import Partition, count_partition, merge_counted, versions_here
from bpe_gui.bpe.corpus import Corpus, CorpusOptions
from bpe_gui.bpe.partitions import parts_of
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.remote_files import Url, is_seekable, path_or_url
from bpe_gui.bpe.text_files import Place
from bpe_gui.bpe.words import count_corpus, save_words
from tests.bpe.corpus_reading import error_of, read_corpus, write
from tests.encodings.hub_server import Hub, serving

TEXT = "".join(f"word{index % 5003} x{index} don't\n" for index in range(20_000))


class Without:
    """Finds no library of that name, as if it were not installed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.split(".")[0] == self._name:
            raise ModuleNotFoundError(f"No module named {self._name!r}", name=self._name)


def parquet_of(texts: list[str]) -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table({"text": texts}), file, row_group_size=2)
    return file.getvalue()


def arrow_of(texts: list[str]) -> bytes:
    file = io.BytesIO()
    feather.write_feather(pa.table({"text": texts}), file)
    return file.getvalue()


FILES = {
    "a.txt": (b"\xef\xbb\xbflow lower", ["low lower"]),
    "a.txt.gz": (gzip.compress(TEXT.encode()), [TEXT]),
    "a.jsonl": (b'{"text": "low"}\n{"text": "lower"}', ["low", "lower"]),
    "a.parquet": (parquet_of(["low", "lower", "newest"]), ["low", "lower", "newest"]),
    "a.arrow": (arrow_of(["low", "lower"]), ["low", "lower"]),
    "long.txt": (TEXT.encode(), [TEXT]),
}


@pytest.fixture(scope="module", autouse=True)
def _thread_for_all() -> None:
    """fsspec has a thread that stays for good from the first URL on."""
    get_loop()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving(Hub({name: content for name, (content, _) in FILES.items()})) as hub:
        yield hub


@pytest.fixture
def bucket() -> Iterator[str]:
    """A folder of a storage."""
    storage = fsspec.filesystem("memory")
    for name in ("b.txt", "a/d.txt", "a/c.txt", ".hidden", "a/.git/x", "picture.png", "z.jsonl"):
        text = json.dumps({"text": name}) if name.endswith("jsonl") else name
        storage.pipe(f"/bucket/{name}", b"\0" if name == "picture.png" else text.encode())
    yield "memory://bucket"
    storage.rm("/bucket", recursive=True)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_file_of_a_web_server(web: Hub, name: str, knows_ranges: bool) -> None:
    web.knows_ranges = knows_ranges
    url = f"{web.address}/{name}"
    if not knows_ranges and name in ("a.parquet", "a.arrow"):
        assert "its server sends files from the start only" in error_of([url])
        return
    assert read_corpus([url]) == FILES[name][1]
    corpus = Corpus([url])
    assert [*corpus.blocks()][-1].bytes_read == corpus.size == len(FILES[name][0])
    assert (corpus.name, corpus.sources) == (name, (url,))


def test_a_file_is_streamed_in_one_request(web: Hub) -> None:
    read_corpus([f"{web.address}/long.txt"])
    assert web.requests == 3  # what there is, for the list of files and to open it; the text


def test_words_by_url_train_as_the_corpus(web: Hub, tmp_path: Path) -> None:
    recipe = preset("gpt2")
    words = count_corpus(Corpus([f"{web.address}/long.txt"]), recipe)
    save_words(words, recipe, tmp_path / "words.parquet")
    web.files["words.parquet"] = (tmp_path / "words.parquet").read_bytes()
    found = count_corpus(Corpus([f"{web.address}/words.parquet"]), recipe)
    assert list(found.items()) == list(words.items())


def test_a_folder_and_a_pattern(bucket: str) -> None:
    assert read_corpus([bucket]) == ["a/c.txt", "a/d.txt", "b.txt", "z.jsonl"]
    assert read_corpus([f"{bucket}/a/*"]) == ["a/c.txt", "a/d.txt"]
    assert read_corpus([f"{bucket}/b.txt", f"{bucket}/a"]) == ["b.txt", "a/c.txt", "a/d.txt"]
    corpus = Corpus([bucket])
    count_corpus(corpus, preset("gpt2"))
    assert corpus.warning == "1 file is not text and was skipped: picture.png."


@pytest.mark.parametrize("name", ["long.txt", "a.parquet", "a.jsonl", "a.txt.gz"])
def test_parts_of_a_file_of_a_web_server(web: Hub, name: str) -> None:
    url, recipe = Url(f"{web.address}/{name}"), preset("gpt2")
    counted = [
        count_partition(
            Partition(Place(url), None, part), CorpusOptions(), recipe, True, versions_here()
        )
        for part in parts_of(len(FILES[name][0]), 1, recipe)
    ]
    whole = count_corpus(Corpus([url.address]), recipe)
    assert list(merge_counted(counted, True).words.items()) == list(whole.items())


def test_whether_parts_can_be_read(web: Hub, bucket: str) -> None:
    url = Url(f"{web.address}/long.txt")
    assert is_seekable(url)
    web.knows_ranges = False
    assert not is_seekable(url)
    assert is_seekable(Url(f"{bucket}/b.txt"))


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("s3fs", "a library for it is missing (Install s3fs to access S3); install it"),
        (
            "fsspec",
            "a library for it is missing (No module named 'fsspec'); install it by "
            "pip install 'bpe-gui[cluster]'",
        ),
    ],
)
def test_a_missing_library_is_to_be_installed(
    monkeypatch: pytest.MonkeyPatch, missing: str, told: str
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Without(missing), *sys.meta_path])
    assert error_of(["s3://bucket/a.txt"]) == f"cannot read s3://bucket/a.txt: {told}"


def test_what_cannot_be_read_is_one_sentence(web: Hub, bucket: str) -> None:
    missing = f"{web.address}/missing.txt"
    assert error_of([missing]) == f"there is no file or folder {missing}; check the name"
    assert "there is no file or folder memory://" in error_of(["memory://nowhere/a.txt"])
    assert f"there is no file or folder {bucket}/x*" in error_of([f"{bucket}/x*"])
    assert "cannot read foo://a.txt: protocol not known" in error_of(["foo://a.txt"])
    web.drops = 1
    assert f"cannot read {web.address}/long.txt: " in error_of([f"{web.address}/long.txt"])
    assert "cannot read http://127.0.0.1:1/a.txt: cannot connect" in error_of(
        ["http://127.0.0.1:1/a.txt"]
    )
    web.files["damaged.parquet"] = FILES["a.parquet"][0][:50]
    damaged = f"{web.address}/damaged.parquet"
    assert error_of([damaged]).startswith(f"{damaged} cannot be read: ")


def test_a_server_that_is_not_found_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(_: str) -> NoReturn:
        try:
            raise socket.gaierror(-2, "Name or service not known")
        except OSError as error:
            raise ValueError("[Errno -2] Name or service not known") from error

    monkeypatch.setattr("fsspec.core.url_to_fs", look_up)
    unknown = "simplecache::http://nowhere.invalid/a.txt"
    assert error_of([unknown]) == (
        f"cannot read {unknown}: its server is not found; check its address and the network "
        "connection, or name another"
    )


def test_what_is_here_by_that_name_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("memory:/a.txt"), "here")
    assert path_or_url("memory://a.txt") == Path("memory:/a.txt")
    assert read_corpus(["memory://a.txt"]) == ["here"]
    assert path_or_url("c://a.txt") == Path("c:/a.txt")
    assert path_or_url("a b://c") == Path("a b:/c")
