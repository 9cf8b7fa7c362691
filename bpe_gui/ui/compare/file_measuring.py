"""Measures files and folders with all encodings, one after another, on a thread of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from time import monotonic
from types import MappingProxyType

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.bpe.corpus import Corpus, CorpusError, CorpusOptions
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.kernels.jit import wait_until_loaded
from bpe_gui.encodings.base import Encoding, EncodingError, lock_of
from bpe_gui.encodings.measure import Measured, measure, without_files
from bpe_gui.encodings.ours import TrainedEncoding
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
class MeasureJob:
    """What is to be measured: sources as `Corpus` takes them, and by which encodings."""

    sources: tuple[str, ...]
    lanes: tuple[MeasureLane, ...]
    specials_as_text: bool = False
    options: CorpusOptions = field(default_factory=CorpusOptions)
    cancelled: Event = field(default_factory=Event)


@dataclass(frozen=True, slots=True)
class MeasureProgress:
    """How far a job is: with which of its lanes, and how many bytes of how many are read.

    total: None while it is not known.
    """

    lane: int
    lanes: int
    name: str
    bytes_read: int
    total: int | None

    @property
    def share(self) -> float | None:
        """Which part of the whole job is done, None if that is not known."""
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
    """What a job has found so far.

    name, size: of the sources, the size in bytes. measured: by the keys of the lanes.
    problems: why a lane has no numbers, one sentence each. finished: whether that is all.
    """

    job: MeasureJob
    name: str
    size: int | None
    measured: Mapping[int, Measured]
    problems: Mapping[int, str]
    finished: bool

    @property
    def about(self) -> str:
        """What the numbers are of."""
        parts = [self.name]
        if self.size is not None:
            parts.append(size_text(self.size - sum(self._left_out.values())))
        parts.append("measured whole" if self.finished else "being measured")
        return ", ".join(parts)

    def said_now(self, *, specials_as_text: bool) -> str:
        """What the numbers are of, for somebody who would have special tokens read so now."""
        if specials_as_text == self.job.specials_as_text:
            return self.about
        read = "read as text" if self.job.specials_as_text else "found"
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
        return "1 byte" if size == 1 else f"{size} bytes"
    if size < 999_950:
        return f"{size / 1e3:.1f} kB"
    return f"{size / 1e6:,.1f} MB"


class MeasureWorker(QObject):
    """Does jobs one after another, on the thread that it lives in."""

    progressed = Signal(object, object)
    """A job, and its MeasureProgress."""
    measured = Signal(object)
    """FileNumbers, whenever another lane is done."""
    failed = Signal(object, str)
    """A job that came to nothing, and why: one sentence for the user."""
    ended = Signal(object)
    """A job that nothing more comes of."""

    def __init__(self) -> None:
        super().__init__()
        self._last_report = 0.0

    @Slot(object)
    def run(self, job: MeasureJob) -> None:
        """Do a job, unless it has been cancelled."""
        try:
            self._run(job)
        except Cancelled:
            pass
        except MemoryError:
            self.failed.emit(job, "There is not enough memory to measure this.")
        except (CorpusError, OSError) as error:
            self.failed.emit(job, as_sentence(error))
        except Exception as error:  # the window lives on whatever measuring dies of
            self.failed.emit(
                job,
                f"Measuring failed unexpectedly ({type(error).__name__}: {error}); report it if "
                "it comes back.",
            )
            raise
        finally:
            self.ended.emit(job)

    def _run(self, job: MeasureJob) -> None:
        # Interpreted kernels would hold up the window for seconds.
        while not wait_until_loaded(0.02):
            _check(job)
        _check(job)
        corpus = Corpus(job.sources, job.options)
        corpus.find_size(lambda: _check(job))
        measured: dict[int, Measured] = {}
        problems: dict[int, str] = {}
        for number, lane in enumerate(job.lanes):
            try:
                measured[lane.key] = self._measure(job, corpus, number)
            except EncodingError as error:
                problems[lane.key] = as_sentence(error)
            numbers = FileNumbers(
                job,
                corpus.name,
                corpus.size,
                MappingProxyType(dict(measured)),
                MappingProxyType(dict(problems)),
                finished=number == len(job.lanes) - 1,
            )
            self.measured.emit(numbers)

    def _measure(self, job: MeasureJob, corpus: Corpus, number: int) -> Measured:
        lane, total = job.lanes[number], corpus.size

        def report(bytes_read: int) -> None:
            now = monotonic()
            if now >= self._last_report + _REPORT_EVERY:
                self._last_report = now
                progress = MeasureProgress(number, len(job.lanes), lane.name, bytes_read, total)
                self.progressed.emit(job, progress)

        encoding = _apart(lane.encoding)
        turns = lock_of(encoding)

        def cancelled() -> bool:
            # Whoever wants to cut a text by this encoding need not wait for the whole file.
            turns.yield_turn()
            return job.cancelled.is_set()

        report(0)
        with turns.hold():
            return measure(
                encoding,
                corpus,
                specials_as_text=job.specials_as_text,
                progress=report,
                cancelled=cancelled,
            )


def _apart(encoding: Encoding) -> Encoding:
    """The encoding itself; of a run of ours another of its own, for that costs nothing."""
    if isinstance(encoding, TrainedEncoding):
        return TrainedEncoding(encoding.history, encoding.position, name=encoding.name)
    return encoding


def _check(job: MeasureJob) -> None:
    if job.cancelled.is_set():
        raise Cancelled


class FileMeasuring(QObject):
    """Owns the thread. A new job gives up the one before. For the GUI thread only."""

    started = Signal(str)
    """A job has begun; what is measured, in a few words."""
    progressed = Signal(object)
    """A MeasureProgress."""
    measured = Signal(object)
    """FileNumbers, whenever another lane is done."""
    failed = Signal(str)
    """Nothing can be measured; one sentence for the user."""
    ended = Signal(bool)
    """The job is over; whether it was cancelled."""

    _submitted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: MeasureJob | None = None
        self._thread = QThread()
        self._thread.setObjectName("measuring")
        self._worker = MeasureWorker()
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.run)
        self._worker.progressed.connect(self._on_progressed)
        self._worker.measured.connect(self._on_measured)
        self._worker.failed.connect(self._on_failed)
        self._worker.ended.connect(self._on_ended)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether anything is being measured."""
        return self._job is not None

    def measure(
        self,
        sources: Sequence[str | Path],
        lanes: Sequence[MeasureLane],
        *,
        specials_as_text: bool = False,
        options: CorpusOptions | None = None,
    ) -> None:
        """Measure files and folders, as one corpus, with one lane after another."""
        self._give_up()
        paths = tuple(str(source) for source in sources)
        job = MeasureJob(paths, tuple(lanes), specials_as_text, options or CorpusOptions())
        self._job = job
        name = Path(paths[0]).name if len(paths) == 1 else f"{len(paths)} sources"
        self.started.emit(f"measuring {name}")
        self._submitted.emit(job)

    @Slot()
    def cancel(self) -> None:
        """Give up what is being measured, if anything is."""
        if self._job is not None:
            self._give_up()
            self.ended.emit(True)

    def close(self) -> None:
        """Give up and end the thread; returns when it has ended."""
        self._give_up()
        self._thread.quit()
        self._thread.wait()

    def _give_up(self) -> None:
        if self._job is not None:
            self._job.cancelled.set()
            self._job = None

    @Slot(object, object)
    def _on_progressed(self, job: MeasureJob, progress: MeasureProgress) -> None:
        if job is self._job:
            self.progressed.emit(progress)

    @Slot(object)
    def _on_measured(self, numbers: FileNumbers) -> None:
        if numbers.job is self._job:
            self.measured.emit(numbers)

    @Slot(object, str)
    def _on_failed(self, job: MeasureJob, message: str) -> None:
        if job is self._job:
            self.failed.emit(message)

    @Slot(object)
    def _on_ended(self, job: MeasureJob) -> None:
        if job is self._job:
            self._job = None
            self.ended.emit(False)
