"""Show what the run is doing in one line: a sentence, a progress bar, a button to cancel."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from bpe_gui.analysis.replay_pace import replay_seconds
from bpe_gui.analysis.taken_over import added_and_saved, given_merges, tokens_before
from bpe_gui.bpe.history import History
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.progress import counted, duration_text, size_text
from bpe_gui.ui.actions.action_words import announce
from bpe_gui.ui.run.player import ACCELERATING, Player
from bpe_gui.ui.run.training import Phase, Training
from bpe_gui.ui.widgets.labels import SteadyLabel
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.motion import MergeMotion, ProgressBar
from bpe_gui.ui.widgets.naming import named

_SLOWLY = 200
"""Milliseconds between two changes of the words: a faster one cannot be read."""
_NOTE_STAYS = 5_000
"""Milliseconds that a note stays."""


class RunStatus(QWidget):
    """The status line of a run."""

    finished = Signal()
    """A run has ended, and the sentence says how."""

    def __init__(
        self,
        training: Training,
        player: Player,
        cancel: QAction,
        leave_tour: QAction,
        parent: QWidget | None = None,
    ) -> None:
        """`leave_tour` is enabled during a tour, which says itself what to do next."""
        super().__init__(parent)
        self._training, self._player = training, player
        self._motion: MergeMotion | None = None
        self._name = ""
        self._reading = ""
        self._was_busy = False
        self._in_view, self._moves = True, False
        self._has_gone = False
        """Whether somebody has gone elsewhere since training ended."""
        self._guides, self._leave_tour = True, leave_tour
        self.sentence = SteadyLabel(self)
        """What the run is doing, in words."""
        self.sentence.label.setObjectName("statusText")
        self._bar = named(ProgressBar(self), "progressBar", "Progress")
        self._bar.setFixedWidth(180)
        tip = "End the work under way (Esc)"
        self._cancel = named(QToolButton(self), "cancelButton", tip=tip)
        self._cancel.setText("Cancel")
        self._cancel.clicked.connect(cancel.trigger)
        for part in (self._bar, self._cancel):
            # Coming and going, they leave the line as it is.
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)
        parts, margins = (self.sentence, self._bar, self._cancel), (10, 2, 10, 2)
        row = QHBoxLayout(self)
        filled(row, *parts, stretched=self.sentence, spacing=STYLED, margins=margins)
        self._slow = QTimer(self, interval=_SLOWLY)
        self._slow.timeout.connect(self.refresh)
        self._note = ""
        self._note_ends = QTimer(self, singleShot=True, interval=_NOTE_STAYS)
        self._note_ends.timeout.connect(self.end_note)
        player.movingChanged.connect(self._on_moving)
        player.moved.connect(self._on_moved)
        player.loaded.connect(self._on_loaded)
        player.speedChanged.connect(self.refresh)
        leave_tour.enabledChanged.connect(self.refresh)
        training.changed.connect(self._on_changed)
        training.progressed.connect(self._on_progressed)
        self._on_changed()

    @property
    def text(self) -> str:
        """The sentence that is shown."""
        return self.sentence.text()

    def follow(self, motion: MergeMotion) -> None:
        """Say what a merge leads to when its tokens are seen to have joined, as panels do."""
        self._motion = motion
        motion.joined.connect(self.refresh)

    def set_name(self, name: str) -> None:
        """Name the run in the sentence; empty if there is only one."""
        if name != self._name:
            self._name = name
            self.refresh()

    def set_reading(self, name: str) -> None:
        """Say that the file of this name is being read, instead of all else; empty for none."""
        self._reading = name
        self._cancel.setVisible(bool(name) or self._training.busy)
        self.refresh()

    @Slot(bool)
    def set_in_view(self, in_view: bool) -> None:
        """Set whether a view shows the run. If none does, only work under way is reported."""
        if in_view != self._in_view:
            self._in_view = in_view
            self.refresh()

    @Slot(bool)
    def _on_moving(self, moving: bool) -> None:
        self._moves = moving
        self._has_gone |= self._training.phase is Phase.FINISHED and not moving
        self.refresh()

    @Slot(int)
    def _on_moved(self, position: int) -> None:
        if self._training.phase is Phase.FINISHED and not self._moves:
            self._has_gone = True
            if self._motion is None or not self._motion.comes_next(position):
                self.refresh()

    @Slot(int, bool)
    def show_position(self, position: int, moving: bool) -> None:
        """Say where the cursor is, in the frame in which the panels do."""
        if self._has_gone and not moving:
            self.refresh()

    @Slot()
    def _on_loaded(self) -> None:
        self._has_gone = False

    def set_guides(self, guides: bool) -> None:
        """Set whether to say how to begin; not where something else does."""
        if guides != self._guides:
            self._guides = guides
            self.refresh()

    @Slot(str)
    def note(self, sentence: str) -> None:
        """Say something for some seconds, or until there is news of the run."""
        self._note = sentence
        self._note_ends.start()
        announce(self, sentence)
        self.refresh()

    @Slot()
    def end_note(self) -> None:
        """Say what the run is doing again."""
        self._note = ""
        self._note_ends.stop()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what the run is doing now."""
        position = None
        if self._has_gone and not self._moves:
            position = self._player.position
            position -= self._motion is not None and self._motion.precedes(position)
        sentence = describe(
            self._training,
            position,
            guides=self._guides and not self._leave_tour.isEnabled(),
            watching=self._player.playing,
            accelerating=self._player.speed == ACCELERATING,
        )
        if self._name and self._training.phase is not Phase.IDLE:
            sentence = f"{self._name}: {sentence}"
        if not (self._in_view or self._training.busy):
            sentence = ""
        sentence = f"Reading {self._reading} …" if self._reading else self._note or sentence
        if sentence != self.sentence.text():
            self.sentence.set_text(sentence)
            self.sentence.setToolTip(sentence)
        self._bar.show_share(progress(self._training))

    @Slot()
    def _on_progressed(self) -> None:
        if not self._slow.isActive():
            self.refresh()

    @Slot()
    def _on_changed(self) -> None:
        busy = self._training.busy
        self._has_gone = False
        self._bar.setVisible(busy)
        self._cancel.setVisible(bool(self._reading) or busy)
        if busy and not self._training.paused:
            self._slow.start()
        else:
            self._slow.stop()
        self.end_note()
        if self._was_busy and not busy:
            announce(self, self.text)
            if self._training.phase is Phase.FINISHED:
                self.finished.emit()
        self._was_busy = busy


