"""Validation of the arrays of a session, as far as that is possible without training.

Views rely on a history: the parents of a token are made before it, its bytes are no more than the
corpus has, ids of pairs exist. So a file that breaks this never becomes a history. Whether the
merges are those that the words would give is not checked: that would mean to train.
"""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.formats import MAX_TOTAL
from bpe_gui.bpe.history import (
    NO_TOKEN,
    Columns,
    Decision,
    History,
    Intervention,
    inherited_merges,
)
from bpe_gui.bpe.kernels.code_points import NOT_UTF8, note_characters
from bpe_gui.bpe.kernels.token_lengths import NOT_KNOWN, add_lengths
from bpe_gui.bpe.recipe import END_OF_WORD, MAX_NUMBER, Alphabet, EndOfWord, Recipe
from bpe_gui.bpe.utf8 import is_first_byte
from bpe_gui.bpe.vocabulary import BaseVocabulary
from bpe_gui.bpe.words import (
    END_OF_WORD_KEY,
    END_OF_WORD_SUFFIX_KEY,
    FALLBACK_KEY,
    WordCounts,
    all_byte_keys,
    byte_keys,
    distinct_keys,
    find_whole_words,
    to_initial_ids,
)
from bpe_gui.sessions.arrays import symbols_of
from bpe_gui.sessions.recognition import SessionError

MAX_TOKEN = 1 << 27
"""Characters of a token as the vocabulary spells it. Tokens are spelled one by one when they are
shown, so only the length of each matters, not that of all together."""


def _check(holds: bool | np.bool_, problem: str) -> None:
    if not holds:
        raise SessionError(problem)


# -- words -------------------------------------------------------------------------------------


class FoundSymbols(Struct, frozen=True):
    """Hold the symbols that training begins with.

    distinct: their numbers, as `symbols_of` gives them, ascending.
    total: how many symbols the corpus has in all.
    longest: a bound on the length of tokens, in characters: that of the longest word.
    """

    distinct: NDArray[np.int32]
    total: int
    longest: int


_checked: WeakKeyDictionary[WordCounts, dict[object, FoundSymbols]] = WeakKeyDictionary()
"""The symbols of words that have been checked, by what the recipe makes of their bytes."""


def check_words(words: WordCounts, recipe: Recipe) -> FoundSymbols:
    """Check that words and counts could come from a corpus; returns their symbols.

    The same words, which never change, are checked once: a run is autosaved again and again.
    Raises SessionError.
    """
    known = _checked.setdefault(words, {})
    symbols = recipe.byte_level, recipe.alphabet, recipe.end_of_word
    if symbols not in known:
        known[symbols] = _check_words(words, recipe)
    return known[symbols]


def _check_words(words: WordCounts, recipe: Recipe) -> FoundSymbols:
    text, starts, counts = words.text, words.starts, words.counts
    _check(starts[0] == 0 and starts[-1] == len(text), "its words do not fill their text")
    _check((starts[1:] > starts[:-1]).all(), "one of its words has no end")
    _check(len(text) <= MAX_NUMBER, "its words are too long")
    _check((counts > 0).all(), "one of its words does not occur")
    lengths = np.diff(starts)
    total = float(np.dot(lengths.astype(np.float64) + 1, counts.astype(np.float64)))
    _check(total <= MAX_TOTAL, "its words occur too often")
    longest = int(lengths.max(initial=0)) + len(END_OF_WORD)
    if recipe.byte_level:
        has_all = recipe.alphabet is Alphabet.BYTES
        used = all_byte_keys(recipe) if has_all else distinct_keys(byte_keys(words, recipe))
        return FoundSymbols(np.array(used, np.int32), int(np.dot(lengths, counts)), longest)
    return _check_characters(words, recipe, longest)


