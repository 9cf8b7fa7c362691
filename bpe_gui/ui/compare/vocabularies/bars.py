"""The numbers of a vocabulary that are drawn as small bars. Knows no window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bpe_gui.encodings.vocabularies.overlap import Overlap, Shares
from bpe_gui.encodings.vocabularies.suspicious import Suspicious

_LONGEST = 16
"""Lengths of more bytes share the last column of the histogram."""
_SCRIPTS = 8

Bar = tuple[int, ...]
"""The numbers that a bar is made of: one, or the tokens of both, of one and of the other."""


@dataclass(frozen=True)
class Group:
    """Bars under a title; upright in a histogram, else one below the other."""

    title: str
    bars: Mapping[str, Bar]
    upright: bool = False


def groups(found: Suspicious, pair: Overlap | None) -> list[Group]:
    """Count the tokens of a vocabulary, or of the two of a pair."""
    if pair is not None:
        lengths = {n: _bar(shares) for n, shares in pair.by_length().items()}
        scripts = {name: _bar(shares) for name, shares in pair.by_script().items()}
        return [
            Group("length in bytes", _binned(lengths), upright=True),
            Group("scripts", dict(list(scripts.items())[:_SCRIPTS])),
        ]
    source = found.vocabulary
    counts = enumerate(source.length_histogram().tolist())
    mixed = int(np.count_nonzero(source.properties.mixed & ~source.special))
    scripts = {name: (n,) for name, n in list(source.script_counts().items())[:_SCRIPTS]}
    variants = sum(map(len, source.forms.values()))
    return [
        Group("length in bytes", _binned({n: (c,) for n, c in counts if c}), upright=True),
        Group("scripts", {**scripts, "mixed": (mixed,)}),
        Group("kinds", {str(kind): (n,) for kind, n in source.kind_counts().items()}),
        Group("suspicious", {str(reason): (n,) for reason, n in found.counts().items()}),
        Group("forms", {"with variants": (variants,)}),
    ]


def _bar(shares: Shares) -> Bar:
    return shares.both, shares.only_one, shares.only_other


def _binned(lengths: Mapping[int, Bar]) -> dict[str, Bar]:
    """Gather lengths into the columns of the histogram."""
    width = len(next(iter(lengths.values()), (0,)))
    found = np.zeros((_LONGEST + 2, width), np.int64)
    for length, bar in lengths.items():
        found[min(length, _LONGEST + 1)] += bar
    names = [*map(str, range(1, _LONGEST + 1)), f"{_LONGEST + 1}+"]
    return {name: tuple(found[n].tolist()) for n, name in enumerate(names, 1)}
