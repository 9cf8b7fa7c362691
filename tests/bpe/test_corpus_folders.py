"""Folders: which of their files are read, in which order."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from bpe_gui.analysis.corpus_beginning import read_corpus_beginning
from bpe_gui.bpe.corpus import Corpus, CorpusError
from bpe_gui.bpe.errors import Cancelled

from .corpus_reading import documents_of, error_of, read_corpus, write


def test_folders_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    write(tmp_path / "b" / "2.txt", "third")
    write(tmp_path / "b" / "1.md", "second")
    write(tmp_path / "c", "fourth")
    write(tmp_path / "a.txt", "first")
    write(tmp_path / "b" / "3" / "deep" / "x", "deep")
    write(tmp_path / "B.jsonl", '{"text": "capital"}')
    write(tmp_path / "table.csv", "not a table here")
    expected = ["capital", "first", "second", "third", "deep", "fourth", "not a table here"]
    assert read_corpus(tmp_path) == expected
    assert not Corpus([tmp_path]).word_counts
    assert read_corpus([tmp_path / "c", tmp_path / "b"]) == ["fourth", "second", "third", "deep"]


def test_folders_leave_out_what_is_no_text(tmp_path: Path) -> None:
    write(tmp_path / "binary", b"GIF\0" * 500_000)
    write(tmp_path / "packed-binary.gz", gzip.compress(b"tar\0"))
    write(tmp_path / ".hidden.txt", "hidden")
    write(tmp_path / ".git" / "config", "hidden")
    write(tmp_path / "wide.txt", "wide".encode("utf-16"))
    write(tmp_path / "packed.gz", gzip.compress(b"packed"))
    write(tmp_path / "last" / "empty", "")
    os.mkfifo(tmp_path / "pipe")
    corpus = Corpus([tmp_path])
    blocks = list(corpus.blocks())
    assert documents_of(blocks) == [b"", b"packed", b"wide"]
    # What is left out counts as read, so that progress ends at the full size.
    assert blocks[-1].bytes_read == corpus.size
    hidden = write(tmp_path / ".named" / "a.txt", "wanted")
    assert read_corpus(hidden.parent) == ["wanted"]


def test_a_folder_without_text_files(tmp_path: Path) -> None:
    message = f"the folder {tmp_path} has no text files; name another one"
    assert error_of([tmp_path]) == message
    write(tmp_path / "binary", b"\0")
    write(tmp_path / ".hidden", "text")
    (tmp_path / "empty").mkdir()
    assert error_of([tmp_path]) == message


def test_a_file_that_goes_while_its_folder_is_read_is_named(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "low")
    gone = write(tmp_path / "b.txt", "lower")
    blocks = Corpus([tmp_path]).blocks()
    next(blocks)
    gone.unlink()
    with pytest.raises(CorpusError, match=r"cannot read .*b\.txt: no such file or directory"):
        list(blocks)


def test_links_are_followed_once(tmp_path: Path) -> None:
    write(tmp_path / "corpus" / "z.txt", "z")
    write(tmp_path / "elsewhere" / "y.txt", "y")
    write(tmp_path / "single.txt", "single")
    corpus = tmp_path / "corpus"
    (corpus / "loop").symlink_to(corpus)
    (corpus / "itself").symlink_to(corpus / "itself")
    (corpus / "nowhere").symlink_to(corpus / "missing")
    (corpus / "a").symlink_to(tmp_path / "elsewhere")
    (corpus / "b").symlink_to(tmp_path / "elsewhere")
    (corpus / "c").symlink_to(tmp_path / "single.txt")
    (tmp_path / "elsewhere" / "back").symlink_to(corpus)
    assert read_corpus(corpus) == ["y", "single", "z"]


def test_looking_through_a_folder_for_its_size_can_be_given_up(tmp_path: Path) -> None:
    for number in range(5):
        write(tmp_path / f"{number}.txt", "text")
    corpus = Corpus([tmp_path])
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        corpus.find_size(check)
    assert asked == 3
    assert corpus.size == 20
    write(tmp_path / "5.txt", "text")
    assert corpus.find_size(check) == 20, "it is remembered"
    assert asked == 3
    with pytest.raises(Cancelled):
        read_corpus_beginning(Corpus([tmp_path]), lambda: True)
