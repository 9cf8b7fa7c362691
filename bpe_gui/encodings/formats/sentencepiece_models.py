"""SentencePiece's `.model`: the protobuf message, its pieces, their merges, and the encoding."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.bpe.utf8 import character_spans, characters_of_bytes
from bpe_gui.encodings.base import (
    EncodingError,
    Model,
    RankedMerge,
    no_such_token,
    wrap_rust_errors,
)
from bpe_gui.encodings.formats.sentencepiece_tables import blanks_and_letters
from bpe_gui.encodings.formats.split_patterns import is_letter, last_place
from bpe_gui.encodings.formats.tokenizer_config import TokenizerConfig, config_beside
from bpe_gui.encodings.formats.untrusted_files import (
    MAX_GROWTH,
    MAX_TOKENS,
    longest_replacement,
    read_bounded,
)
from bpe_gui.encodings.greedy_merging import merge_greedily
from bpe_gui.encodings.regex_words import split_shared_bytes

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor


# -- Protobuf -----------------------------------------------------------------------------------
#
# https://protobuf.dev/programming-guides/encoding/

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""The wire types; groups, which are obsolete, are refused."""


class WireError(ValueError):
    """Report bytes that are not a message, and where."""


class Field(Struct, frozen=True):
    """Describe one field of a message.

    start, end: the bytes of its value. value: the number of a VARINT, 0 for other kinds.
    """

    number: int
    kind: int
    start: int
    end: int
    value: int = 0


def fields(data: bytes, start: int = 0, end: int | None = None) -> Iterator[Field]:
    r"""Yield the fields of the message in a range of bytes, in order.

    Raises WireError at bytes that are not a message.

    >>> list(fields(b"\x18\x02"))  # field 3 is the number 2
    [Field(number=3, kind=0, start=1, end=2, value=2)]
    """
    stop = len(data) if end is None else end
    place = start
    while place < stop:
        key, place = _varint(data, place, stop)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            begin = place
            value, place = _varint(data, place, stop)
            yield Field(number, kind, begin, place, value)
            continue
        if kind == BYTES:
            length, place = _varint(data, place, stop)
        elif kind in (FIXED32, FIXED64):
            length = 4 if kind == FIXED32 else 8
        else:
            raise WireError(f"there is no field at byte {place - 1:,}")
        if number == 0 or length > stop - place:
            raise WireError(f"the field that ends at byte {place + length:,} does not fit in")
        yield Field(number, kind, place, place + length)
        place += length


def _varint(data: bytes, place: int, stop: int) -> tuple[int, int]:
    """Read a number of up to 64 bits; returns it and the offset after it."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= stop:
            raise WireError("it ends within a number")
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    raise WireError(f"the number before byte {place:,} is too long")


# -- Pieces -------------------------------------------------------------------------------------
#
# The file is a protobuf message (sentencepiece_model.proto): pieces with their types and scores,
# the algorithm that combines them, and the normalization of text.

_PIECES, _TRAINING, _NORMALIZING, _DENORMALIZING = 1, 2, 3, 5
_TEXT, _SCORE, _TYPE = 1, 2, 3
_MODEL, _UNKNOWN_SHOWN = 3, 44
_CHARSMAP, _SPACE_BEFORE = 2, 3
_PREPARING = {
    (_TRAINING, 24): "space_behind",
    (_TRAINING, 35): "byte_fallback",
    (_NORMALIZING, _CHARSMAP): "replaces",
    (_NORMALIZING, _SPACE_BEFORE): "space_before",
    (_NORMALIZING, 4): "squeezes_spaces",
    (_NORMALIZING, 5): "plain_spaces",
}
"""Field numbers of ModelProto, of a piece, of TrainerSpec and of NormalizerSpec."""


class PieceType(IntEnum):
    """Name the purpose of a piece, by its number in the file."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


_BY_SCORE = 2
"""The number of the model that merges neighbours by their scores."""

_MODELS = {
    1: Model.UNIGRAM,
    2: Model.BPE,
    3: Model.WORD_LEVEL,
    # Single characters: byte-pair encoding without a merge.
    4: Model.BPE,
}


