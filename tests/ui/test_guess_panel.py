"""The guessing game as an audience sees it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import preset
from bpe_gui.ui.exporting.picture import drawing_of
from bpe_gui.ui.guess_board import GuessBoard
from bpe_gui.ui.models.guess import Question, question_at
from bpe_gui.ui.panels.guess import GuessPanel
from bpe_gui.ui.theme import DARK, LIGHT, Theme, style_sheet
from tests.ui.histories import byte_level, four_words, invented, trained
from tests.ui.offered import offered
from tests.ui.stories import train_words

MOVING = "The merges are running. The next question comes when they stand still."


@pytest.fixture
def panel(qtbot: QtBot) -> GuessPanel:
    made = GuessPanel()
    qtbot.addWidget(made)
    made.resize(380, 440)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    made.setFocus()
    qtbot.waitUntil(board_of(made).hasFocus)
    return made


def board_of(panel: GuessPanel) -> GuessBoard:
    board = panel.findChild(GuessBoard, "guessBoard")
    assert isinstance(board, GuessBoard)
    return board


def button(panel: GuessPanel, name: str) -> QPushButton:
    found = panel.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def score(panel: GuessPanel) -> str:
    label = panel.findChild(QLabel, "guessScore")
    assert isinstance(label, QLabel)
    return label.text()


def said(panel: GuessPanel) -> str:
    text = panel.accessibleDescription()
    assert board_of(panel).accessibleDescription() == text
    return text


def is_covered(panel: GuessPanel) -> bool:
    covered = said(panel).endswith("R reveals.")
    assert button(panel, "guessReveal").isEnabled() == covered
    return covered


def is_revealed(panel: GuessPanel) -> bool:
    return said(panel).endswith("Enter goes on to the next question.")


def at(history: History, position: int) -> Question:
    question = question_at(history, position)
    assert question is not None
    return question


def wrong_one(question: Question) -> int:
    return (question.answer + 1) % len(question.candidates)


def row_middle(panel: GuessPanel, index: int) -> QPoint:
    return board_of(panel).places.rows[index].area.center().toPoint()


def click(panel: GuessPanel, place: QPoint) -> None:
    QTest.mouseClick(board_of(panel), Qt.MouseButton.LeftButton, pos=place)


def press(panel: GuessPanel, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(board_of(panel), key)


def picture(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def colours(image: QImage) -> Counter[str]:
    return Counter(
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    )


# -- asking and answering ---------------------------------------------------------------------


def test_it_can_be_found(panel: GuessPanel) -> None:
    assert panel.objectName() == "guessPanel"
    for widget in (panel, board_of(panel)):
        assert widget.accessibleName() == "Guess the next merge"
    for name in ("guessReveal", "guessNext"):
        assert button(panel, name).accessibleName()
        assert button(panel, name).toolTip()


def test_it_takes_the_place_of_the_pair_chart(panel: GuessPanel) -> None:
    panel.resize(280, 200)
    assert (panel.width(), panel.height()) == (280, 200)
    assert panel.minimumSizeHint().height() == 200
    assert panel.layout().minimumSize().height() <= 200


def test_in_the_smallest_panel_the_score_is_not_cut(panel: GuessPanel) -> None:
    panel.setStyleSheet(style_sheet(DARK))
    panel.set_history(four_words())
    label = panel.findChild(QLabel, "guessScore")
    assert isinstance(label, QLabel)
    for position in range(10):
        panel.show_position(position, False)
        press(panel, Qt.Key.Key_1)
    right = score(panel).split()[0]
    for width, shown in ((280, f"{right} / 10"), (600, f"{right} of 10 right")):
        panel.resize(width, 200)
        assert score(panel) == shown
        panel.layout().activate()
        assert label.sizeHint().width() <= label.width()


def test_the_question_is_covered(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    panel.show_position(4, False)
    assert is_covered(panel)
    assert said(panel).startswith("Which pair is merged next? It is merge 5. ")
    assert score(panel) == ""
    assert not button(panel, "guessNext").isEnabled()


@pytest.mark.parametrize("place", range(4))
def test_a_number_answers(panel: GuessPanel, qtbot: QtBot, place: int) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    right = place == at(history, 4).answer
    with qtbot.waitSignal(panel.answered) as answered:
        press(panel, Qt.Key(Qt.Key.Key_1 + place))
    assert answered.args == [4, right]
    assert is_revealed(panel)
    assert said(panel).startswith("Right, it is pair" if right else "No, it is pair")
    assert score(panel) == ("1 of 1 right" if right else "0 of 1 right")


def test_a_number_without_a_candidate_does_nothing(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(trained([("ab", 3), ("cd", 2)], preset("raw")))
    with qtbot.assertNotEmitted(panel.answered):
        press(panel, Qt.Key.Key_3, Qt.Key.Key_4)
    assert is_covered(panel)


def test_a_click_answers(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    question = at(history, 0)
    with qtbot.assertNotEmitted(panel.answered):
        click(panel, QPoint(100, panel.height() - 120))
    with qtbot.waitSignal(panel.answered) as answered:
        click(panel, row_middle(panel, question.answer))
    assert answered.args == [0, True]
    assert is_revealed(panel)


def test_arrows_and_enter_answer(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    with qtbot.assertNotEmitted(panel.answered), qtbot.assertNotEmitted(panel.stepWanted):
        press(panel, Qt.Key.Key_Return)  # None is chosen yet.
    press(panel, Qt.Key.Key_Down)
    assert said(panel).startswith("Pair 1: ")
    press(panel, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up)
    assert said(panel).startswith("Pair 2: ")
    press(panel, *[Qt.Key.Key_Up] * 3)
    assert said(panel).startswith("Pair 1: ")
    press(panel, *[Qt.Key.Key_Down] * 7)
    assert said(panel).startswith("Pair 4: ")
    with qtbot.waitSignal(panel.answered) as answered:
        press(panel, Qt.Key.Key_Return)
    assert answered.args == [4, at(history, 4).answer == 3]


def test_up_begins_with_the_last(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_Up)
    assert said(panel).startswith("Pair 4: ")


@pytest.mark.parametrize("by", ["key", "button"])
def test_revealing_is_no_answer(panel: GuessPanel, qtbot: QtBot, by: str) -> None:
    panel.set_history(four_words())
    with qtbot.assertNotEmitted(panel.answered):
        if by == "key":
            press(panel, Qt.Key.Key_R)
        else:
            QTest.mouseClick(button(panel, "guessReveal"), Qt.MouseButton.LeftButton)
        assert is_revealed(panel)
        assert said(panel).startswith("It is pair ")
        assert score(panel) == ""
        press(panel, Qt.Key.Key_1)
        click(panel, row_middle(panel, 0))
    assert board_of(panel).hasFocus()


@pytest.mark.parametrize("by", ["key", "button"])
def test_next_asks_for_a_step(panel: GuessPanel, qtbot: QtBot, by: str) -> None:
    history = four_words()
    panel.set_history(history)
    press(panel, Qt.Key.Key_1)
    following = button(panel, "guessNext")
    assert following.isEnabled()
    assert following.isDefault()
    with qtbot.waitSignal(panel.stepWanted):
        if by == "key":
            press(panel, Qt.Key.Key_Enter)
        else:
            QTest.mouseClick(following, Qt.MouseButton.LeftButton)
    panel.show_position(1, False)
    assert is_covered(panel)
    assert not following.isEnabled()
    assert board_of(panel).hasFocus()


def test_a_key_held_down_does_not_rush_through_the_questions(
    panel: GuessPanel, qtbot: QtBot
) -> None:
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_Down)

    def repeat() -> None:
        event = QKeyEvent(
            QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True
        )
        QApplication.sendEvent(board_of(panel), event)

    with qtbot.assertNotEmitted(panel.answered):
        repeat()
    press(panel, Qt.Key.Key_Return)
    with qtbot.assertNotEmitted(panel.stepWanted):
        repeat()


def test_the_second_click_of_two_selects_nothing(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(four_words())
    place = row_middle(panel, 1)
    with qtbot.assertNotEmitted(panel.tokenSelected), qtbot.waitSignal(panel.answered):
        click(panel, place)
        QTest.mouseDClick(board_of(panel), Qt.MouseButton.LeftButton, pos=place)


def test_the_keys_work_from_the_buttons_too(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(four_words())
    reveal = button(panel, "guessReveal")
    QTest.keyClick(board_of(panel), Qt.Key.Key_Tab)
    assert reveal.hasFocus()
    with qtbot.waitSignal(panel.answered):
        QTest.keyClick(reveal, Qt.Key.Key_2)
    assert board_of(panel).hasFocus(), "a button that is off has no use for it"
    QTest.keyClick(board_of(panel), Qt.Key.Key_Tab)
    assert button(panel, "guessNext").hasFocus()
    with qtbot.waitSignal(panel.stepWanted):
        QTest.keyClick(button(panel, "guessNext"), Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("key", "modifier", "claimed"),
    [
        (Qt.Key.Key_1, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_4, Qt.KeyboardModifier.KeypadModifier, True),
        (Qt.Key.Key_R, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, True),
        # These belong to the window.
        (Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, False),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, False),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, False),
        (Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier, False),
    ],
)
def test_only_its_own_keys_are_claimed(
    panel: GuessPanel, key: Qt.Key, modifier: Qt.KeyboardModifier, claimed: bool
) -> None:
    panel.set_history(four_words())
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifier)
    event.ignore()
    QApplication.sendEvent(board_of(panel), event)
    assert event.isAccepted() == claimed
    if not claimed:
        QTest.keyClick(board_of(panel), key, modifier)
        assert is_covered(panel)


# -- the cursor -------------------------------------------------------------------------------


def test_what_was_answered_stays_revealed(panel: GuessPanel) -> None:
    history = four_words()
    panel.set_history(history)
    press(panel, Qt.Key(Qt.Key.Key_1 + wrong_one(at(history, 0))))
    told = said(panel)
    looks = picture(board_of(panel))
    panel.show_position(3, False)
    assert is_covered(panel)
    press(panel, Qt.Key(Qt.Key.Key_1 + at(history, 3).answer))
    assert score(panel) == "1 of 2 right"
    panel.show_position(0, False)
    assert is_revealed(panel)
    assert said(panel) == told.replace("0 of 1 right", "1 of 2 right")
    assert picture(board_of(panel)) == looks


def test_each_run_is_a_game_of_its_own(panel: GuessPanel) -> None:
    first, second = four_words(), four_words()
    panel.set_history(first)
    press(panel, Qt.Key(Qt.Key.Key_1 + at(first, 0).answer))
    panel.set_history(second)
    panel.show_position(0, False)
    assert is_covered(panel)
    assert score(panel) == ""
    panel.set_history(first)
    panel.show_position(0, False)
    assert is_revealed(panel)
    assert score(panel) == "1 of 1 right"


def test_the_choice_ends_with_the_question(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_Down)
    panel.show_position(2, False)
    assert said(panel).startswith("Which pair")
    panel.show_position(0, False)
    assert said(panel).startswith("Which pair")


def test_a_run_that_grows_leaves_the_question_alone(panel: GuessPanel) -> None:
    _, trainer = train_words([("low", 5), ("lower", 2), ("newest", 6)], preset("whitespace"), 2)
    panel.set_history(trainer.history)
    panel.show_position(2, False)
    press(panel, Qt.Key.Key_Down)
    before = said(panel)
    assert before.startswith("Pair 1")
    trainer.advance(3)
    panel.show_position(2, False)
    assert said(panel) == before


def test_positions_outside_the_history_are_refused(panel: GuessPanel) -> None:
    history = four_words()
    panel.set_history(history)
    for live in (False, True):
        with pytest.raises(IndexError, match="outside"):
            panel.show_position(len(history) + 1, live)


def test_without_a_question_it_says_why(panel: GuessPanel, qtbot: QtBot) -> None:
    assert said(panel) == "Once a corpus has been read, its merges are guessed here."
    history = four_words()
    panel.set_history(history)
    covered = picture(panel)
    panel.show_position(len(history), False)
    assert said(panel) == "No pair is left: every word is a single token."
    assert picture(panel) != covered
    assert not is_covered(panel)
    assert not button(panel, "guessNext").isEnabled()
    with qtbot.assertNotEmitted(panel.stepWanted), qtbot.assertNotEmitted(panel.answered):
        press(panel, Qt.Key.Key_Return, Qt.Key.Key_1, Qt.Key.Key_R, Qt.Key.Key_Down)
        click(panel, QPoint(100, 100))


def test_one_pair_can_be_passed_over(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(trained([("abc", 3)], preset("raw")))
    panel.show_position(1, False)
    assert said(panel) == "Only one pair is left: there is nothing to guess."
    with qtbot.waitSignal(panel.stepWanted):
        press(panel, Qt.Key.Key_Return)


def test_it_tells_what_the_others_must_cover(panel: GuessPanel) -> None:
    told: list[object] = []
    panel.coverChanged.connect(told.append)
    panel.stepWanted.connect(lambda: told.append("step"))
    assert not panel.covers
    history = four_words()
    panel.set_history(history)
    assert panel.covers
    press(panel, Qt.Key.Key_R)
    assert not panel.covers
    press(panel, Qt.Key.Key_Return)
    panel.show_position(1, True)
    panel.show_position(1, False)
    assert told == [True, False, True, "step"], "covered before the step"
    panel.show_position(0, False)
    panel.show_position(len(history), False)
    assert told[4:] == [False]
    panel.show_position(3, True)
    assert told[4:] == [False, True]


# -- in motion --------------------------------------------------------------------------------


def test_while_the_cursor_moves_nothing_is_asked(panel: GuessPanel, qtbot: QtBot) -> None:
    panel.set_history(invented(3000))
    panel.show_position(0, False)
    for position in range(1, 2000, 400):
        panel.show_position(position, True)
    with qtbot.assertNotEmitted(panel.answered), qtbot.assertNotEmitted(panel.stepWanted):
        press(panel, Qt.Key.Key_1, Qt.Key.Key_R, Qt.Key.Key_Down, Qt.Key.Key_Return)
        click(panel, row_middle(panel, 0))
    assert not button(panel, "guessReveal").isEnabled()
    qtbot.waitUntil(lambda: said(panel) == MOVING)
    calm = picture(panel)
    for position in range(2000, 2900, 100):
        panel.show_position(position, True)
        assert picture(panel) == calm
    panel.show_position(2900, False)
    assert is_covered(panel)
    assert "merge 2,901" in said(panel)


def test_a_short_move_leads_from_question_to_question(panel: GuessPanel) -> None:
    seen: list[str] = []
    panel.set_history(four_words())
    press(panel, Qt.Key.Key_R)
    panel.show_position(1, True)
    seen.append(said(panel))
    panel.show_position(1, False)
    seen.append(said(panel))
    assert MOVING not in seen
    assert is_covered(panel)
    assert not panel._long_move.isActive(), "no word comes late"


def test_hidden_it_waits_for_nothing(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    panel.show_position(3, True)
    panel.hide()
    assert said(panel) == MOVING
    panel.show_position(3, False)
    assert is_covered(panel)


def test_a_training_that_ends_is_followed_by_a_question(panel: GuessPanel, qtbot: QtBot) -> None:
    recipe = preset("whitespace").with_changes(merges=3)
    _, trainer = train_words([("low", 5), ("lower", 2)], recipe, merges=0)
    panel.set_history(trainer.history)
    trainer.advance(2)
    panel.show_position(2, True)
    qtbot.waitUntil(lambda: said(panel) == MOVING)
    panel.show_position(2, False)
    assert is_covered(panel)
    trainer.advance(1)
    panel.show_position(3, False)
    assert said(panel).startswith("The training has stopped: number of merges reached.")


# -- tokens -----------------------------------------------------------------------------------


def test_tokens_can_be_selected_once_the_answer_is_given(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    question = at(history, 4)
    first = question.candidates[0]
    press(panel, Qt.Key.Key_R)
    row = board_of(panel).places.rows[0]
    y = round(row.area.center().y())
    for x, token in (
        (row.left_edge + 2, first.left),
        (row.right_edge + 2, first.right),
        (round(row.number.left()), max(first.left, first.right)),
    ):
        with qtbot.waitSignal(panel.tokenSelected) as selected:
            click(panel, QPoint(x, y))
        assert selected.args == [token]
    with qtbot.waitSignal(panel.tokenSelected) as selected:
        press(panel, Qt.Key.Key_2)
    second = question.candidates[1]
    assert selected.args == [max(second.left, second.right)]


def test_a_selected_token_is_underlined(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    plain = picture(panel)
    with qtbot.assertNotEmitted(panel.tokenSelected):
        panel.select_token(at(history, 0).candidates[0].left)
    assert picture(panel) != plain
    panel.select_token(history.base.texts.index("d"))
    assert picture(panel) == plain


# -- nothing is given away --------------------------------------------------------------------


def everything(panel: GuessPanel) -> list[str]:
    """All texts that anybody can read or hear, but those that are painted."""
    texts = []
    for widget in (panel, *panel.findChildren(QWidget)):
        texts += [
            widget.toolTip(),
            widget.statusTip(),
            widget.whatsThis(),
            widget.accessibleName(),
            widget.accessibleDescription(),
        ]
        if isinstance(widget, QLabel | QPushButton):
            texts.append(widget.text())
    return texts


@settings(max_examples=25)
@given(data=st.data())
def test_what_is_covered_looks_and_reads_the_same_whatever_the_answer(
    data: st.DataObject, qapp: QApplication
) -> None:
    ids = st.integers(32, 255)
    some = data.draw(st.lists(st.tuples(ids, ids), min_size=2, max_size=4, unique=True))
    # The room that is kept for the counts is that of the greatest in the run.
    counts = st.lists(st.integers(1000, 9999), min_size=len(some), max_size=len(some))
    panel = GuessPanel()
    panel.resize(420, 360)
    covered = []
    for _ in range(2):
        numbers = sorted(data.draw(counts), reverse=True)
        order = data.draw(st.permutations(some))
        ranked = [(*pair, count) for pair, count in zip(order, numbers, strict=True)]
        history = offered(ranked, merged=data.draw(st.integers(0, len(some) - 1)))
        panel.set_history(history)
        looks, texts = picture(panel), everything(panel)
        covered.append((looks, texts))
        assert not any(f"{count:,}" in text for count in numbers for text in texts)
        panel.reveal()
        assert picture(panel) != looks
        told = panel.accessibleDescription()
        assert told.startswith(f"It is pair {at(history, 0).answer + 1}. ")
        assert all(f"{count:,} times" in told for count in numbers)
    assert covered[0] == covered[1]
    panel.deleteLater()


@pytest.mark.qt_log_ignore("does not support raise")
def test_tooltips_tell_the_count_only_afterwards(panel: GuessPanel, qtbot: QtBot) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    board, answer = board_of(panel), at(history, 4).answer
    place = row_middle(panel, answer)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, board.mapToGlobal(place))
    assert board.event(event)
    assert QToolTip.text() == "<p>lo + w</p>"
    press(panel, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    assert board.event(event)
    assert QToolTip.text() == "<p>lo + w: 7 times</p>"
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


# -- what is drawn ----------------------------------------------------------------------------


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_colours_and_signs_of_the_answer(panel: GuessPanel, theme: Theme) -> None:
    history = four_words()
    panel.set_theme(theme)
    panel.set_history(history)
    panel.show_position(4, False)
    board = board_of(panel)
    covered = colours(picture(board))
    assert covered[QColor(theme.accent).name()] == 0
    assert covered[QColor(theme.error).name()] == 0
    press(panel, Qt.Key(Qt.Key.Key_1 + at(history, 4).answer))
    right = colours(picture(board))
    assert right[QColor(theme.accent).name()] > 20
    assert right[QColor(theme.error).name()] == 0
    panel.set_history(four_words())
    panel.show_position(4, False)
    press(panel, Qt.Key(Qt.Key.Key_1 + wrong_one(at(history, 4))))
    wrong = colours(picture(board))
    assert wrong[QColor(theme.accent).name()] > 20
    assert wrong[QColor(theme.error).name()] > 20


def test_bars_are_as_long_as_the_counts(panel: GuessPanel) -> None:
    history = four_words()
    panel.set_history(history)
    panel.show_position(4, False)
    rows = board_of(panel).places.rows
    counts = [candidate.count for candidate in at(history, 4).candidates]
    longest = max(row.bar.width() for row in rows)
    for row, count in zip(rows, counts, strict=True):
        assert row.bar.width() / longest == pytest.approx(count / max(counts))


def test_nothing_moves_when_the_answer_is_given(panel: GuessPanel) -> None:
    panel.set_history(four_words())
    before = list(board_of(panel).places.rows)
    size = board_of(panel).size()
    press(panel, Qt.Key.Key_R)
    assert board_of(panel).places.rows == before
    assert board_of(panel).size() == size


@pytest.mark.parametrize(
    ("size", "least"), [((280, 200), 11), ((350, 350), 14), ((800, 600), 30), ((1600, 900), 44)]
)
def test_the_text_grows_with_the_panel(
    panel: GuessPanel, qtbot: QtBot, size: tuple[int, int], least: int
) -> None:
    history = byte_level("the cat sat on the mat and the other cats thought of the best end " * 9)
    panel.resize(*size)
    panel.set_history(history)
    board, places = board_of(panel), board_of(panel).places
    assert places.size >= least
    for position in (0, 5, len(history) // 2):
        panel.show_position(position, False)
        rows = places.rows
        for row in rows:
            assert row.left_edge < row.plus < row.right_edge <= row.right_end
            assert row.right_end < row.number.left() < row.number.right() < row.sign.x()
            assert board.rect().contains(row.area.toRect())
        for above, below in pairwise(rows):
            assert above.area.bottom() < below.area.top()
        assert rows[-1].area.bottom() <= places.sentence_area.top()
        assert places.sentence_area.bottom() <= board.height()
    assert all("…" not in row.left + row.right for row in places.rows)
    label = panel.findChild(QLabel, "guessScore")
    assert isinstance(label, QLabel)
    press(panel, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: label.height() >= label.fontMetrics().height())
    numbers = label.text().replace(" / ", " of ").removesuffix(" right")
    assert numbers in ("0 of 1", "1 of 1")


def test_long_tokens_are_cut_at_their_outer_ends(panel: GuessPanel) -> None:
    words = [("x" * 300 + "yz" * 300, 3), ("abcab", 2)]
    history = trained(words, preset("raw"), 12)
    panel.resize(280, 200)
    panel.set_history(history)
    for position in range(len(history)):
        panel.show_position(position, False)
        press(panel, Qt.Key.Key_R)
        picture(panel)
        for row in board_of(panel).places.rows:
            assert row.right_end <= row.number.left()
    shown = [(row.left, row.right) for row in board_of(panel).places.rows]
    assert any(left.startswith("…") and right.endswith("…") for left, right in shown)


@pytest.mark.parametrize(("width", "height", "pixels"), [(940, 437, 45), (496, 308, 32)])
def test_where_it_is_low_all_is_as_large_as_the_text_around(
    panel: GuessPanel, qtbot: QtBot, width: int, height: int, pixels: int
) -> None:
    font = panel.font()
    font.setPixelSize(pixels)
    panel.setFont(font)
    panel.resize(width, height)
    panel.set_history(four_words())
    board, places = board_of(panel), board_of(panel).places
    assert not button(panel, "guessNext").isVisible()
    qtbot.waitUntil(lambda: board.height() == height)
    assert places.size == pixels
    for answered in (False, True):
        sizes = [float(t.attrib["font-size"].removesuffix("px")) for t in texts_of(board)]
        assert min(sizes) >= 0.9 * pixels
        assert ("0 of 1 right" in told_by(board)) is answered
        press(panel, Qt.Key.Key_1)
    assert "Tied, and first in the corpus" in told_by(board)
    panel.resize(width, 2 * height)
    assert button(panel, "guessNext").isVisible()
    assert "0 of 1 right" not in told_by(board)
    assert score(panel)


def texts_of(board: GuessBoard) -> list[ElementTree.Element]:
    found = ElementTree.fromstring(drawing_of(board, "board")).iter()
    return [
        part for part in found if part.tag.endswith("text") and "".join(part.itertext()).strip()
    ]


def told_by(board: GuessBoard) -> list[str]:
    return ["".join(text.itertext()) for text in texts_of(board)]
