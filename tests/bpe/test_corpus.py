"""Corpora: files, tables of word counts, samples, and what cannot be read."""

from __future__ import annotations

import builtins
import gzip
import os
import re
import sys
import sysconfig
import tracemalloc
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest
import regex

from bpe_gui.bpe import text_files
from bpe_gui.bpe.corpus import SAMPLES, Corpus, CorpusError, CorpusOptions, sample
from bpe_gui.folders import resource

from .corpus_reading import documents_of, error_of, read_corpus, write

LINES = CorpusOptions(documents="line")


@pytest.fixture
def open_files(monkeypatch: pytest.MonkeyPatch) -> list[IO[bytes]]:
    """The files that reading has opened."""
    files: list[IO[bytes]] = []

    def remembering_open(*arguments: Any, **options: Any) -> IO[bytes]:
        files.append(builtins.open(*arguments, **options))  # noqa: SIM115 - watched, not used
        return files[-1]

    monkeypatch.setattr(text_files, "open", remembering_open, raising=False)
    return files


# -- files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("block_size", [1, 3, None])
def test_files_in_the_given_order(tmp_path: Path, block_size: int | None) -> None:
    second = write(tmp_path / "b.txt", "naïve\n")
    first = write(tmp_path / "a.txt", b"\xff\xfe" + "one\r\ntwo".encode("utf-16-le"))
    empty = write(tmp_path / "empty.txt", "")
    names: list[str | Path] = [str(second), first, empty]
    assert read_corpus(names, None, block_size) == ["naïve\n", "one\r\ntwo", ""]
    assert read_corpus(names, LINES, block_size) == ["naïve", "one", "two"]
    assert read_corpus([second, second], None, block_size) == ["naïve\n", "naïve\n"]


def test_bytes_of_utf8_files_are_unchanged(tmp_path: Path) -> None:
    data = "a\r\n\u2028é\0\ufeff".encode() * 100_000
    path = write(tmp_path / "text", b"x" * 9000 + data)
    corpus = Corpus([path])
    blocks = list(corpus.blocks())
    assert b"".join(block.text for block in blocks) == b"x" * 9000 + data
    assert max(len(block.text) for block in blocks) <= 1 << 20
    assert blocks[-1].bytes_read == corpus.size == len(data) + 9000
    assert list(map(len, documents_of(corpus.blocks()))) == [len(data) + 9000]


def test_names_for_titles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "folder" / "a.txt", "a")
    assert Corpus([file]).name == "a.txt"
    assert Corpus([file, file]).name == "2 files"
    assert Corpus([file, tmp_path]).name == "2 sources"
    assert Corpus([tmp_path / "folder"]).name == "folder"
    assert Corpus(["-"]).name == "standard input"
    assert Corpus([file], name="Mine").name == "Mine"
    monkeypatch.chdir(tmp_path / "folder")
    assert Corpus(["."]).name == "folder"
    assert Corpus(["/"]).name == "/"


def test_reading_a_large_file_holds_little(tmp_path: Path) -> None:
    path = write(tmp_path / "large.txt", "wörds and words\n" * 700_000)
    tracemalloc.start()
    try:
        for _ in Corpus([path], LINES).blocks():
            pass
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 11_000_000
    assert peak < 4_000_000


def test_one_huge_line(tmp_path: Path) -> None:
    path = write(tmp_path / "line.txt", b"ab" * 2_000_000)
    corpus = Corpus([path], LINES)
    assert [len(document) for document in documents_of(corpus.blocks())] == [4_000_000]
    assert sum(1 for _ in corpus.blocks()) > 3


def test_stopping_early_closes_the_file(tmp_path: Path, open_files: list[IO[bytes]]) -> None:
    text = write(tmp_path / "a.txt", b"text " * 200_000)
    packed = write(tmp_path / "a.gz", gzip.compress(os.urandom(300_000).hex().encode()))
    table = write(tmp_path / "a.csv", "word,count\nlow,5\nlower,2\n")
    streams: list[Generator[object, None, None]] = [
        Corpus([text]).blocks(),
        Corpus([packed]).blocks(),
        Corpus([table]).counted_words(),
    ]
    for stream in streams:
        next(stream)
        assert not open_files[-1].closed
        stream.close()
        assert open_files[-1].closed
    assert len(open_files) == 3


def test_errors_close_the_file(tmp_path: Path, open_files: list[IO[bytes]]) -> None:
    with pytest.raises(CorpusError):
        read_corpus(write(tmp_path / "a.txt", b"\xff"))
    assert [file.closed for file in open_files] == [True]


def test_nothing_is_opened_before_it_is_read(tmp_path: Path, open_files: list[IO[bytes]]) -> None:
    corpus = Corpus([write(tmp_path / "a.txt", "a"), tmp_path / "missing.txt"])
    blocks = corpus.blocks()
    assert not open_files
    assert next(blocks).text == b"a"
    with pytest.raises(CorpusError, match="missing"):
        next(blocks)


