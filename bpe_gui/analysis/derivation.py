"""Where a token comes from, what was made of it, and how encoding arrives at it in a word.

All of it follows from the merges alone and needs no corpus.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.tokenizer import PreTokenizedText, PreTokenizer

Merge = tuple[int, int, int]
"""The step of a merge, and the ids of its parts."""

NOWHERE = -1
"""Stands where a node has no parent or no children."""

SHOWN_SYMBOLS = 128
"""How many leaves of a tree are given unless more are asked for."""


class MergeTree(Struct, frozen=True):
    """The merges behind a token, as columns with one entry a node, the root first.

    A node comes before what it was merged from, and all of its left part before its right
    part; so the leaves are in text order.

    tokens: the ids.
    steps: the merge that made each, NOWHERE for one that was there from the start.
    parents, lefts, rights: indexes of nodes, NOWHERE for none.
    symbols: how many symbols each consists of.

    A node that has a step but no parts is folded: what it was merged from is left out.
    The latest merges are told first, so what is shown is how the token is cut at some
    position (save that of equal tokens, made by one merge, some may be folded).
    """

    tokens: tuple[int, ...]
    steps: tuple[int, ...]
    parents: tuple[int, ...]
    lefts: tuple[int, ...]
    rights: tuple[int, ...]
    symbols: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.tokens)

    def is_folded(self, node: int) -> bool:
        """Tell whether the parts of a node are left out."""
        return self.steps[node] >= 0 and self.lefts[node] == NOWHERE

    @property
    def hidden_merges(self) -> int:
        """Tell how many merges are not shown."""
        shown = sum(left != NOWHERE for left in self.lefts)
        return self.symbols[0] - 1 - shown

    def depth(self, node: int) -> int:
        """Tell how many merges lie between a node and the root."""
        depth = 0
        while (node := self.parents[node]) != NOWHERE:
            depth += 1
        return depth


def made_at(history: History, token: int) -> int:
    """Find the first merge that made a token; NOWHERE for one that was there from the start.

    Only a special token can have several: each merge that spells it makes it again.
    Raises IndexError for an unknown id.
    """
    step = history.step(token)
    if step < 0 or token >= len(history.base):
        return step
    return int(np.flatnonzero(history.new_id == token)[0])


def merge_tree(history: History, token: int, max_symbols: int = SHOWN_SYMBOLS) -> MergeTree:
    """Build the tree of a token with at most `max_symbols` leaves.

    Raises IndexError for an unknown id.

    >>> from bpe_gui.bpe.history import BaseVocabulary
    >>> from bpe_gui.bpe.recipe import preset
    >>> history = History(preset("raw"), BaseVocabulary.of(preset("raw"), "est"), 3, 3)
    >>> columns = history.reserve(2)
    >>> columns.left[:2], columns.right[:2], columns.new_id[:2] = (0, 3), (1, 2), (3, 4)
    >>> history.commit(2)
    >>> [history.id_to_token(token) for token in merge_tree(history, 4).tokens]
    ['est', 'es', 'e', 's', 't']
    >>> merge_tree(history, 4).steps
    (1, 0, -1, -1, -1)
    """

    def merge_of(part: int) -> Merge | None:
        step = made_at(history, part)
        if step < 0:
            return None
        return step, int(history.left[step]), int(history.right[step])

    return merge_tree_by(token, merge_of, max_symbols)


def merge_tree_by(
    token: int, merge_of: Callable[[int], Merge | None], max_symbols: int = SHOWN_SYMBOLS
) -> MergeTree:
    """Build the tree of a token as `merge_tree` does, by a function that finds its merges.

    merge_of: the merge of an id: its step and the ids of its parts, which were made before it; None
        for a token that no merge made.

    >>> merges = {3: (0, 0, 1), 4: (1, 3, 2)}
    >>> merge_tree_by(4, merges.get).tokens
    (4, 3, 0, 1, 2)
    """
    merges, steps, sizes = _ancestry(token, merge_of)
    tokens, parents = [token], [NOWHERE]
    parts: dict[int, tuple[int, int]] = {}
    latest_first = [(-steps[token], 0)]
    while latest_first and len(parts) + 1 < max_symbols:
        step, node = heappop(latest_first)
        if step > 0:
            break  # Only symbols are left.
        parts[node] = len(tokens), len(tokens) + 1
        for part in merges[tokens[node]][1:]:
            heappush(latest_first, (-steps[part], len(tokens)))
            tokens.append(part)
            parents.append(node)
    return _in_order(tokens, steps, sizes, parts)


def _ancestry(
    token: int, merge_of: Callable[[int], Merge | None]
) -> tuple[dict[int, Merge], dict[int, int], dict[int, int]]:
    """Return the merge, the step and the number of symbols of every token within a token."""
    merges: dict[int, Merge] = {}
    steps: dict[int, int] = {}
    sizes: dict[int, int] = {}
    waiting = [token]
    while waiting:
        ancestor = waiting[-1]
        if ancestor not in steps:
            merge = merge_of(ancestor)
            steps[ancestor] = NOWHERE if merge is None else merge[0]
            if merge is not None:
                merges[ancestor] = merge
        parts = merges[ancestor][1:] if ancestor in merges else ()
        unknown = [part for part in parts if part not in sizes]
        if unknown:
            waiting += unknown
        else:
            sizes[ancestor] = sum(sizes[part] for part in parts) if parts else 1
            waiting.pop()
    return merges, steps, sizes


def _in_order(
    tokens: list[int],
    steps: dict[int, int],
    sizes: dict[int, int],
    parts: dict[int, tuple[int, int]],
) -> MergeTree:
    """Put nodes into the order of a MergeTree."""
    order: list[int] = []
    parents: list[int] = []
    lefts = [NOWHERE] * len(tokens)
    rights = [NOWHERE] * len(tokens)
    waiting = [(0, NOWHERE)]
    while waiting:
        node, parent = waiting.pop()
        place = len(order)
        order.append(node)
        parents.append(parent)
        if parent != NOWHERE:
            side = lefts if lefts[parent] == NOWHERE else rights
            side[parent] = place
        if node in parts:
            left, right = parts[node]
            waiting += ((right, place), (left, place))
    made = [tokens[node] for node in order]
    return MergeTree(
        tokens=tuple(made),
        steps=tuple(steps[token] for token in made),
        parents=tuple(parents),
        lefts=tuple(lefts),
        rights=tuple(rights),
        symbols=tuple(sizes[token] for token in made),
    )


def made_of(history: History, token: int, position: int) -> NDArray[np.int64]:
    """Return the merges before a position that a token took part in, in their order.

    What they made is `history.new_id` of them.
    """
    left, right = history.left[:position], history.right[:position]
    return np.flatnonzero((left == token) | (right == token))


class AppliedMerge(Struct, frozen=True):
    """One merge as encoding applies it to a word.

    step: the merge in the history, which is its rank.
    place: where the new token is among the word's tokens after it.
    """

    step: int
    left: int
    right: int
    new_id: int
    place: int


class WordDerivation:
    """The merges that encoding applies to one word, lowest rank first, left to right.

    Row 0 is the symbols, row k what they are after k merges. At a position of the history
    the first `rows(position)` merges are applied, and what they lead to is exactly what
    `Tokenizer(history, position).encode(word)` gives. A text that is more than one word is
    cut like any other; no merge crosses the border between two words.

    `symbols` are ids, NO_TOKEN for what is not in the alphabet. `extend` takes in merges
    that the history has had since. Raises UnicodeEncodeError for lone surrogates.
    """

    def __init__(self, history: History, word: str, *, compiled: bool | None = None) -> None:
        self.history = history
        self.word = word
        spelled = PreTokenizer(history.recipe, history.base).pre_tokenize(word, compiled=compiled)
        self.symbols = spelled.ids
        self._bytes = word.encode("utf-8")
        self._starts = spelled.starts
        self._ends = spelled.ends
        self._segmentation = Segmentation(
            history, spelled.ids, spelled.word_starts, compiled=compiled
        )
        self._arrange()

    def extend(self) -> None:
        """Take in the merges that came since."""
        before = self._segmentation.length
        self._segmentation.extend()
        if self._segmentation.length != before:
            self._arrange()

    def _arrange(self) -> None:
        removed = self._segmentation.merge_step
        places = np.flatnonzero(removed != NEVER)
        self._places = places[np.argsort(removed[places], kind="stable")]
        self.steps = removed[self._places]
        """The merges in the order in which they are applied, ascending."""
        self._rank = np.full(len(removed), NEVER, np.int32)
        self._rank[self._places] = np.arange(len(self._places))

    @property
    def unknown(self) -> int:
        """Count the symbols that are not in the alphabet."""
        return int(np.count_nonzero(self.symbols == NO_TOKEN))

    @property
    def length(self) -> int:
        """Tell how many merges of the history have been taken in."""
        return self._segmentation.length

    def rows(self, position: int) -> int:
        """Tell how many merges are applied at a position. Raises IndexError beyond `length`."""
        if not 0 <= position <= self.length:
            raise IndexError(f"position {position} is outside 0..{self.length}")
        return int(np.searchsorted(self.steps, position))

    def tokens(self, row: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the index of each token's first symbol, and the tokens' ids, after some merges."""
        borders = self._rank >= row
        first = np.flatnonzero(borders)
        if not len(first):
            return first, np.empty(0, np.int32)
        # The last merge within a token is the one that made it.
        last_merge = np.maximum.reduceat(np.where(borders, -1, self._rank), first)
        ids = self.symbols[first]
        merged = last_merge >= 0
        ids[merged] = self.history.new_id[self.steps[last_merge[merged]]]
        return first, ids

    def merge(self, row: int) -> AppliedMerge:
        """Find the merge that leads to a row, from 1 on. Raises IndexError for any other."""
        if not 1 <= row <= len(self.steps):
            raise IndexError(f"there is no merge {row} of {len(self.steps)}")
        step = int(self.steps[row - 1])
        history = self.history
        # The border that went stood before the right token; its left one is the new one.
        borders = np.flatnonzero(self._rank[: self._places[row - 1]] >= row)
        return AppliedMerge(
            step,
            int(history.left[step]),
            int(history.right[step]),
            int(history.new_id[step]),
            len(borders) - 1,
        )

    def content(self, token: int, first: int) -> bytes:
        """Return the bytes of a token that begins at a symbol: of the word, if it is unknown."""
        if token != NO_TOKEN:
            return self.history.token_bytes(token)
        return self._bytes[int(self._starts[first]) : int(self._ends[first])]


def word_span(text: str, spelled: PreTokenizedText, place: int) -> tuple[int, int]:
    """Find the pre-tokenized word that the character at a place of a text belongs to.

    `spelled` is the text as a `PreTokenizer` has it. Returns the word's first character and the one
    after its last, so with the space before it if the recipe keeps it there. They are equal for a
    character that the recipe drops, and beyond the end of the text.
    """
    if not 0 <= place < len(text):
        return place, place
    offset = len(text[:place].encode("utf-8"))
    within = np.flatnonzero((spelled.starts <= offset) & (spelled.ends > offset))
    if not len(within):
        return place, place
    word = int(np.searchsorted(spelled.word_starts, within[0], side="right"))
    first = spelled.word_starts[word - 1]
    last = spelled.word_starts[word] if word < len(spelled.word_starts) else len(spelled.ids)
    data, begin, end = text.encode("utf-8"), int(spelled.starts[first]), int(spelled.ends[last - 1])
    before, inside = (
        len(part.decode("utf-8", "ignore")) for part in (data[:begin], data[begin:end])
    )
    # What is skipped is a word a byte, and shown in whole characters.
    return (before, before + inside) if inside else (place, place + 1)
