"""Get the kernels ready without blocking the window."""

from __future__ import annotations

import gc
import subprocess
import sys
from contextlib import ExitStack

from PySide6.QtCore import QObject, Signal

from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.kernels.jit import NotCompiledError, interpreting
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError

_COMPILER = "numba.core.compiler"
_CHECK_EVERY = 0.1
"""Seconds between two checks whether the child process has ended, or is to be ended."""
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Compiler(QObject):
    """Loads the kernels on a thread, after a child process has compiled them if need be.

    Until then, and not after `close`, work uses the interpreted form, which is right but slow.
    """

    failed = Signal(str)
    """The kernels cannot be compiled here; one sentence for the user."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._begun = False
        self._interpreting = ExitStack()
        self._interpreting.enter_context(interpreting())
        self.task = BackgroundTask("loading the kernels", self)

    def start(self) -> None:
        """Begin, if it has not begun before."""
        if not self._begun:
            self._begun = True
            self.task.ask(_make_ready, self._on_ready, self.failed.emit)

    def close(self) -> None:
        """End the thread and the child process, if they are still at work."""
        self.task.close()
        self._interpreting.close()

    def _on_ready(self, nothing: None) -> None:
        self._interpreting.close()


def _make_ready(job: Job) -> None:
    """Load the kernels, compiled before by a child process if need be. Raises TaskError."""
    if _load():
        return
    if kernel_cache.is_writable():
        _compile(job)
        if _load():
            return
    raise _failure(
        f"they cannot be kept in {kernel_cache.folder()}",
        "make room there, or let NUMBA_CACHE_DIR name a folder that can be written to",
    )


def _load() -> bool:
    """Load every kernel by using it; returns False if some are missing. Raises TaskError.

    They are never compiled here: that holds the interpreter's lock for many seconds.
    """
    known = _COMPILER in sys.modules
    try:
        # Importing here keeps the compiler out of the window's own start.
        from bpe_gui.analysis.warm_up import warm_up

        warm_up()
    except NotCompiledError:
        return False
    except Exception as error:  # small corpora go on without
        raise _failure(f"{type(error).__name__}: {error}", "reinstall numba") from error
    finally:
        if not known:
            # The compiler's many objects stay; to look through them takes several frames.
            gc.freeze()
    return True


def _compile(job: Job) -> None:
    """Compile the kernels in a child process, which ends when the job does. Raises TaskError."""
    command = [sys.executable, "-m", "bpe_gui.analysis.warm_up"]
    quietly, kept = subprocess.DEVNULL, subprocess.PIPE
    try:
        child = subprocess.Popen(command, stdout=quietly, stderr=kept, creationflags=_NO_WINDOW)
    except OSError as error:
        raise _failure(str(error), "reinstall this program") from error
    said = None
    with child:
        try:
            while said is None:
                job.check()
                try:
                    said = child.communicate(timeout=_CHECK_EVERY)[1]
                except subprocess.TimeoutExpired:
                    continue
        finally:
            child.kill()
    if child.returncode != 0:
        last = said.decode(errors="replace").strip().rpartition("\n")[2]
        raise _failure(last or "the compiling process was ended", "reinstall numba")


def _failure(why: str, remedy: str) -> TaskError:
    return TaskError(
        "The training loops could not be compiled, so only small corpora can be trained on "
        f"({why}); {remedy}."
    )
