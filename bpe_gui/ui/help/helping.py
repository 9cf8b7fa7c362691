"""Show the help and the command palette, connect their actions, and go to parts of the window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QComboBox, QTabWidget, QWidget

from bpe_gui.ui.actions.action_words import disabled_reason, keys_of, set_keywords
from bpe_gui.ui.context.context import Context, all_parts, reveal
from bpe_gui.ui.help import pages
from bpe_gui.ui.help.action_search import ActionSearch
from bpe_gui.ui.help.entries import Entry, entries_of, of_page, plain
from bpe_gui.ui.help.help_dock import HelpDock, PageOverDialog
from bpe_gui.ui.help.pages import KEYBOARD, OVERVIEW, Page, Told
from bpe_gui.ui.stage.keys import KEYS as STAGE_KEYS
from bpe_gui.ui.theme.text_size import application
from bpe_gui.ui.widgets.keyboard import KeptFocus, in_order
from bpe_gui.ui.workspaces.panel_spec import PanelSpec, PartSpec
from bpe_gui.ui.workspaces.workspaces import WorkspaceId


def navigation_targets() -> list[PanelSpec | PartSpec]:
    """Return the parts that one can go to by name."""
    return [spec for spec in all_parts() if spec.help_page]


class Navigator(QObject):
    """Has an action for every part of the window, which shows it and gives it the keyboard."""

    went = Signal()
    """The keyboard is where one wanted to go."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.window)
        self._context = context
        self._group = QActionGroup(self)
        self._group.setExclusive(False)
        for spot in navigation_targets():
            action = self._group.addAction(spot.title)
            action.setObjectName(f"show{spot.widget[0].upper()}{spot.widget[1:]}Action")
            action.setData(spot)
            action.setStatusTip("Show it, and give it the keyboard")
            set_keywords(action, f"show panel {spot.keywords}")
        # The order is that of the panels in menus, and that of the keys on a keyboard, which are
        # few: a further panel has none.
        of_explore = [action for action in self.actions if isinstance(action.data(), PanelSpec)]
        for key, action in zip("1234567890-", of_explore, strict=False):
            action.setShortcut(f"Alt+{key}")
        context.window.addActions(of_explore)
        self._group.triggered.connect(self._on_action)

    @property
    def actions(self) -> list[QAction]:
        """Return an action for every target, in their order."""
        return self._group.actions()

    def go(self, spot: PanelSpec | PartSpec) -> None:
        """Bring a part of the window into view and give it the keyboard."""
        if spot.workspace is not None:
            self._context.workspaces.show_place(spot.workspace)
        # The laboratory is made when it is first seen, so its parts are looked for now.
        widget = self._context.window.findChild(QWidget, spot.widget)
        if widget is None:
            return
        reveal(widget)
        if isinstance(spot, PanelSpec):  # a panel behind others is made when it is first seen
            self._context.explore.in_dock(spot)
        if spot.workspace is WorkspaceId.COMPARE and not widget.isVisible():
            actions = self._context.actions
            for alone in (actions.lanes_alone, actions.numbers_alone):
                alone.setChecked(False)
        if not focus_within(widget):
            focus_tabs_of(widget)
        self.went.emit()

    @Slot(QAction)
    def _on_action(self, action: QAction) -> None:
        self._context.when_loaded(partial(self.go, action.data()))


def focus_tabs_of(widget: QWidget) -> None:
    """Give the keyboard to the tabs that lead to a widget."""
    outer = widget.parentWidget()
    while outer is not None and not isinstance(outer, QTabWidget):
        outer = outer.parentWidget()
    if outer is not None:
        outer.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)


def focus_within(widget: QWidget) -> bool:
    """Give the keyboard to a widget, or to the first within it that takes it, if one does."""
    for candidate in in_order(widget):
        wants = candidate.focusPolicy() & Qt.FocusPolicy.TabFocus
        if wants and candidate.isVisible() and candidate.isEnabled():
            candidate.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
    return False


OTHER_PAGES = {
    "guessPanel": "guess",
    "tourPanel": "tour",
    "tourDock": "tour",
    "workspaceTabs": "overview",
}
"""Pages about widgets that one does not go to by name, but in another way."""

PAGES_OF_DIALOGS = {
    "exportDialog": "export",
    "animationDialog": "export",
    "saveDialog": "saving",
    "whichFormat": "saving",
    "rankFileDialog": "compare",
    "actionSearch": "search",
}
"""Pages about dialogs, by the object names of these."""
_DIALOG_SHORTCUT = "dialogHelp"
_ELSEWHERE = "In panels and lists"


