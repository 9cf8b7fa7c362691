"""How long encoding takes, beside tiktoken with the very same vocabulary.

    python -m tests.benchmarks.encoding [--file FILE] [--runs N] [--vocabulary N]

Our engine is trained on the file with GPT-2's split, and its vocabulary given to tiktoken as
mergeable ranks that are our ids. Two tasks are measured, on one thread but where it says
otherwise:

- `counts`: how many tokens a file has and how often each occurs. Ours is what the compare
  view does with a file: it streams in constant memory and counts words as well. tiktoken's
  ids are counted with numpy, piece by piece.
- `ids`: the text at once to all its ids in order.

Every run is a process of its own; the sides take turns, so that a busy machine slows all of
them. The clock runs from opening the file to the result; imports, training and loading are
not measured, and each side has encoded a few lines before. What is compared is the median,
with the fastest way of tiktoken's that uses one thread.

All sides must find the same ids, and ours must count in half of tiktoken's time at most: if
not, this program says so and fails. Needs no extra.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.encoding_side import TASKS
from tests.benchmarks.training import MEGABYTE, standard_library

MOST_OF_ITS_TIME = 0.5
"""What counting may take, of tiktoken's time."""


@dataclass(frozen=True, slots=True)
class Run:
    """One measured process."""

    seconds: float
    tokens: int
    digest: str


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "--file", type=Path, help="the text (default: 20 MB of Python's standard library)"
    )
    parser.add_argument("--runs", type=int, default=7, help="runs of each side (default: 7)")
    parser.add_argument("--vocabulary", type=int, default=50257)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.file or standard_library(Path(folder) / "text", 20 * MEGABYTE)
        ranks = Path(folder) / "ours.tiktoken"
        side("prepare", "", file, arguments.vocabulary, ranks)
        size = file.stat().st_size / MEGABYTE
        print(f"{size:.1f} MB of text, {arguments.vocabulary:,} entries, medians of", end=" ")
        print(f"{arguments.runs} runs")
        good = [
            compare(task, file, arguments.vocabulary, ranks, arguments.runs) for task in TASKS
        ]
    return 0 if all(good) else 1


def compare(task: str, file: Path, vocabulary: int, ranks: Path, runs: int) -> bool:
    """Measure all sides of a task; whether they agree, and ours is fast enough."""
    sides = list(TASKS[task])
    for name in sides:
        measure(task, name, file, vocabulary, ranks)  # fills caches
    measured: dict[str, list[Run]] = {name: [] for name in sides}
    for _ in range(runs):
        for name in sides:
            measured[name].append(measure(task, name, file, vocabulary, ranks))
    medians = {name: statistics.median(r.seconds for r in measured[name]) for name in sides}
    one_thread = [name for name in sides if name != "ours" and "threads" not in name]
    reference = min(medians[name] for name in one_thread)
    print(f"\n{task}: {measured['ours'][0].tokens:,} tokens")
    print(f"{'':22}{'median':>10}{'spread':>16}{'speed':>12}{'ratio':>9}")
    for name in sides:
        seconds = [run.seconds for run in measured[name]]
        spread = f"{min(seconds):.2f}-{max(seconds):.2f} s"
        speed = f"{file.stat().st_size / MEGABYTE / medians[name]:.1f} MB/s"
        ratio = medians[name] / reference
        print(f"{name:22}{medians[name]:8.3f} s{spread:>16}{speed:>12}{ratio:9.3f}")
    same = len({run.digest for found in measured.values() for run in found}) == 1
    print("all found the same" if same else "the sides did NOT find the same")
    fast = task != "counts" or medians["ours"] <= MOST_OF_ITS_TIME * reference
    if not fast:
        print("ours took more than half of tiktoken's time")
    return same and fast


def measure(task: str, name: str, file: Path, vocabulary: int, ranks: Path) -> Run:
    """One run in a process of its own."""
    return Run(**json.loads(side(task, name, file, vocabulary, ranks)))


def side(task: str, name: str, file: Path, vocabulary: int, ranks: Path) -> str:
    """Run the other module; what it printed."""
    command = [sys.executable, "-m", "tests.benchmarks.encoding_side"]
    done = subprocess.run(
        [*command, task, name, str(file), str(vocabulary), str(ranks)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
