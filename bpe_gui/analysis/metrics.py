"""How well an encoding does on a text, in numbers that are counted, never estimated.

What is counted are whole numbers, which add up: those of a corpus are the sum of those of
its documents. `Counts` gathers them in memory bounded by the vocabulary; `Counts.metrics`
divides, once, at the end.

- A **token** is one entry of the encoding's output. A character that an encoding leaves
  out for want of a token counts as one, as if it were replaced by an unknown token: to lose
  text must not look like compressing it.
- A **word** is what is between white space, as `str.split()` has it, so words are the
  same for every encoding. Scripts that are written without spaces between words (Chinese,
  Japanese, Thai, Khmer, Tibetan...) have no such words: a run with a character of one of
  them is counted apart, and is no part of the numbers that speak of words.
- **Tokens per word**, the fertility of Rust et al. (2021, "How Good is Your Tokenizer?",
  ACL): tokens that words are cut into, by words. A token counts for the first word that it
  touches; white space that is a separate token is no part of any word. (The paper counts
  the words of treebanks, where punctuation marks are words too; so its numbers are lower.)
- A word is **kept whole** if one token holds all of it that the encoding keeps. Punctuation
  and signs at its ends may be separate tokens, and the token may reach further, to the
  space before it for example. An unknown token keeps no word.
- The **vocabulary used** is how many different entries of it occur.
- **Rényi efficiency** is that of Zouhar et al. (2023, "Tokenization and the Noiseless
  Channel", ACL): H(p) / ln |V|, where H(p) = ln(sum of p(t)^a) / (1 - a) with a = 2.5 is the
  Rényi entropy of the tokens' relative frequencies, and |V| the size of the whole vocabulary,
  special tokens included. 1 if all tokens of the vocabulary are equally frequent, 0 if a
  single one occurs. Characters without a token are no part of it.
- **Parity** is the premium of Petrov et al. (2023, "Language Model Tokenizers Introduce
  Unfairness Between Languages", NeurIPS): tokens of a text by the tokens of its translation,
  or of the same text under another encoding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.tallying import (
    TALLIES,
    UNSPACED_WORDS,
    WHOLE_WORDS,
    WORD_TOKENS,
    WORDS,
    tally_kinds,
    tally_words,
)
from bpe_gui.analysis.pre_token_counts import PreTokenCounts
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.pre_tokenize import character_classes
from bpe_gui.bpe.tokenizer import ByteTokens, Tokens
from bpe_gui.bpe.utf8 import is_first_byte

RENYI_ORDER = 2.5
"""The order of the entropy that agreed best with the quality of translations in the paper."""

_WAITING = 1 << 18
"""Rows of histograms that are kept before they are added up, at the least."""


class Metrics(Struct, frozen=True):
    """The numbers of one text under one encoding; the module says what each means.

    A ratio without a denominator is None.
    """

    tokens: int
    characters: int
    bytes: int
    words: int
    """Words between white space, of scripts that put spaces between words."""
    unspaced_words: int
    """Runs between white space that hold a character of a script without such spaces."""
    word_tokens: int
    """Tokens that `words` are cut into."""
    whole_words: int
    """Those of `words` that are kept whole."""
    unknowns: int
    """Unknown tokens that the text does not spell out itself, and characters that are left out
    for want of a token."""
    vocabulary_used: int
    vocabulary_size: int
    renyi_efficiency: float | None

    @property
    def characters_per_token(self) -> float | None:
        """Return the mean number of characters per token."""
        return ratio(self.characters, self.tokens)

    @property
    def bytes_per_token(self) -> float | None:
        """Return the mean number of UTF-8 bytes per token: the compression."""
        return ratio(self.bytes, self.tokens)

    @property
    def tokens_per_word(self) -> float | None:
        """Compute the fertility: the average number of tokens in a word."""
        return ratio(self.word_tokens, self.words)

    @property
    def whole_share(self) -> float | None:
        """Tell which part of the words is kept whole."""
        return ratio(self.whole_words, self.words)

    @property
    def used_share(self) -> float | None:
        """Tell which part of the vocabulary occurs."""
        return ratio(self.vocabulary_used, self.vocabulary_size)

    def parity(self, reference: Metrics) -> float | None:
        """Divide the tokens by those of the reference: its translation, or it under another
        encoding.
        """
        return ratio(self.tokens, reference.tokens)


def ratio(numerator: int, denominator: int) -> float | None:
    """Return a quotient, None where nothing is divided by.

    >>> ratio(3, 2), ratio(3, 0)
    (1.5, None)
    """
    return numerator / denominator if denominator else None


def renyi_efficiency(counts: NDArray[np.int64], vocabulary_size: int) -> float | None:
    """Return the efficiency of tokens that occur so often, in any order; zeros may be among them.

    None if nothing occurs, or if the vocabulary has a single entry.

    >>> renyi_efficiency(np.array([5, 5, 0, 0]), 4)
    0.5
    """
    counts = counts[counts > 0]
    if not len(counts) or vocabulary_size < 2:
        return None
    shares = counts / counts.sum()
    power = math.log(float(np.power(shares, RENYI_ORDER).sum()))
    # A single kind of token gives -0.0 otherwise.
    return max(0.0, power / (1 - RENYI_ORDER) / math.log(vocabulary_size))


Unknown = Mapping[int, bytes]
"""The unknown tokens of an encoding besides NO_TOKEN, and what a text says that spells them out.

