"""What takes longer than the window can wait, on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.regexes import timeout
from bpe_gui.ui.widgets.sentences import as_sentence

PATIENCE = 0.05
"""Seconds that the window's thread may match the regexes of a recipe at once."""


class _Dropped(Exception):  # noqa: N818 - not an error
    """Nobody wants the result any more."""


@dataclass(frozen=True, eq=False)
class _Job:
    work: Callable[[], object]
    dropped: Event


class _Worker(QObject):
    done = Signal(object, object)
    failed = Signal(object, str)

    @Slot(object)
    def run(self, job: _Job) -> None:
        def check() -> None:
            if job.dropped.is_set():
                raise _Dropped

        try:
            check()
            with timeout(check=check):
                result = job.work()
        except _Dropped:
            return
        except PatternError as error:
            self.failed.emit(job, as_sentence(error))
        except Exception as error:  # whoever waits must hear that nothing comes
            self.failed.emit(
                job,
                f"This could not be worked out ({type(error).__name__}: {error}); try a shorter "
                "text, and report it if it comes back.",
            )
            raise
        else:
            self.done.emit(job, result)


class BackgroundTask(QObject):
    """Does the last thing that was asked for; what was asked before it is given up.

    The thread begins with the first question: most recipes match no regex. For the window's
    thread only.
    """

    done = Signal(object)
    """What the work that was asked for last gave."""
    failed = Signal(str)
    """It was given up, because a regex takes too long or something unforeseen has happened;
    one sentence for the user."""

    _asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: _Job | None = None
        self._thread: QThread | None = None
        self._worker = _Worker()
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is being done that anybody waits for."""
        return self._job is None

    @Slot(object)
    def ask(self, work: Callable[[], object]) -> None:
        """Do some work, on the thread: it may raise PatternError."""
        self.drop()
        if self._thread is None:
            self._thread = QThread()
            self._thread.setObjectName("late-work")
            self._worker.moveToThread(self._thread)
            self._asked.connect(self._worker.run)
            self._thread.start()
        self._job = _Job(work, Event())
        self._asked.emit(self._job)

    def drop(self) -> None:
        """Want nothing any more of what was asked for."""
        if self._job is not None:
            self._job.dropped.set()
        self._job = None

    def close(self) -> None:
        """End the thread; returns when it has ended."""
        self.drop()
        if self._thread is not None:
            self._thread.quit()
            self._thread.wait()

    @Slot(object, object)
    def _on_done(self, job: _Job, result: object) -> None:
        if job is self._job:
            self._job = None
            self.done.emit(result)

    @Slot(object, str)
    def _on_failed(self, job: _Job, sentence: str) -> None:
        if job is self._job:
            self._job = None
            self.failed.emit(sentence)
