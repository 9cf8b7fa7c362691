"""The state of a window, written every few seconds while something changes."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

from bpe_gui.sessions import NamedLane, RunLane, Session, SessionError
from bpe_gui.sessions.partial_save import save_what_fits
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.session.autosave_folder import AutosaveFolder
from bpe_gui.ui.session.session_files import SessionFiles, cannot_be_written
from bpe_gui.ui.widgets.sentences import as_sentence

_ABOUT = "autosave"
"""What messages are about that tell that it fails."""
EVERY = 3_000
"""Milliseconds between a change and the next writing: so much may be lost, and a little more."""


def is_worth_keeping(session: Session) -> bool:
    """Whether somebody has done something that a new window would not show by itself."""
    lanes = session.lanes or ()
    return any(len(branch.history) for branch in session.branches) or any(
        isinstance(lane, RunLane | NamedLane) for lane in lanes
    )


class Autosave(QObject):
    """Watches a window, and has its state written by the thread of the files.

    The window's thread takes down what there is, in a millisecond or two; nothing of a run is
    copied.
    """

    def __init__(
        self,
        context: Context,
        files: SessionFiles,
        states: AutosaveFolder,
        state: Callable[[], Session | None],
    ) -> None:
        """`state` gives what is to be written now, or None."""
        super().__init__(context.window)
        self._messages = context.message_bar
        self._session = state
        self._files = files
        self._states = states
        self._writing: Session | None = None
        self._has_failed = False
        self._ends = False
        self._last: Session | None = None
        self.wanted = True
        """Whether anything is written: nobody comes back to a window that nobody uses."""
        self.changed = False
        """Whether something has changed since the state was written last."""
        self._timer = QTimer(self, singleShot=True, interval=EVERY)
        self._timer.timeout.connect(self.save)
        player, branches = context.player, context.branches
        for signal in (
            player.moved,
            player.loaded,
            player.bookmarksChanged,
            player.speedChanged,
            branches.changed,
            context.training.progressed,
            context.training.changed,
            context.controls.changed,
            context.sample_text.changed,
            context.actions.guess.toggled,
            context.explore.guess.answered,
            context.laboratory_controller.runs.compared,
            context.compare.source.changed,
            context.compare.comparison.lanesChanged,
            context.workspaces.changed,
            context.theme_choice.actions.triggered,
        ):
            signal.connect(self.note)

    def begin(self) -> None:
        """Say so now if nothing can be written."""
        if self._states.path is None:
            self._tell_loss(f"{self._states.problem}; save the session elsewhere")

    @Slot()
    def save(self) -> None:
        """Write the state as it is now, if it is worth it and nothing is being written."""
        if self._writing is not None:
            self._timer.start()
            return
        session = self._session()
        if session is not None and self._states.path is not None and self.wanted:
            try:
                self._states.ensure_lock()
            except OSError as error:
                self._tell_loss(cannot_be_written(self._states.folder, error))
                return
            self.changed = False
            self._writing = session
            self._files.write(session, self._states.path, self._on_written, self._on_not_written)

    def take_down(self) -> None:
        """Take down the state as it is last, while all is there; `close` writes it."""
        self._ends = True
        self._timer.stop()
        self._last = self._session()

    def close(self) -> None:
        """Write what has changed since, here and now. For when the thread has ended."""
        session = self._last if self.changed and self.wanted else None
        if session is None or self._states.path is None:
            return
        # There is no window any more that could say it.
        try:
            lacking = save_what_fits(self._states.path, session)
        except (OSError, SessionError) as error:
            reason = as_sentence(error)
            print(f"bpe-gui: the last state cannot be kept: {reason}", file=sys.stderr)
        else:
            if lacking:
                print(f"bpe-gui: not all of the last state is kept: {lacking}.", file=sys.stderr)

    @Slot()
    def note(self) -> None:
        """Have the state written soon: something has changed."""
        self.changed = True
        if not (self._ends or self._timer.isActive() or self._states.path is None):
            self._timer.start()

    def _on_written(self, lacking: str) -> None:
        self._writing = None
        if lacking:
            self._tell(f"Not all that you do is kept for the next start: {lacking}.")
        elif self._has_failed:
            self._has_failed = False
            self._messages.withdraw(_ABOUT)

    def _on_not_written(self, reason: str) -> None:
        self._writing = None
        self.changed = True
        self._tell_loss(reason)

    def _tell_loss(self, reason: str) -> None:
        self._tell(f"What you do is not kept for the next start: {reason}. The program goes on.")

    def _tell(self, problem: str) -> None:
        """Say it once, until all can be kept again."""
        if not self._has_failed:
            self._has_failed = True
            self._messages.tell_problem(_ABOUT, problem)
