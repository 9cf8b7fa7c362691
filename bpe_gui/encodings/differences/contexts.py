"""Groups of segments of two lanes whose causes are equal, as the words around them are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bpe_gui.encodings.differences.alignment import Alignment, Cut
from bpe_gui.encodings.differences.kinds import hashes, mixed, tokens_within
from bpe_gui.encodings.differences.segments import MAX_LENGTH
from bpe_gui.encodings.differences.surroundings import UNLIKE, Surroundings
from bpe_gui.encodings.regex_words import AROUND


def contexts_of(
    alignment: Alignment,
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    surroundings: Surroundings,
    check: Callable[[], object] = lambda: None,
) -> NDArray[np.int64]:
    """Number the contexts of segments, the same for those with the same words around.

    Contexts are alike if they have the same text, and both lanes have the same tokens at the same
    places in it, and begin words at the same places. `UNLIKE` where the words around are long, and
    where a lane has a special token, or reads something else than the text and it is not known
    what normalization depends on.

    check: called before each pass over the text; may raise to give up.
    """
    cuts, data = alignment.cuts, np.frombuffer(alignment.data, np.uint8)
    first, after = _words_around(alignment, starts, ends)
    is_near = (starts - first <= AROUND) & (after - ends <= AROUND) & (ends - starts <= MAX_LENGTH)
    continues = np.append(data & 0xC0 == 0x80, False)
    is_near &= ~continues[first] & ~continues[after]
    check()
    near = surroundings.numbers(first, after)
    reads = np.ones(len(starts), np.bool_)
    for cut in cuts:
        check()
        reads &= _reads_text(cut, data, first, after)
    is_near &= reads | (near >= 0) if all(map(_has_words, cuts)) else reads
    found = np.full(len(starts), UNLIKE, np.int64)
    places = np.flatnonzero(is_near)
    if not len(places):
        return found
    starts, ends, first, after = (column[places] for column in (starts, ends, first, after))
    check()
    text = hashes((first, after), first, (np.arange(len(data)), data))
    columns: list[NDArray[np.uint64] | NDArray[np.int64]] = [
        *(starts - first, ends - first, text, near[places])
    ]
    for cut in cuts:
        check()
        tokens = cut.tokens
        sizes = tokens.ends - tokens.starts
        within = tokens_within(cut, first, after)
        columns.append(hashes(within, first, (tokens.starts, tokens.ids, sizes)))
        if cut.words is not None and len(cut.words):
            begun = np.searchsorted(cut.words, first), np.searchsorted(cut.words, after)
            columns.append(hashes(begun, first, (cut.words,)))
    found[places] = (mixed(column.astype(np.uint64) for column in columns) >> np.uint64(1)).astype(
        np.int64
    )
    return found


def _has_words(cut: Cut) -> bool:
    return cut.words is not None and bool(np.any(cut.words > 0))


def _words_around(
    alignment: Alignment, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find where the words around segments begin and end, at borders of both lanes.

    Those are words of both; of one, where the other has none; and the segments if none has.
    """
    is_border = alignment.borders[0] & alignment.borders[1]
    for cut in alignment.cuts:
        if cut.words is not None and _has_words(cut):
            begins = np.zeros(len(is_border), np.bool_)
            begins[cut.words] = True
            is_border &= begins
    is_border[[0, -1]] = True
    places = np.flatnonzero(is_border)
    return places[places.searchsorted(starts, "right") - 1], places[places.searchsorted(ends)]


def _reads_text(
    cut: Cut, data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell where the tokens between two borders have the bytes of the text, and none is special."""
    tokens = cut.tokens
    differs = cut.special | cut.added | (cut.lengths != tokens.ends - tokens.starts)
    same = np.flatnonzero(~differs & (cut.lengths > 0))
    lengths = cut.lengths[same]
    begins = np.cumsum(lengths) - lengths
    entries = np.arange(int(lengths.sum()))
    in_contents = entries + np.repeat(cut.offsets[:-1][same] - begins, lengths)
    in_text = entries + np.repeat(tokens.starts[same] - begins, lengths)
    unlike = cut.contents[in_contents] != data[in_text]
    if len(same):
        differs[same] = np.logical_or.reduceat(unlike, begins)
    first, after = tokens_within(cut, starts, ends)
    wrong, size = (np.append(0, np.cumsum(column)) for column in (differs, cut.lengths))
    reads: NDArray[np.bool_] = wrong[after] == wrong[first]
    reads &= size[after] - size[first] == ends - starts
    return reads
