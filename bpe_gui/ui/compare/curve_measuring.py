"""Measures a text at many positions of some runs, on a thread of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.analysis.crossover import Crossover, crossovers, first_ahead
from bpe_gui.analysis.curves import MetricsOverMerges, metrics_over_merges, spread_positions
from bpe_gui.analysis.metric_columns import COLUMNS, Better, Curve
from bpe_gui.analysis.metrics import metrics_of
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.jit import wait_until_loaded
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError, lock_of

MOST_TOLD = 3
"""Crossings whose exact places are looked for: the last ones."""


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """A history, and how many of its merges are drawn."""

    history: History
    length: int


@dataclass(frozen=True, eq=False, slots=True)
class CurveRequest:
    """A text, the runs to measure on it, and which of `COLUMNS` is looked at.

    files: encodings from elsewhere that are followed as well, where their merges are known.
    """

    text: str
    runs: tuple[Run, ...]
    column: int
    specials_as_text: bool = False
    files: tuple[Encoding, ...] = ()
    cancelled: Event = field(default_factory=Event)


@dataclass(frozen=True, slots=True)
class Overtaking:
    """At how many merges one run gets ahead of another; the runs by their numbers."""

    position: int
    winner: int
    loser: int


@dataclass(frozen=True, eq=False, slots=True)
class CurveResult:
    """Curves at common positions; that of a run ends where its merges do.

    overtakings: the last ones, in the order of their positions. earlier: how many crossovers
    there are before those. followed: the encodings that have a curve, with the runs that they
    come to; their curves stand after those of the runs. without: those whose merges are not
    known. otherwise: those of which the merges are known, but a run that does them comes to
    other numbers on this text. unfair: whether some runs lose more of the text than others, of
    which it is not said that one overtakes the other: what is lost takes few tokens.
    """

    request: CurveRequest
    positions: NDArray[np.int64]
    curves: tuple[Curve, ...]
    overtakings: tuple[Overtaking, ...]
    earlier: int
    followed: tuple[tuple[Run, Encoding], ...] = ()
    without: tuple[Encoding, ...] = ()
    otherwise: tuple[Encoding, ...] = ()
    unfair: bool = False

    @property
    def runs(self) -> tuple[Run, ...]:
        """What the curves are of, in their order."""
        return (*self.request.runs, *(run for run, _ in self.followed))


@dataclass(frozen=True, eq=False, slots=True)
class _Known:
    """What a run has been measured on, and what came of it."""

    text: str
    specials_as_text: bool
    positions: NDArray[np.int64]
    metrics: MetricsOverMerges


class CurveWorker(QObject):
    """Does requests one after another; a run that did not change is not measured again."""

    done = Signal(object)
    """A CurveResult."""
    cancelled = Signal()
    """The request was given up."""
    failed = Signal(str)
    """The request cannot be done; one sentence for the user."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[History, _Known] = {}
        self._as_runs: WeakKeyDictionary[Encoding, History | None] = WeakKeyDictionary()
        self._alike: WeakKeyDictionary[Encoding, tuple[str, bool, bool]] = WeakKeyDictionary()

    @Slot(object)
    def measure(self, request: CurveRequest) -> None:
        """Measure all runs of a request, and find where they overtake each other."""
        try:
            # Interpreted kernels would hold up the window for seconds.
            while not wait_until_loaded(0.02):
                _check(request)
            _load_plot()
            result = self._measured(request)
        except Cancelled:
            self.cancelled.emit()
        except UnicodeEncodeError:
            self.failed.emit(
                "The text holds half of a character (a lone surrogate), which no encoding can "
                "cut; remove it."
            )
        except MemoryError:
            self.failed.emit("There is not enough memory for the curves; shorten the text.")
        except Exception as error:  # the window lives on whatever measuring dies of
            self.failed.emit(
                f"The curves could not be measured ({type(error).__name__}: {error}); report it "
                "if it comes back."
            )
            raise
        else:
            self.done.emit(result)

    def _measured(self, request: CurveRequest) -> CurveResult:
        followed, without, otherwise = self._followed(request)
        runs = (*request.runs, *(run for run, _ in followed))
        spread = [np.zeros(1, np.int64), *(spread_positions(run.length) for run in runs)]
        positions = np.unique(np.concatenate(spread))
        self._known = {
            run.history: self._run(request, run, positions[positions <= run.length])
            for run in runs
        }
        column = COLUMNS[request.column]
        curves = tuple(column.curve(self._known[run.history].metrics) for run in runs)
        more_is_ahead = column.better is not Better.LESS
        unknowns = [int(self._known[run.history].metrics.unknowns[-1]) for run in runs]
        seen = [
            crossover
            for crossover in crossovers(positions, curves, more_is_ahead=more_is_ahead)
            if unknowns[crossover.winner] == unknowns[crossover.loser]
        ]
        told = tuple(
            _overtaking(request, runs, crossover, more_is_ahead=more_is_ahead)
            for crossover in seen[-MOST_TOLD:]
        )
        earlier = len(seen) - len(told)
        return CurveResult(
            request, positions, curves, told, earlier, followed, without, otherwise,
            unfair=len(set(unknowns)) > 1,
        )  # fmt: skip

    def _followed(
        self, request: CurveRequest
    ) -> tuple[tuple[tuple[Run, Encoding], ...], tuple[Encoding, ...], tuple[Encoding, ...]]:
        """The encodings from elsewhere that are runs on this text, and those that are none."""
        followed, without, otherwise = [], [], []
        for encoding in request.files:
            _check(request)
            with lock_of(encoding).hold():
                history = self._as_run(encoding)
                if history is None:
                    without.append(encoding)
                elif self._cuts_alike(request, encoding, history):
                    followed.append((Run(history, len(history)), encoding))
                else:
                    otherwise.append(encoding)
        return tuple(followed), tuple(without), tuple(otherwise)

    def _cuts_alike(self, request: CurveRequest, encoding: Encoding, history: History) -> bool:
        """Whether an encoding gives the text the numbers that its curves end with."""
        asked = (request.text, request.specials_as_text)
        known = self._alike.get(encoding)
        if known is None or known[:2] != asked:
            known = (*asked, _cuts_alike(request, encoding, history))
            self._alike[encoding] = known
        return known[2]

    def _as_run(self, encoding: Encoding) -> History | None:
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.import_history import history_of

        if encoding not in self._as_runs:
            try:
                self._as_runs[encoding] = history_of(encoding)
            except ExportError:
                self._as_runs[encoding] = None
        return self._as_runs[encoding]

    def _run(self, request: CurveRequest, run: Run, positions: NDArray[np.int64]) -> _Known:
        known = self._known.get(run.history)
        if (
            known is not None
            and (known.text, known.specials_as_text) == (request.text, request.specials_as_text)
            and np.array_equal(known.positions, positions)
        ):
            return known
        metrics = _at(request, run.history, positions)
        return _Known(request.text, request.specials_as_text, positions, metrics)


