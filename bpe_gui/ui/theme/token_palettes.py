"""What tokens are filled with: sets of six colours for both schemes, or of six patterns.

Six, because neighbours must never look alike, and a token keeps its fill from step to step. Nothing
here is of Qt, so that exports use the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TOKEN_COLOURS = 6
"""Fills that every palette has, in both schemes."""

_TILES = {
    "bare": ("        ", "        ", "        "),
    "solid": ("########", "########", "########"),
    "hatched": ("  ##  ##", " ##  ## ", "##  ##  "),
    "blocks": ("####    ", "####    ", "####    "),
    "double": ("########", "        ", "########"),
    "dots": ("        ", "##  ##  ", "##  ##  "),
}

TILE_WIDTH, TILE_HEIGHT = 8, 3
"""Dots of a pattern, along and down."""

BOX_FOR_A_DOT = 18
"""The height of a box, in the same pixels, for which a dot is one pixel wide and high."""


@dataclass(frozen=True)
class TokenFills:
    """The fills of tokens in one scheme: colours, and the patterns drawn on them, if any.

    `muted` is the colour of text on them that is less important. `patterns` names a pattern
    for each colour (see `tile`), or is empty: a strip along the head of each box, above the
    letters, so that no part of it is taken for a stroke. For the same reason boxes have no
    edges. `ink` is the colour of the patterns; marks that reach up into it can be read there
    too.
    """

    colours: tuple[str, ...]
    muted: str
    patterns: tuple[str, ...] = ()
    ink: str = ""


@dataclass(frozen=True)
class TokenPalette:
    """A choice for the user: what tokens are filled with, in the dark and the light scheme."""

    name: str
    title: str
    tip: str
    dark: TokenFills
    light: TokenFills

    def fills(self, *, dark: bool) -> TokenFills:
        """Return the fills for one of the schemes."""
        return self.dark if dark else self.light


QUIET = TokenPalette(
    "quiet",
    "Quiet colours",
    "Tokens in calm colours that stay apart for the colour-blind",
    dark=TokenFills(("#27325c", "#6b471d", "#236856", "#5c5381", "#104e53", "#543203"), "#e6eaf1"),
    light=TokenFills(("#a1ccf6", "#fadda9", "#d0f2dc", "#f1b3c5", "#a1e8fc", "#cecb92"), "#3a404c"),
)

STRONG = TokenPalette(
    "strong",
    "Strong colours",
    "Tokens in colours that are as far apart as they can be, for the colour-blind too",
    dark=TokenFills(("#0000b4", "#7e4848", "#24003f", "#bd1200", "#635a75", "#3f0900"), "#e6eaf1"),
    light=TokenFills(("#36eafc", "#eab400", "#bdbdbd", "#fcf390", "#a2c690", "#e1fcd8"), "#3a404c"),
)

_PATTERNED = ("solid", "dots", "blocks", "bare", "hatched", "double")

PATTERNS = TokenPalette(
    "patterns",
    "Patterns",
    "Tokens told apart by patterns above them alone, without any colour, as in print",
    dark=TokenFills(("#22262e",) * 6, "#f3f5f8", _PATTERNED, "#6a707e"),
    light=TokenFills(("#eef0f4",) * 6, "#1b1f27", _PATTERNED, "#82868f"),
)

PALETTES = (QUIET, STRONG, PATTERNS)
"""All palettes, in the order in which they are offered; the first is the default."""


def palette_named(name: str) -> TokenPalette:
    """Return the palette of that name, or the default if there is none."""
    return next((palette for palette in PALETTES if palette.name == name), QUIET)


def tile(pattern: str) -> NDArray[np.bool_]:
    """Return a pattern as dots, row by row: True where there is ink.

    Tiles fit together without a seam. Raises KeyError for an unknown name.

    >>> tile("hatched").astype(int)[0].tolist()
    [0, 0, 1, 1, 0, 0, 1, 1]
    """
    return np.array([[dot == "#" for dot in row] for row in _TILES[pattern]], np.bool_)


def dot_size(box_height: float) -> int:
    """Return the size of the dots of a pattern in a box of that height, in the same pixels.

    It is rounded down: a sixth of the height is between the head of a box and its letters.
    """
    return max(1, int(box_height / BOX_FOR_A_DOT))
