"""A text in one line, laid out by Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextLayout, QTextLine, QTextOption


def line_of(text: str, font: QFont, backwards: bool) -> tuple[QTextLayout, QTextLine]:
    """A text in one line of a paragraph that runs that way; the layout owns the line.

    The text may hold no character that ends a line.
    """
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    option.setTextDirection(
        Qt.LayoutDirection.RightToLeft if backwards else Qt.LayoutDirection.LeftToRight
    )
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return layout, line


def utf16_starts(codes: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Where each character starts in the UTF-16 text that Qt works with, and the end."""
    starts = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(1 + (codes >= 0x10000), out=starts[1:])
    return starts
