"""The cursor goes through a run: by keys, mouse, play and bookmarks; all panels go with it."""

from __future__ import annotations

import re

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QMainWindow, QSpinBox
from pytestqt.qtbot import QtBot

from tests.end_to_end.window import (
    CONTROL,
    KEY,
    LEFT,
    MERGES,
    SHIFT,
    SYMBOLS,
    answered,
    choose,
    end,
    focus,
    go_to,
    is_enabled,
    position,
    rows,
    said,
    timeline,
    tokens,
)
from tests.ui.driving import act, child

END = len(MERGES)


def check_keys_go_back_forth_and_to_both_ends(trained: QMainWindow, qtbot: QtBot) -> None:
    strip = focus(qtbot, trained, "timeline")
    for key, wanted in (
        (Qt.Key.Key_Left, END - 1),
        (Qt.Key.Key_Left, END - 2),
        (Qt.Key.Key_Right, END - 1),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_End, END),
    ):
        qtbot.keyClick(strip, key)
        qtbot.waitUntil(lambda: position(trained) == wanted)  # noqa: B023
    assert end(trained) == END


def check_the_status_tells_the_sizes_at_the_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    strip = focus(qtbot, trained, "timeline")
    tokens_of_words = (4 + 6 + 7 + 7 + 7) * 9
    at_the_start, with_lo = tokens_of_words, tokens_of_words - 3 * 9
    for key, told in (
        (Qt.Key.Key_End, "Done: no pair is left to merge."),
        (Qt.Key.Key_Home, f"Before the first of {END} merges the corpus has {at_the_start} tokens "
         f"and the vocabulary {SYMBOLS} entries."),
        (Qt.Key.Key_Right, f"After 1 of {END} merges the corpus has {with_lo} tokens and the "
         f"vocabulary {SYMBOLS + 1} entries."),
        (Qt.Key.Key_End, "Done: no pair is left to merge."),
    ):  # fmt: skip
        qtbot.keyClick(strip, key)
        qtbot.waitUntil(  # the time that it took is between
            lambda: told in re.sub(" in [0-9.]+ m?s:", ":", said(trained, "statusText"))  # noqa: B023
        )


def check_the_timeline_is_enlarged_and_made_logarithmic_by_keys(
    trained: QMainWindow, qtbot: QtBot
) -> None:
    strip = focus(qtbot, trained, "timeline")
    before = strip.grab().toImage()
    qtbot.keyClick(strip, Qt.Key.Key_Plus)
    qtbot.waitUntil(lambda: "are in view" in said(trained, "timeline"))
    qtbot.keyClick(strip, Qt.Key.Key_0)
    qtbot.waitUntil(lambda: strip.grab().toImage() == before)
    qtbot.keyClick(trained, Qt.Key.Key_I, CONTROL)
    assert child(trained, QAction, "logarithmicAction").isChecked()
    assert strip.grab().toImage() != before
    qtbot.keyClick(trained, Qt.Key.Key_I, CONTROL)
    assert strip.grab().toImage() == before


def check_playing_goes_round_between_two_bookmarks(trained: QMainWindow, qtbot: QtBot) -> None:
    assert not is_enabled(trained, "loopAction")
    for wanted in (4, 7):
        go_to(qtbot, trained, wanted)
        act(trained, "bookmarkAction")
    choose(child(trained, QComboBox, "speedBox"), "Each frame")
    go_to(qtbot, trained, 5)
    act(trained, "loopAction")
    for _ in range(2):
        qtbot.waitUntil(lambda: position(trained) == 7)
        qtbot.waitUntil(lambda: position(trained) == 4)
    act(trained, "playAction")
    assert 4 <= position(trained) <= 7
    act(trained, "loopAction")


