"""One panel in the colours of another theme, for as long as it takes to paint it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.theme.theme import Theme, palette, style_sheet, theme_of


def own_sheet(theme: Theme) -> str:
    """The style sheet of a widget that has another theme than the application.

    Its palette is set when all is there that the widget holds: where there are style
    sheets, Qt passes a palette on to what there is, and not to what is made later.
    """
    # Labels would have the palette of the application all the same.
    return f"QLabel {{ color: {theme.text}; }}\n{style_sheet(theme)}"


@contextmanager
def dressed(widget: QWidget, theme: Theme) -> Iterator[None]:
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
