"""Lanes in tests: small encodings, what they make of a text, and a view of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.differences.alignment import CachedEncoder, Cut, align
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.lanes.prepared import NO_STRETCHES, Stretches, prepare
from bpe_gui.ui.lanes.view import LaneView
from bpe_gui.ui.tokens.characters import Characters
from tests.ui.driving import shown
from tests.ui.histories import byte_level, trained

TEXT = "the newest thing\nin the widest tent: 1234 naïve 🙂 שלום"


def encodings() -> list[TrainedEncoding]:
    """Bytes without merges, with a few, with all; and characters with marked ends of words."""
    history = byte_level("the newest thing in the widest tent the newest tent")
    words = [("the", 3), ("newest", 2), ("widest", 2)]
    return [
        TrainedEncoding(history, 0, name="bytes"),
        TrainedEncoding(history, 5, name="some"),
        TrainedEncoding(history, name="all"),
        TrainedEncoding(trained(words, preset("whitespace")), name="marked"),
    ]


def cut_by(encoding: TrainedEncoding, text: str) -> Cut:
    """A text as an encoding cuts it."""
    return CachedEncoder(encoding).encode(text)


def differences_of(text: str, cuts: list[Cut]) -> NDArray[np.int64]:
    """Stretches of bytes, as the lanes take them."""
    alignment = align(text, cuts)
    return np.stack([alignment.starts, alignment.ends], axis=1)


def show_lanes(
    view: LaneView, text: str, lanes: list[Cut], differences: Stretches = NO_STRETCHES
) -> None:
    """Show a text as several encodings cut it."""
    view.show_prepared(prepare(Characters(text), lanes, differences))


def view_of(qtbot: QtBot, text: str = TEXT) -> LaneView:
    """A view of a text under these encodings."""
    view = shown(qtbot, LaneView(), 700, 400)
    fill(view, text)
    return view


def fill(view: LaneView, text: str) -> None:
    """Show a text under these encodings."""
    cuts = [cut_by(encoding, text) for encoding in encodings()]
    show_lanes(view, text, cuts, differences_of(text, cuts))
