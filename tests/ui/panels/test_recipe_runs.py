"""The presets that are trained in the background for the picture of space and time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.recipe import PRESETS
from bpe_gui.ui.panels.space_time import panel as recipes
from bpe_gui.ui.panels.space_time.panel import RecipeRuns

ENTRIES = 300


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """A corpus of a few words."""
    path = tmp_path / "words.txt"
    path.write_text("low lower newest widest " * 9)
    return Corpus([path])


@pytest.fixture
def runs(qapp: object) -> Iterator[RecipeRuns]:
    """Runs, of which none has been asked for."""
    made = RecipeRuns()
    yield made
    made.task.close()


def test_all_presets_are_trained_in_their_order(
    qtbot: QtBot, runs: RecipeRuns, corpus: Corpus
) -> None:
    told: list[str] = []
    runs.changed.connect(lambda: told.append(runs.under_way))
    runs.want(corpus, ENTRIES)
    qtbot.waitUntil(lambda: len(runs.histories) == len(PRESETS) and runs.task.at_rest)
    assert list(dict.fromkeys(told)) == [*PRESETS, ""]
    assert runs.left_out == []
    known = dict(runs.histories)
    runs.want(corpus, ENTRIES)
    assert runs.task.at_rest
    assert runs.histories == known


def test_what_was_stopped_goes_on_where_it_was(
    qtbot: QtBot, runs: RecipeRuns, corpus: Corpus
) -> None:
    runs.want(corpus, ENTRIES)
    qtbot.waitUntil(lambda: bool(runs.histories))
    runs.stop()
    assert runs.under_way == ""
    known = dict(runs.histories)
    runs.want(corpus, ENTRIES)
    qtbot.waitUntil(lambda: len(runs.histories) == len(PRESETS))
    assert all(runs.histories[name] is history for name, history in known.items())
    runs.want(corpus, ENTRIES + 1)
    assert not runs.histories


def test_what_takes_too_much_memory_is_left_out(
    qtbot: QtBot, runs: RecipeRuns, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipes, "_MOST_UNSPLIT", 10)
    runs.want(corpus, ENTRIES)
    qtbot.waitUntil(lambda: runs.task.at_rest and bool(runs.left_out))
    assert runs.left_out == ["raw"]


def test_a_corpus_that_is_gone_is_told(
    qtbot: QtBot, runs: RecipeRuns, corpus: Corpus, tmp_path: Path
) -> None:
    (tmp_path / "words.txt").unlink()
    runs.want(corpus, ENTRIES)
    qtbot.waitUntil(lambda: bool(runs.problem))
    assert "words.txt" in runs.problem
