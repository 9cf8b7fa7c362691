"""What moves by itself, where the window is animated: movements, and bars without an end."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QElapsedTimer, QObject, QVariantAnimation, Signal, Slot
from PySide6.QtWidgets import QMainWindow, QProgressBar, QWidget

_MILLISECONDS, _LEAST_MILLISECONDS = 400, 90
"""How long a merge is seen at most; one that would be seen for less is over at once."""
_SHARE = 0.6
"""A merge is seen for at most this share of the time since the last one began, so that it ends
before the next one begins."""
_SEEN = 0.8
"""The share of a held motion in which the merge is seen; in the rest what it leaves behind comes
to its place."""
JOIN = 0.15
"""The share of a merge after which the two tokens are seen as one, and all numbers are those after
the merge."""
_STEPS = 1000
"""Of a progress bar."""


def is_animated(widget: QWidget) -> bool:
    """Tell whether the main window that holds a widget may move things by itself."""
    holder: QWidget | None = widget
    while holder is not None and not isinstance(holder, QMainWindow):
        holder = holder.parentWidget()
    return holder is None or holder.isAnimated()


class MergeMotion(QObject):
    """How much of the merge that the cursor has just done is seen: one clock for all panels.

    It goes from 0 to 1 where the cursor goes one merge further (`go_to`). All panels take from here
    how far that merge is, and begin to show the next one where this one ends. Where nothing may
    move by itself, or merges follow each other too fast, it is over at once. Where pictures are
    taken it stays where `hold` lets it be.
    """

    progressed = Signal()
    """It has gone on: what shows it is to be drawn again."""
    joined = Signal()
    """The two tokens are one from now on: numbers are to be written again."""
    ended = Signal()
    """The merge is over: everything shows the state after it."""

    def __init__(self, window: QWidget | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._cursor: int | None = None
        self.position: int | None = None
        """The position after the merge that is seen, or was the last; None after other moves."""
        self.goes_on = False
        """Whether a merge is under way."""
        self._is_apart = False
        """Whether its tokens are still two."""
        self._held: float | None = None
        self._since = QElapsedTimer()
        self._animation = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._animation.setObjectName("mergeMotion")
        self._animation.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._animation.valueChanged.connect(self._progress)
        self._animation.finished.connect(self.end)

    @property
    def is_held(self) -> bool:
        """Whether it does not go on by itself."""
        return self._held is not None

    def shows(self, position: int) -> bool:
        """Tell whether the merge to a position is under way."""
        return self.goes_on and position == self.position

    def precedes(self, position: int) -> bool:
        """Tell whether the merge to a position is under way and its tokens are still two, so that
        numbers are those before it.
        """
        return self._is_apart and self.shows(position)

    def comes_next(self, position: int) -> bool:
        """Tell whether a position is one merge further than the last, so that it may be seen."""
        return self._cursor is not None and position == self._cursor + 1

    @property
    def share(self) -> float:
        """How much of the merge is done, from 0 to 1; slowly at the beginning and at the end."""
        if not self.goes_on:
            return 1.0
        if self._held is not None:
            return self._animation.easingCurve().valueForProgress(self._held / _SEEN)
        return float(self._animation.currentValue())

    @property
    def share_joined(self) -> float:
        """How far the two tokens have grown into one since they joined, from 0 to 1."""
        return max(0.0, (self.share - JOIN) / (1 - JOIN))

    @property
    def rest(self) -> float:
        """How far what a held merge leaves behind has come to its place, from 0 to 1."""
        return 1.0 if self._held is None else max(0.0, (self._held - _SEEN) / (1 - _SEEN))

    @Slot(int, bool)
    def go_to(self, position: int, moving: bool) -> None:
        """Begin the merge to a position if the cursor goes one further, but not if it is `moving`
        fast. What was under way is over.
        """
        if position == self._cursor:
            return
        steps = self.comes_next(position) and not moving
        self._cursor = position
        self.cut_short()
        self.position = position if steps else None
        if steps:
            self._begin()

    @Slot()
    def reset(self) -> None:
        """Begin with the next position, which is one of another run."""
        self.cut_short()
        self._cursor = self.position = None

    def _begin(self) -> None:
        since = self._since.elapsed() if self._since.isValid() else _MILLISECONDS / _SHARE
        self._since.start()
        duration = min(_MILLISECONDS, round(_SHARE * since))
        if self._held is not None:
            self.goes_on = self._held < _SEEN
            self._is_apart = self.goes_on and self.share < JOIN
        elif duration >= _LEAST_MILLISECONDS and (
            self._window is None or is_animated(self._window)
        ):
            # With another duration its value changes, which is not that of this merge yet.
            self._animation.setDuration(duration)
            self.goes_on = self._is_apart = True
            self._animation.start()

    def hold(self, share: float) -> None:
        """Be as far as that from now on, for pictures; with 1, all is over and in its place."""
        self._held = share
        if self.goes_on and share >= _SEEN:
            self.end()
        self._progress()

    @Slot()
    def _progress(self) -> None:
        if self.share >= JOIN:
            self._join()
        self.progressed.emit()

    def _join(self) -> None:
        if self._is_apart:
            self._is_apart = False
            self.joined.emit()

    def cut_short(self) -> None:
        """Be over, if a merge is under way."""
        if self.goes_on:
            self.end()

    @Slot()
    def end(self) -> None:
        self._join()
        self.goes_on = False
        self._animation.stop()
        self.ended.emit()


class JoinWait(QObject):
    """Keeps a panel at the position before a merge under way until its tokens have joined."""

    joined = Signal(int, bool)
    """What the panel is to show now: the position, and that the cursor is not moving fast."""

    def __init__(self, motion: MergeMotion, parent: QObject) -> None:
        super().__init__(parent)
        self._motion = motion
        self._coming: int | None = None
        motion.joined.connect(self._on_joined)

    def holds_back(self, position: int) -> bool:
        """Tell whether a position is to be shown only when it is `joined`."""
        waits = self._motion.precedes(position)
        self._coming = position if waits else None
        return waits

    @Slot()
    def _on_joined(self) -> None:
        coming, self._coming = self._coming, None
        if coming is not None:
            self.joined.emit(coming, False)


class ProgressBar(QProgressBar):
    """A bar without text. While the amount of work is unknown, it moves or is empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textVisible=False)

    def show_share(self, share: float | None) -> None:
        """Show how much is done, from 0 to 1; None if that is unknown."""
        # Left to itself the bar repaints at once, and everything else that waits with it.
        self.setUpdatesEnabled(False)
        self.setRange(0, 0 if share is None and is_animated(self) else _STEPS)
        self.setValue(round((share or 0) * _STEPS))
        self.setUpdatesEnabled(True)
