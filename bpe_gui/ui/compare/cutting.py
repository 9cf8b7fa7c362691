"""Cuts a text by several encodings, on a thread of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.lane_cut import LaneCut, cut_lane
from bpe_gui.ui.lanes.layout import Stretches


@dataclass(frozen=True, slots=True)
class LaneRequest:
    """An encoding, and the key of the lane that it is for."""

    key: int
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class CutRequest:
    """A text and who is to cut it."""

    text: str
    lanes: tuple[LaneRequest, ...]
    specials_as_text: bool


@dataclass(frozen=True, eq=False, slots=True)
class CutLane:
    """One lane of a result. `problem` is why the encoding could not cut the text."""

    key: int
    encoding: Encoding
    cut: LaneCut | None
    problem: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class CutResult:
    """A text as all lanes cut it, and where they part: stretches of bytes."""

    text: str
    lanes: tuple[CutLane, ...]
    differences: Stretches


class CutWorker(QObject):
    """Does requests one after another; a lane that did not change is not cut again."""

    done = Signal(object)
    """A CutResult."""
    failed = Signal(str)
    """The request cannot be done; one sentence for the user."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._specials_as_text = False
        self._kept: dict[int, CutLane] = {}

    @Slot(object)
    def cut(self, request: CutRequest) -> None:
        """Cut a text."""
        try:
            self.done.emit(self._cut(request))
        except MemoryError:
            self.failed.emit("There is not enough memory to compare on this text; shorten it.")

    def _cut(self, request: CutRequest) -> CutResult:
        if (request.text, request.specials_as_text) != (self._text, self._specials_as_text):
            self._kept = {}
        self._text, self._specials_as_text = request.text, request.specials_as_text
        lanes = tuple(self._lane(lane) for lane in request.lanes)
        self._kept = {lane.key: lane for lane in lanes}
        cuts = [lane.cut for lane in lanes if lane.cut is not None]
        return CutResult(request.text, lanes, differences_of(request.text, cuts))

    def _lane(self, request: LaneRequest) -> CutLane:
        kept = self._kept.get(request.key)
        if kept is not None and kept.encoding is request.encoding:
            return kept
        encoding = request.encoding
        try:
            cut = cut_lane(encoding, self._text, specials_as_text=self._specials_as_text)
        except EncodingError as error:
            return CutLane(request.key, encoding, None, str(error))
        return CutLane(request.key, encoding, cut)


def differences_of(text: str, cuts: list[LaneCut]) -> Stretches:
    """Where not all cuts have the same borders, between borders that all have."""
    size = len(text.encode("utf-8"))
    rows = []
    for cut in cuts:
        borders = np.zeros(size + 1, np.bool_)
        borders[cut.tokens.starts] = True
        borders[cut.tokens.ends] = True
        borders[[0, size]] = True
        rows.append(borders)
    if not rows:
        return np.empty((0, 2), np.int64)
    stack = np.array(rows)
    shared = np.flatnonzero(stack.all(axis=0))
    parting = np.flatnonzero(stack.any(axis=0) & ~stack.all(axis=0))
    places = np.unique(np.searchsorted(shared, parting))
    return np.stack([shared[places - 1], shared[places]], axis=1).astype(np.int64)
