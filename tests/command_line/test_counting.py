"""Words are counted now and trained on later, with the merges of the corpus itself."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import fsspec
import psutil
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.recipe import PRESETS, Ties
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import count_corpus, save_words
from tests.command_line.program import assert_fails
from tests.encodings.runs import texts

CORPUS = "low lower  newest\n\n widest  don't été 12345\t漢字。 x\r\n" * 30


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_bytes(CORPUS.encode())
    return path


@pytest.mark.parametrize("preset", PRESETS)
def test_training_on_the_words_is_training_on_the_corpus(
    run, tmp_path: Path, corpus: Path, preset: str
) -> None:
    words = tmp_path / "words.parquet"
    result = run("count", corpus, "--preset", preset, "-o", words)
    assert result.out.endswith(" of them different\n")
    options = ("--preset", preset, "--merges", "60", "--events", "-")
    assert run("train", words, *options).out == run("train", corpus, *options).out


@given(
    preset=st.sampled_from(sorted(PRESETS)),
    ties=st.sampled_from(Ties),
    documents=st.lists(texts, min_size=1, max_size=4),
)
@settings(max_examples=4 * settings.default.max_examples)
def test_words_come_back_as_they_were_counted(
    tmp_path_factory: pytest.TempPathFactory, preset: str, ties: Ties, documents: list[str]
) -> None:
    recipe = PRESETS[preset].with_changes(ties=ties, merges=20, vocabulary_size=None)
    counted = count_corpus(Texts([*documents, "low lower"]), recipe)
    path = tmp_path_factory.mktemp("words") / "words.parquet"
    save_words(counted, recipe, path)
    found = count_corpus(Corpus([path]), recipe)
    assert list(found.items()) == list(counted.items())
    first, second = Trainer(counted, recipe), Trainer(found, recipe)
    first.advance(20)
    second.advance(20)
    assert first.history.equals(second.history)


def test_words_of_another_split_are_refused(run, tmp_path: Path, corpus: Path) -> None:
    words = tmp_path / "words.parquet"
    run("count", corpus, "--preset", "gpt2", "-o", words, "--quiet")
    assert_fails(run("train", words, "--preset", "gpt4"), "has words of the recipe gpt2")


def test_any_table_of_words_and_counts_is_a_corpus(run, tmp_path: Path) -> None:
    table = tmp_path / "table.parquet"
    rows = {"word": ["low", "lower", "newest", "widest"], "count": [5, 2, 6, 3], "id": [1, 2, 3, 4]}
    parquet.write_table(pa.table(rows), table)
    found = list(Corpus([table]).counted_words())
    assert found == list(zip(rows["word"], rows["count"], strict=True))
    told = run("train", table, "--preset", "whitespace", "--merges", "1", "--events", "-").out
    assert (json.loads(told)["left"], json.loads(told)["right"]) == ("e", "s")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ({"word": ["low", ""], "count": [1, 1]}, "row 2: a row is a word and a whole number"),
        ({"word": ["low"], "count": [0]}, "row 1: a row is a word and a whole number"),
        ({"word": ["low"], "count": [2**60]}, "row 1: a row is a word and a whole number"),
        ({"word": ["low"], "count": [None]}, "row 1: a row is a word and a whole number"),
        ({"word": [1], "count": [1]}, "hold no words and whole numbers but int64 and int64"),
        ({"word": [b"\xff"], "count": [1]}, "is no UTF-8"),
        ({"word": ["low"] * 1025, "count": [2**53] * 1025}, "the counts add up to too much"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(
    run, tmp_path: Path, rows: dict[str, list[object]], sentence: str
) -> None:
    table = tmp_path / "table.parquet"
    parquet.write_table(pa.table(rows), table)
    result = run("train", table, "--preset", "whitespace")
    assert_fails(result, sentence)
    assert str(table) in result.err


def test_a_corpus_by_its_url(run, tmp_path: Path, corpus: Path) -> None:
    storage = fsspec.filesystem("memory")
    storage.pipe("/novel.txt", corpus.read_bytes())
    words = tmp_path / "words.parquet"
    options = ("--preset", "gpt2", "--merges", 9, "--events", "-")
    run("count", "memory://novel.txt", "--preset", "gpt2", "-o", words)
    trained = run("train", corpus, *options).out
    assert run("train", words, *options).out == trained
    assert run("train", "memory://novel.txt", *options).out == trained
    storage.rm("/novel.txt")
    missing = run("train", "memory://novel.txt", *options)
    assert_fails(missing, "there is no file or folder memory://novel.txt; check the name")


def test_a_disk_without_room_is_a_plain_sentence_and_leaves_nothing(
    run, tmp_path: Path, corpus: Path
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        found = run("count", corpus, "--preset", "gpt2", "-o", tmp_path / "w.parquet")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert_fails(found, f"error: {tmp_path / 'w.parquet'}: File too large\n")
    assert list(tmp_path.iterdir()) == [corpus]


def test_a_missing_library_is_named_before_anything_is_read(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    found = run("count", tmp_path / "missing.txt", "--preset", "gpt2", "-o", tmp_path / "w.parquet")
    assert_fails(found, "w.parquet is to be a Parquet file, and the library for that is missing")


@pytest.mark.parametrize("command", ["count", "train"])
def test_a_misread_file_is_named_without_progress_too(run, tmp_path: Path, command: str) -> None:
    path = tmp_path / "spanish.txt"
    output = tmp_path / {"count": "words.parquet", "train": "tokenizer.json"}[command]
    path.write_text("el niño pequeño " * 9, encoding="utf-8")
    found = run(command, path, "--preset", "gpt2", "--encoding", "latin-1", "--quiet", "-o", output)
    assert (found.status, found.out) == (0, "")
    assert found.err == "spanish.txt is UTF-8, but is read as latin-1.\n"


def test_a_text_by_its_url(run, trained, corpus: Path) -> None:
    storage = fsspec.filesystem("memory")
    storage.pipe("/text.txt", corpus.read_bytes())
    one, other = trained("gpt2", "one.json"), trained("gpt4", "other.json")
    for command in (
        ("encode", one), ("compare", one, other, "--differences", "--text"),
        ("vocabulary", one, "--suspicious", "--text"),
    ):  # fmt: skip
        expected = run(*command, corpus).out.replace(str(corpus), "memory://text.txt")
        assert run(*command, "memory://text.txt").out == expected
    storage.pipe("/text.txt", b"\xff")
    wrong = "memory://text.txt is not UTF-8 text: byte 0xff at offset 0"
    assert_fails(run("encode", one, "memory://text.txt"), wrong)
    storage.rm("/text.txt")
    assert_fails(run("encode", one, "memory://text.txt"), "memory://text.txt")


# -- on a cluster ----------------------------------------------------------------------------


def run_apart(*arguments: object, **environment: str) -> SimpleNamespace:
    """Run the program in a process of its own, for Dask has threads that stay."""
    found = subprocess.run(
        [sys.executable, "-m", "bpe_gui", *map(str, arguments)],
        env={**os.environ, **environment}, capture_output=True, text=True,
    )
    return SimpleNamespace(status=found.returncode, out=found.stdout, err=found.stderr)


def test_a_cluster_on_this_machine_writes_the_same_file(run, tmp_path: Path, corpus: Path) -> None:
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    first = run("count", corpus, "--preset", "gpt2", "-o", here)
    second = run_apart("count", corpus, "--preset", "gpt2", "-o", there, "--cluster", "local")
    assert second.out == first.out
    assert " in 1 partition of up to " in second.err
    assert there.read_bytes() == here.read_bytes()


def wait_until_ended(group: int) -> None:
    """Wait for all processes of a group; the one that looks after semaphores ends last."""
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "written"
    os.mkfifo(pipe)
    folder.mkdir()
    command = ("count", pipe, "--preset", "gpt2", "-o", folder / "w.parquet", "--cluster", "local")
    program = subprocess.Popen(
        [sys.executable, "-m", "bpe_gui", *command],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )
    with program, pipe.open("w"):  # opens as soon as a worker reads
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does
        out, err = program.communicate(timeout=300)
    assert (program.returncode, out) == (130, b"")
    assert err.startswith(b"text of unknown size in 1 partition on ")
    assert err.count(b"\n") == 1
    assert list(folder.iterdir()) == []
    wait_until_ended(program.pid)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_a_cluster_starts_prints_nothing(tmp_path: Path, corpus: Path) -> None:
    written = tmp_path / "w.parquet"
    command = ("count", corpus, "--preset", "gpt2", "-o", written, "--cluster", "local")
    program = subprocess.Popen(
        [sys.executable, "-m", "bpe_gui", *command],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )
    with program:
        while not psutil.Process(program.pid).children():  # workers, which take a second to start
            assert program.poll() is None
            time.sleep(0.01)
        os.killpg(program.pid, signal.SIGINT)
        assert program.communicate(timeout=300) == (b"", b"")
    assert program.returncode == 130
    assert not written.exists()
    wait_until_ended(program.pid)


def test_workers_that_do_not_start_are_a_sentence(tmp_path: Path, corpus: Path) -> None:
    found = run_apart(
        "count", corpus, "--preset", "gpt2", "-o", tmp_path / "w.parquet", "--cluster", "local",
        DASK_DISTRIBUTED__WORKER__PRELOAD="no_such_module",
    )
    assert_fails(found, "no worker starts on this machine; look into the settings of Dask")


def test_a_scheduler_that_does_not_answer_is_named(tmp_path: Path, corpus: Path) -> None:
    arguments = ("--preset", "gpt2", "-o", tmp_path / "w.parquet", "--cluster", "tcp://127.0.0.1:1")
    found = run_apart(
        "count", corpus, *arguments, DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT="10ms"
    )
    assert_fails(found, "no scheduler answers at tcp://127.0.0.1:1; name local or an address")


def test_another_kind_of_file_is_refused(run, tmp_path: Path, corpus: Path) -> None:
    result = run("count", corpus, "--preset", "gpt2", "-o", tmp_path / "words.csv")
    assert_fails(result, "words are written as Parquet; end ")
    assert list(tmp_path.iterdir()) == [corpus]
