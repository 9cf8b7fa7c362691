"""What a painter paints on: pixels at a scale, or a drawing that keeps shapes and texts.

What is painted once and kept as a picture has to know. `painter.device()` does not tell: for
a widget that is rendered elsewhere it is still the widget.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QPaintEngine, QPainter


class Target(NamedTuple):
    """Device pixels per logical pixel, and whether shapes and texts are kept as such.

    Where they are kept (an SVG file), a picture would lose them: draw them anew.
    """

    scale: float
    keeps_text: bool


def target_of(painter: QPainter) -> Target:
    """What an active painter paints on."""
    keeps_text = painter.paintEngine().type() is QPaintEngine.Type.SVG
    return Target(painter.deviceTransform().m11(), keeps_text)
