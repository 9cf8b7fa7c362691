"""Counting the words of a corpus on many machines, by Dask.

Each partition of the corpus is a task that returns its words in the order in which they were met
first. Further tasks put together the words of partitions that follow each other, some at a time,
and then the words of those, until there is one table. Tasks keep nothing: what a worker had that
has died is computed again elsewhere, and counts once. Words, counts and order are those that one
machine finds, whatever the partitions are and whoever is done first.

Dask is not installed with the program: it is a part of the extra `cluster`. Who can reach a
scheduler can run anything on its workers, so both sides and the network have to be trusted.
"""

from __future__ import annotations

import logging
import os
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import wraps
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar, cast

from msgspec import Struct

from bpe_gui.bpe.corpus import STANDARD_INPUT, Corpus, CorpusOptions, no_text_files
from bpe_gui.bpe.partitions import Part, parts_of
from bpe_gui.bpe.recipe import Recipe, RecipeError
from bpe_gui.bpe.remote_files import Url, is_seekable, path_or_url
from bpe_gui.bpe.text_files import CorpusError, Place, file_size
from bpe_gui.bpe.training import Phase, compile_kernels, is_compiling_worthwhile
from bpe_gui.bpe.words import WordCounter, WordCounts, WordTable
from bpe_gui.progress import Progress, counted, megabytes, times
from bpe_gui.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
"""Stands for a cluster of processes on this machine, which is there for one counting."""

_LARGEST, _SMALLEST = 128 << 20, 1 << 20
"""Bytes of partitions. The larger take seconds: long beside what Dask does for a task, and short
enough to be done again."""

_PARTITIONS_PER_THREAD = 4
"""If a corpus is small, partitions are smaller, so that all workers are busy until the end."""

_MERGED_AT_ONCE = 8

MERGED_WORD = 512
"""Bytes of memory that a merge takes for each different word, at most, if these have 13 bytes on
average. A slot has 32 bytes, and a word up to 4 slots, half as many more while they are moved to a
larger table; its place, its count and where it was met first are here and in what is merged."""


class FoundFile(Struct, frozen=True):
    """A file that a worker has found. `size` is None if it is not known."""

    place: Place
    size: int | None
    can_be_cut: bool


class Partition(Struct, frozen=True):
    """A file, or a part of it, that one task counts; `size` as above."""

    place: Place
    size: int | None
    part: Part | None = None


class Counted(Struct, frozen=True):
    """The words of partitions that follow each other, and what else was found in them."""

    words: WordCounts
    has_text: bool
    skipped_files: dict[str, int] = {}
    misread_files: list[str] = []


