"""The chart of competing pairs, as a widget."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.analysis.pair_changes import pair_changes
from bpe_gui.bpe.history import Decision, History, Intervention
from bpe_gui.bpe.recipe import preset
from bpe_gui.bpe.trainer import Trainer
from bpe_gui.bpe.words import WordCounts
from bpe_gui.ui.panels.pairs.panel import PairChart
from bpe_gui.ui.panels.pairs.wording import mark
from bpe_gui.ui.theme.text_size import resized
from bpe_gui.ui.theme.theme import DARK, LIGHT, Theme, palette, theme_of
from bpe_gui.ui.widgets.motion import MergeMotion
from bpe_gui.ui.widgets.presenting import present
from tests.ui.driving import colours, picture, pixels, shown
from tests.ui.histories import FOUR_WORDS, four_words, invented, trained
from tests.ui.panels.painted import painted_texts, text_elements
from tests.ui.panels.parts import parts
from tests.ui.panels.stories import train_words


@pytest.fixture
def chart(qtbot: QtBot, motion: MergeMotion) -> PairChart:
    return shown(qtbot, PairChart(parts(motion=motion)), 380, 440)


def at_rest(qtbot: QtBot, history: History, position: int) -> QImage:
    """What a chart of its own looks like that never moved."""
    chart = shown(qtbot, PairChart(parts()), 380, 440)
    chart.clearFocus()
    chart.set_animated(False)
    chart.set_history(history)
    chart.show_position(position, False)
    image = picture(chart)
    chart.close()
    return image


def row_middle(chart: PairChart, rank: int, x: int) -> QPoint:
    return QPoint(x, chart.area_of_rows(rank, rank).center().y())


def test_it_can_be_found(chart: PairChart) -> None:
    assert chart.objectName() == "pairChart"
    assert chart.accessibleName()


def test_without_a_history_it_says_so(chart: PairChart) -> None:
    assert "Open a corpus to" in chart.accessibleDescription()
    empty = picture(chart)
    assert len(colours(empty)) > 1, "a sentence must be there"
    chart.set_history(four_words())
    assert picture(chart) != empty
    chart.set_history(None)
    assert picture(chart) == empty


def test_when_no_pair_is_left_it_says_so(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    chart.show_position(len(history), False)
    assert chart.accessibleDescription().startswith("No pair is left")
    present(chart, True)
    chart.setFont(resized(chart.font(), 2))
    assert "No pair is left" in chart.message
    assert "Step back" not in chart.message, "nobody in an audience can"


def test_the_star_and_the_bracket_have_words_where_there_is_room(chart: PairChart) -> None:
    history = four_words()
    chart.set_animated(False)
    chart.resize(500, 300)
    chart.set_history(history)
    assert {"next", "tie"} <= set(painted_texts(chart))
    row = chart.tooltip_at(row_middle(chart, 0, 10))
    assert "Merged next, wins the tie of 3 pairs" in row
    assert "tied: as frequent as 2 other pairs" in chart.tooltip_at(row_middle(chart, 1, 10))
    chart.show_position(1, False)
    texts = painted_texts(chart)
    assert "tie" in texts
    assert texts.count("new") == 2, "es + t is new as well, and wins a tie"
    chart.show_position(4, False)
    texts = painted_texts(chart)
    assert "next" in texts
    assert "tie" not in texts, "one pair leads"
    chart.tell_last(True)
    texts = painted_texts(chart)
    assert "last" in texts
    assert "next" not in texts, "its first pair has been merged"
    assert "Merged last: the most" in chart.tooltip_at(row_middle(chart, 0, 10))


def test_the_name_of_the_star_does_not_come_and_go(chart: PairChart) -> None:
    falling = trained([("newest", 2_000_000), ("low", 5), ("wide", 2)], preset("whitespace"))
    named = set()
    for history in (four_words(), falling):
        chart.set_history(history)
        for width in (120, 200, 280, 300, 330, 500):
            chart.resize(width, 300)
            seen = set()
            for position in range(len(history)):
                chart.show_position(position, True)
                seen.add("next" in painted_texts(chart))
            assert len(seen) == 1, "neither with the pair nor with the length of its count"
            named |= seen
    assert named == {True, False}, "a narrow chart has room for the pair alone"


def rows_beside_a_bracket(chart: PairChart) -> list[int]:
    """The ranks of the rows whose middles a bracket passes at the right edge."""
    image, x = picture(chart), chart.width() - 12
    background = QColor(theme_of(chart).panel)
    found = []
    for rank in range(8):
        y = row_middle(chart, rank, 0).y()
        beside = [image.pixelColor(x + place, y) for place in range(8)]
        if any(colour != background for colour in beside):
            found.append(rank)
    return found


def test_only_the_tie_that_decides_has_a_bracket(chart: PairChart) -> None:
    history = four_words()
    chart.clearFocus()
    chart.set_history(history)
    for position, tied in ((0, [0, 1, 2]), (2, []), (3, [0, 1])):
        chart.show_position(position, True)
        counts = history.top(position).count.tolist()
        assert len(set(counts[:8])) < 8 - len(tied), "others are equally frequent, too"
        assert rows_beside_a_bracket(chart) == tied, position


def test_a_tie_that_did_not_decide_has_no_bracket(chart: PairChart) -> None:
    recipe = preset("whitespace")
    words = WordCounts.from_pairs(FOUR_WORDS, recipe)
    top = Trainer(words, recipe).history.top(0)
    forced = Intervention(0, Decision.FORCE, int(top.left[4]), int(top.right[4]))
    trainer = Trainer(words, recipe, interventions=[forced])
    trainer.advance(1)
    chart.clearFocus()
    chart.set_history(trainer.history)
    assert top.count[0] == top.count[1]
    assert rows_beside_a_bracket(chart) == []
    assert "tie" not in painted_texts(chart)


def test_it_says_how_many_of_all_pairs_have_a_row(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    assert history.distinct[0] == len(history.top(0)) == 14
    assert not [text for text in painted_texts(chart) if text.endswith("pairs")], "all have one"
    chart.resize(380, 160)
    rows = sum(chart.row_at(row_middle(chart, rank, 0).y()) is not None for rank in range(14))
    assert rows < 14
    assert f"{rows} of 14 pairs" in painted_texts(chart)
    chart.show_position(len(history) - 1, True)
    assert not [text for text in painted_texts(chart) if text.endswith("pairs")], "one is left"


def test_a_short_run_keeps_its_scale(chart: PairChart) -> None:
    """A bar of 2 is never as long as one of 9 was."""
    history = four_words()
    chart.set_history(history)
    ends = []
    for position in range(len(history)):
        chart.show_position(position, True)
        ends.append(painted_texts(chart)[-1])
    assert history.count.tolist() == [9, 9, 9, 7, 7, 6, 6, 6, 5, 3, 3, 3, 2, 2, 2]
    assert ends == ["9"] * 15


def test_the_scale_is_kept_until_the_leader_has_less_than_a_fifth(chart: PairChart) -> None:
    """Where it changes, the foot tells what it was."""
    history = trained([("ab", 100), ("cd", 20), ("ef", 19), ("gh", 18)], preset("whitespace"))
    assert history.count.tolist() == [100, 100, 20, 20, 19, 19, 18, 18]
    chart.set_history(history)
    ends = []
    for position in (*range(8), 4, 3):
        chart.show_position(position, True)
        ends.append(painted_texts(chart)[-1])
    assert ends == [*["100"] * 4, "19 (was 100)", *["19"] * 3, "19 (was 100)", "100"]


def test_after_fifty_merges_the_scale_ends_with_the_leader(chart: PairChart) -> None:
    pairs = [(f"{chr(0x4E00 + 2 * n)}{chr(0x4E01 + 2 * n)}", 50 - n // 3) for n in range(60)]
    _, trainer = train_words(pairs, preset("raw"), 55)
    chart.set_history(trainer.history)
    for position, end in ((49, "50"), (50, "50"), (51, "33 (was 50)"), (52, "33")):
        chart.show_position(position, True)
        assert painted_texts(chart)[-1] == end


def test_a_position_looks_the_same_however_it_was_reached(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    exact = at_rest(qtbot, history, 3)
    chart.clearFocus()  # the current row goes with its pair
    chart.set_history(history)
    for position in (0, 7, 3):
        chart.show_position(position, True)
    qtbot.waitUntil(lambda: picture(chart) == exact)


def test_rows_move_to_their_places(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    exact = at_rest(qtbot, history, 1)
    chart.clearFocus()
    chart.set_history(history)
    chart.show_position(1, False)
    assert picture(chart) != exact, "they are on their way"
    qtbot.waitUntil(lambda: picture(chart) == exact)
    chart.show_position(1, False)
    assert picture(chart) == exact, "nothing moves any more"


def test_while_the_cursor_moves_fast_rows_stand_at_once(chart: PairChart, qtbot: QtBot) -> None:
    """They were drawn over each other all the time."""
    history = four_words()
    chart.clearFocus()
    chart.set_history(history)
    for position in (2, 5, 3):
        exact = at_rest(qtbot, history, position)
        chart.show_position(position, True)
        assert picture(chart) == exact


def test_without_animation_rows_stand_at_once(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    chart.clearFocus()
    chart.set_history(history)
    for position in (2, 5):
        exact = at_rest(qtbot, history, position)
        chart.show_position(position, False)
        assert (picture(chart) == exact) is (position == 5)
        chart.set_animated(False)
        assert picture(chart) == exact


def test_a_merge_is_seen_where_the_cursor_goes_one_further(
    chart: PairChart, motion: MergeMotion, qtbot: QtBot
) -> None:
    """Until its bar has drained the rows stay where they are."""
    history = four_words()
    chart.clearFocus()
    chart.set_history(history)
    before = picture(chart)
    below = QRect(0, chart.area_of_rows(1, 1).top(), 60, chart.height())
    motion.go_to(0, False)
    motion.go_to(1, False)
    chart.show_position(1, False)
    assert picture(chart).copy(below) == before.copy(below), "the ranks"
    qtbot.waitUntil(lambda: picture(chart) == at_rest(qtbot, history, 1))
    for position, moving in ((2, True), (4, False), (3, False)):
        motion.go_to(position, moving)
        chart.show_position(position, moving)
        qtbot.waitUntil(lambda now=position: picture(chart) == at_rest(qtbot, history, now))


def test_what_a_merge_has_changed_is_told(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    chart.show_position(1, False)
    assert "es + t: 9 times" in chart.accessibleDescription()
    assert "New since the last merge." in chart.accessibleDescription()
    QTest.keyClick(chart, Qt.Key.Key_Down)
    QTest.keyClick(chart, Qt.Key.Key_Down)
    told = chart.accessibleDescription()
    assert "2 fewer than the most frequent pair." in told
    assert "Overtook w + e, which became less frequent." in told
    changes = pair_changes(history, 1)
    assert {mark(change) for change in changes.values()} == {"new", "↑", "−6"}
    chart.resize(640, 440)
    chart.set_animated(False)
    beside = {text for text in painted_texts(chart) if text[0] in "↑−"}
    assert beside == {"↑", "−6", "↑ higher rank"}, "no number but differences of the count"
    arrows, tokens = (
        [float(one.attrib["x"]) for one in text_elements(chart) if "".join(one.itertext()) in said]
        for said in ("↑", ("es", "l", "n"))
    )
    assert max(arrows) < min(tokens), "it is about the rank, which the tokens follow"


def test_with_last_it_says_that_its_counts_are_those_before_the_merge(chart: PairChart) -> None:
    chart.resize(640, 180)
    chart.set_history(four_words())
    chart.show_position(2, False)
    assert not [text for text in painted_texts(chart) if "before merge" in text]
    chart.tell_last(True)
    assert [text for text in painted_texts(chart) if text.endswith(", before merge 3")]
    chart.resize(300, 440)
    assert [text for text in painted_texts(chart) if "before merge 3" in text]


def test_what_a_pair_lacks_to_the_leader_is_seen_behind_its_bar(
    chart: PairChart, qtbot: QtBot
) -> None:
    history = four_words()
    chart.clearFocus()
    chart.set_history(history)
    counts = history.top(0).count.tolist()
    assert counts[:4] == [9, 9, 9, 8]
    image, grid = picture(chart), QColor(DARK.grid).rgb()
    lacks = [
        int(np.count_nonzero(pixels(image)[chart.area_of_rows(rank, rank).center().y()] == grid))
        for rank in range(len(counts))
    ]
    assert lacks[:3] == [0, 0, 0]
    assert lacks[3] > 0
    for rank, count in enumerate(counts):
        assert lacks[rank] == pytest.approx(lacks[3] * (9 - count), abs=9), rank


@pytest.mark.qt_log_ignore("does not support raise")
def test_the_foot_says_where_bars_begin(chart: PairChart, qtbot: QtBot) -> None:
    chart.set_history(invented(3000))
    chart.show_position(2000, False)
    foot = QPoint(200, chart.height() - 8)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, foot, chart.mapToGlobal(foot))
    QApplication.sendEvent(chart.viewport(), event)
    assert "Bars begin at 0" in QToolTip.text()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_forbidden_pairs_are_told_also_those_of_the_parents(chart: PairChart) -> None:
    recipe = preset("whitespace")
    words = WordCounts.from_pairs(list(FOUR_WORDS), recipe)
    first = four_words().top(0)
    pair = int(first.left[0]), int(first.right[0])
    later = four_words().top(3)
    other = int(later.left[3]), int(later.right[3])
    decided = [
        Intervention(0, Decision.FORBID, *pair), Intervention(2, Decision.FORBID, *other)
    ]  # fmt: skip
    trainer = Trainer(words, recipe, compiled=False, interventions=decided)
    trainer.advance(5)
    chart.set_history(trainer.history)
    chart.set_animated(False)
    shown_rows = chart.area_of_rows(0, 0).height()
    assert "e + s: forbidden from merge 1 on." in chart.accessibleDescription()
    assert "from merge 3 on" not in chart.accessibleDescription()
    chart.show_position(3, False)
    assert "e + s: forbidden from merge 1 on." in chart.accessibleDescription()
    assert "forbidden from merge 3 on." in chart.accessibleDescription()
    assert chart.area_of_rows(0, 0).height() <= shown_rows
    chart.resize(700, 400)
    assert "forbidden from merge 3 on" in painted_texts(chart)
    chart.resize(200, 400)
    told = [text for text in painted_texts(chart) if text.startswith("forbidden")]
    assert told == ["forbidden", "forbidden"], "a narrow chart does not cut words"


def test_a_hidden_chart_does_not_move(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    chart.clearFocus()
    chart.set_history(history)
    chart.show_position(2, False)
    chart.hide()
    assert picture(chart) == at_rest(qtbot, history, 2)
    chart.show_position(4, False)
    assert picture(chart) == at_rest(qtbot, history, 4)


def test_positions_outside_the_history_are_refused(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    with pytest.raises(IndexError, match="outside"):
        chart.show_position(len(history) + 1, False)


@pytest.mark.qt_log_ignore("not accepted by receiving widget")
def test_clicks_select_the_pair_and_the_token_under_the_mouse(
    chart: PairChart, qtbot: QtBot
) -> None:
    history = four_words()
    chart.set_history(history)
    winner = history.top(1)
    chart.set_animated(False)
    chart.show_position(1, False)
    left, right = int(winner.left[0]), int(winner.right[0])
    pairs: list[tuple[int, int]] = []
    tokens: list[int] = []
    chart.pairSelected.connect(lambda *pair: pairs.append(pair))
    chart.tokenSelected.connect(tokens.append)
    for x in range(40, chart.width(), 8):
        QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=row_middle(chart, 0, x))
    assert set(pairs) == {(left, right)}
    assert [token for token, _ in groupby(tokens)] == [left, right]
    QTest.mouseClick(
        chart.viewport(), Qt.MouseButton.LeftButton, pos=row_middle(chart, 1, chart.width() - 8)
    )
    assert pairs[-1] == (int(winner.left[1]), int(winner.right[1]))
    assert tokens[-1] == right, "beside its tokens a pair is marked, and no token is gone to"


@pytest.mark.qt_log_ignore("not accepted by receiving widget")
def test_a_click_below_the_last_row_selects_nothing(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    chart.set_history(history)
    below = row_middle(chart, len(history.top(0)) + 1, 100)
    with qtbot.assertNotEmitted(chart.pairSelected):
        QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=below)


def test_keys_move_the_current_row_and_select_it(chart: PairChart, qtbot: QtBot) -> None:
    history = four_words()
    top = history.top(0)
    chart.set_history(history)
    chart.setFocus()
    chart.activateWindow()
    qtbot.waitUntil(chart.hasFocus)
    assert "Merged next" in chart.accessibleDescription()
    unmoved = picture(chart)
    second = [int(top.left[1]), int(top.right[1])]
    with qtbot.assertNotEmitted(chart.tokenSelected), qtbot.waitSignal(chart.pairSelected) as gone:
        QTest.keyClick(chart, Qt.Key.Key_Down)
    assert gone.args == second
    assert "Rank 2" in chart.accessibleDescription()
    assert picture(chart) != unmoved
    with qtbot.waitSignal(chart.tokenSelected), qtbot.waitSignal(chart.pairSelected) as chosen:
        QTest.keyClick(chart, Qt.Key.Key_Return)
    assert chosen.args == second
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    assert f"Rank {len(top)}" in chart.accessibleDescription()
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert f"Rank {len(top)}" in chart.accessibleDescription()
    QTest.keyClick(chart, Qt.Key.Key_PageUp)
    QTest.keyClick(chart, Qt.Key.Key_Up)
    assert "Merged next" in chart.accessibleDescription()


def test_the_current_pair_stays_current_while_it_climbs(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    top, later = history.top(0), history.top(3)
    pair = (int(later.left[0]), int(later.right[0]))
    before = list(zip(top.left.tolist(), top.right.tolist(), strict=True)).index(pair)
    assert before > 0
    for _ in range(before):
        QTest.keyClick(chart, Qt.Key.Key_Down)
    assert chart.current_pair == pair
    chart.show_position(3, False)
    assert chart.current_pair == pair
    assert "Merged next" in chart.accessibleDescription()


@pytest.mark.qt_log_ignore("does not support raise")
def test_hovering_tells_all_about_a_pair(chart: PairChart, qtbot: QtBot) -> None:
    chart.set_history(four_words())
    at = row_middle(chart, 0, 100)
    plain = picture(chart)
    QTest.mouseMove(chart.viewport(), row_middle(chart, 1, 100))
    qtbot.waitUntil(lambda: picture(chart) != plain)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, at, chart.mapToGlobal(at))
    assert QApplication.sendEvent(chart.viewport(), event)
    assert "9 times" in QToolTip.text()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_selected_token_is_underlined(chart: PairChart) -> None:
    history = four_words()
    chart.set_history(history)
    plain = picture(chart)
    chart.select_token(int(history.top(0).left[0]))
    assert picture(chart) != plain


def bar_start(image: QImage, accent: str, y: int) -> int:
    """Where the bar of the winner begins, right of its star and its texts."""
    row = [image.pixelColor(x, y) == QColor(accent) for x in range(image.width())]
    return next(x for x in range(60, image.width()) if all(row[x : x + 4]))


def accent_rows(image: QImage, accent: str, x: int) -> int:
    return sum(image.pixelColor(x, y) == QColor(accent) for y in range(image.height()))


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_one_bar_wears_the_accent(chart: PairChart, theme: Theme) -> None:
    chart.setPalette(palette(theme))
    chart.set_history(four_words())
    image, first = picture(chart), chart.area_of_rows(0, 0)
    x = bar_start(image, theme.accent, first.center().y())
    thickness = first.height() * 0.62
    found = accent_rows(image, theme.accent, x + 2)
    assert thickness - 2 <= found <= thickness + 1


@pytest.mark.parametrize(
    ("size", "rows"), [((280, 200), 11), ((280, 900), 20), ((1200, 1000), 20), ((900, 90), 4)]
)
def test_as_many_rows_as_fit(chart: PairChart, size: tuple[int, int], rows: int) -> None:
    history = invented(50)
    chart.resize(*size)
    chart.set_history(history)
    assert chart.area_of_rows(0, 0).height() >= 16
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    last = next(n for n in range(rows, 0, -1) if f"Rank {n}" in chart.accessibleDescription())
    # They fill the panel but for its margins, and no row is cut off.
    foot = 24
    least = min(20 * 16, size[1] - 16 - 8 - foot)
    assert least <= chart.area_of_rows(0, last - 1).bottom() <= size[1] - 4
    image = picture(chart)
    x = bar_start(image, DARK.accent, chart.area_of_rows(0, 0).center().y())
    assert x < size[0] - 60, "there is room for bars and counts"


def test_rows_on_their_way_do_not_cover_the_foot(
    chart: PairChart, motion: MergeMotion
) -> None:
    history = four_words()
    chart.resize(900, 120)
    chart.clearFocus()
    chart.set_history(history)
    foot = QRect(0, 120 - 4 - 12, 60, 12)
    still = []
    for position in range(10):
        chart.show_position(position, True)
        still.append(picture(chart).copy(foot))
    for position in range(1, 10):
        motion.hold(1.0)
        motion.go_to(position - 1, False)
        chart.show_position(position - 1, False)
        motion.hold(0.0)
        motion.go_to(position, False)
        chart.show_position(position, False)
        for share in range(5, 100, 5):
            motion.hold(share / 100)
            image = picture(chart).copy(foot)
            assert image in still[position - 1 : position + 1], "ranks of rows from below"


def test_labels_are_cut_to_their_room(chart: PairChart) -> None:
    history = invented(20_000)
    chart.resize(280, 200)
    chart.clearFocus()
    chart.set_animated(False)
    chart.set_history(history)
    for position in range(0, 20_001, 4_000):
        chart.show_position(position, False)
        image = picture(chart)
        first = chart.area_of_rows(0, 0)
        if history.next_pair(position) is None:
            continue
        x = bar_start(image, DARK.accent, first.center().y())
        rows = range(chart.area_of_rows(0, 8).bottom())
        beside = {image.pixelColor(x - 3, y).name() for y in rows}
        assert beside == {DARK.panel}, "nothing hangs over between the tokens and the bars"


def test_live_batches_show_the_latest_counts(chart: PairChart, qtbot: QtBot) -> None:
    history: History = invented(3000)
    exact = at_rest(qtbot, history, 2500)
    chart.clearFocus()
    chart.set_history(history)
    for position in range(0, 3000, 500):
        chart.show_position(position, True)
    qtbot.waitUntil(lambda: picture(chart) == exact)


def test_the_right_button_asks_what_to_do_with_a_pair(chart: PairChart, qtbot: QtBot) -> None:
    chart.resize(400, 500)
    history = four_words()
    top = history.top(0)
    chart.set_history(history)
    place = row_middle(chart, 2, 40)
    for reason, rank, asked_there in (
        (QContextMenuEvent.Reason.Mouse, 2, chart.viewport()),
        (QContextMenuEvent.Reason.Keyboard, 3, chart),
    ):
        if reason is QContextMenuEvent.Reason.Keyboard:
            chart.setFocus()
            QTest.keyClick(chart, Qt.Key.Key_Down)
        with qtbot.waitSignal(chart.menuWanted) as asked:
            QApplication.sendEvent(
                asked_there, QContextMenuEvent(reason, place, chart.mapToGlobal(place))
            )
        pair = int(top.left[rank]), int(top.right[rank])
        assert tuple(asked.args[:2]) == chart.current_pair == pair
    below = QPoint(40, chart.height() - 1)
    with qtbot.assertNotEmitted(chart.menuWanted):
        mouse = QContextMenuEvent.Reason.Mouse
        asks = QContextMenuEvent(mouse, below, chart.mapToGlobal(below))
        QApplication.sendEvent(chart.viewport(), asks)


def test_a_forbidden_pair_has_the_count_of_the_bars_while_one_drains(
    chart: PairChart, motion: MergeMotion
) -> None:
    recipe = preset("whitespace")
    words = WordCounts.from_pairs(list(FOUR_WORDS), recipe)
    first = four_words().top(0)
    pair = int(first.left[0]), int(first.right[0])
    forbidden = [Intervention(0, Decision.FORBID, *pair)]
    trainer = Trainer(words, recipe, compiled=False, interventions=forbidden)
    trainer.advance(3)
    history = trainer.history
    chart.set_history(history)
    chart.set_forbidden_counts(history, 0, {pair: 9})
    assert "e + s: 9 times, forbidden" in chart.accessibleDescription()
    motion.hold(0.5)
    motion.go_to(0, False)
    motion.go_to(1, False)
    chart.show_position(1, False)
    chart.set_forbidden_counts(history, 1, {pair: 0})
    assert "9 times, forbidden from merge 1 on" in painted_texts(chart)
    motion.hold(1)
    assert "0 times, forbidden from merge 1 on" in painted_texts(chart)
    assert "e + s: 0 times, forbidden" in chart.accessibleDescription()


def see_the_first_merge(chart: PairChart, motion: MergeMotion) -> None:
    """Let the bar of the first merge be drained to less than half."""
    motion.hold(0.4)
    chart.set_history(four_words())
    for position in (0, 1):
        motion.go_to(position, False)
        chart.show_position(position, False)


def test_while_a_bar_drains_counts_are_told_from_and_to(
    chart: PairChart, motion: MergeMotion
) -> None:
    chart.resize(490, 176)
    see_the_first_merge(chart, motion)
    texts = painted_texts(chart)
    told = [text for text in texts if "→" in text]
    assert told == ["9→0", "9→0", "8→2"], "and nothing is written over the bar"
    assert "now" in texts, "the star has a name in every frame"


def test_what_flows_to_a_new_pair_ends_between_two_rows(
    chart: PairChart, motion: MergeMotion
) -> None:
    chart.resize(490, 400)
    chart.clearFocus()  # or a row has a frame
    see_the_first_merge(chart, motion)
    accent = QColor(theme_of(chart).accent)
    across = range(chart.width() * 3 // 5, chart.width(), 4)

    def flowing(share: float) -> list[int]:
        """The lines of the picture in which something flows."""
        motion.hold(share)
        image = picture(chart)
        return [
            y for y in range(image.height())
            if any(image.pixelColor(x, y) == accent for x in across)
        ]  # fmt: skip

    painted = flowing(0.62)
    middles = [row_middle(chart, rank, 0).y() for rank in range(10)]
    row = middles[1] - middles[0]
    assert painted
    assert all(abs(y - middle) > row / 4 for y in painted for middle in middles)
    assert not flowing(0.79), "nothing stays there"
