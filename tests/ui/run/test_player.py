"""The cursor: seeking, playing, following, bookmarks."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from bpe_gui.ui.run.player import ACCELERATING, EACH_FRAME, SPEEDS, Player
from tests.ui.histories import four_words, grow, invented


@pytest.fixture
def player(qtbot: QtBot) -> Iterator[Player]:
    player = Player()
    player.load(invented(1000))
    yield player
    player.pause()


def positions(player: Player) -> list[int]:
    """Collects where the cursor goes from now on."""
    seen: list[int] = []
    player.moved.connect(seen.append)
    return seen


def test_a_history_is_shown_at_its_end_live(player: Player) -> None:
    assert player.position == player.end == 1000
    assert player.live
    assert not player.playing


@pytest.mark.parametrize(("asked", "got"), [(-3, 0), (0, 0), (17, 17), (1000, 1000), (2000, 1000)])
def test_seeking_stays_within(player: Player, asked: int, got: int) -> None:
    player.seek(500)
    player.seek(asked)
    assert player.position == got
    assert player.live == (got == 1000)


def test_what_is_loaded_at_its_end_follows_nothing_until_it_is_moved(player: Player) -> None:
    history = invented(2)
    player.load(history, 2)
    for growing in (True, False):
        player.set_growing(growing)
        grow(history, 1)
        player.follow()
        assert player.position == 2
    player.seek(4)
    grow(history, 1)
    player.follow()
    assert player.position == 5


def test_steps(player: Player) -> None:
    player.seek(10)
    player.step()
    player.step()
    player.step_back()
    assert player.position == 11
    player.go_home()
    player.step_back()
    assert player.position == 0
    player.go_to_end()
    player.step()
    assert player.position == 1000
    assert player.live


def test_playing_shows_every_merge_in_turn(qtbot: QtBot, player: Player) -> None:
    player.set_speed(EACH_FRAME)
    player.seek(980)
    seen = positions(player)
    player.play()
    assert seen == [981], "the first merge comes at once"
    assert player.playing
    qtbot.waitUntil(lambda: not player.playing)
    assert seen == list(range(981, 1001))
    assert player.live


@pytest.mark.parametrize("speed", [20.0, 200.0, 5000.0])
def test_playing_keeps_time(qtbot: QtBot, speed: float) -> None:
    player = Player()
    player.load(invented(20_000))
    player.set_speed(speed)
    player.go_home()
    begin = perf_counter()
    player.play()
    qtbot.waitSignal(
        player.moved, check_params_cb=lambda position: position >= speed / 2
    ).wait()
    elapsed = perf_counter() - begin
    player.pause()
    # A busy machine may be late, but what is due is made up for.
    assert elapsed >= 0.4
    assert player.position <= 2 + (elapsed + 0.02) * speed


@pytest.mark.parametrize("speed", [EACH_FRAME, 1000.0])
def test_playing_waits_for_what_shows_the_position(
    qtbot: QtBot, player: Player, speed: float
) -> None:
    asked = 0

    def is_shown() -> bool:
        nonlocal asked
        asked += 1
        return asked % 3 == 0

    player.wait_until(is_shown)
    player.set_speed(speed)
    player.seek(980)
    came = positions(player)
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert came[-1] == player.end
    assert asked > len(came)
    player.seek(10)
    player.step()
    assert player.position == 11, "nothing waits where somebody steps"


def test_playing_waits_for_nothing_that_never_comes(qtbot: QtBot, player: Player) -> None:
    player.wait_until(lambda: False)
    player.set_speed(EACH_FRAME)
    player.seek(997)
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == player.end


def test_pausing(qtbot: QtBot, player: Player) -> None:
    player.set_speed(EACH_FRAME)
    player.seek(100)
    told = QSignalSpy(player.movingChanged)
    player.toggle()
    qtbot.waitUntil(lambda: player.position >= 105)
    player.toggle()
    assert not player.playing
    assert not player.live
    here = player.position
    with qtbot.assertNotEmitted(player.moved, wait=100):
        pass
    assert player.position == here
    assert [told.at(index)[0] for index in range(told.count())] == [True, False]


def test_playing_at_the_end_begins_anew(player: Player) -> None:
    player.play()
    assert player.position == 1
    assert not player.live


def test_nothing_to_play(qtbot: QtBot) -> None:
    player = Player()
    player.play()
    assert not player.playing
    player.load(four_words(0))
    player.toggle()
    assert not player.playing
    assert player.position == 0


def test_scrubbing_pauses_and_seeking_does_not(player: Player) -> None:
    player.seek(10)
    player.play()
    player.seek(500)
    assert player.playing
    player.scrub(300)
    assert not player.playing
    assert player.position == 300


def test_speeds(player: Player) -> None:
    told = QSignalSpy(player.speedChanged)
    assert SPEEDS[0] == ACCELERATING
    for _ in SPEEDS:
        player.faster()
    assert player.speed == SPEEDS[-1]
    for _ in SPEEDS:
        player.slower()
    assert player.speed == 0.5
    assert told.count() == len(SPEEDS) - 2 + SPEEDS[::-1].index(5.0)
    with pytest.raises(ValueError, match="none of the speeds"):
        player.set_speed(3.0)


@pytest.mark.parametrize(
    ("position", "slower", "faster"), [(0, 0.5, 0.5), (300, EACH_FRAME, 200.0)]
)
def test_an_accelerating_replay_is_changed_from_the_speed_that_it_has(
    player: Player, position: int, slower: float, faster: float
) -> None:
    player.seek(position)
    for change, speed in ((player.slower, slower), (player.faster, faster)):
        player.set_speed(ACCELERATING)
        change()
        assert player.speed == speed


def test_a_run_is_watched_from_its_start_ever_faster(qtbot: QtBot, player: Player) -> None:
    at: list[int] = []
    player.moved.connect(at.append)
    player.seek(500)
    player.watch()
    assert at[1:] == [0], "where nothing is merged is seen, too"
    qtbot.waitUntil(lambda: at[1:3] == [0, 1])
    assert player.speed == ACCELERATING
    qtbot.waitUntil(lambda: player.position >= 4)
    player.scrub(900)
    at.clear()
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert at[-1] == 1000
    assert len(at) < 100, "it is faster there than the screen"


def test_another_speed_while_playing(qtbot: QtBot, player: Player) -> None:
    player.set_speed(0.5)
    player.seek(10)
    player.play()
    player.set_speed(EACH_FRAME)
    qtbot.waitUntil(lambda: player.position >= 15)


def test_live_follows_a_training(player: Player) -> None:
    player.set_growing(True)
    assert player.moving
    assert player.history is not None
    grow(player.history, 50)
    player.follow()
    assert player.position == 1050
    player.seek(20)
    assert not player.moving
    grow(player.history, 50)
    player.follow()
    assert player.position == 20


def test_live_is_taken_up_while_the_history_grows(player: Player) -> None:
    player.set_growing(True)
    player.go_home()
    history = player.history
    assert history is not None
    player.moved.connect(lambda: grow(history, 1))
    player.go_to_end()
    assert player.live


def test_holding_a_training_and_playing_on(qtbot: QtBot, player: Player) -> None:
    player.set_growing(True)
    player.toggle()
    assert not player.live
    assert not player.moving
    assert player.history is not None
    grow(player.history, 10)
    player.follow()
    assert player.position == 1000
    player.set_speed(EACH_FRAME)
    player.toggle()
    qtbot.waitUntil(lambda: player.live)
    assert not player.playing, "it has caught up and follows"
    assert player.moving
    player.set_growing(False)
    assert not player.moving


def test_holding_at_the_very_end_is_live_again_when_the_training_ends(player: Player) -> None:
    player.set_growing(True)
    player.pause()
    assert not player.live
    player.set_growing(False)
    assert player.live


def test_another_history_ends_the_play(player: Player) -> None:
    player.seek(5)
    player.play()
    player.load(four_words())
    assert not player.playing
    assert player.position == player.end


def test_bookmarks(player: Player) -> None:
    told = QSignalSpy(player.bookmarksChanged)
    for position in (700, 30, 0):
        player.seek(position)
        player.toggle_bookmark()
    assert player.history is not None
    assert [mark.position for mark in player.bookmarks] == [0, 30, 700]
    assert next(iter(player.bookmarks)).name == "start"
    player.rename_bookmark(30, " first words ")
    assert [mark.name for mark in player.bookmarks][1] == "first words"
    player.next_bookmark()
    assert player.position == 30
    player.next_bookmark()
    player.next_bookmark()
    assert player.position == 700
    player.seek(650)
    player.previous_bookmark()
    assert player.position == 30
    player.toggle_bookmark()
    assert [mark.position for mark in player.bookmarks] == [0, 700]
    assert told.count() == 5


def test_a_bookmark_without_a_name_gets_its_token_back(player: Player) -> None:
    player.add_bookmark(30)
    before = [mark.name for mark in player.bookmarks]
    player.rename_bookmark(30, "x")
    player.rename_bookmark(30, "  ")
    assert [mark.name for mark in player.bookmarks] == before


def test_what_is_no_position_or_no_bookmark_is_left_alone(player: Player) -> None:
    told = QSignalSpy(player.bookmarksChanged)
    player.add_bookmark(1001)
    player.remove_bookmark(5)
    player.rename_bookmark(5, "x")
    assert len(player.bookmarks) == 0
    assert told.count() == 0


def test_each_history_keeps_its_bookmarks(player: Player) -> None:
    first = player.history
    player.add_bookmark(30)
    player.load(four_words())
    assert len(player.bookmarks) == 0
    player.load(first)
    assert [mark.position for mark in player.bookmarks] == [30]


# -- halting ----------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [EACH_FRAME, SPEEDS[-1]])
def test_playing_halts_where_it_is_told_to(qtbot: QtBot, player: Player, speed: float) -> None:
    player.halt_where({20, 40}.__contains__)
    player.set_speed(speed)
    player.seek(5)
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == 20
    assert not player.live
    player.play()
    assert not player.playing
    assert player.position == 20
    player.step()
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == 40
    player.seek(30)
    player.go_to_end()
    assert player.position == 1000
    player.halt_where(None)
    player.seek(990)
    player.play()
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == 1000


def test_nothing_is_followed_from_where_it_halts(player: Player) -> None:
    history = four_words(4)
    player.load(history)
    player.halt_where({0, 4}.__contains__)
    player.set_growing(True)
    assert not player.live
    player.set_growing(False)
    player.halt_where({0}.__contains__)
    player.play()
    assert (player.position, player.playing, player.live) == (0, False, False)


def test_bookmarks_are_carried_as_far_as_they_mean_the_same(player: Player) -> None:
    for position in (0, 10, 30, 50):
        player.add_bookmark(position)
    player.rename_bookmark(10, "ten")
    source = player.history
    target = invented(1000)
    assert source is not None
    player.carry_bookmarks(source, target, 30)
    player.load(target)
    assert [(mark.position, mark.name) for mark in player.bookmarks][1] == (10, "ten")
    assert [mark.position for mark in player.bookmarks] == [0, 10, 30]
    player.remove_bookmark(10)
    player.load(source)
    assert [mark.position for mark in player.bookmarks] == [0, 10, 30, 50]


def test_a_bookmark_that_is_not_reached_yet_can_be_named(player: Player) -> None:
    player.add_bookmark(30)
    source, target = player.history, four_words(4)
    assert source is not None
    player.carry_bookmarks(source, target, 30)
    player.load(target)
    name = next(iter(player.bookmarks)).name
    player.rename_bookmark(30, "  ")
    assert next(iter(player.bookmarks)).name == name
    player.rename_bookmark(30, "far")
    assert next(iter(player.bookmarks)).name == "far"
    player.next_bookmark()
    assert player.position == 4


def marked(player: Player, *marks: int) -> None:
    history = player.history
    assert history is not None
    player.set_bookmarks(history, [(position, f"mark {position}") for position in marks])


def test_playing_loops_between_two_bookmarks(qtbot: QtBot, player: Player) -> None:
    marked(player, 10, 14, 20)
    player.set_speed(EACH_FRAME)
    player.set_loops(True)
    player.seek(12)
    seen = positions(player)
    player.play()
    qtbot.waitUntil(lambda: len(seen) >= 10)
    assert seen[:10] == [13, 14, 10, 11, 12, 13, 14, 10, 11, 12]
    assert player.playing
    # Without the loop it goes on from where it is.
    player.set_loops(False)
    begun = len(seen)
    qtbot.waitUntil(lambda: len(seen) > begun + 8)
    assert max(seen) > 14
    player.pause()


@pytest.mark.parametrize(
    ("position", "loop"),
    [(0, (10, 14)), (10, (10, 14)), (13, (10, 14)), (14, (14, 20)), (20, (14, 20)),
     (900, (14, 20))],
)  # fmt: skip
def test_the_loop_is_around_the_cursor_or_next_to_it(
    player: Player, position: int, loop: tuple[int, int]
) -> None:
    marked(player, 10, 14, 20)
    player.seek(position)
    assert player.loop is None
    player.set_loops(True)
    assert player.loop == loop
    seen = positions(player)
    player.play()
    assert player.loop == loop
    assert seen[-1] - 1 in range(*loop)


def test_a_loop_needs_two_bookmarks(qtbot: QtBot, player: Player) -> None:
    marked(player, 10)
    player.set_loops(True)
    assert player.loop is None
    player.set_speed(EACH_FRAME)
    player.seek(997)
    player.play()
    qtbot.waitUntil(lambda: player.position == 1000)
    assert not player.playing


def test_a_loop_may_end_with_the_run(qtbot: QtBot, player: Player) -> None:
    marked(player, 998, 1000)
    player.set_loops(True)
    player.set_speed(EACH_FRAME)
    player.seek(999)
    seen = positions(player)
    player.play()
    qtbot.waitUntil(lambda: len(seen) >= 5)
    assert seen[:5] == [1000, 998, 999, 1000, 998]
    # A bookmark that goes takes the loop with it.
    player.remove_bookmark(998)
    qtbot.waitUntil(lambda: not player.playing)
    assert player.position == 1000
