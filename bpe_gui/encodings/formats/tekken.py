"""Mistral's `tekken.json`: ranks in base 64, special tokens and the pattern that splits text.

Special tokens have the first ids, whether the file names them or not; the ranks follow. The file
has more ranks than are used: `default_vocab_size` says where they end.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.regexes import MAX_PATTERN
from bpe_gui.encodings.base import EncodingError
from bpe_gui.encodings.formats.split_patterns import NAMED_PATTERNS
from bpe_gui.encodings.formats.tiktoken_ranks import TiktokenEncoding, from_ranks
from bpe_gui.encodings.formats.untrusted_files import MAX_TOKENS, read_bounded, to_text

FORMAT = "tekken.json"

_Count = Annotated[int, Meta(ge=0, le=MAX_TOKENS)]


class _Config(Struct, frozen=True):
    pattern: Annotated[str, Meta(min_length=1, max_length=MAX_PATTERN)]
    default_vocab_size: _Count
    default_num_special_tokens: _Count


class _Token(Struct, frozen=True):
    rank: _Count
    token_bytes: str


class _Special(Struct, frozen=True):
    rank: _Count
    token_str: Annotated[str, Meta(min_length=1)]


class _Tekken(Struct, frozen=True):
    config: _Config
    vocab: list[_Token]
    special_tokens: list[_Special] | None = None


_OLD_SPECIAL_TOKENS = (
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
)
"""The special tokens of files that name none: those up to version 7."""


def looks_like(data: bytes) -> bool:
    """Tell whether a file that begins with these bytes is a tekken.json.

    >>> looks_like(b'{"vocab": [{"rank": 0, "token_bytes": "AA==", "token_str": null}]}')
    True
    """
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    has_tokens = b'"token_bytes"' in data and b'"rank"' in data
    return start == b"{" and (has_tokens or b'"default_num_special_tokens"' in data)


def read(path: str | Path, *, name: str = "") -> TiktokenEncoding:
    """Load a tekken.json. Raises EncodingError, which says what is wrong with it; OSError."""
    text = to_text(read_bounded(path), path, f"a {FORMAT}")
    try:
        found = msgspec.json.decode(text, type=_Tekken)
    except (msgspec.DecodeError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise EncodingError(f"{path} is not a {FORMAT}: {reason}") from None
    config = found.config
    first = config.default_num_special_tokens
    size = config.default_vocab_size - first
    if not 0 < size <= len(found.vocab):
        raise EncodingError(
            f"{path} should have {config.default_vocab_size:,} tokens with {first:,} special ones "
            f"among them, but has {len(found.vocab):,} ranks"
        )
    pattern = config.pattern
    if pattern == NAMED_PATTERNS["tekken"]:
        pattern = "tekken"
    return from_ranks(
        _ranks(found.vocab[:size], first, path),
        pattern,
        _special_tokens(found.special_tokens, first, path),
        name=name or Path(path).name,
    )


def _ranks(vocab: Sequence[_Token], first: int, path: str | Path) -> dict[bytes, int]:
    ranks: dict[bytes, int] = {}
    for index, token in enumerate(vocab):
        if token.rank != index:
            raise EncodingError(
                f"{path}: the rank {token.rank} is in the place of rank {index}; ranks are in "
                "order, without gaps"
            )
        try:
            content = base64.b64decode(token.token_bytes, validate=True)
        except (binascii.Error, ValueError):
            raise EncodingError(
                f"{path}: {shown(token.token_bytes)}, rank {index}, is not base 64"
            ) from None
        if content in ranks:
            raise EncodingError(f"{path}: the token {shown(content)} has two ranks")
        ranks[content] = first + index
    return ranks


def _special_tokens(
    found: Sequence[_Special] | None, count: int, path: str | Path
) -> dict[str, int]:
    """Find the ids of special tokens; those without a name are called by their number."""
    if found is None:
        named = dict(enumerate(_OLD_SPECIAL_TOKENS[:count]))
    else:
        named = {token.rank: token.token_str for token in found}
        if len(named) < len(found) or max(named, default=-1) >= count:
            raise EncodingError(
                f"{path} should give each of its special tokens another rank, below {count:,}"
            )
    texts = {named.get(token, f"<SPECIAL_{token}>"): token for token in range(count)}
    if len(texts) < count:
        raise EncodingError(f"{path} has two special tokens with the same text; rename one")
    return texts
