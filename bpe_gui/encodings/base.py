"""What every encoding can do, whichever program or library made it.

A lane of the window, and the command line, show texts cut by encodings that come from
elsewhere; they need no more than this. What a library does not tell is None, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.tokenizer import Tokens


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

    def text(self, token: int) -> str:
        """A token as its vocabulary writes it. Raises EncodingError for an unknown id."""

    def content(self, token: int) -> bytes:
        """The bytes of text that a token stands for, without markers of words' ends or
        continuations, which are no text. Raises EncodingError for an unknown id."""

    def is_special(self, token: int) -> bool:
        """Whether it is a special token, which no text is merged to."""

    def is_unknown(self, token: int) -> bool:
        """Whether it stands for text that the vocabulary has no token for."""

    # -- by which differences are explained ----------------------------------------------------

    def find(self, content: bytes) -> int | None:
        """The ordinary token with this content, of several that with the lowest id."""

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

    def marked_content(self, token: int) -> bytes:
        """As `Encoding.content`, but with the marker, as it takes part in merges."""

    def find_marked(self, content: bytes) -> int | None:
        """As `Encoding.find`, for content with the marker."""


@dataclass(frozen=True, slots=True)
class Read:
    """What an encoding makes of a stretch of a text before its merges: bytes, in order.

    Unlike the contents of tokens it has what is unknown too, and unlike the text it has what
    normalization makes of it, also what is put in where nothing was. Columns have one entry
    a byte.

    unknown: whether the vocabulary has no symbol for it.
    begins_word: whether a word begins with it.
    token: which of the tokens of the stretch it belongs to, from 0.
    unknown_markers: how many of the tokens there are markers of words' ends that the
        vocabulary does not have; they stand for no byte.
    """

    data: bytes
    unknown: NDArray[np.bool_]
    begins_word: NDArray[np.bool_]
    token: NDArray[np.int64]
    unknown_markers: int


@runtime_checkable
class TellsWhatItReads(Protocol):
    """What an encoding of ours can tell besides, so that every difference has its cause."""

    def read(self, text: str, start: int, end: int, *, specials_as_text: bool = False) -> Read:
        """What is made of the bytes from `start` to `end`, at both of which there is a border.

        What was put in at one of these places belongs to what stands before it.
        """

    def joins_put_in(self, text: str, place: int, *, specials_as_text: bool = False) -> bool:
        """Whether a token joins what was put in at a place, where there is a border, with
        what follows: then the border is none in what is read."""

    def normalizes_away(self, text: str, place: int, *, specials_as_text: bool = False) -> bool:
        """Whether normalization leaves nothing of the character that begins at a byte."""


def joined_contents(ids: Sequence[int], content: Callable[[int], bytes]) -> bytes:
    """What tokens stand for, one after another.

    A long text has few tokens that differ: each is asked for once.
    """
    contents = {token: content(token) for token in dict.fromkeys(ids)}
    return b"".join(map(contents.__getitem__, ids))
