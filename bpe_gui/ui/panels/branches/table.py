"""The branches of a run as rows of a table, to show, to name and to remove them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QMenu, QWidget

from bpe_gui.analysis.branches import Branch, BranchState
from bpe_gui.ui.panels.branches import wording
from bpe_gui.ui.panels.branches.wording import decisions, state_sentence
from bpe_gui.ui.theme.text_size import scaled
from bpe_gui.ui.widgets.naming import named
from bpe_gui.ui.widgets.tables import LEFT, RIGHT, AnyIndex, Heading, RowsModel, RowTable

_ROLE = Qt.ItemDataRole
_NARROW, _NARROWEST = 340, 240
"""A narrower table hides bytes per token, as the comparison shows them, then the states; in pixels
for text of the plain size."""
_LOW, _FEW_ROWS, _FEWEST_ROWS = 400, 3, 2
"""A lower panel shows that many branches at most, and at least; the others by scrolling."""

NAME, STATE, MERGES, BYTES_PER_TOKEN = range(4)


class BranchTable(RowsModel):
    """One row a branch; the name of each can be edited."""

    renamed = Signal(int, str)
    """The user gives a branch another name."""
    headings = (
        Heading("branch", wording.NAME_TIP, LEFT),
        Heading("state", wording.STATE_TIP, LEFT),
        Heading("merges", wording.MERGES_TIP, RIGHT),
        Heading("bytes/token", wording.BYTES_TIP, RIGHT),
    )

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._branches: Sequence[Branch] = ()
        self._states: Sequence[BranchState] = ()
        self._lengths: Sequence[int] = ()
        self._shown: Branch | None = None

    def set_branches(self, branches: Sequence[Branch], shown: Branch | None) -> None:
        """Show these branches as rows; `shown` is the one in view."""
        self.beginResetModel()
        self._branches = tuple(branches)
        self._states = self._lengths = ()
        self._shown = shown
        self.endResetModel()

    def set_states(self, states: Sequence[BranchState]) -> None:
        if tuple(states) != self._states:
            self._states = tuple(states)
            self._lengths = ()
            self.refresh()

    def refresh(self) -> None:
        """Show the numbers again if a training has gone on."""
        lengths = tuple(len(branch.history) for branch in self._branches)
        if lengths != self._lengths:
            self._lengths = lengths
            last = self.index(len(self._branches) - 1, BYTES_PER_TOKEN)
            self.dataChanged.emit(self.index(0, STATE), last)

    def count(self) -> int:
        return len(self._branches)

    def _state_of(self, row: int) -> BranchState | None:
        return self._states[row] if row < len(self._states) else None

    def cells(self, row: int) -> list[str]:
        """Return the texts of a row; the branch that is shown has a mark before its name."""
        branch, state = self._branches[row], self._state_of(row)
        mark = "▸ " if branch is self._shown else ""
        history = branch.history
        rate = f"{history.corpus_bytes / max(1, int(history.tokens[len(history)])):.4f}"
        size = f"{len(history):,}"
        return [f"{mark}{branch.name}", str(state or ""), size, rate]

    def spoken(self, row: int) -> str:
        branch = self._branches[row]
        return f"{branch.name}, shown" if branch is self._shown else branch.name

    def tip(self, row: int, column: int) -> str:
        branch, state = self._branches[row], self._state_of(row)
        return "\n".join(filter(None, (decisions(branch), state_sentence(branch, state))))

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and index.column() == NAME:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: AnyIndex, role: int = _ROLE.DisplayRole) -> Any:
        if index.isValid() and role == _ROLE.EditRole:
            return self._branches[index.row()].name
        return super().data(index, role)

    def setData(self, index: AnyIndex, value: Any, role: int = _ROLE.EditRole) -> bool:
        if role != _ROLE.EditRole or not index.isValid() or index.column() != NAME:
            return False
        self.renamed.emit(index.row(), str(value))
        return True


class BranchesView(RowTable):
    """Enter or a click shows a branch, F2 names it, Delete takes it away."""

    chosen = Signal(int)
    """The user wants to see the branch with this number."""
    removed = Signal(int)
    """The user does not want a branch any more."""

    def __init__(self, model: BranchTable, parent: QWidget) -> None:
        super().__init__(model, parent)
        named(self, "branchTable", "Branches")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.verticalHeader().setMinimumSectionSize(1)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.clicked.connect(self._on_clicked)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        editing = self.state() is QAbstractItemView.State.EditingState
        if row >= 0 and not editing and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(row)
        elif row >= 0 and not editing and event.key() == Qt.Key.Key_Delete:
            self.removed.emit(row)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            menu = self.menu(index.row())
            menu.exec(event.globalPos())
            menu.deleteLater()

    def menu(self, row: int) -> QMenu:
        """Make the menu of actions on the branch in a row; the original cannot be removed."""
        menu = QMenu(self)
        menu.addAction("&Show\tEnter", partial(self.chosen.emit, row)).setObjectName("showBranch")
        menu.addAction("Re&name\tF2", partial(self._name, row)).setObjectName("nameBranch")
        remove = menu.addAction("&Remove\tDel", partial(self.removed.emit, row))
        remove.setObjectName("removeBranch")
        remove.setEnabled(row > 0)
        return menu

    def _name(self, row: int) -> None:
        index = self.model().index(row, NAME)
        self.setCurrentIndex(index)
        self.edit(index)

    def fit(self, width: int, height: int, below: int) -> None:
        """Leave height for the comparison below, in a panel of that size; if it can be, `below`."""
        self.setColumnHidden(BYTES_PER_TOKEN, width < scaled(_NARROW, self.font()))
        self.setColumnHidden(STATE, width < scaled(_NARROWEST, self.font()))
        rows = self.model().rowCount()
        if height < scaled(_LOW, self.font()):
            rows = min(rows, _FEW_ROWS)
        around = self.horizontalHeader().sizeHint().height() + 2
        row = self.verticalHeader().defaultSectionSize()
        rows = min(rows, max(_FEWEST_ROWS, (height - below - around) // row))
        self.setFixedHeight(around + rows * row)
        self.scrollTo(self.currentIndex())
