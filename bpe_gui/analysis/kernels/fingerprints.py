"""Fingerprints of what tokens stand for, found without spelling them out.

A text is taken as the digits of a number, modulo four primes of 31 bits each. The fingerprint
of two tokens one after the other follows from those of the two, so that of every merge is a
few multiplications, however long its token is.
"""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Bytes, Ints, Kernel, Longs

PRIMES = 4
_FIRST, _SECOND, _THIRD, _FOURTH = 2147483647, 2147483629, 2147483587, 2147483579
_BASE = 1103515245
"""Greater than any digit, so that texts of another length or order have other numbers."""


def _of_texts_kernel(text: Bytes, starts: Longs, prints: Longs, powers: Longs) -> None:
    """Write the fingerprints of concatenated texts.

    prints, powers: a row for each text and a column for each prime: the number, and the base
        to the power of how many bytes there are.
    """
    for column in range(PRIMES):
        prime = (_FIRST, _SECOND, _THIRD, _FOURTH)[column]
        for row in range(len(starts) - 1):
            number, power = np.int64(0), np.int64(1)
            for i in range(starts[row], starts[row + 1]):
                number = (number * _BASE + np.int64(text[i]) + 1) % prime
                power = power * _BASE % prime
            prints[row, column] = number
            powers[row, column] = power


def _of_merges_kernel(
    left: Ints, right: Ints, new: Ints, prints: Longs, powers: Longs, merged: Longs
) -> None:
    """Write the fingerprints of the tokens that merges make.

    prints, powers: a row for each token id, those of the merges' own tokens
        still to be filled.
    merged: receives a row for each merge.
    """
    for column in range(PRIMES):
        prime = (_FIRST, _SECOND, _THIRD, _FOURTH)[column]
        for step in range(len(left)):
            one, other, made = left[step], right[step], new[step]
            number = (prints[one, column] * powers[other, column] + prints[other, column]) % prime
            merged[step, column] = number
            prints[made, column] = number
            powers[made, column] = powers[one, column] * powers[other, column] % prime


fingerprints_of_texts = Kernel(_of_texts_kernel)
fingerprints_of_merges = Kernel(_of_merges_kernel)
