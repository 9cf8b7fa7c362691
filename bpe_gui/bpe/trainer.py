"""The trainer: pair counts, the most frequent pair merged, again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import (
    BaseVocabulary,
    Columns,
    Decision,
    History,
    Intervention,
    InterventionError,
    StopReason,
    inherited_merges,
)
from bpe_gui.bpe.kernels import merging
from bpe_gui.bpe.kernels.hash_table import Table
from bpe_gui.bpe.new_symbols import saved_by_new_symbols
from bpe_gui.bpe.recipe import (
    MAX_NUMBER,
    Recipe,
    RecipeError,
    Ties,
    vocabulary_too_small,
)
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.words import Check, InitialIds, WordCounts, grown, to_initial_ids

_PORTION = 1 << 12
"""Merges that a kernel is asked for at once."""

_MOST_EXPECTED = 1 << 17
"""Merges for which there is room from the beginning; more are rare."""

_REASONS = MappingProxyType(
    {
        merging.EXHAUSTED: StopReason.NO_PAIR,
        merging.INFREQUENT: StopReason.MIN_FREQUENCY,
        merging.FULL_VOCABULARY: StopReason.VOCABULARY_SIZE,
    }
)


class Trainer:
    """Trains a recipe on counted words, as many merges at a time as the caller asks for.

    `history` has the pairs that compete for the first merge as soon as the trainer is
    made. Raises RecipeError if the vocabulary cannot hold the alphabet, and if the
    corpus is larger than 32-bit positions can count (2**31 symbols of unique words).

    `interventions` make a what-if branch: the run is the same up to the first of them.
    `advance` raises InterventionError for one that cannot be followed.

    `check` is called between two steps of what takes long, here and in `advance`, and may raise to
    give all up.

    >>> from bpe_gui.bpe.recipe import preset
    >>> recipe = preset("whitespace")
    >>> pairs = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]
    >>> trainer = Trainer(WordCounts.from_pairs(pairs, recipe), recipe, compiled=False)
    >>> trainer.advance(1)
    1
    >>> trainer.history.id_to_token(int(trainer.history.new_id[0]))
    'es'
    """

    def __init__(
        self,
        words: WordCounts,
        recipe: Recipe,
        *,
        interventions: Sequence[Intervention] = (),
        compiled: bool | None = None,
        check: Check | None = None,
    ) -> None:
        self._compiled = compiled
        self._check = check or _go_on
        self._recipe = recipe
        # What is forced at a step leads whatever the forbidden pairs have left.
        decided = tuple(sorted(interventions, key=lambda i: (i.step, i.decision is Decision.FORCE)))
        self._interventions = deque(decided)
        spelled = to_initial_ids(words, recipe)
        self._check()
        _check_size(spelled, recipe)
        tokens = int(np.dot(np.diff(spelled.starts), words.counts))
        self.history = History(recipe, spelled.base, words.total_bytes, tokens, decided)
        self.history.saved_by_new_symbols = saved_by_new_symbols(words, recipe, spelled.base)
        self._inherited = inherited_merges(recipe, spelled.base)
        self._new_symbols = self.history.new_symbols
        self._check_room()
        self._check_interventions()
        self._state = _initial_state(
            spelled, words, recipe, tokens, compiled, self._check, len(self._inherited)
        )
        self._prescribed = self._prescribe()
        self._symbols = spelled.base
        if recipe.inherited is not None and self._prescribed is None:
            self._reserve_inherited()  # all its tokens are symbols: no merge comes first
        columns = self.history.reserve(_expected_merges(recipe, spelled, len(self._inherited)))
        merging.begin.form(compiled)(
            self._state,
            recipe.ties is Ties.FIRST_SEEN,
            0,
            columns.tokens,
            columns.distinct,
            columns.top_left,
            columns.top_right,
            columns.top_count,
        )
        if recipe.merges == 0:
            self.history.stopped = StopReason.MERGES
        else:
            self._intervene(columns, 0)

    @property
    def finished(self) -> bool:
        """Tell whether the run has stopped; `history.stopped` says why."""
        return self.history.stopped is not None

    @property
    def memory(self) -> int:
        """Count the bytes that are held now for the merges to come, the words included."""
        return sum(array.nbytes for array in self._state)

    def advance(self, merges: int) -> int:
        """Do up to that many merges; returns how many were done.

        Fewer than asked means that the run has stopped. Raises ValueError for a negative number.
        """
        if merges < 0:
            raise ValueError(f"{merges} merges cannot be done; ask for 0 or more")
        done = 0
        while done < merges and not self.finished:
            wanted = merges - done
            if len(self.history) < len(self._inherited):
                wanted = min(wanted, len(self._inherited) - len(self.history))
            elif self._prescribed is not None:
                self._reserve_inherited()
            if self._recipe.merges is not None:
                wanted = min(wanted, self._recipe.merges - len(self.history))
            if self._interventions:
                wanted = min(wanted, self._interventions[0].step - len(self.history))
            # Rows are reserved in moderate portions: the run may stop long before.
            done += self._advance(min(wanted, _PORTION))
            self._check()
        return done

    def go_on(self, recipe: Recipe) -> None:
        """Have the run stop elsewhere: with a larger vocabulary, say, or at rarer pairs.

        `history` goes on, and has the recipe from then on. Raises ValueError unless the recipe
        `goes_on_from` the one before.

        >>> from bpe_gui.bpe.recipe import preset
        >>> recipe = preset("whitespace").with_changes(vocabulary_size=None, merges=1)
        >>> words = WordCounts.from_pairs([("low", 5), ("lower", 2)], recipe)
        >>> trainer = Trainer(words, recipe, compiled=False)
        >>> trainer.advance(9)
        1
        >>> trainer.go_on(recipe.with_changes(merges=3))
        >>> trainer.advance(9)
        2
        """
        history = self.history
        if not recipe.goes_on_from(self._recipe):
            raise ValueError(f"the run so far may not be the beginning of one by {recipe.name!r}")
        self._recipe = history.recipe = recipe
        limit = recipe.vocabulary_size if recipe.vocabulary_size is not None else MAX_NUMBER
        history.stopped = self._stopped(merging.DONE, len(history), limit)
        if history.stopped is None:
            self._intervene(history.reserve(0), len(history))

    def _intervene(self, columns: Columns, step: int) -> None:
        """Follow the decisions that were made for the step that comes next.

        They change its row, which nobody may have read yet.
        """
        forced = False
        while self._interventions and self._interventions[0].step == step:
            intervention = self._interventions.popleft()
            if intervention.decision is Decision.FORBID:
                self._forbid(self._place(intervention), columns, step)
            elif forced:
                raise InterventionError(f"two pairs are forced at merge {step + 1:,}")
            else:
                # The kernel merges the first of the top candidates, and sorts them afterwards.
                forced = True
                top_candidates, place = self._state.top_candidates, self._place(intervention)
                chosen = top_candidates[place].copy()
                top_candidates[1 : place + 1] = top_candidates[:place].copy()
                top_candidates[0] = chosen

    def _place(self, intervention: Intervention) -> int:
        """Tell where the pair of a decision is among the candidates."""
        state = self._state
        candidates = state.top_candidates[
            : min(merging.TOP, state.numbers[merging.TOP_CANDIDATES]), 2
        ]
        pairs = state.pair_symbols[candidates]
        wanted = (intervention.left, intervention.right)
        found = np.flatnonzero((pairs == wanted).all(axis=1))
        if not len(found):
            raise InterventionError(
                f"the pair {wanted} is not among the {merging.TOP} most frequent pairs at merge "
                f"{intervention.step + 1:,}; choose one of those"
            )
        return int(found[0])

    def _forbid(self, place: int, columns: Columns, row: int) -> None:
        """Take a pair out of the contest; it is nowhere else, so it never comes back."""
        state = self._state
        size = int(state.numbers[merging.TOP_CANDIDATES])
        state.top_candidates[place : size - 1] = state.top_candidates[place + 1 : size].copy()
        state.numbers[merging.TOP_CANDIDATES] = size - 1
        merging.refill.form(self._compiled)(
            state,
            self._recipe.ties is Ties.FIRST_SEEN,
            row,
            columns.tokens,
            columns.distinct,
            columns.top_left,
            columns.top_right,
            columns.top_count,
        )

    def _advance(self, merges: int) -> int:
        history, recipe = self.history, self._recipe
        free = len(history.reserve(0).left) - len(history) - 1
        if free:  # often just enough: more room means to copy all rows
            merges = min(merges, free)
        columns = history.reserve(merges)
        limit = recipe.vocabulary_size if recipe.vocabulary_size is not None else MAX_NUMBER
        first_seen = recipe.ties is Ties.FIRST_SEEN
        rows = (
            len(history),
            columns.left,
            columns.right,
            columns.new_id,
            columns.count,
            columns.tokens,
            columns.distinct,
            columns.top_left,
            columns.top_right,
            columns.top_count,
        )
        if self._prescribed is None:
            kernel = merging.advance.form(self._compiled)
            done = int(kernel(self._state, merges, recipe.min_frequency, limit, first_seen, *rows))
        else:
            # The size is that of the encoding, whatever new symbols the corpus has.
            room = limit + self._new_symbols
            follow = merging.follow.form(self._compiled)
            done = int(follow(self._state, self._prescribed, merges, room, first_seen, *rows))
        position = len(history) + done
        outcome = int(self._state.numbers[merging.OUTCOME])
        stopped = self._stopped(outcome, position, limit)
        try:
            if outcome == merging.NEEDS_CAPACITY:
                self._grow(position)
            elif stopped is None:
                self._intervene(columns, position)
        finally:
            history.commit(done)
            history.stopped = stopped
            if stopped is not None:
                history.give_back_rows()
        return done

    def _stopped(self, outcome: int, position: int, limit: int) -> StopReason | None:
        """Tell why the run ends at a position, if it does."""
        if outcome in _REASONS:
            return _REASONS[outcome]
        if outcome == merging.NEEDS_CAPACITY:
            return None
        if self._recipe.merges is not None and position >= self._recipe.merges:
            return StopReason.MERGES
        if position < len(self._inherited):
            return None
        # The kernel, asked for more, looks for what stops it in the same order.
        nothing = None if self._interventions else self._nothing_to_merge()
        if nothing is None and self._state.numbers[merging.VOCABULARY] >= limit:
            return StopReason.VOCABULARY_SIZE
        return nothing

    def _nothing_to_merge(self) -> StopReason | None:
        """Tell why no merge can follow, if none can: known as soon as the last one is done."""
        state = self._state
        if not state.numbers[merging.TOP_CANDIDATES]:
            return StopReason.NO_PAIR
        if state.top_candidates[0, 0] < self._recipe.min_frequency:
            return StopReason.MIN_FREQUENCY
        return None

    def _prescribe(self) -> merging.Prescribed | None:
        """Return the merges that the run begins with, if there are any."""
        merges = self._inherited
        if not len(merges):
            return None
        prescribed = merging.Prescribed(
            Table.of(len(merges)),
            numbers=np.empty(len(merges), np.int32),
            pairs=np.empty(len(merges), np.int32),
            tokens=merges,
        )
        merging.prescribe.form(self._compiled)(prescribed)
        merging.note_all.form(self._compiled)(self._state, prescribed)
        return prescribed

    def _check_room(self) -> None:
        """Raise RecipeError if the vocabulary grows, but not by all the new symbols."""
        inherited, limit = self._recipe.inherited, self._recipe.vocabulary_size
        if inherited is None or limit is None:
            return
        known, new = inherited.vocabulary_size, self._new_symbols
        if known < limit < known + new:
            bytes_instead = ", or let characters stay bytes" * self._recipe.byte_fallback
            raise RecipeError(
                f"{inherited.name} has {known:,} tokens, and the corpus has {new:,} characters "
                f"that it lacks, each a new token; use a vocabulary of at least {known + new:,}"
                f"{bytes_instead}"
            )

    def _check_interventions(self) -> None:
        """Raise InterventionError for a decision about a merge that the run begins with."""
        inherited = self._recipe.inherited
        if inherited is not None and self._interventions:
            first = self._interventions[0].step
            if first < len(inherited):
                raise InterventionError(
                    f"merge {first + 1:,} is one of those of {inherited.name}, which cannot be "
                    f"decided otherwise; decide about a merge after {len(inherited):,}"
                )

    def _reserve_inherited(self) -> None:
        """Let merges that spell a token of the encoding make that token: now that all its merges
        are done, only tokens that its own merges never make can be met.
        """
        never = _never_made(self._recipe, self._symbols, self._inherited, self._compiled)
        state, self._prescribed = self._state, None
        first = len(state.reserved_symbols)
        rows = list(state.reserved)
        symbols = list(state.reserved_symbols)
        for token, spelled in never:
            rows.append(np.array([token, first, first + len(spelled)], np.int32))
            symbols.extend(spelled)
            first += len(spelled)
        self._state = state._replace(
            reserved=np.array(rows, np.int32).reshape(-1, 3),
            reserved_symbols=np.array(symbols, np.int32),
        )

    def _grow(self, position: int) -> None:
        """Make room for the merge after a position: what is short is doubled."""
        state = self._state
        numbers = state.numbers
        if self._prescribed is None:
            pair = int(state.top_candidates[0, 2])
        else:
            pair = int(self._prescribed.pairs[self._prescribed.numbers[position]])
        occurrences = int(state.pair_lists[pair, 1] - state.pair_lists[pair, 0])
        vocabulary = int(numbers[merging.VOCABULARY])
        fresh = min(2 * occurrences, 2 * (vocabulary + 1))
        pairs = int(numbers[merging.PAIRS]) + fresh
        symbols = vocabulary + 1
        state = state._replace(
            pair_symbols=grown(state.pair_symbols, pairs),
            pair_counts=grown(state.pair_counts, pairs),
            pair_lists=grown(state.pair_lists, pairs),
            competing=grown(state.competing, pairs),
            new_pair_index=grown(state.new_pair_index, symbols),
            lengths=grown(state.lengths, symbols),
            added_pairs=grown(state.added_pairs, 2 * occurrences),
            added_cells=grown(state.added_cells, 2 * occurrences),
        )
        if len(state.heap) <= len(state.pair_counts):
            heap = np.empty((len(state.pair_counts) + 1, 3), np.int64)
            used = numbers[merging.HEAP]
            heap[:used] = state.heap[:used]
            state = state._replace(heap=heap)
        if int(numbers[merging.OCCURRENCES]) + 2 * occurrences > len(state.occurrences):
            kept = int(merging.compact.form(self._compiled)(state))
            numbers[merging.OCCURRENCES] = kept
            needed = kept + 2 * occurrences
            # Without a fifth to spare the lists would be looked through again soon.
            if needed * 5 // 4 > len(state.occurrences):
                target = np.empty(needed * 5 // 4, np.int32)
                target[:kept] = state.occurrences[:kept]
                state = state._replace(occurrences=target)
        self._state = state


def _expected_merges(recipe: Recipe, spelled: InitialIds, inherited: int) -> int:
    """Tell for how many merges there shall be room at once."""
    # Each merge makes at least one unique word shorter, but those of an encoding need not occur.
    limits = [inherited + len(spelled.symbols) - (len(spelled.starts) - 1), _MOST_EXPECTED]
    if recipe.merges is not None:
        limits.append(recipe.merges)
    if recipe.vocabulary_size is not None:
        limits.append(recipe.vocabulary_size - len(spelled.base))
    return min(limits)


def _check_size(spelled: InitialIds, recipe: Recipe) -> None:
    """Raise RecipeError if the vocabulary is too small for the corpus, or the corpus too large."""
    base, symbols = spelled.base, spelled.symbols
    if recipe.vocabulary_size is not None and recipe.vocabulary_size < len(base):
        raise RecipeError(vocabulary_too_small(recipe, len(base)))
    if len(symbols) > MAX_NUMBER:
        raise RecipeError(
            f"the corpus has {len(symbols):,} symbols in unique words, more than the "
            f"{MAX_NUMBER:,} that can be trained on; use a smaller corpus or a recipe that splits "
            "it into words"
        )


def _go_on() -> None:
    """Give nothing up."""


def _initial_state(
    spelled: InitialIds,
    words: WordCounts,
    recipe: Recipe,
    tokens: int,
    compiled: bool | None,
    check: Check,
    inherited: int,
) -> merging.State:
    """Return the words before the first merge and their pairs, of which none competes yet."""
    size = len(spelled.symbols)
    cells = np.empty((size, 4), np.int32)
    starts, word_counts = _pieces(spelled, words.counts, recipe)
    merging.link.form(compiled)(spelled.symbols, starts, cells)
    check()
    node_pair = np.empty(size, np.int32)
    symbols, counts, sizes = _count_pairs(cells, word_counts, node_pair, compiled)
    check()
    pairs = len(counts)
    # Each list begins where the one before has all its room, and has nothing in it yet.
    lists = np.repeat(np.cumsum(sizes) - sizes, 2).reshape(-1, 2)
    occurrences = np.empty(int(sizes.sum()), np.int32)
    merging.list_pairs.form(compiled)(node_pair, lists, occurrences)
    check()
    base = spelled.base
    reserved, reserved_symbols = _reserved(spelled, recipe)
    numbers = np.zeros(10, np.int64)
    numbers[[merging.PAIRS, merging.DISTINCT]] = pairs
    numbers[merging.OCCURRENCES] = len(occurrences)
    numbers[merging.TOKENS] = tokens
    numbers[merging.VOCABULARY] = len(base)
    return merging.State(
        cells=cells,
        node_pair=node_pair,
        word_counts=word_counts,
        pair_symbols=symbols,
        pair_counts=counts,
        pair_lists=lists,
        occurrences=occurrences,
        added_pairs=np.empty(1024, np.int32),
        added_cells=np.empty(1024, np.int32),
        competing=np.zeros(pairs, np.uint8),
        heap=np.empty((pairs + 1, 3), np.int64),
        top_candidates=np.zeros((merging.TOP_KEPT + 1, 3), np.int64),
        new_pair_index=np.zeros((len(base) + inherited + 1024, 4), np.int32),
        lengths=np.ones(len(base) + inherited + 1024, np.int32),
        alphabet_cells=spelled.symbols if len(reserved) or inherited else np.empty(0, np.int32),
        reserved=reserved,
        reserved_symbols=reserved_symbols,
        numbers=numbers,
    )


def _pieces(
    spelled: InitialIds, counts: NDArray[np.int64], recipe: Recipe
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the pieces begin within which symbols merge, and how often each piece occurs:
    the words, or what is between bytes to which characters fall back, and each of these.
    """
    starts = spelled.starts
    if not recipe.keeps_fallback:
        return starts, counts
    fallback = np.zeros(len(spelled.base), np.bool_)
    fallback[list(spelled.base.fallback_bytes(recipe))] = True
    alone = np.flatnonzero(fallback[spelled.symbols])
    pieces = np.unique(np.concatenate((starts, alone, alone + 1)))
    return pieces, counts[np.searchsorted(starts, pieces[:-1], "right") - 1]


