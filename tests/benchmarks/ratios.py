"""How long whole programs take, beside the fastest public ones: a table of ratios and their goals.

    python -m tests.benchmarks.ratios [--runs N] [--only WORD] [--large]

Both sides of each row take turns in one run, so that a busy machine slows both; what is compared
is the median of each side, of the time on the clock and of the processors' time. Files are read
from the disk's cache, kernels are compiled before. Whole processes include the start of Python. The
text is 20 MB of Python's standard library; with `--large` 200 MB and 1 GB of it, repeated, are
trained on as well, and the most memory that 1 GB takes is told. Needs the extra `benchmark`.

The program fails if our merges or numbers of tokens are not those of the other side.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.training import MEGABYTE, standard_library

ENTRIES = 50257
FOREIGN_ENTRIES = 30000
OURS = (sys.executable, "-m", "bpe_gui")
ENVIRONMENT = {**os.environ}
# Without compiled files each start compiles our modules, but not those of libraries.
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)

TRAIN = """
import gigabpe, sys
merges = gigabpe.train_bpe([sys.argv[1]], vocab_size=int(sys.argv[2]), pretokenizer="bytelevel")[1]
print(len(merges))
"""
COUNT = """
import sys, gigatoken
print(len(gigatoken.Tokenizer(sys.argv[1]).encode_files(gigatoken.TextFileSource([sys.argv[2]]))[0]))
"""
FOREIGN = f"""
import sys
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
alphabet = pre_tokenizers.ByteLevel.alphabet()
trainer = trainers.BpeTrainer(vocab_size={FOREIGN_ENTRIES}, initial_alphabet=alphabet)
tokenizer.train_from_iterator([open(sys.argv[1], encoding="utf-8").read(4_000_000)], trainer)
tokenizer.save(sys.argv[2])
"""
CALL = """
import sys, time, gigabpe
begun = time.perf_counter(), time.process_time()
gigabpe.train_bpe([sys.argv[1]], vocab_size=int(sys.argv[2]), pretokenizer="bytelevel")
print(time.perf_counter() - begun[0], time.process_time() - begun[1])
"""
OUR_CALL = """
import sys, time
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.warm_up import warm_up
from bpe_gui.bpe.words import count_corpus
warm_up()
begun = time.perf_counter(), time.process_time()
recipe = preset("gpt2").with_changes(vocabulary_size=int(sys.argv[2]))
Trainer(count_corpus(Corpus([sys.argv[1]]), recipe), recipe).advance(10**9)
print(time.perf_counter() - begun[0], time.process_time() - begun[1])
"""


@dataclass(frozen=True, slots=True)
class Row:
    """Work that two programs do.

    goal: what the ratio of the clock's time shall be at most. processor_goal: that of the
    processors' time, where there is one. told: whether the programs print their own seconds. less:
    a third program, whose time is taken from that of the first before it is compared.
    memory_goal: how many MB more than the other program ours may have at most, where it is told.
    """

    name: str
    ours: Sequence[str]
    other: Sequence[str]
    goal: float
    processor_goal: float | None = None
    told: bool = False
    less: Sequence[str] | None = None
    memory_goal: int | None = None


Seconds = tuple[float, float]
"""On the clock, and of the processors."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each side (default: 5)")
    parser.add_argument("--only", default="", help="rows with this in their name")
    parser.add_argument("--large", action="store_true", help="200 MB and 1 GB, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = made(Path(folder), large=arguments.large)
        print(f"medians of {arguments.runs} runs; seconds of ours and of the other side, and ratio")
        print(f"{'':44}{'clock':>21}{'goal':>7}{'processors':>23}{'goal':>7}")
        for row in rows:
            if arguments.only in row.name:
                print(measured(row, arguments.runs), flush=True)
                if row.memory_goal is not None:
                    print(peaks(row, row.memory_goal), flush=True)
    return 0


def made(folder: Path, *, large: bool) -> list[Row]:
    """Write the files that the rows need."""
    text = standard_library(folder / "text", 20 * MEGABYTE)
    tiny = folder / "tiny"
    tiny.write_text("low low low low low lower lower newest newest newest widest\n" * 20)
    ours, foreign = folder / "ours.json", folder / "foreign.json"
    train = [*OURS, "train", str(text), "--preset", "gpt2", "--vocab-size", str(ENTRIES), "--quiet"]
    run([*train, "-o", str(ours)])
    run(_python(FOREIGN, text, foreign))
    for file in (ours, foreign):
        check_tokens(file, text)
    size = str(ENTRIES)
    rows = [
        Row("train 20 MB", train, _python(TRAIN, text, size), 1.5, 1.5),
        Row(
            "train a tiny text, beside import numba",
            [*OURS, "train", str(tiny), "--preset", "gpt2", "--vocab-size", "300", "--quiet"],
            _python("import numba"),
            1.2,
        ),
        Row("save what was trained, beside train",
            [*train, "-o", str(folder / "saved.json")], train, 0.2, less=train),
        Row("count tokens of 20 MB, our entries",
            [*OURS, "compare", str(ours), "--text", str(text)],
            _python(COUNT, ours, text), 1.5),
        Row("count tokens of 20 MB, a foreign file",
            [*OURS, "compare", str(foreign), "--text", str(text)],
            _python(COUNT, foreign, text), 1.5),
        Row("train 20 MB, the call alone", _python(OUR_CALL, text, size),
            _python(CALL, text, size), 0.4, told=True),
    ]  # fmt: skip
    for megabytes in (200, 1000) if large else ():
        file = folder / f"{megabytes}.txt"
        with file.open("wb") as target:
            for _ in range(megabytes // 20):
                target.write(text.read_bytes())
        if megabytes == 200:
            rows.append(
                Row("train 200 MB, the call alone", _python(OUR_CALL, file, size),
                    _python(CALL, file, size), 0.4, told=True)
            )  # fmt: skip
        else:
            train = [*train[:4], str(file), *train[5:]]
            other = _python(TRAIN, file, size)
            rows.append(Row("train 1 GB", train, other, 0.35, 0.5, memory_goal=200))
    return rows


def _python(code: str, *arguments: str | Path) -> list[str]:
    return [sys.executable, "-c", code, *map(str, arguments)]


def run(command: Sequence[str]) -> str:
    """Run a program; returns what it prints."""
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    return done.stdout


def check_tokens(tokenizer: Path, text: Path) -> None:
    """Check that both sides count the same tokens. Raises SystemExit."""
    told = run([*OURS, "compare", str(tokenizer), "--text", str(text), "--format", "json"])
    ours, other = json.loads(told)[0]["tokens"], int(run(_python(COUNT, tokenizer, text)))
    if ours != other:
        sys.exit(f"{tokenizer.name}: we count {ours:,} tokens, the other side {other:,}")


def measured(row: Row, runs: int) -> str:
    """Time both sides of a row in turn; returns its line of the table."""
    sides: list[Sequence[str]] = [row.ours, row.other, *([row.less] if row.less else ())]
    timed: Callable[[Sequence[str]], Seconds] = _told if row.told else _timed
    found: list[list[Seconds]] = [[] for _ in sides]
    for side in sides:
        run(side)
    for _ in range(runs):
        for side, times in zip(sides, found, strict=True):
            times.append(timed(side))
    clock, processors = (
        [statistics.median(times[kind] for times in side) for side in found] for kind in (0, 1)
    )
    for medians in (clock, processors):
        if row.less:
            medians[0] -= medians[2]
    goal = "" if row.processor_goal is None else f"{row.processor_goal:7.2f}"
    return f"{row.name:44}{_ratio(clock)}{row.goal:7.2f}  {_ratio(processors)}{goal}"


def _ratio(medians: Sequence[float]) -> str:
    return f"{medians[0]:7.3f}{medians[1]:7.3f}{medians[0] / medians[1]:7.2f}"


def peaks(row: Row, goal: int) -> str:
    """Tell the most memory that both sides of a row have, as a line of the table."""
    ours, other = map(_peak, (row.ours, row.other))
    return f"{'  the most memory, in MB':44}{ours:7,}{other:7,}  goal: {other + goal:,} at most"


def _peak(command: Sequence[str]) -> int:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _, process.returncode, used = os.wait4(process.pid, 0)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_maxrss // 1000


def _timed(command: Sequence[str]) -> Seconds:
    """Time a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    run(command)
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _told(command: Sequence[str]) -> Seconds:
    """Take the time that a process tells."""
    clock, processors = run(command).split()
    return float(clock), float(processors)


if __name__ == "__main__":
    sys.exit(main())
