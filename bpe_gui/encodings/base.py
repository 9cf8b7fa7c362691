"""What every encoding can do, whichever program or library made it.

A lane of the window, and the command line, show texts cut by encodings that come from
elsewhere; they need no more than this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class EncodingError(ValueError):
    """An encoding that cannot be read or used; the message is one sentence for the user."""


class ExportError(ValueError):
    """Something that a file format cannot hold; the message is one sentence for the user."""


class EncodedText(Protocol):
    """The tokens of one text, as columns of equal length in text order.

    `bpe_gui.bpe.tokenizer.Tokens` is one. Spans are half-open. A token that holds part of
    a character covers the whole of it in `char_starts` and `char_ends`; a token without
    a place in the text (an end-of-word marker) has an empty span.
    """

    @property
    def ids(self) -> NDArray[np.int32]:
        """Token ids."""

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each token starts, in bytes of the text as UTF-8."""

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where each token ends, in bytes of the text as UTF-8."""

    @property
    def char_starts(self) -> NDArray[np.int64]:
        """Where each token starts, in characters of the text."""

    @property
    def char_ends(self) -> NDArray[np.int64]:
        """Where each token ends, in characters of the text."""


class Encoding(Protocol):
    """Something that cuts a text into numbered tokens and puts it together again."""

    @property
    def name(self) -> str:
        """What to call it in the window."""

    @property
    def vocabulary_size(self) -> int:
        """How many ids there are; ids may have gaps, so the largest can be greater."""

    def encode(self, text: str) -> EncodedText:
        """Cut a text; characters that the encoding does not know may be missing."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text that ids stand for. Raises EncodingError for an unknown id."""

    def text(self, token: int) -> str:
        """A token as its vocabulary writes it. Raises EncodingError for an unknown id."""

    def content(self, token: int) -> bytes:
        """The bytes that a token stands for. Raises EncodingError for an unknown id."""
