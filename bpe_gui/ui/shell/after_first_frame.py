"""Make the parts of the window that the first frame does not show, after it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.ui.explore import registry
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.run.training import Phase, Training

_PAINTED = 60
"""Milliseconds that pass first: what the first frame has asked for is painted."""
_CALM = 200
"""Milliseconds without a frame before each part is made on the window's thread: nobody who moves
the cursor, types or trains has to wait for it."""
_TURN = 0.004
"""Seconds for which types of Qt are made before others are answered."""

modules_loaded = threading.Event()
"""Set once the modules of all parts are loaded in this process."""


class AfterFirstFrame(QObject):
    """Does one thing, loads modules on another thread, and then does the others, one by one.

    The first frame is complete when all panels in view are drawn, and wait for no answer.
    """

    kernelsFound = Signal()
    """Whether the kernels are ready can be told now without loading LLVM, which takes long."""
    made = Signal()
    """Parts that stay for good are made: those of the first frame, or one that is shown later."""

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
        self._begun = self._loaded = False
        self._then: Callable[[], object] | None = None
        """What `finish` calls in the end."""
        self._waiting: list[Callable[[], object]] = []
        """What `when_loaded` calls in the end."""
        self._task = BackgroundTask("after the first frame", self)
        self._painted = QTimer(self, singleShot=True, interval=_PAINTED)
        self._painted.timeout.connect(self._load)
        self._calm = QTimer(self, singleShot=True, interval=_CALM)
        self._calm.timeout.connect(self._on_calm)
        self._types = _make_types()
        self._making_types = QTimer(self, interval=0)
        self._making_types.timeout.connect(self._make_some_types)
        explore.scheduler.drew.connect(self._on_frame)
        explore.rested.connect(self._on_frame)

    def do_next(self) -> bool:
        """Do the next thing now; tells whether there was one."""
        if not self._to_do:
            return False
        self._to_do.pop(0)()
        return True

    def finish(self, then: Callable[[], object]) -> bool:
        """Call `then` once all parts are made; make those that are left as soon as they are loaded.

        The window goes on meanwhile. Returns whether all were made before, so that `then` is done.
        """
        if not (self._to_do and self._loads):
            then()
            return True
        self._then = then
        self._calm.setInterval(0)
        if self._loaded:
            self._calm.start()
        else:
            self._load()
        return False

    def when_loaded(self, then: Callable[[], object]) -> None:
        """Call `then` once the modules are loaded, at once if they are.

        The window goes on meanwhile.
        """
        if modules_loaded.is_set() or not self._loads:
            then()
        else:
            self._waiting.append(then)
            self._load()

    def only_find_kernels(self) -> None:
        """Make nothing but the kernels ready: nobody uses the window."""
        self._loads = False

    def close(self) -> None:
        """Do nothing more."""
        self._to_do.clear()
        self._then = None
        self._waiting.clear()
        for timer in (self._painted, self._calm, self._making_types):
            timer.stop()

    @property
    def _is_still(self) -> bool:
        explore, reads = self._explore, self._training.phase is Phase.READING
        return explore.at_rest and explore.scheduler.up_to_date and not reads

    @Slot()
    def _on_frame(self) -> None:
        if self._is_still:
            self._explore.scheduler.drew.disconnect(self._on_frame)
            self._explore.rested.disconnect(self._on_frame)
            self._painted.start()

    @Slot()
    def _load(self) -> None:
        if self._begun:
            return
        self._begun = True
        self.made.emit()
        self._task.ask(lambda job: kernel_cache.folder(), self._on_kernels)
        if self._loads:
            self.do_next()
            self._making_types.start()

    @Slot()
    def _make_some_types(self) -> None:
        end = monotonic() + _TURN
        for _ in self._types:
            if monotonic() >= end:
                return
        self._making_types.stop()
        self._task.ask_too(load_modules, self._on_loaded)

    def _on_kernels(self, _: object) -> None:
        self.kernelsFound.emit()

    def _on_loaded(self, _: object) -> None:
        self._loaded = True
        while self._waiting:
            self._waiting.pop(0)()
        self._explore.scheduler.drew.connect(self._calm.start)
        self._on_calm()

    @Slot()
    def _on_calm(self) -> None:
        if not self._to_do:
            self._explore.scheduler.drew.disconnect(self._calm.start)
            then, self._then = self._then, None
            if then is not None:
                then()
            return
        if self._is_still or self._then is not None:
            self.do_next()
            self.made.emit()
        self._calm.start()


def _make_types() -> Iterator[None]:
    """Make all types of Qt, one by one.

    PySide makes each of them when it is first asked for, and if two threads ask for the same one,
    the program crashes, or both wait for ever.
    """
    for module in (QtCore, QtGui, QtWidgets):
        for name in dir(module):
            getattr(module, name)
            yield


def load_modules(_: Job | None = None) -> None:
    """Load the modules of all parts; `modules_loaded` tells when that is done."""
    for spec in registry.PANELS:
        spec.load()
    hooks = sys.excepthook, threading.excepthook
    import numpy.ma  # np.unique loads it, which Compare calls when it is made  # noqa: F401

    import bpe_gui.sessions.session  # a run that grows is saved while it is watched
    import bpe_gui.ui.compare.view
    import bpe_gui.ui.export.animating
    import bpe_gui.ui.export.dialog
    import bpe_gui.ui.laboratory.view
    import bpe_gui.ui.panels.curves.plot
    import bpe_gui.ui.stage.stage
    import bpe_gui.ui.tour.touring  # noqa: F401

    # Pyqtgraph would print a heading before each error.
    sys.excepthook, threading.excepthook = hooks
    modules_loaded.set()
