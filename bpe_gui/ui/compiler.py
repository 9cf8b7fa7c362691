"""Gets the kernels ready without holding up the window."""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QProcess, QThread, Signal, Slot

from bpe_gui.bpe.kernels import kernel

_COMPILER = "numba.core.compiler"


class _Loader(QThread):
    """Loads the compiled kernels into this process."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problem = ""

    def run(self) -> None:
        """On the thread: compile or load each kernel by using it."""
        # Importing here keeps the compiler out of the window's own start.
        from bpe_gui.bpe.warm_up import warm_up

        known = _COMPILER in sys.modules
        try:
            warm_up()
        except Exception as error:  # told to the user; small corpora go on without
            self.problem = f"{type(error).__name__}: {error}"
            return
        kernel.loaded()
        if not known:
            # The compiler's many objects stay; to look through them takes several frames.
            gc.freeze()


class Compiler(QObject):
    """Compiles the kernels in a child process if need be, then loads them on a thread.

    Until then work takes the interpreted form, which is right but slow.
    """

    changed = Signal()
    """`compiling` or `ready` has changed."""

    failed = Signal(str)
    """The kernels cannot be compiled here; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.compiling = False
        self._begun = False
        self._process = QProcess(self)
        self._process.finished.connect(self._on_compiled)
        self._process.errorOccurred.connect(self._on_error)
        self._loader = _Loader(self)
        self._loader.finished.connect(self._on_loaded)

    @property
    def ready(self) -> bool:
        """Whether compiled kernels are in use."""
        return kernel.compiled_by_default()

    def start(self) -> None:
        """Begin; does nothing if it has begun before."""
        if self._begun:
            return
        self._begun = True
        if kernel.is_ready():
            self._load()
            return
        self.compiling = True
        self.changed.emit()
        self._process.start(sys.executable, ["-m", "bpe_gui.bpe.warm_up"])

    def close(self) -> None:
        """End the child process and the thread, if they are still at work."""
        self._process.finished.disconnect(self._on_compiled)
        self._process.errorOccurred.disconnect(self._on_error)
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished()
        self._loader.wait()

    def _load(self) -> None:
        if not self._loader.isRunning():
            self._loader.start()

    @Slot()
    def _on_loaded(self) -> None:
        self.changed.emit()
        if self._loader.problem:
            self.failed.emit(
                "The training loops could not be compiled, so only small corpora can be "
                f"trained on ({self._loader.problem}); reinstall numba."
            )

    @Slot(int, QProcess.ExitStatus)
    def _on_compiled(self, code: int, status: QProcess.ExitStatus) -> None:
        # If the child failed, loading compiles in this process: slower, but it works or
        # says why.
        self.compiling = False
        self.changed.emit()
        self._load()

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._on_compiled(1, QProcess.ExitStatus.CrashExit)