class Preparation(Struct, frozen=True):
    """Hold how a text is prepared before pieces are merged.

    replaces: whether a table replaces characters. space_before: whether a text gets a space before
    it; space_behind: whether spaces belong to the word before them. squeezes_spaces: whether spaces
    around a text are dropped, and several within become one. plain_spaces: whether spaces are
    spelled as they are. byte_fallback: whether characters without a piece become bytes.
    """

    replaces: bool = False
    space_before: bool = True
    space_behind: bool = False
    squeezes_spaces: bool = True
    plain_spaces: bool = False
    byte_fallback: bool = False


def charsmap_of(data: bytes) -> bytes:
    """Return the table by which a model replaces characters; empty for none. Raises WireError."""
    found = b""
    for field in fields(data):
        if field.kind == BYTES and field.number == _NORMALIZING:
            for option in fields(data, field.start, field.end):
                if option.number == _CHARSMAP:
                    found = data[option.start : option.end]
    return found


def preparation_of(data: bytes) -> Preparation:
    """Read how a model prepares texts. Raises WireError."""
    found = Preparation()
    for field in fields(data):
        if field.kind != BYTES or field.number not in (_TRAINING, _NORMALIZING):
            continue
        for option in fields(data, field.start, field.end):
            name = _PREPARING.get((field.number, option.number))
            if name == "plain_spaces":
                found = replace(found, plain_spaces=not option.value)
            elif name == "replaces":
                found = replace(found, replaces=option.end > option.start)
            elif name is not None:
                found = replace(found, **{name: bool(option.value)})
    return found


class Outline(Struct, frozen=True):
    """Hold what a file says about its pieces, by id.

    merges: whether pieces are merged from characters by their scores.
    type_places: the offset of the type of every piece, a single byte; -1 if it is omitted.
    """

    model: Model
    merges: bool
    texts: tuple[str, ...]
    scores: tuple[float, ...]
    types: tuple[PieceType, ...]
    type_places: tuple[int, ...]


def looks_like(data: bytes) -> bool:
    """Tell whether a file that begins with these bytes begins with two pieces.

    A text file does not: both would have to begin with control characters.
    """
    seen = 0
    try:
        for field in fields(data):
            if field.number != _PIECES or field.kind != BYTES:
                return seen >= 2
            inner = list(fields(data, field.start, field.end))
            if not inner or inner[0].number != _TEXT or inner[0].kind != BYTES:
                return False
            data[inner[0].start : inner[0].end].decode("utf-8")
            seen += 1
    except WireError:
        return seen >= 2  # the beginning of a file may end within a piece
    except UnicodeDecodeError:
        return False
    return seen >= 2


def outline_of(data: bytes) -> Outline:
    """Read the pieces and the model. Raises WireError if the message is invalid."""
    texts: list[str] = []
    scores: list[float] = []
    types: list[PieceType] = []
    places: list[int] = []
    model = 1
    for field in fields(data):
        if field.number == _PIECES and field.kind == BYTES:
            text, score, kind, place = _piece(data, field)
            texts.append(text)
            scores.append(score)
            types.append(kind)
            places.append(place)
            if len(texts) > MAX_TOKENS:
                raise WireError(f"it has more than {MAX_TOKENS:,} pieces")
        elif field.number == _TRAINING and field.kind == BYTES:
            for option in fields(data, field.start, field.end):
                if option.number == _MODEL and option.kind == VARINT:
                    model = option.value
                elif option.number == _UNKNOWN_SHOWN and option.end - option.start > MAX_GROWTH:
                    raise WireError(
                        f"it spells unknown pieces with more than {MAX_GROWTH:,} bytes, which is "
                        "refused"
                    )
        elif field.number in (_NORMALIZING, _DENORMALIZING) and field.kind == BYTES:
            for option in fields(data, field.start, field.end):
                if option.number == _CHARSMAP and option.kind == BYTES:
                    _check_charsmap(data[option.start : option.end])
    if not texts:
        raise WireError("it has no pieces")
    if model not in _MODELS:
        raise WireError(f"its pieces belong to an unknown kind of model, number {model}")
    return Outline(
        _MODELS[model],
        model == _BY_SCORE,
        tuple(texts),
        tuple(scores),
        tuple(types),
        tuple(places),
    )


def _check_charsmap(charsmap: bytes) -> None:
    """Check that replacements cannot fill all memory. Raises WireError."""
    if longest_replacement(charsmap) > MAX_GROWTH:
        raise WireError(
            f"it has replacements that could make a text more than {MAX_GROWTH:,} times as long, "
            "which is refused"
        )


