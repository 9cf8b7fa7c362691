"""The panel of the selected token: its tree, what was made of it, and what became of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTabBar, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.derivation import NOWHERE, merge_tree
from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import History
from bpe_gui.bpe.tokenizer import Tokenizer
from bpe_gui.ui.panels.token.canvas import TreeCanvas
from bpe_gui.ui.panels.token.life import LifeCanvas
from bpe_gui.ui.panels.token.panel import TokenPanel
from bpe_gui.ui.run.corpus_queries import CorpusQueries
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.tokens.token_chips import TokenChips
from bpe_gui.ui.tokens.token_words import label as label_of
from tests.analysis.test_derivation import chain
from tests.ui.driving import child, picture, shown
from tests.ui.histories import byte_level, four_words, invented
from tests.ui.panels.painted import painted_texts, text_elements
from tests.ui.panels.parts import parts


@pytest.fixture
def panel(qtbot: QtBot, teller: CorpusQueries) -> TokenPanel:
    return shown(qtbot, TokenPanel(parts(teller)), 420, 360)


@pytest.fixture
def planted(panel: TokenPanel) -> TokenPanel:
    """The tree of "newest</w>" at the end of the four-word run."""
    history = four_words()
    panel.set_history(history)
    panel.show_position(len(history), False)
    panel.select_token(id_of(history, "newest</w>"))
    return panel


def id_of(history: History, text: str) -> int:
    size = history.vocabulary_size(len(history))
    return next(token for token in range(size) if history.id_to_token(token) == text)


def canvas(panel: TokenPanel) -> TreeCanvas:
    return child(panel, TreeCanvas, "treeCanvas")


def chips(panel: TokenPanel) -> TokenChips:
    return child(panel, TokenChips, "madeOfIt")


def label(panel: TokenPanel, name: str) -> QLabel:
    return child(panel, QLabel, name)


def node_of(panel: TokenPanel, text: str) -> int:
    return labels(panel).index(text)


def labels(panel: TokenPanel) -> list[str]:
    """The nodes that are in view, in the tree's order."""
    found: list[str] = []
    for text in painted_texts(canvas(panel)):
        if text == "</w>" and len(found[-1]) > 1:
            found[-1] += text  # Its mark is written by itself; the letters are nodes of their own.
        elif not text.startswith("merge "):
            found.append(text)
    return found


