"""The command palette (Ctrl+Shift+P): search all actions, and run one with Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.ui.help.entries import Entry
from bpe_gui.ui.help.matching import fitting
from bpe_gui.ui.theme.painting import AT_LEFT, AT_RIGHT, brush, pen
from bpe_gui.ui.theme.text_size import resized
from bpe_gui.ui.theme.theme import theme_of
from bpe_gui.ui.widgets.keyboard import KeptFocus
from bpe_gui.ui.widgets.layouts import STYLED, filled
from bpe_gui.ui.widgets.naming import named, quiet
from bpe_gui.ui.widgets.tables import AnyIndex

_ENTRY = Qt.ItemDataRole.UserRole
_WIDTH, _HEIGHT = 620, 460
_MARGIN = 12
_GAP = 3
_KEPT = 20
"""Actions that are remembered as used."""
_MOVES = frozenset(
    {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
)
_LONGEST = 100
"""Characters that can be searched for: every one is compared with all words."""


class ActionSearch(QDialog):
    """Lists what matches the typed words; closes when something is run or clicked elsewhere.

    The widget that had the keyboard has it again when the action runs.
    """

    def __init__(
        self,
        entries: Callable[[], Sequence[Entry]],
        pages_with: Callable[[str], Sequence[Entry]],
        window: QWidget,
    ) -> None:
        """Make the list for a window.

        `entries` gives what can be done, whenever the list opens; `pages_with` gives the
        pages of the help that contain words.
        """
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("actionSearch")
        self.setWindowTitle("Command palette")
        self._window = window
        self._entries_now, self._pages_with = entries, pages_with
        self._entries: Sequence[Entry] = ()
        self.used: list[str] = []
        """The names of what was used, the last first."""
        self._before = KeptFocus()
        self._rows = _Row(self)
        self.field = named(QLineEdit(maxLength=_LONGEST), "actionSearchField", "Search all actions")
        self.list = named(QListWidget(), "actionSearchList", "Actions found")
        self._note = quiet(named(QLabel(wordWrap=True), "actionSearchNote"))
        self._build()
        self.field.textChanged.connect(self._find)
        self.list.clicked.connect(self._choose)

    def _build(self) -> None:
        self.field.setPlaceholderText("Type what you want to do")
        self.field.installEventFilter(self)
        self.list.setItemDelegate(self._rows)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        parts, margins = (self.field, self.list, self._note), (10, 10, 10, 8)
        filled(
            QVBoxLayout(self), *parts, stretched=self.list, spacing=STYLED, margins=margins
        )

    def set_used(self, names: object) -> None:
        """Restore what was used before. Raises ValueError for what is no list of names."""
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("no list of names of actions")
        self.used = list(dict.fromkeys(names))[:_KEPT]

    @Slot()
    def open_list(self) -> None:
        """Show the list over the window that has the keyboard."""
        focus = QApplication.focusWidget()
        self._before.keep(focus)
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
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.reject()
        super().changeEvent(event)

    @Slot()
    def _find(self) -> None:
        names = {entry.name: entry for entry in self._entries}
        recent = [names[name] for name in self.used if name in names]
        typed = self.field.text()
        # Of what fits as well, first what can be done.
        entries = self._entries
        if typed.strip():
            entries = sorted(entries, key=lambda entry: bool(entry.hindrance))
        found = fitting(typed, [(entry, entry.wording) for entry in entries], recent)
        named = bool(found)
        if not named:
            found = list(self._pages_with(typed))
        self.list.clear()
        for entry in found:
            item = QListWidgetItem(entry.wording.text, self.list)
            item.setData(_ENTRY, entry)
            for role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
                item.setData(role, entry.spoken)
        self.list.setCurrentRow(0)
        self._note.setText(_told(len(found), named))
        self._update_text()

    def _update_text(self) -> None:
        """Tell screen readers what Enter would do; the keyboard stays in the field."""
        index = self.list.currentIndex()
        said = index.data(_ENTRY).spoken if index.isValid() else self._note.text()
        self.field.setAccessibleDescription(said)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the keys that move to the list, while the field has the keyboard."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in _MOVES:
                QApplication.sendEvent(self.list, event)
                self._update_text()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentIndex())
                return True
        return super().eventFilter(watched, event)

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        """Run the chosen entry; for one that is disabled, show its reason."""
        if not index.isValid():
            return
        entry: Entry = index.data(_ENTRY)
        if entry.hindrance:
            self._note.setText(f"Not now: {entry.hindrance}")
            return
        self.accept()
        self._before.give_back()
        # Once the dialog is gone, and the widget before it has the keyboard.
        QTimer.singleShot(0, self, partial(self._run, entry))

    def _run(self, entry: Entry) -> None:
        self.set_used([entry.name, *self.used])
        entry.run()


class _Row(QStyledItemDelegate):
    """Draws an entry: its name and its keys, and below what it does, or why it cannot."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.set_font(QFont())

    def set_font(self, font: QFont) -> None:
        """Write in another font."""
        self._font, self._small = QFont(font), resized(font, 0.9)
        self._metrics, self._small_metrics = QFontMetrics(self._font), QFontMetrics(self._small)
        self._height = self._metrics.height() + self._small_metrics.height() + 3 * _GAP

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(200, self._height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        entry: Entry = index.data(_ENTRY)
        place: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        theme = theme_of(option.widget)  # type: ignore[attr-defined]
        left, top, width = place.x(), place.y(), place.width()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(left, top, width, place.height(), brush(theme.raised))
            painter.fillRect(left, top, 3, place.height(), brush(theme.accent))
        text, where, keys, tip, _ = entry.wording
        upper, lower = self._metrics.height(), self._small_metrics.height()
        muted = pen(theme.muted)
        room = width - 2 * _MARGIN
        painter.setFont(self._font)
        painter.setPen(muted if entry.hindrance else pen(theme.accent))
        painter.drawText(left + _MARGIN, top + _GAP, room, upper, AT_RIGHT, keys)
        room -= self._metrics.horizontalAdvance(keys) + _MARGIN
        mark = "✓ " if entry.checked else ""
        called = self._metrics.elidedText(mark + text, Qt.TextElideMode.ElideRight, room)
        painter.setPen(muted if entry.hindrance else pen(theme.text))
        painter.drawText(left + _MARGIN, top + _GAP, room, upper, AT_LEFT, called)
        painter.setFont(self._small)
        painter.setPen(muted)
        told = f"Not now: {entry.hindrance}" if entry.hindrance else tip
        told = " · ".join(part for part in (where, told) if part)
        room = width - 2 * _MARGIN
        told = self._small_metrics.elidedText(told, Qt.TextElideMode.ElideRight, room)
        painter.drawText(left + _MARGIN, top + 2 * _GAP + upper, room, lower, AT_LEFT, told)


def _told(count: int, named: bool) -> str:
    """Return the note below the list. `named`: whether names match, and not only pages."""
    if not count:
        return "No matches. Try one plain word, such as “save”, “larger” or “compare”."
    if not named:
        pages = "pages of the help mention" if count > 1 else "page of the help mentions"
        return f"No action matches, but {count:,} {pages} it. Enter opens the first."
    return f"{count:,} found. Enter does it, Esc closes the list."