def _piece(data: bytes, field: Field) -> tuple[str, float, PieceType, int]:
    """Read a piece: its text, its score, its type, and the offset of the type (-1: omitted)."""
    text, score, kind, place = "", 0.0, PieceType.NORMAL, -1
    for part in fields(data, field.start, field.end):
        if part.number == _TEXT and part.kind == BYTES:
            try:
                text = data[part.start : part.end].decode("utf-8")
            except UnicodeDecodeError:
                raise WireError(f"the piece at byte {part.start:,} is not UTF-8 text") from None
        elif part.number == _SCORE and part.kind == FIXED32:
            (score,) = struct.unpack_from("<f", data, part.start)
        elif part.number == _TYPE and part.kind == VARINT:
            try:
                kind = PieceType(part.value)
            except ValueError:
                raise WireError(f"a piece has the unknown type {part.value}") from None
            if part.end - part.start > 1:
                raise WireError(f"the type of a piece at byte {part.start:,} has too many bytes")
            place = part.start
    return text, score, kind, place


# -- Merges by scores ---------------------------------------------------------------------------
#
# Two neighbours are merged if they make a piece, the piece with the best score first, of equal ones
# the leftmost. So a piece is always made in the same way: nothing was merged across its borders,
# and the merges within it do not depend on the text around it.


class ScoreMerges:
    """Recover merges from scores.

    scores: the score of every text that neighbours are merged to. Training gives the first merge
        0, the second -1, and so on.
    ids: the ids of the tokens that can remain, by text. Others are split again in the end, as if
        they had not been merged.
    """

    def __init__(self, scores: Mapping[str, float], ids: Mapping[str, int]) -> None:
        self._scores = scores
        self._ids = ids
        order = sorted({-score for text, score in scores.items() if text in ids})
        self._rank_of = {cost: rank for rank, cost in enumerate(order)}

    def merge(self, text: str) -> RankedMerge | None:
        """Find the last merge that makes a token; None if no merges make it.

        Ranks are in the order of the scores; equal scores have the same rank. Returns None too if
        one of the two parts is not a token.

        >>> scores = {"lo": -0.0, "low": -1.0, "ow": -2.0}
        >>> merges = ScoreMerges(scores, {"l": 1, "o": 2, "w": 3, "lo": 4, "low": 5, "ow": 6})
        >>> merges.merge("low"), merges.merge("l")
        (RankedMerge(rank=1, left=4, right=3), None)
        """
        if text not in self._scores or text not in self._ids:
            return None
        starts = self.starts(text, whole=False)
        if len(starts) != 2:
            return None
        left, right = (self._ids.get(part) for part in (text[: starts[1]], text[starts[1] :]))
        if left is None or right is None:
            return None
        return RankedMerge(self._rank_of[-self._scores[text]], left, right)

    def starts(self, text: str, *, whole: bool = True) -> list[int]:
        """Merge a text; return where the merged parts begin.

        whole: whether all of the text may become one part.
        """

        def cost(first: int, stop: int) -> float | None:
            is_whole = stop - first == len(text)
            score = None if is_whole and not whole else self._scores.get(text[first:stop])
            return None if score is None else -score

        return merge_greedily(len(text), cost)


# -- The encoding -------------------------------------------------------------------------------
#
__all__ = ["SentencePieceEncoding", "looks_like", "read"]

SPACE = "▁"
"""How pieces write a space."""

_BYTE = re.compile("<0x([0-9A-F]{2})>")

_MERGED = (PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.UNUSED)
"""The types that neighbours can be merged to. A user-defined piece is found before any merge,
unless it is read as text: then it is unused. Unused pieces are split again after all merges."""

_NAME = re.compile(r"▁*(?:<.+>|\[.+\])▁*", re.DOTALL)
"""How special tokens are spelled: "<start_of_turn>", "[MASK]". Symbols with another spelling are
text: Gemma has one for each run of newlines, and of spaces."""


def read(path: str | Path, *, name: str = "") -> SentencePieceEncoding:
    """Load a `.model` of SentencePiece.

    Tokens that a tokenizer_config.json in the same folder adds behind the pieces are found in texts
    as user-defined pieces are. Raises EncodingError if a file is invalid or the library is not
    installed; OSError if one is unreadable.
    """
    data = read_bounded(path)
    config = config_beside(path)
    try:
        outline = outline_of(data)
        added = _pieces_beside(config, outline)
        if added:
            data += added
            outline = outline_of(data)
    except WireError as error:
        raise EncodingError(f"{path} is not a .model of SentencePiece: {error}") from None
    special = _special_symbols(outline, config)
    return SentencePieceEncoding(data, outline, name or Path(path).name, str(path), special)


