"""The cursor: which position of which history every view is drawn for."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable
from math import inf
from typing import NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal, Slot

from bpe_gui.analysis.replay_pace import merges_a_second
from bpe_gui.analysis.visible import visible
from bpe_gui.bpe.history import History

EACH_FRAME = inf
"""The speed at which every frame of the screen shows one merge."""

ACCELERATING = 0.0
"""The speed at which a replay begins slowly, and is the faster the more merges are done."""

SPEEDS = (ACCELERATING, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, EACH_FRAME, 200.0, 1000.0, 5000.0)
"""Merges a second, the slowest first. From 200 on the screen cannot show every merge."""

DEFAULT_SPEED = 5.0

_SCREEN = 60.0
"""Frames a second of most screens."""
_ENDS = 2
"""Bookmarks that a loop goes between."""
_FRAME_MILLISECONDS = 16
_EARLY = 0.2
"""A timer may fire too early by this share of a merge without a hiccup in the rhythm."""
_LONGEST_NAME = 60
"""Bytes of a token after which a bookmark is named; one may be as long as a paragraph."""
_LONGEST_SECONDS = 0.25
"""After a longer wait (a menu was open, say) the cursor does not jump to make up for it, and it
waits no longer for what shows its position."""


class Bookmark(NamedTuple):
    """A position that somebody wants to find again."""

    position: int
    name: str


class Player(QObject):
    """A position within a history, and what moves it. While *live* it follows the end.

    Playing moves the position on by itself: a replay, which has nothing to do with the
    training. Where it reaches the end it stops, and is live. Seeking to anywhere but the
    end leaves live; seeking to the end takes it up again.

    Playing may be made to halt at certain positions, see `halt_where`; what is done by hand
    goes past them.
    """

    loaded = Signal()
    """There is another history, or none."""
    moved = Signal(int)
    """The position has changed."""
    liveChanged = Signal(bool)
    """The cursor follows the end now, or no longer does."""
    movingChanged = Signal(bool)
    """Whether the cursor moves by itself now, playing or following a training."""
    speedChanged = Signal(float)
    """Merges a second, one of `SPEEDS`."""
    loopsChanged = Signal(bool)
    """Playing goes on between two bookmarks now, or no longer does."""
    bookmarksChanged = Signal()
    """A bookmark was set, named or removed, or the history has others."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history: History | None = None
        self.position = 0
        self.live = True
        self._awaited: int | None = None
        self.growing = False
        """Whether a training is under way that appends to the history."""
        self.speed = DEFAULT_SPEED
        self._bookmarks: WeakKeyDictionary[History, dict[int, str]] = WeakKeyDictionary()
        """The names of bookmarks by their positions, for every history."""
        self.loops = False
        """Whether playing begins anew at one bookmark when it comes to the next."""
        self._loop: tuple[int, int] | None = None
        self._halts: Callable[[int], bool] | None = None
        self._is_shown: Callable[[], bool] | None = None
        self._was_moving = False
        self._due = 0.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._play_on)

    @property
    def end(self) -> int:
        """The last position there is."""
        return len(self.history) if self.history is not None else 0

    @property
    def playing(self) -> bool:
        """Whether the cursor moves through what is there already."""
        return self._timer.isActive()

    @property
    def moving(self) -> bool:
        """Whether the cursor moves by itself, be it playing or following a training."""
        return self.playing or (self.live and self.growing)

    # -- the history -----------------------------------------------------------------------

    def load(self, history: History | None, position: int | None = None) -> None:
        """Show another history, live; or at a position, as soon as it has grown to that."""
        self._timer.stop()
        self.history = history
        # As long as it may grow, a history that ends at the position is not followed.
        grows = history is not None and history.stopped is None
        self._awaited = position if position is not None and grows else None
        self.position = self.end if position is None else min(position, self.end)
        self._set_live(position is None)
        self.loaded.emit()
        self.moved.emit(self.position)
        self.bookmarksChanged.emit()
        self._tell_moving()

    def set_growing(self, growing: bool) -> None:
        """Set whether a training is under way."""
        if self.growing and not growing:
            self.follow()
            self._awaited = None
        self.growing = growing
        if growing and self._halts_at(self.position):
            self._set_live(False)
        held = self.playing or self._awaited is not None
        still = not growing and not held
        if still and self.position == self.end:
            self._set_live(True)
        self._tell_moving()

    def follow(self) -> None:
        """Go to the end while live, or towards an awaited position: merges have come."""
        if self.live:
            self._go(self.end)
        elif self._awaited is not None:
            awaited = self._awaited
            self._go(min(awaited, self.end))
            self._awaited = awaited if self.end <= awaited else None

    # -- moving ----------------------------------------------------------------------------

    def seek(self, position: int) -> None:
        """Go to a position, limited to the history."""
        self._awaited = None
        # Asked before the views draw: the trainer may append meanwhile.
        is_end = position >= self.end
        self._go(position)
        if is_end:
            self._timer.stop()
        self._set_live(is_end)
        self._tell_moving()

    @Slot(int)
    def scrub(self, position: int) -> None:
        """Go to a position by hand, and pause."""
        self._timer.stop()
        self.seek(position)

    @Slot()
    def step(self) -> None:
        """Go one merge forward, and pause there."""
        self.scrub(self.position + 1)

    @Slot()
    def step_back(self) -> None:
        """Go one merge back, and pause there."""
        self.scrub(self.position - 1)

    @Slot()
    def go_home(self) -> None:
        """Go to before the first merge."""
        self.seek(0)

    @Slot()
    def go_to_end(self) -> None:
        """Go to the end, and follow it from there."""
        self.seek(sys.maxsize)

    # -- playing ---------------------------------------------------------------------------

    @Slot()
    def toggle(self) -> None:
        """Play or pause. What follows a training is held where it is."""
        if self.moving:
            self.pause()
        else:
            self.play()

    @Slot()
    def play(self) -> None:
        """Move on by itself, with the first merge at once; at the end, from the start again.

        Where a training is under way, the end is where the cursor follows it.
        """
        if self._start():
            self._advance(1)
        self._tell_moving()

    @Slot()
    def watch(self) -> None:
        """Play from before the first merge, slowly at first and then faster.

        The first merge is due after a while, for where nothing is merged is to be seen, too.
        """
        self._timer.stop()
        self.set_speed(ACCELERATING)
        self.seek(0)
        self._start()
        self._tell_moving()

    def _start(self) -> bool:
        """Start to move on by itself; tells whether it did."""
        if self.playing or self.end == 0 or self._halts_at(self.position):
            return False
        self._awaited = None
        self._loop = self._loop_around()
        if self._loop is not None and not self._loop[0] <= self.position < self._loop[1]:
            self._go(self._loop[0])
        elif self.position == self.end:
            if self.growing:
                self._set_live(True)
                return False
            self._go(0)
        self._set_live(False)
        if self._halts_at(self.position):
            return False
        self._due = 0.0
        self._clock.start()
        self._timer.start(self._interval())
        return True

    @Slot()
    def pause(self) -> None:
        """Stand still, also where a training goes on."""
        self._timer.stop()
        if self.growing:
            self._set_live(False)
        self._tell_moving()

    def halt_where(self, halts: Callable[[int], bool] | None) -> None:
        """Pause playing at every position of which this is true, and do not play on from there.

        None: nowhere. A training is not followed from these positions either.
        """
        self._halts = halts

    def wait_until(self, is_shown: Callable[[], bool]) -> None:
        """Play on only when this is true of the position, or after a quarter of a second.

        The speed stays: more merges are due then, unless every frame shows one.
        """
        self._is_shown = is_shown

    def _halts_at(self, position: int) -> bool:
        return self._halts is not None and self._halts(position)

    def set_speed(self, speed: float) -> None:
        """Play at another of the `SPEEDS`. Raises ValueError for any other."""
        if speed not in SPEEDS:
            raise ValueError(f"{speed} merges a second is none of the speeds")
        if speed == self.speed:
            return
        self.speed = speed
        if self.playing:
            self._due = 0.0
            self._clock.start()
            self._timer.setInterval(self._interval())
        self.speedChanged.emit(speed)

    @Slot()
    def faster(self) -> None:
        """Play at the next higher speed, if there is one."""
        self._change_speed(1)

    @Slot()
    def slower(self) -> None:
        """Play at the next lower speed, if there is one."""
        self._change_speed(-1)

    def _change_speed(self, steps: int) -> None:
        """Play some steps faster; from an accelerating replay on from the speed that it has now."""
        steady = SPEEDS[1:]
        if self.speed == ACCELERATING:
            paces = [_SCREEN if speed == EACH_FRAME else speed for speed in steady]
            place = bisect_right(paces, merges_a_second(self.position)) + min(steps, 0)
        else:
            place = steady.index(self.speed) + steps
        self.set_speed(steady[min(max(place, 0), len(steady) - 1)])

    def _interval(self) -> int:
        if self.speed == ACCELERATING:
            return _FRAME_MILLISECONDS
        return max(_FRAME_MILLISECONDS, round(1000 / self.speed))

    @Slot()
    def _play_on(self) -> None:
        """Go forward by the merges that are due."""
        seconds = self._clock.nsecsElapsed() / 1e9
        waits = self._is_shown is not None and not self._is_shown()
        if waits and seconds < _LONGEST_SECONDS:
            return
        self._clock.restart()
        if self.speed == EACH_FRAME:
            self._advance(1)
            return
        speed = self.speed
        if speed == ACCELERATING:
            speed = merges_a_second(self.position)
        self._due += min(seconds, _LONGEST_SECONDS + 1 / speed) * speed
        merges = int(self._due + _EARLY)
        self._due -= merges
        self._advance(merges)

    def _advance(self, merges: int) -> None:
        end = self.end
        if self._loop is not None:
            begin, end = self._loop
            if self.position >= end and merges > 0:
                self._go(begin)
                return
        target = min(self.position + merges, end)
        if self._halts is not None:
            ahead = range(self.position + 1, target)
            target = next(filter(self._halts, ahead), target)
        self._go(target)
        ends = self.position == self.end and self._loop is None
        if ends or self._halts_at(self.position):
            self._timer.stop()
            self._set_live(self.position == self.end)
            self._tell_moving()

    def _go(self, position: int) -> None:
        position = min(max(position, 0), self.end)
        if position != self.position:
            self.position = position
            self.moved.emit(position)

    def _set_live(self, live: bool) -> None:
        if live != self.live:
            self.live = live
            self.liveChanged.emit(live)

    def _tell_moving(self) -> None:
        if self.moving != self._was_moving:
            self._was_moving = self.moving
            self.movingChanged.emit(self.moving)

    # -- playing between bookmarks ---------------------------------------------------------

    @property
    def loop(self) -> tuple[int, int] | None:
        """The positions between which is played, or would be; None for all that there is.

        They are the bookmarks around the cursor, or the two that are next to it.
        """
        return self._loop if self.playing else self._loop_around()

    def _loop_around(self) -> tuple[int, int] | None:
        if not self.loops:
            return None
        marks = [mark.position for mark in self.bookmarks if mark.position <= self.end]
        if len(marks) < _ENDS:
            return None
        after = bisect_right(marks, self.position)
        first = min(max(after - 1, 0), len(marks) - _ENDS)
        return marks[first], marks[first + 1]

    @Slot(bool)
    def set_loops(self, loops: bool) -> None:
        """Play between two bookmarks again and again, or to the end."""
        if loops == self.loops:
            return
        self.loops = loops
        self._find_loop()
        self.loopsChanged.emit(loops)

    def _find_loop(self) -> None:
        """Find anew where is played now, for the bookmarks or the choice have changed."""
        if self.playing:
            self._loop = self._loop_around()

    # -- bookmarks -------------------------------------------------------------------------

    @property
    def bookmarks(self) -> list[Bookmark]:
        """The bookmarks of this history in the order of their positions."""
        return self.bookmarks_of(self.history) if self.history is not None else []

    def set_bookmarks(self, history: History, bookmarks: Iterable[tuple[int, str]]) -> None:
        """Replace the bookmarks of a history, whether it is in view or not."""
        self._bookmarks[history] = dict(bookmarks)
        if history is self.history:
            self._tell_bookmarks()

    def _tell_bookmarks(self) -> None:
        self._find_loop()
        self.bookmarksChanged.emit()

    def bookmarks_of(self, history: History) -> list[Bookmark]:
        """Return the bookmarks of any history; every history has its own."""
        return [Bookmark(*mark) for mark in sorted(self._bookmarks.get(history, {}).items())]

    def _is_marked(self, position: int) -> bool:
        return self.history is not None and position in self._bookmarks.get(self.history, {})

    def _set_bookmark(self, position: int, name: str) -> None:
        assert self.history is not None
        self._bookmarks.setdefault(self.history, {})[position] = name
        self._tell_bookmarks()

    @Slot()
    def toggle_bookmark(self) -> None:
        """Mark the position, or remove its bookmark."""
        if self._is_marked(self.position):
            self.remove_bookmark(self.position)
        else:
            self.add_bookmark(self.position)

    @Slot(int)
    def add_bookmark(self, position: int) -> None:
        """Mark a position, with the token that was made there as the name."""
        if self.history is not None and 0 <= position <= self.end:
            self._set_bookmark(position, _default_name(self.history, position))

    @Slot(int, str)
    def rename_bookmark(self, position: int, name: str) -> None:
        """Rename a bookmark; without a name it gets the default one."""
        if self.history is None or not self._is_marked(position):
            return
        if not name.strip():
            if position > self.end:
                return  # carried over from another branch: the token is not made yet
            name = _default_name(self.history, position)
        self._set_bookmark(position, name.strip())

    @Slot(int)
    def remove_bookmark(self, position: int) -> None:
        """Remove a bookmark, if there is one."""
        if self.history is not None and self._is_marked(position):
            del self._bookmarks[self.history][position]
            self._tell_bookmarks()

    def carry_bookmarks(self, source: History, target: History, last: int) -> None:
        """Copy the bookmarks of a history up to a position to another, which may have to grow.

        Bookmarks beyond the size of its vocabulary are left out.
        """
        size = target.recipe.vocabulary_size
        self._bookmarks[target] = {
            position: name
            for position, name in self.bookmarks_of(source)
            if position <= last
            and (size is None or source.vocabulary_size(position) <= size)
        }

    @Slot()
    def next_bookmark(self) -> None:
        """Go to the next bookmark, if there is one."""
        if later := [mark.position for mark in self.bookmarks if mark.position > self.position]:
            self.scrub(later[0])

    @Slot()
    def previous_bookmark(self) -> None:
        """Go to the bookmark before, if there is one."""
        if earlier := [mark.position for mark in self.bookmarks if mark.position < self.position]:
            self.scrub(earlier[-1])


def _default_name(history: History, position: int) -> str:
    """Return the name of a bookmark until somebody renames it: the token that was made there."""
    if position == 0:
        return "start"
    content = history.token_bytes(int(history.new_id[position - 1]))
    return visible(content[:_LONGEST_NAME]) + ("…" if len(content) > _LONGEST_NAME else "")
