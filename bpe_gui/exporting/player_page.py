"""A web page that plays a run: one file, without a network, with a slider for the position.

In its address, `#merge=120` is the position that it begins at, and `#embed` leaves nothing but the
text, Play and the timeline, for slides; `#embed&merge=120` is both.

The page is `resources/player`, written by hand, with the run as JSON in it. What it draws is
what the window draws, a function of (history, position, text); nothing is computed anew that
could come out otherwise:

- how the text is cut comes as the step at which each border between two symbols vanished, of
  which every position follows (see `bpe_gui.bpe.segmentation`);
- the pairs of each position come as what is new since the position before, every `EVERY`
  positions from nothing, so that any of them is a few steps away;
- tokens come as `bpe_gui.analysis.visible` shows them; in the text, spaces and line ends have the
  quiet marks of the text panel.

No text can break out of its place: "<" is written as an escape within the JSON, and a policy
in the page allows this one script and this one style, and nothing to be fetched.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from typing import Any

import numpy as np

from bpe_gui.analysis.branches import decided_text
from bpe_gui.analysis.replay_pace import PACE
from bpe_gui.analysis.token_colours import COLOUR_OF_END, token_colours
from bpe_gui.analysis.visible import visible_beginning, visible_character
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.scanning import LETTER, LOWER, NUMBER, SPACE, STRIPPED, UPPER
from bpe_gui.bpe.pre_tokenize import character_classes
from bpe_gui.bpe.recipe import EndOfWord
from bpe_gui.bpe.tokenizer import StepwiseEncoding
from bpe_gui.exporting.coloured_text import NEWLINE_MARK, SPACE_MARK, TAB_MARK, Scheme, tile_of
from bpe_gui.folders import resource
from bpe_gui.progress import counted, megabytes
from bpe_gui.version import __version__

EVERY = 64
"""Positions from one that is written whole to the next."""
MAX_BYTES = 8_000_000
"""Of a page; with some 150 bytes for each merge it plays some 50,000 of them."""
MAX_TEXT = 5_000
"""Characters of the text that are shown: what a browser colours anew in one step."""

_QUIET = {" ": SPACE_MARK, "\n": NEWLINE_MARK, "\t": TAB_MARK}
"""What stands in a text for what one knows to be there; in lists of tokens it is told louder."""
_LETTERS = 18
"""Pixels of the letters on whose tokens a dot of a pattern is one pixel."""
_RUN = 32
"""More than the pairs of one position: what a run of them that stays is counted in."""
_SEEN = LETTER | NUMBER | SPACE
_TYPED_SPLITS = {
    "gpt2": _SEEN,
    "cl100k": _SEEN,
    "o200k": _SEEN | UPPER | LOWER,
    "whitespace": STRIPPED,
    "none": 0,
}
"""The splits that the page can do itself, and the classes of characters that they ask for."""
_PLACES = re.compile("@(policy|version|title|style|script|data)@")


class PageError(ValueError):
    """The run cannot be played by a page; the message is one sentence for the user."""


def player_page(
    history: History,
    text: str,
    *,
    start: int = 0,
    stop: int | None = None,
    title: str = "A run",
    schemes: Sequence[Scheme] = (),
) -> str:
    """Write the page for a part of the timeline, from one position to another (default: all).

    `schemes`, a light and a dark one, tell how tokens are told apart, by other colours than the
    usual ones or by patterns.

    A longer text than `MAX_TEXT` is shown up to there, and the page says so. Half
    characters in it become U+FFFD. Raises PageError for a part that is none, or one that would
    make a page larger than `MAX_BYTES`; PatternError if a regex of the recipe takes too long.
    """
    last = len(history) if stop is None else stop
    if not 0 <= start <= last <= len(history):
        raise PageError(
            f"the run has {counted(len(history), 'merge')}: a part of it from {start:,} to "
            f"{last:,} does not exist"
        )
    data = _json(_run(history, text, start, last))
    style = _part("player.css") + "".join(map(_tokens, schemes))
    script = _part("player.js")
    parts = {
        "policy": _policy(style, script),
        "version": escape(__version__),
        "title": escape(title),
        "style": style,
        "script": script,
        "data": data,
    }
    # In one go: what is filled in is not looked at for more places.
    page = _PLACES.sub(lambda place: parts[place[1]], _part("page.html"))
    if (size := len(page.encode("utf-8"))) > MAX_BYTES:
        raise PageError(
            f"a page that plays {counted(last - start, 'merge')} would have {megabytes(size)}, "
            f"and {megabytes(MAX_BYTES)} is the most that loads at once; choose a shorter part"
        )
    return page


def _part(name: str) -> str:
    return resource("player", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Let the page run its own script, wear its own style, and fetch nothing."""

    def own(code: str) -> str:
        return f"'sha256-{b64encode(sha256(code.encode('utf-8')).digest()).decode()}'"

    rules = ("default-src 'none'", "base-uri 'none'", "form-action 'none'", "img-src data:")
    # The lengths of the bars are set on the elements, which is no style of the page's. Patterns
    # are pictures within the style.
    return "; ".join((*rules, f"style-src {own(style)}", f"script-src {own(script)}"))


