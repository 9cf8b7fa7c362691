"""All that is known of one token of any encoding: the page about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.concordance import CONTEXT, Occurrence
from bpe_gui.analysis.corpus_beginning import read_corpus_beginning
from bpe_gui.analysis.derivation import MergeTree, merge_tree_by
from bpe_gui.analysis.token_life import TokenLife, is_counted, token_life
from bpe_gui.analysis.token_properties import is_broken
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import Encoding, RankedMerge, lock_of, marks_ends_of_words
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.suspicious import Suspicious, suspicious
from bpe_gui.encodings.vocabularies.vocabulary import (
    Check,
    Vocabulary,
    encode_each_within,
    vocabulary_of,
)

MAX_PLACES = 500
"""At most this many places of the text are given."""
CORPUS_SIZE = 1_000_000
"""Bytes of text at the beginning of a corpus in which places are looked for."""
_AROUND = 6
"""How many tokens are given that are used just a little more, and less, often."""


class UsedToken(Struct, frozen=True):
    """A token by its id and bytes, its marker included, and how often the text has it."""

    token: int
    content: bytes
    uses: int


class InOther(Struct, frozen=True):
    """Tell how another encoding writes the bytes of a token.

    token: the id of the same bytes; None if it has no such token. parts: as which tokens it writes
    them then, by their bytes, markers included; none for bytes that are no text.
    """

    name: str
    token: int | None
    parts: tuple[bytes, ...] = ()


class TokenFacts(Struct, frozen=True, eq=False):
    """Hold what is known of a token.

    found, row: the vocabulary with its suspicious tokens, and the row of the token in it.
    merge: the merge that made it. tree: the merges behind it, by rank; None if none made it.
    contents: the bytes of all tokens in the tree, by id.
    others: how the other encodings write the same bytes.
    uses: how often the text has the token. used: how many tokens the text uses.
    rank: its place among the tokens of the text by use, from 1, equally frequent ones by id; None
        if it is not used.
    neighbours: those that are used about as often, the most frequent first, without itself.
    variants: tokens that differ in case and space alone, without itself.
    places: where the text has it, the first ones.
    life: how often it occurs in the corpus after every merge, if it is of a run that was counted.
    """

    found: Suspicious
    row: int
    merge: RankedMerge | None
    tree: MergeTree | None
    contents: dict[int, bytes]
    others: tuple[InOther, ...]
    uses: int
    rank: int | None
    used: int
    neighbours: tuple[UsedToken, ...]
    variants: tuple[UsedToken, ...]
    places: tuple[Occurrence, ...]
    life: TokenLife | None

    def marked(self, token: int) -> bytes:
        """Return the bytes of a token of the encoding, its marker included."""
        row = self.found.vocabulary.row_of(token)
        assert row is not None, "it is a token of the encoding"
        return self.found.vocabulary.marked(row)

    @property
    def encoding(self) -> Encoding:
        """Return the encoding that the token is of."""
        return self.found.vocabulary.encoding

    @property
    def token(self) -> int:
        """Return the id of the token."""
        return int(self.found.vocabulary.ids[self.row])

    @property
    def content(self) -> bytes:
        """Return the bytes of text in the token."""
        return self.found.vocabulary.contents[self.row]

    def sentences(self) -> list[str]:
        """Say why the token is suspicious; a short text that does not have it is no reason."""
        reasons = self.found.telling_reasons(self.row)
        return [self.found.sentence(self.row, reason) for reason in reasons]


def token_facts(
    encoding: Encoding,
    token: int,
    others: Sequence[Encoding] = (),
    text: str = "",
    check: Check | None = None,
    known: Suspicious | None = None,
) -> TokenFacts:
    """Gather what is known of a token.

    others: encodings whose ids of the same bytes are wanted. text: where examples and uses are
    taken from; special tokens in it are read as text. known: the answer about another token of the
    same encoding, which saves time. Raises EncodingError for an unknown id, and if the encoding
    cannot tokenize the text.
    """
    with lock_of(encoding).hold():
        encoding.token_bytes(token)  # raises EncodingError
        if known is not None and known.vocabulary.encoding is not encoding:
            known = None
        vocabulary = vocabulary_of(encoding, check) if known is None else known.vocabulary
        tokens = encoding.encode(text, specials_as_text=True)
        uses = vocabulary.uses(tokens.ids)
        paths = None if known is None else known.paths
        found = suspicious(vocabulary, uses if text else None, check, paths)
        merge = encoding.merge(token)
        tree = None if merge is None else merge_tree_by(token, _merges(encoding))
        made_of = set() if tree is None else set(tree.tokens)
        contents = {part: encoding.token_bytes(part) for part in made_of}
    row = vocabulary.row_of(token)
    assert row is not None, "its bytes are known"
    by_use = np.lexsort((np.arange(len(uses)), -uses))[: np.count_nonzero(uses)]
    place = int(np.flatnonzero(by_use == row)[0]) if uses[row] else None
    neighbours = by_use[:0]
    if place is not None:
        neighbours = by_use[max(0, place - _AROUND) : place + _AROUND + 1]
    content = vocabulary.contents[row]
    return TokenFacts(
        found,
        row,
        merge,
        tree,
        contents,
        tuple(_in_other(other, content) for other in others),
        int(uses[row]),
        None if place is None else place + 1,
        len(by_use),
        _used(vocabulary, uses, neighbours, row),
        _used(vocabulary, uses, vocabulary.variants(row), row),
        _places(text, tokens, token, content),
        _life(encoding, token),
    )


def _used(
    vocabulary: Vocabulary, uses: NDArray[np.int64], rows: Iterable[int], without: int
) -> tuple[UsedToken, ...]:
    """Return the tokens of some rows, without one of them."""
    return tuple(
        UsedToken(int(vocabulary.ids[row]), vocabulary.marked(row), int(uses[row]))
        for row in rows
        if row != without
    )


class CorpusPlaces(Struct, frozen=True):
    """Hold the first places of a token in a corpus, and whether all of that was looked through."""

    places: tuple[Occurrence, ...]
    is_whole: bool


def places_in_corpus(
    encoding: Encoding, token: int, corpus: Corpus, is_cancelled: Callable[[], bool]
) -> CorpusPlaces | None:
    """Find where the beginning of a corpus has a token; special tokens in it are read as text.

    Returns None for a corpus that can be read only once. Raises CorpusError as reading the corpus
    does, EncodingError if the encoding cannot tokenize it, and Cancelled.
    """
    beginning = read_corpus_beginning(corpus, is_cancelled, CORPUS_SIZE)
    if beginning is None:
        return None
    content = encoding.token_bytes(token)
    found: list[Occurrence] = []
    for text, count in beginning.texts:
        if is_cancelled():
            raise Cancelled
        with lock_of(encoding).hold():
            tokens = encoding.encode(text, specials_as_text=True)
        found += _places(text, tokens, token, content, count)
        if len(found) >= MAX_PLACES:
            break
    return CorpusPlaces(tuple(found[:MAX_PLACES]), beginning.is_whole)


def _places(
    text: str, tokens: Tokens, token: int, content: bytes, count: int = 1
) -> tuple[Occurrence, ...]:
    """Find the first places of a token in a text, with what is around it."""
    first = np.flatnonzero(tokens.ids == token)[:MAX_PLACES]
    if not len(first):
        return ()
    data = text.encode("utf-8")
    spans = zip(tokens.starts[first].tolist(), tokens.ends[first].tolist(), strict=True)
    return tuple(
        Occurrence(data[max(0, a - CONTEXT) : a], (content,), data[b : b + CONTEXT], count)
        for a, b in spans
    )


def _merges(encoding: Encoding) -> Callable[[int], tuple[int, int, int] | None]:
    """Return a function that finds merges as `merge_tree_by` wants them."""

    def merge_of(part: int) -> tuple[int, int, int] | None:
        merge = encoding.merge(part)
        return None if merge is None else (merge.rank, merge.left, merge.right)

    return merge_of


def _in_other(other: Encoding, content: bytes) -> InOther:
    with lock_of(other).hold():
        token = other.token_to_id(content) if content else None
        if token is not None or is_broken(content):
            return InOther(other.name, token)
        (ids,) = encode_each_within(other, [content.decode("utf-8")])
        # A character without a token has no bytes in the other encoding.
        spell = other.marked_token_bytes if marks_ends_of_words(other) else other.token_bytes
        parts = tuple(spell(part) if part >= 0 else b"" for part in ids)
    return InOther(other.name, None, parts)


def _life(encoding: Encoding, token: int) -> TokenLife | None:
    """Find the life of a token of a run; None where its counts are not known."""
    if not isinstance(encoding, TrainedEncoding) or not is_counted(encoding.history):
        return None
    life = token_life(encoding.history, token)
    return life if life.total else None
