"""What the window asks of a training run under way, across threads."""

from __future__ import annotations

import sys
from threading import Condition


class TrainingControl:
    """Pause, resume, step and stop for one run; every method may be called on any thread.

    A run reads and counts its corpus unless it is held, and merges as long as it has an
    allowance of merges. A new run may count but not merge.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._held = False
        self._stopped = False
        self._allowance = 0

    def train(self) -> None:
        """Go on, as far as the recipe goes."""
        self._give(sys.maxsize)

    def step(self, merges: int = 1) -> None:
        """Do a single merge, or so many, then wait."""
        self._give(merges)

    def withdraw(self) -> None:
        """Do no more of the merges that were allowed, until others are."""
        self._give(0)

    def pause(self) -> None:
        """Wait, also in the middle of reading."""
        with self._changed:
            self._held = True
            self._changed.notify_all()

    def stop(self) -> None:
        """End the run; nothing revives it."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def _give(self, merges: int) -> None:
        with self._changed:
            self._held = False
            self._allowance = merges
            self._changed.notify_all()

    @property
    def stopped(self) -> bool:
        """Whether the run is to end."""
        return self._stopped

    def may_read(self) -> bool:
        """Wait while the run is held; returns False if it is to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or not self._held)
            return not self._stopped

    def allowed_merges(self) -> int:
        """Wait until a merge is allowed; returns how many are, 0 if the run is to end."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped or (not self._held and self._allowance > 0)
            )
            return 0 if self._stopped else self._allowance

    def merges_at_once(self) -> int:
        """How many merges are allowed now, without waiting."""
        with self._changed:
            return 0 if self._stopped or self._held else self._allowance

    def spend(self, merges: int) -> None:
        """Take merges that were done off the allowance."""
        with self._changed:
            if self._allowance != sys.maxsize:
                self._allowance = max(0, self._allowance - merges)
