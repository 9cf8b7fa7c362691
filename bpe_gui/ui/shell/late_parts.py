"""Make what the first frame does not show after it, or earlier if somebody asks for it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtGui import QAction

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.ui.run.background import BackgroundTask, Job

_CALM = 60
"""Milliseconds that pass first: what the first frame has asked for is painted."""


class LateParts(QObject):
    """Makes parts of the window: one after another once all is calm, or at their first use.

    A part is an attribute of the window that is made when it is first read. Who triggers one of
    its actions before has it made, and is then answered by it. Modules are loaded on another
    thread, and what takes long holds up nobody.
    """

    kernelsFound = Signal()
    """Whether the kernels are ready can be told now without loading LLVM, which takes long."""

    def __init__(self, window: QObject, parts: Mapping[str, Sequence[QAction]]) -> None:
        """`parts` are the names of attributes, with the actions that need them."""
        super().__init__(window)
        self._window = window
        self._waiting = list(parts)
        self._begun = False
        self._needed = {action: name for name, actions in parts.items() for action in actions}
        for action in self._needed:
            action.triggered.connect(self._on_early)
        self._task = BackgroundTask("late parts", self)
        self._calm = QTimer(self, singleShot=True, interval=_CALM)
        self._calm.timeout.connect(self._load)
        self._pause = QTimer(self, singleShot=True, interval=0)
        self._pause.timeout.connect(self._make_next)

    def is_made(self, name: str) -> bool:
        """Tell whether a part has been made."""
        return name in vars(self._window)

    def begin(self) -> None:
        """Make all parts soon, unless that has begun."""
        if not self._begun:
            self._begun = True
            self._calm.start()

    def finish(self) -> None:
        """Make all parts now."""
        while self._waiting:
            getattr(self._window, self._waiting.pop(0))

    def close(self) -> None:
        """End the thread; nothing is made any more but what somebody asks for."""
        self._begun = True
        self._waiting.clear()
        self._calm.stop()
        self._pause.stop()
        self._task.close()

    @Slot()
    def _load(self) -> None:
        self._task.ask(_find_kernels, self._on_kernels)
        self._task.ask_too(_load_modules, self._on_loaded)

    def _on_kernels(self, _: object) -> None:
        self.kernelsFound.emit()

    def _on_loaded(self, _: object) -> None:
        self._pause.start()

    @Slot()
    def _make_next(self) -> None:
        if self._waiting:
            getattr(self._window, self._waiting.pop(0))
            self._pause.start()

    @Slot()
    def _on_early(self) -> None:
        """Have the part made that this action needs, and trigger it again."""
        action = self.sender()
        assert isinstance(action, QAction)
        if self.is_made(self._needed[action]):
            return
        getattr(self._window, self._needed[action])
        if action.isCheckable():
            with QSignalBlocker(action):
                action.toggle()
        action.trigger()


def _find_kernels(job: Job) -> None:
    # What this finds is known from then on.
    kernel_cache.folder()


def _load_modules(job: Job) -> None:
    hooks = sys.excepthook, threading.excepthook
    import bpe_gui.ui.compare.view
    import bpe_gui.ui.export.animating
    import bpe_gui.ui.export.dialog
    import bpe_gui.ui.laboratory.view
    import bpe_gui.ui.panels.curves.plot
    import bpe_gui.ui.stage.stage
    import bpe_gui.ui.tour.touring  # noqa: F401

    # Pyqtgraph would print a heading before each error.
    sys.excepthook, threading.excepthook = hooks
