"""Work that takes longer than the window can wait, on other threads, and Python's garbage."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from threading import Event, get_native_id
from time import monotonic
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, QTimerEvent, Signal, Slot
from shiboken6 import isValid

from bpe_gui.bpe.errors import Cancelled, PatternError, PatternTimeoutError
from bpe_gui.bpe.kernels.jit import wait_until_loaded
from bpe_gui.bpe.regexes import timeout
from bpe_gui.ui.widgets.sentences import as_sentence

PATIENCE = 0.05
"""Seconds that the window's thread may match the regexes of a recipe at once."""
_NICENESS = 5
NO_MEMORY = "There is not enough memory for this; close other programs, or take less text."


class TaskError(Exception):
    """Reports why work failed, in words for the user."""


class Job:
    """One piece of work: knows whether it is still wanted, and says how far it is."""

    def __init__(
        self,
        worker: _Worker,
        work: Callable[[Job], Any],
        failure: str,
        **receivers: Callable[[Any], object] | None,
    ) -> None:
        """`receivers` are called with its reports: methods of a QObject, which may be deleted."""
        self.work: Callable[[Job], Any] | None = work
        """What is to be done; None when it has been."""
        self._receivers = receivers
        """Empty when no answer is due: the thread, which ends with the job a moment later, must not
        be the last to let go of a widget."""
        self.failure = failure
        """Begins the sentence for errors that are not expected; the work may set another."""
        self.begun = False
        """Whether the work has called `begin`."""
        self._worker = worker
        self._cancelled = Event()
        self._last_due = 0.0

    def cancel(self) -> None:
        """Cancel the job; the work ends where it checks next."""
        self._cancelled.set()
        self._receivers = {}

    def is_cancelled(self) -> bool:
        """Tell whether nobody wants the answer any more."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise Cancelled if nobody wants the answer any more."""
        if self._cancelled.is_set():
            raise Cancelled

    def begin(self) -> None:
        """Note that the answer will come. Raises Cancelled if nobody wants it any more."""
        self.check()
        self.begun = True

    def is_due(self, seconds: float) -> bool:
        """Tell whether so much time has passed since this was last true: for reports."""
        now = monotonic()
        due = now - self._last_due >= seconds
        if due:
            self._last_due = now
        return due

    def wait_for_kernels(self) -> None:
        """Wait until the kernels are compiled; interpreted ones would hold up the window."""
        while not wait_until_loaded(0.02):
            self.check()

    def report(self, progress: Any) -> None:
        """Report progress; the receiver is called on the window's thread."""
        self._worker.told.emit(self, "progress", progress)

    def answer(self, kind: str, value: Any) -> None:
        """Pass a result, a sentence or progress to its receiver."""
        receiver = self._receivers.get(kind)
        if kind != "progress":
            self._receivers = {}
        owner = getattr(receiver, "__self__", None)
        if receiver is not None and (not isinstance(owner, QObject) or isValid(owner)):
            receiver(value)


class _Worker(QObject):
    """Does jobs one after the other, on the thread that it lives in."""

    told = Signal(object, str, object)
    """A job, the kind of answer, and the result, sentence or progress."""

    def __init__(self, expected: tuple[type[Exception], ...], *, gives_way: bool) -> None:
        super().__init__()
        self._expected: tuple[type[Exception], ...] = (TaskError, *expected)
        self._gives_way = gives_way

    @Slot()
    def begin(self) -> None:
        if self._gives_way and sys.platform == "linux":
            # There niceness belongs to the thread, and threads that it starts inherit it.
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _NICENESS)

    @Slot()
    def end(self) -> None:
        """End the thread, after all that was asked for before."""
        QThread.currentThread().quit()

    @Slot(object)
    def run(self, job: Job) -> None:
        """Do one job and report how it ended, whatever happens: somebody waits for it."""
        try:
            job.check()
            assert job.work is not None, "no job is done twice"
            with timeout(check=job.check):
                result = job.work(job)
        except Cancelled:
            self.told.emit(job, "cancelled", None)
        except MemoryError:
            self.told.emit(job, "failed", NO_MEMORY)
        except self._expected as error:
            self.told.emit(job, "failed", as_sentence(error))
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            self.told.emit(job, "failed", f"{job.failure} ({what}); report it if it comes back.")
            raise
        else:
            self.told.emit(job, "done", result)
        finally:
            # Whoever keeps the job does not keep all that the work was about.
            job.work = None


