"""What becomes of the words of a text: one walk along the text and its tokens.

A word is a run of characters without white space. Its core is the part from its first to
its last letter, mark or number, so that a comma behind a word does not count against the
word; what has none of these (`->`) is its own core.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.counting import NO_WORD
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

BEGINS_WITH_SPACE, OF_A_WORD, HAS_CORE, HAS_UNSPACED, ENDS_A_WORD, OF_TWO_WORDS = (
    1 << bit for bit in range(6)
)
"""What a pre-token can be to words: begin with white space; hold a part of a word, some of its
core, a character of a script without spaces; go on with white space behind that; and with more."""


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
    first_tokens: Longs,
    row_ends: Longs,
    tally: Longs,
) -> None:
    """Add the words of documents and what they are cut into to `tally`.

    `first_tokens` are the first token of each document, with one entry more, or empty: then their
    places tell which document they are of.

    `tally` has `TALLIES` places for each row of the text. `row_ends` ascend; the last row also has
    what comes behind them.

    A token counts for the first word that it touches; one of no length touches the word
    that it is in or after, or before which it is at the beginning of a document. A
    word is whole if a single token of some length, not an `unknown` one, touches its core.
    """
    size = len(starts)
    token = 0
    fresh = 0
    row = 0
    i = 0
    for number in range(len(document_ends)):
        end = document_ends[number]
        document = i
        if len(first_tokens):
            token = first_tokens[number]
            size = first_tokens[number + 1]
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
            while (row + 1) * TALLIES < len(tally) and row_ends[row] <= begin:
                row += 1
            found = row * TALLIES
            if not spaced:
                tally[found + UNSPACED_WORDS] += 1
                continue
            tally[found + WORDS] += 1
            tally[found + WORD_TOKENS] += count
            if touching == 1 and known:
                tally[found + WHOLE_WORDS] += 1


def _describe_kernel(text: Bytes, ends: Longs, classes: Shorts, facts: Bytes) -> None:
    """Record what concatenated pre-tokens are to words."""
    i = 0
    for kind in range(len(ends)):
        found = np.int64(0)
        while i < ends[kind]:
            flags, width = class_at(text, i, ends[kind], classes)
            if flags & STRIPPED:
                found |= ENDS_A_WORD if found & OF_A_WORD else BEGINS_WITH_SPACE
            else:
                if found & ENDS_A_WORD:
                    found |= OF_TWO_WORDS
                found |= OF_A_WORD
                if flags & UNSPACED:
                    found |= HAS_UNSPACED
                if flags & _OF_A_CORE:
                    found |= HAS_CORE
            i += width
        facts[kind] = found


@within_kernels
def _end_word(
    kinds: Ints,
    begin: Integer,
    end: Integer,
    facts: Bytes,
    spaced: Longs,
    whole: Longs,
    tally: Longs,
) -> None:
    """Count the word of which pre-tokens have a part each, of these kinds."""
    with_core = 0
    holder = np.int64(kinds[begin])
    is_spaced = True
    for at in range(begin, end):
        fact = facts[kinds[at]]
        if fact & HAS_UNSPACED:
            is_spaced = False
        if fact & HAS_CORE:
            with_core += 1
            holder = np.int64(kinds[at])
    if not is_spaced:
        tally[UNSPACED_WORDS] += 1
        return
    for at in range(begin, end):
        spaced[kinds[at]] += 1
    tally[WORDS] += 1
    # The core is between the first and the last that has some; without any it is the whole word.
    if with_core == 1 or (with_core == 0 and end - begin == 1):
        whole[holder] += 1


def _tally_pre_tokens_kernel(
    kinds: Ints,
    facts: Bytes,
    counts: Longs,
    spaced: Longs,
    whole: Longs,
    tally: Longs,
) -> Integer:
    """Count pre-tokens, the words of documents, and what the ones are to the others.

    `kinds` are those of pre-tokens in order, or NO_WORD where documents end and white space is
    dropped, in the end at the latest; `facts` tells what each kind is. `counts` receives by kind
    how many there are, `spaced` how many are of a word that `tally` counts as WORDS, and `whole`
    how many hold all of such a word's core. Returns 1 if no pre-token is of two words, and 0 as
    soon as one is.
    """
    begin = -1
    for at in range(len(kinds)):
        kind = kinds[at]
        fact = np.int64(BEGINS_WITH_SPACE) if kind == NO_WORD else np.int64(facts[kind])
        if begin >= 0 and fact & BEGINS_WITH_SPACE:
            _end_word(kinds, begin, at, facts, spaced, whole, tally)
            begin = -1
        if kind == NO_WORD:
            continue
        counts[kind] += 1
        if fact & OF_A_WORD:
            if fact & OF_TWO_WORDS:
                return 0
            if begin < 0:
                begin = at
            if fact & ENDS_A_WORD:
                _end_word(kinds, begin, at + 1, facts, spaced, whole, tally)
                begin = -1
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

    The kinds follow each other in the text; `spaced` and `whole` are what
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
describe_pre_tokens = Kernel(_describe_kernel)
tally_pre_tokens = Kernel(_tally_pre_tokens_kernel)
tally_kinds = Kernel(_tally_kinds_kernel)
