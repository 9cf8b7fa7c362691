"""One side of the training benchmark, run by `training` as a process of its own."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import MappingProxyType

# Python's `regex` and Rust's `fancy-regex` read this pattern alike.
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

Merges = Iterable[tuple[bytes, bytes]] | None
"""The merges if they are to be compared, as the bytes of the two sides."""

Trained = tuple[float, int, Callable[[], Merges]]
"""Seconds, the number of merges, and how to get at the merges."""


_SAFE_CUT = re.compile(r"(?<=[A-Za-z]\n)(?=[A-Za-z])")


def whole_text(file: Path) -> str:
    """The text with its line endings as they are, which `read_text` would make all alike."""
    return file.read_bytes().decode("utf-8")


def text_in_pieces(file: Path) -> list[str]:
    """The text, cut about every megabyte where GPT-2's split cuts in any case.

    The other trainers count words in parallel only if they are given several texts. A
    single newline between two letters is always a word.
    """
    text = whole_text(file)
    pieces = []
    begin = 0
    while cut := _SAFE_CUT.search(text, begin + 1_000_000):
        pieces.append(text[begin : cut.start()])
        begin = cut.start()
    pieces.append(text[begin:])
    return pieces


def ours(file: Path, vocabulary: int, ties: str) -> Trained:
    """This program, with its history."""
    from bpe_gui.bpe.corpus import Corpus
    from bpe_gui.bpe.recipe import Ties, preset
    from bpe_gui.bpe.trainer import Trainer
    from bpe_gui.bpe.words import count_corpus

    recipe = preset("gpt2").with_changes(vocabulary_size=vocabulary, ties=Ties(ties))
    import numba

    # Imports are not measured, and Numba goes on importing itself with the first function
    # that it compiles. Loading our own kernels from the cache is measured.
    numba.njit(_nothing)()

    started = time.perf_counter()
    words = count_corpus(Corpus([file]), recipe, compiled=True)
    trainer = Trainer(words, recipe, compiled=True)
    trainer.advance(vocabulary)
    seconds = time.perf_counter() - started
    history = trainer.history

    def merges() -> Merges:
        if recipe.ties is not Ties.LOWEST_ID:
            return None
        pairs = zip(history.left.tolist(), history.right.tolist(), strict=True)
        return [(history.token_bytes(left), history.token_bytes(right)) for left, right in pairs]

    return seconds, len(history), merges


def _nothing() -> None:
    return


def tokenizers(file: Path, vocabulary: int) -> Trained:
    """Hugging Face's library: ByteLevel and BpeTrainer."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    from bpe_gui.bpe.byte_level import from_printable

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    started = time.perf_counter()
    tokenizer.train_from_iterator(text_in_pieces(file), trainer)
    seconds = time.perf_counter() - started
    pairs = json.loads(tokenizer.to_str())["model"]["merges"]
    merges = [(from_printable(left), from_printable(right)) for left, right in pairs]
    return seconds, len(merges), lambda: merges


def rustbpe(file: Path, vocabulary: int) -> Trained:
    """The PyPI package of that name. It breaks ties in its own way."""
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    started = time.perf_counter()
    tokenizer.train_from_iterator(text_in_pieces(file), vocabulary, pattern=GPT2)
    seconds = time.perf_counter() - started
    return seconds, tokenizer.vocab_size - 256, lambda: None


SIDES = MappingProxyType(
    {
        "ours": lambda file, vocabulary: ours(file, vocabulary, "first-seen"),
        "ours, lowest-id": lambda file, vocabulary: ours(file, vocabulary, "lowest-id"),
        "rustbpe": rustbpe,
        "tokenizers": tokenizers,
    }
)


def peak_bytes() -> int:
    """The most memory that this process has had, in bytes."""
    status = Path("/proc/self/status").read_text()
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    if found is None:
        raise RuntimeError("this system does not tell the peak memory of a process")
    return int(found[1]) * 1024


def digest(merges: Merges) -> str | None:
    """A fingerprint of the merges, to compare them across processes."""
    if merges is None:
        return None
    lines = "\n".join(f"{left.hex()} {right.hex()}" for left, right in merges)
    return hashlib.sha256(lines.encode()).hexdigest()


def main() -> None:
    side, file, vocabulary = sys.argv[1:]
    seconds, count, merges = SIDES[side](Path(file), int(vocabulary))
    peak = peak_bytes()  # before anything is made for the comparison
    result = {"seconds": seconds, "peak_bytes": peak, "merges": count}
    print(json.dumps({**result, "digest": digest(merges())}))


if __name__ == "__main__":
    main()