class BackgroundTask(QObject):
    """Does what is asked for, one thing after the other, on a thread.

    It is asked on the window's thread, on which the answers come. The thread begins with the first
    question and ends with `close`, `finish` or the parent.
    """

    rested = Signal()
    """Nothing is being done any more that anybody waits for."""
    _asked = Signal(object)
    _ending = Signal()

    def __init__(
        self,
        name: str,
        parent: QObject | None = None,
        *,
        expected: tuple[type[Exception], ...] = (PatternError,),
        failure: str = "This could not be worked out",
        gives_way: bool = False,
    ) -> None:
        """`expected` are errors whose words are for the user, as those of a TaskError are;
        `failure` begins the sentence for all others. A thread that `gives_way` lets the
        window's go first."""
        super().__init__(parent)
        self._name = name
        self._closed = False
        self.jobs: list[Job] = []
        """What has not ended, and somebody waits for."""
        self._thread: QThread | None = None
        self._failure = failure
        self._worker = _Worker(expected, gives_way=gives_way)
        self._worker.told.connect(self._on_told)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is being done that anybody waits for."""
        return not self.jobs

    def do(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], object],
        failed: Callable[[str], object],
    ) -> None:
        """Do some work at once: it may match the regexes of a recipe.

        If they take longer than the window can wait, `failed` gets the sentence, and the work is
        done again on the thread.
        """
        self.drop()
        try:
            with timeout(PATIENCE):
                found = work()
        except PatternError as error:
            failed(as_sentence(error))
            if isinstance(error, PatternTimeoutError):
                self.ask(lambda job: work(), done, failed)
        else:
            done(found)

    def ask(
        self,
        work: Callable[[Job], Any],
        done: Callable[[Any], object] | None = None,
        failed: Callable[[str], object] | None = None,
        progress: Callable[[Any], object] | None = None,
    ) -> Job:
        """Do some work instead of all that was asked for before.

        `done` gets what the work returns, if anybody wants it, `failed` a sentence, `progress`
        what it reports. They are methods of QObjects: those of deleted ones are not called.
        """
        self._forget()
        return self.ask_too(work, done, failed, progress)

    def ask_too(
        self,
        work: Callable[[Job], Any],
        done: Callable[[Any], object] | None = None,
        failed: Callable[[str], object] | None = None,
        progress: Callable[[Any], object] | None = None,
    ) -> Job:
        """Do some work after what was asked for before; as `ask` otherwise."""
        job = Job(self._worker, work, self._failure, done=done, failed=failed, progress=progress)
        if self._closed:
            return job
        if self._thread is None:
            self._thread = self._start()
        self.jobs.append(job)
        self._asked.emit(job)
        return job

    def _start(self) -> QThread:
        thread = QThread()
        thread.setObjectName(self._name)
        self._worker.moveToThread(thread)
        thread.started.connect(self._worker.begin)
        self._asked.connect(self._worker.run)
        self._ending.connect(self._worker.end)
        # Whoever asked is gone: nobody waits for an answer.
        self.destroyed.connect(partial(_end, thread, self.jobs))
        thread.start()
        return thread

    def drop(self) -> None:
        """Cancel everything that was asked for."""
        if self.jobs:
            self._forget()
            self.rested.emit()

    def _forget(self) -> None:
        for job in self.jobs:
            job.cancel()
        self.jobs.clear()

    def close(self) -> None:
        """End the thread without what is under way; returns when it has ended."""
        self._closed = True
        if self._thread is not None:
            _end(self._thread, self.jobs)

    def finish(self) -> None:
        """End the thread when everything asked for is done and answered; returns then."""
        if self._thread is not None and not self._closed:
            self._closed = True
            self._ending.emit()
            self._thread.wait()
            QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    @Slot(object, str, object)
    def _on_told(self, job: Job, kind: str, value: object) -> None:
        if kind != "progress" and job in self.jobs:
            self.jobs.remove(job)
            if not job.is_cancelled():
                job.answer(kind, value)
            if not self.jobs:
                self.rested.emit()
        elif kind == "progress" and not job.is_cancelled():
            job.answer(kind, value)


def all_at_rest(owner: QObject) -> bool:
    """Tell whether nobody waits for a task of an object and of what it holds."""
    return all(task.at_rest for task in owner.findChildren(BackgroundTask))


def end_tasks(owner: QObject) -> None:
    """End the threads of all tasks of an object and of what it holds; returns when they have ended.

    What is under way is cancelled. Nothing that is asked for later is done.
    """
    cancel_tasks(owner)
    for task in owner.findChildren(BackgroundTask):
        task.close()


def cancel_tasks(owner: QObject) -> None:
    """Cancel what all tasks of an object and of what it holds have to do, without waiting."""
    for task in owner.findChildren(BackgroundTask):
        for job in task.jobs:
            job.cancel()


def _end(thread: QThread, jobs: list[Job], *_: object) -> None:
    for job in jobs:
        job.cancel()
    jobs.clear()
    # At the very end of the program Qt may have been faster.
    if isValid(thread):
        thread.quit()
        thread.wait()


_EVERY = 200
"""Milliseconds between two collections."""


class GarbageCollector(QObject):
    """Collects Python's garbage, on the thread on which it was made itself.

    Python would do so on any thread that makes an object. A widget in a circle of objects would be
    destroyed there while Qt uses it here, and the program would crash.
    """

    def __init__(self, application: QObject) -> None:
        super().__init__(application)
        gc.disable()
        self.startTimer(_EVERY)

    @Slot()
    def spare(self) -> None:
        """Leave all objects that exist now out of later collections: they stay for good.

        A collection of the parts of a window takes two frames.
        """
        gc.freeze()

    def timerEvent(self, _: QTimerEvent) -> None:
        """Collect what is due.

        That is Python at work, without which Ctrl+C would wait for the next key or click.
        """
        collect_garbage()


def collect_garbage() -> None:
    """Collect the oldest generation of objects that is due, with all younger ones."""
    counts, thresholds = gc.get_count(), gc.get_threshold()
    for generation in (2, 1, 0):
        if counts[generation] > thresholds[generation]:
            gc.collect(generation)
            return
