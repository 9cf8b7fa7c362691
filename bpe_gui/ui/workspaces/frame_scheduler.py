"""Decide when which panel is drawn for the cursor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from time import monotonic
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.workspaces.panel_spec import Panel, RefreshInterval

_FRAME = 0.012
"""Seconds between two frames at least: less than most screens take, so that one that comes
late, as after another event of 8 ms, is in time for them."""
_BUDGET = 0.008
"""Seconds that panels may take in a frame before the others wait for the next.
What they change is painted afterwards, which takes about as long again."""
_RESTING_BUDGET = 0.012
"""The same where the cursor rests: nothing follows soon, and a part that waits is painted late."""
_BUSY_BUDGET = 0.0005
"""The same while a run that is trained or prepared takes its part of the machine: hardly more
than one panel."""
_RESTLESS = 0.15
"""Seconds between two moves up to which they are one movement."""


class _Drawn(NamedTuple):
    """What a panel shows."""

    position: int
    length: int
    moving: bool


class FrameScheduler(QObject):
    """Draws the panels that are in view and out of date, those first that have waited longest.

    A frame has a budget: panels beyond it wait for the next frame, so that the user is answered in
    between. While the cursor moves, panels need not be exact; at rest all are drawn, exactly. While
    it follows a training, a panel is drawn only as often as its refresh interval allows.

    A panel gets another history when its turn comes, or when it comes into view. Until then it has
    none: what a panel out of view keeps of a run that is gone may be many megabytes.
    """

    drawing = Signal(int, bool)
    """Before every frame: the position, and whether the cursor is moving fast."""
    drew = Signal()
    """After every frame."""

    def __init__(self, window: QWidget, player: Player) -> None:
        super().__init__(window)
        self._window = window
        self._player = player
        self._panels: list[Panel] = []
        self._intervals: dict[Panel, RefreshInterval] = {}
        self._behind: frozenset[Panel] = frozenset()
        self._stage: QWidget | None = None
        self._parts: Mapping[Panel, Sequence[QWidget]] = {}
        self._drawn_at: dict[Panel, float] = {}
        self._drawn: dict[Panel, _Drawn] = {}
        self._given: dict[Panel, History | None] = {}
        self._is_first = True
        """Whether no run has been drawn yet."""
        self._last_frame = 0.0
        self._last_move = 0.0
        precise = Qt.TimerType.PreciseTimer
        self._frame = QTimer(self, singleShot=True, timerType=precise)
        self._frame.timeout.connect(self._draw)
        self._rest = QTimer(
            self, singleShot=True, timerType=precise, interval=round(_RESTLESS * 1000)
        )
        self._rest.timeout.connect(self.request)
        player.moved.connect(self._on_moved)
        player.loaded.connect(self._on_loaded)

    def set_panels(
        self, panels: Sequence[Panel], intervals: Mapping[Panel, RefreshInterval] | None = None
    ) -> None:
        """Draw these panels from now on; by default without intervals."""
        self._panels = list(panels)
        self._intervals = dict(intervals or {})
        self.request()

    def add_panel(self, panel: Panel, refresh: RefreshInterval) -> None:
        """Draw one more panel from now on."""
        self._panels.insert(0, panel)
        self._intervals[panel] = refresh
        self.request()

    def draw_behind(self, panels: Iterable[Panel]) -> None:
        """Draw these panels for the position one merge before the cursor, and all others for its.

        So they show the last merge where they would show the next one.
        """
        behind = frozenset(panels)
        for changed in behind ^ self._behind:
            self._drawn.pop(changed, None)
        self._behind = behind
        self.request()

    def look_into(self, window: QWidget | None, parts: Mapping[Panel, Sequence[QWidget]]) -> None:
        """Draw only what is in this window, or again in any, for None.

        `parts` are widgets of panels that are there without the panel itself.
        """
        self._stage = window
        self._parts = parts
        self.request()

    @property
    def on_stage(self) -> bool:
        """Whether only one window is drawn; nothing behind it changes its place."""
        return self._stage is not None

    def catch_up(self) -> None:
        """Give the history to every panel at once: the user is about to use them."""
        for panel in self._panels:
            self._give_history(panel)

    def stop(self) -> None:
        """Draw nothing more until asked to."""
        self._frame.stop()
        self._rest.stop()

    def isActive(self) -> bool:
        """Tell whether something is still to be drawn; so it is while the history grows."""
        return self._frame.isActive() or self._rest.isActive()

    @property
    def up_to_date(self) -> bool:
        """Whether all panels in view show the position, be it in motion."""
        wanted = self._wanted()
        return not any(self._is_stale(panel, wanted) for panel in self._panels)

    def is_given(self, panel: Panel) -> bool:
        """Tell whether a panel has the run in view, or is out of view."""
        return self._given.get(panel) is self._player.history or not self._is_seen(panel)

    @Slot()
    def request(self) -> None:
        """Draw soon: at once if the last frame is long past, else in time for the next."""
        if (self._stage or self._window).isVisible() and not self._frame.isActive():
            wait = self._last_frame + _FRAME - monotonic()
            self._frame.start(max(0, int(wait * 1000)))

    @property
    def _following(self) -> bool:
        return self._player.live and self._player.growing

    @Slot()
    def _on_loaded(self) -> None:
        self._drawn.clear()
        self._drawn_at = dict.fromkeys(self._panels, monotonic())
        self.request()

    @Slot()
    def _on_moved(self) -> None:
        if not self._following:
            now = monotonic()
            if now - self._last_move < _RESTLESS:
                self._rest.start()
            self._last_move = now
        self.request()

    @Slot()
    def _draw(self) -> None:
        self._last_frame = monotonic()
        player = self._player
        player.follow()
        following, wanted = self._following, self._wanted()
        if player.history is not None:
            self.drawing.emit(wanted.position, wanted.moving)
        stale = [p for p in self._panels if self._is_stale(p, wanted)]
        budget = self._budget(wanted, following=following)
        for panel in stale:
            if monotonic() - self._last_frame > budget:
                break
            if self._draw_panel(panel, wanted, following=following):
                # Whoever was drawn last is drawn first the next time but all others.
                self._panels.remove(panel)
                self._panels.append(panel)
        self._is_first &= player.history is None
        # A history that grows is checked every frame: its signals come at other times.
        if player.growing or not self.up_to_date or self._release_one():
            self.request()
        self.drew.emit()

    def _budget(self, wanted: _Drawn, *, following: bool) -> float:
        # Where there is no run, one is being prepared.
        if following or self._player.history is None:
            return _BUSY_BUDGET
        if self._is_first:  # there is nothing yet that the user could do meanwhile
            return inf
        return _BUDGET if wanted.moving else _RESTING_BUDGET

    def _wanted(self) -> _Drawn:
        player = self._player
        return _Drawn(player.position, player.end, self._following or self._rest.isActive())

    def _is_stale(self, panel: Panel, wanted: _Drawn) -> bool:
        return self._drawn.get(panel) != wanted and self._is_seen(panel)

    def _is_seen(self, panel: Panel) -> bool:
        if self._stage is None:
            # A panel behind the tab of another calls itself visible.
            return not panel.visibleRegion().isEmpty()
        return any(
            part.window() is self._stage and part.isVisible()
            for part in self._parts.get(panel, (panel,))
        )

    def _draw_panel(self, panel: Panel, wanted: _Drawn, *, following: bool) -> bool:
        """Bring a panel up to date if it is due; tells whether it was."""
        given = self._give_history(panel)
        if following and not self._is_due(panel, given=given):
            return given
        self._drawn[panel] = wanted
        self._drawn_at[panel] = self._last_frame
        if self._player.history is not None:
            behind = panel in self._behind and wanted.position > 0
            panel.show_position(wanted.position - behind, wanted.moving)
        return True

    def _give_history(self, panel: Panel) -> bool:
        """Give another history to a panel; tells whether it did not have it yet."""
        if panel in self._given and self._given[panel] is self._player.history:
            return False
        self._given[panel] = self._player.history
        panel.set_history(self._player.history)
        return True

    def _release_one(self) -> bool:
        """Take a history that has made way from a panel out of view; tells whether one had it."""
        if self.on_stage:
            return False
        current = self._player.history
        for panel in self._panels:
            given = self._given.get(panel)
            if given is not None and given is not current and not self._is_seen(panel):
                self._given[panel] = None
                self._drawn.pop(panel, None)
                panel.set_history(None)
                return True
        return False

    def _is_due(self, panel: Panel, *, given: bool) -> bool:
        """Tell whether a panel need not wait.

        One that was just `given` the history has had its turn: drawing it as well would delay the
        frame.
        """
        interval = self._intervals.get(panel, RefreshInterval(0.0, 0.0))
        drawn = self._drawn.get(panel)
        rested = drawn is None or not drawn.moving
        since = self._last_frame - self._drawn_at.get(panel, 0.0)
        return not given and since >= (interval.first if rested else interval.between)
