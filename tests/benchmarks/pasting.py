"""How long a long paste holds up the window: `python -m tests.benchmarks.pasting`.

Pastes a million characters into the compare view and into Explore's text panel, as prose, as
one line, and in many scripts, and prints the longest time from one tick of a timer to the
next until all is drawn: as it passed, and as the processor spent it on the window's thread,
which does not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, thread_time

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication

from bpe_gui import app
from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.text_editor import TextEditor

SIZE = 1_000_000
_QUIET = 1.0
"""Seconds without anything left to do after which all is drawn."""


class Stalls(QObject):
    """Ticks as often as it can, and notes the longest time between two ticks.

    longest: as it passed. busiest: as the processor spent it on this thread. held: without that,
    and without the time for which the thread waited for a processor, as far as Linux tells: for so
    long another thread held the interpreter's lock. All in seconds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.longest = self.busiest = self.held = self.total = 0.0
        self._last = (0.0, 0.0, 0.0)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._tick)

    def begin(self) -> None:
        """Measure from here on."""
        self.longest = self.busiest = self.held = self.total = 0.0
        self._last = times()
        self._timer.start()

    def end(self) -> None:
        """Measure no more."""
        self._timer.stop()

    @Slot()
    def _tick(self) -> None:
        now = times()
        passed, own, waited = (new - old for new, old in zip(now, self._last, strict=True))
        self.longest = max(self.longest, passed)
        self.busiest = max(self.busiest, own)
        self.held = max(self.held, passed - own - waited - self._timer.interval() / 1000)
        self.total += own
        self._last = now


def times() -> tuple[float, float, float]:
    """The time, the time of this thread, and for how long it has waited for a processor."""
    try:
        waited = int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        waited = 0.0
    return perf_counter(), thread_time(), waited


def wait(seconds: float) -> None:
    """Handle events for so long."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def wait_until(done: Callable[[], bool]) -> None:
    """Handle events until something is so."""
    while not done():
        wait(0.05)


def prose() -> str:
    """English with code in it, in lines."""
    found = b""
    for block in sample("python-stdlib").blocks():
        found += bytes(block.text)
        if len(found) > 2 * SIZE:
            break
    return found.decode("utf-8", "ignore")[:SIZE]


def texts() -> dict[str, str]:
    """What is pasted."""
    story = joined().text
    return {
        "prose": prose(),
        "one line": prose().replace("\n", " "),
        "one word": "abcdefghij" * (SIZE // 10),
        "many scripts": (story * (SIZE // len(story) + 1))[:SIZE],
    }


def paste(editor: TextEditor, text: str) -> None:
    """Put a text in the place of the old one, as Ctrl+V does."""
    QGuiApplication.clipboard().setText(text)
    editor.selectAll()
    editor.paste()


def measure(window: MainWindow, stalls: Stalls, name: str, text: str, *, compare: bool) -> None:
    """Paste a text, and print the longest stall."""
    editor = window.findChild(TextEditor, "compareText" if compare else "sampleText")
    assert isinstance(editor, TextEditor)
    paste(editor, "short")
    wait(_QUIET)
    comparison = window.compare.comparison
    stalls.begin()
    wait(0.05)
    paste(editor, text)
    wait_until(lambda: not compare or (comparison.up_to_date and comparison.text != "short"))
    wait(_QUIET)
    stalls.end()
    where = "Compare" if compare else "Explore"
    print(
        f"{where} {name:13} longest stall {1000 * stalls.longest:6.0f} ms, "
        f"of the thread's own time {1000 * stalls.busiest:6.0f} ms, "
        f"in all {1000 * stalls.total:6.0f} ms",
        flush=True,
    )
    paste(editor, "short")
    wait(_QUIET)


def main() -> None:
    """Paste, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, help="train on this file, not on the sources")
    parser.add_argument("--only", default="", help="texts with this in their name")
    arguments = parser.parse_args()
    if not kernel_cache.is_ready(kernel_cache.Kernels.ALL):
        sys.exit("run `python -m bpe_gui.analysis.warm_up` first")
    _, window = app.create([])
    loop = QEventLoop()
    window.compiler.changed.connect(loop.quit)
    loop.exec()
    wait(1.0)
    window.controls.choose_preset("gpt2")
    window.controls.size_box.setValue(5_000)
    if arguments.file is not None:
        window.open_sources([arguments.file])
    else:
        corpora = window.controls.corpus_box
        corpora.setCurrentIndex(corpora.findData("python-stdlib"))
    window.run_control.train()
    wait_until(lambda: window.training.phase is Phase.FINISHED)
    wait(_QUIET)
    stalls = Stalls()
    began = time.monotonic()
    for compare in (True, False):
        (window.workspaces.compare if compare else window.workspaces.explore)()
        wait(_QUIET)
        for name, text in texts().items():
            if arguments.only in name:
                measure(window, stalls, name, text, compare=compare)
    print(f"{time.monotonic() - began:.0f} s")
    window.close()


if __name__ == "__main__":
    main()
