"""Colours for several runs side by side, as lines in plots and as marks beside tokens."""

from __future__ import annotations

from bpe_gui.ui.theme.theme import Theme

_DARK_LINES = ("#6cb2ff", "#ffb454", "#5fd3a1", "#ee9cc8", "#d9d36a", "#ff9389")
_LIGHT_LINES = ("#1757b8", "#a35100", "#0a7553", "#a8327d", "#6b6400", "#b3261e")


def line_colours(theme: Theme) -> tuple[str, ...]:
    """Colours for lines that stay apart for the colour-blind, the accent first.

    As text, each has a contrast of at least 4.5:1 on a panel.
    """
    return _DARK_LINES if theme.dark else _LIGHT_LINES
