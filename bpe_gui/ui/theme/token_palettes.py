"""What tokens are filled with: colours for both schemes, or patterns.

Six tell neighbours apart, and a token keeps its fill from step to step. Twelve identify tokens:
the same token has the same everywhere. A grey one is for the symbol that ends a word. Six more are
a scale from little to much. Nothing here is of Qt, so that exports use the same.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

TOKEN_COLOURS = 6
"""Fills that every palette has, in both schemes, to tell neighbours apart: the first of all."""
FIRST_OF_TOKENS = 6
"""Where the fills begin that identify tokens: see `token_colours`."""
FIRST_OF_SCALE, OF_SCALE = 19, 6
"""Where the fills begin that stand for little to much, and how many they are."""
ALL_FILLS = 25


class ColourBy(StrEnum):
    """What the fill of a token depends on."""

    TOKEN = "token"
    """The token: it looks the same everywhere."""
    AGE = "age"
    """The number of the merge that made it."""
    LENGTH = "length"
    """How many bytes it has."""
    FREQUENCY = "frequency"
    """How often it occurs in the corpus at the position."""
    PLACE = "place"
    """Where it begins, so that no two neighbours look alike."""


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


class TokenFills(Struct, frozen=True):
    """The fills of tokens in one scheme: colours, and the patterns drawn on them, if any.

    `muted` is the colour of text on them that is less important. `patterns` names a pattern
    for each colour (see `tile`), or is empty: a strip along the head of each box, above the
    letters, so that no part of it is taken for a stroke. For the same reason boxes have no
    edges. `ink` is the colour of the patterns; marks that reach up into it can be read there
    too. `of_tokens` identify tokens, the last the end of a word, and `scale` goes from little to
    much.
    """

    colours: tuple[str, ...]
    muted: str
    of_tokens: tuple[str, ...]
    scale: tuple[str, ...]
    patterns: tuple[str, ...] = ()
    ink: str = ""

    @property
    def all_colours(self) -> tuple[str, ...]:
        """The colours of all fills, by their numbers."""
        return (*self.colours, *self.of_tokens, *self.scale)

    @property
    def all_patterns(self) -> tuple[str, ...]:
        """The patterns of all fills, by their numbers; empty if there are none."""
        return (*self.patterns * 3, *("bare",) * (1 + OF_SCALE)) if self.patterns else ()


class TokenPalette(Struct, frozen=True):
    """A choice for the user: what tokens are filled with, in the dark and the light scheme."""

    name: str
    title: str
    tip: str
    dark: TokenFills
    light: TokenFills

    def fills(self, *, dark: bool) -> TokenFills:
        """Return the fills for one of the schemes."""
        return self.dark if dark else self.light


_DARK_SCALE = ("#283042", "#3e3655", "#5b395d", "#7a3b56", "#94423e", "#a35303")
_LIGHT_SCALE = ("#e5ebf9", "#e1dbfa", "#ebc7ec", "#f8b3cd", "#fda39c", "#f39d5e")
# Hues that follow each other are far apart: tokens whose ids do often meet.
_QUIET_DARK = (
    "#8d4e53", "#0e5e44", "#50305e", "#6b6626", "#2e517d", "#632f15",
    "#017272", "#703b5a", "#2b4917", "#5e5c92", "#6b480c", "#00475b", "#3a3f4a",
)  # fmt: skip
_QUIET_LIGHT = (
    "#eda9ad", "#9ee2c4", "#f2dafe", "#c5c184", "#b3d4fe", "#feddce",
    "#7ccece", "#f9bcdd", "#cef1bb", "#b8b7f0", "#f1ca95", "#c1edfe", "#e3e5ea",
)  # fmt: skip
_STRONG_DARK = (
    "#a73447", "#015f43", "#5c1b74", "#6d6603", "#014e9a", "#6b2801",
    "#067272", "#842162", "#244b00", "#5d52b4", "#6c4701", "#02475b", "#3a3f4a",
)  # fmt: skip
_STRONG_LIGHT = (
    "#ff9ea6", "#65eeba", "#f3daff", "#ccc246", "#b4d4fd", "#ffdccd",
    "#00d8d9", "#ffb8df", "#bbfa98", "#b6b5fe", "#ffc674", "#c2ecfe", "#e3e5ea",
)  # fmt: skip

QUIET = TokenPalette(
    "quiet",
    "Quiet colours",
    "Tokens in calm colours that stay apart for the colour-blind",
    dark=TokenFills(
        ("#27325c", "#6b471d", "#236856", "#5c5381", "#104e53", "#543203"),
        "#e6eaf1",
        _QUIET_DARK,
        _DARK_SCALE,
    ),
    light=TokenFills(
        ("#a1ccf6", "#fadda9", "#d0f2dc", "#f1b3c5", "#a1e8fc", "#cecb92"),
        "#3a404c",
        _QUIET_LIGHT,
        _LIGHT_SCALE,
    ),
)

STRONG = TokenPalette(
    "strong",
    "Strong colours",
    "Tokens in colours that are as far apart as they can be, for the colour-blind too",
    dark=TokenFills(
        ("#0000b4", "#7e4848", "#24003f", "#bd1200", "#635a75", "#3f0900"),
        "#e6eaf1",
        _STRONG_DARK,
        _DARK_SCALE,
    ),
    light=TokenFills(
        ("#36eafc", "#eab400", "#bdbdbd", "#fcf390", "#a2c690", "#e1fcd8"),
        "#3a404c",
        _STRONG_LIGHT,
        _LIGHT_SCALE,
    ),
)

_PATTERNED = ("solid", "dots", "blocks", "bare", "hatched", "double")

PATTERNS = TokenPalette(
    "patterns",
    "Patterns",
    "Tokens told apart by patterns above them alone, without any colour, as in print",
    dark=TokenFills(
        ("#22262e",) * 6,
        "#f3f5f8",
        ("#22262e",) * 13,
        ("#22262e", "#2d323b", "#393f49", "#464c57", "#535965", "#606773"),
        _PATTERNED,
        "#6a707e",
    ),
    light=TokenFills(
        ("#eef0f4",) * 6,
        "#1b1f27",
        ("#eef0f4",) * 13,
        ("#eef0f4", "#dfe2e8", "#cfd3da", "#bfc4cd", "#afb5bf", "#a0a7b2"),
        _PATTERNED,
        "#82868f",
    ),
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
