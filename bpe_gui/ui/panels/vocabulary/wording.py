"""Texts about the tokens of the vocabulary, and for when it has none to show."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.analysis.token_life import RESIDUE_USES
from bpe_gui.bpe.history import History
from bpe_gui.progress import counted
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
SPACE = (
    "Begins with a &space", "Tokens that begin with the space before a word",
    "begins with a space",
)  # fmt: skip
"""Of a filter: its title in the menu, its tip, and what the count says while it is chosen."""
DIGIT = "Contains a &digit", "Tokens with a digit of any script", "contains a digit"
BROKEN = "Not valid &UTF-8", "Tokens that hold only a part of a character", "not valid UTF-8"
RESIDUE = (
    "&Residue",
    f"Tokens of which at most a tenth, and at most {RESIDUE_USES} (in more than ten million "
    "tokens, one per million), are left outside longer tokens of the corpus",
    "residues",
)
ABSENT = (
    "Never used in the &corpus", "Tokens that the corpus does not have at the cursor",
    "never used in the corpus",
)  # fmt: skip
UNUSED = (
    "&Never used in the text", "Tokens that the sample text does not have",
    "never used in the text",
)  # fmt: skip
OTHERWISE = (
    "Merged before a &more frequent pair",
    "Tokens of the encoding in Explore before which the corpus would have merged another pair",
    "merged before a more frequent pair",
)
OPEN_FILTERS, FILTERS = "&Filter the vocabulary…", "Filter the vocabulary"
OPEN_PAGE = "Open the &page of the token"
FOLLOW = "Follow the newest token"
FOLLOW_TIP = (
    "As the cursor moves, keep the token of the last merge in view.\n"
    "Scrolling up, sorting, or choosing a token turns this off; a search keeps its place."
)
SEARCH = "Search the vocabulary"
ALL_TITLE = "Show &all tokens"
EMPTY_CORPUS = "The corpus is empty: there are no tokens."
SEARCH_TIP = (
    "Part of a token as it is shown (␣the) or as you type it ( the), or an id.\n"
    "Lower-case letters match both cases. Bytes in hex find the tokens that hold them:\n"
    "two or more with spaces between them (20 74), or with 0x before each (0x20)."
)
ID_TIP = "The number of the token: a model reads a text as a list of such numbers"
TOKEN_TIP = "What the token stands for; ␣ is a space, 0xE2 0x80 are bytes of part of a character"
BYTES_TIP = "The bytes of the text in hex, without </w>; the row's tooltip shows more of them"
COUNT_TIP = "How often the two parents of the token were neighbours when they were merged"
COUNT = "count"
"""The heading of the counts when merged where it has little room."""
NOW_TIP = (
    "How often the token occurs in the corpus at the cursor; where it is part of a longer token, "
    "it is not counted.\nA token with 0 is kept: longer tokens are merged from it"
)
PARENTS_TIP = "The two tokens that were merged into this one; tokens from the start have none"
NO_BYTES = NO_MERGE = "\u2013"
SPECIAL = "special"
FALLBACK = "byte fallback"

LONGEST_TEXT = 120
_LONGEST_HEX = 32


def part(in_sight: int, rows: int) -> str:
    """Return how many rows are in sight of all there are; nothing if all are.

    >>> part(8, 312)
    'Showing 8 of 312 entries'
    """
    return f"Showing {in_sight} of {_entries(rows)}" if in_sight < rows else ""


def whole(size: int, history: History) -> str:
    """Return how many entries there are, and, unless it has stopped there, where training stops."""
    most = history.recipe.vocabulary_size
    stopped = history.stopped is not None and size == history.vocabulary_size(len(history))
    if most is not None and size < most and not stopped:
        return f"{_entries(size)}; training stops at {most:,} at the latest"
    return _entries(size)


def _entries(number: int) -> str:
    return counted(number, "entry", "entries")


def summary(shown: int, size: int, filters: Sequence[str], *, searching: bool) -> str:
    """Return how many entries are shown of all, also as a share, and by which filters.

    >>> summary(312, 50257, ["begins with a space"], searching=False)
    '312 of 50,257 entries (0.6%), begins with a space'
    """
    named = ", ".join(filters)
    share = f" ({shown / size:.1%})" if named and shown else ""
    return (
        f"{shown:,} of {_entries(size)}{share}"
        f"{', ' if named else ''}{named}{', searching…' if searching else ''}"
    )


def of_script(script: str) -> tuple[str, str, str]:
    """Return the title, the tip and the phrase of the filter for a script."""
    return script, f"Tokens with a letter of the script {script}", f"script {script}"


def takes_too_long(pattern: str, token: str) -> str:
    """Return why a search has ended, as the end of a sentence."""
    return f"the search {pattern} takes too long for the token {token}; choose a simpler one"


def readable(content: bytes) -> str:
    """Write a token, without its end if it is longer than any column."""
    return visible_start(content, LONGEST_TEXT)


def in_hex(data: bytes) -> str:
    """Write the bytes of a cell in hex, only the first if there are many."""
    return data[:_LONGEST_HEX].hex(" ").upper() + (" …" if len(data) > _LONGEST_HEX else "")
