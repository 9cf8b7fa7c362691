"""Texts about boundaries in a text, and the merges that removed them."""

from __future__ import annotations

from collections.abc import Sequence

from bpe_gui.analysis.space_time import Glyph
from bpe_gui.analysis.visible import isolated
from bpe_gui.bpe.history import History
from bpe_gui.progress import counted
from bpe_gui.ui.tokens.token_words import merge_name, merge_sentence, shown_characters

NOTHING_LOADED = "Open a corpus to see which merge removes each boundary of the text."
NOTHING_TRAINED = "No merges yet: every boundary of the text is still there."
NO_TEXT = "Type a text to see which merge removes each of its boundaries."

BOUNDARIES, STRIPS, RECIPES = "Boundaries", "Eight sizes", "All presets"
AXIS = "merge"
"""What the numbers of the vertical axis are."""
VIEWS_TIP = "What is drawn below the text"
BOUNDARY_CAPTION = (
    "Each line is a boundary in the text. It ends at the merge that removed it. Below are the "
    "tokens after the last merge."
)
BRIEF_BOUNDARY_CAPTION = "Each line ends at the merge that removed its boundary."
STRIPS_CAPTION = (
    "The same text with vocabularies of the sizes on the left. The number of tokens is on the "
    "right."
)
BRIEF_STRIPS_CAPTION = "Left: size of the vocabulary. Right: number of tokens."
BRIEF_RECIPES_CAPTION = "Left: preset. Right: number of tokens."
NO_CORPUS = "The corpus of this run is not at hand: open it to train all presets on it."
NOT_TRAINED = "The presets could not be trained"
BACKWARDS = "Text from right to left is shown from left to right, in the order of reading."


def caption(strips: bool, *, backwards: bool, brief: bool = False) -> str:
    """Say what the picture shows, `brief` where there is one short line for it."""
    if brief:
        said = BRIEF_STRIPS_CAPTION if strips else BRIEF_BOUNDARY_CAPTION
    else:
        said = STRIPS_CAPTION if strips else BOUNDARY_CAPTION
    return f"{said} {BACKWARDS}" if backwards else said


def part_in_view(first: int, last: int, total: int, strips: int, all_strips: int) -> str:
    """Say which characters, counted from 0, and how many strips are shown; empty for all.

    >>> part_in_view(0, 22, 698, 8, 8), part_in_view(22, 60, 698, 8, 8)
    ('Showing the first 22 of 698 characters.', 'Showing characters 23 to 60 of 698.')
    >>> part_in_view(0, 22, 22, 5, 8)
    'Showing 5 of 8 rows.'
    """
    told = []
    if first > 0 or last < total:
        told.append(shown_characters(first, last, total))
    if strips < all_strips:
        told.append(f"{strips} of {all_strips} rows")
    return f"Showing {' and '.join(told)}." if told else ""


def recipes_caption(
    entries: int, under_way: str, left_out: Sequence[str], done: int, total: int
) -> str:
    """Say what the presets were trained to, and which one is being trained; empty for none.

    left_out: those that this corpus is too large for, or has too many symbols.
    """
    told = (
        "The same text under every preset, trained on this corpus to at most "
        f"{entries:,} entries. The number of tokens is on the right."
    )
    if left_out:
        told = f"{told} Not possible with this corpus and size: {', '.join(left_out)}."
    done += len(left_out)
    return f"Training {under_way}, {done + 1} of {total}. {told}" if under_way else told


def recipe_text(name: str, size: int, tokens: int) -> str:
    return f"With {name} and a vocabulary of {size:,}, the text is {counted(tokens, 'token')}."


def between(left: Glyph, right: Glyph) -> str:
    """Name a boundary by what is beside it; within a character, by the character."""
    if left.first == right.first:
        return f"within “{isolated(left.text)}”"
    return f"between “{isolated(left.text)}” and “{isolated(right.text)}”"


def boundary_lines(history: History, step: int | None, where: str, *, word: bool) -> list[str]:
    """Tell which merge removed a boundary, or why none did.

    step: the merge, None for none; where: `between`; word: whether a word begins there.
    """
    if step is not None:
        sentence = merge_sentence(history, step)
        return [sentence[0].upper() + sentence[1:], f"It removed the boundary {where}."]
    if word:
        return ["A word begins here.", f"No merge ever removes the boundary {where}."]
    return ["No merge has removed this boundary.", f"It is {where}."]


def spoken_boundary(number: int, total: int, lines: list[str]) -> str:
    told = " ".join(f"{line.removesuffix('.')}." for line in lines)
    return f"Boundary {number:,} of {total:,}. {told}"


def strip_text(position: int, size: int, tokens: int) -> str:
    """Describe a row of tokens: how many they are, its vocabulary and its position."""
    after = "before the first merge" if position == 0 else f"after {merge_name(position - 1)}"
    return f"The text is {counted(tokens, 'token')} with a vocabulary of {size:,}, {after}."


def spoken(symbols: int, tokens: int, merges: int) -> str:
    """Describe the picture as a whole."""
    return (
        f"The text is {counted(symbols, 'token')} at first and {tokens:,} after "
        f"{counted(merges, 'merge')}. The arrow keys go from boundary to boundary; Up and Down "
        "follow the order of the merges."
    )
