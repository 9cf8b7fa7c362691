"""The filters of the vocabulary: which tokens are shown, and how the count names it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from bpe_gui.analysis import token_properties
from bpe_gui.analysis.token_life import RESIDUE_USES
from bpe_gui.analysis.token_properties import OTHER_SCRIPT, has_digit, has_script, is_broken

REGEX, RESIDUE, ABSENT, UNUSED, OTHERWISE = "regex", "residue", "absent", "unused", "otherwise"
"""Choices that are no property of a token alone: how the search is read, and filters that depend on
the position, the last on the text too."""


@dataclass(frozen=True)
class TokenFilter:
    """A property of tokens.

    name: for sessions.
    title: for the menu.
    phrase: what the count says while it is chosen.
    passes: whether the bytes of a token have it; None where the position decides.
    """

    name: str
    title: str
    tip: str
    phrase: str
    passes: Callable[[bytes], bool] | None = None


FILTERS = (
    TokenFilter(
        "space", "Begins with a &space", "Tokens that begin with the space before a word",
        "begins with a space", lambda content: content.startswith(b" "),
    ),
    TokenFilter(
        "digit", "Contains a &digit", "Tokens with a digit of any script",
        "contains a digit", has_digit,
    ),
    TokenFilter(
        "broken", "Not valid &UTF-8", "Tokens that hold only a part of a character",
        "not valid UTF-8", is_broken,
    ),
    TokenFilter(
        RESIDUE, "&Residue",
        f"Tokens of which at most a tenth, and at most {RESIDUE_USES} (in more than ten million "
        "tokens, one per million), are left outside longer tokens of the corpus", "residues",
    ),
    TokenFilter(
        ABSENT, "Never used in the &corpus", "Tokens that the corpus does not have at the cursor",
        "never used in the corpus",
    ),
    TokenFilter(
        UNUSED, "&Never used in the text", "Tokens that the sample text does not have",
        "never used in the text",
    ),
    TokenFilter(
        OTHERWISE, "Merged before a &more frequent pair",
        "Tokens of the encoding in Explore before which the corpus would have merged another pair",
        "merged before a more frequent pair",
    ),
)  # fmt: skip
"""In the order of the menu."""

SCRIPTS = tuple(
    TokenFilter(
        name, name, f"Tokens with a letter of the script {name}", f"script {name}",
        has_script(name),
    )
    for name in token_properties.SCRIPTS
    if name != OTHER_SCRIPT
)  # fmt: skip
"""Filters of which one at a time is chosen."""


def chosen(names: Collection[str]) -> list[TokenFilter]:
    """Return the filters of these names in their order; others are ignored.

    >>> [one.phrase for one in chosen({"Greek", "space", "regex"})]
    ['begins with a space', 'script Greek']
    """
    return [one for one in (*FILTERS, *SCRIPTS) if one.name in names]
