"""Whether what a file says of a run hangs together: as far as it can be told without training.

Whoever draws a history asks it without fear: for the parents of a token, which are there before
it; for the bytes of a token, which are no more than the corpus has; for pairs by their ids. So
nothing of a file becomes a history that cannot answer. What is not checked is whether the merges
are those that the words would give: that would be to train.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.base_vocabulary import BaseVocabulary
from bpe_gui.bpe.history import NO_TOKEN, Columns, History, StopReason
from bpe_gui.bpe.intervention import Decision, Intervention
from bpe_gui.bpe.recipe import END_OF_WORD, MAX_NUMBER, Alphabet, EndOfWord, Recipe
from bpe_gui.bpe.sources.stamps import FileStamps
from bpe_gui.bpe.symbols import MARKED, MARKER
from bpe_gui.bpe.words import WordCounts
from bpe_gui.sessions.limits import MAX_COUNT, MAX_TOKEN
from bpe_gui.sessions.session import SessionError

_PIECE = 1 << 20
"""Bytes that are decoded at once: so long other threads wait."""


def _check(holds: bool | np.bool_, problem: str) -> None:
    if not holds:
        raise SessionError(problem)


# -- files -------------------------------------------------------------------------------------


def check_files(files: FileStamps) -> None:
    """See that names are absolute paths, as many as there are sizes. Raises SessionError."""
    ends = np.flatnonzero(files.names == 0)
    whole = len(ends) == len(files) and len(files.names) == (ends[-1] + 1 if len(ends) else 0)
    _check(whole, "it has not a name for each file of its corpus")
    begins = np.append(0, ends[:-1] + 1) if len(ends) else ends
    _check((files.names[begins] == ord("/")).all(), "a file of its corpus has no absolute path")
    sizes = files.sizes
    _check(((sizes >= 0) & (sizes <= MAX_COUNT)).all(), "a file of its corpus has no size")


# -- words -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoundSymbols:
    """What training begins with: the symbols of words, as `history_arrays` has them, in
    ascending order, and how many there are of them all in the corpus.

    longest: no token is longer than the longest word, in characters as the vocabulary writes it.
    """

    distinct: NDArray[np.int32]
    total: int
    longest: int


def check_words(words: WordCounts, recipe: Recipe) -> FoundSymbols:
    """See that words and counts are such as counting a corpus by a recipe gives.

    Raises SessionError.
    """
    text, starts, counts = words.text, words.starts, words.counts
    _check(starts[0] == 0 and starts[-1] == len(text), "its words do not fill their text")
    _check((starts[1:] > starts[:-1]).all(), "one of its words has no end")
    _check(len(text) <= MAX_NUMBER, "its words are too long")
    _check((counts > 0).all(), "one of its words does not occur")
    lengths = np.diff(starts)
    total = float(np.dot(lengths.astype(np.float64) + 1, counts.astype(np.float64)))
    _check(total <= MAX_COUNT, "its words occur too often")
    longest = int(lengths.max(initial=0)) + len(END_OF_WORD)
    if recipe.byte_level:
        every = recipe.alphabet is Alphabet.BYTES
        used = np.arange(256) if every else np.flatnonzero(np.bincount(text, minlength=256))
        return FoundSymbols(used.astype(np.int32), int(np.dot(lengths, counts)), longest)
    return _check_characters(words, recipe, longest)


def _check_characters(words: WordCounts, recipe: Recipe, longest: int) -> FoundSymbols:
    begins = words.text & 0xC0 != 0x80
    _check(begins[words.starts[:-1]].all(), "one of its words begins within a character")
    keys = _code_points(words.text)
    ends = np.cumsum(begins, dtype=np.int64)[words.starts[1:] - 1]
    lengths = np.diff(ends, prepend=0)
    if recipe.end_of_word is EndOfWord.JOINED:
        keys[ends - 1] += MARKED
    used = np.unique(keys)
    if recipe.end_of_word is EndOfWord.OWN and len(words):
        lengths += 1
        used = np.append(used, MARKER)
    return FoundSymbols(used.astype(np.int32), int(np.dot(lengths, words.counts)), longest)


def _code_points(text: NDArray[np.uint8]) -> NDArray[np.int32]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    pieces = [np.zeros(0, np.int32)]
    try:
        for begin in range(0, len(text), _PIECE):
            decoded = decoder.decode(text[begin : begin + _PIECE].tobytes())
            pieces.append(np.frombuffer(decoded.encode("utf-32-le"), np.int32))
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise SessionError("its words are no UTF-8 text") from None
    return np.concatenate(pieces)


# -- histories ---------------------------------------------------------------------------------


def check_history(
    recipe: Recipe,
    base: BaseVocabulary,
    columns: Columns,
    interventions: tuple[Intervention, ...],
    stopped: StopReason | None,
    longest: int,
) -> None:
    """See that columns are such as training a recipe appends. Raises SessionError.

    `columns` have a row for each position, as `History.of_columns` takes them. `longest` is how
    long a token can be at most.
    """
    made = _check_ids(recipe, base, columns)
    _check_top(columns, made)
    _check_counts(columns)
    _check_winners(columns, interventions)
    _check_interventions(columns, interventions, made)
    _check_end(recipe, base, columns, stopped)
    _check_spelling(base, columns, longest)


def check_on_words(
    history: History, own: NDArray[np.int32], words: WordCounts, found: FoundSymbols
) -> None:
    """See that a run, which has its `own` symbols, began with the words and their symbols.

    Raises SessionError.
    """
    _check(
        np.array_equal(np.sort(own), found.distinct)
        and history.corpus_bytes == words.total_bytes
        and history.tokens[0] == found.total,
        "it has a run on other words than its own",
    )


def _check_ids(recipe: Recipe, base: BaseVocabulary, columns: Columns) -> NDArray[np.int32]:
    """Each merge makes the next id, or a special token, of tokens that are there before it.

    Returns by which merge each token is made first: -1 for those from the start.
    """
    merges = len(columns.left) - 1
    new = columns.new_id[:merges].astype(np.int64)
    special = (new >= 0) & (new < base.special)
    fresh = np.cumsum(~special)
    _check(
        np.array_equal(new[~special], len(base) + np.arange(fresh[-1] if merges else 0)),
        "one of its merges does not make the next token",
    )
    made = np.full(len(base) + (int(fresh[-1]) if merges else 0), merges, np.int32)
    np.minimum.at(made, new, np.arange(merges, dtype=np.int32))
    made[list(base.symbol_ids)] = -1
    steps = np.arange(merges)
    for side in (columns.left[:merges], columns.right[:merges]):
        _check(
            ((side >= 0) & (side < len(made))).all() and (made[side] < steps).all(),
            "one of its merges is of tokens that are not there yet",
        )
    _check(len(made) <= MAX_NUMBER, "its vocabulary is too large")
    return made


def _check_top(columns: Columns, made: NDArray[np.int32]) -> None:
    """The candidates of each position are tokens that are there, in the order of their counts."""
    left, right, count = columns.top_left, columns.top_right, columns.top_count
    there = left != NO_TOKEN
    _check((there[:, :-1] >= there[:, 1:]).all(), "one of its candidates stands after a gap")
    absent = np.where(there, NO_TOKEN, right) == NO_TOKEN
    _check(absent.all() and (there | (count == 0)).all(), "one of its candidates is half a pair")
    positions = np.nonzero(there)[0]
    for tokens in (left[there], right[there]):
        known = (tokens >= 0) & (tokens < len(made))
        _check(
            known.all() and (made[tokens] < positions).all(),
            "one of its candidates is of tokens that are not there yet",
        )
    _check((~there | (count > 0)).all(), "one of its candidates does not occur")
    _check((count[:, :-1] >= count[:, 1:]).all(), "its candidates are not in order")


def _check_counts(columns: Columns) -> None:
    """The corpus gets shorter with each merge, by no more than the pair's count."""
    merges = len(columns.left) - 1
    tokens, distinct, count = columns.tokens, columns.distinct, columns.count[:merges]
    _check(0 <= tokens[0] <= MAX_COUNT and (tokens >= 0).all(), "it has fewer than no tokens")
    _check((tokens[1:] < tokens[:-1]).all(), "one of its merges leaves the corpus as long")
    _check((tokens[:-1] - tokens[1:] <= count).all(), "one of its merges does too much")
    _check((count <= tokens[:-1]).all(), "one of its pairs occurs too often")
    _check((columns.top_count[:, 0] <= tokens).all(), "one of its candidates occurs too often")
    found = (columns.top_left != NO_TOKEN).sum(axis=1)
    _check(
        ((distinct >= found) & (distinct <= np.maximum(tokens, 0))).all(),
        "its numbers of distinct pairs cannot be",
    )


