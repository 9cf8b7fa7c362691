"""Where in a corpus a token or a pair of tokens occurs, with the text around it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import History
from bpe_gui.bpe.pre_tokenize import for_scanner
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.tokenizer import ByteTokens, WordCache
from bpe_gui.bpe.words import Check, Documents, Gatherer, WordTable, read_into

MAX_PLACES = 10_000
"""At most this many places are found; the rest of the corpus is not searched."""
CONTEXT = 160
"""Bytes of text that are kept before and after a place."""
_BLOCK = 1 << 17
"""Bytes that are tokenized at once: few, so that the first places are found soon."""
_WORDS_AT_ONCE = 1 << 16


class Occurrence(Struct, frozen=True):
    """One place, and the normalized text around it, in UTF-8 but where a token cuts a character.

    parts: the content of each token, without an end-of-word marker.
    count: how often its document occurs: 1 but in a table of word counts.
    """

    before: bytes
    parts: tuple[bytes, ...]
    after: bytes
    count: int


class _EnoughError(Exception):
    """As many places are found as are wanted."""


class _PlaceFinder:
    """Looks for tokens in documents that come in pieces, as a WordCounter counts their words."""

    def __init__(
        self,
        history: History,
        position: int,
        tokens: tuple[int, ...],
        found: Callable[[list[Occurrence]], None],
        limit: int,
        check: Check | None,
    ) -> None:
        self._recipe = history.recipe
        self._tokens = tokens
        self._found = found
        self._left = limit
        self._check = check
        self._gatherer = Gatherer(history.recipe, block=_BLOCK)
        self._cache = WordCache(history, position)

    def feed(self, text: bytes, document_ends: NDArray[np.int64]) -> None:
        """Take the next piece of the corpus, valid UTF-8; see `WordCounter.feed`."""
        gathered = self._gatherer.take(text, document_ends)
        if gathered is not None:
            self._look(gathered, 1)

    def add_text(self, text: str, count: int) -> None:
        """Look into a short document that occurs that many times."""
        encoded = text.encode("utf-8")
        self._look(Documents(encoded, np.array([len(encoded)], np.int64)), count)

    def end(self) -> None:
        """End the last document."""
        self._look(self._gatherer.finish(), 1)

    def _look(self, documents: Documents, count: int) -> None:
        if not documents.text:
            return
        if self._check is not None:
            self._check()
        with timeout(check=self._check):
            documents = documents.normalized(self._recipe.normalizers)
            data = np.frombuffer(documents.text, np.uint8)
            if not len(data):
                return
            cut = self._cache.encode_bytes(data, documents.ends)
            places = self._places(cut, data, documents)[: self._left]
        if len(places):
            ends = documents.ends
            self._left -= len(places)
            text, size = documents.text, len(self._tokens)
            found = [_occurrence(text, ends, cut, at, size, count) for at in places.tolist()]
            self._found([self._with_spaces(place) for place in found])
        if not self._left:
            raise _EnoughError

    def _with_spaces(self, place: Occurrence) -> Occurrence:
        before, *parts, after = map(
            self._recipe.with_spaces, (place.before, *place.parts, place.after)
        )
        return Occurrence(before, tuple(parts), after, place.count)

    def _places(
        self, cut: ByteTokens, data: NDArray[np.uint8], documents: Documents
    ) -> NDArray[np.int64]:
        """Return which tokens begin what is looked for: within one word if it is several."""
        last = len(cut) - len(self._tokens) + 1
        matches = np.ones(max(last, 0), np.bool_)
        for offset, token in enumerate(self._tokens):
            matches &= cut.ids[offset : offset + len(matches)] == token
        places = np.flatnonzero(matches)
        if len(self._tokens) == 1 or not len(places):
            return places
        begins = self._word_begins(data, documents.ends)
        within = np.ones(len(places), np.bool_)
        for offset in range(1, len(self._tokens)):
            starts = cut.starts[places + offset]
            # An end-of-word marker begins where the word ends, and has no width.
            wide = cut.ends[places + offset] > starts
            within &= ~(np.isin(starts, begins) & wide)
        return places[within]

    def _word_begins(
        self, data: NDArray[np.uint8], document_ends: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        split, ends = for_scanner(data, document_ends, self._recipe)
        table, found, begin = WordTable(None), [], 0
        while begin < len(data):
            words, places = np.empty(_WORDS_AT_ONCE, np.int32), np.empty(_WORDS_AT_ONCE, np.int64)
            begin, size = table.find(split, data, ends, begin, words, places)
            found.append(places[:size])
        return np.concatenate(found)


def _occurrence(
    text: bytes, ends: NDArray[np.int64], cut: ByteTokens, at: int, size: int, count: int
) -> Occurrence:
    start, end = int(cut.starts[at]), int(cut.ends[at + size - 1])
    # A marker without width at the end of a document belongs to that one.
    document = int(np.searchsorted(ends, start, side="right" if start < end else "left"))
    begins = int(ends[document - 1]) if document else 0
    closes = int(ends[document])
    first, last = max(begins, start - CONTEXT), min(closes, end + CONTEXT)
    while first > begins and first < start and text[first] & 0xC0 == 0x80:
        first += 1
    while last < closes and last > end and text[last] & 0xC0 == 0x80:
        last -= 1
    parts = tuple(text[int(cut.starts[t]) : int(cut.ends[t])] for t in range(at, at + size))
    return Occurrence(text[first:start], parts, text[end:last], count)


def find_places(
    corpus: Corpus | Texts,
    history: History,
    position: int,
    tokens: tuple[int, ...],
    found: Callable[[list[Occurrence]], None],
    *,
    limit: int = MAX_PLACES,
    check: Check | None = None,
) -> bool:
    """Find where tokens are side by side in a corpus as it is segmented at a position.

    `found` receives the places in the order of the corpus, at most `limit` of them.
    Several tokens are found only within a word, overlaps counted. Returns whether all of the
    corpus was looked through. `check` is called now and then, and may raise to give it up. Raises
    CorpusError as reading the corpus does, and PatternError.

    >>> from bpe_gui.bpe.recipe import preset
    >>> from bpe_gui.bpe.trainer import Trainer
    >>> from bpe_gui.bpe.words import count_corpus
    >>> recipe = preset("whitespace").with_changes(vocabulary_size=None, merges=1)
    >>> trainer = Trainer(count_corpus(Texts(["low lower"]), recipe), recipe)
    >>> trainer.advance(1)
    1
    >>> lo = int(trainer.history.new_id[0])
    >>> places: list[Occurrence] = []
    >>> find_places(Texts(["low lower"]), trainer.history, 1, (lo,), places.extend)
    True
    >>> [(place.before, place.parts, place.after) for place in places]
    [(b'', (b'lo',), b'w lower'), (b'low ', (b'lo',), b'wer')]
    """
    finder = _PlaceFinder(history, position, tokens, found, limit, check)
    try:
        read_into(finder, corpus, check=check)
        finder.end()
    except _EnoughError:
        return False
    return True
