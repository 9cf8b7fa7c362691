"""Runs and files whose curves are measured in tests."""

from __future__ import annotations

import numpy as np
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers import models

from bpe_gui.analysis.curves import metrics_over_merges
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.encodings.base import Encoding
from bpe_gui.encodings.formats import huggingface_export
from bpe_gui.encodings.formats.huggingface import HuggingFaceEncoding
from bpe_gui.encodings.measuring.curve_measuring import (
    CurveMeasurer,
    CurveRequest,
    CurveResult,
    Overtaking,
)
from bpe_gui.encodings.ours import TrainedEncoding
from tests.ui.histories import trained


def lanes(*positions: tuple[str, History, int]) -> list[Encoding]:
    """Lanes by name, run and position."""
    return [TrainedEncoding(history, position, name=name) for name, history, position in positions]


def measured(request: CurveRequest) -> CurveResult:
    """What is measured of a request, at once."""
    return CurveMeasurer().measure(request, lambda: False)


def crossing_runs() -> tuple[History, History, str]:
    """Two runs of which the second is behind at first, and ahead in the end."""
    slow = trained([(" x", 9), (" y", 8), (" a", 7), (" b", 6), (" night", 5)], preset("gpt2"))
    quick = trained([(" zz", 9), (" night", 5)], preset("gpt2"))
    return slow, quick, " x night night night"


# -- what is measured --------------------------------------------------------------------------


def slow_overtakings(first: History, second: History, text: str) -> list[Overtaking]:
    """Each position of both runs looked at."""
    length = min(len(first), len(second))
    positions = np.arange(length + 1)
    tokens = [metrics_over_merges(run, text, positions).tokens for run in (first, second)]
    found, behind = [], None
    for position in positions.tolist():
        one, two = (int(count[position]) for count in tokens)
        if one == two:
            continue
        winner = 0 if one < two else 1
        if behind == winner:
            found.append(Overtaking(position, winner, 1 - winner))
        behind = 1 - winner
    return found


# -- encodings from elsewhere ------------------------------------------------------------------


def saved(history: History, name: str) -> HuggingFaceEncoding:
    """A run that was saved and opened again."""
    library = LibraryTokenizer.from_str(huggingface_export.to_json(history))
    return HuggingFaceEncoding(library, name)


def unigram(name: str = "uni.json") -> HuggingFaceEncoding:
    """An encoding that has no merges."""
    model = models.Unigram([("[UNK]", 0.0), ("t", -1.0)], unk_id=0)
    return HuggingFaceEncoding(LibraryTokenizer(model), name)
