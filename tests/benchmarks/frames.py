"""Frames of the real window while it trains on 20 MB: `python -m tests.benchmarks.frames`.

Trains several times over, for one run takes no second, and prints the time from one drawn
frame to the next (median, 99th percentile, longest) of all runs, and the same for a bare
16 ms timer beside it, which shows how soon an event would be answered; then what the window's
thread was busy for, which says the same on a busy machine. `--compare` does so with the compare
view in sight, `--story` there with the built-in story, and `--lanes` with more lanes of the
run; `--stage` has panels on the stage instead. Needs a display;
without one, `xvfb-run` gives one. The kernels must be in the cache, and the machine
otherwise idle.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import perf_counter, thread_time

import numpy as np
from PySide6.QtCore import QAbstractEventDispatcher, QEventLoop, QObject, Qt, QTimer, Slot

from bpe_gui import app
from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.ui.run.training import Phase

SIZE = 20_000_000


class Stopwatch(QObject):
    """Notes when frames are drawn, and when a bare timer ticks, while training goes on."""

    def __init__(self, window: app.MainWindow, loop: QEventLoop) -> None:
        super().__init__()
        self.frames: dict[tuple[str, int], list[float]] = {}
        self.ticks: dict[tuple[str, int], list[float]] = {}
        self.busy: dict[str, list[float]] = {}
        """For each turn of the event loop the seconds that its thread was not waiting."""
        self.run = 0
        self._window = window
        self._loop = loop
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(16)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        self._turn_began = thread_time()
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.aboutToBlock.connect(self._turn_begins)
        dispatcher.awake.connect(self._turn_ends)
        window.explore.clock.drew.connect(self._frame_drawn)
        window.training.changed.connect(self._changed)

    @Slot()
    def _tick(self) -> None:
        self.ticks.setdefault((self._window.training.phase, self.run), []).append(perf_counter())

    @Slot()
    def _turn_begins(self) -> None:
        self._turn_began = thread_time()

    @Slot()
    def _turn_ends(self) -> None:
        # Where events come from GLib, what is due is done between these two signals.
        self.busy.setdefault(self._window.training.phase, []).append(
            thread_time() - self._turn_began
        )

    @Slot()
    def _frame_drawn(self) -> None:
        self.frames.setdefault((self._window.training.phase, self.run), []).append(perf_counter())

    @Slot()
    def _changed(self) -> None:
        if self._window.training.phase is Phase.FINISHED:
            self._loop.quit()


def gaps(name: str, phase: str, runs: dict[tuple[str, int], list[float]]) -> None:
    """Print how far apart the times within each run are, in milliseconds."""
    between = np.concatenate(
        [np.diff(times) * 1000 for (found, _), times in runs.items() if found == phase]
    )
    print(
        f"{phase}: {name:17} {len(between):5} of median {np.median(between):5.1f}  "
        f"p99 {np.percentile(between, 99):5.1f}  longest {between.max():5.1f} ms"
    )


def work(phase: str, busy: dict[str, list[float]], frames: int) -> None:
    """Print for how long the thread was busy: for each frame, and at a time."""
    turns = np.array(busy[phase]) * 1000
    print(
        f"{phase}: {'busy':17} {turns.sum() / frames:5.2f} ms a frame; at a time "
        f"p95 {np.percentile(turns, 95):4.1f}  p99 {np.percentile(turns, 99):4.1f}  "
        f"longest {turns.max():4.1f} ms"
    )


def twenty_megabytes(folder: Path) -> Path:
    """The first 20 MB of the standard library's sources."""
    path = folder / "corpus.txt"
    written = 0
    with path.open("wb") as file:
        for block in sample("python-stdlib").blocks():
            written += file.write(block.text[: SIZE - written])
            if written >= SIZE:
                break
    return path


def arrange(window: app.MainWindow, arguments: argparse.Namespace) -> None:
    """Put into the compare view what is asked for, now that there is a run."""
    if arguments.lanes:
        window.compare.comparison.at_positions(arguments.lanes)
    if arguments.story:
        window.compare.source.show_story()


def main() -> None:
    """Train in a window and print the frames."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocab-size", type=int, default=50_257)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--compare", action="store_true", help="look on in the compare view")
    parser.add_argument("--story", action="store_true", help="compare on the built-in story")
    parser.add_argument(
        "--stage", type=int, metavar="PANELS", help="look on on the stage, with 1 to 4 panels"
    )
    parser.add_argument("--lanes", type=int, nargs="*", help="lanes of the first run, at merges")
    arguments = parser.parse_args()
    if not kernel_cache.is_ready(kernel_cache.Kernels.ALL):
        sys.exit("run `python -m bpe_gui.analysis.warm_up` first")
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or twenty_megabytes(Path(folder))
        application, window = app.create([])
        loop = QEventLoop()
        # Begin when the window is calm: drawn, and the kernels loaded. So does each run.
        window.compiler.changed.connect(loop.quit)
        loop.exec()
        QTimer.singleShot(1000, loop.quit)
        loop.exec()
        if arguments.compare:
            window.workspaces.compare()
        if arguments.stage:
            window.stage.choice = {**window.stage.choice, "layout": arguments.stage}
            window.stage.enter()
        stopwatch = Stopwatch(window, loop)
        window.controls.choose_preset("gpt2")
        window.controls.size_box.setValue(arguments.vocab_size)
        for run in range(arguments.runs):
            if run == 1:
                arrange(window, arguments)
            stopwatch.run = run
            begin = perf_counter()
            window.open_sources([path], train=True)
            loop.exec()
            print(f"run {run + 1}: {perf_counter() - begin:.2f} s; {window.status.text}")
            QTimer.singleShot(1000, loop.quit)
            loop.exec()
        print(f"on {application.platformName()}:")
        for phase in (Phase.READING, Phase.TRAINING):
            gaps("event loop ticks", phase, stopwatch.ticks)
            gaps("frames drawn", phase, stopwatch.frames)
            frames = sum(len(drawn) for (at, _), drawn in stopwatch.frames.items() if at == phase)
            work(phase, stopwatch.busy, frames)
        window.close()


if __name__ == "__main__":
    main()
