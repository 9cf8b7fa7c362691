"""How long training takes and how much memory, beside the public trainers.

    python -m tests.benchmarks.training [--file FILE] [--runs N] [--vocabularies N...]

Every run is a process of its own; the sides take turns, so that a busy machine slows all
of them. Each reads the same file and does the same number of merges with GPT-2's split.
The clock runs from opening the file to the trained vocabulary, imports excluded; the time
of the whole process and its peak memory stand beside. What is compared is the median.

With ties to the lowest id our merges must be those of Hugging Face's tokenizers: if not,
this program says so and fails. Needs the extra `benchmark`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.training_side import SIDES

MEGABYTE = 1_000_000
REFERENCE = "rustbpe"


@dataclass(frozen=True, slots=True)
class Run:
    """One measured process."""

    seconds: float
    process_seconds: float
    peak_bytes: int
    merges: int
    digest: str | None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "--file", type=Path, help="the text (default: 20 MB of Python's standard library)"
    )
    parser.add_argument("--runs", type=int, default=5, help="runs of each side (default: 5)")
    parser.add_argument("--vocabularies", type=int, nargs="+", default=[2256, 50257])
    parser.add_argument("--sides", nargs="+", choices=SIDES, default=list(SIDES))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.file or standard_library(Path(folder) / "text", 20 * MEGABYTE)
        print(f"{file.stat().st_size / MEGABYTE:.1f} MB of text, medians of {arguments.runs} runs")
        agree = [
            compare(file, vocabulary, arguments.runs, arguments.sides)
            for vocabulary in arguments.vocabularies
        ]
    return 0 if all(agree) else 1


def standard_library(target: Path, size: int) -> Path:
    """Write the first bytes of the concatenated sources of the standard library."""
    left = size
    with target.open("wb") as file:
        for source in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
            if "site-packages" in source.parts or left == 0:
                continue
            data = source.read_bytes()
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:  # a test of the interpreter's
                continue
            data = data[:left].decode("utf-8", "ignore").encode("utf-8")
            left -= len(data)
            file.write(data)
            if left < 4:  # the rest may be part of a character
                break
    return target


def compare(file: Path, vocabulary: int, runs: int, sides: list[str]) -> bool:
    """Measure all sides for one size of vocabulary; whether the merges agree."""
    for side in sides:
        measure(side, file, vocabulary)  # fills caches: of files, and of compiled kernels
    measured: dict[str, list[Run]] = {side: [] for side in sides}
    for _ in range(runs):
        for side in sides:
            measured[side].append(measure(side, file, vocabulary))
    print(f"\n{vocabulary:,} entries, {measured[sides[0]][0].merges:,} merges")
    print(f"{'':22}{'training':>10}{'spread':>16}{'process':>10}{'memory':>10}{'ratio':>9}")
    for side in sides:
        print(row(side, measured[side], measured.get(REFERENCE)))
    if len({run.merges for found in measured.values() for run in found}) > 1:
        print("the sides did different numbers of merges")
        return False
    digests = {
        run.digest for found in measured.values() for run in found if run.digest is not None
    }
    if len(digests) > 1:
        print("the merges with ties to the lowest id are NOT those of tokenizers")
    elif {"ours, lowest-id", "tokenizers"} <= set(sides):
        print("the merges with ties to the lowest id are those of tokenizers")
    return len(digests) <= 1


def row(side: str, runs: list[Run], reference: list[Run] | None) -> str:
    """One line of the table; the ratio is to rustbpe's median."""
    seconds = statistics.median(run.seconds for run in runs)
    spread = f"{min(run.seconds for run in runs):.2f}-{max(run.seconds for run in runs):.2f} s"
    process = statistics.median(run.process_seconds for run in runs)
    memory = statistics.median(run.peak_bytes for run in runs) / MEGABYTE
    ratio = ""
    if reference:
        ratio = f"{seconds / statistics.median(run.seconds for run in reference):.3f}"
    return f"{side:22}{seconds:8.3f} s{spread:>16}{process:8.2f} s{memory:7.0f} MB{ratio:>9}"


def measure(side: str, file: Path, vocabulary: int) -> Run:
    """One training run in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.training_side"]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, side, str(file), str(vocabulary)], check=True, capture_output=True, text=True
    )
    process_seconds = time.perf_counter() - started
    return Run(process_seconds=process_seconds, **json.loads(done.stdout))


if __name__ == "__main__":
    sys.exit(main())
