"""The metrics at many positions of a history at once: curves over the merges.

Nothing is encoded anew for a position. A merge turns some pairs of neighbours into one
token each; how many is known for every step, so the tokens, and how often each of them
occurs, follow from those at the start by additions of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.kernels.tallying import (
    TALLIES,
    UNSPACED_WORDS,
    WHOLE_WORDS,
    WORD_TOKENS,
    WORDS,
)
from bpe_gui.analysis.metrics import renyi_efficiency, tally, unknown_among
from bpe_gui.bpe.errors import Cancelled
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.kernels.segmenting import NEVER
from bpe_gui.bpe.tokenizer import ByteTokens, StepwiseEncoding


class WordsOverMerges(Struct, frozen=True):
    """What becomes of the words of a text. The first two are the same at all positions."""

    words: int
    unspaced_words: int
    word_tokens: NDArray[np.int64]
    whole_words: NDArray[np.int64]

    @property
    def tokens_per_word(self) -> NDArray[np.float64]:
        """Compute the fertility; nan if there is no word."""
        return _ratios(self.word_tokens, self.words)

    @property
    def whole_share(self) -> NDArray[np.float64]:
        """Tell which part of the words is kept whole; nan if there is no word."""
        return _ratios(self.whole_words, self.words)


class MetricsOverMerges(Struct, frozen=True):
    """Metrics at some positions of a history; `bpe_gui.analysis.metrics` says what each means.

    Columns of equal length, but for what is the same everywhere. Ratios without a
    denominator are nan, which plots leave out.
    """

    positions: NDArray[np.int64]
    bytes: int
    characters: int
    tokens: NDArray[np.int64]
    unknowns: NDArray[np.int64]
    vocabulary_used: NDArray[np.int64]
    vocabulary_size: NDArray[np.int64]
    renyi_efficiency: NDArray[np.float64]
    words: WordsOverMerges

    @property
    def bytes_per_token(self) -> NDArray[np.float64]:
        """Return the mean number of UTF-8 bytes per token."""
        return _ratios(self.bytes, self.tokens)

    @property
    def characters_per_token(self) -> NDArray[np.float64]:
        """Return the mean number of characters per token."""
        return _ratios(self.characters, self.tokens)

    @property
    def used_share(self) -> NDArray[np.float64]:
        """Tell which part of the vocabulary occurs."""
        return _ratios(self.vocabulary_used, self.vocabulary_size)


def spread_positions(length: int, count: int = 200) -> NDArray[np.int64]:
    """Return positions from 0 to `length`, both included, spaced logarithmically: `count` at most.

    >>> spread_positions(1000, 8).tolist()
    [0, 1, 3, 10, 32, 100, 316, 1000]
    """
    if length == 0:
        return np.zeros(1, np.int64)
    spaced = np.geomspace(1, length, max(count - 1, 1)) if count > 2 else np.array([length])
    return np.unique(np.append(0, np.rint(spaced))).astype(np.int64)


def metrics_over_merges(
    history: History,
    text: str,
    positions: NDArray[np.int64],
    *,
    specials_as_text: bool = False,
    cancelled: Callable[[], bool] | None = None,
    compiled: bool | None = None,
) -> MetricsOverMerges:
    """Measure a text at ascending positions.

    They equal those of `Tokenizer(history, position)` at each. Meant for a thread in the
    background: `cancelled` is asked at each position, and when it says yes Cancelled
    is raised. Raises IndexError for a position that the history does not have,
    UnicodeEncodeError for lone surrogates.
    """
    trace = StepwiseEncoding(history, text, specials_as_text=specials_as_text, compiled=compiled)
    _check_positions(positions, trace.segmentation.length)
    symbols, removed = trace.segmentation.symbols, trace.segmentation.merge_step
    merges = np.bincount(removed[removed != NEVER], minlength=trace.segmentation.length)
    at_start = np.bincount(symbols[symbols != NO_TOKEN], minlength=len(history.base))
    without_token = int(np.count_nonzero(symbols == NO_TOKEN))
    unknown = {token: history.bytes_in_text(token) for token in history.recipe.unknown_ids}
    data = text.encode("utf-8")
    document_ends = np.array([len(data)])
    tallies, rows = [], []
    for position, counts in _histograms(history, at_start, merges, positions):
        if cancelled is not None and cancelled():
            raise Cancelled
        cut = trace.byte_tokens(position)
        is_unknown = unknown_among(data, cut, unknown)
        tallies.append(tally(data, document_ends, cut, is_unknown, compiled=compiled))
        row = _row(history, position, counts)
        row[0] += without_token
        row[1] = int(np.count_nonzero(is_unknown))
        rows.append(row)
    of_words = np.array(tallies, np.int64).reshape(len(positions), TALLIES)
    nothing = ByteTokens.joined([])
    of_text = tally(data, document_ends, nothing, np.empty(0, np.bool_), compiled=compiled)
    words = WordsOverMerges(
        words=int(of_text[WORDS]),
        unspaced_words=int(of_text[UNSPACED_WORDS]),
        word_tokens=of_words[:, WORD_TOKENS],
        whole_words=of_words[:, WHOLE_WORDS],
    )
    return MetricsOverMerges(positions, len(data), len(text), *_columns(rows), words)


def _check_positions(positions: NDArray[np.int64], length: int) -> None:
    outside = positions[(positions < 0) | (positions > length)]
    if len(outside):
        raise IndexError(f"position {outside[0]} is outside 0..{length}")


def _histograms(
    history: History,
    at_start: NDArray[np.int64],
    merges: NDArray[np.int64],
    positions: NDArray[np.int64],
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Count how often each token occurs, indexed by id, at ascending positions.

    `merges` is how many pairs each step merged. The array is the same one every time.
    """
    length = len(merges)
    counts = np.zeros(max(len(at_start), history.vocabulary_size(length)), np.int64)
    counts[: len(at_start)] = at_start
    done = 0
    for position in positions.tolist():
        steps = slice(done, position)
        np.subtract.at(counts, history.left[steps], merges[steps])
        np.subtract.at(counts, history.right[steps], merges[steps])
        np.add.at(counts, history.new_id[steps], merges[steps])
        done = position
        yield position, counts


def _row(history: History, position: int, counts: NDArray[np.int64]) -> list[float]:
    """Return tokens, unknowns, vocabulary used and size, and efficiency at one position."""
    size = history.vocabulary_size(position)
    efficiency = renyi_efficiency(counts, size)
    return [
        int(counts.sum()),
        sum(int(counts[token]) for token in history.recipe.unknown_ids),
        int(np.count_nonzero(counts)),
        size,
        np.nan if efficiency is None else efficiency,
    ]


def _columns(
    rows: list[list[float]],
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
]:
    """Turn rows, as `_row` makes them, into columns."""
    tokens, unknowns, used, size, efficiency = zip(*rows, strict=True) if rows else ((),) * 5
    return (
        np.array(tokens, np.int64),
        np.array(unknowns, np.int64),
        np.array(used, np.int64),
        np.array(size, np.int64),
        np.array(efficiency, np.float64),
    )


def _ratios(
    numerators: NDArray[np.int64] | int, denominators: NDArray[np.int64] | int
) -> NDArray[np.float64]:
    above = np.asarray(numerators, np.float64)
    below = np.asarray(denominators, np.float64)
    shape = np.broadcast_shapes(above.shape, below.shape)
    result = np.full(shape, np.nan)
    np.divide(above, below, out=result, where=np.broadcast_to(below != 0, shape))
    return result