def _check_characters(words: WordCounts, recipe: Recipe, longest: int) -> FoundSymbols:
    begins = is_first_byte(words.text[words.starts[:-1]])
    _check(begins.all(), "one of its words begins within a character")
    lengths = np.empty(len(words), np.int64)
    occurs = np.zeros(END_OF_WORD_KEY + 1, np.bool_)
    last = END_OF_WORD_SUFFIX_KEY if recipe.end_of_word is EndOfWord.JOINED else 0
    found = note_characters.form(None)(words.text, words.starts, last, occurs, lengths)
    _check(found != NOT_UTF8, "its words are not UTF-8")
    if recipe.end_of_word is EndOfWord.OWN and len(words):
        lengths += 1
        occurs[END_OF_WORD_KEY] = True
    distinct = np.flatnonzero(occurs).astype(np.int32)
    return FoundSymbols(distinct, int(np.dot(lengths, words.counts)), longest)


# -- histories ---------------------------------------------------------------------------------


def check_history(history: History, longest: int = MAX_TOKEN) -> None:
    """Check that a run could come from a training with its recipe. Raises SessionError.

    longest: the largest number of characters of a token.
    """
    base, columns = history.base, history.columns(len(history) + 1)
    given = _check_inherited(history)
    made = _check_ids(base, columns, given, base.whole_words(history.recipe))
    _check_top(columns, made)
    _check_counts(columns, given)
    _check_winners(columns, history.interventions, given)
    _check_interventions(history.interventions, made, len(history))
    _check_spelling(base, columns, longest, given)


def check_on_words(history: History, words: WordCounts, found: FoundSymbols) -> None:
    """Check that a run began with the words and their symbols. Raises SessionError."""
    if history.recipe.keeps_fallback:
        spelled = to_initial_ids(words, history.recipe)
        total = int(np.dot(np.diff(spelled.starts), words.counts))
        _check_beginning(history, words, total, fits=spelled.base == history.base)
        return
    symbols = np.sort(symbols_of(history))
    if history.recipe.byte_fallback:  # whose bytes no word is made of
        symbols = symbols[symbols < FALLBACK_KEY]
    if history.recipe.inherited is not None:  # which has symbols that the corpus need not have
        symbols = np.intersect1d(symbols, found.distinct)
    whole = history.base.whole_words(history.recipe)
    each, _ = find_whole_words(words.text, words.starts[:-1], words.starts[1:], whole)
    saved = int(np.dot(np.diff(words.starts)[each] - 1, words.counts[each]))
    fits = np.array_equal(symbols, found.distinct)
    _check_beginning(history, words, found.total - saved, fits=fits)


def _check_beginning(history: History, words: WordCounts, total: int, *, fits: bool) -> None:
    """Check the sums of a run before its first merge; total: its symbols."""
    sums = history.corpus_bytes, int(history.tokens[0])
    right = fits and sums == (words.total_bytes, total)
    _check(right, "one of its runs was trained on other words")


def _check_inherited(history: History) -> int:
    """Check that a run begins with the merges of the encoding that it goes on from, and return how
    many of them it has done.
    """
    merges = inherited_merges(history.recipe, history.base)[: len(history)]
    done = np.stack((history.left, history.right, history.new_id), axis=1)[: len(merges)]
    _check(np.array_equal(done, merges), "a run does not begin with the merges of its encoding")
    return len(merges)


def _check_ids(
    base: BaseVocabulary, columns: Columns, given: int, whole: Mapping[bytes, int]
) -> NDArray[np.int32]:
    """Check that every merge makes the next id, a special token or a whole word, of tokens made
    before it. Those of an encoding may make a token again.

    Returns the first merge that makes each token: -1 for initial symbols.
    """
    merges = len(columns.left) - 1
    new = columns.new_id[:merges].astype(np.int64)
    special = ((new >= 0) & (new < base.special)) | np.isin(new, [*whole.values()])
    if given:
        _, first = np.unique(new, return_index=True)
        again = np.ones(merges, np.bool_)
        again[first] = False
        special |= again
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
            "one of its merges uses tokens that do not exist yet",
        )
    _check(len(made) <= MAX_NUMBER, "its vocabulary is too large")
    return made


