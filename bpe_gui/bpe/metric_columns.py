"""The numbers by which encodings are compared, as the columns of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bpe_gui.bpe.metrics import Metrics

Number = int | float | None

MISSING = "–"
"""Stands where a ratio has no denominator."""


@dataclass(frozen=True, slots=True)
class Column:
    """One number of the table: its heading, what it means, and how it is written."""

    title: str
    meaning: str
    value: Callable[[Metrics], Number]
    written: str

    def cell(self, metrics: Metrics) -> str:
        """The number of some metrics as it is written; a dash where there is none."""
        value = self.value(metrics)
        return MISSING if value is None else self.written.format(value)


COLUMNS = (
    Column("tokens", "How many tokens the text is cut into", lambda m: m.tokens, "{:,}"),
    Column(
        "chars/token", "Characters that a token stands for on average",
        lambda m: m.characters_per_token, "{:.2f}",
    ),
    Column(
        "bytes/token", "Bytes of UTF-8 that a token stands for on average: the compression",
        lambda m: m.bytes_per_token, "{:.2f}",
    ),
    Column(
        "tokens/word",
        "Fertility: tokens that a word between spaces is cut into on average. Scripts without "
        "spaces between words are left out",
        lambda m: m.tokens_per_word, "{:.2f}",
    ),
    Column(
        "whole words", "Which part of the words is kept whole, in one token",
        lambda m: m.whole_share, "{:.1%}",
    ),
    Column(
        "unknown", "Tokens and characters that the vocabulary has nothing for",
        lambda m: m.unknowns, "{:,}",
    ),
    Column(
        "vocabulary", "How many tokens the vocabulary has", lambda m: m.vocabulary_size, "{:,}"
    ),
    Column(
        "used", "Which part of the vocabulary occurs in the text",
        lambda m: m.used_share, "{:.2%}",
    ),
    Column(
        "Rényi", "Rényi efficiency: how evenly the vocabulary is used, 1 being even "
        "(order 2.5, Zouhar et al. 2023)",
        lambda m: m.renyi_efficiency, "{:.3f}",
    ),
)
"""The numbers, in the order of the table's columns after the name."""