A token that the text itself spells out, "[UNK]", stands for itself: there nothing is unknown.
"""

NOTHING_UNKNOWN: Unknown = MappingProxyType({})


def unknown_among(text: bytes, tokens: Tokens | ByteTokens, unknown: Unknown) -> NDArray[np.bool_]:
    """Tell which tokens stand for what is unknown: not those that the text spells out."""
    among = np.isin(tokens.ids, [NO_TOKEN, *unknown])
    for place in np.flatnonzero(among & (tokens.ids != NO_TOKEN)).tolist():
        spelled = unknown[int(tokens.ids[place])]
        written = text[tokens.starts[place] : tokens.ends[place]]
        among[place] = not spelled or written != spelled
    return among


def tally(
    text: bytes,
    document_ends: NDArray[np.int64],
    tokens: Tokens | ByteTokens,
    is_unknown: NDArray[np.bool_],
    row_ends: NDArray[np.int64] | None = None,
    *,
    first_tokens: NDArray[np.int64] | None = None,
    compiled: bool | None = None,
) -> NDArray[np.int64]:
    """Tell what becomes of the words of documents, as `kernels.tallying` numbers it.

    The parameters are those of `Counts.add`, but for what `unknown_among` says of the tokens, and
    `row_ends`: the bytes at which rows of the text end, within no word. With them the result has
    an array for each row.
    """
    rows = 1 if row_ends is None else len(row_ends)
    found = np.zeros(TALLIES * rows, np.int64)
    tally_words.form(compiled)(
        np.frombuffer(text, np.uint8),
        document_ends,
        character_classes(),
        np.ascontiguousarray(tokens.starts, np.int64),
        np.ascontiguousarray(tokens.ends, np.int64),
        is_unknown,
        np.empty(0, np.int64) if first_tokens is None else first_tokens,
        document_ends if row_ends is None else row_ends,
        found,
    )
    return found if row_ends is None else found.reshape(rows, TALLIES)


def histogram(
    ids: NDArray[np.int32], times: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the different ids, ascending, and how often each occurs.

    `times` tells how often each of `ids` occurs there, once if it is None.

    >>> histogram(np.array([7, NO_TOKEN, 7], np.int32))
    (array([-1,  7]), array([1, 2]))
    """
    if not len(ids) or ids.max() > _MOST_COUNTED:
        different, which = np.unique(ids, return_inverse=True)
        each = np.zeros(len(different), np.int64)
        np.add.at(each, which, 1 if times is None else times)
        return different.astype(np.int64), each
    # Many times faster than sorting; NO_TOKEN is the number before the first id.
    numbers = ids - np.int64(NO_TOKEN)
    if times is None:
        counts = np.bincount(numbers).astype(np.int64)
    else:
        counts = np.zeros(int(numbers.max()) + 1, np.int64)
        np.add.at(counts, numbers, times)
    found = np.flatnonzero(counts)
    return found + NO_TOKEN, counts[found]


_MOST_COUNTED = 1 << 21
"""The largest id for which there may be an array with an entry for each id."""


