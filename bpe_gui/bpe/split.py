"""Pre-tokenization: where a text is cut into words before any merge.

Merges never cross the border between two words. Each named split is defined by a
reference (a regex of the `regex` module, or a function of Python or of Hugging Face's
tokenizers); the scanner in this module is a state machine over UTF-8 that gives the same
words some fifty times faster.

| name | reference |
|---|---|
| `gpt2` | GPT-2's pattern |
| `cl100k` | GPT-4's pattern, as in tiktoken |
| `o200k` | GPT-4o's pattern, as in tiktoken |
| `categories` | runs of letters, numbers or separators, else single characters |
| `whitespace` | `str.split()`: the white space is dropped |
| `bert` | BertPreTokenizer: white space dropped, punctuation marks words of their own |
| `lines` | each space and each newline a word of its own |
| `none` | the whole document is one word |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.character_classes import character_classes
from bpe_gui.bpe.kernels.scanning import (
    BERT,
    CATEGORIES,
    CL100K,
    GPT2,
    LINES,
    NONE,
    O200K,
    WHITESPACE,
    safe_cut_kernel,
    split_kernel,
)

PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        "cl100k": (
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
            r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
        ),
        "o200k": (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        ),
        "categories": r"\p{Z}?(?:\p{L}+|\p{N}+)|\p{Z}+|.",
    }
)
"""The regexes, in the `regex` module's dialect, of the splits that are defined by one."""

_SCANNERS = {
    "gpt2": GPT2,
    "cl100k": CL100K,
    "o200k": O200K,
    "categories": CATEGORIES,
    "whitespace": WHITESPACE,
    "bert": BERT,
    "lines": LINES,
    "none": NONE,
}


def scanner(split: str) -> int:
    """The number by which kernels know a named split. Raises KeyError for unknown names."""
    return _SCANNERS[split]


def split_words(
    text: NDArray[np.uint8], split: str, *, compiled: bool | None = None
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Cut a whole document.

    `text` is valid UTF-8, shape (bytes,). Returns the end of each span (byte offsets,
    ascending; a span begins where the one before it ends) and its kind.
    """
    ends = np.empty(len(text), np.int64)
    kinds = np.empty(len(text), np.uint8)
    found = split_kernel.form(compiled)(scanner(split), text, character_classes(), ends, kinds)
    return ends[:found].copy(), kinds[:found].copy()


def safe_cut(
    text: bytes, split: str, *, specials: Sequence[bytes] = (), compiled: bool | None = None
) -> int:
    """The last byte at which a word begins for certain, or 0 if there is no such place.

    The words before it do not depend on what comes after it, nor those after it on what
    comes before. It is not within a run of what is no white space, nor within one of the
    special tokens, in whichever way these are looked for. `text` is valid UTF-8, and may be
    followed by more. The split `none` has no such place.
    """
    view = np.frombuffer(text, np.uint8)
    kernel = safe_cut_kernel.form(compiled)
    # A special token that begins further back than this is all there.
    limit = len(text) - max(map(len, specials), default=1) + 1
    while limit > 0:
        place = int(kernel(scanner(split), view[:limit], character_classes()))
        across = (
            text.find(special, max(place - len(special) + 1, 0), place + len(special) - 1)
            for special in specials
        )
        begin = max(across, default=-1) if place else -1
        if begin < 0:
            return place
        limit = begin + 1
    return 0
