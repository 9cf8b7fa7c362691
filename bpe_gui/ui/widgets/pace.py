"""How often something is written or drawn anew, so that time is left for all the rest."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

_CHEAP_MILLISECONDS = 6


class _Pace(QObject):
    """Holds something back for a while that has to be done at last."""

    due = Signal()
    """Now is the time to do it as things stand."""

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
        """It is done already, or need not be: let `due` not come."""
        self._later.stop()

    @Slot()
    def _begin(self) -> None:
        self._later.stop()
        self._since.start()
        self.due.emit()


class DrawingPace(_Pace):
    """Lets at most a third of the time go into drawing, however fast changes come.

    What comes in between is left out, and the last change is always drawn. Say with `note` how
    long each drawing took.
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
        """Milliseconds until drawing again leaves two thirds of the time to the rest."""
        if not self.is_costly or not self._since.isValid():
            return 0
        return max(0, 2 * self._cost - self._since.elapsed())

    def ask(self) -> None:
        """Something has changed: `due` comes after the rest, and after the events that wait."""
        rest = self.rest
        if not self.waits or self._later.remainingTime() > rest:
            self._later.start(rest)

    def note(self, milliseconds: int) -> None:
        """Something was drawn just now, and took so long."""
        self._cost = milliseconds
        self._since.start()


# superqt's throttles neither tell whether a call waits nor let one through at once at rest.
class ReadingPace(_Pace):
    """Lets writing wait while much happens, for a faster change cannot be read.

    However many changes there are, the last one is always written, so many milliseconds after
    the one before at most.
    """

    def __init__(self, parent: QObject | None = None, milliseconds: int = 200) -> None:
        super().__init__(parent)
        self.milliseconds = milliseconds

    def ask(self, *, busy: bool) -> None:
        """Something has changed: `due` comes at once, or while `busy` after the time of rest."""
        rest = self.milliseconds - self._since.elapsed() if self._since.isValid() else 0
        if busy and rest > 0:
            self._later.start(rest)
        else:
            self._begin()
