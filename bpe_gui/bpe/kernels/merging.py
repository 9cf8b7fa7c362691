"""The loop of training: pairs are counted and ranked, and the first is merged, again and again."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.kernels.hash_table import Table, find, find_or_enter
from bpe_gui.bpe.kernels.jit import Integer, Ints, Kernel, Longs, within_kernels
from bpe_gui.bpe.kernels.registers import prefetch

# -- State --------------------------------------------------------------------------------------
#
# The corpus is one flat array of cells, a cell for each symbol of each unique word, linked
# to its neighbours within the word. A pair knows its count and the list of cells where it
# occurs (the cell of its left symbol). All occurrences of a pair come into being in one
# step, the merge that made the newer of its two symbols (or before the first merge);
# afterwards they only vanish. Three things follow, and the whole design rests on them:
#
# - the occurrence list of a pair is written once, in corpus order, and an entry is valid as
#   long as the cell still begins this pair (`node_pair`);
# - new pairs need no hash table: within one step a pair with the new symbol is known by its
#   other symbol alone;
# - a pair's priority only falls, so a heap of remembered priorities with refresh on sight is
#   exact, for the count falls and, under `first-seen`, the first position only moves on.
#
# That the claim holds is because a merged token always covers its characters in the same
# way: no two merges make the same sequence of symbols. A special token that would be spelled in
# two ways, with an end-of-word marker and without, is none that a recipe may have.

TOP = 20
"""How many of the most frequent pairs are kept for each position."""

TOP_KEPT = 24
"""How many candidates `top_candidates` holds, sorted; more than `TOP`, so that few fall back."""

_AHEAD = 8
"""Occurrences that lie between the one that is merged and the one that is fetched from memory.
Waiting for memory took most of the time: this alone saves a third of it on 20 MB."""

SYMBOL, NEXT, PREVIOUS, WORD = range(4)
"""Columns of a cell; links are cell indexes or -1 at the ends of a word."""

(
    PAIRS,
    OCCURRENCES,
    HEAP,
    TOP_CANDIDATES,
    DISTINCT,
    TOKENS,
    VOCABULARY,
    EPOCH,
    OUTCOME,
    FLOOR,
) = range(10)
"""Places in `State.numbers`: sizes in use, running totals, and why `advance` returned."""


class State(NamedTuple):
    """Everything the kernels work on; arrays are replaced by longer ones between calls."""

    cells: NDArray[np.int32]
    """Shape (cells, 4): symbol, next, previous, word."""
    node_pair: NDArray[np.int32]
    """For each cell the pair that it begins, or -1."""
    word_counts: NDArray[np.int64]
    pair_symbols: NDArray[np.int32]
    """Shape (pairs, 2)."""
    pair_counts: NDArray[np.int64]
    pair_lists: NDArray[np.int64]
    """Shape (pairs, 2): begin and end of each pair's part of `occurrences`."""
    occurrences: NDArray[np.int32]
    added_pairs: NDArray[np.int32]
    """Scratch, as long as `occurrences` has grown in the step: which pair was added."""
    added_cells: NDArray[np.int32]
    """Scratch: where it was added."""
    competing: NDArray[np.uint8]
    """For each pair whether it is in the heap or among the top candidates, or was taken out."""
    heap: NDArray[np.int64]
    """Shape (pairs + 1, 3): remembered count, tie key and pair."""
    top_candidates: NDArray[np.int64]
    """Shape (TOP_KEPT + 1, 3): the best candidates, sorted, in the heap's format."""
    new_pair_index: NDArray[np.int32]
    """Shape (symbols, 4): epoch and pair for (symbol, new), epoch and pair for (new, symbol)."""
    lengths: NDArray[np.int32]
    """How many symbols of the alphabet each token holds."""
    alphabet_cells: NDArray[np.int32]
    """The cells' symbols before the first merge; empty if no special token needs it."""
    reserved: NDArray[np.int32]
    """Special tokens that merges could make: the id, and where the token's symbols begin and end
    in `reserved_symbols`."""
    reserved_symbols: NDArray[np.int32]
    numbers: NDArray[np.int64]