def _count_pairs(
    cells: NDArray[np.int32],
    word_counts: NDArray[np.int64],
    node_pair: NDArray[np.int32],
    compiled: bool | None,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Return symbols, counts and numbers of occurrences of all pairs, in order of appearance."""
    capacity = 1 << min(15, max(7, len(cells).bit_length()))
    while True:
        table = Table.of(capacity)
        counts = np.empty(capacity, np.int64)
        sizes = np.empty(capacity, np.int64)
        found = int(
            merging.count_pairs.form(compiled)(
                cells, word_counts, node_pair, table, counts, sizes
            )
        )
        if found >= 0:
            keys = table.keys[:found]
            pairs = np.stack((keys >> 32, keys & 0xFFFFFFFF), axis=1)
            return pairs.astype(np.int32), counts[:found].copy(), sizes[:found].copy()
        capacity *= 4


def _reserved(
    spelled: InitialIds, recipe: Recipe
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return special tokens that merges could spell, so that both share one id.

    The library's trainer looks a merged token up by its text before it takes a new id;
    of the texts known beforehand only special tokens can come out of a merge.
    """
    base = spelled.base
    ids = {base.texts[index]: index for index in base.symbol_ids}
    rows: list[tuple[int, int, int]] = []
    symbols: list[int] = []
    for token, text in enumerate(recipe.special_tokens):
        # A byte-level token is compared as it is written, in GPT-2's printable characters.
        if len(text) > 1 and all(letter in ids for letter in text):
            rows.append((token, len(symbols), len(symbols) + len(text)))
            symbols.extend(ids[letter] for letter in text)
    return np.array(rows, np.int32).reshape(-1, 3), np.array(symbols, np.int32)


def _never_made(
    recipe: Recipe, base: BaseVocabulary, merges: NDArray[np.int32], compiled: bool | None
) -> list[tuple[int, list[int]]]:
    """Find the tokens that merges cannot make, with their symbols: the text of such a token becomes
    several other tokens, because an earlier merge takes a part of it. Whole words are among them.
    """
    letters = {base.texts[token]: token for token in base.symbol_ids}
    whole = [
        (token, [letters[letter] for letter in base.texts[token]])
        for token in base.whole_words(recipe).values()
        if letters.keys() >= set(base.texts[token])
    ]
    spelled: dict[int, list[int]] = {token: [token] for token in base.symbol_ids}
    made: list[int] = []
    for left, right, token in merges.tolist():
        if token not in spelled:
            spelled[token] = spelled[left] + spelled[right]
            made.append(token)
    sizes = np.array([len(spelled[token]) for token in made], np.int64)
    starts = np.cumsum(sizes) - sizes
    symbols = np.array([symbol for token in made for symbol in spelled[token]], np.int32)
    history = History.from_merges(recipe, base, merges)
    cut = Segmentation(history, symbols, starts, compiled=compiled)
    first, _ = cut.tokens(len(merges))
    tokens_of = np.diff(np.append(np.searchsorted(first, starts), len(first)))
    several = np.flatnonzero(tokens_of > 1).tolist()
    return [*whole, *((made[word], spelled[made[word]]) for word in several)]