def _check_top(columns: Columns, made: NDArray[np.int32]) -> None:
    """Check that the candidates of every position exist and are ordered by their counts."""
    left, right, count = columns.top_left, columns.top_right, columns.top_count
    there = left != NO_TOKEN
    is_filled = (there[:, :-1] >= there[:, 1:]).all()
    absent = (right == NO_TOKEN) & (count == 0)
    _check(is_filled and (there | absent).all(), "its candidates have a gap")
    positions = np.nonzero(there)[0]
    for tokens in (left[there], right[there]):
        known = (tokens >= 0) & (tokens < len(made))
        _check(
            known.all() and (made[tokens] < positions).all(),
            "one of its candidates uses tokens that do not exist yet",
        )
    in_order = (count[:, :-1] >= count[:, 1:]).all() and (count[there] > 0).all()
    _check(in_order, "its candidates are not in the order of their counts")


def _check_counts(columns: Columns, given: int) -> None:
    """Check that every merge makes the corpus shorter, by no more than the pair's count. The pairs
    of an encoding need not occur.
    """
    merges = len(columns.left) - 1
    tokens, distinct, count = columns.tokens, columns.distinct, columns.count[:merges]
    _check(
        tokens[0] <= MAX_TOTAL and (tokens >= 0).all()
        and (tokens[1:] <= tokens[:-1]).all()
        and (tokens[given + 1 :] < tokens[given:-1]).all(),
        "one of its merges does not make the corpus shorter",
    )
    within = (tokens[:-1] - tokens[1:] <= count).all() and (count <= tokens[:-1]).all()
    found = (columns.top_left != NO_TOKEN).sum(axis=1)
    _check(
        within
        and (columns.top_count[:, 0] <= tokens).all()
        and ((distinct >= found) & (distinct <= tokens)).all(),
        "one of its counts is impossible",
    )


def _check_winners(
    columns: Columns, interventions: tuple[Intervention, ...], given: int
) -> None:
    """Check that every merge that is not given is that of the first candidate, or of one that was
    forced.
    """
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
            np.array_equal(column[given:merges], top[steps, place][given:]),
            "one of its merges is not of the most frequent pair",
        )


def _check_interventions(
    interventions: tuple[Intervention, ...], made: NDArray[np.int32], merges: int
) -> None:
    """Check that decisions are in the order of their steps, about tokens that exist."""
    order = [(decided.step, decided.decision is Decision.FORCE) for decided in interventions]
    _check(order == sorted(order), "its decisions are not in the order of their steps")
    for decided in interventions:
        pair = (decided.left, decided.right)
        _check(all(0 <= n <= MAX_NUMBER for n in (decided.step, *pair)), "a decision is invalid")
        known = all(token < len(made) and made[token] < decided.step for token in pair)
        _check(decided.step > merges or known, "a decision is about tokens that do not exist yet")


def _check_spelling(base: BaseVocabulary, columns: Columns, longest: int, given: int) -> None:
    """Check that no token is longer than the longest word, and that special tokens are as spelled.

    Training makes every token somewhere within a word. So tokens whose length doubles with every
    merge, which would soon fill any memory, end at the longest word. Their total length may be
    much larger: 100,000 merges of a play that is one word make ten thousand times the play.
    """
    merges = len(columns.left) - 1
    left, right, new = (column[:merges] for column in (columns.left, columns.right, columns.new_id))
    lengths = np.full(max(len(base), int(new.max(initial=0)) + 1), NOT_KNOWN, np.int32)
    lengths[: len(base)] = [len(text) for text in base.texts]
    add = add_lengths.form(None)
    for begin, end, most in ((0, given, MAX_TOKEN), (given, merges, min(longest, MAX_TOKEN))):
        step = add(left, right, new, lengths, begin, end, most)
        if step < end:
            length = int(lengths[left[step]]) + int(lengths[right[step]])
            spelled = lengths[new[step]] in (NOT_KNOWN, length)
            _check(spelled, "one of its merges does not spell the token that it makes")
            _check(length <= MAX_TOKEN, "one of its tokens is too long to be shown")
            raise SessionError("one of its tokens is longer than all its words")
