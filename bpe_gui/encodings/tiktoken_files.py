"""`.tiktoken` rank files: a trained history written, any such file read.

A file of ranks has one token a line: its bytes in base 64, a space, its rank, which is its
id and its priority in one. How text is split, and which special tokens there are, it does
not say: both are chosen beside it, by name or explicitly. The `tiktoken` library does the
encoding. It looks for the lowest rank among the *bytes* of neighbouring parts, where
byte-pair encoding as trained looks for pairs of tokens; `write` makes sure that both come
to the same.

To recognise such a file by its content: `looks_like`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import tiktoken
from numpy.typing import NDArray

from bpe_gui.bpe.history import History
from bpe_gui.bpe.patterns import MAX_PATTERN
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.encodings.base import EncodingError, ExportError
from bpe_gui.encodings.byte_level_export import (
    check_byte_level,
    check_specials_apart,
    one_within_another,
)
from bpe_gui.encodings.panics import is_panic
from bpe_gui.encodings.reading import (
    MAX_ID,
    MAX_TOKENS,
    read_bounded,
    shown,
    to_number,
)
from bpe_gui.encodings.split_patterns import NAMED_PATTERNS, pattern_of
from bpe_gui.encodings.tiktoken_encoding import TiktokenEncoding
from bpe_gui.files import write_atomically

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

_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2} [0-9]{1,10}\r?")
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
            token = base64.b64decode(fields[0], validate=True)
        except binascii.Error:
            raise EncodingError(f"{where}: {shown(fields[0])} is not base 64") from None
        if not token:
            raise EncodingError(f"{where}: a token without bytes")
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
        yield f"{base64.b64encode(history.content(token)).decode('ascii')} {token}\n"


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
        content = history.content(token)
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
