"""What is compared: a list of encodings, and one text that they all tokenize in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count

from msgspec import Struct, field
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.progress import counted
from bpe_gui.ui.compare.cutting import CutResult, ExplainedDifference, TextCutter, explain
from bpe_gui.ui.run.background import BackgroundTask, Job

FOLLOWING = "the run at the cursor"
"""The name of the lane that follows the cursor."""

BEHIND = "a tenth of its merges"
"""The name of the lane at a tenth of the cursor's merges."""

_TENTH = 10
_UNSEEN_MILLISECONDS = 300
"""The pause after the last change before a text is tokenized out of sight."""


class Lane(Struct, eq=False, weakref=True):
    """One of the encodings side by side.

    encoding: None while it is being fetched, or for the run at the cursor before there is one.
    follows: whether it is the run in view and follows the cursor.
    part: the divisor of the cursor's merges, if it follows: 10 for a tenth.
    step: whether it is a run at a position that has been chosen.
    status: one sentence on the progress, or the error.
    failed: whether the status is an error.
    spec, special_tokens: what was opened, if it is read or fetched; see `open_encoding`.
    state: that of its files when they were read; see `state_of`.
    hidden: whether it is not shown among the lanes, but has its numbers.
    colour: the number of the colour that marks it, -1 for none.
    goes: whether it came by itself when its run made way, and goes with it; not if it is renamed.
    key: identifies the lane; names of lanes that are gone may be used again.
    """

    name: str
    encoding: Encoding | None
    follows: bool = False
    part: int = 1
    step: bool = False
    status: str = ""
    failed: bool = False
    spec: str = ""
    special_tokens: Mapping[str, int] | str | None = None
    state: tuple[tuple[str, int, int], ...] = ()
    hidden: bool = False
    colour: int = -1
    goes: bool = False
    key: int = field(default_factory=partial(next, count(1)))


