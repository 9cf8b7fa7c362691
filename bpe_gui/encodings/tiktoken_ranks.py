"""`.tiktoken` rank files: a trained history written, any such file read by the library."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import numpy as np
import tiktoken
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.regexes import MAX_PATTERN
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import character_spans, characters_of_bytes
from bpe_gui.encodings.base import (
    EncodingError,
    ExportError,
    Merge,
    Model,
    is_panic,
    joined_contents,
)
from bpe_gui.encodings.byte_level_export import (
    check_byte_level,
    check_specials_apart,
    one_within_another,
)
from bpe_gui.encodings.greedy_merging import merged
from bpe_gui.encodings.reading import MAX_ID, MAX_TOKENS, read_bounded, shown, to_number
from bpe_gui.encodings.regex_words import Words, WordSplitter
from bpe_gui.encodings.split_patterns import NAMED_PATTERNS, cut_between_words, pattern_of
from bpe_gui.files import write_atomically

# -- The encoding -------------------------------------------------------------------------------

_LONGEST_RECOVERED = 4096
"""Bytes of the longest token whose two parts are looked for; it takes their square."""


class TiktokenEncoding:
    """A `tiktoken.Encoding`. See `base.Encoding`.

    `known_pattern` says that the split pattern is one in use, which takes no precautions.
    Another is first tried by the `regex` module, which can be stopped, as the library cannot.
    """

    model = Model.BPE
    decodes_apart = True

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
    def ids(self) -> list[int]:
        """The ids of all tokens, special ones included, ascending."""
        return sorted(self._contents)

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
        return Tokens(ids, starts, ends, *character_spans(characters_of_bytes(data), starts, ends))

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Where a text can be cut; see `measure.KnowsSafeCuts`. 0 for patterns of others."""
        specials = () if specials_as_text else self.special_tokens
        return cut_between_words(self.pattern, data, specials)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids. Raises EncodingError for an unknown id."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes of ids. Raises EncodingError for an unknown id."""
        return joined_contents(ids, self.token_bytes)

    def id_to_token(self, token: int) -> str:
        """A token in GPT-2's printable characters, a special one as it is."""
        content = self.token_bytes(token)
        return self._specials[token] if token in self._specials else to_printable(content)

    def token_bytes(self, token: int) -> bytes:
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

    def is_fallback_byte(self, token: int) -> bool:
        """Tell that none is: all tokens are bytes or merged from them."""
        return False

    def token_to_id(self, content: bytes) -> int | None:
        """The ordinary token with this content. None for no bytes, which no text is cut into."""
        return self.ranks.get(content) if content else None

    def merge(self, token: int) -> Merge | None:
        """Which merge made a token, as far as the ranks tell: of the two parts that its bytes
        are cut into by all lower ranks. Merges are counted in the order of the ranks.

        None for a single byte or a special token, and where there are not two such parts.
        """
        content = self.token_bytes(token)
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


# -- The file -----------------------------------------------------------------------------------
#
# A file of ranks has one token a line: its bytes in base 64, a space, its rank, which is its
# id and its priority in one. How text is split, and which special tokens there are, it does
# not say: both are chosen beside it, by name or explicitly. The `tiktoken` library does the
# encoding. It looks for the lowest rank among the *bytes* of neighbouring parts, where
# byte-pair encoding as trained looks for pairs of tokens; `write` makes sure that both come
# to the same.
#
# To recognise such a file by its content: `looks_like`.

FORMAT = ".tiktoken"

_END_OF_TEXT = "<|endoftext|>"
_PREFIX, _MIDDLE, _SUFFIX = "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"
_END_OF_PROMPT = "<|endofprompt|>"

