"""Giving up a corpus that has nothing to read yet: pipes without a writer, or an idle one."""

from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread, Timer

import pytest

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import count_corpus

from .corpus_reading import documents_of

PATIENCE = 300.0
"""Seconds after which a reader that does not give up is freed, so that its test can fail."""


def end_input(pipe: Path) -> None:
    """Let a reader of a pipe see its end."""
    with suppress(OSError):  # nobody reads
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    rescue = Timer(PATIENCE, end_input, [path])
    rescue.start()
    yield path
    rescue.cancel()
    rescue.join()


def after(calls: int) -> Callable[[], bool]:
    """Says no that often, then yes."""
    answers = iter([False] * calls)
    return lambda: next(answers, True)


def test_a_pipe_without_a_writer_can_be_given_up(pipe: Path) -> None:
    with pytest.raises(Cancelled):
        count_corpus(Corpus([pipe]), preset("gpt2"), cancelled=after(2))


def test_a_pipe_whose_writer_is_silent_can_be_given_up(pipe: Path) -> None:
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(pipe, os.O_WRONLY)
    os.write(writer, b"a beginning")
    rescue = Timer(PATIENCE, os.close, [writer])
    rescue.start()
    with pytest.raises(Cancelled):
        count_corpus(Corpus([pipe]), preset("gpt2"), cancelled=after(2))
    rescue.cancel()
    rescue.join()
    os.close(reader)
    os.close(writer)


def test_a_table_of_words_can_be_given_up(pipe: Path) -> None:
    table = pipe.rename(pipe.with_name("table.csv"))
    pipe.symlink_to(table)  # for the rescue
    with pytest.raises(Cancelled):
        count_corpus(Corpus([table]), preset("gpt2"), cancelled=after(2))


def test_standard_input_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    rescue = Timer(PATIENCE, os.close, [writer])
    rescue.start()
    with os.fdopen(reader, "r") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(Cancelled):
            count_corpus(Corpus(["-"]), preset("gpt2"), cancelled=after(2))
    rescue.cancel()
    rescue.join()
    os.close(writer)


def test_standard_input_that_is_no_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"low low")))
    blocks = Corpus(["-"]).blocks(lambda: pytest.fail("there is no need to wait"))
    assert documents_of(blocks) == [b"low low"]


def test_what_comes_late_is_read_whole(pipe: Path) -> None:
    text = b"line of a text\n" * 30_000
    asked = 0

    def write_late() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            writer.start()

    writer = Thread(target=pipe.write_bytes, args=[text])
    documents = documents_of(Corpus([pipe]).blocks(write_late))
    writer.join()
    assert asked >= 2
    assert documents == [text]


def test_where_files_cannot_be_waited_for_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows opens no file without blocking, and its `select` knows sockets only."""
    monkeypatch.delattr(os, "O_NONBLOCK")
    monkeypatch.delattr(select, "select")
    path = tmp_path / "text.txt"
    path.write_text("low lower")
    words = count_corpus(Corpus([path]), preset("whitespace"), cancelled=lambda: False)
    assert dict(words.items()) == {b"low": 1, b"lower": 1}
