"""Measuring 20 MB with twelve encodings, as Compare does: `python -m tests.benchmarks.measuring`.

One encoding alone and all twelve take turns in one run, so that a busy machine slows both; what is
compared is the median of each side, of the time on the clock and of the processors' time. Six are
one run of ours at six sizes, four are foreign `tokenizer.json` files that split alike, and two are
ours with another split. The goal is at most four times the time of one of them. A row more is for
84,000 short documents with a file like Llama 2's, which puts a mark before each. The kernels must
be in the cache, and the machine otherwise idle.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.kernels import kernel_cache
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import count_corpus
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.load import open_encoding
from bpe_gui.encodings.measuring.file_measuring import FileNumbers, MeasureRequest, measure_files
from bpe_gui.encodings.ours import TrainedEncoding
from tests.benchmarks.training import MEGABYTE, standard_library

SIZES = (500, 2000, 5000, 10_000, 20_000, 32_000)
FOREIGN_SIZES = (2000, 8000, 16_000, 30_000)
GOAL = 4.0
SHORT_DOCUMENTS = 84_000
Make = Callable[[], Encoding]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="runs of each side (default: 3)")
    parser.add_argument("--megabytes", type=int, default=20)
    arguments = parser.parse_args()
    if not kernel_cache.is_ready(kernel_cache.Kernels.ALL):
        sys.exit("run `python -m bpe_gui.analysis.warm_up` first")
    with tempfile.TemporaryDirectory() as folder:
        text = standard_library(Path(folder) / "text", arguments.megabytes * MEGABYTE)
        makers = encodings(Path(folder), text)
        short, marking = short_documents(Path(folder), text)
        alone: list[tuple[float, float]] = []
        sides = {"one of ours": makers[5:6], "one foreign file": makers[9:10], "all twelve": makers}
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
        for _ in range(arguments.runs):
            for name, side in sides.items():
                found[name].append(measured(text, side))
            alone.append(measured(short, [marking]))
    print(f"medians of {arguments.runs} runs over {arguments.megabytes} MB, in seconds")
    medians = {
        name: [statistics.median(times[kind] for times in side) for kind in (0, 1)]
        for name, side in found.items()
    }
    for name, (clock, processors) in medians.items():
        print(f"{name:18} clock {clock:7.3f}  processors {processors:7.3f}")
    clock, processors = (statistics.median(times[kind] for times in alone) for kind in (0, 1))
    print(f"{'short documents':18} clock {clock:7.3f}  processors {processors:7.3f}")
    clock, processors = medians.pop("all twelve")
    for name, one in medians.items():
        print(
            f"all twelve beside {name:18} clock {clock / one[0]:6.2f}  processors "
            f"{processors / one[1]:6.2f}  goal {GOAL:.2f}"
        )
    return 0


def encodings(folder: Path, text: Path) -> list[Make]:
    """Train twelve encodings; gives what makes each anew, for they keep what they have met."""
    makers: list[Make] = []
    for name, sizes in (("gpt2", SIZES), ("gpt4", SIZES[2:4])):
        recipe = preset(name).with_changes(vocabulary_size=max(sizes))
        trainer = Trainer(count_corpus(Corpus([text]), recipe), recipe)
        trainer.advance(10**9)
        for size in sizes:
            position = min(size - 256, len(trainer.history))  # a short text has fewer merges
            makers.append(
                lambda history=trainer.history, position=position: TrainedEncoding(
                    history, position, name=f"{history.recipe.name} at {position}"
                )
            )
    beginning = text.read_text(encoding="utf-8")[: 4 * MEGABYTE]
    for size in FOREIGN_SIZES:
        foreign = Tokenizer(models.BPE())
        foreign.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(
            vocab_size=size, initial_alphabet=alphabet, show_progress=False
        )
        foreign.train_from_iterator([beginning], trainer)
        path = folder / f"foreign-{size}.json"
        foreign.save(str(path))
        makers.append(lambda path=path: open_encoding(str(path)))
    return [*makers[:6], *makers[8:], *makers[6:8]]


def short_documents(folder: Path, text: Path) -> tuple[Path, Make]:
    """Write the lines of a text as documents, and train a tokenizer that marks spaces."""
    lines = text.read_text(encoding="utf-8").split("\n")[:SHORT_DOCUMENTS]
    documents = folder / "lines.jsonl"
    documents.write_text("".join(json.dumps({"text": line}) + "\n" for line in lines))
    marking = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    marking.pre_tokenizer = pre_tokenizers.Metaspace()
    first = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(
        vocab_size=8000, special_tokens=first, limit_alphabet=100, show_progress=False
    )
    marking.train_from_iterator(["\n".join(lines)], trainer)
    state = json.loads(marking.to_str())
    del state["added_tokens"][3:]  # bytes are found in no text
    state["normalizer"] = json.loads(
        normalizers.Sequence(
            [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
        ).__getstate__()
    )
    state["pre_tokenizer"] = None
    path = folder / "marking.json"
    path.write_text(json.dumps(state))
    return documents, lambda: open_encoding(str(path))


def measured(text: Path, makers: Sequence[Make]) -> tuple[float, float]:
    """Measure a file with encodings; gives the seconds on the clock and of the processors."""
    lanes = {number: make() for number, make in enumerate(makers)}
    reports: list[Any] = []
    begun = time.perf_counter(), time.process_time()
    measure_files(MeasureRequest((str(text),), lanes), reports.append, lambda: False)
    seconds = time.perf_counter() - begun[0], time.process_time() - begun[1]
    numbers = [report for report in reports if isinstance(report, FileNumbers)][-1]
    if numbers.problems or len(numbers.measured) != len(makers):
        sys.exit(f"not all were measured: {dict(numbers.problems)}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
