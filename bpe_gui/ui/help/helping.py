"""Finding one's way: the list of all actions, and the help about what one looks at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QComboBox, QMainWindow

from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.help.action_search import ActionSearch
from bpe_gui.ui.help.dialog_help import DialogHelp
from bpe_gui.ui.help.entries import Entry, entries_of, of_page
from bpe_gui.ui.help.help_dock import HelpDock
from bpe_gui.ui.help.manual import Manual
from bpe_gui.ui.help.navigator import Navigator
from bpe_gui.ui.workspaces.workspaces import Workspaces


class Helping(QObject):
    """Makes the list of actions and the help, and connects their own actions."""

    def __init__(
        self,
        window: QMainWindow,
        workspaces: Workspaces,
        actions: Actions,
        dock: HelpDock,
        boxes: Sequence[QComboBox],
    ) -> None:
        """`dock` shows the help. `boxes` are choices that the list of actions offers too."""
        super().__init__(window)
        self._window = window
        self._boxes = boxes
        self._dock = dock
        self.navigator = Navigator(window, workspaces, actions)
        self.search = ActionSearch(self.findable, self.pages_with, window)
        self.manual = Manual(dock, self.navigator, window, workspaces, actions, self.entries)
        self.in_dialogs = DialogHelp(self.manual.written, self)
        actions.search_actions.triggered.connect(self.search.open_list)

    def entries(self) -> list[Entry]:
        """Everything that can be done, as it is now."""
        return entries_of(self._window, self._window.menuBar(), self.navigator.actions, self._boxes)

    def findable(self) -> list[Entry]:
        """Everything that can be done, and each page of the help."""
        pages = self.manual.pages.values()
        return [*self.entries(), *(of_page(page, self.manual.open) for page in pages)]

    def pages_with(self, words: str) -> list[Entry]:
        """The pages of the help that hold all of these words."""
        return [of_page(page, self.manual.open) for page in self.manual.pages_with(words)]