def count_on_cluster(
    corpus: Corpus,
    recipe: Recipe,
    cluster: str,
    progress: Progress,
    announce: Callable[[str], object],
    *,
    largest: int = _LARGEST,
) -> WordCounts:
    """Count the words of a corpus on a cluster, exactly as `count_corpus` does here.

    `cluster` is `LOCAL` or the address of a scheduler, tcp://host:8786, whose workers reach the
    files by the names that they have here. `announce` is told in a sentence what the counting
    takes before it begins. A partition has `largest` bytes at most.

    Raises CorpusError for what cannot be read or counted, RecipeError, and what `progress` raises.
    Whatever ends it, its tasks are given up, and a cluster on this machine is closed.
    """
    if STANDARD_INPUT in corpus.sources:
        raise CorpusError("workers cannot read standard input; write it to a file and name that")
    if corpus.word_counts:
        raise CorpusError(f"{corpus.sources[0]} has words with counts; count it without a cluster")
    sources = [path_or_url(source) for source in corpus.sources]
    names = [str(s) if isinstance(s, Url) else os.path.abspath(s) for s in sources]
    with _connected(cluster) as client:
        listing = client.submit(_list_files, names, corpus.options, pure=False)
        files = _result(client, listing, cluster, {})
        _check_folders(corpus, files, {})
        sizes = [file.size for found in files for file in found]
        known = sum(size or 0 for size in sizes)
        threads = sum(client.nthreads().values())
        largest = min(largest, max(_SMALLEST, known // (_PARTITIONS_PER_THREAD * threads)))
        partitions = [p for found in files for file in found for p in _cut(file, recipe, largest)]
        announce(_needs(client, partitions))
        compiled = is_compiling_worthwhile(known)
        if compiled and cluster == LOCAL:
            compile_kernels(progress)  # once, not in each worker
        total = None if None in sizes else known
        task = (corpus.options, recipe, compiled, versions_here())
        found = _run(client, cluster, partitions, task, total, progress)
    _check_folders(corpus, files, found.skipped_files)
    if not found.has_text:
        raise corpus.no_text()
    corpus.skipped_files, corpus.misread_files = found.skipped_files, found.misread_files
    return found.words


def _check_folders(
    corpus: Corpus, files: list[list[FoundFile]], skipped_files: dict[str, int]
) -> None:
    for source, found in zip(corpus.sources, files, strict=True):
        if all(file.place.label in skipped_files for file in found):
            raise no_text_files(source)


def _cut(file: FoundFile, recipe: Recipe, largest: int) -> list[Partition]:
    if file.size is None or file.size <= largest or not file.can_be_cut:
        return [Partition(file.place, file.size)]
    parts = parts_of(file.size, largest, recipe)
    return [Partition(file.place, part.end - part.begin, part) for part in parts]


def _needs(client: Client, partitions: list[Partition]) -> str:
    """Say what a counting takes."""
    sizes = [partition.size for partition in partitions]
    known = [size for size in sizes if size is not None]
    number, workers = counted(len(sizes), "partition"), counted(len(client.nthreads()), "worker")
    if len(known) < len(sizes):
        text = f"text of unknown size in {number}"
    else:
        text = f"{megabytes(sum(known))} in {number} of up to {megabytes(max(known, default=0))}"
    return (
        f"{text} on {workers}; merging takes up to {MERGED_WORD} bytes of memory for each "
        f"different word{_enough(_memory(client))}"
    )


def _memory(client: Client) -> int:
    """Return the bytes that the smallest worker has for a task; 0 if it has no limit."""
    workers = client.scheduler_info()["workers"].values()
    limits = [int(worker["memory_limit"] or 0) // int(worker["nthreads"]) for worker in workers]
    return min(limits, default=0)


def _enough(memory: int) -> str:
    """Say for how many words the memory of a worker is enough, if it has a limit.

    >>> _enough(12_638_029_824)
    '; the 12 GB of a worker are enough for about 24,000,000'
    >>> _enough(400_000_000)
    '; the 0.4 GB of a worker are enough for about 780,000'
    """
    size, words = _rounded_down(memory) / 1e9, _rounded_down(memory // MERGED_WORD)
    return f"; the {size:,g} GB of a worker are enough for about {words:,}" if memory else ""


def _rounded_down(number: int) -> int:
    """Keep two digits of a number.

    >>> _rounded_down(12_638), _rounded_down(7)
    (12000, 7)
    """
    unit: int = 10 ** max(len(str(number)) - 2, 0)
    return number // unit * unit


# -- Tasks, which run on workers ----------------------------------------------------------------


def versions_here() -> str:
    """Name all that the words of a text depend on."""
    return (
        f"bpe-gui {__version__}, regex {version('regex')} and Unicode {unicodedata.unidata_version}"
    )


_Task = TypeVar("_Task", bound=Callable[..., Any])


def _on_worker(task: _Task) -> _Task:
    """Let a task raise its errors for users without their causes, which may not be sendable."""

    @wraps(task)
    def run(*arguments: Any) -> Any:
        try:
            return task(*arguments)
        except (CorpusError, RecipeError) as error:
            error.__cause__ = error.__context__ = None
            raise

    return cast(_Task, run)


@_on_worker
def _list_files(names: list[str], options: CorpusOptions) -> list[list[FoundFile]]:
    """List the files of each source."""
    return [[_found(place) for place in places] for places in Corpus(names, options).files()]


def _found(place: Place) -> FoundFile:
    size = file_size(place)
    is_large = size is not None and size > _SMALLEST
    can_be_cut = is_large and (not isinstance(place.path, Url) or is_seekable(place.path))
    return FoundFile(place, size, can_be_cut)


@_on_worker
def count_partition(
    partition: Partition, options: CorpusOptions, recipe: Recipe, compiled: bool, versions: str
) -> Counted:
    """Count the words of a partition."""
    if versions != versions_here():
        raise CorpusError(
            f"a worker has {versions_here()}, but here are {versions}, which may split words "
            "otherwise; install the same everywhere"
        )
    if compiled:
        compile_kernels(lambda *_: None)
    assert partition.place.path is not None, "standard input is not read on workers"
    reader = Corpus([partition.place.path], options)
    has_text = False
    with closing(WordCounter(recipe, compiled=compiled, threads=1)) as counter:
        for block in reader.file_blocks(partition.place, part=partition.part):
            counter.feed(block.text, block.document_ends)
            has_text = has_text or bool(block.text)
        return Counted(counter.finish(), has_text, reader.skipped_files, reader.misread_files)


@_on_worker
def merge_counted(parts: list[Counted], compiled: bool) -> Counted:
    """Put together the words of partitions that follow each other."""
    table = WordTable(compiled)
    place = 0
    for part in parts:
        table.append(part.words, place)
        place += len(part.words)
    return Counted(
        table.finish(),
        any(part.has_text for part in parts),
        {name: size for part in parts for name, size in part.skipped_files.items()},
        [name for part in parts for name in part.misread_files],
    )


# -- The cluster --------------------------------------------------------------------------------


@contextmanager
def _connected(cluster: str) -> Iterator[Client]:
    """Connect to a cluster with workers for the time of a block, or make one on this machine.

    It leaves no task and no process behind. Raises CorpusError.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise CorpusError(
            "counting on a cluster needs a library that is missing; install distributed, for "
            "example by pip install 'bpe-gui[cluster]'"
        ) from None
    _silence_logs()
    with ExitStack() as stack:
        address = cluster
        if cluster == LOCAL:
            # Processes that die are replaced, also where they are ended for their memory.
            try:
                made = LocalCluster(
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            except (RuntimeError, OSError) as error:
                raise CorpusError(
                    "no worker starts on this machine; look into the settings of Dask and the "
                    "limits for processes and open files, or count without a cluster"
                ) from error
            address = stack.enter_context(made)
        try:
            if cluster != LOCAL and "://" not in cluster:
                raise ValueError(cluster)
            client = stack.enter_context(Client(address, set_as_default=False))
        except (OSError, ValueError) as error:
            raise CorpusError(
                f"no scheduler answers at {cluster}; name {LOCAL} or an address such as "
                "tcp://host:8786"
            ) from error
        if not client.nthreads():
            raise CorpusError(f"the scheduler at {cluster} has no workers; start some for it")
        # What is sent to them must be theirs: else the answer would be no sentence.
        has = client.run(find_spec, "bpe_gui")
        if not all([client.run_on_scheduler(find_spec, "bpe_gui"), *has.values()]):
            raise CorpusError(
                f"the cluster at {cluster} has a machine without bpe-gui; install it for the "
                "scheduler and all workers"
            )
        yield client


def _silence_logs() -> None:
    """Keep what Dask logs off the terminal for good.

    A cluster that is interrupted while it starts is closed when the process ends, and logs that.
    """
    for handler in logging.getLogger("distributed").handlers:
        handler.setLevel(logging.CRITICAL)


def _run(
    client: Client,
    cluster: str,
    partitions: list[Partition],
    task: tuple[CorpusOptions, Recipe, bool, str],
    total: int | None,
    progress: Progress,
) -> Counted:
    """Count all partitions, and merge their words."""
    from distributed import as_completed

    _, _, compiled, _ = task
    futures = [client.submit(count_partition, part, *task, pure=False) for part in partitions]
    by_key = {future.key: part for future, part in zip(futures, partitions, strict=True)}
    finished = as_completed(futures, loop=client.loop)
    depth = 0
    # The name of what counts is taken over by what merges: so workers drop what has been merged.
    while len(futures) > 1:
        depth += 1
        several = range(0, len(futures), _MERGED_AT_ONCE)
        groups = [futures[begin : begin + _MERGED_AT_ONCE] for begin in several]
        # What can be merged goes before what is yet to be counted, so that little is held.
        options = {"pure": False, "priority": depth}
        futures = [client.submit(merge_counted, group, compiled, **options) for group in groups]
    done = 0
    progress(0, total, Phase.READING)
    for future in finished:
        if future.status != "finished":
            _result(client, future, cluster, by_key)
        done += by_key[future.key].size or 0
        progress(done, total, Phase.READING)
    merged: Counted = _result(client, futures[0], cluster, by_key)
    return merged


def _result(client: Client, future: Future, cluster: str, by_key: Mapping[Any, Partition]) -> Any:
    """Fetch what a task returns, or raise its error; what befell a worker is a CorpusError."""
    from distributed import CancelledError, KilledWorker

    try:
        return client.gather(future, direct=True)
    except KilledWorker as error:
        partition = by_key.get(error.task)
        died = f"has died {times(error.allowed_failures + 1)}"
        advice = "give workers more memory, or look into their logs"
        if partition is not None:
            died = f"{partition.place.label}: the worker that read it {died}"
        elif str(error.task).startswith(merge_counted.__name__):
            died = f"the worker that merged the words of all partitions {died}"
            advice = f"they may need more memory than it has{_enough(_memory(client))}; {advice}"
        else:
            died = f"the worker that listed the files {died}"
        raise CorpusError(f"{died}; {advice}") from error
    except CancelledError as error:
        raise CorpusError(f"the scheduler at {cluster} has gone; start it again") from error
