"""Words are counted on a cluster as on one machine, also when workers die."""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bpe_gui.bpe.cluster import count_on_cluster
from bpe_gui.bpe.corpus import Corpus, CorpusError, CorpusOptions
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.recipe import Recipe, Ties, preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts, count_corpus
from tests.bpe.corpus_reading import write
from tests.encodings.hub_server import Hub, serving

if TYPE_CHECKING:
    from distributed import Client

# The address of each new cluster of two processes for an empty line, and none to end it for that
# address. Processes are forked from one that has loaded Dask, which takes longer than most tests.
CLUSTERS = """
import sys
import dask
from distributed import LocalCluster

dask.config.set({
    "distributed.worker.multiprocessing-method": "forkserver",
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
})
clusters = {}
for line in sys.stdin:
    if line.strip():
        clusters.pop(line.strip()).close()
        print(flush=True)
    else:
        made = LocalCluster(2, threads_per_worker=1, dashboard_address="127.0.0.1:0")
        clusters[made.scheduler_address] = made
        print(made.scheduler_address, flush=True)
"""


@pytest.fixture(scope="module")
def clusters() -> Iterator[subprocess.Popen[str]]:
    """A program that starts clusters."""
    command = [sys.executable, "-c", CLUSTERS]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as program:
        yield program
        program.communicate()
    assert program.returncode == 0


@contextmanager
def running_cluster(clusters: subprocess.Popen[str]) -> Iterator[str]:
    """Run a cluster of two processes; the address is that of its scheduler."""

    def told(line: str) -> str:
        assert clusters.stdin is not None
        assert clusters.stdout is not None
        print(line, file=clusters.stdin, flush=True)
        return clusters.stdout.readline().strip()

    address = told("")
    yield address
    assert told(address) == ""


@contextmanager
def connected(cluster: str) -> Iterator[Client]:
    """Connect somebody else to a cluster."""
    # Collecting tests need not load it.
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        # A thread for large messages stays for good from the first one on.
        client.submit(bytes, 20 << 20).result()
        yield client


@pytest.fixture(scope="module")
def cluster(clusters: subprocess.Popen[str]) -> Iterator[str]:
    with running_cluster(clusters) as address:
        yield address


@pytest.fixture(scope="module", autouse=True)
def watching(cluster: str) -> Iterator[Client]:
    with connected(cluster) as client:
        yield client


