"""Lanes are renamed, hidden and coloured, and of a run only what there is is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QFrame, QInputDialog, QLabel, QToolBar, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.ui.compare.comparison import BEHIND, FOLLOWING
from bpe_gui.ui.shell.main_window import MainWindow
from bpe_gui.ui.theme.theme import theme_of
from tests.ui.compare.compare_workspace import Opened, afresh, loaded, settled, table, window, write
from tests.ui.driving import child
from tests.ui.in_turn import InTurn

__all__ = ["window"]


def act_on(qtbot: QtBot, window: MainWindow, lane: int, action: str) -> None:
    """Trigger an action of a lane."""
    window.compare.numbers.table.select_lane(window.compare.comparison.lanes[lane].key)
    child(window.compare.numbers.table, QAction, action).trigger()
    settled(qtbot, window)


def names(window: MainWindow) -> list[str]:
    """The lanes that are shown."""
    result = window.compare.comparison.result
    assert result is not None
    return [lane.encoding.name for lane in result.aligned]


def check_a_lane_is_renamed(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (" mine  too ", True))
    act_on(qtbot, window, 0, "renameLaneAction")
    assert names(window) == ["mine too", BEHIND]
    assert table(window)[0][0] == "mine too"
    window.player.scrub(1)
    settled(qtbot, window)
    assert names(window) == ["mine too", BEHIND], "also when it follows the cursor"
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("mine too", True))
    act_on(qtbot, window, 1, "renameLaneAction")
    assert names(window) == ["mine too", "mine too (2)"]
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("", True))
    act_on(qtbot, window, 1, "renameLaneAction")
    assert names(window) == ["mine too", "mine too (2)"]


def check_a_lane_is_hidden_and_keeps_its_numbers(qtbot: QtBot, window: MainWindow) -> None:
    before = table(window)
    act_on(qtbot, window, 1, "hideLaneAction")
    assert names(window) == [FOLLOWING]
    assert table(window)[1] == [f"{BEHIND} (hidden)", *before[1][1:]]
    act_on(qtbot, window, 0, "hideLaneAction")
    assert names(window) == [FOLLOWING], "the last one stays"
    said = "The last lane that is shown cannot be hidden; show another first."
    assert window.message_bar.text == said
    act_on(qtbot, window, 1, "hideLaneAction")
    assert window.message_bar.text == ""
    assert names(window) == [FOLLOWING, BEHIND]


def check_a_lane_is_marked_with_one_colour_after_the_other(
    qtbot: QtBot, window: MainWindow
) -> None:
    lane, count = window.compare.comparison.lanes[0], window.compare.lanes.colours
    seen = []
    for _ in range(count + 1):
        act_on(qtbot, window, 0, "colourLaneAction")
        seen.append(lane.colour)
        assert not window.compare.lanes.grab().isNull()
    assert seen == [*range(count), -1]


def check_lanes_are_hidden_coloured_and_renamed(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_a_lane_is_hidden_and_keeps_its_numbers(qtbot, window)
    check_a_lane_is_marked_with_one_colour_after_the_other(qtbot, window)
    check_a_lane_is_renamed(qtbot, window, monkeypatch)


def check_looks_of_lanes_come_back(qtbot: QtBot, window: MainWindow) -> None:
    comparison = window.compare.comparison
    keys = [lane.key for lane in comparison.lanes]
    comparison.rename(keys[0], "one")
    comparison.set_colour(keys[0], 2)
    comparison.hide_or_show(keys[1])
    looks = comparison.looks()
    comparison.begin_with_run()
    comparison.dress(looks)
    assert comparison.looks() == looks
    for damaged in (None, [], "x", [1, 2], [{"name": 5, "colour": "x"}, {}]):
        comparison.dress(damaged)
    comparison.dress([{"hidden": True}, {"hidden": True}])
    assert [lane.hidden for lane in comparison.lanes] == [False, True]
    settled(qtbot, window)


def check_the_bars_of_the_run_are_away_without_a_lane_of_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    bars = [child(window, QToolBar, name) for name in ("trainingBar", "cursorBar")]
    comparison = window.compare.comparison
    comparison.add_run("another", window.player.history, 1, step=True)
    for key in [lane.key for lane in comparison.lanes[:2]]:
        comparison.remove(key)
    assert all(bar.isVisible() for bar in bars), "a step of the run is there"
    comparison.set_lanes([])
    assert all(bar.isVisible() for bar in bars)


def test_files_take_the_place_of_a_run_that_has_no_merges(
    qtbot: QtBot, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened("story.txt", "the cat sat on the mat\n" * 30)
    bars = [child(window, QToolBar, name) for name in ("trainingBar", "cursorBar")]
    qtbot.waitUntil(lambda: window.player.history is not None)
    child(window, QAction, "compareAction").trigger()
    settled(qtbot, window)
    first = child(window, QFrame, "firstSight")
    assert first.isVisible()
    told = child(window, QLabel, "firstSightText").text()
    assert "the lanes of the run are the same: press Train (F5)" in told
    numbers = table(window)
    assert [row[0] for row in numbers] == [FOLLOWING, BEHIND]
    assert numbers[0][1:] == numbers[1][1:]
    assert all(bar.isVisible() for bar in bars)
    path = tmp_path / "ranks.tiktoken"
    path.write_text("".join(f"{_base64(bytes([n]))} {n}\n" for n in range(256)))
    window.compare.loader.load(f"{path}@gpt2", "ranks")
    loaded(qtbot, window)
    assert names(window) == ["ranks"]
    assert not first.isVisible()
    assert not any(bar.isVisible() for bar in bars)
    status, step = child(window, QLabel, "statusText"), child(window, QAction, "stepAction")
    assert status.text() == "", "nothing in view is of the corpus"
    assert not step.isEnabled(), "a key would train a merge that nobody sees"
    child(window, QAction, "exploreAction").trigger()
    assert step.isEnabled()
    assert all(bar.isVisible() for bar in bars)
    assert status.text().startswith("The corpus starts as ")
    child(window, QAction, "compareAction").trigger()
    assert not any(bar.isVisible() for bar in bars)
    # It is one more encoding to compare with as soon as it has merges.
    child(window, QAction, "trainAction").trigger()
    qtbot.waitUntil(lambda: window.player.position > 0)
    settled(qtbot, window)
    write(qtbot, window, "the cat")
    assert names(window) == ["ranks", FOLLOWING]
    assert all(bar.isVisible() for bar in bars)


def _base64(data: bytes) -> str:
    from base64 import b64encode

    return b64encode(data).decode()


def check_the_colour_of_a_lane_is_in_the_table_and_the_bars(
    qtbot: QtBot, window: MainWindow
) -> None:
    numbers, colour = window.compare.numbers, QColor(theme_of(window).lines[0])

    def left_edge(widget: QWidget) -> set[int]:
        image = widget.grab().toImage()
        return {image.pixelColor(2, y).rgb() for y in range(image.height())}

    for page, drawn in (
        (numbers.table, numbers.table.viewport()),
        (numbers.bars, numbers.bars.canvas.viewport()),
    ):
        numbers.tabs.setCurrentWidget(page)
        assert colour.rgb() not in left_edge(drawn)
        window.compare.comparison.set_colour(window.compare.comparison.lanes[1].key, 0)
        settled(qtbot, window)
        assert colour.rgb() in left_edge(drawn)
        window.compare.comparison.set_colour(window.compare.comparison.lanes[1].key, -1)
        settled(qtbot, window)


def test_looks(qtbot: QtBot, window: MainWindow, in_turn: InTurn) -> None:
    in_turn(
        afresh(qtbot, window),
        check_lanes_are_hidden_coloured_and_renamed,
        check_looks_of_lanes_come_back,
        check_the_bars_of_the_run_are_away_without_a_lane_of_it,
        check_the_colour_of_a_lane_is_in_the_table_and_the_bars,
    )
