"""The numbers of several texts under several encodings, each with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import log

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bpe_gui.analysis.grouped_counts import (
    BYTES,
    LEVEL,
    RESAMPLINGS,
    TOKENS,
    TOKENS_OF_WORDS,
    WHOLE,
    WORD_COUNT,
    Estimate,
    estimate,
)
from bpe_gui.analysis.metric_columns import MISSING
from bpe_gui.analysis.metrics import ratio
from bpe_gui.encodings.measuring.several_texts import Text, TextCounts, Texts
from bpe_gui.progress import listed, percent, signed


class TextMeasure(StrEnum):
    """A number of each text under each encoding, by its title."""

    TOKENS = "tokens"
    BYTES_PER_TOKEN = "bytes/token"
    PARITY = "tokens, relative to a text"
    ADDED = "tokens added to a text"
    RELATIVE = "tokens, relative to an encoding"
    WHOLE_WORDS = "single-token words"
    TOKENS_PER_WORD = "tokens/word"

    @property
    def meaning(self) -> str:
        """Say what it is in a sentence without an end."""
        return _MEANINGS[self]

    @property
    def more_is_better(self) -> bool:
        """Tell whether a larger number speaks for an encoding."""
        return self in (TextMeasure.BYTES_PER_TOKEN, TextMeasure.WHOLE_WORDS)

    @property
    def of_original(self) -> bool:
        """Tell whether it compares a text with the one that it translates or varies."""
        return self in (TextMeasure.PARITY, TextMeasure.ADDED)

    def written(self, value: float | None) -> str:
        """Write a number as it is shown; a dash where there is none.

        >>> TextMeasure.WHOLE_WORDS.written(0.5), TextMeasure.PARITY.written(1.236)
        ('50.0%', '1.24')
        """
        if value is None:
            return MISSING
        if self is TextMeasure.TOKENS:
            return f"{value:,.0f}"
        if self is TextMeasure.ADDED:
            return signed(round(value))
        return percent(value) if self is TextMeasure.WHOLE_WORDS else f"{value:.2f}"

    def interval(self, found: Estimate) -> str:
        """Write the interval of a number; empty if it has none, or none that is seen.

        >>> TextMeasure.PARITY.interval(Estimate(1.5, 1.25, 1.75))
        '1.25–1.75'
        """
        low, high = (None if end is None else self.written(end) for end in found[1:])
        return "" if low is None or low == high else f"{low}–{high}"


_MEANINGS = {
    TextMeasure.TOKENS: "How many tokens a text has",
    TextMeasure.BYTES_PER_TOKEN: "UTF-8 bytes per token, on average: the compression",
    TextMeasure.PARITY: "Tokens of a text divided by those of the text that it translates or "
    "varies, under the same encoding",
    TextMeasure.ADDED: "Tokens that a text has more than the one that it translates or varies, "
    "under the same encoding",
    TextMeasure.RELATIVE: "Tokens of a text divided by those of the same text under another "
    "encoding",
    TextMeasure.WHOLE_WORDS: "Share of the words between spaces that are a single token, apart "
    "from the punctuation around them",
    TextMeasure.TOKENS_PER_WORD: "Tokens per word between spaces, with its punctuation, on average",
}

_COLUMNS = {
    TextMeasure.TOKENS: (TOKENS, TOKENS),
    TextMeasure.BYTES_PER_TOKEN: (BYTES, TOKENS),
    TextMeasure.WHOLE_WORDS: (WHOLE, WORD_COUNT),
    TextMeasure.TOKENS_PER_WORD: (TOKENS_OF_WORDS, WORD_COUNT),
}
"""The columns of groups that a measure divides."""

_OF_WORDS = (TextMeasure.WHOLE_WORDS, TextMeasure.TOKENS_PER_WORD)
"""Measures that a text in a script without spaces has not: its few words are numbers and names."""

INTERVALS = (
    f"Intervals are where {LEVEL:.0%} of {RESAMPLINGS:,} numbers are that result when the lines or "
    "documents of a text are drawn anew, with replacement"
)


class TextNumbers(Struct, frozen=True, eq=False):
    """Hold what encodings make of texts.

    counts: a row for each text, with an entry for each encoding.
    reference: the index of the text that others are compared with, if the texts are parallel.
    baseline: the index of the encoding that others are compared with.
    """

    texts: Texts
    encodings: tuple[str, ...]
    counts: tuple[tuple[TextCounts, ...], ...]
    reference: int = 0
    baseline: int = 0
    _known: dict[tuple[TextMeasure, int, int], Estimate | None] = {}

    _ranges: dict[TextMeasure, tuple[float, float]] = {}

    def compared_with(self, reference: int, baseline: int) -> TextNumbers:
        """Return the same numbers with another reference and baseline."""
        return replace(self, reference=reference, baseline=baseline, _known={}, _ranges={})

    @property
    def measures(self) -> list[TextMeasure]:
        """List the ratios that say something about these texts and encodings."""
        found = [TextMeasure.BYTES_PER_TOKEN]
        if any(self.original(row) is not None for row in range(len(self.counts))):
            found.append(TextMeasure.PARITY)
        if self.texts.conversation:
            found.append(TextMeasure.ADDED)
        if len(self.encodings) > 1:
            found.append(TextMeasure.RELATIVE)
        return [*found, TextMeasure.WHOLE_WORDS, TextMeasure.TOKENS_PER_WORD]

    @property
    def main_measure(self) -> TextMeasure:
        """Tell the measure that the texts are about.

        A conversation is about what chat templates add; without any it is about its tokens.
        """
        if self.texts.parallel:
            return TextMeasure.PARITY
        if not self.texts.conversation:
            return TextMeasure.BYTES_PER_TOKEN
        rendered = (row for at, row in enumerate(self.counts) if self.original(at) is not None)
        has_template = any(not one.problem for row in rendered for one in row)
        return TextMeasure.ADDED if has_template else TextMeasure.TOKENS

    @property
    def failed(self) -> list[str]:
        """List the encodings that have no numbers of some text."""
        return [
            name
            for column, name in enumerate(self.encodings)
            if any(row[column].problem for row in self.counts)
        ]

    @property
    def problems(self) -> list[str]:
        """Say how the texts were read, if that is not clear, and why encodings have no numbers of
        some text.
        """
        found: dict[str, list[str]] = {}
        for column, name in enumerate(self.encodings):
            reasons = (row[column].problem for row in self.counts)
            if reason := next(filter(None, reasons), ""):
                found.setdefault(reason, []).append(name)
        notes = [self.texts.note] if self.texts.note else []
        return [*notes, *(f"{listed(names)}: {reason}" for reason, names in found.items())]

    def original(self, row: int) -> int | None:
        """Return the row of the text that one is compared with; None if with none."""
        if self.texts.parallel:
            return self.reference
        name = self.texts.texts[row].original
        return self.texts.names.index(name) if name in self.texts.names else None

    def estimate(self, measure: TextMeasure, row: int, column: int) -> Estimate | None:
        """Compute a number, once; None where it is undefined."""
        place = measure, row, column
        if place not in self._known:
            self._known[place] = self._estimate(*place)
        return self._known[place]

    def _estimate(self, measure: TextMeasure, row: int, column: int) -> Estimate | None:
        parts = self._parts(measure, row, column)
        if parts is None or measure in (TextMeasure.TOKENS, TextMeasure.ADDED):
            value = self.value(measure, row, column)
            return None if value is None else Estimate(value)
        return estimate(*parts)

    def value(self, measure: TextMeasure, row: int, column: int) -> float | None:
        """Compute a number without its interval, which takes longer; None if undefined."""
        parts = self._parts(measure, row, column)
        if parts is None:
            return None
        above, below = (int(part.sum()) for part in parts)
        if measure is TextMeasure.ADDED:
            return float(above - below)
        return float(above) if measure is TextMeasure.TOKENS else ratio(above, below)

    def _parts(
        self, measure: TextMeasure, row: int, column: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Return what is divided by what, group by group."""
        if self.counts[row][column].problem:
            return None
        counts = self.counts[row][column].counts
        if measure in _OF_WORDS and counts.is_unspaced:
            return None
        groups = counts.groups
        if measure in _COLUMNS:
            above, below = _COLUMNS[measure]
            return groups[:, above], groups[:, below]
        original = self.original(row)
        if measure is TextMeasure.RELATIVE:
            other = self.counts[row][self.baseline]
        elif original is None:
            return None
        else:
            other = self.counts[original][column]
        if other.problem:
            return None
        return groups[:, TOKENS], other.counts.groups[:, TOKENS]

    def is_lossy(self, measure: TextMeasure, row: int, column: int) -> bool:
        """Tell whether a text of a number is known not to round-trip."""
        if measure is TextMeasure.RELATIVE and self.counts[row][self.baseline].lossy:
            return True
        original = self.original(row) if measure.of_original else None
        return self.counts[row][column].lossy or (
            original is not None and self.counts[original][column].lossy
        )

    def best(self, measure: TextMeasure, row: int) -> set[int]:
        """Find the encodings with the best number of a text, as it is written, if any is better.

        Lossy numbers do not count.
        """
        found = {
            column: value
            for column in range(len(self.encodings))
            if not self.is_lossy(measure, row, column)
            and (value := self.value(measure, row, column)) is not None
        }
        if measure.of_original or len(found) < 2:
            return set()
        pick = max if measure.more_is_better else min
        best = measure.written(pick(found.values()))
        chosen = {column for column, value in found.items() if measure.written(value) == best}
        return chosen if len(chosen) < len(found) else set()

    def cost(self, measure: TextMeasure, row: int, column: int) -> float | None:
        """Tell how much a number costs among all of its measure, from 0, the best, to 1, the worst.

        Ratios are compared by their logarithms. None where there is no number, or a lossy one,
        which counts for nothing.
        """
        if measure not in self._ranges:
            found = [
                cost
                for row in range(len(self.counts))
                for column in range(len(self.encodings))
                if (cost := self._cost(measure, row, column)) is not None
            ]
            self._ranges[measure] = min(found, default=0.0), max(found, default=0.0)
        least, most = self._ranges[measure]
        cost = self._cost(measure, row, column)
        if cost is None:
            return None
        return (cost - least) / (most - least) if most > least else 0.0

    def _cost(self, measure: TextMeasure, row: int, column: int) -> float | None:
        value = self.value(measure, row, column)
        if value is None or self.is_lossy(measure, row, column):
            return None
        if measure is TextMeasure.ADDED:
            return value
        if measure is TextMeasure.WHOLE_WORDS:
            return 1 - value
        if not value:
            return None
        return (-log(value) if measure.more_is_better else log(value)) or 0.0

    def lines(self) -> Iterator[Sequence[object]]:
        """List all numbers unrounded, headings first: a line for each text and encoding."""
        measures = self.measures
        heading: list[object] = ["text", "encoding", "tokens", "bytes", "words", "resampled"]
        for measure in measures:
            heading += [measure.value, f"{measure.value}, low", f"{measure.value}, high"]
        yield [*heading, "lossless", "problem"]
        for row, text in enumerate(self.texts.texts):
            for column, name in enumerate(self.encodings):
                problem = self.counts[row][column].problem
                begun = self._begun(row, column, text, name)
                yield [*begun, self.lossless(row, column), problem or None]

    def _begun(self, row: int, column: int, text: Text, name: str) -> list[object]:
        groups = self.counts[row][column].counts.groups.sum(axis=0)
        sums = [int(groups[which]) for which in (TOKENS, BYTES, WORD_COUNT)]
        if self.counts[row][column].problem:
            return [text.name, name, *[None] * 3, text.resampled, *[None] * 3 * len(self.measures)]
        cells: list[object] = [text.name, name, *sums, text.resampled]
        for measure in self.measures:
            cells += self.estimate(measure, row, column) or (None, None, None)
        return cells

    def lossless(self, row: int, column: int) -> str | None:
        """Say whether a text round-trips: "yes", "no" or "not checked"; None without numbers."""
        found = self.counts[row][column]
        if found.problem:
            return None
        if found.lossy:
            return "no"
        return "yes" if found.decoded else "not checked"
