"""The thread that writes down what was chosen, so that the window need not wait for the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from bpe_gui.ui.run.thread_priority import give_way
from bpe_gui.ui.settings import choices_file


class _Worker(QObject):
    """Writes, on the thread that it lives in."""

    told = Signal(str)

    def __init__(self, folder: Path, written: Mapping[str, Any]) -> None:
        super().__init__()
        self.folder = folder
        self.written = written
        """What the file holds of this window."""
        self._failing = False

    @Slot()
    def begin(self) -> None:
        give_way()

    @Slot(object)
    def write(self, values: Mapping[str, Any]) -> None:
        try:
            self.write_now(values)
        except OSError as error:
            self._failing = True
            self.told.emit(str(error))
            return
        if self._failing:
            self._failing = False
            self.told.emit("")

    def write_now(self, values: Mapping[str, Any]) -> None:
        if values != self.written:
            choices_file.write(self.folder, values, self.written)
            self.written = values


class ChoicesWriter(QObject):
    """Owns that thread, which begins with the first thing to write. For the window's thread."""

    told = Signal(str)
    """Why what was chosen cannot be written, as part of a sentence; empty when it can be again."""

    _write = Signal(object)

    def __init__(
        self, folder: Path, written: Mapping[str, Any], parent: QObject | None = None
    ) -> None:
        """`written` is what the file in the folder holds."""
        super().__init__(parent)
        self._thread = QThread()
        self._thread.setObjectName("choices")
        self._asked = dict(written)
        self._ended = False
        self._worker = _Worker(folder, self._asked)
        self._worker.moveToThread(self._thread)
        self._thread.started.connect(self._worker.begin)
        self._write.connect(self._worker.write)
        self._worker.told.connect(self.told)

    def write(self, values: Mapping[str, Any]) -> None:
        """Have these values written soon, if they are others than those that were last.

        After `write_last` nothing is: what is told late, as that a session is saved, would begin
        a thread that nobody ends.
        """
        if self._ended or values == self._asked:
            return
        if not self._thread.isRunning():
            self._thread.start()
        self._asked = dict(values)
        self._write.emit(self._asked)

    def write_last(self, values: Mapping[str, Any]) -> None:
        """Have these values written when it returns; the thread has ended then.

        Raises OSError.
        """
        self._ended = True
        self._thread.quit()
        self._thread.wait()
        self._worker.write_now(dict(values))
