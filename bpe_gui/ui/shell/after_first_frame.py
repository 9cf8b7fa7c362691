"""Do what the first frame goes without, once that is complete."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.ui.explore import registry
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.training import Phase, Training

_CALM = 60
"""Milliseconds that pass first: what the first frame has asked for is painted."""


class AfterFirstFrame(QObject):
    """Does one thing, loads modules on another thread, and then does the others, one by one.

    The first frame is complete when all panels in view are drawn, and wait for no answer.
    """

    kernelsFound = Signal()
    """Whether the kernels are ready can be told now without loading LLVM, which takes long."""

    def __init__(
        self, explore: ExploreView, training: Training, to_do: Sequence[Callable[[], object]]
    ) -> None:
        """`to_do` is done in its order, each so short that the window may wait for it.

        The first does not wait until the modules are loaded.
        """
        super().__init__(explore)
        self._explore, self._training = explore, training
        self._to_do = list(to_do)
        self._loads = True
        self._task = BackgroundTask("after the first frame", self)
        self._calm = QTimer(self, singleShot=True, interval=_CALM)
        self._calm.timeout.connect(self._load)
        self._pause = QTimer(self, singleShot=True, interval=0)
        self._pause.timeout.connect(self._do_next)
        explore.clock.drew.connect(self._on_frame)
        explore.rested.connect(self._on_frame)

    def finish(self) -> None:
        """Do all of it now."""
        while self._to_do:
            self._to_do.pop(0)()

    def only_find_kernels(self) -> None:
        """Make nothing but the kernels ready: nobody uses the window."""
        self._loads = False

    def close(self) -> None:
        """Do nothing more."""
        self._to_do.clear()
        self._calm.stop()
        self._pause.stop()

    @Slot()
    def _on_frame(self) -> None:
        explore = self._explore
        if self._training.phase is Phase.READING or not explore.at_rest:
            return
        if explore.clock.up_to_date:
            explore.clock.drew.disconnect(self._on_frame)
            explore.rested.disconnect(self._on_frame)
            self._calm.start()

    @Slot()
    def _load(self) -> None:
        self._task.ask(_find_kernels, self._on_kernels)
        if self._loads:
            if self._to_do:
                self._to_do.pop(0)()
            self._task.ask_too(_load_modules, self._on_loaded)

    def _on_kernels(self, _: object) -> None:
        self.kernelsFound.emit()

    def _on_loaded(self, _: object) -> None:
        self._pause.start()

    @Slot()
    def _do_next(self) -> None:
        if self._to_do:
            self._to_do.pop(0)()
            self._pause.start()


def _find_kernels(job: Job) -> None:
    # What this finds is known from then on.
    kernel_cache.folder()


def _load_modules(job: Job) -> None:
    for spec in registry.PANELS:
        spec.load()
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