KNOWN_SPECIAL_TOKENS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "gpt2": {_END_OF_TEXT: 50256},
        "r50k_base": {_END_OF_TEXT: 50256},
        "p50k_base": {_END_OF_TEXT: 50256},
        "p50k_edit": {_END_OF_TEXT: 50256, _PREFIX: 50281, _MIDDLE: 50282, _SUFFIX: 50283},
        "cl100k_base": {
            _END_OF_TEXT: 100257,
            _PREFIX: 100258,
            _MIDDLE: 100259,
            _SUFFIX: 100260,
            _END_OF_PROMPT: 100276,
        },
        "o200k_base": {_END_OF_TEXT: 199999, _END_OF_PROMPT: 200018},
    }
)
"""The special tokens of tiktoken's encodings."""

_KNOWN_SIZES = MappingProxyType(
    {
        "gpt2": 50256,
        "r50k_base": 50256,
        "p50k_base": 50280,
        "p50k_edit": 50280,
        "cl100k_base": 100256,
        "o200k_base": 199998,
    }
)
"""How many ranks the files of these encodings have."""

EMPTY = b"="
"""How a file of ranks writes a token without bytes, which Whisper's multilingual one has."""

_LINE = re.compile(rb"(?:[A-Za-z0-9+/]+={0,2}|=) [0-9]{1,10}\r?")
_NAME = re.compile(r"[\w-]+")


