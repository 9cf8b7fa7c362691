"""How long the window and `render` take to start, beside their libraries.

    python -m tests.benchmarks.starting [--runs N] [--session FILE]

All sides take turns in one run, so that a busy machine slows all of them: each is a process of its
own, from its beginning to its first complete frame, or to its last file. Compared are the medians
of the time on the clock and of the processors' time. The window has no screen and a new user; its
first frame is complete when all panels in view are drawn, their questions answered, and that is
painted. The session is the four words by default. Kernels must be in the cache.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bpe_gui.bpe.kernels import kernel_cache

GOAL = 1.3
"""The first frame, as so many times the imports."""
RENDER_GOAL = 1.0
"""Seconds that rendering one panel may take beyond the imports."""

# What ends a program takes its time too, and nobody waits for it.
IMPORTS = """
import os
import PySide6.QtWidgets, pyqtgraph, numpy
os._exit(0)
"""
FRAME = """
import gc, os
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # both as the command does, see `bpe_gui.cli`
gc.disable()
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject
from bpe_gui.app import create

_, window = create([])
loop, explore = QEventLoop(), window.explore


class Stopwatch(QObject):
    def look(self):
        if window.player.history is not None and explore.scheduler.up_to_date and explore.at_rest:
            # After the painting that has been asked for.
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), -10)

    def event(self, event):
        if event.type() == QEvent.Type.User:
            os._exit(0)
        return super().event(event)


stopwatch = Stopwatch()
explore.scheduler.drew.connect(stopwatch.look)
explore.rested.connect(stopwatch.look)
loop.exec()
"""
SESSION = """
import sys
from pathlib import Path
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import count_corpus
from bpe_gui.bpe.corpus import sample
from bpe_gui.sessions import CorpusReference, SavedBranch, Session, save_session

recipe = preset("whitespace")
words = count_corpus(sample("four-words"), recipe)
trainer = Trainer(words, recipe)
trainer.advance(1000)
save_session(Path(sys.argv[1]), Session(
    corpus=CorpusReference("Four words", sample="four-words"), words=words, recipe=recipe,
    branches=(SavedBranch("Original", trainer.history),), position=7, text="low lower newest",
))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=9, help="runs of each side (default: 9)")
    parser.add_argument("--session", type=Path, help="a session to render")
    arguments = parser.parse_args()
    if not kernel_cache.is_ready(kernel_cache.Kernels.ALL):
        sys.exit("run `python -m bpe_gui.analysis.warm_up` first")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        session = arguments.session or folder / "talk.bpesession"
        if arguments.session is None:
            timed([sys.executable, "-c", SESSION, str(session)], folder)
        render = [sys.executable, "-m", "bpe_gui", "render", str(session)]
        four = [part for name in ("pairs", "why", "text", "words") for part in ("--panel", name)]
        sides: dict[str, Sequence[str]] = {
            "imports": [sys.executable, "-c", IMPORTS],
            "first frame": [sys.executable, "-c", FRAME],
            "render one panel": [*render, "--panel", "pairs", "-o", str(folder / "pairs.png")],
            "render four panels": [*render, *four, "-o", f"{folder / 'slides'}/"],
        }
        found: dict[str, list[tuple[float, float]]] = {side: [] for side in sides}
        for turn in range(arguments.runs + 1):
            for side, command in sides.items():
                times = timed(command, folder)
                if turn:  # before, files are read from the disk and modules compiled
                    found[side].append(times)
    report(found, arguments.runs)
    return 0


def report(found: dict[str, list[tuple[float, float]]], runs: int) -> None:
    """Print the medians of all sides, and what they come to beside the imports."""
    print(f"medians of {runs} runs, in seconds")
    medians = {
        side: [statistics.median(each[kind] for each in times) for kind in (0, 1)]
        for side, times in found.items()
    }
    for side, (clock, processors) in medians.items():
        print(f"{side:20} clock {clock:7.3f}  processors {processors:7.3f}")
    imports = medians.pop("imports")
    clock, processors = (a / b for a, b in zip(medians.pop("first frame"), imports, strict=True))
    print(f"{'first frame':20} clock {clock:7.2f}  processors {processors:7.2f}  times the imports,"
          f" goal {GOAL:.2f}")  # fmt: skip
    for side, times in medians.items():
        clock, processors = (a - b for a, b in zip(times, imports, strict=True))
        print(f"{side:20} clock {clock:7.3f}  processors {processors:7.3f}  beyond the imports, "
              f"goal {RENDER_GOAL:.3f} for one")  # fmt: skip


def timed(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """Run a program with a new user; gives the seconds on the clock and of the processors."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment |= {name: str(folder / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    # Without compiled files each start compiles our modules, but not those of libraries.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
