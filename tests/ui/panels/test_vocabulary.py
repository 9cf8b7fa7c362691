"""The vocabulary panel: following, searching, sorting, selecting."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QStyleOptionHeaderV2,
    QTableView,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.panels.vocabulary.columns import BYTES, COLUMNS, COUNT, ID, NOW, PARENTS, TOKEN
from bpe_gui.ui.panels.vocabulary.panel import VocabularyPanel
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.widgets.search_tools import ChoiceMenu
from tests.ui.driving import act, child, colours, shown
from tests.ui.histories import byte_level, four_words, invented, trained
from tests.ui.panels.painted import painted_texts
from tests.ui.panels.parts import parts

# The offscreen platform knows no window manager to tell the sizes to.
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder

ENTRIES = " entries; training stops at 30,000 at the latest"



@pytest.fixture
def panel(qtbot: QtBot, motion: MergeMotion) -> VocabularyPanel:
    return shown(qtbot, VocabularyPanel(parts(motion=motion)), 420, 300)


def table_of(panel: VocabularyPanel) -> QTableView:
    return child(panel, QTableView, "vocabularyTable")


def search_of(panel: VocabularyPanel) -> QLineEdit:
    return child(panel, QLineEdit, "vocabularySearch")


def follow_of(panel: VocabularyPanel) -> QToolButton:
    return child(panel, QToolButton, "followNewest")


def at_the_end(table: QTableView) -> bool:
    return table.verticalScrollBar().value() == table.verticalScrollBar().maximum()


def tokens_of(panel: VocabularyPanel) -> list[int]:
    return [panel.model.token_at(row) for row in range(panel.model.rowCount())]


def click(table: QTableView, row: int) -> None:
    place = table.visualRect(table.model().index(row, TOKEN)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def found(panel: VocabularyPanel) -> Callable[[], None]:
    def check() -> None:
        assert not panel.model.searching

    return check


def test_headers_say_what_their_columns_are(panel: VocabularyPanel) -> None:
    header = table_of(panel).model()
    horizontal, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    told = {
        header.headerData(column, horizontal): header.headerData(column, horizontal, tip)
        for column in range(header.columnCount())
    }
    assert "number of the token" in told["id"]
    assert "parents of the token were neighbours when they were merged" in told["first count"]
    assert "at the cursor" in told["count now"]
    assert "part of a longer token" in told["count now"]
    assert "merged into this one" in told["made from"]


def count(panel: VocabularyPanel) -> str:
    """What is said of the number of tokens."""
    return next(label.text() for label in panel.findChildren(QLabel) if label.property("quiet"))


def test_empty_states_say_why(panel: VocabularyPanel) -> None:
    assert "Open a corpus to" in " ".join(painted_texts(table_of(panel)))
    panel.set_history(four_words())
    search_of(panel).setText("qqq")
    assert "No token matches" in " ".join(painted_texts(table_of(panel)))
    assert count(panel) == "0 of 11 entries"
    panel.set_history(None)
    assert "Open a corpus to" in " ".join(painted_texts(table_of(panel)))
    assert count(panel) == ""


def test_the_count_has_separators(panel: VocabularyPanel, qtbot: QtBot) -> None:
    panel.set_history(invented(1000))
    panel.show_position(1000, True)
    assert count(panel) == f"1,256{ENTRIES}"
    search_of(panel).setText("1,255")
    qtbot.waitUntil(found(panel))
    assert count(panel) == "1 of 1,256 entries"
    assert tokens_of(panel) == [1255]


def test_the_newest_token_is_followed(panel: VocabularyPanel) -> None:
    panel.set_history(invented(3000))
    table = table_of(panel)
    for position in (1, 100, 3000, 50, 2000):
        panel.show_position(position, True)
        assert at_the_end(table)
        assert whole_rows(table)[-1] == 256 + position - 1


def test_before_the_first_merge_the_list_begins_on_top(
    panel: VocabularyPanel, qtbot: QtBot
) -> None:
    panel.set_history(invented(3000))
    table = table_of(panel)
    bar = table.verticalScrollBar()
    for _ in range(2):
        panel.show_position(0, False)
        qtbot.waitUntil(lambda: bar.maximum() > 0)
        assert whole_rows(table)[0] == 0
        bar.triggerAction(bar.SliderAction.SliderPageStepAdd)
        assert (place := bar.value()) > 0
        assert follow_of(panel).isChecked(), "no token has been left behind"
        panel.resize(panel.width(), panel.height() - 40)
        assert bar.value() == place, "another height does not take it back"
        panel.show_position(1, False)
        assert at_the_end(table)


def test_a_token_appears_when_its_merge_has_been_seen(
    panel: VocabularyPanel, motion: MergeMotion
) -> None:
    panel.set_history(four_words())
    motion.hold(0.2)
    motion.go_to(2, False)
    panel.show_position(2, False)
    assert count(panel) == f"13{ENTRIES}"
    for position, tokens in ((3, 13), (4, 14)):
        motion.go_to(position, False)
        panel.show_position(position, False)
        assert count(panel) == f"{tokens}{ENTRIES}", "its tokens are still two"
        assert len(tokens_of(panel)) == tokens
    motion.hold(0.5)
    assert motion.shows(4), "it is still seen"
    assert count(panel) == f"15{ENTRIES}"
    assert len(tokens_of(panel)) == 15
    motion.go_to(3, False)
    panel.show_position(3, False)
    assert count(panel) == f"14{ENTRIES}", "nothing is animated backwards"


@pytest.mark.parametrize("height", [160, 300, 307, 314, 321, 600])
def test_no_row_stands_half_under_the_headings(panel: VocabularyPanel, height: int) -> None:
    panel.resize(420, height)
    panel.set_history(invented(3000))
    table = table_of(panel)
    panel.show_position(1000, True)
    assert whole_rows(table)[-1] == table.model().rowCount() - 1
    for token in (700, 300, 1200, 0):
        panel.select_token(token)
        assert token in whole_rows(table)
    panel.select_token(700)
    panel.resize(420, height - 45)
    assert 700 in whole_rows(table)


def whole_rows(table: QTableView) -> range:
    """The rows that are seen whole; the first in view has to be one of them."""
    first = table.rowAt(0)
    assert table.rowViewportPosition(first) == 0
    room = table.viewport().height() // table.rowHeight(first)
    return range(first, min(first + room, table.model().rowCount()))


def test_scrolling_up_stops_following(panel: VocabularyPanel) -> None:
    panel.set_history(invented(3000))
    table = table_of(panel)
    panel.show_position(1000, True)
    middle = QPointF(table.viewport().rect().center())
    wheel = QWheelEvent(
        middle,
        table.viewport().mapToGlobal(middle),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(table.viewport(), wheel)
    assert not follow_of(panel).isChecked()
    top = table.rowAt(0)
    panel.show_position(2000, True)
    assert table.rowAt(0) == top
    follow_of(panel).setChecked(True)
    assert at_the_end(table)


def test_sorting_stops_following_and_following_ends_sorting(panel: VocabularyPanel) -> None:
    panel.set_history(invented(2000))
    panel.show_position(2000, False)
    header = table_of(panel).horizontalHeader()
    header.setSortIndicator(COUNT, DESCENDING)
    assert not follow_of(panel).isChecked()
    assert "last merge in view" in follow_of(panel).toolTip()
    assert "sorting" in follow_of(panel).toolTip()
    assert tokens_of(panel)[0] == 256
    assert table_of(panel).rowAt(0) == 0
    follow_of(panel).setChecked(True)
    assert header.sortIndicatorSection() == ID
    assert tokens_of(panel)[-1] == 2255
    assert at_the_end(table_of(panel))


def test_the_arrow_is_not_at_the_heading_of_numbers(panel: VocabularyPanel) -> None:
    panel.set_history(four_words())
    header = table_of(panel).horizontalHeader()
    for column, shifted in ((COUNT, True), (TOKEN, False)):
        widths = []
        for by in (ID, column):
            header.setSortIndicator(by, ASCENDING)
            option = QStyleOptionHeaderV2()
            header.initStyleOptionForIndex(option, column)
            widths.append(header.fontMetrics().horizontalAdvance(option.text))
        assert (widths[1] > widths[0]) is shifted


def test_clicking_a_header_sorts(panel: VocabularyPanel, qtbot: QtBot) -> None:
    history = byte_level("low lower newest widest")
    panel.resize(470, 300)
    panel.set_history(history)
    panel.show_position(len(history), False)
    header = table_of(panel).horizontalHeader()
    x = header.sectionViewportPosition(BYTES) + 10
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 8))
    lengths = [len(history.bytes_in_text(token)) for token in tokens_of(panel)]
    assert lengths == sorted(lengths)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 8))
    lengths = [len(history.bytes_in_text(token)) for token in tokens_of(panel)]
    assert lengths == sorted(lengths, reverse=True)


def test_sorted_rows_keep_their_place_while_tokens_come(panel: VocabularyPanel) -> None:
    panel.set_history(invented(3000))
    panel.show_position(2000, True)
    table = table_of(panel)
    table.horizontalHeader().setSortIndicator(COUNT, ASCENDING)
    table.verticalScrollBar().setValue(400)
    panel.show_position(2500, True)
    assert table.verticalScrollBar().value() == 400


def test_a_click_selects_a_token(panel: VocabularyPanel, qtbot: QtBot) -> None:
    panel.set_history(four_words())
    follow_of(panel).setChecked(False)
    table_of(panel).scrollToTop()
    with qtbot.waitSignal(panel.tokenSelected) as caught:
        click(table_of(panel), 2)
    assert caught.args == [2]
    with qtbot.waitSignal(panel.tokenSelected) as caught:
        QTest.keyClick(table_of(panel), Qt.Key.Key_Down)
    assert caught.args == [3]


def test_selecting_an_older_token_stops_following(panel: VocabularyPanel) -> None:
    panel.set_history(invented(3000))
    panel.show_position(1000, True)
    table = table_of(panel)
    row = table.rowAt(10)
    click(table, row)
    assert not follow_of(panel).isChecked()
    place = table.rowAt(0)
    panel.show_position(1500, True)
    assert table.rowAt(0) == place
    assert table.currentIndex().row() == row


def test_nothing_but_the_user_emits(panel: VocabularyPanel, qtbot: QtBot) -> None:
    history = invented(3000)
    panel.set_history(history)
    with qtbot.assertNotEmitted(panel.tokenSelected):
        panel.show_position(3000, False)
        panel.select_token(700)
        panel.show_position(100, False)
        panel.show_position(3000, False)
        search_of(panel).setText("a")
        table_of(panel).horizontalHeader().setSortIndicator(TOKEN, DESCENDING)
        panel.select_token(2000)
        panel.select_token(-1)
        panel.set_history(history)
        panel.set_history(None)
    qtbot.waitUntil(found(panel))


def test_a_token_can_be_shown(panel: VocabularyPanel) -> None:
    panel.set_history(invented(3000))
    panel.show_position(3000, False)
    table = table_of(panel)
    panel.select_token(700)
    assert table.currentIndex().row() == 700
    assert table.viewport().rect().contains(table.visualRect(table.currentIndex()))
    assert not follow_of(panel).isChecked()


def test_a_token_that_is_chosen_before_it_exists_is_shown_once_it_does(
    panel: VocabularyPanel,
) -> None:
    """So it is where a session is opened."""
    panel.set_history(invented(3000))
    follow_of(panel).setChecked(False)
    panel.show_position(0, False)
    panel.select_token(900)
    panel.show_position(100, False)
    assert 900 not in whole_rows(table_of(panel))
    panel.show_position(2000, False)
    assert 900 in whole_rows(table_of(panel))


def test_a_token_that_is_shown_stays_in_view_until_the_user_scrolls(panel: VocabularyPanel) -> None:
    panel.resize(420, 600)
    panel.set_history(invented(3000))
    panel.show_position(3000, False)
    table = table_of(panel)
    panel.select_token(700)
    for height in (200, 700, 180):
        panel.resize(420, height)
        assert table.viewport().rect().contains(table.visualRect(table.currentIndex()))
    bar = table.verticalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    panel.resize(420, 300)
    assert bar.value() == 0


def test_showing_a_token_clears_a_search_that_hides_it(panel: VocabularyPanel) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(len(history), False)
    search_of(panel).setText("low")
    panel.select_token(tokens_of(panel)[0])
    assert search_of(panel).text() == "low"
    panel.select_token(0)
    assert search_of(panel).text() == ""
    assert table_of(panel).currentIndex().row() == 0


def test_the_selected_token_comes_back_with_its_position(panel: VocabularyPanel) -> None:
    panel.set_history(four_words())
    panel.show_position(5, False)
    base = len(four_words().base)
    panel.select_token(base + 3)
    panel.show_position(2, False)
    assert not table_of(panel).currentIndex().isValid()
    panel.show_position(7, False)
    assert table_of(panel).currentIndex().row() == base + 3
    table_of(panel).horizontalHeader().setSortIndicator(TOKEN, ASCENDING)
    row = table_of(panel).currentIndex().row()
    assert panel.model.token_at(row) == base + 3


def test_a_token_that_does_not_exist_here_is_no_error(panel: VocabularyPanel) -> None:
    panel.set_history(four_words())
    search_of(panel).setText("l")
    panel.select_token(10_000)
    assert search_of(panel).text() == "l"
    assert not table_of(panel).currentIndex().isValid()


def test_a_long_search_ends(panel: VocabularyPanel, qtbot: QtBot) -> None:
    history = invented(20_000)
    panel.set_history(history)
    panel.show_position(20_000, False)
    search_of(panel).setText("qz")
    qtbot.waitUntil(found(panel))
    texts = [history.id_to_token(token) for token in tokens_of(panel)]
    assert texts
    assert all("qz" in text.lower() for text in texts)
    assert count(panel) == f"{len(texts):,} of 20,256 entries"


def test_a_hidden_panel_does_not_search(panel: VocabularyPanel) -> None:
    panel.set_history(invented(20_000))
    panel.show_position(20_000, False)
    search_of(panel).setText("qz")
    panel.hide()
    before = tokens_of(panel)
    for _ in range(50):
        QApplication.processEvents()
    assert panel.model.searching
    assert tokens_of(panel) == before


def test_what_is_searched_for_stands_still(panel: VocabularyPanel, qtbot: QtBot) -> None:
    history = invented(6000)
    panel.set_history(history)
    panel.show_position(3000, True)
    table = table_of(panel)
    search_of(panel).setText("ab")
    qtbot.waitUntil(found(panel))
    assert tokens_of(panel)
    assert table.rowAt(0) == 0
    for position in (4000, 5000, 6000):
        panel.show_position(position, True)
        qtbot.waitUntil(found(panel))
        assert table.rowAt(0) == 0
    assert follow_of(panel).isChecked(), "it goes on when nothing is searched for"
    search_of(panel).clear()
    assert at_the_end(table)


def test_the_count_names_the_filters(panel: VocabularyPanel, qtbot: QtBot) -> None:
    history = byte_level("the cat the hat in 2016")
    panel.set_history(history)
    panel.show_position(len(history), False)
    act(panel, "filterSpaceAction")
    qtbot.waitUntil(found(panel))
    shown = [history.token_bytes(token) for token in tokens_of(panel)]
    assert shown
    assert all(content.startswith(b" ") for content in shown)
    size = history.vocabulary_size(len(history))
    share = f"{100 * len(shown) / size:.1f}%"
    assert count(panel) == f"{len(shown)} of {size} entries ({share}), begins with a space"
    act(panel, "filterLatinAction")
    qtbot.waitUntil(lambda: count(panel).endswith("begins with a space, script Latin"))
    act(panel, "filterGreekAction")
    qtbot.waitUntil(found(panel))
    assert count(panel) == f"0 of {size} entries, begins with a space, script Greek"
    act(panel, "showAllTokensAction")
    assert count(panel) == f"{size} entries", "the run has stopped before the most that it may have"


def test_tokens_that_the_text_does_not_use(qtbot: QtBot) -> None:
    sample = SampleText()
    sample.set("low lower")
    panel = shown(qtbot, VocabularyPanel(parts(sample=sample)), 420, 300)
    history = four_words()
    panel.set_history(history)
    panel.show_position(len(history), False)
    act(panel, "filterUnusedAction")

    def unused() -> set[str]:
        return {history.id_to_token(token) for token in tokens_of(panel)}

    qtbot.waitUntil(lambda: count(panel).endswith("never used in the text") and bool(unused()))
    assert "newest</w>" in unused()
    assert "low</w>" not in unused()
    sample.set("newest")
    qtbot.waitUntil(lambda: "low</w>" in unused())
    assert "newest</w>" not in unused()
    panel.show_position(2, False)
    qtbot.waitUntil(lambda: "es" in unused() and "est" not in unused())
    qtbot.waitUntil(lambda: panel.task.at_rest)
    panel.task.close()


def test_a_bad_pattern_is_told_in_the_table(panel: VocabularyPanel) -> None:
    panel.set_history(four_words())
    act(panel, "filterRegexAction")
    assert search_of(panel).placeholderText() == "Search by regular expression"
    search_of(panel).setText("lo(")
    told = " ".join(painted_texts(table_of(panel)))
    assert "'lo(' is not a regular expression" in told


def test_showing_a_token_clears_filters_that_hide_it(panel: VocabularyPanel) -> None:
    history = byte_level("the cat the hat")
    panel.set_history(history)
    panel.show_position(len(history), False)
    act(panel, "filterRegexAction")
    act(panel, "filterSpaceAction")
    panel.select_token(0)
    assert table_of(panel).currentIndex().row() == 0
    chosen = child(panel, ChoiceMenu, "vocabularyFilter").chosen
    assert chosen == ("regex",), "how a search is read hides nothing"


def test_keys_in_the_search_field(panel: VocabularyPanel, qtbot: QtBot) -> None:
    panel.set_history(four_words())
    field = search_of(panel)
    field.setFocus()
    QTest.keyClicks(field, "w")
    assert len(tokens_of(panel)) == 2
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    QTest.keyClick(field, Qt.Key.Key_Down)
    qtbot.waitUntil(table_of(panel).hasFocus)


def test_the_keyboard_chooses_no_token_by_coming(panel: VocabularyPanel, qtbot: QtBot) -> None:
    history = invented(100)
    panel.set_history(history)
    panel.show_position(100, False)
    table = table_of(panel)
    with qtbot.assertNotEmitted(panel.tokenSelected):
        search_of(panel).setFocus()
        qtbot.waitUntil(search_of(panel).hasFocus)
        table.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.waitUntil(table.hasFocus)
    assert follow_of(panel).isChecked()
    assert not table.currentIndex().isValid()
    with qtbot.waitSignal(panel.tokenSelected) as caught:
        QTest.keyClick(table, Qt.Key.Key_Up)
    assert caught.args == [history.vocabulary_size(100) - 1], "the newest is where one looks"


def test_a_row_can_be_copied(panel: VocabularyPanel) -> None:
    panel.set_history(byte_level("the the then"))
    panel.show_position(2, False)
    row = panel.model.rowCount() - 1
    panel.select_token(row)
    QTest.keyClick(table_of(panel), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    cells = QGuiApplication.clipboard().text().split("\t")
    assert cells[0] == str(row)
    assert len(cells) == len(COLUMNS)


def has_colour(image: QImage, wanted: str) -> bool:
    """Whether a colour is in a picture, or nearly so: letters are smoothed at their edges."""
    colour = QColor(wanted)
    return any(
        abs(seen.red() - colour.red())
        + abs(seen.green() - colour.green())
        + abs(seen.blue() - colour.blue())
        < 30
        for seen in map(QColor, colours(image))
    )


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_rows_are_drawn_in_the_colours_of_the_theme(panel: VocabularyPanel, theme: Theme) -> None:
    panel.setPalette(palette(theme))
    history = four_words()
    panel.set_history(history)
    panel.show_position(3, False)
    panel.select_token(len(history.base))
    drawn = table_of(panel).viewport().grab().toImage()
    for colour in (theme.panel, theme.selection, theme.text, theme.muted):
        assert has_colour(drawn, colour)
    assert has_colour(drawn, theme.accent), "the newest token"


@pytest.mark.parametrize(
    ("width", "hidden"),
    [
        (220, [BYTES, PARENTS, NOW]),
        (340, [BYTES, NOW]),
        (420, [BYTES]),
        (470, []),
        (900, []),
    ],
)
def test_columns_fill_the_width(
    panel: VocabularyPanel, qtbot: QtBot, width: int, hidden: list[int]
) -> None:
    panel.resize(width, 300)
    panel.set_history(invented(2000))
    panel.show_position(2000, False)
    table = table_of(panel)
    header = table.horizontalHeader()
    qtbot.waitUntil(lambda: header.length() == table.viewport().width())
    assert not table.horizontalScrollBar().isVisible()
    # The bytes give way first, then the parents; the tooltip has them.
    assert [column for column in range(len(COLUMNS)) if table.isColumnHidden(column)] == hidden
    advance = table.fontMetrics().horizontalAdvance
    # Letters stand eight pixels from the edges of their cells.
    assert table.columnWidth(ID) >= advance("123456") + 16
    assert table.columnWidth(COUNT) >= advance("800,000") + 16
    name = str(table.model().headerData(COUNT, Qt.Orientation.Horizontal))
    assert table.columnWidth(COUNT) >= advance(name) + 16, "no heading is cut"
    assert name == ("count" if width == 220 else "first count")
    if BYTES not in hidden:
        assert table.columnWidth(BYTES) >= advance("20 74 …") + 16
    table.grab()
    panel.resize(900, 300)
    assert not any(table.isColumnHidden(column) for column in range(len(COLUMNS)))


def test_bytes_have_a_column_only_where_tokens_are_made_of_them(panel: VocabularyPanel) -> None:
    panel.resize(900, 300)
    table = table_of(panel)
    for history, in_bytes in ((four_words(), False), (byte_level("low"), True)) * 2:
        panel.set_history(history)
        panel.show_position(len(history), False)
        assert table.isColumnHidden(BYTES) is not in_bytes
        newest = history.bytes_in_text(int(history.new_id[-1]))
        assert (newest.hex(" ").upper() in painted_texts(table)) is in_bytes
        assert table.horizontalHeader().length() == table.viewport().width()


def test_counts_over_a_million_have_room(panel: VocabularyPanel) -> None:
    history = trained([("ab", 1_273_345)], preset("raw"))
    panel.set_history(history)
    table = table_of(panel)
    text = str(history.count[0].item())
    assert text == "1273345"
    assert table.columnWidth(COUNT) >= table.fontMetrics().horizontalAdvance("1,273,345") + 16


@pytest.mark.parametrize(("width", "complete"), [(470, 3), (560, 4), (900, 8)])
def test_bytes_are_written_in_hex_as_far_as_there_is_room(
    panel: VocabularyPanel, width: int, complete: int
) -> None:
    panel.resize(width, 300)
    words = [(f"{chr(97 + n)}" * n, 2) for n in range(1, 20)]
    history = trained(words, preset("gpt2"))
    panel.set_history(history)
    panel.show_position(len(history), False)
    table = table_of(panel)
    room = table.columnWidth(BYTES) - 16
    written: set[str] = set()
    for token in range(0, history.vocabulary_size(len(history)), len(whole_rows(table))):
        table.scrollTo(table.model().index(token, TOKEN), table.ScrollHint.PositionAtTop)
        written |= set(painted_texts(table))
    assert (chr(97 + complete).encode() * complete).hex(" ").upper() in written
    cut = [text for text in written if re.fullmatch("([0-9A-F]{2} )+…", text)]
    assert cut
    assert all(table.fontMetrics().horizontalAdvance(text) <= room for text in cut)


def test_following_goes_on_in_a_smaller_window(panel: VocabularyPanel) -> None:
    panel.resize(420, 600)
    panel.set_history(invented(3000))
    panel.show_position(3000, False)
    table = table_of(panel)
    for height in (300, 700, 400):
        panel.resize(420, height)
        assert at_the_end(table)
        assert whole_rows(table)[-1] == 3255
    follow_of(panel).setChecked(False)
    panel.resize(420, 300)
    assert not at_the_end(table)
