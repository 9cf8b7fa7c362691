"""Windows of the program, opened one after another as its command line opens them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent

from bpe_gui import app
from bpe_gui.ui.shell.after_first_frame import load_modules, modules_loaded
from bpe_gui.ui.shell.main_window import MainWindow


class Windows:
    """Opens windows. One that is closed is done away with before the next is opened.

    Else each would take longer than the one before: a style sheet visits them all.
    """

    def __init__(self) -> None:
        self._windows: list[MainWindow] = []
        # A window answers early actions at once, whatever tests were run in this process before.
        if not modules_loaded.is_set():
            load_modules()

    def open(self, *arguments: str) -> MainWindow:
        """Open a window with the arguments of a command line."""
        closed = [window for window in self._windows if window.isHidden()]
        for window in closed:
            self._windows.remove(window)
            window.deleteLater()
            QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete.value)
        _, window = app.create(arguments)
        self._windows.append(window)
        return window

    def end(self) -> None:
        """Close all that are open."""
        for window in self._windows:
            window.close()
            window.deleteLater()
