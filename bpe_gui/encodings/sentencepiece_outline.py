"""What a `.model` of SentencePiece says of its pieces.

The file is a protobuf message (sentencepiece_model.proto): pieces with their types and scores,
the way they are put together, and how text is normalized.

To recognise such a file by its content: `looks_like`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from bpe_gui.encodings.base import Model
from bpe_gui.encodings.protobuf import BYTES, FIXED32, VARINT, Field, WireError, fields
from bpe_gui.encodings.reading import MAX_GROWTH, MAX_TOKENS, longest_replacement

_PIECES, _TRAINING, _NORMALIZING, _DENORMALIZING = 1, 2, 3, 5
_TEXT, _SCORE, _TYPE = 1, 2, 3
_MODEL, _UNKNOWN_SHOWN = 3, 44
_CHARSMAP = 2
"""Numbers of the fields of ModelProto, of a piece, of TrainerSpec, and of NormalizerSpec."""


class PieceType(IntEnum):
    """What a piece is for."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


_BY_SCORE = 2
"""The number of the model that merges neighbours."""

_MODELS = {
    1: Model.UNIGRAM,
    2: Model.BPE,
    3: Model.WORD_LEVEL,
    # Single characters: byte-pair encoding without a merge.
    4: Model.BPE,
}


@dataclass(frozen=True, slots=True)
class Outline:
    """What a file says of its pieces, by id.

    merges: whether they are merged from characters by their scores.
    type_places: where the type of each piece stands, a single byte; -1 where it is left out.
    """

    model: Model
    merges: bool
    texts: tuple[str, ...]
    scores: tuple[float, ...]
    types: tuple[PieceType, ...]
    type_places: tuple[int, ...]


def looks_like(data: bytes) -> bool:
    """Whether a file that begins with these bytes begins with pieces.

    A file of text cannot: its first two pieces would have to begin with control characters.
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
        return seen >= 2  # the beginning of a file ends within a piece
    except UnicodeDecodeError:
        return False
    return seen >= 2


def outline_of(data: bytes) -> Outline:
    """The pieces and the model. Raises WireError for what is no such message."""
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
                        f"it writes unknown pieces as more than {MAX_GROWTH:,} bytes, which is not "
                        "done"
                    )
        elif field.number in (_NORMALIZING, _DENORMALIZING) and field.kind == BYTES:
            for option in fields(data, field.start, field.end):
                if option.number == _CHARSMAP and option.kind == BYTES:
                    _check_charsmap(data[option.start : option.end])
    if not texts:
        raise WireError("it has no pieces")
    if model not in _MODELS:
        raise WireError(f"its pieces are put together in an unknown way, number {model}")
    return Outline(
        _MODELS[model],
        model == _BY_SCORE,
        tuple(texts),
        tuple(scores),
        tuple(types),
        tuple(places),
    )


def _check_charsmap(charsmap: bytes) -> None:
    """Raise WireError for replacements that could fill all memory."""
    if longest_replacement(charsmap) > MAX_GROWTH:
        raise WireError(
            f"it asks for replacements that could make a text more than {MAX_GROWTH:,} times as "
            "long, which is not done"
        )


def _piece(data: bytes, field: Field) -> tuple[str, float, PieceType, int]:
    """The text of a piece, its score, its type, and where the type stands."""
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
                raise WireError(f"the type of a piece is written too long at byte {part.start:,}")
            place = part.start
    return text, score, kind, place
