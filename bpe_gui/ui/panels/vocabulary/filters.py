"""The filters of the vocabulary: which tokens are shown, and how the count names it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec import Struct

from bpe_gui.analysis import token_properties
from bpe_gui.analysis.token_properties import OTHER_SCRIPT, has_digit, has_script, is_broken
from bpe_gui.ui.panels.vocabulary import wording

REGEX, RESIDUE, ABSENT, UNUSED, OTHERWISE = "regex", "residue", "absent", "unused", "otherwise"
"""Choices that are no property of a token alone: how the search is read, and filters that depend on
the position, the last on the text too."""


class TokenFilter(Struct, frozen=True):
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
    TokenFilter("space", *wording.SPACE, lambda content: content.startswith(b" ")),
    TokenFilter("digit", *wording.DIGIT, has_digit),
    TokenFilter("broken", *wording.BROKEN, is_broken),
    TokenFilter(RESIDUE, *wording.RESIDUE),
    TokenFilter(ABSENT, *wording.ABSENT),
    TokenFilter(UNUSED, *wording.UNUSED),
    TokenFilter(OTHERWISE, *wording.OTHERWISE),
)
"""In the order of the menu."""

SCRIPTS = tuple(
    TokenFilter(name, *wording.of_script(name), has_script(name))
    for name in token_properties.SCRIPTS
    if name != OTHER_SCRIPT
)
"""Filters of which one at a time is chosen."""


def chosen(names: Collection[str]) -> list[TokenFilter]:
    """Return the filters of these names in their order; others are ignored.

    >>> [one.phrase for one in chosen({"Greek", "space", "regex"})]
    ['begins with a space', 'script Greek']
    """
    return [one for one in (*FILTERS, *SCRIPTS) if one.name in names]
