"""Waiting, off the screen: for a signal, and for a panel to show all that it has to show."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal, SignalInstance, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from bpe_gui.render_arguments import RenderError
from bpe_gui.ui.compare.merge_curves import MergeCurves
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.panels import ExportPanel
from bpe_gui.ui.export.picture import picture_of
from bpe_gui.ui.workspaces.workspaces import WorkspaceId

_LOOK_EVERY = 50
"""Milliseconds between two looks at a window that is coming to rest."""
_ALIKE = 4
"""Looks in a row at which it is the same: what comes late is there by then."""
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
    rest = _Rest(context, panel)
    try:
        with until(rest.came, interrupts):
            pass
    finally:
        rest.stop()
    if not rest.rests:
        raise RenderError(f"the panel {panel.name} does not come to rest; try another one")


class _Rest(QObject):
    """Looks at a panel until it stays as it is."""

    came = Signal()
    """It is at rest, or was given up."""

    def __init__(self, context: Context, panel: ExportPanel) -> None:
        super().__init__()
        self._context, self._panel = context, panel
        self._last = QImage()
        self._alike = self._looks = 0
        self.rests = False
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    @Slot()
    def _look(self) -> None:
        self._looks += 1
        if _is_busy(self._context, self._panel.widget):
            self._alike = 0
        else:
            image = picture_of(self._panel.widget, 1)
            self._alike = self._alike + 1 if image == self._last else 0
            self._last = image
        self.rests = self._alike >= _ALIKE
        if self.rests or self._looks * _LOOK_EVERY > _LONGEST:
            self.stop()
            self.came.emit()


def _is_busy(context: Context, panel: QWidget) -> bool:
    """Whether anything is under way that the workspace in view waits for, or that panel of it."""
    workspace, compare = context.explore, context.compare
    if not (workspace.clock.up_to_date and workspace.at_rest):
        return True
    if any(each.isVisible() and each.busy for each in context.window.findChildren(MergeCurves)):
        return True
    match context.workspaces.shown:
        case WorkspaceId.COMPARE:
            return compare.loader.busy or not compare.comparison.up_to_date
        case WorkspaceId.LABORATORY:
            view = context.laboratory.view
            parts = (view.pipeline, view.editor)
            stale = any(part.isVisible() and not part.up_to_date for part in parts)
            seen = panel is view.editor or panel.isAncestorOf(view.editor)
            unmeasured = seen and view.editor.measuring.busy
            searching = view.boundaries.isVisible() and view.boundaries.busy
            comparing = view.lockstep.isVisible() and view.lockstep.runs.comparing
            return stale or unmeasured or searching or comparing
    return False
