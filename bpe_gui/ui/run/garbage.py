"""Python's garbage, which goes on the window's thread: there may be widgets in it."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimerEvent

_EVERY = 200
"""Milliseconds between two collections."""


class GarbageCollector(QObject):
    """Collects Python's garbage, on the thread on which it was made itself.

    Python would do so on any thread that makes an object. A widget in a circle of objects would be
    destroyed there while Qt uses it here, and the program would crash.
    """

    def __init__(self, application: QObject) -> None:
        super().__init__(application)
        gc.disable()
        self.startTimer(_EVERY)

    def timerEvent(self, _: QTimerEvent) -> None:
        """Collect what is due.

        That is Python at work, without which Ctrl+C would wait for the next key or click.
        """
        collect_garbage()


def collect_garbage() -> None:
    """Collect the oldest generation of objects that is due, with all younger ones."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return
