"""Waiting off the screen: for a signal, and until a panel shows everything."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from PySide6.QtCore import (
    QAbstractAnimation,
    QEventLoop,
    QObject,
    QTimer,
    Signal,
    SignalInstance,
    Slot,
)

from bpe_gui.render_request import RenderError
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.panels import ExportPanel

_LOOK_EVERY = 20
"""Milliseconds between two looks at a panel."""
_IDLE_LOOKS = 3
"""Looks in a row at which a panel is idle: what has just changed is laid out by then."""
_LONGEST = 120_000
"""Milliseconds after which waiting ends with an error."""
_HEARTBEAT = 200
"""Milliseconds between two chances for Ctrl+C, which Python notices between instructions."""


class Interrupts(QObject):
    """Catches Ctrl+C and errors in slots within a block, and raises them at its end.

    A KeyboardInterrupt that Python raises where it notices Ctrl+C would be lost in whatever Qt
    was calling just then. An error in a slot, of a timer for instance, would only be printed,
    and the wait would never end.
    """

    came = Signal()
    """Something was caught."""

    def __init__(self) -> None:
        super().__init__()
        self._interrupted = False
        self._error: BaseException | None = None
        self._before = signal.getsignal(signal.SIGINT)
        self._hook_before = sys.excepthook
        self._heartbeat = QTimer(self, interval=_HEARTBEAT)
        self._heartbeat.timeout.connect(self._beat)

    @property
    def happened(self) -> bool:
        """Whether something was caught and has not been raised yet."""
        return self._interrupted or self._error is not None

    def __enter__(self) -> Interrupts:
        self._before = signal.signal(signal.SIGINT, self._on_signal)
        self._hook_before, sys.excepthook = sys.excepthook, self._on_error
        self._heartbeat.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._heartbeat.stop()
        sys.excepthook = self._hook_before
        signal.signal(signal.SIGINT, self._before)
        if error is not None:
            self._error = None  # only the first error is raised
        self.check()

    def check(self) -> None:
        """Raise what was caught: KeyboardInterrupt, or the first error, once."""
        if self._interrupted:
            raise KeyboardInterrupt
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def _on_signal(self, number: int, frame: object) -> None:
        self._interrupted = True
        self.came.emit()

    def _on_error(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if self._error is None:
            self._error = error.with_traceback(trace)
        self.came.emit()

    @Slot()
    def _beat(self) -> None:
        """Do nothing: between these instructions Python looks for signals."""


@contextmanager
def until(wanted: SignalInstance, interrupts: Interrupts) -> Iterator[None]:
    """Handle events after the block until a signal is emitted; raises what `Interrupts` raise."""
    loop = QEventLoop()
    wanted.connect(loop.quit)
    interrupts.came.connect(loop.quit)
    yield
    if not interrupts.happened:
        loop.exec()
    interrupts.check()


def come_to_rest(context: Context, panel: ExportPanel, interrupts: Interrupts) -> None:
    """Handle events until a panel shows everything. Raises RenderError if it never does."""
    idle_looks = 0
    pause = QTimer(singleShot=True, interval=_LOOK_EVERY)
    for _ in range(_LONGEST // _LOOK_EVERY):
        with until(pause.timeout, interrupts):
            pause.start()
        idle_looks = idle_looks + 1 if is_idle(context, panel) else 0
        if idle_looks == _IDLE_LOOKS:
            return
    raise RenderError(f"the panel {panel.name} does not come to rest; try another one")


def is_idle(context: Context, panel: ExportPanel) -> bool:
    """Whether nothing is to be drawn, nothing moves, and no work for a panel is going on."""
    scheduler = context.explore.scheduler
    moves = (each.state() for each in panel.widget.findChildren(QAbstractAnimation))
    drawn = scheduler.up_to_date and not scheduler.isActive()
    return drawn and panel.at_rest() and QAbstractAnimation.State.Running not in moves
