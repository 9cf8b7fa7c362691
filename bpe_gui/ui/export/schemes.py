"""The colours of what is exported: with a panel of the window, or without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from bpe_gui.exporting.coloured_text import Scheme
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette, style_sheet, theme_of
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


def both_schemes(tokens: TokenPalette) -> tuple[Scheme, Scheme]:
    """The light and the dark scheme with the tokens of a palette."""
    return scheme_of(LIGHT.with_palette(tokens)), scheme_of(DARK.with_palette(tokens))


def own_sheet(theme: Theme) -> str:
    """The style sheet of a widget that has another theme than the application.

    Its palette is set when all is there that the widget holds: where there are style
    sheets, Qt passes a palette on to what there is, and not to what is made later.
    """
    # Labels would have the palette of the application all the same.
    return f"QLabel {{ color: {theme.text}; }}\n{style_sheet(theme)}"


@contextmanager
def temporary_theme(widget: QWidget, theme: Theme) -> Iterator[None]:
    """Give a widget, and all within it, another theme for a while.

    The screen sees nothing of it: there is no event in between. It takes some hundredths of a
    second, where a change of the application's colours would take a whole one.
    """
    if theme == theme_of(widget):
        yield
        return
    try:
        widget.setPalette(palette(theme))
        widget.setStyleSheet(own_sheet(theme))
        yield
    finally:
        # In this order: a sheet that goes brings back the palettes that it found.
        widget.setPalette(QPalette())
        widget.setStyleSheet("")