def _tokens(scheme: Scheme) -> str:
    """List the fills of tokens for readers who wish a light or a dark page."""
    wish = "dark" if scheme.dark else "light"
    values = {"token-text": scheme.token_text, "token-muted": scheme.token_muted}
    if scheme.patterns:
        # In proportion to the letters, as small as dots stay apart at their usual size.
        values["token-head"] = "0.25em"
        values["tile-height"] = f"{len(scheme.patterns[0]) / _LETTERS:.3f}em"
    for index, colour in enumerate(scheme.of_tokens):
        values[f"token-{index}"] = colour
        if scheme.patterns and index != COLOUR_OF_END:
            values[f"tile-{index}"] = tile_of(scheme, index % len(scheme.patterns))
    written = " ".join(f"--{name}: {value};" for name, value in values.items())
    return f"@media (prefers-color-scheme: {wish}) {{ :root {{ {written} }} }}\n"


def _json(run: dict[str, Any]) -> str:
    """Write JSON that can be in a page: nothing in it ends the element or begins another."""
    written = json.dumps(run, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return written


def _run(history: History, text: str, start: int, stop: int) -> dict[str, Any]:
    """Collect all that the page knows."""
    size = history.vocabulary_size(stop)
    known = np.arange(start, stop + 1)
    return {
        "start": start,
        "stop": stop,
        "about": _about(history, start, stop),
        "stopped": history.stopped is not None and stop == len(history),
        "base": len(history.base),
        "ids": history.own_ids(np.arange(size, dtype=np.int32)).tolist(),
        "bytes": history.corpus_bytes,
        "colours": token_colours(history, np.arange(size)).tolist(),
        "labels": [visible_beginning(history.token_bytes(token)) for token in range(size)],
        "left": history.left[:stop].tolist(),
        "right": history.right[:stop].tolist(),
        "made": history.new_id[:stop].tolist(),
        "count": history.count[:stop].tolist(),
        "tokens": history.tokens[known].tolist(),
        "distinct": history.distinct[known].tolist(),
        "every": EVERY,
        "pace": PACE,
        "pairs": _pairs(history, start, stop),
        "text": _text(history, text, stop),
        "typing": _typing(history),
    }


def _about(history: History, start: int, stop: int) -> str:
    return (
        f"Recipe {history.recipe.name}{_branch(history)}, {part_text(start, stop)}, "
        f"{megabytes(history.corpus_bytes)} of words"
    )


def part_text(start: int, stop: int) -> str:
    """Say which merges are between two positions; where these are one, how many lie before it.

    >>> part_text(0, 14), part_text(12, 14), part_text(13, 14), part_text(13, 13)
    ('14 merges', 'merges 13 to 14', 'merge 14', 'after 13 merges')
    >>> part_text(0, 0)
    'before the first merge'
    """
    if start == stop:
        return f"after {counted(stop, 'merge')}" if stop else "before the first merge"
    if start == 0:
        return counted(stop, "merge")
    return f"merges {start + 1:,} to {stop:,}" if stop > start + 1 else f"merge {stop:,}"


def _branch(history: History) -> str:
    """Say that a run was decided otherwise than by its recipe, and how; nothing if it was not."""
    if not history.interventions:
        return ""
    decided = decided_text(history, history.interventions[0])
    others = len(history.interventions) - 1
    behind = f" and {counted(others, 'other decision')}" if others else ""
    return f", a branch: {decided}{behind}"


def _pairs(history: History, start: int, stop: int) -> list[list[int]]:
    """List the most frequent pairs of every position, by what is new in it."""
    told: list[list[int]] = []
    before: list[tuple[int, int, int]] = []
    for position in range(start, stop + 1):
        top = history.top(position)
        pairs = list(zip(top.left.tolist(), top.right.tolist(), top.count.tolist(), strict=True))
        told.append(changes([] if len(told) % EVERY == 0 else before, pairs))
        before = pairs
    return told


def changes(before: list[tuple[int, int, int]], after: list[tuple[int, int, int]]) -> list[int]:
    """Tell how the pairs of one position follow from those before, as numbers.

    A pair is three: left, right, count. Some that stood side by side before and still do are
    one, less than nothing: -1 - (32 * the place of the first + how many).

    >>> changes([(1, 2, 9), (3, 4, 8), (5, 6, 8)], [(3, 4, 8), (5, 6, 8), (7, 7, 5)])
    [-35, 7, 7, 5]
    """
    places = {pair: place for place, pair in enumerate(before)}
    told: list[int] = []
    number = 0
    while number < len(after):
        place = places.get(after[number])
        if place is None:
            told += after[number]
            number += 1
            continue
        length = 1
        rest = min(len(before) - place, len(after) - number)
        while length < rest and before[place + length] == after[number + length]:
            length += 1
        told.append(-1 - (_RUN * place + length))
        number += length
    return told


def _text(history: History, text: str, stop: int) -> dict[str, Any]:
    """Collect the text, its symbols, and when the border before each of them vanished."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    shown = whole[:MAX_TEXT]
    note = ""
    if len(shown) < len(whole):
        note = f"The first {len(shown):,} of {counted(len(whole), 'character')}."
    trace = StepwiseEncoding(history, shown)
    spelled, removed = trace.spelled, trace.segmentation.merge_step
    ids: list[int] = spelled.ids.tolist()
    return {
        "shown": shown,
        "note": note,
        "marks": _marks(shown),
        "ids": ids,
        "starts": spelled.starts.tolist(),
        "ends": spelled.ends.tolist(),
        "marked": [int(symbol != NO_TOKEN and history.ends_word(symbol)) for symbol in ids],
        # -1 for borders that are still there.
        "removed": np.where(removed < stop, removed, np.int32(-1)).tolist(),
    }


def _typing(history: History) -> dict[str, Any] | None:
    """Collect what a browser needs to tokenize other texts exactly; None where it cannot.

    The classes of characters are those of the program: browsers know other versions of Unicode.
    """
    recipe = history.recipe
    flags = _TYPED_SPLITS.get(recipe.split)
    other = recipe.normalizers or recipe.special_tokens or recipe.inherited is not None
    if flags is None or other or recipe.byte_fallback or recipe.end_of_word is EndOfWord.JOINED:
        return None
    symbols, end = {}, NO_TOKEN
    for token in range(len(history.base)):
        content = history.token_bytes(token)
        if history.ends_word(token):
            end = token
        elif recipe.byte_level:
            symbols[str(content[0])] = token
        else:
            symbols[content.decode("utf-8")] = token
    return {
        "split": recipe.split,
        "classes": _classes(flags),
        "bytes": recipe.byte_level,
        "symbols": symbols,
        "end": end,
    }


def _classes(flags: int) -> list[int]:
    """List where another class of characters begins, and which: two numbers for each run."""
    table = character_classes() & flags if flags else np.zeros(1, np.uint16)
    begins = np.flatnonzero(np.diff(table, prepend=np.uint16(1 << 15)))
    return np.stack((begins, table[begins]), axis=1).ravel().tolist()


def _marks(text: str) -> dict[str, str]:
    """List what stands for the characters of a text that would not be seen, as in every text."""
    marks = {character: visible_character(character) for character in sorted(set(text))}
    marks |= {character: mark for character, mark in _QUIET.items() if character in marks}
    return {character: mark for character, mark in marks.items() if mark not in (None, character)}
