"""The help while it is read: which page is shown, for which part of the window, and its links."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from bpe_gui.ui.actions.action_words import disabled_reason, keys_of
from bpe_gui.ui.actions.actions import Actions
from bpe_gui.ui.help.entries import Entry, plain
from bpe_gui.ui.help.help_dock import HelpDock
from bpe_gui.ui.help.help_place import HelpPlace
from bpe_gui.ui.help.navigation_targets import OTHER_PAGES, navigation_targets
from bpe_gui.ui.help.navigator import Navigator
from bpe_gui.ui.help.pages import (
    KEYBOARD,
    OVERVIEW,
    Page,
    Told,
    filled,
    list_of_keys,
    pages_with,
    read_pages,
)
from bpe_gui.ui.stage.keys import KEYS as STAGE_KEYS
from bpe_gui.ui.widgets.focus_ring import KeptFocus
from bpe_gui.ui.workspaces.workspaces import WorkspaceId, Workspaces

_OF_WORKSPACE = {
    WorkspaceId.EXPLORE: "explore",
    WorkspaceId.COMPARE: "compare",
    WorkspaceId.LABORATORY: "laboratory",
}
_ELSEWHERE = "In panels and lists"


class Manual(QObject):
    """Shows pages in the help dock; F1 shows the one about what has the keyboard."""

    refused = Signal(str)
    """A link asked for what is not possible now; one sentence for the user."""

    def __init__(
        self,
        dock: HelpDock,
        going: Navigator,
        window: QMainWindow,
        workspaces: Workspaces,
        actions: Actions,
        entries: Callable[[], Sequence[Entry]],
    ) -> None:
        super().__init__(window)
        self._dock = dock
        self._place = HelpPlace(dock, window)
        self._going = going
        self._window = window
        self._workspaces = workspaces
        self._entries = entries
        self._pages: dict[str, Page] = {}
        self._spots = {spot.name: spot for spot in navigation_targets()}
        self._about = {spot.name: spot.page for spot in navigation_targets()} | OTHER_PAGES
        self._read: list[str] = []
        self._before = KeptFocus()
        actions.help.triggered.connect(self.show_about_focus)
        actions.help_keys.triggered.connect(self.show_keys)
        dock.linkChosen.connect(self._follow)
        dock.searched.connect(self._search)
        dock.backWanted.connect(self.go_back)
        dock.closed.connect(self.close)

    @property
    def pages(self) -> dict[str, Page]:
        """All pages by name, read when they are first asked for."""
        if not self._pages:
            self._pages = read_pages()
        return self._pages

    @property
    def shown(self) -> str:
        """The name of the page that is shown; empty before the first."""
        return self._read[-1] if self._read else ""

    # -- opening and closing --------------------------------------------------------------------

    @Slot()
    def show_about_focus(self) -> None:
        """Show the page about the panel that has the keyboard, and give it the keyboard."""
        self.open(self.page_about(QApplication.focusWidget()))

    @Slot()
    def show_keys(self) -> None:
        """Show all keys."""
        self.open(KEYBOARD)

    def open(self, name: str) -> None:
        """Show a page and let it be read by keyboard."""
        focus = QApplication.focusWidget()
        if focus is not None and not self._dock.isAncestorOf(focus):
            self._before.keep(focus)
        if not self._dock.isVisible():
            self._place.show()
        self._dock.raise_()
        self.show_page(name)
        self._dock.browser.setFocus()

    @Slot()
    def close(self) -> None:
        """Put the help away; the keyboard goes back to where it was."""
        self._place.hide()
        self._before.give_back()

    def page_about(self, widget: QWidget | None) -> str:
        """The name of the page about a widget: that of the innermost part that has one."""
        if widget is None or self._dock.isAncestorOf(widget):
            return OVERVIEW
        part: QWidget | None = widget
        while part is not None:
            page = self._about.get(part.objectName())
            if page is not None:
                return page
            part = part.parentWidget()
        return _OF_WORKSPACE[self._workspaces.shown]

    # -- reading ----------------------------------------------------------------------------------

    def show_page(self, name: str) -> None:
        """Show a page. Raises KeyError if there is none of that name."""
        text = self.written(name)
        if name != self.shown:
            self._read.append(name)
        self._dock.field.clear()
        self._show(text)

    def written(self, name: str) -> str:
        """A page with everything filled in. Raises KeyError for what does not exist."""
        text = filled(self.pages[name].text, self._told)
        if name == KEYBOARD:
            return f"{text}\n{self._keys()}"
        places = [
            f"[Show “{spot.title}”](show:{spot.name})"
            for spot in navigation_targets()
            if spot.page == name
        ]
        return "\n".join([text, *places])

    def pages_with(self, words: str) -> list[Page]:
        """The pages that hold all of these words."""
        return pages_with(words, self.pages.values(), self._filled)

    @Slot()
    def go_back(self) -> None:
        """Show the page that was read before this one, if there is one."""
        if len(self._read) > 1:
            del self._read[-1]
            self.show_page(self.shown)
            self._dock.browser.setFocus()

    @Slot(str)
    def _search(self, words: str) -> None:
        if not words.strip():
            self._show(self.written(self.shown or OVERVIEW))
            return
        found = self.pages_with(words)
        lines = [f"- [{page.title}](page:{page.name})" for page in found]
        heading = f"# Pages with “{words.strip()}”" if found else "# No page holds all these words"
        self._show("\n".join([heading, "", *lines]))

    def _show(self, text: str) -> None:
        self._dock.browser.show_markdown(text)
        self._dock.back.setEnabled(len(self._read) > 1)

    @Slot(QUrl)
    def _follow(self, link: QUrl) -> None:
        """Show another page, do what is spoken of, or go there."""
        name = link.path()
        if link.scheme() == "page":
            self.show_page(name)
        elif link.scheme() == "show":
            self._going.go(self._spots[name])
        else:
            action = self._action(name)
            if action.isEnabled():
                action.trigger()
            else:
                self.refused.emit(f"Not now: {disabled_reason(action)}")

    # -- what is filled in ----------------------------------------------------------------------

    def _filled(self, text: str) -> str:
        return filled(text, self._told)

    def _told(self, name: str) -> Told:
        action = self._action(name)
        return Told(plain(action.text()).removesuffix("…"), keys_of(action))

    def _action(self, name: str) -> QAction:
        action = self._window.findChild(QAction, f"{name}Action")
        if not isinstance(action, QAction):
            raise KeyError(f"the help speaks of an action {name} that does not exist")
        return action

    def _keys(self) -> str:
        """All keys, by the menu or the panel where they work."""
        groups: dict[str, list[Told]] = {}
        for entry in self._entries():
            told = Told(entry.wording.text.removesuffix("…"), entry.wording.keys)
            groups.setdefault(entry.wording.place or _ELSEWHERE, []).append(told)
        groups["On the stage"] = [Told(what, keys) for keys, what in STAGE_KEYS]
        return list_of_keys(groups)
