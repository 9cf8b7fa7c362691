"""Gathers what a report on encodings says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bpe_gui.analysis.metric_columns import COLUMNS, Column
from bpe_gui.analysis.metrics import Metrics, metrics_of
from bpe_gui.analysis.visible import visible_beginning
from bpe_gui.encodings.base import Encoding, EncodingError, lock_of, remark_about, turn_of_all
from bpe_gui.encodings.differences.alignment import CachedEncoder, Cut, align
from bpe_gui.encodings.differences.cause_sums import CauseSum, explained_kinds, sum_causes
from bpe_gui.encodings.measuring.long_texts import encode_long
from bpe_gui.encodings.measuring.roundtrip import check_roundtrip
from bpe_gui.encodings.measuring.text_numbers import TextNumbers
from bpe_gui.encodings.vocabularies.overlap import Overlap, Shares, needed, overlap
from bpe_gui.encodings.vocabularies.suspicious import Reason, suspicious
from bpe_gui.encodings.vocabularies.vocabulary import Vocabulary, vocabulary_of
from bpe_gui.progress import counted

MAX_TEXT = 1_000_000
"""Bytes of the text whose differences are explained; of a longer one it is the beginning."""

_EXAMPLES = 8
"""Tokens that are shown: suspicious ones for each reason, and those that a vocabulary lacks."""
MOST_PAIRED = 3
"""Vocabularies of which every pair has a row; of more, matrices say what they share."""


class EncodingSummary(Struct, frozen=True):
    """Hold what is said of an encoding.

    metrics: None if the text cannot be tokenized, and `lossless` says why; else that says in a few
        words whether the text round-trips.
    remark: what was guessed about its file, or what is left out; "" if nothing.
    """

    name: str
    model: str
    metrics: Metrics | None
    lossless: str
    remark: str


class SuspiciousTokens(Struct, frozen=True):
    """Hold the suspicious tokens of an encoding with one reason: examples are text and why."""

    reason: Reason
    count: int
    examples: tuple[tuple[str, str], ...]


class Coverage(Struct, frozen=True):
    """Hold what one vocabulary has of another's tokens, by their bytes.

    one, other: the names. used: the share of the text's tokens under the first that the other has,
    too; None without a text. merges: how many merges would be enough for the other to have all
    tokens of the first; None if it does not merge. examples: tokens that it lacks, those that the
    text uses most come first.
    """

    one: str
    other: str
    shares: Shares
    used: float | None
    merges: int | None
    examples: tuple[str, ...]


class Report(Struct, frozen=True):
    """Hold a report.

    text: what the text is whose numbers and differences are given.
    causes: for each encoding that tokenizes the text but the first, the sums of its differences
        from the first.
    suspicious: for each encoding.
    overlaps: for each vocabulary and each other one; of more than MOST_PAIRED, for the first and
        each other one, in both directions.
    shared: the tokens that each vocabulary shares with each, in the order of `encodings`.
    columns: the numbers of the encodings.
    """

    text: str
    encodings: tuple[EncodingSummary, ...]
    numbers: tuple[TextNumbers, ...]
    causes: tuple[tuple[CauseSum, ...], ...]
    suspicious: tuple[tuple[SuspiciousTokens, ...], ...]
    overlaps: tuple[Coverage, ...] = ()
    shared: tuple[tuple[int, ...], ...] = ()
    columns: tuple[Column, ...] = COLUMNS

    @property
    def names(self) -> tuple[str, ...]:
        """List the names of the encodings."""
        return tuple(one.name for one in self.encodings)

    @property
    def failed(self) -> list[str]:
        """List the encodings that do not tokenize the text, or one of those that have numbers."""
        found = [one.name for one in self.encodings if one.metrics is None]
        for numbers in self.numbers:
            found += [] if numbers.texts.conversation else numbers.failed
        return list(dict.fromkeys(found))


def beginning(text: str) -> str:
    """Return at most MAX_TEXT bytes of a text, to the end of a line or word if there is one."""
    data = text.encode("utf-8")
    if len(data) <= MAX_TEXT:
        return text
    cut = data[:MAX_TEXT].decode("utf-8", "ignore")
    end = max(cut.rfind("\n"), cut.rfind(" ")) + 1
    return cut[: end or len(cut)]


def make_report(
    names: Sequence[str],
    encodings: Sequence[Encoding],
    text: str,
    text_name: str,
    numbers: Sequence[TextNumbers],
    check: Callable[[], None] = lambda: None,
    *,
    specials_as_text: bool = False,
    own: Sequence[Column] = (),
) -> Report:
    """Gather a report on encodings by these names.

    text: what differences are explained on, at most its `beginning`. numbers: of other texts.
    own: columns besides the usual ones. check: called every now and then, and may raise to give
        up.
    """
    shown = beginning(text)
    about = f"{text_name}, {counted(len(shown), 'character')}"
    if len(shown) < len(text):
        about = f"the beginning of {about} of {len(text):,}"
    summaries, cuts, vocabularies, uses, odd = [], [], [], [], []
    for name, encoding in zip(names, encodings, strict=True):
        check()
        cut, metrics = None, None
        with lock_of(encoding).hold():
            vocabulary = vocabulary_of(encoding)
            try:
                cut = encode_long(
                    CachedEncoder(encoding), shown, specials_as_text=specials_as_text, check=check
                )
            except EncodingError as error:
                lossless = str(error)
            else:
                size = encoding.vocabulary_size
                metrics = metrics_of(shown, cut.tokens, size, cut.unknown_tokens)
                lossless = check_roundtrip(cut).label.partition(";")[0] or "yes"
                cuts.append((name, cut))
            used = None if cut is None else vocabulary.uses(cut.tokens.ids)
            odd.append(_suspicious(vocabulary, used, check))
        vocabularies.append(vocabulary)
        uses.append(used)
        remark = remark_about(encoding)
        summaries.append(EncodingSummary(name, encoding.model, metrics, lossless, remark))
    return Report(
        about, tuple(summaries), tuple(numbers), tuple(_causes(shown, cuts, check)), tuple(odd),
        tuple(_coverages(names, encodings, vocabularies, uses, check)),
        _shared(vocabularies, check), (*COLUMNS, *own),
    )  # fmt: skip


def _causes(
    text: str, cuts: Sequence[tuple[str, Cut]], check: Callable[[], None]
) -> Iterator[tuple[CauseSum, ...]]:
    """Yield why the first encoding tokenizes a text otherwise than each of the others."""
    for name, cut in cuts[1:]:
        alignment = align(text, [cuts[0][1], cut])
        kinds = explained_kinds(alignment, lambda done, total: check())
        yield sum_causes(kinds, (cuts[0][0], name))


def _coverages(
    names: Sequence[str],
    encodings: Sequence[Encoding],
    vocabularies: Sequence[Vocabulary],
    uses: Sequence[NDArray[np.int64] | None],
    check: Callable[[], None],
) -> Iterator[Coverage]:
    """Yield what vocabularies need of each other; of many only the first with all others."""
    known: dict[tuple[int, int], Overlap] = {}
    for one, other in permutations(range(len(names)), 2):
        if len(names) > MOST_PAIRED and one and other:
            continue
        check()
        with turn_of_all([encodings[one], encodings[other]]):
            back = known.pop((other, one), None)
            found = back.swapped() if back else overlap(vocabularies[one], vocabularies[other])
            known[one, other] = found
            need = needed(found, uses[one], check)
            counted_uses = uses[one]
            used = None if counted_uses is None else found.used_share(counted_uses)
        tokens = (visible_beginning(vocabularies[one].marked(row)) for row in need.rows.tolist())
        examples = tuple(islice(tokens, _EXAMPLES))
        yield Coverage(names[one], names[other], found.shares, used, need.merges, examples)


def _shared(
    vocabularies: Sequence[Vocabulary], check: Callable[[], None]
) -> tuple[tuple[int, ...], ...]:
    found = np.diag([len(one.ordinary) for one in vocabularies])
    for place, one in enumerate(vocabularies):
        check()
        for other in range(place):
            both = one.ordinary.keys() & vocabularies[other].ordinary.keys()
            found[place, other] = found[other, place] = len(both)
    return tuple(map(tuple, found.tolist()))


def _suspicious(
    vocabulary: Vocabulary, uses: NDArray[np.int64] | None, check: Callable[[], None]
) -> tuple[SuspiciousTokens, ...]:
    found = suspicious(vocabulary, uses, check=check)
    tokens = []
    # A text with fewer tokens than the vocabulary cannot have each of them.
    is_long = uses is not None and uses.sum() >= len(vocabulary)
    for reason, mask in (found.masks if is_long else found.telling).items():
        rows = np.flatnonzero(mask)
        examples = tuple(
            (visible_beginning(vocabulary.marked(row)), found.sentence(row, reason))
            for row in rows[:_EXAMPLES].tolist()
        )
        tokens.append(SuspiciousTokens(reason, len(rows), examples))
    return tuple(tokens)
