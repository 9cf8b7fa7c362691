"""The forms a text may come in: gzip, JSON Lines, standard input, pipes."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.bpe.corpus import Corpus, CorpusError, CorpusOptions

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from .corpus_reading import documents_of, error_of, opened, read_corpus, write

LINES = CorpusOptions(documents="line")


# -- compressed files ----------------------------------------------------------------------

CHECKSUM = {zstd.CompressionParameter.checksum_flag: 1}
"""The program `zstd` writes one."""

PACKED = {
    "gzip": (gzip.compress, ".gz"),
    "bzip2": (bz2.compress, ".bz2"),
    "xz": (lzma.compress, ".xz"),
    "Zstandard": (partial(zstd.compress, options=CHECKSUM), ".zst"),
}
packed_in_each_way = pytest.mark.parametrize("way", PACKED)


@packed_in_each_way
@pytest.mark.parametrize("block_size", [1, 5, None])
def test_how_it_is_compressed_is_known_by_its_content(
    tmp_path: Path, way: str, block_size: int | None
) -> None:
    compress, ending = PACKED[way]
    data = compress(b"\xef\xbb\xbfone\n") + compress(b"") + compress(b"tw\xc3\xb6")
    for name in (f"a.txt{ending}", "a.txt", "a"):
        path = write(tmp_path / name, data)
        assert read_corpus([path], LINES, block_size) == ["one", "twö"]
    corpus = Corpus([path])
    assert [*corpus.blocks()][-1].bytes_read == corpus.size == len(data)
    write(path, compress("wide".encode("utf-16")))
    assert read_corpus([path], None, block_size) == ["wide"]


@packed_in_each_way
def test_packed_json_lines_and_tables(tmp_path: Path, way: str) -> None:
    compress, ending = PACKED[way]
    data = compress(b'{"body": "a"}\n{"body": "b"}')
    path = write(tmp_path / f"Records.JSONL{ending.upper()}", data)
    assert read_corpus([path], CorpusOptions(json_field="body")) == ["a", "b"]
    for name in ("words.tsv", "words.tab"):
        table = write(tmp_path / f"{name}{ending}", compress(b"word\tcount\nlow\t5\n"))
        assert list(Corpus([table]).counted_words()) == [("low", 5)]


@packed_in_each_way
def test_packed_data_that_are_cut_short_or_damaged(tmp_path: Path, way: str) -> None:
    compress, _ = PACKED[way]
    whole = compress(random.Random(1).randbytes(200_000).hex().encode())
    cut = write(tmp_path / "cut", whole[: len(whole) // 2])
    assert error_of([cut]).startswith(f"{cut} is truncated: its {way} data ends after ")
    wrong = bytearray(whole)
    wrong[len(wrong) // 2 : len(wrong) // 2 + 100] = bytes(100)
    damaged = write(tmp_path / "damaged", bytes(wrong))
    assert error_of([damaged]).startswith(f"{damaged} is damaged: its {way} data cannot be ")


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.zst", zstd.compress(b"low"))
    monkeypatch.setitem(sys.modules, zstd.__name__, None)
    monkeypatch.delattr(sys.modules["backports"], "zstd", raising=False)
    assert "pip install 'bpe-gui[data]'" in error_of([path])


@given(st.integers(3, 10_000), st.sampled_from([1, 7, 1 << 18]))
def test_gzip_that_is_cut_short(length: int, block_size: int) -> None:
    packed = gzip.compress(b"some text " * 10)
    length = 3 + length % (len(packed) - 3)
    with pytest.raises(CorpusError, match=r"^data is truncated: its gzip data ends after \d+"):
        list(opened(packed[:length], block_size).pieces(0))


def test_gzip_that_is_damaged(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(os.urandom(200_000).hex().encode()))
    packed[len(packed) // 2] ^= 0xFF
    damaged = write(tmp_path / "damaged.gz", bytes(packed))
    message = error_of([damaged])
    assert message.startswith(f"{damaged} is damaged: its gzip data cannot be unpacked near byte ")
    assert message.endswith("; get the file again")
    checksum = bytearray(gzip.compress(b"text"))
    checksum[-5] ^= 1
    assert "CRC check failed" in error_of([write(damaged, bytes(checksum))])
    assert "is damaged" in error_of([write(damaged, gzip.compress(b"text") + b"more")])
    header = b"\x1f\x8b\x08" + b"\0" * 7
    assert "is damaged" in error_of([write(damaged, header + b"\xff" * 100)])


def test_offsets_in_gzip_are_those_of_the_unpacked_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.gz", gzip.compress(b"abc\xff"))
    assert "at byte offset 3 of the unpacked text; name the encoding" in error_of([path])


def test_what_only_begins_like_gzip(tmp_path: Path) -> None:
    assert read_corpus(write(tmp_path / "a", b"\x1f")) == ["\x1f"]
    assert read_corpus(write(tmp_path / "a", "\u8b1f".encode("utf-16"))) == ["\u8b1f"]
    options = CorpusOptions(encoding="utf-16-le")
    assert read_corpus([write(tmp_path / "a", "\u8b1f".encode("utf-16-le"))], options) == ["\u8b1f"]


# -- JSON Lines ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "A.NdJson"])
@pytest.mark.parametrize("options", [CorpusOptions(), LINES])
def test_json_lines(tmp_path: Path, name: str, options: CorpusOptions) -> None:
    """A record is a document, also if documents are lines."""
    records = [{"text": "one\ntwo"}, {"text": ""}, {"text": "drei"}]
    path = write(tmp_path / name, "\n".join(map(json.dumps, records)))
    assert read_corpus([path], options) == ["one\ntwo", "", "drei"]


def test_json_lines_in_utf16(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "é"}\r\n'.encode("utf-16"))
    assert read_corpus(path) == ["é"]


def test_bad_json_lines_name_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "a"}\n{"content": "b"}\n')
    assert error_of([path]).startswith(f"{path}, line 2: ")
    assert "'content'" in error_of([path])


# -- standard input ------------------------------------------------------------------------


def standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "a.txt", "a")
    for data in (b"one\ntwo\n", gzip.compress(b"one\ntwo\n")):
        standard_input(monkeypatch, data)
        assert read_corpus([file, "-"], LINES) == ["a", "one", "two"]
        assert not sys.stdin.buffer.closed
    assert Corpus([file, "-"]).size is None
    standard_input(monkeypatch, b"")
    assert error_of(["-"]).startswith("standard input: there is no text in it")


def test_standard_input_is_not_asked_again_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a terminal the end is a key pressed once."""
    answers = [b"a", b"bc\n", b"d", b""]
    buffer = SimpleNamespace(read1=lambda _size: answers.pop(0))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer))
    assert read_corpus(["-"]) == ["abc\nd"]


def test_standard_input_is_not_called_empty_when_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    standard_input(monkeypatch, b"text")
    corpus = Corpus(["-"])
    assert documents_of(corpus.blocks()) == [b"text"]
    with pytest.raises(CorpusError, match=r"^standard input can be read only once; .* a file"):
        documents_of(corpus.blocks())


def test_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert error_of(["-"]) == "there is no standard input to read; name a file instead"
    with pytest.raises(CorpusError, match="standard input can be read only once"):
        Corpus(["-", "-"])


def test_pipes_have_no_size() -> None:
    receiver, sender = os.pipe()
    try:
        os.write(sender, b"piped")
        os.close(sender)
        corpus = Corpus([f"/dev/fd/{receiver}"])
        assert corpus.size is None
        assert documents_of(corpus.blocks()) == [b"piped"]
    finally:
        os.close(receiver)
