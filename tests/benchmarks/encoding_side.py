"""One side of the encoding benchmark, run by `encoding` as a process of its own."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.training_side import GPT2, text_in_pieces, whole_text

Encoded = tuple[float, NDArray[np.int64]]
"""Seconds, and what was found: ids in order, or how often each id occurs."""

_WARM_UP = "A line of 12 words, which makes both sides load what they need.\n" * 100


def trained(file: Path, vocabulary: int) -> Any:
    """The history of our engine on the file, with GPT-2's split."""
    from bpe_gui.bpe.corpus import Corpus
    from bpe_gui.bpe.recipe import preset
    from bpe_gui.bpe.trainer import Trainer
    from bpe_gui.bpe.words import count_corpus

    recipe = preset("gpt2").with_changes(vocabulary_size=vocabulary)
    trainer = Trainer(count_corpus(Corpus([file]), recipe, compiled=True), recipe, compiled=True)
    trainer.advance(vocabulary)
    return trainer.history


def write_ranks(file: Path, vocabulary: int, target: Path) -> None:
    """Train, and write the vocabulary as a file of mergeable ranks, which are our ids."""
    history = trained(file, vocabulary)
    contents = [
        history.token_bytes(token) for token in range(history.vocabulary_size(len(history)))
    ]
    if len(set(contents)) < len(contents):
        raise RuntimeError("two tokens have the same bytes, which ranks cannot hold")
    lines = [b"%s %d\n" % (base64.b64encode(c), token) for token, c in enumerate(contents)]
    target.write_bytes(b"".join(lines))


def library(ranks: Path) -> Any:
    """The same vocabulary in tiktoken."""
    import tiktoken

    rows = [line.split() for line in ranks.read_bytes().splitlines()]
    return tiktoken.Encoding(
        "ours",
        pat_str=GPT2,
        mergeable_ranks={base64.b64decode(token): int(rank) for token, rank in rows},
        special_tokens={},
    )


def our_counts(file: Path, vocabulary: int, ranks: Path) -> Encoded:
    """What the compare view does with a file, all of its metrics included."""
    from bpe_gui.bpe.corpus import Corpus
    from bpe_gui.encodings.measuring.measure import measure
    from bpe_gui.encodings.ours import TrainedEncoding

    history = trained(file, vocabulary)
    line = ranks.with_suffix(".line")
    line.write_text(_WARM_UP)
    measure(TrainedEncoding(history), Corpus([line]))
    encoding = TrainedEncoding(history)  # has met no word yet
    started = time.perf_counter()
    measured = measure(encoding, Corpus([file]))
    seconds = time.perf_counter() - started
    ids, counts = measured.counts.histogram()
    histogram = np.zeros(vocabulary, np.int64)
    histogram[ids] = counts
    return seconds, histogram


def our_ids(file: Path, vocabulary: int, ranks: Path) -> Encoded:
    """The whole text at once."""
    from bpe_gui.bpe.tokenizer import Tokenizer

    history = trained(file, vocabulary)
    Tokenizer(history, compiled=True).encode_ids(_WARM_UP)
    tokenizer = Tokenizer(history, compiled=True)
    started = time.perf_counter()
    ids = tokenizer.encode_ids(whole_text(file))
    return time.perf_counter() - started, ids.astype(np.int64)


def library_counts(file: Path, vocabulary: int, ranks: Path, method: str) -> Encoded:
    """Piece by piece, which is faster than the whole text at once, and needs less memory."""
    encode = getattr(library(ranks), method)
    encode(_WARM_UP)
    started = time.perf_counter()
    histogram = np.zeros(vocabulary, np.int64)
    for piece in text_in_pieces(file):
        histogram += np.bincount(np.asarray(encode(piece)), minlength=vocabulary)
    return time.perf_counter() - started, histogram


def library_batch(file: Path, vocabulary: int, ranks: Path) -> Encoded:
    """All pieces on two threads."""
    encoding = library(ranks)
    encoding.encode_ordinary_batch([_WARM_UP] * 2, num_threads=2)
    started = time.perf_counter()
    histogram = np.zeros(vocabulary, np.int64)
    for ids in encoding.encode_ordinary_batch(text_in_pieces(file), num_threads=2):
        histogram += np.bincount(np.asarray(ids), minlength=vocabulary)
    return time.perf_counter() - started, histogram


def library_ids(file: Path, vocabulary: int, ranks: Path, method: str) -> Encoded:
    """The whole text at once."""
    encode = getattr(library(ranks), method)
    encode(_WARM_UP)
    started = time.perf_counter()
    ids = encode(whole_text(file))
    return time.perf_counter() - started, np.asarray(ids, np.int64)


def _by(method: str, side: Callable[..., Encoded]) -> Callable[[Path, int, Path], Encoded]:
    return lambda file, vocabulary, ranks: side(file, vocabulary, ranks, method)


COUNTS = MappingProxyType(
    {
        "ours": our_counts,
        "encode_ordinary": _by("encode_ordinary", library_counts),
        "encode_to_numpy": _by("encode_to_numpy", library_counts),
        "batch, 2 threads": library_batch,
    }
)
"""Sides that find how often each token occurs."""

IDS = MappingProxyType(
    {
        "ours": our_ids,
        "encode_ordinary": _by("encode_ordinary", library_ids),
        "encode_to_numpy": _by("encode_to_numpy", library_ids),
    }
)
"""Sides that find the ids in order."""

TASKS = MappingProxyType({"counts": COUNTS, "ids": IDS})


def main() -> None:
    task, side, file, vocabulary, ranks = sys.argv[1:]
    if task == "prepare":
        write_ranks(Path(file), int(vocabulary), Path(ranks))
        return
    seconds, found = TASKS[task][side](Path(file), int(vocabulary), Path(ranks))
    digest = hashlib.sha256(found.tobytes()).hexdigest()
    tokens = int(found.sum()) if task == "counts" else len(found)
    print(json.dumps({"seconds": seconds, "tokens": tokens, "digest": digest}))


if __name__ == "__main__":
    main()