def _check_winners(columns: Columns, interventions: tuple[Intervention, ...]) -> None:
    """Each merge is that of the first candidate, or of one that was forced."""
    merges = len(columns.left) - 1
    forced = {i.step for i in interventions if i.decision is Decision.FORCE}
    place = np.zeros(merges, np.int64)
    for step in (step for step in forced if step < merges):
        pairs = zip(columns.top_left[step], columns.top_right[step], strict=True)
        merged = (columns.left[step], columns.right[step])
        place[step] = next((n for n, pair in enumerate(pairs) if pair == merged), 0)
    steps = np.arange(merges)
    for column, top in (
        (columns.left, columns.top_left),
        (columns.right, columns.top_right),
        (columns.count, columns.top_count),
    ):
        _check(
            np.array_equal(column[:merges], top[steps, place]),
            "one of its merges is not of the pair that leads",
        )


def _check_interventions(
    columns: Columns, interventions: tuple[Intervention, ...], made: NDArray[np.int32]
) -> None:
    """What was decided has been followed, as far as the run has got."""
    merges = len(columns.left) - 1
    in_order = sorted(interventions, key=lambda i: (i.step, i.decision is Decision.FORCE))
    _check(in_order == list(interventions), "its decisions are not in the order of their steps")
    forced = [i.step for i in interventions if i.decision is Decision.FORCE]
    _check(len(set(forced)) == len(forced), "two pairs are forced at one of its merges")
    for decided in interventions:
        pair = (decided.left, decided.right)
        step = min(decided.step, merges)
        left, right = columns.left[step:merges], columns.right[step:merges]
        if decided.step <= merges:
            known = all(token < len(made) and made[token] < decided.step for token in pair)
            _check(known, "a decision is about tokens that are not there yet")
        if decided.decision is Decision.FORBID:
            again = (left == decided.left) & (right == decided.right)
            _check(not again.any(), "a pair that is forbidden has been merged")
        elif decided.step < merges:
            _check((left[0], right[0]) == pair, "a pair that is forced has not been merged")


