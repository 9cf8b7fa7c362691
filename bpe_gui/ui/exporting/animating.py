"""Exporting an animation or a page from the window: asked for, made on the side, told of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDialog, QFileDialog

from bpe_gui.exporting.scheme import Scheme
from bpe_gui.exporting.stretch import AnimationError
from bpe_gui.files import write_atomically
from bpe_gui.progress import counted, megabytes
from bpe_gui.ui.exporting.animation_choice import FORMATS, AnimationChoice
from bpe_gui.ui.exporting.export_progress import ExportProgress
from bpe_gui.ui.exporting.file_names import final_name
from bpe_gui.ui.exporting.scene import Scene, chosen_in
from bpe_gui.ui.exporting.schemes import both_schemes
from bpe_gui.ui.late_work import LateWork
from bpe_gui.ui.sentences import as_sentence
from bpe_gui.ui.text_size import text_scale
from bpe_gui.ui.theme import DARK, LIGHT, Theme

if TYPE_CHECKING:
    # What draws and writes is loaded when something is exported, not with the window.
    from bpe_gui.ui.exporting.filming import Film, Filming
    from bpe_gui.ui.main_window import MainWindow

_ABOUT = "animation"
"""What the messages of the window are about."""


@dataclass(frozen=True)
class Page:
    """What became of a page: where it is, or the sentence why it is nowhere."""

    path: Path
    problem: str = ""


class Animating(QObject):
    """Asks what is to be animated, and where to; then the window goes on as before.

    One thing is made at a time. What is shown in it is the run, the text, the panels and the
    colours as they are when it is asked for: what happens in the window later is not in it, but
    for the merges to come that a run which is being trained goes on to have.
    """

    succeeded = Signal(str, str)
    """What was done, and that a file is complete: one sentence."""
    problem = Signal(str, str)
    """What was done, and why there is no file: one sentence."""
    made_frames = Signal(int, int)
    """So many frames of all are drawn."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._choice: AnimationChoice | None = None
        self._filming: Filming | None = None
        self._pages = LateWork(self)
        self._progress = ExportProgress(window)
        self._making_page = False
        window.statusBar().addPermanentWidget(self._progress)
        self._action = window.actions_.export_animation
        self._action.triggered.connect(self.ask)
        window.player.loaded.connect(self._enable)
        self._progress.cancelled.connect(self.cancel)
        self.made_frames.connect(self._progress.show_frames)
        self._pages.done.connect(self._on_page)
        self._pages.failed.connect(self._on_failed)
        self.succeeded.connect(window.message_bar.tell_success)
        self.problem.connect(window.message_bar.tell_problem)
        self._enable()

    @property
    def busy(self) -> bool:
        """Whether something is being made."""
        return self._making_page or (self._filming is not None and self._filming.busy)

    @Slot()
    def ask(self) -> None:
        """Let the user choose what is to be made and where to, and begin."""
        from bpe_gui.ui.exporting.animation_dialog import AnimationDialog, at_the_end

        player = self._window.player
        history = player.history
        if history is None or self.busy:
            return
        end = player.end
        choice = at_the_end(self._choice or self._first_choice(), end)
        dialog = AnimationDialog(choice, end, self._window)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        choice = dialog.choice
        dialog.deleteLater()
        if not accepted:
            return
        self._choice = choice
        path = self._ask_where(choice.ending)
        if path is not None and player.history is history:
            self.begin(path, choice)

    def begin(self, path: Path, choice: AnimationChoice) -> None:
        """Make an animation or a page; `succeeded` or `problem` tells of it."""
        scene = self.scene()
        if scene is None or self.busy:
            return
        if choice.is_page:
            self._making_page = True
            title = self._window.controls.corpus_box.currentText()
            schemes = both_schemes(self._window.palette_choice.palette)
            made = partial(_write_page, path, scene, choice, title, schemes)
            self._progress.show_name(path.name)
            self._pages.ask(made)
            self._enable()
            return
        try:
            look = choice.look(self._theme(choice.dark))
            self._films().start(path, scene, look, choice.stretch(), loop=choice.loop)
        except AnimationError as error:
            self.problem.emit(_ABOUT, as_sentence(error))
            return
        self._progress.show_name(path.name)
        self._enable()

    def scene(self) -> Scene | None:
        """What the window shows now; None if it shows no run."""
        window = self._window
        history, shown = window.player.history, window.branches.shown
        if history is None:
            return None
        workspace = window.workspace
        return Scene(
            history,
            shown.words if shown is not None else None,
            window.text_panel.text(),
            workspace.derivation.word(),
            workspace.token,
            window.workspaces.arrangement(),
            chosen_in(window),
        )

    @Slot()
    def cancel(self) -> None:
        """Give up what is being made; nothing of it is left."""
        if self._filming is not None:
            self._filming.cancel()
        if self._making_page:
            self._pages.drop()
            self._on_failed("")

    def close(self) -> None:
        """Give up what is being made, and end the threads."""
        if self._filming is not None:
            self._filming.close()
        self._pages.close()

    # -- asking ----------------------------------------------------------------------------

    def _first_choice(self) -> AnimationChoice:
        return AnimationChoice(text=round(text_scale(self._window.font()), 2))

    def _ask_where(self, ending: str) -> Path | None:
        """A name with the ending of the format that was chosen."""
        dialog = QFileDialog(self._window, "Export an animation")
        dialog.setObjectName("exportDialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"{FORMATS[ending]} (*{ending})")
        dialog.setDefaultSuffix(ending)
        dialog.selectFile(f"run{ending}")
        try:
            if dialog.exec() != QDialog.DialogCode.Accepted or not dialog.selectedFiles():
                return None
            path = Path(dialog.selectedFiles()[0])
        finally:
            dialog.deleteLater()
        return final_name(self._window, path, ending)

    def _films(self) -> Filming:
        """What makes animations, from the first one on."""
        if self._filming is None:
            from bpe_gui.ui.exporting.filming import Filming

            self._filming = Filming(self)
            self._filming.progressed.connect(self.made_frames)
            self._filming.finished.connect(self._on_film)
            self._filming.failed.connect(self._on_failed)
        return self._filming

    def _theme(self, dark: bool | None) -> Theme:
        theme = self._window.theme
        if dark is not None and dark != theme.dark:
            theme = DARK if dark else LIGHT
        return theme.with_palette(self._window.palette_choice.palette)

    # -- what becomes of it ----------------------------------------------------------------

    @Slot()
    def _enable(self) -> None:
        self._action.setEnabled(self._window.player.history is not None and not self.busy)

    @Slot(object)
    def _on_film(self, film: Film) -> None:
        frames = counted(len(film.stretch), "frame")
        self._told(film.path, f"{frames}, ")

    @Slot(object)
    def _on_page(self, page: Page) -> None:
        if page.problem:
            self._on_failed(page.problem)
            return
        self._making_page = False
        self._told(page.path, "open it in any browser, ")

    def _told(self, path: Path, what: str) -> None:
        self._end()
        self.succeeded.emit(_ABOUT, f"{path.name} is complete: {what}{_size(path)}.")

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._making_page = False
        self._end()
        if sentence:
            self.problem.emit(_ABOUT, sentence)

    def _end(self) -> None:
        self._progress.hide()
        self._enable()


def _size(path: Path) -> str:
    try:
        return megabytes(path.stat().st_size)
    except OSError:
        return "and gone by now"


def _write_page(
    path: Path, scene: Scene, choice: AnimationChoice, title: str, schemes: Sequence[Scheme]
) -> Page:
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
        write_atomically(path, page)
    except PageError as error:
        return Page(path, as_sentence(error))
    except OSError as error:
        reason = error.strerror or str(error)
        return Page(path, f"{path} cannot be written: {reason}; save it elsewhere.")
    return Page(path)
