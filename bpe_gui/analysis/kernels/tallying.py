"""What becomes of the words of a text: one walk along the text and its tokens.

A word is a run of characters without white space. Its core is the part from its first to
its last letter, mark or number, so that a comma behind a word does not count against the
word; what has none of these (`->`) is its own core.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import (
    Bytes,
    Flags,
    Integer,
    Ints,
    Kernel,
    Longs,
    Shorts,
    within_kernels,
)
from bpe_gui.bpe.kernels.scanning import LOWER, NUMBER, STRIPPED, UNSPACED, UPPER, class_at

WORDS, UNSPACED_WORDS, WHOLE_WORDS, WORD_TOKENS = range(4)
"""Places in the array that the tally is added to."""

TALLIES = 4

_OF_A_CORE = UPPER | LOWER | NUMBER


@within_kernels
def _word(
    text: Bytes, begin: Integer, end: Integer, classes: Shorts
) -> tuple[Integer, Integer, Integer, bool]:
    """Find the word that begins at a byte: where it ends, its core, whether spaces set it apart."""
    i = begin
    first = last = np.int64(-1)
    spaced = True
    while i < end:
        flags, width = class_at(text, i, end, classes)
        if flags & STRIPPED:
            break
        if flags & UNSPACED:
            spaced = False
        if flags & _OF_A_CORE:
            if first < 0:
                first = np.int64(i)
            last = np.int64(i + width)
        i += width
    if first < 0:
        first = np.int64(begin)
        last = np.int64(i)
    return i, first, last, spaced


def _tally_kernel(
    text: Bytes,
    document_ends: Longs,
    classes: Shorts,
    starts: Longs,
    ends: Longs,
    unknown: Flags,
    tally: Longs,
) -> None:
    """Add the words of documents and what they are cut into to `tally`.

    A token counts for the first word that it touches; one of no length touches the word
    that it stands in or after, or before which it stands at the beginning of a document. A
    word is whole if a single token of some length, not an `unknown` one, touches its core.
    """
    size = len(starts)
    token = 0
    fresh = 0
    i = 0
    for end in document_ends:
        document = i
        while i < end:
            flags, width = class_at(text, i, end, classes)
            if flags & STRIPPED:
                i += width
                continue
            begin = i
            i, first, last, spaced = _word(text, begin, end, classes)
            while token < size and ends[token] <= begin and starts[token] < begin:
                token += 1
            count = 0
            touching = 0
            known = False
            at = token
            while at < size and (starts[at] < i or ends[at] == i):
                if ends[at] > begin or starts[at] == begin == document:
                    if at >= fresh:
                        count += 1
                        fresh = at + 1
                    if starts[at] < ends[at] and starts[at] < last and ends[at] > first:
                        touching += 1
                        known = not unknown[at]
                at += 1
            if not spaced:
                tally[UNSPACED_WORDS] += 1
                continue
            tally[WORDS] += 1
            tally[WORD_TOKENS] += count
            if touching == 1 and known:
                tally[WHOLE_WORDS] += 1


@within_kernels
def _length(starts: Longs, kind: Integer) -> Integer:
    return starts[kind + 1] - starts[kind]


def _tally_pre_tokens_kernel(
    text: Bytes,
    document_ends: Longs,
    classes: Shorts,
    places: Longs,
    kinds: Ints,
    kind_starts: Longs,
    spaced: Longs,
    whole: Longs,
    tally: Longs,
) -> Integer:
    """Count the words of documents, and what their pre-tokens are to them.

    Pre-tokens stand at ascending `places`, each of a kind, whose length `kind_starts` tells as it
    does for the words of a table. `spaced` and `whole` receive by kind how many are of a word that
    `tally` counts as WORDS, and how many hold all of such a word's core. Returns 1 if no pre-token
    is of two words, and 0 as soon as one is.
    """
    size = len(places)
    at = 0
    touched = -1
    i = 0
    for end in document_ends:
        while i < end:
            flags, width = class_at(text, i, end, classes)
            if flags & STRIPPED:
                i += width
                continue
            begin = i
            i, first, last, is_spaced = _word(text, begin, end, classes)
            while at < size and places[at] + _length(kind_starts, kinds[at]) <= begin:
                at += 1
            if at == touched:
                return 0
            touching = 0
            holder = 0
            while at < size and places[at] < i:
                kind = kinds[at]
                if is_spaced:
                    spaced[kind] += 1
                if places[at] < last and places[at] + _length(kind_starts, kind) > first:
                    touching += 1
                    holder = kind
                touched = at
                at += 1
            at = touched
            if not is_spaced:
                tally[UNSPACED_WORDS] += 1
                continue
            tally[WORDS] += 1
            if touching == 1:
                whole[holder] += 1
    return 1


def _tally_kinds_kernel(
    text: Bytes,
    text_starts: Longs,
    classes: Shorts,
    first_tokens: Longs,
    starts: Longs,
    ends: Longs,
    unknown: Flags,
    spaced: Longs,
    whole: Longs,
    tally: Longs,
) -> None:
    """Add to `tally` what the tokens of each kind of pre-token are to words.

    The kinds stand one after another in the text; `spaced` and `whole` are what
    `tally_pre_tokens` has found, `starts` and `ends` those of tokens in the text.
    """
    for kind in range(len(text_starts) - 1):
        i, end = text_starts[kind], text_starts[kind + 1]
        flags, width = class_at(text, i, end, classes)
        while flags & STRIPPED:
            i += width
            if i >= end:
                break
            flags, width = class_at(text, i, end, classes)
        if i >= end:
            continue
        stop, first, last, _ = _word(text, i, end, classes)
        count = 0
        touching = 0
        known = False
        for token in range(first_tokens[kind], first_tokens[kind + 1]):
            if starts[token] < stop and ends[token] > i:
                count += 1
            if starts[token] < last and ends[token] > first:
                touching += 1
                known = not unknown[token]
        tally[WORD_TOKENS] += count * spaced[kind]
        if touching == 1 and known:
            tally[WHOLE_WORDS] += whole[kind]


tally_words = Kernel(_tally_kernel)
tally_pre_tokens = Kernel(_tally_pre_tokens_kernel)
tally_kinds = Kernel(_tally_kinds_kernel)
