"""Read the pages of the help: Markdown with placeholders. Knows no window.

`{train}` is the action of that name, with its keys, as a link that runs it; `{keys:train}` its keys
alone. Links lead to pages (`page:words`), run actions (`do:train`) or go to a part of the window
(`show:wordsDock`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from bpe_gui.folders import resource

OVERVIEW = "overview"
KEYBOARD = "keyboard"

_TITLE = re.compile(r"# (?P<title>[^\n]+)\n")
# Not the {L} of a regular expression's \p{L}.
_ACTION = re.compile(r"(?<!\\p)\{(?P<keys>keys:)?(?P<name>[a-zA-Z]+)\}")
_NO_KEY = "no key"
_MARKUP = re.compile(r"[*`#|]|\]\([^)]*\)|\[")


class Told(NamedTuple):
    """What is said of an action: what it is called, and its keys with commas between them."""

    text: str
    keys: str


class Page(Struct, frozen=True):
    """A page as it was written, with places still to be filled in."""

    name: str
    title: str
    text: str


def read_pages() -> dict[str, Page]:
    """Read all pages that come with the program, by name, in the order of their names.

    Raises ValueError for one that does not begin with a title, and OSError if they are gone.
    """
    pages = {}
    for path in sorted(resource("help").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        title = _TITLE.match(text)
        if title is None:
            raise ValueError(f"the help page {path.name} does not begin with “# ” and a title")
        pages[path.stem] = Page(path.stem, title["title"], text)
    return pages


def filled(text: str, told_of: Callable[[str], Told]) -> str:
    """Fill in the placeholders of a text. Raises KeyError as `told_of` does.

    >>> filled("{train}, or {keys:train}", {"train": Told("Train", "F5")}.__getitem__)
    '[Train](do:train) (**F5**), or **F5**'
    """

    def fill(place: re.Match[str]) -> str:
        text, keys = told_of(place["name"])
        if place["keys"]:
            return f"**{keys or _NO_KEY}**"
        return f"[{text}](do:{place['name']})" + (f" (**{keys}**)" if keys else "")

    return _ACTION.sub(fill, text)


def list_of_keys(groups: Mapping[str, Sequence[Told]]) -> str:
    """Write a heading and a list for every group of actions, without those without keys."""
    parts = []
    for heading, group in groups.items():
        lines = [f"- **{keys}** {text}" for text, keys in group if keys]
        if lines:
            parts.append("\n".join([f"## {heading}", "", *lines, ""]))
    return "\n".join(parts)


def pages_with(words: str, pages: Iterable[Page], fill: Callable[[str], str]) -> list[Page]:
    """Find the pages that contain all of these words, those with one in their title first.

    The beginning of a word is enough.
    """
    wanted = words.casefold().split()
    beginnings = [re.compile(rf"(?<!\w){re.escape(word)}") for word in wanted]

    def holds(text: str) -> bool:
        return all(beginning.search(text) for beginning in beginnings)

    found = [page for page in pages if holds(_MARKUP.sub("", fill(page.text)).casefold())]
    return sorted(found, key=lambda page: not any(w in page.title.casefold() for w in wanted))
