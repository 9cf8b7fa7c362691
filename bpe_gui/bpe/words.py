"""From documents to counts of unique words, and from words to the ids that training begins with."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from threading import Event, get_ident
from typing import Protocol, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.bpe import columnar
from bpe_gui.bpe.byte_level import (
    BYTE_OF_CHARACTER,
    BYTE_OF_FALLBACK,
    CHARACTER_OF_BYTE,
    FALLBACK_TOKENS,
)
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled, shown
from bpe_gui.bpe.formats import MAX_TOTAL, Texts
from bpe_gui.bpe.history import BaseVocabulary
from bpe_gui.bpe.kernels.code_points import NOT_UTF8, decode_utf8, note_keys
from bpe_gui.bpe.kernels.counting import (
    COUNT,
    WORD_AND_LENGTH,
    arrange,
    count_words,
    find_words,
    merge_words,
    number_words,
    rehash,
)
from bpe_gui.bpe.kernels.registers import WINDOW
from bpe_gui.bpe.kernels.windows import scan
from bpe_gui.bpe.memory import take_in_large_steps
from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.pre_tokenize import SPANS, character_classes, check_held, for_scanner, safe_cut
from bpe_gui.bpe.recipe import END_OF_WORD, Alphabet, EndOfWord, Normalizer, Recipe
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.remote_files import path_or_url
from bpe_gui.bpe.text_files import CorpusError
from bpe_gui.bpe.utf8 import bytes_of_characters, characters_before

# -- Blocks of documents ------------------------------------------------------------------------

BLOCK = 1 << 20
"""Bytes that are scanned at once: large enough to spread the cost of a call, small
enough that a pause or a stop is answered within some ten milliseconds."""


class Documents(Struct, frozen=True):
    """Documents, concatenated, valid UTF-8.

    `ends` are ascending byte offsets, the last of them the end of the text. If it `goes_on`,
    the last document does not end there: more of it comes with the next block.
    """

    text: bytes
    ends: NDArray[np.int64]
    goes_on: bool = False

    def normalized(self, steps: tuple[Normalizer, ...]) -> Documents:
        """Normalize documents one by one, so that none touches its neighbour."""
        if not steps:
            return self
        documents = []
        begin = 0
        for end in self.ends.tolist():
            documents.append(normalize(self.text[begin:end].decode("utf-8"), steps).encode("utf-8"))
            begin = end
        ends = np.cumsum([len(document) for document in documents], dtype=np.int64)
        return Documents(b"".join(documents), ends, self.goes_on)


class Gatherer:
    """Gathers pieces to blocks that end where every split begins a new word."""

    def __init__(
        self, recipe: Recipe, *, block: int = BLOCK, compiled: bool | None = None
    ) -> None:
        self._recipe = recipe
        self._block = block
        self._compiled = compiled
        self._rest: list[bytes] = []
        self._rest_size = 0

    def take(self, text: bytes, document_ends: NDArray[np.int64]) -> Documents | None:
        """Take the next piece, valid UTF-8; returns what can be split by now, if anything.

        `document_ends` are the ascending byte offsets in the piece at which documents
        end; what comes after the last of them goes on in the next piece. Raises RecipeError
        for a document that is too long for a recipe that needs to see the whole of it.
        """
        last = int(document_ends[-1]) if len(document_ends) else 0
        cut = self._cut(text, last) if len(text) - last + self._rest_size >= self._block else 0
        goes_on = cut > last
        if goes_on:
            document_ends = np.append(document_ends, cut)
        elif len(document_ends):
            cut = last
        else:
            self._rest.append(text)
            self._rest_size += len(text)
            check_held(self._recipe, self._rest_size)
            return None
        offset = self._rest_size
        self._rest.append(text[:cut] if cut < len(text) else text)
        gathered = Documents(b"".join(self._rest), document_ends + offset, goes_on)
        self._rest = [text[cut:]]
        self._rest_size = len(text) - cut
        return gathered

    def finish(self) -> Documents:
        """End the last document, and give out what is left of it."""
        gathered = self.take(b"", np.array([0], np.int64))
        assert gathered is not None, "a document has ended"
        return gathered

    def _cut(self, text: bytes, begin: int) -> int:
        """Find the last place in the piece where every split begins a new word, or 0.

        Earlier pieces that were kept had no such place.
        """
        found = safe_cut(text[begin:], self._recipe, compiled=self._compiled)
        return begin + found if found else 0


class Reader(Protocol):
    """What a corpus can be read into: texts come in pieces, word counts one by one."""

    def feed(self, text: bytes, document_ends: NDArray[np.int64]) -> None: ...
    def add_text(self, text: str, count: int) -> None: ...


Check = Callable[[], None]
"""Is called every now and then, and raises to give all up."""


def check_of(cancelled: Callable[[], bool] | None) -> Check | None:
    """Return a check that raises Cancelled as soon as `cancelled` says yes."""
    if cancelled is None:
        return None

    def check() -> None:
        if cancelled():
            raise Cancelled

    return check


def read_into(
    reader: Reader,
    corpus: Corpus | Texts,
    *,
    progress: Callable[[int], None] | None = None,
    check: Check | None = None,
) -> None:
    """Read a corpus from its sources, or from memory.

    `progress` is called with the bytes read so far, about once a megabyte; `check` as often,
    also while a pipe has nothing to read.
    Raises CorpusError for what cannot be read.
    """
    if isinstance(corpus, Corpus) and corpus.word_counts:
        with closing(corpus.counted_words(progress, check)) as rows:
            for index, (word, count) in enumerate(rows):
                if check is not None and index % 4096 == 0:
                    check()
                reader.add_text(word, count)
        return
    with closing(corpus.blocks(check)) as blocks:
        for block in blocks:
            if check is not None:
                check()
            reader.feed(block.text, block.document_ends)
            if progress is not None:
                progress(block.bytes_read)


# -- Counting -----------------------------------------------------------------------------------
#
# The unique words are kept in the order of their first appearance in the corpus, for the
# `first-seen` rule for ties speaks of it. The text itself streams by and is not kept.

_Number = TypeVar("_Number", bound=np.generic)

_MOST_SPANS = 1 << 18
"""Words of which the ends are found at once: some more than a block of text has."""

_PLACES = 36
"""Bits for the bytes of a block in the number that says where in the corpus a word was met."""

_CHECK_EVERY = 0.05
"""Seconds between two looks at whether a block that is waited for is still wanted."""


class WordCounts:
    """Unique words with their counts, in the order of first appearance.

    `text` holds the words one after another as UTF-8 (or, for pieces that are kept
    although the split skips them, single bytes), `starts` has one more entry than there
    are words, `counts` are 64-bit.
    """

    def __init__(
        self,
        text: NDArray[np.uint8],
        starts: NDArray[np.int64],
        counts: NDArray[np.int64],
    ) -> None:
        self.text = text
        self.starts = starts
        self.counts = counts

    def __len__(self) -> int:
        return len(self.counts)

    def word(self, index: int) -> bytes:
        """Return the bytes of a word."""
        return self.text[self.starts[index] : self.starts[index + 1]].tobytes()

    def count(self, index: int) -> int:
        """Count how often a word occurs in the corpus."""
        return int(self.counts[index])

    def items(self) -> Iterator[tuple[bytes, int]]:
        """Yield all words with their counts, in order."""
        for index in range(len(self)):
            yield self.word(index), self.count(index)

    @property
    def total_bytes(self) -> int:
        """Count the bytes of all words in the corpus: each as often as it occurs."""
        return int(np.dot(np.diff(self.starts), self.counts))

    @classmethod
    def from_pairs(
        cls, pairs: Iterable[tuple[str, int]], recipe: Recipe, *, compiled: bool | None = None
    ) -> WordCounts:
        """Take words that were counted elsewhere; each is normalized and split by the recipe.

        A word that is given twice is added up. Raises ValueError for a count below 1, and for
        counts whose sums would not be 64-bit.
        """
        counter = WordCounter(recipe, compiled=compiled)
        for word, count in pairs:
            counter.add_text(word, count)
        return counter.finish()


def _check_ends(text: NDArray[np.uint8], ends: NDArray[np.int64], split: int = 0) -> None:
    last = int(ends[-1]) if len(ends) else 0
    if split == SPANS:
        last >>= 2
    if last != len(text):
        raise ValueError(f"the last document ends at byte {last} of {len(text)}")


def grown(array: NDArray[_Number], rows: int) -> NDArray[_Number]:
    """Return the array itself if it has as many rows, else a longer copy, zeros at the end."""
    if rows <= len(array):
        return array
    grown = np.zeros((max(rows, len(array) * 2), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


def _most_words(slots: int) -> int:
    """Tell how many words a table may have."""
    return slots * 3 // 4


class WordTable:
    """A growing hash table from words to counts, and to where each was met first.

    At most three quarters of its slots are taken, for searching on costs less than a table that is
    too large for the processor's caches; `bpe_gui.bpe.kernels.counting` says what is in them.
    """

    def __init__(self, compiled: bool | None) -> None:
        slots = 1 << 10
        self._compiled = compiled
        self._slots = np.zeros((slots, 4), np.uint64)
        self._store = np.empty(slots * 4, np.uint8)
        self._starts = np.zeros(_most_words(slots) + 1, np.int64)
        self._firsts = np.zeros(_most_words(slots), np.int64)
        self._size = np.zeros(2, np.int64)
        self._spans = np.empty(0, np.int64)

    def count(
        self,
        split: int,
        text: NDArray[np.uint8],
        document_ends: NDArray[np.int64],
        count: int = 1,
        place: int = 0,
    ) -> None:
        """Split concatenated documents, and count their words.

        `split` and `document_ends` are what `for_scanner` makes of them, `place` is where in the
        corpus the text begins, behind all that was counted before.
        Raises ValueError unless the last document ends with the text.
        """
        _check_ends(text, document_ends, split)
        kernel = count_words.form(self._compiled)
        begin = 0
        while begin < len(text):
            spans = self._scan(split, text, document_ends, begin)
            done = 0
            while done < len(spans):
                done, begin = kernel(text, begin, spans, done, count, place, *self._arrays)
                if done < len(spans):
                    self._grow()

    def __len__(self) -> int:
        """Tell how many different words there are."""
        return int(self._size[0])

    @property
    def text_size(self) -> int:
        """Count the bytes of all different words together."""
        return int(self._starts[self._size[0]])

    @property
    def starts(self) -> NDArray[np.int64]:
        """Find where each different word begins in their bytes, and where the last of them ends."""
        return self._starts[: int(self._size[0]) + 1]

    def find(
        self,
        split: int,
        text: NDArray[np.uint8],
        document_ends: NDArray[np.int64],
        begin: int,
        words: NDArray[np.int32],
        places: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Split documents from byte `begin` on, and write down their words one by one.

        `words` receives each word's index in the order of first appearance, `places`, if it is not
        empty, the byte at which it begins. Ends with the text or when these are full: returns the
        byte to go on from, and how many words were written. Raises ValueError unless the last
        document ends with the text.
        """
        _check_ends(text, document_ends, split)
        kernel = find_words.form(self._compiled)
        found = 0
        while begin < len(text):
            spans = self._scan(split, text, document_ends, begin)
            done = 0
            while done < len(spans):
                done, begin, more = kernel(
                    *(text, begin, spans, done, *self._arrays), *(words[found:], places[found:])
                )
                found += more
                if done < len(spans):
                    if found == len(words):
                        return begin, found
                    self._grow()
        return begin, found

    def number(
        self,
        split: int,
        text: NDArray[np.uint8],
        ends: NDArray[np.int64],
        document_ends: NDArray[np.int64],
    ) -> NDArray[np.int32]:
        """Split concatenated documents, and return the index of each word in order.

        `split` and `ends` are what `for_scanner` makes of the documents. NO_WORD marks what
        the split drops, and at the end of each document. Raises ValueError unless the last document
        ends with the text.
        """
        _check_ends(text, ends, split)
        _check_ends(text, document_ends)
        words = np.empty(len(text) + len(document_ends), np.int32)
        kernel = number_words.form(self._compiled)
        begin = document = written = 0
        while begin < len(text):
            spans = self._scan(split, text, ends, begin)
            done = 0
            while done < len(spans):
                done, begin, document, written = kernel(
                    *(text, begin, spans, done, document_ends, document),
                    *(*self._arrays, words, written),
                )
                if done < len(spans):
                    self._grow()
        return words[:written]

    def _scan(
        self, split: int, text: NDArray[np.uint8], document_ends: NDArray[np.int64], begin: int
    ) -> NDArray[np.int64]:
        """Find where spans end, from byte `begin` on: as many as there is room for."""
        if split == SPANS:
            first = int(np.searchsorted(document_ends, begin << 2 | 3, side="right"))
            return document_ends[first : first + _MOST_SPANS]
        room = min(len(text) - begin, _MOST_SPANS) + WINDOW
        if len(self._spans) < room:
            self._spans = np.empty(room, np.int64)
        kernel = scan.form(self._compiled)
        found, _ = kernel(split, text, document_ends, begin, character_classes(), self._spans)
        return self._spans[:found]

    def words_from(self, index: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the bytes of the words from an index on, one after another, and where each ends.
        """
        starts = self._starts[index : int(self._size[0]) + 1]
        return self._store[starts[0] : starts[-1]].copy(), starts[1:] - starts[0]

    def merge(self, other: WordTable) -> None:
        """Add the words of another table; a word was met first where either met it first."""
        self._merge(other._store, other._starts, other._counts(), other._firsts)

    def append(self, words: WordCounts, place: int) -> None:
        """Add words from further on in the corpus; `place` is behind all that were added before."""
        firsts = np.arange(place, place + len(words), dtype=np.int64)
        self._merge(words.text, words.starts, words.counts, firsts)

    def _merge(
        self,
        text: NDArray[np.uint8],
        starts: NDArray[np.int64],
        counts: NDArray[np.int64],
        firsts: NDArray[np.int64],
    ) -> None:
        kernel = merge_words.form(self._compiled)
        done = 0
        while True:
            done = kernel(text, starts, counts, firsts, done, *self._arrays)
            if done == len(counts):
                return
            self._grow()

    def finish(self) -> WordCounts:
        """Return what was counted, the words in the order in which they were met first."""
        size = len(self)
        order = np.argsort(self._firsts[:size], kind="stable")
        starts = np.zeros(size + 1, np.int64)
        text = np.empty(self.text_size, np.uint8)
        arrange.form(self._compiled)(self._store, self._starts, order, text, starts)
        return WordCounts(text, starts, self._counts()[order])

    def _counts(self) -> NDArray[np.int64]:
        """Return the counts of all words, in the order in which they were entered."""
        entries = self._slots[:, WORD_AND_LENGTH]
        taken = entries > 0
        counts = np.empty(len(self), np.int64)
        counts[(entries[taken] >> np.uint64(32)).astype(np.int64) - 1] = self._slots[taken, COUNT]
        return counts

    @property
    def _arrays(self) -> tuple[NDArray[np.generic], ...]:
        return self._slots, self._store, self._starts, self._firsts, self._size

    def _grow(self) -> None:
        """Make the room that a kernel asked for; what is short is doubled at least."""
        size, length = (int(number) for number in self._size)
        used = int(self._starts[size])
        if used + length > len(self._store):
            self._store = grown(self._store, used + length)
        if size == len(self._firsts):
            slots = np.zeros((2 * len(self._slots), 4), np.uint64)
            rehash.form(self._compiled)(self._slots, slots)
            self._slots = slots
            self._starts = grown(self._starts, _most_words(len(slots)) + 1)
            self._firsts = grown(self._firsts, _most_words(len(slots)))


class WordCounter:
    """Counts the words of documents that come in pieces.

    Pieces are gathered to blocks that end where every split begins a new word, and
    counted on several threads, each into its table. The tables are added up in the
    end, and the words ordered by where in the corpus they were met first.

    `check` is called while a block is waited for and while a regex is matched, and may raise
    to give all up.
    """

    def __init__(
        self,
        recipe: Recipe,
        *,
        compiled: bool | None = None,
        block: int = BLOCK,
        threads: int | None = None,
        check: Callable[[], None] | None = None,
    ) -> None:
        take_in_large_steps()
        self._recipe = recipe
        self._compiled = compiled
        self._check = check
        self._given_up = Event()
        self._block = block
        self._table = WordTable(compiled)
        self._tables: dict[int, WordTable] = {}
        self._place = 0
        self._total = 0
        self._gatherer = Gatherer(recipe, block=block, compiled=compiled)
        self._threads = threads or min(4, os.cpu_count() or 1)
        self._pool = ThreadPoolExecutor(self._threads, "count-words")
        self._pending: deque[Future[None]] = deque()

    def feed(self, text: bytes, document_ends: NDArray[np.int64]) -> None:
        """Take the next piece of the corpus, valid UTF-8.

        `document_ends` are the ascending byte offsets in the piece at which documents
        end; what comes after the last of them goes on in the next piece. Raises RecipeError
        for a document that is too long for a recipe that needs to see the whole of it, and
        PatternError if a regex takes too long. Of bytes that are no UTF-8 it makes some words or
        other, or raises UnicodeDecodeError.
        """
        gathered = self._gatherer.take(text, document_ends)
        if gathered is not None:
            self._submit(gathered)

    def add_text(self, text: str, count: int) -> None:
        """Count a short document as if it occurred that many times.

        Raises ValueError for a count below 1, CorpusError where the sum of all is too large.
        """
        if count < 1:
            raise ValueError(f"the count of {shown(text)} must be at least 1, not {count}")
        encoded = normalize(text, self._recipe.normalizers).encode("utf-8")
        if encoded:
            self._total += int(count) * (len(encoded) + 1)  # exact, whatever the count's type
            if self._total > MAX_TOTAL:
                raise CorpusError(f"with {shown(text)} the counts add up to too much; divide them")
            data, ends = np.frombuffer(encoded, np.uint8), np.array([len(encoded)], np.int64)
            split, ends = for_scanner(data, ends, self._recipe)
            self._table.count(split, data, ends, count, self._place)
            self._place += len(data)

    def finish(self) -> WordCounts:
        """End the last document and give out what was counted. Call it once."""
        self._submit(self._gatherer.finish())
        while self._pending:
            self._collect()
        self.close()
        tables = sorted([self._table, *self._tables.values()], key=len)
        largest = tables.pop()
        for table in tables:
            largest.merge(table)
        return largest.finish()

    def close(self) -> None:
        """Give up the threads; what is under way ends first, what waits does not begin."""
        self._given_up.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, documents: Documents) -> None:
        if not documents.text:
            return
        # Blocks may get longer when they are normalized: so each has its number.
        self._place = (self._place >> _PLACES) + 1 << _PLACES
        if len(documents.text) < self._block // 16 and not self._pending:
            with timeout(check=self._check):
                self._count(documents, self._table, self._place)
            return
        while len(self._pending) > self._threads:
            self._collect()
        self._pending.append(self._pool.submit(self._count_watched, documents, self._place))

    def _collect(self) -> None:
        counted = self._pending.popleft()
        while self._check is not None and not wait([counted], _CHECK_EVERY).done:
            self._check()
        counted.result()

    def _count_watched(self, documents: Documents, place: int) -> None:
        """Count on a thread of the pool, where nobody else would hear that it is given up.

        Each thread has a table, and takes blocks in the order of the corpus.
        """

        def check() -> None:
            if self._given_up.is_set():
                raise Cancelled

        table = self._tables.setdefault(get_ident(), WordTable(self._compiled))
        with timeout(check=check):
            self._count(documents, table, place)

    def _count(self, documents: Documents, table: WordTable, place: int) -> None:
        documents = documents.normalized(self._recipe.normalizers)
        data = np.frombuffer(documents.text, np.uint8)
        split, ends = for_scanner(data, documents.ends, self._recipe)
        table.count(split, data, ends, place=place)


def count_corpus(
    corpus: Corpus | Texts,
    recipe: Recipe,
    *,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    compiled: bool | None = None,
    threads: int | None = None,
) -> WordCounts:
    """Read a corpus from its sources, or from memory, and count its words.

    `progress` and `cancelled` are as for `read_into`; the latter is asked also while a regex
    is matched. `threads` count beside the one that reads; by default one for each processor, four
    at most. Raises CorpusError for what cannot be read, Cancelled if it was given up.

    >>> from bpe_gui.bpe.formats import Texts
    >>> from bpe_gui.bpe.recipe import preset
    >>> words = count_corpus(Texts(["low low lower"]), preset("whitespace"))
    >>> list(words.items())
    [(b'low', 2), (b'lower', 1)]
    """
    if isinstance(corpus, Corpus) and (counted := _counted_before(corpus, recipe)) is not None:
        return counted
    check = check_of(cancelled)
    counter = WordCounter(recipe, compiled=compiled, threads=threads, check=check)
    try:
        read_into(counter, corpus, progress=progress, check=check)
        return counter.finish()
    finally:
        counter.close()


# -- Words that were counted before -------------------------------------------------------------


def save_words(words: WordCounts, recipe: Recipe, path: str | Path) -> None:
    """Write words as a Parquet file, from which the same recipe is trained as from the corpus.

    Raises CorpusError if pyarrow is missing, OSError.
    """
    from bpe_gui.bpe import recipe_io

    columnar.write_words(path, words.text, words.starts, words.counts, recipe_io.to_json(recipe))


def _counted_before(corpus: Corpus, recipe: Recipe) -> WordCounts | None:
    """Read the words that `save_words` has written; None if the corpus is something else.

    Raises CorpusError if they were split or normalized by another recipe.
    """
    path = path_or_url(corpus.sources[0])
    if not corpus.word_counts or len(corpus.sources) > 1 or not columnar.is_word_table(path):
        return None
    written = columnar.recipe_of_words(path)
    if written is None:
        return None
    from bpe_gui.bpe import recipe_io

    by = recipe_io.from_json(written)
    if (by.split, by.normalizers) != (recipe.split, recipe.normalizers):
        raise CorpusError(
            f"{path} has words of the recipe {by.name}, which normalizes or splits otherwise than "
            f"{recipe.name}; train with that, or count the corpus again with this recipe"
        )
    parts = [rows for rows, _ in columnar.word_rows(path)]
    sizes = np.concatenate([[0], *(np.diff(rows.starts) for rows in parts)])
    return WordCounts(
        np.concatenate([np.empty(0, np.uint8), *(rows.text for rows in parts)]),
        np.cumsum(sizes, dtype=np.int64),
        np.concatenate([np.empty(0, np.int64), *(rows.counts for rows in parts)]),
    )


# -- Initial ids --------------------------------------------------------------------------------

_FEW = 1 << 15
"""Bytes below which Python's own decoder is faster, and symbols below which sorting is."""

END_OF_WORD_SUFFIX_KEY = 1 << 21
"""Added to the number of a byte or character that ends a word, where the marker is joined."""
END_OF_WORD_KEY = 1 << 22
"""The key of an end-of-word marker that is a separate symbol."""
FALLBACK_KEY = END_OF_WORD_KEY - len(FALLBACK_TOKENS)
"""Added to a byte that a character falls back to: above all characters, marked ones included."""


class InitialIds(Struct, frozen=True):
    """Words as sequences of ids: word w is `symbols[starts[w]:starts[w + 1]]`."""

    base: BaseVocabulary
    symbols: NDArray[np.int32]
    starts: NDArray[np.int64]


def to_initial_ids(words: WordCounts, recipe: Recipe) -> InitialIds:
    """Number the alphabet and spell every unique word with it.

    Raises UnicodeDecodeError for words that are no UTF-8, if their symbols are characters.

    >>> from bpe_gui.bpe.recipe import preset
    >>> words = WordCounts.from_pairs([("low", 5)], preset("whitespace"))
    >>> spelled = to_initial_ids(words, preset("whitespace"))
    >>> spelled.base.texts, spelled.symbols.tolist()
    (('</w>', 'l', 'o', 'w'), [1, 2, 3, 0])
    """
    if recipe.byte_level:
        return _bytes(words, recipe)
    return _characters(words, recipe)


def _bytes(words: WordCounts, recipe: Recipe) -> InitialIds:
    given = () if recipe.inherited is None else recipe.inherited.symbols
    whole = recipe.inherited_whole_words
    keys = byte_keys(words, recipe)
    if recipe.alphabet is Alphabet.BYTES:
        used = all_byte_keys(recipe)
    else:
        own = (symbol_key(symbol, recipe) for symbol in set(given).difference(whole))
        used = sorted({*distinct_keys(keys).tolist(), *own})
    letters = [byte_symbol_text(key) for key in used]
    base = BaseVocabulary.of(recipe, [*letters, *whole])
    token = dict(zip(base.texts, range(len(base)), strict=True))
    ids = np.full(used[-1] + 1 if used else 0, -1, np.int32)
    ids[used] = [token[letter] for letter in letters]
    symbols, starts = ids[keys], words.starts
    found, tokens = find_whole_words(
        words.text, starts[:-1], starts[1:], base.whole_words(recipe)
    )
    if not len(found):
        return InitialIds(base, symbols, starts)
    kept = within_none(len(symbols), starts[found] + 1, starts[found + 1])
    symbols[starts[found]] = tokens
    return InitialIds(base, symbols[kept], np.append(0, np.cumsum(kept))[starts])


def byte_keys(words: WordCounts, recipe: Recipe) -> NDArray[np.uint8] | NDArray[np.int32]:
    """Number the bytes of all words: each by itself, unless it is marked as the end of a word."""
    if recipe.end_of_word is not EndOfWord.JOINED:
        return words.text
    keys = words.text.astype(np.int32)
    keys[words.starts[1:] - 1] += END_OF_WORD_SUFFIX_KEY
    return keys


def all_byte_keys(recipe: Recipe) -> list[int]:
    """List the numbers of the symbols of an alphabet of all bytes, ascending."""
    offsets = (0, END_OF_WORD_SUFFIX_KEY) if recipe.end_of_word is EndOfWord.JOINED else (0,)
    return [offset + byte for offset in offsets for byte in range(256)]


def find_whole_words(
    data: NDArray[np.uint8],
    begins: NDArray[np.int64],
    ends: NDArray[np.int64],
    whole: Mapping[bytes, int],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Find which of some words are single symbols, and the ids of these symbols.

    whole: the bytes of such words with their ids.

    >>> text = np.frombuffer(b"low lower", np.uint8)
    >>> find_whole_words(text, np.array([0, 3]), np.array([3, 9]), {b" lower": 300})
    (array([1]), array([300], dtype=int32))
    """
    sizes = np.array(sorted({len(word) for word in whole}), np.int64)
    places = np.flatnonzero(np.isin(ends - begins, sizes))
    spans = zip(begins[places].tolist(), ends[places].tolist(), strict=True)
    written = data.tobytes() if len(places) else b""
    tokens = np.array([whole.get(written[begin:end], -1) for begin, end in spans], np.int32)
    return places[tokens >= 0], tokens[tokens >= 0]


def within_none(
    size: int, begins: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell which of `size` places are in none of some spans, which do not overlap.

    >>> within_none(5, np.array([1]), np.array([3])).tolist()
    [True, False, False, True, True]
    """
    depth = np.zeros(size + 1, np.int64)
    np.add.at(depth, begins, 1)
    np.add.at(depth, ends, -1)
    outside: NDArray[np.bool_] = np.cumsum(depth[:-1]) == 0
    return outside


def _characters(words: WordCounts, recipe: Recipe) -> InitialIds:
    keys = code_points(words.text)
    starts = characters_before(words.text, words.starts)
    if recipe.end_of_word is EndOfWord.JOINED:
        keys[starts[1:] - 1] += END_OF_WORD_SUFFIX_KEY
    elif recipe.end_of_word is EndOfWord.OWN:
        keys = np.insert(keys, starts[1:], END_OF_WORD_KEY).astype(np.int32)
        starts = starts + np.arange(len(starts))
    if recipe.keeps_fallback:
        keys, starts = _fall_back(words, keys, starts, recipe)
    used = distinct_keys(keys).tolist()
    if recipe.byte_fallback:
        used += [FALLBACK_KEY + byte for byte in BYTE_OF_FALLBACK.values()]
    if recipe.inherited is not None:
        used = sorted({*used, *(symbol_key(symbol, recipe) for symbol in recipe.inherited.symbols)})
    base = BaseVocabulary.of(recipe, [symbol_text(key) for key in used])
    ids = np.empty(END_OF_WORD_KEY + 1, np.int32)
    ids[sorted(used, key=symbol_text)] = base.symbol_ids
    # In place: the keys are as large as the ids, four bytes for each character of the words.
    return InitialIds(base, np.take(ids, keys, out=keys, mode="clip"), starts)


def _fall_back(
    words: WordCounts, keys: NDArray[np.int32], starts: NDArray[np.int64], recipe: Recipe
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Spell the characters that the encoding lacks from which a run goes on as their bytes, but
    those that become symbols; see `Inherited.least_uses`.
    """
    assert recipe.inherited is not None
    known = [symbol_key(symbol, recipe) for symbol in recipe.inherited.symbols]
    unknown = np.isin(keys, np.setdiff1d(distinct_keys(keys), known))
    if least := recipe.inherited.least_uses:
        places = np.flatnonzero(unknown)
        kinds, kind = np.unique(keys[places], return_inverse=True)
        counts = words.counts[np.searchsorted(starts, places, "right") - 1]
        uses = np.zeros(len(kinds), np.int64)
        np.add.at(uses, kind, counts)
        unknown[places] = uses[kind] < least
    text = words.text
    sizes = np.diff(bytes_of_characters(text))
    widths = np.where(unknown, sizes, 1)
    spelled = np.repeat(keys, widths)
    spelled[np.repeat(unknown, widths)] = text[np.repeat(unknown, sizes)] + np.int32(FALLBACK_KEY)
    return spelled, np.append(0, np.cumsum(widths))[starts]


def distinct_keys(keys: NDArray[np.integer]) -> NDArray[np.int64]:
    """Find which keys of symbols occur, or which code points, ascending.

    >>> distinct_keys(np.array([98, 97, 98], np.int32)).tolist()
    [97, 98]
    """
    if len(keys) < _FEW:
        # np.unique would load numpy's masked arrays.
        ordered = np.sort(keys).astype(np.int64)
        distinct: NDArray[np.int64] = ordered[np.diff(ordered, prepend=-1) != 0]
        return distinct
    # Keys are few millions at most: a table is faster than sorting many of them, and the memory of
    # what is never used in it is never taken.
    occurs = np.zeros(END_OF_WORD_KEY + 1, np.bool_)
    as_given = keys.dtype == np.uint8
    note_keys.form(None)(keys if as_given else keys.astype(np.int32, copy=False), occurs)
    return np.flatnonzero(occurs)


def code_points(text: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Decode UTF-8. Raises UnicodeDecodeError for what is none.

    >>> code_points(np.frombuffer("aé".encode(), np.uint8)).tolist()
    [97, 233]
    """
    points = np.empty(len(text), np.int32)
    found = NOT_UTF8 if len(text) < _FEW else decode_utf8.form(None)(text, points)
    if found == NOT_UTF8:  # or little text; Python's own decoder says what is wrong
        return np.frombuffer(text.tobytes().decode().encode("utf-32-le"), "<i4").astype(np.int32)
    return points[:found]


def symbol_text(key: int) -> str:
    """Tell how the vocabulary writes a symbol: a character, a character with the marker, or it."""
    if key == END_OF_WORD_KEY:
        return END_OF_WORD
    if key >= FALLBACK_KEY:
        return FALLBACK_TOKENS[key - FALLBACK_KEY]
    if key >= END_OF_WORD_SUFFIX_KEY:
        return chr(key - END_OF_WORD_SUFFIX_KEY) + END_OF_WORD
    return chr(key)


def byte_symbol_text(key: int) -> str:
    """Tell how the vocabulary writes a byte, or a byte with the marker.

    >>> byte_symbol_text(ord(" ")), byte_symbol_text(ord("w") + END_OF_WORD_SUFFIX_KEY)
    ('Ġ', 'w</w>')
    """
    if key >= END_OF_WORD_SUFFIX_KEY:
        return CHARACTER_OF_BYTE[key - END_OF_WORD_SUFFIX_KEY] + END_OF_WORD
    return CHARACTER_OF_BYTE[key]


def symbol_key(text: str, recipe: Recipe) -> int:
    """Invert `symbol_text` or `byte_symbol_text`, for a symbol of the recipe.

    >>> from bpe_gui.bpe.recipe import preset
    >>> symbol_text(symbol_key("w</w>", preset("char-bpe")))
    'w</w>'
    """
    if recipe.end_of_word is EndOfWord.OWN and text == END_OF_WORD:
        return END_OF_WORD_KEY
    if recipe.byte_fallback and text in BYTE_OF_FALLBACK:
        return FALLBACK_KEY + BYTE_OF_FALLBACK[text]
    joined = recipe.end_of_word is EndOfWord.JOINED and len(text) > 1
    letter = text[0] if joined else text
    number = BYTE_OF_CHARACTER[letter] if recipe.byte_level else ord(letter)
    return number + END_OF_WORD_SUFFIX_KEY if joined else number
