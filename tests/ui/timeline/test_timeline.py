"""The timeline by itself: what it shows, and what mouse and keys ask for."""

from __future__ import annotations

import re
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QPixmap, QWheelEvent
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from bpe_gui.bpe.history import History, StopReason
from bpe_gui.ui.run.player import Bookmark
from bpe_gui.ui.theme.theme import DARK, LIGHT, palette
from bpe_gui.ui.timeline.strip import AUTOMATIC, LINEAR, LOGARITHMIC, TimeScale
from bpe_gui.ui.timeline.timeline import Timeline
from tests.ui.histories import four_words, grow, invented
from tests.ui.panels.painted import painted_texts

LEFT = Qt.MouseButton.LeftButton


def finished(merges: int) -> History:
    history = invented(merges)
    history.stopped = StopReason.MERGES
    return history


@pytest.fixture
def timeline(qtbot: QtBot) -> Timeline:
    timeline = Timeline()
    qtbot.addWidget(timeline)
    timeline.resize(900, timeline.sizeHint().height())
    timeline.choose_scale(LINEAR)
    timeline.set_history(finished(1000))
    timeline.set_position(400)
    timeline.show()
    qtbot.waitExposed(timeline)
    return timeline


def asked(timeline: Timeline) -> list[int]:
    seen: list[int] = []
    timeline.seekRequested.connect(seen.append)
    return seen


def test_a_click_asks_for_the_position_there(qtbot: QtBot, timeline: Timeline) -> None:
    seen = asked(timeline)
    qtbot.mouseClick(timeline, LEFT, pos=timeline.place_of(700))
    assert len(seen) == 1
    assert abs(seen[0] - 700) <= 1


def test_dragging_asks_all_the_way_and_stays_within(qtbot: QtBot, timeline: Timeline) -> None:
    seen = asked(timeline)
    qtbot.mousePress(timeline, LEFT, pos=timeline.place_of(400))
    for position in (450, 500):
        qtbot.mouseMove(timeline, timeline.place_of(position))
    qtbot.mouseMove(timeline, QPoint(timeline.width() + 50, 20))
    qtbot.mouseMove(timeline, QPoint(-50, 20))
    qtbot.mouseRelease(timeline, LEFT, pos=QPoint(-50, 20))
    assert [round(position, -1) for position in seen[-4:]] == [450, 500, 1000, 0]
    qtbot.mouseMove(timeline, timeline.place_of(300))
    assert seen[-1] == 0, "without a button nothing is dragged"


def test_being_told_a_position_asks_for_nothing(timeline: Timeline) -> None:
    seen = asked(timeline)
    timeline.set_position(7)
    timeline.set_position(1000)
    assert timeline.value() == 1000
    assert seen == []


@pytest.mark.parametrize(
    ("key", "position"),
    [
        (Qt.Key.Key_Right, 401),
        (Qt.Key.Key_Left, 399),
        (Qt.Key.Key_PageUp, 350),
        (Qt.Key.Key_PageDown, 450),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 1000),
    ],
)
def test_keys(qtbot: QtBot, timeline: Timeline, key: Qt.Key, position: int) -> None:
    seen = asked(timeline)
    qtbot.keyClick(timeline, key)
    assert seen == [position]


