"""Greedy merging of neighbours, the best pair first.

It recovers merges from tables of tokens that do not list them (tiktoken, SentencePiece), and finds
what an encoding would do with a text that it does not read.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from weakref import WeakKeyDictionary

from msgspec import Struct

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
    >>> from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
    >>> model = models.BPE({"l": 0, "o": 1, "lo": 2}, [("l", "o")])
    >>> merged_tokens(HuggingFaceEncoding(Tokenizer(model), "one"), b"lol")
    [(2, 2), (0, 1)]
    """
    known = _known.get(encoding)
    if known is None:
        known = _known[encoding] = _Known()
    found = known.words.get(word)
    if found is None:
        for kept in (known.words, known.symbols, known.steps):
            if len(kept) >= _MOST_KNOWN:
                kept.clear()
        found = known.words[word] = _merged_tokens(encoding, known, word)
    return found


class _Known(Struct, frozen=True):
    """Hold what became of words, of characters, and of two neighbours, with their rank."""

    words: dict[bytes, list[tuple[int, int]]] = {}
    symbols: dict[str, list[tuple[int, bytes]]] = {}
    steps: dict[tuple[int, int], tuple[int, int] | None] = {}


_MOST_KNOWN = 50_000
_known: WeakKeyDictionary[Encoding, _Known] = WeakKeyDictionary()
"""At most `_MOST_KNOWN` of each kind for each encoding."""


def _merged_tokens(encoding: Encoding, known: _Known, word: bytes) -> list[tuple[int, int]]:
    find = encoding.token_to_id
    if marks_ends_of_words(encoding):
        find = encoding.marked_token_to_id
    tokens: list[int | None] = []
    starts = [0]
    for character in word.decode("utf-8", "surrogateescape"):
        symbols = known.symbols.get(character)
        if symbols is None:
            symbols = _symbols(encoding, find, character.encode("utf-8", "surrogateescape"))
            known.symbols[character] = symbols
        for token, content in symbols:
            tokens.append(token)
            starts.append(starts[-1] + len(content))
    size = len(tokens)
    after, before = list(range(1, size + 1)), list(range(-1, size - 1))
    heap: list[tuple[int, int, int, int, int, int]] = []

    def offer(first: int) -> None:
        """Put the merge of two neighbours on the heap, if there is one."""
        second = after[first]
        left, right = tokens[first], tokens[second] if second < size else None
        if left is None or right is None or NO_TOKEN in (left, right):
            return
        pair = left, right
        if pair in known.steps:
            step = known.steps[pair]
        else:
            made = find(word[starts[first] : starts[after[second]]])
            merge = None if made is None else encoding.merge(made)
            step = None
            if made is not None and merge is not None and (merge.left, merge.right) == pair:
                step = merge.rank, made
            known.steps[pair] = step
        if step is not None:
            heapq.heappush(heap, (step[0], first, second, left, right, step[1]))

    for first in range(size - 1):
        offer(first)
    while heap:
        _, first, second, left, right, made = heapq.heappop(heap)
        if after[first] != second or (tokens[first], tokens[second]) != (left, right):
            continue
        tokens[first], tokens[second] = made, None
        after[first] = after[second]
        if after[first] < size:
            before[after[first]] = first
            offer(first)
        if first > 0:
            offer(before[first])
    return [
        (token, starts[after[place]] - starts[place])
        for place, token in enumerate(tokens)
        if token is not None
    ]


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