def progress(training: Training) -> float | None:
    """Return how much of the work is done, from 0 to 1; None if that is not known."""
    if training.phase is Phase.READING:
        size = training.corpus_size
        # Counting pairs after reading reports no progress.
        return training.bytes_read / size if size and not training.is_counted else None
    if training.phase is Phase.TRAINING and training.history is not None:
        to_go, done = training.merges_to_go, len(training.history)
        if to_go is None or done + to_go == 0:
            return None
        return done / (done + to_go)
    return None


def describe(
    training: Training,
    position: int | None = None,
    *,
    guides: bool = True,
    watching: bool = False,
    accelerating: bool = False,
) -> str:
    """Describe what the run is doing, in one sentence; with `guides` also how to go on.

    While somebody is `watching` what was trained, or looks at a `position` before its end, how
    training ended would be taken for the state that is seen. `accelerating` tells whether what is
    watched gets ever faster.
    """
    held = "Paused. " if training.paused else ""
    history = training.history
    match training.phase:
        case Phase.IDLE:
            return "Nothing is being trained. Choose a corpus, drop files, or press Train (F5)."
        case Phase.WAITING if kernel_cache.is_ready(kernel_cache.Kernels.ALL):
            return "Loading the training loops…"
        case Phase.WAITING:
            return (
                "Compiling the training loops, for the first time on this machine: up to a "
                "minute. Small corpora work meanwhile."
            )
        case Phase.READING if training.is_counted:
            return f"{held}The words are counted, counting their pairs…"
        case Phase.READING:
            return f"{held}Reading and counting words: {_amount(training)}"
        case Phase.PREPARED if history is not None:
            return _position(history, guides=guides)
        case Phase.TRAINING if history is not None:
            return held + _speed(training, history)
        case Phase.FINISHED if history is not None and history.stopped is not None:
            seconds, given = _in(training.seconds), given_merges(history)
            if given == len(history) > 0:
                done = f"{counted(given, 'merge')} of {history.recipe.name} done on the corpus"
                tokens = f"{tokens_before(history):,} tokens"
                if history.saved_by_new_symbols:
                    symbols = counted(history.new_symbols, "new single symbol")
                    tokens += f", {int(history.tokens[-1]):,} with {symbols}"
                return f"{done}{seconds}: {tokens}."
            if watching and not given:
                merges, pace = counted(len(history), "merge"), ""
                if accelerating:
                    seconds_in_all = duration_text(replay_seconds(len(history)))
                    pace = f" ever faster, about {seconds_in_all} in all"
                return (
                    f"Training found {merges}{_in(training.seconds)}. Replaying them{pace}. "
                    "Space pauses, End goes to the last."
                )
            if position is not None and position < len(history):
                return _at(history, position)
            done = f"Done{seconds}: {history.stopped}."
            if given > 0:
                added, saved = added_and_saved(history)
                # In a narrow window the end is elided.
                return f"Tokens in the corpus: {saved}. Added {added}. {done}"
            return (
                f"{done} {counted(len(history), 'merge')}, "
                f"corpus {int(history.tokens[0]):,} → {int(history.tokens[-1]):,} tokens, "
                f"vocabulary {history.vocabulary_size(0):,} → "
                f"{history.vocabulary_size(len(history)):,} entries."
            )
    return ""


