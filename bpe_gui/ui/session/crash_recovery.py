"""What windows have left behind: offered at the start, and in a menu for a while after that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from bpe_gui.ui.compare.file_measuring import size_text
from bpe_gui.ui.context.context import Context
from bpe_gui.ui.session.autosave_folder import AutosaveFolder
from bpe_gui.ui.session.session_files import Left, Looked, SessionFiles
from bpe_gui.ui.settings.recent_files import numbered

_LAST = "last state"
"""What the message is about that offers one."""
_STAYS = "It stays for a while under File, Kept by itself."
_MENU = "What was kept by itself when a window closed, or when another session took its place"


def moment_text(moment: datetime, now: datetime) -> str:
    """When something was, as people say it.

    >>> now = datetime(2026, 3, 1, 9)
    >>> moment_text(datetime(2026, 3, 1, 8, 5), now), moment_text(datetime(2026, 2, 28, 23), now)
    ('today at 08:05', 'yesterday at 23:00')
    >>> moment_text(datetime(2026, 2, 27, 23), now)
    'on 27 February 2026 at 23:00'
    """
    days = (now.date() - moment.date()).days
    day = {0: "today", 1: "yesterday"}.get(days)
    return f"{day or f'on {moment.day} {moment:%B %Y}'} at {moment:%H:%M}"


def offer_text(left: Left, now: datetime) -> str:
    """What a window has left, when, how large it is, and whether it was saved."""
    when = moment_text(datetime.fromtimestamp(left.moment), now)
    saved_as = left.summary.saved_as
    saved = f"with changes that {Path(saved_as).name} lacks" if saved_as else "not saved"
    return (
        f"When the program ended, {when}, {left.summary} was open: {size_text(left.size)}, {saved}."
    )


class RecoveryMenu(QMenu):
    """Lists the states that are kept, the newest first."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("&Kept by itself", parent)
        self.setObjectName("keptStatesMenu")
        self.menuAction().setStatusTip(_MENU)
        self.setToolTipsVisible(True)
        self.show_states([])

    def show_states(self, states: Sequence[Left]) -> None:
        """List these."""
        for action in self.actions():
            self.removeAction(action)
            action.deleteLater()
        now = datetime.now()
        for number, left in enumerate(states, 1):
            when = moment_text(datetime.fromtimestamp(left.moment), now)
            action = self.addAction(numbered(number, f"{left.summary} — {when}"))
            action.setObjectName(f"keptState{number}Action")
            action.setData(str(left.path))
            action.setStatusTip(f"Open it again; what is here now is kept. {size_text(left.size)}")
        if not states:
            self.addAction("None so far").setEnabled(False)


class CrashRecovery(QObject):
    """Offers the newest state that was left, and lists all others in the menu."""

    def __init__(
        self,
        context: Context,
        states: AutosaveFolder,
        files: SessionFiles,
        menu: RecoveryMenu,
        open_: Callable[[Path], object],
        refuse: Callable[[str], object],
    ) -> None:
        """`open_` gets a state that no other window opens, `refuse` a sentence for the user."""
        super().__init__(menu)
        self._open, self._refuse = open_, refuse
        self._status = context.status
        self._states = states
        self._files = files
        self._bar = bar = context.message_bar
        self._menu = menu
        self._new = states.abandoned()
        """Of windows that ended before this one began, as long as nobody has seen to them."""
        self._offered: Path | None = None
        bar.accepted.connect(self._on_accepted)
        bar.dismissed.connect(self._on_dismissed)
        menu.triggered.connect(self._on_wanted)
        self.look()

    @Slot()
    def look(self) -> None:
        """See what there is, for the menu; at first, to offer it as well."""
        paths = [*self._states.abandoned(), *self._states.claimed()]
        self._files.look_at(paths, self._on_looked)

    def make_way(self) -> None:
        """Offer no longer what was offered and not wanted: something newer is left."""
        if self._offered is not None:
            self._put_aside(self._offered)

    def _on_looked(self, looked: Looked) -> None:
        for path, problem in looked.damaged:
            self._put_damaged_aside(path, problem)
        unsaved = [left for left in looked.found if not left.is_saved]
        self._menu.show_states(unsaved)
        new, self._new = self._new, []
        if not new:
            return
        newest = next((left for left in unsaved if left.path in new), None)
        if newest is not None:
            new.remove(newest.path)
            self._offered = newest.path
            self._bar.offer(_LAST, offer_text(newest, datetime.now()), "Open it")
        for path in new:
            self._put_aside(path)
        self.look()

    def _put_damaged_aside(self, path: Path, problem: str) -> None:
        """Say once that there was something, and that it is lost."""
        if path not in self._new:
            return
        self._new.remove(path)
        with suppress(OSError):
            aside = self._states.claim(path)
            self._refuse(
                f"What the program kept by itself when it ended cannot be opened: {problem}. It is "
                f"put aside as {aside}."
            )

    @Slot(QAction)
    def _on_wanted(self, action: QAction) -> None:
        path = Path(action.data())
        if path == self._offered:
            self._bar.withdraw(_LAST)
        self._claim(path)

    @Slot(str)
    def _on_accepted(self, about: str) -> None:
        if about == _LAST and self._offered is not None:
            self._claim(self._offered)

    def _claim(self, path: Path) -> None:
        try:
            self._open(self._states.claim(path))
        except FileNotFoundError:
            self._refuse("Another window has opened it meanwhile.")
        except OSError as error:
            reason = error.strerror or str(error)
            self._refuse(f"{path} cannot be put aside: {reason}; open that file as a session.")
        self.look()

    @Slot(str)
    def _on_dismissed(self, about: str) -> None:
        """What is not wanted is not offered again; for a while it is kept aside."""
        if about == _LAST and self._offered is not None:
            self._put_aside(self._offered)
            self._status.note(_STAYS)
            self.look()

    def _put_aside(self, state: Path) -> None:
        """Offer a state no more; one that another window has opened is its own."""
        with suppress(OSError):
            self._states.claim(state)
