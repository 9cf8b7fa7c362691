"""Unicode's normalization forms, as `unicodedata` of the running Python has them.

`aligned` tells in addition where each character came from. Decomposed, a text and its
composed form are equal, mark for mark: so each composed character knows the decomposed ones
that it stands for, and these the source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bpe_gui.bpe.aligned_text import Normalized, kinds_of, points_of, spelled_out, text_of

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

_PART = 1 << 16
"""Characters changed in one call: short enough that other threads hardly wait for it."""

_ASCII = re.compile("[\\x00-\\x7f]")


def normal_form(text: str, form: Form) -> str:
    """`unicodedata.normalize`, in parts: no form looks across the start of an ASCII character."""
    if len(text) <= _PART:
        return unicodedata.normalize(form, text)
    return "".join([unicodedata.normalize(form, part) for part in _parts(text)])


def aligned(text: str, form: Form) -> Normalized:
    """As `normal_form`, and say where each character came from."""
    if unicodedata.is_normalized(form, text):
        return Normalized(text, None)
    size = len(text)
    decomposed, origins = _decomposed(text, "NFKD" if "K" in form else "NFD")
    if form in ("NFD", "NFKD"):
        made = text_of(decomposed)
        first, last = np.append(origins, size), np.append(origins + 1, size)
    else:
        made = normal_form(text, form)
        _, places = _decomposed(made, "NFD")
        first, last = np.full(len(made) + 1, size), np.zeros(len(made) + 1, np.int64)
        np.minimum.at(first, places, origins)
        np.maximum.at(last, places, origins + 1)
    # Marks that changed places share the stretch in which they did.
    first = np.minimum.accumulate(first[::-1])[::-1]
    last = np.maximum.accumulate(last)
    last[-1] = size
    return Normalized(made, first, last)


def _decomposed(text: str, form: Form) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Decompose character by character, then order the marks as Unicode's algorithm does."""
    points = points_of(text)
    kinds, kind = kinds_of(points)
    parts = [unicodedata.normalize(form, chr(point)) for point in kinds]
    made, origins = spelled_out(points, parts, kind)
    order = _canonical_order(made)
    return made[order], origins[order]


def _canonical_order(points: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The order that sorts each run of combining marks by class and keeps equals in place."""
    kinds, kind = kinds_of(points)
    classes = np.array([unicodedata.combining(chr(point)) for point in kinds], np.int64)[kind]
    if not ((classes[:-1] > classes[1:]) & (classes[1:] > 0)).any():
        return np.arange(len(points))
    # A starter (class 0) begins a run, is its smallest and so stays at its head.
    runs = np.cumsum(classes == 0)
    return np.lexsort((classes, runs))


def _parts(text: str) -> Iterator[str]:
    """Cut a text before ASCII characters into parts of `_PART` characters or a bit more."""
    start = 0
    while start < len(text):
        found = _ASCII.search(text, start + _PART)
        end = found.start() if found else len(text)
        yield text[start:end]
        start = end
