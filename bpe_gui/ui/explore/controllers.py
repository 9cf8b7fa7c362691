"""Guess mode and what if: they connect actions, menus and panels with player and branches."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from bpe_gui.analysis.visible import visible_pair
from bpe_gui.bpe.history import NO_TOKEN, Decision
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.panels.guess.wording import TITLE
from bpe_gui.ui.run.context import RunContext
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.timeline.timeline import Timeline
from bpe_gui.ui.workspaces.workspaces import Workspaces

_CHART = "Pair frequencies"
"""The title of the chart, also where it is hidden and nothing is asked in its place."""


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
        self._covers = self._asks = False
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
        if on and not workspace.scheduler.on_stage:
            self._workspaces.explore()
            dock.show()
            workspace.raise_dock("pairDock")
        self._cover()
        workspace.show_question(on)

    def _is_open(self, position: int) -> bool:
        return self._guess.is_open(self._player.history, position)

    @Slot()
    def _cover(self) -> None:
        asks = self._action.isChecked() and not self._guess.is_held
        self._workspace.docks["pairDock"].setWindowTitle(TITLE if asks else _CHART)
        covers = self._action.isChecked() and self._is_open(self._player.position)
        if (covers, asks) != (self._covers, self._asks):
            self._covers, self._asks = covers, asks
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


_NOTHING_TO_FORCE = (
    "This pair is merged next anyway. Choose another one in the chart of pair frequencies "
    "first, with a click or with Up and Down, then press F9."
)
_NO_PAIR = "No pair is left to be merged here. Take the cursor to an earlier merge first."


class WhatIf(QObject):
    """Passes decisions of the user to the branches, and shows the branches."""

    def __init__(self, run: RunContext, workspace: ExploreView, window: QWidget) -> None:
        super().__init__(window)
        self._branches = branches = run.branches
        self._player = player = run.player
        self._workspace = workspace
        self._actions = actions = run.actions
        self._message_bar = run.message_bar
        self._window = window
        actions.forbid.triggered.connect(self.forbid_winner)
        actions.force.triggered.connect(self.force_current)
        actions.next_branch.triggered.connect(branches.show_next)
        workspace.pair_chart.menuWanted.connect(self._show_menu)
        workspace.made.connect(self._on_made)
        branches.changed.connect(self._on_changed)
        run.training.changed.connect(self._show_states)
        branches.refused.connect(run.message_bar.show_message)
        actions.guess.toggled.connect(self._enable)
        player.loaded.connect(self._on_changed)
        player.moved.connect(self._enable)
        self._on_changed()

    @Slot()
    def forbid_winner(self) -> None:
        """Begin a branch without the pair that is merged next."""
        pair = self._next_pair()
        if pair is None:
            self._message_bar.show_message(_NO_PAIR)
            return
        self._decide(Decision.FORBID, pair, self._workspace.told_position)

    @Slot()
    def force_current(self) -> None:
        """Begin a branch with the chart's current pair instead of the one merged next."""
        chart = self._workspace.pair_chart
        # It may be hidden, or its next frame still to come: what it knows may be of another run.
        self._workspace.scheduler.catch_up()
        chart.show_position(self._workspace.told_position, moving=False)
        pair = chart.current_pair
        if pair is None:
            self._message_bar.show_message(_NO_PAIR)
        elif pair == self._next_pair():
            self._message_bar.show_message(_NOTHING_TO_FORCE)
        else:
            self._decide(Decision.FORCE, pair, chart.position)

    def menu(self, left: int, right: int) -> QMenu:
        """Make the menu of a pair of the chart, at the position that the chart shows now.

        The cursor may be elsewhere, before the next frame or while the menu is open.
        """
        history, position = self._player.history, self._workspace.pair_chart.position
        assert history is not None, "the chart shows a run"
        pair = visible_pair(history.token_bytes(left), history.token_bytes(right))
        menu = QMenu(self._window)
        menu.setObjectName("pairMenu")
        here = f"merge {position + 1:,}"
        force = menu.addAction(f"What if {pair} is merged at {here} instead?")
        force.setObjectName("forcePair")
        force.setEnabled((left, right) != history.next_pair(position))
        force.setData((Decision.FORCE, (left, right), position))
        forbid = menu.addAction(f"What if {pair} is forbidden from {here} on?")
        forbid.setObjectName("forbidPair")
        forbid.setData((Decision.FORBID, (left, right), position))
        menu.addSeparator()
        words = menu.addAction(f"Show the words with {pair}")
        words.setObjectName("wordsWithPair")
        words.setData((None, (left, right), position))
        menu.triggered.connect(self._on_menu)
        self._player.loaded.connect(menu.close)  # the pair is one of this run
        return menu

    @Slot(int, int, QPoint)
    def _show_menu(self, left: int, right: int, place: QPoint) -> None:
        if self._workspace.pair_chart.history is not self._player.history:
            return  # The chart's next frame is still to come: the pair is of another run.
        menu = self.menu(left, right)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    @Slot(QAction)
    def _on_menu(self, action: QAction) -> None:
        decision, pair, position = action.data()
        if decision is None:
            self._workspace.show_words(*pair)
        else:
            self._decide(decision, pair, position)

    def _decide(self, decision: Decision, pair: tuple[int, int], position: int) -> None:
        if position != self._player.position:
            self._player.scrub(position)
        self._branches.decide(decision, *pair)
        self._workspace.raise_dock("branchesDock")

    @Slot(int, int, int)
    def _go_to(self, index: int, position: int, token: int) -> None:
        self._branches.show(index)
        self._player.scrub(position)
        if token != NO_TOKEN:
            self._workspace.select_token(token)

    def _next_pair(self) -> tuple[int, int] | None:
        history = self._player.history
        return history.next_pair(self._workspace.told_position) if history is not None else None

    @Slot(str)
    def _on_made(self, name: str) -> None:
        if name == "branches":
            panel, branches = self._workspace.branches, self._branches
            panel.table.chosen.connect(branches.show)
            panel.model.renamed.connect(branches.rename)
            panel.table.removed.connect(branches.remove)
            panel.placeChosen.connect(self._go_to)
            self._show_branches()

    @Slot()
    def _on_changed(self) -> None:
        branches = self._branches
        # The panel knows from which branch another was made, if it is there for the second one.
        if self._workspace.has_panel("branches") or len(branches.all) > 1:
            self._show_branches()
        self._actions.next_branch.setEnabled(len(branches.all) > 1)
        self._enable()

    def _show_branches(self) -> None:
        self._workspace.branches.set_branches(self._branches.all, self._branches.shown)
        self._show_states()

    @Slot()
    def _show_states(self) -> None:
        if not self._workspace.has_panel("branches"):
            return
        states = [self._branches.state(branch) for branch in self._branches.all]
        self._workspace.branches.model.set_states(states)

    @Slot()
    def _enable(self) -> None:
        # What is covered must not be named.
        shown = self._branches.shown is not None and not self._actions.guess.isChecked()
        self._actions.forbid.setEnabled(shown)
        self._actions.force.setEnabled(shown)
