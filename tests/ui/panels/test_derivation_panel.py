"""The panel that shows how a word is cut: rows, playing, choosing, following the cursor."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.visible import isolated, visible_pair
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.panels.derivation.panel import DerivationPanel
from bpe_gui.ui.panels.derivation.table import Column, DerivationModel, DerivationTable
from bpe_gui.ui.theme.text_size import resized
from bpe_gui.ui.theme.theme import DARK, LIGHT, apply, palette
from bpe_gui.ui.widgets.presenting import present
from tests.ui.driving import child, picture, shown
from tests.ui.histories import byte_level, four_words, trained
from tests.ui.panels.painted import painted_texts, text_elements
from tests.ui.panels.parts import parts


@pytest.fixture
def panel(qtbot: QtBot) -> DerivationPanel:
    return shown(qtbot, DerivationPanel(parts()), 460, 400)


@pytest.fixture
def lowest(panel: DerivationPanel) -> DerivationPanel:
    history = four_words()
    panel.set_history(history)
    panel.show_position(len(history), False)
    panel.set_word("lowest")
    return panel


def table(panel: DerivationPanel) -> DerivationTable:
    return child(panel, DerivationTable, "derivationTable")


def model(panel: DerivationPanel) -> DerivationModel:
    return panel.model


def title(panel: DerivationPanel) -> str:
    return child(panel, QLabel, "derivationTitle").text()


def play_button(panel: DerivationPanel) -> QToolButton:
    return child(panel, QToolButton, "playDerivation")


def rows(panel: DerivationPanel) -> list[tuple[str, str, str, str]]:
    return [model(panel).cells(row) for row in range(model(panel).rowCount())]


def place_in(panel: DerivationPanel, row: int, x: int) -> QPoint:
    view = table(panel)
    return QPoint(x, view.rowViewportPosition(row) + view.rowHeight(row) // 2)


def click(panel: DerivationPanel, row: int, x: int = 10) -> None:
    place = place_in(panel, row, x)
    QTest.mouseClick(table(panel).viewport(), Qt.MouseButton.LeftButton, pos=place)


class Resizes(QObject):
    """Counts how often a widget has another size, and hides its window after 50 times."""

    times = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Resize
        if self.times > 50 and isinstance(watched, QWidget):
            watched.window().hide()
        return False


def test_it_comes_to_rest_at_every_size(lowest: DerivationPanel) -> None:
    apply(lowest, LIGHT)  # with the scroll bars that the window has
    lowest.set_word("newest")
    resizes, inside = Resizes(), table(lowest).viewport()
    inside.installEventFilter(resizes)
    for width, height in product((394, 424, 454), range(240, 320, 3)):
        lowest.resize(width, height)
        resizes.times = 0
        QApplication.processEvents()
        assert resizes.times < 10, (width, height)
    inside.removeEventFilter(resizes)


def test_rows_move_together_before_the_last_is_cut_off(
    lowest: DerivationPanel, qtbot: QtBot
) -> None:
    view, rows = table(lowest), lowest.model.rowCount()
    lowest.resize(460, 200)
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 0)
    close, around = view.rowHeight(0), lowest.height() - view.viewport().height()
    lowest.resize(460, around + rows * close)
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() == 0)
    assert view.rowHeight(0) == close
    lowest.resize(460, around + rows * (close + 3))
    qtbot.waitUntil(lambda: view.rowHeight(0) > close)
    assert view.verticalScrollBar().maximum() == 0


def test_it_can_be_found_and_says_what_is_missing(panel: DerivationPanel) -> None:
    assert panel.objectName() == "derivationPanel"
    assert "Open a corpus to" in painted_texts(table(panel))[0]
    empty = picture(panel)
    panel.set_history(four_words())
    assert "Click a word" in painted_texts(table(panel))[0]
    assert picture(panel) != empty
    assert not play_button(panel).isEnabled()


def test_a_short_word_is_larger_in_front_of_an_audience(
    lowest: DerivationPanel, qtbot: QtBot
) -> None:
    view = table(lowest)
    lowest.resize(1200, 700)
    before = view.rowHeight(0)
    present(lowest, True)
    lowest.resize(1201, 700)
    qtbot.waitUntil(lambda: view.rowHeight(0) > 1.2 * before)
    columns = [view.columnWidth(column) for column in Column]
    assert all(columns)
    assert sum(columns) <= view.viewport().width()


def test_a_heading_begins_where_its_column_does(lowest: DerivationPanel, qtbot: QtBot) -> None:
    present(lowest, True)
    lowest.resize(1200, 700)
    qtbot.waitUntil(lambda: table(lowest).rowHeight(0) > 60)
    begins = {"".join(text.itertext()): text.get("x") for text in text_elements(table(lowest))}
    assert begins["Pair"] == begins["7 tokens"]


def test_from_symbols_to_tokens(lowest: DerivationPanel) -> None:
    assert rows(lowest) == [
        ("", "7 tokens", "l  o  w  e  s  t  </w>"),
        ("1", visible_pair(b"e", b"s"), "l  o  w  es  t  </w>"),
        ("2", visible_pair(b"es", b"t"), "l  o  w  est  </w>"),
        ("3", visible_pair(b"est", b"</w>"), "l  o  w  est</w>"),
        ("4", visible_pair(b"l", b"o"), "lo  w  est</w>"),
        ("5", visible_pair(b"lo", b"w"), "low  est</w>"),
        ("", "ids for the model", "low 15  est</w> 13"),
    ]
    assert title(lowest) == (
        "lowest   7 tokens at first, 2 tokens after 5 merges: no other merge applies"
    )


def test_what_becomes_of_unknown_characters_is_told(lowest: DerivationPanel) -> None:
    lowest.set_word("zebra")
    assert title(lowest) == (
        "zebra   6 tokens at first, 6 tokens after 0 merges. 3 unknown characters have no id, so a "
        "model cannot read them"
    )
    lowest.set_word("lox")
    assert title(lowest).endswith("1 unknown character has no id, so a model cannot read it")


def test_the_ids_are_named_at_every_width(lowest: DerivationPanel) -> None:
    lowest.set_word("low")  # its boxes leave more room to the pairs
    lowest.setFont(resized(lowest.font(), 2))
    named = set()
    for width in range(400, 1200, 40):
        lowest.resize(width, 400)
        names = [text for text in painted_texts(table(lowest)) if text.startswith("ids")]
        if not table(lowest).isColumnHidden(Column.PAIR):
            named |= set(names)
    assert named == {"ids", "ids for the model"}, "nothing is cut"


def test_a_word_of_one_token_has_one_id(panel: DerivationPanel) -> None:
    history = four_words()
    panel.set_history(history)
    panel.set_word("low")
    panel.show_position(len(history), False)
    assert rows(panel)[-1] == ("", "ids for the model", "low</w> 19")


def test_the_sentence_beside_a_word_does_not_change_places_with_it(panel: DerivationPanel) -> None:
    panel.set_history(byte_level("low lower"))
    panel.set_word("low שלום")
    told = title(panel)
    assert told.startswith(isolated("low␣שלום")), "its number would be read within the word"
    assert told.endswith("12 tokens after 0 merges: no other merge applies")


def test_the_number_of_each_merge_is_shown(lowest: DerivationPanel) -> None:
    lowest.set_word("newest")
    history = four_words()
    view, header = table(lowest), table(lowest).horizontalHeader()
    titles = [header.model().headerData(c, Qt.Orientation.Horizontal) for c in Column]
    assert titles[0] == "Merge"
    assert not view.isColumnHidden(Column.RANK)
    assert view.columnWidth(Column.RANK) > header.fontMetrics().horizontalAdvance(titles[0])
    ranks = [int(row[0]) for row in rows(lowest) if row[0]]
    assert ranks == sorted(ranks) != [1, 2, 3, 4, 5, 6]
    with_positions: list[int] = []
    lowest.positionSelected.connect(with_positions.append)
    for row, rank in enumerate(ranks, 1):
        click(lowest, row)
        assert with_positions[-1] == rank
        merge = model(lowest).merge(row)
        assert merge is not None
        assert int(history.new_id[rank - 1]) == merge.new_id


def test_the_end_of_a_word_stays_in_sight_where_it_is_wanted(lowest: DerivationPanel) -> None:
    lowest.resize(355, 200)
    view = table(lowest)
    lowest.set_word("lowest")
    assert view.rowAt(0) == 0
    lowest.set_word("lowest", to_its_end=True)
    for position in (15, 3, 15):
        lowest.show_position(position, False)
        result = view.visualRect(model(lowest).index(model(lowest).result_row, Column.TOKENS))
        assert view.viewport().rect().contains(result)
    lowest.set_word("lower")
    assert view.rowAt(0) == 0


@pytest.mark.parametrize("width", [300, 900])
def test_the_boxes_come_before_the_pair(lowest: DerivationPanel, width: int) -> None:
    lowest.resize(width, 200)
    view = table(lowest)
    assert view.horizontalScrollBar().maximum() == 0
    assert view.isColumnHidden(Column.PAIR) == (width < 400)
    assert not view.isColumnHidden(Column.RANK)


def test_later_merges_stand_below_the_tokens_at_the_cursor(lowest: DerivationPanel) -> None:
    complete = rows(lowest)
    for position in (0, 2, 4, 10, 3):
        lowest.show_position(position, True)
        applied = min(position, 5)
        shown = rows(lowest)
        assert [*shown[: applied + 1], *shown[applied + 2 :]] == complete[:-1]
        history = four_words()
        ids = Tokenizer(history, position).encode("lowest").ids.tolist()
        assert model(lowest).tokens(applied + 1).ids == tuple(ids)
        assert model(lowest).result_row == applied + 1
        merges = [model(lowest).merge(row) is not None for row in range(7)]
        assert merges == [False, *[True] * applied, False, *[True] * (5 - applied)]


def test_the_new_token_and_the_colours(lowest: DerivationPanel) -> None:
    for row in range(7):
        tokens = model(lowest).tokens(row)
        merge = model(lowest).merge(row)
        assert (tokens.new == -1) == (merge is None)
        if merge is not None:
            assert tokens.ids[tokens.new] == merge.new_id
        neighbours = zip(tokens.colours, tokens.colours[1:], strict=False)
        assert all(one != other for one, other in neighbours)


def test_the_model_keeps_qts_promises(lowest: DerivationPanel) -> None:
    tester = QAbstractItemModelTester(
        model(lowest), QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    recipe = preset("gpt2")
    words = [(" lower", 5), (" lowest", 3), (" newest", 4)]
    trainer = Trainer(WordCounts.from_pairs(words, recipe), recipe, compiled=False)
    trainer.advance(3)
    lowest.set_history(trainer.history)
    lowest.set_word(" lowest newest")
    before = model(lowest).rowCount()
    trainer.advance(100)
    lowest.show_position(2, True)
    assert model(lowest).rowCount() == before, "while moving, only what is needed"
    lowest.show_position(5, True)
    assert model(lowest).rowCount() > before
    lowest.show_position(0, False)
    assert model(lowest).rowCount() == 2 + 6 + 6
    assert tester.model() is model(lowest)


def test_the_arrow_keys_go_from_row_to_row(lowest: DerivationPanel, qtbot: QtBot) -> None:
    view = table(lowest)
    view.setFocus()
    with qtbot.assertNotEmitted(lowest.positionSelected):
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Down)
        QTest.keyClick(view, Qt.Key.Key_Up)
    row = view.currentIndex().row()
    merge = model(lowest).merge(row)
    assert merge is not None
    with (
        qtbot.waitSignal(lowest.positionSelected) as gone,
        qtbot.waitSignal(lowest.tokenSelected) as selected,
    ):
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert gone.args == [merge.step + 1]
    assert selected.args == [merge.new_id]
    lowest.show_position(gone.args[0], False)
    assert model(lowest).merge(view.currentIndex().row()) == merge
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\t".join(rows(lowest)[row])


def test_a_click_selects_the_token_that_it_hits(lowest: DerivationPanel, qtbot: QtBot) -> None:
    history = four_words()
    view = table(lowest)
    hit = next(
        x for x in range(view.width()) if history.id_to_token(max(0, view.token_at(2, x))) == "est"
    )
    with qtbot.waitSignal(lowest.tokenSelected) as selected:
        click(lowest, 2, hit + 2)
    assert history.id_to_token(selected.args[0]) == "est"
    with qtbot.waitSignal(lowest.positionSelected) as gone:
        click(lowest, 3)
    assert gone.args == [3]
    with qtbot.assertNotEmitted(lowest.positionSelected):
        click(lowest, 0, hit)
        click(lowest, 6)


def play_fast(panel: DerivationPanel, *stops: tuple[int, Callable[[], object]]) -> None:
    """Play without a rest, and do something at some of the rows as soon as they are current."""
    timer = panel.findChild(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert isinstance(timer, QTimer)
    timer.setInterval(0)
    waiting = dict(stops)

    def stop(now: QModelIndex, before: QModelIndex) -> None:
        waiting.pop(now.row(), lambda: None)()

    table(panel).selectionModel().currentRowChanged.connect(stop)


def test_it_plays_row_by_row(lowest: DerivationPanel, qtbot: QtBot) -> None:
    play_fast(lowest)
    seen: list[int] = []
    table(lowest).selectionModel().currentRowChanged.connect(lambda now, _: seen.append(now.row()))
    QTest.mouseClick(play_button(lowest), Qt.MouseButton.LeftButton)
    assert play_button(lowest).text() == "Pause"
    assert table(lowest).revealed == 0
    qtbot.waitUntil(lambda: not lowest.playing)
    assert seen[-6:] == [1, 2, 3, 4, 5, 6]
    assert table(lowest).revealed is None
    assert play_button(lowest).text() == "Play"


def test_playing_can_be_paused_and_gone_on_with(lowest: DerivationPanel, qtbot: QtBot) -> None:
    view = table(lowest)
    revealed: list[int | None] = []
    play_fast(
        lowest,
        (2, lambda: QTest.keyClick(view, Qt.Key.Key_Space)),
        (4, lambda: (revealed.append(view.revealed), lowest.hide())),
    )
    QTest.keyClick(view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not lowest.playing)
    assert view.revealed == 2
    covered = picture(lowest)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.revealed == 3
    assert picture(lowest) != covered
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert lowest.playing
    qtbot.waitUntil(lambda: not lowest.playing)
    assert revealed == [4]
    assert view.revealed is None


def test_another_word_ends_the_play(lowest: DerivationPanel) -> None:
    lowest.toggle_play()
    lowest.set_word("newest")
    assert not lowest.playing
    assert rows(lowest)[-1][2].startswith("newest</w>")
    lowest.set_word("")
    assert model(lowest).rowCount() == 0
    lowest.toggle_play()
    assert not lowest.playing


def test_the_position_may_move_while_it_plays(lowest: DerivationPanel, qtbot: QtBot) -> None:
    play_fast(lowest, (2, lambda: lowest.show_position(1, False)))
    lowest.toggle_play()
    qtbot.waitUntil(lambda: not lowest.playing)
    assert table(lowest).currentIndex().row() == 2


def test_unseen_it_only_remembers(panel: DerivationPanel) -> None:
    panel.hide()
    history = four_words()
    panel.set_history(history)
    panel.set_word("lowest")
    assert model(panel).rowCount() == 0
    panel.show()
    panel.show_position(len(history), False)
    assert model(panel).rowCount() == 7
    panel.set_history(None)
    assert model(panel).rowCount() == 0
    assert panel.word == "lowest"


def test_bytes_unknown_characters_and_halves(panel: DerivationPanel) -> None:
    panel.set_history(byte_level("low lower"))
    panel.set_word(" é\t")
    assert rows(panel)[0] == ("", "4 tokens", "␣  0xC3  0xA9  ⇥")
    panel.set_history(four_words())
    panel.set_word("l中\ud800")
    assert rows(panel)[0][2] == "l  中  �  </w>"
    assert rows(panel)[-1][2].split("  ")[1] == "中 ?"


def test_a_word_as_long_as_a_document(panel: DerivationPanel) -> None:
    text = "ab" * 500 + "cab" * 700
    history = trained([(text, 1)], four_words().recipe.with_changes(vocabulary_size=None), 40)
    panel.set_history(history)
    panel.show_position(len(history), False)
    panel.set_word(text)
    last = model(panel).result_row - 1
    table(panel).setCurrentIndex(model(panel).index(last, Column.TOKENS))
    tokens = model(panel).tokens(last)
    merge = model(panel).merge(last)
    assert merge is not None
    assert tokens.ids[tokens.new] == merge.new_id
    assert len(tokens.labels) <= 128
    middle = model(panel).tokens(900)
    assert middle.cut
    assert middle.new == 6


def test_a_token_is_underlined(lowest: DerivationPanel) -> None:
    history = four_words()
    before = picture(lowest)
    lowest.select_token(int(history.new_id[0]))
    assert picture(lowest) != before
    lowest.select_token(-1)
    assert picture(lowest) == before


def test_themes_and_sizes(lowest: DerivationPanel) -> None:
    lowest.setPalette(palette(DARK))
    dark = picture(lowest)
    lowest.setPalette(palette(LIGHT))
    assert picture(lowest) != dark
    small = table(lowest).rowHeight(0)
    lowest.resize(1400, 900)
    assert table(lowest).rowHeight(0) > small
    lowest.resize(260, 200)
    assert (lowest.width(), lowest.height()) == (260, 200)
    assert table(lowest).rowHeight(0) <= small