def test_the_wheel_goes_merge_by_merge(timeline: Timeline) -> None:
    seen = asked(timeline)
    place = QPointF(timeline.place_of(100))
    for turned in (120, -240, 60, 60):
        event = QWheelEvent(
            place,
            timeline.mapToGlobal(place),
            QPoint(),
            QPoint(0, turned),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(timeline, event)
    assert seen == [401, 399, 400]


def turn(timeline: Timeline, place: QPoint, turned: int, keys: Qt.KeyboardModifier) -> None:
    at = QPointF(place)
    event = QWheelEvent(
        at, timeline.mapToGlobal(at), QPoint(), QPoint(0, turned), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(timeline, event)


def test_the_wheel_goes_a_page_with_shift(timeline: Timeline) -> None:
    seen = asked(timeline)
    turn(timeline, timeline.place_of(100), 120, Qt.KeyboardModifier.ShiftModifier)
    assert seen == [450]


def test_the_wheel_zooms_around_the_mouse_with_control(timeline: Timeline) -> None:
    seen = asked(timeline)
    place = timeline.place_of(500)
    before = timeline.place_of(600).x() - timeline.place_of(500).x()
    for _ in range(3):
        turn(timeline, place, 120, Qt.KeyboardModifier.ControlModifier)
    assert abs(timeline.place_of(500).x() - place.x()) <= 2
    after = timeline.place_of(600).x() - timeline.place_of(500).x()
    assert after == pytest.approx(before * 1.25**3, abs=2)
    timeline.update_accessible()
    assert re.search(r"Merges \d+ to \d+ of 1,000 are in view$", timeline.accessibleDescription())
    for _ in range(4):
        turn(timeline, place, -120, Qt.KeyboardModifier.ControlModifier)
    assert timeline.place_of(600).x() - timeline.place_of(500).x() == before
    assert seen == [], "the cursor stays"
    timeline.update_accessible()
    assert "in view" not in timeline.accessibleDescription()


def test_keys_zoom_around_the_cursor(qtbot: QtBot, timeline: Timeline) -> None:
    place, before = timeline.place_of(400), timeline.place_of(500).x()
    timeline.setFocus()
    qtbot.keyClick(timeline, Qt.Key.Key_Plus)
    assert timeline.place_of(400) == place
    assert timeline.place_of(500).x() - place.x() == pytest.approx(2 * (before - place.x()), abs=2)
    qtbot.keyClick(timeline, Qt.Key.Key_Minus)
    assert timeline.place_of(500).x() == before
    for _ in range(30):
        qtbot.keyClick(timeline, Qt.Key.Key_Plus)
    assert timeline.place_of(405).x() < timeline.width(), "some merges are always seen"
    qtbot.keyClick(timeline, Qt.Key.Key_0)
    assert timeline.place_of(500).x() == before


def test_the_cursor_stays_in_view(qtbot: QtBot, timeline: Timeline) -> None:
    timeline.setFocus()
    for _ in range(4):
        qtbot.keyClick(timeline, Qt.Key.Key_Plus)
    for position in (500, 1000, 0, 730):
        timeline.set_position(position)
        timeline.choose_scale(LINEAR if timeline.is_logarithmic else LOGARITHMIC)
        assert 0 <= timeline.place_of(position).x() <= timeline.width()


@pytest.mark.parametrize(("merges", "logarithmic"), [(100, False), (200, False), (201, True)])
def test_a_long_run_is_logarithmic_unless_something_else_was_chosen(
    timeline: Timeline, merges: int, logarithmic: bool
) -> None:
    timeline.choose_scale(AUTOMATIC)
    told = QSignalSpy(timeline.logarithmicChanged)
    timeline.set_history(finished(50))
    assert not timeline.is_logarithmic
    timeline.set_history(finished(merges))
    assert timeline.is_logarithmic == logarithmic
    assert bool(told.count()) == logarithmic
    timeline.choose_scale(LINEAR)
    assert not timeline.is_logarithmic
    timeline.choose_scale(LOGARITHMIC)
    assert timeline.is_logarithmic
    with pytest.raises(ValueError, match="cannot be"):
        timeline.choose_scale("round")


def test_a_logarithmic_timeline_has_room_for_the_first_merges(
    qtbot: QtBot, timeline: Timeline
) -> None:
    timeline.choose_scale(LOGARITHMIC)
    places = [timeline.place_of(position).x() for position in (0, 10, 100, 1000)]
    assert places == sorted(places)
    assert places[1] - places[0] > 200
    assert places[2] - places[1] == pytest.approx(places[3] - places[2], rel=0.1)
    seen = asked(timeline)
    qtbot.mouseClick(timeline, LEFT, pos=timeline.place_of(10))
    assert seen == [10]
    timeline.grab()


@given(
    st.integers(1, 10**6), st.booleans(), st.lists(st.tuples(st.floats(0.2, 5), st.floats(0, 1))),
    st.integers(0, 10**6), st.floats(0, 1),
)  # fmt: skip
def test_places_and_positions_belong_together(
    merges: int, logarithmic: bool, zooms: list[tuple[float, float]], position: int, place: float
) -> None:
    scale = TimeScale(float(merges), logarithmic)
    position = min(position, merges)
    for factor, around in zooms:
        kept = scale.position(around)
        scale = scale.zoomed(factor, around)
        assert 0 <= scale.begin < scale.end <= 1 + 1e-9
        assert 0 <= kept <= merges * (1 + 1e-6) + 1e-6
    assert scale.position(scale.place(position)) == pytest.approx(position, rel=1e-6, abs=1e-6)
    assert scale.place(scale.position(place)) == pytest.approx(place, abs=1e-6)
    shown = scale.showing(position)
    assert -1e-9 <= shown.place(position) <= 1 + 1e-9
    edges = scale.edges(500)
    assert (np.diff(edges) >= 0).all()
    assert all(0 <= tick <= merges for tick in scale.ticks())


def test_what_is_looped_is_marked(timeline: Timeline) -> None:
    plain = timeline.grab().toImage()
    timeline.set_loop((100, 300))
    assert timeline.grab().toImage() != plain
    timeline.set_loop(None)
    assert timeline.grab().toImage() == plain


def test_screen_readers_hear_a_slider(timeline: Timeline) -> None:
    interface = QAccessible.queryAccessibleInterface(timeline)
    assert interface.role() == QAccessible.Role.Slider
    assert interface.text(QAccessible.Text.Name) == "Timeline"
    assert interface.valueInterface().currentValue() == 400
    assert interface.valueInterface().maximumValue() == 1000
    seen = asked(timeline)
    interface.valueInterface().setCurrentValue(12)
    assert seen == [12]


def test_what_is_said_about_a_position(timeline: Timeline) -> None:
    timeline.set_history(four_words())
    timeline.set_position(1)
    timeline.update_accessible()
    assert timeline.accessibleDescription() == "merge 1: e + s → es, 9 times"
    place, said = timeline.place_of(2), "Merge 2: es + t → est, 9 times"
    assert timeline.tooltip_at(place) == f"{said}\nheight: how often the merged pair occurred"
    assert timeline.tooltip_at(QPoint(place.x(), 2)) == said, "no step is there"
    assert "height" not in timeline.tooltip_at(timeline.place_of(0))
    assert timeline.tooltip_at(timeline.place_of(0)).startswith("Start: ")
    end = timeline.tooltip_at(timeline.place_of(timeline.maximum()))
    assert "training stopped here: no pair is left to merge" in end


def test_the_strip_has_room_for_what_is_to_come(timeline: Timeline) -> None:
    history = invented(1500)
    timeline.set_history(history)
    assert timeline.place_of(1500).x() < timeline.width() * 0.7
    assert timeline.tooltip_at(timeline.place_of(1800)) == "not trained yet"
    before = timeline.place_of(1000)
    grow(history, 200)
    timeline.set_position(1700)
    assert timeline.maximum() == 1700
    assert timeline.place_of(1000) == before
    grow(history, 2000)
    timeline.set_position(3700)
    assert timeline.place_of(1000).x() < before.x()


def test_it_says_what_the_heights_mean_where_there_is_room(timeline: Timeline) -> None:
    caption = "height: how often the merged pair occurred"
    timeline.set_history(finished(0))
    assert caption not in painted_texts(timeline), "nothing has a height"
    timeline.set_history(finished(15))
    assert caption in painted_texts(timeline)
    timeline.set_bookmarks([Bookmark(14, "almost the end")])
    assert caption not in painted_texts(timeline), "a flag is there"
    timeline.set_bookmarks([])
    timeline.choose_scale(LOGARITHMIC)
    assert {"merge 1", "10", caption} <= set(painted_texts(timeline)), "it is between the numbers"
    timeline.resize(420, timeline.height())
    assert {"merge 1", "10", "height: pair count"} <= set(painted_texts(timeline))
    timeline.resize(240, timeline.height())
    for scale in (LOGARITHMIC, LINEAR):
        timeline.choose_scale(scale)
        assert not [text for text in painted_texts(timeline) if "height" in text], "it does not fit"


def test_a_run_that_stops_fills_the_strip(timeline: Timeline) -> None:
    history = invented(1500)
    timeline.set_history(history)
    timeline.set_position(1500)
    before = timeline.place_of(1500).x()
    history.stopped = StopReason.NO_PAIR
    timeline.set_position(1500)
    assert timeline.place_of(1500).x() > before


def test_a_click_on_a_flag_goes_there(qtbot: QtBot, timeline: Timeline) -> None:
    timeline.set_bookmarks([Bookmark(137, "here"), Bookmark(720, "there")])
    seen = asked(timeline)
    flag = timeline.flags[1]
    qtbot.mouseClick(timeline, LEFT, pos=QPoint(flag.x + 4, 6))
    assert seen == [720]
    assert "there: merge 720" in timeline.tooltip_at(QPoint(flag.x + 4, 6))


def test_names_have_the_room_that_the_next_flag_leaves(timeline: Timeline) -> None:
    name = "a rather long name for a bookmark"
    timeline.set_bookmarks([Bookmark(100, name), Bookmark(180, name), Bookmark(190, name)])
    first, second, third = timeline.flags
    assert first.text.endswith("…")
    assert first.right < second.x
    assert second.text == ""
    assert third.text == name


def answer(monkeypatch: pytest.MonkeyPatch, name: str, *, accepts: bool = True) -> list[str]:
    """Answer whoever asks for a name; return the names that were there."""
    before: list[str] = []

    def asked(*_: object, text: str) -> tuple[str, bool]:
        before.append(text)
        return name, accepts

    monkeypatch.setattr(QInputDialog, "getText", asked)
    return before


def test_naming_a_bookmark(
    qtbot: QtBot, timeline: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline.set_bookmarks([Bookmark(300, "old")])
    named = QSignalSpy(timeline.bookmarkRenamed)
    place = QPoint(timeline.flags[0].x + 4, 6)
    before = answer(monkeypatch, "words")
    qtbot.mouseDClick(timeline, LEFT, pos=place)
    assert before == ["old"]
    assert named.count() == 1
    assert named.at(0) == [300, "words"]
    answer(monkeypatch, "no", accepts=False)
    qtbot.mouseDClick(timeline, LEFT, pos=place)
    assert named.count() == 1


def test_the_menu_of_a_flag_and_of_the_strip(
    timeline: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline.set_bookmarks([Bookmark(300, "old")])
    removed, wanted = QSignalSpy(timeline.bookmarkRemoved), QSignalSpy(timeline.bookmarkRequested)
    menu = timeline.menu_at(QPoint(timeline.flags[0].x + 4, 6))
    assert [action.objectName() for action in menu.actions()] == [
        "renameBookmark",
        "removeBookmark",
    ]
    menu.actions()[1].trigger()
    assert removed.at(0) == [300]
    before = answer(monkeypatch, "new")
    menu.actions()[0].trigger()
    assert before == ["old"]
    menu = timeline.menu_at(timeline.place_of(500))
    menu.actions()[0].trigger()
    assert wanted.count() == 1
    assert abs(wanted.at(0)[0] - 500) <= 1


def test_no_menu_without_a_run(timeline: Timeline) -> None:
    timeline.set_history(None)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), QPoint(5, 5))
    QApplication.sendEvent(timeline, event)
    assert timeline.tooltip_at(QPoint(20, 20)) == ""


def test_keys_for_the_bookmark_at_the_cursor(
    qtbot: QtBot, timeline: Timeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    timeline.set_bookmarks([Bookmark(400, "old")])
    removed = QSignalSpy(timeline.bookmarkRemoved)
    before = answer(monkeypatch, "new")
    qtbot.keyClick(timeline, Qt.Key.Key_F2)
    assert before == ["old"]
    qtbot.keyClick(timeline, Qt.Key.Key_Delete)
    assert removed.at(0) == [400]


def test_the_handle_and_what_lies_before_it_have_the_accent(timeline: Timeline) -> None:
    for theme in (DARK, LIGHT):
        timeline.setPalette(palette(theme))
        image = timeline.grab().toImage()
        handle = timeline.place_of(400)
        assert image.pixelColor(handle).name() == theme.accent
        before = image.pixelColor(timeline.place_of(20)).name()
        after = image.pixelColor(timeline.place_of(800) + QPoint(0, 14)).name()
        assert len({before, after, theme.window}) == 3


def test_painting_takes_no_longer_for_many_merges(timeline: Timeline) -> None:
    def seconds(merges: int) -> float:
        """The median of moving the cursor through a run."""
        timeline.set_history(finished(merges))
        timeline.set_bookmarks([Bookmark(position, f"mark {position}") for position in (1, 900)])
        picture = QPixmap(timeline.size())
        times = []
        for position in range(0, merges, merges // 50):
            begin = perf_counter()
            timeline.set_position(position)
            timeline.render(picture)
            times.append(perf_counter() - begin)
        return sorted(times)[len(times) // 2]

    assert seconds(50_000) < 5 * seconds(1_000)


def test_an_empty_history_is_drawn(timeline: Timeline) -> None:
    timeline.set_history(four_words(0))
    timeline.grab()
    assert timeline.maximum() == 0
    timeline.set_history(None)
    timeline.grab()
    QApplication.sendEvent(timeline, QEvent(QEvent.Type.FontChange))
    timeline.grab()


def test_a_flag_ahead_of_the_run_says_that_it_is_not_reached(timeline: Timeline) -> None:
    timeline.set_history(invented(50))
    timeline.set_bookmarks([Bookmark(52, "far")])
    tip = timeline.tooltip_at(QPoint(timeline.flags[0].x, 5))
    assert tip.startswith("far: not trained yet")
