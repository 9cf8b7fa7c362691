"""The list of all that can be done (Ctrl+Shift+P): typed into, and run with Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.help.action_list import ActionList, ActionRow
from bpe_gui.ui.help.entries import Entry
from bpe_gui.ui.help.matching import fitting
from bpe_gui.ui.theme.theme import ThemeFollower
from bpe_gui.ui.widgets.focus_ring import KeptFocus

_WIDTH, _HEIGHT = 620, 460
_KEPT = 20
"""Actions that are remembered as used."""
_MOVES = frozenset(
    {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
)
_LONGEST = 100
"""Characters that can be searched for: each is compared with every word there is."""


class ActionSearch(QDialog):
    """Shows what fits the typed words; goes as soon as something is run or another is clicked.

    The widget that had the keyboard has it again when the action runs.
    """

    usedChanged = Signal()
    """Something else was used last; see `used`."""

    def __init__(
        self,
        entries: Callable[[], Sequence[Entry]],
        pages_with: Callable[[str], Sequence[Entry]],
        window: QWidget,
    ) -> None:
        """`entries` tells what can be done, asked each time that the list opens; `pages_with`
        which pages of the help hold words that nothing is called by."""
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("actionSearch")
        self.setWindowTitle("Command palette")
        self._window = window
        self._entries_now, self._pages_with = entries, pages_with
        self._entries: Sequence[Entry] = ()
        self._used: list[str] = []
        self._next: Entry | None = None
        self._before = KeptFocus()
        self._model = ActionList(self)
        self._rows = ActionRow(self._model, self)
        self.field = QLineEdit()
        self.list = QListView()
        self._note = QLabel()
        self._build()
        self.field.textChanged.connect(self._find)
        self.list.clicked.connect(self._on_clicked)
        self._run_later = QTimer(self, singleShot=True)
        self._run_later.timeout.connect(self._run)

    def _build(self) -> None:
        self.field.setObjectName("actionSearchField")
        self.field.setMaxLength(_LONGEST)
        self.field.setAccessibleName("Search all actions")
        self.field.setPlaceholderText("Type what you want to do")
        self.field.installEventFilter(self)
        self.list.setObjectName("actionSearchList")
        self.list.setAccessibleName("Actions found")
        self.list.setModel(self._model)
        self.list.setItemDelegate(self._rows)
        ThemeFollower(self.list, self._rows.take_colours)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._note.setObjectName("actionSearchNote")
        self._note.setProperty("quiet", True)
        self._note.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 8)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        column.addWidget(self._note)

    # -- what is remembered ---------------------------------------------------------------------

    @property
    def used(self) -> list[str]:
        """The names of what was used, the last first."""
        return list(self._used)

    def set_used(self, names: object) -> None:
        """Take up what was used before. Raises ValueError for what is no list of names."""
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("no list of names of actions")
        self._used = list(dict.fromkeys(names))[:_KEPT]

    # -- opening and closing --------------------------------------------------------------------

    @Slot()
    def open_list(self) -> None:
        """Show the list over the window that has the keyboard."""
        focus = QApplication.focusWidget()
        self._before.keep(focus)
        self._next = None
        self._rows.set_font(self.font())
        self._entries = self._entries_now()
        self.field.clear()
        self._find()
        over = focus.window() if focus is not None else self._window
        width, height = min(_WIDTH, over.width() - 40), min(_HEIGHT, over.height() - 80)
        self.resize(width, height)
        self.move(over.mapToGlobal(QPoint((over.width() - width) // 2, 40)))
        self.show()
        self.activateWindow()
        self.field.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """Go when another window gets the keyboard."""
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.reject()
        super().changeEvent(event)

    # -- finding ----------------------------------------------------------------------------------

    @Slot()
    def _find(self) -> None:
        names = {entry.name: entry for entry in self._entries}
        recent = [names[name] for name in self._used if name in names]
        typed = self.field.text()
        # Of what fits as well, first what can be done.
        entries = sorted(self._entries, key=_cannot_be_done) if typed.strip() else self._entries
        found = fitting(typed, [(entry, entry.wording) for entry in entries], recent)
        named = bool(found)
        if not named:
            found = list(self._pages_with(typed))
        self._model.show(found)
        self.list.setCurrentIndex(self._model.index(0))
        self._note.setText(_told(len(found), named))
        self._tell()

    def _tell(self) -> None:
        """Tell screen readers what Enter would do; the keyboard stays in the field."""
        row = self.list.currentIndex().row()
        self.field.setAccessibleDescription(
            self._model.entry(row).spoken if row >= 0 else self._note.text()
        )

    # -- keyboard and mouse ---------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the keys that move go to the list, while the field has the keyboard."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _MOVES:
                QApplication.sendEvent(self.list, event)
                self._tell()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentIndex())
                return True
        return super().eventFilter(watched, event)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        """Run what is chosen; what is not possible stays there, with its reason."""
        if not index.isValid():
            return
        entry = self._model.entry(index.row())
        if entry.hindrance:
            self._note.setText(f"Not now: {entry.hindrance}")
            return
        self._next = entry
        self.accept()
        self._before.give_back()
        self._run_later.start()

    @Slot()
    def _run(self) -> None:
        entry, self._next = self._next, None
        if entry is None:
            return
        self.set_used([entry.name, *self._used])
        self.usedChanged.emit()
        entry.run()


def _cannot_be_done(entry: Entry) -> bool:
    return bool(entry.hindrance)


def _told(count: int, named: bool) -> str:
    """What stands below the list. `named`: whether it is called so, or pages only hold it."""
    if not count:
        return (
            "Nothing is called that, and no page of the help speaks of it. "
            "Try one plain word, such as “save”, “larger” or “compare”."
        )
    if not named:
        speak = "pages of the help speak" if count > 1 else "page of the help speaks"
        return f"Nothing is called that, but {count:,} {speak} of it. Enter opens the first."
    return f"{count:,} found. Enter does it, Esc closes the list."
