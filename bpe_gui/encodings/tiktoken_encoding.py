"""An encoding of the `tiktoken` library: of a rank file, or one that it knows by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import tiktoken
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import EncodingError, Merge, Model, joined_contents
from bpe_gui.encodings.greedy_merging import merged
from bpe_gui.encodings.panics import is_panic
from bpe_gui.encodings.reading import shown
from bpe_gui.encodings.regex_words import Words, WordSplitter
from bpe_gui.encodings.spans import character_spans
from bpe_gui.encodings.split_patterns import cut_between_words

_LONGEST_RECOVERED = 4096
"""Bytes of the longest token whose two parts are looked for; it takes their square."""


class TiktokenEncoding:
    """A `tiktoken.Encoding`. See `base.Encoding`.

    `known_pattern` says that the split pattern is one in use, which takes no precautions.
    Another is first tried by the `regex` module, which can be stopped, as the library cannot.
    """

    model = Model.BPE
    decodes_apart = True
    longest_document = 1 << 25
    """Bytes of a document that may be held to be cut whole; it takes some 40 times as much."""

    def __init__(
        self, library: tiktoken.Encoding, name: str, *, known_pattern: bool = True
    ) -> None:
        self.name = name
        self._library = library
        self._known_pattern = known_pattern
        # The library has no public name for what it was made of.
        self.pattern: str = library._pat_str
        self.ranks: dict[bytes, int] = library._mergeable_ranks
        self.special_tokens: dict[str, int] = library._special_tokens
        self._specials = {token: text for text, token in self.special_tokens.items()}
        self._splitter = _splitter(self.pattern, self.special_tokens)

    @property
    def vocabulary_size(self) -> int:
        """How many tokens there are, special ones included."""
        return len(self.ranks) + len(self.special_tokens)

    @property
    def may_match_nothing(self) -> bool:
        """Whether the split pattern matches no characters somewhere, so far as can be known."""
        return self._splitter is not None and self._splitter.matches_nothing

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text; see `base.Encoding`.

        Raises EncodingError if the split pattern takes too long for it, or drops some of it
        and nobody can say what.
        """
        data = text.encode("utf-8")
        ids = self._encoded(text, specials_as_text)
        lengths = self._lengths(ids)
        ends = np.cumsum(lengths)
        starts = ends - lengths
        if int(lengths.sum()) != len(data):
            shift = self._dropped_before(text, specials_as_text, ids, starts, ends)
            starts, ends = starts + shift, ends + shift
        return Tokens(ids, starts, ends, *character_spans(data, starts, ends))

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Where a text can be cut; see `measuring.KnowsSafeCuts`. 0 for patterns of others."""
        specials = () if specials_as_text else self.special_tokens
        return cut_between_words(self.pattern, data, specials)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids. Raises EncodingError for an unknown id."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes of ids. Raises EncodingError for an unknown id."""
        return joined_contents(ids, self.content)

    def text(self, token: int) -> str:
        """A token in GPT-2's printable characters, a special one as it is."""
        content = self.content(token)
        return self._specials[token] if token in self._specials else to_printable(content)

    def content(self, token: int) -> bytes:
        """The bytes that a token stands for. Raises EncodingError for an unknown id."""
        try:
            return self._contents[token]
        except KeyError:
            raise EncodingError(
                f"{self.name} has no token with the id {token}; its vocabulary has "
                f"{self.vocabulary_size:,} tokens, the last of them {max(self._contents)}"
            ) from None

    def is_special(self, token: int) -> bool:
        """Whether it is one of the special tokens."""
        return token in self._specials

    def is_unknown(self, token: int) -> bool:
        """Whether it is no token: there is one for every byte."""
        return token == NO_TOKEN

    def find(self, content: bytes) -> int | None:
        """The ordinary token with this content."""
        return self.ranks.get(content)

    def merge(self, token: int) -> Merge | None:
        """Which merge made a token, as far as the ranks tell: of the two parts that its bytes
        are cut into by all lower ranks. Merges are counted in the order of the ranks.

        None for a single byte or a special token, and where there are not two such parts.
        """
        content = self.content(token)
        if self.is_special(token) or not 1 < len(content) <= _LONGEST_RECOVERED:
            return None
        parts = _cut(content, self.ranks, self.ranks[content])
        if len(parts) != 2:
            return None
        rank = int(np.searchsorted(self._merged, token))
        return Merge(rank, self.ranks[parts[0]], self.ranks[parts[1]])

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """Where words begin, in bytes of the text's UTF-8; see `base.Encoding`.

        They are those of the `regex` module; None where the library does not cut the text as
        if they were its own, or where finding them takes too long.
        """
        try:
            if not self._known_pattern:
                by_words = self._encoded_by_words(text, specials_as_text)
                if not np.array_equal(by_words, self._encoded(text, specials_as_text)):
                    return None
            return self._split(text, specials_as_text).starts
        except EncodingError:
            return None

    def normalized(self, text: str) -> str:
        """The same text: nothing is normalized."""
        return text

    # -- what the library is asked -----------------------------------------------------------

    def _encoded(self, text: str, specials_as_text: bool) -> NDArray[np.int32]:
        if not self._known_pattern and self._splitter is not None:
            self._splitter.try_out(text)
        allowed = set() if specials_as_text else self._library.special_tokens_set
        try:
            found = self._library.encode_to_numpy(
                text, allowed_special=allowed, disallowed_special=()
            )
            return found.astype(np.int32)
        except BaseException as error:
            # The library's regexes give up on a million spaces, say: limits of stack and time.
            if not (isinstance(error, ValueError) or is_panic(error)):
                raise
        return self._encoded_by_words(text, specials_as_text)

    def _encoded_by_words(self, text: str, specials_as_text: bool) -> NDArray[np.int32]:
        """The same with the splitting done here, as in the library's own slow reference."""
        words = self._split(text, specials_as_text)
        data = text.encode("utf-8")
        ids: list[int] = []
        columns = (words.starts, words.ends, words.specials)
        for start, end, special in zip(*(column.tolist() for column in columns), strict=True):
            if special == NO_TOKEN:
                ids += self._library._encode_single_piece(data[start:end])
            else:
                ids.append(special)
        return np.array(ids, np.int32)

    def _dropped_before(
        self,
        text: str,
        specials_as_text: bool,
        ids: NDArray[np.int32],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """How many bytes of the text are in no word before each token. Raises EncodingError.

        `starts` and `ends` are the tokens' places in what is left of the text.
        """
        words = self._split(text, specials_as_text)
        kept = np.cumsum(words.ends - words.starts)
        data = text.encode("utf-8")
        spans = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
        left = b"".join([data[begin:end] for begin, end in spans])
        word = np.searchsorted(kept, starts, side="right")
        if left != self.decode_bytes(ids.tolist()) or (ends > kept[word]).any():
            raise EncodingError(
                f"the split pattern {shown(self.pattern)} drops some of this text, and the "
                "tiktoken library does not say what; choose a pattern that matches everything"
            )
        return np.asarray(words.ends[word] - kept[word], np.int64)

    def _split(self, text: str, specials_as_text: bool) -> Words:
        """The words by the `regex` module. Raises EncodingError where it has none."""
        if self._splitter is None:
            raise EncodingError(
                f"the split pattern {shown(self.pattern)} is too much for the tiktoken library "
                "with this text; choose a simpler one"
            )
        return self._splitter.split(text, specials_as_text=specials_as_text)

    # -- tables, made when they are first needed ---------------------------------------------

    @cached_property
    def _contents(self) -> dict[int, bytes]:
        contents = {rank: token for token, rank in self.ranks.items()}
        contents.update((token, text.encode("utf-8")) for token, text in self._specials.items())
        return contents

    @cached_property
    def _merged(self) -> NDArray[np.int64]:
        """The ids of the ordinary tokens of several bytes, ascending."""
        return np.sort(np.array([r for t, r in self.ranks.items() if len(t) > 1], np.int64))

    @cached_property
    def _sorted_lengths(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ids = np.array(sorted(self._contents), np.int64)
        return ids, np.array([len(self._contents[token]) for token in ids.tolist()], np.int64)

    def _lengths(self, ids: NDArray[np.int32]) -> NDArray[np.int64]:
        known, lengths = self._sorted_lengths
        return lengths[np.searchsorted(known, ids)]


def _splitter(pattern: str, special_tokens: dict[str, int]) -> WordSplitter | None:
    """The pattern as the `regex` module reads it, if it does."""
    try:
        return WordSplitter(pattern, special_tokens)
    except EncodingError:
        return None


def _cut(content: bytes, ranks: dict[bytes, int], below: int) -> list[bytes]:
    """The parts that bytes are merged to by the ranks below one.

    Each step merges the two neighbours with the lowest rank, of equals the leftmost.

    >>> _cut(b"aab", {b"a": 0, b"b": 1, b"ab": 2, b"aab": 3}, 3)
    [b'a', b'ab']
    """

    def rank_of(first: int, stop: int) -> int | None:
        rank = ranks.get(content[first:stop])
        return rank if rank is not None and rank < below else None

    starts = merged(len(content), rank_of)
    return [content[first:stop] for first, stop in pairwise([*starts, len(content)])]
