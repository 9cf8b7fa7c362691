"""What is asked of the vocabularies of lanes, and answered in the background."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import IntEnum

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from bpe_gui.analysis.token_properties import SCRIPTS
from bpe_gui.analysis.visible import bytes_in_hex, visible_text
from bpe_gui.encodings.base import Encoding, FairLock, lock_of
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.vocabularies.overlap import (
    Needed,
    Overlap,
    Shares,
    jaccard_matrix,
    needed,
    overlap,
)
from bpe_gui.encodings.vocabularies.suspicious import Reason, Suspicious, suspicious
from bpe_gui.encodings.vocabularies.vocabulary import KINDS, Check, Kind, Vocabulary, vocabulary_of

_LONGEST = 16
"""Lengths of more bytes share the last column of the histogram."""
_SCRIPTS = 8

Bar = tuple[int, ...]
"""The numbers that a bar is made of: one, or the tokens of both, of one and of the other."""


class Group(Struct, frozen=True):
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
    numbers = {str(reason): (n,) for reason, n in found.counts().items()}
    kinds = source.kind_counts()
    unused = {name: numbers.pop(name) for name in (str(Reason.UNUSED),) if name in numbers}
    return [
        Group("length in bytes", _binned({n: (c,) for n, c in counts if c}), upright=True),
        Group("scripts", {**scripts, "mixed": (mixed,)}),
        Group("kinds", {str(k): (n,) for k, n in kinds.items() if n or k is not Kind.MARKER}),
        Group("suspicious", numbers),
        *([Group(f"in {found.text}", unused)] if unused else []),
        Group("forms", {"with variants": (variants,)}),
    ]


def _bar(shares: Shares) -> Bar:
    return shares.both, shares.only_one, shares.only_other


def _binned(lengths: Mapping[int, Bar]) -> dict[str, Bar]:
    width = len(next(iter(lengths.values()), (0,)))
    found = np.zeros((_LONGEST + 2, width), np.int64)
    for length, bar in lengths.items():
        found[min(length, _LONGEST + 1)] += bar
    names = [*map(str, range(1, _LONGEST + 1)), f"{_LONGEST + 1}+"]
    return {name: tuple(found[n].tolist()) for n, name in enumerate(names, 1)}


LENGTHS = {"1 byte": (1, 1), "2–3 bytes": (2, 3), "4–6 bytes": (4, 6), "7–12 bytes": (7, 12),
           "13 bytes or more": (13, 1 << 62)}  # fmt: skip
"""The choices of lengths, with the least and the most."""
IN_ALL, IN_NO_OTHER = "in all encodings", "in no other"
"""Tokens whose bytes all lanes have, or no other lane."""
ANY_REASON = "any reason"
VARIANTS = "variants"
_MAX_CACHED = 16


class Part(IntEnum):
    """Which tokens of two vocabularies are listed."""

    SHARED = 0
    ONLY_ONE = 1
    ONLY_OTHER = 2


class Column(IntEnum):
    """What the columns of the table hold."""

    ID = 0
    TOKEN = 1
    BYTES = 2
    KIND = 3
    SCRIPTS = 4
    USES = 5
    OTHER_ID = 6
    WHY = 7


Histogram = tuple[NDArray[np.integer], NDArray[np.int64] | None]
"""Ids, and how often each occurs; None if the ids are those of the text, one after the other."""


class Query(Struct, frozen=True, eq=False):
    """Ask for tokens.

    encodings: of all lanes, by key. text: what the text is called.
    histograms: which ids the text has, and how often each, by key.
    one, other: the lanes whose tokens are asked for; the second is None for all tokens of one.
    filters: names of kinds, scripts, lengths, reasons and lanes; of each sort at most one.
    """

    encodings: Mapping[int, Encoding]
    text: str
    histograms: Mapping[int, Histogram]
    one: int
    other: int | None
    part: Part
    search: str
    filters: Collection[str]
    column: Column
    descending: bool

    @property
    def choices(self) -> tuple[object, ...]:
        """Return what the user has chosen: with the same, the same lines are in view."""
        filters = tuple(self.filters)
        chosen = (self.one, self.other, self.part, self.search, filters)
        return (*chosen, self.column, self.descending)


class Answer(Struct, frozen=True, eq=False):
    """Answer a query.

    vocabularies: of all lanes, by key. matrix: their Jaccard indexes, in the order of the lanes.
    source: the vocabulary that the tokens are listed of; rows: those that were asked for, sorted.
    other_ids: the ids of the listed tokens in the other lane, by row of the source; -1 for none.
        Of tokens that it does not have: as how many it writes them.
    need: what the other lane would need to have the listed tokens; None if it has them.
    parts: as which tokens of the other lane, by ids, it writes each now, by row of the source.
    by_use: how much alike the two use their tokens in the text; None without its tokens.
    groups: numbers of tokens to draw.
    """

    query: Query
    vocabularies: dict[int, Vocabulary]
    matrix: NDArray[np.float64]
    found: Suspicious
    overlap: Overlap | None
    other_ids: NDArray[np.int64] | None
    rows: NDArray[np.int64]
    need: Needed | None
    parts: Mapping[int, list[int]]
    by_use: float | None
    groups: Sequence[Group]

    @property
    def source(self) -> Vocabulary:
        """Return the vocabulary that tokens are listed of."""
        return self.found.vocabulary

    @property
    def target(self) -> Vocabulary | None:
        """Return the other of two vocabularies; None if only one is listed."""
        pair = self.overlap
        return None if pair is None else pair.one if self.source is pair.other else pair.other

    @property
    def uses(self) -> NDArray[np.int64] | None:
        """Return how often the text has each token of the source; None without its tokens."""
        return self.found.uses


class Reader(Struct):
    """Reads vocabularies and answers queries, for one thread; what it has read it keeps."""

    _vocabularies: dict[object, Vocabulary] = {}
    _paths: dict[object, Suspicious] = {}
    _needs: dict[tuple[object, object], tuple[Needed, dict[int, list[int]]]] = field(
        default_factory=dict
    )
    _matrices: dict[tuple[object, ...], NDArray[np.float64]] = {}

    def answer(
        self,
        query: Query,
        check: Check,
        progress: Callable[[tuple[int, int]], object] = lambda read: None,
    ) -> Answer:
        """Answer a query. Raises EncodingError, and Cancelled if nobody waits any more.

        progress: called with how many of how many vocabularies are read.
        """
        self.keep_only(set(map(source_of, query.encodings.values())))
        read: dict[int, Vocabulary] = {}
        for key, encoding in query.encodings.items():
            read[key] = self._read(encoding, check)
            progress((len(read), len(query.encodings)))
        names = tuple(map(identity, query.encodings.values()))
        if names not in self._matrices:
            self._matrices = {names: jaccard_matrix(list(read.values()), check)}
        pair = None
        if query.other is not None:
            pair = overlap(read[query.one], read[query.other])
        of_other = query.part is Part.ONLY_OTHER and query.other is not None
        key = query.other if of_other and query.other is not None else query.one
        source = read[key]
        uses = _uses(source, query.histograms.get(key))
        found = self._suspicious(source, uses, query.text, check)
        rows, other_ids = np.arange(len(source)), None
        need: Needed | None = None
        parts: dict[int, list[int]] = {}
        if pair is not None:
            rows = (pair.both[:, 0], pair.only_one, pair.only_other)[query.part]
            if query.part is Part.SHARED:
                other_ids = np.full(len(source), -1, np.int64)
                other_ids[pair.both[:, 0]] = pair.other.ids[pair.both[:, 1]]
            else:
                target = pair.other if query.part is Part.ONLY_ONE else pair.one
                need, parts = self._needed(source, target, check)
                other_ids = np.zeros(len(source), np.int64)
                other_ids[list(parts)] = list(map(len, parts.values()))
        check()
        rows = _passing(found, rows, query.filters)
        others = [one for number, one in read.items() if number != key]
        rows = _of_lanes(source, rows, others, query.filters)
        rows = _matching(source, rows, query.search)
        rows = rows[_order(found, rows, other_ids, query.column, query.descending)]
        matrix, numbers = self._matrices[names], groups(found, pair)
        by_use = _by_use(query, pair)
        return Answer(
            query, read, matrix, found, pair, other_ids, rows, need, parts, by_use, numbers
        )

    def keep_only(self, sources: Collection[object]) -> None:
        """Forget all that is not of these encodings and runs; see `source_of`."""
        encodings = {name: one.encoding for name, one in self._vocabularies.items()}
        for name, encoding in encodings.items():
            if source_of(encoding) not in sources:
                self._matrices = {}
                self._needs = {key: one for key, one in self._needs.items() if name not in key}
                self._paths.pop(name, None)
                del self._vocabularies[name]

    def _needed(
        self, one: Vocabulary, other: Vocabulary, check: Check
    ) -> tuple[Needed, dict[int, list[int]]]:
        """Find what one vocabulary needs to cover another, without a text."""
        names, lock = (identity(one.encoding), identity(other.encoding)), lock_of(other.encoding)

        known = self._needs.get(names)
        if known is None:
            with lock.hold():
                need = needed(overlap(one, other), check=_yielding(lock, check))
            known = need, dict(zip(need.rows.tolist(), need.parts, strict=True))
            self._needs = {**dict(list(self._needs.items())[-1:]), names: known}
        return known

    def _read(self, encoding: Encoding, check: Check) -> Vocabulary:
        name = identity(encoding)
        known = self._vocabularies.pop(name, None)
        if known is None:
            with lock_of(encoding).hold():
                known = vocabulary_of(encoding, check)
        self._vocabularies[name] = known
        for oldest in list(self._vocabularies)[:-_MAX_CACHED]:
            del self._vocabularies[oldest]
            self._paths.pop(oldest, None)
        return known

    def _suspicious(
        self, vocabulary: Vocabulary, uses: NDArray[np.int64] | None, text: str, check: Check
    ) -> Suspicious:
        name, lock = identity(vocabulary.encoding), lock_of(vocabulary.encoding)

        known = self._paths.get(name)
        with lock.hold():
            paths = None if known is None else known.paths
            found = suspicious(vocabulary, uses, _yielding(lock, check), paths, text)
        self._paths[name] = found
        return found


def _yielding(lock: FairLock, check: Check) -> Check:
    """Return a check that also lets others that wait for a lock go first."""

    def check_and_yield() -> None:
        check()
        lock.yield_turn()

    return check_and_yield


def identity(encoding: Encoding) -> object:
    """Return what an encoding is known by: a run at a position is made anew for every frame."""
    if isinstance(encoding, TrainedEncoding):
        return encoding.history, encoding.position
    return encoding


def source_of(encoding: Encoding) -> object:
    """Return the run of an encoding at a position, or the encoding itself."""
    return encoding.history if isinstance(encoding, TrainedEncoding) else encoding


def _uses(vocabulary: Vocabulary, histogram: Histogram | None) -> NDArray[np.int64] | None:
    if histogram is None or not len(histogram[0]):
        return None
    ids, counts = histogram
    known = np.isin(ids, vocabulary.ids)
    rows = np.searchsorted(vocabulary.ids, ids[known])
    found = np.bincount(rows, None if counts is None else counts[known], len(vocabulary))
    return found.astype(np.int64)


def _by_use(query: Query, pair: Overlap | None) -> float | None:
    if pair is None or query.other is None:
        return None
    uses = _uses(pair.one, query.histograms.get(query.one))
    other_uses = _uses(pair.other, query.histograms.get(query.other))
    if uses is None or other_uses is None:
        return None
    return pair.weighted_jaccard(uses, other_uses)


def _passing(
    found: Suspicious, rows: NDArray[np.int64], filters: Collection[str]
) -> NDArray[np.int64]:
    vocabulary = found.vocabulary
    lengths, ordinary = vocabulary.properties.lengths, ~vocabulary.special
    for name in filters:
        if name in KINDS:
            rows = rows[vocabulary.kinds[rows] == KINDS.index(Kind(name))]
        elif name in SCRIPTS:
            rows = rows[(vocabulary.properties.has_script(name) & ordinary)[rows]]
        elif name in LENGTHS:
            least, most = LENGTHS[name]
            rows = rows[((lengths >= least) & (lengths <= most) & ordinary)[rows]]
        elif name == ANY_REASON:
            rows = np.intersect1d(rows, found.rows())
        elif name == VARIANTS:
            several = [row for group in vocabulary.forms.values() for row in group]
            rows = np.intersect1d(rows, several)
        elif name in (IN_ALL, IN_NO_OTHER):
            continue  # see _of_lanes
        elif name in found.masks:
            rows = rows[found.masks[Reason(name)][rows]]
        else:  # a reason that nothing is known about
            rows = rows[:0]
    return rows


def _of_lanes(
    source: Vocabulary,
    rows: NDArray[np.int64],
    others: Sequence[Vocabulary],
    filters: Collection[str],
) -> NDArray[np.int64]:
    """Keep the rows of tokens that all other vocabularies have, or none, if that is asked for."""
    for name in {IN_ALL, IN_NO_OTHER}.intersection(filters):
        rows = rows[(~source.special & (source.properties.lengths > 0))[rows]]
        wanted = len(others) if name == IN_ALL else 0
        contents = (source.contents[row] for row in rows.tolist())
        counts = (sum(content in other.ordinary for other in others) for content in contents)
        rows = rows[np.fromiter((n == wanted for n in counts), np.bool_, len(rows))]
    return rows


def _matching(
    vocabulary: Vocabulary, rows: NDArray[np.int64], search: str
) -> NDArray[np.int64]:
    """Keep the rows of tokens that have a text, as it is or as it is shown, an id, or bytes."""
    if not search:
        return rows
    exact = search != search.lower()
    in_hex = bytes_in_hex(search)
    number = search.strip().replace(",", "")
    token = int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else -1
    marked = visible_text(search)
    plain = search.replace("␣", " ").encode("utf-8", "replace")
    kept = []
    contents, ids = vocabulary.contents, vocabulary.ids
    for row in rows.tolist():
        content = contents[row]
        # Lower-case letters of ASCII find capitals in any token, others in texts alone.
        folded = content if exact else content.lower()
        spelled = vocabulary.marked_contents.get(row)
        if (
            plain in folded
            or (spelled is not None and _has_marker(spelled, content, plain, exact=exact))
            or (in_hex and in_hex in content)
            or ids[row] == token
            or (not folded.isascii() and _has_text(folded, search, marked, exact=exact))
        ):
            kept.append(row)
    return np.array(kept, np.int64)


def _has_marker(spelled: bytes, content: bytes, plain: bytes, *, exact: bool) -> bool:
    """Tell whether a text has the whole marker of a token, and is in the token.

    A part of a marker would find all tokens with one.
    """
    marker = spelled.replace(content, b"", 1)
    return marker in plain and plain in (spelled if exact else spelled.lower())


def _has_text(content: bytes, search: str, marked: str, *, exact: bool) -> bool:
    text = content.decode("utf-8", "replace")
    return (search if exact else search.lower()) in (text if exact else text.lower()) or (
        marked in visible_text(text)
    )


def _order(
    found: Suspicious,
    rows: NDArray[np.int64],
    other_ids: NDArray[np.int64] | None,
    column: Column,
    descending: bool,
) -> NDArray[np.int64]:
    """Return the order of rows by a column; equals are in the order of their ids."""
    vocabulary = found.vocabulary
    keys: NDArray[np.generic] = rows
    if column is Column.TOKEN:
        keys = np.array([vocabulary.contents[row][:64] for row in rows.tolist()], "S64")
    elif column is Column.BYTES:
        keys = vocabulary.properties.lengths[rows]
    elif column is Column.KIND:
        keys = vocabulary.kinds[rows]
    elif column is Column.SCRIPTS:
        keys = vocabulary.properties.scripts[rows]
    elif column is Column.USES and found.uses is not None:
        keys = found.uses[rows]
    elif column is Column.OTHER_ID and other_ids is not None:
        keys = other_ids[rows]
    elif column is Column.WHY:
        # The gravest reasons first, tokens without any last.
        masks = reversed(found.telling.values())
        keys = -np.sum([mask[rows].astype(np.int64) << n for n, mask in enumerate(masks)], axis=0)
    if not descending:
        return np.argsort(keys, kind="stable")
    # Reversed twice, so that equals stay in the order of their ids.
    return len(rows) - 1 - np.argsort(keys[::-1], kind="stable")[::-1]
