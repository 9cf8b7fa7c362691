"""A button with a menu of things that can be chosen together."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget


class ChoiceMenu(QToolButton):
    """Opens a menu whose entries are turned on and off, and tells how many are on.

    The names of the entries are those by which sessions know them.
    """

    changed = Signal()
    """Other entries are chosen now."""

    def __init__(self, text: str, title: str, parent: QWidget) -> None:
        """`text` is on the button; `title` is what the menu is called elsewhere."""
        super().__init__(parent)
        self._text = text
        self._entries: dict[str, QAction] = {}
        self._chosen: tuple[str, ...] = ()
        self._setting = False
        menu = QMenu(title, self)
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._nothing = QAction("Choose no&thing", menu, enabled=False)
        self._nothing.triggered.connect(self.clear)
        self._fit()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the entries that are on, in the order of the menu."""
        return self._chosen

    def add(self, name: str, text: str, tip: str, object_name: str) -> QAction:
        """Add an entry."""
        return self._add(self.menu(), name, text, tip, object_name)

    def add_one_of(
        self, title: str, entries: Collection[tuple[str, str, str, str]]
    ) -> None:
        """Add a menu within the menu, of whose entries at most one is on.

        An entry is what `add` takes.
        """
        within = self.menu().addMenu(title)
        within.setToolTipsVisible(True)
        group = QActionGroup(self)
        group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        for entry in entries:
            group.addAction(self._add(within, *entry))

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
        if chosen != self._chosen:
            self._chosen = chosen
            self._nothing.setEnabled(bool(chosen))
            self._fit()
            self.changed.emit()

    def _fit(self) -> None:
        """Show how many are on, in a width that stays the same."""
        number = len(self._chosen)
        if bool(self.property("chosen")) != bool(number):
            self.setProperty("chosen", bool(number))
            self.style().unpolish(self)
            self.style().polish(self)
        self.ensurePolished()
        self.setText(f"{self._text} 9")
        self.setFixedWidth(self.sizeHint().width())
        self.setText(f"{self._text} {number}" if number else self._text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
