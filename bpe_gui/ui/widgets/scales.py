"""Numbers for plots: which points to draw, where an axis ends, what its ticks say."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.history import History

MOST_POINTS = 256
"""More points than this are thinned out: a plot has not many more columns of pixels."""

_STEPS = (1.0, 2.0, 5.0, 10.0)
_TICK_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_GROWTH = 1.02
_MOST_EMPTY = 0.25
_SNUG = 0.02
_FINE = 20
"""Into how many parts the height is divided by the steps in which an axis grows."""


def evenly(stop: int) -> NDArray[np.int64]:
    """Indexes below `stop` for a linear axis: at most about 500, always the last.

    The distance between them is a power of two, so a growing curve keeps its points and
    does not shimmer.

    >>> evenly(3).tolist()
    [0, 1, 2]
    """
    stride = 1
    while stop > MOST_POINTS * 2 * stride:
        stride *= 2
    return _with_last(np.arange(0, stop, stride), stop)


def geometrically(stop: int) -> NDArray[np.int64]:
    """Indexes below `stop` for a logarithmic axis, always the first and the last."""
    return _with_last(_GEOMETRIC[: np.searchsorted(_GEOMETRIC, stop)], stop)


def _with_last(indexes: NDArray[np.int64], stop: int) -> NDArray[np.int64]:
    if len(indexes) and indexes[-1] != stop - 1:
        return np.append(indexes, stop - 1)
    return indexes


_POWERS = (_GROWTH ** np.arange(ceil(log10(2**31) / log10(_GROWTH)))).astype(np.int64)
_GEOMETRIC = _POWERS[np.diff(_POWERS, prepend=0) > 0] - 1


def axis_end(value: float) -> float:
    """Return the end of an axis that shows 0 to `value`: 1, 2 or 5 times a power of ten.

    So the axis of a growing curve stays the same for long, then grows at once.

    >>> [axis_end(value) for value in (0, 0.7, 1, 3, 51, 4999)]
    [1.0, 1.0, 1.0, 5.0, 100.0, 5000.0]
    """
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return next(step * power for step in _STEPS if step * power >= value * (1 - 1e-12))


def ticks(end: float, wanted: int, begin: float = 0.0) -> list[float]:
    """Round numbers from `begin` to `end`, about as many as wanted, evenly spaced.

    >>> ticks(5000, 5)
    [0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0]
    >>> ticks(14000, 4, 12500)
    [12500.0, 13000.0, 13500.0, 14000.0]
    >>> ticks(10, 4)
    [0.0, 5.0, 10.0]
    """
    spacing = _spacing((end - begin) / max(wanted, 1))
    if spacing == 2.5:  # where counts are small, half of one would be marked
        spacing = 5.0
    first, last = (_steps(begin, spacing, ceil), _steps(end, spacing, floor))
    return [index * spacing for index in range(first, last + 1)]


def around(lowest: float, highest: float) -> tuple[float, float]:
    """Return the ends of an axis that shows all values between two, none of them below 0.

    It begins at 0 unless more than a quarter of its height would stay empty; then the values
    have all of it.

    >>> around(1.0, 9.8), around(13_700, 15_800), around(7, 7)
    ((0.0, 10.0), (13600.0, 16000.0), (0.0, 7.5))
    """
    if highest <= 0:
        return 0.0, 1.0
    fits = _MOST_EMPTY * highest < lowest < highest
    room = (highest - lowest if fits else axis_end(highest)) / _FINE
    spacing = _spacing(room)
    margin = _SNUG * (highest - lowest) if fits else _SNUG * highest
    end = ceil((highest + margin) / spacing) * spacing
    begin = max(floor((lowest - margin) / spacing) * spacing, 0.0) if fits else 0.0
    return begin, end


def _spacing(rough: float) -> float:
    """Return the round number next above, for the distance between ticks."""
    power = 10.0 ** floor(log10(rough))
    return next(step * power for step in _TICK_STEPS if step * power >= rough * (1 - 1e-12))


def _steps(value: float, spacing: float, rounded: Callable[[float], int]) -> int:
    """Return the number of steps of a spacing in a value, in spite of rounding errors."""
    nearest = round(value / spacing)
    return nearest if abs(nearest * spacing - value) < spacing * 1e-9 else rounded(value / spacing)


def powers(end: float, wanted: int) -> list[float]:
    """Return the exponents from 0 to `end` to mark on a logarithmic axis of powers of ten.

    Whole ones, with those of 2 and 5 between them if they fit.

    >>> [round(10**exponent) for exponent in powers(1.0, 4)]
    [1, 2, 5, 10]
    >>> powers(4.3, 3)
    [0.0, 2.0, 4.0]
    """
    decades = floor(end + 1e-9) + 1
    between = [decade + log10(step) for decade in range(decades) for step in (1, 2, 5)]
    exponents = [exponent for exponent in between if exponent <= end + 1e-9]
    if len(exponents) <= wanted + 1:
        return exponents
    return [float(exponent) for exponent in range(0, decades, ceil(decades / max(wanted, 1)))]


def tick_texts(values: list[float]) -> list[str]:
    """Return the texts of the ticks of one axis, all in the same unit.

    >>> tick_texts([0, 5000, 10000])
    ['0', '5,000', '10,000']
    >>> tick_texts([0, 500_000, 1_000_000])
    ['0', '0.5 M', '1 M']
    >>> tick_texts([0, 0.5, 1])
    ['0', '0.5', '1']
    """
    largest = max(values, default=0)
    unit, name = next(
        (unit, name)
        for unit, name, least in (
            (1e9, " G", 1e9),
            (1e6, " M", 1e6),
            (1e3, " k", 1e5),
            (1.0, "", 0.0),
        )
        if largest >= least
    )
    return [_tick_text(value / unit, name) for value in values]


def power_text(exponent: float) -> str:
    """Return a power of ten, written out as far as it is short.

    >>> power_text(0), power_text(3), power_text(5), power_text(6)
    ('1', '1,000', '100 k', '1 M')
    """
    return tick_texts([round(10**exponent)])[0]


def _tick_text(value: float, unit: str) -> str:
    if value == 0:
        return "0"
    if value == round(value):
        return f"{round(value):,}{unit}"
    return f"{value:.6g}{unit}"


def merges_to_show(history: History) -> float:
    """Return the end of the x axis of merges: a step while a run grows, then its length."""
    if history.stopped is not None:
        return max(1, len(history))
    recipe, base = history.recipe, len(history.base)
    planned = (recipe.merges or 0, (recipe.vocabulary_size or 0) - base)
    ends = [end for end in planned if end >= len(history) and end > 0]
    return min([axis_end(max(10, len(history))), *ends])
