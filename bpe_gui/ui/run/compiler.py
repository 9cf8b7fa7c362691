"""Gets the kernels ready without holding up the window."""

from __future__ import annotations

import sys
from contextlib import ExitStack

from PySide6.QtCore import QObject, QProcess, Signal, Slot

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.jit import compiled_by_default, interpreting
from bpe_gui.bpe.kernels.kernel_cache import Kernels


class Compiler(QObject):
    """Lets kernels be used once they are on disk; a child process compiles them if need be.

    They are not compiled in the window's process: that holds the interpreter's lock for many
    seconds. Until then, and not after `close`, work takes the interpreted form, which gives the
    same results slowly.
    """

    changed = Signal()
    """`ready` has changed, or the kernels cannot be compiled."""

    failed = Signal(str)
    """The kernels cannot be compiled here; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._begun = False
        self._interpreting = ExitStack()
        self._interpreting.enter_context(interpreting())
        self._process = QProcess(self)
        self._process.setStandardOutputFile(QProcess.nullDevice())
        self._process.finished.connect(self._on_compiled)
        self._process.errorOccurred.connect(self._on_error)

    @property
    def ready(self) -> bool:
        """Whether compiled kernels are in use."""
        return compiled_by_default()

    def start(self) -> None:
        """Begin; does nothing if it has begun before."""
        if self._begun:
            return
        self._begun = True
        if kernel_cache.is_ready(Kernels.ALL):
            self._use_compiled()
        elif kernel_cache.is_writable():
            self._process.start(sys.executable, ["-m", "bpe_gui.analysis.warm_up"])
        else:
            self._fail(
                f"they cannot be kept in {kernel_cache.folder()}",
                "make room there, or let NUMBA_CACHE_DIR name a folder that can be written to",
            )

    def close(self) -> None:
        """End the child process if it is still at work; none begins any more."""
        self._begun = True
        self._process.finished.disconnect(self._on_compiled)
        self._process.errorOccurred.disconnect(self._on_error)
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished()
        self._interpreting.close()

    def _use_compiled(self) -> None:
        self._interpreting.close()
        self.changed.emit()

    @Slot(int, QProcess.ExitStatus)
    def _on_compiled(self, code: int, status: QProcess.ExitStatus) -> None:
        ended_well = code == 0 and status is QProcess.ExitStatus.NormalExit
        if ended_well and kernel_cache.is_ready(Kernels.ALL):
            self._use_compiled()
            return
        said = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
        last = said.strip().rpartition("\n")[2]
        self._fail(last or "the compiling process was ended", "reinstall numba")

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._fail(self._process.errorString(), "reinstall this program")

    def _fail(self, why: str, remedy: str) -> None:
        self.changed.emit()
        self.failed.emit(
            "The training loops could not be compiled, so only small corpora can be trained on "
            f"({why}); {remedy}."
        )