# -- what cannot be read -------------------------------------------------------------------


def test_missing_files(tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    message = f"there is no file or folder {missing}; check the name"
    assert error_of([missing]) == message
    with pytest.raises(CorpusError, match=re.escape(message)):
        _ = Corpus([missing]).size
    table = tmp_path / "missing.csv"
    with pytest.raises(CorpusError, match=re.escape(str(table))):
        list(Corpus([table]).counted_words())


def test_names_that_the_system_refuses(tmp_path: Path) -> None:
    assert "embedded null" in error_of(["a\0b"])
    assert "name too long" in error_of(["x" * 5000])
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert error_of([loop]).startswith(f"cannot read {loop}: too many levels of symbolic links")
    file = write(tmp_path / "file", "a")
    inside = file / "in it"
    assert error_of([inside]) == f"cannot read {inside}: not a directory; name another"


def test_unreadable_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing_open(*_arguments: Any, **_options: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(text_files, "open", refusing_open, raising=False)
    path = write(tmp_path / "a.txt", "a")
    message = (
        f"cannot read {path}: permission denied; get permission to read it, or name another"
    )
    assert error_of([path]) == message
    assert error_of([tmp_path]) == message


def test_unreadable_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing_listdir(_path: Path) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refusing_listdir)
    assert error_of([tmp_path]).startswith(f"cannot read the folder {tmp_path}: ")


def test_read_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing_read(_size: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read1=failing_read)))
    assert error_of(["-"]) == (
        "cannot read standard input: input/output error; check its disk or connection, "
        "or name another"
    )


def test_empty_corpora(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.txt", "")
    blank = write(tmp_path / "blank.txt", b"\xef\xbb\xbf\n\n")
    assert error_of([empty]) == f"{empty}: there is no text in it; name something to read"
    assert error_of([blank, empty], LINES).startswith("2 files: there is no text in it;")
    assert read_corpus([blank, empty]) == ["\n\n", ""]
    with pytest.raises(CorpusError, match="there is nothing to read; name a file or a folder"):
        Corpus([])


def test_binary_files(tmp_path: Path) -> None:
    binary = write(tmp_path / "image.png", b"\x89PNG\r\n\0\0")
    assert error_of([binary]) == (
        f"{binary} is not a text file, because it has NUL bytes; name a text, or name the "
        "encoding it is written in"
    )
    unmarked = write(tmp_path / "text", "ab".encode("utf-16-le"))
    assert read_corpus([unmarked], CorpusOptions(encoding="utf-16-le")) == ["ab"]
    late = write(tmp_path / "late.txt", b"x" * 8192 + b"\0")
    assert read_corpus(late) == ["x" * 8192 + "\0"]


def test_bytes_that_do_not_decode(tmp_path: Path) -> None:
    path = write(tmp_path / "latin.txt", "x" * 300_000 + "é")
    path.write_bytes(path.read_text("utf-8").encode("latin-1"))
    assert error_of([path]).startswith(f"{path} cannot be read as utf-8: ")
    assert "at byte offset 300000" in error_of([path])
    assert read_corpus([path], CorpusOptions(encoding="latin-1")) == ["x" * 300_000 + "é"]
    replaced = read_corpus([path], CorpusOptions(replace_errors=True))
    assert replaced == ["x" * 300_000 + "\ufffd"]


def test_options_are_checked() -> None:
    with pytest.raises(CorpusError, match="a document is a file or a line, not 'page'"):
        CorpusOptions(documents="page")  # type: ignore[arg-type]


# -- tables of word counts -----------------------------------------------------------------


def test_tables_of_word_counts(tmp_path: Path) -> None:
    first = write(tmp_path / "a.csv", b"\xef\xbb\xbfword,count\r\nlow,5\r\nlow,1\r\n")
    second = write(tmp_path / "b.TSV", "word\tcount\nö\t2".encode("utf-16"))
    corpus = Corpus([first, second])
    assert corpus.word_counts
    told: list[int] = []
    assert list(corpus.counted_words(told.append)) == [("low", 5), ("low", 1), ("ö", 2)]
    assert told[-1] == corpus.size
    assert told == sorted(told)
    with pytest.raises(RuntimeError, match="use counted_words"):
        next(corpus.blocks())
    with pytest.raises(RuntimeError, match="use blocks"):
        next(Corpus([tmp_path]).counted_words())


def test_counts_of_several_tables_that_64_bits_cannot_add_up(tmp_path: Path) -> None:
    rows = "".join(f"{'word' * 25}{i},{2**53}\n" for i in range(3))
    tables = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for table in tables:
        table.write_text(f"word,count\n{rows}")
    assert len(list(Corpus(tables[:1]).counted_words())) == 3
    with pytest.raises(CorpusError, match=r"b\.csv, line 4: "):
        list(Corpus(tables).counted_words())


def test_tables_and_texts_cannot_be_mixed(tmp_path: Path) -> None:
    table = write(tmp_path / "a.csv", "word,count\nlow,5\n")
    for other in ("-", write(tmp_path / "a.txt", "a"), tmp_path):
        with pytest.raises(
            CorpusError, match=rf"^{table} holds word counts, which cannot be mixed"
        ):
            Corpus([other, table])


def test_tables_with_errors(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "word,count\nlow,five\n")
    with pytest.raises(CorpusError, match=rf"^{path}, line 2: .*'low'"):
        list(Corpus([path]).counted_words())
    write(path, "word,count\n")
    with pytest.raises(CorpusError, match=r"/a\.csv: there are no words in it; add rows below"):
        list(Corpus([path]).counted_words())
    write(path, b"PK\0\0")
    with pytest.raises(CorpusError, match="is not a text file"):
        list(Corpus([path]).counted_words())


def test_a_folder_may_be_called_like_a_table(tmp_path: Path) -> None:
    write(tmp_path / "texts.csv" / "a.txt", "a")
    assert not Corpus([tmp_path / "texts.csv"]).word_counts
    assert read_corpus(tmp_path / "texts.csv") == ["a"]


# -- samples -------------------------------------------------------------------------------


def test_samples_present_themselves() -> None:
    assert list(SAMPLES) == [
        *("four-words", "story-english", "story-russian", "scripts", "python-stdlib"),
    ]
    for name, info in SAMPLES.items():
        assert sample(name).name == info.title
        assert info.description
    with pytest.raises(CorpusError, match="unknown sample 'five-words'; the samples are four-"):
        sample("five-words")


def test_the_four_words() -> None:
    corpus = sample("four-words")
    assert corpus.word_counts
    expected = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]
    assert list(corpus.counted_words()) == expected


