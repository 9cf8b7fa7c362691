"""Save and open sessions, and offer unsaved work at the next start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFile, QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QDialog, QFileDialog

from bpe_gui.sessions.recognition import ENDING, SessionError
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.background import BackgroundTask
from bpe_gui.ui.run.compiler import Compiler
from bpe_gui.ui.session.autosave import Autosave, is_worth_keeping
from bpe_gui.ui.session.session_files import RecoveryFiles, describe, equal, read, write
from bpe_gui.ui.widgets.file_dialogs import ask_where
from bpe_gui.ui.widgets.sentences import as_sentence

if TYPE_CHECKING:
    # What reads and writes sessions is loaded when that is done, not with the window.
    from bpe_gui.sessions import Session

_SESSION = "session"
_SOON = 200
"""Milliseconds after which there is something to be said; most sessions are there before."""
_DAMAGED = ".damaged"
_FILTERS = (f"Sessions (*{ENDING})", "All files (*)")


class SessionKeeper(QObject):
    """Saves and opens sessions in the background, and autosaves what is in view.

    A session that is opened replaces what is in view; the run there is among the past runs then.
    What another window has left that has ended is offered, and stays in its file until the user
    has answered.
    """

    opened = Signal(str)
    """The path of a session that is shown now."""
    saved = Signal(str)
    """The path of a session that was saved."""
    renamed = Signal()
    """`name` is another one."""
    replacing = Signal()
    """A session is about to take the place of what is there."""
    replaced = Signal()
    """It has."""

    def __init__(
        self,
        context: Context,
        compiler: Compiler,
        folder: Path,
        in_tour: Callable[[], bool],
    ) -> None:
        """`folder` has unsaved work. What is seen while `in_tour` is not autosaved."""
        super().__init__(context.window)
        self._context = context
        self._compiler = compiler
        self._in_tour = in_tour
        self.path: Path | None = None
        """Where the session in view was saved or opened last."""
        self._opening: Path | None = None
        self._soon = QTimer(self, singleShot=True, interval=_SOON)
        self._soon.timeout.connect(self._say_what_is_read)
        self.files = BackgroundTask(
            "sessions", self, expected=(SessionError, OSError), gives_way=True
        )
        self.recovery_files = RecoveryFiles(folder)
        self.autosave = Autosave(context, self.files, self.recovery_files, self._state)
        context.message_bar.accepted.connect(self._on_accepted)
        context.message_bar.dismissed.connect(self._on_dismissed)
        actions = context.actions
        actions.save_session.triggered.connect(self.save)
        actions.save_session_as.triggered.connect(self.save_as)
        actions.cancel.triggered.connect(self.cancel_opening)
        actions.open_session.triggered.connect(self.ask_what_to_open)
        for left in self.recovery_files.abandoned():
            told, damaged = partial(self._on_described, left), partial(self._on_damaged, left)
            self.files.ask_too(partial(describe, left), told, damaged)

    @property
    def name(self) -> str:
        """What the session in view is called; empty if it was never saved."""
        return self.path.stem if self.path is not None else ""

    # -- saving ------------------------------------------------------------------------------

    def _state(self) -> Session | None:
        """Return what is to be autosaved now; None during a tour."""
        from bpe_gui.ui.session.snapshot import capture

        session = None if self._in_tour() else capture(self._context, self.path)
        return session if session is not None and is_worth_keeping(session) else None

    @Slot()
    def save(self) -> None:
        """Save the session where it was saved before; the first time, ask where."""
        if self.path is None:
            self.save_as()
        else:
            self.save_to(self.path)

    @Slot()
    def save_as(self) -> None:
        """Ask where to save the session, and save it."""
        folder = "" if self.path is None else str(self.path.parent)
        path = ask_where(
            self._context.window, "Save the session", "saveSessionDialog", "Sessions",
            self.name or "session", ENDING, folder,
        )  # fmt: skip
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Save the session in a file, if it can be opened again; else all stays as it was."""
        from bpe_gui.ui.session.snapshot import capture

        session = capture(self._context)
        if session is not None:
            self._context.status.note(f"Saving {path.name} …")
            path = path.absolute()
            saved, not_saved = partial(self._on_saved, path), partial(self._on_not_saved, path)
            self.files.ask_too(partial(write, session, path, whole=True), saved, not_saved)

    # -- opening -----------------------------------------------------------------------------

    @Slot()
    def ask_what_to_open(self) -> None:
        """Ask for the file of a session, and open it."""
        only_one = QFileDialog.FileMode.ExistingFile
        dialog = QFileDialog(self._context.window, "Open a session", fileMode=only_one)
        dialog.setObjectName("openSessionDialog")
        dialog.setNameFilters(_FILTERS)
        accepted, names = dialog.exec() == QDialog.DialogCode.Accepted, dialog.selectedFiles()
        dialog.deleteLater()
        if accepted and names:
            self.open_session(names[0])

    @Slot(str)
    def open_session(self, path: str | Path) -> None:
        """Replace what is in view by the session in a file, as soon as it is read."""
        path = Path(path).absolute()
        self._opening = path
        self._context.message_bar.withdraw(_SESSION)
        # What is cut when it comes is cut by loops that are loaded meanwhile.
        self._compiler.start()
        self._soon.start()
        self._context.run_control.set_waiting(True)
        shown, refused = partial(self._on_read, path), partial(self._on_not_read, path)
        self.files.ask_too(partial(read, path), shown, refused)

    @Slot()
    def _say_what_is_read(self) -> None:
        if self._opening is not None:
            self._context.status.set_reading(self._opening.name)

    @Slot()
    def cancel_opening(self) -> None:
        """Cancel the session that is being read; what is in view stays."""
        if self._opening is not None:
            self._end_opening()
            self._begin_as_ever()

    def _end_opening(self) -> None:
        self._opening = None
        self._soon.stop()
        self._context.status.set_reading("")
        self._context.run_control.set_waiting(False)

    def _begin_as_ever(self) -> None:
        """Begin a run if nothing is in view, because the session was to be the first thing."""
        if self._context.player.history is None and not self._context.training.busy:
            self._context.run_control.prepare()

    # -- what becomes of it ------------------------------------------------------------------

    def _on_read(self, path: Path, session: Session) -> None:
        from bpe_gui.ui.session.snapshot import restore

        if path != self._opening:
            return
        self._end_opening()
        self.replacing.emit()
        try:
            restore(self._context, session)
        except SessionError as error:
            self._show_problem(as_sentence(error))
            return
        self.replaced.emit()
        is_kept = self._is_kept(path)
        self._rename(_saved_before(session) if is_kept else path)
        if is_kept:
            with suppress(OSError):  # what is in view is written anew
                self.recovery_files.adopt(path)
        else:
            self.opened.emit(str(path))

    def _on_not_read(self, path: Path, problem: str) -> None:
        if path == self._opening:
            self._end_opening()
            self._begin_as_ever()
            if self._is_kept(path) and path.exists():
                self._on_damaged(path, problem)
            else:
                self._show_problem(problem)

    def _on_saved(self, path: Path, lacking: str) -> None:
        self._context.message_bar.withdraw(_SESSION)
        self._rename(path)
        self._context.status.note(f"{path.name} is saved.")
        self.saved.emit(str(path))
        self.autosave.note()

    def _on_not_saved(self, path: Path, problem: str) -> None:
        self._context.status.end_note()
        stays = f" {path.name} stays as it was saved before." if path == self.path else ""
        self._show_problem(f"{problem}{stays}")

    def _rename(self, path: Path | None) -> None:
        if path != self.path:
            self.path = path
            self.renamed.emit()

    def _show_problem(self, problem: str) -> None:
        self._context.message_bar.tell_problem(_SESSION, problem)

    # -- from one start to the next ------------------------------------------------------------

    def _is_kept(self, path: Path) -> bool:
        return path.parent == self.recovery_files.folder

    def _on_described(self, path: Path, text: str) -> None:
        if text:
            self._context.message_bar.offer(str(path), text, "Restore", refusal="Discard")
        else:
            with suppress(OSError):
                path.unlink()  # it is saved elsewhere

    def _on_damaged(self, path: Path, problem: str) -> None:
        """Say why a recovery file cannot be opened, and rename it: it is not offered again."""
        damaged = path.with_suffix(_DAMAGED)
        try:
            path.replace(damaged)
            where = f"It is kept as {damaged}."
        except OSError:
            where = f"It is still in {path}."
        self._context.message_bar.show_lasting(
            f"The unsaved work cannot be opened: {problem} {where}"
        )

    @Slot(str)
    def _on_accepted(self, about: str) -> None:
        if self._is_kept(Path(about)):
            self.open_session(about)

    @Slot(str)
    def _on_dismissed(self, about: str) -> None:
        if self._is_kept(Path(about)) and not QFile(about).moveToTrash():
            with suppress(OSError):  # it is offered again at the next start
                Path(about).unlink()

    def close(self) -> None:
        """End the thread when everything is written; saved work is not offered again."""
        self._opening = None  # what is read this late is not wanted any more
        self.autosave.finish()
        self.files.finish()
        own = self.recovery_files.path
        if self.path is not None and equal(self.path, own):
            own.unlink()
        self.recovery_files.close()


def _saved_before(session: Session) -> Path | None:
    """Return the file in which a recovered session was saved, to be saved there again."""
    path = Path(session.saved_as) if session.saved_as is not None else None
    return path if path is not None and path.name.endswith(ENDING) else None