def looks_like(data: bytes) -> bool:
    """Whether a file that begins with these bytes (the first kilobytes) has ranks."""
    lines = data[:4096].split(b"\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return bool(whole) and all(_LINE.fullmatch(line) for line in whole)


# -- reading ---------------------------------------------------------------------------------


def read(
    path: str | Path,
    pattern: str,
    special_tokens: Mapping[str, int] | str | None = None,
    *,
    name: str = "",
) -> TiktokenEncoding:
    """Load a rank file with a split pattern and special tokens.

    pattern: a name of `split_patterns.NAMED_PATTERNS` or a regular expression.
    special_tokens: texts and their ids, or a name of KNOWN_SPECIAL_TOKENS. None stands for
        those of the encoding that the pattern is named after if the file has as many ranks
        as that has, and else for none: another vocabulary has other special tokens.

    Raises EncodingError if any of them makes no sense, OSError if the file is unreadable.
    """
    ranks = parse(read_bounded(path), path)
    if special_tokens is None:
        own = _KNOWN_SIZES.get(pattern) == len(ranks)
        special_tokens = KNOWN_SPECIAL_TOKENS[pattern] if own else {}
    return make(ranks, pattern, special_tokens, name=name or Path(path).name)


def parse(data: bytes, path: str | Path) -> dict[bytes, int]:
    """The tokens of a rank file and their ranks, in the file's order. Raises EncodingError."""
    ranks: dict[bytes, int] = {}
    taken: dict[int, bytes] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if not line:
            continue
        where = f"{path}, line {number:,}"
        fields = line.split()
        rank = to_number(fields[1]) if len(fields) == 2 else None
        if rank is None:
            raise EncodingError(
                f"{where}: expected a token in base 64 and its rank, a number up to {MAX_ID:,}, "
                f"but found {shown(line)}"
            )
        try:
            token = token_of(fields[0])
        except binascii.Error:
            raise EncodingError(f"{where}: {shown(fields[0])} is not base 64") from None
        if token in ranks:
            raise EncodingError(f"{where}: the token {shown(token)} has a rank already")
        if rank in taken:
            raise EncodingError(
                f"{where}: the rank {rank} is that of the token {shown(taken[rank])} already"
            )
        if len(ranks) == MAX_TOKENS:
            raise EncodingError(f"{path} has more than {MAX_TOKENS:,} tokens")
        ranks[token] = rank
        taken[rank] = token
    if not ranks:
        raise EncodingError(f"{path} has no tokens: it is empty")
    return ranks


def token_of(field: bytes) -> bytes:
    """Decode a token in base 64. Raises binascii.Error.

    A lone = is the empty token, as `tiktoken.load` reads it. No text reaches its id.

    >>> token_of(b"IGE="), token_of(b"=")
    (b' a', b'')
    """
    return b"" if field == EMPTY else base64.b64decode(field, validate=True)


def make(
    ranks: Mapping[bytes, int],
    pattern: str,
    special_tokens: Mapping[str, int] | str = MappingProxyType({}),
    *,
    name: str,
) -> TiktokenEncoding:
    """An encoding of ranks; the arguments are those of `read`. Raises EncodingError."""
    if isinstance(special_tokens, str):
        special_tokens = _known_special_tokens(special_tokens)
    missing = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if missing:
        raise EncodingError(
            f"{name} has no token for the byte {missing[0]:#04x}; the tiktoken library needs one "
            "for each of the 256 bytes"
        )
    _check_special_tokens(special_tokens, ranks, name)
    regex_pattern = _pattern(pattern)
    try:
        library = tiktoken.Encoding(
            name,
            pat_str=regex_pattern,
            mergeable_ranks=dict(ranks),
            special_tokens=dict(special_tokens),
        )
    except BaseException as error:
        if not (isinstance(error, ValueError) or is_panic(error)):
            raise
        raise EncodingError(
            f"the split pattern {shown(pattern)} is not a regular expression that the tiktoken "
            f"library understands: {str(error).splitlines()[0]}"
        ) from None
    encoding = TiktokenEncoding(library, name, known_pattern=pattern in NAMED_PATTERNS)
    if encoding.may_match_nothing:
        raise EncodingError(
            f"the split pattern {shown(pattern)} can match no characters at all, which the "
            "tiktoken library does not survive; write + for *, say"
        )
    return encoding


def check_pattern(pattern: str) -> None:
    """Raise EncodingError if no ranks could be read with a split pattern; see `read`.

    The library's own engine decides, with the 256 bytes for ranks.
    """
    make({bytes([byte]): byte for byte in range(256)}, pattern, name="the bytes")


def _pattern(pattern: str) -> str:
    if pattern in NAMED_PATTERNS:
        return NAMED_PATTERNS[pattern]
    if not pattern or _NAME.fullmatch(pattern):
        raise EncodingError(
            f"there is no split pattern under the name {shown(pattern)}; the known names are "
            f"{', '.join(NAMED_PATTERNS)}, and what has more than letters, digits, - and _ in it "
            "is a regular expression"
        )
    if len(pattern) > MAX_PATTERN:
        raise EncodingError(
            f"a split pattern of {len(pattern):,} characters is not read; it may have "
            f"{MAX_PATTERN:,}"
        )
    return pattern


def _known_special_tokens(name: str) -> Mapping[str, int]:
    if name not in KNOWN_SPECIAL_TOKENS:
        raise EncodingError(
            f"there are no special tokens under the name {shown(name)}; the known names are "
            f"{', '.join(KNOWN_SPECIAL_TOKENS)}"
        )
    return KNOWN_SPECIAL_TOKENS[name]


def _check_special_tokens(
    special_tokens: Mapping[str, int], ranks: Mapping[bytes, int], name: str
) -> None:
    taken: dict[int, bytes | str] = {rank: token for token, rank in ranks.items()}
    for text, token in special_tokens.items():
        what = f"the special token {shown(text)}"
        if not text:
            raise EncodingError("a special token cannot be empty")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise EncodingError(f"{what} is not valid Unicode text") from None
        if isinstance(token, bool) or not isinstance(token, int) or not 0 <= token <= MAX_ID:
            raise EncodingError(
                f"{what} has the id {shown(str(token))}, which is no number from 0 to {MAX_ID:,}"
            )
        if token in taken:
            raise EncodingError(
                f"{what} has the id {token}, which {name} has for {shown(taken[token])} already"
            )
        taken[token] = text
    pair = one_within_another(tuple(special_tokens))
    if pair is not None:
        raise EncodingError(
            f"one special token begins with another, {shown(pair[0])} and {shown(pair[1])}, and "
            "the tiktoken library does not say which of them it finds; leave one of them out"
        )


# -- writing ---------------------------------------------------------------------------------


def write(history: History, path: str | Path, position: int | None = None) -> None:
    """Write the ranks at a position (the last, if None); each is our id.

    The file holds neither the split nor the special tokens: `beside` gives what to read it
    with. Raises ExportError, and leaves the file as it was, if the format cannot hold the
    recipe or tiktoken would merge otherwise; OSError if the file cannot be written.
    """
    if position is None:
        position = len(history)
    check(history, position)
    tokens = range(history.base.special, history.vocabulary_size(position))
    write_atomically(path, _lines(history, tokens))


def beside(history: History) -> tuple[str, dict[str, int]]:
    """The split pattern and the special tokens that `read` needs for what `write` wrote.

    Raises ExportError if the split is no regular expression.
    """
    pattern_of(history.recipe.split, FORMAT)
    specials = {token: index for index, token in enumerate(history.recipe.special_tokens)}
    return history.recipe.split, specials


def check(history: History, position: int) -> None:
    """Raise ExportError if tiktoken would not give our ids with the ranks at a position."""
    check_byte_level(history, position, FORMAT)
    check_specials_apart(history, FORMAT)
    beside(history)
    _check_merges(history, position)


def _lines(history: History, tokens: range) -> Iterator[str]:
    for token in tokens:
        yield f"{base64.b64encode(history.token_bytes(token)).decode('ascii')} {token}\n"


_BATCH = 1 << 20
"""Bytes of tokens that are cut at once."""

_SMALL = 1 << 14
"""Bytes that interpreted kernels cut sooner than compiled ones are loaded."""


def _check_merges(history: History, position: int) -> None:
    """Make sure that looking for bytes finds the same merges as looking for pairs.

    It does if every token's own bytes are merged to that token, and no two tokens have the
    same: then, whatever stands around them, those bytes stand as one pair of tokens only
    at the moment of the merge, for tokens that stand side by side in some text also do so
    alone. What was trained is like that, a history made otherwise may not be.
    """
    base = history.base
    id_of_byte = np.empty(256, np.int32)
    for token in base.symbol_ids:
        id_of_byte[base.contents[token][0]] = token
    seen: set[bytes] = set()
    batch: list[bytes] = []
    size = 0
    first = len(base)
    for token in range(first, history.vocabulary_size(position)):
        content = history.token_bytes(token)
        if content in seen:
            raise ExportError(
                f"{FORMAT} cannot hold two tokens with the same bytes, and there are two for "
                f"{shown(content)}; save it as tokenizer.json"
            )
        seen.add(content)
        batch.append(content)
        size += len(content)
        if size >= _BATCH:
            _check_batch(history, position, batch, first, id_of_byte)
            first, batch, size = token + 1, [], 0
    _check_batch(history, position, batch, first, id_of_byte)


def _check_batch(
    history: History,
    position: int,
    contents: list[bytes],
    first: int,
    id_of_byte: NDArray[np.int32],
) -> None:
    """The same of tokens numbered from `first` on."""
    lengths = np.array([len(content) for content in contents], np.int64)
    starts = np.cumsum(lengths) - lengths
    symbols = id_of_byte[np.frombuffer(b"".join(contents), np.uint8)]
    compiled = False if len(symbols) < _SMALL else None
    segmentation = Segmentation(history, symbols, starts, compiled=compiled)
    begins, ids = segmentation.tokens(position)
    places = np.searchsorted(begins, starts)
    parts = np.diff(np.append(places, len(begins)))
    expected = np.arange(first, first + len(contents))
    wrong = np.flatnonzero((parts != 1) | (ids[places] != expected))
    if len(wrong):
        raise ExportError(
            f"{FORMAT} cannot hold these merges, for tiktoken would take "
            f"{shown(contents[int(wrong[0])])} for one token where the merges make several; "
            "save it as tokenizer.json"
        )
