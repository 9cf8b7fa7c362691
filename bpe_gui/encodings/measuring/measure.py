"""Measuring encodings on whole files and folders, and texts that stream by in pieces."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.grouped_counts import GroupedCounts
from bpe_gui.analysis.metrics import Counts, Metrics, histogram
from bpe_gui.analysis.pre_token_counts import are_countable
from bpe_gui.bpe.corpus import Block, Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.regexes import timeout
from bpe_gui.bpe.tokenizer import ByteTokens, Tokens
from bpe_gui.encodings.base import (
    EncodesTexts,
    Encoding,
    EncodingError,
    KnowsSafeCuts,
    continued,
)
from bpe_gui.encodings.measuring.shared_pre_tokens import SharedPreTokens
from bpe_gui.encodings.ours import SharedCuts
from bpe_gui.encodings.rebuilt import rebuilt

# -- Texts in pieces ----------------------------------------------------------------------------
#
# A text streams by in pieces whose tokens, one after another, are those of the whole: a piece
# ends with a document, or where the encoding itself says that no token changes. A text without
# such a place is held whole, up to a bound.

PIECE = 1 << 18
"""Bytes that are gathered before a place to cut at is looked for."""

MAX_WHOLE = 8 << 20
"""Bytes of a text without such a place that are held: the libraries take 100 to 240 times as much
memory while they tokenize it, which is 2 GB at the most."""

MAX_IDS_HELD = 10_000_000
"""How many ids are held that are decoded together."""


class _Pieces:
    """Puts blocks of text together to pieces, and ends these where it changes no token."""

    def __init__(self, encoding: Encoding, name: str, *, specials_as_text: bool = False) -> None:
        self._encoding = encoding
        self._name = name
        self._specials_as_text = specials_as_text
        self._parts: list[bytes] = []
        self._ends: list[int] = []
        self._size = 0
        self._enough = PIECE
        self._continues = False

    def feed(
        self, text: bytes, document_ends: NDArray[np.int64]
    ) -> Iterator[tuple[bytes, list[int], bool]]:
        """Take the next block; gives out what has become a piece, its documents' ends, and whether
        the first of them has begun before, so that `continued` encodes it.

        Raises EncodingError for a document that is too long to be held.
        """
        self._ends += (document_ends + self._size).tolist()
        self._parts.append(text)
        self._size += len(text)
        if self._size < self._enough:
            return
        data = b"".join(self._parts)
        whole = self._ends[-1] if self._ends else 0
        place = whole + self._safe_cut(data[whole:])
        if place > whole:
            self._ends.append(place)
        if place:
            yield data[:place], self._ends, self._continues
            self._ends = []
            self._continues = place > whole
        self._parts, self._size = [data[place:]], len(data) - place
        if self._size > MAX_WHOLE:
            raise EncodingError(
                f"{self._name} has more than {MAX_WHOLE >> 20} MB without a place where "
                f"{self._encoding.name} is known to begin a token, and no more is tokenized at "
                "once; split it into shorter documents"
            )
        # To look again and again at what has no such place would take the square of the time.
        self._enough = max(PIECE, min(2 * self._size, MAX_WHOLE + 1))

    def rest(self) -> Iterator[tuple[bytes, list[int], bool]]:
        """Return what is left when all blocks have been taken."""
        if self._size:
            yield b"".join(self._parts), self._ends, self._continues

    def _safe_cut(self, data: bytes) -> int:
        if not isinstance(self._encoding, KnowsSafeCuts):
            return 0
        return self._encoding.safe_cut(data, specials_as_text=self._specials_as_text)


def pieces(
    encoding: Encoding, blocks: Iterable[bytes], name: str, *, specials_as_text: bool = False
) -> Iterator[str]:
    """Return the text in pieces, none of them empty, to be encoded one by one: the first by the
    encoding, the others by its `continued`.

    `blocks` are the UTF-8 of the text, each of whole characters, `name` is what to call it.
    Raises EncodingError if there is no place to cut it at in more than MAX_WHOLE bytes.
    """
    made = _Pieces(encoding, name, specials_as_text=specials_as_text)
    for block in blocks:
        for data, _, _ in made.feed(block, np.empty(0, np.int64)):
            yield data.decode("utf-8")
    for data, _, _ in made.rest():
        yield data.decode("utf-8")


@runtime_checkable
class DecodesApart(Protocol):
    """An encoding that can tell whether it decodes token by token."""

    @property
    def decodes_apart(self) -> bool:
        """Tell whether the bytes of ids are those of each id, one after another."""


def decoded(encoding: Encoding, parts: Iterable[Sequence[int]], name: str) -> Iterator[bytes]:
    """Return the bytes of ids that come in parts, as soon as they are certain.

    `name` is what to call where they come from. Raises EncodingError for an unknown id, and for
    more than MAX_IDS_HELD that have to be decoded together.
    """
    if isinstance(encoding, DecodesApart) and encoding.decodes_apart:
        yield from map(encoding.decode_bytes, parts)
        return
    held = array("q")
    for part in parts:
        held.extend(part)
        if len(held) > MAX_IDS_HELD:
            raise EncodingError(
                f"{name} has more than {MAX_IDS_HELD:,} ids, and {encoding.name} has to see all "
                "of them at once to decode them; decode them in several parts"
            )
    if held:
        yield encoding.decode_bytes(held.tolist())


# -- Measuring ----------------------------------------------------------------------------------


@runtime_checkable
class EncodesDocuments(Protocol):
    """An encoding that cuts many documents at once, faster than one by one."""

    @property
    def unknown_ids(self) -> Sequence[int]:
        """Return the unknown tokens, NO_TOKEN apart."""

    def encode_documents(
        self,
        data: bytes,
        document_ends: NDArray[np.int64],
        *,
        specials_as_text: bool = False,
        continues: bool = False,
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Cut concatenated documents in UTF-8.

        `document_ends` ascend, the last of them is the end of `data`; `continues` tells that the
        first document has begun elsewhere. Returns the first token of each, with one entry more,
        and the tokens.
        """


