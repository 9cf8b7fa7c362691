r"""minbpe's `.model`: an encoding that reads it, and the export of a trained history.

The lines of the file are: `minbpe v1`; the split pattern, or nothing; the number of special tokens;
a line for each of them with its id; then a line for every merge with the ids of its two parts.
Bytes have the ids 0 to 255, the merges those from 256 on.

minbpe (https://github.com/karpathy/minbpe) is in no package index, so our own engine does the
encoding by its rules. With an empty pattern they are those of its BasicTokenizer, which does not
split and finds no special tokens; else those of its RegexTokenizer, which drops text that the
pattern does not match, and of several special tokens that begin at one place finds the one that
the file lists first.

Two faults of its loading are not imitated: it keeps the pattern that the program was started with,
where here the file's counts; and it strips white space from the pattern and cannot read a special
token that contains white space, where here both are read as written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.byte_level import BYTE_OF_CHARACTER, CHARACTER_OF_BYTE
from bpe_gui.bpe.errors import shown
from bpe_gui.bpe.history import NO_TOKEN, BaseVocabulary, History
from bpe_gui.bpe.recipe import Alphabet, Recipe
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import character_spans, characters_of_bytes
from bpe_gui.encodings.base import EncodingError, ExportError, Model, RankedMerge, no_such_token
from bpe_gui.encodings.formats.byte_level_export import check_byte_level
from bpe_gui.encodings.formats.split_patterns import SplitsByPattern, pattern_of
from bpe_gui.encodings.formats.untrusted_files import (
    MAX_BYTES,
    MAX_ID,
    MAX_TOKENS,
    read_bounded,
    to_number,
    to_text,
)
from bpe_gui.encodings.regex_words import WordSplitter
from bpe_gui.files import write_atomically

FORMAT = "minbpe's .model"

VERSION = "minbpe v1"
"""The first line of such a file."""
_BYTES = 256


def looks_like(data: bytes) -> bool:
    """Tell whether a file that begins with these bytes has minbpe's first line."""
    return data.startswith((VERSION.encode() + b"\n", VERSION.encode() + b"\r\n"))


# -- reading ---------------------------------------------------------------------------------


class MinbpeEncoding(SplitsByPattern):
    """Encode as a tokenizer of minbpe does. See `base.Encoding`; `read` makes it.

    pattern: the split pattern, empty for none.
    left, right: the ids that every merge joins, in the order of the merges.
    """

    model = Model.BPE

    def __init__(
        self,
        name: str,
        pattern: str,
        special_tokens: dict[str, int],
        left: NDArray[np.int32],
        right: NDArray[np.int32],
        *,
        compiled: bool | None = None,
    ) -> None:
        self.name = name
        self.pattern = pattern
        self.special_tokens = special_tokens
        self._history = _history(name, left, right)
        self._compiled = compiled
        self._splitter = WordSplitter(pattern, special_tokens)
        self._by_content: dict[bytes, int] = {}

    @property
    def vocabulary_size(self) -> int:
        """Count the tokens, special ones included."""
        return _BYTES + len(self._history) + len(self.special_tokens)

    @property
    def ids(self) -> list[int]:
        """List the ids of all tokens, special ones included, ascending."""
        return [*range(_BYTES + len(self._history)), *sorted(self._specials)]

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Tokenize a text. Raises EncodingError if splitting takes too long."""
        data = np.frombuffer(text.encode("utf-8"), np.uint8)
        words = self._splitter.split(text, specials_as_text=specials_as_text or not self.pattern)
        special = words.specials != NO_TOKEN
        depth = np.zeros(len(data) + 1, np.int64)
        depth[words.starts[~special]] += 1
        depth[words.ends[~special]] -= 1
        places = np.flatnonzero(np.cumsum(depth[:-1]))
        first, ids = Segmentation(
            self._history,
            data[places].astype(np.int32),
            np.searchsorted(places, words.starts[~special]),
            compiled=self._compiled,
        ).tokens(len(self._history))
        last = np.append(first, len(places))[1:] - 1
        starts = np.concatenate((places[first], words.starts[special]))
        ends = np.concatenate((places[last] + 1, words.ends[special]))
        order = np.argsort(starts)
        starts, ends = starts[order], ends[order]
        ids = np.concatenate((ids, words.specials[special].astype(np.int32)))[order]
        return Tokens(ids, starts, ends, *character_spans(characters_of_bytes(data), starts, ends))

    def id_to_token(self, token: int) -> str:
        """Spell a token in GPT-2's printable characters, a special one as it is."""
        self._check(token)
        special = self._specials.get(token)
        return special if special is not None else self._history.id_to_token(token)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a token stands for. Raises EncodingError for an unknown id."""
        self._check(token)
        special = self._specials.get(token)
        return special.encode("utf-8") if special is not None else self._history.token_bytes(token)

    def token_to_id(self, content: bytes) -> int | None:
        """Find the ordinary token with these bytes, of several the one with the lowest id."""
        if not self._by_content:
            for token in range(_BYTES + len(self._history)):
                self._by_content.setdefault(self._history.token_bytes(token), token)
        return self._by_content.get(content)

    def merge(self, token: int) -> RankedMerge | None:
        """Find the merge that made a token; None for a byte or a special token."""
        self._check(token)
        if token in self._specials or token < _BYTES:
            return None
        step = token - _BYTES
        return RankedMerge(step, int(self._history.left[step]), int(self._history.right[step]))

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """Find where words begin, in bytes of the text's UTF-8; see `base.Encoding`."""
        try:
            as_text = specials_as_text or not self.pattern
            return self._splitter.split(text, specials_as_text=as_text).starts
        except EncodingError:
            return None

    def _check(self, token: int) -> None:
        if not (0 <= token < _BYTES + len(self._history) or token in self._specials):
            raise no_such_token(self, token)


