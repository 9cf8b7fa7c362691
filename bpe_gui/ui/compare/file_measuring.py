"""Measures files and folders with all encodings, one after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from types import MappingProxyType

from bpe_gui.bpe.corpus import Corpus, CorpusOptions
from bpe_gui.bpe.kernels.jit import wait_until_loaded
from bpe_gui.encodings.base import Encoding, EncodingError, lock_of
from bpe_gui.encodings.measure import Measured, measure, without_files
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted
from bpe_gui.ui.run.background import Job
from bpe_gui.ui.widgets.sentences import as_sentence

_REPORT_EVERY = 1 / 30
"""Seconds between two reports of progress, at the least."""


@dataclass(frozen=True, eq=False, slots=True)
class MeasureLane:
    """An encoding to measure with, the key of its lane, and what to call it."""

    key: int
    name: str
    encoding: Encoding


@dataclass(frozen=True, eq=False, slots=True)
class MeasureRequest:
    """What is to be measured: sources as `Corpus` takes them, and by which encodings."""

    sources: tuple[str, ...]
    lanes: tuple[MeasureLane, ...]
    specials_as_text: bool = False
    options: CorpusOptions = field(default_factory=CorpusOptions)

    @property
    def name(self) -> str:
        """What is measured, in a few words."""
        if len(self.sources) == 1:
            return Path(self.sources[0]).name
        return f"{len(self.sources)} sources"


@dataclass(frozen=True, slots=True)
class MeasureProgress:
    """How far the measuring is: with which of its lanes, and how many bytes of how many are read.

    total: None while it is not known.
    """

    lane: int
    lanes: int
    name: str
    bytes_read: int
    total: int | None

    @property
    def share(self) -> float | None:
        """Which part of the whole is done, None if that is not known."""
        if not self.total:
            return None
        return (self.lane + min(self.bytes_read / self.total, 1.0)) / self.lanes

    @property
    def sentence(self) -> str:
        """What is going on."""
        read = size_text(self.bytes_read)
        if self.total is not None:
            read = f"{read} of {size_text(self.total)}"
        return f"measuring with {self.name} ({self.lane + 1} of {self.lanes}): {read}"


@dataclass(frozen=True, eq=False, slots=True)
class FileNumbers:
    """What has been found so far.

    name, size: of the sources, the size in bytes. measured: by the keys of the lanes.
    problems: why a lane has no numbers, one sentence each. finished: whether that is all.
    cancelled: whether nothing more will come.
    """

    request: MeasureRequest
    name: str
    size: int | None
    measured: Mapping[int, Measured]
    problems: Mapping[int, str]
    finished: bool
    cancelled: bool = False

    @property
    def about(self) -> str:
        """What the numbers are of."""
        parts = [self.name]
        if self.size is not None:
            parts.append(size_text(self.size - sum(self._left_out.values())))
        ended = self.finished or self.cancelled
        parts.append("measured whole" if ended else "being measured")
        return ", ".join(parts)

    def said_now(self, *, specials_as_text: bool) -> str:
        """What the numbers are of, for somebody who would have special tokens read so now."""
        if specials_as_text == self.request.specials_as_text:
            return self.about
        read = "read as text" if self.request.specials_as_text else "found"
        return f"{self.about} with special tokens {read}"

    @property
    def note(self) -> str:
        """What was left out; empty if all was read."""
        return without_files(self._left_out)

    @property
    def _left_out(self) -> Mapping[str, int]:
        return next((one.skipped_files for one in self.measured.values()), {})


def size_text(size: int) -> str:
    """A number of bytes as people say it.

    >>> size_text(812), size_text(3_456), size_text(1_115_394)
    ('812 bytes', '3.5 kB', '1.1 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    if size < 999_950:
        return f"{size / 1e3:.1f} kB"
    return f"{size / 1e6:,.1f} MB"


def measure_files(request: MeasureRequest, job: Job) -> None:
    """Measure all sources as one corpus, with one lane after another.

    Reports MeasureProgress, and FileNumbers whenever another lane is done. Raises CorpusError
    and OSError.
    """
    # Interpreted kernels would hold up the window for seconds.
    while not wait_until_loaded(0.02):
        job.check()
    corpus = Corpus(request.sources, request.options)
    corpus.find_size(job.check)
    measured: dict[int, Measured] = {}
    problems: dict[int, str] = {}
    for number, lane in enumerate(request.lanes):
        try:
            measured[lane.key] = measure_lane(request, corpus, number, job)
        except EncodingError as error:
            problems[lane.key] = as_sentence(error)
        numbers = FileNumbers(
            request,
            corpus.name,
            corpus.size,
            MappingProxyType(dict(measured)),
            MappingProxyType(dict(problems)),
            finished=number == len(request.lanes) - 1,
        )
        job.report(numbers)


def measure_lane(request: MeasureRequest, corpus: Corpus, number: int, job: Job) -> Measured:
    """Measure a corpus with one of the lanes. Raises EncodingError, CorpusError, and OSError."""
    lane = request.lanes[number]
    encoding = _apart(lane.encoding)
    turns = lock_of(encoding)
    next_report = 0.0

    def report(bytes_read: int) -> None:
        nonlocal next_report
        if monotonic() >= next_report:
            next_report = monotonic() + _REPORT_EVERY
            lanes = len(request.lanes)
            job.report(MeasureProgress(number, lanes, lane.name, bytes_read, corpus.size))

    def cancelled() -> bool:
        # Whoever wants to cut a text by this encoding need not wait for the whole file.
        turns.yield_turn()
        return job.is_cancelled()

    report(0)
    with turns.hold():
        return measure(
            encoding,
            corpus,
            specials_as_text=request.specials_as_text,
            progress=report,
            cancelled=cancelled,
        )


def _apart(encoding: Encoding) -> Encoding:
    """The encoding itself; of a run of ours another of its own, for that costs nothing."""
    if isinstance(encoding, TrainedEncoding):
        return TrainedEncoding(encoding.history, encoding.position, name=encoding.name)
    return encoding
