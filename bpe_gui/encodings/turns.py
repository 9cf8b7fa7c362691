"""Turns at an encoding that several threads use: one thread at a time, in the order they come.

An encoding may keep what it did last, or change a setting for a moment, so two threads must
not ask it at once. Whoever uses it for long passes it on every now and then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock
from weakref import WeakKeyDictionary

from bpe_gui.encodings.base import Encoding


class Turns:
    """A lock that is given to those who wait in the order in which they came."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._next = 0
        self._served = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn, and have it until the end of the block."""
        self._take()
        try:
            yield
        finally:
            self._give()

    def pass_on(self) -> None:
        """Within one's turn: let those go first who wait now; returns when they are done."""
        if self.waiting:
            self._give()
            self._take()

    @property
    def waiting(self) -> int:
        """How many threads wait for their turn, the one that has it left out."""
        with self._changed:
            return max(self._next - self._served - 1, 0)

    def _take(self) -> None:
        with self._changed:
            mine = self._next
            self._next += 1
            self._changed.wait_for(lambda: self._served == mine)

    def _give(self) -> None:
        with self._changed:
            self._served += 1
            self._changed.notify_all()


_turns: WeakKeyDictionary[Encoding, Turns] = WeakKeyDictionary()
_making = Lock()


def turns_of(encoding: Encoding) -> Turns:
    """The turns at an encoding: the same for all who ask."""
    with _making:
        return _turns.setdefault(encoding, Turns())
