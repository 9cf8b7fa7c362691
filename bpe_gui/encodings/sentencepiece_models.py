"""SentencePiece's `.model`, read by the `sentencepiece` library, which is an optional extra.

Which merges a byte-pair encoding was trained by, the file tells by scores: any two neighbours
are merged that make a piece, the piece with the best score first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import EncodingError, Merge
from bpe_gui.encodings.panics import told_as
from bpe_gui.encodings.protobuf import WireError
from bpe_gui.encodings.reading import read_bounded
from bpe_gui.encodings.score_merges import ScoreMerges
from bpe_gui.encodings.sentencepiece_outline import Outline, PieceType, looks_like, outline_of
from bpe_gui.encodings.spans import character_spans, sharing_bytes

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

__all__ = ["SentencePieceEncoding", "looks_like", "read"]

_SPACE = "▁"
"""How pieces write a space."""

_BYTE = re.compile("<0x([0-9A-F]{2})>")

_MERGED = (PieceType.NORMAL, PieceType.USER_DEFINED, PieceType.UNUSED)
"""What neighbours can be merged to. A user-defined piece is found before any merge, unless it is
to be read as text: then it is unused. An unused one is taken apart again when all is merged."""


def read(path: str | Path, *, name: str = "") -> SentencePieceEncoding:
    """Load a `.model` of SentencePiece.

    Raises EncodingError if it is none, or if the library is not installed; OSError if the
    file is unreadable.
    """
    data = read_bounded(path)
    try:
        outline = outline_of(data)
    except WireError as error:
        raise EncodingError(f"{path} is not a .model of SentencePiece: {error}") from None
    return SentencePieceEncoding(data, outline, name or Path(path).name, str(path))


class SentencePieceEncoding:
    """A model of SentencePiece. See `base.Encoding`; `read` makes it.

    Special are its control symbols, which no text is cut to, and its user-defined symbols,
    which are found in texts.
    """

    def __init__(self, data: bytes, outline: Outline, name: str, path: str) -> None:
        self.name = name
        self.model = outline.model
        self._data = data
        self._outline = outline
        self._path = path
        self._processor = _load(data, path)
        if self._processor.get_piece_size() != len(outline.texts):
            raise EncodingError(f"{path} is not a .model that the sentencepiece library can read")

    @property
    def vocabulary_size(self) -> int:
        """How many pieces there are."""
        return len(self._outline.texts)

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text; see `base.Encoding`. Raises EncodingError if the library cannot."""
        data = text.encode("utf-8")
        processor = self._without_specials if specials_as_text else self._processor
        with told_as(f"{self.name} cannot cut this text"):
            found = processor.encode(data, return_type="offset_mapping")
        ids = np.array(found["ids"], np.int32)
        offsets = np.array(found["offsets"], np.int64).reshape(-1, 2)
        starts, ends = self._places(data, ids, offsets)
        return Tokens(ids, starts, ends, *character_spans(data, starts, ends))

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; control symbols stand for nothing. Raises EncodingError."""
        known = [token for token in ids if token != NO_TOKEN]
        for token in known:
            self.text(token)
        if not known:
            return ""
        with told_as(f"{self.name} cannot decode these ids"):
            return str(self._processor.decode(known))

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes of ids, also where they are no whole characters."""
        text = self.decode(ids)
        if "\ufffd" not in text:
            return text.encode("utf-8")
        # The library gives U+FFFD for bytes that are no characters: here are the bytes.
        whole = b"".join([self.content(token) for token in ids if token != NO_TOKEN])
        return whole[1:] if whole.startswith(b" ") and not text.startswith(" ") else whole

    def text(self, token: int) -> str:
        """A piece as the vocabulary writes it. Raises EncodingError for an unknown id."""
        if not 0 <= token < len(self._outline.texts):
            raise EncodingError(
                f"{self.name} has no token with the id {token}; its ids go from 0 to "
                f"{self.vocabulary_size - 1}"
            )
        return self._outline.texts[token]

    def content(self, token: int) -> bytes:
        """The bytes that a piece stands for: none for a control symbol."""
        text = self.text(token)
        kind = self._outline.types[token]
        if kind is PieceType.CONTROL:
            return b""
        if kind is PieceType.UNKNOWN:
            return self.decode([token]).encode("utf-8")
        byte = _BYTE.fullmatch(text) if kind is PieceType.BYTE else None
        return bytes([int(byte[1], 16)]) if byte else text.replace(_SPACE, " ").encode("utf-8")

    def is_special(self, token: int) -> bool:
        """Whether it is a control symbol or a user-defined one."""
        return self._type(token) in (PieceType.CONTROL, PieceType.USER_DEFINED)

    def is_unknown(self, token: int) -> bool:
        """Whether it is no token, or the unknown piece."""
        return token == NO_TOKEN or self._type(token) is PieceType.UNKNOWN

    def find(self, content: bytes) -> int | None:
        """The ordinary piece with this content; of several the lowest id."""
        return self._by_content.get(content)

    def merge(self, token: int) -> Merge | None:
        """Which merge made a piece, by the scores; see `score_merges`.

        None for what no text is merged to: a single character or byte, a symbol that is found
        whole, an unused piece. Raises EncodingError for an unknown id.
        """
        text = self.text(token)
        return self._merges.merge(text) if self._type(token) is PieceType.NORMAL else None

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """None: a text is not cut into words before, though few pieces reach across spaces."""
        text.encode("utf-8")
        return None

    def normalized(self, text: str) -> str:
        """The text as it is normalized, spaces written as spaces."""
        data = text.encode("utf-8")
        with told_as(f"{self.name} cannot normalize this text"):
            found = self._processor.normalize(data)
        normalized = found.decode("utf-8", "replace") if isinstance(found, bytes) else str(found)
        return normalized.replace(_SPACE, " ")

    def _type(self, token: int) -> PieceType | None:
        types = self._outline.types
        return types[token] if 0 <= token < len(types) else None

    def _places(
        self, data: bytes, ids: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where tokens begin and end, in bytes.

        Of the bytes of a character the library gives all to the last one.
        """
        starts, ends = offsets[:, 0].copy(), offsets[:, 1].copy()
        kinds, which = np.unique(ids, return_inverse=True)
        is_byte = np.array([self._type(kind) is PieceType.BYTE for kind in kinds.tolist()], bool)
        bytes_at = np.flatnonzero(is_byte[which]) if len(ids) else np.empty(0, np.int64)
        for place in bytes_at[::-1].tolist():
            if starts[place] == ends[place] and place + 1 < len(ids) and is_byte[which[place + 1]]:
                ends[place] = ends[place + 1]
        contents = [self.content(token) for token in kinds.tolist()]
        if not data.isascii():
            self._share_changed(data, ids.tolist(), starts, ends)
        return sharing_bytes(data, starts, ends, contents, which)

    def _share_changed(
        self, data: bytes, ids: list[int], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None:
        """Let all tokens that stand for a part of what a character becomes have that character.

        Of "ﬁ", which becomes "fi", the library gives nothing to a token that ends in "f".
        """
        with told_as(f"{self.name} cannot normalize this text"):
            found, offsets = self._processor.normalize(data, with_offsets=True)
        origins = np.array(offsets, np.int64)
        places = self._normalized_places(found, ids)
        if places is None or len(origins) != len(found) + 1:
            return
        shared = origins[:-1] == np.append(-1, origins[:-2])
        if found.startswith(_SPACE.encode("utf-8")):
            shared[: len(_SPACE.encode("utf-8")) + 1] = False  # a space put before the text
        for index, (begin, end) in enumerate(pairwise(places)):
            if begin < end and shared[begin]:
                starts[index] = origins[begin]
            if begin < end < len(shared) and shared[end]:
                ends[index] = origins[np.searchsorted(origins, origins[end], "right")]

    def _normalized_places(self, normalized: bytes, ids: list[int]) -> list[int] | None:
        """Where each token begins in the normalized text, and where the last one ends, in bytes.

        None if that cannot be told.
        """
        places = [0]
        for index, token in enumerate(ids):
            piece = self.text(token).encode("utf-8")
            if normalized.startswith(piece, places[-1]):
                places.append(places[-1] + len(piece))
            elif self._type(token) is PieceType.BYTE:
                places.append(places[-1] + 1)
            elif index + 1 < len(ids):
                following = self.text(ids[index + 1]).encode("utf-8")
                places.append(normalized.find(following, places[-1] + 1))
            else:
                places.append(len(normalized))
            if places[-1] < places[-2]:
                return None
        return places if places[-1] == len(normalized) else None

    @cached_property
    def _without_specials(self) -> SentencePieceProcessor:
        """The same model, but that user-defined symbols are not found in texts."""
        changed = bytearray(self._data)
        for place, kind in zip(self._outline.type_places, self._outline.types, strict=True):
            if kind is PieceType.USER_DEFINED:
                changed[place] = PieceType.UNUSED
        return _load(bytes(changed), self._path)

    @cached_property
    def _merges(self) -> ScoreMerges:
        """The merges, none if pieces are put together in another way."""
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
        for token, kind in enumerate(self._outline.types):
            if kind in (PieceType.NORMAL, PieceType.BYTE):
                found.setdefault(self.content(token), token)
        return found


def _load(data: bytes, path: str) -> SentencePieceProcessor:
    try:
        from sentencepiece import SentencePieceProcessor
    except ImportError:
        raise EncodingError(
            f"{path} is a model of SentencePiece, and the sentencepiece library is not "
            "installed: pip install '.[sentencepiece]', where the program lies, adds it"
        ) from None
    with told_as(f"{path} is not a .model that the sentencepiece library can read"):
        return SentencePieceProcessor(model_proto=data)


