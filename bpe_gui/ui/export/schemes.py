"""The colours of the window for what is exported without one."""

from __future__ import annotations

from bpe_gui.exporting.coloured_text import Scheme
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme
from bpe_gui.ui.theme.token_palettes import TokenPalette, tile


def scheme_of(theme: Theme) -> Scheme:
    """The colours of a theme as plain data."""
    fills = theme.token_fills
    return Scheme(
        name=theme.name,
        dark=theme.dark,
        page=theme.panel,
        raised=theme.raised,
        text=theme.text,
        muted=theme.muted,
        border=theme.border,
        error=theme.error,
        tokens=fills.colours,
        token_text=theme.token_text,
        token_muted=fills.muted,
        ink=fills.ink,
        patterns=tuple(
            tuple("".join("#" if dot else " " for dot in row) for row in tile(pattern))
            for pattern in fills.patterns
        ),
    )


def both_schemes(palette: TokenPalette) -> tuple[Scheme, Scheme]:
    """The light and the dark scheme with the tokens of a palette."""
    return scheme_of(LIGHT.with_palette(palette)), scheme_of(DARK.with_palette(palette))
