"""Tabs whose names are all read: where they have no room they are written smaller."""

from __future__ import annotations

from PySide6.QtWidgets import QTabBar

_SMALLER = 0.82
"""Still large enough for notes on the stage, see `stage.show`."""


def fit_tabs(bar: QTabBar, width: int) -> None:
    """Write the names as large as the text around the bar, or smaller if it is wider then."""
    around = bar.parentWidget()
    if around is None:
        return
    font = around.font()
    if bar.font() != font:
        bar.setFont(font)
    if bar.sizeHint().width() > width:
        font.setPointSizeF(font.pointSizeF() * _SMALLER)
        bar.setFont(font)
