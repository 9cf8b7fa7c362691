"""Garbage collected where widgets may be destroyed: on the window's thread."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimerEvent

_EVERY = 200
"""Milliseconds after which the garbage of that time is looked for."""


class GarbageCollector(QObject):
    """Collects Python's garbage, on the thread it is made on alone.

    Python by itself does so on whatever thread makes an object. A widget that is in a circle of
    objects would be destroyed there, while Qt uses it here: a crash.
    """

    def __init__(self, application: QObject) -> None:
        super().__init__(application)
        gc.disable()
        self.startTimer(_EVERY)

    def timerEvent(self, _: QTimerEvent) -> None:
        """Collect what is due; signals such as Ctrl+C are handled meanwhile, too."""
        collect_garbage()


def collect_garbage() -> None:
    """Collect the oldest generation of objects that is due, with all younger ones."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return