def check_the_mouse_scrubs_the_timeline(trained: QMainWindow, qtbot: QtBot) -> None:
    strip = timeline(trained)
    middle = strip.rect().center()
    left, right = QPoint(1, middle.y()), QPoint(strip.width() - 2, middle.y())
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.waitUntil(lambda: 0 < position(trained) < END)
    qtbot.mouseMove(strip, left)
    qtbot.waitUntil(lambda: position(trained) == 0)
    qtbot.mouseMove(strip, right)
    qtbot.waitUntil(lambda: position(trained) == END)
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=right)
    act(trained, "stepBackAction")
    qtbot.waitUntil(lambda: position(trained) == END - 1)
    act(trained, "endAction")
    qtbot.waitUntil(lambda: position(trained) == END)


def check_play_goes_on_to_the_end(trained: QMainWindow, qtbot: QtBot) -> None:
    choose(child(trained, QComboBox, "speedBox"), "20 a second")
    act(trained, "homeAction")
    qtbot.waitUntil(lambda: position(trained) == 0)
    words = child(trained, QAction, "playAction").text()
    qtbot.keyClick(focus(qtbot, trained, "timeline"), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: child(trained, QAction, "playAction").text() != words)
    qtbot.waitUntil(lambda: position(trained) > 1)
    qtbot.waitUntil(lambda: position(trained) == END)
    qtbot.waitUntil(lambda: child(trained, QAction, "playAction").text() == words)


def check_play_can_be_held(trained: QMainWindow, qtbot: QtBot) -> None:
    choose(child(trained, QComboBox, "speedBox"), "5 a second")
    act(trained, "homeAction")
    qtbot.waitUntil(lambda: position(trained) == 0)
    words = child(trained, QAction, "playAction").text()
    act(trained, "playAction")
    qtbot.waitUntil(lambda: position(trained) > 0)
    qtbot.keyClick(focus(qtbot, trained, "timeline"), Qt.Key.Key_Space)
    assert child(trained, QAction, "playAction").text() == words
    qtbot.waitUntil(lambda: is_enabled(trained, "stepAction"))
    held = position(trained)
    assert held < END
    act(trained, "stepAction")
    # The last merge before the pause may still have been on its way to the timeline.
    qtbot.waitUntil(lambda: position(trained) in (held + 1, held + 2))


def test_merges_are_played(trained: QMainWindow, qtbot: QtBot) -> None:
    check_play_goes_on_to_the_end(trained, qtbot)
    check_playing_goes_round_between_two_bookmarks(trained, qtbot)
    check_play_can_be_held(trained, qtbot)


def check_all_panels_show_the_moment(
    place: int, coming: str, trained: QMainWindow, qtbot: QtBot
) -> None:
    go_to(qtbot, trained, place)
    done = re.compile(rf"\b{place}\b.*{re.escape(MERGES[place - 1])}", re.DOTALL)
    qtbot.waitUntil(lambda: done.search(said(trained, "timeline")) is not None)
    qtbot.waitUntil(lambda: f"Next: merge {place + 1}" in said(trained, "whyText"))
    qtbot.waitUntil(lambda: MERGES[place] in said(trained, "whyText"))
    qtbot.waitUntil(lambda: coming in said(trained, "pairChart"))
    qtbot.waitUntil(lambda: tokens(trained)[SYMBOLS:] == MERGES[:place])


def check_all_panels_show_the_same_moment(trained: QMainWindow, qtbot: QtBot) -> None:
    for place, coming in [(1, "lo + w"), (5, "low + </w>"), (END - 1, "wid + est</w>")]:
        check_all_panels_show_the_moment(place, coming, trained, qtbot)


def check_at_the_start_why_speaks_of_the_first_merge(trained: QMainWindow, qtbot: QtBot) -> None:
    act(trained, "homeAction")
    qtbot.waitUntil(lambda: "l + o" in said(trained, "whyText"))
    qtbot.waitUntil(lambda: "l + o" in said(trained, "pairChart"))
    assert "27" in said(trained, "whyText")
    assert "27" in said(trained, "pairChart")