def _history(name: str, left: NDArray[np.int32], right: NDArray[np.int32]) -> History:
    """Build a history of a file's merges, with the ids of the file."""
    base = BaseVocabulary(
        texts=CHARACTER_OF_BYTE,
        contents=tuple(bytes([byte]) for byte in range(_BYTES)),
        special=0,
        symbol_ids=tuple(BYTE_OF_CHARACTER[character] for character in sorted(CHARACTER_OF_BYTE)),
    )
    recipe = Recipe(name=name, split="none", alphabet=Alphabet.BYTES)
    made = np.arange(_BYTES, _BYTES + len(left), dtype=np.int32)
    return History.from_merges(recipe, base, np.column_stack((left, right, made)))


def read(path: str | Path, *, name: str = "", compiled: bool | None = None) -> MinbpeEncoding:
    """Load a `.model` of minbpe.

    Raises EncodingError, with the line, if the file is invalid; OSError if it is unreadable.
    """
    lines = _lines_of(to_text(read_bounded(path), path, _A_MODEL))
    if lines[0].strip() != VERSION:
        raise EncodingError(
            f"{path} is not {_A_MODEL}: its first line is {shown(lines[0])}, not {VERSION!r}"
        )
    count = to_number(lines[2].strip()) if len(lines) > 2 else None
    if count is None:
        raise EncodingError(
            f"{path} is not {_A_MODEL}: after the pattern, which is one line, the third line "
            "should be the number of special tokens"
        )
    first = 3 + count
    if len(lines) < first:
        raise EncodingError(f"{path} ends before the last of its {count:,} special tokens")
    left, right = _merges(lines, first, path)
    specials = _special_tokens(lines[3:first], _BYTES + len(left), path)
    return MinbpeEncoding(
        name or Path(path).name, lines[1], specials, left, right, compiled=compiled
    )


_A_MODEL = "a .model of minbpe"


def _lines_of(text: str) -> list[str]:
    """Split a text at the line ending of its first line; at least one line, no empty last one."""
    first = text.partition("\n")[0]
    if first.endswith("\r"):
        text = text.replace("\r\n", "\n")
    return text.rstrip("\n").split("\n")


