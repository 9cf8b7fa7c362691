"""Runs that go as far as a test lets them, so that no test depends on the machine's speed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Semaphore
from typing import Any

import pytest

from bpe_gui.ui.run.worker import TrainingControl


class Rations:
    """Each order to train gives so many merges only; then the run waits, under way, for more.

    For the window this is a training that is slow at that moment: it is neither paused nor
    stopped, and it answers every order.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.merges = 400
        self._orders: list[TrainingControl] = []

        def train(orders: TrainingControl) -> None:
            self._orders.append(orders)
            orders.step(self.merges)

        monkeypatch.setattr(TrainingControl, "train", train)

    def more(self) -> None:
        """Let the run that was last told to train do as many merges again."""
        self._orders[-1].step(self.merges)


class Gate:
    """Stands before something that the training thread does again and again.

    While it is shut each call waits in front of it until the test lets one through. The
    fixture `shut` makes gates, and opens them before the thread is to end.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: type[Any], name: str) -> None:
        self.arrived = 0
        """How many calls have come to the gate, those that have passed it included."""
        self._passes = Semaphore(0)
        self._open = Event()
        guarded = getattr(owner, name)

        def wait_then_call(*arguments: Any, **options: Any) -> Any:
            self.arrived += 1
            if not self._open.is_set():
                self._passes.acquire()
            return guarded(*arguments, **options)

        monkeypatch.setattr(owner, name, wait_then_call)

    def let_through(self) -> None:
        """Let one call through."""
        self._passes.release()

    def open(self) -> None:
        """Let all calls through from now on, and those of every thread that waits."""
        self._open.set()
        self._passes.release(self.arrived + 1)


Shut = Callable[[type[Any], str], Gate]
"""Shuts a gate before a method of that class."""
