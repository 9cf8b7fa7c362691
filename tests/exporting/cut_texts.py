"""Odd texts, cut in odd ways, and the colours that they are written in."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.bpe.tokenizer import Tokens
from bpe_gui.exporting.coloured_text import ColouredText, Scheme, coloured_text

LIGHT = Scheme(
    "light", False, "#ffffff", "#e9ebef", "#1b1f27", "#565e6c", "#c3c8d1", "#b3261e",
    ("#a1ccf6", "#fadda9", "#d0f2dc", "#f1b3c5", "#a1e8fc", "#cecb92"), "#1b1f27", "#454c59",
)  # fmt: skip
DARK = Scheme(
    "dark", True, "#1b1e24", "#272b34", "#e7e9ee", "#a3abb9", "#3d4451", "#ff9389",
    ("#27325c", "#6b471d", "#236856", "#5c5381", "#104e53", "#543203"), "#f3f5f8", "#d3d9e3",
    "#6a707e", (("##  ", "  ##"),) * 6,
)  # fmt: skip

ODD = (
    "aébß \t\n\r\f\x00\x07\x1b[]m;31\x7f\x80\x9b\xa0\xad<>&\"'`|=\u0301\u200b\u200d\u202e\u2066"
    "\u2028\u3000\ufe0f\ufeff\ufffd\ufffe\ue000漢שلا👩👧🇩🇪\U000e0041\U0010ffff"
)
odd_texts = st.text(st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"])))


def tokens_at(text: str, borders: list[int], ids: list[int]) -> Tokens:
    """Tokens that end at these bytes; a gap where the id is below NO_TOKEN."""
    data = text.encode("utf-8")
    of_byte = [index for index, character in enumerate(text) for _ in character.encode("utf-8")]
    edges = sorted({0, len(data), *(border for border in borders if border < len(data))})
    rows = [
        (token, start, end, of_byte[start], of_byte[end - 1] + 1)
        for token, start, end in zip(ids, edges, edges[1:], strict=False)
        if token >= NO_TOKEN
    ]
    columns = zip(*rows, strict=True) if rows else [[]] * 5
    ids_, starts, ends, firsts, lasts = (np.array(column, np.int64) for column in columns)
    return Tokens(ids_.astype(np.int32), starts, ends, firsts, lasts)


def in_turns(
    text: str, tokens: Tokens, *, closes_word: Callable[[int], bool] | None = None
) -> ColouredText:
    """The text in the six colours, one after another."""
    colours = [number % 6 for number in range(len(tokens.ids))]
    return coloured_text(text, tokens, colours, closes_word=closes_word)


@st.composite
def cut_texts(draw: st.DrawFn, *, whole_characters: bool = False) -> ColouredText:
    """A text with tokens at any bytes, some unknown, some of it in none."""
    text = draw(odd_texts)
    size = len(text.encode("utf-8"))
    borders = draw(st.lists(st.integers(0, max(size, 1)), max_size=12))
    if whole_characters:
        starts = [len(text[:index].encode("utf-8")) for index in range(len(text) + 1)]
        borders = [border for border in borders if border in starts]
    ids = draw(st.lists(st.integers(-2, 40), min_size=14, max_size=14))
    closing = draw(st.integers(0, 40))
    return in_turns(text, tokens_at(text, borders, ids), closes_word=closing.__eq__)


JOINERS = "\u200c\u200d\ufe0e\ufe0f"


def is_seen(character: str) -> bool:
    """Whether a character is shown, or changes how its neighbours are, and does nothing else.

    A character that Unicode gave a meaning after this Python was made counts as seen.
    """
    hidden = ("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp")
    return character in f" {JOINERS}" or unicodedata.category(character) not in hidden
