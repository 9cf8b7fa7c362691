r"""RWKV's vocabulary: text is tokenized by longest match, from left to right.

A line has an id, the token as Python writes it, and its length in bytes: `257 "\t\t" 2`. No text is
normalized or split, and there are no merges.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.longest_match import match_longest
from bpe_gui.bpe.byte_level import to_printable
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import character_spans, characters_of_bytes
from bpe_gui.encodings.base import EncodingError, JoinsTokenBytes, Model, RankedMerge, no_such_token
from bpe_gui.encodings.formats.untrusted_files import (
    MAX_ID,
    MAX_TOKENS,
    read_bounded,
    to_number,
    to_text,
)

FORMAT = "RWKV's vocabulary"

_MAX_TOKEN = 4096
"""Bytes of a token; RWKV's longest has 128."""

_TEXT = r"""\\(?:[\\'"nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})"""
_BYTES = r"""\\(?:[\\'"nrt]|x[0-9a-f]{2})"""
_LITERAL = re.compile(
    rf"""'(?:[^'\\\n]|{_TEXT})*'|"(?:[^"\\\n]|{_TEXT})*\""""
    rf"""|b'(?:[\x20-&(-\[\]-~]|{_BYTES})*'|b"(?:[\x20!#-\[\]-~]|{_BYTES})*\""""
)
"""A text or bytes as Python writes them, and nothing else that Python can read."""

_LINE = re.compile(r"""[0-9]{1,10} b?['"].*['"] [0-9]{1,10}""")


def looks_like(data: bytes) -> bool:
    r"""Tell whether a file that begins with these bytes is a vocabulary of RWKV.

    >>> looks_like(b"1 '\\x00' 1\n2 b'\\x80' 1\n"), looks_like(b"1 'a' is 1\n")
    (True, False)
    """
    lines = data[:4096].decode("utf-8", "ignore").replace("\r\n", "\n").split("\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return bool(whole) and all(_LINE.fullmatch(line) for line in whole)


def read(path: str | Path, *, name: str = "") -> LongestMatchEncoding:
    """Load a vocabulary of RWKV. Raises EncodingError with the line; OSError if unreadable."""
    tokens: dict[bytes, int] = {}
    taken: set[int] = set()
    for number, line in enumerate(to_text(read_bounded(path), path, FORMAT).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number:,}"
        content, token = _entry(line.removesuffix("\r"), where)
        if content in tokens or token in taken:
            raise EncodingError(f"{where}: the token {shown(content)} or its id is there twice")
        if len(tokens) == MAX_TOKENS:
            raise EncodingError(f"{path} has more than {MAX_TOKENS:,} tokens")
        tokens[content] = token
        taken.add(token)
    if not tokens:
        raise EncodingError(f"{path} has no tokens")
    return LongestMatchEncoding(tokens, name or Path(path).name)


def _entry(line: str, where: str) -> tuple[bytes, int]:
    """Parse a line to a token's bytes and its id. Raises EncodingError."""
    first, _, rest = line.partition(" ")
    literal, _, last = rest.rpartition(" ")
    token, length = to_number(first), to_number(last)
    if token is None or length is None or len(literal) > 4 * _MAX_TOKEN + 3:
        raise EncodingError(
            f"{where}: expected an id up to {MAX_ID:,}, a token and its length, found {shown(line)}"
        )
    if not _LITERAL.fullmatch(literal):
        raise EncodingError(f"{where}: {shown(literal)} is not a text or bytes in Python's form")
    try:
        value = ast.literal_eval(literal)
        content = value.encode("utf-8") if isinstance(value, str) else value
    except (SyntaxError, ValueError):  # a code point that is too large, a surrogate
        raise EncodingError(f"{where}: {shown(literal)} is not valid Unicode text") from None
    if len(content) != length or not content:
        raise EncodingError(
            f"{where}: {shown(literal)} has {len(content)} bytes, and the line says {length}"
        )
    return content, token


class LongestMatchEncoding(JoinsTokenBytes):
    """Cut a text into the longest tokens that fit, from left to right. See `base.Encoding`.

    A byte that no token begins with has the id NO_TOKEN.
    """

    model = Model.LONGEST_MATCH

    def __init__(self, tokens: Mapping[bytes, int], name: str) -> None:
        self.name = name
        self._ids = dict(tokens)
        self._contents = {token: content for content, token in tokens.items()}
        self._first_edges, self._edges, self._tokens = _trie(tokens)

    @property
    def vocabulary_size(self) -> int:
        """Count the tokens."""
        return len(self._ids)

    @property
    def ids(self) -> list[int]:
        """List the ids of all tokens, ascending."""
        return sorted(self._contents)

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Tokenize a text; there are no special tokens."""
        data = text.encode("utf-8")
        ids, ends = np.empty(len(data), np.int32), np.empty(len(data), np.int32)
        match = match_longest.form(None)
        count = match(
            np.frombuffer(data, np.uint8), self._first_edges, self._edges, self._tokens, ids, ends
        )
        stops = ends[:count].astype(np.int64)
        starts = np.append(0, stops)[:-1]
        places = character_spans(characters_of_bytes(data), starts, stops)
        return Tokens(ids[:count].copy(), starts, stops, *places)

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Decode ids to bytes, without NO_TOKEN. Raises EncodingError for an unknown id."""
        return super().decode_bytes([token for token in ids if token != NO_TOKEN])

    def id_to_token(self, token: int) -> str:
        """Spell a token as its text, or in GPT-2's printable characters if it is no text."""
        content = self.token_bytes(token)
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return to_printable(content)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of a token. Raises EncodingError for an unknown id."""
        try:
            return self._contents[token]
        except KeyError:
            raise no_such_token(self, token) from None

    def is_special(self, token: int) -> bool:
        """Return False: the file has no special tokens."""
        return False

    def token_to_id(self, content: bytes) -> int | None:
        """Find the token with these bytes."""
        return self._ids.get(content)

    def merge(self, token: int) -> RankedMerge | None:
        """Return None: no token is merged."""
        self.token_bytes(token)
        return None

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """Return None: a text is not split."""
        text.encode("utf-8")
        return None


def _trie(
    tokens: Mapping[bytes, int],
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int32]]:
    """Build the trie that `match_longest` takes: first edges, edges and tokens of its nodes.

    Nodes are numbered by depth and then by their bytes, so an edge leads to the node after its own
    number.
    """
    contents = list(tokens)
    ids = np.array(list(tokens.values()), np.int64)
    lengths = np.array([len(content) for content in contents], np.int64)
    begins = np.cumsum(lengths) - lengths
    text = np.frombuffer(b"".join(contents), np.uint8)
    nodes = np.zeros(len(contents), np.int64)
    parents, edges = [], []
    total, depth = 1, 0
    while (longer := np.flatnonzero(lengths > depth)).size:
        keys = nodes[longer] << 8 | text[begins[longer] + depth]
        distinct, which = np.unique(keys, return_inverse=True)
        parents.append(distinct >> 8)
        edges.append((distinct & 0xFF).astype(np.uint8))
        nodes[longer] = total + which
        total += len(distinct)
        depth += 1
    found = np.full(total, NO_TOKEN, np.int32)
    found[nodes] = ids
    first_edges = np.searchsorted(np.concatenate(parents), np.arange(total + 1)).astype(np.int32)
    return first_edges, np.concatenate(edges), found
