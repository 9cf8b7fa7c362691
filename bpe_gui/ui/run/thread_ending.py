"""Ending a thread whose work must not be lost."""

from __future__ import annotations

from PySide6.QtCore import QMetaObject, QObject, Qt, QThread, Slot


class _Last(QObject):
    """What a thread does last."""

    @Slot()
    def end(self) -> None:
        QThread.currentThread().quit()


def end_when_done(thread: QThread) -> None:
    """End a thread when its workers have done all that they were asked for; returns then.

    `QThread.quit` alone drops whatever waits behind what is being done. A thread that was never
    started does nothing.
    """
    if not thread.isRunning():
        return
    last = _Last()
    last.moveToThread(thread)
    QMetaObject.invokeMethod(last, "end", Qt.ConnectionType.QueuedConnection)
    thread.wait()
