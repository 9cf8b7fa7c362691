"""The cursor: which position of which history every view is drawn for."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from bpe_gui.bpe.history import History


class Player(QObject):
    """A position within a history. While *live* it follows the end.

    Seeking to anywhere but the end leaves live; seeking to the end takes it up again.
    """

    loaded = Signal()
    """There is another history, or none."""
    moved = Signal(int)
    """The position has changed."""
    live_changed = Signal(bool)
    """The cursor follows the end now, or no longer does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history: History | None = None
        self.position = 0
        self.live = True

    @property
    def end(self) -> int:
        """The last position there is."""
        return len(self.history) if self.history is not None else 0

    def load(self, history: History | None) -> None:
        """Show another history, live."""
        self.history = history
        self.position = self.end
        self._set_live(True)
        self.loaded.emit()
        self.moved.emit(self.position)

    def follow(self) -> None:
        """Take in merges that came since: while live, go to the end."""
        if self.live and self.position != self.end:
            self.position = self.end
            self.moved.emit(self.position)

    def seek(self, position: int) -> None:
        """Go to a position; what lies outside the history is brought within."""
        position = min(max(position, 0), self.end)
        if position != self.position:
            self.position = position
            self.moved.emit(position)
        self._set_live(position == self.end)

    def _set_live(self, live: bool) -> None:
        if live != self.live:
            self.live = live
            self.live_changed.emit(live)
