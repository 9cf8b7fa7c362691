"""Lanes to compare in tests: small true runs, what they make of a text, and their numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bpe_gui.analysis.metrics import Metrics, metrics_of
from bpe_gui.bpe.history import History
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.cutting import CutResult, TextCutter
from bpe_gui.ui.compare.metrics_table import MetricsRow
from tests.ui.histories import byte_level

TEXT = "the newest thing in the widest tent"
STORY = "the newest thing in the widest tent, and the wind in it\n" * 40


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of that story."""
    path = tmp_path / "story.txt"
    path.write_text(STORY)
    return path


@cache
def english() -> History:
    """A run over English words."""
    return byte_level("the newest thing in the widest tent the newest tent the thing")


@cache
def other() -> History:
    """A run that has seen other words."""
    return byte_level("tent tent tent widest widest thing newest in the")


def encodings() -> list[TrainedEncoding]:
    """Three lanes of two runs."""
    return [
        TrainedEncoding(english(), 0, name="bytes"),
        TrainedEncoding(english(), name="all, of “the”"),
        TrainedEncoding(other(), 5, name="other"),
    ]


def lanes() -> dict[int, Encoding]:
    """The three lanes, to be measured on files; their keys count from 1."""
    return dict(enumerate(encodings(), 1))


def cut(text: str = TEXT, lanes: list[TrainedEncoding] | None = None) -> CutResult:
    """A text as the lanes cut it; their keys count from 1."""
    chosen = encodings() if lanes is None else lanes
    return TextCutter().cut(text, dict(enumerate(chosen, 1)))


def numbers(encoding: TrainedEncoding, text: str = TEXT) -> Metrics:
    """The numbers of a text under a lane."""
    return metrics_of(text, encoding.encode(text), encoding.vocabulary_size)


def rows(text: str = TEXT) -> list[MetricsRow]:
    """The three lanes with their numbers, and one that is still to come."""
    found = [
        MetricsRow(key, lane.name, numbers(lane, text), checked="yes")
        for key, lane in enumerate(encodings(), 1)
    ]
    return [*found, MetricsRow(9, "hub:model", None, status="2.1 of 3.0 MB fetched")]
