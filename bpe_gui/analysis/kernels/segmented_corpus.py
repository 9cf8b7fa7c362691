"""Pairs and tokens in a segmented corpus, at any position."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.hash_table import Table, find_or_enter
from bpe_gui.bpe.kernels.jit import Bytes, Integer, Ints, Kernel, Longs, within_kernels

# -- Changes of pairs ---------------------------------------------------------------------------
#
# As in `segmenting`, `merge_step` is for each symbol the step at which the border before it
# vanished: a border is there at a step if it vanishes there or later, and the first symbol of a
# word has one that never does. So what a merge changes is found by looking around the borders
# that vanish at its step, however long the words are that it is done in.
#
# Changes are kept in a table of pairs (see `hash_table`), in the order of their first
# occurrence, with an amount for each.

FULL = -1
"""What is returned if there are more pairs than the table has room for."""

_MAX_ADDED = 5
"""Pairs that one vanishing border may add to the table."""


@within_kernels
def change(
    table: Table, amounts: Longs, size: Integer, pair: Integer, amount: Integer
) -> Integer:
    """Add to the amount of a pair, found or new; returns how many pairs there are then."""
    number = find_or_enter(table, size, pair)
    if number < size:
        amounts[number] += amount
        return size
    amounts[number] = amount
    return size + 1


@within_kernels
def token_end(begin: Integer, merge_step: Ints, step: Integer) -> Integer:
    """Tell where the token ends that begins at a symbol."""
    end = begin + 1
    while end < len(merge_step) and merge_step[end] < step:
        end += 1
    return end


@within_kernels
def token_begin(end: Integer, merge_step: Ints, step: Integer) -> Integer:
    """Tell where the token begins that ends before a symbol."""
    begin = end - 1
    while merge_step[begin] < step:
        begin -= 1
    return begin


@within_kernels
def token_at(
    begin: Integer, end: Integer, symbols: Ints, merge_step: Ints, new_ids: Ints
) -> Integer:
    """Return the id of the token between two borders: what the last merge within it has made."""
    last = np.int64(-1)
    for i in range(begin + 1, end):
        last = max(last, np.int64(merge_step[i]))
    if last < 0:
        return np.int64(symbols[begin])
    return np.int64(new_ids[last])


def _changes_kernel(
    step: Integer,
    left: Integer,
    right: Integer,
    new: Integer,
    places: Longs,
    words: Longs,
    word_starts: Longs,
    counts: Longs,
    symbols: Ints,
    merge_step: Ints,
    new_ids: Ints,
    table: Table,
    amounts: Longs,
    occurrences: Longs,
) -> Integer:
    """Tell how a merge changes the counts of pairs; returns how many pairs change, or FULL.

    places: the borders that vanish at the step, ascending; words: the word of each.
    word_starts: one entry more than there are words; counts: how often each word occurs.
    occurrences: receives, for each place, how many occurrences of the pair are first met
        there, overlapping ones too.
    """
    pair = left << 32 | right
    size = np.int64(0)
    seen = np.int64(-1)  # the last border that has been counted
    for i in range(len(places)):
        if size + _MAX_ADDED > len(table.keys):
            return FULL
        place = places[i]
        weight = counts[words[i]]
        begin = token_begin(place, merge_step, step)
        end = token_end(place, merge_step, step)
        found = np.int64(1)
        size = change(table, amounts, size, pair, -weight)
        if begin != seen and begin != word_starts[words[i]]:
            before = token_begin(begin, merge_step, step)
            token = token_at(before, begin, symbols, merge_step, new_ids)
            size = change(table, amounts, size, token << 32 | left, -weight)
            size = change(table, amounts, size, token << 32 | new, weight)
            if token == left and left == right:
                found += 1
        if end != word_starts[words[i] + 1]:
            after = token_end(end, merge_step, step)
            token = token_at(end, after, symbols, merge_step, new_ids)
            size = change(table, amounts, size, right << 32 | token, -weight)
            if left == right and token == right:
                found += 1
            if after < len(merge_step) and merge_step[after] == step:
                token = new
            size = change(table, amounts, size, new << 32 | token, weight)
            seen = end
        occurrences[i] = found
    return size


def _count_pairs_kernel(
    position: Integer,
    word_starts: Longs,
    counts: Longs,
    symbols: Ints,
    merge_step: Ints,
    new_ids: Ints,
    table: Table,
    amounts: Longs,
) -> Integer:
    """Count all pairs at a position; returns how many there are, or FULL.

    `word_starts` has one entry more than there are words.
    """
    size = np.int64(0)
    for word in range(len(word_starts) - 1):
        begin, stop = word_starts[word], word_starts[word + 1]
        before = np.int64(-1)
        while begin < stop:
            end = token_end(begin, merge_step, position)
            token = token_at(begin, end, symbols, merge_step, new_ids)
            if before >= 0:
                if size == len(table.keys):
                    return FULL
                pair = before << 32 | token
                size = change(table, amounts, size, pair, counts[word])
            before = token
            begin = end
    return size


changes_of = Kernel(_changes_kernel)
count_pairs = Kernel(_count_pairs_kernel)


# -- Tokens across boundaries -------------------------------------------------------------------


def _find_kernel(
    merge_step: Ints,
    boundaries: Ints,
    document_starts: Longs,
    document_counts: Longs,
    begin: Integer,
    occurrences: Longs,
    across: Longs,
    places: Longs,
) -> None:
    """Look at the tokens that the merges from `begin` on have made, when they were made.

    merge_step: for each symbol the step that merge_step the border before it, as in `segmenting`.
    boundaries: for each symbol how many of the borders before those up to it are boundaries.
    document_starts: one entry more than there are documents, `document_counts` how often each
        occurs.
    occurrences, across, places: for each merge from `begin` on, how many tokens it made, how
        many of them lie across a boundary, and the first border that made such a one (-1: none).
    """
    for document in range(len(document_counts)):
        weight = document_counts[document]
        for i in range(document_starts[document] + 1, document_starts[document + 1]):
            row = np.int64(merge_step[i]) - begin
            if row < 0 or row >= len(occurrences):
                continue
            step = row + begin + 1
            first = token_begin(i, merge_step, step)
            last = token_end(i, merge_step, step) - 1
            occurrences[row] += weight
            if boundaries[last] > boundaries[first]:
                across[row] += weight
                if places[row] < 0:
                    places[row] = i


find_superwords = Kernel(_find_kernel)


# -- Word bigrams, and pairs across boundaries --------------------------------------------------
#
# The tables are as above. In that of bigrams a key is left word << 32 | right
# word << 1, plus 1 where something that the split drops is between the two.

BIGRAMS, LAST_WORD, LAST_END, DOCUMENT = range(4)
"""Places in `state`: how many bigrams there are; the word before (-1 for none) and where it
ends; the document that it is in, an index into `document_ends`."""


def _note_kernel(
    words: Ints,
    places: Longs,
    begin: Integer,
    weight: Integer,
    word_starts: Longs,
    document_ends: Longs,
    occurrences: Longs,
    table: Table,
    counts: Longs,
    state: Longs,
) -> Integer:
    """Count words, and bigrams, from the word number `begin` on; returns where room ran out.

    words: indexes in the order of the text; places: the byte at which each begins.
    occurrences: for each word how often it occurs, added to.
    """
    size, last, last_end, document = state[0], state[1], state[2], state[3]
    i = np.int64(begin)
    while i < len(words) and size < len(table.keys):
        word = np.int64(words[i])
        place = places[i]
        while document_ends[document] <= place:
            document += 1
            last = np.int64(-1)
        if last >= 0:
            key = last << 32 | word << 1 | (place != last_end)
            size = change(table, counts, size, key, weight)
        occurrences[word] += weight
        last = word
        last_end = place + word_starts[word + 1] - word_starts[word]
        i += 1
    state[0], state[1], state[2], state[3] = size, last, last_end, document
    return i


def _ends_kernel(
    position: Integer,
    word_starts: Longs,
    symbols: Ints,
    merge_step: Ints,
    new_ids: Ints,
    first: Ints,
    last: Ints,
) -> None:
    """Write the first and the last token of the first words at a position.

    `word_starts` has one entry more than there are words; those asked for are as many as
    `first` has places.
    """
    for word in range(len(first)):
        begin, stop = word_starts[word], word_starts[word + 1]
        end = token_end(begin, merge_step, position)
        first[word] = token_at(begin, end, symbols, merge_step, new_ids)
        begin = token_begin(stop, merge_step, position)
        last[word] = token_at(begin, stop, symbols, merge_step, new_ids)


def _across_kernel(
    left: Ints,
    right: Ints,
    counts: Longs,
    apart: Bytes,
    first: Ints,
    last: Ints,
    only_apart: Integer,
    table: Table,
    amounts: Longs,
) -> Integer:
    """Count the pairs of tokens that meet between words; returns how many, or FULL.

    left, right, counts, apart: word bigrams, how often they are, and 1 where something
    between them is dropped; `only_apart` counts no others.
    """
    size = np.int64(0)
    for i in range(len(left)):
        if only_apart and not apart[i]:
            continue
        if size == len(table.keys):
            return FULL
        pair = np.int64(last[left[i]]) << 32 | np.int64(first[right[i]])
        size = change(table, amounts, size, pair, counts[i])
    return size


count_word_bigrams = Kernel(_note_kernel)
word_ends = Kernel(_ends_kernel)
pairs_across = Kernel(_across_kernel)
