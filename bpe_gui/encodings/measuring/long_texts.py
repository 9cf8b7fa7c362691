"""Tokenizes texts that take a library seconds, and asks meanwhile whether they are still wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bpe_gui.encodings.base import KnowsSafeCuts
from bpe_gui.encodings.differences.alignment import CachedEncoder, Cut
from bpe_gui.encodings.measuring.measure import PIECE, pieces


def encode_long(
    encoder: CachedEncoder,
    text: str,
    *,
    specials_as_text: bool = False,
    find_words: bool = True,
    check: Callable[[], object] = lambda: None,
) -> Cut:
    """Tokenize a text, in pieces if the encoding knows places for them.

    find_words: whether the words of a long text are found at once. check: called before each
        piece; may raise to give up.
    """
    check()
    encoding = encoder.encoding
    size = PIECE // 4  # of characters, which have 4 bytes at most
    blocks = [text[begin : begin + size].encode("utf-8") for begin in range(0, len(text), size)]
    if (
        len(blocks) < 2
        or not isinstance(encoding, KnowsSafeCuts)
        or not encoding.safe_cut(blocks[0], specials_as_text=specials_as_text)
    ):
        return encoder.encode(text, specials_as_text=specials_as_text)

    def checked() -> Iterator[str]:
        for piece in pieces(encoding, blocks, "the text", specials_as_text=specials_as_text):
            check()
            yield piece

    return encoder.encode_pieces(
        checked(), specials_as_text=specials_as_text, find_words=find_words
    )