def _special_symbols(outline: Outline, config: TokenizerConfig | None) -> frozenset[int]:
    """Find the user-defined pieces that are special tokens; the others are text.

    The configuration says which are special. The spelling tells it of pieces that are not in it.
    """
    said = config.added_tokens if config else {}
    found = set()
    for token, (text, kind) in enumerate(zip(outline.texts, outline.types, strict=True)):
        if kind is PieceType.USER_DEFINED:
            added = said.get(token)
            is_named = _NAME.fullmatch(text) is not None
            if added.special if added and added.content == text else is_named:
                found.add(token)
    return frozenset(found)


def _pieces_beside(config: TokenizerConfig | None, outline: Outline) -> bytes:
    """Write the added tokens of a tokenizer_config.json, if their ids go on from the pieces'."""
    known = set(outline.texts)
    found = sorted(
        (token, text)
        for text, token in (config.special_ids if config else {}).items()
        if token >= len(outline.texts) and text not in known
    )
    if [token for token, _ in found] != [len(outline.texts) + n for n in range(len(found))]:
        return b""  # it belongs to another file
    pieces = (_piece_of(text, 0.0, PieceType.USER_DEFINED) for _, text in found)
    return b"".join(_message(_PIECES, piece) for piece in pieces)


def from_pieces(
    texts: Sequence[str],
    scores: Sequence[float],
    types: Sequence[PieceType],
    *,
    name: str,
    path: str | Path,
    unigram: bool = False,
    space_before: bool = True,
    squeeze_spaces: bool = False,
    charsmap: bytes = b"",
) -> SentencePieceEncoding:
    """Make an encoding of pieces with their scores and types, as a `.model` has them.

    unigram: whether it is a Unigram model; else pieces are merged by their scores.
    space_before: whether a text gets a space before it. squeeze_spaces: whether several spaces
    become one. charsmap: the replacements of characters that normalize a text.
    User-defined pieces are text. Raises EncodingError, which names `path`, as `read` does.
    """
    pieces = map(_piece_of, texts, scores, types)
    training = _number(_MODEL, 1 if unigram else _BY_SCORE)
    training += _number(35, PieceType.BYTE in types)
    normalizing = _message(_CHARSMAP, charsmap) if charsmap else b""
    normalizing += _number(_SPACE_BEFORE, space_before) + _number(4, squeeze_spaces)
    normalizing += _number(5, True)
    data = b"".join(_message(_PIECES, piece) for piece in pieces)
    data += _message(_TRAINING, training) + _message(_NORMALIZING, normalizing)
    try:
        outline = outline_of(data)
    except WireError as error:
        raise EncodingError(f"{path} has pieces that cannot be read: {error}") from None
    return SentencePieceEncoding(data, outline, name, str(path))


def _piece_of(text: str, score: float, kind: PieceType) -> bytes:
    """Write a piece."""
    scored = _written_number(_SCORE << 3 | 5) + struct.pack("<f", score)
    return _message(_TEXT, text.encode("utf-8")) + scored + _number(_TYPE, kind)