class Comparison(QObject):
    """Holds the lanes and the text, and tokenizes the text again after each change.

    Only the newest state is tokenized when the thread is free. All methods are for the GUI
    thread.
    """

    lanesChanged = Signal()
    """A lane was added, removed, moved, or has another encoding."""
    statusChanged = Signal()
    """A lane whose encoding is being fetched has another status."""
    referenceChanged = Signal(int)
    """The others are compared with another lane; the key of the one before."""
    compared = Signal(object)
    """A CutResult of the text and the lanes at the time of the request."""
    failed = Signal(str)
    """The text cannot be tokenized; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lanes: list[Lane] = []
        self.text = ""
        self.specials_as_text = False
        self._pair: frozenset[int] | None = None
        self._chosen = -1
        self._is_new = self._withdrawn = False
        self.result: CutResult | None = None
        self.history: History | None = None
        """The run in view."""
        self.position = 0
        """The position of the lane that follows the cursor."""
        self._run: TrainedEncoding | None = None
        self._active = self._busy = self._stale = False
        self._at_once = self._is_changed = False
        self._unseen = QTimer(self, singleShot=True, interval=_UNSEEN_MILLISECONDS)
        self._unseen.timeout.connect(self._cut)
        self._cutter = TextCutter()
        failure = "Comparing failed; remove the encoding that was added last"
        self._task = BackgroundTask("comparison", self, expected=(EncodingError,), failure=failure)
        self._explaining: Job | None = None

    # -- lanes ---------------------------------------------------------------------------------

    def append(self, lane: Lane) -> Lane:
        """Add a lane below the others, and give it and its encoding a name that is free."""
        if self._is_new and lane.spec and not self._has_merges:
            # Lanes without any merge would be in the way of encodings that people come to compare.
            self.lanes, self._withdrawn = [], True
        self._is_new = False
        lane.name = self.free_name(lane.name)
        if lane.encoding is not None:
            lane.encoding.name = lane.name
        self.lanes.append(lane)
        self._changed()
        return lane

    def add(self, encoding: Encoding) -> Lane:
        return self.append(Lane(encoding.name, encoding))

    def add_run(self, name: str, history: History, position: int, *, step: bool) -> Lane:
        return self.append(Lane(name, TrainedEncoding(history, position), step=step))

    @Slot()
    def add_following(self) -> None:
        """Add the run in view at the cursor, unless it is there already."""
        self._add_following(1)

    @Slot()
    def add_behind(self) -> None:
        """Add the run in view with a tenth of the cursor's merges, unless it is there already."""
        self._add_following(_TENTH)

    def begin_with_run(self) -> None:
        """Put the run in view at the cursor, and a tenth of it, above all other lanes.

        If there are other lanes, these two come with the first merge.
        """
        others = [lane for lane in self.lanes if not lane.follows]
        if others and not self._has_merges:
            self._withdrawn = True
            return
        self.set_lanes([_following(1), _following(_TENTH), *others])
        self._is_new = not others

    @property
    def _has_merges(self) -> bool:
        return self.history is not None and len(self.history) > 0

    @property
    def follows_run(self) -> bool:
        """Whether a lane shows the run in view."""
        return any(lane.follows for lane in self.lanes) or bool(self.keys_in_view())

    @property
    def is_untouched(self) -> bool:
        """Whether there are only lanes of a run in view that has no merges yet, or none at all."""
        return not self._has_merges and all(lane.follows for lane in self.lanes)

    def _add_following(self, part: int) -> None:
        if not any(lane.follows and lane.part == part for lane in self.lanes):
            self.set_lanes([*self.lanes, _following(part)])

    def set_lanes(self, lanes: Sequence[Lane]) -> None:
        self._is_new = False
        self.lanes = list(lanes)
        self._go_to_cursor()
        self._changed()

    def update(self, lane: Lane, encoding: Encoding | None, status: str, *, failed: bool) -> None:
        """Set the encoding of a lane, or its error; do nothing if the lane is gone."""
        if lane in self.lanes:
            lane.encoding, lane.status, lane.failed = encoding, status, failed
            if encoding is not None:
                encoding.name = lane.name
            self._changed()

    def set_status(self, lane: Lane, status: str) -> None:
        """Set the progress of a lane whose encoding is being fetched."""
        if lane in self.lanes and lane.status != status:
            lane.status = status
            self.statusChanged.emit()

    @Slot(int)
    def remove(self, key: int) -> None:
        others = [lane for lane in self.lanes if lane.key != key]
        if len(others) < len(self.lanes):
            self.lanes = others
            self._changed()

    @Slot(int, int)
    def move(self, key: int, by: int) -> None:
        """Move a lane down by a number of places, or up, as far as possible."""
        place = next((n for n, lane in enumerate(self.lanes) if lane.key == key), None)
        if place is None:
            return
        to = min(max(place + by, 0), len(self.lanes) - 1)
        if to != place:
            self.lanes.insert(to, self.lanes.pop(place))
            self._changed()

    def rename(self, key: int, name: str) -> None:
        """Give a lane another name, with a number if another lane has it."""
        lane = self._lane(key)
        if lane is not None and name and name != lane.name:
            lane.name, lane.goes = self.free_name(name), False
            if lane.encoding is not None:
                lane.encoding.name = lane.name
            self._changed()

    def hide_or_show(self, key: int) -> bool:
        """Hide a lane, or show it again; return False for the last one that is shown, which stays.
        """
        lane = self._lane(key)
        if lane is None:
            return True
        if not lane.hidden and sum(not one.hidden for one in self.lanes) == 1:
            return False
        lane.hidden = not lane.hidden
        self._changed()
        return True

    @Slot(int, int)
    def set_colour(self, key: int, colour: int) -> None:
        """Mark a lane with a colour by its number; -1 for none."""
        lane = self._lane(key)
        if lane is not None:
            lane.colour = colour
            self._changed()

    def _lane(self, key: int) -> Lane | None:
        return next((lane for lane in self.lanes if lane.key == key), None)

    def looks(self) -> list[dict[str, object]]:
        """Return as JSON, for `dress`, how all lanes look and whether they go with their run."""
        attributes = ("name", "colour", "hidden", "goes")
        return [{name: getattr(lane, name) for name in attributes} for lane in self.lanes]

    def dress(self, looks: object) -> None:
        """Apply what `looks` returned to the same lanes; pass over what is damaged."""
        if not isinstance(looks, list) or len(looks) != len(self.lanes):
            return
        for lane, look in zip(self.lanes, looks, strict=True):
            found = look if isinstance(look, dict) else {}
            name, colour = found.get("name"), found.get("colour")
            if isinstance(name, str):
                self.rename(lane.key, name)
            if type(colour) is int:
                lane.colour = colour
            lane.hidden, lane.goes = found.get("hidden") is True, found.get("goes") is True
        if self.lanes and all(lane.hidden for lane in self.lanes):
            self.lanes[0].hidden = False
        self._changed()

    def at_positions(self, positions: Iterable[int]) -> None:
        """Add lanes of the run in view at these positions, without those beyond its end."""
        for position in positions:
            if self.history is not None and 0 <= position <= len(self.history):
                name = f"{self.history.recipe.name} recipe, {counted(position, 'merge')}"
                self.add_run(name, self.history, position, step=True)

    def of_run(self, history: History) -> list[Lane]:
        """Return the lanes that have all merges of a run, and do not follow the cursor."""
        return [
            lane
            for lane in self.lanes
            if not lane.follows
            and isinstance(lane.encoding, TrainedEncoding)
            and lane.encoding.position == len(history)
            and lane.encoding.history.equals(history)
        ]

    def is_marked(self, lane: Lane) -> bool:
        """Tell whether the user has renamed or coloured a lane that came by itself, or looks at it
        or compares with it."""
        looked_at = {self.chosen, *(self._pair or ())}
        return not lane.goes or lane.colour >= 0 or lane.key in looked_at

    def release(self, runs: Iterable[History]) -> None:
        """Remove the lanes that came by themselves and are of none of these runs.

        Those that the user has marked stay.
        """
        stay = {lane for history in runs for lane in self.of_run(history)}
        lanes = [lane for lane in self.lanes if lane in stay or self.is_marked(lane)]
        if len(lanes) < len(self.lanes):
            self.lanes = lanes
            self._changed()

    def free_name(self, name: str) -> str:
        """Return the name, with a number if another lane has it."""
        taken = {lane.name for lane in self.lanes}
        numbered = (f"{name} ({number})" for number in count(2))
        return name if name not in taken else next(one for one in numbered if one not in taken)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Tell of the lanes once, however many of them change within."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False
            if self._is_changed:
                self._changed()

    def _changed(self) -> None:
        self._is_changed = self._at_once
        if not self._at_once:
            self.lanesChanged.emit()
            self.refresh()

    # -- what is compared ----------------------------------------------------------------------

    def set_text(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.refresh()

    @Slot(bool)
    def set_specials_as_text(self, as_text: bool) -> None:
        """Set whether special tokens in the text are text like any other."""
        self.specials_as_text = as_text
        self.refresh()

    def set_pair(self, pair: frozenset[int] | None) -> None:
        """Align two lanes only, given by their keys; None for all that are not hidden."""
        if pair != self._pair:
            self._pair = pair
            self.refresh()

    @property
    def reference(self) -> int:
        """The key of the lane that others are compared with: the chosen, else the first, or -1."""
        keys = self.ready().keys()
        return self._chosen if self._chosen in keys else next(iter(keys), -1)

    @property
    def chosen(self) -> int:
        """The key of the lane that was chosen to compare with, which may be loading, or -1."""
        keys = [lane.key for lane in self.lanes if not lane.failed]
        return self._chosen if self._chosen in keys else -1

    @Slot(int)
    def set_reference(self, key: int) -> None:
        """Compare the other lanes with the one with this key."""
        before, self._chosen = self.reference, key
        if self.reference != before:
            self.referenceChanged.emit(before)

    def _hidden(self) -> frozenset[int]:
        """Return the keys of the lanes that are not to be aligned."""
        keys = {lane.key for lane in self.lanes}
        if self._pair is not None and self._pair <= keys:
            return frozenset(keys - self._pair)
        return frozenset(lane.key for lane in self.lanes if lane.hidden)

    def set_history(self, history: History | None) -> None:
        """Follow another run, or none."""
        self.history = history
        self._run = None if history is None else TrainedEncoding(history, 0, name=FOLLOWING)
        self.position = 0
        self._follow()

    def set_position(self, position: int) -> None:
        """Go to the cursor."""
        if position != self.position:
            self.position = position
            self._follow()

    def set_active(self, active: bool) -> None:
        """Tokenize at once while the lanes are in sight, and after a pause while they are not."""
        self._active = active
        if self._stale:
            self.refresh()

    def keys_in_view(self) -> frozenset[int]:
        """Return the lanes of the run in view, at whatever position."""
        return frozenset(
            lane.key
            for lane in self.lanes
            if isinstance(lane.encoding, TrainedEncoding) and lane.encoding.history is self.history
        )

    def run_names(self) -> dict[History, str]:
        """Return the names of runs: those of the first lanes that show them whole."""
        return {
            lane.encoding.history: lane.name
            for lane in reversed(self.lanes)
            if isinstance(lane.encoding, TrainedEncoding) and not (lane.follows or lane.step)
        }

    def ready(self) -> dict[int, Encoding]:
        """Return the encodings of the lanes, by key, without those still being fetched."""
        return {lane.key: lane.encoding for lane in self.lanes if lane.encoding is not None}

    def sources(self) -> dict[Encoding, str]:
        """Return what encodings were read from, without runs."""
        lanes = self.lanes
        return {lane.encoding: lane.spec for lane in lanes if lane.encoding and lane.spec}

    def explain(self, number: int, done: Callable[[ExplainedDifference | None], object]) -> None:
        """Find out why lanes differ from the reference in a difference of the result.

        `done` gets the answer, unless another difference is asked about before it comes.
        """
        result, reference = self.result, self.reference
        if self._explaining is not None:
            self._explaining.cancel()
        if result is not None:
            self._explaining = self._task.ask_too(
                lambda job: explain(result, number, reference), done, self.failed.emit
            )

    def _go_to_cursor(self) -> None:
        for lane in self.lanes:
            if lane.follows:
                position = self.position // lane.part
                lane.encoding = self._run and self._run.at(position, name=lane.name)

    def _follow(self) -> None:
        if self._withdrawn and self.position:
            self._withdrawn = False
            if not any(lane.follows for lane in self.lanes):
                self.add_following()
                return
        if any(lane.follows for lane in self.lanes):
            self._go_to_cursor()
            self.refresh()

    # -- in the background ---------------------------------------------------------------------

    @property
    def up_to_date(self) -> bool:
        """Whether the result is of the present text and lanes."""
        return not self._busy and not self._stale

    @property
    def at_rest(self) -> bool:
        """Whether it is up to date, and no difference is being explained."""
        return self.up_to_date and self._task.at_rest

    @Slot()
    def refresh(self) -> None:
        """Tokenize again, as soon as what is under way is done."""
        self._stale = True
        if self._active:
            self._cut()
        else:
            self._unseen.start()

    @Slot()
    def _cut(self) -> None:
        self._unseen.stop()
        if self._busy or not self._stale:
            return
        self._busy, self._stale = True, False
        ready, text, as_text = self.ready(), self.text, self.specials_as_text
        hidden = self._hidden()

        def work(job: Job) -> CutResult | None:
            def check() -> None:
                job.check()
                if (self.text, self.specials_as_text) != (text, as_text):
                    raise Cancelled

            try:
                return self._cutter.cut(
                    text, ready, specials_as_text=as_text, hidden=hidden, check=check
                )
            except Cancelled:
                return None

        self._task.ask_too(work, self._on_done, self._on_failed)

    def _on_done(self, result: CutResult | None) -> None:
        """Show a result; None if another text is wanted by now."""
        self._busy = False
        if result is not None:
            self.result = result
            self.compared.emit(result)
        if self._stale:
            self.refresh()

    def _on_failed(self, message: str) -> None:
        self._busy = False
        self.failed.emit(message)
        if self._stale:
            self.refresh()


def _following(part: int) -> Lane:
    return Lane(FOLLOWING if part == 1 else BEHIND, None, follows=True, part=part)
