"""A run of ours, at any of its positions, as an encoding among others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.derivation import NOWHERE, made_at
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.normalize import normalize_aligned
from bpe_gui.bpe.recipe import EndOfWord, Prepend, Replace
from bpe_gui.bpe.recipe_error import PatternError
from bpe_gui.bpe.spelling import SpelledText, Speller
from bpe_gui.bpe.symbols import MARKED, MARKER
from bpe_gui.bpe.tokenizer import Decoder, Tokenizer, Tokens, Trace, UnknownTokenError
from bpe_gui.bpe.word_cache import CutBytes
from bpe_gui.encodings.base import EncodingError, Merge, Model, Read


class TrainedEncoding:
    """The merges of a history before a position (default: all so far). See `base.Encoding`.

    Characters outside the alphabet have the id NO_TOKEN, unless the recipe has an unknown
    token. The same text at another position costs next to nothing: what was cut last is kept,
    and `at` shares it.
    """

    model = Model.BPE

    def __init__(self, history: History, position: int | None = None, *, name: str = "") -> None:
        self.history = history
        self.position = len(history) if position is None else position
        self.name = name or history.recipe.name
        self.vocabulary_size = history.vocabulary_size(self.position)
        """How many tokens there are at the position, special ones included."""
        self._traces: dict[bool, Trace] = {}
        self._tokenizer: Tokenizer | None = None
        self._contents = _Contents(history)
        self._decoder = Decoder(history)

    def at(self, position: int, *, name: str = "") -> TrainedEncoding:
        """The same run at another position; cheap enough for every frame."""
        other = TrainedEncoding(self.history, position, name=name or self.name)
        other._traces = self._traces
        other._contents = self._contents
        other._decoder = self._decoder
        return other

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text; see `base.Encoding`. Raises EncodingError if a regex takes too long."""
        return self._trace(text, specials_as_text).tokens(self.position)

    def _trace(self, text: str, specials_as_text: bool) -> Trace:
        """How a text is cut at every position; that of the text before is kept."""
        trace = self._traces.get(specials_as_text)
        if trace is None or trace.text != text:
            with self._telling():
                trace = Trace(self.history, text, specials_as_text=specials_as_text)
            self._traces[specials_as_text] = trace
        trace.extend()
        return trace

    # -- for measuring many documents; see `measuring` ------------------------------------------

    @property
    def unknown_ids(self) -> tuple[int, ...]:
        """The recipe's unknown token, if it has one."""
        return self.history.recipe.unknown_ids

    @property
    def may_have_empty_ends(self) -> bool:
        """Whether a token may stand for no text at an end of a document; see
        `measuring.CutsDocuments`."""
        recipe = self.history.recipe
        if any(isinstance(step, Prepend | Replace) for step in recipe.normalizers):
            return True
        # Spaces beside ideographs, and markers of words of white space, are dropped with it.
        may = "bert-chinese" in recipe.normalizers or recipe.end_of_word is EndOfWord.OWN
        return may and recipe.split not in ("whitespace", "bert")

    def cut(
        self, data: bytes, document_ends: NDArray[np.int64], *, specials_as_text: bool = False
    ) -> CutBytes:
        """Cut documents that stand one after another in UTF-8, and keep no trace of it."""
        with self._telling():
            return self._words.cut(data, document_ends, specials_as_text=specials_as_text)

    def safe_cut(self, data: bytes, *, specials_as_text: bool = False) -> int:
        """Where a text can be cut; see `measuring.KnowsSafeCuts`."""
        return self._words.safe_cut(data, specials_as_text=specials_as_text)

    @property
    def _words(self) -> Tokenizer:
        """A tokenizer, which remembers the words that it has met."""
        if self._tokenizer is None:
            self._tokenizer = Tokenizer(self.history, self.position)
        return self._tokenizer

    # -------------------------------------------------------------------------------------------

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say of a regex that takes too long whose it is. Raises EncodingError."""
        try:
            yield
        except PatternError as error:
            raise EncodingError(f"{self.name}: {error}") from None

    def decode(self, ids: Sequence[int]) -> str:
        """The text of ids; unknown characters are missing. Raises EncodingError."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes of ids. Raises EncodingError for those that the vocabulary does not have."""
        try:
            return self._decoder.decode_bytes(ids, self.position)
        except UnknownTokenError as error:
            raise EncodingError(f"{self.name}: {error}") from None

    def text(self, token: int) -> str:
        """A token as the vocabulary writes it. Raises EncodingError for an unknown id."""
        return self.history.text(self._checked(token))

    def content(self, token: int) -> bytes:
        """The bytes of text that a token stands for. Raises EncodingError for an unknown id."""
        return self.history.bytes_in_text(self._checked(token))

    def is_special(self, token: int) -> bool:
        """Whether it is one of the recipe's special tokens that are looked for in a text."""
        reserved = self.history.recipe.reserved_tokens
        return self.history.is_special(token) and self.history.text(token) not in reserved

    def is_unknown(self, token: int) -> bool:
        """Whether it is no token, or the recipe's unknown token."""
        return token == NO_TOKEN or token in self.unknown_ids

    def find(self, content: bytes) -> int | None:
        """The token with this content that text is cut into; of several the lowest id."""
        return self._contents.find(content, self.position, marked=False)

    def marked_content(self, token: int) -> bytes:
        """As `content`, but with the end-of-word marker. Raises EncodingError."""
        return self.history.content(self._checked(token))

    def find_marked(self, content: bytes) -> int | None:
        """As `find`, for content with the end-of-word marker."""
        return self._contents.find(content, self.position, marked=True)

    def merge(self, token: int) -> Merge | None:
        """Which merge made a token, the first if several did; None for one from the start."""
        step = made_at(self.history, self._checked(token))
        if not 0 <= step < self.position:
            return None
        return Merge(step, int(self.history.left[step]), int(self.history.right[step]))

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64]:
        """Where words begin, in bytes of the text's UTF-8; see `base.Encoding`."""
        spelled = self._trace(text, specials_as_text).spelled
        starts = spelled.starts[spelled.word_starts]
        # What one changed character was made into may be several words, all at its place.
        before = np.append(0, spelled.ends)[spelled.word_starts]
        return np.compress(starts >= before, starts)

    def read(self, text: str, start: int, end: int, *, specials_as_text: bool = False) -> Read:
        """What is made of a stretch before the merges; see `base.TellsWhatItReads`."""
        trace = self._trace(text, specials_as_text)
        spelled = trace.spelled
        low, high = (_symbols_before(spelled, place) for place in (start, end))
        keys = spelled.keys[low:high]
        contents = [self._read_as(key) for key in keys.tolist()]
        lengths = np.array([len(content) for content in contents], np.int64)
        unknown = np.isin(spelled.ids[low:high], [NO_TOKEN, *self.unknown_ids]) & (keys >= 0)
        begins_word = np.zeros(int(lengths.sum()), np.bool_)
        words = spelled.word_starts[slice(*np.searchsorted(spelled.word_starts, [low, high]))]
        begins_word[(np.cumsum(lengths) - lengths)[words - low]] = True
        first, _ = trace.segmentation.tokens(self.position)
        token = np.searchsorted(first, np.arange(low, high), side="right")
        return Read(
            b"".join(contents),
            np.repeat(unknown, lengths),
            begins_word,
            np.repeat(token - token[0] if len(token) else token, lengths),
            int(np.count_nonzero(unknown & (keys == MARKER))),
        )

    def joins_put_in(self, text: str, place: int, *, specials_as_text: bool = False) -> bool:
        """Whether a border in the text is none in what is read; see `base.TellsWhatItReads`."""
        trace = self._trace(text, specials_as_text)
        symbol = _symbols_before(trace.spelled, place)
        first, _ = trace.segmentation.tokens(self.position)
        return symbol < len(trace.spelled.ids) and symbol not in first

    def normalizes_away(self, text: str, place: int, *, specials_as_text: bool = False) -> bool:
        """Whether normalization leaves nothing of a character; see `base.TellsWhatItReads`."""
        recipe, data = self.history.recipe, text.encode("utf-8")
        done = 0
        for begin, end, _ in Speller(recipe, self.history.base).specials(
            data, specials_as_text=specials_as_text
        ):
            if done <= place < begin:
                with self._telling():
                    source = normalize_aligned(data[done:begin].decode(), recipe.normalizers)
                character = len(data[done:place].decode("utf-8"))
                origins, stops = source.columns()
                return not ((origins <= character) & (character < stops)).any()
            done = end
        return False

    def _read_as(self, key: int) -> bytes:
        """The bytes of a symbol, by its key in a `SpelledText`."""
        if key < 0:
            return self.content(-1 - key)
        if self.history.recipe.byte_level:
            return bytes([key])
        return b"" if key == MARKER else chr(key % MARKED).encode("utf-8")

    def normalized(self, text: str) -> str:
        """The text as the recipe's normalizers leave it."""
        return normalize_aligned(text, self.history.recipe.normalizers).text

    def _is_known(self, token: int) -> bool:
        return 0 <= token < self.vocabulary_size

    def _checked(self, token: int) -> int:
        if not self._is_known(token):
            raise EncodingError(
                f"{self.name} has no token with the id {token}; its ids go from 0 to "
                f"{self.vocabulary_size - 1}"
            )
        return token


def _symbols_before(spelled: SpelledText, place: int) -> int:
    """How many symbols stand before a border of a text; what is put in there does."""
    return int(np.searchsorted(spelled.ends, place, side="right")) if place else 0


class _Contents:
    """Which tokens of a history stand for some bytes; shared by all positions."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._noted = NOWHERE
        self._tokens: dict[bool, dict[bytes, dict[int, int]]] = {False: {}, True: {}}
        """Marked or not: content: the tokens that have it and the first merge that made each."""

    def find(self, content: bytes, position: int, *, marked: bool) -> int | None:
        """The lowest id of those that are symbols or were merged before a position."""
        if self._noted == NOWHERE:
            for token in self._history.base.symbol_ids:
                self._note(token, NOWHERE)
            self._noted = 0
        length = len(self._history)
        for step in range(self._noted, length):
            self._note(int(self._history.new_id[step]), step)
        self._noted = length
        made = self._tokens[marked].get(content, {})
        return min((token for token, step in made.items() if step < position), default=None)

    def _note(self, token: int, step: int) -> None:
        contents = {
            False: self._history.bytes_in_text(token),
            True: self._history.content(token),
        }
        for marked, content in contents.items():
            self._tokens[marked].setdefault(content, {}).setdefault(token, step)
