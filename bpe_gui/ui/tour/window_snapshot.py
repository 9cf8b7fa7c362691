"""Record what the user had in the window before a tour, and restore it afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtCore import QByteArray, QSignalBlocker, QSize

from bpe_gui.bpe.corpus import CorpusOptions
from bpe_gui.bpe.history import History
from bpe_gui.bpe.recipe import Ties
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.run_control import RunSnapshot
from bpe_gui.ui.session.snapshot import apply_look, apply_selection, layout_of

if TYPE_CHECKING:
    from bpe_gui.ui.compare.comparison import Lane

_KEPT = frozenset({"theme", "palette", "colouring", "draft"})
"""What stays as it is when a tour ends: the user may have changed it meanwhile."""


class _Left(Struct, frozen=True):
    """What is recorded; from `corpora` to `options` it is chosen in the toolbar."""

    corpora: tuple[object, ...]
    corpus: object
    recipe: object
    vocabulary: int
    ties: Ties
    options: CorpusOptions
    run: RunSnapshot
    playing: bool
    text: str
    lanes: tuple[Lane, ...]
    lockstep: tuple[History, ...]
    layout: Mapping[str, Any]
    arrangement: QByteArray
    size: QSize | None
    """Of the window; None if it fills the screen."""


class WindowSnapshot:
    """Records the corpus, recipe, runs, text, lanes and layout of the user, and restores them.

    The runs themselves are recorded. If one was being trained, that stops; afterwards its merges
    are done again, and it goes on.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._left: _Left | None = None

    def remember(self) -> None:
        """Record everything; Explore is in view afterwards, as at first."""
        context, window = self._context, self._context.window
        playing = context.player.playing
        if playing:
            context.player.pause()
        # Compare gives itself lanes when it first hears of a run.
        context.explore.scheduler.catch_up()
        layout = {name: value for name, value in layout_of(context).items() if name not in _KEPT}
        context.workspaces.explore()
        box = context.controls.corpus_box
        self._left = _Left(
            corpora=tuple(box.itemData(index) for index in range(box.count())),
            corpus=box.currentData(),
            recipe=context.controls.preset_box.currentData(),
            vocabulary=context.controls.size_box.value(),
            ties=context.controls.ties,
            options=context.controls.options,
            run=context.run_control.snapshot(),
            playing=playing,
            text=context.sample_text.text,
            lanes=tuple(context.compare.comparison.lanes),
            lockstep=context.laboratory.runs.shown,
            layout=layout,
            arrangement=context.workspaces.arrangement(),
            size=None if window.isMaximized() or window.isFullScreen() else window.size(),
        )
        # All is seen on the pages of a tour, in the usual order; they are about the next merge.
        context.actions.tell_last.setChecked(False)
        apply_selection(context, {"guessing": False, "choices": {}})

    def bring_back(self) -> None:
        """Restore what was recorded, if anything was."""
        left, self._left = self._left, None
        if left is None:
            return
        context = self._context
        if left.size is not None and not context.window.isMaximized():
            context.window.resize(left.size)
        context.workspaces.arrange(left.arrangement)
        self._choose(left)
        context.run_control.restore(left.run)
        context.controls.changed.emit()
        context.sample_text.set(left.text)
        context.explore.scheduler.catch_up()
        context.compare.comparison.set_lanes(left.lanes)
        context.compare.loader.resume()
        if left.lockstep and left.lockstep != context.laboratory.runs.shown:
            context.laboratory.bring_back_lockstep(left.lockstep)
        apply_look(context, left.layout)
        apply_selection(context, left.layout)
        if left.playing:
            context.player.play()

    def _choose(self, chosen: _Left) -> None:
        """Choose what was chosen; corpora that the tour has added leave the box."""
        controls = self._context.controls
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
        controls.size_box.setValue(chosen.vocabulary)
        controls.set_ties(chosen.ties)
        controls.set_options(chosen.options)
        blocker.unblock()
