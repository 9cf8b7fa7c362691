"""Tokenizing by longest match, from left to right."""

from __future__ import annotations

import numpy as np

from bpe_gui.bpe.kernels.jit import Bytes, Integer, Ints, Kernel


def _match_longest_kernel(
    text: Bytes, first_edges: Ints, edges: Bytes, tokens: Ints, ids: Ints, ends: Ints
) -> Integer:
    """Write the ids of a text's tokens and where they end, and return how many there are.

    The tokens are a trie: the edges of node n, the bytes that may follow, are in ascending order
    from `first_edges[n]` to `first_edges[n + 1]`, and edge e leads to node e + 1. `tokens` has the
    token that ends at a node, or -1. A byte that no token begins with has the id -1. `ids` and
    `ends` have room for as many tokens as the text has bytes.
    """
    count = 0
    begin = 0
    while begin < len(text):
        node = np.int64(0)
        found, end = np.int64(-1), begin + 1
        i = begin
        while i < len(text):
            low, high = np.int64(first_edges[node]), np.int64(first_edges[node + 1])
            stop = high
            while low < high:
                middle = (low + high) // 2
                if edges[middle] < text[i]:
                    low = middle + 1
                else:
                    high = middle
            if low == stop or edges[low] != text[i]:
                break
            node = low + 1
            i += 1
            if tokens[node] >= 0:
                found, end = np.int64(tokens[node]), i
        ids[count] = found
        ends[count] = end
        count += 1
        begin = end
    return count


match_longest = Kernel(_match_longest_kernel)
