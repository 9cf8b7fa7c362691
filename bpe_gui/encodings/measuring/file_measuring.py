"""Measures files and folders with all encodings, one on each processor."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from copy import copy
from pathlib import Path

from msgspec import Struct, field

from bpe_gui.bpe.corpus import Corpus, CorpusOptions, without_files
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings.base import Encoding, EncodingError, lock_of
from bpe_gui.encodings.measuring.measure import EncodesPreTokens, Measured, measure
from bpe_gui.encodings.measuring.shared_pre_tokens import SharedPreTokens
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted, size_text


class MeasureRequest(Struct, frozen=True, eq=False):
    """The sources to measure, as `Corpus` takes them, and the encodings, by the keys of lanes."""

    sources: tuple[str, ...]
    encodings: Mapping[int, Encoding]
    specials_as_text: bool = False
    options: CorpusOptions = field(default_factory=CorpusOptions)

    @property
    def name(self) -> str:
        """The sources in a few words."""
        if len(self.sources) == 1:
            return Path(self.sources[0]).name
        return f"{len(self.sources)} sources"


class MeasureProgress(Struct, frozen=True):
    """How far the measuring is: at which lane of how many, and how many bytes are read.

    total: the bytes to read, None while that is unknown.
    """

    lane: int
    lanes: int
    name: str
    bytes_read: int
    total: int | None

    @property
    def share(self) -> float | None:
        """The part of the whole that is done, None if that is unknown."""
        if not self.total:
            return None
        return (self.lane + min(self.bytes_read / self.total, 1.0)) / self.lanes

    @property
    def sentence(self) -> str:
        """The lane and the bytes, for people."""
        read = size_text(self.bytes_read)
        if self.total is not None:
            read = f"{read} of {size_text(self.total)}"
        return f"measuring with {self.name} ({self.lane + 1} of {self.lanes}): {read}"


class FileNumbers(Struct, frozen=True, eq=False):
    """The numbers found so far.

    name, size: of the sources, the size in bytes. measured: by the keys of the lanes.
    problems: why a lane has no numbers. cancelled: whether the user ended it.
    """

    request: MeasureRequest
    name: str
    size: int | None
    measured: Mapping[int, Measured]
    problems: Mapping[int, EncodingError]
    cancelled: bool = False

    @property
    def finished(self) -> bool:
        """Whether all lanes are measured, or have failed."""
        return len(self.measured) + len(self.problems) == len(self.request.encodings)

    @property
    def about(self) -> str:
        """The sources, their size, and whether they are measured whole."""
        parts = [self.name]
        if self.size is not None:
            parts.append(size_text(self.size - sum(self._left_out.values())))
        if self.cancelled and not self.finished:
            parts.append("cancelled")
        else:
            parts.append("measured whole" if self.finished else "being measured")
        return ", ".join(parts)

    def said_now(self, *, specials_as_text: bool) -> str:
        """Return `about`, and how special tokens were read if that has changed since."""
        if specials_as_text == self.request.specials_as_text:
            return self.about
        read = "read as text" if self.request.specials_as_text else "found"
        return f"{self.about} with special tokens {read}"

    @property
    def note(self) -> str:
        """The files that were left out and encodings that are not measured; empty if all are."""
        note = without_files(self._left_out)
        if not self.cancelled or self.finished:
            return note
        lanes = counted(len(self.request.encodings), "encoding")
        said = f"{len(self.measured)} of {lanes} have numbers of all of {self.name}."
        return f"Measuring was cancelled: {said} {note}".strip()

    @property
    def _left_out(self) -> Mapping[str, int]:
        return next((one.skipped_files for one in self.measured.values()), {})


Report = Callable[[MeasureProgress | FileNumbers], object]
"""Is called with the progress, and with the numbers found so far whenever a lane is done."""


def measure_files(
    request: MeasureRequest,
    report: Report,
    cancelled: Callable[[], bool],
    former: FileNumbers | None = None,
) -> None:
    """Measure all sources as one corpus, with the encodings that `former` has no numbers of.

    Raises CorpusError, OSError and Cancelled.
    """

    def check() -> None:
        if cancelled():
            raise Cancelled

    corpus = Corpus(request.sources, request.options)
    corpus.find_size(check)
    measured: dict[int, Measured] = {} if former is None else {**former.measured}
    problems: dict[int, EncodingError] = {} if former is None else {**former.problems}
    shared = SharedPreTokens(corpus)
    turns = _turns(request.encodings)

    def left() -> list[int]:
        return [key for key in turns if key not in measured and key not in problems]

    with ThreadPoolExecutor(os.cpu_count(), "measure") as pool:
        lanes = {
            pool.submit(
                measure_lane, request, copy(corpus), key, shared, report, cancelled, left
            ): key
            for key in left()
        }
        try:
            for lane in as_completed(lanes):
                try:
                    measured[lanes[lane]] = lane.result()
                except EncodingError as error:
                    problems[lanes[lane]] = error
                found = {**measured}, {**problems}
                report(FileNumbers(request, corpus.name, corpus.size, *found))
        finally:
            pool.shutdown(cancel_futures=True)


def _turns(encodings: Mapping[int, Encoding]) -> list[int]:
    """Return the keys of lanes in the order in which they begin: first one of each split.

    It counts the corpus for all others of its split, which can only wait meanwhile.
    """
    splits: set[str] = set()
    first: list[int] = []
    for key, encoding in encodings.items():
        if isinstance(encoding, EncodesPreTokens) and encoding.recipe.split not in splits:
            splits.add(encoding.recipe.split)
            first.append(key)
    return [*first, *(key for key in encodings if key not in first)]


def measure_lane(
    request: MeasureRequest,
    corpus: Corpus,
    key: int,
    shared: SharedPreTokens,
    report: Report,
    cancelled: Callable[[], bool],
    left: Callable[[], Sequence[int]],
) -> Measured:
    """Measure a corpus with one of the lanes. Raises EncodingError, CorpusError, and OSError.

    `left` lists the lanes that are not done: the first of them reports how far it is.
    """
    encoding, total = request.encodings[key], len(request.encodings)
    turns = lock_of(encoding)

    def progress(bytes_read: int) -> None:
        waiting = left()
        if key in waiting[:1]:
            place = total - len(waiting), total, encoding.name
            report(MeasureProgress(*place, bytes_read, corpus.size))

    def gives_up() -> bool:
        # A text that this encoding is to tokenize need not wait for the whole file.
        turns.yield_turn()
        return cancelled()

    progress(0)
    with turns.hold():
        return measure(
            encoding,
            corpus,
            specials_as_text=request.specials_as_text,
            shared=shared,
            progress=progress,
            cancelled=gives_up,
        )


def to_measure(encoding: Encoding) -> Encoding:
    """Return the encoding itself; of a run a copy, whose name says at which merge it is.

    A copy can be used while the lanes use the original on another thread.
    """
    if not isinstance(encoding, TrainedEncoding):
        return encoding
    name, position = encoding.name, encoding.position
    if " merge" not in name:
        name = f"{name} at {counted(position, 'merge')}"
    return TrainedEncoding(encoding.history, position, name=name)
