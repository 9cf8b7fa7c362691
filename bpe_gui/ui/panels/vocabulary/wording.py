"""Texts about the tokens of the vocabulary, and for when it has none to show."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.progress import counted
from bpe_gui.ui.panels.vocabulary.filters import TokenFilter
from bpe_gui.ui.tokens.token_words import visible_start

NOTHING_LOADED = "Open a corpus to see its vocabulary."
SEARCHING = "Searching…"
NO_MATCH = "No token matches."
REGEX_PLACEHOLDER, PLACEHOLDER = "Search by regular expression", "Search tokens"
FILTER_TIP = "Show only some tokens, or search by regular expression"
REGEX_TITLE = "Search by &regular expression"
REGEX_TIP = (
    "The search is a regular expression, as in ^\\p{Lu} or (?i)ing$;\n"
    "a space may be typed, or written as ␣"
)
ALL_TITLE = "Show &all tokens"
EMPTY_CORPUS = "The corpus is empty: there are no tokens."
SEARCH_TIP = (
    "Part of a token as it is shown (␣the) or as you type it ( the), or an id.\n"
    "Lower-case letters match both cases. Bytes in hex find the tokens that hold them:\n"
    "two or more with spaces between them (20 74), or with 0x before each (0x20)."
)
ID_TIP = "The number that stands for the token in an encoded text"
TOKEN_TIP = "What the token stands for; ␣ is a space, 0xE2 0x80 are bytes of part of a character"
BYTES_TIP = "The bytes of the text in hex, without </w>; the row's tooltip shows more of them"
COUNT_TIP = "How often the pair occurred when it was merged"
NOW_TIP = "How often the token occurs in the corpus at the cursor, outside longer tokens"
PARENTS_TIP = "The two tokens that were merged"
NO_BYTES = NO_MERGE = "\u2013"
SPECIAL = "special"
FALLBACK = "byte fallback"

LONGEST_TEXT = 120
_LONGEST_HEX = 32


def summary(shown: int, size: int, filters: Sequence[TokenFilter], *, searching: bool) -> str:
    """Return how many tokens are shown of all, also as a share, and by which filters.

    >>> from bpe_gui.ui.panels.vocabulary.filters import chosen
    >>> summary(312, 50257, chosen({"space"}), searching=False)
    '312 of 50,257 tokens (0.6%), begins with a space'
    """
    named = ", ".join(one.phrase for one in filters)
    share = f" ({shown / size:.1%})" if named and shown else ""
    return (
        f"{shown:,} of {counted(size, 'token')}{share}"
        f"{', ' if named else ''}{named}{', searching…' if searching else ''}"
    )


def readable(content: bytes) -> str:
    """Write a token, without its end if it is longer than any column."""
    return visible_start(content, LONGEST_TEXT)


def in_hex(data: bytes) -> str:
    """Write the bytes of a cell in hex, only the first if there are many."""
    return data[:_LONGEST_HEX].hex(" ") + (" …" if len(data) > _LONGEST_HEX else "")