class Helping(QObject):
    """Shows pages in the help dock; F1 shows the one about what has the keyboard.

    In a dialog, where the dock is out of reach, F1 shows the page over the dialog.
    """

    def __init__(self, context: Context, dock: HelpDock, boxes: Sequence[QComboBox]) -> None:
        """`boxes` are choices that the command palette offers too."""
        super().__init__(context.window)
        self._context = context
        self._window = window = context.window
        self._dock = dock
        self._boxes = boxes
        self.navigator = Navigator(context)
        self.search = ActionSearch(self._findable, self._entries_with, window)
        self._targets = {target.widget: target for target in navigation_targets()}
        self._about = {name: t.help_page for name, t in self._targets.items()} | OTHER_PAGES
        self._read: list[str] = []
        self._before = KeptFocus()
        actions = context.actions
        # Both list what is in Compare, too.
        actions.search_actions.triggered.connect(lambda: context.when_loaded(self.search.open_list))
        actions.help_keys.triggered.connect(lambda: context.when_loaded(self.show_keys))
        actions.help.triggered.connect(self.show_about_focus)
        dock.browser.anchorClicked.connect(self._follow)
        dock.field.textChanged.connect(self._search)
        dock.back.clicked.connect(self.go_back)
        dock.close_button.clicked.connect(self.close)
        application().focusChanged.connect(self._on_focus)

    # -- the list of actions -----------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """List everything that can be done, as it is now."""
        # Some of it is in Compare, which need not have been made yet.
        self._context.compare  # noqa: B018
        return entries_of(self._window, self._window.menuBar(), self.navigator.actions, self._boxes)

    def _findable(self) -> list[Entry]:
        return [*self.entries(), *(of_page(page, self.open) for page in self.pages.values())]

    def _entries_with(self, words: str) -> list[Entry]:
        return [of_page(page, self.open) for page in self._pages_with(words)]

    @cached_property
    def pages(self) -> dict[str, Page]:
        """All pages by name, read when they are first asked for."""
        return pages.read_pages()

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
        self.open(KEYBOARD)

    def open(self, name: str) -> None:
        """Show a page, and give it the keyboard."""
        focus = QApplication.focusWidget()
        if focus is not None and not self._dock.isAncestorOf(focus):
            self._before.keep(focus)
        if not self._dock.isVisible():
            self._dock.open()
        self._dock.raise_()
        self.show_page(name)
        self._dock.browser.setFocus()

    @Slot()
    def close(self) -> None:
        """Close the help, and give the keyboard back."""
        self._dock.put_away()
        self._before.give_back()

    def page_about(self, widget: QWidget | None) -> str:
        """Return the name of the page about a widget, or about the innermost part with one."""
        if widget is None or self._dock.isAncestorOf(widget):
            return OVERVIEW
        part: QWidget | None = widget
        while part is not None:
            page = self._about.get(part.objectName())
            if page is not None:
                return page
            part = part.parentWidget()
        return self._context.workspaces.shown.name.lower()

    # -- in dialogs -------------------------------------------------------------------------------

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        dialog = now.window() if now is not None else None
        # Qt moves the focus even within a dialog that it deletes. Such a dialog is hidden, and
        # PySide must not look for its children, of which some are gone.
        if dialog is None or not dialog.isVisible():
            return
        if dialog.objectName() not in PAGES_OF_DIALOGS:
            return
        if dialog.findChild(QShortcut, _DIALOG_SHORTCUT) is None:
            key = QShortcut(QKeySequence(QKeySequence.StandardKey.HelpContents), dialog)
            key.setObjectName(_DIALOG_SHORTCUT)
            key.activated.connect(self._show_over_dialog)

    @Slot()
    def _show_over_dialog(self) -> None:
        dialog = QApplication.activeWindow()
        if dialog is not None and dialog.objectName() in PAGES_OF_DIALOGS:
            page = PageOverDialog(self.written(PAGES_OF_DIALOGS[dialog.objectName()]), dialog)
            page.open()

    # -- reading ----------------------------------------------------------------------------------

    def show_page(self, name: str) -> None:
        """Show a page. Raises KeyError if there is none of that name."""
        text = self.written(name)
        if name != self.shown:
            self._read.append(name)
        self._dock.field.clear()
        self._show(text)

    def written(self, name: str) -> str:
        """Return a page with everything filled in. Raises KeyError for what does not exist."""
        text = pages.filled(self.pages[name].text, self._told)
        if name == KEYBOARD:
            return f"{text}\n{self._keys()}"
        places = [
            f"[Show “{target.title}”](show:{target.widget})"
            for target in self._targets.values()
            if target.help_page == name
        ]
        return "\n".join([text, *places])

    def _pages_with(self, words: str) -> list[Page]:
        fill = partial(pages.filled, told_of=self._told)
        return pages.pages_with(words, self.pages.values(), fill)

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
        found = self._pages_with(words)
        lines = [f"- [{page.title}](page:{page.name})" for page in found]
        heading = f"# Pages with “{words.strip()}”" if found else "# No page holds all these words"
        self._show("\n".join([heading, "", *lines]))

    def _show(self, text: str) -> None:
        self._dock.browser.show_markdown(text)
        self._dock.back.setEnabled(len(self._read) > 1)

    @Slot(QUrl)
    def _follow(self, link: QUrl) -> None:
        name = link.path()
        if link.scheme() == "page":
            self.show_page(name)
        elif link.scheme() == "show":
            self.navigator.go(self._targets[name])
        else:
            action = self._action(name)
            if action.isEnabled():
                action.trigger()
            else:
                self._context.status.note(f"Not now: {disabled_reason(action)}")

    # -- what is filled in ----------------------------------------------------------------------

    def _told(self, name: str) -> Told:
        action = self._action(name)
        return Told(plain(action.text()).removesuffix("…"), keys_of(action))

    def _action(self, name: str) -> QAction:
        action = self._window.findChild(QAction, f"{name}Action")
        if not isinstance(action, QAction):
            raise KeyError(f"the help speaks of an action {name} that does not exist")
        return action

    def _keys(self) -> str:
        groups: dict[str, list[Told]] = {}
        for entry in self.entries():
            told = Told(entry.wording.text.removesuffix("…"), entry.wording.keys)
            groups.setdefault(entry.wording.place or _ELSEWHERE, []).append(told)
        groups["On the stage"] = [Told(what, keys) for keys, what in STAGE_KEYS]
        return pages.list_of_keys(groups)
