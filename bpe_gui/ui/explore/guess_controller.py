"""The guessing mode: the next merge is covered everywhere until the audience has guessed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.run.player import Player


class GuessController(QObject):
    """Puts the question in the place of the pair chart, and covers what gives it away.

    While the mode is on, nothing behind the cursor is told by the timeline, the curves, the
    tree, the cutting of a word, the branches or the status line. Words and reasons are
    covered as long as the question at the cursor is open. The laboratory covers its own.

    For a speaker: playing halts at each open question and stays there until it is answered
    or revealed; it runs through what was answered already. By hand (a step, the timeline) a
    question can be left open; it does not count, and can be answered later.
    """

    wanted = Signal()
    """A question is asked in the window: the pair chart, in whose place it stands, has to be
    in sight."""

    def __init__(
        self, player: Player, workspace: ExploreView, actions: Actions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._workspace = workspace
        self._on = False
        actions.guess.toggled.connect(self._turn)
        workspace.guess.coverChanged.connect(self._cover)
        player.moved.connect(self._on_moved)
        workspace.guess.stepWanted.connect(actions.step.trigger)

    @Slot(bool)
    def _turn(self, on: bool) -> None:
        """Begin to ask at the cursor, or go back to the chart."""
        workspace = self._workspace
        self._on = on
        self._player.halt_where(self._is_open if on else None)
        if on:
            self._player.pause()
        shown = workspace.guess if on else workspace.pair_chart
        workspace.pairs.setCurrentWidget(shown)
        workspace.docks["pairDock"].setWindowTitle(
            "Guess the next merge" if on else "Pair frequencies"
        )
        if on and not workspace.on_stage:
            self.wanted.emit()
            workspace.docks["pairDock"].show()
            workspace.raise_dock("pairDock")
        for panel in (
            workspace.curves,
            workspace.token_tree,
            workspace.derivation,
            workspace.branches,
        ):
            panel.set_covered(on)
        self._cover(on and workspace.guess.covers)
        self._on_moved()
        shown.setFocus()
        workspace.clock.request()

    def _is_open(self, position: int) -> bool:
        return self._workspace.guess.is_open(self._player.history, position)

    @Slot()
    def _on_moved(self) -> None:
        """Cover before anything is drawn for another position; the panel says so later."""
        if self._on and self._is_open(self._player.position):
            self._cover(True)

    @Slot(bool)
    def _cover(self, covered: bool) -> None:
        # The panel that is not shown is told of positions late, and of covers too.
        covered = covered and self._workspace.pairs.currentWidget() is self._workspace.guess
        self._workspace.words.set_covered(covered)
        self._workspace.why.set_covered(covered)
