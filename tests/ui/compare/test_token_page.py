"""The page of a token opens from the vocabulary in Explore, and from the tokens in Compare."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QTableView, QTabWidget
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.corpus import Corpus
from bpe_gui.encodings.formats import bert
from bpe_gui.encodings.formats.tiktoken_ranks import from_ranks
from bpe_gui.encodings.ours import TrainedEncoding
from bpe_gui.ui.compare.vocabularies.token_page import TokenPage
from bpe_gui.ui.panels.token.canvas import TreeCanvas
from bpe_gui.ui.panels.token.life import LifeCanvas
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.tokens.token_chips import TokenChips
from tests.ui.compare.compare_workspace import run_of, settled, window
from tests.ui.compare.compared import TEXT, encodings
from tests.ui.driving import child, shown

__all__ = ["window"]


def text(page: TokenPage, name: str) -> str:
    return child(page, QLabel, name).text()


def opened(qtbot: QtBot, window: MainWindow) -> TokenPage:
    qtbot.waitUntil(lambda: window.findChild(TokenPage) is not None)
    page = window.findChild(TokenPage)
    assert isinstance(page, TokenPage)
    qtbot.waitUntil(lambda: page.task.at_rest)
    return page


def test_it_opens_from_the_vocabulary_in_explore(qtbot: QtBot, window: MainWindow) -> None:
    child(window, QAction, "exploreAction").trigger()
    history = run_of(window)
    token = int(history.new_id[3])
    window.explore.select_token(token)
    window.explore.raise_dock("vocabularyDock")
    table = child(window, QTableView, "vocabularyTable")
    qtbot.waitUntil(lambda: table.currentIndex().isValid())
    child(window, QAction, "openTokenPageAction").trigger()
    page = opened(qtbot, window)
    assert text(page, "tokenPageTitle") == visible(history.bytes_in_text(token))
    assert f"id {token:,} · " in text(page, "tokenPageFacts")
    assert "merge 4" in text(page, "tokenPageFacts")
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(TokenPage) is None)


def test_it_opens_from_the_tokens_in_compare(qtbot: QtBot, window: MainWindow) -> None:
    view = window.compare
    child(window, QTabWidget, "numbersTabs").setCurrentWidget(view.numbers.vocabularies)
    settled(qtbot, window)
    qtbot.waitUntil(lambda: view.at_rest)
    table = child(window, QTableView, "tokensTable")
    assert not table.currentIndex().isValid()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    page = opened(qtbot, window)
    assert text(page, "tokenPageTitle") == visible(run_of(window).bytes_in_text(0))
    assert table.currentIndex().row() == 0
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(TokenPage) is None)
    table.setCurrentIndex(table.model().index(258, 1))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    page = opened(qtbot, window)
    content = run_of(window).bytes_in_text(258)
    assert text(page, "tokenPageTitle") == visible(content)
    page.close()


def test_a_click_in_it_goes_to_another_token(qtbot: QtBot) -> None:
    run = encodings()[1]
    token = run.history.vocabulary_size(len(run.history)) - 1
    parent = shown(qtbot, QLabel(), 200, 100)
    page = TokenPage(run, [encodings()[2]], TEXT, parent)
    page.show_token(token)
    page.show()
    qtbot.waitUntil(lambda: page.task.at_rest)
    merge = run.merge(token)
    assert merge is not None
    child(page, TreeCanvas, "tokenPageTree").nodeChosen.emit(1)
    qtbot.waitUntil(lambda: page.task.at_rest)
    assert text(page, "tokenPageTitle") == visible(run.token_bytes(merge.left))
    used = int(run.encode(TEXT).ids[0])
    page.show_token(used)
    qtbot.waitUntil(lambda: page.task.at_rest)
    places = child(page, QTableView, "tokenPagePlaces").model()
    assert places.rowCount() == run.encode(TEXT).ids.tolist().count(used)
    chips = child(page, TokenChips, "tokenPageNeighbours")
    chips.tokenChosen.emit(chips.chips[0].token)
    qtbot.waitUntil(lambda: page.task.at_rest)
    assert f"id {chips.chips[0].token:,}" not in text(page, "tokenPageFacts")
    page.close()


def test_a_token_that_no_merge_made_has_no_tree(qtbot: QtBot) -> None:
    bare = TrainedEncoding(encodings()[0].history, 0)
    parent = shown(qtbot, QLabel(), 200, 100)
    page = TokenPage(bare, [], "", parent)
    page.show_token(65)
    page.show()
    qtbot.waitUntil(lambda: page.task.at_rest)
    tree = child(page, TreeCanvas, "tokenPageTree")
    assert tree.accessibleDescription() == "No merge made this token."
    assert "not in the text" in text(page, "tokenPageFacts")
    page.close()


def test_a_model_without_merges_is_named_and_places_are_seen_first(
    qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "low", "##est"]))
    parent = shown(qtbot, QLabel(), 200, 100)
    page = TokenPage(bert.read(path), [], "low lowest", parent)
    page.show_token(5)
    page.show()
    qtbot.waitUntil(lambda: page.task.at_rest)
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Places in the text"
    tree = child(page, TreeCanvas, "tokenPageTree")
    assert tree.accessibleDescription() == (
        "vocab.txt finds its tokens by WordPiece, without merges."
    )
    assert not page.tabs.isTabVisible(2), "without merges there is no life"
    chips = child(page, TokenChips, "tokenPageNeighbours")
    assert [chip.label for chip in chips.chips] == ["##est"]
    chips.tokenChosen.emit(6)
    qtbot.waitUntil(lambda: page.task.at_rest)
    assert text(page, "tokenPageTitle") == "##est"
    page.close()


def test_what_another_encoding_writes_is_quoted_and_where_a_life_is_seen(qtbot: QtBot) -> None:
    table = {bytes([byte]): byte for byte in range(256)}
    ranks = from_ranks(table | {b"th": 256, b"the": 257}, r"[\s\S]+", {}, name="ranks")
    bare = TrainedEncoding(encodings()[0].history, 0, name="bytes")
    parent = shown(qtbot, QLabel(), 200, 100)
    in_explore = "Choose “Open in Explore” for this encoding"
    for encoding, others, token, life in (
        (ranks, [bare], 257, in_explore), (bare, [ranks], 65, "Only tokens that a merge made")
    ):  # fmt: skip
        page = TokenPage(encoding, others, TEXT, parent)
        page.show_token(token)
        page.show()
        qtbot.waitUntil(lambda page=page: page.task.at_rest)
        assert page.tabs.isTabVisible(2)
        assert life in child(page, LifeCanvas, "tokenPageLife").accessibleDescription()
        if encoding is ranks:
            assert text(page, "tokenPageIds") == "not in bytes, which writes “t” + “h” + “e”"
        page.close()


def test_examples_are_from_the_corpus_where_the_text_has_none(
    qtbot: QtBot, tmp_path: Path
) -> None:
    run = encodings()[1]
    token = int(run.encode(TEXT).ids[0])
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("before it\n" + TEXT)
    parent = shown(qtbot, QLabel(), 200, 100)
    page = TokenPage(run, [], "0", parent, corpus=Corpus([corpus]))
    page.show()
    places = child(page, QTableView, "tokenPagePlaces").model()
    page.show_token(token)
    qtbot.waitUntil(lambda: page.task.at_rest)
    times = run.encode(corpus.read_text()).ids.tolist().count(token)
    assert page.tabs.isTabVisible(1)
    assert page.tabs.tabText(1) == "Places in the corpus"
    assert places.rowCount() == times > 0
    assert text(page, "tokenPageFacts").endswith(" · not in the text")
    page.show_token(int(run.encode("Z").ids[0]))
    qtbot.waitUntil(lambda: page.task.at_rest)
    assert not page.tabs.isTabVisible(1)
    assert text(page, "tokenPageFacts").endswith("neither in the text nor in the corpus")
    page.show_token(int(run.encode("0").ids[0]))
    qtbot.waitUntil(lambda: page.task.at_rest)
    assert page.tabs.isTabVisible(1)
    assert page.tabs.tabText(1) == "Places in the text"
    corpus.unlink()
    page.show_token(token)
    qtbot.waitUntil(lambda: page.task.at_rest)
    assert "corpus.txt" in text(page, "tokenPageFacts")
    assert not page.tabs.isTabVisible(1)
    page.close()
