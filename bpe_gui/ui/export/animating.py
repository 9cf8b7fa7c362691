"""Exporting an animation or a page from the window: asked for, made on the side, told of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QToolButton, QWidget

from bpe_gui.analysis.branches import Branch
from bpe_gui.exporting.animation import AnimationError
from bpe_gui.exporting.coloured_text import Scheme
from bpe_gui.files import write_atomically
from bpe_gui.progress import counted, megabytes
from bpe_gui.ui.actions.action_words import set_disabled_reason
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.animation_choice import FORMATS, AnimationChoice, RenderState
from bpe_gui.ui.export.file_names import ask_where
from bpe_gui.ui.export.formats import Colours, theme_for
from bpe_gui.ui.export.panels import panels_of, why_not_told
from bpe_gui.ui.export.schemes import both_schemes
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.settings.view_state import shown_in
from bpe_gui.ui.theme.text_size import text_scale
from bpe_gui.ui.theme.theme import Theme
from bpe_gui.ui.widgets.progress_bar import ProgressBar
from bpe_gui.ui.widgets.sentences import as_sentence, cannot_be_written

if TYPE_CHECKING:
    # What draws and writes is loaded when something is exported, not with the window.
    from bpe_gui.ui.export.animation_recorder import Animation, AnimationRecorder
    from bpe_gui.ui.export.hidden_panels import HiddenPanels

_ABOUT = "animation"
"""What the messages of the window are about."""
_WHY_NOT = "There is no run yet, an export is still being made, or the next merge is being guessed."


class Animating(QObject):
    """Asks what is to be animated, and where to; then the window goes on as before.

    One thing is made at a time. What is shown in it is the run, the text, the panels and the
    colours as they are when it is asked for: what happens in the window later is not in it, nor
    are merges to come of a run that is being trained. While the next merge is guessed there is
    none: it would tell the answer.
    """

    framesMade = Signal(int, int)
    """The number of frames that are drawn, and of all."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._messages = context.message_bar
        self._choice: AnimationChoice | None = None
        self._filming: AnimationRecorder | None = None
        self._pages = BackgroundTask("player page", self)
        self._progress = _ExportProgress(context.window)
        self._name = ""
        context.window.statusBar().addPermanentWidget(self._progress)
        self._action = context.actions.export_animation
        self._action.triggered.connect(self.ask)
        set_disabled_reason(self._action, _WHY_NOT)
        context.actions.guess.toggled.connect(self._enable)
        context.player.loaded.connect(self._enable)
        self._progress.cancelled.connect(self.cancel)
        self.framesMade.connect(self._progress.show_frames)
        self._enable()

    @property
    def busy(self) -> bool:
        """Whether something is being made."""
        filming = self._filming is not None and self._filming.busy
        return filming or not self._pages.at_rest

    @Slot()
    def ask(self) -> None:
        """Let the user choose what is to be made and where to, and begin."""
        from bpe_gui.ui.export.animation_dialog import AnimationDialog, at_the_end

        scene = self.scene()
        if scene is None or self.busy:
            return
        end = len(scene.history)
        choice = at_the_end(self._choice or self._first_choice(), end)
        prepare = partial(self._hidden_panels, scene)
        dialog = AnimationDialog(
            choice, end, self._context.window, grows=self._is_growing(), prepare=prepare
        )
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        choice, panels = dialog.choice, dialog.panels
        dialog.deleteLater()
        if not accepted:
            return
        self._choice = choice
        title, what = "Export an animation", FORMATS[choice.ending]
        path = ask_where(self._context.window, title, "exportDialog", what, "run", choice.ending)
        if path is not None:
            self._begin(path, choice, scene, panels)
        elif panels is not None:
            panels.close()

    def begin(self, path: Path, choice: AnimationChoice, scene: RenderState | None = None) -> None:
        """Make an animation or a page, and tell of it.

        Of the scene that the window shows now, if none is given.
        """
        scene = scene or self.scene()
        if scene is None or self.busy:
            return
        try:
            panels = self._hidden_panels(scene, choice)
        except AnimationError as error:
            self._messages.tell_problem(_ABOUT, as_sentence(error))
            return
        self._begin(path, choice, scene, panels)

    def _begin(
        self, path: Path, choice: AnimationChoice, scene: RenderState, panels: HiddenPanels | None
    ) -> None:
        self._name = path.name
        self._messages.tell_problem(_ABOUT, "")  # what is said of the one before
        if panels is None:
            self._begin_page(path, choice, scene)
        else:
            self._films().start(path, panels, choice.stretch(), loop=choice.loop)
        self._progress.show_name(path.name)
        self._enable()

    def _begin_page(self, path: Path, choice: AnimationChoice, scene: RenderState) -> None:
        title = self._context.controls.corpus_box.currentText()
        schemes = both_schemes(self._context.palette_choice.palette)
        write = partial(_write_page, path, scene, choice, title, schemes)
        self._pages.ask(write, self._on_page, self._on_failed)

    def _hidden_panels(self, scene: RenderState, choice: AnimationChoice) -> HiddenPanels | None:
        """What is painted, nothing for a page. Raises AnimationError where nothing can be."""
        from bpe_gui.ui.export.hidden_panels import HiddenPanels

        if choice.is_page:
            return None
        choice.stretch()
        choice.check()
        panels = panels_of(self._context)
        for panel in (panels[name] for name in choice.panels):
            if reason := panel.emptiness():
                raise AnimationError(f"the panel “{panel.title}” has nothing to show: {reason}")
        return HiddenPanels(scene, choice, self._theme(choice.dark), self)

    def scene(self) -> RenderState | None:
        """What the window shows now, with the merges that there are; None if it shows no run."""
        context = self._context
        history, shown = context.player.history, context.branches.shown
        if history is None:
            return None
        workspace, branches = context.explore, context.branches
        # All of them may go on growing while pictures are made.
        until = {each.history: each.history.until(len(each.history)) for each in branches.all}
        return RenderState(
            until[history] if history in until else history.until(len(history)),
            shown.words if shown is not None else None,
            context.sample_text.text,
            workspace.derivation.word,
            workspace.token,
            context.workspaces.arrangement(),
            shown_in(context.explore),
            tuple(Branch(each.name, each.words, until[each.history]) for each in branches.all),
            tuple(branches.state(each) for each in branches.all),
            tuple(context.player.bookmarks),
        )

    @Slot()
    def cancel(self) -> None:
        """Give up what is being made; nothing of it is left."""
        if self._filming is not None:
            self._filming.cancel()
        if not self._pages.at_rest:
            self._pages.drop()
            self._on_failed("")

    def close(self) -> None:
        """Give up what is being made, and end the threads."""
        if self._filming is not None:
            self._filming.close()
        self._pages.close()

    # -- asking ----------------------------------------------------------------------------

    def _is_growing(self) -> bool:
        """Whether the run in view is still being trained."""
        training = self._context.training
        return training.busy and training.history is self._context.player.history

    def _first_choice(self) -> AnimationChoice:
        return AnimationChoice(text=round(text_scale(self._context.window.font()), 2))

    def _films(self) -> AnimationRecorder:
        """What makes animations, from the first one on."""
        if self._filming is None:
            from bpe_gui.ui.export.animation_recorder import AnimationRecorder

            self._filming = AnimationRecorder(self)
            self._filming.progressed.connect(self.framesMade)
            self._filming.finished.connect(self._on_film)
            self._filming.failed.connect(self._on_failed)
        return self._filming

    def _theme(self, dark: bool | None) -> Theme:
        wanted = {None: Colours.NOW, True: Colours.DARK, False: Colours.LIGHT}[dark]
        return theme_for(self._context, wanted)

    # -- what becomes of it ----------------------------------------------------------------

    @Slot()
    def _enable(self) -> None:
        asked = why_not_told(self._context.actions)
        shown = self._context.player.history is not None
        self._action.setEnabled(shown and not asked and not self.busy)

    @Slot(object)
    def _on_film(self, film: Animation) -> None:
        frames = counted(len(film.stretch), "frame")
        self._told(film.path, f"{frames}, ")

    def _on_page(self, path: Path) -> None:
        self._told(path, "open it in any browser, ")

    def _told(self, path: Path, what: str) -> None:
        self._end()
        self._messages.tell_success(_ABOUT, f"{path.name} is complete: {what}{_size(path)}.")

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        """There is no file: for a reason, or because it was cancelled."""
        self._end()
        if sentence:
            self._messages.tell_problem(_ABOUT, sentence)
        else:
            told = f"{self._name} was cancelled; no file is left of it."
            self._messages.tell_success(_ABOUT, told)

    def _end(self) -> None:
        self._progress.hide()
        self._enable()


