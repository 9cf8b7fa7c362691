"""The composition root: the application, its window, and how both begin."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QLoggingCategory,
    QSignalBlocker,
    Qt,
    QTimer,
)
from PySide6.QtWidgets import QApplication

import bpe_gui.ui  # noqa: F401 - first, for it makes the imports that follow faster
from bpe_gui.arguments import CommandError, OpenRequest, default_preset, parse_open
from bpe_gui.bpe.memory import take_in_large_steps
from bpe_gui.folders import Folders
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.background import GarbageCollector
from bpe_gui.ui.settings.window_state import bring_onto_screen
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.choices import STILL
from bpe_gui.ui.theme.text_size import write_letters_apart

if TYPE_CHECKING:
    from bpe_gui.tours.tour import Tour

_NAMES = ("bpe-gui", "bpe_gui", "__main__")
_SWITCH_INTERVAL = 0.0001
"""Seconds that the window waits at most for another thread to release the interpreter. In one frame
it may have to wait some dozen times."""

_TRIM_EVERY = 60_000
"""Milliseconds from one return of free memory to the next."""

_QT_LOGGING = "qt.text.font.db=false"
"""Qt writes a line for each font that cannot shape a script: hundreds for one odd character.

The variable QT_LOGGING_RULES overrides this.
"""


def create(argv: Sequence[str] = ()) -> tuple[QApplication, MainWindow]:
    """Return the application and its window, shown, without entering the event loop.

    `argv` are the program's arguments, none or `open ...`; its own name may come before them,
    as in `sys.argv`. The corpus is read in the background as soon as events are handled. Raises
    CommandError and the like for wrong arguments, as `parse_open` does, and for a tour that
    cannot be understood.
    """
    named = bool(argv) and Path(argv[0]).stem in _NAMES
    request = parse_open(argv[1:] if named else argv)
    tour = None if request.tour is None else _load_tour(request.tour)
    application = make_application()
    window = MainWindow()
    collector = application.findChild(GarbageCollector)
    if collector is not None:  # None if somebody else has made the application
        window.after_first_frame.made.connect(collector.spare)
    _apply(window, request)
    if application.platformName() != "offscreen":  # which has no screen to be seen on
        bring_onto_screen(window)
    window.show()
    if request.tour is not None and tour is not None:
        window.touring.start(tour, Path(request.tour).parent)
    return application, window


@contextmanager
def window_off_screen() -> Iterator[Context]:
    """Give the parts of a window that nobody sees and that does not move by itself.

    Its folders are temporary: a picture neither depends on what the user has, nor changes it.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    make_application()
    with TemporaryDirectory(prefix="bpe-gui-") as folder:
        window = MainWindow(Folders(Path(folder), Path(folder)))
        try:
            window.session_keeper.autosave.wanted = False
            window.after_first_frame.only_find_kernels()
            window.motion_choice.choose(STILL)
            window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            window.show()
            yield window.context
        finally:
            window.close()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete.value)


def make_application() -> QApplication:
    """Return the application that there is already, or a new one."""
    QLoggingCategory.setFilterRules(_QT_LOGGING)
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(["bpe-gui"])
        # The objects of the libraries stay for good; to look through them takes several frames.
        GarbageCollector(application).spare()
        _trim_memory(application)
    write_letters_apart(application)
    application.setApplicationName("bpe-gui")
    application.setApplicationDisplayName("bpe-gui")
    sys.setswitchinterval(_SWITCH_INTERVAL)
    take_in_large_steps()
    return application


def _trim_memory(application: QApplication) -> None:
    """Have the C library of GNU give back what is free among the rest, once a minute.

    That takes 0.1 to 20 ms. After 20,000 random actions 115 of 607 MB were free so.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            trim = partial(ctypes.CDLL(None).malloc_trim, 0)
            clock = QTimer(application, interval=_TRIM_EVERY)
            clock.timeout.connect(trim)
            clock.start()


def main(argv: Sequence[str] = ()) -> int:
    """Run the program until its window closes; returns the exit status.

    Ctrl+C in the terminal closes it as well, if the program was started so that it may.
    """
    application, window = create(argv)
    sys.excepthook = partial(_report, window)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, partial(_close_soon, window))
    status = application.exec()
    if status:  # the display server is gone, and nobody has closed the window
        window.close()
    return status


def _close_soon(window: MainWindow, *_: object) -> None:
    # Python may be anywhere in the program.
    QTimer.singleShot(0, window.close)


def _load_tour(name: str) -> Tour:
    """Load a guided tour. Raises CommandError for one that cannot be understood, and OSError."""
    from bpe_gui.tours.files import load
    from bpe_gui.tours.tour import TourErrors
    from bpe_gui.ui.tour.targets import known_places

    try:
        return load(name, known_places())
    except TourErrors as error:
        between = " " if len(error.errors) == 1 else "\n"
        raise CommandError(f"{name} is not a tour:{between}{error}") from None


def _apply(window: MainWindow, request: OpenRequest) -> None:
    """Open what the command line asks for."""
    if request.session is not None:
        window.session_keeper.open_session(request.session)
        return
    controls = window.controls
    with QSignalBlocker(controls):
        if request.recipe is not None:
            controls.choose_recipe(request.recipe)
        elif request.preset is not None or not window.settings.is_chosen("recipe"):
            controls.choose_preset(request.preset or default_preset(request.corpus))
        if request.vocabulary_size is not None:
            controls.size_box.setValue(request.vocabulary_size)
    if request.recipe is not None or request.preset is not None:
        window.laboratory.start_from_chosen()
    window.settings.begin()
    if request.corpus:
        window.open_sources(request.corpus, train=request.start)
    else:
        window.run_control.prepare(train=request.start)


def _report(
    window: MainWindow,
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
) -> None:
    """Print an error that nobody caught, and show it to the user; the window goes on."""
    sys.__excepthook__(kind, error, traceback)
    window.message_bar.show_lasting(
        f"There was an unexpected error ({kind.__name__}: {error}). "
        "The program continues, but restart it if it behaves oddly."
    )
