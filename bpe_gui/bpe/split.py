r"""Pre-tokenization: where a text is cut into words before any merge.

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
| `punctuation` | Hugging Face's Punctuation: each punctuation mark a word of its own |
| `digits` | Hugging Face's Digits, one by one: each number (`\p{N}`) a word of its own |
| `digits-3` | numbers in threes from the left, what stands between them a word |
| `scripts` | runs of one script, see `bpe_gui.bpe.scripts` |
| `regex:...` | the matches of a regex of one's own, in the `regex` module's dialect |

For the last five the `regex` module itself does the work. Every match is a word; matches of no
characters are passed over. What a pattern skips is kept as single symbols that never merge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.character_classes import (
    NO_PUNCTUATION_MARKS,
    PUNCTUATION_MARK,
    character_classes,
)
from bpe_gui.bpe.kernels.scanning import (
    BERT,
    CATEGORIES,
    CL100K,
    GAP,
    GPT2,
    LINES,
    NONE,
    O200K,
    WHITESPACE,
    WORD,
    safe_cut_kernel,
    split_kernel,
)
from bpe_gui.bpe.patterns import compiled as compiled_pattern
from bpe_gui.bpe.patterns import deadline, matches
from bpe_gui.bpe.recipe import Recipe, own_pattern
from bpe_gui.bpe.scripts import SCRIPTS_PATTERN

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
"""The regexes, in the `regex` module's dialect, of the splits that the scanner equals."""

_MATCHED = {
    "punctuation": f"{PUNCTUATION_MARK}|{NO_PUNCTUATION_MARKS}",
    "digits": r"\p{N}|[^\p{N}]+",
    "digits-3": r"\p{N}{1,3}|[^\p{N}]+",
    "scripts": SCRIPTS_PATTERN,
}
"""The regexes of the splits that are done by matching them."""

_SPLIT_PATTERN = "split pattern"
"""What sentences call such a regex."""

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
    """The number by which kernels know a named split. Raises KeyError for the others."""
    return _SCANNERS[split]


def matched_pattern(split: str) -> str | None:
    """The regex of a split that is done by matching it; None if the scanner does it."""
    pattern = own_pattern(split)
    return _MATCHED.get(split) if pattern is None else pattern


def split_words(
    text: NDArray[np.uint8], split: str, *, compiled: bool | None = None
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Cut a whole document.

    `text` is valid UTF-8, shape (bytes,). Returns the end of each span (byte offsets,
    ascending; a span begins where the one before it ends) and its kind. Raises PatternError
    if a regex takes too long.
    """
    pattern = matched_pattern(split)
    if pattern is not None:
        give_up = deadline(len(text))
        return _matched_spans(text.tobytes().decode("utf-8"), pattern, give_up)
    ends = np.empty(len(text), np.int64)
    kinds = np.empty(len(text), np.uint8)
    found = split_kernel.form(compiled)(scanner(split), text, character_classes(), ends, kinds)
    return ends[:found].copy(), kinds[:found].copy()


def for_scanner(
    text: NDArray[np.uint8], document_ends: NDArray[np.int64], recipe: Recipe
) -> tuple[int, NDArray[np.int64]]:
    """How the scanner's kernels cut documents, which stand one after another, by a recipe.

    Returns the number of a split, and where to begin anew: the ends of the documents; or,
    if the words are the matches of a regex, the ends of all words and of all single symbols
    that it skips, for a split that cuts nowhere else. Raises PatternError if a regex takes
    too long.
    """
    pattern = matched_pattern(recipe.split)
    if pattern is None:
        return scanner(recipe.split), document_ends
    give_up = deadline(len(text))
    begins_anew = np.zeros(len(text) + 1, np.bool_)
    skipped = np.zeros(len(text), np.bool_)
    begin = 0
    for end in document_ends.tolist():
        document = text[begin:end].tobytes().decode("utf-8")
        ends, kinds = _matched_spans(document, pattern, give_up)
        begins_anew[begin + ends] = True
        skipped[begin:end] = np.repeat(kinds == GAP, np.diff(ends, prepend=0))
        begin = end
    symbol_begins = recipe.byte_level | (text & 0xC0 != 0x80)
    begins_anew[:-1] |= skipped & symbol_begins
    return NONE, np.flatnonzero(begins_anew[1:]) + 1


def _matched_spans(
    text: str, pattern: str, give_up: float
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """The matches of a regex as words, and what is between them as gaps; see `split_words`."""
    found = matches(compiled_pattern(pattern, _SPLIT_PATTERN), text, give_up, _SPLIT_PATTERN)
    bounds = np.fromiter(
        (place for match in found if match.end() > match.start() for place in match.span()),
        np.int64,
    )
    # Every other span is a word; those between them may be empty, and then are none.
    ends = np.append(bounds, len(text))
    kinds = np.full(len(ends), GAP, np.uint8)
    kinds[1::2] = WORD
    kept = np.diff(ends, prepend=0) > 0
    return _byte_places(text)[ends[kept]], kinds[kept]


def _byte_places(text: str) -> NDArray[np.int64]:
    """At which byte of UTF-8 each character begins, and where the last one ends."""
    data = np.frombuffer(text.encode("utf-8"), np.uint8)
    return np.append(np.flatnonzero(data & 0xC0 != 0x80), len(data))


def safe_cut(
    text: bytes, split: str, *, specials: Sequence[bytes] = (), compiled: bool | None = None
) -> int:
    """The last byte at which a word begins for certain, or 0 if there is no such place.

    The words before it do not depend on what comes after it, nor those after it on what
    comes before. It is not within a run of what is no white space, nor within one of the
    special tokens, in whichever way these are looked for. `text` is valid UTF-8, and may be
    followed by more. The split `none` has no such place, nor has one that is done by
    matching a regex.
    """
    if matched_pattern(split) is not None:
        return 0
    view = np.frombuffer(text, np.uint8)
    kernel = safe_cut_kernel.form(compiled)

    def last_place(limit: int) -> int:
        return int(kernel(scanner(split), view[:limit], character_classes()))

    return clear_of(specials, text, last_place)


def clear_of(specials: Sequence[bytes], text: bytes, last_place: Callable[[int], int]) -> int:
    """The last place for a cut that is not within a special token; 0 if there is none.

    `last_place` tells the last place in the first so many bytes of the text, or 0.
    """
    # A special token that begins further back than this is all there.
    limit = len(text) - max(map(len, specials), default=1) + 1
    while limit > 0:
        place = last_place(limit)
        across = (
            text.find(special, max(place - len(special) + 1, 0), place + len(special) - 1)
            for special in specials
        )
        begin = max(across, default=-1) if place else -1
        if begin < 0:
            return place
        limit = begin + 1
    return 0
