"""The state of a window, written every few seconds while something changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from bpe_gui.ui.context.context import Context
from bpe_gui.ui.run.background import BackgroundTask, Job
from bpe_gui.ui.session.session_files import RecoveryFiles, cannot_be_written, write
from bpe_gui.ui.widgets.sentences import as_reason

if TYPE_CHECKING:
    from bpe_gui.sessions import Session

_ABOUT = "autosave"
"""What messages are about that tell that it fails."""
EVERY = 3_000
"""Milliseconds between a change and the next writing: so much may be lost, and a little more."""


def is_worth_keeping(session: Session) -> bool:
    """Tell whether a session has something that a new window would not show by itself."""
    from bpe_gui.sessions import NamedLane, RunLane

    lanes = session.lanes or ()
    return any(len(branch.history) for branch in session.branches) or any(
        isinstance(lane, RunLane | NamedLane) for lane in lanes
    )


class Autosave(QObject):
    """Watches a window, and has its state written on the thread of the files.

    The state is captured on the window's thread, in a millisecond or two; nothing of a run is
    copied.
    """

    def __init__(
        self,
        context: Context,
        files: BackgroundTask,
        states: RecoveryFiles,
        state: Callable[[], Session | None],
    ) -> None:
        """`state` gives what is to be written now, or None."""
        super().__init__(context.window)
        self._messages = context.message_bar
        self._session = state
        self._files = files
        self._states = states
        self.writing: Session | None = None
        self._job: Job | None = None
        self._has_failed = False
        self._ends = False
        self._last: Session | None = None
        self.wanted = True
        """Whether anything is written: nobody comes back to a window that nobody uses."""
        self.changed = False
        """Whether something has changed since the state was written last."""
        self.timer = QTimer(self, singleShot=True, interval=EVERY)
        self.timer.timeout.connect(self.save)
        player, branches = context.player, context.branches
        for signal in (
            player.moved, player.loaded, player.bookmarksChanged, player.speedChanged,
            branches.changed, context.training.progressed, context.training.changed,
            context.controls.changed, context.sample_text.changed,
            context.actions.guess.toggled, context.explore.guess.answered,
            context.laboratory.runs.compared, context.workspaces.changed,
            context.theme_choice.changed,
        ):  # fmt: skip
            signal.connect(self.note)
        self._context = context
        context.compare_controller.made.connect(self._follow_compare)

    @Slot()
    def _follow_compare(self) -> None:
        compare = self._context.compare
        for signal in (compare.source.changed, compare.comparison.lanesChanged):
            signal.connect(self.note)

    def is_possible(self) -> bool:
        """Lock the recovery file; tells whether that works, and shows a problem if not."""
        try:
            self._states.ensure_lock()
        except OSError as error:
            self._on_not_written(cannot_be_written(self._states.folder, error))
            return False
        return True

    @Slot()
    def save(self) -> None:
        """Write the state as it is now, if it is worth it and nothing is being written."""
        if self.writing is None:
            self._write(self._session())
        else:
            self.timer.start()

    def _write(self, session: Session | None) -> None:
        if session is not None and self.wanted and self.is_possible():
            self.changed = False
            self.writing = session
            work = partial(write, session, self._states.path)
            self._job = self._files.ask_too(work, self._on_written, self._on_not_written)

    def take_down(self) -> None:
        """Capture the last state while all of it is there: the window closes."""
        self._ends = True
        self.timer.stop()
        if self.changed and self.wanted:
            self._last = self._session()

    def finish(self) -> None:
        """Have the last state written: the run has ended, with the merges that came meanwhile.

        An earlier state that is being written is given up for it.
        """
        if self._last is not None and self._job is not None:
            self._job.cancel()
        self._write(self._last)

    @Slot()
    def note(self) -> None:
        """Have the state written soon: something has changed."""
        self.changed = True
        if not (self._ends or self.timer.isActive()):
            self.timer.start()

    def _on_written(self, lacking: str) -> None:
        self.writing = None
        if lacking:
            self._show_problem(f"Some of your work is not autosaved: {lacking}.")
        elif self._has_failed:
            self._has_failed = False
            self._messages.withdraw(_ABOUT)

    def _on_not_written(self, problem: str) -> None:
        self.writing = None
        self.changed = True
        self._show_problem(f"Your work is not autosaved: {as_reason(problem)}.")

    def _show_problem(self, problem: str) -> None:
        """Show a problem once, until everything can be saved again."""
        if self._ends:  # there is no window any more that could say it
            print(f"bpe-gui: {problem}", file=sys.stderr)
        elif not self._has_failed:
            self._has_failed = True
            self._messages.tell_problem(_ABOUT, problem)
