"""Encoding and decoding with the merges before any position of a history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.characters import character_offsets_kernel
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.segmentation import Segmentation
from bpe_gui.bpe.spelling import NormalizedSource, Speller
from bpe_gui.bpe.streaming import safe_cut
from bpe_gui.bpe.word_cache import CutBytes, WordCache


class UnknownTokenError(ValueError):
    """An id that the vocabulary does not have; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text cut into tokens: columns of equal length, in text order.

    `ids` are NO_TOKEN for characters outside the alphabet. `starts` and `ends` are byte
    offsets into the text's UTF-8, `char_starts` and `char_ends` the characters that those
    bytes belong to: a token that holds part of a character covers the whole of it there.
    Text that the recipe drops (white space, say) is covered by no token.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    char_starts: NDArray[np.int64]
    char_ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


class Trace:
    """How one text is cut at every position of a history.

    The text is encoded once with all merges; what is kept is the step at which each
    border between two symbols vanished, and so any position is a matter of a few array
    operations. `extend` takes in merges that came since, from where it stands.
    """

    def __init__(
        self,
        history: History,
        text: str,
        *,
        specials_as_text: bool = False,
        compiled: bool | None = None,
    ) -> None:
        self.history = history
        self.text = text
        spelled = Speller(history.recipe, history.base).spell(
            text, specials_as_text=specials_as_text, compiled=compiled
        )
        self.spelled = spelled
        self.segmentation = Segmentation(
            history, spelled.ids, spelled.word_starts, compiled=compiled
        )
        self._characters = _characters_of_bytes(text.encode("utf-8"))

    def extend(self) -> None:
        """Take in the merges that the history has had since."""
        self.segmentation.extend()

    def tokens(self, position: int) -> Tokens:
        """The tokens with the merges before a position.

        Raises IndexError if the position is beyond the merges taken in.
        """
        cut = self.cut(position)
        offsets = _character_offsets(self._characters, cut.starts, cut.ends)
        return Tokens(cut.ids, cut.starts, cut.ends, *offsets)

    def cut(self, position: int) -> CutBytes:
        """As `tokens`, in bytes only."""
        first, ids = self.segmentation.tokens(position)
        spelled = self.spelled
        last = np.append(first[1:], len(spelled.ends)) - 1 if len(first) else first
        return CutBytes(ids, spelled.starts[first], spelled.ends[last])


def _characters_of_bytes(data: bytes) -> NDArray[np.int32]:
    """Which character each byte of UTF-8 belongs to, and at the end how many there are."""
    characters = np.empty(len(data) + 1, np.int32)
    leads = np.frombuffer(data, np.uint8) & 0xC0 != 0x80
    np.cumsum(leads, out=characters[:-1])
    characters[-1] = characters[-2] + 1 if len(data) else 1
    characters -= 1
    return characters


