"""All panels speak of one merge, in one set of colours, and nothing moves them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    Start,
    drop,
    end,
    focus,
    go_to,
    is_enabled,
    is_trained,
    messages,
    position,
    rows,
    said,
    write,
)
from tests.ui.driving import act, child, picture


def check_chart_words_and_card_speak_of_the_next_merge_or_of_the_last(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    go_to(qtbot, trained, 4)
    qtbot.waitUntil(lambda: "Next: merge 5" in said(trained, "whyText"))
    qtbot.waitUntil(lambda: "est + </w>" in said(trained, "pairChart"))
    act(trained, "tellLastAction")
    qtbot.waitUntil(lambda: "Last: merge 4" in said(trained, "whyText"))
    qtbot.waitUntil(lambda: "es + t" in said(trained, "pairChart"))
    assert position(trained) == 4
    # As the text, the words show what it has made.
    labels = child(trained, QWidget, "wordsPanel").findChildren(QLabel)
    qtbot.waitUntil(lambda: "at merge 4" in {label.text().strip() for label in labels})
    counts = child(trained, QLabel, "textCounts")
    assert "after merge 4" in counts.text().replace("\u00a0", " ")
    next_one = child(trained, QToolButton, "tellNextButton")
    last_one = child(trained, QToolButton, "tellLastButton")
    assert (next_one.isChecked(), last_one.isChecked()) == (False, True)
    for _ in range(2):  # it is there already the second time
        next_one.click()
        assert (next_one.isChecked(), last_one.isChecked()) == (True, False)
    assert "after" not in counts.text()
    qtbot.waitUntil(lambda: "Next: merge 5" in said(trained, "whyText"))


def check_a_merge_that_is_animated_is_neither_next_nor_last(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    turned: list[bool] = []
    child(trained, QToolButton, "tellLastButton").toggled.connect(turned.append)
    act(trained, "watchAction")  # slowly: steps that follow each other fast are not animated
    qtbot.waitUntil(lambda: "Now: merge 1" in said(trained, "whyText"))
    act(trained, "playAction")
    qtbot.waitUntil(lambda: "Next: merge 2" in said(trained, "whyText"))
    assert not turned, "the switch does not flicker"


def check_the_last_merge_is_no_choice_while_the_next_is_guessed(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    go_to(qtbot, trained, 3)
    act(trained, "guessAction")
    assert not is_enabled(trained, "tellLastAction")
    act(trained, "guessAction")
    assert is_enabled(trained, "tellLastAction")


def check_what_if_is_asked_of_the_merge_that_is_explained(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    go_to(qtbot, trained, 4)
    act(trained, "tellLastAction")
    qtbot.waitUntil(lambda: "Last: merge 4" in said(trained, "whyText"))
    act(trained, "forbidAction")
    qtbot.waitUntil(lambda: "es + t" in rows(trained, "branchTable")[-1][0])


def check_a_message_moves_no_panel(trained: QMainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    def places() -> dict[str, QRect]:
        return {dock.objectName(): dock.geometry() for dock in trained.findChildren(QDockWidget)}

    before = places()
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    drop(trained, empty)
    qtbot.waitUntil(lambda: bool(messages(trained)))
    assert places() == before
    assert trained.statusBar().isVisible()
    act(trained, "dismissAction")
    qtbot.waitUntil(lambda: not messages(trained))
    assert places() == before


def check_ids_are_shown_on_request(trained: QMainWindow, qtbot: QtBot) -> None:
    ids = child(trained, QPlainTextEdit, "tokenIds")
    assert not ids.isVisible()
    child(trained, QPushButton, "idsButton").click()
    qtbot.waitUntil(ids.isVisible)
    write(qtbot, trained, "sampleText", "low")
    qtbot.waitUntil(lambda: bool(ids.toPlainText()))


def check_colours_have_a_legend_where_they_are_a_scale(trained: QMainWindow, qtbot: QtBot) -> None:
    legend = child(trained, QWidget, "colourLegend")
    assert not legend.isVisible()
    for action, step in (
        ("ageColoursAction", "from the start"),
        ("lengthColoursAction", "1 byte"),
        ("frequencyColoursAction", "times or more"),
    ):
        act(trained, action)
        qtbot.waitUntil(lambda: step in said(trained, "colourLegend"))  # noqa: B023
        assert legend.isVisible()
    focus(qtbot, trained, "timeline")
    act(trained, "nextColouringAction")  # only neighbours apart
    qtbot.waitUntil(lambda: not legend.isVisible())


def check_colours_by_frequency_follow_the_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    hottest = QColor("#a35303").rgb()  # the end of the legend in the dark scheme

    def is_frequent() -> bool:
        seen = picture(child(trained, QWidget, "tokenView"))
        middle = seen.height() // 2
        places = ((x, y) for x in range(seen.width()) for y in range(2, middle, 4))
        return any(seen.pixel(x, y) == hottest for x, y in places)

    act(trained, "darkAction")
    write(qtbot, trained, "sampleText", "w")
    go_to(qtbot, trained, 0)
    act(trained, "frequencyColoursAction")
    qtbot.waitUntil(is_frequent)
    act(trained, "endAction")  # w is in longer tokens there, wherever it was in the corpus
    qtbot.waitUntil(lambda: not is_frequent())
    act(trained, "homeAction")
    qtbot.waitUntil(is_frequent)


def test_a_forbidden_pair_has_its_count(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 0)
    act(trained, "forbidAction")
    forbidden = "l + o: 27 times, forbidden from merge 1 on"
    qtbot.waitUntil(lambda: forbidden in said(trained, "pairChart"))


def check_a_key_shows_where_the_newest_token_is(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 2)
    timeline = focus(qtbot, trained, "timeline")
    qtbot.keyClick(timeline, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "low" in said(trained, "placesTable"))


def test_panels_tell_one_story(trained: QMainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    check_a_message_moves_no_panel(trained, tmp_path, qtbot)
    check_chart_words_and_card_speak_of_the_next_merge_or_of_the_last(trained, qtbot)
    check_a_merge_that_is_animated_is_neither_next_nor_last(trained, qtbot)
    check_the_last_merge_is_no_choice_while_the_next_is_guessed(trained, qtbot)
    check_ids_are_shown_on_request(trained, qtbot)
    check_colours_have_a_legend_where_they_are_a_scale(trained, qtbot)
    check_colours_by_frequency_follow_the_cursor(trained, qtbot)
    check_a_key_shows_where_the_newest_token_is(trained, qtbot)
    check_what_if_is_asked_of_the_merge_that_is_explained(trained, qtbot)


def test_the_reasons_of_the_four_words_need_no_scrolling(qtbot: QtBot, start: Start) -> None:
    window = start("open", "--start")
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: is_trained(window) and end(window) == 15)
    card = child(window, QTextBrowser, "whyText")
    for merge in range(16):
        go_to(qtbot, window, merge)
        qtbot.waitUntil(lambda: "tokens saved" in card.toPlainText())
        assert card.verticalScrollBar().maximum() == 0, merge
