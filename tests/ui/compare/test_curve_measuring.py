"""Curves over the merges: every number true, and overtakings found at their merge."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from bpe_gui.analysis.metric_columns import COLUMNS
from bpe_gui.analysis.metrics import metrics_of
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.encodings import import_history
from bpe_gui.encodings.base import Encoding, EncodingError
from bpe_gui.encodings.formats import tiktoken_ranks
from bpe_gui.encodings.measuring import curve_measuring
from bpe_gui.encodings.measuring.curve_measuring import CurveMeasurer, CurveRequest, CurveRun
from bpe_gui.ui.compare.wording import without_sentence
from tests.ui.compare.compared import TEXT, english, other
from tests.ui.compare.measured_curves import (
    crossing_runs,
    measured,
    saved,
    slow_overtakings,
    unigram,
)
from tests.ui.histories import trained

TITLES = [column.title for column in COLUMNS]


# -- what is measured --------------------------------------------------------------------------


@pytest.mark.parametrize("column", range(len(COLUMNS)), ids=TITLES)
def test_every_curve_has_the_numbers_of_the_text_at_each_position(column: int) -> None:
    history = english()
    result = measured(CurveRequest(TEXT, (CurveRun(history, len(history)),), column))
    for place, position in enumerate(result.positions.tolist()):
        tokens = Tokenizer(history, position).encode(TEXT)
        numbers = metrics_of(TEXT, tokens, history.vocabulary_size(position))
        assert result.curves[0][place] == COLUMNS[column].value(numbers)


def test_runs_are_measured_at_common_positions_as_far_as_they_go() -> None:
    runs = (CurveRun(english(), len(english())), CurveRun(other(), 4))
    result = measured(CurveRequest(TEXT, runs, 0))
    assert len(result.curves[0]) == len(result.positions)
    assert len(result.curves[1]) == np.count_nonzero(result.positions <= 4)


def test_a_run_overtakes_another_at_the_merge_where_it_does() -> None:
    slow, quick, text = crossing_runs()
    wanted = slow_overtakings(slow, quick, text)
    request = CurveRequest(text, (CurveRun(slow, len(slow)), CurveRun(quick, len(quick))), 0)
    result = measured(request)
    assert wanted
    assert list(result.overtakings) == wanted[-curve_measuring.MOST_TOLD :]


def test_where_positions_are_far_apart_the_place_is_found_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow, quick, text = crossing_runs()
    wanted = slow_overtakings(slow, quick, text)
    assert len(wanted) == 1
    monkeypatch.setattr(
        curve_measuring, "spread_positions", lambda length: np.array([0, 1, length])
    )
    runs = (CurveRun(slow, len(quick)), CurveRun(quick, len(quick)))
    result = measured(CurveRequest(text, runs, 0))
    assert list(result.overtakings) == wanted


def test_a_run_that_did_not_change_is_not_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[History] = []
    real = curve_measuring.metrics_over_merges

    def counting(history: History, *arguments: object, **options: object) -> object:
        calls.append(history)
        return real(history, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(curve_measuring, "metrics_over_merges", counting)
    measurer = CurveMeasurer()
    runs = (CurveRun(english(), len(english())),)
    for column in (0, 1, 0):
        measurer.measure(CurveRequest(TEXT, runs, column), lambda: False)
    assert len(calls) == 1
    measurer.measure(CurveRequest(TEXT + "!", runs, 0), lambda: False)
    measurer.measure(CurveRequest(TEXT + "!", (CurveRun(english(), 5),), 0), lambda: False)
    assert len(calls) == 3


def test_half_a_character_is_one_sentence() -> None:
    with pytest.raises(EncodingError, match="lone surrogate"):
        measured(CurveRequest("a\ud800", (CurveRun(english(), 3),), 0))


# -- encodings from elsewhere ------------------------------------------------------------------


def test_a_run_that_was_saved_has_the_curve_of_the_run() -> None:
    runs = (CurveRun(english(), len(english())),)
    files = (saved(english(), "saved.json"), unigram(), saved(other(), "other.json"))
    for column in range(len(COLUMNS)):
        result = measured(CurveRequest(TEXT, runs, column, files=files))
        assert [file.name for _, file in result.followed] == ["saved.json", "other.json"]
        assert [file.name for file in result.without] == ["uni.json"]
        assert [run.length for run in result.runs] == [
            len(english()), len(english()), len(other())
        ]  # fmt: skip
        assert result.curves[1] == pytest.approx(result.curves[0], nan_ok=True)
        assert len(result.curves[2]) == np.count_nonzero(result.positions <= len(other()))


def test_what_a_run_would_cut_otherwise_has_no_curve() -> None:
    """A character that falls into several unknown parts is one unknown of the library's."""
    history = trained([("low", 5), ("lot", 3)], preset("lines"))
    file = saved(history, "other.json")
    result = measured(CurveRequest("low lot", (), 0, files=(file,)))
    assert [encoding for _, encoding in result.followed] == [file]
    result = measured(CurveRequest("low 가", (CurveRun(english(), 3),), 0, files=(file,)))
    assert (result.without, result.otherwise) == ((), (file,))
    without = (unigram("a"), unigram("b"))
    assert without_sentence(replace(result, without=without)) == (
        "No curve for a and b, which cannot be followed merge by merge, nor for other.json, "
        "because a run of those merges counts this text differently."
    )


def test_ranks_with_a_token_without_bytes_have_a_curve() -> None:
    contents = [*(bytes([byte]) for byte in range(256)), b"", b"lo", b"low"]
    ranks = {content: rank for rank, content in enumerate(contents)}
    whisper = tiktoken_ranks.from_ranks(ranks, "gpt2", {}, name="whisper")
    result = measured(CurveRequest("low lot", (), 0, files=(whisper,)))
    assert [encoding for _, encoding in result.followed] == [whisper]
    assert result.curves[0][[0, -1]].tolist() == [7, 4]


def test_merges_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    real = import_history.history_with_ids

    def counting(encoding: Encoding, *, exactly: bool) -> tuple[History, list[int]]:
        calls.append(encoding)
        return real(encoding, exactly=exactly)

    monkeypatch.setattr(import_history, "history_with_ids", counting)
    measurer = CurveMeasurer()
    files = (saved(english(), "saved.json"), unigram())
    for text in (TEXT, TEXT, TEXT + "!"):
        measurer.measure(CurveRequest(text, (), 0, files=files), lambda: False)
    assert len(calls) == 2
