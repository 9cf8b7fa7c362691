"""Frames of the real window while it trains on 20 MB: `python -m tests.benchmarks.frames`.

Trains several times over, for one run takes no second, while somebody types, and prints the time
from one drawn frame to the next (median, 99th percentile, longest) of all runs, and the same for a
bare 16 ms timer beside it, which shows how soon an event would be answered; then what the window's
thread was busy for, which says the same on a busy machine. `--compare` does so with the compare
view in sight, `--story` there with the built-in story, and `--lanes` with more lanes of the
run; `--stage` has panels on the stage instead. The bar: 99 of 100 frames within 20 ms, none
over 50 ms.

`--freezes` prints for how long the window is held up, at the longest, by what else one may do:
see `Stalls` for the three numbers. The bar: 100 ms.

Needs a display; without one, `xvfb-run` gives one. The kernels must be in the cache, and the
machine otherwise idle.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time, thread_time
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QAbstractEventDispatcher, QEventLoop, QObject, Qt, QTimer, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView, QWidget

from bpe_gui import app
from bpe_gui.bpe.corpus import sample
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.ui.panels.vocabulary.columns import TOKEN
from bpe_gui.ui.run.training import Phase
from bpe_gui.ui.tokens.text_editor import TextEditor
from tests.benchmarks.pasting import Stalls, paste, wait, wait_until

SIZE = 20_000_000
_BETWEEN_KEYS = 80
"""Milliseconds."""
_ALL = 1 << 20
"""A vocabulary that is larger than any: the run ends when no pair is left."""
_Kind = TypeVar("_Kind", bound=QWidget)


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
        window.explore.scheduler.drew.connect(self._frame_drawn)
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


class Typist(QObject):
    """Types into the sample text as long as a run is read or trained."""

    def __init__(self, window: app.MainWindow) -> None:
        super().__init__()
        self._window = window
        self._editor = part(window, TextEditor, "sampleText")
        self._keys = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_BETWEEN_KEYS)
        self._timer.timeout.connect(self._type)
        self._timer.start()

    @Slot()
    def _type(self) -> None:
        if self._window.training.busy and self._editor.isVisible():
            QTest.keyClick(self._editor, "lower newest "[self._keys % 13])
            self._keys += 1


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


def part(window: app.MainWindow, kind: type[_Kind], name: str) -> _Kind:
    """Find a part of the window."""
    found = window.findChild(kind, name)
    assert isinstance(found, kind)
    return found


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


def freezes(window: app.MainWindow, path: Path) -> None:
    """Print for how long each of the things that one does holds up the window."""
    stalls = Stalls()

    def measure(name: str, act: Callable[[], object], rest: float = 2.0) -> None:
        """Do something, and print the longest time for which no event would have been answered."""
        stalls.begin()
        wait(0.1)
        act()
        wait(rest)
        stalls.end()
        numbers = (1000 * time for time in (stalls.longest, stalls.busiest, stalls.held))
        longest, busiest, held = numbers
        print(
            f"{name:34} longest {longest:5.0f} ms, of the thread's own time {busiest:5.0f} ms, "
            f"held by others {held:5.0f} ms",
            flush=True,
        )

    def train(preset: str, size: int, file: Path = path) -> Callable[[], None]:
        def act() -> None:
            window.controls.choose_preset(preset)
            window.controls.size_box.setValue(size)
            window.open_sources([file], train=True)
            wait_until(lambda: window.training.phase is Phase.FINISHED)

        return act

    for visit in (window.workspaces.compare, window.workspaces.laboratory):
        visit()  # from then on it is there, and has to follow
        wait(1.0)
    window.workspaces.explore()
    archive = path.with_suffix(".txt.gz")
    archive.write_bytes(gzip.compress(path.read_bytes(), 1))
    measure("an archive is read, and trained on", train("gpt2", 2_000, archive))
    measure("raw is read and trained", train("raw", 1_500), 8.0)
    measure("all of gpt2 is trained", train("gpt2", _ALL))
    table = part(window, QTableView, "vocabularyTable")
    rows = f"{table.model().rowCount():,}"
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        sort = partial(table.horizontalHeader().setSortIndicator, TOKEN, order)
        measure(f"{rows} tokens are sorted", sort)
    for action in (window.actions_.larger_text, window.actions_.smaller_text):
        measure("another size of text", action.trigger)
    for theme in ("light", "dark"):
        measure("other colours", lambda theme=theme: window.theme_choice.choose(theme))
    editor = part(window, TextEditor, "sampleText")
    lines = path.read_bytes()[:1_000_000].decode("utf-8", "ignore")
    for name, text in (("many lines", lines), ("one line", lines.replace("\n", " "))):
        paste(editor, text)
        wait(5.0)
        cursor = editor.textCursor()
        cursor.setPosition(len(text) // 2)
        editor.setTextCursor(cursor)
        wait(2.0)
        measure(f"a key in 1 MB in {name}", lambda: QTest.keyClick(editor, "x"))
    paste(editor, "low lower")
    window.controls.choose_preset("raw")
    window.controls.size_box.setValue(_ALL)
    window.open_sources([path], train=True)
    wait_until(lambda: window.training.phase is Phase.TRAINING)
    wait(2.0)
    began, work = perf_counter(), process_time()
    window.close()
    print(
        f"{'closed while raw is trained':34} after {1000 * (perf_counter() - began):5.0f} ms, "
        f"of the processors' time {1000 * (process_time() - work):5.0f} ms"
    )


def main() -> None:
    """Train in a window and print the frames."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocab-size", type=int, default=50_257)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--freezes", action="store_true", help="measure what else one may do")
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
        # What the user has chosen is not measured, and nothing of this is kept.
        os.environ |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), folder)
        application, window = app.create([])
        loop = QEventLoop()
        # Begin when the window is calm: drawn, and the kernels loaded. So does each run.
        window.compiler.changed.connect(loop.quit)
        loop.exec()
        QTimer.singleShot(1000, loop.quit)
        loop.exec()
        if arguments.freezes:
            freezes(window, path)
            return
        if arguments.compare:
            window.workspaces.compare()
        if arguments.stage:
            window.stage.choice = {**window.stage.choice, "layout": arguments.stage}
            window.stage.enter()
        stopwatch = Stopwatch(window, loop)
        typist = Typist(window)
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
        typist.deleteLater()
        window.close()


if __name__ == "__main__":
    main()
