"""The guessing mode: the next merge is covered everywhere until the audience has guessed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from bpe_gui.ui.actions import Actions
from bpe_gui.ui.player import Player
from bpe_gui.ui.workspace import Workspace


class Guessing(QObject):
    """Puts the question in the place of the pair chart, and covers what gives it away."""

    def __init__(
        self, player: Player, workspace: Workspace, actions: Actions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._player = player
        self._workspace = workspace
        actions.guess.toggled.connect(self._turn)
        workspace.guess.coverChanged.connect(self._cover)
        workspace.guess.stepWanted.connect(actions.step.trigger)

    @Slot(bool)
    def _turn(self, on: bool) -> None:
        """Begin to ask at the cursor, or go back to the chart."""
        workspace = self._workspace
        if on:
            self._player.pause()
        shown = workspace.guess if on else workspace.pair_chart
        workspace.pairs.setCurrentWidget(shown)
        workspace.docks["pairDock"].setWindowTitle(
            "Guess the next merge" if on else "Pair frequencies"
        )
        workspace.docks["pairDock"].show()
        workspace.docks["pairDock"].raise_()
        self._cover(on and workspace.guess.covers)
        shown.setFocus()
        workspace.clock.request()

    @Slot(bool)
    def _cover(self, covered: bool) -> None:
        # The panel that is not shown is told of positions late, and of covers too.
        covered = covered and self._workspace.pairs.currentWidget() is self._workspace.guess
        self._workspace.words.set_covered(covered)
        self._workspace.why.set_covered(covered)
