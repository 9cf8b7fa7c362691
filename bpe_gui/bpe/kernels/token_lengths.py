"""How long tokens are, from the lengths of those that they are merged of."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Integer, Ints, Kernel

NOT_KNOWN = -1


def _add_lengths_kernel(
    left: Ints,
    right: Ints,
    new_id: Ints,
    lengths: Ints,
    begin: Integer,
    end: Integer,
    most: Integer,
) -> Integer:
    """Write the lengths of the tokens that merges make, from `begin` on and before `end`.

    The lengths are by id, NOT_KNOWN before a token is made; a merge is made of tokens that are
    known. Returns the first merge whose token is longer than `most`, or had another length before,
    else `end`.
    """
    for step in range(begin, end):
        length = np.int64(lengths[left[step]]) + np.int64(lengths[right[step]])
        known = np.int64(lengths[new_id[step]])
        if length > most or (known != NOT_KNOWN and known != length):
            return step
        lengths[new_id[step]] = length
    return end


add_lengths = Kernel(_add_lengths_kernel)
