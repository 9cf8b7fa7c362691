"""What every encoding can do, whichever program or library made it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from threading import Condition, Lock
from typing import Protocol, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.tokenizer import Tokens

# -- Encodings ----------------------------------------------------------------------------------
#
# A lane of the window, and the command line, show texts cut by encodings that come from
# elsewhere; they need no more than this. What a library does not tell is None, never a guess.


class EncodingError(ValueError):
    """An encoding that cannot be read or used; the message is one sentence for the user."""


class ExportError(ValueError):
    """Something that a file format cannot hold; the message is one sentence for the user."""


class Model(StrEnum):
    """How an encoding finds its tokens within a word."""

    BPE = "byte-pair encoding"
    WORDPIECE = "WordPiece"
    UNIGRAM = "Unigram"
    WORD_LEVEL = "whole words"


@dataclass(frozen=True, slots=True)
class Merge:
    """How a token came to be: which merge made it, counted from 0, and of which two."""

    rank: int
    left: int
    right: int


class Encoding(Protocol):
    """Something that cuts a text into numbered tokens and puts it together again.

    Ids are not negative, but for `NO_TOKEN`, which stands for a character without a token in
    encodings that leave it out. Texts are valid Unicode: a lone surrogate raises
    UnicodeEncodeError. An encoding may be asked from any thread, by one thread at a time.
    """

    name: str
    """What to call it in the window: "gpt2", "tokenizer.json", "the run at 500 merges"."""

    @property
    def model(self) -> Model:
        """How it finds its tokens."""

    @property
    def vocabulary_size(self) -> int:
        """How many tokens there are; ids may have gaps, so the largest can be greater."""

    @property
    def ids(self) -> Sequence[int]:
        """The ids of all tokens, ascending."""

    def encode(self, text: str, *, specials_as_text: bool = False) -> Tokens:
        """Cut a text.

        Special tokens in it are found, and become one token each, unless they are to be read
        as text like any other. Text that the encoding drops by design (white space, accents)
        is covered by no token.
        """

    def decode(self, ids: Sequence[int]) -> str:
        """The text that ids stand for; bytes that are no UTF-8 become U+FFFD.

        Raises EncodingError for an unknown id.
        """

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """The bytes that ids stand for, also where they are no whole characters.

        Raises EncodingError for an unknown id.
        """

    def id_to_token(self, token: int) -> str:
        """A token as its vocabulary writes it. Raises EncodingError for an unknown id."""

    def token_bytes(self, token: int) -> bytes:
        """The bytes of text that a token stands for, without markers of words' ends or
        continuations, which are no text. Raises EncodingError for an unknown id."""

    def is_special(self, token: int) -> bool:
        """Whether it is a special token, which no text is merged to."""

    def is_unknown(self, token: int) -> bool:
        """Whether it stands for text that the vocabulary has no token for."""

    def is_fallback_byte(self, token: int) -> bool:
        """Tell whether a token is one byte of a character that the vocabulary does not have.

        False for tokens of byte-level vocabularies, for what is merged, and for unknown ids.
        """

    # -- by which differences are explained ----------------------------------------------------

    def token_to_id(self, content: bytes) -> int | None:
        """The ordinary token with this content, of several that with the lowest id.

        A fallback byte only if there is no other: text with another token never falls back.
        """

    def merge(self, token: int) -> Merge | None:
        """Which merge made a token. None where none did, or the file does not tell."""

    def words(self, text: str, *, specials_as_text: bool = False) -> NDArray[np.int64] | None:
        """Where pre-tokenization begins a word: ascending bytes of the text's UTF-8.

        No token reaches across such a place. None where the encoding does not tell.
        """

    def normalized(self, text: str) -> str:
        """The text as normalization leaves it; the same text if there is none."""


@runtime_checkable
class MarksEndsOfWords(Protocol):
    """What an encoding can tell besides if its tokens may carry a marker of a word's end.

    `Encoding.content` and `find` leave the marker out, for it is no text; these tell "low" and
    "low</w>" apart, so that differences are explained exactly.
    """

    def marked_token_bytes(self, token: int) -> bytes:
        """As `Encoding.content`, but with the marker, as it takes part in merges."""

    def marked_token_to_id(self, content: bytes) -> int | None:
        """As `Encoding.find`, for content with the marker."""


def join_token_bytes(ids: Sequence[int], content: Callable[[int], bytes]) -> bytes:
    """What tokens stand for, one after another.

    A long text has few tokens that differ: each is asked for once.
    """
    contents = {token: content(token) for token in dict.fromkeys(ids)}
    return b"".join(map(contents.__getitem__, ids))


# -- Taking turns -------------------------------------------------------------------------------
#
# An encoding may keep what it did last, or change a setting for a moment, so two threads must
# not ask it at once. Whoever uses it for long passes it on every now and then.


class FairLock:
    """A lock that is given to those who wait in the order in which they came."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._next = 0
        self._served = 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Wait for one's turn, and have it until the end of the block."""
        self._take()
        try:
            yield
        finally:
            self._give()

    def yield_turn(self) -> None:
        """Within one's turn: let those go first who wait now; returns when they are done."""
        if self.waiting:
            self._give()
            self._take()

    @property
    def waiting(self) -> int:
        """How many threads wait for their turn, the one that has it left out."""
        with self._changed:
            return max(self._next - self._served - 1, 0)

    def _take(self) -> None:
        with self._changed:
            mine = self._next
            self._next += 1
            self._changed.wait_for(lambda: self._served == mine)

    def _give(self) -> None:
        with self._changed:
            self._served += 1
            self._changed.notify_all()


_turns: WeakKeyDictionary[Encoding, FairLock] = WeakKeyDictionary()
_making = Lock()


def lock_of(encoding: Encoding) -> FairLock:
    """The turns at an encoding: the same for all who ask."""
    with _making:
        return _turns.setdefault(encoding, FairLock())


# -- Rust code that gives up --------------------------------------------------------------------

_LONGEST_REASON = 300
"""Characters of what a library says that are told."""


def is_panic(error: BaseException) -> bool:
    """Whether an exception is a panic of a library that is written in Rust."""
    return type(error).__name__ == "PanicException"

@contextmanager
def wrap_rust_errors(what: str) -> Iterator[None]:
    """Raise what a library raises, panics included, as an EncodingError that begins with this.

    Errors of ours, texts that no encoding can hold and interrupts pass as they are.
    """
    try:
        yield
    except (EncodingError, ExportError, UnicodeEncodeError, MemoryError):
        raise
    except BaseException as error:  # the library raises nothing more precise
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        lines = str(error).strip().splitlines()
        reason = lines[0] if lines else type(error).__name__
        # It may quote the file at any length; what is wrong is said at both ends.
        if len(reason) > _LONGEST_REASON:
            reason = f"{reason[: _LONGEST_REASON // 2]} ... {reason[-_LONGEST_REASON // 2 :]}"
        raise EncodingError(f"{what} (the library says: {reason})") from None