def _special_tokens(lines: Sequence[str], free: int, path: str | Path) -> dict[str, int]:
    """Parse special tokens and their ids, none of which is below `free`, in the file's order."""
    found: dict[str, int] = {}
    taken: dict[int, str] = {}
    for number, line in enumerate(lines, start=4):
        where = f"{path}, line {number:,}"
        text, _, digits = line.rpartition(" ")
        token = to_number(digits)
        if not text or token is None:
            raise EncodingError(
                f"{where}: expected a special token and its id, up to {MAX_ID:,}, but found "
                f"{shown(line)}"
            )
        if text in found:
            raise EncodingError(f"{where}: the special token {shown(text)} already has an id")
        if token < free:
            raise EncodingError(
                f"{where}: the special token {shown(text)} has the id {token}, which belongs to a "
                "byte or a merge"
            )
        if token in taken:
            raise EncodingError(
                f"{where}: the id {token} belongs to the special token {shown(taken[token])}"
            )
        found[text] = token
        taken[token] = text
    return found


def _merges(
    lines: Sequence[str], first: int, path: str | Path
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Parse the merges from a line on; the ids of their left and right parts.

    Tokens may double in length with every merge, so their size is bounded.
    """
    if len(lines) - first > MAX_TOKENS:
        raise EncodingError(f"{path} has more than {MAX_TOKENS:,} merges")
    merges: dict[tuple[int, int], int] = {}
    sizes = [1] * _BYTES
    total = 0
    for number, line in enumerate(lines[first:], start=first + 1):
        where = f"{path}, line {number:,}"
        fields = line.split()
        left, right = map(to_number, fields) if len(fields) == 2 else (None, None)
        if left is None or right is None:
            raise EncodingError(f"{where}: expected the two ids of a merge, found {shown(line)}")
        known = len(sizes)
        if max(left, right) >= known:
            raise EncodingError(
                f"{where} merges the token {max(left, right)}, which does not exist yet; it can "
                f"merge only ids up to {known - 1}"
            )
        if (left, right) in merges:
            raise EncodingError(f"{where} merges the same pair as line {merges[left, right]:,}")
        merges[left, right] = number
        sizes.append(sizes[left] + sizes[right])
        total += sizes[-1]
        if total > MAX_BYTES:
            raise EncodingError(
                f"{where}: the tokens so far have more than {MAX_BYTES >> 20} MB together"
            )
    columns = np.array(list(merges), np.int32).reshape(-1, 2)
    return columns[:, 0].copy(), columns[:, 1].copy()


# -- writing ---------------------------------------------------------------------------------


def write(history: History, path: str | Path, position: int | None = None) -> None:
    """Write the merges at a position (None: the last).

    The format gives tokens other ids: see `new_ids`. Raises ExportError if the format cannot hold
    the recipe, OSError if the file cannot be written; the file stays as it was.
    """
    if position is None:
        position = len(history)
    check(history, position)
    write_atomically(path, _lines(history, position))


def new_ids(history: History, position: int) -> NDArray[np.int32]:
    """Map our ids to those of the file, shape (vocabulary size,).

    minbpe has bytes by their value, then the merges, then the special tokens. We have the special
    tokens, then bytes in the order of their printable characters, then the merges.
    """
    base = history.base
    specials = np.arange(base.special) + _BYTES + position
    byte_values = [base.contents[token][0] for token in base.symbol_ids]
    merged = np.arange(position) + _BYTES
    return np.concatenate((specials, byte_values, merged)).astype(np.int32)


def check(history: History, position: int) -> None:
    """Check that the format can hold the recipe. Raises ExportError."""
    check_byte_level(history, position, FORMAT)
    pattern_of(history.recipe.split, FORMAT)
    for token in history.recipe.special_tokens:
        if token.split() != [token]:
            raise ExportError(
                f"{FORMAT} cannot hold the special token {token!r}, because it has white space; "
                "choose one without"
            )


def _lines(history: History, position: int) -> Iterator[str]:
    recipe = history.recipe
    ids = new_ids(history, position)
    # Without a pattern minbpe would not look for special tokens.
    plain = recipe.split == "none" and not recipe.special_tokens
    yield f"{VERSION}\n{'' if plain else pattern_of(recipe.split, FORMAT)}\n"
    yield f"{len(recipe.special_tokens)}\n"
    # minbpe finds the first that fits, our engine the longest.
    for token in sorted(recipe.special_tokens, key=len, reverse=True):
        yield f"{token} {ids[recipe.special_tokens.index(token)]}\n"
    left, right = ids[history.left[:position]], ids[history.right[:position]]
    for pair in zip(left.tolist(), right.tolist(), strict=True):
        yield f"{pair[0]} {pair[1]}\n"
