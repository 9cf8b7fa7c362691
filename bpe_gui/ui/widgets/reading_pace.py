"""How often what is read is written anew: numbers and sentences, unlike what is looked at."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

_MILLISECONDS = 200


class ReadingPace(QObject):
    """Lets writing wait while much happens, for a faster change cannot be read.

    However many changes there are, the last one is always written, a fifth of a second after
    the one before at most.
    """

    due = Signal()
    """Now is the time to write how things stand."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._since = QElapsedTimer()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._write)

    @property
    def waits(self) -> bool:
        """Whether something is still to be written."""
        return self._later.isActive()

    def ask(self, *, busy: bool) -> None:
        """Something has changed: `due` comes at once, or while `busy` no more than at 5 Hz."""
        elapsed = self._since.elapsed() if self._since.isValid() else _MILLISECONDS
        if busy and elapsed < _MILLISECONDS:
            self._later.start(_MILLISECONDS - elapsed)
        else:
            self._write()

    @Slot()
    def _write(self) -> None:
        self._later.stop()
        self._since.start()
        self.due.emit()