def _character_offsets(
    characters: NDArray[np.int32], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The characters that stretches of bytes belong to: each whole."""
    begin = characters[starts].astype(np.int64)
    end = np.where(ends > starts, characters[np.maximum(ends - 1, 0)] + 1, begin)
    return begin, end


class Decoder:
    """Gives back the bytes of tokens, at every position of a history; remembers those it met."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._contents: dict[int, bytes] = {NO_TOKEN: b""}

    def decode_bytes(self, ids: Sequence[int], position: int) -> bytes:
        """The bytes that tokens stand for.

        An end-of-word marker becomes a space, but for the last. Unknown characters
        (NO_TOKEN) are left out. Raises UnknownTokenError for ids that the vocabulary
        does not have at the position.
        """
        size = self._history.vocabulary_size(position)
        # A long text has few tokens that differ: each is looked up once.
        for token in dict.fromkeys(ids):
            if not 0 <= token < size and token != NO_TOKEN:
                raise UnknownTokenError(
                    f"the id {token} is not in the vocabulary, whose ids go from 0 to {size - 1}"
                )
            if token not in self._contents:
                self._contents[token] = self._content(token)
        whole = b"".join(map(self._contents.__getitem__, ids))
        ends_word = len(ids) > 0 and ids[-1] != NO_TOKEN and self._history.ends_word(ids[-1])
        return whole[:-1] if ends_word else whole

    def _content(self, token: int) -> bytes:
        """The bytes of one token, with a space for an end-of-word marker."""
        content = self._history.content(token)
        if self._history.ends_word(token):
            return content.removesuffix(END_OF_WORD.encode()) + b" "
        return content


class Tokenizer:
    """The encoding that consists of the merges before a position (default: all so far).

    Encoding is by lowest rank first within each pre-tokenized word. Byte-level recipes
    give back every text: decode(encode(text).ids) == text. The words that were met are
    remembered, so one thread at a time may encode.
    """

    def __init__(
        self, history: History, position: int | None = None, *, compiled: bool | None = None
    ) -> None:
        self.history = history
        self.position = len(history) if position is None else position
        self._compiled = compiled
        self._speller = Speller(history.recipe, history.base)
        self._decoder = Decoder(history)
        self._words = WordCache(history, self.position, compiled=compiled)

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text into tokens. Raises UnicodeEncodeError for lone surrogates."""
        data = text.encode("utf-8")
        cut = self.cut(data, np.array([len(data)]), specials_as_text=specials_as_text)
        if text.isascii():
            return Tokens(cut.ids, cut.starts, cut.ends, cut.starts, cut.ends)
        begin, end = np.empty_like(cut.starts), np.empty_like(cut.ends)
        kernel = character_offsets_kernel.form(self._compiled)
        kernel(np.frombuffer(data, np.uint8), cut.starts, cut.ends, begin, end)
        return Tokens(cut.ids, cut.starts, cut.ends, begin, end)

    def cut(
        self, data: bytes, document_ends: NDArray[np.int64], *, specials_as_text: bool = False
    ) -> CutBytes:
        """Cut documents that stand one after another, in UTF-8.

        `document_ends` ascend, the last of them is the end of `data`. Raises
        UnicodeDecodeError for what is no UTF-8, where the recipe normalizes.
        """
        recipe = self.history.recipe
        no_specials = specials_as_text or not recipe.found_tokens
        if no_specials and not recipe.normalizers:
            return self._words.cut(np.frombuffer(data, np.uint8), document_ends)
        parts = []
        begin = 0
        for end in document_ends.tolist():
            parts += self._cut_document(data[begin:end], begin, specials_as_text)
            begin = end
        return CutBytes.joined(parts)

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """The last byte before which the tokens do not depend on what comes after it, and
        from which on they do not depend on what comes before; 0 if none is certain.

        Whatever may follow on `data`: it need not be the end of a document. Such a place is
        never within a word between white space.
        """
        recipe = self.history.recipe
        tokens = () if specials_as_text else recipe.found_tokens
        specials = [token.encode("utf-8") for token in tokens]
        return safe_cut(data, recipe, specials=specials, compiled=self._compiled)

    def _cut_document(self, data: bytes, offset: int, specials_as_text: bool) -> list[CutBytes]:
        """The parts of a document between special tokens, and these, one after another."""
        parts = []
        done = 0
        for begin, end, special in self._speller.specials(data, specials_as_text=specials_as_text):
            source = NormalizedSource(data[done:begin], self.history.recipe.normalizers)
            if size := len(source.data):
                cut = self._words.cut(source.data, np.array([size]))
                starts, ends = source.offsets(cut.starts, cut.ends)
                parts.append(CutBytes(cut.ids, starts + (offset + done), ends + (offset + done)))
            if end > begin:
                place = np.array([offset + begin]), np.array([offset + end])
                parts.append(CutBytes(np.array([special], np.int32), *place))
            done = end
        return parts

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes that the tokens stand for; see `Decoder.decode_bytes`."""
        return self._decoder.decode_bytes(ids, self.position)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of the tokens; bytes that are no UTF-8 become U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", "replace")
