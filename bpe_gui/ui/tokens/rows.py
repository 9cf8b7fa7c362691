"""Where the rows of the coloured text begin.

Letters stay in place while tokens grow: a row is broken before a space wherever a token
boundary is there, for that boundary is there at every step of most recipes. So the text
does not move when tokens merge, only the boxes behind it do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.row_breaking import ALWAYS, break_rows
from bpe_gui.ui.tokens.tokenized_text import TokenizedText


class Rows:
    """Breaks a text into rows that fit a width. `starts` has one entry more than rows."""

    def __init__(self) -> None:
        self.starts: NDArray[np.int64] = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def row_of(self, character: int) -> int:
        """The row that shows a character."""
        return max(0, min(int(np.searchsorted(self.starts, character, "right")), len(self)) - 1)

    def layout(self, cut: TokenizedText, right: NDArray[np.float64], available: float) -> None:
        """Break the text anew.

        `right` has the running sum of the widths of the characters, marks included, from
        0 on. A newline should have no width, for its mark may stand in the margin.
        """
        size = len(right) - 1
        starts = np.empty(size + 1, np.int64)
        count = break_rows.form(None)(right, _places(cut), float(available), starts)
        starts[count] = size
        self.starts = starts[: count + 1].copy()


def _places(cut: TokenizedText) -> NDArray[np.uint8]:
    """How well a row may begin at each character, in the terms of the kernel."""
    characters = cut.characters
    clusters = characters.cluster_starts
    # Whole clusters only; where tokens meet is better, and best is where spaces are.
    best = np.uint8(1) + characters.after_spaces + np.uint8(2) * characters.before_spaces
    places = clusters.astype(np.uint8)
    places += (cut.boundary & clusters) * best
    places[characters.newlines + 1] = ALWAYS
    return places
