"""Greedy merging of neighbours, the best pair first.

It recovers merges from tables of tokens that do not list them (tiktoken, SentencePiece), and finds
what an encoding would do with a text that it does not read.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import itemgetter
from weakref import WeakKeyDictionary

from bpe_gui.bpe.history import NO_TOKEN
from bpe_gui.encodings.base import Encoding, marks_ends_of_words


def merge_greedily(size: int, rank_of: Callable[[int, int], float | None]) -> list[int]:
    """Merge `size` symbols as far as possible; returns where the merged parts begin, ascending.

    rank_of: gives the rank of merging two neighbours, by the offset at which the first begins and
        the one at which the second ends; None if they are not merged. It is called at most three
        times per symbol.

    Every step merges the two neighbours with the lowest rank, of equal ones the leftmost.

    >>> ranks = {"ab": 0, "bc": 1, "abb": 2}
    >>> merge_greedily(5, lambda first, stop: ranks.get("bcabb"[first:stop]))  # bc abb
    [0, 2]
    """
    stop_of = list(range(1, size + 1))  # where the part ends that begins there, -1 if none
    first_of = list(range(-1, size))  # where the part begins that ends there
    heap: list[tuple[float, int, int, int]] = []

    def offer(first: int, middle: int, stop: int) -> None:
        rank = rank_of(first, stop)
        if rank is not None:
            heapq.heappush(heap, (rank, first, middle, stop))

    for place in range(size - 1):
        offer(place, place + 1, place + 2)
    while heap:
        _, first, middle, stop = heapq.heappop(heap)
        if stop_of[first] != middle or stop_of[middle] != stop:
            continue
        stop_of[first], stop_of[middle], first_of[stop] = stop, -1, first
        if first > 0:
            offer(first_of[first], first, stop)
        if stop < size:
            offer(first, stop, stop_of[stop])
    return [place for place in range(size) if stop_of[place] > 0]


def merged_tokens(encoding: Encoding, word: bytes) -> list[tuple[int, int]]:
    """Merge a word by an encoding's merges, without normalization and end-of-word markers.

    Returns ids and sizes. The lowest rank is merged first, of equal ones the leftmost. A character
    without a token is NO_TOKEN, and so is a byte without one if other bytes of the character have
    tokens. The words of a text are few: what became of them is kept, with the encoding.

    >>> from tokenizers import Tokenizer, models
    >>> from bpe_gui.encodings.huggingface import HuggingFaceEncoding
    >>> model = models.BPE({"l": 0, "o": 1, "lo": 2}, [("l", "o")])
    >>> merged_tokens(HuggingFaceEncoding(Tokenizer(model), "one"), b"lol")
    [(2, 2), (0, 1)]
    """
    known = _known.setdefault(encoding, {})
    found = known.get(word)
    if found is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        found = known[word] = _merged_tokens(encoding, word)
    return found


_MOST_KNOWN = 50_000
_known: WeakKeyDictionary[Encoding, dict[bytes, list[tuple[int, int]]]] = WeakKeyDictionary()
"""The tokens of words that were merged before, at most `_MOST_KNOWN` for each encoding."""


def _merged_tokens(encoding: Encoding, word: bytes) -> list[tuple[int, int]]:
    find = encoding.token_to_id
    if marks_ends_of_words(encoding):
        find = encoding.marked_token_to_id
    parts: list[tuple[int, bytes]] = []
    for character in word.decode("utf-8", "surrogateescape"):
        parts += _symbols(encoding, find, character.encode("utf-8", "surrogateescape"))
    steps = _steps(encoding, find, parts)
    while (step := min(steps, default=_NEVER, key=itemgetter(0))) != _NEVER:
        place = steps.index(step)
        parts[place : place + 2] = [(step[1], parts[place][1] + parts[place + 1][1])]
        near = slice(max(place - 1, 0), place + 2)
        steps[near] = _steps(encoding, find, parts[near])
    return [(token, len(content)) for token, content in parts]


_NEVER = (float("inf"), NO_TOKEN)


def _steps(
    encoding: Encoding, find: Callable[[bytes], int | None], parts: Sequence[tuple[int, bytes]]
) -> list[tuple[float, int]]:
    """Find the rank at which each two neighbours are merged, and the result, or `_NEVER`."""
    steps = []
    for (left, one), (right, other) in pairwise(parts):
        made = None if NO_TOKEN in (left, right) else find(one + other)
        merge = None if made is None else encoding.merge(made)
        if made is None or merge is None or (merge.left, merge.right) != (left, right):
            steps.append(_NEVER)
        else:
            steps.append((merge.rank, made))
    return steps


def _symbols(
    encoding: Encoding, find: Callable[[bytes], int | None], character: bytes
) -> list[tuple[int, bytes]]:
    """Find the initial symbols of a character: its token, those of its bytes, or NO_TOKEN."""

    def symbol(content: bytes) -> int:
        token = find(content)
        if token is None or encoding.is_fallback_byte(token) or encoding.merge(token) is not None:
            return NO_TOKEN
        return token

    if (token := symbol(character)) != NO_TOKEN:
        return [(token, character)]
    each = [bytes([byte]) for byte in character]
    tokens = [symbol(content) for content in each]
    if all(token == NO_TOKEN for token in tokens):
        return [(NO_TOKEN, character)]
    return list(zip(tokens, each, strict=True))
