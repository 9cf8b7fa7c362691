"""Limit how often something is written or drawn, so that time is left for everything else."""

from __future__ import annotations

from time import monotonic_ns

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal, Slot

_CHEAP_MILLISECONDS = 6
_EARLY = 5
"""Milliseconds by which a timer may end too soon: its change would be written twice."""


class _Pace(QObject):
    """Delays something that has to be done in the end."""

    due = Signal()
    """It is to be done now."""

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self._since = QElapsedTimer()
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._begin)

    @property
    def waits(self) -> bool:
        """Whether something is still to be done."""
        return self._later.isActive()

    def drop(self) -> None:
        """Cancel `due`: it is done already, or need not be."""
        self._later.stop()

    @Slot()
    def _begin(self) -> None:
        self._later.stop()
        self._since.start()
        self.due.emit()


class DrawingPace(_Pace):
    """Limits drawing to a third of the time, for any rate of changes.

    Changes in between are left out, and the last one is always drawn. `note` takes how long each
    drawing took.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cost = 0

    @property
    def is_costly(self) -> bool:
        """Whether the last drawing took more than a part of a frame."""
        return self._cost > _CHEAP_MILLISECONDS

    @property
    def rest(self) -> int:
        """Milliseconds until drawing again leaves two thirds of the time free."""
        if not self.is_costly or not self._since.isValid():
            return 0
        return max(0, 2 * self._cost - self._since.elapsed())

    def ask(self) -> None:
        """Something has changed: emit `due` after `rest`, and after the pending events."""
        rest = self.rest
        if not self.waits or self._later.remainingTime() > rest:
            self._later.start(rest)

    def note(self, milliseconds: int) -> None:
        """Note that something was drawn just now, and how long it took."""
        self._cost = milliseconds
        self._since.start()


# superqt's throttles neither show whether a call waits nor pass one at once when idle.
class ReadingPace(_Pace):
    """Limits writing while much happens, for faster changes cannot be read.

    The last change is always written, some `milliseconds` after the one before at the latest. All
    paces of the same length write at the same times, so that panels side by side tell one merge.
    """

    def __init__(self, parent: QObject | None = None, milliseconds: int = 200) -> None:
        super().__init__(parent)
        self.milliseconds = milliseconds
        self._later.setTimerType(Qt.TimerType.PreciseTimer)

    def ask(self, *, busy: bool) -> None:
        """Something has changed: emit `due` at once, or while `busy` after a delay."""
        recent = self._since.isValid() and self._since.elapsed() < self.milliseconds
        if busy and (recent or self.waits):
            if not self.waits:
                rest = self.milliseconds - monotonic_ns() // 1_000_000 % self.milliseconds
                self._later.start(rest if rest > _EARLY else rest + self.milliseconds)
        else:
            self._begin()