@runtime_checkable
class EncodesPreTokens(Protocol):
    """An encoding that splits texts by a recipe, and cuts what comes of it one by one."""

    @property
    def recipe(self) -> Recipe:
        """Return the recipe that texts are prepared by."""

    @property
    def unknown_ids(self) -> Sequence[int]:
        """Return the unknown tokens, NO_TOKEN apart."""

    def encode_pre_tokens(
        self,
        text: NDArray[np.uint8],
        ends: NDArray[np.int64],
        *,
        cuts: SharedCuts | None = None,
        begin: int = 0,
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Cut concatenated pre-tokens in normalized UTF-8.

        `ends` are where they end. `cuts` keeps what other encodings of the same run need as well;
        `begin` tells the pre-tokens that it is about from others. Returns the first token of each,
        with one entry more, and the tokens.
        """


class Document:
    """A single document that is read once, as a pipe is, for `measure` in place of a corpus.

    `blocks` are its UTF-8, each of whole characters, `name` is what to call it.
    """

    skipped_files: Mapping[str, int] = MappingProxyType({})

    def __init__(self, blocks: Iterable[bytes], name: str) -> None:
        self.name = name
        self._blocks = blocks

    def blocks(self, waiting: Callable[[], None] | None = None) -> Generator[Block, None, None]:
        """Return the document, as a corpus gives it out."""
        done = 0
        for text in self._blocks:
            done += len(text)
            yield Block(text, np.empty(0, np.int64), done)
        yield Block(b"", np.array([0]), done)


class Measured(Struct, frozen=True, eq=False):
    """The numbers of a corpus under one encoding.

    counts: what the metrics were made of, to be added to those of other corpora.
    skipped_files: names and sizes of files in folders that are no text.
    """

    metrics: Metrics
    documents: int
    counts: Counts
    skipped_files: Mapping[str, int] = {}

    @property
    def loss(self) -> str:
        """Say in a few words whether decoding the tokens gives the corpus back.

        Measuring does not decode them, so a loss is known only of unknown characters.
        """
        return unchecked_loss(self.metrics)


def measure(
    encoding: Encoding,
    corpus: Corpus | Document,
    *,
    specials_as_text: bool = False,
    shared: SharedPreTokens | None = None,
    progress: Callable[[int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Measured:
    """Read a corpus from its sources and measure an encoding on it.

    What is read of it is `shared` with other encodings, if that is given.

    `progress` is called with the bytes read so far, `cancelled` is asked, both about once a
    megabyte or document, the latter also while a pipe has nothing to read or a regex of a
    recipe is matched; when it says yes, Cancelled is raised. A table of word counts is
    measured as if each word were a document that occurs so often. Raises CorpusError for what
    cannot be read, EncodingError for a document that is too long and for a regex that takes too
    long.
    """
    [measured] = measure_all(
        [encoding],
        corpus,
        specials_as_text=specials_as_text,
        shared=shared,
        progress=progress,
        cancelled=cancelled,
    )
    if isinstance(measured, EncodingError):
        raise measured
    return measured


def measure_all(
    encodings: Sequence[Encoding],
    corpus: Corpus | Document,
    *,
    specials_as_text: bool = False,
    shared: SharedPreTokens | None = None,
    progress: Callable[[int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[Measured | EncodingError]:
    """Do as `measure`, for several encodings; what can be read only once is read once.

    The error of an encoding that cannot be measured is returned in its place.
    """

    def check() -> None:
        if cancelled is not None and cancelled():
            raise Cancelled

    report = progress or (lambda bytes_read: None)
    tallies = [_Tally(encoding, specials_as_text, check) for encoding in encodings]
    waiting = check if cancelled is not None else None
    if isinstance(corpus, Corpus) and corpus.word_counts:
        with closing(corpus.counted_words(progress, waiting)) as rows:
            _of_words(tallies, rows)
        return [tally.result() for tally in tallies]
    remaining = tallies
    if shared is None and isinstance(corpus, Corpus) and corpus.find_size(check) is not None:
        shared = SharedPreTokens(corpus)
    if shared is not None:
        remaining = []
        for tally in tallies:
            with tally.noting_failure():
                if not tally.add_corpus(shared, report):
                    remaining.append(tally)
    if remaining:
        _of_texts(remaining, corpus, waiting, report)
    return [tally.result() for tally in tallies]


def measure_groups(
    encoding: Encoding,
    data: bytes,
    document_ends: NDArray[np.int64],
    group_ends: NDArray[np.int64],
    *,
    name: str,
    specials_as_text: bool = False,
    check: Callable[[], None] | None = None,
) -> GroupedCounts:
    """Measure concatenated documents in UTF-8, and groups of their bytes.

    The ends ascend, and the last ones are the end of `data`; groups end within no word. `check` is
    called every now and then, and may raise to give up. `name` is what to call the text. Raises
    EncodingError as `measure` does.
    """
    counts = GroupedCounts(group_ends)
    rebuild = len(data) >= _WORTH_REBUILDING
    tally = _Tally(encoding, specials_as_text, check or (lambda: None), counts, rebuild=rebuild)
    gathering = tally.pieces(name)
    done = 0
    while done < len(data):
        end = min(done + PIECE, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        ends = document_ends[(document_ends > done) & (document_ends <= end)] - done
        for piece in gathering.feed(data[done:end], ends):
            tally.add(*piece)
        done = end
    for piece in gathering.rest():
        tally.add(*piece)
    return counts


def _of_texts(
    tallies: Sequence[_Tally],
    corpus: Corpus | Document,
    waiting: Callable[[], None] | None,
    progress: Callable[[int], object],
) -> None:
    """Measure on the texts themselves, as they stream by, until all encodings have failed."""
    remaining = [(tally, tally.pieces(corpus.name)) for tally in tallies]
    with closing(corpus.blocks(waiting)) as blocks:
        for block in blocks:
            if waiting is not None:
                waiting()
            for tally, gathering in remaining:
                tally.documents += len(block.document_ends)
                with tally.noting_failure():
                    for piece in gathering.feed(block.text, block.document_ends):
                        tally.add(*piece)
                        progress(block.bytes_read)
            remaining = [pair for pair in remaining if pair[0].failure is None]
            if not remaining:
                return
    for tally, gathering in remaining:
        with tally.noting_failure():
            for piece in gathering.rest():
                tally.add(*piece)
        tally.skipped_files = corpus.skipped_files
    progress(block.bytes_read)


def _of_words(tallies: Sequence[_Tally], rows: Iterable[tuple[str, int]]) -> None:
    """Measure words that were counted elsewhere, each of them a document."""
    remaining = list(tallies)
    for word, count in rows:
        data = word.encode("utf-8")
        for tally in remaining:
            with tally.noting_failure():
                tally.add(data, [len(data)], times=count)
            tally.documents += count
        remaining = [tally for tally in remaining if tally.failure is None]


def unchecked_loss(metrics: Metrics) -> str:
    """Tell what is known of a text that has been measured and not decoded, in a few words."""
    return f"lossy: {metrics.unknowns:,} unknown" if metrics.unknowns else "not checked"


_KINDS_AT_ONCE = 1 << 17
"""Different pre-tokens that are cut at once."""


_WORTH_REBUILDING = 4 << 20
"""Bytes of a text that take a library longer than making our own form of its encoding."""


_TOGETHER = 1 << 16
"""Bytes of documents that a library tokenizes at once, which takes 240 times as much memory."""


_MOST_CUT = 1 << 21
"""Bytes of different pre-tokens that are kept cut for all encodings of a run: some 90 MB."""


class _Tally:
    """Counts what an encoding makes of documents."""

    def __init__(
        self,
        encoding: Encoding,
        specials_as_text: bool,
        check: Callable[[], None],
        counts: Counts | None = None,
        *,
        rebuild: bool = True,
    ) -> None:
        self._encoding = encoding
        self._specials_as_text = specials_as_text
        self._check = check
        self._counts = Counts() if counts is None else counts
        self._rebuilt = rebuilt(encoding, specials_as_text=specials_as_text) if rebuild else None
        self._asked = np.empty(0, np.int64)
        self._unknown: dict[int, bytes] = {}
        self.documents = 0
        self.skipped_files: Mapping[str, int] = {}
        self.failure: EncodingError | None = None

    @contextmanager
    def noting_failure(self) -> Iterator[None]:
        """Note an EncodingError as the failure of this encoding, which ends its measuring alone."""
        try:
            yield
        except EncodingError as error:
            self.failure = error

    def pieces(self, name: str) -> _Pieces:
        """Make what cuts a text of that name into pieces for `add`."""
        return _Pieces(self._encoding, name, specials_as_text=self._specials_as_text)

    def add_corpus(self, shared: SharedPreTokens, progress: Callable[[int], object]) -> bool:
        """Count a corpus by its different pre-tokens; returns whether these tell all."""
        encoding = self._rebuilt or self._encoding
        if not isinstance(encoding, EncodesPreTokens) or not are_countable(encoding.recipe):
            return False
        specials = () if self._specials_as_text else encoding.recipe.matched_special_tokens
        if any(token.split() != [token] for token in specials):
            return False  # it might be divided: no text is within a word between white space
        found = shared.of(encoding.recipe, specials, check=self._check, progress=progress)
        if found is None:
            return False
        if self._rebuilt is not None and not self._rebuilt.agrees_on(found.samples):
            self._rebuilt = None
            return False
        self._note(encoding.unknown_ids)
        pre_tokens = found.pre_tokens
        cuts = found.cuts if len(pre_tokens.text) <= _MOST_CUT else None
        for begin in range(0, len(pre_tokens), _KINDS_AT_ONCE):
            self._check()
            starts = pre_tokens.starts[begin : begin + _KINDS_AT_ONCE + 1]
            text = pre_tokens.text[starts[0] : starts[-1]]
            first, tokens = encoding.encode_pre_tokens(
                text, starts[1:] - starts[0], cuts=cuts, begin=begin
            )
            self._counts.add_pre_tokens(pre_tokens, begin, first, tokens, self._unknown)
        self._counts.add_size(pre_tokens)
        self.documents += pre_tokens.documents
        self.skipped_files = found.skipped_files
        return True

    def add(
        self, data: bytes, ends: Sequence[int], continues: bool = False, *, times: int = 1
    ) -> None:
        """Count a piece of a text, see `_Pieces.feed`, or whole documents, which occur so often.

        continues: whether the first of them is the rest of a document.
        """
        document_ends = np.array(ends, np.int64)
        if isinstance(self._encoding, EncodesDocuments):
            self._check()
            with timeout(check=self._check):
                first, tokens = self._encoding.encode_documents(
                    *(data, document_ends),
                    specials_as_text=self._specials_as_text,
                    continues=continues,
                )
            self._note(self._encoding.unknown_ids)
            self._count(data, document_ends, tokens, times, first)
        elif not self._add_rebuilt(data, document_ends, times, continues):
            self._add_by_library(data, document_ends, times, continues)

    def _add_by_library(
        self, data: bytes, document_ends: NDArray[np.int64], times: int, continues: bool
    ) -> None:
        """Count documents that a library cuts, short ones together."""
        begin = 0
        while begin < len(document_ends):
            done = int(document_ends[begin - 1]) if begin else 0
            end = int(np.searchsorted(document_ends, done + _TOGETHER, "right"))
            end = max(end, begin + 1)
            ends = document_ends[begin:end] - done
            part = data[done : done + int(ends[-1])]
            with timeout(check=self._check):
                first, tokens = self._encoded(part, ends, continues and not begin)
            self._ask(tokens)
            self._count(part, ends, tokens, times, first)
            begin = end

    def _encoded(
        self, data: bytes, document_ends: NDArray[np.int64], continues: bool
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Encode concatenated documents by a library; see `EncodesDocuments.encode_documents`."""
        begins = [0, *document_ends[:-1].tolist()]
        texts = [
            data[begin:end].decode("utf-8")
            for begin, end in zip(begins, document_ends.tolist(), strict=True)
        ]
        encoding, as_text = self._encoding, self._specials_as_text
        found = []
        if continues:
            self._check()
            found.append(continued(encoding).encode(texts.pop(0), specials_as_text=as_text))
        if isinstance(encoding, EncodesTexts):
            self._check()
            found += encoding.encode_all(texts, specials_as_text=as_text)
        else:
            for text in texts:
                self._check()
                found.append(encoding.encode(text, specials_as_text=as_text))
        first = np.cumsum([0, *(len(tokens.ids) for tokens in found)])
        return first, ByteTokens.joined(
            [
                ByteTokens(tokens.ids, tokens.starts + begin, tokens.ends + begin)
                for tokens, begin in zip(found, begins, strict=True)
            ]
        )

    def _add_rebuilt(
        self, data: bytes, document_ends: NDArray[np.int64], times: int, continues: bool
    ) -> bool:
        """Count documents by our kernels; returns whether the encoding's library agrees."""
        if self._rebuilt is None:
            return False
        self._check()
        with timeout(check=self._check):
            found = self._rebuilt.encode_documents(data, document_ends, continues=continues)
        if found is None:
            self._rebuilt = None
            return False
        self._note(self._rebuilt.unknown_ids)
        first, tokens = found
        self._count(data, document_ends, tokens, times, first)
        return True

    def _count(
        self,
        data: bytes,
        document_ends: NDArray[np.int64],
        tokens: Tokens | ByteTokens,
        times: int,
        first_tokens: NDArray[np.int64] | None = None,
    ) -> None:
        self._counts.add(
            *(data, document_ends, tokens, self._unknown), first_tokens=first_tokens, times=times
        )

    def result(self) -> Measured | EncodingError:
        """Return all that was counted, or why it could not be."""
        if self.failure is not None:
            return self.failure
        metrics = self._counts.metrics(self._encoding.vocabulary_size)
        return Measured(metrics, self.documents, self._counts, self.skipped_files)

    def _ask(self, tokens: Tokens | ByteTokens) -> None:
        """Find out which of the tokens are unknown ones."""
        fresh = np.setdiff1d(histogram(tokens.ids)[0], self._asked, assume_unique=True)
        self._note([token for token in fresh.tolist() if self._encoding.is_unknown(token)])
        self._asked = np.append(self._asked, fresh)

    def _note(self, unknown: Sequence[int]) -> None:
        for token in unknown:
            if token != NO_TOKEN and token not in self._unknown:
                self._unknown[token] = self._encoding.token_bytes(token)
