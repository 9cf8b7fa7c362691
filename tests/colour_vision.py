"""How colours are seen: their contrast, how far apart they are, and by whom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

READABLE = 4.5
"""The contrast that WCAG 2 asks of text (level AA)."""

SEEN = 3.0
"""The contrast that WCAG 2 asks of what is no text: edges, signs, the mark of the focus."""

# Full colour blindness of each kind, for linear light, after G. M. Machado, M. M. Oliveira and
# L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE Transactions on Visualization and Computer Graphics 15 (2009), table 1, severity 1.0.
VISION = {
    "usual": np.eye(3),
    "no red": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}

_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
"""From linear sRGB; white is that of D65."""


def linear(colour: str) -> NDArray[np.float64]:
    """A colour ("#rrggbb") as light: linear red, green and blue from 0 to 1."""
    values = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    light, dark = sorted(
        (float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def seen_as(colour: str, vision: str) -> NDArray[np.float64]:
    """A colour in CIELAB as one of the `VISION` sees it."""
    xyz = _TO_XYZ @ np.clip(VISION[vision] @ linear(colour), 0, 1) / (_TO_XYZ @ np.ones(3))
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def ciede2000(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """How far apart two colours in CIELAB are; about 1 can just be told side by side.

    After G. Sharma, W. Wu and E. N. Dalal, "The CIEDE2000 Color-Difference Formula", Color
    Research and Application 30 (2005), with their names.
    """
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(chroma**7 / (chroma**7 + 25.0**7)))
    c1, c2 = np.hypot((1 + g) * a1, b1), np.hypot((1 + g) * a2, b2)
    h1 = np.degrees(np.arctan2(b1, (1 + g) * a1)) % 360
    h2 = np.degrees(np.arctan2(b2, (1 + g) * a2)) % 360
    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    dl, dc, dh = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2)
    lightness, c, h = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + h2 if grey else h1 + turn / 2) % 360
    t = 1 - 0.17 * _cos(h - 30) + 0.24 * _cos(2 * h) + 0.32 * _cos(3 * h + 6)
    t -= 0.20 * _cos(4 * h - 63)
    sl = 1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    theta = 30 * np.exp(-(((h - 275) / 25) ** 2))
    rt = -np.sin(np.radians(2 * theta)) * 2 * np.sqrt(c**7 / (c**7 + 25.0**7))
    parts = (dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh)
    return float(np.sqrt(parts))


def _cos(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))
