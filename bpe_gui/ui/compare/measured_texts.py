"""Measures several texts with the lanes, one after the other, whenever the lanes change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.analysis.grouped_counts import GroupedCounts
from bpe_gui.bpe.corpus import CorpusError
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.measuring.conversations import measure_set
from bpe_gui.encodings.measuring.file_measuring import to_measure
from bpe_gui.encodings.measuring.own_texts import Read
from bpe_gui.encodings.measuring.several_texts import TextCounts, Texts
from bpe_gui.encodings.measuring.text_numbers import TextNumbers
from bpe_gui.ui.run.background import BackgroundTask, Job

_CANCELLED = "measuring was cancelled"

_Measured = tuple[Texts, dict[Encoding, list[TextCounts]]]


class MeasuredTexts(QObject):
    """Keeps the numbers of texts up to date with the lanes. What was measured stays so."""

    changed = Signal(object)
    """The TextNumbers of the texts."""
    progressed = Signal(str)
    """What is being done."""
    failed = Signal(str)
    """Why it was not done, in a sentence; empty when it begins again."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._read: Read | None = None
        self._done: _Measured | None = None
        self._lanes: Mapping[Encoding, str] = {}
        self._sources: Mapping[Encoding, str] = {}
        self._specials_as_text = False
        self._stop = Event()
        self._task = BackgroundTask(
            "texts", self, expected=(CorpusError, EncodingError, OSError),
            failure="Measuring failed", gives_way=True,
        )  # fmt: skip

    @property
    def is_partial(self) -> bool:
        """Whether measuring was cancelled before all lanes had numbers."""
        return self._done is not None and not self._lanes.keys() <= self._done[1].keys()

    @Slot()
    def cancel(self) -> None:
        """End measuring; the lanes that have numbers of all texts keep them."""
        self._stop.set()

    @Slot()
    def resume(self) -> None:
        """Measure what is missing after `cancel`."""
        self._measure()

    def choose(self, read: Read | None) -> None:
        """Measure other texts from now on; None for none."""
        self._read, self._done = read, None
        self._task.drop()
        self._measure()

    def set_lanes(
        self,
        lanes: Mapping[Encoding, str],
        sources: Mapping[Encoding, str],
        *,
        specials_as_text: bool,
    ) -> None:
        """Measure with these encodings, which have these names, and were read from `sources`."""
        self._sources = dict(sources)
        read_otherwise = specials_as_text != self._specials_as_text
        same = list(lanes.items()) == list(self._lanes.items()) and not read_otherwise
        self._lanes, self._specials_as_text = dict(lanes), specials_as_text
        if read_otherwise and self._done is not None:
            self._done = self._done[0], {}
        if not same:
            self._measure()

    def keep_only(self, lanes: Collection[Encoding]) -> None:
        """Forget the encodings that are not among these, and what was measured with them."""
        if self._done is not None:
            texts, found = self._done
            self._done = texts, {one: counts for one, counts in found.items() if one in lanes}
        if not self._lanes.keys() <= set(lanes):
            self._task.drop()
            self._lanes, self._sources = {}, {}

    def _measure(self) -> None:
        self.failed.emit("")
        if self._read is not None and self._lanes:
            lanes, as_text = dict(self._lanes), self._specials_as_text
            self._stop = Event()
            given = self._read, self._done, lanes, self._sources, as_text, self._stop
            work = partial(_measure, *given)
            self.progressed.emit("measuring…")
            self._task.ask(work, self._on_done, self.failed.emit, self.progressed.emit)

    def _on_done(self, found: tuple[_Measured, TextNumbers]) -> None:
        self._done = found[0]
        self.changed.emit(found[1])


def _measure(
    read: Read,
    done: _Measured | None,
    lanes: Mapping[Encoding, str],
    sources: Mapping[Encoding, str],
    specials_as_text: bool,
    stop: Event,
    job: Job,
) -> tuple[_Measured, TextNumbers]:
    """Measure the encodings that are not measured yet, until `stop` is set."""
    job.wait_for_kernels()
    texts, known = done or (read(), {})
    found = {encoding: known[encoding] for encoding in lanes if encoding in known}
    for place, (encoding, name) in enumerate(lanes.items(), 1):
        if encoding in found:
            continue
        job.report(f"measuring with {name} ({place} of {len(lanes)})")
        try:
            found[encoding] = measure_set(
                to_measure(encoding),
                texts,
                sources.get(encoding, ""),
                specials_as_text=specials_as_text,
                cancelled=lambda: stop.is_set() or job.is_cancelled(),
            )
        except Cancelled:
            job.check()
            break
    missing = [
        TextCounts(GroupedCounts(text.group_ends), False, _CANCELLED) for text in texts.texts
    ]
    counts = tuple(zip(*(found.get(encoding, missing) for encoding in lanes), strict=True))
    numbers = TextNumbers(texts, tuple(lanes.values()), counts)
    for measure in numbers.measures:
        for row in range(len(texts.texts)):
            job.check()
            for column in range(len(lanes)):
                numbers.estimate(measure, row, column)
    return (texts, found), numbers