def _check_end(
    recipe: Recipe, base: BaseVocabulary, columns: Columns, stopped: StopReason | None
) -> None:
    """The run is within the recipe's bounds, and the reason why it stopped is true."""
    merges = len(columns.left) - 1
    new = columns.new_id[:merges]
    size = max(len(base), int(new.max(initial=-1)) + 1)
    most_entries, most_merges = recipe.vocabulary_size, recipe.merges
    within = (most_entries is None or size <= most_entries) and (
        most_merges is None or merges <= most_merges
    )
    _check(within, "one of its runs goes on after its recipe has ended it")
    is_true = {
        None: True,
        StopReason.VOCABULARY_SIZE: size == most_entries,
        StopReason.MERGES: merges == most_merges,
        StopReason.MIN_FREQUENCY: 0 < columns.top_count[-1, 0] < recipe.min_frequency,
        StopReason.NO_PAIR: columns.top_left[-1, 0] == NO_TOKEN,
    }
    _check(is_true[stopped], "one of its runs has stopped without a reason")


def _check_spelling(base: BaseVocabulary, columns: Columns, longest: int) -> None:
    """Tokens are not longer than what they occur in, and special ones are as long as they are.

    Training makes each token somewhere within a word. So tokens that double in length with each
    merge, which would soon fill any memory, end at the longest word; all together they may be
    much longer: 100,000 merges of a play that is one word make ten thousand times the play.
    """
    merges = len(columns.left) - 1
    lengths = [len(text) for text in base.texts]
    sides = (column[:merges].tolist() for column in (columns.left, columns.right, columns.new_id))
    for left, right, new in zip(*sides, strict=True):
        length = lengths[left] + lengths[right]
        if new == len(lengths):
            lengths.append(length)
        if lengths[new] != length:
            raise SessionError("one of its merges does not spell the token that it makes")
        if length > MAX_TOKEN:
            raise SessionError("one of its tokens is longer than can be shown")
        if length > longest:
            raise SessionError("one of its tokens is longer than all its words")