@pytest.fixture
def mortal(clusters: subprocess.Popen[str]) -> Iterator[tuple[str, Client]]:
    """A cluster whose workers are killed: not all of them come again."""
    with running_cluster(clusters) as address, connected(address) as client:
        yield address, client


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Some files, of which one is cut apart."""
    for name, number in (("a.txt", 100), ("b.txt", 80_000), ("c/d.txt", 1000)):
        lines = [f"word{index * 7 % 5003} {name}{index} low lower" for index in range(number)]
        write(tmp_path / "corpus" / name, "\n".join(lines))
    write(tmp_path / "corpus" / "picture.png", b"\x89PNG\0")
    write(tmp_path / "corpus" / "e.gz", gzip.compress(b"newest widest low"))
    return Corpus([tmp_path / "corpus"])


def kill_worker(watching: Client, address: str) -> int:
    """Kill the process of a worker; return what its id was."""
    process = watching.run(os.getpid, workers=[address])[address]
    os.kill(process, signal.SIGKILL)
    return process


def allow(watching: Client, failures: int) -> None:
    """Set how often a task may lose its worker before it is given up."""
    watching.run_on_scheduler(
        lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", failures)
    )


def counted(
    corpus: Corpus,
    cluster: str,
    recipe: Recipe | None = None,
    progress: Any = lambda *_: None,
    announce: Any = lambda _: None,
) -> WordCounts:
    return count_on_cluster(
        corpus, recipe or preset("gpt2"), cluster, progress, announce, largest=1 << 20
    )


@pytest.mark.parametrize("name", ["gpt2", "whitespace", "raw"])
def test_merges_ids_and_ties_are_those_of_one_machine(
    corpus: Corpus, cluster: str, name: str
) -> None:
    here, there = count_corpus(corpus, preset(name)), counted(corpus, cluster, preset(name))
    assert list(there.items()) == list(here.items())
    for ties in Ties:
        recipe = preset(name).with_changes(ties=ties, merges=50, vocabulary_size=None)
        first, second = Trainer(here, recipe), Trainer(there, recipe)
        first.advance(50)
        second.advance(50)
        assert first.history.equals(second.history)
    assert corpus.warning == "1 file is not text and was skipped: picture.png."


def test_a_worker_dies_and_nothing_is_counted_twice(
    corpus: Corpus, mortal: tuple[str, Client]
) -> None:
    cluster, watching = mortal
    killed = []

    def kill_who_has_counted(done: int, total: int | None, phase: str) -> None:
        if done and not killed:
            holder = next(worker for worker, keys in watching.has_what().items() if keys)
            killed.append(kill_worker(watching, holder))

    there = counted(corpus, cluster, progress=kill_who_has_counted)
    assert list(there.items()) == list(count_corpus(corpus, preset("gpt2")).items())
    assert killed[0] not in watching.run(os.getpid).values()


def test_what_it_takes_is_said_before(corpus: Corpus, cluster: str) -> None:
    told: list[str] = []
    counted(corpus, cluster, progress=lambda *_: told.append(""), announce=told.append)
    assert "partitions of up to 1.05 MB on 2 workers; merging takes up to 512 bytes" in told[0]
    # A bound has two digits at most.
    assert re.search(r"; the [\d.]{1,3} GB of a worker are enough for about \d\d?[,0]*$", told[0])
    assert not any(told[1:])


def test_progress_ends_with_all_bytes(corpus: Corpus, cluster: str) -> None:
    told: list[tuple[int, int | None]] = []
    counted(corpus, cluster, progress=lambda done, total, phase: told.append((done, total)))
    assert told == sorted(told)
    assert told[0] == (0, corpus.size)
    assert told[-1] == (corpus.size, corpus.size)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("wrong.txt", b"word \xff", "wrong.txt cannot be read as utf-8"),
        ("cut.gz", gzip.compress(b"low" * 100, mtime=0)[:-9], "cut.gz is truncated"),
        ("missing.txt", None, "there is no file or folder .*missing.txt; check the name"),
    ],
)
def test_a_file_that_cannot_be_read_ends_it_with_its_name(
    tmp_path: Path, corpus: Corpus, cluster: str, name: str, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        write(tmp_path / name, content)
    sources = [*corpus.sources, tmp_path / name]
    with pytest.raises(CorpusError, match=sentence):
        counted(Corpus(sources), cluster)


def test_a_file_of_a_web_server(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    text = "".join(f"low {index} lower\n" for index in range(100_000))
    with serving(Hub({"a.txt": text.encode()})) as web:
        corpus, told = Corpus([f"{web.address}/a.txt"]), list[str]()
        for web.knows_ranges in (True, False):
            there = counted(corpus, cluster, announce=told.append)
            assert list(there.items()) == list(count_corpus(Texts([text]), preset("gpt2")).items())
        assert told[0].startswith("1.59 MB in 2 partitions of up to 1.05 MB on ")
        assert told[1].startswith("1.59 MB in 1 partition of up to 1.59 MB on ")
        web.files.clear()
        with pytest.raises(CorpusError, match=r"there is no file or folder http.*a\.txt"):
            counted(corpus, cluster)


def test_what_can_be_set_is_hinted_at(tmp_path: Path, cluster: str) -> None:
    path = write(tmp_path / "a.jsonl", '{"body": "low"}')
    with pytest.raises(CorpusError, match="; name the one that holds the text"):
        counted(Corpus([path]), cluster)
    found = counted(Corpus([path], CorpusOptions(json_field="body")), cluster)
    assert list(found.items()) == [(b"low", 1)]


def test_what_no_cluster_counts_is_refused(tmp_path: Path) -> None:
    table = write(tmp_path / "words.csv", "word,count\nlow,5\n")
    for source, sentence in ((table, "words with counts"), ("-", "cannot read standard input")):
        with pytest.raises(CorpusError, match=sentence):
            counted(Corpus([source]), "local")


@pytest.mark.parametrize("content", [b"", b"\0"])
def test_a_corpus_without_text_is_an_error(tmp_path: Path, cluster: str, content: bytes) -> None:
    write(tmp_path / "corpus" / "a", content)
    corpus = Corpus([tmp_path / "corpus"])
    with pytest.raises(CorpusError) as here:
        count_corpus(corpus, preset("gpt2"))
    with pytest.raises(CorpusError) as there:
        counted(corpus, cluster)
    assert str(there.value) == str(here.value)


def test_what_is_given_up_leaves_no_task(
    corpus: Corpus, cluster: str, watching: Client
) -> None:
    def give_up(done: int, total: int | None, phase: str) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counted(corpus, cluster, progress=give_up)
    while watching.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
        threading.Event().wait(0.01)


def test_a_file_that_kills_its_workers_is_named(
    tmp_path: Path, mortal: tuple[str, Client]
) -> None:
    cluster, watching = mortal
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    allow(watching, failures=0)

    def kill() -> None:
        with pipe.open("w"):  # opens as soon as a worker reads
            (worker,) = (worker for worker, keys in watching.processing().items() if keys)
            kill_worker(watching, worker)

    killer = threading.Thread(target=kill)
    with pytest.raises(CorpusError, match=r"pipe: the worker that read it has died once; give"):
        counted(Corpus([pipe]), cluster, announce=lambda _: killer.start())
    killer.join()


def merge_in(table: Callable[[bool], object]) -> None:
    from bpe_gui.bpe import cluster as module

    vars(module)["WordTable"] = table


def test_workers_that_die_of_merging_may_need_more_memory(
    corpus: Corpus, mortal: tuple[str, Client]
) -> None:
    cluster, watching = mortal
    watching.run(merge_in, lambda compiled: os._exit(1))
    allow(watching, failures=0)
    with pytest.raises(
        CorpusError,
        match=r"^the worker that merged the words of all partitions has died once; they may need "
        r"more memory than it has; the [\d.]+ GB of a worker are enough for .*; give",
    ):
        counted(corpus, cluster)


def test_a_missing_library_is_named(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CorpusError, match=r"pip install 'bpe-gui\[cluster\]'"):
        counted(corpus, "local")


def test_a_scheduler_that_is_not_there_is_named(corpus: Corpus) -> None:
    with pytest.raises(CorpusError, match="no scheduler answers at nowhere; name local or an"):
        counted(corpus, "nowhere")
