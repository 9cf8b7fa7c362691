"""A text as one lane of a comparison shows it: its tokens, and what kind of tokens they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.recipe import END_OF_WORD
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.encodings.base import Encoding

_MARKER = END_OF_WORD.encode()


@dataclass(frozen=True, eq=False, slots=True)
class LaneCut:
    """The tokens of a text under one encoding; the other columns are as long as the tokens.

    unknown: stands for text that the vocabulary has no token for.
    special: a special token that was found in the text.
    closes: ends with an end-of-word marker.
    """

    text: str
    tokens: Tokens
    unknown: NDArray[np.bool_]
    special: NDArray[np.bool_]
    closes: NDArray[np.bool_]


def cut_lane(encoding: Encoding, text: str, *, specials_as_text: bool = False) -> LaneCut:
    """Cut a text. Raises UnicodeEncodeError for lone surrogates, and EncodingError."""
    tokens = encoding.encode(text, specials_as_text=specials_as_text)
    kinds, places = np.unique(tokens.ids, return_inverse=True)

    def column(is_so: Callable[[int], bool]) -> NDArray[np.bool_]:
        return np.array([is_so(token) for token in kinds.tolist()], np.bool_)[places]

    return LaneCut(
        text,
        tokens,
        column(encoding.is_unknown),
        column(encoding.is_special),
        column(lambda token: _ends_word(encoding, token)),
    )


def _ends_word(encoding: Encoding, token: int) -> bool:
    """Whether a token is written with an end-of-word marker that is no text."""
    if token == NO_TOKEN or not encoding.text(token).endswith(END_OF_WORD):
        return False
    return not encoding.content(token).endswith(_MARKER)
