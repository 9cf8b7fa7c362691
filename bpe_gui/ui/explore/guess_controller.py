"""Guess mode: the next merge is covered everywhere until the audience has guessed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolTip

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.timeline.timeline import Timeline
from bpe_gui.ui.workspaces.workspaces import Workspaces


class GuessController(QObject):
    """Shows the question instead of the pair chart, and covers what gives the answer away.

    As long as the question at the cursor is open, panels that show the next merge are covered, and
    the timeline has neither flags nor tooltips.

    Playing pauses at every open question until it is answered or revealed; it does not pause at
    questions that were answered before. By hand (a step, the timeline) a question can be left open;
    it does not count, and can be answered later.
    """

    def __init__(
        self,
        player: Player,
        workspace: ExploreView,
        workspaces: Workspaces,
        timeline: Timeline,
        actions: Actions,
    ) -> None:
        super().__init__(workspace)
        self._player = player
        self._workspace = workspace
        self._workspaces = workspaces
        self._guess = workspace.guess
        self._timeline = timeline
        self._action = actions.guess
        self._covers = False
        actions.guess.toggled.connect(self._turn)
        # Before anything is drawn for another position.
        for signal in (self._guess.changed, player.moved, player.loaded):
            signal.connect(self._cover)
        player.bookmarksChanged.connect(self._show_flags)
        self._guess.stepWanted.connect(actions.step.trigger)
        timeline.installEventFilter(self)

    @Slot(bool)
    def _turn(self, on: bool) -> None:
        workspace = self._workspace
        self._player.halt_where(self._is_open if on else None)
        if on:
            self._player.pause()
        dock = workspace.docks["pairDock"]
        dock.setWindowTitle("Guess the next merge" if on else "Pair frequencies")
        if on and not workspace.clock.on_stage:
            self._workspaces.explore()
            dock.show()
            workspace.raise_dock("pairDock")
        self._cover()
        workspace.show_question(on)

    def _is_open(self, position: int) -> bool:
        return self._guess.is_open(self._player.history, position)

    @Slot()
    def _cover(self) -> None:
        covers = self._action.isChecked() and self._is_open(self._player.position)
        if covers != self._covers:
            self._covers = covers
            self._workspace.cover(covers)
            QToolTip.hideText()
            self._show_flags()

    @Slot()
    def _show_flags(self) -> None:
        """Show the bookmarks, whose names tell merges, unless they are covered."""
        self._timeline.set_bookmarks([] if self._covers else self._player.bookmarks)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep tooltips from the timeline, which name the merge under the mouse, and pass the keys
        of the game on: who has clicked on the timeline goes on guessing.
        """
        if self._covers and isinstance(event, QKeyEvent) and self._guess.is_played_by(event):
            if event.type() == QEvent.Type.KeyPress:
                self._guess.keyPressEvent(event)
            event.accept()
            return True
        return self._covers and event.type() == QEvent.Type.ToolTip
