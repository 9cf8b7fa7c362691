"""Get the kernels ready without blocking the window."""

from __future__ import annotations

import gc
import sys
from contextlib import ExitStack

from PySide6.QtCore import QObject, QProcess, Signal, Slot

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.jit import NotCompiledError, compiled_by_default, interpreting
from bpe_gui.ui.run.background import BackgroundTask, Job

_COMPILER = "numba.core.compiler"


def _load(job: Job) -> tuple[bool, str]:
    """Load every kernel by using it; returns whether some are missing, and what went wrong.

    They are never compiled here: that holds the interpreter's lock for many seconds.
    """
    known = _COMPILER in sys.modules
    try:
        # Importing here keeps the compiler out of the window's own start.
        from bpe_gui.analysis.warm_up import warm_up

        warm_up()
    except NotCompiledError:
        return True, ""
    except Exception as error:  # told to the user; small corpora go on without
        return False, f"{type(error).__name__}: {error}"
    finally:
        if not known:
            # The compiler's many objects stay; to look through them takes several frames.
            gc.freeze()
    return False, ""


class Compiler(QObject):
    """Loads the kernels on a thread, after a child process has compiled them if need be.

    Until then, and not after `close`, work takes the interpreted form, which is right but slow.
    """

    changed = Signal()
    """`compiling` or `ready` has changed."""

    failed = Signal(str)
    """The kernels cannot be compiled here; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.compiling = False
        self._begun = False
        self._interpreting = ExitStack()
        self._interpreting.enter_context(interpreting())
        self._process = QProcess(self)
        self._process.setStandardOutputFile(QProcess.nullDevice())
        self._process.finished.connect(self._on_compiled)
        self._process.errorOccurred.connect(self._on_error)
        self._loading = BackgroundTask("loading the kernels", self)

    @property
    def ready(self) -> bool:
        """Whether compiled kernels are in use."""
        return compiled_by_default()

    def start(self) -> None:
        """Begin; does nothing if it has begun before."""
        if not self._begun:
            self._begun = True
            self._loading.ask(_load, self._on_loaded, self._on_failed)

    def close(self) -> None:
        """End the child process and the thread, if they are still at work."""
        self._process.finished.disconnect(self._on_compiled)
        self._process.errorOccurred.disconnect(self._on_error)
        if self._process.state() is not QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished()
        self._loading.close()
        self._interpreting.close()

    def _on_loaded(self, found: tuple[bool, str]) -> None:
        missing, problem = found
        can_be_kept = not missing or kernel_cache.is_writable()
        if missing and can_be_kept and not self.compiling:
            self.compiling = True
            self.changed.emit()
            self._process.start(sys.executable, ["-m", "bpe_gui.analysis.warm_up"])
        elif missing:
            self._fail(
                f"they cannot be kept in {kernel_cache.folder()}",
                "make room there, or let NUMBA_CACHE_DIR name a folder that can be written to",
            )
        elif problem:
            self._on_failed(problem)
        else:
            self.compiling = False
            self._interpreting.close()
            self.changed.emit()

    def _on_failed(self, problem: str) -> None:
        self._fail(problem, "reinstall numba")

    @Slot(int, QProcess.ExitStatus)
    def _on_compiled(self, code: int, status: QProcess.ExitStatus) -> None:
        if code == 0 and status is QProcess.ExitStatus.NormalExit:
            self._loading.ask(_load, self._on_loaded, self._on_failed)
            return
        said = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
        last = said.strip().rpartition("\n")[2]
        self._on_failed(last or "the compiling process was ended")

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._fail(self._process.errorString(), "reinstall this program")

    def _fail(self, why: str, remedy: str) -> None:
        self.compiling = False
        self.changed.emit()
        self.failed.emit(
            "The training loops could not be compiled, so only small corpora can be trained on "
            f"({why}); {remedy}."
        )