# -- Candidates ---------------------------------------------------------------------------------
#
# Both hold entries (remembered count, tie key, pair). A pair's priority only falls, so an
# entry that is out of date is too high, and is brought up to date when it is met. Each
# pair is in the heap or among the top candidates, never in both. Pairs below the floor
# (`numbers[FLOOR]`) are in neither: most pairs are rare and would only fill the heap. The floor
# falls when the candidates come near it.


@within_kernels
def _tie_key(state: State, pair: Integer, first_seen: bool) -> Integer:
    """Return what breaks a tie; the smaller wins: the first position, or (left id, right id) as one
    number.
    """
    if not first_seen:
        left = np.int64(state.pair_symbols[pair, 0])
        return left << 32 | np.int64(state.pair_symbols[pair, 1])
    begin = state.pair_lists[pair, 0]
    end = state.pair_lists[pair, 1]
    while begin < end and state.node_pair[state.occurrences[begin]] != pair:
        begin += 1
    state.pair_lists[pair, 0] = begin
    if begin == end:
        return np.int64(0)
    return np.int64(state.occurrences[begin])


@within_kernels
def _outranks(count: Integer, tie: Integer, rows: Longs, i: Integer) -> bool:
    """Tell whether a pair goes before the entry in row i: more frequent, or by the tie-break."""
    if count != rows[i, 0]:
        return bool(count > rows[i, 0])
    return bool(tie < rows[i, 1])