def _size(path: Path) -> str:
    try:
        return megabytes(path.stat().st_size)
    except OSError:
        return "and gone by now"


def _write_page(
    path: Path,
    scene: RenderState,
    choice: AnimationChoice,
    title: str,
    schemes: Sequence[Scheme],
    job: Job,
) -> Path:
    """Write a page, whole or not at all. PatternError as `player_page`."""
    from bpe_gui.exporting.player_page import PageError, player_page

    try:
        page = player_page(
            scene.history,
            scene.text,
            start=choice.start,
            stop=choice.stop,
            title=title,
            schemes=schemes,
        )
        write_atomically(path, _unless_cancelled(page, job))
    except PageError as error:
        raise TaskError(str(error)) from error
    except OSError as error:
        raise TaskError(cannot_be_written(path, error)) from error
    return path


def _unless_cancelled(page: str, job: Job) -> Iterator[str]:
    """The page as what a file is to hold; raises Cancelled before the file is complete."""
    yield page
    job.check()


class _ExportProgress(QWidget):
    """Stands in the status bar for as long as something is being exported."""

    cancelled = Signal()
    """The user wants nothing of it any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exportProgress")
        self._name = QLabel(self)
        self._name.setObjectName("exportName")
        self._bar = ProgressBar(self)
        self._bar.setObjectName("exportBar")
        self._bar.setAccessibleName("Progress of the export")
        self._bar.setFixedWidth(140)
        self._cancel = QToolButton(self)
        self._cancel.setObjectName("cancelExport")
        self._cancel.setText("Cancel")
        self._cancel.setAccessibleName("Cancel the export")
        self._cancel.setToolTip("Give up the export; no file is left")
        self._cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 2, 10, 2)
        for part in (self._name, self._bar, self._cancel):
            row.addWidget(part)
        self.hide()

    def show_name(self, name: str) -> None:
        """Come into view for a file, of which nothing is done yet."""
        self._name.setText(name)
        self._bar.setRange(0, 0)
        self.show()

    @Slot(int, int)
    def show_frames(self, done: int, total: int) -> None:
        """Show how many frames of all are drawn."""
        # Left to itself the bar repaints at once, and everything else that waits with it.
        self._bar.setUpdatesEnabled(False)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._bar.setUpdatesEnabled(True)
        self._bar.setToolTip(f"{done:,} of {total:,} frames")
