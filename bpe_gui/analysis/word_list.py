"""Which words of a corpus are shown, and in which order. Knows no Qt: it runs in a thread."""

from __future__ import annotations

import re
from enum import StrEnum

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from bpe_gui.analysis.next_merge import next_pair
from bpe_gui.analysis.segmented_corpus import SegmentedCorpus
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History

FEW_WORDS = 4
"""As many words as these are all in view, and keep their places from merge to merge."""


class WordSort(StrEnum):
    """In which order the words are; equal ones as in the corpus."""

    TOUCHED = "touched"
    """Those that the marked merge is done in come first, the most frequent first in each part.

    `FEW_WORDS` are as in the corpus.
    """
    COUNT = "count"
    CORPUS = "corpus"
    """In the order of their first appearance."""


class WordFilter(Struct, frozen=True):
    """Which words are shown: all, or those that hold these tokens side by side.

    text: one token, or several with spaces between them, each as it is shown (``␣the``),
        as the vocabulary writes it (``Ġthe``) or as it is.
    tokens: the same by their ids; then the text is not read.
    """

    text: str = ""
    tokens: tuple[int, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """Tell what is looked for, token by token; empty if all words are shown."""
        return tuple(self.text.split())

    def __bool__(self) -> bool:
        return bool(self.tokens) or bool(self.parts)


class Marked(StrEnum):
    """The merge whose words are marked."""

    NEXT = "next"
    LAST = "last"
    """The merge that led to the position; before the first merge it is that one."""
    NONE = "none"
    """No word is marked, and all are in the order of their counts."""


class WordQuery(Struct, frozen=True):
    """What is asked of the words at a position."""

    sort: WordSort = WordSort.TOUCHED
    filter: WordFilter = field(default_factory=WordFilter)
    marked: Marked = Marked.NEXT


class WordList(Struct, frozen=True, eq=False):
    """The words to show at a position; the rows are cut when they come into view.

    rows: indexes into the corpus's words, in the order asked for.
    touched: how many of the rows the marked merge is done in.
    missing: parts of the filter that are no token at the position. If the filter was one
        such part alone, the rows are the words whose text contains it.
    """

    position: int
    query: WordQuery
    rows: NDArray[np.int64]
    touched: int
    missing: tuple[str, ...]
    corpus: QueriedCorpus

    @property
    def leading(self) -> int:
        """How many rows the marked merge is done in, if they come before all others."""
        return self.touched if _leads(self.query, self.corpus) else 0

    @property
    def marks_last(self) -> bool:
        """Whether the marked merge has been done at the position."""
        return self.query.marked is Marked.LAST and self.position > 0


class QueriedCorpus(SegmentedCorpus):
    """A segmented corpus of which also the beginnings of endless words can be cut."""

    def symbols_in(self, word: int) -> int:
        """Tell how many symbols a word is spelled with."""
        return int(self._starts[word + 1] - self._starts[word])

    def beginning(self, position: int, word: int, symbols: int) -> NDArray[np.int32]:
        """Return the tokens that lie wholly within the first symbols of a word, at a position."""
        start = int(self._starts[word])
        size = min(symbols, self.symbols_in(word))
        _, ids = self._segmentation.tokens_among(position, np.arange(start, start + size))
        # The last token may go on beyond what was looked at.
        return ids if size == self.symbols_in(word) else ids[:-1]


class WordOrder:
    """Answers queries about the words of a corpus."""

    def __init__(self, corpus: QueriedCorpus) -> None:
        self._corpus = corpus
        self._by_count = np.argsort(-corpus.words.counts, kind="stable")
        self._names = TokenNames(corpus.history)

    def answer(self, position: int, query: WordQuery) -> WordList:
        """Return the words to show. Raises IndexError for a position not taken in by the corpus."""
        touched = self._touched(position, query)
        if query.sort is WordSort.COUNT:
            rows = self._by_count
        elif _leads(query, self._corpus):
            first = touched[self._by_count]
            rows = np.concatenate((self._by_count[first], self._by_count[~first]))
        else:
            rows = np.arange(len(self._corpus.words))
        found, missing = self._found(position, query.filter)
        if found is not None:
            rows = rows[found[rows]]
        count = int(np.count_nonzero(touched[rows]))
        return WordList(position, query, rows, count, missing, self._corpus)

    def _touched(self, position: int, query: WordQuery) -> NDArray[np.bool_]:
        """Tell which words the marked merge is done in; none where it is not to be told."""
        corpus = self._corpus
        touched: NDArray[np.bool_] = np.zeros(len(corpus.words), np.bool_)
        if query.marked is Marked.NONE:
            return touched
        step = max(0, position - (query.marked is Marked.LAST))
        if step < corpus.length:
            touched[corpus.touched_by(step)] = True
            return touched
        pair = next_pair(corpus.history, position)
        if pair is not None:
            touched[corpus.containing(corpus.segmented(position), *pair) > 0] = True
        return touched

    def _found(
        self, position: int, wanted: WordFilter
    ) -> tuple[NDArray[np.bool_] | None, tuple[str, ...]]:
        """Tell which words the filter lets through, and which of its parts are no token."""
        if not wanted:
            return None, ()
        if wanted.tokens:
            return self._holding(position, [[token] for token in wanted.tokens]), ()
        parts = wanted.parts
        alternatives = [self._names.find(part, position) for part in parts]
        missing = tuple(part for part, ids in zip(parts, alternatives, strict=True) if not ids)
        if missing and len(parts) == 1:
            return self._containing_text(parts[0].replace("␣", " ").encode()), missing
        return self._holding(position, alternatives), missing

    def _holding(self, position: int, alternatives: list[list[int]]) -> NDArray[np.bool_]:
        """Return words with these tokens side by side; for each place several ids may do."""
        found: NDArray[np.bool_] = np.zeros(len(self._corpus.words), np.bool_)
        cut = self._corpus.segmented(position)
        last = len(cut.ids) - len(alternatives) + 1
        if last <= 0:
            return found
        matches = np.ones(last, np.bool_)
        for place, ids in enumerate(alternatives):
            matches &= np.isin(cut.ids[place : place + last], ids)
            matches &= cut.word_of[place : place + last] == cut.word_of[:last]
        found[cut.words[cut.word_of[:last][matches]]] = True
        return found

    def _containing_text(self, text: bytes) -> NDArray[np.bool_]:
        """Return words whose text contains some bytes."""
        words = self._corpus.words
        text = self._corpus.history.recipe.with_marks(text)
        found: NDArray[np.bool_] = np.zeros(len(words), np.bool_)
        pattern = re.compile(b"(?=" + re.escape(text) + b")")
        places = np.array([m.start() for m in pattern.finditer(words.text.tobytes())], np.int64)
        if len(places):
            word = np.searchsorted(words.starts, places, side="right") - 1
            # Words are concatenated; what begins in one may end in the next.
            found[word[places + len(text) <= words.starts[word + 1]]] = True
        return found


def _leads(query: WordQuery, corpus: QueriedCorpus) -> bool:
    """Tell whether the words that the marked merge is done in come first."""
    return query.sort is WordSort.TOUCHED and len(corpus.words) > FEW_WORDS


class TokenNames:
    """Finds tokens by what a user types; learns the tokens of a growing history once."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._ids: dict[str, list[int]] = {}
        self._size = 0

    def find(self, name: str, position: int) -> list[int]:
        """Return the tokens that are called so and exist at a position."""
        size = self._history.vocabulary_size(len(self._history))
        for token in range(self._size, size):
            self._learn(token)
        self._size = size
        return [token for token in self._ids.get(name, []) if self._history.step(token) < position]

    def _learn(self, token: int) -> None:
        content = self._history.token_bytes(token)
        names = {self._history.id_to_token(token), visible(content)}
        if content.isascii():
            names.add(content.decode())
        for name in names - {""}:
            self._ids.setdefault(name, []).append(token)