def _at(history: History, position: int) -> str:
    """Say how large the corpus and the vocabulary are at a position before the end."""
    merges = counted(len(history), "merge")
    when = f"After {position:,} of {merges}" if position else f"Before the first of {merges}"
    tokens = counted(int(history.tokens[position]), "token")
    entries = counted(history.vocabulary_size(position), "entry", "entries")
    return f"{when} the corpus has {tokens} and the vocabulary {entries}."


def _in(seconds: float | None) -> str:
    return "" if seconds is None or seconds < 0.05 else f" in {duration_text(seconds)}"


def _amount(training: Training) -> str:
    done, size = training.bytes_read, training.corpus_size
    if done == 0:
        return "opening…"
    if size:
        return f"{size_text(done)} of {size_text(size)}"
    return size_text(done)


def _position(history: History, *, guides: bool) -> str:
    merges = len(history)
    if merges == 0:
        # Says why the corpus has more tokens than the sample text, which may have each word once.
        whole = history.recipe.split == "none"
        per_word = "" if whole else "; each word counts as often as it occurs"
        state = (
            f"The corpus starts as {counted(int(history.tokens[0]), 'token')} with "
            f"{counted(int(history.distinct[0]), 'different pair')}{per_word}."
        )
        return f"{state} Press Train (F5)." if guides else state
    return f"{counted(merges, 'merge')}.{' Train (F5) goes on.' if guides else ''}"


def _speed(training: Training, history: History) -> str:
    speed, to_go = training.speed.value, training.merges_to_go
    if not len(history):
        return "Training: looking for the first merge…"
    text = counted(len(history), "merge")
    if training.paused or speed <= 0:
        return text
    text += f", {speed:,.0f} a second"
    if to_go:
        left = training.speed.seconds_left(history, len(history) + to_go)
        text += ", estimating the time left…" if left is None else f", {duration_text(left)} left"
    return text
