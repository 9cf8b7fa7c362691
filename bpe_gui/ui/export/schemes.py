"""The colours of exports, of panels and of files without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from msgspec.structs import replace
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from bpe_gui.exporting.coloured_text import Scheme
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette, style_sheet, theme_of
from bpe_gui.ui.theme.token_palettes import TokenPalette, tile


def scheme_of(theme: Theme) -> Scheme:
    """Return the colours of a theme as plain data."""
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
        of_tokens=fills.of_tokens,
    )


def both_schemes(tokens: TokenPalette) -> tuple[Scheme, Scheme]:
    """Return the light and the dark scheme with the tokens of a palette."""
    return scheme_of(LIGHT.with_palette(tokens)), scheme_of(DARK.with_palette(tokens))


@lru_cache(maxsize=4)
def own_sheet(theme: Theme) -> str:
    """Return the style sheet for a widget with another theme than the application.

    Set its palette when it has all its children: where there are style sheets, Qt does not pass
    a palette on to children that are made later.
    """
    # Without this, labels would have the palette of the application.
    return f"QLabel {{ color: {theme.text}; }}\n{style_sheet(theme)}"


@contextmanager
def temporary_theme(widget: QWidget, theme: Theme) -> Iterator[None]:
    """Give a widget with all within it another theme for a while.

    The screen does not show it: there is no event in between. It takes some hundredths of a
    second, and a third of that where only the ground is another one; changing the colours of the
    application would take a whole second.
    """
    before = theme_of(widget)
    if theme == before:
        yield
        return
    # No sheet has the colour of the ground in a panel, only palettes do.
    only_ground = theme == replace(before, window=theme.window)
    try:
        widget.setPalette(palette(theme))
        if not only_ground:
            widget.setStyleSheet(own_sheet(theme))
        yield
    finally:
        # In this order: removing a sheet restores the palettes from before it.
        widget.setPalette(QPalette())
        if not only_ground:
            widget.setStyleSheet("")
