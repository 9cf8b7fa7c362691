"""Describe the numbers of an encoding for a table: headings, what they mean, which is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.metrics import Metrics
from bpe_gui.progress import percent

if TYPE_CHECKING:
    from bpe_gui.analysis.curves import MetricsOverMerges

Number = int | float | None
Curve = NDArray[np.int64] | NDArray[np.float64]

MISSING = "–"
"""Stands where a ratio has no denominator."""

SHORT = "~"
"""Marks a number that says little because the text is short."""
TOO_SHORT = (
    "the text has fewer tokens than the vocabulary, so this mostly depends on the vocabulary's size"
)
"""What the mark means."""

_RATIO = "{:.2f}"
_SHARES = {"{:.1%}": 1, "{:.2%}": 2}
"""The formats of shares, with their decimal places."""


class Better(IntEnum):
    """Which of two values of a number speaks for an encoding."""

    LESS = -1
    NEITHER = 0
    MORE = 1


class Column(Struct, frozen=True):
    """One number of the table: its heading, what it means, how it is written, what is better.

    value: of one text. curve: of one text at many positions of a run, nan where it is
    undefined. widest: the widest usual number as it is written. needs_long_text: whether it
    says little of a text with fewer tokens than the vocabulary.
    """

    title: str
    meaning: str
    value: Callable[[Metrics], Number]
    curve: Callable[[MetricsOverMerges], Curve]
    format: str
    better: Better = Better.NEITHER
    widest: str = ""
    needs_long_text: bool = False

    def written(self, value: Number) -> str:
        """Write the number as it is shown; a dash where it is undefined.

        Ratios have three digits at the least, and decimals only as far as they say something.
        """
        if value is None:
            return MISSING
        if self.format == _RATIO and abs(value) >= 99.995:
            return f"{value:,.1f}" if abs(value) < 999.95 else f"{value:,.0f}"
        if self.format in _SHARES:
            return percent(value, _SHARES[self.format])
        return self.format.format(value)

    def cell(self, metrics: Metrics) -> str:
        """Write the number of some metrics as it is shown, with `SHORT` if it says little."""
        mark = SHORT if self.says_little(metrics) else ""
        return self.written(self.value(metrics)) + mark

    def says_little(self, metrics: Metrics) -> bool:
        """Tell whether the text is too short for the number to say much."""
        return (
            self.needs_long_text
            and self.value(metrics) is not None
            and metrics.tokens < metrics.vocabulary_size
        )

    def of(self, metrics: Metrics | None) -> Number:
        """Return the number of some metrics, None where there are none."""
        return None if metrics is None else self.value(metrics)

    def best(self, several: Iterable[Metrics | None]) -> Number:
        """Find the best number of several; None if none is better than others.

        Text that is unknown takes few tokens: where some is, no number is called the best,
        but where all is known. Nor is any if one of them says little.
        """
        there = [metrics for metrics in several if metrics is not None]
        if any(map(self.says_little, there)):
            return None
        known = [metrics for metrics in there if not metrics.unknowns]
        values = [value for value in map(self.value, known) if value is not None]
        if self.better is Better.NEITHER or not values:
            return None
        return max(values, key=lambda value: value * self.better)


COLUMNS = (
    Column(
        "tokens", "How many tokens the text has",
        lambda m: m.tokens, lambda m: m.tokens, "{:,}", Better.LESS, widest="99,999",
    ),
    Column(
        "chars/token", "Characters per token, on average",
        lambda m: m.characters_per_token, lambda m: m.characters_per_token, _RATIO, Better.MORE,
        widest="9.99",
    ),
    Column(
        "bytes/token", "UTF-8 bytes per token, on average: the compression",
        lambda m: m.bytes_per_token, lambda m: m.bytes_per_token, _RATIO, Better.MORE,
        widest="9.99",
    ),
    Column(
        "tokens/word",
        "Fertility: tokens per word between spaces, with its punctuation, on average. Scripts "
        "without spaces between words are not counted",
        lambda m: m.tokens_per_word, lambda m: m.words.tokens_per_word, _RATIO, Better.LESS,
        widest="9.99",
    ),
    Column(
        "single-token words",
        "Share of the words that are a single token, apart from the punctuation around them",
        lambda m: m.whole_share, lambda m: m.words.whole_share, "{:.1%}", Better.MORE,
        widest="100.0%",
    ),
    Column(
        "unknown", "Tokens and characters that are not in the vocabulary",
        lambda m: m.unknowns, lambda m: m.unknowns, "{:,}", Better.LESS, widest="9,999",
    ),
    Column(
        "vocabulary", "How many tokens the vocabulary has",
        lambda m: m.vocabulary_size, lambda m: m.vocabulary_size, "{:,}", widest="999,999",
    ),
    Column(
        "vocabulary used", "Share of the vocabulary that occurs in the text",
        lambda m: m.used_share, lambda m: m.used_share, "{:.2%}", widest="99.99%",
    ),
    Column(
        "Rényi", "Rényi efficiency: how evenly the vocabulary is used; 1 is perfectly even "
        "(order 2.5, Zouhar et al. 2023). The entropy is divided by the logarithm of the size of "
        f"the whole vocabulary. {SHORT} means that {TOO_SHORT}",
        lambda m: m.renyi_efficiency, lambda m: m.renyi_efficiency, "{:.3f}", Better.MORE,
        widest="0.999", needs_long_text=True,
    ),
)
"""The numbers, in the order of the table's columns after the name."""
