"""The frame clock: when which panel is drawn for the cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import NamedTuple, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from bpe_gui.bpe.history import History
from bpe_gui.ui.player import Player
from bpe_gui.ui.theme import Theme

_FRAME = 0.016
"""Seconds between two frames at least."""
_RESTLESS = 0.15
"""Moves that follow one another within so many seconds are one movement."""


class Panel(Protocol):
    """What the window asks of every panel."""

    def set_history(self, history: History | None) -> None: ...
    def show_position(self, position: int, live: bool) -> None: ...
    def set_theme(self, theme: Theme) -> None: ...
    def select_token(self, token: int) -> None: ...
    def isVisible(self) -> bool: ...


class _Drawn(NamedTuple):
    """What a panel shows."""

    position: int
    length: int
    moving: bool


class PanelClock(QObject):
    """Draws the panels that are in view and out of date, at most once a frame.

    While the cursor follows a training, one panel a frame, and each only as often as its
    patience allows: what is drawn must leave the frame time to answer the user. While it is
    played or scrubbed, all of them, told that they need not be exact; at rest all, exactly.

    Another history is given to one panel a frame as well, and to hidden ones only when they
    come into view.
    """

    drawing = Signal(int, bool)
    """Before each frame: the position, and whether the cursor is moving fast."""
    drew = Signal()
    """After each frame."""

    def __init__(self, window: QWidget, player: Player) -> None:
        super().__init__(window)
        self._window = window
        self._player = player
        self._panels: list[Panel] = []
        self._patience: Mapping[int, float] = {}
        self._drawn_at: dict[int, float] = {}
        self._drawn: dict[int, _Drawn] = {}
        self._given: dict[int, History | None] = {}
        self._last_frame = 0.0
        self._last_move = 0.0
        self._frame = self._single_shot(self._draw)
        self._rest = self._single_shot(self.request)
        self._rest.setInterval(round(_RESTLESS * 1000))
        player.moved.connect(self._on_moved)
        player.loaded.connect(self._on_loaded)

    def set_panels(
        self, panels: Sequence[Panel], patience: Mapping[Panel, float] | None = None
    ) -> None:
        """Draw these panels from now on.

        `patience` gives the seconds that a panel waits between two frames of its own while
        it follows a training; none by default.
        """
        self._panels = list(panels)
        self._patience = {id(panel): wait for panel, wait in (patience or {}).items()}
        self.request()

    def catch_up(self) -> None:
        """Give the history to every panel at once: the user is about to use it."""
        for panel in self._panels:
            self._give_history(panel)

    def stop(self) -> None:
        """Draw nothing more until asked to."""
        self._frame.stop()
        self._rest.stop()

    def isActive(self) -> bool:
        """Whether something is still to be drawn, or to be drawn exactly."""
        return self._frame.isActive() or self._rest.isActive()

    @Slot()
    def request(self) -> None:
        """Draw soon: at once if the last frame is long past, else in time for the next."""
        if self._window.isVisible() and not self._frame.isActive():
            wait = self._last_frame + _FRAME - monotonic()
            self._frame.start(max(0, round(wait * 1000)))

    def _single_shot(self, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(slot)
        return timer

    @property
    def _following(self) -> bool:
        return self._player.live and self._player.growing

    @Slot()
    def _on_loaded(self) -> None:
        self._drawn.clear()
        if self._player.history is None:
            # What is over must not stay in view.
            self.catch_up()
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
        if player.history is None:
            return
        following = self._following
        wanted = _Drawn(player.position, player.end, following or self._rest.isActive())
        self.drawing.emit(wanted.position, wanted.moving)
        stale = [p for p in self._panels if p.isVisible() and self._drawn.get(id(p)) != wanted]
        waiting = [p for p in stale if self._given.get(id(p)) is not player.history]
        if waiting:
            due = waiting[:1]
        elif following:
            due = [p for p in stale if self._is_due(p)][:1]
        else:
            # What only has more history ahead of it can wait its turn.
            grown = [p for p in stale if self._has_only_grown(p, wanted)]
            due = [p for p in stale if p not in grown] + grown[: 1 if player.growing else None]
        for panel in due:
            self._drawn[id(panel)] = wanted
            self._drawn_at[id(panel)] = self._last_frame
            self._give_history(panel)
            panel.show_position(wanted.position, wanted.moving)
            # Whoever was drawn last is drawn first the next time but all others.
            self._panels.remove(panel)
            self._panels.append(panel)
        if len(due) < len(stale):
            self.request()
        self.drew.emit()

    def _give_history(self, panel: Panel) -> None:
        if self._given.get(id(panel)) is not self._player.history:
            self._given[id(panel)] = self._player.history
            panel.set_history(self._player.history)

    def _is_due(self, panel: Panel) -> bool:
        since = self._last_frame - self._drawn_at.get(id(panel), 0.0)
        return since >= self._patience.get(id(panel), 0.0)

    def _has_only_grown(self, panel: Panel, wanted: _Drawn) -> bool:
        drawn = self._drawn.get(id(panel))
        return drawn is not None and drawn._replace(length=wanted.length) == wanted
