"""The concordance: what it lists, when it searches, and what it says instead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.corpus import Corpus
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import count_corpus
from bpe_gui.ui.panels.concordance.panel import ConcordancePanel
from bpe_gui.ui.panels.concordance.table import PlacesTable
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.tokens.token_words import label
from tests.ui.driving import child, picture, shown
from tests.ui.histories import four_words
from tests.ui.panels.painted import painted_texts
from tests.ui.panels.parts import parts

TEXT = "the cat sat on the mat; the rat sat.\n"


@pytest.fixture
def corpora(tmp_path: Path, teller: CorpusQueries) -> CorpusQueries:
    """The queries of a panel, which give it the corpus."""
    path = tmp_path / "cats.txt"
    path.write_text(TEXT * 3)
    teller.corpus = Corpus([path])
    return teller


@pytest.fixture
def panel(qtbot: QtBot, corpora: CorpusQueries) -> Iterator[ConcordancePanel]:
    panel = shown(qtbot, ConcordancePanel(parts(corpora)), 640, 300)
    yield panel
    panel.task.close()


@pytest.fixture
def history(corpora: CorpusQueries) -> History:
    recipe = preset("gpt2").with_changes(vocabulary_size=None, min_frequency=2)
    assert corpora.corpus is not None
    trainer = Trainer(count_corpus(corpora.corpus, recipe), recipe)
    trainer.advance(20)
    return trainer.history


def token(history: History, text: str) -> int:
    texts = [history.id_to_token(at) for at in range(history.vocabulary_size(len(history)))]
    return texts.index(text)


def listed(panel: ConcordancePanel) -> list[list[str]]:
    model = panel.model
    columns = range(model.columnCount())
    return [
        [str(model.index(row, column).data()) for column in columns]
        for row in range(model.rowCount())
    ]


def said(panel: ConcordancePanel) -> str:
    return child(panel, PlacesTable, "placesTable").accessibleDescription()


def count(panel: ConcordancePanel) -> str:
    return child(panel, QLabel, "placesCount").text()


def search(qtbot: QtBot, panel: ConcordancePanel, history: History, text: str) -> None:
    panel.set_history(history)
    panel.show_position(len(history), False)
    panel.select_token(token(history, text))
    qtbot.waitUntil(lambda: panel.task.at_rest)


def test_it_says_what_is_missing(
    panel: ConcordancePanel, corpora: CorpusQueries, history: History
) -> None:
    assert "Open a corpus" in said(panel)
    panel.set_history(history)
    panel.show_position(0, False)
    assert "Select a token or a pair" in said(panel)
    assert panel.emptiness
    panel.select_token(int(history.new_id[10]))
    assert "not made yet at the cursor" in said(panel)
    assert "not made yet at the cursor" in panel.emptiness
    corpora.corpus = None
    panel.show_position(11, False)
    assert "is not at hand" in said(panel)
    panel.select_token(NO_TOKEN)
    panel.show_position(0, False)
    assert "Select a token or a pair" in said(panel)


def test_until_one_is_selected_it_is_the_newest_token(
    panel: ConcordancePanel, history: History, qtbot: QtBot
) -> None:
    panel.set_history(history)
    for position in (1, 5):
        panel.show_position(position, False)
        qtbot.waitUntil(lambda: panel.task.at_rest)
        newest = int(history.new_id[position - 1])
        assert listed(panel)[0][1] == label(history.token_bytes(newest))
        assert count(panel) == f"{int(history.count[position - 1])} places"


def test_places_with_their_context(panel: ConcordancePanel, history: History, qtbot: QtBot) -> None:
    search(qtbot, panel, history, "Ġsat")
    assert count(panel) == "6 places"
    first = listed(panel)[0]
    assert first[:2] == ["the␣cat", "␣sat"]
    assert first[2].startswith("␣on␣the␣mat;␣the␣rat␣sat.↵")
    assert "␣sat in the corpus, after merge" in said(panel)
    texts = painted_texts(child(panel, PlacesTable, "placesTable"))
    assert texts[:1] == ["the cat"]
    assert texts.count("␣sat") == 6


def test_it_searches_again_where_the_cursor_rests(
    panel: ConcordancePanel, history: History, qtbot: QtBot
) -> None:
    search(qtbot, panel, history, "a")
    at_end = count(panel)
    panel.show_position(0, True)
    assert count(panel) == at_end
    panel.show_position(0, False)
    qtbot.waitUntil(lambda: panel.task.at_rest)
    assert count(panel) == f"{(TEXT * 3).count('a')} places"
    panel.hide()
    panel.show_position(len(history), False)
    assert panel.task.at_rest, "nobody looks"
    panel.show()
    qtbot.waitUntil(lambda: panel.task.at_rest)
    assert count(panel) == at_end


def test_a_pair_is_looked_for_instead_of_the_token_selected_with_it(
    panel: ConcordancePanel, history: History, qtbot: QtBot
) -> None:
    panel.set_history(history)
    panel.show_position(0, False)
    a, t = token(history, "a"), token(history, "t")
    panel.select_token(t)
    panel.select_pair(a, t)
    qtbot.waitUntil(lambda: panel.task.at_rest)
    assert count(panel) == f"{(TEXT * 3).count('at')} places"
    assert {row[1] for row in listed(panel)} == {"a + t"}
    panel.select_token(t)
    qtbot.waitUntil(lambda: panel.task.at_rest)
    assert {row[1] for row in listed(panel)} == {"t"}


def test_a_corpus_that_is_gone_is_told(
    panel: ConcordancePanel, corpora: CorpusQueries, history: History, qtbot: QtBot
) -> None:
    assert corpora.corpus is not None
    Path(corpora.corpus.sources[0]).unlink()
    search(qtbot, panel, history, "a")
    assert "cats.txt" in said(panel)
    assert listed(panel) == []


def test_nowhere_is_told(panel: ConcordancePanel, corpora: CorpusQueries, qtbot: QtBot) -> None:
    search(qtbot, panel, four_words(), "es")
    assert "does not occur" in painted_texts(child(panel, PlacesTable, "placesTable"))[0]


def test_a_table_of_words_tells_how_often_each_occurs(
    panel: ConcordancePanel, corpora: CorpusQueries, tmp_path: Path, qtbot: QtBot
) -> None:
    table = tmp_path / "words.csv"
    table.write_text("word,count\nlow,5\nlower,2\nnewest,6\nwidest,3\n")
    corpora.corpus = Corpus([table])
    panel.set_history(history := four_words())
    panel.show_position(1, False)
    panel.select_token(token(history, "es"))
    qtbot.waitUntil(lambda: panel.task.at_rest)
    assert count(panel) == "2 places, 9 times"
    assert listed(panel) == [["new", "es", "t  ×6"], ["wid", "es", "t  ×3"]]


def test_it_fits_any_size_in_both_schemes(
    panel: ConcordancePanel, history: History, qtbot: QtBot
) -> None:
    search(qtbot, panel, history, "Ġsat")
    for size in ((200, 100), (1800, 900)):
        panel.resize(*size)
        panel.setPalette(palette(DARK))
        dark = picture(panel)
        panel.setPalette(palette(LIGHT))
        assert picture(panel) != dark