class Counts:
    """What has been counted so far, of one encoding on any number of texts.

    Counts of several threads or files are merged; the order does not matter.
    """

    def __init__(self) -> None:
        self.characters = 0
        self.bytes = 0
        self._unknowns = 0
        self._tally = np.zeros(TALLIES, np.int64)
        self._ids = np.empty(0, np.int64)
        self._counts = np.empty(0, np.int64)
        self._waiting: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self._waiting_rows = 0

    def add(
        self,
        text: bytes,
        document_ends: NDArray[np.int64],
        tokens: Tokens | ByteTokens,
        unknown: Unknown = NOTHING_UNKNOWN,
        *,
        first_tokens: NDArray[np.int64] | None = None,
        times: int = 1,
        compiled: bool | None = None,
    ) -> None:
        """Count concatenated documents, in UTF-8, and their tokens.

        `document_ends` are where they end, in bytes, the last of them the end of the text.
        `unknown` are the encoding's unknown tokens among them (NO_TOKEN is known to be one).
        The tokens are in text order. `first_tokens` are the first of each document, with one entry
        more. Without them the places of the tokens tell their documents, but not that of a token
        of no text between two. All counts `times` as often.
        """
        data = np.frombuffer(text, np.uint8)
        self.bytes += len(data) * times
        self.characters += int(np.count_nonzero(is_first_byte(data))) * times
        is_unknown = unknown_among(text, tokens, unknown)
        self._unknowns += int(np.count_nonzero(is_unknown)) * times
        words = tally(
            *(text, document_ends, tokens, is_unknown),
            first_tokens=first_tokens,
            compiled=compiled,
        )
        self._tally += words * times
        ids, counts = histogram(tokens.ids)
        self.add_ids(ids, counts * times)

    def add_pre_tokens(
        self,
        found: PreTokenCounts,
        begin: int,
        first_tokens: NDArray[np.int64],
        tokens: ByteTokens,
        unknown: Unknown = NOTHING_UNKNOWN,
    ) -> None:
        """Count the tokens of different pre-tokens, as often as these occur.

        The k-th from `begin` on has `tokens[first_tokens[k]:first_tokens[k + 1]]`, at places in
        the text of all of these. What is there without tokens is added by `add_size`.
        """
        kinds = slice(begin, begin + len(first_tokens) - 1)
        starts = found.starts[begin : begin + len(first_tokens)]
        text = found.text[starts[0] : starts[-1]]
        is_unknown = unknown_among(text.tobytes(), tokens, unknown)
        each = np.repeat(found.counts[kinds], np.diff(first_tokens))
        self._unknowns += int(each[is_unknown].sum())
        tally_kinds.form(None)(
            *(text, starts - starts[0], character_classes()),
            *(first_tokens, tokens.starts, tokens.ends, is_unknown),
            *(found.spaced[kinds], found.whole[kinds], self._tally),
        )
        self.add_ids(*histogram(tokens.ids, each))

    def add_size(self, found: PreTokenCounts) -> None:
        """Count the words, characters and bytes of documents, but not their tokens."""
        self.bytes += found.bytes
        self.characters += found.characters
        self._tally += found.tally

    def add_ids(self, ids: NDArray[np.integer], counts: NDArray[np.int64]) -> None:
        """Count tokens by their ids; each id comes at most once. What is unknown is not told."""
        self._waiting.append((ids.astype(np.int64), counts))
        self._waiting_rows += len(ids)
        if self._waiting_rows > max(_WAITING, len(self._ids)):
            self._add_up()

    def merge(self, other: Counts) -> None:
        """Add what others have counted, of the same encoding."""
        self.characters += other.characters
        self.bytes += other.bytes
        self._unknowns += other._unknowns
        self._tally += other._tally
        self.add_ids(*other.histogram())

    def histogram(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the ids that occur, ascending (NO_TOKEN first if it does), and how often."""
        self._add_up()
        return self._ids, self._counts

    @property
    def is_unspaced(self) -> bool:
        """Tell whether most of the text is of scripts without spaces between words."""
        return bool(self._tally[UNSPACED_WORDS] > self._tally[WORDS])

    def metrics(self, vocabulary_size: int) -> Metrics:
        """Return the numbers."""
        ids, counts = self.histogram()
        known = ids != NO_TOKEN
        return Metrics(
            tokens=int(counts.sum()),
            characters=self.characters,
            bytes=self.bytes,
            words=int(self._tally[WORDS]),
            unspaced_words=int(self._tally[UNSPACED_WORDS]),
            word_tokens=int(self._tally[WORD_TOKENS]),
            whole_words=int(self._tally[WHOLE_WORDS]),
            unknowns=self._unknowns,
            vocabulary_used=int(np.count_nonzero(known)),
            vocabulary_size=vocabulary_size,
            renyi_efficiency=renyi_efficiency(counts[known], vocabulary_size),
        )

    def _add_up(self) -> None:
        if not self._waiting:
            return
        ids = np.concatenate([self._ids, *(ids for ids, _ in self._waiting)])
        counts = np.concatenate([self._counts, *(counts for _, counts in self._waiting)])
        self._ids, places = np.unique(ids, return_inverse=True)
        self._counts = np.zeros(len(self._ids), np.int64)
        np.add.at(self._counts, places, counts)
        self._waiting = []
        self._waiting_rows = 0


def metrics_of(
    text: str,
    tokens: Tokens,
    vocabulary_size: int,
    unknown: Unknown = NOTHING_UNKNOWN,
    *,
    compiled: bool | None = None,
) -> Metrics:
    """Measure one text, cut into those tokens.

    >>> from bpe_gui.bpe.tokenizer import Tokenizer
    >>> from bpe_gui.bpe.history import BaseVocabulary, History
    >>> from bpe_gui.bpe.recipe import preset
    >>> base = BaseVocabulary.of(preset("raw"), "low")
    >>> history = History.from_merges(preset("raw"), base, [(0, 1, 3)])
    >>> measured = metrics_of("low low", Tokenizer(history).encode("low low"), 4)
    >>> measured.tokens, measured.unknowns  # the space is in no token
    (5, 1)
    """
    data = text.encode("utf-8")
    counts = Counts()
    counts.add(data, np.array([len(data)]), tokens, unknown, compiled=compiled)
    return counts.metrics(vocabulary_size)