def _overtaking(
    request: CurveRequest, runs: Sequence[Run], crossover: Crossover, *, more_is_ahead: bool
) -> Overtaking:
    histories = [runs[n].history for n in (crossover.winner, crossover.loser)]
    curve = COLUMNS[request.column].curve

    def is_ahead(positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        winner, loser = (curve(_at(request, history, positions)) for history in histories)
        return winner > loser if more_is_ahead else winner < loser

    position = first_ahead(crossover, is_ahead)
    return Overtaking(position, crossover.winner, crossover.loser)


def _cuts_alike(request: CurveRequest, encoding: Encoding, history: History) -> bool:
    try:
        tokens = encoding.encode(request.text, specials_as_text=request.specials_as_text)
    except EncodingError:
        return False
    found = set(tokens.ids.tolist()) - {NO_TOKEN}
    unknown = {token: encoding.token_bytes(token) for token in found if encoding.is_unknown(token)}
    metrics = metrics_of(request.text, tokens, encoding.vocabulary_size, unknown)
    last = _at(request, history, np.array([len(history)]))
    pairs = ((column.value(metrics), column.curve(last)) for column in COLUMNS)
    return all(
        np.isnan(curve[0]) if value is None else np.isclose(value, curve[0], rtol=1e-12)
        for value, curve in pairs
    )


def _at(
    request: CurveRequest, history: History, positions: NDArray[np.int64]
) -> MetricsOverMerges:
    return metrics_over_merges(
        history,
        request.text,
        positions,
        specials_as_text=request.specials_as_text,
        cancelled=request.cancelled.is_set,
    )


def _load_plot() -> None:
    """Load the library that draws the curves: here, for it would hold up the window."""
    import bpe_gui.ui.compare.merge_curve_plot  # noqa: F401


def _check(request: CurveRequest) -> None:
    if request.cancelled.is_set():
        raise Cancelled


class CurveMeasuring(QObject):
    """Owns the thread. The newest request counts: it gives up the one before. GUI thread only."""

    measured = Signal(object)
    """The CurveResult of the newest request."""
    failed = Signal(str)
    """The newest request cannot be done; one sentence for the user."""

    _submitted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._working: CurveRequest | None = None
        self._waiting: CurveRequest | None = None
        self._thread = QThread()
        self._thread.setObjectName("curves")
        self._worker = CurveWorker()
        self._worker.moveToThread(self._thread)
        self._submitted.connect(self._worker.measure)
        self._worker.done.connect(self._on_done)
        self._worker.cancelled.connect(self._on_cancelled)
        self._worker.failed.connect(self._on_failed)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether anything is being measured."""
        return self._working is not None

    def measure(self, request: CurveRequest) -> None:
        """Measure runs on a text, once what is being measured has been given up."""
        if self._working is None:
            self._begin(request)
        else:
            self._working.cancelled.set()
            self._waiting = request

    def cancel(self) -> None:
        """Give up what is being measured, if anything is."""
        self._waiting = None
        if self._working is not None:
            self._working.cancelled.set()

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self.cancel()
        self._thread.quit()
        self._thread.wait()

    def _begin(self, request: CurveRequest) -> None:
        self._working = request
        self._submitted.emit(request)

    def _end(self) -> bool:
        """What was being measured has ended; whether it was still wanted."""
        wanted = self._working is not None and not self._working.cancelled.is_set()
        self._working = None
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._begin(waiting)
        return wanted

    @Slot(object)
    def _on_done(self, result: CurveResult) -> None:
        if self._end():
            self.measured.emit(result)

    @Slot()
    def _on_cancelled(self) -> None:
        self._end()

    @Slot(str)
    def _on_failed(self, message: str) -> None:
        if self._end():
            self.failed.emit(message)
