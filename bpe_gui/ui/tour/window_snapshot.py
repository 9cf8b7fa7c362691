"""What the user had in the window before a tour began, and gets back when it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QByteArray, QSignalBlocker, QSize
from PySide6.QtWidgets import QMainWindow

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.recipe import Ties
from bpe_gui.ui.compare.comparison import Lane
from bpe_gui.ui.compare.view import CompareView
from bpe_gui.ui.run.controls import Controls
from bpe_gui.ui.run.player import Player
from bpe_gui.ui.run.run_control import RunControl, RunSnapshot
from bpe_gui.ui.run.sample_text import SampleText
from bpe_gui.ui.workspaces.frame_scheduler import FrameScheduler
from bpe_gui.ui.workspaces.workspaces import Workspaces

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
    run: RunSnapshot
    playing: bool
    text: str
    lanes: tuple[Lane, ...]
    view: Mapping[str, Any]
    arrangement: QByteArray
    size: QSize | None
    """Of the window; None if it fills the screen."""


class WindowSnapshot:
    """Remembers the user's corpus, recipe, runs, text, lanes and layout, and brings them back.

    The runs themselves are kept. One that was being trained stops meanwhile; then its merges
    are done once more, and it goes on.
    """

    def __init__(
        self,
        window: QMainWindow,
        run_control: RunControl,
        player: Player,
        controls: Controls,
        sample_text: SampleText,
        compare: CompareView,
        workspaces: Workspaces,
        clock: FrameScheduler,
        capture: Callable[[], dict[str, Any]],
        restore: Callable[[Mapping[str, Any]], None],
    ) -> None:
        """`capture` and `restore` are those of a session, for what is looked at in the window."""
        self._window = window
        self._run_control = run_control
        self._player = player
        self._controls = controls
        self._sample_text = sample_text
        self._compare = compare
        self._workspaces = workspaces
        self._clock = clock
        self._capture = capture
        self._restore = restore
        self._left: _Left | None = None

    def remember(self) -> None:
        """Take down how things stand; leaves Explore in view, and nobody guessing."""
        window, player = self._window, self._player
        playing = player.playing
        if playing:
            player.pause()
        # Compare gives itself lanes when it first hears of a run.
        self._clock.catch_up()
        view = self._capture()
        self._workspaces.explore()
        self._left = _Left(
            chosen=self._chosen(),
            run=self._run_control.snapshot(),
            playing=playing,
            text=self._sample_text.text,
            lanes=tuple(self._compare.comparison.lanes),
            view={**view, "choices": {**_AT_FIRST, **view["choices"]}},
            arrangement=self._workspaces.arrangement(),
            size=None if window.isMaximized() or window.isFullScreen() else window.size(),
        )
        self._restore({"guessing": False, "choices": _AT_FIRST})

    def bring_back(self) -> None:
        """Have everything as it was; nothing if it was not remembered."""
        left, self._left = self._left, None
        if left is None:
            return
        if left.size is not None and not self._window.isMaximized():
            self._window.resize(left.size)
        self._workspaces.arrange(left.arrangement)
        self._choose(left.chosen)
        self._run_control.restore(left.run)
        self._controls.changed.emit()
        self._sample_text.set(left.text)
        self._clock.catch_up()
        self._compare.comparison.set_lanes(left.lanes)
        self._compare.loader.resume()
        self._restore(left.view)
        if left.playing:
            self._player.play()

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
