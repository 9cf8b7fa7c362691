"""Why, words and the tree of a token, through the window: each answer leads to the next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QLabel,
    QLineEdit,
    QTableView,
    QTextBrowser,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.ui.panels.token.canvas import TreeCanvas
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.widgets.sentences import as_written
from tests.ui.driving import child, picture, pixels
from tests.ui.pace import Rations
from tests.ui.panels.painted import painted_texts

CORPUS = "word,count\nlow,5\nlower,2\nnewest,6\nwidest,3\n"
EST = 2
"""Merges until `est` is a token: e+s, then es+t."""


@pytest.fixture
def window(qtbot: QtBot, opened: Callable[..., MainWindow]) -> MainWindow:
    """The four words of the tutorials, trained to the end, the cursor behind `est`."""
    window = opened("words.csv", CORPUS, "--preset", "whitespace", "--start")
    qtbot.waitUntil(
        lambda: window.player.history is not None and window.player.history.stopped is not None,
    )
    window.player.scrub(EST)
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
    return window


def history_of(window: MainWindow) -> History:
    assert window.player.history is not None
    return window.player.history


def id_of(window: MainWindow, text: str) -> int:
    history = history_of(window)
    texts = [history.id_to_token(token) for token in range(history.vocabulary_size(len(history)))]
    return texts.index(text)


def card(window: MainWindow) -> str:
    browser = window.findChild(QTextBrowser, "whyText")
    assert isinstance(browser, QTextBrowser)
    return as_written(" ".join(browser.toPlainText().split()))


def tree(window: MainWindow) -> TreeCanvas:
    found = window.explore.panel("tree").findChild(TreeCanvas)
    assert isinstance(found, TreeCanvas)
    return found


def vocabulary(window: MainWindow) -> QTableView:
    found = window.findChild(QTableView, "vocabularyTable")
    assert isinstance(found, QTableView)
    return found


def check_the_merge_at_the_cursor_explains_itself(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "source words newest 6 widest 3" in card(window))
    qtbot.waitUntil(lambda: card(window).startswith("Next: merge 3 est + </w> → est</w>"))
    assert "“est” and" in card(window)
    QTest.keyClick(window, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: card(window).startswith("Next: merge 2 es + t → est"))
    assert "“es” and “t”" in card(window)
    qtbot.waitUntil(lambda: "source words newest 6 widest 3" in card(window))
    window.player.go_to_end()
    qtbot.waitUntil(lambda: "no pair is left" in card(window))


def check_a_token_of_the_card_leads_to_its_row_and_its_tree(
    window: MainWindow, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: "widest" in card(window))
    token = id_of(window, "est")
    browser = window.findChild(QTextBrowser, "whyText")
    assert isinstance(browser, QTextBrowser)
    browser.anchorClicked.emit(QUrl(f"token:{token}"))
    assert vocabulary(window).currentIndex().row() == token
    assert "est" in tree(window).accessibleDescription()
    facts = window.explore.panel("tree").findChild(QLabel, "tokenFacts")
    assert isinstance(facts, QLabel)
    assert "est" in facts.text()


def check_a_node_of_the_tree_takes_the_cursor_to_its_merge(
    window: MainWindow, qtbot: QtBot
) -> None:
    table = vocabulary(window)
    window.player.go_to_end()
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
    place = table.visualRect(table.model().index(id_of(window, "est"), 1)).center()
    table.scrollTo(table.model().index(id_of(window, "est"), 1))
    place = table.visualRect(table.model().index(id_of(window, "est"), 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    canvas = tree(window)
    labels = [text for text in painted_texts(canvas) if not text.startswith("merge ")]
    assert sorted(labels) == ["e", "es", "est", "s", "t"]
    node = QPoint(canvas.place_of(labels.index("es")))
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=node)
    assert window.player.position == 1
    assert vocabulary(window).model().index(table.currentIndex().row(), 1).data() == "es"


def check_the_words_are_cut_and_filtered_at_the_cursor(window: MainWindow, qtbot: QtBot) -> None:
    model = window.explore.words.model
    qtbot.waitUntil(lambda: model.words is not None and model.words.position == EST)
    rows = model.cut_rows(0, model.rowCount())
    history = history_of(window)
    cut = {row.text: [history.id_to_token(token) for token in row.tokens] for row in rows}
    assert cut["newest"] == ["n", "e", "w", "est", "</w>"]
    assert cut["low"] == ["l", "o", "w", "</w>"]
    search = window.findChild(QLineEdit, "wordsSearch")
    assert isinstance(search, QLineEdit)
    search.setText("est")
    qtbot.waitUntil(lambda: model.rowCount() == 2)
    assert {row.text for row in model.cut_rows(0, 2)} == {"newest", "widest"}


def check_how_a_word_is_cut_leads_to_its_merges(window: MainWindow, qtbot: QtBot) -> None:
    window.explore.docks["derivationDock"].raise_()
    window.sample_text.set("newest")
    window.player.go_to_end()
    panel = window.explore.derivation
    qtbot.waitUntil(lambda: window.explore.scheduler.up_to_date)
    table = panel.findChild(QTableView)
    assert isinstance(table, QTableView)
    rows = table.model().rowCount()
    assert rows > 3
    place = table.visualRect(table.model().index(1, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: window.player.position < window.player.end)


def test_panels_explain_a_merge_a_token_and_a_word(window: MainWindow, qtbot: QtBot) -> None:
    check_a_token_of_the_card_leads_to_its_row_and_its_tree(window, qtbot)
    check_the_words_are_cut_and_filtered_at_the_cursor(window, qtbot)
    check_the_merge_at_the_cursor_explains_itself(window, qtbot)
    check_a_node_of_the_tree_takes_the_cursor_to_its_merge(window, qtbot)
    check_how_a_word_is_cut_leads_to_its_merges(window, qtbot)


def test_a_pair_of_the_chart_is_marked_until_a_token_is_selected(
    window: MainWindow, qtbot: QtBot
) -> None:
    explore = window.explore
    views = [child(window, QAbstractScrollArea, name) for name in ("tokenView", "wordsTable")]

    def seen() -> list[bytes]:
        return [pixels(picture(view.viewport())).tobytes() for view in views]

    def differ(others: list[bytes]) -> bool:
        return all(one != other for one, other in zip(seen(), others, strict=True))

    explore.text_panel.sample.set("low lower")
    qtbot.waitUntil(lambda: explore.at_rest)
    plain = seen()
    QTest.keyClick(explore.pair_chart, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: differ(plain))
    of_pair = seen()
    left, right = explore.pair_chart.current_pair or (NO_TOKEN, NO_TOKEN)
    explore.select_token(right)
    assert differ(of_pair)
    explore.select_pair(left, right)
    explore.show_places()
    title = child(window, QLabel, "placesTitle")
    name = " + ".join(history_of(window).id_to_token(token) for token in (left, right))
    qtbot.waitUntil(lambda: name in title.text())


@pytest.mark.parametrize("start", [[], ["--start"]])
def test_what_comes_next_is_not_said_while_merges_come(
    opened: Callable[..., MainWindow], qtbot: QtBot, rations: Rations, start: list[str]
) -> None:
    rations.merges = 3
    window = opened("words.csv", CORPUS, "--preset", "whitespace", *start)
    if not start:
        qtbot.waitUntil(lambda: card(window).startswith("Next: merge 1 "))
        window.actions_.train.trigger()
    frames = QSignalSpy(window.explore.scheduler.drew)
    qtbot.waitUntil(lambda: card(window).startswith("On the way: merge "))
    assert window.player.growing
    # Each panel has its turn.
    assert frames.count() <= 2 * len(window.explore.panels)
    qtbot.waitUntil(lambda: window.player.end == rations.merges)
    window.actions_.cancel.trigger()
    last = window.player.end
    qtbot.waitUntil(lambda: card(window).startswith(f"Next: merge {last + 1} "))
