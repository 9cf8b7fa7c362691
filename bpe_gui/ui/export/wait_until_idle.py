"""Waiting, off the screen: for a signal, and for a panel to show all that it has to show."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
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

from bpe_gui.render_arguments import RenderError
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.panels import ExportPanel

_LOOK_EVERY = 20
"""Milliseconds between two looks at a window that is coming to rest."""
_IDLE_LOOKS = 3
"""Looks in a row at which it is idle: what has just come is laid out by then."""
_LONGEST = 120_000
"""Milliseconds after which a window that does not come to rest is given up."""
_HEARTBEAT = 200
"""Milliseconds between two chances for Ctrl+C, which Python tells of between instructions."""


class Interrupts(QObject):
    """Within the block, what ends it early is told of by a signal, and raised at its end.

    That is Ctrl+C, as KeyboardInterrupt: raised where Python notices it, it would be lost in
    whatever Qt was calling just then. And an error in what Qt calls, a timer for instance:
    it would be printed each time, and nobody would know that what is awaited never comes.
    """

    came = Signal()
    """It is to end."""

    def __init__(self) -> None:
        super().__init__()
        self._interrupted = False
        self._error: BaseException | None = None
        self._before = signal.getsignal(signal.SIGINT)
        self._hook_before = sys.excepthook
        self._heartbeat = QTimer(self)
        self._heartbeat.setInterval(_HEARTBEAT)
        self._heartbeat.timeout.connect(self._beat)

    @property
    def happened(self) -> bool:
        """Whether something came that nobody has been told of yet."""
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
            self._error = None  # the first one is told, and only that
        self.check()

    def check(self) -> None:
        """Raise what has come, if anything has: KeyboardInterrupt, or the first error, once."""
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
        """Qt has called something that failed; it goes on as if it had not."""
        if self._error is None:
            self._error = error.with_traceback(trace)
        self.came.emit()

    @Slot()
    def _beat(self) -> None:
        """Python looks for signals between its own instructions: these are some."""


@contextmanager
def until(wanted: SignalInstance, interrupts: Interrupts) -> Iterator[None]:
    """After the block, handle events until a signal comes; raises what `Interrupts` raise."""
    loop = QEventLoop()
    wanted.connect(loop.quit)
    interrupts.came.connect(loop.quit)
    yield
    if not interrupts.happened:
        loop.exec()
    interrupts.check()


def come_to_rest(context: Context, panel: ExportPanel, interrupts: Interrupts) -> None:
    """Handle events until a panel shows all that it has to show."""
    rest = _Rest(partial(is_idle, context, panel))
    try:
        with until(rest.came, interrupts):
            pass
    finally:
        rest.stop()
    if not rest.rests:
        raise RenderError(f"the panel {panel.name} does not come to rest; try another one")


def is_idle(context: Context, panel: ExportPanel) -> bool:
    """Tell whether nothing is to be drawn or moves, and nobody is at work for a panel."""
    clock = context.explore.clock
    moves = (each.state() for each in panel.widget.findChildren(QAbstractAnimation))
    drawn = clock.up_to_date and not clock.isActive()
    return drawn and panel.at_rest() and QAbstractAnimation.State.Running not in moves


class _Rest(QObject):
    """Asks until something is idle, and was a moment before: what is new is laid out then."""

    came = Signal()
    """It is at rest, or was given up."""

    def __init__(self, idle: Callable[[], bool]) -> None:
        super().__init__()
        self._idle = idle
        self._idle_looks = self._looks = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    @property
    def rests(self) -> bool:
        """Whether it is idle, rather than given up."""
        return self._idle_looks >= _IDLE_LOOKS

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    @Slot()
    def _look(self) -> None:
        self._looks += 1
        self._idle_looks = self._idle_looks + 1 if self._idle() else 0
        if self.rests or self._looks * _LOOK_EVERY > _LONGEST:
            self.stop()
            self.came.emit()
