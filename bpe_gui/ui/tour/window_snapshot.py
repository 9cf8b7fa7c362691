"""What the user had in the window before a tour began, and gets back when it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QByteArray, QSignalBlocker, QSize
from PySide6.QtWidgets import QMainWindow

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Ties
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.compare.comparison import Lane
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.explore.view import ExploreView
from bpe_gui.ui.run.branches import Branches, BranchesAside
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.run_control import RunControl
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.settings.view_state import ViewState
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

_AT_FIRST = MappingProxyType(
    {
        "wordsSearch": "", "wordsOrder": 0,
        "vocabularySearch": "", "vocabularyTable": [0, False], "followNewest": True,
        "curveTabs": 0, "numbersTabs": 0,
        "languageNumber": 0, "parityReference": 0,
        "metricsTable": [0, False], "languageTable": [0, False],
    }
)  # fmt: skip
"""What is chosen in the panels when a tour begins: all is seen, in the usual order."""


@dataclass(frozen=True)
class _Chosen:
    """What stood in the controls."""

    corpora: tuple[object, ...]
    corpus: object
    recipe: object
    size: int
    ties: Ties
    options: CorpusOptions


@dataclass(frozen=True)
class _Left:
    """All of it."""

    chosen: _Chosen
    begins: tuple[History, int] | None
    """What a run that is about to begin takes the place of; see `RunControl.set_aside`."""
    branches: BranchesAside
    playing: bool
    speed: float
    guesses: bool
    token: int
    text: str
    lanes: tuple[Lane, ...]
    compared: tuple[str, str, str]
    in_panels: Mapping[str, Any]
    place: WorkspaceId
    layout: QByteArray
    size: QSize | None
    """Of the window; None if it fills the screen."""


class WindowSnapshot:
    """Remembers the user's corpus, recipe, runs, text, lanes and layout, and brings them back.

    Nothing is trained again: the runs themselves are kept. One that was being trained is held
    meanwhile, and goes on from where it was.
    """

    def __init__(
        self,
        window: QMainWindow,
        run_control: RunControl,
        branches: Branches,
        player: Player,
        controls: Controls,
        sample_text: SampleText,
        compare: CompareView,
        workspace: ExploreView,
        workspaces: Workspaces,
        view_state: ViewState,
        actions: Actions,
    ) -> None:
        self._window = window
        self._run_control = run_control
        self._branches = branches
        self._player = player
        self._controls = controls
        self._sample_text = sample_text
        self._compare = compare
        self._workspace = workspace
        self._workspaces = workspaces
        self._view_state = view_state
        self._actions = actions
        self._left: _Left | None = None

    def remember(self) -> None:
        """Take down how things stand; leaves Explore in view."""
        place, window = self._workspaces.shown, self._window
        size = None if window.isMaximized() or window.isFullScreen() else window.size()
        player, guess = self._player, self._actions.guess
        playing, guesses = player.playing, guess.isChecked()
        if playing:
            player.pause()
        guess.setChecked(False)
        self._workspaces.explore()
        self._left = _Left(
            chosen=self._chosen(),
            begins=self._run_control.set_aside(),
            branches=self._branches.set_aside(),
            playing=playing,
            speed=player.speed,
            guesses=guesses,
            token=self._workspace.token,
            text=self._sample_text.text,
            lanes=tuple(self._compare.comparison.lanes),
            compared=self._compare.source.state(),
            in_panels=self._view_state.values(),
            place=place,
            layout=window.saveState(),
            size=size,
        )
        self._view_state.set_values(_AT_FIRST)

    def bring_back(self) -> None:
        """Have everything as it was; nothing if it was not remembered."""
        left, self._left = self._left, None
        if left is None:
            return
        self._workspaces.explore()
        self._player.set_speed(left.speed)
        self._choose(left.chosen)
        self._run_control.take_up(left.begins)
        self._branches.take_up(left.branches)
        self._controls.changed.emit()
        self._sample_text.set(left.text)
        self._workspace.select_token(left.token)
        self._compare.comparison.set_lanes(left.lanes)
        self._compare.source.restore(*left.compared)
        self._view_state.set_values({**_AT_FIRST, **left.in_panels})
        self._bring_back_layout(left)
        self._actions.guess.setChecked(left.guesses)
        if left.playing:
            self._player.play()

    def _bring_back_layout(self, left: _Left) -> None:
        """Have docks and workspace as they stood, in a window as large as it was."""
        if left.size is not None and not self._window.isMaximized():
            self._window.resize(left.size)
        self._window.restoreState(left.layout)
        for place, show in (
            (WorkspaceId.COMPARE, self._workspaces.compare),
            (WorkspaceId.LABORATORY, self._workspaces.laboratory),
        ):
            if left.place is place:
                show()

    def _chosen(self) -> _Chosen:
        controls = self._controls
        box = controls.corpus_box
        return _Chosen(
            corpora=tuple(box.itemData(index) for index in range(box.count())),
            corpus=box.currentData(),
            recipe=controls.preset_box.currentData(),
            size=controls.size_box.value(),
            ties=controls.ties,
            options=controls.options,
        )

    def _choose(self, chosen: _Chosen) -> None:
        """Choose what was chosen; what the tour has added is offered no longer."""
        controls = self._controls
        blocker = QSignalBlocker(controls)
        box = controls.corpus_box
        box_blocker = QSignalBlocker(box)
        data = [box.itemData(index) for index in range(box.count())]
        box.setCurrentIndex(data.index(chosen.corpus))
        for index in reversed(range(len(data))):
            if data[index] not in chosen.corpora:
                box.removeItem(index)
        box_blocker.unblock()
        controls.preset_box.setCurrentIndex(controls.preset_box.findData(chosen.recipe))
        controls.size_box.setValue(chosen.size)
        controls.set_ties(chosen.ties)
        controls.set_options(chosen.options)
        blocker.unblock()
