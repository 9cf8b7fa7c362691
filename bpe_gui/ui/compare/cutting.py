"""Tokenizes a text by several encodings, and explains their differences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np
from msgspec import Struct

from bpe_gui.analysis.metrics import Metrics, metrics_of
from bpe_gui.encodings.base import Encoding, EncodingError, lock_of, turn_of_all
from bpe_gui.encodings.differences.alignment import Alignment, CachedEncoder, Cut, align
from bpe_gui.encodings.differences.find_causes import Group, groups
from bpe_gui.encodings.differences.kinds import agreement
from bpe_gui.encodings.measuring.long_texts import encode_long
from bpe_gui.encodings.measuring.roundtrip import Roundtrip, check_roundtrip
from bpe_gui.encodings.measuring.several_texts import TextCounts, counts_of, story
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.encodings.parallel_texts import joined
from bpe_gui.ui.lanes.prepared import NO_STRETCHES, PreparedScore, Stretches, prepare
from bpe_gui.ui.tokens.characters import Characters
from bpe_gui.ui.tokens.colours import TokenColours
from bpe_gui.ui.widgets.sentences import as_sentence


class CutLane(Struct, frozen=True, eq=False):
    """One lane of a result.

    story: what is made of each language by itself, if the text is the story.
    problem: why the encoding cannot tokenize the text.
    """

    key: int
    encoding: Encoding
    cut: Cut | None = None
    metrics: Metrics | None = None
    check: Roundtrip | None = None
    story: tuple[TextCounts, ...] = ()
    problem: str = ""

    @property
    def is_lossy(self) -> bool:
        """Whether the text does not round-trip."""
        return self.check is not None and not self.check.is_lossless


class CutResult(Struct, frozen=True, eq=False):
    """A text as all lanes tokenize it, and the alignment of those that can; None if none can.

    hidden: the keys of lanes that are not in the alignment.
    """

    text: str
    lanes: tuple[CutLane, ...]
    alignment: Alignment | None
    score: PreparedScore
    hidden: frozenset[int] = frozenset()

    @property
    def differences(self) -> Stretches:
        """The byte ranges where the lanes differ."""
        return self.score.differences

    @property
    def aligned(self) -> tuple[CutLane, ...]:
        """The lanes of the alignment, in its order."""
        return tuple(lane for lane in self.tokenized if lane.key not in self.hidden)

    def place_of(self, key: int) -> int:
        """Return the place of a lane in the alignment, by its key, or else that of the first.

        -1 if there are no lanes.
        """
        keys = [lane.key for lane in self.aligned]
        return keys.index(key) if key in keys else min(len(keys) - 1, 0)

    @property
    def tokenized(self) -> tuple[CutLane, ...]:
        """The lanes that can tokenize the text, also those that are hidden."""
        return tuple(lane for lane in self.lanes if lane.cut is not None)


class ExplainedDifference(Struct, frozen=True, eq=False):
    """A difference of an alignment, by its number, and the groups of lanes that agree.

    reference: the place of the lane that the others are compared with. keys: of the lanes, in the
    order of the alignment.
    """

    alignment: Alignment
    number: int
    reference: int
    keys: tuple[int, ...]
    groups: tuple[Group, ...]


class TextCutter:
    """Tokenizes one request after another; lanes that did not change are not tokenized again."""

    def __init__(self) -> None:
        self._characters = Characters("")
        self._colours = TokenColours()
        self._specials_as_text = False
        self._kept: dict[int, CutLane] = {}
        self._cutters: dict[int, tuple[object, CachedEncoder]] = {}

    def cut(
        self,
        text: str,
        encodings: Mapping[int, Encoding],
        *,
        specials_as_text: bool = False,
        hidden: Collection[int] = (),
        check: Callable[[], object] = lambda: None,
    ) -> CutResult:
        """Tokenize a text by encodings, which are given by the keys of their lanes.

        hidden: the keys of lanes that are not to be aligned with the others. check: called every
        now and then; may raise to give up.
        """
        if (text, specials_as_text) != (self._characters.text, self._specials_as_text):
            self._kept = {}
        if text != self._characters.text:
            self._characters = Characters(text)
        self._specials_as_text = specials_as_text
        lanes = tuple(self._lane(key, encoding, check) for key, encoding in encodings.items())
        self._kept = {lane.key: lane for lane in lanes}
        self._cutters = {key: self._cutters[key] for key in self._kept if key in self._cutters}
        shown = [lane.cut for lane in lanes if lane.key not in hidden]
        cuts = [cut for cut in shown if cut is not None]
        alignment = align(text, cuts) if cuts else None
        agree = None if alignment is None else agreement(alignment)
        score = prepare(self._characters, cuts, _stretches(alignment), self._colours, agree)
        return CutResult(text, lanes, alignment, score, frozenset(hidden))

    def _lane(self, key: int, encoding: Encoding, check: Callable[[], object]) -> CutLane:
        kept = self._kept.get(key)
        if kept is not None and kept.encoding is encoding:
            return kept
        # A file may be measured with the same encoding at this moment, on another thread.
        with lock_of(encoding).hold():
            return self._cut_lane(key, encoding, check)

    def _cut_lane(self, key: int, encoding: Encoding, check: Callable[[], object]) -> CutLane:
        text = self._characters.text
        cutter, as_text = self._cutter(key, encoding), self._specials_as_text
        try:
            cut = encode_long(
                cutter, text, specials_as_text=as_text, find_words=False, check=check
            )
            is_story = text == joined().text
            texts = story().texts if is_story else ()
            alone = [
                (cutter.encode(one.data.decode("utf-8"), specials_as_text=as_text), one)
                for one in texts
            ]
        except EncodingError as error:
            return CutLane(key, encoding, problem=as_sentence(error))
        size = encoding.vocabulary_size
        metrics = metrics_of(text, cut.tokens, size, cut.unknown_tokens)
        return CutLane(
            key,
            encoding,
            cut,
            metrics,
            check_roundtrip(cut),
            tuple(counts_of(found, one) for found, one in alone),
        )

    def _cutter(self, key: int, encoding: Encoding) -> CachedEncoder:
        """Return the encoder of a lane; for a run, it caches tokens of all positions."""
        source = encoding.history if isinstance(encoding, TrainedEncoding) else encoding
        known = self._cutters.get(key)
        if known is None or known[0] is not source:
            known = self._cutters[key] = (source, CachedEncoder(encoding))
        known[1].encoding = encoding
        return known[1]


def explain(result: CutResult, number: int, reference: int) -> ExplainedDifference | None:
    """Explain why lanes differ from the one with a key, or else from the first.

    Raises EncodingError.
    """
    if result.alignment is None:
        return None
    keys = tuple(lane.key for lane in result.aligned)
    place = result.place_of(reference)
    with turn_of_all(lane.encoding for lane in result.aligned):
        found = groups(result.alignment, number, place)
    return ExplainedDifference(result.alignment, number, place, keys, found)


def _stretches(alignment: Alignment | None) -> Stretches:
    """Return the differences of an alignment as byte ranges."""
    if alignment is None:
        return NO_STRETCHES
    return np.stack([alignment.starts, alignment.ends], axis=1)
