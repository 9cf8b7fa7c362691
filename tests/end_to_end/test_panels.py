"""Panels answer: the vocabulary, the chart of pairs, the tree, and how a word is tokenized."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QMainWindow,
    QTabBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

import bpe_gui
from bpe_gui.bpe.recipe import PRESETS
from tests.end_to_end.window import (
    MERGES,
    bring_up,
    choose,
    digits,
    end,
    focus,
    go_to,
    headings,
    position,
    rows,
    said,
    tab_to,
    tokens,
    write,
)
from tests.ui.driving import act, child


def check_the_vocabulary_is_searched(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "vocabularySearch", "est")
    found = [token for token in MERGES if "est" in token]
    qtbot.waitUntil(lambda: tokens(trained) == found)
    write(qtbot, trained, "vocabularySearch", "nowhere")
    qtbot.waitUntil(lambda: tokens(trained) == [])
    write(qtbot, trained, "vocabularySearch", "")
    qtbot.waitUntil(lambda: set(MERGES) <= set(tokens(trained)))


def check_the_best_match_is_first_and_the_list_stands_still(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    write(qtbot, trained, "vocabularySearch", "low")
    qtbot.waitUntil(lambda: tokens(trained)[:4] == ["low", "low</w>", "lowe", "lower"])
    table = child(trained, QAbstractItemView, "vocabularyTable")
    for merges, found in ((4, 1), (16, 6)):
        go_to(qtbot, trained, merges)
        qtbot.waitUntil(lambda found=found: len(tokens(trained)) == found)
        assert table.verticalScrollBar().value() == 0
    write(qtbot, trained, "vocabularySearch", "3")
    qtbot.waitUntil(lambda: [row[0] for row in rows(trained, "vocabularyTable")] == ["3"])
    write(qtbot, trained, "vocabularySearch", "")


def test_the_vocabulary_is_filtered_and_says_by_what(
    gpt2_run: QMainWindow, qtbot: QtBot
) -> None:
    act(gpt2_run, "filterSpaceAction")
    qtbot.waitUntil(lambda: count_of(gpt2_run).endswith(", begins with a space"))
    assert all(token.startswith("␣") for token in tokens(gpt2_run))
    found, size, *_share = digits(count_of(gpt2_run))
    assert (found, size) == (len(tokens(gpt2_run)), 256 + end(gpt2_run))
    act(gpt2_run, "filterUnusedAction")
    write(qtbot, gpt2_run, "sampleText", "low lower lowest newest widest")
    qtbot.waitUntil(lambda: 0 < len(tokens(gpt2_run)) < found)
    act(gpt2_run, "showAllTokensAction")
    qtbot.waitUntil(lambda: len(tokens(gpt2_run)) == size)


def check_the_vocabulary_is_searched_by_regular_expression(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    act(trained, "filterRegexAction")
    write(qtbot, trained, "vocabularySearch", "^..t<")
    qtbot.waitUntil(lambda: tokens(trained) == ["est</w>"])
    write(qtbot, trained, "vocabularySearch", "^(.")
    qtbot.waitUntil(lambda: tokens(trained) == [])
    assert count_of(trained).startswith("0 of ")


def check_the_vocabulary_tells_how_often_a_token_occurs_now(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    table = child(trained, QTableView, "vocabularyTable")
    assert headings(table)[3:] == ["first count", "made from", "count now"]
    assert table.isColumnHidden(headings(table).index("bytes")), "the tokens are of characters"
    go_to(qtbot, trained, 2)
    # Each word is there nine times: low, lower, lowest have an l, and lo is made of all of them.
    qtbot.waitUntil(lambda: column_of(trained, "e") == "45")
    assert column_of(trained, "l") == "0"
    assert (column_of(trained, "lo"), column_of(trained, "low")) == ("0", "27")
    go_to(qtbot, trained, len(MERGES))


def count_of(window: QMainWindow) -> str:
    """What is said below the vocabulary of the tokens that are shown."""
    return child(window, QLabel, "vocabularyCount").text()


def column_of(window: QMainWindow, token: str) -> str:
    """How often a token occurs now, as the vocabulary tells it."""
    return next(row[-1] for row in rows(window, "vocabularyTable") if row[1] == token)


def check_the_vocabulary_tells_the_parents_and_the_count(trained: QMainWindow) -> None:
    row = next(row for row in rows(trained, "vocabularyTable") if row[1] == "lowest</w>")
    assert row == ["20", "lowest</w>", "6C 6F 77 65 73 74", "9", "low + est</w>", "9"]


def test_the_vocabulary_of_a_run(trained: QMainWindow, qtbot: QtBot) -> None:
    check_the_vocabulary_tells_the_parents_and_the_count(trained)
    check_the_vocabulary_is_searched(trained, qtbot)
    check_the_best_match_is_first_and_the_list_stands_still(trained, qtbot)
    check_the_vocabulary_tells_how_often_a_token_occurs_now(trained, qtbot)
    check_the_vocabulary_is_searched_by_regular_expression(trained, qtbot)


def test_a_token_of_the_vocabulary_has_its_tree(trained: QMainWindow, qtbot: QtBot) -> None:
    write(qtbot, trained, "vocabularySearch", "low")
    qtbot.waitUntil(lambda: tokens(trained)[0] == "low")
    table = focus(qtbot, trained, "vocabularyTable")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(table, key)
    qtbot.waitUntil(lambda: said(trained, "tokenFacts").startswith("low id 12"))
    assert "lo + w" in said(trained, "treeCanvas")
    # What is made of it is there too, once it is made.
    bring_up(trained, "treeDock")
    qtbot.waitUntil(lambda: "low</w>" in said(trained, "madeOfIt"))
    go_to(qtbot, trained, 5)
    qtbot.waitUntil(lambda: "low</w>" not in said(trained, "madeOfIt"))


def check_a_bar_of_the_chart_selects_its_pair(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 3)
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    chart = focus(qtbot, trained, "pairChart")
    qtbot.keyClick(chart, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "t + </w>" in said(trained, "pairChart"))
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    # The newer of the two tokens is the selected one, and the words are those with the pair.
    qtbot.waitUntil(lambda: said(trained, "tokenFacts").startswith("t id 9"))
    qtbot.keyClick(chart, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said(trained, "tokenFacts").startswith("es id 13"))


def check_a_click_on_a_bar_selects_its_pair(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 3)
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    chart = child(trained, QAbstractScrollArea, "pairChart").viewport()
    qtbot.keyClick(focus(qtbot, trained, "pairChart"), Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "t + </w>" in said(trained, "pairChart"))
    place = QPoint(chart.width() - 20, chart.height() // 20)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    qtbot.waitUntil(lambda: said(trained, "tokenFacts").startswith("es id 13"))


def check_the_words_are_searched_for_a_pair(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 3)
    write(qtbot, trained, "wordsSearch", "es t")
    qtbot.waitUntil(
        lambda: {row[0] for row in rows(trained, "wordsTable")} == {"lowest", "newest", "widest"}
    )


def check_it_is_shown_how_a_word_is_tokenized(trained: QMainWindow, qtbot: QtBot) -> None:
    bring_up(trained, "derivationDock")
    write(qtbot, trained, "sampleText", "lowest")
    qtbot.waitUntil(lambda: steps(trained)[0].startswith("l o w e s t </w>"))
    assert steps(trained)[4].startswith("low est </w>")
    assert steps(trained)[6].startswith("lowest</w>")
    # Merges behind the cursor are not applied.
    go_to(qtbot, trained, 4)
    qtbot.waitUntil(lambda: "3 tokens" in said(trained, "derivationTable"))


def steps(window: QMainWindow) -> list[str]:
    """The word that is tokenized, after each merge."""
    return [" ".join(row[-1].split()) for row in rows(window, "derivationTable")] or [""]


def check_the_curves_say_what_they_show_at_the_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    bring_up(trained, "curvesDock")
    first = spoken_curves(trained)
    go_to(qtbot, trained, 1)
    qtbot.waitUntil(lambda: spoken_curves(trained) != first)


def test_derivation_and_curves_follow_the_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    check_it_is_shown_how_a_word_is_tokenized(trained, qtbot)
    check_the_curves_say_what_they_show_at_the_cursor(trained, qtbot)


def spoken_curves(window: QMainWindow) -> str:
    """What the curves say to whoever comes to them by the keyboard."""
    for name in ("timeline", "curves"):
        child(window, QWidget, name).setFocus()
    return said(window, "curves")


def check_space_and_time_lead_to_the_merge_that_removed_a_boundary(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    bring_up(trained, "spaceTimeDock")
    write(qtbot, trained, "sampleText", "lowest")
    canvas = tab_to(qtbot, trained, "spaceTimeCanvas")
    first = "Boundary 1 of 6. Merge 1: l + o → lo"
    qtbot.waitUntil(lambda: first in said(trained, "spaceTimeCanvas"))
    qtbot.keyClick(canvas, Qt.Key.Key_End)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: position(trained) == 5)
    qtbot.waitUntil(lambda: said(trained, "tokenFacts").startswith("est</w> id"))


def check_the_text_at_several_sizes(trained: QMainWindow, qtbot: QtBot) -> None:
    bring_up(trained, "spaceTimeDock")
    write(qtbot, trained, "sampleText", "lowest")
    choose(child(trained, QComboBox, "spaceTimeView"), "Eight sizes")
    canvas = focus(qtbot, trained, "spaceTimeCanvas")
    qtbot.waitUntil(lambda: "The text is 7 tokens" in said(trained, "spaceTimeCanvas"))
    qtbot.keyClick(canvas, Qt.Key.Key_Down)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: position(trained) == 1)


def check_the_text_under_all_presets_is_tokenized_as_by_each_of_them(
    trained: QMainWindow, words: Path, qtbot: QtBot
) -> None:
    text = "lowest newest low"
    bring_up(trained, "spaceTimeDock")
    write(qtbot, trained, "sampleText", text)
    choose(child(trained, QComboBox, "spaceTimeView"), "All presets")
    canvas = focus(qtbot, trained, "spaceTimeCanvas")
    caption = child(trained, QLabel, "spaceTimeCaption")
    qtbot.waitUntil(lambda: "preset" in caption.text())
    qtbot.waitUntil(lambda: "Training" not in caption.text())
    before = position(trained)
    for number, preset in enumerate(PRESETS):
        if number:
            qtbot.keyClick(canvas, Qt.Key.Key_Down)
        count = len(bpe_gui.train(words, preset=preset, vocab_size=2_000).encode(text))
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
        told = said(trained, "spaceTimeCanvas")
        assert f"With {preset} and" in told
        assert f"the text is {count} tokens" in told
    assert position(trained) == before, "they are no positions of the run in view"


def test_space_and_time(trained: QMainWindow, qtbot: QtBot, words: Path) -> None:
    check_space_and_time_lead_to_the_merge_that_removed_a_boundary(trained, qtbot)
    check_the_text_at_several_sizes(trained, qtbot)
    check_the_text_under_all_presets_is_tokenized_as_by_each_of_them(trained, words, qtbot)


def test_the_life_of_a_token_names_what_took_it(trained: QMainWindow, qtbot: QtBot) -> None:
    choose_token(trained, qtbot, "es")
    bring_up(trained, "treeDock")
    qtbot.waitUntil(lambda: "since merge 4" in plain(said(trained, "scaffolding")).lower())
    child(trained, QTabBar, "tokenTabs").setCurrentIndex(1)
    life = tab_to(qtbot, trained, "tokenLife")
    qtbot.keyClick(life, Qt.Key.Key_End)
    assert "27 taken, none is left" in said(trained, "tokenLife")
    assert "Residues:" in said(trained, "residueCount")
    qtbot.keyClick(life, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: position(trained) == 4)


def test_the_life_of_a_symbol_is_counted_in_the_corpus(trained: QMainWindow, qtbot: QtBot) -> None:
    choose_token(trained, qtbot, "e")
    bring_up(trained, "treeDock")
    go_to(qtbot, trained, 1)
    # Of the five words three have one, and newest has two; each word occurs nine times.
    qtbot.waitUntil(lambda: "Occurs 45 times" in said(trained, "scaffolding"))


def test_the_places_of_a_token_are_listed(trained: QMainWindow, qtbot: QtBot) -> None:
    choose_token(trained, qtbot, "low")
    bring_up(trained, "treeDock")
    go_to(qtbot, trained, 2)
    line = child(trained, QLabel, "scaffolding")
    # "low", "lower" and "lowest" have it, nine times each.
    qtbot.waitUntil(lambda: "Occurs 27 times" in plain(said(trained, "scaffolding")))
    line.linkActivated.emit("places")
    qtbot.waitUntil(lambda: "27 places" in said(trained, "placesCount"))
    assert rows(trained, "placesTable")[:2] == [
        ["", "low", "␣lower␣lowest␣newest␣widest␣" + rest(0)],
        ["low␣", "low", "er␣lowest␣newest␣widest␣" + rest(1)],
    ]
    # Where it was used up there is no place.
    go_to(qtbot, trained, len(MERGES))
    qtbot.waitUntil(lambda: rows(trained, "placesTable") == [])


def rest(row: int) -> str:
    """The end of a line of the concordance: it has 160 bytes of what comes after the token."""
    begin = len("low " * row) + 3
    written_out = ("low lower lowest newest widest " * 9)[begin : begin + 160].replace(" ", "␣")
    return written_out[written_out.index("widest␣") + len("widest␣") :]


def check_the_places_of_a_pair_are_listed(trained: QMainWindow, qtbot: QtBot) -> None:
    bring_up(trained, "concordanceDock")
    go_to(qtbot, trained, 3)
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    qtbot.keyClick(focus(qtbot, trained, "pairChart"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "27 places" in said(trained, "placesCount"))
    assert {row[1] for row in rows(trained, "placesTable")} == {"es + t"}


def test_pairs_are_selected_and_searched_for(trained: QMainWindow, qtbot: QtBot) -> None:
    check_a_bar_of_the_chart_selects_its_pair(trained, qtbot)
    check_a_click_on_a_bar_selects_its_pair(trained, qtbot)
    check_the_words_are_searched_for_a_pair(trained, qtbot)
    check_the_places_of_a_pair_are_listed(trained, qtbot)


def plain(text: str) -> str:
    """A rich text without its tags."""
    return re.sub("<[^>]*>", "", text)


def choose_token(window: QMainWindow, qtbot: QtBot, token: str) -> None:
    """Select the first token that the vocabulary finds, which must be this one."""
    write(qtbot, window, "vocabularySearch", token)
    qtbot.waitUntil(lambda: tokens(window)[:1] == [token])
    table = child(window, QAbstractItemView, "vocabularyTable")
    table.setCurrentIndex(table.model().index(0, 0))
