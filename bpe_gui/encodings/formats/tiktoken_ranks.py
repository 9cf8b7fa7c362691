"""`.tiktoken` rank files: the encoding that the library makes of one, and the export of a run."""

from __future__ import annotations

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

from bpe_gui.analysis.kernels.last_pairs import last_pairs
from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.jit import compiled_by_default
from bpe_gui.bpe.normalize import Normalized, normalize, normalize_aligned
from bpe_gui.bpe.recipe import Normalizer
from bpe_gui.bpe.regexes import MAX_PATTERN
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import bytes_of_characters, character_spans, characters_of_bytes
from bpe_gui.encodings.base import (
    EncodingError,
    ExportError,
    Model,
    RankedMerge,
    is_panic,
    no_such_token,
)
from bpe_gui.encodings.formats.byte_level_export import (
    check_byte_level,
    check_specials_apart,
    prefix_pair,
)
from bpe_gui.encodings.formats.rank_families import (
    EMPTY,
    KNOWN_SIZES,
    KNOWN_SPECIAL_TOKENS,
    encode_token,
    family_of,
    name_of_file,
)
from bpe_gui.encodings.formats.split_patterns import (
    NAMED_PATTERNS,
    NORMALIZED_PATTERNS,
    SplitsByPattern,
    pattern_of,
)
from bpe_gui.encodings.formats.tokenizer_config import config_beside
from bpe_gui.encodings.formats.untrusted_files import MAX_ID, MAX_TOKENS, read_bounded, to_number
from bpe_gui.encodings.greedy_merging import merge_greedily
from bpe_gui.encodings.regex_words import Words, WordSplitter, byte_spans
from bpe_gui.files import write_atomically
from bpe_gui.progress import counted

# -- The encoding -------------------------------------------------------------------------------

MAX_RECOVERED = 4096
"""Bytes of the longest token whose merge is recovered; the time grows with their square."""


_SHORT = 200
"""The characters up to which no known pattern comes near a limit of the library."""