def check_the_words_are_cut_as_at_the_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    def word(of: str) -> list[str]:
        return next((row for row in rows(trained, "wordsTable") if row[0] == of), ["", "", ""])

    qtbot.waitUntil(lambda: word("widest") == ["widest", "9", "widest</w>"])
    go_to(qtbot, trained, END - 1)
    qtbot.waitUntil(lambda: word("widest")[2].split() == ["wid", "est</w>"])
    act(trained, "homeAction")
    qtbot.waitUntil(lambda: word("widest")[2].split() == [*"widest", "</w>"])


def test_panels_follow_the_cursor(trained: QMainWindow, qtbot: QtBot) -> None:
    check_the_words_are_cut_as_at_the_cursor(trained, qtbot)
    check_all_panels_show_the_same_moment(trained, qtbot)
    check_at_the_start_why_speaks_of_the_first_merge(trained, qtbot)


def check_a_bookmark_is_set_named_found_and_removed(trained: QMainWindow, qtbot: QtBot) -> None:
    go_to(qtbot, trained, 4)
    act(trained, "bookmarkAction")
    qtbot.waitUntil(lambda: is_enabled(trained, "nextBookmarkAction"))
    before: list[str] = []

    def ask() -> None:
        qtbot.keyClick(focus(qtbot, trained, "timeline"), KEY.Key_F2)

    def named(dialog: QDialog) -> None:
        field = dialog.findChild(QLineEdit)
        assert field is not None
        before.append(field.text())
        qtbot.keyClicks(field, "here it is")
        dialog.accept()

    answered(qtbot, ask, [named])
    act(trained, "homeAction")
    qtbot.waitUntil(lambda: position(trained) == 0)
    act(trained, "nextBookmarkAction")
    qtbot.waitUntil(lambda: position(trained) == 4)
    act(trained, "endAction")
    qtbot.waitUntil(lambda: position(trained) == END)
    act(trained, "previousBookmarkAction")
    qtbot.waitUntil(lambda: position(trained) == 4)
    # Its name stands there when it is named again.
    answered(qtbot, ask, [named])
    assert before[1] == "here it is"
    qtbot.keyClick(focus(qtbot, trained, "timeline"), KEY.Key_Delete)
    qtbot.waitUntil(lambda: not is_enabled(trained, "nextBookmarkAction"))


def check_the_number_is_asked_for(qtbot: QtBot, trained: QMainWindow, by: str) -> None:
    strip = timeline(trained)

    def ask() -> None:
        if by == "key":
            qtbot.keyClick(focus(qtbot, trained, "timeline"), KEY.Key_G, CONTROL | SHIFT)
        else:
            qtbot.mouseClick(strip, LEFT, pos=QPoint(strip.width() - 12, strip.height() // 2))

    def five(dialog: QDialog) -> None:
        box = dialog.findChild(QSpinBox)
        assert box is not None
        assert (box.minimum(), box.value()) == (0, len(MERGES))
        box.setValue(5)
        dialog.accept()

    answered(qtbot, ask, [five])
    qtbot.waitUntil(lambda: position(trained) == 5)
    act(trained, "endAction")
    qtbot.waitUntil(lambda: position(trained) == len(MERGES))


def check_the_number_of_a_merge_is_gone_to(qtbot: QtBot, trained: QMainWindow) -> None:
    for by in ["key", "click"]:
        check_the_number_is_asked_for(qtbot, trained, by)


def test_the_cursor_is_moved_by_keys_and_the_mouse(trained: QMainWindow, qtbot: QtBot) -> None:
    check_keys_go_back_forth_and_to_both_ends(trained, qtbot)
    check_the_status_tells_the_sizes_at_the_cursor(trained, qtbot)
    check_the_timeline_is_enlarged_and_made_logarithmic_by_keys(trained, qtbot)
    check_the_mouse_scrubs_the_timeline(trained, qtbot)
    check_the_number_of_a_merge_is_gone_to(qtbot, trained)
    check_a_bookmark_is_set_named_found_and_removed(trained, qtbot)
