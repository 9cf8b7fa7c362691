"""How large type must be on a screen to be read from the back row.

The rule is that of ANSI/INFOCOMM V202.01:2016 for pictures that people decide by: what is
looked at is read from so many times the height of the picture away as its height is in
two-hundredths of it. A lower-case x of 1/50 of the screen's height is read from four screen
heights away: from ten metres, where the picture is two metres and a half high.

>>> farthest(screen_height=2.5, share=1 / 50)
10.0
"""

from __future__ import annotations

from math import ceil

from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF

LEAST = 1 / 50
"""The height of a lower-case x as a share of the height of the screen, at least, in all that
carries the story: tokens, labels of charts, sentences."""
LEAST_OF_NOTES = 1 / 62
"""The same in notes beside it: the name of a panel or a lane, the mark of a word's end."""

_SMALLER = 0.9
"""Charts write their labels this much smaller than what stands around them."""


def farthest(screen_height: float, share: float) -> float:
    """From how far letters are read whose x has that share of the height, in the same unit."""
    return screen_height * share * 200


def text_points(font: QFont, height: int) -> float:
    """The size in points at which a family is to be written on a screen of so many pixels.

    `height` is in logical pixels, as the height of a widget that fills the screen; so a
    screen of 2160 pixels at a scale of 2 counts 1080, and its type takes the same part of it.
    The labels of charts, too, keep the rule then.
    """
    trial = QFont(font)
    trial.setPixelSize(1000)
    wanted = LEAST * height / _SMALLER
    # Fonts have a whole number of pixels.
    pixels = ceil(1000 * wanted / QFontMetricsF(trial).xHeight())
    return pixels * _points_of_a_pixel(font)


def _points_of_a_pixel(font: QFont) -> float:
    trial = QFont(font)
    trial.setPointSizeF(1000)
    return 1000 / QFontInfo(trial).pixelSize()
