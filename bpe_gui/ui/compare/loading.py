"""Reads encodings from files, or fetches them, in the background."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.encodings.base import Encoding, EncodingError, LeavesOut
from bpe_gui.ui.compare.comparison import Comparison, Lane
from bpe_gui.ui.run.background import BackgroundTask, Job

_WAITING = "waiting"


class Loader(QObject):
    """Reads encodings in the background, and shows the progress in their lanes."""

    failed = Signal(str)
    """An encoding failed to load; one sentence for the user."""

    remarked = Signal(str)
    """What is left out of an encoding; a sentence for the user. What is guessed is said by its
    lane."""

    idle = Signal()
    """No encoding is being loaded any more."""

    def __init__(self, comparison: Comparison, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self._jobs: dict[int, Job] = {}
        """The jobs that have not ended, by the keys of the lanes."""
        self._task = BackgroundTask("encodings", self, expected=(EncodingError, OSError))
        self._comparison.lanesChanged.connect(self._cancel_removed)

    @property
    def busy(self) -> bool:
        """Whether any encoding is being loaded."""
        return any(job in self._task.jobs for job in self._jobs.values())

    def load(
        self,
        spec: str,
        name: str,
        special_tokens: Mapping[str, int] | str | None = None,
        *,
        fetches: bool = True,
    ) -> None:
        """Load an encoding into a new lane, which shows the progress.

        `special_tokens` are for a rank file, which has none; see `open_encoding`. Unless it
        `fetches`, an encoding that would have to be downloaded fails, and can be retried.
        """
        lane = Lane(name, None, status=_WAITING, spec=spec, special_tokens=special_tokens)
        self._begin(self._comparison.append(lane), fetches=fetches)

    def lane_of(
        self, spec: str, special_tokens: Mapping[str, int] | str | None = None
    ) -> Lane | None:
        """Return the lane of an encoding whose files are still as they were read, if any."""
        for lane in self._comparison.lanes:
            is_of_it = (lane.spec, lane.special_tokens) == (spec, special_tokens)
            if is_of_it and (lane.encoding is None or lane.state == state_of(spec)):
                return lane
        return None

    def retry(self, lane: Lane) -> None:
        """Load the encoding of a lane again."""
        self._comparison.update(lane, None, _WAITING, failed=False)
        self._begin(lane, fetches=True)

    @Slot()
    def retry_all(self) -> None:
        """Load all encodings again that failed."""
        for lane in [lane for lane in self._comparison.lanes if lane.failed]:
            self.retry(lane)

    def resume(self) -> None:
        """Load the encodings of lanes that were removed while loading, and are back."""
        for lane in self._comparison.lanes:
            waits = lane.encoding is None and lane.spec and not lane.failed
            if waits and lane.key not in self._jobs:
                self._begin(lane, fetches=True)

    def _begin(self, lane: Lane, *, fetches: bool) -> None:
        self._jobs[lane.key] = self._task.ask_too(
            partial(_open, lane, fetches),
            partial(self._on_loaded, lane),
            partial(self._on_failed, lane),
            partial(self._comparison.set_status, lane),
        )

    @Slot()
    def _cancel_removed(self) -> None:
        """Cancel the jobs of removed lanes."""
        for key in self._jobs.keys() - {lane.key for lane in self._comparison.lanes}:
            self._jobs.pop(key).cancel()
        self._tell_idle()

    def _on_loaded(self, lane: Lane, encoding: Encoding) -> None:
        del self._jobs[lane.key]
        self._comparison.update(lane, encoding, "", failed=False)
        if isinstance(encoding, LeavesOut) and encoding.left_out:
            self.remarked.emit(f"{lane.name}: {encoding.left_out}.")
        self._tell_idle()

    def _on_failed(self, lane: Lane, message: str) -> None:
        del self._jobs[lane.key]
        self._comparison.update(lane, None, message, failed=True)
        self.failed.emit(message)
        self._tell_idle()

    def _tell_idle(self) -> None:
        if not self._jobs:
            self.idle.emit()


def state_of(spec: str) -> tuple[tuple[str, int, int], ...]:
    """Return the files that an encoding is read from, when each was written, and its size in bytes.

    What is fetched has none.
    """
    # The libraries of all formats are loaded when they are needed, not with the window.
    from bpe_gui.encodings.formats.tokenizer_config import NAME
    from bpe_gui.encodings.load import files_of

    try:
        files = files_of(spec)
        beside = {file.with_name(NAME) for file in files}
        found = sorted({*files, *(config for config in beside if config.is_file())})
        states = [(str(file), file.stat()) for file in found]
    except OSError:
        return ()
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in states)


def _open(lane: Lane, fetches: bool, job: Job) -> Encoding:
    """Open the encoding of a lane. Raises EncodingError and OSError."""
    # The libraries of all formats are loaded when they are needed, not with the window.
    from bpe_gui.encodings.load import is_local, open_encoding

    job.report("reading")
    job.failure = f"{lane.spec} could not be read"
    if not fetches and not is_local(lane.spec):
        raise EncodingError(f"{lane.name} is not on this computer; try again to fetch it")

    lane.state = state_of(lane.spec)

    return open_encoding(
        lane.spec,
        special_tokens=lane.special_tokens,
        progress=lambda done, total, phase: job.report(_progress(done, total)),
        cancelled=job.is_cancelled,
    )


def _progress(done: int, total: int | None) -> str:
    megabytes = f"{done / 1e6:,.1f}"
    if not total:
        return f"{megabytes} MB fetched"
    return f"{megabytes} of {total / 1e6:,.1f} MB fetched"