@within_kernels
def _put(rows: Longs, i: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Write an entry to row i."""
    rows[i, 0] = count
    rows[i, 1] = tie
    rows[i, 2] = pair


@within_kernels
def _copy(rows: Longs, source: Integer, target: Integer) -> None:
    """Write the entry of one row to another as well."""
    rows[target, 0] = rows[source, 0]
    rows[target, 1] = rows[source, 1]
    rows[target, 2] = rows[source, 2]


@within_kernels
def _push(heap: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Add an entry to the heap of that size, which has room."""
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if not _outranks(count, tie, heap, parent):
            break
        _copy(heap, parent, i)
        i = parent
    _put(heap, i, count, tie, pair)


@within_kernels
def _settle(heap: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer) -> None:
    """Put an entry in the place of the root and let it sink."""
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and _outranks(heap[child + 1, 0], heap[child + 1, 1], heap, child):
            child += 1
        if _outranks(count, tie, heap, child):
            break
        _copy(heap, child, i)
        i = child
    _put(heap, i, count, tie, pair)


@within_kernels
def _drop_root(heap: Longs, size: Integer) -> Integer:
    """Remove the root of a heap of that size; returns the new size."""
    size -= 1
    _settle(heap, size, heap[size, 0], heap[size, 1], heap[size, 2])
    return size


@within_kernels
def _into_top_candidates(
    top_candidates: Longs, size: Integer, count: Integer, tie: Integer, pair: Integer
) -> None:
    """Insert an entry where it belongs among the first `size`, which are sorted."""
    i = size
    while i > 0 and _outranks(count, tie, top_candidates, i - 1):
        _copy(top_candidates, i - 1, i)
        i -= 1
    _put(top_candidates, i, count, tie, pair)


@within_kernels
def refresh_top_candidates(state: State, first_seen: bool) -> None:
    """Bring the top candidates' priorities up to date, drop pairs that are gone, sort again."""
    top_candidates = state.top_candidates
    kept = 0
    for i in range(state.numbers[TOP_CANDIDATES]):
        pair = top_candidates[i, 2]
        count = state.pair_counts[pair]
        if count > 0:
            tie = top_candidates[i, 1]
            # A pair that has lost no occurrence has its first one, too.
            if count != top_candidates[i, 0]:
                tie = _tie_key(state, pair, first_seen)
            _into_top_candidates(top_candidates, kept, count, tie, pair)
            kept += 1
    state.numbers[TOP_CANDIDATES] = kept


@within_kernels
def _fetch_next(state: State, size: Integer) -> None:
    """Fetch what tells the priorities of the pairs that are next in a heap of that size."""
    for i in range(1, min(size, 7)):
        prefetch(state.pair_counts, state.heap[i, 2])
        prefetch(state.pair_lists, state.heap[i, 2])
    for i in range(1, min(size, 3)):
        prefetch(state.occurrences, state.pair_lists[state.heap[i, 2], 0])


@within_kernels
def push_pairs(state: State, first_pair: Integer, first_seen: bool) -> None:
    """Let the pairs from that one on compete that are as frequent as the floor."""
    size = state.numbers[HEAP]
    floor = state.numbers[FLOOR]
    for pair in range(first_pair, state.numbers[PAIRS]):
        count = state.pair_counts[pair]
        if count >= floor and not state.competing[pair]:
            state.competing[pair] = 1
            _push(state.heap, size, count, _tie_key(state, pair, first_seen), pair)
            size += 1
    state.numbers[HEAP] = size


@within_kernels
def _take_from_heap(state: State, first_seen: bool) -> None:
    """Fill the top candidates up with the best of the heap."""
    heap, top_candidates, numbers = state.heap, state.top_candidates, state.numbers
    size = numbers[HEAP]
    kept = numbers[TOP_CANDIDATES]
    floor = numbers[FLOOR]
    while size > 0 and (kept < TOP or _outranks(heap[0, 0], heap[0, 1], top_candidates, TOP - 1)):
        _fetch_next(state, size)
        pair = heap[0, 2]
        count = state.pair_counts[pair]
        if count < floor:
            state.competing[pair] = 0
            size = _drop_root(heap, size)
            continue
        if count != heap[0, 0]:
            _settle(heap, size, count, _tie_key(state, pair, first_seen), pair)
            continue
        tie = heap[0, 1]
        size = _drop_root(heap, size)
        _into_top_candidates(top_candidates, kept, count, tie, pair)
        kept += 1
        if kept > TOP_KEPT:
            kept -= 1
            _push(
                heap,
                size,
                top_candidates[kept, 0],
                top_candidates[kept, 1],
                top_candidates[kept, 2],
            )
            size += 1
    numbers[HEAP] = size
    numbers[TOP_CANDIDATES] = kept


@within_kernels
def fill_top_candidates(state: State, first_seen: bool) -> None:
    """Make the first TOP of the top candidates the most frequent pairs of all, in order.

    The heap's root is the best of what is not among the top candidates, or better than it: entries
    are refreshed until the root cannot outrank the last of the first TOP.
    """
    _take_from_heap(state, first_seen)
    top_candidates, numbers = state.top_candidates, state.numbers
    while numbers[FLOOR] > 1 and (
        numbers[TOP_CANDIDATES] < TOP or top_candidates[TOP - 1, 0] < numbers[FLOOR]
    ):
        numbers[FLOOR] = numbers[FLOOR] >> 1
        push_pairs(state, 0, first_seen)
        _take_from_heap(state, first_seen)


# -- Counting pairs -----------------------------------------------------------------------------


def _link_kernel(symbols: Ints, word_starts: Longs, cells: Ints) -> None:
    """Lay the words' symbols out as linked cells."""
    for word in range(len(word_starts) - 1):
        begin, end = word_starts[word], word_starts[word + 1]
        for i in range(begin, end):
            cells[i, SYMBOL] = symbols[i]
            cells[i, NEXT] = i + 1 if i + 1 < end else -1
            cells[i, PREVIOUS] = i - 1 if i > begin else -1
            cells[i, WORD] = word


def _count_pairs_kernel(
    cells: Ints,
    word_counts: Longs,
    node_pair: Ints,
    table: Table,
    pair_counts: Longs,
    sizes: Longs,
) -> Integer:
    """Count the pairs of neighbouring cells; `node_pair` receives the pair that each begins.

    The table, empty at first, numbers the pairs in the order of their first occurrence;
    `pair_counts` and `sizes` receive the count and the number of occurrences of each. Returns how
    many pairs there are, or -1 if the table may be too small.
    """
    found = np.int64(0)
    for cell in range(len(cells)):
        after = cells[cell, NEXT]
        if after < 0:
            node_pair[cell] = -1
            continue
        if found == len(table.keys):
            return -1
        key = np.int64(cells[cell, SYMBOL]) << 32 | np.int64(cells[after, SYMBOL])
        pair = find_or_enter(table, found, key)
        if pair == found:
            found += 1
            pair_counts[pair] = 0
            sizes[pair] = 0
        pair_counts[pair] += word_counts[cells[cell, WORD]]
        sizes[pair] += 1
        node_pair[cell] = pair
    return found


def _list_pairs_kernel(node_pair: Ints, pair_lists: Longs, occurrences: Ints) -> None:
    """Write the occurrence lists; `pair_lists[:, 1]` is the begin of each on entry."""
    for cell in range(len(node_pair)):
        pair = node_pair[cell]
        if pair >= 0:
            end = pair_lists[pair, 1]
            occurrences[end] = cell
            pair_lists[pair, 1] = end + 1


def _compact_kernel(state: State) -> Integer:
    """Move the occurrences that are still valid to the front; returns how many there are.

    The lists are in the order of the pairs, so none is overwritten before it is read.
    """
    kept = 0
    for pair in range(state.numbers[PAIRS]):
        begin, end = state.pair_lists[pair, 0], state.pair_lists[pair, 1]
        state.pair_lists[pair, 0] = kept
        if state.pair_counts[pair] > 0:
            for k in range(begin, end):
                cell = state.occurrences[k]
                if state.node_pair[cell] == pair:
                    state.occurrences[kept] = cell
                    kept += 1
        state.pair_lists[pair, 1] = kept
    return kept


link = Kernel(_link_kernel)
count_pairs = Kernel(_count_pairs_kernel)
list_pairs = Kernel(_list_pairs_kernel)
compact = Kernel(_compact_kernel)


# -- Merging ------------------------------------------------------------------------------------

DONE, EXHAUSTED, INFREQUENT, FULL_VOCABULARY, NEEDS_CAPACITY = range(5)
"""Outcomes of `advance`."""


@within_kernels
def _record_position(
    state: State,
    row: Integer,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> None:
    """Write what a position looks like."""
    tokens[row] = state.numbers[TOKENS]
    distinct[row] = state.numbers[DISTINCT]
    shown = min(TOP, state.numbers[TOP_CANDIDATES])
    for i in range(shown):
        pair = state.top_candidates[i, 2]
        top_left[row, i] = state.pair_symbols[pair, 0]
        top_right[row, i] = state.pair_symbols[pair, 1]
        top_count[row, i] = state.top_candidates[i, 0]
    for i in range(shown, TOP):
        top_left[row, i] = -1
        top_right[row, i] = -1
        top_count[row, i] = 0


@within_kernels
def _lose(state: State, pair: Integer, weight: Integer) -> None:
    """Take an occurrence of a pair away."""
    left = state.pair_counts[pair] - weight
    state.pair_counts[pair] = left
    if left == 0:
        state.numbers[DISTINCT] -= 1


@within_kernels
def _gain(
    state: State,
    side: Integer,
    symbol: Integer,
    left: Integer,
    right: Integer,
    weight: Integer,
    cell: Integer,
    added: Integer,
) -> None:
    """Add an occurrence of a pair with the new symbol at a cell.

    `side` 0 stands for (symbol, new), 2 for (new, symbol).
    """
    numbers, new_pair_index = state.numbers, state.new_pair_index
    epoch = numbers[EPOCH]
    if new_pair_index[symbol, side] == epoch:
        pair = np.int64(new_pair_index[symbol, side + 1])
    else:
        pair = numbers[PAIRS]
        numbers[PAIRS] = pair + 1
        new_pair_index[symbol, side] = epoch
        new_pair_index[symbol, side + 1] = pair
        state.pair_symbols[pair, 0] = left
        state.pair_symbols[pair, 1] = right
        state.pair_counts[pair] = 0
        state.competing[pair] = 0
        state.pair_lists[pair, 0] = 0
        state.pair_lists[pair, 1] = 0
    if state.pair_counts[pair] == 0:
        numbers[DISTINCT] += 1
    state.pair_counts[pair] += weight
    state.pair_lists[pair, 1] += 1
    state.node_pair[cell] = pair
    state.added_pairs[added] = pair
    state.added_cells[added] = cell


@within_kernels
def _fetch_occurrences(state: State, k: Integer, last: Integer) -> None:
    """Fetch what merging will want after the k-th occurrence, of which `last` is the last one."""
    cell = state.occurrences[min(k + 2 * _AHEAD, last)]
    prefetch(state.cells, cell)
    prefetch(state.node_pair, cell)
    # These cells have been fetched by now.
    cell = state.occurrences[min(k + _AHEAD, last)]
    prefetch(state.word_counts, state.cells[cell, WORD])
    prefetch(state.cells, state.cells[max(state.cells[cell, NEXT], 0), NEXT])
    prefetch(state.cells, state.cells[cell, PREVIOUS])


@within_kernels
def _fetch_first(state: State, pair: Integer) -> None:
    """Fetch the first occurrences of a pair that is likely to be merged next."""
    begin = state.pair_lists[pair, 0]
    for k in range(begin, min(begin + 2 * _AHEAD, state.pair_lists[pair, 1])):
        cell = state.occurrences[k]
        prefetch(state.cells, cell)
        prefetch(state.node_pair, cell)


@within_kernels
def _merge_pair(state: State, pair: Integer, new_id: Integer) -> Integer:
    """Merge all occurrences of a pair, left to right; returns how many pairs were added."""
    cells, node_pair, numbers = state.cells, state.node_pair, state.numbers
    added = 0
    last = state.pair_lists[pair, 1] - 1
    for k in range(state.pair_lists[pair, 0], last + 1):
        _fetch_occurrences(state, k, last)
        cell = state.occurrences[k]
        if node_pair[cell] != pair:
            continue
        right = cells[cell, NEXT]
        weight = state.word_counts[cells[cell, WORD]]
        before = cells[cell, PREVIOUS]
        after = cells[right, NEXT]
        node_pair[cell] = -1
        _lose(state, pair, weight)
        cells[cell, SYMBOL] = new_id
        cells[cell, NEXT] = after
        if after >= 0:
            cells[after, PREVIOUS] = cell
            _lose(state, node_pair[right], weight)
            symbol = cells[after, SYMBOL]
            _gain(state, 2, symbol, new_id, symbol, weight, cell, added)
            added += 1
        node_pair[right] = -1
        if before >= 0:
            _lose(state, node_pair[before], weight)
            symbol = cells[before, SYMBOL]
            _gain(state, 0, symbol, symbol, new_id, weight, before, added)
            added += 1
        numbers[TOKENS] -= weight
    return added


@within_kernels
def _list_added(state: State, first_pair: Integer, added: Integer) -> None:
    """Lay out the occurrence lists of the pairs made in this step, in corpus order.

    Until now `pair_lists[:, 1]` held how many there are.
    """
    begin = state.numbers[OCCURRENCES]
    for pair in range(first_pair, state.numbers[PAIRS]):
        length = state.pair_lists[pair, 1]
        state.pair_lists[pair, 0] = begin
        state.pair_lists[pair, 1] = begin
        begin += length
    for i in range(added):
        pair = state.added_pairs[i]
        end = state.pair_lists[pair, 1]
        state.occurrences[end] = state.added_cells[i]
        state.pair_lists[pair, 1] = end + 1
    state.numbers[OCCURRENCES] = begin


@within_kernels
def _token_id(state: State, pair: Integer, length: Integer) -> Integer:
    """Return the id for the token that a pair makes, `length` symbols long: a special token's if it
    spells one.
    """
    for r in range(len(state.reserved)):
        begin, end = state.reserved[r, 1], state.reserved[r, 2]
        if end - begin != length:
            continue
        k = state.pair_lists[pair, 0]
        while state.node_pair[state.occurrences[k]] != pair:
            k += 1
        cell = state.occurrences[k]
        i = 0
        while i < length and state.alphabet_cells[cell + i] == state.reserved_symbols[begin + i]:
            i += 1
        if i == length:
            return np.int64(state.reserved[r, 0])
    return state.numbers[VOCABULARY]


@within_kernels
def _merge_and_rank(state: State, pair: Integer, token: Integer, first_seen: bool) -> Integer:
    """Merge a pair to a token and bring the top candidates up to date; returns the first of the
    pairs that were made.
    """
    state.numbers[EPOCH] += 1
    first_pair = state.numbers[PAIRS]
    added = _merge_pair(state, pair, token)
    _list_added(state, first_pair, added)
    push_pairs(state, first_pair, first_seen)
    refresh_top_candidates(state, first_seen)
    fill_top_candidates(state, first_seen)
    return first_pair


@within_kernels
def _has_room(state: State, pair: Integer) -> bool:
    """Tell whether the next merge is sure to fit into the arrays."""
    numbers = state.numbers
    occurrences = state.pair_lists[pair, 1] - state.pair_lists[pair, 0]
    fresh = min(2 * occurrences, 2 * (numbers[VOCABULARY] + 1))
    return bool(
        numbers[PAIRS] + fresh <= len(state.pair_counts)
        and numbers[OCCURRENCES] + 2 * occurrences <= len(state.occurrences)
        and 2 * occurrences <= len(state.added_pairs)
        and numbers[VOCABULARY] < len(state.new_pair_index)
    )


@within_kernels
def _obstacle(state: State, min_frequency: Integer, vocabulary_size: Integer) -> Integer:
    """Tell what keeps the leading pair from being merged; DONE if nothing does."""
    numbers = state.numbers
    if numbers[TOP_CANDIDATES] == 0:
        return EXHAUSTED
    if state.top_candidates[0, 0] < min_frequency:
        return INFREQUENT
    if numbers[VOCABULARY] >= vocabulary_size:
        return FULL_VOCABULARY
    return DONE if _has_room(state, state.top_candidates[0, 2]) else NEEDS_CAPACITY


def _advance_kernel(
    state: State,
    merges: Integer,
    min_frequency: Integer,
    vocabulary_size: Integer,
    first_seen: bool,
    row: Integer,
    left: Ints,
    right: Ints,
    new_id: Ints,
    count: Longs,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> Integer:
    """Do up to that many merges, writing history rows from `row` on; returns how many.

    The list of top candidates is up to date on entry and on return. `numbers[OUTCOME]` tells
    why the kernel returned.
    """
    numbers = state.numbers
    done = 0
    numbers[OUTCOME] = DONE
    while done < merges:
        numbers[OUTCOME] = _obstacle(state, min_frequency, vocabulary_size)
        if numbers[OUTCOME] != DONE:
            break
        pair = state.top_candidates[0, 2]
        left[row] = state.pair_symbols[pair, 0]
        right[row] = state.pair_symbols[pair, 1]
        count[row] = state.top_candidates[0, 0]
        length = state.lengths[left[row]] + state.lengths[right[row]]
        token = _token_id(state, pair, length)
        new_id[row] = token
        state.lengths[token] = length
        if token == numbers[VOCABULARY]:
            numbers[VOCABULARY] += 1
        if numbers[TOP_CANDIDATES] > 1:
            _fetch_first(state, state.top_candidates[1, 2])
        _merge_and_rank(state, pair, token, first_seen)
        done += 1
        row += 1
        _record_position(state, row, tokens, distinct, top_left, top_right, top_count)
    return done


# -- Merges that are given ----------------------------------------------------------------------
#
# A run that goes on from an encoding begins with its merges, however frequent their pairs are. No
# invariant of the state is broken: where a token is in the corpus, its own text encodes to it, so
# of two merges that make the same token only one ever finds its pair.

class Prescribed(NamedTuple):
    """Merges that are given."""

    table: Table
    """Their pairs."""
    numbers: NDArray[np.int32]
    """For each merge the number of its pair in the table."""
    pairs: NDArray[np.int32]
    """For each number the pair of the state, -1 while it does not occur."""
    tokens: NDArray[np.int32]
    """Shape (merges, 3): left, right and merged id of each."""


def _prescribe_kernel(prescribed: Prescribed) -> None:
    """Enter the pairs of the given merges into the table."""
    found = 0
    rows = prescribed.tokens
    for merge in range(len(rows)):
        key = np.int64(rows[merge, 0]) << 32 | np.int64(rows[merge, 1])
        number = find_or_enter(prescribed.table, found, key)
        if number == found:
            prescribed.pairs[found] = -1
            found += 1
        prescribed.numbers[merge] = number


@within_kernels
def _note_pairs(state: State, prescribed: Prescribed, first_pair: Integer) -> None:
    """Note which of the pairs from that one on are to be merged."""
    for pair in range(first_pair, state.numbers[PAIRS]):
        left = np.int64(state.pair_symbols[pair, 0])
        number = find(prescribed.table, left << 32 | np.int64(state.pair_symbols[pair, 1]))
        if number >= 0:
            prescribed.pairs[number] = pair


def _note_all_kernel(state: State, prescribed: Prescribed) -> None:
    """Note which of the pairs before the first merge are to be merged."""
    _note_pairs(state, prescribed, 0)


def _follow_kernel(
    state: State,
    prescribed: Prescribed,
    merges: Integer,
    vocabulary_size: Integer,
    first_seen: bool,
    row: Integer,
    left: Ints,
    right: Ints,
    new_id: Ints,
    count: Longs,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> Integer:
    """Do up to that many of the given merges from `row` on, as `advance` does; returns how many.

    A pair that does not occur is recorded with a count of 0.
    """
    numbers = state.numbers
    done = 0
    numbers[OUTCOME] = DONE
    while done < merges:
        token = prescribed.tokens[row, 2]
        if token == numbers[VOCABULARY] and token >= vocabulary_size:
            numbers[OUTCOME] = FULL_VOCABULARY
            break
        pair = prescribed.pairs[prescribed.numbers[row]]
        occurs = pair >= 0 and state.pair_counts[pair] > 0
        if occurs and not _has_room(state, pair):
            numbers[OUTCOME] = NEEDS_CAPACITY
            break
        left[row] = prescribed.tokens[row, 0]
        right[row] = prescribed.tokens[row, 1]
        new_id[row] = token
        count[row] = state.pair_counts[pair] if occurs else 0
        state.lengths[token] = state.lengths[left[row]] + state.lengths[right[row]]
        if token == numbers[VOCABULARY]:
            numbers[VOCABULARY] += 1
        if occurs:
            first_pair = _merge_and_rank(state, pair, token, first_seen)
            _note_pairs(state, prescribed, first_pair)
        done += 1
        row += 1
        _record_position(state, row, tokens, distinct, top_left, top_right, top_count)
    return done


def _refill_kernel(
    state: State,
    first_seen: bool,
    row: Integer,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> None:
    """Fill the top candidates up after a pair was taken out, and write the row anew."""
    fill_top_candidates(state, first_seen)
    _record_position(state, row, tokens, distinct, top_left, top_right, top_count)


def _begin_kernel(
    state: State,
    first_seen: bool,
    row: Integer,
    tokens: Longs,
    distinct: Longs,
    top_left: Ints,
    top_right: Ints,
    top_count: Longs,
) -> None:
    """Let the most frequent pairs compete, before the first merge, and write the first row."""
    highest = np.int64(1)
    for pair in range(state.numbers[PAIRS]):
        highest = max(highest, state.pair_counts[pair])
    state.numbers[FLOOR] = highest + 1
    fill_top_candidates(state, first_seen)
    _record_position(state, row, tokens, distinct, top_left, top_right, top_count)


advance = Kernel(_advance_kernel)
prescribe = Kernel(_prescribe_kernel)
note_all = Kernel(_note_all_kernel)
follow = Kernel(_follow_kernel)
refill = Kernel(_refill_kernel)
begin = Kernel(_begin_kernel)
