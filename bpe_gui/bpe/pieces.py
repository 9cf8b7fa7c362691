"""Pieces of a corpus gathered to blocks that can be normalized and split by themselves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.normalize import normalize
from bpe_gui.bpe.recipe import Normalizer, Recipe
from bpe_gui.bpe.sources.stamps import FileStamp
from bpe_gui.bpe.streaming import check_held, safe_cut

if TYPE_CHECKING:
    from bpe_gui.bpe.corpus import Corpus

BLOCK = 1 << 20
"""Bytes that are scanned at once: large enough to spread the cost of a call, small
enough that a pause or a stop is answered within some ten milliseconds."""


class CountingCancelled(Exception):  # noqa: N818 - not an error
    """Reading and counting was given up because the caller's `cancelled` said so."""


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents that stand one after another, valid UTF-8.

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
        """The last place in the piece where every split begins a new word, or 0.

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
    """A check that raises CountingCancelled as soon as `cancelled` says yes."""
    if cancelled is None:
        return None

    def check() -> None:
        if cancelled():
            raise CountingCancelled

    return check


def read_into(
    reader: Reader,
    corpus: Corpus,
    *,
    progress: Callable[[int], None] | None = None,
    check: Check | None = None,
    note: Callable[[FileStamp], None] | None = None,
) -> None:
    """Read a corpus from its sources.

    `progress` is called with the bytes read so far, about once a megabyte; `check` as often,
    also while a pipe has nothing to read; `note` is told what each file was that has been read.
    Raises CorpusError for what cannot be read.
    """
    if corpus.word_counts:
        with closing(corpus.counted_words(progress, check, note)) as rows:
            for index, (word, count) in enumerate(rows):
                if check is not None and index % 4096 == 0:
                    check()
                reader.add_text(word, count)
        return
    with closing(corpus.blocks(check, note)) as blocks:
        for block in blocks:
            if check is not None:
                check()
            reader.feed(block.text, block.document_ends)
            if progress is not None:
                progress(block.bytes_read)
