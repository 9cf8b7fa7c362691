"""Which tokens lie across walls, where a text without walls has been cut into tokens."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.explaining import token_begin, token_end
from bpe_gui.bpe.kernels.kernel import Integer, Ints, Kernel, Longs


def _find_kernel(
    removed: Ints,
    walls: Ints,
    document_starts: Longs,
    document_counts: Longs,
    begin: Integer,
    occurrences: Longs,
    across: Longs,
    places: Longs,
) -> None:
    """Look at the tokens that the merges from `begin` on have made, when they were made.

    removed: for each symbol the step that removed the border before it, as in `segmenting`.
    walls: for each symbol how many of the borders before those up to it are walls.
    document_starts: one entry more than there are documents, `document_counts` how often each
        occurs.
    occurrences, across, places: for each merge from `begin` on, how many tokens it made, how
        many of them lie across a wall, and the first border that made such a one (-1: none).
    """
    for document in range(len(document_counts)):
        weight = document_counts[document]
        for i in range(document_starts[document] + 1, document_starts[document + 1]):
            row = np.int64(removed[i]) - begin
            if row < 0 or row >= len(occurrences):
                continue
            step = row + begin + 1
            first = token_begin(i, removed, step)
            last = token_end(i, removed, step) - 1
            occurrences[row] += weight
            if walls[last] > walls[first]:
                across[row] += weight
                if places[row] < 0:
                    places[row] = i


find_crossings = Kernel(_find_kernel)
