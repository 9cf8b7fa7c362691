"""Encodings of other programs on our kernels, checked by the library that defines them.

A byte-pair encoding that can be rebuilt merge by merge (`import_history`) is encoded by our kernels
some hundred times faster than by its library. That both agree is not assumed: the library encodes
the beginning of each corpus as well, and later the line of each character that has not occurred
before, because Unicode's classes of a character are what two programs disagree about. At the first
difference the library decides, from there on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.new_characters import COMMON, find_new
from bpe_gui.bpe.errors import PatternError
from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.pre_tokenize import CODE_POINTS
from bpe_gui.bpe.recipe import Recipe
from bpe_gui.bpe.tokenizer import ByteTokens
from bpe_gui.encodings.base import EncodesTexts, Encoding, EncodingError, ExportError
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.formats.sentencepiece_models import PieceType, SentencePieceEncoding
from bpe_gui.encodings.import_history import history_with_ids
from bpe_gui.encodings.ours import SharedCuts, TrainedEncoding

CHECKED = 100_000
"""Bytes at the beginning of a corpus that the library encodes as well, at least."""

_PIECE = 20_000
"""Characters of them that a library encodes at once, on each processor."""

_AROUND = 100
"""Bytes of a line, before and behind a new character, that are encoded to check it."""


def rebuilt(encoding: Encoding, *, specials_as_text: bool = False) -> RebuiltEncoding | None:
    """Rebuild an encoding for one corpus; None if it cannot be rebuilt merge by merge."""
    if isinstance(encoding, TrainedEncoding):
        return None
    if not _finds_plainly(encoding, specials_as_text):
        return None
    try:
        history, ids = history_with_ids(encoding)
    except ExportError:
        return None
    kernels = TrainedEncoding(history, name=encoding.name)
    numbers = np.array([*ids, NO_TOKEN], np.int32)
    return RebuiltEncoding(encoding, kernels, numbers, specials_as_text)


def _finds_plainly(encoding: Encoding, specials_as_text: bool) -> bool:
    """Tell whether an encoding finds tokens at the places where recipes find them: its added tokens
    all or none, and others where no space is dropped.
    """
    if isinstance(encoding, SentencePieceEncoding):
        has_symbols = any(kind is PieceType.USER_DEFINED for _, kind in encoding.pieces())
        return not (encoding.preparation.squeezes_spaces or (specials_as_text and has_symbols))
    if not isinstance(encoding, HuggingFaceEncoding) or not specials_as_text:
        return True
    return all(token.special for token in encoding.added_tokens.values())


class Samples:
    """Chooses what of the documents of a corpus a library has to encode before others are trusted.
    """

    def __init__(self) -> None:
        self._unchecked = CHECKED
        self._seen = np.zeros(CODE_POINTS, np.bool_)

    def take(self, data: bytes, document_ends: NDArray[np.int64]) -> list[bytes]:
        """Take the next documents, concatenated; returns the samples of them."""
        samples = []
        begin = 0
        for end in document_ends.tolist():
            if self._unchecked <= 0:
                break
            beginning = data[begin : min(end, begin + CHECKED)].decode("utf-8", "ignore")
            self._seen[_code_points(beginning)] = True
            pieces = range(0, len(beginning), _PIECE)
            samples += [beginning[at : at + _PIECE].encode("utf-8") for at in pieces]
            self._unchecked -= end - begin
            begin = end
        return [*samples, *self._lines_of_new_characters(data)]

    def _lines_of_new_characters(self, data: bytes) -> Iterator[bytes]:
        text = np.frombuffer(data, np.uint8)
        place = self._find_new(text, 0)
        while place < len(data):
            # Whole characters: bytes that are cut are left out, on either side.
            first = max(data.rfind(b"\n", 0, place) + 1, place - _AROUND)
            end = data.find(b"\n", place)
            last = min(len(data) if end < 0 else end + 1, place + _AROUND)
            line = data[first:place].decode("utf-8", "ignore")
            line += data[place:last].decode("utf-8", "ignore")
            yield line.encode("utf-8")
            self._seen[_code_points(line)] = True
            place = self._find_new(text, place)

    def _find_new(self, text: NDArray[np.uint8], begin: int) -> int:
        common_seen = bool(self._seen[list(COMMON)].all())
        return int(find_new.form(None)(text, begin, self._seen, common_seen))


class RebuiltEncoding:
    """Encodes the documents of one corpus, in order, as long as the library agrees."""

    def __init__(
        self,
        encoding: Encoding,
        kernels: TrainedEncoding,
        ids: NDArray[np.int32],
        specials_as_text: bool,
    ) -> None:
        """Take the ids that `kernels` has, and behind them NO_TOKEN, as `encoding` numbers them."""
        self._encoding = encoding
        self._kernels = kernels
        self._ids = ids
        self._specials_as_text = specials_as_text
        self._samples = Samples()
        self._agrees = True

    @property
    def recipe(self) -> Recipe:
        """Return the recipe that texts are prepared by."""
        return self._kernels.recipe

    @property
    def unknown_ids(self) -> list[int]:
        """Return the unknown token, NO_TOKEN apart, if there is one."""
        return [int(self._ids[token]) for token in self._kernels.unknown_ids]

    def encode_pre_tokens(
        self,
        text: NDArray[np.uint8],
        ends: NDArray[np.int64],
        *,
        cuts: SharedCuts | None = None,
        begin: int = 0,
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        """Tokenize pre-tokens one by one; see `measure.EncodesPreTokens`."""
        first, found = self._kernels.encode_pre_tokens(text, ends)
        return first, ByteTokens(self._ids[found.ids], found.starts, found.ends)

    def encode_documents(
        self, data: bytes, document_ends: NDArray[np.int64], *, continues: bool = False
    ) -> tuple[NDArray[np.int64], ByteTokens] | None:
        """Encode documents; see `measure.EncodesDocuments`. None if the library has to do it."""
        if not self._agrees:
            return None
        try:
            found = self._encode(data, document_ends, continues=continues)
        except (EncodingError, PatternError):
            return None  # the library may know how, or says what is wrong
        self._agrees = self.agrees_on(self._samples.take(data, document_ends))
        return found if self._agrees else None

    def agrees_on(self, samples: Iterable[bytes]) -> bool:
        """Tell whether the library encodes texts in the same way."""
        try:
            return self._are_encoded_alike(list(filter(None, samples)))
        except (EncodingError, PatternError):
            return False

    def _encode(
        self, data: bytes, document_ends: NDArray[np.int64], *, continues: bool = False
    ) -> tuple[NDArray[np.int64], ByteTokens]:
        first, found = self._kernels.encode_documents(
            *(data, document_ends), specials_as_text=self._specials_as_text, continues=continues
        )
        return first, ByteTokens(self._ids[found.ids], found.starts, found.ends)

    def _are_encoded_alike(self, samples: list[bytes]) -> bool:
        sizes = np.array(list(map(len, samples)), np.int64)
        ends = np.cumsum(sizes)
        _, ours = self._encode(b"".join(samples), ends)
        theirs = self._by_library(samples, ends - sizes)
        return (
            np.array_equal(ours.ids, theirs.ids)
            and np.array_equal(ours.starts, theirs.starts)
            and np.array_equal(ours.ends, theirs.ends)
        )

    def _by_library(self, samples: list[bytes], begins: NDArray[np.int64]) -> ByteTokens:
        texts = [sample.decode("utf-8") for sample in samples]
        as_text = self._specials_as_text
        if isinstance(self._encoding, EncodesTexts):
            encoded = self._encoding.encode_all(texts, specials_as_text=as_text)
        else:
            encoded = (self._encoding.encode(text, specials_as_text=as_text) for text in texts)
        return ByteTokens.joined(
            [
                ByteTokens(tokens.ids, tokens.starts + begin, tokens.ends + begin)
                for tokens, begin in zip(encoded, begins.tolist(), strict=True)
            ]
        )


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)
