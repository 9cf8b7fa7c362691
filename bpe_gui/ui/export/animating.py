"""Exporting an animation or a page from the window, in the background."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QToolButton, QWidget

from bpe_gui.exporting.animation import AnimationError
from bpe_gui.exporting.coloured_text import Scheme
from bpe_gui.exporting.player_page import PageError, player_page
from bpe_gui.files import write_atomically
from bpe_gui.progress import counted, megabytes
from bpe_gui.ui.actions.action_words import set_disabled_reason
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.export.animation_dialog import AnimationDialog, at_the_end
from bpe_gui.ui.export.animation_recorder import Animation, AnimationRecorder
from bpe_gui.ui.export.hidden_panels import (
    ANIMATION_FORMATS,
    AnimationChoice,
    HiddenPanels,
    RenderState,
)
from bpe_gui.ui.export.panels import panels_of, why_not_told
from bpe_gui.ui.export.schemes import both_schemes
from bpe_gui.ui.export.targets import Colours, theme_for
from bpe_gui.ui.run.background import BackgroundTask, Job, TaskError
from bpe_gui.ui.widgets.file_dialogs import ask_where
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.motion import ProgressBar
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.sentences import cannot_be_written

_ABOUT = "animation"
"""The topic of the messages."""
_WHY_NOT = "There is no run yet, an export is still being made, or the next merge is being guessed."
_COLOURS = {None: Colours.NOW, True: Colours.DARK, False: Colours.LIGHT}


class Animating(QObject):
    """Asks what is to be animated, and where to, and makes it while the window goes on.

    One thing is made at a time. It shows the run, the text, the panels and the colours as they
    were when it was asked for: later changes in the window are not in it, nor merges that a
    training adds meanwhile. While the next merge is being guessed nothing is exported, because
    that would give away the answer.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._messages = context.message_bar
        self._choice: AnimationChoice | None = None
        self.recorder = AnimationRecorder(self)
        self._pages = BackgroundTask("player page", self)
        self._name = named(QLabel(), "exportName")
        self._bar = named(ProgressBar(), "exportBar", "Progress of the export")
        self._progress = self._make_progress()
        context.window.statusBar().addPermanentWidget(self._progress)
        self._action = context.actions.export_animation
        set_disabled_reason(self._action, _WHY_NOT)
        context.actions.guess.toggled.connect(self._enable)
        context.player.loaded.connect(self._enable)
        self.recorder.progressed.connect(self._show_frames)
        self.recorder.finished.connect(self._on_recorded)
        self.recorder.failed.connect(self._on_failed)
        self._enable()

    def _make_progress(self) -> QWidget:
        self._bar.setFixedWidth(140)
        tip = "Give up the export; no file is left"
        cancel = named(QToolButton(), "cancelExport", "Cancel the export", tip)
        cancel.setText("Cancel")
        cancel.clicked.connect(self.cancel)
        progress = named(QWidget(self._context.window), "exportProgress")
        parts, margins = (self._name, self._bar, cancel), (6, 2, 10, 2)
        filled(QHBoxLayout(progress), *parts, spacing=STYLED, margins=margins)
        progress.hide()
        return progress

    @property
    def busy(self) -> bool:
        """Whether something is being made."""
        return self.recorder.busy or not self._pages.at_rest

    @Slot()
    def ask(self) -> None:
        """Let the user choose what is to be made and where to, and begin."""
        scene = RenderState.of(self._context)
        if scene is None or self.busy:
            return
        end, training = len(scene.history), self._context.training
        grows = training.busy and training.history is self._context.player.history
        choice = at_the_end(self._choice or AnimationChoice(), end)
        prepare = partial(self.hidden_panels, scene)
        dialog = AnimationDialog(choice, end, self._context.window, grows=grows, prepare=prepare)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        choice, panels = dialog.choice, dialog.panels
        dialog.deleteLater()
        if not accepted:
            return
        self._choice = choice
        title, what = "Export an animation", ANIMATION_FORMATS[choice.ending]
        path = ask_where(self._context.window, title, "exportDialog", what, "run", choice.ending)
        if path is not None:
            self.begin(path, choice, scene, panels)
        elif panels is not None:
            panels.close()

    def begin(
        self, path: Path, choice: AnimationChoice, scene: RenderState, panels: HiddenPanels | None
    ) -> None:
        """Make an animation of panels, or without any a page, and report how it ends."""
        self._messages.tell_problem(_ABOUT, "")  # withdraws the message about the last export
        if panels is None:
            title = self._context.controls.corpus_box.currentText()
            schemes = both_schemes(self._context.palette_choice.palette)
            write = partial(_write_page, path, scene, choice, title, schemes)
            self._pages.ask(write, self._on_page, self._on_failed)
        else:
            self.recorder.start(path, panels, choice.stretch(), loop=choice.loop)
        self._name.setText(path.name)
        self._bar.show_share(None)
        self._progress.show()
        self._enable()

    def hidden_panels(self, scene: RenderState, choice: AnimationChoice) -> HiddenPanels | None:
        """Make the panels to paint; None for a page. Raises AnimationError if they are empty."""
        if choice.is_page:
            return None
        choice.stretch()  # raises if it cannot be made
        panels = panels_of(self._context)
        for panel in (panels[name] for name in choice.panels):
            if reason := panel.emptiness():
                raise AnimationError(f"the panel “{panel.title}” has nothing to show: {reason}")
        theme = theme_for(self._context, _COLOURS[choice.dark])
        return HiddenPanels(scene, choice, theme, self)

    @Slot()
    def cancel(self) -> None:
        """Cancel what is being made; nothing of it is left."""
        self.recorder.cancel()
        if not self._pages.at_rest:
            self._pages.drop()
            self._on_failed("")

    @Slot(int, int)
    def _show_frames(self, done: int, total: int) -> None:
        self._bar.show_share(done / total)
        self._bar.setToolTip(f"{done:,} of {total:,} frames")

    @Slot()
    def _enable(self) -> None:
        asked = why_not_told(self._context.actions)
        shown = self._context.player.history is not None
        self._action.setEnabled(shown and not asked and not self.busy)

    @Slot(object)
    def _on_recorded(self, animation: Animation) -> None:
        frames = counted(len(animation.stretch), "frame")
        self._end(f"{animation.path.name} is complete: {frames}, {_size(animation.path)}.")

    def _on_page(self, path: Path) -> None:
        self._end(f"{path.name} is complete: open it in any browser, {_size(path)}.")

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        """Say why there is no file; without a sentence, because it was cancelled."""
        if sentence:
            self._end("")
            self._messages.tell_problem(_ABOUT, sentence)
        else:
            self._end(f"{self._name.text()} was cancelled; no file is left of it.")

    def _end(self, success: str) -> None:
        self._progress.hide()
        self._enable()
        if success:
            self._messages.tell_success(_ABOUT, success)


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
    """Write a page, whole or not at all. Raises PatternError as `player_page`."""
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
    """Yield a page, and raise Cancelled before its file is complete if the job is cancelled."""
    yield page
    job.check()
