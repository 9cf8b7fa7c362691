"""One panel in the colours of another theme, for as long as it takes to paint it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from bpe_gui.ui.theme.theme import Theme, palette, style_sheet


@runtime_checkable
class Themed(Protocol):
    """What takes colours of its own from a theme, because it paints by hand."""

    def set_theme(self, theme: Theme) -> None: ...


@contextmanager
def dressed(widget: QWidget, theme: Theme, own: Theme) -> Iterator[None]:
    """Give a widget and all within it a theme for a while; `own` is the one that it has.

    The screen sees nothing of it: there is no event in between. It takes some hundredths of a
    second, where a change of the application's colours would take a whole one.
    """
    if theme == own:
        yield
        return
    try:
        widget.setPalette(palette(theme))
        # Labels would have the palette of the application all the same.
        widget.setStyleSheet(f"QLabel {{ color: {theme.text}; }}\n{style_sheet(theme)}")
        _paint_in(widget, theme)
        yield
    finally:
        # In this order: a sheet that goes brings back the palettes that it found.
        widget.setPalette(QPalette())
        widget.setStyleSheet("")
        _paint_in(widget, own)


def _paint_in(widget: QWidget, theme: Theme) -> None:
    """Tell whoever paints by hand, which tells those within it."""
    if isinstance(widget, Themed):
        widget.set_theme(theme)
        return
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    for child in widget.findChildren(QWidget, options=direct):
        _paint_in(child, theme)