class TiktokenEncoding(SplitsByPattern):
    """Encode with a `tiktoken.Encoding`. See `base.Encoding`.

    guess: what of it was guessed, in one clause; empty if nothing was.
    family: the family that its ranks were recognised as; empty if none was looked for.
    normalizers: the steps that change a text before it is split.
    known_pattern: whether the split pattern is a common one, which needs no precautions. Any other
        is first tried by the `regex` module, which can be stopped, while the library cannot.
    """

    model = Model.BPE

    def __init__(
        self,
        library: tiktoken.Encoding,
        name: str,
        *,
        known_pattern: bool = True,
        normalizers: tuple[Normalizer, ...] = (),
        guess: str = "",
        family: str = "",
    ) -> None:
        self.name = name
        self.guess = guess
        self.family = family
        self.normalizers = normalizers
        self._library = library
        self._known_pattern = known_pattern
        # The library has no public names for these.
        self.pattern: str = library._pat_str
        self.ranks: dict[bytes, int] = library._mergeable_ranks
        self.special_tokens: dict[str, int] = library._special_tokens
        self._splitter = _splitter(self.pattern, self.special_tokens)

    @property
    def vocabulary_size(self) -> int:
        """Count the tokens, special ones included."""
        return len(self.ranks) + len(self.special_tokens)

    @property
    def ids(self) -> list[int]:
        """List the ids of all tokens, special ones included, ascending."""
        return sorted(self._contents)

    @property
    def may_match_nothing(self) -> bool:
        """Tell whether the split pattern can match no characters, as far as is known."""
        return self._splitter is not None and self._splitter.matches_nothing

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Tokenize a text.

        Raises EncodingError if the split pattern takes too long, or drops a part of the text that
        cannot be determined.
        """
        data = text.encode("utf-8")
        if self.normalizers:
            made = normalize_aligned(text, self.normalizers)
            if made.starts is not None:
                return self._encoded_normalized(data, made, specials_as_text)
        ids = self._encoded(text, specials_as_text)
        known, known_lengths = self._sorted_lengths
        lengths = known_lengths[np.searchsorted(known, ids)]
        ends = np.cumsum(lengths)
        starts = ends - lengths
        if int(lengths.sum()) != len(data):
            shift = self._dropped_before(text, specials_as_text, ids, starts, ends)
            starts, ends = starts + shift, ends + shift
        return Tokens(ids, starts, ends, *character_spans(characters_of_bytes(data), starts, ends))

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokenize short texts; see `base.EncodesBatches`."""
        if self.normalizers:
            texts = list(map(self.normalized, texts))
        # Lists are faster than arrays. A text that exceeds a limit of the library makes it panic.
        plain = self._library.encode_ordinary if self._known_pattern else None
        return [
            plain(text) if plain and len(text) <= _SHORT else self._encoded(text, True).tolist()
            for text in texts
        ]

    def _encoded_normalized(
        self, data: bytes, made: Normalized, specials_as_text: bool
    ) -> Tokens:
        """Tokenize a normalized text; tokens cover what their characters were made of."""
        tokens = self.encode(made.text, specials_as_text=specials_as_text)
        firsts, lasts = made.columns()
        kinds, which = np.unique(tokens.ids, return_inverse=True)
        starts, ends = byte_spans(
            data,
            firsts[tokens.char_starts],
            lasts[np.maximum(tokens.char_ends - 1, 0)],
            [self.token_bytes(token) for token in kinds.tolist()],
            which,
        )
        places = character_spans(characters_of_bytes(data), starts, ends)
        return Tokens(tokens.ids, starts, ends, *places)

    def id_to_token(self, token: int) -> str:
        """Spell a token in GPT-2's printable characters, a special one as it is."""
        content = self.token_bytes(token)
        return self._specials[token] if token in self._specials else to_printable(content)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a token stands for. Raises EncodingError for an unknown id."""
        try:
            return self._contents[token]
        except KeyError:
            raise no_such_token(self, token) from None

    def token_to_id(self, content: bytes) -> int | None:
        """Find the ordinary token with these bytes; None for no bytes, which no text has."""
        return self.ranks.get(content) if content else None

    def merge(self, token: int) -> RankedMerge | None:
        """Recover the merge that made a token: its bytes, merged by all lower ranks, are two parts.

        Merges are counted in the order of the ranks. None for a single byte or a special token,
        and if there are not two parts.
        """
        content = self.token_bytes(token)
        if self.is_special(token) or not 1 < len(content) <= MAX_RECOVERED:
            return None
        parts = _merge(content, self.ranks, self.ranks[content])
        if len(parts) != 2:
            return None
        rank = int(np.searchsorted(self._merged, token))
        return RankedMerge(rank, self.ranks[parts[0]], self.ranks[parts[1]])

    def last_pair(self, token: int) -> tuple[int, int] | None:
        """Find the two tokens that become a token wherever the library merges its bytes.

        They are those of `merge`, unless their own ranks are higher. None if its bytes are not
        merged to two tokens, so only a word as a whole can be the token.
        """
        content = self.token_bytes(token)

        def rank_of(first: int, stop: int) -> int | None:
            return None if stop - first == len(content) else self.ranks.get(content[first:stop])

        starts = merge_greedily(len(content), rank_of)
        if len(starts) != 2:
            return None
        return self.ranks[content[: starts[1]]], self.ranks[content[starts[1] :]]

    def last_pairs(self) -> dict[int, tuple[int, int]]:
        """Find the `last_pair` of each ordinary token that has one."""
        if not compiled_by_default():
            each = ((token, self.last_pair(token)) for token in self._merged.tolist())
            return {token: pair for token, pair in each if pair is not None}
        tokens = sorted(self.ranks, key=self.ranks.__getitem__)
        ids = np.array([self.ranks[content] for content in tokens], np.int64)
        lefts, rights = last_pairs(tokens)
        made = np.flatnonzero(lefts >= 0)
        pairs = zip(ids[lefts[made]].tolist(), ids[rights[made]].tolist(), strict=True)
        return dict(zip(ids[made].tolist(), pairs, strict=True))

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """Find where words begin, in bytes of the text's UTF-8; see `base.Encoding`.

        The `regex` module finds them. None if the library's tokens do not agree with these words,
        or if finding them takes too long.
        """
        if self.normalizers and self.normalized(text) != text:
            return self._normalized_words(text, specials_as_text)
        try:
            if not self._known_pattern:
                by_words = self._encoded_by_words(text, specials_as_text)
                if not np.array_equal(by_words, self._encoded(text, specials_as_text)):
                    return None
            return self._split(text, specials_as_text).starts
        except EncodingError:
            return None

    def _normalized_words(self, text: str, specials_as_text: bool) -> NDArray[np.int64] | None:
        """Find where the words of the normalized text begin, in bytes of the text."""
        made = normalize_aligned(text, self.normalizers)
        found = self.words(made.text, specials_as_text=specials_as_text)
        if found is None:
            return None
        characters = characters_of_bytes(made.text.encode("utf-8"))[found]
        return np.unique(bytes_of_characters(text.encode("utf-8"))[made.columns()[0][characters]])

    def normalized(self, text: str) -> str:
        """Normalize a text; most rank files have no normalization."""
        return normalize(text, self.normalizers)

    # -- calls of the library ----------------------------------------------------------------

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
            # The library's regexes fail on a million spaces, say: limits of stack and time.
            if not (isinstance(error, ValueError) or is_panic(error)):
                raise
        return self._encoded_by_words(text, specials_as_text)

    def _encoded_by_words(self, text: str, specials_as_text: bool) -> NDArray[np.int32]:
        """Encode a text that is split here, as in the library's own slow reference."""
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
        """Count the bytes before every token that are in no word. Raises EncodingError.

        starts, ends: the tokens' bytes in the text without what the split drops.
        """
        words = self._split(text, specials_as_text)
        in_words = np.cumsum(words.ends - words.starts)
        data = text.encode("utf-8")
        spans = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
        remaining = b"".join([data[begin:end] for begin, end in spans])
        word = np.searchsorted(in_words, starts, side="right")
        if remaining != self.decode_bytes(ids.tolist()) or (ends > in_words[word]).any():
            raise EncodingError(
                f"the split pattern {shown(self.pattern)} drops some of this text, and the "
                "tiktoken library does not say what; choose a pattern that matches everything"
            )
        return np.asarray(words.ends[word] - in_words[word], np.int64)

    def _split(self, text: str, specials_as_text: bool) -> Words:
        """Split a text with the `regex` module. Raises EncodingError if it cannot."""
        if self._splitter is None:
            raise EncodingError(
                f"the tiktoken library cannot split this text by the pattern "
                f"{shown(self.pattern)}; choose a simpler one"
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
        """List the ids of the ordinary tokens of several bytes, ascending."""
        return np.sort(np.array([r for t, r in self.ranks.items() if len(t) > 1], np.int64))

    @cached_property
    def _sorted_lengths(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ids = np.array(sorted(self._contents), np.int64)
        return ids, np.array([len(self._contents[token]) for token in ids.tolist()], np.int64)


def _splitter(pattern: str, special_tokens: dict[str, int]) -> WordSplitter | None:
    """Compile a pattern with the `regex` module; None if it cannot."""
    try:
        return WordSplitter(pattern, special_tokens)
    except EncodingError:
        return None


def _merge(content: bytes, ranks: dict[bytes, int], below: int) -> list[bytes]:
    """Merge bytes by the ranks below one; returns the parts.

    Every step merges the two neighbours with the lowest rank, of equal ones the leftmost.

    >>> _merge(b"aab", {b"a": 0, b"b": 1, b"ab": 2, b"aab": 3}, 3)
    [b'a', b'ab']
    """

    def rank_of(first: int, stop: int) -> int | None:
        rank = ranks.get(content[first:stop])
        return rank if rank is not None and rank < below else None

    starts = merge_greedily(len(content), rank_of)
    return [content[first:stop] for first, stop in pairwise([*starts, len(content)])]


# -- The file -----------------------------------------------------------------------------------
#
# A rank file has one token per line: its bytes in base 64, a space, and its rank, which is both its
# id and its priority. It says neither how text is split nor which special tokens there are: the
# user names both. The `tiktoken` library does the encoding. It looks for the lowest rank among the
# *bytes* of neighbouring parts, where training looks for pairs of tokens; `write` makes sure that
# both give the same tokens.

FORMAT = ".tiktoken"

_LINE = re.compile(rb"(?:[A-Za-z0-9+/]+={0,2}|=) [0-9]{1,10}\r?")
_NAME = re.compile(r"[\w-]+")


def looks_like(data: bytes) -> bool:
    r"""Tell whether a file that begins with these bytes has ranks.

    >>> looks_like(b"IQ== 0\nIg== 1\n"), looks_like(b"the cat sat\n")
    (True, False)
    """
    lines = data[:4096].split(b"\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return bool(whole) and all(_LINE.fullmatch(line) for line in whole)


# -- reading ---------------------------------------------------------------------------------


def read(
    path: str | Path,
    pattern: str | None,
    special_tokens: Mapping[str, int] | str | None = None,
    *,
    name: str = "",
) -> TiktokenEncoding:
    """Load a rank file with a split pattern and special tokens.

    pattern: a name of `split_patterns.NAMED_PATTERNS` or a regular expression. If None, it is the
        split of the family that the content is recognised as; `TiktokenEncoding.guess` says which.
    special_tokens: texts and their ids, or a name of KNOWN_SPECIAL_TOKENS. None stands for those
        of a tokenizer_config.json in the same folder if their ids are free; without them, for those
        of the encoding that the pattern is named after if the file has as many ranks as that, and
        else for none.

    Raises EncodingError if any of them is invalid or no family is recognised, OSError if the file
    is unreadable.
    """
    data = read_bounded(path)
    ranks = parse(data, path)
    guess = without = called = ""
    if pattern is None:
        family = family_of(data)
        if family is None:
            raise EncodingError(
                f"{path} has ranks but does not say how text is split, and its "
                f"{counted(len(ranks), 'entry', 'entries')} are of no known family; add the "
                f"split, like {path}@gpt2, {path}@cl100k_base, {path}@o200k_base or {path}@REGEX"
            )
        pattern, guess, without = family.split, f"read as {family.description}", family.without
        called = family.name
    if special_tokens is None:
        special_tokens = _special_tokens_beside(path, ranks)
    if special_tokens is None:
        own = KNOWN_SIZES.get(pattern) == len(ranks)
        special_tokens = KNOWN_SPECIAL_TOKENS[pattern] if own else {}
        guess += f", without {without}" if without else ""
    name = name or name_of_file(Path(path))
    return from_ranks(ranks, pattern, special_tokens, name=name, guess=guess, family=called)


def _special_tokens_beside(
    path: str | Path, ranks: Mapping[bytes, int]
) -> Mapping[str, int] | None:
    """Read the added tokens of a tokenizer_config.json beside a rank file.

    None if there is none, if it has none, or if it belongs to other ranks.
    """
    config = config_beside(path)
    found = {} if config is None else config.special_ids
    taken = set(ranks.values())
    others = any(
        token in taken or text.encode("utf-8", "replace") in ranks for text, token in found.items()
    )
    return found if found and not others else None


def parse(data: bytes, path: str | Path) -> dict[bytes, int]:
    r"""Parse the tokens of a rank file with their ranks, in the file's order.

    Raises EncodingError, which names `path` and the line.

    >>> parse(b"bG8= 256\n", "x.tiktoken")
    {b'lo': 256}
    """
    ranks: dict[bytes, int] = {}
    taken: dict[int, bytes] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if not line:
            continue
        fields = line.split()
        rank = to_number(fields[1]) if len(fields) == 2 else None
        if rank is None:
            expected = f"a token in base 64 and its rank, a number up to {MAX_ID:,}"
            raise _wrong_line(path, number, f"expected {expected}, but found {shown(line)}")
        try:
            token = decode_token(fields[0])
        except binascii.Error:
            raise _wrong_line(path, number, f"{shown(fields[0])} is not base 64") from None
        if token in ranks:
            raise _wrong_line(path, number, f"the token {shown(token)} already has a rank")
        if rank in taken:
            owner = shown(taken[rank])
            raise _wrong_line(path, number, f"the rank {rank} belongs to the token {owner}")
        if len(ranks) == MAX_TOKENS:
            raise EncodingError(f"{path} has more than {MAX_TOKENS:,} tokens")
        ranks[token] = rank
        taken[rank] = token
    if not ranks:
        raise EncodingError(f"{path} has no tokens: it is empty")
    return ranks


def _wrong_line(path: str | Path, number: int, problem: str) -> EncodingError:
    return EncodingError(f"{path}, line {number:,}: {problem}")


def decode_token(field: bytes) -> bytes:
    """Decode a token in base 64. Raises binascii.Error.

    A single = is the empty token, as `tiktoken.load` reads it. No text is encoded to it.

    >>> decode_token(b"IGE="), decode_token(b"=")
    (b' a', b'')
    """
    return b"" if field == EMPTY else binascii.a2b_base64(field, strict_mode=True)


def from_ranks(
    ranks: Mapping[bytes, int],
    pattern: str,
    special_tokens: Mapping[str, int] | str = MappingProxyType({}),
    *,
    name: str,
    guess: str = "",
    family: str = "",
) -> TiktokenEncoding:
    """Make an encoding of tokens with their ranks; the rest is as for `read`."""
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
    encoding = TiktokenEncoding(
        library,
        name,
        known_pattern=pattern in NAMED_PATTERNS,
        normalizers=NORMALIZED_PATTERNS.get(pattern, ()),
        guess=guess,
        family=family,
    )
    if encoding.may_match_nothing:
        raise EncodingError(
            f"the split pattern {shown(pattern)} can match no characters, on which the tiktoken "
            "library crashes; write + for *, for example"
        )
    return encoding


def check_pattern(pattern: str) -> None:
    """Check with the library that ranks can be read with a split pattern; see `read`.

    Raises EncodingError.
    """
    from_ranks({bytes([byte]): byte for byte in range(256)}, pattern, name="the bytes")


def _pattern(pattern: str) -> str:
    if pattern in NAMED_PATTERNS:
        return NAMED_PATTERNS[pattern]
    if not pattern or _NAME.fullmatch(pattern):
        raise EncodingError(
            f"there is no split pattern named {shown(pattern)}; the names are "
            f"{', '.join(NAMED_PATTERNS)}, and anything with more than letters, digits, - and _ is "
            "a regular expression"
        )
    if len(pattern) > MAX_PATTERN:
        raise EncodingError(
            f"the split pattern has {len(pattern):,} characters, and may have {MAX_PATTERN:,} at "
            "most; shorten it"
        )
    return pattern


def _known_special_tokens(name: str) -> Mapping[str, int]:
    if name not in KNOWN_SPECIAL_TOKENS:
        raise EncodingError(
            f"there are no special tokens named {shown(name)}; choose one of "
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
                f"{what} has the id {shown(str(token))}, which is not a number from 0 to {MAX_ID:,}"
            )
        if token in taken:
            raise EncodingError(
                f"{what} has the id {token}, which {name} already has for {shown(taken[token])}"
            )
        taken[token] = text
    pair = prefix_pair(special_tokens)
    if pair is not None:
        raise EncodingError(
            f"one special token begins with another, {shown(pair[0])} and {shown(pair[1])}, and "
            "the tiktoken library does not say which of them it finds; leave one of them out"
        )


# -- writing ---------------------------------------------------------------------------------


def write(history: History, path: str | Path, position: int | None = None) -> None:
    """Write the ranks at a position (None: the last), which are our ids.

    The file holds neither the split nor the special tokens: see `read_options`. Raises ExportError
    if the format cannot hold the recipe or tiktoken would merge differently, OSError if the file
    cannot be written; the file stays as it was.
    """
    if position is None:
        position = len(history)
    check(history, position)
    tokens = range(history.base.special, history.vocabulary_size(position))
    write_atomically(path, _lines(history, tokens))


def read_options(history: History) -> tuple[str, dict[str, int]]:
    """Return the split pattern and the special tokens that `read` needs for a file of `write`.

    Raises ExportError if the split is not a regular expression.
    """
    pattern_of(history.recipe.split, FORMAT)
    specials = {token: index for index, token in enumerate(history.recipe.special_tokens)}
    return history.recipe.split, specials


def check(history: History, position: int) -> None:
    """Check that tiktoken gives our ids with the ranks at a position. Raises ExportError."""
    check_byte_level(history, position, FORMAT)
    check_specials_apart(history.recipe.special_tokens, FORMAT)
    read_options(history)
    _check_merges(history, position)


def _lines(history: History, tokens: range) -> Iterator[str]:
    for token in tokens:
        yield f"{encode_token(history.token_bytes(token)).decode('ascii')} {token}\n"


_BATCH = 1 << 20
"""Bytes of tokens that are encoded at once."""

_SMALL = 1 << 14
"""Bytes for which no kernel is compiled that is not yet."""


def _check_merges(history: History, position: int) -> None:
    """Check that merging by bytes gives the same tokens as merging by pairs.

    It does if the bytes of every token are merged to that token, and no two tokens have the same
    bytes: two tokens that are neighbours within some text are also neighbours when their bytes are
    encoded alone, so those bytes are a pair of tokens only at the moment of the merge. Trained
    histories are like that, imported ones may not be. Raises ExportError.
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
    """Check that the bytes of tokens, numbered from `first` on, are merged to these tokens."""
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
            f"{FORMAT} cannot hold these merges, because tiktoken would make "
            f"{shown(contents[int(wrong[0])])} one token where the merges make several; save it "
            "as tokenizer.json"
        )