def click(panel: TokenPanel, node: int) -> None:
    place = canvas(panel).place_of(node)
    QTest.mouseClick(canvas(panel).viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_it_can_be_found_and_says_what_is_missing(panel: TokenPanel) -> None:
    assert panel.objectName() == "tokenTree"
    assert canvas(panel).accessibleName()
    assert "Open a corpus to" in canvas(panel).accessibleDescription()
    panel.set_history(four_words())
    assert "Select a token" in canvas(panel).accessibleDescription()
    panel.select_token(10_000)
    assert "Select a token" in canvas(panel).accessibleDescription()
    assert not label(panel, "tokenFacts").isVisible()


def test_the_tree_of_a_token(planted: TokenPanel) -> None:
    history = four_words()
    tree = merge_tree(history, id_of(history, "newest</w>"))
    assert labels(planted) == [
        *("newest</w>", "new", "ne", "n", "e", "w", "est</w>", "est", "es", "e", "s", "t", "</w>")
    ]
    written = painted_texts(canvas(planted))
    assert written[written.index("newest") : 3] == ["newest", "</w>", "merge 8"]
    assert written[written.index("n") + 1] == "e"
    places = [canvas(planted).place_of(node) for node in range(len(tree))]
    leaves = [place for node, place in enumerate(places) if tree.lefts[node] == NOWHERE]
    assert len({place.y() for place in leaves}) == 1
    assert all(one.x() < other.x() for one, other in pairwise(leaves))
    for place, parent in zip(places[1:], tree.parents[1:], strict=True):
        assert places[parent].y() < place.y()


def test_the_facts_of_a_token(planted: TokenPanel) -> None:
    facts = label(planted, "tokenFacts").text().replace("&nbsp;", " ")
    assert "newest&lt;/w&gt;" in facts
    assert "id 18" in facts
    assert "merge 8, seen 6 times" in facts
    assert "6 bytes, end of word" in facts
    assert "not made yet" not in facts
    planted.show_position(7, False)
    assert "not made yet" in label(planted, "tokenFacts").text().replace("&nbsp;", " ")


def test_the_end_of_word_marker_has_no_bytes(planted: TokenPanel) -> None:
    view = canvas(planted)
    marker, new = (view.tooltip_at(view.place_of(node_of(planted, t))) for t in ("</w>", "new"))
    assert "</w>" in marker
    assert "0 bytes, end of word" in marker
    assert "3 bytes\n" in new


def test_a_click_goes_to_the_merge_and_the_tree_stays(planted: TokenPanel, qtbot: QtBot) -> None:
    history = four_words()
    before = labels(planted)
    est = node_of(planted, "est")
    with (
        qtbot.waitSignal(planted.tokenSelected) as selected,
        qtbot.waitSignal(planted.positionSelected) as gone,
    ):
        click(planted, est)
    assert selected.args == [id_of(history, "est")]
    # Behind the merge, so that the token is there.
    assert gone.args == [history.step(id_of(history, "est")) + 1]
    assert history.vocabulary_size(gone.args[0]) == id_of(history, "est") + 1
    planted.select_token(selected.args[0])  # as the window answers
    assert labels(planted) == before
    assert "<b>est</b>" in label(planted, "tokenFacts").text()
    planted.select_token(id_of(history, "low"))
    assert labels(planted)[0] == "low"


def test_a_symbol_has_no_merge_to_go_to(planted: TokenPanel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(planted.positionSelected), qtbot.waitSignal(planted.tokenSelected):
        click(planted, node_of(planted, "w"))
    assert "there from the start" in label(planted, "tokenFacts").text().replace("&nbsp;", " ")


def test_a_double_click_shows_that_tokens_own_tree(planted: TokenPanel) -> None:
    place = canvas(planted).place_of(node_of(planted, "est"))
    QTest.mouseDClick(canvas(planted).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert labels(planted)[0] == "est"


def test_beside_the_nodes_nothing_happens(planted: TokenPanel, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(planted.tokenSelected):
        QTest.mouseClick(canvas(planted).viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))


def colour_of(panel: TokenPanel, node: int) -> str:
    """The colour of tokens that a node is filled with; empty for none."""
    view = canvas(panel)
    image, place = picture(view.viewport()), view.place_of(node)
    near = {image.pixelColor(place.x(), place.y() + y).name() for y in range(-12, 13)}
    return min(near & {*DARK.token_fills.of_tokens, DARK.selection}, default="")


def test_what_exists_at_the_cursor_is_how_the_token_is_cut_there(planted: TokenPanel) -> None:
    history = four_words()
    tree = merge_tree(history, id_of(history, "newest</w>"))
    pictures = []
    for position in range(len(history) + 1):
        planted.show_position(position, False)
        colours = [colour_of(planted, node) for node in range(len(tree))]
        cut = [tree.tokens[node] for node, colour in enumerate(colours) if colour]
        assert cut == Tokenizer(history, position).encode("newest").ids.tolist()
        pictures.append(picture(planted))
    assert pictures[0] != pictures[1]
    assert pictures[0] != pictures[-1]


def test_keys_go_from_node_to_node(planted: TokenPanel, qtbot: QtBot) -> None:
    view = canvas(planted)
    view.setFocus()
    said = []
    for key in (
        *(Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up),
        *(Qt.Key.Key_End, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Up),
    ):
        QTest.keyClick(view, key)
        said.append(view.accessibleDescription().split("“")[1].split("”")[0])
    assert said == [
        *("new", "est</w>", "est", "w", "new", "</w>", "</w>", "newest</w>", "newest</w>")
    ]
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert "17  “new”" in view.accessibleDescription()
    with qtbot.waitSignal(planted.positionSelected) as gone:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert gone.args == [7]
    QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert labels(planted)[0] == "new"


def test_its_keys_are_kept_from_stepping_through_the_history_where_tab_led_to_it(
    planted: TokenPanel, qapp: QApplication
) -> None:
    planted.select_token(id_of(four_words(), "es"))
    for by_tab in (True, False):
        qapp.setProperty("goesByKeyboard", by_tab)
        for widget in (canvas(planted), chips(planted)):
            event = QKeyEvent(
                QKeyEvent.Type.ShortcutOverride, Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier
            )
            event.ignore()
            QApplication.sendEvent(widget, event)
            assert event.isAccepted() == by_tab


@pytest.mark.qt_log_ignore("does not support raise")
def test_hovering_tells_about_a_node(planted: TokenPanel, qtbot: QtBot) -> None:
    place = canvas(planted).place_of(node_of(planted, "est"))
    view = canvas(planted).viewport()
    QApplication.sendEvent(view, QHelpEvent(QHelpEvent.Type.ToolTip, place, place))
    assert "merge 2: es + t, seen 9 times" in QToolTip.text()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_tokens_made_of_it_at_the_cursor(planted: TokenPanel, qtbot: QtBot) -> None:
    history = four_words()
    planted.select_token(id_of(history, "est</w>"))
    shown = chips(planted)
    assert painted_texts(shown)[1:] == ["newest", "</w>", "widest", "</w>"]
    planted.show_position(9, False)
    plain = picture(shown)
    planted.show_position(8, False)
    assert painted_texts(shown)[1:] == ["newest", "</w>"]
    assert picture(shown) != plain, "the newest token stands out"
    planted.show_position(7, False)
    assert shown.shown == 0
    assert "Not part of any" in shown.accessibleDescription()
    planted.show_position(len(history), False)
    with qtbot.waitSignal(planted.tokenSelected) as selected:
        QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=shown.place_of(1))
    assert selected.args == [id_of(history, "widest</w>")]
    assert labels(planted)[0] == "widest</w>"


def test_chips_by_keyboard(planted: TokenPanel, qtbot: QtBot) -> None:
    history = four_words()
    planted.select_token(id_of(history, "est</w>"))
    shown = chips(planted)
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Right)
    assert "2 of 2: id 22, merge 12" in shown.accessibleDescription()
    QTest.keyClick(shown, Qt.Key.Key_Home)
    with qtbot.waitSignal(planted.tokenSelected) as selected:
        QTest.keyClick(shown, Qt.Key.Key_Enter)
    assert selected.args == [id_of(history, "newest</w>")]


def test_many_children_are_capped_and_counted(panel: TokenPanel) -> None:
    history = invented(3000)
    panel.set_history(history)
    panel.show_position(3000, False)
    panel.select_token(220)
    shown = chips(panel)
    uses = int(((history.left == 220) | (history.right == 220)).sum())
    assert 0 < shown.shown < uses
    assert f"+ {uses - shown.shown:,} more" in painted_texts(shown)
    for width in range(60, 700, 37):
        shown.resize(width, shown.height())
        assert all(shown.place_of(chip).x() < width for chip in range(shown.shown))


def test_a_residue_leads_to_the_merge_that_took_its_last_occurrence(
    planted: TokenPanel, qtbot: QtBot
) -> None:
    history = four_words()
    es = id_of(history, "es")
    planted.select_token(es)
    line = label(planted, "scaffolding")
    assert "within longer tokens (a residue)" in line.text()
    assert "merge 2" in line.text()
    assert f"{visible_pair(b'es', b't')} → est" in line.text()
    with qtbot.waitSignal(planted.positionSelected) as gone:
        line.linkActivated.emit("1")
    assert gone.args == [2]
    planted.show_position(1, False)
    assert "Occurs 9 times." in line.text()
    planted.show_position(0, False)
    assert not line.isVisible(), "it is not made yet"


def test_what_is_left_of_a_token_is_told(planted: TokenPanel) -> None:
    history = four_words()
    low = id_of(history, "low")
    planted.select_token(low)
    # lower took 2, low</w> 5.
    planted.show_position(int(history.step(id_of(history, "low</w>"))) + 1, False)
    told = label(planted, "scaffolding").text()
    assert "Occurs 2 times; 5 of 7 are within longer tokens." in told


def test_symbols_are_counted_once_when_they_are_asked_for(
    planted: TokenPanel, teller: CorpusQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(teller, "count_symbols", lambda: asked.append(True))
    history = four_words()
    planted.set_history(history)
    planted.show_position(len(history), False)
    e, w = id_of(history, "e"), id_of(history, "w")
    planted.select_token(e)
    assert len(asked) == 1
    assert not label(planted, "scaffolding").isVisible()
    planted.select_token(w)
    planted.select_token(e)
    assert len(asked) == 1
    counts = np.zeros(len(history.base), np.int64)
    counts[e] = 20
    planted.set_symbol_counts(four_words(), counts)
    assert not label(planted, "scaffolding").isVisible(), "they are of another run"
    planted.set_symbol_counts(history, counts)
    assert "17 of 20 are within longer tokens" in label(planted, "scaffolding").text()
    planted.set_history(four_words())
    planted.show_position(5, False)
    planted.select_token(e)
    assert len(asked) == 2


def test_the_life_has_its_tab_or_its_place(planted: TokenPanel) -> None:
    tabs, life = child(planted, QTabBar, "tokenTabs"), child(planted, LifeCanvas, "tokenLife")
    assert tabs.isVisible()
    assert not life.isVisible()
    tabs.setCurrentIndex(1)
    assert life.isVisible()
    assert not canvas(planted).isVisible()
    planted.resize(1000, 400)
    assert life.isVisible()
    assert canvas(planted).isVisible()
    assert not tabs.isVisible()
    planted.resize(400, 120)
    assert canvas(planted).isVisible(), "in little room there is the tree"
    assert not tabs.isVisible()


def test_in_little_room_the_tree_has_it_for_itself(planted: TokenPanel) -> None:
    planted.resize(400, 120)
    assert not chips(planted).isVisible()
    planted.resize(400, 400)
    assert chips(planted).isVisible()
    large = planted.font()
    large.setPointSizeF(large.pointSizeF() * 4)
    planted.setFont(large)
    assert not chips(planted).isVisible(), "large text needs more room"


def test_unseen_it_only_remembers(panel: TokenPanel) -> None:
    history = four_words()
    panel.hide()
    panel.set_history(history)
    panel.show_position(4, False)
    panel.select_token(id_of(history, "est"))
    panel.show()
    assert labels(panel)[0] == "est"


def test_another_history_selects_nothing(planted: TokenPanel) -> None:
    planted.set_history(byte_level("low lower"))
    assert "Select a token" in canvas(planted).accessibleDescription()
    assert not chips(planted).isVisible()
    planted.set_history(None)
    assert "Open a corpus to" in canvas(planted).accessibleDescription()


def test_parts_of_characters_are_shown_by_their_bytes(panel: TokenPanel) -> None:
    history = byte_level("где где где")
    panel.set_history(history)
    panel.show_position(len(history), False)
    panel.select_token(int(history.new_id[-1]))
    assert labels(panel)[0] == "␣где"
    assert "0xD0" in labels(panel)


def test_a_token_of_a_hundred_thousand_symbols(
    panel: TokenPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = chain(100_000)
    # Spelled out in full, all of them together would take gigabytes.
    monkeypatch.setattr(History, "token_bytes", lambda _, token: b"a" * min(token + 1, 5000))
    panel.set_history(history)
    panel.show_position(100_000, False)
    panel.select_token(100_000)
    view = canvas(panel)
    tips = [view.tooltip_at(view.place_of(node)) for node in range(255)]
    with pytest.raises(IndexError):
        view.place_of(255)
    assert sum("99,874 tokens at first, left out here" in tip for tip in tips) == 1
    facts = label(panel, "tokenFacts").text().replace("&nbsp;", " ")
    assert "99,873 earlier merges of 100,001 tokens left out above" in facts
    assert canvas(panel).verticalScrollBar().maximum() > 0
    QTest.keyClick(canvas(panel), Qt.Key.Key_End)
    assert canvas(panel).viewport().rect().contains(canvas(panel).place_of(254))


@pytest.mark.parametrize("size", [(260, 200), (1600, 1000)])
def test_it_fits_small_and_large(planted: TokenPanel, size: tuple[int, int]) -> None:
    planted.resize(*size)
    assert (planted.width(), planted.height()) == size
    view = canvas(planted)
    assert view.viewport().height() > 60
    size_of_text = text_elements(view)[0].get("font-size", "")
    assert size_of_text.removesuffix("px") == ("11" if size[0] == 260 else "26")
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.viewport().rect().contains(view.place_of(12))


def test_themes_look_different(planted: TokenPanel) -> None:
    planted.setPalette(palette(DARK))
    dark = picture(planted)
    planted.setPalette(palette(LIGHT))
    assert picture(planted) != dark
    planted.setPalette(palette(DARK))
    assert picture(planted) == dark


def test_until_one_is_selected_the_newest_token_stands_there(panel: TokenPanel) -> None:
    history = byte_level("low lower lowest")
    panel.set_history(history)
    panel.show_position(0, False)
    assert "Select a token" in canvas(panel).accessibleDescription()
    names = [label_of(history.token_bytes(int(token))) for token in history.new_id[:3]]
    for position in (2, 3):
        panel.show_position(position, False)
        assert labels(panel)[0] == names[position - 1]
    panel.show_position(1, True)
    assert labels(panel)[0] == names[2], "nothing jumps while the cursor moves"
    told = chips(panel).accessibleDescription()
    panel.show_position(len(history), True)
    assert labels(panel)[0] == names[2]
    assert chips(panel).accessibleDescription() != told, "but what it says holds where that is"
    panel.select_token(int(history.new_id[0]))
    panel.show_position(3, False)
    assert labels(panel)[0] == names[0]


def test_residues_are_explained_where_they_are_counted(planted: TokenPanel) -> None:
    planted.resize(800, 600)
    planted.show_position(15, False)
    residues = label(planted, "residueCount")
    assert residues.text().endswith("hardly occur outside longer tokens")
    assert "at most a tenth is left" in residues.toolTip()


def test_residues_are_those_at_the_cursor_while_it_moves(planted: TokenPanel) -> None:
    planted.resize(800, 600)
    counts = []
    for position in (1, 2, 15):
        planted.show_position(position, True)
        counts.append(label(planted, "residueCount").text().split(" entries")[0])
    assert counts == ["Residues: 0 of 12", "Residues: 1 of 13", "Residues: 11 of 26"]
