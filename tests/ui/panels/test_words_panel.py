"""The words of the corpus, cut at the cursor."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.word_list import QueriedCorpus, WordOrder, WordQuery, WordSort
from bpe_gui.bpe.formats import Texts
from bpe_gui.bpe.history import NO_TOKEN, History
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.words import WordCounts, count_corpus
from bpe_gui.ui.panels.words.panel import WordsPanel
from bpe_gui.ui.panels.words.rows import token_texts
from bpe_gui.ui.panels.words.table import WordColumn, WordsTable
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.theme.token_palettes import ColourBy
from tests.ui.driving import child, pixels, shown
from tests.ui.panels.painted import painted_texts
from tests.ui.panels.parts import parts
from tests.ui.panels.stories import four_words_run, train_words

IN_CORPUS = "tokens in the corpus (words × counts)"



@pytest.fixture
def panel(qtbot: QtBot, teller: CorpusQueries) -> WordsPanel:
    return shown(qtbot, WordsPanel(parts(teller)), 560, 300)


def load(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries, run: tuple[WordCounts, History]
) -> History:
    teller.set_run(*run)
    panel.set_history(run[1])
    show(qtbot, panel, 0)
    return run[1]


def show(qtbot: QtBot, panel: WordsPanel, position: int) -> None:
    panel.show_position(position, False)
    settle(qtbot, panel, position)


def settle(qtbot: QtBot, panel: WordsPanel, position: int) -> None:
    def shown() -> bool:
        words = panel.model.words
        return words is not None and words.position == position

    qtbot.waitUntil(shown)


@pytest.mark.parametrize("height", range(120, 300, 30))
def test_a_low_panel_asks_for_the_same_height_in_any_width(
    panel: WordsPanel, teller: CorpusQueries, qtbot: QtBot, height: int
) -> None:
    """A scroll area around it would else change its mind with each of its own scroll bars."""
    load(qtbot, panel, teller, four_words_run())
    large = panel.font()
    large.setPointSizeF(2 * large.pointSizeF())
    panel.setFont(large)
    layout, asked = panel.layout(), set()
    assert layout is not None
    for width in (498, 510, 498):
        panel.resize(width, height)
        asked.add(layout.minimumSize().height())
        table_of(panel).horizontalScrollBar().setMaximum(width)
        panel.resize(width, height + 1)
        panel.resize(width, height)
        asked.add(layout.minimumSize().height())
    assert len(asked) == 1


def rows(panel: WordsPanel) -> list[str]:
    """The rows as they are read."""
    model = panel.model
    return [
        "  ".join(model.index(row, column).data() for column in WordColumn)
        for row in range(model.rowCount())
    ]


def glowing(panel: WordsPanel) -> list[str]:
    """The pairs that are about to merge, row by row."""
    model = panel.model
    words = model.words
    if words is None:
        return []
    cut = model.cut_rows(0, model.rowCount())
    return [
        ", ".join(
            " ".join(token_texts(words.corpus.history, row.tokens[place : place + 2]))
            for place in row.merging
        )
        for row in cut
    ]


def summary(panel: WordsPanel) -> str:
    return " / ".join(label.text() for label in panel.findChildren(QLabel) if label.text())


def table_of(panel: WordsPanel) -> WordsTable:
    return child(panel, WordsTable, "wordsTable")


def search_of(panel: WordsPanel) -> QLineEdit:
    return child(panel, QLineEdit, "wordsSearch")


def test_the_picture_of_the_tutorials(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    load(qtbot, panel, teller, four_words_run())
    assert rows(panel) == [
        "low  5  l o w </w>",
        "lower  2  l o w e r </w>",
        "newest  6  n e w e s t </w>",
        "widest  3  w i d e s t </w>",
    ]
    assert glowing(panel) == ["", "", "e s", "e s"]
    assert summary(panel) == f"4 words, 2 in merge 1; 95 {IN_CORPUS} / at the start"
    show(qtbot, panel, 3)
    assert rows(panel) == [
        "low  5  l o w </w>",
        "lower  2  l o w e r </w>",
        "newest  6  n e w est</w>",
        "widest  3  w i d est</w>",
    ]
    assert glowing(panel) == ["l o", "l o", "", ""]
    assert summary(panel) == f"4 words, 2 in merge 4; 68 {IN_CORPUS} / at merge 3"


def test_all_of_it_fits_in_large_letters(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    load(qtbot, panel, teller, four_words_run())
    table = table_of(panel)
    large = table.rowHeight(0)
    assert large > 2.5 * table.fontMetrics().height()
    assert table.verticalScrollBar().maximum() == 0
    for row, length in enumerate((4, 6, 7, 7)):
        table_center = table.token_center(row, length - 1)
        assert table.viewport().rect().contains(table_center)
    panel.resize(240, 180)
    assert table.rowHeight(0) < large


def test_after_the_last_merge_nothing_glows(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    history = load(qtbot, panel, teller, four_words_run())
    show(qtbot, panel, len(history))
    assert glowing(panel) == ["", "", "", ""]
    assert summary(panel) == f"4 words; 16 {IN_CORPUS} / at merge 15"


def test_the_merge_to_come_glows_while_more_can_be_trained(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    words, trainer = train_words([("aaaa", 2), ("ba", 1)], preset("lines"), merges=0)
    load(qtbot, panel, teller, (words, trainer.history))
    assert glowing(panel) == ["a a, a a", ""]
    trainer.advance(1)
    show(qtbot, panel, 1)
    assert rows(panel)[0] == "aaaa  2  aa aa"
    assert glowing(panel) == ["aa aa", ""]


def test_sorts(qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries) -> None:
    load(qtbot, panel, teller, four_words_run())
    order = child(panel, QComboBox, "wordsOrder")
    for name, expected in (
        ("Most frequent first", ["newest", "low", "widest", "lower"]),
        ("As in the corpus", ["low", "lower", "newest", "widest"]),
        ("Merge in view", ["low", "lower", "newest", "widest"]),
    ):
        order.setCurrentText(name)
        qtbot.waitUntil(lambda e=expected: [row.split()[0] for row in rows(panel)] == e)


def test_filters(qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries) -> None:
    history = load(qtbot, panel, teller, four_words_run())
    search = search_of(panel)
    for text, expected in (
        ("e r", "1 of 4 words holds “e r” / at the start"),
        ("low", "2 of 4 words contain “low”, which is not a token here / at the start"),
        ("q e", "0 of 4 words: “q” is not a token here / at the start"),
        ("w", "4 of 4 words hold “w”, 2 in merge 1 / at the start"),
    ):
        search.setText(text)
        qtbot.waitUntil(lambda e=expected: summary(panel) == e)
    search.clear()
    qtbot.waitUntil(lambda: summary(panel).startswith("4 words"))
    show(qtbot, panel, 5)
    low = history.new_id[4]
    panel.set_filter(int(low))
    assert search.text() == "low"
    qtbot.waitUntil(lambda: summary(panel) == "2 of 4 words hold “low” / at merge 5")
    panel.set_filter(int(low), 0)
    qtbot.waitUntil(lambda: rows(panel) == ["low  5  low </w>"])
    # Another run numbers its tokens otherwise.
    load(qtbot, panel, teller, four_words_run())
    assert search.text() == ""
    assert len(rows(panel)) == 4


def test_the_next_merge_can_stay_unmarked(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    load(qtbot, panel, teller, four_words_run())
    shown = rows(panel)
    panel.mark_next(False)
    assert not any(glowing(panel)), "at once, whoever answers and when"
    words = ["low", "lower", "newest", "widest"]
    for position in (0, 3):
        show(qtbot, panel, position)
        qtbot.waitUntil(lambda: [row.split()[0] for row in rows(panel)] == words)
        assert not any(glowing(panel))
        assert "in merge" not in summary(panel)
        table_of(panel).selectRow(0)
        assert "about to merge" not in table_of(panel).accessibleDescription()
    show(qtbot, panel, 0)
    panel.mark_next(True)
    qtbot.waitUntil(lambda: rows(panel) == shown)
    qtbot.waitUntil(lambda: glowing(panel) == ["", "", "e s", "e s"])


def test_an_answer_that_would_mark_it_is_dropped(panel: WordsPanel) -> None:
    words, history = four_words_run()
    answer = WordOrder(QueriedCorpus(words, history)).answer(0, WordQuery())
    panel.set_history(history)
    panel.mark_next(False)
    panel.set_words(answer)
    assert rows(panel) == []


def test_takes_no_words_of_another_run_or_filter(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    load(qtbot, panel, teller, four_words_run())
    other_words, other = train_words([("banana", 1)], preset("whitespace"))
    order = WordOrder(QueriedCorpus(other_words, other.history))
    before = rows(panel)
    panel.set_words(order.answer(0, WordQuery()))
    assert rows(panel) == before
    own = panel.model.words
    assert own is not None
    panel.set_words(WordOrder(own.corpus).answer(0, WordQuery(WordSort.CORPUS)))
    assert rows(panel) == before


def test_click_on_a_token(qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries) -> None:
    history = load(qtbot, panel, teller, four_words_run())
    show(qtbot, panel, 1)
    table = table_of(panel)
    with qtbot.waitSignal(panel.tokenSelected) as selected:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.token_center(2, 3))
    assert selected.args == [int(history.new_id[0])]
    assert table.currentIndex().row() == 2
    word = QPoint(16, table.token_center(1, 0).y())
    with qtbot.assertNotEmitted(panel.tokenSelected):
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=word)
    assert table.currentIndex().row() == 1


def test_keyboard(qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries) -> None:
    history = load(qtbot, panel, teller, four_words_run())
    show(qtbot, panel, 1)
    table = table_of(panel)
    qtbot.keyClick(search_of(panel), Qt.Key.Key_Down)
    table.selectRow(2)
    assert table.accessibleDescription() == (
        "newest, 6 times: n, e, w, es, t, </w>. es and t are about to merge."
    )
    selected: list[int] = []
    panel.tokenSelected.connect(selected.append)
    for key in (Qt.Key.Key_Right,) * 4 + (Qt.Key.Key_Return,):
        qtbot.keyClick(table, key)
    assert selected == [int(history.new_id[0])]
    qtbot.keyClick(table, Qt.Key.Key_Down)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Return):
        qtbot.keyClick(table, key)
    assert history.id_to_token(selected[-1]) == "w"
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 0
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == 3
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "widest\t3\tw i d es t </w>"


def test_the_current_word_stays_current(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    load(qtbot, panel, teller, four_words_run())
    child(panel, QComboBox, "wordsOrder").setCurrentText("Most frequent first")
    qtbot.waitUntil(lambda: rows(panel)[0].startswith("newest"))
    table = table_of(panel)
    table.selectRow(0)
    child(panel, QComboBox, "wordsOrder").setCurrentText("As in the corpus")
    qtbot.waitUntil(lambda: rows(panel)[0].startswith("low"))
    show(qtbot, panel, 3)
    assert table.currentIndex().row() == 2
    assert table.currentIndex().siblingAtColumn(0).data() == "newest"
    assert table.accessibleDescription().startswith("newest, 6 times: n, e, w, est</w>.")


def colours_of(image: QImage) -> Counter[int]:
    return Counter(pixels(image).ravel().tolist())


def test_what_is_drawn(qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries) -> None:
    history = load(qtbot, panel, teller, four_words_run())
    panel.setPalette(palette(LIGHT))
    viewport = table_of(panel).viewport()
    glow, outline = QColor(LIGHT.accent).rgb(), QColor(LIGHT.text).rgb()
    drawn = colours_of(viewport.grab().toImage())
    fills = [fill for fill in LIGHT.token_fills.of_tokens if drawn[QColor(fill).rgb()] > 100]
    assert len(fills) == len(history.base), "every symbol has its own"
    assert drawn[glow] > 100
    before = drawn[outline]
    panel.select_token(int(history.base.texts.index("w")))
    assert colours_of(viewport.grab().toImage())[outline] > before + 100
    panel.select_token(NO_TOKEN)
    show(qtbot, panel, len(history))
    assert colours_of(viewport.grab().toImage())[glow] == 0


def test_a_pair_is_outlined_only_where_it_occurs(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    history = load(qtbot, panel, teller, four_words_run())
    table = table_of(panel)
    plain = pixels(table.viewport().grab().toImage())
    e, w = (history.base.texts.index(letter) for letter in "ew")
    panel.select_token(w)
    panel.select_pair(e, w)
    changed = pixels(table.viewport().grab().toImage()) != plain
    rows = np.flatnonzero(changed.any(axis=1)) // table.rowHeight(0)
    assert set(rows) == {rows_by_word(panel)["newest"]}, "elsewhere no w follows an e"
    columns = np.flatnonzero(changed.any(axis=0))
    row = rows_by_word(panel)["newest"]
    assert table.token_center(row, 0).x() < columns[0] < table.token_center(row, 1).x()
    assert table.token_center(0, 2).x() < columns[-1] < table.token_center(0, 3).x()
    panel.select_token(NO_TOKEN)
    assert np.array_equal(pixels(table.viewport().grab().toImage()), plain)


def rows_by_word(panel: WordsPanel) -> dict[str, int]:
    cut = panel.model.cut_rows(0, panel.model.rowCount())
    return {row.text: place for place, row in enumerate(cut)}


def test_neighbours_differ_and_a_merge_keeps_the_colours(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    load(qtbot, panel, teller, four_words_run())
    table = table_of(panel)

    def fill(row: int, place: int) -> int:
        # Just inside of the box, where no letter is.
        center = table.token_center(row, place)
        image = table.viewport().grab().toImage()
        return image.pixel(center.x(), center.y() - table.rowHeight(row) // 4)

    panel.setPalette(palette(DARK.coloured_by(ColourBy.PLACE)))
    first = [fill(2, place) for place in range(7)]
    assert all(one != other for one, other in pairwise(first))
    show(qtbot, panel, 1)
    after = [fill(2, place) for place in range(6)]
    assert after == [*first[:4], *first[5:]]


def test_a_word_too_wide_says_how_much_is_hidden(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    words, trainer = train_words([("x" * 150 + "yz" * 40, 2)], preset("raw"))
    load(qtbot, panel, teller, (words, trainer.history))
    assert len(panel.model.cut_row(0).tokens) == 230
    written = painted_texts(table_of(panel))
    boxes = [text for text in written if text in ("x", "y", "z")]
    hidden = 230 - len(boxes)
    assert hidden > 100
    assert f"+{hidden}" in written
    last = table_of(panel).token_center(0, len(boxes) - 1)
    assert last.x() < table_of(panel).viewport().width()


@pytest.mark.qt_log_ignore("does not support raise")  # tooltips are windows
def test_a_token_too_wide_is_written_without_its_middle(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    panel.resize(360, 300)
    long = "incomprehensibilities" * 2
    words, trainer = train_words([(long, 3), (f"x{long[1:]}", 2), ("low", 1)], preset("raw"))
    history = load(qtbot, panel, teller, (words, trainer.history))
    show(qtbot, panel, len(history))
    table = table_of(panel)
    written = {text for text in painted_texts(table) if text.endswith(("ities", "low"))}
    assert any("…" in text and text.startswith("incomp") for text in written)
    assert "low" in written
    ground = table.viewport().grab().toImage()
    edge = [ground.pixel(ground.width() - 2, y) for y in range(ground.height())]
    assert len(set(edge)) == 1, "no box runs out of sight"
    center = table.token_center(0, 0)
    place = table.viewport().mapToGlobal(center)
    QApplication.sendEvent(table.viewport(), QHelpEvent(QEvent.Type.ToolTip, center, place))
    assert long in QToolTip.text()


def test_of_an_endless_word_only_the_beginning_is_cut(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    words, trainer = train_words([("ab" * 3000, 1)], preset("raw"), merges=2)
    load(qtbot, panel, teller, (words, trainer.history))
    show(qtbot, panel, 1)
    row = panel.model.cut_row(0)
    assert not row.whole
    assert len(row.tokens) == 999
    assert panel.model.index(0, WordColumn.TOKENS).data().endswith(" ab ab …")
    assert len(panel.model.index(0, WordColumn.WORD).data()) < 250
    assert summary(panel).startswith("1 word, 1 in merge 2: nothing is split, see Concordance")


def test_hundreds_of_thousands_of_words(qtbot: QtBot, panel: WordsPanel) -> None:
    recipe = preset("whitespace")
    # Counted at once: one by one, as `from_pairs` takes words, they take ten times as long.
    text = "".join(f"w{number} " * (1 + number % 7) for number in range(200_000))
    counts = count_corpus(Texts([text]), recipe)
    _, trainer = train_words([("w0123456789", 1)], recipe, merges=0)
    assert trainer.history.stopped is None
    history = History(recipe, trainer.history.base, counts.total_bytes, 1)
    corpus = QueriedCorpus(counts, history)
    panel.set_history(history)
    panel.set_words(WordOrder(corpus).answer(0, WordQuery(WordSort.TOUCHED)))
    assert panel.model.rowCount() == 200_000
    panel.grab()
    table = table_of(panel)
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_End)
    panel.grab()
    last = table.visualRect(table.model().index(199_999, 0))
    assert 0 <= last.top() < last.bottom() < table.viewport().height()


def test_says_what_it_waits_for(panel: WordsPanel) -> None:
    table = table_of(panel)
    assert " ".join(painted_texts(table)).startswith("Open a corpus to ")
    panel.set_history(four_words_run()[1])
    assert painted_texts(table) == ["Looking through the words…"]
    panel.set_problem("There is not enough memory.")
    assert painted_texts(table) == ["There is not enough memory."]


def test_a_typed_letter_goes_to_no_other_row(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    """To look for one, Qt would ask for the cells of all rows."""
    load(qtbot, panel, teller, four_words_run())
    table = child(panel, WordsTable, "wordsTable")
    table.setCurrentIndex(table.model().index(0, WordColumn.WORD))
    last = table.model().index(table.model().rowCount() - 1, WordColumn.WORD)
    qtbot.keyClicks(table, str(last.data())[0])
    assert table.currentIndex().row() == 0


def test_of_few_words_the_next_merge_is_scrolled_into_view(
    qtbot: QtBot, panel: WordsPanel, teller: CorpusQueries
) -> None:
    table = table_of(panel)
    panel.resize(300, panel.minimumSizeHint().height())
    load(qtbot, panel, teller, four_words_run())
    for position, word in ((0, "newest"), (3, "low"), (10, "widest")):
        show(qtbot, panel, position)
        row = rows_by_word(panel)[word]
        assert glowing(panel)[row]
        assert table.viewport().rect().contains(table.token_center(row, 0))
    assert table.verticalScrollBar().maximum() > 0, "there is no room for all"
