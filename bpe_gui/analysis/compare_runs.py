"""Recipes in lockstep: which tokens several runs share, when each learnt them, where they part.

Tokens are the same if they stand for the same text, as bytes of UTF-8, whether a recipe's
symbols are bytes or characters. A mark for the end of a word is part of a token where every
one of the recipes has it: then `est` and `est</w>` are two. Where only some do, it is left out,
for the others could not have it, and `est</w>` is the same as `est`.

A token that is there from the start in one run, and merged in another (a letter of several
bytes, or `e</w>` where the mark is left out), is known from the start there. Where merges make
the same token twice, the first of them counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.fingerprints import (
    PRIMES,
    fingerprints_of_merges,
    fingerprints_of_texts,
)
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import END_OF_WORD, EndOfWord

FROM_START = -1
"""The step of a token that is there before the first merge."""
MISSING = -2
"""The step of a token that a run has not learnt."""


class Lockstep(Struct, frozen=True, eq=False):
    """Some histories side by side, as far as each of them goes.

    lengths: how many merges of each are looked at.
    contents: for each history what each of its merges makes, as numbers that are equal where
        the texts are; shape (merges,).
    steps: shape (histories, contents): the merge that makes it first, or FROM_START or MISSING.
    parts_at: the first step at which not all of them make the same, None if the shortest is
        the beginning of the others.
    marks_left_out: whether some of the recipes mark the ends of words, and others do not.
    """

    histories: tuple[History, ...]
    lengths: tuple[int, ...]
    contents: tuple[NDArray[np.int32], ...]
    steps: NDArray[np.int32]
    parts_at: int | None
    marks_left_out: bool

    def partners(self, run: int, other: int) -> NDArray[np.int32]:
        """Return for each merge of a run the step at which another has the same token; see `steps`.

        Shape (merges,). A token that the run makes again, or had before, has no partner of
        its own: MISSING is there, as for what is missing; `repeats` tells them apart.
        """
        steps: NDArray[np.int32] = self.steps[other, self.contents[run]]
        return np.where(self.repeats(run), np.int32(MISSING), steps)

    def repeats(self, run: int) -> NDArray[np.bool_]:
        """Tell which merges of a run make what it has had before. Shape (merges,)."""
        first = self.steps[run, self.contents[run]]
        again: NDArray[np.bool_] = first != np.arange(self.lengths[run])
        return again

    def only(self, run: int) -> NDArray[np.int64]:
        """Return the merges of a run whose tokens no other run has, in order."""
        others = np.delete(self.steps, run, axis=0)
        lone = (others == MISSING).all(axis=0)[self.contents[run]]
        return np.flatnonzero(lone & ~self.repeats(run))

    def shared(self) -> int:
        """Tell how many of the tokens that the first run has learnt all others have as well."""
        known = (self.steps[1:] != MISSING).all(axis=0)[self.contents[0]]
        return int(np.count_nonzero(known & ~self.repeats(0)))


def lockstep(histories: Sequence[History], *, compiled: bool | None = None) -> Lockstep:
    """Put two or more histories side by side. They may go on growing meanwhile.

    Takes some 20 ms for two of 50,000 merges. Texts are compared by fingerprints of 124 bits:
    that two of them differ and look the same has a chance of less than one in 10**20.
    """
    marks = [history.recipe.end_of_word is not EndOfWord.NONE for history in histories]
    counts = all(marks)
    parts, lengths, starts = [], [], []
    for history in histories:
        base, merged = _fingerprints(history, marks=counts, compiled=compiled)
        parts += [base, merged]
        lengths.append(len(merged))
        starts.append(len(base))
    prints = np.concatenate(parts)
    numbers = _numbered(prints)
    found = int(numbers.max(initial=-1)) + 1
    contents: list[NDArray[np.int32]] = []
    steps = np.full((len(histories), found), MISSING, np.int32)
    begin = 0
    for run, (symbols, length) in enumerate(zip(starts, lengths, strict=True)):
        made = numbers[begin + symbols : begin + symbols + length]
        # Backwards: of several merges that make the same the first is written last.
        steps[run, made[::-1]] = np.arange(length - 1, -1, -1, dtype=np.int32)
        steps[run, numbers[begin : begin + symbols]] = FROM_START
        contents.append(made)
        begin += symbols + length
    return Lockstep(
        histories=tuple(histories),
        lengths=tuple(lengths),
        contents=tuple(contents),
        steps=steps,
        parts_at=_parting(contents),
        marks_left_out=any(marks) and not counts,
    )


def _numbered(prints: NDArray[np.int64]) -> NDArray[np.int32]:
    """Give equal rows the same number, and others another.

    >>> _numbered(np.array([[5, 1, 1, 1], [3, 1, 1, 1], [5, 1, 1, 1]])).tolist()
    [1, 0, 1]
    """
    # A print has 31 bits: two of them are one key, and two keys sort faster than four.
    keys = prints[:, 0] << 31 | prints[:, 1], prints[:, 2] << 31 | prints[:, 3]
    order = np.lexsort(keys)
    is_other = np.zeros(len(order), np.bool_)
    for key in keys:
        is_other[1:] |= np.diff(key[order]) != 0
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.cumsum(is_other)
    return numbers


def _parting(contents: Sequence[NDArray[np.int32]]) -> int | None:
    common = min(map(len, contents))
    differ = np.zeros(common, np.bool_)
    for other in contents[1:]:
        differ |= contents[0][:common] != other[:common]
    places = np.flatnonzero(differ)
    return int(places[0]) if len(places) else None


def _fingerprints(
    history: History, *, marks: bool, compiled: bool | None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a row for each symbol of a run and each token of its merges, as wide as PRIMES.

    With `marks`, whether a token ends a word is part of its fingerprint.
    """
    left, right, new = history.left, history.right, history.new_id
    length = min(len(left), len(right), len(new))
    left, right, new = left[:length], right[:length], new[:length]
    base = history.base
    size = max(len(base), int(new.max(initial=-1)) + 1)
    texts, ends = _texts(history)
    begins = np.concatenate(([0], np.cumsum([len(text) for text in texts], dtype=np.int64)))
    prints, powers = np.zeros((size, PRIMES), np.int64), np.ones((size, PRIMES), np.int64)
    flat = np.frombuffer(b"".join(texts), np.uint8)
    fingerprints_of_texts.form(compiled)(
        flat, begins, prints[: len(base)], powers[: len(base)]
    )
    symbols = np.array(base.symbol_ids, np.int64)
    of_symbols = prints[symbols]
    merged = np.empty((length, PRIMES), np.int64)
    fingerprints_of_merges.form(compiled)(left, right, new, prints, powers, merged)
    if marks:
        of_symbols[:, 0] = 2 * of_symbols[:, 0] + ends[symbols]
        merged[:, 0] = 2 * merged[:, 0] + _ending(ends, size, right, new)
    return of_symbols, merged


def _texts(history: History) -> tuple[list[bytes], NDArray[np.bool_]]:
    """Tell what the entries before the first merge stand for in a text, and which end a word."""
    base, mark = history.base, END_OF_WORD.encode()
    ends = np.array([history.ends_word(token) for token in range(len(base))], np.bool_)
    texts = [
        content.removesuffix(mark) if end else content
        for content, end in zip(base.contents, ends.tolist(), strict=True)
    ]
    return texts, ends


def _ending(
    ends: NDArray[np.bool_], size: int, right: NDArray[np.int32], new: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Tell whether the token of each merge ends a word: its last symbol says so."""
    last = np.zeros(size, np.bool_)
    last[: len(ends)] = ends
    # A merge's right part is an earlier one, so a few rounds reach every last symbol.
    rows = right.astype(np.int64)
    source = np.arange(size)
    source[new] = rows
    while (source[source] != source).any():
        source = source[source]
    return last[source[rows]]
