"""Measures a text at many positions of some runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.analysis.crossover import Crossover, crossovers, first_ahead
from bpe_gui.analysis.curves import MetricsOverMerges, metrics_over_merges, spread_positions
from bpe_gui.analysis.metric_columns import COLUMNS, Better, Column, Curve
from bpe_gui.analysis.metrics import metrics_of
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.encodings.base import Encoding, EncodingError, ExportError, lock_of

MOST_TOLD = 3
"""The number of crossovers, counted from the last, that are reported with their exact merge."""


class CurveRun(Struct, frozen=True):
    """A history, and the number of its merges that are drawn."""

    history: History
    length: int


class CurveRequest(Struct, frozen=True):
    """A text, the runs to measure on it, and the place of the column in `COLUMNS`.

    files: other encodings, which have curves as well if their merges are known.
    """

    text: str
    runs: tuple[CurveRun, ...]
    column: int
    specials_as_text: bool = False
    files: tuple[Encoding, ...] = ()

    def is_grown_from(self, before: CurveRequest) -> bool:
        """Whether only the numbers of merges differ."""
        same_runs = [run.history for run in self.runs] == [run.history for run in before.runs]
        return same_runs and replace(self, runs=()) == replace(before, runs=())


class Overtaking(Struct, frozen=True):
    """The merge at which one run gets ahead of another, both by their places in the result."""

    position: int
    winner: int
    loser: int


class CurveResult(Struct, frozen=True, eq=False):
    """Curves at common positions; that of a run ends where its merges do.

    overtakings: the last ones, in the order of their positions. earlier: the number of crossovers
    before those. followed: the encodings that have a curve, with the runs of their merges; these
    curves come after those of the runs. without: the encodings whose merges are unknown.
    otherwise: those whose merges are known, but give other numbers on this text. unfair: whether
    some runs lose more of the text than others. Such runs are not compared: lost text takes few
    tokens.
    """

    request: CurveRequest
    positions: NDArray[np.int64]
    curves: tuple[Curve, ...]
    overtakings: tuple[Overtaking, ...]
    earlier: int
    followed: tuple[tuple[CurveRun, Encoding], ...] = ()
    without: tuple[Encoding, ...] = ()
    otherwise: tuple[Encoding, ...] = ()
    unfair: bool = False

    @property
    def runs(self) -> tuple[CurveRun, ...]:
        """The runs of all curves, in their order."""
        return (*self.request.runs, *(run for run, _ in self.followed))


At = Callable[..., MetricsOverMerges]
"""Measures the text of a request on a history at some `positions`."""


class CurveMeasurer:
    """Does requests one after another; a run that did not change is not measured again."""

    def __init__(self) -> None:
        self._as_runs: WeakKeyDictionary[Encoding, History | None] = WeakKeyDictionary()
        self._asked: tuple[str, bool] | None = None
        """The text of the caches below, and whether special tokens are read as text."""
        self._known: dict[tuple[History, bytes], MetricsOverMerges] = {}
        self._alike: WeakKeyDictionary[Encoding, bool] = WeakKeyDictionary()

    def measure(self, request: CurveRequest, cancelled: Callable[[], bool]) -> CurveResult:
        """Measure all runs of a request, and find where they overtake each other.

        Raises EncodingError, and Cancelled.
        """
        try:
            return self._measured(request, cancelled)
        except UnicodeEncodeError:
            raise EncodingError(
                "The text holds half of a character (a lone surrogate), which no encoding can "
                "cut; remove it"
            ) from None

    def _measured(self, request: CurveRequest, cancelled: Callable[[], bool]) -> CurveResult:
        if self._asked != (request.text, request.specials_as_text):
            self._asked = (request.text, request.specials_as_text)
            self._known.clear()
            self._alike.clear()
        at = partial(
            metrics_over_merges,
            text=request.text,
            specials_as_text=request.specials_as_text,
            cancelled=cancelled,
        )
        followed, without, otherwise = self._followed(request, cancelled, at)
        runs = (*request.runs, *(run for run, _ in followed))
        spread = [np.zeros(1, np.int64), *(spread_positions(run.length) for run in runs)]
        positions = np.unique(np.concatenate(spread))
        known, self._known = self._known, {}
        found = []
        for run in runs:
            reached = positions[positions <= run.length]
            key = (run.history, reached.tobytes())
            found.append(known.get(key) or at(run.history, positions=reached))
            self._known[key] = found[-1]
        column = COLUMNS[request.column]
        curves = tuple(column.curve(metrics) for metrics in found)
        more_is_ahead = column.better is not Better.LESS
        unknowns = [int(metrics.unknowns[-1]) for metrics in found]
        seen = [
            crossover
            for crossover in crossovers(positions, curves, more_is_ahead=more_is_ahead)
            if unknowns[crossover.winner] == unknowns[crossover.loser]
        ]
        told = tuple(_overtaking(column, runs, crossover, at) for crossover in seen[-MOST_TOLD:])
        earlier = len(seen) - len(told)
        return CurveResult(
            request, positions, curves, told, earlier, followed, without, otherwise,
            unfair=len(set(unknowns)) > 1,
        )  # fmt: skip

    def _followed(
        self, request: CurveRequest, cancelled: Callable[[], bool], at: At
    ) -> tuple[tuple[tuple[CurveRun, Encoding], ...], tuple[Encoding, ...], tuple[Encoding, ...]]:
        """Divide the encodings from files into `followed`, `without` and `otherwise`."""
        followed, without, otherwise = [], [], []
        for encoding in request.files:
            if cancelled():
                raise Cancelled
            with lock_of(encoding).hold():
                history = self._as_run(encoding)
                if history is None:
                    without.append(encoding)
                    continue
                if encoding not in self._alike:
                    self._alike[encoding] = _cuts_alike(request, encoding, history, at)
                if self._alike[encoding]:
                    followed.append((CurveRun(history, len(history)), encoding))
                else:
                    otherwise.append(encoding)
        return tuple(followed), tuple(without), tuple(otherwise)

    def _as_run(self, encoding: Encoding) -> History | None:
        # The libraries of all formats are loaded when they are needed, not with the window.
        from bpe_gui.encodings.import_history import history_with_ids

        if encoding not in self._as_runs:
            try:
                # Whether the text has the same tokens is looked at before a curve is drawn.
                self._as_runs[encoding], _ = history_with_ids(encoding, exactly=False)
            except ExportError:
                self._as_runs[encoding] = None
        return self._as_runs[encoding]


def _overtaking(
    column: Column, runs: Sequence[CurveRun], crossover: Crossover, at: At
) -> Overtaking:
    """Find the exact merge of a crossover."""
    histories = [runs[n].history for n in (crossover.winner, crossover.loser)]

    def is_ahead(positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        winner, loser = (column.curve(at(history, positions=positions)) for history in histories)
        return winner < loser if column.better is Better.LESS else winner > loser

    position = first_ahead(crossover, is_ahead)
    return Overtaking(position, crossover.winner, crossover.loser)


def _cuts_alike(request: CurveRequest, encoding: Encoding, history: History, at: At) -> bool:
    """Whether an encoding gives the text the numbers that its curves end with.

    Its vocabulary may have a token that no text has, such as Whisper's without bytes.
    """
    size = history.vocabulary_size(len(history))
    if not size <= encoding.vocabulary_size <= size + 1:
        return False
    try:
        tokens = encoding.encode(request.text, specials_as_text=request.specials_as_text)
    except EncodingError:
        return False
    found = set(tokens.ids.tolist()) - {NO_TOKEN}
    unknown = {token: encoding.token_bytes(token) for token in found if encoding.is_unknown(token)}
    metrics = metrics_of(request.text, tokens, size, unknown)
    last = at(history, positions=np.array([len(history)]))
    pairs = ((column.value(metrics), column.curve(last)) for column in COLUMNS)
    return all(
        np.isnan(curve[0]) if value is None else np.isclose(value, curve[0], rtol=1e-12)
        for value, curve in pairs
    )