def _message(number: int, content: bytes) -> bytes:
    return _written_number(number << 3 | 2) + _written_number(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _written_number(number << 3) + _written_number(value)


def _written_number(value: int) -> bytes:
    """Write a number as protobuf does, seven bits a byte, the lowest first.

    >>> _written_number(300).hex()
    'ac02'
    """
    written = bytearray()
    while value >= 0x80:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


class SentencePieceEncoding:
    """Encode with a model of SentencePiece. See `base.Encoding`; `read` makes it.

    Its special tokens are control symbols, which no text is encoded to, and some user-defined
    symbols, which are found in texts. The other user-defined symbols are found in any text, also in
    one whose special tokens are read as text; see `base.FindsAddedTokens`.
    """

    def __init__(
        self,
        data: bytes,
        outline: Outline,
        name: str,
        path: str,
        special_symbols: Collection[int] = frozenset(),
    ) -> None:
        """special_symbols: the user-defined pieces that are special tokens."""
        self.name = name
        self.model = outline.model
        self._data = data
        self._outline = outline
        self._path = path
        self._special_symbols = special_symbols
        self._processor = _load(data, path)
        if self._processor.get_piece_size() != len(outline.texts):
            raise EncodingError(f"{path} is not a .model that the sentencepiece library can read")

    @property
    def vocabulary_size(self) -> int:
        """Count the pieces."""
        return len(self._outline.texts)

    @property
    def ids(self) -> range:
        """List the ids of all pieces."""
        return range(self.vocabulary_size)

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Tokenize a text. Raises EncodingError if the library cannot."""
        data = text.encode("utf-8")
        processor = self._without_specials if specials_as_text else self._processor
        with wrap_rust_errors(f"{self.name} cannot encode this text"):
            found = processor.encode(data, return_type="offset_mapping")
        ids = np.array(found["ids"], np.int32)
        offsets = np.array(found["offsets"], np.int64).reshape(-1, 2)
        starts, ends = self._places(data, ids, offsets)
        return Tokens(ids, starts, ends, *character_spans(characters_of_bytes(data), starts, ends))

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokenize short texts; see `base.EncodesBatches`."""
        with wrap_rust_errors(f"{self.name} cannot encode these texts"):
            found = self._without_specials.encode([text.encode("utf-8") for text in texts])
        return [list(ids) for ids in found]

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids to text; control symbols are dropped. Raises EncodingError."""
        known = [token for token in ids if token != NO_TOKEN]
        for token in known:
            self.id_to_token(token)
        if not known:
            return ""
        with wrap_rust_errors(f"{self.name} cannot decode these ids"):
            return str(self._processor.decode(known))

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Decode ids to bytes, which need not form whole characters. Raises EncodingError."""
        text = self.decode(ids)
        if "\ufffd" not in text:
            return text.encode("utf-8")
        # The library gives U+FFFD for bytes that are not characters.
        whole = b"".join([self.token_bytes(token) for token in ids if token != NO_TOKEN])
        return whole[1:] if whole.startswith(b" ") and not text.startswith(" ") else whole

    def id_to_token(self, token: int) -> str:
        """Spell a piece as the vocabulary does. Raises EncodingError for an unknown id."""
        if not 0 <= token < len(self._outline.texts):
            raise no_such_token(self, token)
        return self._outline.texts[token]

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a piece stands for: none for a control symbol."""
        text = self.id_to_token(token)
        kind = self._outline.types[token]
        if kind is PieceType.CONTROL:
            return b""
        if kind is PieceType.UNKNOWN:
            return self.decode([token]).encode("utf-8")
        byte = _BYTE.fullmatch(text) if kind is PieceType.BYTE else None
        return bytes([int(byte[1], 16)]) if byte else text.replace(SPACE, " ").encode("utf-8")

    def is_special(self, token: int) -> bool:
        """Tell whether a piece is a control symbol, or a user-defined one that is special."""
        return self._type(token) is PieceType.CONTROL or token in self._special_symbols

    def is_added(self, token: int) -> bool:
        """Tell whether a piece is user-defined, but no special token."""
        symbol = self._type(token) is PieceType.USER_DEFINED
        return symbol and token not in self._special_symbols

    def is_unknown(self, token: int) -> bool:
        """Tell whether it is NO_TOKEN or the unknown piece."""
        return token == NO_TOKEN or self._type(token) is PieceType.UNKNOWN

    def is_fallback_byte(self, token: int) -> bool:
        """Tell whether a piece stands for one byte of a character that has no piece."""
        return self._type(token) is PieceType.BYTE

    def token_to_id(self, content: bytes) -> int | None:
        """Find the ordinary piece with these bytes, of several the lowest id, byte pieces last."""
        return self._by_content.get(content)

    def merge(self, token: int) -> RankedMerge | None:
        """Find the merge that made a piece, by the scores.

        None for pieces that no merge makes: a single character or byte, a special symbol, an
        unused piece. Raises EncodingError for an unknown id.
        """
        text = self.id_to_token(token)
        return self._merges.merge(text) if self._type(token) is PieceType.NORMAL else None

    def merged_starts(self, text: str, *, whole: bool = True) -> list[int]:
        """Merge a text by the scores; return where the pieces begin before any is split again.

        whole: whether all of the text may become one piece.
        """
        return self._merges.starts(text.replace(" ", SPACE), whole=whole)

    def pieces(self) -> list[tuple[str, PieceType]]:
        """List all pieces with their types, in the order of their ids."""
        return list(zip(self._outline.texts, self._outline.types, strict=True))

    def score(self, token: int) -> float:
        """Return the score of a piece."""
        return self._outline.scores[token]

    @cached_property
    def preparation(self) -> Preparation:
        """How a text is prepared before pieces are merged."""
        return preparation_of(self._data)

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Find where a text can be cut: between a letter and a space, unless pieces go on behind
        spaces; see `base.KnowsSafeCuts`.

        Unigram models have no such place: the library adds up the scores of a whole text, as
        numbers of 32 bits, so that the pieces of a long text depend on all that is before them.
        """
        blanks, kept = self._blanks_and_letters
        if not blanks:
            return 0
        return last_place(
            data, [], lambda letter: is_letter(letter) and letter not in kept, blanks, lines=False
        )

    @cached_property
    def _blanks_and_letters(self) -> tuple[bytes, Collection[str]]:
        """Return the white space before which no merge goes from another character, none if it is
        not certain, and the letters that must not be before it.
        """
        how = self.preparation
        across = any(SPACE in text.lstrip(SPACE) for text in self._outline.texts)
        begins = self._outline.merges and b" " in self._by_content and not across
        if not begins or how.space_behind or how.plain_spaces:
            return b"", ()
        try:
            blanks, kept = blanks_and_letters(charsmap_of(self._data))
        except ValueError:
            return b"", ()
        if how.replaces or how.squeezes_spaces:
            kinds = zip(self._outline.texts, self._outline.types, strict=True)
            symbols = "".join(text for text, kind in kinds if kind is PieceType.USER_DEFINED)
            if any(chr(blank) in symbols for blank in blanks):
                return b"", ()
        return blanks, kept

    @cached_property
    def continued(self) -> SentencePieceEncoding:
        """The encoding for the rest of a text, which begins with the space that is there, no other.
        """
        how = self.preparation
        if how.squeezes_spaces:
            # The library drops spaces that begin a text, before it puts one there.
            data = self._data + _message(_NORMALIZING, _number(_SPACE_BEFORE, 1))
            return _BehindSpaces(
                data, self._outline, self.name, self._path, self._special_symbols
            )
        if not how.space_before:
            return self
        data = self._data + _message(_NORMALIZING, _number(_SPACE_BEFORE, 0))
        return SentencePieceEncoding(
            data, self._outline, self.name, self._path, self._special_symbols
        )

    @cached_property
    def finding_all_specials(self) -> SentencePieceEncoding:
        """The encoding that finds control symbols in texts, as programs do in chat templates: no
        space is added before a text that begins with a special token.
        """
        changed, special = bytearray(self._data), set(self._special_symbols)
        for token, kind in enumerate(self._outline.types):
            if kind is PieceType.CONTROL:
                changed[self._outline.type_places[token]] = PieceType.USER_DEFINED
                special.add(token)
        data = bytes(changed)
        return _InTemplates(data, outline_of(data), self.name, self._path, special)

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """Return None: a text is not split first, though few pieces cross spaces."""
        text.encode("utf-8")
        return None

    def normalized(self, text: str) -> str:
        """Normalize a text, with ordinary spaces."""
        data = text.encode("utf-8")
        with wrap_rust_errors(f"{self.name} cannot normalize this text"):
            found = self._processor.normalize(data)
        normalized = found.decode("utf-8", "replace") if isinstance(found, bytes) else str(found)
        return normalized.replace(SPACE, " ")

    def _type(self, token: int) -> PieceType | None:
        types = self._outline.types
        return types[token] if 0 <= token < len(types) else None

    def _places(
        self, data: bytes, ids: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Find where tokens begin and end, in bytes.

        Of several byte pieces of a character the library gives all bytes to the last one.
        """
        starts, ends = offsets[:, 0].copy(), offsets[:, 1].copy()
        kinds, which = np.unique(ids, return_inverse=True)
        is_byte = np.array([self._type(kind) is PieceType.BYTE for kind in kinds.tolist()], bool)
        bytes_at = np.flatnonzero(is_byte[which]) if len(ids) else np.empty(0, np.int64)
        for place in bytes_at[::-1].tolist():
            if starts[place] == ends[place] and place + 1 < len(ids) and is_byte[which[place + 1]]:
                ends[place] = ends[place + 1]
        contents = [self.token_bytes(token) for token in kinds.tolist()]
        if not data.isascii():
            self._extend_to_characters(data, ids.tolist(), starts, ends)
        return split_shared_bytes(data, starts, ends, contents, which)

    def _extend_to_characters(
        self, data: bytes, ids: list[int], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None:
        """Extend tokens to the whole character that normalization made a part of them from.

        Of "ﬁ", which becomes "fi", the library gives nothing to a token that ends in "f".
        """
        with wrap_rust_errors(f"{self.name} cannot normalize this text"):
            found, offsets = self._processor.normalize(data, with_offsets=True)
        alignment = np.array(offsets, np.int64)
        places = self._normalized_places(found, ids)
        if places is None or len(alignment) != len(found) + 1:
            return
        shared = alignment[:-1] == np.append(-1, alignment[:-2])
        if found.startswith(SPACE.encode("utf-8")):
            shared[: len(SPACE.encode("utf-8")) + 1] = False  # a space added before the text
        for index, (begin, end) in enumerate(pairwise(places)):
            if begin < end and shared[begin]:
                starts[index] = alignment[begin]
            if begin < end < len(shared) and shared[end]:
                ends[index] = alignment[np.searchsorted(alignment, alignment[end], "right")]

    def _normalized_places(self, normalized: bytes, ids: list[int]) -> list[int] | None:
        """Find where every token begins in the normalized text, and where the last ends, in bytes.

        None if that cannot be decided.
        """
        places = [0]
        for index, token in enumerate(ids):
            piece = self.id_to_token(token).encode("utf-8")
            if normalized.startswith(piece, places[-1]):
                places.append(places[-1] + len(piece))
            elif self._type(token) is PieceType.BYTE:
                places.append(places[-1] + 1)
            elif index + 1 < len(ids):
                following = self.id_to_token(ids[index + 1]).encode("utf-8")
                places.append(normalized.find(following, places[-1] + 1))
            else:
                places.append(len(normalized))
            if places[-1] < places[-2]:
                return None
        return places if places[-1] == len(normalized) else None

    @cached_property
    def _without_specials(self) -> SentencePieceProcessor:
        """Load the same model without finding special symbols in texts."""
        if not self._special_symbols:
            return self._processor
        changed = bytearray(self._data)
        for token in self._special_symbols:
            changed[self._outline.type_places[token]] = PieceType.UNUSED
        return _load(bytes(changed), self._path)

    @cached_property
    def _merges(self) -> ScoreMerges:
        """Recover the merges; none if the model does not merge."""
        found = self._outline
        if not found.merges or any(map(math.isnan, found.scores)):
            return ScoreMerges({}, {})
        pieces = list(enumerate(zip(found.texts, found.scores, found.types, strict=True)))
        return ScoreMerges(
            {text: score for _, (text, score, kind) in pieces if kind in _MERGED and text[1:]},
            {text: token for token, (text, _, kind) in pieces if kind is PieceType.NORMAL},
        )

    @cached_property
    def _by_content(self) -> dict[bytes, int]:
        found: dict[bytes, int] = {}
        for wanted in (PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.BYTE):
            for token, kind in enumerate(self._outline.types):
                if kind is wanted and token not in self._special_symbols:
                    found.setdefault(self.token_bytes(token), token)
        return found


class _BehindSpaces(SentencePieceEncoding):
    """Encode the rest of a text, where the first token begins with all spaces before it."""

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        found = super().encode(text, specials_as_text=specials_as_text)
        found.starts[:1] = found.char_starts[:1] = 0
        return found


class _InTemplates(SentencePieceEncoding):
    """Encode what a chat template makes, which often begins with a special token."""

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        if not specials_as_text and text.startswith(self._beginnings):
            return self._without_space.encode(text)
        return super().encode(text, specials_as_text=specials_as_text)

    @cached_property
    def _beginnings(self) -> tuple[str, ...]:
        return tuple(map(self.id_to_token, self._special_symbols))

    @cached_property
    def _without_space(self) -> SentencePieceEncoding:
        data = self._data + _message(_NORMALIZING, _number(_SPACE_BEFORE, 0))
        return SentencePieceEncoding(
            data, self._outline, self.name, self._path, self._special_symbols
        )


def _load(data: bytes, path: str) -> SentencePieceProcessor:
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        raise EncodingError(
            f"{path} is a model of SentencePiece, and the sentencepiece library is not "
            "installed; run .venv/bin/pip install '.[sentencepiece]' in the program's folder"
        ) from None
    with wrap_rust_errors(f"{path} is not a .model that the sentencepiece library can read"):
        return SentencePieceProcessor(model_proto=data)
