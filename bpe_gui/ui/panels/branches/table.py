"""The branches of a run as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from bpe_gui.analysis.branches import Branch, BranchState, decided_text

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_EDIT = int(Qt.ItemDataRole.EditRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

AnyIndex = QModelIndex | QPersistentModelIndex


class BranchColumn(IntEnum):
    """What is told of a branch, from left to right."""

    NAME = 0
    STATE = 1
    MERGES = 2
    BYTES_PER_TOKEN = 3


_HEADERS = {
    BranchColumn.NAME: "branch",
    BranchColumn.STATE: "state",
    BranchColumn.MERGES: "merges",
    BranchColumn.BYTES_PER_TOKEN: "bytes/token",
}
_TIPS = {
    BranchColumn.NAME: "Enter or a click shows a branch, F2 names it, Delete takes it away",
    BranchColumn.STATE: "Whether it is being trained; one branch is at a time",
    BranchColumn.MERGES: "Merges that have been done",
    BranchColumn.BYTES_PER_TOKEN: "Of the corpus, after all of them",
}


class BranchTable(QAbstractTableModel):
    """One row a branch; the name of each can be edited."""

    renamed = Signal(int, str)
    """The user has written another name into a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._branches: Sequence[Branch] = ()
        self._states: Sequence[BranchState] = ()
        self._lengths: Sequence[int] = ()
        self.shown: Branch | None = None

    def set_branches(self, branches: Sequence[Branch], shown: Branch | None) -> None:
        """Take over the rows, one of which is the branch that is shown."""
        self.beginResetModel()
        self._branches = tuple(branches)
        self._states = ()
        self._lengths = ()
        self.shown = shown
        self.endResetModel()

    def set_states(self, states: Sequence[BranchState]) -> None:
        """Tell what becomes of each branch, in their order."""
        if tuple(states) != self._states:
            self._states = tuple(states)
            self._lengths = ()
            self.refresh()

    def refresh(self) -> None:
        """Tell the numbers anew, if a training has gone on."""
        lengths = tuple(len(branch.history) for branch in self._branches)
        if lengths != self._lengths:
            self._lengths = lengths
            first = self.index(0, BranchColumn.STATE)
            last = self.index(len(self._branches) - 1, BranchColumn.BYTES_PER_TOKEN)
            self.dataChanged.emit(first, last)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """Number of branches."""
        return 0 if parent.isValid() else len(self._branches)

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        """Name, state, merges, bytes per token."""
        return 0 if parent.isValid() else len(BranchColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """What the columns are."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(BranchColumn):
            return None
        if role == _DISPLAY:
            return _HEADERS[BranchColumn(section)]
        if role == _TOOLTIP:
            return _TIPS[BranchColumn(section)]
        if role == _ALIGNMENT:
            return _alignment(section)
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Names can be edited."""
        flags = super().flags(index)
        if index.isValid() and index.column() == BranchColumn.NAME:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: AnyIndex, role: int = _DISPLAY) -> Any:
        """A cell; the branch that is shown has a mark before its name."""
        if not index.isValid():
            return None
        branch = self._branches[index.row()]
        if role == _ALIGNMENT:
            return _alignment(index.column())
        if role == _TOOLTIP:
            told = self._state_sentence(index.row())
            return f"{decisions(branch)}\n{told}" if told else decisions(branch)
        if role not in (_DISPLAY, _EDIT, _ACCESSIBLE):
            return None
        if index.column() == BranchColumn.STATE:
            return str(self._state(index.row()) or "")
        if index.column() != BranchColumn.NAME:
            return self._number(branch, BranchColumn(index.column()))
        if role == _EDIT or branch is not self.shown:
            return branch.name
        return f"{branch.name}, shown" if role == _ACCESSIBLE else f"▸ {branch.name}"

    def _state(self, row: int) -> BranchState | None:
        return self._states[row] if row < len(self._states) else None

    def _state_sentence(self, row: int) -> str:
        """What becomes of a branch, and what can be done about it."""
        history = self._branches[row].history
        merges = f"{len(history):,}"
        match self._state(row):
            case BranchState.TRAINING:
                return "It is being trained."
            case BranchState.PAUSED:
                return f"It is held at merge {merges}; Train goes on with it when it is shown."
            case BranchState.STOPPED:
                return f"It stopped at merge {merges}; Train goes on with it when it is shown."
            case BranchState.FINISHED:
                return f"It is finished: {history.stopped}."
        return ""

    @staticmethod
    def _number(branch: Branch, column: BranchColumn) -> str:
        history = branch.history
        merges = len(history)
        if column == BranchColumn.MERGES:
            return f"{merges:,}"
        return f"{history.corpus_bytes / max(1, int(history.tokens[merges])):.4f}"

    def setData(self, index: AnyIndex, value: Any, role: int = _EDIT) -> bool:
        """Ask for another name."""
        if role != _EDIT or not index.isValid() or index.column() != BranchColumn.NAME:
            return False
        self.renamed.emit(index.row(), str(value))
        return True


def _alignment(column: int) -> int:
    return _LEFT if column in (BranchColumn.NAME, BranchColumn.STATE) else _RIGHT


def decisions(branch: Branch) -> str:
    """What was decided in a branch, a line each."""
    history = branch.history
    if not history.interventions:
        return "Nothing was decided: the counts alone chose every merge."
    return "\n".join(decided_text(history, decided) for decided in history.interventions)
