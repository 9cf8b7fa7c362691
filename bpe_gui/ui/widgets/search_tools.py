"""What is above a table: a field in which its rows are searched, and a menu of filters."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton, QWidget

from bpe_gui.ui.theme.text_size import FontFollower, RoomFollower
from bpe_gui.ui.widgets.naming import mark, named
from bpe_gui.ui.widgets.presenting import Presentable

_FILTER = "Filter"
"""What is on the button of a menu of choices."""


class SearchField(Presentable, QLineEdit):
    """A line of text: Escape and a button clear it, Down leaves it for the rows below."""

    downPressed = Signal()
    """The user pressed Down."""

    def __init__(self, name: str, spoken: str, placeholder: str, tip: str, parent: QWidget) -> None:
        """`name` is the object name, `spoken` what screen readers call it."""
        super().__init__(parent)
        named(self, name, spoken, tip).setPlaceholderText(placeholder)
        self.setClearButtonEnabled(True)
        clear = self.findChild(QAction, "_q_qlineeditclearaction")
        if isinstance(clear, QAction):
            clear.setText("Clear")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.downPressed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class SearchRow(QHBoxLayout):
    """A search above the table of a panel, and a tool beside it.

    On the stage both are hidden, unless the result of a search is shown; a panel that is too narrow
    for both hides the tool.
    """

    def __init__(self, search: SearchField, beside: QWidget, panel: QWidget) -> None:
        super().__init__()
        self._search, self._beside, self._panel = search, beside, panel
        self.setContentsMargins(8, 8, 8, 6)
        self.setSpacing(6)
        self.addWidget(search, 1)
        self.addWidget(beside)
        RoomFollower(panel, self._leave_out)

    def _leave_out(self) -> None:
        seen = not self._search.presents or bool(self._search.text())
        # A box that is asked before all fonts have changed keeps the hint of that moment.
        narrow = self._search.presents and self._needed() > self._panel.width()
        self._search.setVisible(seen)
        self._beside.setVisible(seen and not narrow)

    def _needed(self) -> int:
        return sum(tool.sizeHint().width() for tool in (self._search, self._beside))


class ChoiceMenu(QToolButton):
    """Opens a menu whose entries are turned on and off, and tells how many are on.

    The names of the entries are those by which sessions know them.
    """

    changed = Signal()
    """Other entries are chosen now."""

    def __init__(self, title: str, parent: QWidget) -> None:
        """`title` is what the menu is called elsewhere."""
        super().__init__(parent)
        self._entries: dict[str, QAction] = {}
        self.chosen: tuple[str, ...] = ()
        """The names of the entries that are on, in the order of the menu."""
        self._setting = False
        menu = QMenu(title, self, toolTipsVisible=True)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        # A click takes the keyboard from the search, in which Space would be typed.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._nothing = QAction("Choose no&thing", menu, enabled=False)
        self._nothing.triggered.connect(self.clear)
        FontFollower(self, self._fit)

    def add(self, name: str, text: str, tip: str, object_name: str) -> QAction:
        return self._add(self.menu(), name, text, tip, object_name)

    def add_one_of(self, title: str, entries: Collection[tuple[str, str, str, str]]) -> None:
        """Add a menu within the menu, of whose entries at most one is on.

        An entry is what `add` takes.
        """
        within = self.menu().addMenu(title)
        within.setToolTipsVisible(True)
        group = QActionGroup(self)
        group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        for entry in entries:
            group.addAction(self._add(within, *entry))

    def offer(self, names: Collection[str], among: Collection[str]) -> None:
        """Show only these entries among some, and those that are on."""
        for name in among:
            action = self._entries[name]
            action.setVisible(name in names or action.isChecked())

    def add_clear(self, text: str, object_name: str) -> None:
        """Add the entry that turns all others off."""
        self._nothing.setText(text)
        self._nothing.setObjectName(object_name)
        self.menu().addSeparator()
        self.menu().addAction(self._nothing)

    def _add(self, menu: QMenu, name: str, text: str, tip: str, object_name: str) -> QAction:
        action = QAction(text, menu, checkable=True, toolTip=tip, statusTip=tip)
        action.setObjectName(object_name)
        action.toggled.connect(self._take)
        menu.addAction(action)
        self._entries[name] = action
        return action

    def set_chosen(self, names: Collection[str]) -> None:
        """Turn these entries on and all others off; unknown names are ignored."""
        self._setting = True
        for name, action in self._entries.items():
            action.setChecked(name in names)
        self._setting = False
        self._take()

    @Slot()
    def clear(self) -> None:
        """Turn all entries off."""
        self.set_chosen(())

    @Slot()
    def _take(self) -> None:
        if self._setting:
            return
        chosen = tuple(name for name, action in self._entries.items() if action.isChecked())
        if chosen != self.chosen:
            self.chosen = chosen
            self._nothing.setEnabled(bool(chosen))
            self._fit()
            self.changed.emit()

    def _fit(self) -> None:
        """Show how many are on, in a width that stays the same."""
        number = len(self.chosen)
        mark(self, "chosen", bool(number))
        self.ensurePolished()
        self.setText(f"{_FILTER} 9")
        self.setFixedWidth(self.sizeHint().width())
        self.setText(f"{_FILTER} {number}" if number else _FILTER)