@pytest.mark.parametrize(("name", "script"), [("english", "Latin"), ("russian", "Cyrillic")])
def test_a_story_is_plain_prose_in_one_script(name: str, script: str) -> None:
    (document,) = documents_of(sample(f"story-{name}").blocks())
    text = document.decode()
    words = regex.findall(r"\p{L}+(?:['-]\p{L}+)*", text)
    assert 2_500 < len(words) < 3_500
    assert len(set(map(str.lower, words))) < len(words) / 3, "most words recur"
    assert not regex.search(rf"[^\p{{{script}}}\n .,:;!?—\"'-]", text), "no code and no markup"
    paragraphs = text.removesuffix("\n").split("\n\n")
    assert len(paragraphs) > 80
    assert not any("\n" in paragraph for paragraph in paragraphs)


def test_the_page_of_many_scripts() -> None:
    (document,) = documents_of(sample("scripts").blocks())
    text = document.decode()
    scripts = (
        *("Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari"),
        *("Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Thai"),
        *("Khmer", "Myanmar", "Ethiopic", "Han", "Hiragana", "Katakana", "Hangul"),
    )
    for script in scripts:
        assert regex.search(rf"\p{{{script}}}", text), script
    for emoji in ("👩\u200d🚀", "👍🏽", "🇯🇵", "1\ufe0f\u20e3", "e\u0301", "def ", "٣", "\t"):
        assert emoji in text
    assert resource("samples", "scripts.txt").read_bytes() == document
    assert len(documents_of(sample("scripts", LINES).blocks())) == text.count("\n")


def test_the_standard_library() -> None:
    corpus = sample("python-stdlib")
    assert corpus.size is not None
    before = 0
    for block in corpus.blocks():
        assert block.bytes_read >= before
        before = block.bytes_read
    assert before == corpus.size
    folder = Path(sysconfig.get_path("stdlib"))
    assert corpus.size > (folder / "argparse.py").stat().st_size * 20
    names = [place.path for place in corpus._places(corpus._sources[0])]
    assert folder / "argparse.py" in names
    assert all(path and path.suffix == ".py" for path in names)
    assert not [path for path in names if path and "site-packages" in path.parts]


def test_the_standard_library_without_what_is_not_utf8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.py", "a = 'é'")
    write(tmp_path / "b.py", "b = 'é'".encode("latin-1"))
    write(tmp_path / "c.txt", "c")
    write(tmp_path / "site-packages" / "d.py", "d")
    write(tmp_path / "package" / "__pycache__" / "e.py", "e")
    write(tmp_path / "package" / "f.py", "f")
    monkeypatch.setattr(sysconfig, "get_path", lambda _name: str(tmp_path))
    corpus = sample("python-stdlib")
    blocks = list(corpus.blocks())
    assert documents_of(blocks) == ["a = 'é'".encode(), b"f"]
    assert blocks[-1].bytes_read == corpus.size
